"""Singular poses on the command line: those that a run passed, in words, and starts on branches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reactio.catalogue.units import in_si, quantity
from reactio.cli.output.printing import plural
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.arrays import Floats
    from reactio.simulation.passages import PassedSingularities
    from reactio.system.types import State, System

MOST_PASSAGES_SHOWN = 6  # in a sentence; --json lists all
BRANCH_REACH = 0.01  # default distance of a start on a branch from the singular pose [characteristic lengths]


def passed_words(passed: PassedSingularities) -> str:
    """The singular poses of a run in a sentence."""
    if passed.note or not passed.found:
        return passed.note or "No singular pose was passed."
    count, opened = len(passed.found), {passage.motions for passage in passed.found}
    alike = f", where {plural(opened.pop(), 'motion opens', 'motions open')}" if len(opened) == 1 else ""
    times = [
        f"{passage.t:.6f}" + ("" if alike else f" ({passage.motions:+})")
        for passage in passed.found[:MOST_PASSAGES_SHOWN]
    ]
    what = alike or ", with the number of motions that open"
    more = f", … and {count - MOST_PASSAGES_SHOWN:,} more (--json lists them)" if count > MOST_PASSAGES_SHOWN else ""
    return f"{plural(count, 'singular pose')} passed{what}: t = {', '.join(times)} s{more}."


def start_on(
    system: System, number: int | None, speed: float | None, reach: float | None = None, *, resumed: bool
) -> tuple[State | None, tuple[str, ...]]:
    """A start on one of the branches at the pose of the model, if one is asked for, with a note on its distance."""
    if number is None:
        if speed is not None or reach is not None:
            name = "--reach" if speed is None else "--speed"
            raise ReactioError(f"{name} needs --branch; without it, pose and velocities are those of the model.")
        return None, ()
    if resumed:
        raise ReactioError("--resume continues from the end of the run; leave out --branch.")
    from reactio.kinematics.assemble import initial_state
    from reactio.singular.second_order.branch_start import on_branch
    from reactio.singular.second_order.branches import branches

    pose = initial_state(system)
    known = branches(system, pose)
    if number > len(known):
        raise ReactioError(f"There is no branch {number}. {branch_choice(system)}")
    branch = known[number - 1]
    if branch.driven and speed is not None:
        raise ReactioError(f"--speed: drives set the pace along branch {number}; leave it out.")
    pace = None if branch.driven else 1.0 if speed is None else in_si(speed, "m/s")
    begin = on_branch(system, pose, branch, pace, reach=BRANCH_REACH if reach is None else reach)
    return begin, (_start_note(system, pose, begin, number),)


def _start_note(system: System, pose: State, begin: State, number: int) -> str:
    """A note on the distance of a start from the singular pose, by the body that has moved most."""
    import numpy as np

    from reactio.kinematics.body_state import body_state

    moves = {}
    for b, body in enumerate(system.model.bodies):
        old, new = (body_state(system, b, state.q, state.v) for state in (pose, begin))
        turn = float(np.linalg.norm(new.orientation - old.orientation)) * (2 if len(old.orientation) == 4 else 1)
        moves[body.name] = (float(np.linalg.norm(new.position - old.position)), turn)
    most = max(moves, key=lambda name: moves[name][0] + system.length * moves[name][1])
    distance, turn = moves[most]
    return (
        f"The run starts a short distance along branch {number}, not in the pose of the model: {most} has moved "
        f"most, by "
        f"{quantity(distance, 'm', 3)} and {quantity(turn, 'rad', 3)}. --reach sets how far."
    )


@contextmanager
def with_branches_listed(system: System) -> Iterator[None]:
    """Add the list of branches to the error that refuses a start at rest in a singular pose."""
    from reactio.forward_dynamics.branch_limit import SingularStart

    try:
        yield
    except SingularStart as error:
        raise ReactioError(f"{error} {branch_choice(system)}") from None


def branch_choice(system: System) -> str:
    """The branches at the pose of a model in words, with the option that selects one."""
    from reactio.singular.second_order.branches import branches

    listing = []
    for k, branch in enumerate(branches(system)):
        moving = [b.name for b in system.model.bodies if _moves(system, branch.direction, b.name)]
        listing.append(f"{k + 1} ({branch.status}): {', '.join(moving)} move")
    if not listing:
        return "The pose has no real branch."
    return f"The pose has {plural(len(listing), 'branch', 'branches')}. {'; '.join(listing)}. Pick one with --branch."


def _moves(system: System, direction: Floats, body: str) -> bool:
    """Does a body move along a direction of unit size?"""
    b = system.model.body_index[body]
    velocity = direction[system.body_v[b] : system.body_v[b + 1]]
    return bool(abs(velocity).max(initial=0.0) > 1e-6 * abs(direction).max())
