// What if: the chosen joint as another type, with a component released, locked, removed, doubled, or elastic.
const chosenName = () => D.joints[S.chosen]?.name;
let offered = { name: "", releases: [] }; // components that the chosen joint can release
function whatIf() {
  const place = $("what-if"), joint = D.joints[S.chosen], fields = A?.fields?.[joint?.name];
  place.hidden = !joint || !fields;
  if (place.hidden || place.contains(document.activeElement) && place.dataset.joint === joint.name && document.activeElement.tagName === "INPUT") return;
  place.dataset.joint = joint.name;
  const types = el("select", { id: "joint-type", onchange: event => edit({ do: "type", joint: joint.name, type: event.target.value }) },
    ...(A.types.some(type => type.name === joint.type) ? [] : [el("option", { value: joint.type, selected: "" }, joint.type)]),
    ...A.types.map(type => el("option", { value: type.name, title: type.doc, ...(type.name === joint.type ? { selected: "" } : {}) }, `${type.name} · ${type.rows}`)));
  const deed = (id, words, fields) => el("button", { type: "button", class: "plain", id, onclick: () => edit({ ...fields, joint: joint.name }) }, words);
  place.className = "what";
  place.replaceChildren(
    el("p", {}, el("b", {}, "What if …")),
    el("div", { class: "row" }, el("label", { for: "joint-type" }, "it were"), types),
    el("div", { class: "row", id: "releases" }),
    el("div", { class: "row" }, joint.type === "fixed" ? "" : deed("lock", "lock it", { do: "type", type: "fixed" }), deed("like", "add one like it", { do: "like" }), deed("remove", "remove it", { do: "remove" })),
    el("details", Object.keys(fields).length ? { open: "" } : {}, el("summary", {}, "Stiffness, misfit, play, capacity"), ...SETTINGS.fields.map(field => {
      const input = el("input", { id: `field-${field}`, value: fields[field] ?? "", placeholder: "as in the file, e.g. {x: 1e6, y: 1e6}", autocomplete: "off", spellcheck: "false" });
      input.addEventListener("change", () => edit({ do: "field", joint: joint.name, field, value: input.value }));
      return el("div", { class: "field" }, el("label", { for: `field-${field}` }, field), input);
    })));
  releaseButtons(joint.name);
}
// Components that the joint can let go; asked for once for each choice.
async function releaseButtons(name) {
  const key = `${name} ${D.joints[S.chosen]?.type}`;
  if (offered.name !== key && A.complete) {
    offered = { name: key, releases: [] };
    const reply = await request("/releases", { joint: name });
    if (reply) offered.releases = reply.releases;
  }
  const place = $("releases");
  if (!place || offered.name !== key || !offered.releases.length) return;
  place.replaceChildren(el("label", {}, "release"), ...offered.releases.slice(0, 8).map(release => el("button", {
    type: "button", class: "chip", "data-release": release.components.join(" "), title: `becomes ${release.type}${release.axes ? `, ${release.axes}` : ""}`,
    onclick: () => edit({ do: "release", joint: name, type: release.type, turned: release.turned }),
  }, release.components.join(" "))));
}
afterChoosing.push(whatIf);
updates.push(answer => { if (S.chosen >= 0 && answer.complete) whatIf(); });
