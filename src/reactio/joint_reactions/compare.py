"""Every sharing rule side by side: why two programs disagree, and where they cannot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import Accelerations, accelerations
from reactio.forward_dynamics.friction_check import undecided
from reactio.forward_dynamics.multipliers import splitter
from reactio.joint_reactions.at_state import constrained, equations_of, refuse_unknown_masses
from reactio.kinematics.assemble import initial_state
from reactio.kinematics.source import system_and_state
from reactio.model.contacts import may_stand_open
from reactio.model.model import Model
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.sharing import RULES, Split, by_compliance, problem, rule_of, weights
from reactio.system.constraints import components
from reactio.system.elasticity.compliance import elasticity, has_elastic_parts
from reactio.system.equations import Equations, equations
from reactio.system.types import RowGroup, State, System
from reactio.uniqueness import Solvability


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonRow:
    """One component of a reaction in joint axes, as every rule gives it."""

    group: str
    component: str  # Fx, Mz, …
    unit: str
    unique: bool | None  # None where that cannot be decided
    values: Floats  # one per rule of the table; NaN where there is no reaction
    by_stiffness: tuple[bool, ...]  # one per rule: do stiffnesses of the model determine the value?

    @property
    def spread(self) -> float:
        """Largest difference between two rules."""
        return float(np.ptp(self.values))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Tabular):
    """A table of reactions: rows are components, columns are rules."""

    rules: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    refused: tuple[tuple[str, str], ...]  # rules that do not apply here, with the reason
    answer: Solvability

    def of(self, group: str) -> tuple[ComparisonRow, ...]:
        """The rows of one joint, drive or coupling."""
        return tuple(row for row in self.rows if row.group == group)

    def table(self) -> ResultTable:
        """Every component by every rule."""
        heads = ("name", "component", "unit", "unique", *self.rules)
        rows = [(row.group, row.component, row.unit, row.unique, *row.values.tolist()) for row in self.rows]
        return table_of(f"Reactions by {len(self.rules)} rules", heads, rows, 2, self.rules)


@dataclass(frozen=True)
class _RulesAt:
    """The equations at which rules are compared, with the verdicts there."""

    eqs: Equations
    answer: Solvability
    given: Accelerations | None = None  # where this instant alone does not determine them

    @cached_property
    def decided(self) -> bool:
        """Does no friction depend on reactions that are not unique?"""
        return not undecided(self.eqs, self.answer)

    @cached_property
    def motion(self) -> Accelerations | None:
        """The accelerations, where they do not depend on the rule."""
        return self.given or (accelerations(self.eqs) if self.decided else None)

    def split(self, rule: str) -> Split:
        """The multipliers by a rule."""
        eqs, answer = self.eqs, self.answer
        if not self.decided:
            weights(
                problem(eqs.constraints, np.zeros(eqs.system.n), eqs.M, answer, None, lambda: elasticity(eqs)), rule
            )
        return splitter(eqs, self.motion or accelerations(eqs, rule=rule), answer)(rule)

    def bears(self, name: str) -> bool:
        """Has a part of that name a reaction here?"""
        return name in self.eqs.system.group_index and (self.motion is None or name not in self.motion.absent)


def compare(
    source: Model | System | Equations,
    rules: Iterable[str] | None = None,
    *,
    state: State | None = None,
    answer: Solvability | None = None,
    motion: Accelerations | None = None,
    yielding: Equations | None = None,
) -> Comparison:
    """The reactions of every group under every rule (default: all that are registered).

    ``source``, ``state``, ``answer`` and ``motion`` as in ``reactions``. Where friction depends on reactions that are
    not unique, only rules that a motion can depend on apply. Parts that carry load only when others yield have a
    reaction by stiffness, and 0 by rules of the rigid pose. ``yielding``: the equations with these parts, which are
    derived if the source is a model.

    >>> import reactio
    >>> table = compare(reactio.load("pendulum-twice"), ["inertia", "elimination"])
    >>> [(row.group, row.unique, row.values.round(1).tolist()) for row in table.rows if row.component == "N"]
    [('rod1', False, [3.5, 6.9]), ('rod2', False, [3.5, 0.0])]
    """
    eqs = _rigid_equations(source, state)
    constrained(eqs)
    refuse_unknown_masses(eqs.system.model)
    rigid = _RulesAt(eqs, eqs.solvability if answer is None else answer, motion)
    shown, splits, refused = rigid, dict[str, tuple[_RulesAt, Split]](), []
    model = source if isinstance(source, Model) else (yielding or eqs).system.model
    for rule in _applicable(model) if rules is None else rules:
        rule_of(rule)  # an unknown name is the caller's error, not a rule that does not apply
        try:
            where = _giving_way(source, state, yielding, rigid) if by_compliance(rule) else rigid
            splits[rule] = where, where.split(rule)
            shown = where if by_compliance(rule) else shown
        except ReactioError as error:
            refused.append((rule, str(error)))
    rows = tuple(row for group in shown.eqs.system.reacting for row in _rows(shown, group, tuple(splits.values())))
    return Comparison(tuple(splits), rows, tuple(refused), shown.answer)


def _rigid_equations(source: Model | System | Equations, state: State | None) -> Equations:
    """The equations of bodies that do not vibrate, with the parts that bear in the rigid pose."""
    if not isinstance(source, Model):
        return equations_of(source, state=state)
    system, at = system_and_state(source, state, vibration=False)
    return equations(system, initial_state(system) if at is None else at)


def _giving_way(
    source: Model | System | Equations, state: State | None, yielding: Equations | None, rigid: _RulesAt
) -> _RulesAt:
    """Where rules of stiffness apply: with the parts that bear when others give way."""
    if yielding is None and isinstance(source, Model) and may_stand_open(source):
        yielding = equations_of(source, "compliance", state)
    return rigid if yielding is None else _RulesAt(yielding, yielding.solvability)


def _applicable(model: Model) -> tuple[str, ...]:
    """All rules that need no argument; those that need stiffnesses where the model gives some."""
    flexible = has_elastic_parts(model)
    return tuple(rule.name for rule in RULES.values() if (flexible or not rule.elastic) and not rule.needs_argument)


def _rows(shown: _RulesAt, group: RowGroup, splits: tuple[tuple[_RulesAt, Split], ...]) -> list[ComparisonRow]:
    """One row for each component of a group; nothing is unique where the motion is not.

    Joints that are absent have no reaction here, and NaN in the table, as have components that stiffness leaves open.
    """
    exists = shown.bears(group.name)
    sure = shown.answer.decision.confident and exists
    values, stiff = [], []
    for where, split in splits:
        if group.name not in where.eqs.system.group_index:  # it stands open in the rigid pose
            size = len(components(shown.eqs, group).P)
            values.append(np.zeros(size))
            stiff.append(np.zeros(size, dtype=bool))
            continue
        of = where.eqs.system.group(group.name)
        of_group, P = slice(of.start, of.stop), components(where.eqs, of).P
        decided = split.decided(of_group, P)
        values.append(np.where(decided & where.bears(group.name), P @ split.lam[of_group], np.nan))
        stiff.append(decided & (split.determined and sure))
    return [
        ComparisonRow(
            group.name,
            c.name,
            c.unit,
            c.unique if shown.decided and exists else False,
            np.array([value[k] for value in values]),
            tuple(bool(part[k]) for part in stiff),
        )
        for k, c in enumerate(shown.answer[group.name].components)
    ]
