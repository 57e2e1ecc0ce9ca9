"""R301: a mass or an inertia tensor that no body can have."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.quoted import quoted_name
from reactio.linting.subject import Subject
from reactio.model.notes import NoteTopic


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each part whose inertia was not taken as it is."""
    for note in subject.notes:
        if note.topic is NoteTopic.INERTIA:
            name = quoted_name(note.what)
            yield LintFinding("R301", f"{note}.", subject.line_of(name), name)


IMPOSSIBLE_INERTIA = register(
    LintRule(
        "R301",
        "impossible-inertia",
        "The largest principal moment of inertia exceeds the sum of the two others, or a moment or mass is negative. "
        "No body has such an inertia; simulators answer with wrong motion or refuse. Compute it from the geometry.",
        find,
    )
)
