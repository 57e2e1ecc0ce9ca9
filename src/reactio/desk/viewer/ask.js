// Questions: each runs its command on the model as it is here, saved or not, and can be stopped.
let asking = 0;
function questionList() {
  $("questions").replaceChildren(...SETTINGS.questions.map(question => el("li", {}, el("button", { type: "button", id: `ask-${question.name}`, title: question.hint, onclick: () => askQuestion(question) }, question.title))));
  $("simulate").addEventListener("click", simulate);
}
const until = () => Number($("until").value);
function commandOf(question) {
  const words = question.words.map(word => word === "SOURCE" ? A.file : word);
  return ["reactio", ...words, ...(question.timed ? ["--until", until()] : [])].map(word => /[^\w./=-]/.test(word) ? `'${word}'` : word).join(" ");
}
const pythonOf = question => `import reactio as ro\nmodel = ro.load("${A.file}")\n${question.python.replace("{until}", until())}`;
function copier(words, text) {
  return el("button", { type: "button", class: "plain", onclick: async event => {
    const button = event.target;
    try { await navigator.clipboard.writeText(text()); button.textContent = "copied"; } catch { toast(text()); }
    setTimeout(() => { button.textContent = words; }, 1500);
  } }, words);
}
// A reply that is waited for, with a button that stops it.
async function waitFor(title, key, body, shown, extra = []) {
  const stop = el("button", { type: "button", class: "plain", onclick: () => request("/cancel", { key }) }, "stop"), place = el("div", { class: "reply" }, el("h3", {}, title), el("p", { class: "dim row" }, "Working … ", stop));
  $("asked").replaceChildren(place);
  const reply = await request("/ask", { ...body, key, columns: Math.max(48, Math.min(160, Math.floor(($("asked").clientWidth - 28) / 7.2))) });
  if (!place.isConnected) return;
  const parts = !reply ? [] : reply.cancelled ? [el("p", { class: "dim" }, "Stopped.")] : reply.code === 0 || reply.output.trim() ? shown(reply) : [];
  if (reply?.errors) parts.push(el("p", { class: "said" }, reply.errors.replace(/^error: /, "")));
  place.replaceChildren(el("h3", {}, title), ...parts, ...extra);
}
function askQuestion(question) {
  const copies = [el("p", { class: "row" }, copier("copy as command", () => commandOf(question)), copier("copy as Python", () => pythonOf(question)), ...(A.edited ? [el("span", { class: "dim" }, "save first: these read the file")] : []))];
  waitFor(question.title, `question ${++asking}`, { question: question.name, until: until() }, reply => question.json ? proposals(reply) : [linkedText(reply.output)], copies);
}
// The answer of a command, in which names of joints lead to the drawing.
function linkedText(text) {
  const names = D.joints.map(joint => joint.name).filter(name => /^[\w-]+$/.test(name)).sort((a, b) => b.length - a.length).slice(0, 300), out = el("pre", { tabindex: "0" });
  if (!names.length) { out.textContent = text; return out; }
  let last = 0;
  for (const match of text.matchAll(new RegExp(`(?<![\\w-])(?:${names.join("|")})(?![\\w-])`, "g"))) {
    out.append(text.slice(last, match.index), el("button", { type: "button", class: "link", onclick: () => choose(D.joints.findIndex(joint => joint.name === match[0])) }, match[0]));
    last = match.index + match[0].length;
  }
  out.append(text.slice(last));
  return out;
}
// Releases that `advise` proposes; one click applies a proposal.
function proposals(reply) {
  let found;
  try { found = JSON.parse(reply.output); } catch { return [linkedText(reply.output)]; }
  if (!found.proposals?.length) return [el("p", { class: "dim" }, found.redundancy ? (found.notes ?? []).join(" ") || "No release was found." : "Nothing is redundant: every reaction is unique already.")];
  const partly = found.partial ? [el("p", { class: "dim" }, `No set of releases removes all ${found.redundancy} redundant equations. These are partial; each lists how many remain.`)] : [];
  return [...partly, el("ul", { class: "proposals" }, ...found.proposals.slice(0, 12).map(proposal => el("li", {}, el("span", {}, proposal.releases.map(release => `${release.joint}: ${release.before} → ${release.after}${release.lets_go?.length ? ` (releases ${release.lets_go.join(" ")})` : ""}`).join("; ") + (found.partial ? `: ${found.redundancy} → ${proposal.redundancy}` : "")),
    el("button", { type: "button", class: "plain apply", onclick: () => applyAll(proposal.releases) }, "apply"))))];
}
async function applyAll(releases) {
  for (const release of releases) {
    const turned = release.turned ?? [0, 0];
    if (!await edit({ do: "release", joint: release.joint, type: release.after, turned: [...turned] })) return;
  }
}
function simulate() {
  waitFor("Motion", `run ${++asking}`, { question: "simulate", until: until() }, reply => {
    const run = JSON.parse(reply.output);
    showData({ ...A, ...run, complete: true }, A);
    for (const update of updates) update({ ...A, ...run }, A);
    play(true);
    return [el("p", { class: "dim" }, `${D.run.t.length} poses until t = ${number(until())} s; play them below the drawing, see reactions and verdicts in time further down.`), el("p", { class: "row" }, copier("copy as command", () => `reactio simulate ${A.file} --until ${until()}`), copier("copy as Python", () => `import reactio as ro\nrun = ro.simulate(ro.load("${A.file}"), until=${until()})`))];
  });
}
questionList();
