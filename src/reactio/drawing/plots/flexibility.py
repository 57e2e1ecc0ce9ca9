"""Flexible parts as bars: their share of the self-stress energy, and what leaving them rigid would change."""

from __future__ import annotations

from pathlib import Path

from reactio.catalogue.units import in_units, quantity, small_quantity, unit_name
from reactio.drawing.painter import matplotlib
from reactio.drawing.plots.style import COLOURS, save
from reactio.flexibility.certificate import Certificate
from reactio.flexibility.sensitivity import ToleranceEffects

MOST_BARS = 20  # bars of a tornado: those below are small compared with them


def draw_certificate(certificate: Certificate, path: str | Path) -> Path:
    """Bars of share and change-if-rigid for every flexible part, saved as a picture."""
    matplotlib()
    from matplotlib.figure import Figure

    parts = [part for part in certificate.parts if part.flexible]
    figure = Figure(figsize=(8, 1.2 + 0.35 * len(parts)), layout="constrained")
    shares, right = figure.subplots(1, 2, sharey=True)
    names = [part.name for part in parts]
    colours = [COLOURS[1] if part.needed else COLOURS[7] for part in parts]
    shares.barh(names, [100 * part.share / max(1, certificate.redundancy) for part in parts], color=colours)
    shares.set_xlabel("share of the self-stress energy [%]")
    right.barh(names, [in_units(part.change_if_rigid or 0.0, part.unit) for part in parts], color=colours)
    right.set_xlabel(f"largest change if left rigid [{unit_name('N')}]")
    for k, part in enumerate(parts):
        if part.change_if_rigid is None:
            right.text(0.0, k, " open without it", va="center")
        elif part.unit != "N":
            right.text(0.0, k, f" {unit_name(part.unit)}", va="center")
    shares.invert_yaxis()
    figure.suptitle(f"{certificate.model}, t = {certificate.t:g} s: red parts are needed")
    save(figure, Path(path))
    return Path(path)


def draw_tornado(effects: ToleranceEffects, joint: str, row: int, component: str, path: str | Path) -> Path:
    """A tornado of tolerances: the load that each of them puts on one component of a joint, largest first."""
    matplotlib()
    from matplotlib.figure import Figure

    loads = sorted(zip(effects.names, effects.each[joint][row], strict=True), key=lambda item: -abs(item[1]))
    largest = abs(loads[0][1]) if loads else 0.0
    shown = [(name, abs(load)) for name, load in loads if abs(load) > 1e-6 * largest][:MOST_BARS] or [
        (name, 0.0) for name, _ in loads[:1]
    ]
    figure = Figure(figsize=(7, 1.4 + 0.32 * len(shown)), layout="constrained")
    axes = figure.subplots()
    names = [f"{name} ± {_tolerance(effects, name)}" for name, _ in shown]
    unit = "N m" if component.startswith("M") else "N"
    sizes = [in_units(load, unit) for _, load in shown]
    axes.barh(names, [2 * size for size in sizes], left=[-size for size in sizes], color=COLOURS[0], height=0.6)
    axes.axvline(0.0, color="black", linewidth=0.8)
    reach = 1.08 * (sizes[0] if sizes and sizes[0] else 1.0)
    axes.set_xlim(-reach, reach)
    axes.invert_yaxis()
    axes.set_xlabel(f"change of {component} of {joint} [{unit_name(unit)}] within each tolerance")
    axes.set_title(
        f"worst case ± {quantity(effects.worst[joint][row], unit)}, "
        f"root sum of squares ± {quantity(effects.likely[joint][row], unit)}",
        fontsize=9,
    )
    save(figure, Path(path))
    return Path(path)


def _tolerance(effects: ToleranceEffects, name: str) -> str:
    """A tolerance in mm, mrad or K."""
    if name.endswith(".temperature"):
        return f"{effects.sizes[name]:.3g} K"
    turning = ".about_" in name
    return small_quantity(effects.sizes[name], "rad" if turning else "m")
