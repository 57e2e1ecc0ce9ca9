// Everything together: what is shown, the pointer, the keys.
let dragged = false;

function show(mode) {
  if (S.mode === mode) return;
  if (mode !== "run" && S.playing) play(false);
  S.mode = mode;
  inspect();
  numbersNow();
  shiftTables();
}
function frames() {
  if (S.mode === "run") return between(R.table, R.t.length, rowAt(R.t, S.t));
  if (S.mode === "motion") {
    const motion = D.motions[S.motion];
    motion.table ??= floats(motion.frames);
    return between(motion.table, motion.steps, (S.along + 1) / 2 * (motion.steps - 1));
  }
  return still;
}
function ghosts() {
  if (S.mode !== "motion") return "";
  const motion = D.motions[S.motion], width = motion.table.length / motion.steps;
  let out = "";
  for (let k = 0; k < motion.steps; k++) out += parts(motion.table.subarray(k * width, (k + 1) * width), ["body", "ghost"]);
  return `<g class="ghost">${out}</g>`;
}
function grid() {
  if (!planar) return "";
  const wanted = 70 / scale, power = 10 ** Math.floor(Math.log10(wanted)), step = power * [1, 2, 5, 10].find(k => k * power >= wanted);
  const x0 = centre[0] - (box.width / 2 + S.pan[0]) / scale, y0 = centre[1] - (box.height / 2 - S.pan[1]) / scale;
  let out = "";
  for (let x = Math.ceil(x0 / step) * step; x < x0 + box.width / scale; x += step) out += `M${f1(screen([x, 0, 0])[0])} 0V${f1(box.height)}`;
  for (let y = Math.ceil(y0 / step) * step; y < y0 + box.height / scale; y += step) out += `M0 ${f1(screen([0, y, 0])[1])}H${f1(box.width)}`;
  return `<path class="grid" d="${out}"/>`;
}
function trails() {
  if (S.mode !== "run" || D.bodies.length > 12) return "";
  const width = R.table.length / R.t.length;
  return D.parts.filter(part => part.role === "mass").map(part => {
    const points = [];
    for (let k = 0; k < R.t.length; k += 2) points.push(screen(world(R.table.subarray(k * width, (k + 1) * width), part.p[0])));
    return `<path class="trail" d="${path(points)}"/>`;
  }).join("");
}
function gravity() {
  if (!D.gravity) return "";
  const g = D.gravity, d = [dot(V[0], g), -dot(V[1], g)], x = 30, y = box.height - 62;
  return `<g><path class="gravity" d="M${x} ${y}l${f1(26 * d[0])} ${f1(26 * d[1])}"/><g class="gravity" stroke="none">${head(x + 34 * d[0], y + 34 * d[1], d[0], d[1], 9)}</g><text x="${x + 9}" y="${y + 14}" font-style="italic">g</text></g>`;
}
// The axes of the world, as the view shows them.
function triad() {
  if (planar) return "";
  const x = 64, y = box.height - 40, names = ["x", "y", "z"];
  const arms = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis, k) => [dot(V[0], axis), -dot(V[1], axis), dot(V[2], axis), names[k]]);
  return `<g class="triad" aria-label="World axes">` + arms.sort((a, b) => a[2] - b[2]).map(([dx, dy, , name]) =>
    `<path d="M${x} ${y}l${f1(24 * dx)} ${f1(24 * dy)}"/><text x="${f1(x + 33 * dx)}" y="${f1(y + 33 * dy + 4)}" text-anchor="middle">${name}</text>`).join("") + `</g>`;
}
// What arrows mean, at a round force; lengths go with the square root, so that small ones stay in sight.
function forceScale() {
  if (S.mode === "motion" || !D.scales.force || !($("show-reactions").checked || $("show-loads").checked)) return "";
  const power = 10 ** Math.floor(Math.log10(D.scales.force)), round = power * [5, 2, 1].find(k => k * power <= D.scales.force * (1 + 1e-9));
  const length = LONGEST * Math.sqrt(round / D.scales.force), y = box.height - 16, start = box.width - 34 - length, quarter = start + length / 2;
  const { name, per_si } = D.units.force, force = x => round >= 5e3 && name === "N" ? `${number(Number((x / 1e3).toPrecision(3)))} kN` : `${number(Number((x * per_si).toPrecision(3)))} ${name}`;
  const label = (x, text, anchor = "middle") => `<text x="${f1(x)}" y="${y - 7}" text-anchor="${anchor}">${text}</text>`;
  return `<g class="scale"><title>The length of an arrow grows with the square root of its force, so that small ones stay visible.</title>` +
    `<path d="M${f1(start)} ${y}h${f1(length)}m0-4v8M${f1(start)} ${y - 4}v8M${f1(quarter)} ${y - 3}v6"/>` +
    label(start, "0") + label(quarter, force(round / 4)) + label(start + length, force(round)) + `</g>`;
}
function caption() {
  const place = $("caption"), moved = S.amounts.some(Boolean);
  if (moved && !D.loads_known && S.mode !== "motion") place.replaceChildren(el("b", {}, "A self-stress alone: "), "it changes no motion; the loads are not known.");
  else if (S.mode === "run" && moved && inTime()) place.replaceChildren(el("b", {}, "A possible load distribution: "), `t = ${seconds(S.t)} s; the same motion, the same loads; one of infinitely many.`);
  else if (S.mode === "run") place.textContent = `t = ${seconds(S.t)} s`;
  else if (S.mode === "motion") place.textContent = `Admissible motion ${S.motion + 1}: ${D.motions[S.motion].real ? "every position closes all joints" : "infinitesimal only"}`;
  else if (moved) place.replaceChildren(el("b", {}, "A possible load distribution: "), "the same motion, the same loads; one of infinitely many.");
  else place.textContent = D.t ? `t = ${D.t} s` : "As the model starts";
}
let following = false;
function draw() {
  const F = frames();
  V = axes();
  if (S.mode === "motion") D.motions[S.motion].table ??= floats(D.motions[S.motion].frames);
  if (S.mode === "run" && following) centre = middle(F); else if (S.mode !== "run" || !following) centre = home;
  V = axes();
  skins(F);
  svg.innerHTML = grid() + trails() + ghosts() + parts(F, LAYERS) + flow(F) + loadArrows(F) + reactionArrows(F) + badges(F) + gravity() + triad() + forceScale();
  caption();
  afterDrawing.forEach(follow => follow(F));
}
const afterDrawing = []; // what else follows the drawing
let home = [0, 0, 0];
function start() {
  if (R) {
    const width = R.table.length / R.t.length, size = Math.max(...[0, 1, 2].map(k => extent(still).high[k] - extent(still).low[k]));
    const path = [0, R.t.length >> 1, R.t.length - 1].map(k => middle(R.table.subarray(k * width, (k + 1) * width)));
    following = Math.hypot(...[0, 1, 2].map(k => path[2][k] - path[0][k])) > 0.8 * size || Math.hypot(...[0, 1, 2].map(k => path[1][k] - path[0][k])) > 0.8 * size;
  }
  home = middle(still, posesOnly());
  fit();
  draw();
}

function turn(dx, dy) {
  if (planar) { S.pan[0] += dx; S.pan[1] += dy; } else { S.yaw -= 0.008 * dx; S.pitch = Math.max(-1.55, Math.min(1.55, S.pitch + 0.008 * dy)); }
  draw();
}
function zoom(factor, at = [box.width / 2, box.height / 2]) {
  const before = S.zoom;
  S.zoom = Math.max(0.2, Math.min(30, S.zoom * factor));
  const k = S.zoom / before;
  S.pan = [0, 1].map(i => { const c = [box.width, box.height][i] / 2; return at[i] - c - k * (at[i] - c - S.pan[i]); });
  scale *= k;
  draw();
}
function reset() { Object.assign(S, { yaw: D.view.yaw, pitch: D.view.pitch, zoom: 1, pan: [0, 0] }); start(); }

const canvas = $("canvas"), fingers = new Map();
canvas.addEventListener("pointerdown", event => { fingers.set(event.pointerId, [event.clientX, event.clientY]); dragged = false; });
window.addEventListener("pointermove", event => {
  const old = fingers.get(event.pointerId);
  if (!old) return;
  const now = [event.clientX, event.clientY], d = [now[0] - old[0], now[1] - old[1]];
  if (Math.hypot(...d) > 2) dragged = true;
  if (!dragged) return;
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    zoom(Math.hypot(now[0] - other[0], now[1] - other[1]) / (Math.hypot(old[0] - other[0], old[1] - other[1]) || 1));
  } else if (event.shiftKey) { S.pan[0] += d[0]; S.pan[1] += d[1]; draw(); } else turn(...d);
  fingers.set(event.pointerId, now);
});
for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, event => fingers.delete(event.pointerId));
canvas.addEventListener("wheel", event => {
  if (!event.ctrlKey && document.activeElement !== canvas) return; // the page scrolls past a drawing nobody has touched
  event.preventDefault();
  const bounds = svg.getBoundingClientRect();
  zoom(Math.exp(-0.0015 * event.deltaY), [event.clientX - bounds.left, event.clientY - bounds.top]);
}, { passive: false });
const KEYS = {
  ArrowLeft: () => turn(-30, 0), ArrowRight: () => turn(30, 0), ArrowUp: () => turn(0, -30), ArrowDown: () => turn(0, 30),
  "+": () => zoom(1.2), "=": () => zoom(1.2), "-": () => zoom(1 / 1.2), 0: reset,
};
canvas.addEventListener("keydown", event => { if (KEYS[event.key]) { event.preventDefault(); KEYS[event.key](); } });
$("nearer").addEventListener("click", () => zoom(1.25));
$("farther").addEventListener("click", () => zoom(0.8));
$("reset").addEventListener("click", reset);
for (const id of ["show-labels", "show-reactions", "show-loads", "show-flow"]) $(id).addEventListener("change", draw);
new ResizeObserver(() => { fit(); draw(); }).observe(canvas);

// A link may say what it shows: report.html#joint=B&stress1=120&t=6.5
function linked() {
  const wanted = new URLSearchParams(location.hash.slice(1)), j = D.joints.findIndex(joint => joint.name === wanted.get("joint"));
  if (R && wanted.has("t")) setTime(Math.max(R.t[0], Math.min(R.t[R.t.length - 1], Number(wanted.get("t")) || 0)));
  D.stresses.forEach((_, k) => {
    const slider = $(`stress-${k}`), amount = wanted.get(`stress${k + 1}`);
    if (amount !== null) { slider.value = amount; setStress(k, Number(slider.value)); }
  });
  if (j >= 0) choose(j);
  fit();
  draw();
}

// What follows from the data: its sliders, charts and tables; called again when the data are replaced.
function furnish() {
  sliders();
  timeline();
  rankChart();
  histories();
  verdictTimeline();
  liftedNow();
}
// Other data in place of those that are shown, as a page that follows a file has them; the view stays as it is.
function take(data) {
  const before = S.mode;
  D = data; still = floats(D.frames); planar = D.space === "planar"; outline = outlineOf(D); coats = coatsOf(D); R = unpackedRun(D.run);
  S.amounts = D.stresses.map(() => 0);
  S.motion = Math.min(S.motion, Math.max(0, D.motions.length - 1));
  S.playing = false;
  if ((before === "run" && !R) || (before === "motion" && !D.motions.length)) S.mode = "state";
}

listen();
furnish();
addEventListener("resize", rankChart);
start();
linked();
window.addEventListener("hashchange", linked);
