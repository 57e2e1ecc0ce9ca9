"""R304: moving parts for which the file gives no mass."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.quoted import quoted_name
from reactio.linting.subject import Subject
from reactio.model.notes import NoteTopic


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding where some parts have a mass and others have none."""
    for note in subject.notes:
        if note.topic is NoteTopic.MASS:
            name = quoted_name(note.why)
            yield LintFinding("R304", f"{note}.", subject.line_of(name), name)


UNKNOWN_MASS = register(
    LintRule(
        "R304",
        "unknown-mass",
        "Parts that move have no mass in the file: reactions and motion cannot be computed, or use a mass that a "
        "program makes up. Give each part `mass` and `inertia`.",
        find,
    )
)
