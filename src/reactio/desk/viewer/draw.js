// Drawing of planar linkages: points, bars, hinges, supports and forces by the mouse; the file is written as they are drawn.
const paper = $("sheet"), NEAR = 13; // pixels within which a point is meant
let drawing = false, pen = "move", held = null, rubber = null, offeredDrawing = false;

const sketch = () => A?.sketch ?? { points: {}, bars: {} };
function place(event) { const bounds = paper.getBoundingClientRect(); return [event.clientX - bounds.left, event.clientY - bounds.top]; }
const metres = p => [centre[0] + (p[0] - box.width / 2 - aside[0] - S.pan[0]) / scale, centre[1] - (p[1] - box.height / 2 - aside[1] - S.pan[1]) / scale];
const onScreen = p => screen([p[0], p[1], 0]);
// A round position near the pointer: a tenth of the grid.
function rounded(p) {
  const wanted = 70 / scale, power = 10 ** Math.floor(Math.log10(wanted)), step = power * [1, 2, 5, 10].find(k => k * power >= wanted) / 10;
  return metres(p).map(x => Number((Math.round(x / step) * step).toPrecision(6)));
}
function nearPoint(p) {
  let best = null, most = NEAR;
  for (const [name, at] of Object.entries(sketch().points)) {
    const q = onScreen(at), d = Math.hypot(q[0] - p[0], q[1] - p[1]);
    if (d < most) { most = d; best = name; }
  }
  return best;
}
const endAt = p => nearPoint(p) ?? rounded(p);
const pointOf = end => onScreen(typeof end === "string" ? sketch().points[end] : end);

function drawMode(on) {
  drawing = on;
  $("draw-mode").setAttribute("aria-pressed", String(on));
  $("pens").hidden = !on; paper.toggleAttribute("hidden", !on); // an SVG has no property of that name
  held = rubber = null;
  choosePen(on && !Object.keys(sketch().points).length ? "bar" : pen);
  drawSheet();
}
function choosePen(name) {
  pen = name; held = rubber = null;
  document.querySelectorAll("[data-pen]").forEach(button => button.setAttribute("aria-pressed", String(button.dataset.pen === name)));
  drawSheet();
}
function drawSheet() {
  if (!drawing) return;
  paper.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
  V = axes();
  const { points, bars } = sketch();
  let out = "";
  for (const [name, [a, b]] of Object.entries(bars)) {
    const p = onScreen(points[a]), q = onScreen(points[b]), size = Math.hypot(points[a][0] - points[b][0], points[a][1] - points[b][1]);
    out += `<line class="rod" data-bar="${escaped(name)}" x1="${f1(p[0])}" y1="${f1(p[1])}" x2="${f1(q[0])}" y2="${f1(q[1])}"/><line class="axis" x1="${f1(p[0])}" y1="${f1(p[1])}" x2="${f1(q[0])}" y2="${f1(q[1])}"/><text class="size" x="${f1((p[0] + q[0]) / 2 + 8)}" y="${f1((p[1] + q[1]) / 2 - 8)}">${number(Number(size.toPrecision(3)))} m</text>`;
  }
  for (const [name, at] of Object.entries(points)) { const p = onScreen(at); out += `<circle class="knot" data-point="${escaped(name)}" cx="${f1(p[0])}" cy="${f1(p[1])}" r="6"/>`; if (!D.joints.some(joint => joint.name === name)) out += `<text x="${f1(p[0] + 10)}" y="${f1(p[1] - 9)}">${escaped(name)}</text>`; }
  if (rubber) { const [p, q] = rubber; out += `<line class="rubber" x1="${f1(p[0])}" y1="${f1(p[1])}" x2="${f1(q[0])}" y2="${f1(q[1])}"/><circle class="knot near" cx="${f1(p[0])}" cy="${f1(p[1])}" r="5"/>`; }
  paper.innerHTML = out;
}
paper.addEventListener("pointerdown", event => {
  event.stopPropagation(); event.preventDefault();
  const p = place(event), name = nearPoint(p);
  if (pen === "move" && name) held = { point: name, gesture: `drag ${++gesture}` };
  else if (pen === "bar") { // the second click of a bar ends it; else a bar begins here
    if (held?.from && held.clicked) { finishBar(p); return; }
    held = { from: endAt(p), start: p };
  } else if (pen === "force" && name) held = { force: name, start: onScreen(sketch().points[name]) };
  else if (["ground", "slider", "clamp"].includes(pen)) { if (name) edit({ do: "support", point: name, kind: pen }); else toast("Click a point: the end of a bar."); }
  else if (pen === "erase") { const bar = event.target.closest?.("[data-bar]"); if (bar) edit({ do: "erase", body: bar.dataset.bar }); }
  try { paper.setPointerCapture(event.pointerId); } catch { /* a pointer that has gone */ }
});
paper.addEventListener("pointermove", event => {
  const p = place(event);
  if (held?.point) { const [x, y] = rounded(p); newest("drag", "/edit", { do: "point", point: held.point, x, y, gesture: held.gesture }); }
  if (held?.from) { rubber = [pointOf(held.from), nearPoint(p) ? onScreen(sketch().points[nearPoint(p)]) : p]; drawSheet(); }
  if (held?.force) { rubber = [held.start, p]; drawSheet(); }
});
paper.addEventListener("pointerup", event => {
  const p = place(event);
  if (held?.from && Math.hypot(p[0] - held.start[0], p[1] - held.start[1]) > 8) finishBar(p);
  else if (held?.from) held.clicked = true;
  else if (held?.force) {
    const d = [p[0] - held.start[0], held.start[1] - p[1]].map(x => Math.round(x)), point = held.force;
    held = rubber = null;
    if (Math.hypot(...d) > 8) edit({ do: "force", point, x: d[0], y: d[1] });
    drawSheet();
  } else if (held?.point) held = null;
});
async function finishBar(p) {
  const from = held.from, to = endAt(p);
  held = rubber = null;
  drawSheet();
  if (JSON.stringify(from) !== JSON.stringify(to)) await edit({ do: "bar", from, to });
}
document.querySelectorAll("[data-pen]").forEach(button => button.addEventListener("click", () => choosePen(button.dataset.pen)));
for (const name of ["pointerdown", "pointermove"]) $("pens").addEventListener(name, event => event.stopPropagation());
$("draw-mode").addEventListener("click", () => drawMode(!drawing));
afterDrawing.push(drawSheet);
updates.push(answer => {
  const possible = answer.data?.space === "planar";
  $("draw-mode").hidden = !possible;
  if (possible && !D.bodies.length && !offeredDrawing) { offeredDrawing = true; drawMode(true); }
  drawSheet();
});
