// Forces and moments as arrows; lengths are to one scale, so that loads and reactions can be compared.
const LONGEST = 104; // pixels

function head(x, y, dx, dy, size = 10) {
  const l = Math.hypot(dx, dy) || 1, u = [dx / l, dy / l], n = [-u[1], u[0]];
  const b = [x - size * u[0], y - size * u[1]];
  return `<path class="head" d="M${f1(x)} ${f1(y)}L${f1(b[0] + 0.42 * size * n[0])} ${f1(b[1] + 0.42 * size * n[1])}L${f1(b[0] - 0.42 * size * n[0])} ${f1(b[1] - 0.42 * size * n[1])}Z"/>`;
}
// How far an arrow goes on the screen.
function drawn(vector, moment) {
  const top = moment ? D.scales.moment : D.scales.force, size = Math.hypot(...vector);
  if (!top || !(size >= 4e-3 * top)) return [0, 0];
  const length = LONGEST * Math.min(1.6, Math.sqrt(size / top)) / size; // the root keeps small ones in sight
  return [length * dot(V[0], vector), -length * dot(V[1], vector)];
}
// Where arrows end on the screen: of the state, and along a run of the instants that the view must hold.
function arrowEnds() {
  const out = [], clear = Math.max(5.5, 0.62 * D.size * scale) + 1;
  const ends = (F, frame, wrench) => {
    const from = screen(world(F, [frame, 0, 0, 0]));
    for (const moment of [false, true]) {
      const d = drawn(wrench.slice(moment ? 3 : 0, moment ? 6 : 3), moment), flat = Math.hypot(...d);
      if (flat > 0) out.push([from[0] + d[0] * (1 + clear / flat), from[1] + d[1] * (1 + clear / flat)]);
    }
  };
  for (const badge of D.badges) {
    const joint = D.joints[badge.j], w = joint.wrench.map(x => x ?? NaN);
    if (w.every(Number.isFinite)) ends(still, joint.frame, w);
    const now = S.mode !== "motion" && shifted(badge.j) ? wrench(badge.j) : null;
    if (now && now.every(Number.isFinite)) ends(frames(), joint.frame, now);
  }
  for (const load of D.loads) ends(still, load.f, load.m ? [0, 0, 0, ...load.v] : [...load.v, 0, 0, 0]);
  if (R && !following) for (const [t, F] of poses()) {
    for (const badge of D.badges) {
      const w = runWrench(badge.j, t);
      if (w && w.every(Number.isFinite)) ends(F, D.joints[badge.j].frame, w);
    }
    for (const load of R.loads) {
      const v = loadAt(load, t);
      ends(F, load.f, load.m ? [0, 0, 0, ...v] : [...v, 0, 0, 0]);
    }
  }
  return out;
}
function arrow(from, vector, moment, kind, clear = 0) {
  const top = moment ? D.scales.moment : D.scales.force, size = Math.hypot(...vector);
  if (!top || size < 4e-3 * top) return "";
  const d = drawn(vector, moment), flat = Math.hypot(...d);
  const [x, y] = flat < 5 ? from : [from[0] + clear * d[0] / flat, from[1] + clear * d[1] / flat];
  if (moment && flat < 8) return `<g class="${kind}">${turning(from[0], from[1], Math.sign(dot(V[2], vector)), clear + 7 + 9 * Math.min(1.6, Math.sqrt(size / top)))}</g>`;
  if (flat < 5) return "";
  const end = [x + d[0], y + d[1]], shaft = [end[0] - 8 * d[0] / flat, end[1] - 8 * d[1] / flat];
  const second = moment ? head(end[0] - 8 * d[0] / flat, end[1] - 8 * d[1] / flat, d[0], d[1]) : "";
  return `<g class="${kind}"><path class="arrow" d="M${f1(x)} ${f1(y)}L${f1(shaft[0])} ${f1(shaft[1])}"/>${head(end[0], end[1], d[0], d[1])}${second}</g>`;
}
function turning(x, y, sign, r) {
  const start = sign > 0 ? 0.6 : 2.54, sweep = sign > 0 ? -4.4 : 4.4, stop = start + sweep;
  const at = a => [x + r * Math.cos(a), y + r * Math.sin(a)], [a, b] = [at(start), at(stop - 0.35 * Math.sign(sweep))], tip = at(stop);
  const along = [-Math.sin(stop) * Math.sign(sweep), Math.cos(stop) * Math.sign(sweep)];
  return `<path class="arrow" d="M${f1(a[0])} ${f1(a[1])}A${f1(r)} ${f1(r)} 0 1 ${sweep > 0 ? 1 : 0} ${f1(b[0])} ${f1(b[1])}"/>${head(tip[0], tip[1], along[0], along[1], 9)}`;
}

// The wrench of a joint as it is shown: of the run at its time, or of the state with the self-stresses added.
function wrench(j) {
  const out = S.mode === "run" ? runWrench(j) : D.joints[j].wrench.map(x => x ?? NaN);
  if (out && (S.mode !== "run" || inTime())) D.stresses.forEach((stress, k) => {
    const d = S.amounts[k] && stressWrench(k, j);
    if (d) for (let i = 0; i < 6; i++) out[i] += S.amounts[k] * d[i];
  });
  return out;
}
const shifted = j => (S.mode === "state" || inTime()) && D.stresses.some((stress, k) => S.amounts[k] && stress.wrenches[j]);

function reactionArrows(F) {
  if (S.mode === "motion" || !$("show-reactions").checked) return "";
  return D.badges.map(badge => {
    const joint = D.joints[badge.j], { v } = jointNow(badge.j), w = wrench(badge.j);
    if (!w || !w.every(Number.isFinite)) return "";
    const kind = shifted(badge.j) ? "shifted" : v === 0 ? "known" : v === 4 ? "decided" : "possible", from = screen(world(F, [joint.frame, 0, 0, 0]));
    const clear = Math.max(5.5, 0.62 * D.size * scale) + 1;
    return arrow(from, w.slice(0, 3), false, kind, clear) + arrow(from, w.slice(3), true, kind, clear);
  }).join("");
}
function loadArrows(F) {
  if (S.mode === "motion" || !$("show-loads").checked) return "";
  const found = S.mode === "run" ? R.loads.map(load => ({ ...load, v: loadAt(load, S.t) })) : D.loads;
  return found.map(load => arrow(screen(world(F, [load.f, 0, 0, 0])), load.v, load.m, "load")).join("");
}
