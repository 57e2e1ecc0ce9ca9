"""Branches of motion at a singular pose, in words and as data."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from reactio.results.as_data import picked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reactio.singular.second_order.branches import Branch
    from reactio.system.types import State, System

DRIVE_WORDS = {None: None, True: "runs", False: "stands"}
MOST_FREEDOMS = 4  # of a branch that are described one by one


def numbered(branches: Iterable[Branch]) -> list[tuple[str, Branch]]:
    """Branches with their numbers for `simulate --branch`; infinitesimal ones have none."""
    from reactio.singular.second_order.spheres import BranchStatus

    counter = count(1)
    return [("" if branch.status is BranchStatus.INFINITESIMAL else str(next(counter)), branch) for branch in branches]


def branch_data(system: System, state: State, branch: Branch) -> dict[str, Any]:
    """A branch as data, for JSON."""
    from reactio.singular.words import body_velocities, motion_words

    return {
        **picked(branch, "status contact_order=contact dimension both_ways shaky curved"),
        "drive": DRIVE_WORDS[branch.driven],
        "bodies": body_velocities(system, state, branch.direction),
        "words": motion_words(system, state, branch.direction),
        "freedoms": [motion_words(system, state, v) for v in branch.basis.T],
    }


def branch_lines(system: System, state: State, branch: Branch) -> list[str]:
    """A branch in words: the motion along it, and each of its freedoms where there are several."""
    from reactio.singular.words import motion_words

    drive = DRIVE_WORDS[branch.driven]
    words = branch.status + (f", drive {drive}" if drive else "")
    words += "" if branch.contact is None else f", contact of order {branch.contact:.3g} with another"
    words += ", to one side only" if branch.contact is not None and not branch.both_ways else ""
    direction = motion_words(system, state, branch.direction)
    if branch.dimension < 2:
        return [f"{words}: {direction}"]
    first = (
        [f"{words}, {branch.dimension} freedoms: {direction}"]
        if drive == "runs"
        else [f"{words}, {branch.dimension} freedoms"]
    )
    return first + [f"  freedom: {motion_words(system, state, v)}" for v in branch.basis.T[:MOST_FREEDOMS]]
