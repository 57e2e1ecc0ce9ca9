"use strict";
// Helpers: data, elements, numbers.
let D = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const VERDICTS = ["unique", "partly unique", "not unique", "ambiguous", "determined by stiffness", "partly determined by stiffness"];

function bytes(text) {
  const raw = atob(text), out = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) out[k] = raw.charCodeAt(k);
  return out;
}
const floats = text => new Float32Array(bytes(text).buffer);

// An element with attributes and children; texts stay texts, whatever they hold.
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
const escaped = text => String(text).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);

function number(x, scale = 0) {
  if (!Number.isFinite(x)) return "–";
  if (Math.abs(x) <= 1e-9 * Math.max(scale, 1e-300) || x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e7 || size < 1e-3 ? x.toExponential(4).replace(/\.?0*e\+?/, "e") : String(Number(x.toPrecision(5)));
  return text.replace("-", "−");
}

// The largest number about, beside which rounding is nothing: of the report, or of what the sliders add.
const largest = () => Math.max(D.scales.force, D.scales.moment, ...S.amounts.map(Math.abs));

// Times of a run with as many digits as its length needs.
function seconds(t) {
  const span = D.run ? D.run.t[D.run.t.length - 1] - D.run.t[0] : 1;
  return t.toFixed(Math.max(2, 1 - Math.floor(Math.log10(span || 1))));
}

// What is shown now; draw() follows it.
const S = {
  yaw: D.view.yaw, pitch: D.view.pitch, zoom: 1, pan: [0, 0], chosen: -1,
  mode: "state", amounts: D.stresses.map(() => 0), motion: 0, along: 0, t: 0, playing: false, lifted: -1,
};
let still = floats(D.frames);

// Frames between two rows of a table of frames (rows × k × 9).
function between(table, rows, at) {
  const width = table.length / rows, k = Math.max(0, Math.min(rows - 2, Math.floor(at))), part = Math.min(1, Math.max(0, at - k));
  const out = new Float32Array(width);
  for (let i = 0; i < width; i++) out[i] = (1 - part) * table[k * width + i] + part * table[(k + 1) * width + i];
  return out;
}

// Place in a growing list of times, as a row with its fraction.
function rowAt(times, t) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  const step = times[high] - times[low];
  return low + (step > 0 ? Math.min(1, Math.max(0, (t - times[low]) / step)) : 0);
}
