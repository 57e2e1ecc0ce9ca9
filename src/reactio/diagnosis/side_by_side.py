"""Two sets of reactions side by side, of two models or of one model by two rules: verdicts and numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reactio.joint_reactions.data import Reactions
from reactio.system.constraints import LABELS, UNITS

SAME_NUMBER = 1e-9  # part of the largest number within which two numbers are the same but for rounding


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """One component of a reaction in joint axes, on both sides; None where it is open or absent."""

    name: str
    component: str
    unit: str
    verdicts: tuple[str, str]  # of the joint; empty where a side does not have it
    there: tuple[bool, bool]  # has the joint this component?  A pin of the plane has no force along its axis
    unique: tuple[bool, bool]  # is this component determined?
    values: tuple[float | None, float | None]
    differs: bool


def side_by_side(here: Reactions, there: Reactions) -> tuple[ComparedPart, ...]:
    """Every component of every joint, drive and coupling on either side, in joint axes.

    >>> import reactio
    >>> door = [reactio.reactions(reactio.equations(reactio.build(reactio.load("door", hinges=k)))) for k in (1, 2)]
    >>> (Fz,) = (part for part in side_by_side(*door) if (part.name, part.component) == ("hinge1", "Fz"))
    >>> round(Fz.values[0], 9), Fz.values[1]
    (245.25, None)
    """
    names = dict.fromkeys((*here, *there))
    sides = [{name: _parts(found, name) for name in found} for found in (here, there)]
    every = [value for side in sides for parts in side.values() for _, _, value in parts.values() if value is not None]
    noise = SAME_NUMBER * max(map(abs, every), default=0.0)
    listed = []
    for name in names:
        verdicts = tuple(found[name].words if name in found else "" for found in (here, there))
        for label in dict.fromkeys(label for side in sides for label in side.get(name, {})):
            has = (label in sides[0].get(name, {}), label in sides[1].get(name, {}))
            pair = [side.get(name, {}).get(label, ("", False, None)) for side in sides]
            a, b = pair[0][2], pair[1][2]
            moved = (a is None) != (b is None) or (a is not None and b is not None and abs(a - b) > noise)
            unique = (pair[0][1], pair[1][1])
            differs = moved or unique[0] != unique[1] or has[0] != has[1]
            unit = pair[0][0] or pair[1][0]
            listed.append(ComparedPart(name, label, unit, (verdicts[0], verdicts[1]), has, unique, (a, b), differs))
    return tuple(listed)


def _parts(found: Reactions, name: str) -> dict[str, tuple[str, bool, float | None]]:
    """Unit, uniqueness and value of each component that the joint can transmit."""
    one, space = found[name], found.eqs.system.space
    labels, units = LABELS[space], UNITS[space]
    if found.eqs.system.group(name).frames is None:
        labels, units = (("F",), ("N",)) if one.force.size else (("M",), ("N m",))
    values = (*one.force_in_joint.tolist(), *one.moment_in_joint.tolist())
    present = {part.name for part in found.answer[name].components} if len(labels) > 1 else set(labels)
    return {
        label: (unit, known, value if math.isfinite(value) else None)
        for label, unit, known, value in zip(labels, units, one.determined_in_joint, values, strict=True)
        if label in present
    }
