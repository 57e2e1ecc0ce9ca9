"""Sharing rules: distributions of load that a rigid model leaves undetermined; one file each, the registry.

Cᵀλ = f has the solutions λ₀ + N y.  Every rule chooses one of them, most the smallest in a metric of their own,
min λᵀWλ.  Unique reactions are the same under all rules; the others depend on the rule and are shown with its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.catalogue.registry import Registry
from reactio.catalogue.units import quantity
from reactio.errors import ReactioError, listed
from reactio.linear.precision import REFINED
from reactio.sharing.problem import Problem, problem

__all__ = [
    "CHANGES",
    "RULES",
    "Problem",
    "Rule",
    "Split",
    "Weights",
    "depends_on",
    "problem",
    "register",
    "rule_of",
    "share",
    "split",
    "weights",
    "with_unit",
]

# Part of the terms of Cᵀλ = f above which its residual is more than rounding: 1e-16 times the condition of a rank
# decision at 1e-9.
LARGEST_IMBALANCE = 1e-7
# Part of its terms to which the change of a component by undecided self-stresses must cancel for the component to be
# decided: null spaces are known to 4e-9, and the next sums that occur are of order one.
CANCELLED_CHANGE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A rule for a whole motion: min Σ W_i λ_i² with W_i = (c_i M⁻¹c_iᵀ)^power/kept_i²; λ_i = 0 where kept_i = 0."""

    kept: Floats  # (m,) 0, or 1 over the root of a further constant weight of the row
    power: float
    rule: str  # its full name, with choices that were made at the start of the motion


class Split(NamedTuple):
    """λ by a rule, and whether the rule chose it or stiffness determines it.

    Most rules choose one λ₀ + N y out of all; stiffness determines y, or the part of it along the self-stresses that
    deform some flexible part.  A component P λ that no undecided self-stress changes is then *determined by stiffness*.
    """

    lam: Floats  # (m,)
    undecided: Floats | None = None  # (m, k) self-stresses that stiffness leaves undecided; None: the rule chose λ

    @property
    def determined(self) -> bool:
        """Does stiffness determine λ, or a part of it?"""
        return self.undecided is not None

    def decided(self, rows: slice | Ints, P: Floats) -> Bools:
        """(k,) which components P (k, size) of the multipliers in ``rows`` have a number by the rule."""
        if self.undecided is None or not self.undecided.shape[1]:
            return np.ones(len(P), dtype=bool)
        U = self.undecided[rows]
        # Factors of 1e-17 are the rounding of axes, which may meet a self-stress where those of the component do not.
        P = np.where(np.abs(P) > REFINED * np.abs(P).max(axis=1, keepdims=True, initial=0.0), P, 0.0)
        change, terms = np.linalg.norm(P @ U, axis=1), np.abs(P) @ np.linalg.norm(U, axis=1)
        return np.asarray(change <= CANCELLED_CHANGE * terms)


# Changes in the description of a mechanism that do not change its motion.  A rule is invariant under one of them if the
# forces and moments that it gives to the joints stay the same.
CHANGES = {
    "row scaling": "each equation multiplied by a number of its own",
    "recombination": "the equations of a joint replaced by independent combinations of them",
    "axes": "the axes of a joint turned, as a revolute's x axis about its hinge line",
    "reference point": "the origin of a joint moved where it may, as a hinge along its line",
    "units": "lengths in millimetres instead of metres",
    "order": "joints listed in another order",
    "world": "the axes of the world turned, and all that is given in them with it",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to choose λ among all with Cᵀλ = f."""

    name: str
    doc: str
    W: str  # what it minimises, in words or symbols
    cite: str
    share: Callable[[Problem, str], Floats]  # the problem and the rule's argument → λ (m,)
    argument: str = ""  # what may follow the name after a colon; empty when nothing may
    weights: Callable[[Problem, str], Weights] | None = None  # for a motion that depends on it; None when it cannot
    # For a rule that stiffnesses of the model determine: λ as far as they do, with the self-stresses that stay open.
    determine: Callable[[Problem, str], Split] | None = None
    needs_argument: bool = False  # is it another rule's answer without an argument, and left out of tables?
    takes_unit: bool = False  # is its argument the unit of length in which rows are written?
    invariant: frozenset[str] = frozenset()  # the CHANGES that leave its forces and moments as they are

    @property
    def elastic(self) -> bool:
        """Does it need stiffnesses of the model?"""
        return self.determine is not None

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The CHANGES under which its forces and moments differ, though the mechanism is the same."""
        return tuple(change for change in CHANGES if change not in self.invariant)


RULES: Registry[Rule] = Registry("sharing rule", "reactio.sharing")
register = RULES.register


def rule_of(text: str) -> tuple[Rule, str]:
    """The rule and its argument from ``name`` or ``name:argument``.

    >>> rule_of("elimination:B.y,W4")[1]
    'B.y,W4'
    """
    name, colon, argument = text.partition(":")
    rule = RULES.get(name.strip())
    if colon and not rule.argument:
        raise ReactioError(f"The sharing rule '{rule.name}' takes nothing after its name; '{argument}' was given.")
    return rule, argument.strip()


def depends_on(text: str) -> tuple[str, ...]:
    """The CHANGES under which a rule with its argument gives other numbers: not units, where it names them.

    >>> "units" in depends_on("pseudoinverse"), "units" in depends_on("pseudoinverse:mm")
    (True, False)
    """
    rule, argument = rule_of(text)
    fixed = {"units"} if rule.takes_unit and argument else set()
    return tuple(change for change in rule.depends_on if change not in fixed)


def with_unit(text: str, unit: str) -> str:
    """The rule ``text`` with its rows in another unit of length; refused where the rule does not depend on units."""
    rule, argument = rule_of(text)
    if not rule.takes_unit:
        able = ", ".join(other.name for other in RULES.values() if other.takes_unit)
        why = "its numbers do not depend on units" if "units" in rule.invariant else "it takes no unit"
        raise ReactioError(
            f"--units: the sharing rule '{rule.name}' cannot work in {unit}: {why}. Rules that can: {able}."
        )
    if argument and argument != unit:
        raise ReactioError(f"--units {unit}: the rule {text} names another unit of length; leave one of them out.")
    return f"{rule.name}:{unit}"


def by_compliance(text: str | None) -> bool:
    """Does a rule split by compliance?  Bodies then move as rigid ones, and deform statically.

    >>> by_compliance("compliance:rigid:platform"), by_compliance("inertia"), by_compliance(None)
    (True, False, False)
    """
    return text is not None and rule_of(text)[0].elastic


def weights(problem: Problem, text: str) -> Weights:
    """The weights of the rows along a motion by the rule ``text``."""
    rule, argument = rule_of(text)
    if rule.weights is None:
        able = ", ".join(other.name for other in RULES.values() if other.weights is not None)
        raise ReactioError(
            f"The sharing rule '{rule.name}' does not weigh one row at a time, so a motion cannot depend on it. "
            f"Choose one of: {able}."
        )
    return rule.weights(problem, argument)


def _refuse_wrong_signs(problem: Problem, lam: Floats, text: str) -> None:
    """An error where a rule that does not look at signs gives a negative force to a contact, cable or strut."""
    rows = np.array(problem.matrix.rows.unilateral, dtype=np.int64)
    pull = rows[lam[rows] < -LARGEST_IMBALANCE * np.abs(lam).max(initial=0.0)]
    if len(pull):
        names = [
            group.name for group in problem.matrix.rows.groups if ((pull >= group.start) & (pull < group.stop)).any()
        ]
        raise ReactioError(
            f"The sharing rule '{text}' pulls in {listed(names, most=5)}, which can only push (or pushes where a cable "
            "can only pull). Rules that minimise a norm keep the signs: null-space, pseudoinverse, inertia."
        )


def _one_for_each_row(given: object, m: int, text: str) -> Floats:
    """The multipliers that a rule gives, as an array (m,)."""
    try:
        lam = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise ReactioError(f"The sharing rule '{text}' gives {given!r:.60}; λ, {m} numbers, is needed.") from None
    if lam.shape != (m,):
        raise ReactioError(
            f"The sharing rule '{text}' gives an array of the shape {lam.shape}; λ has one number for each of the {m} "
            "rows of C."
        )
    return lam


def share(problem: Problem, text: str) -> Floats:
    """λ (m,) by the rule ``text``, in the caller's rows; it is checked that Cᵀλ = f."""
    rule, argument = rule_of(text)
    return _checked(problem, rule.share(problem, argument), text)


def split(problem: Problem, text: str) -> Split:
    """λ by the rule ``text`` as ``share`` gives it; where stiffness determines only a part of λ, that part."""
    rule, argument = rule_of(text)
    if rule.determine is None:
        return Split(share(problem, text))
    lam, undecided = rule.determine(problem, argument)
    assert undecided is not None
    return Split(_checked(problem, lam, text), problem.answer.in_given_order(undecided))


def _checked(problem: Problem, given: object, text: str) -> Floats:
    """λ (m,) as a rule gives it, in the caller's rows; an error where Cᵀλ ≠ f or a contact would pull."""
    lam = _one_for_each_row(given, len(problem.Dr), text)
    Ct, f = problem.equilibrium
    y = lam / problem.Dr
    wrong = np.abs(Ct @ y - f).max(initial=0.0)
    if not wrong <= LARGEST_IMBALANCE * (abs(Ct) @ np.abs(y) + np.abs(f)).max(initial=0.0) + problem.f_rounding:
        raise ReactioError(
            f"The sharing rule '{text}' does not balance the loads: {quantity(wrong, 'N', 3)} are left. Either f = Q "
            "− M v̇ does not belong to these constraints, or they are so nearly dependent that this rule cannot tell."
        )
    _refuse_wrong_signs(problem, lam, text)
    return problem.answer.in_given_order(lam)
