"""R201: loops that do not close in the pose of the file."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.catalogue.units import quantity
from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject

OPEN_PART = 1e-5  # of the size of the mechanism, above which a gap is not rounding of the digits of a file


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each joint that stands open by more than the digits of a file explain."""
    for gap in subject.gaps:
        if gap.before > OPEN_PART * subject.length:
            message = f"'{gap.name}' is open by {quantity(gap.before, 'm', 3)} in the file."
            yield LintFinding("R201", message, subject.line_of(gap.name), gap.name)


OPEN_LOOP = register(
    LintRule(
        "R201",
        "open-loop",
        "The two sides of a loop do not meet in the pose that the file stores. Programs close it in their own way, or "
        "pull it together by large forces in the first step. Store an assembled pose (`reactio assemble`).",
        find,
    )
)
