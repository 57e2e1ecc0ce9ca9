// The motion in time: play, pause, and the reactions that go with it.
function unpackedRun(run) {
  if (!run) return null;
  run.table = floats(run.frames);
  run.wrench = floats(run.wrenches);
  run.size = run.wrench.length / run.times.length / 6;
  for (const history of run.histories) Object.assign(history, { values: floats(history.values), unique: bytes(history.unique), stiff: bytes(history.stiff), n: history.labels.length });
  run.place = new Map(run.histories.map((history, i) => [history.j, i]));
  return run;
}
let R = unpackedRun(D.run);
// What one unit of self-stress k changes in joint j: of the state, or of the run at its time; none where it does not go on.
// Ends of components (contacts that only push, capacities) are those of the state: with them the sliders belong to it.
const bounded = () => D.joints.some(joint => joint.components.some(component => (component.low ?? component.high ?? null) !== null));
const inTime = () => S.mode === "run" && R.stresses.length > 0 && !bounded();
function stressWrench(k, j) {
  if (!inTime()) return D.stresses[k].wrenches[j];
  return fromTable(k, j, "wrenches", 6);
}
function stressComponent(k, j, name, i) {
  if (!inTime()) return D.stresses[k].components[j]?.[i] ?? 0;
  const at = R.labels.indexOf(name), found = fromTable(k, j, "components", R.labels.length);
  return found ? found[Math.max(0, at)] : 0;
}
function fromTable(k, j, key, width) {
  const stress = R.stresses[k], i = stress.joints.indexOf(j);
  if (i < 0) return undefined;
  const table = stress[`${key}Table`] ??= floats(stress[key]), row = stress.joints.length * width;
  const at = rowAt(R.times, S.t), m = Math.min(R.times.length - 2, Math.floor(at)), part = at - m, out = [];
  for (let c = 0; c < width; c++) out.push((1 - part) * table[m * row + i * width + c] + part * table[(m + 1) * row + i * width + c]);
  return out;
}
function runWrench(j, t = S.t) {
  const i = R.place.get(j);
  if (i === undefined) return null;
  const at = rowAt(R.times, t), k = Math.min(R.times.length - 2, Math.floor(at)), part = at - k, out = [];
  for (let c = 0; c < 6; c++) {
    const a = R.wrench[(k * R.size + i) * 6 + c], b = R.wrench[((k + 1) * R.size + i) * 6 + c];
    out.push((1 - part) * a + part * b);
  }
  return out;
}
// A given force or torque at a time of the run.
function loadAt(load, t) {
  load.table ??= floats(load.v);
  const at = rowAt(R.times, t), k = Math.min(R.times.length - 2, Math.floor(at)), part = at - k;
  return [0, 1, 2].map(c => (1 - part) * load.table[3 * k + c] + part * load.table[3 * (k + 1) + c]);
}
let told = 0;
function setTime(t) {
  S.t = t;
  show("run");
  $("time").value = t;
  $("clock").textContent = `${seconds(t)} s`;
  cursors();
  if (!S.playing || performance.now() - told > 120) { inspect(); numbersNow(); shiftTables(); told = performance.now(); }
  draw();
}
let last = 0;
function tick(now) {
  if (!S.playing) return;
  const span = R.t[R.t.length - 1] - R.t[0], speed = Math.max(span / 12, Math.min(1, span / 2));
  let t = S.t + speed * Math.min(0.1, (now - last) / 1000);
  last = now;
  if (t >= R.t[R.t.length - 1]) t = R.t[0];
  setTime(t);
  requestAnimationFrame(tick);
}
function play(on) {
  S.playing = on;
  const button = $("play");
  button.textContent = on ? "❚❚" : "▶";
  button.setAttribute("aria-label", on ? "Pause" : "Play");
  button.setAttribute("aria-pressed", String(on));
  if (on) { last = performance.now(); requestAnimationFrame(tick); }
}
function timeline() {
  if (!R) return;
  const slider = $("time");
  S.t = R.t[0];
  $("clock").textContent = `${seconds(S.t)} s`;
  slider.addEventListener("input", () => { play(false); setTime(Number(slider.value)); });
  $("play").addEventListener("click", () => play(!S.playing));
  const span = R.t[R.t.length - 1] - R.t[0] || 1, ticks = $("ticks");
  for (const event of R.events) ticks.append(el("i", { style: `left:${100 * (event.t - R.t[0]) / span}%`, title: `t = ${event.t} s: ${event.words}` }));
  const most = Math.max(...R.ranks);
  R.ranks.forEach((rank, k) => {
    if (rank < most) ticks.append(el("i", { class: "passage", style: `left:${100 * (R.times[k] - R.t[0]) / span}%`, title: `t = ${seconds(R.times[k])} s: the rank drops to ${rank}` }));
  });
}
