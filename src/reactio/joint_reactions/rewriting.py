"""Does a sharing rule give other reactions to the same mechanism in other units, or with joints in another order?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.joint_reactions.data import Reactions
from reactio.sharing import depends_on, problem
from reactio.sharing.rewritten import shares_rewritten
from reactio.system.constraints import components

# Differences below this part of the largest force are rounding: shares are known to 1e-16 times a condition of 1e9.
SHARE_ROUNDING = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """One component of a joint's reaction, in joint axes, of the model as given and of the model rewritten."""

    name: str
    component: str
    unit: str
    here: float  # as given
    there: float  # rewritten


@dataclass(frozen=True, slots=True, eq=False)
class Rewriting:
    """The reactions that a rule gives to the same mechanism rewritten: in other units, or in another order."""

    rule: str
    change: str  # a key of reactio.sharing.CHANGES
    words: str  # "in millimetres"
    values: tuple[Difference, ...]
    largest: Difference | None  # of all components; None where it is rounding

    def forces(self) -> dict[str, tuple[float, float]]:
        """The magnitude of the force of every joint [N], as given and rewritten."""
        sizes: dict[str, tuple[float, float]] = {}
        for value in self.values:
            if value.unit == "N":
                before, after = sizes.get(value.name, (0.0, 0.0))
                sizes[value.name] = (math.hypot(before, value.here), math.hypot(after, value.there))
        return sizes

    @property
    def sentence(self) -> str:
        """A warning in words; empty where nothing differs."""
        worst = self.largest
        if worst is None:
            return ""
        return (
            f"The numbers of the rule {self.rule} depend on how the mechanism is written: {self.words} "
            f"{worst.name}.{worst.component} would be {quantity(worst.there, worst.unit, 6)}, not "
            f"{quantity(worst.here, worst.unit, 6)}. "
            "The rule inertia does not depend on this; compliance is the physical choice."
        )


def rewritings(reactions: Reactions) -> tuple[Rewriting, ...]:
    """The reactions by the rule of ``reactions`` in millimetres and with joints in reverse order, if they may differ.

    Empty where no rule was asked for, or where the rule is invariant under both.  Empty for natural bodies too: rules
    are applied to the same mechanism in absolute coordinates, which the caller did not write.
    """
    eqs, rule = reactions.eqs, reactions.rule
    if rule is None or len(eqs.system.reacting) < len(eqs.system.groups):
        return ()
    task = problem(eqs.constraints, reactions.f, eqs.M, reactions.answer, reactions.motion.rounding)
    return tuple(
        _rewriting(reactions, rule, writing.change, writing.words, lam)
        for writing, lam in shares_rewritten(task, rule, depends_on(rule))
    )


def _rewriting(reactions: Reactions, rule: str, change: str, words: str, lam: Floats) -> Rewriting:
    """The comparison of multipliers λ (m,) of the mechanism rewritten with those of the one given."""
    values = []
    for group in reactions.eqs.system.reacting:
        rows, table = slice(group.start, group.stop), components(reactions.eqs, group)
        pairs = zip(table.labels, table.units, table.P @ reactions.balanced[rows], table.P @ lam[rows], strict=True)
        values += [Difference(group.name, c, u, float(x), float(y)) for c, u, x, y in pairs]
    size = max((abs(x) for value in values for x in (value.here, value.there)), default=0.0)
    worst = max(values, key=lambda value: abs(value.there - value.here), default=None)
    differs = worst is not None and abs(worst.there - worst.here) > SHARE_ROUNDING * size and np.isfinite(size)
    return Rewriting(rule, change, words, tuple(values), worst if differs else None)
