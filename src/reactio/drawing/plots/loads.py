"""Reactions over time as a figure may show them: numbers only where they are unique or a rule made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import in_units
from reactio.errors import ReactioError, did_you_mean
from reactio.joint_reactions.data import Basis, GroupReaction
from reactio.linear.precision import ROUNDOFF
from reactio.simulation.peaks import instants_of_peaks
from reactio.simulation.trajectory import Trajectory

MOST_JOINTS = 8


@dataclass(frozen=True, slots=True, eq=False)
class PlottedLoad:
    """A force or moment over time: its size, or with its sign where it has one component only."""

    name: str
    size: Floats  # (k,) NaN where it is not unique and no rule was asked for
    signed: bool
    unique: NDArray[np.bool_]  # (k,)
    by_stiffness: NDArray[np.bool_]  # (k,) does the stiffness that was given determine it?
    known: NDArray[np.bool_]  # (k,) where it has a number: it is unique, by stiffness, or a rule made it


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """Reactions of chosen joints, drives and couplings at rows of a run."""

    t: Floats  # (k,) [s]
    forces: tuple[PlottedLoad, ...]  # [N], or as the file has it
    moments: tuple[PlottedLoad, ...]  # [N m], likewise
    masked: dict[str, NDArray[np.bool_]]  # (k,) where those without a number are not unique, most rows first
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
    t, instants = instants_of_peaks(run)
    every = {name: [reactions[name] for reactions in instants] for name in (select or names)}
    forces, moments = ({name: _load(name, every[name], key) for name in every} for key in ("force", "moment"))
    chosen = list(select) or _largest(run.system.length, forces, moments)
    masked = {name: ~(forces[name].known & moments[name].known) for name in every}
    all_masked = sorted(
        ((name, where) for name, where in masked.items() if where.any()), key=lambda item: -item[1].sum()
    )
    masked = dict(all_masked[:MOST_JOINTS])
    shown = {*chosen, *masked}
    least = ROUNDOFF * max(float(np.abs(reactions.eqs.Q).max(initial=0.0)) for reactions in instants)
    return Loads(
        t,
        _some(forces, chosen, least, "N"),
        _some(moments, chosen, least, "N m"),
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


def _load(name: str, rows: list[GroupReaction], key: str) -> PlottedLoad:
    values = [getattr(row, key) for row in rows]
    signed = len(values[0]) == 1
    size = np.array([float(x[0]) if signed else float(np.linalg.norm(x)) for x in values])
    split = [len(row.force) for row in rows]
    spans = [slice(None, k) if key == "force" else slice(k, None) for k in split]
    bases = [row.bases(ReactionAxes.WORLD)[span] for row, span in zip(rows, spans, strict=True)]
    unique = np.array([all(basis == Basis.UNIQUE for basis in part) for part in bases])
    decided = np.array([all(basis in (Basis.UNIQUE, Basis.STIFFNESS) for basis in part) for part in bases])
    return PlottedLoad(name, size, signed, unique, decided & ~unique, np.isfinite(size))


def _some(loads: dict[str, PlottedLoad], chosen: list[str], least: float, unit: str) -> tuple[PlottedLoad, ...]:
    """The chosen ones that have numbers and are not zero but for rounding of loads, in the units of the file."""
    sizes = {name: float(np.abs(loads[name].size[loads[name].known]).max(initial=0.0)) for name in chosen}
    shown = [loads[name] for name in chosen if sizes[name] > max(least, 1e-9 * max(sizes.values()))]
    return tuple(replace(load, size=in_units(load.size, unit)) for load in shown)
