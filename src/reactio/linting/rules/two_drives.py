"""R103: drives that hold the same freedom."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.constraint_matrix import GroupKind
from reactio.errors import listed
from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for drives whose efforts are not unique."""
    answer = subject.answer
    if answer is None:
        return
    drives = [group for group in answer.groups if group.kind == GroupKind.DRIVE and not group.multipliers_unique]
    if len(drives) > 1:
        names = [group.name for group in drives]
        message = f"{listed(names, most=6)} drive the same freedom: their efforts are not unique."
        yield LintFinding("R103", message, subject.line_of(names[0]), names[0])


TWO_DRIVES = register(
    LintRule(
        "R103",
        "two-drives",
        "Two or more drives prescribe the same freedom. They fight each other in the machine, and their efforts are "
        "not unique in the model. Drive one, and couple the others or let them follow.",
        find,
    )
)
