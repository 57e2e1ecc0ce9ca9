"""Linting: defects of mechanism files as short codes with a line, one rule in each file of ``rules``, the registry.

R1xx redundancy, R2xx geometry, R3xx inertia, R4xx format, R5xx numbers that nobody may trust.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reactio.catalogue.registry import Registry
from reactio.results.as_data import Result

if TYPE_CHECKING:
    from reactio.linting.subject import Subject


@dataclass(frozen=True, slots=True)
class LintFinding(Result):
    """A defect of a file: its code, the line where it is known (from 1), the joint or body, and a sentence."""

    KEYS = "code file line joint message"

    code: str
    message: str
    line: int | None = None
    joint: str = ""
    file: str = ""

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What stays the same when lines move: a baseline compares findings by it."""
        return (self.file, self.code, self.joint, self.message)


@dataclass(frozen=True, slots=True)
class LintRule:
    """A rule: its code, a short name, and the function that finds its defects in a file."""

    code: str
    name: str
    doc: str  # what it finds, why that matters, and what to do
    find: Callable[[Subject], Iterable[LintFinding]]


LINT_RULES: Registry[LintRule] = Registry("lint rule", "reactio.linting.rules")
register = LINT_RULES.register


def rules_by_code() -> dict[str, LintRule]:
    """All rules in the order of their codes."""
    return dict(sorted((rule.code, rule) for rule in LINT_RULES.values()))
