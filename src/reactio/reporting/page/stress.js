// Self-stresses: sliders that shift load between joints while the rigid model has no objection; admissible motions.
function shiftTable(k) {
  const stress = D.stresses[k], place = $(`shift-${k}`);
  if (!place) return;
  const rows = [];
  for (const j of stress.joints) {
    const joint = D.joints[j], now = new Map(componentsNow(j).map(component => [component.name, component.value]));
    joint.components.forEach((component, i) => {
      const change = added(j, component.name, i), value = now.get(component.name) ?? 0;
      if (Math.abs(stressComponent(k, j, component.name, i)) > 1e-9) rows.push(el("tr", {}, el("td", {}, `${joint.name} ${component.name}`),
        ...(D.loads_known ? [value - change, value] : [change]).map(x => el("td", {}, Number.isFinite(x) ? `${number(x, largest())} ${component.unit}` : "–"))));
    });
  }
  place.replaceChildren(el("table", { class: "numbers shift" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""), ...(D.loads_known ? [D.asked ? `by ${D.rule}` : "one possible", "also possible"] : ["change"]).map(word => el("th", { scope: "col" }, word)))), el("tbody", {}, ...rows)));
}
// The numbers of the sliders that are unfolded, and the time they are of.
function shiftTables() {
  const when = $("stress-at");
  if (when) when.textContent = inTime() && S.t > R.t[0] ? ` At t = ${seconds(S.t)} s: each has changed with the pose; its description is that of the start.` : ` At t = ${D.t} s.`;
  D.stresses.forEach((_, k) => { if ($(`shift-${k}`)?.parentElement.open) shiftTable(k); });
}
// The amount nearest to the one asked for that keeps every component between its ends, the other sliders as they are.
function withinEnds(k, amount) {
  let low = -Infinity, high = Infinity;
  const stress = D.stresses[k];
  for (const j of stress.joints) {
    const now = values(j), d = stress.components[j];
    D.joints[j].components.forEach((component, i) => {
      if (Math.abs(d[i]) < 1e-9) return;
      const rest = now[i] - S.amounts[k] * d[i];
      for (const end of [component.low, component.high]) {
        if (end === null || end === undefined) continue;
        const s = (end - rest) / d[i];
        if ((end === component.high) === (d[i] > 0)) high = Math.min(high, s); else low = Math.max(low, s);
      }
    });
  }
  return low > high ? S.amounts[k] : Math.min(Math.max(amount, low), high);
}
function setStress(k, wanted) {
  const amount = withinEnds(k, wanted);
  if (amount !== wanted) $(`stress-${k}`).value = amount;
  S.amounts[k] = amount;
  // A run keeps its time where the self-stresses are known along it; else they belong to the state of the report.
  if (!inTime()) show("state");
  $(`amount-${k}`).textContent = `${number(amount)} ${D.stresses[k].unit}`;
  shiftTables();
  inspect();
  numbersNow();
  liftedNow();
  draw();
}
function sliders() {
  D.stresses.forEach((_, k) => {
    const slider = $(`stress-${k}`);
    slider.addEventListener("input", () => setStress(k, Number(slider.value)));
    slider.addEventListener("change", () => { fit(); draw(); }); // when it is let go: the view makes room for the arrows
    slider.addEventListener("dblclick", () => { slider.value = 0; setStress(k, 0); });
    shiftTable(k);
    $(`shift-${k}`).parentElement.addEventListener("toggle", () => shiftTable(k));
  });
  const back = $("relax");
  if (back) back.addEventListener("click", () => D.stresses.forEach((_, k) => { $(`stress-${k}`).value = 0; setStress(k, 0); }));
  const along = $("along");
  if (!along) return;
  document.querySelectorAll("input[name=motion]").forEach(radio => radio.addEventListener("change", () => { S.motion = Number(radio.value); show("motion"); draw(); }));
  along.addEventListener("input", () => { S.along = Number(along.value); show("motion"); draw(); });
}
