// Surfaces of bodies on a canvas below the drawing: all faces from far to near.
const sheet = $("skins"), coatsOf = data => data.skins.map(skin => ({ f: skin.f, i: skin.i, p: floats(skin.p), t: new Uint32Array(bytes(skin.t).buffer) }));
let coats = coatsOf(D);
const tints = () => { const style = getComputedStyle(document.documentElement); return [0, 1, 2, 3, 4, 5].map(k => [1, 3, 5].map(i => parseInt(style.getPropertyValue(`--b${k}`).trim().slice(i, i + 2), 16))); };
function skins(F) {
  if (!coats.length) { sheet.width = sheet.width; return; } // a new width clears the canvas
  const ratio = window.devicePixelRatio || 1, pen = sheet.getContext("2d"), colours = tints(), faces = [];
  sheet.width = box.width * ratio; sheet.height = box.height * ratio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (const { f, i, p, t } of coats) {
    const seen = [], tint = colours[i % 6];
    for (let k = 0; k < p.length; k += 3) seen.push(screen(world(F, [f, p[k], p[k + 1], p[k + 2]])));
    for (let k = 0; k < t.length; k += 3) {
      const a = seen[t[k]], b = seen[t[k + 1]], c = seen[t[k + 2]], d = scale;
      // The screen counts downwards, and lengths along the view are in metres.
      const u = [b[0] - a[0], a[1] - b[1], d * (b[2] - a[2])], v = [c[0] - b[0], b[1] - c[1], d * (c[2] - b[2])], n = cross(u, v), size = Math.hypot(...n);
      if (size) faces.push([a[2] + b[2] + c[2], a, b, c, tint, 0.55 + 0.45 * Math.abs(dot(n, [-0.35, 0.5, 0.79])) / size]);
    }
  }
  faces.sort((x, y) => x[0] - y[0]);
  pen.lineWidth = 0.7; pen.lineJoin = "round";
  for (const [, a, b, c, tint, bright] of faces) {
    pen.fillStyle = pen.strokeStyle = `rgb(${tint.map(x => Math.round(bright * x)).join()})`;
    pen.beginPath(); pen.moveTo(a[0], a[1]); pen.lineTo(b[0], b[1]); pen.lineTo(c[0], c[1]); pen.closePath(); pen.fill(); pen.stroke();
  }
}
