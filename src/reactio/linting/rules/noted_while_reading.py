"""R301, R304, R401, R402 and R403: defects that the reader of a file noted, by the topics of its notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject
from reactio.model.notes import Note, NoteTopic

Place = tuple[int | None, str]  # the line of a finding, and the joint or body that it names


def rule_of(topic: NoteTopic, place: Callable[[Subject, Note], Place], code: str, name: str, doc: str) -> LintRule:
    """The rule that makes a finding of every note on a topic."""

    def find(subject: Subject) -> Iterable[LintFinding]:
        for note in subject.notes:
            if note.topic is topic:
                yield LintFinding(code, f"{note}.", *place(subject, note))

    return register(LintRule(code, name, doc, find))


def quoted_name(text: str) -> str:
    """The first name in quotation marks; empty where there is none.

    >>> quoted_name("inertia of 'arm'")
    'arm'
    """
    return text.split("'")[1] if text.count("'") > 1 else ""


def _named_part(subject: Subject, note: Note) -> Place:
    """The part that the note is about."""
    name = quoted_name(note.what)
    return subject.line_of(name), name


def _listed_part(subject: Subject, note: Note) -> Place:
    """The first part that the note lists."""
    name = quoted_name(note.why)
    return subject.line_of(name), name


def _named_file(subject: Subject, note: Note) -> Place:
    """The line that names the file."""
    position = subject.text.find(quoted_name(note.why))
    return subject.text.count("\n", 0, position) + 1 if position >= 0 else None, ""


def _stated_line(subject: Subject, note: Note) -> Place:
    """The line that the note states."""
    line = re.search(r"in line (\d+)", note.what)
    return int(line[1]) if line else None, ""


rule_of(
    NoteTopic.INERTIA,
    _named_part,
    "R301",
    "impossible-inertia",
    "The largest principal moment of inertia exceeds the sum of the two others, or a moment or mass is negative. "
    "No body has such an inertia; simulators answer with wrong motion or refuse. Compute it from the geometry.",
)
rule_of(
    NoteTopic.MASS,
    _listed_part,
    "R304",
    "unknown-mass",
    "Parts that move have no mass in the file: reactions and motion cannot be computed, or use a mass that a "
    "program makes up. Give each part `mass` and `inertia`.",
)
rule_of(
    NoteTopic.MIMIC,
    _named_part,
    "R401",
    "mimic-of-fixed",
    "A <mimic> on a fixed joint has no effect, and one that follows a fixed joint, or follows by a factor of 0, "
    "fixes its own. Programs interpret it differently. Remove it, or make the joint fixed.",
)
rule_of(
    NoteTopic.MESH,
    _named_file,
    "R402",
    "missing-mesh",
    "A mesh file is missing. Verdicts need no meshes; masses computed from meshes do, and drawings lack the body.",
)
rule_of(
    NoteTopic.ELEMENT,
    _stated_line,
    "R403",
    "unread-element",
    "An element names two bodies and belongs to no known extension of the format: most programs silently "
    "ignore it, and the bodies it should connect move freely. Check its tag, or close the loop in a form that "
    "is read.",
)
