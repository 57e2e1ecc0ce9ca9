// The inspector: one joint, its reaction, its partners, and why.
const afterChoosing = []; // what else follows the choice of a joint
function choose(j, scroll = false) {
  S.chosen = j;
  document.querySelectorAll("tr[data-joint]").forEach(row => row.classList.toggle("chosen", Number(row.dataset.joint) === j));
  inspect();
  afterChoosing.forEach(follow => follow(j));
  draw();
  if (scroll) $("inspector").scrollIntoView({ block: "nearest" });
}
const badge = v => el("span", { class: `badge v${v}`, "aria-hidden": "true" });

// The rows of a run that bear on its time: one where it is an instant of the histories, else the two around it.
function rowsNow() {
  const at = rowAt(R.times, S.t), k = Math.min(R.times.length - 2, Math.floor(at)), part = at - k;
  return { k, part, rows: part < 1e-9 ? [k] : part > 1 - 1e-9 ? [k + 1] : [k, k + 1] };
}
const historyNow = j => S.mode === "run" && R.place.has(j) ? R.histories[R.place.get(j)] : undefined;
const CERTAINTY = [0, 4, 5, 1, 2, 3]; // of verdicts: the least certain last
const lessCertain = (a, b) => CERTAINTY.indexOf(b) > CERTAINTY.indexOf(a) ? b : a;
// The verdict on a joint with its partners: of the state, or of the run at its time.
function jointNow(j) {
  const history = historyNow(j);
  if (!history) return D.joints[j];
  return rowsNow().rows.map(k => history.states[history.state[k]]).reduce((a, b) => lessCertain(a.v, b.v) === a.v ? a : b);
}
// The axes of a joint as they point at the time of the run; empty where they rest.
function axesNow(history) {
  if (!history?.axes) return "";
  const table = history.axesTable ??= floats(history.axes), size = planar ? 2 : 3, { k, part } = rowsNow(), row = i => [...Array(size).keys()].map(c => (1 - part) * table[(k * size + i) * size + c] + part * table[((k + 1) * size + i) * size + c]);
  const direction = axis => {
    const unit = axis.map(x => x / Math.hypot(...axis)).map(x => Math.abs(x) < 5e-4 ? 0 : x), main = unit.findIndex(x => Math.abs(x) > 1 - 1e-6);
    return main < 0 ? `(${unit.map(x => String(Number(x.toPrecision(3))).replace("-", "−")).join(", ")})` : `${unit[main] < 0 ? "−" : ""}${"xyz"[main]}`;
  };
  return `Its axes at t = ${seconds(S.t)} s: ${[...Array(size).keys()].map(i => `${"xyz"[i]} along world ${direction(row(i))}`).join(", ")}.`;
}

// The components as they are shown: of the state with its self-stresses, or of the run at its time.
function componentsNow(j) {
  const history = historyNow(j);
  if (!history) {
    const shown = values(j);
    return D.joints[j].components.map((component, c) => ({ ...component, value: shown[c] }));
  }
  const { k, part, rows } = rowsNow(), n = history.n, everywhere = test => rows.every(row => test(row * n));
  const carried = history.labels.map((name, c) => ({
    name, unit: history.units[c],
    unique: everywhere(row => history.unique[row + c]),
    stiff: everywhere(row => history.unique[row + c] || history.stiff[row + c]),
    value: (1 - part) * history.values[k * n + c] + part * history.values[(k + 1) * n + c] + (inTime() ? added(j, name, c) : 0),
  }));
  // A history leaves out what is nothing all the time; the list of components does not.
  const nothing = D.joints[j].components.filter(one => !history.labels.includes(one.name)).map(one => ({ name: one.name, unit: one.unit, unique: true, value: 0 }));
  return [...carried, ...nothing].sort((a, b) => R.labels.indexOf(a.name) - R.labels.indexOf(b.name));
}
// What the sliders add to a component of a joint.
const added = (j, name, i) => D.stresses.reduce((sum, _, k) => sum + (S.amounts[k] ? S.amounts[k] * stressComponent(k, j, name, i) : 0), 0);
// What a component rests on: its class, its mark, and the words for it.  Without a rule that was asked for, what is open
// has a number only while a slider shifts it.
function basis(component, shifted = false) {
  if (!D.loads_known) return { kind: component.unique === true ? "known" : component.unique === null ? "unsure" : "open", mark: "", words: component.unique === true ? "unique; masses are not known" : component.unique === null ? "cannot be decided" : "undetermined", open: true };
  if (!Number.isFinite(component.value)) return { kind: component.unique === null ? "unsure" : "open", mark: "", words: "undetermined", open: true };
  if (component.unique === true) return { kind: "known", mark: "", words: "unique" };
  if (component.stiff) return { kind: "stiff", mark: "◆ ", words: "determined by stiffness" };
  const open = !D.asked && !shifted;
  if (component.unique === null) return { kind: "unsure", mark: "? ", words: "cannot be decided", open };
  return { kind: "open", mark: "≈ ", words: open ? "undetermined by a rigid model" : "one of infinitely many", open };
}
const shiftedNow = j => D.stresses.some((stress, k) => S.amounts[k] && stress.joints.includes(j));
const written = (component, how) => how.open ? (how.kind === "unsure" ? "?" : "–") : `${how.mark}${number(component.value, largest())} ${component.unit}`;
const values = j => D.joints[j].components.map((component, i) => (component.value ?? NaN) + added(j, component.name, i));
function inspect() {
  if (S.chosen < 0) return;
  const joint = D.joints[S.chosen], title = $("inspector-title"), body = $("inspector-body"), settled = body.querySelector("details")?.open;
  title.replaceChildren(joint.name, el("span", { class: "dim" }, `${joint.type} · ${joint.bodies.join(" – ")}`));
  const moved = shiftedNow(S.chosen), rows = componentsNow(S.chosen).map(component => {
    const how = basis(component, moved);
    return el("tr", { class: how.kind }, el("td", {}, component.name), el("td", {}, written(component, how)), el("td", {}, how.words));
  });
  const turned = axesNow(historyNow(S.chosen)), why = joint.why.slice(1).filter(text => !turned || text !== joint.axes_words);
  const now = jointNow(S.chosen), partners = now.shares.map(k => el("button", { type: "button", class: "chip", onclick: () => choose(k) }, D.joints[k].name));
  body.replaceChildren(
    el("p", {}, el("span", { class: `verdict v${now.v}` }, badge(now.v), VERDICTS[now.v]), byStiffness(now) ? ` · the rigid model determines ${now.known} components` : ` · ${now.known} components are determined`, el("span", { class: "dim" }, ` · on ${joint.bodies[joint.bodies.length - 1]}, ${D.axes} axes${S.mode === "run" ? `, t = ${seconds(S.t)} s` : ""}`)),
    el("table", { class: "numbers" }, el("tbody", {}, ...rows)),
    ...(joint.sensitive ? [el("p", { class: "dim" }, `Most sensitive: ${joint.sensitive}`)] : []),
    ...(partners.length ? [el("p", {}, "Shares load with"), el("div", { class: "chips" }, ...partners)] : []),
    ...(turned ? [el("p", { class: "dim" }, turned)] : []),
    ...(why.length ? [el("p", {}, el("b", {}, "Why"), S.mode === "run" && S.t > R.t[0] ? el("span", { class: "dim" }, ` at t = ${D.t} s`) : ""), el("ul", {}, ...why.map(text => el("li", {}, text)))] : []),
    ...(joint.remedies.length ? [el("details", settled ? { open: "" } : {}, el("summary", {}, "How to determine it"), el("ul", {}, ...joint.remedies.map(text => el("li", {}, text))))] : []));
}
// Does the stiffness that was given determine it, in part or as a whole?
const byStiffness = verdict => verdict.v >= VERDICTS.indexOf("determined by stiffness");
// The table follows the time: of a run as its slider shows it, else of the state of the report.
function numbersNow() {
  document.querySelectorAll("tr[data-joint]").forEach(row => {
    const j = Number(row.dataset.joint), moved = shiftedNow(j), verdict = jointNow(j), now = new Map(componentsNow(j).map(component => [component.name, component]));
    row.querySelector(".verdict").replaceWith(el("span", { class: `verdict v${verdict.v}` }, badge(verdict.v), VERDICTS[verdict.v]));
    row.querySelector(".known").textContent = byStiffness(verdict) ? `${verdict.known} if rigid` : verdict.known;
    row.querySelector(".shares").textContent = verdict.partners;
    row.querySelector(".shares").classList.toggle("none", !verdict.shares.length);
    row.querySelectorAll(".chip[data-c]").forEach(chip => {
      const component = now.get(chip.dataset.c);
      if (!component) return;
      const how = basis(component, moved);
      chip.className = `chip ${how.kind}`;
      chip.textContent = `${component.name} ${written(component, how)}`;
    });
  });
  document.querySelectorAll("[data-sum]").forEach(sumNow);
  document.querySelectorAll(".when").forEach(when => { when.textContent = S.mode === "run" ? ` at t = ${seconds(S.t)} s` : ""; });
}
// A sum of components at the time of the run; in the state of the report it says what the page was written with.
function sumNow(place) {
  place.dataset.still ??= place.textContent;
  if (S.mode !== "run") { place.textContent = place.dataset.still; return; }
  const sum = R.sums[place.dataset.sum], { k, part, rows } = rowsNow();
  sum.table ??= floats(sum.values); sum.known ??= bytes(sum.unique); sum.soft ??= bytes(sum.stiff);
  const value = (1 - part) * sum.table[k] + part * sum.table[k + 1], unique = rows.every(row => sum.known[row]);
  const stiff = rows.every(row => sum.known[row] || sum.soft[row]);
  const text = `${number(value, largest())}\u00a0${sum.unit.replace(" ", "\u00a0")}`;
  place.textContent = unique ? `${text} (unique)` : stiff ? `${text} (determined by stiffness)` : D.asked ? `${text} (not unique, by the rule ${D.rule})` : "undetermined";
}
function listen() {
  document.querySelector("table.joints").addEventListener("click", event => {
    const row = event.target.closest("tr[data-joint]");
    if (row) choose(Number(row.dataset.joint));
  });
  svg.addEventListener("click", event => {
    if (dragged) return;
    const hit = event.target.closest("[data-joint]"), body = event.target.closest("[data-body]");
    if (hit) choose(Number(hit.dataset.joint), true);
    else if (body) lift(Number(body.dataset.body), true);
  });
}
