"""R401: a joint that mimics one that cannot move, or cannot move itself."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.quoted import quoted_name
from reactio.linting.subject import Subject
from reactio.model.notes import NoteTopic


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each mimic that has no effect, or fixes its joint."""
    for note in subject.notes:
        if note.topic is NoteTopic.MIMIC:
            name = quoted_name(note.what)
            yield LintFinding("R401", f"{note}.", subject.line_of(name), name)


MIMIC_OF_FIXED = register(
    LintRule(
        "R401",
        "mimic-of-fixed",
        "A <mimic> on a fixed joint has no effect, and one that follows a fixed joint, or follows by a factor of 0, "
        "fixes its own. Programs interpret it differently. Remove it, or make the joint fixed.",
        find,
    )
)
