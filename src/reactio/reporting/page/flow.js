// The flow of load through the mechanism: bands from loads through bodies and joints to the ground, as wide as their forces.
const WIDEST_BAND = 22; // pixels of the largest force

// How many joints away from the ground each body is.
function stepsToGround() {
  const steps = new Map([["ground", 0]]);
  for (let changed = true; changed;) {
    changed = false;
    for (const joint of D.joints) {
      if (joint.frame === null || joint.bodies.length !== 2) continue;
      for (const [a, b] of [joint.bodies, [...joint.bodies].reverse()]) {
        const reached = (steps.get(a) ?? Infinity) + 1;
        if (reached < (steps.get(b) ?? Infinity)) { steps.set(b, reached); changed = true; }
      }
    }
  }
  return steps;
}
function band(a, b, width, kind) {
  const d = [b[0] - a[0], b[1] - a[1]], size = Math.hypot(...d);
  if (size < 2 || width < 0.4) return "";
  const n = [-d[1] / size * width / 2, d[0] / size * width / 2], corner = (p, s) => `${f1(p[0] + s * n[0])} ${f1(p[1] + s * n[1])}`;
  // A wedge in the middle shows which way the load goes.
  const m = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], u = [d[0] / size, d[1] / size], w = Math.max(4, width / 2);
  const wedge = size > 26 ? `<path class="wedge" d="M${f1(m[0] - u[0] * w / 2 + u[1] * w)} ${f1(m[1] - u[1] * w / 2 - u[0] * w)}L${f1(m[0] + u[0] * w / 2)} ${f1(m[1] + u[1] * w / 2)}L${f1(m[0] - u[0] * w / 2 - u[1] * w)} ${f1(m[1] - u[1] * w / 2 + u[0] * w)}"/>` : "";
  return `<g class="band ${kind}"><path d="M${corner(a, 1)}L${corner(b, 1)}L${corner(b, -1)}L${corner(a, -1)}Z"/>${wedge}</g>`;
}
const HATCH = `<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" fill="var(--paper)" fill-opacity=".72"/><line x1="0" x2="0" y1="0" y2="7" stroke="var(--not)" stroke-width="4"/></pattern></defs>`;
function flow(F) {
  if (S.mode === "motion" || !$("show-flow")?.checked) return "";
  const steps = stepsToGround(), hubs = new Map(), top = D.scales.force || 1;
  for (const part of D.parts) if (["mass", "body", "ghost"].includes(part.role) && (part.role === "mass" || !hubs.has(D.bodies[part.i]))) {
    const p = part.p.map(place => screen(world(F, place)));
    hubs.set(D.bodies[part.i], [0, 1].map(k => p.reduce((sum, q) => sum + q[k], 0) / p.length));
  }
  const width = force => WIDEST_BAND * Math.min(1.3, lengthOf(force) / top);
  let out = HATCH;
  for (const badge of D.badges) {
    const joint = D.joints[badge.j], w = wrench(badge.j);
    if (joint.frame === null || joint.bodies.length !== 2 || !w || !w.slice(0, 3).every(Number.isFinite)) continue;
    const at = screen(world(F, [joint.frame, 0, 0, 0])), wide = width(w.slice(0, 3));
    const known = joint.components.filter(component => component.name.startsWith("F")).every(component => component.unique === true);
    const [near, far] = [...joint.bodies].sort((a, b) => (steps.get(a) ?? 99) - (steps.get(b) ?? 99)), kind = known ? "sure" : "unsure";
    if (hubs.has(far)) out += band(hubs.get(far), at, wide, kind);
    if (hubs.has(near)) out += band(at, hubs.get(near), wide, kind);
  }
  return `<g class="flow">${out}</g>`;
}
