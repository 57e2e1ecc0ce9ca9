"""Rules on defects that the reader of a file noted: what they have in common."""

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


def named_part(subject: Subject, note: Note) -> Place:
    """The part that the note is about."""
    name = quoted_name(note.what)
    return subject.line_of(name), name


def listed_part(subject: Subject, note: Note) -> Place:
    """The first part that the note lists."""
    name = quoted_name(note.why)
    return subject.line_of(name), name


def named_file(subject: Subject, note: Note) -> Place:
    """The line that names the file."""
    position = subject.text.find(quoted_name(note.why))
    return subject.text.count("\n", 0, position) + 1 if position >= 0 else None, ""


def stated_line(subject: Subject, note: Note) -> Place:
    """The line that the note states."""
    line = re.search(r"in line (\d+)", note.what)
    return int(line[1]) if line else None, ""
