"""Flexible parts as bars: their share of the self-stress energy, and what leaving them rigid would change."""

from __future__ import annotations

from pathlib import Path

from reactio.flexibility.certificate import Certificate
from reactio.flexibility.sensitivity import Tolerances


def draw_certificate(found: Certificate, path: str | Path) -> Path:
    """Bars of share and change-if-rigid for every flexible part, saved as a picture."""
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
    left.invert_yaxis()
    figure.suptitle(f"{found.model}, t = {found.t:g} s: red parts are needed")
    figure.savefig(path)
    return Path(path)


def draw_tornado(found: Tolerances, joint: str, component: int, path: str | Path) -> Path:
    """A tornado of tolerances: the load that each of them puts on one component of a joint, largest first."""
    from matplotlib.figure import Figure

    loads = sorted(zip(found.names, found.each[joint][component], strict=True), key=lambda item: -abs(item[1]))
    figure = Figure(figsize=(7, 1.2 + 0.35 * len(loads)), layout="constrained")
    axes = figure.subplots()
    axes.barh([name for name, _ in loads], [abs(load) for _, load in loads], color="tab:blue")
    axes.barh([name for name, _ in loads], [-abs(load) for _, load in loads], color="tab:blue", alpha=0.5)
    axes.invert_yaxis()
    axes.set_xlabel(f"change of {joint} [{'N' if component < 3 else 'N m'}] within the tolerance")
    figure.savefig(path)
    return Path(path)
