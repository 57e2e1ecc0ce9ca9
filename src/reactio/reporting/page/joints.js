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

// The components as they are shown: of the state with its self-stresses, or of the run at its time.
function componentsNow(j) {
  const i = S.mode === "run" ? R.place.get(j) : undefined;
  if (i === undefined) {
    const shown = values(j);
    return D.joints[j].components.map((component, c) => ({ ...component, value: shown[c] }));
  }
  const history = R.histories[i], at = rowAt(R.times, S.t), k = Math.min(R.times.length - 2, Math.floor(at)), part = at - k, n = history.n;
  const carried = history.labels.map((name, c) => ({
    name, unit: history.units[c],
    unique: Boolean(history.unique[k * n + c] && history.unique[(k + 1) * n + c]),
    value: (1 - part) * history.values[k * n + c] + part * history.values[(k + 1) * n + c] + (inTime() ? added(j, name, c) : 0),
  }));
  // A history leaves out what is nothing all the time; the list of components does not.
  const nothing = D.joints[j].components.filter(one => !history.labels.includes(one.name)).map(one => ({ name: one.name, unit: one.unit, unique: true, value: 0 }));
  return [...carried, ...nothing].sort((a, b) => R.labels.indexOf(a.name) - R.labels.indexOf(b.name));
}
// What the sliders add to a component of a joint.
const added = (j, name, i) => D.stresses.reduce((sum, _, k) => sum + (S.amounts[k] ? S.amounts[k] * stressComponent(k, j, name, i) : 0), 0);
const values = j => D.joints[j].components.map((component, i) => (component.value ?? NaN) + added(j, component.name, i));
function inspect() {
  if (S.chosen < 0) return;
  const joint = D.joints[S.chosen], title = $("inspector-title"), body = $("inspector-body"), settled = body.querySelector("details")?.open;
  title.replaceChildren(joint.name, el("span", { class: "dim" }, `${joint.type} · ${joint.bodies.join(" – ")}`));
  const rows = componentsNow(S.chosen).map(component => el("tr", { class: component.unique === true ? "" : "open" },
    el("td", {}, component.name),
    el("td", {}, (component.unique === true || !Number.isFinite(component.value) ? "" : "≈ ") + number(component.value, largest()) + " " + component.unit),
    el("td", {}, !Number.isFinite(component.value) ? "none here" : component.unique === true ? "unique" : component.unique === null ? "cannot be decided" : "one of infinitely many")));
  const partners = joint.shares.map(k => el("button", { type: "button", class: "chip", onclick: () => choose(k) }, D.joints[k].name));
  body.replaceChildren(
    el("p", {}, el("span", { class: `verdict v${joint.v}` }, badge(joint.v), VERDICTS[joint.v]), ` · ${joint.known} components are determined`, el("span", { class: "dim" }, ` · on ${joint.bodies[joint.bodies.length - 1]}, ${D.axes} axes${S.mode === "run" ? `, t = ${seconds(S.t)} s` : ""}`)),
    el("table", { class: "numbers" }, el("tbody", {}, ...rows)),
    ...(partners.length ? [el("p", {}, "Shares load with"), el("div", { class: "chips" }, ...partners)] : []),
    ...(joint.why.length > 1 ? [el("p", {}, el("b", {}, "Why")), el("ul", {}, ...joint.why.slice(1).map(text => el("li", {}, text)))] : []),
    ...(joint.remedies.length ? [el("details", settled ? { open: "" } : {}, el("summary", {}, "What would settle it"), el("ul", {}, ...joint.remedies.map(text => el("li", {}, text))))] : []));
}
// The table follows the time: of a run as its slider shows it, else of the state of the report.
function numbersNow() {
  document.querySelectorAll("tr[data-joint]").forEach(row => {
    const now = new Map(componentsNow(Number(row.dataset.joint)).map(component => [component.name, component]));
    row.querySelectorAll(".chip[data-c]").forEach(chip => {
      const component = now.get(chip.dataset.c);
      if (!component) return;
      const open = component.unique === true ? "" : component.unique === null ? "? " : "≈ ";
      chip.className = `chip ${component.unique === true ? "known" : component.unique === null ? "unsure" : "open"}`;
      chip.textContent = `${component.name} ${open}${number(component.value, largest())} ${component.unit}`;
    });
  });
  document.querySelectorAll("[data-sum]").forEach(sumNow);
  document.querySelectorAll(".when").forEach(when => { when.textContent = S.mode === "run" ? ` at t = ${seconds(S.t)} s` : ""; });
}
// A sum of components at the time of the run; in the state of the report it says what the page was written with.
function sumNow(place) {
  place.dataset.still ??= place.textContent;
  if (S.mode !== "run") { place.textContent = place.dataset.still; return; }
  const sum = R.sums[place.dataset.sum], at = rowAt(R.times, S.t), k = Math.min(R.times.length - 2, Math.floor(at)), part = at - k;
  sum.table ??= floats(sum.values); sum.known ??= bytes(sum.unique);
  const value = (1 - part) * sum.table[k] + part * sum.table[k + 1];
  place.textContent = `${number(value, largest())}\u00a0${sum.unit.replace(" ", "\u00a0")} (${sum.known[k] && sum.known[k + 1] ? "unique" : `not unique, by the rule ${D.rule}`})`;
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
