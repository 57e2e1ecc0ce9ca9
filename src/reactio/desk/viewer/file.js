// The file: undo, redo, save with the changes shown first; the theme; the keys.
$("undo").addEventListener("click", () => request("/history", { do: "undo" }));
$("redo").addEventListener("click", () => request("/history", { do: "redo" }));
$("revert").addEventListener("click", () => request("/history", { do: "revert" }));

async function openSaving() {
  const now = await request("/text");
  if (!now) return;
  $("save-name").value = A.writable ? now.file : `${now.file.replace(/\.[^.]*$/, "")}.yaml`;
  const lines = now.diff ? now.diff.split("\n").slice(2).map(line => el(line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span", {}, `${line}\n`)) : ["The file is as it is shown here; another name writes a copy."];
  $("save-diff").replaceChildren(...lines);
  $("save-words").textContent = "";
  $("save-now").dataset.overwrite = "";
  if (!$("saving").open) $("saving").showModal();
  $("save-now").focus();
}
$("save").addEventListener("click", openSaving);
$("save-now").addEventListener("click", async () => {
  const reply = await fetch("/save", { method: "POST", headers: { "X-Reactio-Token": SETTINGS.token }, body: JSON.stringify({ name: $("save-name").value, overwrite: $("save-now").dataset.overwrite === $("save-name").value }) }), data = await reply.json();
  if (reply.ok) { $("saving").close(); toast(`Saved as ${data.saved}.`); return; }
  $("save-words").textContent = data.refused;
  if (/exists/.test(data.refused)) $("save-now").dataset.overwrite = $("save-name").value;
});
$("save-name").addEventListener("keydown", event => { if (event.key === "Enter") { event.preventDefault(); $("save-now").click(); } });

// Light, dark, or as the system has it; remembered where the browser lets it.
function theme(next) {
  if (next) document.documentElement.dataset.theme = next; else delete document.documentElement.dataset.theme;
  document.documentElement.style.colorScheme = next || "";
  try { if (next) localStorage.setItem("reactio-theme", next); else localStorage.removeItem("reactio-theme"); } catch { /* a private window */ }
  draw();
}
const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
$("theme").addEventListener("click", () => theme(isDark() ? "light" : "dark"));
try { if (localStorage.getItem("reactio-theme")) theme(localStorage.getItem("reactio-theme")); } catch { /* a private window */ }

$("keys").addEventListener("click", () => $("help").showModal());
const step = by => { if (D.joints.length) choose((S.chosen + by + D.joints.length + (S.chosen < 0 && by < 0 ? 1 : 0)) % D.joints.length, true); };
const SHORTCUTS = {
  j: () => step(1), k: () => step(-1), d: () => { if (!$("draw-mode").hidden) drawMode(!drawing); }, "?": () => $("help").showModal(),
  Escape: () => { if (held) { held = rubber = null; drawSheet(); } else if (drawing) drawMode(false); },
  " ": () => { if (R) play(!S.playing); },
};
document.querySelectorAll("[data-pen]").forEach((button, k) => { SHORTCUTS[String(k + 1)] = () => { if (drawing) choosePen(button.dataset.pen); }; });
document.addEventListener("keydown", event => {
  const typing = event.target.matches?.("input:not([type=range]):not([type=checkbox]), select, textarea"), key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    if (key === "s") { event.preventDefault(); openSaving(); return; }
    if (typing) return;
    if (key === "z") { event.preventDefault(); $(event.shiftKey ? "redo" : "undo").click(); } else if (key === "y") { event.preventDefault(); $("redo").click(); }
    return;
  }
  if (typing || event.altKey || document.querySelector("dialog[open]")) return;
  const shortcut = SHORTCUTS[event.key] ?? SHORTCUTS[key];
  if (!shortcut || (event.key === " " && event.target.closest?.("button, summary, input, a"))) return;
  if (event.key === " " && !R) return;
  event.preventDefault();
  shortcut();
});

listenToServer();
follow();
