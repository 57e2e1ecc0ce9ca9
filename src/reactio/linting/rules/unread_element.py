"""R403: elements that may connect bodies and are not read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject
from reactio.model.notes import NoteTopic


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each element that no reader of its format knows."""
    for note in subject.notes:
        if note.topic is NoteTopic.ELEMENT:
            line = re.search(r"in line (\d+)", note.what)
            yield LintFinding("R403", f"{note}.", int(line[1]) if line else None)


UNREAD_ELEMENT = register(
    LintRule(
        "R403",
        "unread-element",
        "An element names two bodies and belongs to no known extension of the format: most programs silently "
        "ignore it, and the bodies it should connect move freely. Check its tag, or close the loop in a form that "
        "is read.",
        find,
    )
)
