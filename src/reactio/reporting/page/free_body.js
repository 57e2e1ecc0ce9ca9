// The free-body diagram: one body lifted out of the mechanism, with every force and moment on it, and their sums.
const LIFTED = { width: 360, height: 300, longest: 66, margin: 84 };

// A wrench [F, M] about a point, moved to another point: M' = M + (from − to) × F.
function movedWrench(w, from, to) {
  const F = w.slice(0, 3), M = combined(1, w.slice(3), 1, cross(combined(1, from, -1, to), F));
  return [...F, ...M];
}
const lengthOf = v => Math.hypot(...v);
const addedUp = (a, b) => a.map((x, k) => x + b[k]);

// What one unit of self-stress changes in the reaction of a joint on a body: on its second body as it is, on its first against it.
function reactionNow(reaction, diagram) {
  const joint = D.joints[reaction.j], name = D.bodies[diagram.i], sign = joint.bodies[joint.bodies.length - 1] === name ? 1 : -1;
  let w = reaction.w.map(x => x ?? NaN);
  if (joint.frame === null) return { w, at: diagram.at };
  const at = world(still, [joint.frame, 0, 0, 0]);
  w = movedWrench(w, diagram.at, at);
  D.stresses.forEach((stress, k) => {
    const change = S.amounts[k] && stress.wrenches[reaction.j];
    if (change) w = w.map((x, i) => x + sign * S.amounts[k] * change[i]);
  });
  return { w, at };
}
// Everything on a body as [name, wrench, point, kind]: reactions at their joints, loads and inertia at the centre of mass.
function forcesOn(diagram) {
  const mass = D.parts.find(part => part.role === "mass" && part.i === diagram.i), centre = mass ? world(still, mass.p[0]) : diagram.at;
  const out = diagram.reactions.map(reaction => {
    const { w, at } = reactionNow(reaction, diagram), joint = D.joints[reaction.j];
    return { name: joint.name, j: reaction.j, w, at, kind: shifted(reaction.j) ? "shifted" : reaction.known ? "known" : "possible" };
  });
  const loads = movedWrench(diagram.loads.map(x => x ?? NaN), diagram.at, centre);
  const inertia = movedWrench(diagram.inertia.map(x => -(x ?? NaN)), diagram.at, centre);
  out.push({ name: D.gravity && !D.loads.length ? "weight" : "loads", w: loads, at: centre, kind: "load" });
  out.push({ name: "−M v̇", w: inertia, at: centre, kind: "inertia" });
  return out;
}
// ΣF and ΣM about the centre of mass: zero but for rounding, whichever split of the load is shown.
function balance(forces, about) {
  return forces.reduce((sum, force) => addedUp(sum, movedWrench(force.w, force.at, about)), [0, 0, 0, 0, 0, 0]);
}
const COLOURS = { known: "var(--unique)", possible: "var(--not)", shifted: "var(--stress)", load: "var(--load)", inertia: "var(--faint)" };
function liftedArrow(from, d, colour, dashed, double) {
  const size = lengthOf(d);
  if (size < 3) return "";
  const u = [d[0] / size, d[1] / size], end = [from[0] + d[0], from[1] + d[1]], shaft = [end[0] - 8 * u[0], end[1] - 8 * u[1]];
  const tip = at => `<path d="M${f1(at[0])} ${f1(at[1])}L${f1(at[0] - 9 * u[0] - 3.8 * u[1])} ${f1(at[1] - 9 * u[1] + 3.8 * u[0])}L${f1(at[0] - 9 * u[0] + 3.8 * u[1])} ${f1(at[1] - 9 * u[1] - 3.8 * u[0])}Z" fill="${colour}"/>`;
  return `<path d="M${f1(from[0])} ${f1(from[1])}L${f1(shaft[0])} ${f1(shaft[1])}" stroke="${colour}" stroke-width="2" fill="none"${dashed ? ' stroke-dasharray="5 3"' : ""}/>${tip(end)}${double ? tip(shaft) : ""}`;
}
function liftedTurn([x, y], sign, colour, dashed) {
  const r = 15, start = sign > 0 ? 0.6 : 2.54, sweep = sign > 0 ? -4.2 : 4.2, stop = start + sweep, at = a => [x + r * Math.cos(a), y + r * Math.sin(a)];
  const a = at(start), b = at(stop - 0.45 * Math.sign(sweep)), tip = at(stop), u = [-Math.sin(stop) * Math.sign(sweep), Math.cos(stop) * Math.sign(sweep)];
  return `<path d="M${f1(a[0])} ${f1(a[1])}A${r} ${r} 0 1 ${sweep > 0 ? 1 : 0} ${f1(b[0])} ${f1(b[1])}" stroke="${colour}" stroke-width="2" fill="none"${dashed ? ' stroke-dasharray="4 3"' : ""}/>` +
    `<path d="M${f1(tip[0])} ${f1(tip[1])}L${f1(tip[0] - 8 * u[0] - 3.4 * u[1])} ${f1(tip[1] - 8 * u[1] + 3.4 * u[0])}L${f1(tip[0] - 8 * u[0] + 3.4 * u[1])} ${f1(tip[1] - 8 * u[1] - 3.4 * u[0])}Z" fill="${colour}"/>`;
}
// The diagram as SVG, to the scale of its own largest force.
function liftedDrawing(diagram, forces) {
  const { width, height, longest, margin } = LIFTED, own = D.parts.filter(part => ["body", "ghost"].includes(part.role) && part.i === diagram.i);
  V = axes();
  const flat = p => [dot(V[0], p), -dot(V[1], p)];
  const outlines = own.map(part => part.p.map(place => flat(world(still, place)))), spots = [...outlines.flat(), ...forces.map(force => flat(force.at))];
  const low = [0, 1].map(k => Math.min(...spots.map(p => p[k]))), high = [0, 1].map(k => Math.max(...spots.map(p => p[k])));
  const zoom = Math.min((width - 2 * margin) / Math.max(high[0] - low[0], 2 * D.size), (height - 2 * margin) / Math.max(high[1] - low[1], 2 * D.size));
  const place = p => [width / 2 + zoom * (p[0] - (low[0] + high[0]) / 2), height / 2 + zoom * (p[1] - (low[1] + high[1]) / 2)];
  const top = [0, 3].map(k => Math.max(...forces.map(force => lengthOf(force.w.slice(k, k + 3))).filter(Number.isFinite), 1e-300));
  // Places are in single precision: a moment that is rounding of them is none.
  top[1] = Math.max(top[1], top[0] * Math.max(...[0, 1].map(k => high[k] - low[k]), D.size));
  let out = own.map((part, k) => {
    const d = path(outlines[k].map(place)) + (part.f ? "Z" : outlines[k].length < 2 ? "l0 0" : ""), w = Math.min(20, Math.max(5, 2 * part.r * zoom));
    const colour = `var(--b${diagram.i % 6})`, hollow = part.f ? "" : ' fill="none"';
    return `<path d="${d}" stroke="var(--edge)" fill="var(--edge)"${hollow} stroke-width="${f1(w + 2)}" stroke-linecap="round" stroke-linejoin="round"/><path d="${d}" stroke="${colour}" fill="${colour}"${hollow} stroke-width="${f1(w)}" stroke-linecap="round" stroke-linejoin="round"/>`;
  }).join("");
  const labels = [];
  for (const force of forces) {
    const at = place(flat(force.at)), colour = COLOURS[force.kind], dashed = ["possible", "shifted", "inertia"].includes(force.kind), words = [];
    for (const [k, unit] of [[0, D.units.force], [3, D.units.moment]]) {
      const v = force.w.slice(k, k + 3), size = lengthOf(v), most = top[k ? 1 : 0];
      if (!(size > 1e-5 * most)) continue;
      const part = longest * Math.sqrt(size / most) / size, d = [part * dot(V[0], v), -part * dot(V[1], v)];
      if (k && lengthOf(d) < 8) out += liftedTurn(at, Math.sign(dot(V[2], v)), colour, dashed);
      else out += liftedArrow(at, d, colour, dashed, k === 3);
      words.push([`${force.kind === "possible" ? "≈ " : ""}${number(Number((size * unit.per_si).toPrecision(4)))} ${unit.name}`, d, k]);
    }
    if (force.j !== undefined) out += `<circle cx="${f1(at[0])}" cy="${f1(at[1])}" r="4" fill="var(--paper)" stroke="${colour}" stroke-width="2"/>`;
    words.forEach(([text, d, k]) => {
      const size = lengthOf(d) || 1, reach = k && size < 8 ? [0, 30] : [d[0] * (1 + 11 / size), d[1] * (1 + 11 / size)];
      labels.push([at[0] + reach[0], at[1] + reach[1] + 4, d[0] > 8 ? "start" : d[0] < -8 ? "end" : "middle", `${force.name} ${text}`, colour]);
    });
  }
  const ends = ([x, , anchor, text]) => { const w = 6.6 * text.length, left = anchor === "start" ? x : anchor === "end" ? x - w : x - w / 2; return [left, left + w]; };
  labels.sort((a, b) => a[1] - b[1]).forEach((label, k) => { // names that would cover each other are moved apart
    const [left, right] = ends(label);
    for (const other of labels.slice(0, k)) { const [a, b] = ends(other); if (left < b && a < right && label[1] - other[1] < 14) label[1] = other[1] + 14; }
  });
  out += labels.map(([x, y, anchor, text, colour]) => {
    const half = 3.1 * text.length, left = anchor === "start" ? 0 : anchor === "end" ? 2 * half : half, right = 2 * half - left;
    return `<text x="${f1(Math.min(Math.max(x, left + 3), width - right - 3))}" y="${f1(Math.min(Math.max(y, 12), height - 5))}" text-anchor="${anchor}" font-size="11" font-weight="600" fill="${colour}" stroke="var(--paper)" stroke-width="3" paint-order="stroke" font-family="sans-serif" style="fill:${colour}">${escaped(text)}</text>`;
  }).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Free-body diagram of ${escaped(D.bodies[diagram.i])}">${out}</svg>`;
}
// The balance in a line: the largest entry of each sum against the largest of what is summed.
function balanceWords(forces, about) {
  const sum = balance(forces, about), parts = [[0, "ΣF", D.units.force], [3, "ΣM", D.units.moment]].map(([k, name, unit]) => {
    const rest = lengthOf(sum.slice(k, k + 3));
    const size = Math.max(...forces.map(force => lengthOf(movedWrench(force.w, force.at, about).slice(k, k + 3))).filter(Number.isFinite), 0);
    const zero = rest <= 1e-8 * Math.max(size, 1e-300) || rest < 1e-12;
    return { zero, text: Number.isFinite(rest) ? `${name} = ${zero ? "0" : number(rest * unit.per_si)} ${unit.name}` : `${name} is not known`, rest: Number.isFinite(rest) ? rest.toExponential(0) : "" };
  });
  return parts;
}
function lift(i, scroll = false) {
  S.lifted = i;
  liftedNow();
  if (scroll) $("lifted").scrollIntoView({ block: "nearest" });
}
function liftedNow() {
  const card = $("lifted");
  if (!card) return;
  card.hidden = !D.free.length;
  if (!D.free.length) return;
  const diagram = D.free.find(one => one.i === S.lifted), chips = D.free.map(one => el("button", { type: "button", class: `chip${one.i === S.lifted ? " chosen" : ""}`, onclick: () => lift(one.i) }, D.bodies[one.i]));
  const body = $("lifted-body");
  if (!diagram) { body.replaceChildren(el("p", { class: "dim" }, "Click a part in the drawing to see it alone, with every force on it."), el("div", { class: "chips" }, ...chips)); return; }
  const forces = forcesOn(diagram), mass = D.parts.find(part => part.role === "mass" && part.i === diagram.i), about = mass ? world(still, mass.p[0]) : diagram.at;
  const drawing = el("div", { class: "lifted-drawing" });
  drawing.innerHTML = liftedDrawing(diagram, forces);
  const sums = balanceWords(forces, about);
  body.replaceChildren(el("div", { class: "chips" }, ...chips), drawing,
    el("p", { class: "balance", id: "balance" }, ...sums.map(sum => el("span", { class: sum.zero ? "verdict v0" : "verdict v2", title: sum.rest ? `remainder ${sum.rest}` : "" }, `${sum.zero ? "✓" : "✗"} ${sum.text}`)),
      el("button", { type: "button", class: "plain", id: "lifted-save", onclick: () => saveSvg(drawing.innerHTML, `free-body-${D.bodies[diagram.i]}.svg`) }, "Save as SVG")),
    el("p", { class: "dim" }, `Reactions, loads and inertia on ${D.bodies[diagram.i]}${D.t ? ` at t = ${D.t} s` : D.run ? " at the start of the motion" : ""}. ${forces.some(force => force.kind === "possible" || force.kind === "shifted") ? "Dashed reactions are not unique; the sums are zero for every load distribution." : "Every reaction is unique."}`));
}
// A drawing as a file of its own: colours of the page are written out.
function saveSvg(text, name) {
  const style = getComputedStyle(document.documentElement), plain = text.replace(/var\((--[\w-]+)\)/g, (_, key) => style.getPropertyValue(key).trim());
  const link = el("a", { href: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(plain)}`, download: name.replace(/[^\w.-]+/g, "_") });
  link.click();
}
