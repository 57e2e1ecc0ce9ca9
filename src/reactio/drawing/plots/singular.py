"""Singular configurations in pictures: singular values in time, and what each configuration admits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.annotations import make_room
from reactio.drawing.camera import view
from reactio.drawing.figure import Sheet, paint
from reactio.drawing.frames import placed
from reactio.drawing.plots.style import COLOURS, canvas, save
from reactio.drawing.scene import scene
from reactio.kinematics.body_state import body_state
from reactio.singular.passages.singularities import Singularities, Singularity
from reactio.system.equations import equations
from reactio.system.types import State, System

MOST_CONFIGURATIONS = 6  # configurations that are drawn
ORDINALS = ("smallest", "2nd smallest", "3rd smallest", "4th smallest")
DRAWN_MOTION = 0.25  # of the fastest body in a picture [characteristic lengths]
CONTINUED_COLOUR, NEW_COLOUR = COLOURS[:2]  # of the motion that goes on, and of the others


def plot_singularities(singularities: Singularities, path: str | Path | None = None) -> Any:
    """Singular values in time with the events, then one picture for each event."""
    shown = singularities.events[:MOST_CONFIGURATIONS]
    columns = max(1, min(3, len(shown)))
    figure, grid = canvas(1 + -(-len(shown) // columns), columns, 4.8 if len(shown) > 1 else 7.0)
    _values(figure.add_subplot(grid[0, :]), singularities)
    for k, event in enumerate(shown):
        _configuration(figure.add_subplot(grid[1 + k // columns, k % columns]), singularities.system, event)
    if len(singularities.events) > len(shown):
        figure.supxlabel(f"{len(singularities.events) - len(shown)} more configurations are not drawn", fontsize=8)
    if path is not None:
        save(figure, Path(path))
    return figure


def _values(top: Any, singularities: Singularities) -> None:
    """The smallest singular values over time, each with its name, and a line with its time at every event."""
    t, sigma = with_events(singularities)
    for k, column in enumerate(np.atleast_2d(sigma.T)):
        label = ORDINALS[k] if k < len(ORDINALS) else f"{k + 1}th smallest"
        top.plot(t, column, linewidth=1.0 if k else 1.6, color=COLOURS[k % len(COLOURS)], label=label)
    for event in singularities.events:
        top.axvline(event.t, color="0.5", linestyle=":", linewidth=1)
    for event in singularities.events[:MOST_CONFIGURATIONS]:
        top.annotate(
            f"t = {event.t:.4g} s", (event.t, 0.98), xycoords=("data", "axes fraction"), rotation=90, fontsize=7,
            ha="right", va="top", color="0.35",
        )  # fmt: skip
    top.set_title(f"{singularities.system.model.name}: singular values of C, equilibrated", fontsize=10)
    top.set(xlabel="t [s]", ylabel="σ [1]", ylim=(0, None))
    top.grid(alpha=0.25)
    top.spines[["top", "right"]].set_visible(False)
    top.legend(fontsize=7, loc="best", framealpha=0.8, edgecolor="none")


def with_events(singularities: Singularities) -> tuple[Floats, Floats]:
    """Times (k,) and singular values (k, j) with a row at every event, where as many are 0 as the rank has dropped."""
    at = np.array([event.t for event in singularities.events])
    interpolated = np.array([np.interp(at, singularities.t, column) for column in singularities.sigma.T]).T.reshape(
        len(at), singularities.sigma.shape[1]
    )
    for row, event in zip(interpolated, singularities.events, strict=True):
        row[: singularities.rank - event.rank_at] = 0.0
    t = np.concatenate([singularities.t, at])
    order = np.argsort(t, kind="stable")
    return t[order], np.concatenate([singularities.sigma, interpolated])[order]


def _configuration(axis: Any, system: System, event: Singularity) -> None:
    """The pose with its bodies displaced along the motion that goes on, and along the others that are admissible."""
    eqs = equations(system, State(event.t, event.state.q, np.zeros(system.n)))
    drawn = scene(eqs)
    paint(axis, Sheet(drawn, placed(eqs), tuple(system.model.body_index)), system.model.gravity)
    V = view(drawn.space, drawn.up)
    for k, v in enumerate(event.continued.T):
        _displaced(axis, V, system, event.state, v, CONTINUED_COLOUR, "" if k else "goes on")
    for k, v in enumerate(event.new.T):
        _displaced(axis, V, system, event.state, v, NEW_COLOUR, "" if k else f"also admissible: {event.verdict}")
    make_room(axis, True, 0)
    axis.set_title(f"t = {event.t:.6g} s, rank {event.rank_at}", fontsize=9)
    axis.legend(fontsize=7, frameon=False, loc="upper center", bbox_to_anchor=(0.5, 0.0))


def _displaced(axis: Any, V: Floats, system: System, state: State, v: Floats, colour: str, label: str) -> None:
    """Each body as a line through its joints, displaced to first order along a motion."""
    for b in range(len(system.model.bodies)):
        points = _points(system, state, v, b)
        if len(points):
            flat = np.column_stack([points, np.zeros((len(points), 3 - points.shape[1]))]) @ V[:2].T
            axis.plot(*flat.T, "o-", color=colour, markersize=3, linewidth=1.3, label=label, zorder=40)
            label = ""


def _points(system: System, state: State, v: Floats, b: int) -> Floats:
    """The joints of a body, moved with it."""
    F = equations(system, State(state.t, state.q, np.zeros(system.n))).work.F
    size = system.dimension
    frames = [g.frames[g.bodies.index(b)] for g in system.groups if g.frames is not None and b in g.bodies]
    body, points = body_state(system, b, state.q, v), F[frames, :size]
    arms, w = points - body.position, body.angular_velocity
    if not w.size:
        turned = np.zeros_like(arms)
    else:
        turned = w[0] * np.stack([-arms[:, 1], arms[:, 0]], axis=1) if size == 2 else np.cross(w, arms)
    moved = body.velocity + turned
    largest = np.abs(v).max()
    moved_points = points + (DRAWN_MOTION * system.length / largest * moved if largest > 0 else 0.0)
    return np.asarray(moved_points)
