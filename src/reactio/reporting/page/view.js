// The orthographic view and the marks of the scene as SVG.
const svg = $("scene");
let planar = D.space === "planar";
const TRIAD = 104, SCALE = 160, SCALE_HEIGHT = 42, BUTTONS = [52, 140]; // pixels in corners of the drawing, which arrows leave free
let box = { width: 800, height: 500 }, scale = 1, centre = [0, 0, 0], aside = [0, 0], V = null;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const combined = (a, x, b, y) => [a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]];

function axes() {
  if (planar) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const [u, x, y] = D.view.basis;
  const ahead = combined(Math.cos(S.yaw), x, Math.sin(S.yaw), y);
  const towards = combined(Math.cos(S.pitch), ahead, Math.sin(S.pitch), u);
  const right = cross(u, ahead);
  return [right, cross(towards, right), towards];
}

// r + x X + y Y + z Z of a place [frame, x, y, z]; the third axis follows from the first two.
function world(F, place) {
  const k = 9 * place[0], x = place[1], y = place[2], z = place[3];
  const X = [F[k + 3], F[k + 4], F[k + 5]], Y = [F[k + 6], F[k + 7], F[k + 8]], Z = z ? cross(X, Y) : [0, 0, 0];
  return [F[k] + x * X[0] + y * Y[0] + z * Z[0], F[k + 1] + x * X[1] + y * Y[1] + z * Z[1], F[k + 2] + x * X[2] + y * Y[2] + z * Z[2]];
}
function screen(p) {
  const d = [p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]];
  return [box.width / 2 + aside[0] + S.pan[0] + scale * dot(V[0], d), box.height / 2 + aside[1] + S.pan[1] - scale * dot(V[1], d), dot(V[2], d)];
}
const f1 = x => x.toFixed(1);
const path = points => points.map((p, k) => `${k ? "L" : "M"}${f1(p[0])} ${f1(p[1])}`).join("");

const outlineOf = data => [...data.parts.map(part => part.p), ...data.skins.map(skin => skin.box)];
let outline = outlineOf(D);
// The box of a pose on the screen decides how large it is drawn.
function extent(F, others = []) {
  V = axes();
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const pose of [F, ...others]) for (const places of outline) for (const place of places) {
    const p = world(pose, place);
    for (let k = 0; k < 3; k++) {
      const x = dot(V[k], p);
      low[k] = Math.min(low[k], x); high[k] = Math.max(high[k], x);
    }
  }
  return { low, high };
}
// Poses of a run that the view must hold, with their times: some twenty, evenly spaced.
function poses() {
  if (!R) return [];
  const width = R.table.length / R.t.length, step = Math.max(1, Math.floor(R.t.length / 20)), out = [];
  for (let k = 0; k < R.t.length; k += step) out.push([R.t[k], R.table.subarray(k * width, (k + 1) * width)]);
  return out;
}
const posesOnly = () => following ? [] : poses().map(([, F]) => F);
function middle(F, others = []) {
  const { low, high } = extent(F, others);
  if (!outline.length) return [0, 0, 0];
  const m = [0, 1, 2].map(k => (low[k] + high[k]) / 2);
  return [0, 1, 2].map(k => m[0] * V[0][k] + m[1] * V[1][k] + m[2] * V[2][k]);
}
function fit() {
  const bounds = svg.getBoundingClientRect();
  box = { width: Math.max(200, bounds.width), height: Math.max(200, bounds.height) };
  svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
  const { low, high } = extent(still, posesOnly());
  if (!outline.length) low.forEach((_, k) => { low[k] = -0.5; high[k] = 0.5; }); // nothing is there yet: a square metre
  const wide = Math.max(high[0] - low[0], 4 * D.size), tall = Math.max(high[1] - low[1], 4 * D.size), margin = 34, above = box.width < 600 ? 74 : 56, below = planar ? 54 : 84; // the caption stands above
  // Arrows end above the axes of the world on the left, above the scale of forces on the right, and beside the buttons.
  const lowest = x => box.height - (x < TRIAD ? below : x > box.width - SCALE ? SCALE_HEIGHT : 12);
  // Room on each side for the arrows that go beyond the mechanism: their lengths do not shrink with it.
  let room = [margin, margin, above, below];
  centre = home; S.pan = S.zoom === 1 ? [0, 0] : S.pan;
  for (let round = 0; round < 3; round++) {
    scale = Math.min((box.width - room[0] - room[1]) / wide, (box.height - room[2] - room[3]) / tall);
    aside = [(room[0] - room[1]) / 2, (room[2] - room[3]) / 2];
    const over = [0, 0, 0, 0];
    for (const [x, y] of arrowEnds()) {
      const p = [x - S.pan[0], y - S.pan[1]];
      over[0] = Math.max(over[0], 12 - p[0]); over[1] = Math.max(over[1], p[0] - box.width + (p[1] < BUTTONS[1] ? BUTTONS[0] : 12));
      over[2] = Math.max(over[2], above - 16 - p[1]); over[3] = Math.max(over[3], p[1] - lowest(p[0]));
    }
    if (Math.max(...over) < 1) break;
    room = room.map((r, k) => Math.min(r + over[k], (k < 2 ? box.width : box.height) / 3));
  }
  scale *= S.zoom;
}

// How bright a flat face is: the light comes over the viewer's left shoulder.
function light(points) {
  if (points.length < 3) return 1;
  const a = points[0], b = points[1], c = points[2];
  const n = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - b[0], c[1] - b[1], c[2] - b[2]]), size = Math.hypot(...n);
  return size ? Math.abs(dot([dot(V[0], n), dot(V[1], n), dot(V[2], n)], [-0.35, 0.5, 0.79])) / size : 1;
}

// One shape for all: a ball swept along a path is a stroke of twice its radius.
const marks = {
  body(part, p, points) {
    const w = 2 * part.r * scale, d = path(p) + (part.f ? "Z" : p.length < 2 ? "l0 0" : ""), hollow = part.f ? "" : " nofill";
    return `<g class="body t${part.i % 6}" data-body="${part.i}"${part.f ? ' opacity=".9"' : ""}><path class="rim${hollow}" d="${d}" stroke-width="${f1(w + 2)}"/><path class="core${hollow}" d="${d}" stroke-width="${f1(w)}"/></g>`;
  },
  ghost(part, p, points) { return marks.body(part, p, points); },
  mass(part, p) {
    const r = Math.max(4, part.r * scale), [x, y] = p[0];
    return `<circle class="mass" cx="${f1(x)}" cy="${f1(y)}" r="${f1(r)}"/><path class="quarter" d="M${f1(x)} ${f1(y)}v${f1(-r)}a${f1(r)} ${f1(r)} 0 0 1 ${f1(r)} ${f1(r)}zM${f1(x)} ${f1(y)}v${f1(r)}a${f1(r)} ${f1(r)} 0 0 1 ${f1(-r)} ${f1(-r)}z"/>`;
  },
  ground(part, p) { return `<path class="ground${part.f ? " solid" : ""}" d="${path(p)}${part.f ? "Z" : ""}"/>`; },
  spring(part, p) { return `<path class="spring" d="${path(coil(p))}"/>`; },
  drive(part, p) { return part.r ? `<circle class="mesh" cx="${f1(p[0][0])}" cy="${f1(p[0][1])}" r="${f1(Math.max(2.5, part.r * scale))}"/>` : `<path class="drive" d="${path(p)}"/>`; },
  joint(part, p, points) {
    const verdict = `v${jointNow(part.i).v}`;
    if (part.r) {
      const w = 2 * part.r * scale, d = path(p) + (part.f ? "Z" : p.length < 2 ? "l0 0" : ""), hollow = p.length > 1 && !part.f ? " nofill" : "";
      return `<g class="${verdict}"><path class="tube rim${hollow}" d="${d}" stroke-width="${f1(w + 2.4)}"/><path class="tube core${hollow}" d="${d}" stroke-width="${f1(w)}"/></g>`;
    }
    const solid = part.f ? ` solid" style="--l:${Math.round(22 + 34 * (1 - light(points)))}%` : "";
    return `<path class="glyph ${verdict}${solid}" d="${path(p)}${part.f ? "Z" : ""}"/>`;
  },
};
const LAYERS = ["ground", "spring", "body", "joint", "drive", "mass"];
// A zigzag between two points of the picture.
function coil([a, b], turns = 7) {
  const d = [b[0] - a[0], b[1] - a[1]], size = Math.hypot(...d), w = Math.max(4, 0.8 * D.size * scale);
  if (size < 1) return [a, b];
  const at = (part, side) => [a[0] + part * d[0] - side * w * d[1] / size, a[1] + part * d[1] + side * w * d[0] / size], out = [a, at(0.15, 0)];
  for (let k = 1; k < 2 * turns; k++) out.push(at(0.15 + 0.7 * k / (2 * turns), k % 2 ? 1 : -1));
  return [...out, at(0.85, 0), b];
}

function parts(F, roles) {
  const layers = roles.map(() => []);
  for (const part of D.parts) {
    const layer = roles.indexOf(part.role);
    if (layer < 0) continue;
    const points = part.p.map(place => world(F, place)), p = points.map(screen);
    layers[layer].push([p.reduce((sum, q) => sum + q[2], 0) / p.length, marks[part.role](part, p, points)]);
  }
  return layers.map(found => found.sort((a, b) => a[0] - b[0]).map(one => one[1]).join("")).join("");
}

function badgePlace(badge, F) {
  const p = badge.p.map(place => screen(world(F, place)));
  const mean = i => p.reduce((sum, q, k) => sum + q[i] * (badge.w.length ? badge.w[k] : 1 / p.length), 0), x = mean(0), y = mean(1);
  return [x + badge.aside * Math.max(D.size * scale, 7), y];
}
const MOST_COVERED_NAMES = 60; // joints up to which every name is written: of more, those that would cover others are left out
// A name beside its joint, on the first side where it covers neither a joint nor another name.
function label(name, x, y, r, placed, width) {
  const w = 6 + 7.3 * name.length, h = 15, left = x - r - 3 - w, right = x + r + 3, up = y - r - 1, down = y + r + h;
  const sides = [[right, up], [right, down], [left, up], [left, down], [right, y + 4], [left, y + 4], [x - w / 2, up - 8], [x - w / 2, down + 8]];
  const box = ([a, b]) => [a, b - h + 3, a + w, b + 3], free = side => { const s = box(side); return s[0] >= 2 && s[2] <= width - 2 && s[1] >= 2 && !placed.some(p => s[0] < p[2] && p[0] < s[2] && s[1] < p[3] && p[1] < s[3]); };
  const at = sides.find(free) ?? (D.badges.length > MOST_COVERED_NAMES ? null : sides[0]);
  if (!at) return "";
  placed.push(box(at));
  return `<text class="label" x="${f1(at[0])}" y="${f1(at[1])}">${escaped(name)}</text>`;
}
function badges(F) {
  const r = Math.max(5.5, 0.62 * D.size * scale), partners = S.chosen < 0 ? [] : jointNow(S.chosen).shares;
  const placed = D.badges.map(badge => { const [x, y] = badgePlace(badge, F); return [x - r, y - r, x + r, y + r]; });
  return D.badges.map(badge => {
    const joint = D.joints[badge.j], { v } = jointNow(badge.j), [x, y] = badgePlace(badge, F), at = `cx="${f1(x)}" cy="${f1(y)}"`;
    let out = `<g class="v${v}" data-joint="${badge.j}"><circle class="disc" ${at} r="${f1(r)}"/>`;
    if (v === 0) out += `<circle class="half" ${at} r="${f1(r)}"/>`;
    if (v === 1 || v === 5) out += `<path class="half" d="M${f1(x)} ${f1(y - r)}a${f1(r)} ${f1(r)} 0 0 0 0 ${f1(2 * r)}z"/>`;
    if (v >= 3) out += `<text class="sign" x="${f1(x)}" y="${f1(y)}">${v === 3 ? "?" : "k"}</text>`;
    if (badge.j === S.chosen) out += `<circle class="halo" ${at} r="${f1(r + 6)}"/>`;
    else if (partners.includes(badge.j)) out += `<circle class="partner" ${at} r="${f1(r + 5)}"/>`;
    if ($("show-labels").checked) out += label(joint.name, x, y, r, placed, box.width);
    return out + `<circle class="hit" ${at} r="${f1(Math.max(r + 3, 11))}"/></g>`;
  }).join("");
}
