"""R202: verdicts that the numbers of the file do not decide."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.errors import listed
from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject
from reactio.uniqueness import Verdict


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding where a rank or a verdict is ambiguous."""
    answer = subject.answer
    if answer is None or answer.confident:
        return
    names = [group.name for group in answer.groups if group.verdict is Verdict.AMBIGUOUS]
    which = f": {listed(names, 6)}" if names else ""
    message = f"the pose is nearly singular, and its verdicts are ambiguous{which}."
    yield LintFinding("R202", message, subject.line_of(names[0]) if names else None, names[0] if names else "")


NEARLY_SINGULAR = register(
    LintRule(
        "R202",
        "nearly-singular",
        "The rank of the constraints depends on differences that are hardly larger than rounding. Forces near such a "
        "pose are very large or arbitrary. State the accuracy of the geometry, or move away from the pose.",
        find,
    )
)
