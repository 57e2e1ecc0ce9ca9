"""The result of an audit: every number of a program with its verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from reactio.results.as_data import Result
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.uniqueness import Solvability


class Finding(StrEnum):
    """The finding about a number of another program."""

    CONFIRMED = "confirmed"  # it is unique, and the same
    WRONG = "wrong"  # it is unique, and another
    ARBITRARY = "arbitrary"  # it is not unique: any other value balances the loads as well
    AMBIGUOUS = "ambiguous"  # it is not decided whether it is unique
    NOT_JUDGED = "not judged"  # forces that are not known may reach it
    UNREPORTED = "unreported"  # it is unique, and the program does not report it


@dataclass(frozen=True, slots=True)
class AuditedComponent:
    """One component of a reaction, in the axes that were asked for."""

    joint: str
    component: str
    unit: str
    theirs: float | None  # None where the program does not report it
    ours: float | None  # None where the model does not determine it, or the loads are not known
    verdict: Finding
    other: float | None  # of an arbitrary one: another value that balances the loads as well, where these are known


@dataclass(frozen=True, slots=True)
class JudgedSum(Result):
    """A sum of two components that is unique though neither of them is."""

    KEYS = "sum=text theirs ours unit"

    text: str
    theirs: float
    ours: float
    unit: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Audit(Result, Tabular):
    """Reactions of another program with verdicts."""

    SCHEMA = "reactio.audit/1"
    KEYS = (
        "axes program model t redundancy=solvability.redundancy sentence components sums zeros balance "
        "closed=least_balance reason notes"
    )

    program: str
    model: str
    t: float
    solvability: Solvability = field(repr=False)
    components: tuple[AuditedComponent, ...]
    sums: tuple[JudgedSum, ...]
    zeros: tuple[str, ...]  # rows whose multiplier the program set to zero though the model leaves it open
    balance: float  # largest residual of the balance of loads with the program's reactions, part of the loads
    least_balance: float  # the same with the reactions that balance best: large where the accelerations are wrong
    reason: str
    axes: str  # joint or world: whose axes components are in
    notes: tuple[str, ...]

    def of(self, verdict: Finding | str) -> list[AuditedComponent]:
        """The components of one verdict."""
        return [component for component in self.components if component.verdict == verdict]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        counts = {word: len(self.of(word)) for word in Finding}
        findings = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        return (
            f"{self.program}: of {len(self.components)} reaction components of '{self.model}' {findings}; "
            f"{self.solvability.redundancy} of {self.solvability.m} equations are redundant."
        )

    def table(self) -> ResultTable:
        """Every component: the program's value, ours, and the verdict."""
        heads = ("joint", "component", "theirs", "ours", "unit", "verdict", "other")
        rows = [tuple(getattr(part, head) for head in heads) for part in self.components]
        return table_of(self.sentence, heads, rows, 2, ("theirs", "ours"))
