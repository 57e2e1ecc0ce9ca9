// Charts: singular values, and reactions in time.
const PENS = [0, 1, 2, 3, 4, 5].map(k => `var(--pen${k})`);

function rankChart() {
  const place = $("rank-chart"), { sigma, rank, decide, sure, zero } = D.rank;
  if (!place) return;
  place.hidden = !sigma.length;
  if (!sigma.length) return;
  const W = Math.max(300, Math.min(920, place.clientWidth - 32)), H = 250, left = 62, right = 20, top = 16, bottom = 34, floor = -18;
  const level = s => Math.max(floor, Math.log10(Math.max(s / sigma[0], 1e-300)));
  const x = k => left + (k + 0.5) * (W - left - right) / sigma.length, y = l => top + (1 - (l - floor) / (1 - floor)) * (H - top - bottom);
  let out = `<rect x="${left}" width="${W - left - right}" y="${f1(y(Math.log10(sure)))}" height="${f1(y(Math.log10(zero)) - y(Math.log10(sure)))}" fill="var(--wash)"/>`;
  for (let l = 0; l >= floor; l -= 3) out += `<line x1="${left}" x2="${W - right}" y1="${f1(y(l))}" y2="${f1(y(l))}" stroke="var(--rule)"/><text x="${left - 8}" y="${f1(y(l) + 4)}" text-anchor="end">${l ? `10<tspan dy="-4" font-size="8">${String(l).replace("-", "−")}</tspan>` : "1"}</text>`;
  const cut = y(Math.log10(decide));
  out += `<line x1="${left}" x2="${W - right}" y1="${f1(cut)}" y2="${f1(cut)}" stroke="var(--soft)" stroke-dasharray="6 4"/>`;
  const r = Math.max(1.6, Math.min(5.5, 0.3 * (W - left - right) / sigma.length));
  sigma.forEach((s, k) => {
    const kept = k < rank, at = `cx="${f1(x(k))}" cy="${f1(y(level(s)))}" r="${f1(r)}"`;
    out += `<circle ${at} fill="${kept ? "var(--unique)" : "var(--paper)"}" stroke="${kept ? "var(--unique)" : "var(--not)"}" stroke-width="2"><title>σ${k + 1} = ${s.toExponential(3)}</title></circle>`;
  });
  if (rank && rank < sigma.length) {
    const at = (x(rank - 1) + x(rank)) / 2, a = y(level(sigma[rank - 1])), b = y(level(sigma[rank]));
    out += `<path d="M${f1(at)} ${f1(a + 4)}V${f1(b - 4)}m-4-6l4 6l4-6M${f1(at)} ${f1(a + 4)}m-4 6l4-6l4 6" fill="none" stroke="var(--soft)" stroke-width="1.3"/>`;
    out += `<text x="${f1(at - 10)}" y="${f1(Math.min(cut, b) - 40)}" text-anchor="end">gap ${D.rank.gap.toExponential(1).replace("+", "")}</text>`;
  }
  out += `<text x="${left}" y="${H - 8}">${rank} kept</text>${rank < sigma.length ? `<text x="${W - right}" y="${H - 8}" text-anchor="end">${sigma.length - rank} dropped</text>` : ""}`;
  place.innerHTML = `<svg viewBox="0 0 ${W} ${H}" role="img" aria-label="Singular values on a logarithmic scale">${out}</svg>`;
}

const sure = (history, k, c) => history.unique[k * history.n + c] === 1 || history.stiff[k * history.n + c] === 1;
// A line in pieces: where the component is determined, or where it is not.
function pieces(history, c, x, y, wanted) {
  let d = "", pen = false;
  for (let k = 0; k < R.times.length; k++) {
    const here = sure(history, k, c) === wanted && Number.isFinite(history.values[k * history.n + c]), before = k > 0 && sure(history, k - 1, c) === wanted;
    if (here || (pen && before && Number.isFinite(history.values[k * history.n + c]))) { d += `${pen ? "L" : "M"}${f1(x(R.times[k]))} ${f1(y(history.values[k * history.n + c]))}`; pen = here; } else pen = false;
  }
  return d;
}
const stiff = (history, c) => R.times.some((_, k) => history.stiff[k * history.n + c] === 1);
// Three to six round numbers between two times, clear of the right end, where the unit stands.
function ticksOf(a, b) {
  const power = 10 ** Math.floor(Math.log10((b - a) / 4)), step = power * [1, 2, 5, 10].find(k => (b - a) / (k * power) <= 5.5), out = [];
  for (let t = Math.ceil(a / step - 1e-9) * step; t < b - 0.06 * (b - a); t += step) out.push(Math.abs(t) < 1e-9 * step ? 0 : t);
  return out;
}
// The components of one unit over time: signed, with the largest of each marked.
function panel(history, unit) {
  const W = 320, H = 130, left = 50, bottom = 18, top = 10, T0 = R.times[0], T1 = R.times[R.times.length - 1], n = history.n;
  const own = history.labels.map((_, c) => c).filter(c => history.units[c] === unit), count = R.times.length;
  let low = 0, high = 0;
  for (const c of own) for (let k = 0; k < count; k++) { const v = history.values[k * n + c]; if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); } }
  const size = Math.max(high - low, 1e-9 * D.scales.force, 1e-12);
  low -= 0.05 * size; high += 0.05 * size;
  const x = t => left + (W - left - 6) * (t - T0) / (T1 - T0), y = v => top + (H - top - bottom) * (high - v) / (high - low);
  let out = `<line x1="${left}" x2="${W - 6}" y1="${f1(y(0))}" y2="${f1(y(0))}" stroke="var(--faint)" stroke-width=".8"/>`;
  const written = [];
  for (const v of [0, low + 0.05 * size, high - 0.05 * size]) {
    if (written.some(other => Math.abs(y(v) - other) < 12)) continue;
    out += `<text x="${left - 5}" y="${f1(y(v) + 4)}" text-anchor="end">${number(Number(v.toPrecision(3)), size)}</text>`;
    written.push(y(v));
  }
  for (const t of ticksOf(T0, T1)) out += `<path d="M${f1(x(t))} ${H - bottom}v3" stroke="var(--faint)"/><text x="${f1(x(t))}" y="${H - 3}" text-anchor="middle">${number(Number(t.toPrecision(6)))}</text>`;
  out += `<text x="${W - 6}" y="${H - 3}" text-anchor="end">s</text><text x="4" y="9">${unit}</text>`;
  const keys = [];
  for (const c of own) {
    const colour = PENS[c % PENS.length], open = pieces(history, c, x, y, false), known = pieces(history, c, x, y, true);
    if (open) out += `<path d="${open}" fill="none" stroke="${colour}" stroke-width="5" opacity=".16"/><path d="${open}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-dasharray="4 3"/>`;
    if (known) out += `<path d="${known}" fill="none" stroke="${colour}" stroke-width="1.8"/>`;
    let most = -1;
    for (let k = 0; k < count; k++) if (Number.isFinite(history.values[k * n + c]) && (most < 0 || Math.abs(history.values[k * n + c]) > Math.abs(history.values[most * n + c]))) most = k;
    const peak = most < 0 ? NaN : history.values[most * n + c], carries = Math.abs(peak) > 1e-9 * size;
    const words = open && !D.asked ? "" : carries ? ` peak ${number(peak, size)} at\u00a0${seconds(R.times[most])}\u00a0s` : most < 0 ? "" : " 0 all the time";
    if (carries && words) out += `<circle class="peak" cx="${f1(x(R.times[most]))}" cy="${f1(y(peak))}" r="3" fill="${colour}"><title>${escaped(history.labels[c] + words)} </title></circle>`;
    keys.push(el("span", { class: open ? "dashed" : "", style: `--k:${colour}` }, el("i"), `${history.labels[c]}${open ? (known ? " (undetermined at times)" : " (undetermined)") : stiff(history, c) ? " (by stiffness)" : ""}${words}`));
  }
  out += `<line class="cursor" data-left="${left}" data-right="${W - 6}" y1="${top}" y2="${H - bottom}" stroke="var(--accent)" stroke-width="1.2" x1="${left}" x2="${left}"/>`;
  const drawing = el("div");
  drawing.innerHTML = `<svg viewBox="0 0 ${W} ${H}" role="img" aria-label="${unit === D.units.force.name ? "Forces" : "Moments"} over time">${out}</svg>`;
  return [drawing, el("div", { class: "key" }, ...keys)];
}
function plot(history) {
  const joint = D.joints[history.j], v = history.states.map(one => one.v).reduce(lessCertain), known = unit => history.units.some((one, c) => one === unit && R.times.some((_, k) => Number.isFinite(history.values[k * history.n + c])));
  const panels = [...new Set(history.units)].filter(known).flatMap(unit => panel(history, unit));
  return el("figure", { class: "plot", onclick: () => choose(history.j) }, el("figcaption", {}, joint.name, el("span", { class: "verdict", title: `${VERDICTS[v]} at its least certain instant` }, badge(v))), ...panels);
}
function histories() {
  const place = $("plots");
  if (!R || !place) return;
  const shown = R.histories.filter(history => history.labels.length), left = D.joints.length - shown.length;
  place.replaceChildren(...shown.map(plot));
  if (left) place.after(el("p", { class: "dim" }, `${left} of ${D.joints.length} joints, drives and couplings are left out here: they carry no load at any time, or there are too many to draw.`));
}
function cursors() {
  const part = (S.t - R.t[0]) / (R.t[R.t.length - 1] - R.t[0]);
  for (const line of document.querySelectorAll(".cursor")) {
    const x = Number(line.dataset.left) + part * (line.dataset.right - line.dataset.left);
    line.setAttribute("x1", x); line.setAttribute("x2", x);
  }
}
// A name in so many letters, without its middle: names of a model often differ at their ends.
const shortened = (name, most) => name.length <= most ? name : `${name.slice(0, Math.ceil((most - 1) / 2))}…${name.slice(name.length - Math.floor((most - 1) / 2))}`;
// Which joint is unique when: a row for each joint along the run, with the instants at which the rank drops and the events.
function verdictTimeline() {
  const place = $("verdict-times");
  if (!R || !place) return;
  const rows = R.histories.filter(history => history.labels.length).slice(0, 40), H = 17, right = 12, top = 8, W = Math.max(300, Math.min(1200, place.clientWidth - 32));
  const names = rows.map(history => D.joints[history.j].name), letters = Math.min(Math.max(...names.map(name => name.length)), Math.floor(0.05 * W)), left = 16 + 6.6 * letters;
  const T0 = R.times[0], T1 = R.times[R.times.length - 1], x = t => left + (W - left - right) * (t - T0) / (T1 - T0 || 1), bottom = top + rows.length * H;
  let out = `<defs><pattern id="partly-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--paper)"/><line x1="0" x2="0" y1="0" y2="6" stroke="var(--partly)" stroke-width="6.5"/></pattern><pattern id="not-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--paper)"/><line x1="0" x2="0" y1="0" y2="6" stroke="var(--not)" stroke-width="3.4"/></pattern></defs>`;
  const FILLS = ["var(--unique)", "url(#partly-hatch)", "url(#not-hatch)", "url(#not-hatch)", "var(--unique)", "url(#partly-hatch)"];
  const verdictAt = (history, k) => history.states[history.state[k]].v;
  rows.forEach((history, r) => {
    const y = top + r * H, joint = D.joints[history.j];
    out += `<text x="${left - 8}" y="${y + 12}" text-anchor="end">${escaped(shortened(joint.name, letters))}</text>`;
    for (let k = 0; k < R.times.length;) { // intervals of one verdict; it changes midway between two instants
      const verdict = verdictAt(history, k);
      let end = k;
      while (end + 1 < R.times.length && verdictAt(history, end + 1) === verdict) end++;
      const a = k ? (R.times[k - 1] + R.times[k]) / 2 : T0, b = end + 1 < R.times.length ? (R.times[end] + R.times[end + 1]) / 2 : T1;
      out += `<rect x="${f1(x(a))}" y="${y + 2}" width="${f1(Math.max(0.8, x(b) - x(a)))}" height="${H - 5}" rx="2" fill="${FILLS[verdict]}"><title>${escaped(joint.name)}: ${VERDICTS[verdict]} from ${seconds(a)} to ${seconds(b)} s</title></rect>`;
      k = end + 1;
    }
  });
  const most = Math.max(...R.ranks), marks = R.events.map(event => [event.t, event.words]);
  R.ranks.forEach((rank, k) => { if (rank < most) marks.push([R.times[k], `singular: the rank drops to ${rank}`]); });
  for (const [t, words] of marks) out += `<path class="singular" d="M${f1(x(t))} ${top - 5}V${bottom + 2}m-4-${bottom + 7 - top}h8l-4 6z" stroke="var(--stress)" fill="var(--stress)" stroke-width="1.3"><title>t = ${t} s: ${escaped(words)}</title></path>`;
  for (const t of ticksOf(T0, T1)) out += `<path d="M${f1(x(t))} ${bottom}v4" stroke="var(--faint)"/><text x="${f1(x(t))}" y="${bottom + 15}" text-anchor="middle">${number(Number(t.toPrecision(6)))}</text>`;
  out += `<text x="${W - right}" y="${bottom + 15}" text-anchor="end">s</text><line class="cursor" data-left="${left}" data-right="${W - right}" y1="${top - 4}" y2="${bottom + 3}" stroke="var(--accent)" stroke-width="1.4" x1="${left}" x2="${left}"/>`;
  place.innerHTML = `<svg viewBox="0 0 ${W} ${bottom + 22}" role="img" aria-label="Verdict of every joint over time">${out}</svg>`;
  const more = R.histories.filter(history => history.labels.length).length - rows.length;
  if (more > 0) place.append(el("p", { class: "dim" }, `${more} more ${more > 1 ? "joints are" : "joint is"} not shown.`));
}
