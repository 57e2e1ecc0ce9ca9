"""Two sets of reactions side by side, of two models or of one model by two rules: verdicts and numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from reactio.catalogue.places import ReactionAxes
from reactio.joint_reactions.component_history import component_history
from reactio.joint_reactions.data import Reactions
from reactio.linear.precision import DISPLAY


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """One component of a reaction, on both sides; None where it is open or absent."""

    name: str
    component: str
    unit: str
    verdicts: tuple[str, str]  # of the joint; empty where a side does not have it
    there: tuple[bool, bool]  # has the joint this component?  A pin of the plane has no force along its axis
    unique: tuple[bool, bool]  # is this component determined?
    by_stiffness: tuple[bool, bool]  # does the stiffness that was given determine this component?
    values: tuple[float | None, float | None]
    differs: bool


class PartOnOneSide(NamedTuple):
    """One component of a reaction; ``value`` is None where it is open."""

    unit: str
    unique: bool
    by_stiffness: bool
    value: float | None


def side_by_side(
    left: Reactions, right: Reactions, axes: ReactionAxes = ReactionAxes.JOINT
) -> tuple[ComparedPart, ...]:
    """Every component of every joint, drive and coupling on either side, in joint or world axes.

    >>> import reactio
    >>> door = [reactio.reactions(reactio.equations(reactio.build(reactio.load("door", hinges=k)))) for k in (1, 2)]
    >>> (Fz,) = (part for part in side_by_side(*door) if (part.name, part.component) == ("hinge1", "Fz"))
    >>> round(Fz.values[0], 9), Fz.values[1]
    (245.25, None)
    """
    names = dict.fromkeys((*left, *right))
    sides = [{name: _parts(reactions, name, axes) for name in reactions} for reactions in (left, right)]
    every = [
        part.value for side in sides for parts in side.values() for part in parts.values() if part.value is not None
    ]
    noise = DISPLAY * max(map(abs, every), default=0.0)
    compared = []
    for name in names:
        verdicts = (left[name].state if name in left else "", right[name].state if name in right else "")
        first, second = (side.get(name, {}) for side in sides)
        for label in dict.fromkeys((*first, *second)):
            compared.append(_compared(name, label, verdicts, first.get(label), second.get(label), noise))
    return tuple(compared)


def _compared(
    name: str, label: str, verdicts: tuple[str, str], a: PartOnOneSide | None, b: PartOnOneSide | None, noise: float
) -> ComparedPart:
    """A component on both sides, of which one may not have it; numbers that differ by ``noise`` are the same."""
    unit = next(part.unit for part in (a, b) if part is not None)
    has, absent = (a is not None, b is not None), PartOnOneSide(unit, unique=False, by_stiffness=False, value=None)
    part_a, part_b = a or absent, b or absent
    x, y = part_a.value, part_b.value
    moved = (x is None) != (y is None) or (x is not None and y is not None and abs(x - y) > noise)
    differs = moved or part_a.unique != part_b.unique or has[0] != has[1]
    unique, stiff = (part_a.unique, part_b.unique), (part_a.by_stiffness, part_b.by_stiffness)
    return ComparedPart(name, label, unit, verdicts, has, unique, stiff, (x, y), differs)


def _parts(reactions: Reactions, name: str, axes: ReactionAxes) -> dict[str, PartOnOneSide]:
    """The components that the joint can transmit."""
    system = reactions.eqs.system
    labels, units, values, known, stiff = component_history(system.in_axes(axes), name, [reactions])
    framed = system.group(name).frames is not None
    present = {part.name for part in reactions.answer[name].components} if framed else set(labels)
    return {
        label: PartOnOneSide(unit, bool(sure), bool(by), float(value) if math.isfinite(value) else None)
        for label, unit, sure, by, value in zip(labels, units, known[0], stiff[0], values[0], strict=True)
        if label in present
    }
