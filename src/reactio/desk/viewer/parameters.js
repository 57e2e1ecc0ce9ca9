// Parameters as sliders, and the numbers that follow from them.
let gesture = 0;
function parameterKnobs(answer) {
  const place = $("parameters-body"), list = answer.parameters ?? [], names = list.map(one => `${one.name}${one.low === undefined}`).join("\n");
  $("parameters").hidden = !list.length;
  if (place.dataset.names !== names) {
    place.dataset.names = names;
    place.replaceChildren(...list.map(knob));
  }
  for (const parameter of list) {
    const slider = $(`slide-${parameter.name}`), typed = $(`value-${parameter.name}`);
    if (!slider) { $(`follow-${parameter.name}`).textContent = number(Number((parameter.value ?? NaN).toPrecision(6))); continue; }
    if (slider.dataset.held) continue; // the hand knows better than an answer that is on its way
    slider.min = parameter.low; slider.max = parameter.high; slider.value = parameter.value;
    if (document.activeElement !== typed) typed.value = parameter.text;
  }
}
function knob(parameter) {
  const label = el("label", { for: `slide-${parameter.name}` }, parameter.name);
  if (parameter.low === undefined) return el("div", { class: "knob" }, label, el("span", { class: "dim", title: parameter.text }, `= ${parameter.text}`), el("output", { id: `follow-${parameter.name}` }));
  const slider = el("input", { type: "range", id: `slide-${parameter.name}`, min: parameter.low, max: parameter.high, step: "any" }), typed = el("input", { id: `value-${parameter.name}`, "aria-label": `Value of ${parameter.name}`, autocomplete: "off", spellcheck: "false" });
  const step = (parameter.high - parameter.low) / 100;
  slider.addEventListener("pointerdown", () => { gesture++; slider.dataset.held = "yes"; });
  slider.addEventListener("keydown", event => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    slider.value = Number(slider.value) + way * step;
    slider.dispatchEvent(new Event("input"));
  });
  for (const name of ["pointerup", "pointercancel", "blur"]) slider.addEventListener(name, () => delete slider.dataset.held);
  slider.addEventListener("input", () => {
    const value = Number(Number(slider.value).toPrecision(4));
    typed.value = String(value);
    newest(`slide ${parameter.name}`, "/edit", { do: "parameter", name: parameter.name, value, gesture: `${parameter.name} ${gesture}` });
  });
  typed.addEventListener("change", () => {
    gesture++;
    const value = typed.value.trim();
    if (value) edit({ do: "parameter", name: parameter.name, value: Number.isFinite(Number(value)) ? Number(value) : value });
  });
  return el("div", { class: "knob" }, label, slider, typed);
}
updates.push(parameterKnobs);
