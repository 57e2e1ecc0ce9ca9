"""Reactions over time as a figure may show them: numbers only where they are unique or a rule made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats
from reactio.errors import ReactioError, did_you_mean
from reactio.joint_reactions.data import GroupReaction
from reactio.linear.precision import ROUNDOFF
from reactio.simulation.trajectory import Trajectory

MOST_PLOTTED_INSTANTS = 150  # at which reactions are computed: each row is judged by itself
MOST_JOINTS = 8


@dataclass(frozen=True, slots=True, eq=False)
class PlottedLoad:
    """A force or moment over time: its size, or with its sign where it has one component only."""

    name: str
    size: Floats  # (k,) NaN where it is not unique and no rule was asked for
    signed: bool
    unique: NDArray[np.bool_]  # (k,)
    known: NDArray[np.bool_]  # (k,) where it has a number: it is unique, or a rule made it


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """Reactions of chosen joints, drives and couplings at rows of a run."""

    t: Floats  # (k,) [s]
    forces: tuple[PlottedLoad, ...]  # [N]
    moments: tuple[PlottedLoad, ...]  # [N m]
    masked: dict[str, NDArray[np.bool_]]  # (k,) for each of them that is not unique somewhere and has no number: where
    left_out: int  # joints that are not shown
    masked_left_out: int = 0  # that are not unique somewhere and not shown as such


def loads(run: Trajectory, select: Sequence[str] = ()) -> Loads:
    """The reactions of the selected joints, else of those with the largest ones."""
    if not run.system.m:
        return Loads(run.t, (), (), {}, 0)
    names = list(run.system.group_index)
    for name in select:
        if name not in names:
            raise ReactioError(f"There is no joint, drive or coupling '{name}'.{did_you_mean(name, names)}")
    rows = np.unique(np.linspace(0, len(run.t) - 1, min(len(run.t), MOST_PLOTTED_INSTANTS)).astype(int))
    found = run.reactions_at_rows([int(k) for k in rows])
    every = {name: [one[name] for one in found] for name in (select or names)}
    by_rule = {
        name: np.array([one.rule is not None and name not in one.motion.absent for one in found]) for name in every
    }
    forces, moments = (
        {name: _load(name, every[name], key, by_rule[name]) for name in every} for key in ("force", "moment")
    )
    chosen = list(select) or _largest(run.system.length, forces, moments)
    masked = {name: ~(forces[name].known & moments[name].known) for name in every}
    all_masked = [(name, where) for name, where in masked.items() if where.any()]
    masked = dict(all_masked[:MOST_JOINTS])
    shown = {*chosen, *masked}
    least = ROUNDOFF * max(float(np.abs(one.eqs.Q).max(initial=0.0)) for one in found)
    return Loads(
        run.t[rows],
        _some(forces, chosen, least),
        _some(moments, chosen, least),
        masked,
        len(every.keys() - shown),
        len(all_masked) - len(masked),
    )


def _largest(length: float, forces: dict[str, PlottedLoad], moments: dict[str, PlottedLoad]) -> list[str]:
    """The names of the largest reactions, in the order of the model; moments count by the characteristic length."""

    def size(name: str) -> float:
        force, moment = forces[name], moments[name]
        both = np.concatenate([force.size[force.known], moment.size[moment.known] / length])
        return float(np.abs(both).max(initial=0.0))

    largest = sorted(forces, key=size, reverse=True)[:MOST_JOINTS]
    return [name for name in forces if name in largest]


def _load(name: str, rows: list[GroupReaction], key: str, by_rule: NDArray[np.bool_]) -> PlottedLoad:
    values = [getattr(row, key) for row in rows]
    signed = len(values[0]) == 1
    size = np.array([float(x[0]) if signed else float(np.linalg.norm(x)) for x in values])
    split = [len(row.force) for row in rows]
    parts = [row.determined[:k] if key == "force" else row.determined[k:] for row, k in zip(rows, split, strict=True)]
    unique = np.array([all(part) for part in parts])
    return PlottedLoad(name, size, signed, unique, unique | by_rule)


def _some(found: dict[str, PlottedLoad], chosen: list[str], least: float) -> tuple[PlottedLoad, ...]:
    """The chosen ones that have numbers and are not zero but for rounding of loads."""
    sizes = {name: float(np.abs(found[name].size[found[name].known]).max(initial=0.0)) for name in chosen}
    return tuple(found[name] for name in chosen if sizes[name] > max(least, 1e-9 * max(sizes.values())))
