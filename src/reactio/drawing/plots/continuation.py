"""T, generalised velocities and |R_ii| along a motion: Figs 2–11, 14 and 15 of Masarati, Quro & Zanoni 2023."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.plots.panels import BarPanel, Curve, Panel, figure_of
from reactio.drawing.plots.style import save
from reactio.errors import ReactioError, did_you_mean
from reactio.singular.passages.continued_bases import Bases, plain_at
from reactio.singular.passages.singularities import Singularity
from reactio.system.types import System

COMPONENT_NAMES = {"planar": ("x", "y", "θ"), "spatial": ("x", "y", "z", "ω x", "ω y", "ω z")}
T_LABEL = "T [1, rad/m]"  # displacements and rotations as q grows by a metre
TITLES = ("QR factorisation made afresh", "continued")


def plot_bases(bases: Bases, body: str, path: str | Path | None = None) -> Any:
    """The rows of T of one body in time: made afresh (Fig. 10) and continued (Fig. 11)."""
    both = zip((bases.plain, bases.smooth), TITLES, strict=True)
    return _kept(figure_of([_of_body(bases, T, body, f"T of {body}: {title}") for T, title in both], 2), path)


def passage_panels(bases: Bases, body: str, event: Singularity, kind: str, window: float) -> list[Panel]:
    """T of one body over a motion, and near a singular pose with all motions admissible there (Figs 10 and 11).

    ``kind``: ``plain`` for QR made afresh at every instant, ``smooth`` for the continuation.  ``window`` [s] on both
    sides of the pose is shown in the right panel.
    """
    system = bases.system
    rows = _rows(system, body)
    if kind == "plain":
        at_event = plain_at(system, event)
    else:
        side = bases.smooth[int(np.abs(bases.t - event.t).argmin())]
        at_event = np.hstack([event.continued * np.sign((side * event.continued).sum(axis=0)), event.new])
    T, title = (bases.plain, TITLES[0]) if kind == "plain" else (bases.smooth, TITLES[1])
    along_run = _of_body(bases, T, body, f"T of {body}: {title}", (event.t,))
    near = (np.abs(bases.t - event.t) <= window) & (bases.t != event.t)  # at the pose, all its motions instead
    names = COMPONENT_NAMES[system.space]
    curves = [Curve(f"{names[i]}, 1st motion", bases.t[near], T[near][:, row, 0], ".", i) for i, row in enumerate(rows)]
    for column in range(at_event.shape[1]):
        marker, word = ("o", "1st") if column == 0 else ("x", f"{column + 1}{'nd' if column == 1 else 'rd'}")
        curves += [
            Curve(f"{names[i]}, {word} at the pose", np.array([event.t]), at_event[row : row + 1, column], marker, i)
            for i, row in enumerate(rows)
        ]
    zoom = Panel(f"near the singular pose at t = {event.t:.4f} s", T_LABEL, curves, y_limits=(-1.05, 1.05))
    return [along_run, zoom]


def velocity_panels(bases: Bases) -> list[Panel]:
    """The generalised velocities in time, made afresh and continued (Fig. 15)."""
    panels = []
    for u, title in zip((bases.u_plain, bases.u_smooth), TITLES, strict=True):
        curves = [Curve(f"q̇{i + 1}", bases.t, u[:, i], ".") for i in range(u.shape[1])]
        panels.append(Panel(f"generalised velocities: {title}", "q̇ [m/s]", curves))
    return panels


def plot_velocities(bases: Bases, path: str | Path | None = None) -> Any:
    """The generalised velocities in time, made afresh and continued (Fig. 15)."""
    return _kept(figure_of(velocity_panels(bases), 2), path)


def diagonal_panel(bases: Bases) -> Panel:
    """The diagonal elements of R₁ns in time; at a singular configuration some vanish (Figs 2, 5, 8 and 14)."""
    rank = bases.system.n - bases.plain.shape[2]
    curves = [Curve(f"|R_{i + 1},{i + 1}|", bases.t, bases.diagonal[:, i]) for i in range(rank)]
    title = f"{bases.system.model.name}: the {rank} diagonal elements of R"
    return Panel(title, "|R_ii| [1]", curves, y_limits=(0, None), named=False)


def plot_diagonal(bases: Bases, path: str | Path | None = None) -> Any:
    """The diagonal elements of R₁ns in time; at a singular configuration some vanish (Figs 2, 5, 8 and 14)."""
    return _kept(figure_of([diagonal_panel(bases)]), path)


def admissible_panels(system: System, event: Singularity) -> list[BarPanel]:
    """Displacements and rotations of every body in every motion that a singular pose admits (Figs 3, 6 and 9).

    Columns of T, each of unit length in metres, with the sign that lowers the first body; the motion that goes on
    through the pose comes first.
    """
    words = ["goes on"] * event.continued.shape[1] + [f"new there ({event.verdict})"] * event.new.shape[1]
    return [
        _of_bodies(system, v, f"t = {event.t:.4f} s, motion {k}: {word}")
        for k, (v, word) in enumerate(zip(np.hstack([event.continued, event.new]).T, words, strict=True), 1)
    ]


def _of_bodies(system: System, v: Floats, title: str) -> BarPanel:
    """Bars of δx, δy, δθ of every body of a planar mechanism, and likewise in space."""
    of_body = v.reshape(-1, system.sizes.twist)
    lead = of_body[0, system.dimension - 1] or of_body.ravel()[np.abs(of_body.ravel()).argmax()]
    lowered = of_body * (-1.0 if lead > 0 else 1.0) + 0.0
    series = {f"δ{name}": lowered[:, i] for i, name in enumerate(COMPONENT_NAMES[system.space])}
    return BarPanel(title, f"column of {T_LABEL}", [body.name for body in system.model.bodies], series)


def _rows(system: System, body: str) -> range:
    """The rows of T that belong to a body."""
    if body not in system.model.body_index:
        raise ReactioError(f"There is no body '{body}'.{did_you_mean(body, system.model.body_index)}")
    b = system.model.body_index[body]
    return range(int(system.body_v[b]), int(system.body_v[b + 1]))


def _of_body(bases: Bases, T: Floats, body: str, title: str, marks: Sequence[float] = ()) -> Panel:
    """The rows of T of a body in time."""
    names, several = COMPONENT_NAMES[bases.system.space], T.shape[2] > 1
    rows = _rows(bases.system, body)
    curves = [
        Curve(f"{names[i]}" + (f", column {column + 1}" if several else ""), bases.t, T[:, row, column], ".")
        for i, row in enumerate(rows)
        for column in range(T.shape[2])
    ]
    return Panel(title, T_LABEL, curves, y_limits=(-1.05, 1.05), marks=marks)


def _kept(figure: Any, path: str | Path | None) -> Any:
    if path is not None:
        save(figure, Path(path))
    return figure
