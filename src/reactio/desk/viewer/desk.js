// The desk: the page follows the answers of its server; every change is asked for, and none is made here.
const SETTINGS = JSON.parse($("settings").textContent);
const LATE = new Set(["stresses", "motions", "sums", "intervals", "sentences"]); // parts that a quick answer does not have
let A = null; // the newest answer
let runShown = -1; // the version whose motion is shown

function toast(words) {
  document.querySelectorAll(".toast").forEach(old => old.remove());
  const note = el("div", { class: "toast", role: "alert" }, words);
  document.body.append(note);
  setTimeout(() => note.remove(), Math.max(4000, 60 * words.length));
}
// A request to the server; what it refuses is said, and is null here.
async function request(path, body) {
  try {
    const options = { headers: { "X-Reactio-Token": SETTINGS.token } };
    if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body) });
    const reply = await fetch(path, options), data = await reply.json();
    if (reply.ok) return data;
    toast(data.refused);
  } catch {
    connection(false);
  }
  return null;
}
// Requests of which only the newest counts, as those of a slider: one is under way, and the newest one waits.
const waiting = new Map();
async function newest(key, path, body) {
  if (waiting.has(key)) { waiting.set(key, [path, body]); return; }
  for (let next = [path, body]; next;) {
    waiting.set(key, null);
    await request(...next);
    next = waiting.get(key);
  }
  waiting.delete(key);
}
const edit = fields => request("/edit", fields);

function connection(there) {
  document.body.classList.toggle("offline", !there);
  if (!there) $("state").textContent = "The desk has ended; start `reactio live` again.";
}
let fetching = false, serial = 0;
async function follow() {
  if (fetching) return;
  fetching = true;
  while (!A || A.serial !== serial) {
    const answer = await request("/answer");
    if (!answer) break;
    serial = Math.max(serial, answer.serial);
    receive(answer);
  }
  fetching = false;
}
function listenToServer() {
  const stream = new EventSource(`/events?token=${encodeURIComponent(SETTINGS.token)}`);
  stream.onmessage = event => { connection(true); serial = Number(event.data); follow(); };
  stream.onerror = () => connection(false);
}

// ---- an answer becomes the page
function receive(answer) {
  const before = A;
  A = answer;
  if (answer.data && !(runShown === answer.version && D.run)) showData(answer, before);
  trouble(answer);
  status(answer);
  for (const update of updates) update(answer, before);
}
const updates = []; // panels that follow the answers

function showData(answer, before) {
  const chosen = D.joints[S.chosen]?.name, lifted = D.bodies[S.lifted], sameSpace = before?.data && before.data.space === answer.data.space;
  take(answer.data);
  runShown = answer.data.run ? answer.version : -1;
  for (const place of document.querySelectorAll("[data-part]")) {
    const part = place.dataset.part, late = LATE.has(part) && answer.complete === false;
    place.inert = late;
    if (!late && place.innerHTML !== answer.html[part]) place.innerHTML = answer.html[part];
  }
  S.chosen = D.joints.findIndex(joint => joint.name === chosen);
  S.lifted = D.bodies.indexOf(lifted);
  if (answer.complete !== false || before === null) furnish(); else { rankChart(); liftedNow(); }
  if (S.mode === "run" && !R) S.mode = "state";
  if (!sameSpace) { S.zoom = 1; S.pan = [0, 0]; start(); } else if (!drawing && outOfSight()) reset();
  if (S.chosen >= 0) choose(S.chosen); else { nobodyChosen(); draw(); }
}
function nobodyChosen() {
  if ($("what-if").hidden) return;
  $("inspector-title").textContent = "Choose a joint";
  $("inspector-body").replaceChildren();
  $("what-if").hidden = true;
}
// Has the mechanism left the picture, or shrunk to a spot in it?
function outOfSight() {
  V = axes();
  const seen = outline.flatMap(places => places.map(place => screen(world(still, place))));
  if (!seen.length) return false;
  const [low, high] = [Math.min, Math.max].map(pick => [0, 1].map(k => seen.reduce((end, p) => pick(end, p[k]), seen[0][k])));
  const sides = [box.width, box.height], sizes = [0, 1].map(k => high[k] - low[k]);
  return [0, 1].some(k => low[k] < -0.25 * sides[k] || high[k] > 1.25 * sides[k]) || Math.max(sizes[0] / sides[0], sizes[1] / sides[1]) < 0.12;
}
// While the file is broken the last good picture stays, greyed, with the error on top.
function trouble(answer) {
  const place = $("trouble"), error = answer.error;
  document.body.classList.toggle("stale", Boolean(error));
  place.hidden = !error && !answer.notes.length;
  const notes = answer.notes.map(note => el("p", {}, note));
  if (!error) { place.replaceChildren(...notes); return; }
  const lines = error.around.map(([k, text]) => el("span", { class: k === error.line ? "at" : "dim" }, `${String(k).padStart(4)}  ${text}\n`));
  place.replaceChildren(...notes, el("p", {}, el("b", {}, error.line ? `${answer.file}, line ${error.line}: ` : ""), error.message), ...(lines.length ? [el("pre", { id: "trouble-lines" }, ...lines)] : []));
}
function status(answer) {
  $("file").textContent = answer.file;
  document.title = `${answer.edited ? "● " : ""}${answer.file} · Reactio desk`;
  $("state").textContent = answer.edited ? "unsaved changes" : answer.writable ? "follows the file" : "save to keep a copy";
  $("undo").disabled = !answer.undo; $("undo").title = answer.undo ? `Undo: ${answer.undo} (Ctrl+Z)` : "Undo (Ctrl+Z)";
  $("redo").disabled = !answer.redo; $("redo").title = answer.redo ? `Redo: ${answer.redo} (Ctrl+Y)` : "Redo (Ctrl+Y)";
  $("left-out").hidden = !answer.left_out; $("left-out").textContent = answer.left_out ?? "";
  const table = $("changes-body"), rows = (answer.changes ?? []).map(([name, a, b]) => el("tr", {}, el("td", {}, name), el("td", {}, el("del", {}, a), " → ", el("ins", {}, b))));
  $("changes").hidden = !answer.edited;
  table.replaceChildren(rows.length ? el("table", { class: "against" }, el("tbody", {}, ...rows)) : el("p", { class: "dim" }, "The same verdicts, other numbers."));
}
// ---- the pose: of a mechanism of one freedom around its cycle, or of a driven one in time
function poseSlider(answer) {
  const place = $("pose"), count = answer.poses?.count ?? 0, kind = answer.driven ? "time" : count > 1 ? "pose" : "";
  place.hidden = !kind || Boolean(D.run);
  if (place.dataset.kind !== `${kind}${count}`) {
    place.dataset.kind = `${kind}${count}`;
    const slider = el("input", { type: "range", id: "pose-slider", min: 0, max: kind === "time" ? Number($("until").value) || 1 : count - 1, step: kind === "time" ? "any" : 1, value: 0, "aria-label": kind === "time" ? "Time in seconds" : "Pose around the cycle" });
    slider.addEventListener("input", () => newest("pose", "/show", kind === "time" ? { t: Number(slider.value) } : { pose: Number(slider.value) }));
    place.replaceChildren(el("span", {}, kind === "time" ? "Time" : "Move it"), el("div", { id: "pose-track" }, slider), el("output", { id: "pose-words", for: "pose-slider" }));
    if (kind === "pose") margins(answer.poses.margins);
  }
  if (!kind) return;
  const shown = kind === "time" ? answer.t ?? 0 : answer.pose ?? 0, slider = $("pose-slider");
  if (document.activeElement !== slider) slider.value = shown;
  $("pose-words").textContent = kind === "time" ? `t = ${number(Number(shown.toPrecision(4)))} s` : answer.summary?.margin ? `σ ${number(Number(answer.summary.margin.toPrecision(2)))}` : "";
  $("pose-words").title = "The smallest singular value that counts: 0 is a singular pose";
}
// The smallest singular value around the cycle: where it comes down to zero, the pose is singular.
function margins(values) {
  const top = Math.max(...values.filter(Number.isFinite), 1e-12), x = k => 8 + 584 * k / Math.max(1, values.length - 1), y = v => 20 - 17 * (v ?? 0) / top;
  const lows = values.map((v, k) => k > 0 && k < values.length - 1 && v < 0.15 * top && v <= values[k - 1] && v <= values[k + 1] ? k : -1).filter(k => k >= 0);
  const chart = el("div");
  chart.innerHTML = `<svg viewBox="0 0 600 22" preserveAspectRatio="none" role="img" aria-label="Distance to singular poses around the cycle"><path d="${values.map((v, k) => `${k ? "L" : "M"}${f1(x(k))} ${f1(y(v))}`).join("")}" fill="none" stroke="var(--faint)" stroke-width="1.4" vector-effect="non-scaling-stroke"/>${lows.map(k => `<line x1="${f1(x(k))}" x2="${f1(x(k))}" y1="2" y2="21" stroke="var(--stress)" stroke-width="1.6" vector-effect="non-scaling-stroke"><title>near a singular pose</title></line>`).join("")}</svg>`;
  $("pose-track").append(chart);
}
updates.push(poseSlider);
