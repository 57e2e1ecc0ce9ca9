"""Singular poses on the command line: those a run has passed in words, and branches as a start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reactio.cli.common import plural
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.arrays import Floats
    from reactio.singular.passed import Passed
    from reactio.system.types import State, System

SHOWN = 6  # passages that are printed


def passed_words(passed: Passed) -> str:
    """The singular poses of a run in a sentence."""
    if passed.note or not passed.found:
        return passed.note or "No singular pose was passed."
    count, opened = len(passed.found), {one.motions for one in passed.found}
    alike = f", where {plural(opened.pop(), 'motion opens', 'motions open')}" if len(opened) == 1 else ""
    times = [f"{one.t:.6f}" + ("" if alike else f" ({one.motions:+})") for one in passed.found[:SHOWN]]
    what = alike or ", with the number of motions that open"
    more = f", … and {count - SHOWN:,} more (--json lists them)" if count > SHOWN else ""
    return f"{plural(count, 'singular pose')} passed{what}: t = {', '.join(times)} s{more}."


def start_on(system: System, number: int | None, speed: float | None, *, resumed: bool) -> State | None:
    """A start on one of the branches of the pose of the model, if one is asked for."""
    if number is None:
        if speed is not None:
            raise ReactioError("--speed goes with --branch; else initial velocities are those of the model.")
        return None
    if resumed:
        raise ReactioError("--resume goes on where the run is; leave out --branch.")
    from reactio.dynamics.assemble import start
    from reactio.singular.branches import branches
    from reactio.singular.starts import on_branch

    pose = start(system)
    found = branches(system, pose)
    if number > len(found):
        raise ReactioError(f"There is no branch {number}. {choice(system)}")
    branch = found[number - 1]
    if not branch.driven:
        return on_branch(system, pose, branch, 1.0 if speed is None else speed)
    if speed is not None:
        raise ReactioError(f"--speed: drives set the pace along branch {number}; leave it out.")
    return on_branch(system, pose, branch)


@contextmanager
def offering(system: System) -> Iterator[None]:
    """A start at rest in a singular pose is refused with the branches there are."""
    from reactio.dynamics.branch import SingularStart

    try:
        yield
    except SingularStart as error:
        raise ReactioError(f"{error} {choice(system)}") from None


def choice(system: System) -> str:
    """The branches of the pose of a model in words, with the option that picks one."""
    from reactio.singular.branches import branches

    ways = []
    for k, branch in enumerate(branches(system)):
        moving = [b.name for b in system.model.bodies if _moves(system, branch.direction, b.name)]
        ways.append(f"{k + 1} ({branch.status}): {', '.join(moving)} move")
    return f"The pose has {plural(len(ways), 'branch', 'branches')}. {'; '.join(ways)}. Pick one with --branch."


def _moves(system: System, direction: Floats, body: str) -> bool:
    """Does a body move along a direction of unit size?"""
    b = system.model.body_index[body]
    own = direction[system.body_v[b] : system.body_v[b + 1]]
    return bool(abs(own).max(initial=0.0) > 1e-6 * abs(direction).max())
