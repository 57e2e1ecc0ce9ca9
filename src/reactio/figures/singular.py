"""Singular configurations in pictures: singular values in time, and what each configuration admits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.figures.style import canvas, save
from reactio.kinematics.body_state import seen
from reactio.singular.passages.singularities import Singularities, Singularity
from reactio.system.equations import equations
from reactio.system.types import State, System

MOST = 6  # configurations that are drawn
SWING = 0.25  # characteristic lengths that the quickest body is displaced by in a picture
VIEW = np.array([[0.9, 0.0], [-0.4, -0.3], [0.0, 1.0]])  # how space is laid on paper


def plot_singularities(found: Singularities, path: str | Path | None = None) -> Any:
    """Singular values in time with the events, then one picture for each event."""
    shown = found.events[:MOST]
    columns = max(1, min(3, len(shown)))
    figure, grid = canvas(1 + -(-len(shown) // columns), columns)
    top = figure.add_subplot(grid[0, :])
    top.plot(found.t, found.sigma, linewidth=1)
    for event in found.events:
        top.axvline(event.t, color="0.5", linestyle=":", linewidth=1)
    top.set(title=f"{found.system.model.name}: smallest singular values of C", xlabel="t [s]", ylim=(0, None))
    for k, event in enumerate(shown):
        _configuration(figure.add_subplot(grid[1 + k // columns, k % columns]), found.system, event)
    if path is not None:
        save(figure, Path(path))
    return figure


def _configuration(axis: Any, system: System, event: Singularity) -> None:
    """The pose with its bodies displaced along the motion that goes on, and along the others that are admissible."""
    _draw(axis, system, event.state, np.zeros(system.n), "0.6", "")
    for k, v in enumerate(event.continued.T):
        _draw(axis, system, event.state, v, "tab:blue", "" if k else "goes on")
    for k, v in enumerate(event.new.T):
        _draw(axis, system, event.state, v, "tab:red", "" if k else f"also admissible: {event.verdict}")
    axis.set_title(f"t = {event.t:.6g} s, rank {event.rank_at}", fontsize=9)
    axis.set_aspect("equal", adjustable="datalim")
    axis.legend(fontsize=6, loc="upper right")


def _draw(axis: Any, system: System, state: State, v: Floats, colour: str, label: str) -> None:
    """Each body as a line through its joints, displaced to first order along a motion."""
    for b in range(len(system.model.bodies)):
        points = _points(system, state, v, b)
        if len(points):
            axis.plot(points[:, 0], points[:, 1], "o-", color=colour, markersize=3, linewidth=1.2, label=label)
            label = ""


def _points(system: System, state: State, v: Floats, b: int) -> Floats:
    """The joints of a body on paper, moved with it."""
    F = equations(system, State(state.t, state.q, np.zeros(system.n))).work.F
    size = 2 if system.space == "planar" else 3
    frames = [g.frames[g.bodies.index(b)] for g in system.groups if g.frames is not None and b in g.bodies]
    body, points = seen(system, b, state.q, v), F[frames, :size]
    arms, w = points - body.position, body.angular_velocity
    if not w.size:
        turned = np.zeros_like(arms)
    else:
        turned = w[0] * np.stack([-arms[:, 1], arms[:, 0]], axis=1) if size == 2 else np.cross(w, arms)
    moved = body.velocity + turned
    largest = np.abs(v).max()
    placed = points + (SWING * system.length / largest * moved if largest > 0 else 0.0)
    return np.asarray(placed if size == 2 else placed @ VIEW)
