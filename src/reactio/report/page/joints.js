// The inspector: one joint, its reaction, its partners, and why.
function choose(j, scroll = false) {
  S.chosen = j;
  document.querySelectorAll("tr[data-joint]").forEach(row => row.classList.toggle("chosen", Number(row.dataset.joint) === j));
  inspect();
  draw();
  if (scroll) $("inspector").scrollIntoView({ block: "nearest" });
}
const badge = v => el("span", { class: `badge v${v}`, "aria-hidden": "true" });

function values(j) {
  const joint = D.joints[j];
  return joint.components.map((component, i) => {
    let value = component.value;
    D.stresses.forEach((stress, k) => { if (stress.components[j]) value += S.amounts[k] * stress.components[j][i]; });
    return value;
  });
}
function inspect() {
  if (S.chosen < 0) return;
  const joint = D.joints[S.chosen], title = $("inspector-title"), body = $("inspector-body"), shown = values(S.chosen);
  title.replaceChildren(joint.name, el("span", { class: "dim" }, `${joint.type} · ${joint.bodies.join(" – ")}`));
  const rows = joint.components.map((component, i) => el("tr", { class: component.unique === true ? "" : "open" },
    el("td", {}, component.name),
    el("td", {}, (component.unique === true ? "" : "≈ ") + number(shown[i], D.scales.force) + " " + component.unit),
    el("td", {}, component.unique === true ? "unique" : component.unique === null ? "cannot be decided" : "one of infinitely many")));
  const partners = joint.shares.map(k => el("button", { type: "button", class: "chip", onclick: () => choose(k) }, D.joints[k].name));
  body.replaceChildren(
    el("p", {}, el("span", { class: `verdict v${joint.v}` }, badge(joint.v), VERDICTS[joint.v]), ` · ${joint.determined} of ${joint.rank} components are determined`),
    el("table", { class: "numbers" }, el("tbody", {}, ...rows)),
    ...(partners.length ? [el("p", {}, "Shares load with"), el("div", { class: "chips" }, ...partners)] : []),
    ...(joint.why.length > 1 ? [el("p", {}, el("b", {}, "Why")), el("ul", {}, ...joint.why.slice(1).map(text => el("li", {}, text)))] : []),
    ...(joint.remedies.length ? [el("details", {}, el("summary", {}, "What would settle it"), el("ul", {}, ...joint.remedies.map(text => el("li", {}, text))))] : []));
}
function listen() {
  document.querySelectorAll("tr[data-joint]").forEach(row => row.addEventListener("click", () => choose(Number(row.dataset.joint))));
  svg.addEventListener("click", event => {
    const hit = event.target.closest("[data-joint]");
    if (hit && !dragged) choose(Number(hit.dataset.joint), true);
  });
}
