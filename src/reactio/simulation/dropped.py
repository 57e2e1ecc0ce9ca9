"""Elimination in the motion: equations left out of the model, and the effect on the mechanism."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from reactio.catalogue.units import quantity
from reactio.errors import ReactioError, listed
from reactio.joint_reactions.data import elimination_of
from reactio.sharing import problem
from reactio.sharing.elimination import chosen
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.build import build
from reactio.system.compile.dropped_rows import row_of
from reactio.system.equations import equations
from reactio.system.types import State, System
from reactio.uniqueness.engine import rank_decision

AUTOMATIC = "auto"  # as many equations as are redundant at the start, by pivoting


def with_dropped(system: System, names: Iterable[str], state: State) -> System:
    """The system without some equations; ``auto`` stands for as many as are redundant at a state."""
    wanted = tuple(part.strip() for name in names for part in name.split(",") if part.strip())
    if not wanted:
        raise ReactioError("No equation is named to be dropped; write B.z, or auto for as many as are redundant.")
    if AUTOMATIC in wanted:
        if len(wanted) > 1:
            raise ReactioError(f"Drop either the equations you name or {AUTOMATIC}, as many as are redundant.")
        eqs = equations(system, state)
        wanted = chosen(problem(eqs.constraints, np.zeros(system.n), eqs.mass, eqs.solvability))
    drop = tuple(dict.fromkeys((*system.model.drop, *wanted)))
    return build(replace(system.model, drop=drop), dropped=True).in_axes(system.axes)


def drops(system: System) -> bool:
    """Are the equations that the model of a system drops left out of it?"""
    return elimination_of(system) is not None


def dropped_words(system: System, state: State) -> tuple[str, ...]:
    """A note on the effect of dropped equations on the mechanism at a state."""
    if not drops(system):
        return ()
    names = listed(system.model.drop)
    of_all = rank_decision(equations(build(system.model), state).constraints)
    freer = of_all.rank - rank_decision(equations(system, state).constraints).rank if system.m else of_all.rank
    if freer:
        return (
            f"Dropped: {names}. This is another mechanism, with {freer} more freedom{'s' if freer > 1 else ''}: the "
            "equations were not redundant.",
        )
    return (
        f"Dropped: {names}. The equations are redundant at the start: as long as they are, the mechanism moves as "
        f"before. Their reactions are set to zero, and other joints carry their load: reactions depend on this choice.",
    )


def opening_words(run: Trajectory) -> tuple[str, ...]:
    """A note on how far the dropped equations were violated along a run: not at all where they were redundant."""
    if not drops(run.system) or not len(run.t):
        return ()
    full = build(run.system.model)
    rows = [row_of(full.groups, name) for name in run.system.model.drop]
    opening = np.abs([equations(full, run.state(k)).Phi[rows] for k in range(len(run.t))]).max(axis=0)
    worst = int(np.argmax(opening / full.row_scale[rows]))
    group = full.group_of_row(rows[worst])
    unit = group.units[rows[worst] - group.start]
    return (
        f"Dropped equations are violated by at most {quantity(opening[worst], unit, 2)} "
        f"({run.system.model.drop[worst]}).",
    )
