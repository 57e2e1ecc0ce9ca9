// Forces and moments as arrows; lengths are to one scale, so that loads and reactions can be compared.
const LONGEST = 104; // pixels

function head(x, y, dx, dy, size = 10) {
  const l = Math.hypot(dx, dy) || 1, u = [dx / l, dy / l], n = [-u[1], u[0]];
  const b = [x - size * u[0], y - size * u[1]];
  return `<path class="head" d="M${f1(x)} ${f1(y)}L${f1(b[0] + 0.42 * size * n[0])} ${f1(b[1] + 0.42 * size * n[1])}L${f1(b[0] - 0.42 * size * n[0])} ${f1(b[1] - 0.42 * size * n[1])}Z"/>`;
}
function arrow(from, vector, moment, kind, clear = 0) {
  const top = moment ? D.scales.moment : D.scales.force, size = Math.hypot(...vector);
  if (!top || size < 4e-3 * top) return "";
  const length = LONGEST * Math.min(1.6, Math.sqrt(size / top)) / size; // the root keeps small ones in sight
  const d = [length * dot(V[0], vector), -length * dot(V[1], vector)], flat = Math.hypot(...d);
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
  if (S.mode === "run") return runWrench(j);
  const out = D.joints[j].wrench.map(x => x ?? NaN);
  D.stresses.forEach((stress, k) => {
    const d = stress.wrenches[j];
    if (d && S.amounts[k]) for (let i = 0; i < 6; i++) out[i] += S.amounts[k] * d[i];
  });
  return out;
}
const shifted = j => S.mode === "state" && D.stresses.some((stress, k) => S.amounts[k] && stress.wrenches[j]);

function reactionArrows(F) {
  if (S.mode === "motion" || !$("show-reactions").checked) return "";
  return D.badges.map(badge => {
    const joint = D.joints[badge.j], w = wrench(badge.j);
    if (!w || !w.every(Number.isFinite)) return "";
    const kind = shifted(badge.j) ? "shifted" : joint.v === 0 ? "known" : "possible", from = screen(world(F, [joint.frame, 0, 0, 0]));
    const clear = Math.max(5.5, 0.62 * D.size * scale) + 1;
    return arrow(from, w.slice(0, 3), false, kind, clear) + arrow(from, w.slice(3), true, kind, clear);
  }).join("");
}
function loadArrows(F) {
  if (S.mode !== "state" || !$("show-loads").checked) return "";
  return D.loads.map(load => arrow(screen(world(F, [load.f, 0, 0, 0])), load.v, load.m, "load")).join("");
}
