"""Every sharing rule side by side: why two programs disagree, and where they cannot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import Accelerations, accelerations
from reactio.forward_dynamics.friction_check import undecided
from reactio.forward_dynamics.multipliers import splitter
from reactio.joint_reactions.at_state import constrained, equations_of, refuse_unknown_masses
from reactio.model.model import Model
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.sharing import RULES, Split, problem, rule_of, weights
from reactio.system.constraints import components
from reactio.system.elasticity.compliance import elasticity, has_elastic_parts
from reactio.system.equations import Equations
from reactio.system.types import State, System
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


def compare(
    source: Model | System | Equations,
    rules: Iterable[str] | None = None,
    *,
    state: State | None = None,
    answer: Solvability | None = None,
    motion: Accelerations | None = None,
) -> Comparison:
    """The reactions of every group under every rule (default: all that are registered).

    ``source``, ``state``, ``answer`` and ``motion`` as in ``reactions``.
    Where friction depends on reactions that are not unique, only rules that a motion can depend on apply.

    >>> import reactio
    >>> table = compare(reactio.load("pendulum-twice"), ["inertia", "elimination"])
    >>> [(row.group, row.unique, row.values.round(1).tolist()) for row in table.rows if row.component == "N"]
    [('rod1', False, [3.5, 6.9]), ('rod2', False, [3.5, 0.0])]
    """
    eqs = equations_of(source, "compliance", state)  # rules are compared on bodies that do not vibrate
    constrained(eqs)
    refuse_unknown_masses(eqs.system.model)
    answer = eqs.solvability if answer is None else answer
    decided = not undecided(eqs, answer)
    if motion is None and decided:
        motion = accelerations(eqs)
    splits: dict[str, Split] = {}
    refused = []
    for rule in _applicable(eqs) if rules is None else rules:
        rule_of(rule)  # an unknown name is the caller's error, not a rule that does not apply
        try:
            if not decided:
                weights(
                    problem(eqs.constraints, np.zeros(eqs.system.n), eqs.M, answer, None, lambda: elasticity(eqs)), rule
                )
            splits[rule] = splitter(eqs, motion or accelerations(eqs, rule=rule), answer)(rule)
        except ReactioError as error:
            refused.append((rule, str(error)))
    rows = _rows(eqs, answer, tuple(splits.values()), decided, motion.absent if motion else ())
    return Comparison(tuple(splits), rows, tuple(refused), answer)


def _applicable(eqs: Equations) -> tuple[str, ...]:
    """All rules that need no argument; those that need stiffnesses where the model gives some."""
    flexible = has_elastic_parts(eqs.system.model)
    return tuple(rule.name for rule in RULES.values() if (flexible or not rule.elastic) and not rule.needs_argument)


def _rows(
    eqs: Equations, answer: Solvability, splits: tuple[Split, ...], decided: bool, absent: tuple[str, ...]
) -> tuple[ComparisonRow, ...]:
    """One row for each component of each group; nothing is unique where the motion is not.

    Joints that are absent have no reaction here, and NaN in the table, as have components that stiffness leaves open.
    """
    rows = []
    for group in eqs.system.reacting:
        exists, of_group = group.name not in absent, slice(group.start, group.stop)
        P = components(eqs, group).P
        values = np.array(
            [np.where(split.decided(of_group, P) & exists, P @ split.lam[of_group], np.nan) for split in splits]
        )
        sure = answer.decision.confident and exists
        stiff = np.array([split.decided(of_group, P) & (split.determined and sure) for split in splits])
        verdicts = answer[group.name].components
        rows += [
            ComparisonRow(
                group.name,
                c.name,
                c.unit,
                c.unique if decided and exists else False,
                values.reshape(len(splits), len(P))[:, k],
                tuple(stiff.reshape(len(splits), len(P))[:, k].tolist()),
            )
            for k, c in enumerate(verdicts)
        ]
    return tuple(rows)
