"""R402: meshes that are not where the file says."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.quoted import quoted_name
from reactio.linting.subject import Subject
from reactio.model.notes import NoteTopic


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding where mesh files are missing."""
    for note in subject.notes:
        if note.topic is NoteTopic.MESH:
            position = subject.text.find(quoted_name(note.why))
            line = subject.text.count("\n", 0, position) + 1 if position >= 0 else None
            yield LintFinding("R402", f"{note}.", line)


MISSING_MESH = register(
    LintRule(
        "R402",
        "missing-mesh",
        "A mesh file is missing. Verdicts need no meshes; masses computed from meshes do, and drawings lack the body.",
        find,
    )
)
