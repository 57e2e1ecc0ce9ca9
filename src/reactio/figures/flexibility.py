"""Flexible parts as bars: their share of the self-stress energy, and what leaving them rigid would change."""

from __future__ import annotations

from pathlib import Path

from reactio.drawing.painter import matplotlib
from reactio.figures.style import COLOURS, save
from reactio.flexibility.certificate import Certificate
from reactio.flexibility.sensitivity import ToleranceEffects

MOST_BARS = 20  # bars of a tornado: those below are small beside them


def draw_certificate(found: Certificate, path: str | Path) -> Path:
    """Bars of share and change-if-rigid for every flexible part, saved as a picture."""
    matplotlib()
    from matplotlib.figure import Figure

    parts = [part for part in found.parts if part.flexible]
    figure = Figure(figsize=(8, 1.2 + 0.35 * len(parts)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    names = [part.name for part in parts]
    colours = ["tab:red" if part.needed else "tab:gray" for part in parts]
    left.barh(names, [100 * part.share / max(1, found.redundancy) for part in parts], color=colours)
    left.set_xlabel("share of the self-stress energy [%]")
    right.barh(names, [part.change_if_rigid or 0.0 for part in parts], color=colours)
    right.set_xlabel("largest change if left rigid [N]")
    for k, part in enumerate(parts):
        if part.change_if_rigid is None:
            right.text(0.0, k, " open without it", va="center")
        elif part.unit != "N":
            right.text(0.0, k, f" {part.unit}", va="center")
    left.invert_yaxis()
    figure.suptitle(f"{found.model}, t = {found.t:g} s: red parts are needed")
    save(figure, Path(path))
    return Path(path)


def draw_tornado(found: ToleranceEffects, joint: str, row: int, component: str, path: str | Path) -> Path:
    """A tornado of tolerances: the load that each of them puts on one component of a joint, largest first."""
    matplotlib()
    from matplotlib.figure import Figure

    loads = sorted(zip(found.names, found.each[joint][row], strict=True), key=lambda item: -abs(item[1]))
    largest = abs(loads[0][1]) if loads else 0.0
    shown = [(name, abs(load)) for name, load in loads if abs(load) > 1e-6 * largest][:MOST_BARS] or [
        (name, 0.0) for name, _ in loads[:1]
    ]
    figure = Figure(figsize=(7, 1.4 + 0.32 * len(shown)), layout="constrained")
    axes = figure.subplots()
    names = [f"{name} ± {_tolerance(found, name)}" for name, _ in shown]
    axes.barh(names, [2 * load for _, load in shown], left=[-load for _, load in shown], color=COLOURS[0], height=0.6)
    axes.axvline(0.0, color="black", linewidth=0.8)
    axes.set_xlim(-1.08 * (largest or 1.0), 1.08 * (largest or 1.0))
    axes.invert_yaxis()
    unit = "N m" if component.startswith("M") else "N"
    axes.set_xlabel(f"change of {component} of {joint} [{unit}] within each tolerance")
    axes.set_title(
        f"worst case ± {found.worst[joint][row]:.4g} {unit}, "
        f"root sum of squares ± {found.likely[joint][row]:.4g} {unit}",
        fontsize=9,
    )
    save(figure, Path(path))
    return Path(path)


def _tolerance(found: ToleranceEffects, name: str) -> str:
    """A tolerance in mm, mrad or K."""
    if name.endswith(".temperature"):
        return f"{found.sizes[name]:.3g} K"
    turning = ".about_" in name
    return f"{1e3 * found.sizes[name]:.3g} {'mrad' if turning else 'mm'}"
