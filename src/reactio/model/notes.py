"""Notes on the source of a model: parts of a file that were left out, merged, or understood in a certain way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from reactio.results.as_data import Result

MOST_FOLDED_NAMES = 3  # of folded notes that are listed by name
QUOTED = re.compile(r"^(?P<noun>[^'<]*\S) '(?P<name>.*)'$|^(?P<tag><[^>]+>)(?: between .*)? in line (?P<line>\d+)$")


class NoteKind(StrEnum):
    """The subject of a note, the gravest first."""

    UNREAD = "unread"  # an element that may connect two bodies and was not read: the mechanism may be another one
    WARNING = "warning"  # something that may make the model another one than was meant
    IMPLAUSIBLE = "implausible"  # something that is possible and hardly meant, with its numbers
    SKIPPED = "skipped"  # something in the file that the model leaves out
    MERGED = "merged"  # a part that was welded to another one
    REMARK = "remark"  # how something in the file was understood


class NoteTopic(StrEnum):
    """The element of a file that a note is about, for use by programs."""

    OTHER = "other"
    ELEMENT = "element"  # one that the reader does not know
    INERTIA = "inertia"  # one that no body can have
    MASS = "mass"  # of parts for which the file gives none
    MESH = "mesh"  # a file that is missing
    MIMIC = "mimic"  # of a joint that cannot follow


@dataclass(frozen=True, slots=True)
class Note(Result):
    """A note on a source: its subject, and the reason or the consequence."""

    KEYS = "kind what why"

    kind: NoteKind
    what: str
    why: str
    topic: NoteTopic = field(default=NoteTopic.OTHER, compare=False)

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


def folded(notes: Iterable[Note]) -> list[Note]:
    """The notes with those of one kind and reason as one.

    >>> tendons = [Note(NoteKind.SKIPPED, f"tendon 't{k}'", "no counterpart") for k in range(700)]
    >>> print(*folded(tendons))
    700 tendons ('t0', 't1', 't2', …): no counterpart
    """
    alike: dict[tuple[NoteKind, str, str], list[tuple[str, str]]] = {}
    for note in notes:
        match = QUOTED.match(note.what)
        noun = (match["noun"] or match["tag"]) if match else note.what
        name = (f"'{match['name']}'" if match["noun"] else f"line {match['line']}") if match else ""
        alike.setdefault((note.kind, noun, note.why), []).append((note.what, name))
    return [_folded(*key, members) for key, members in alike.items()]


def _folded(kind: NoteKind, noun: str, why: str, members: list[tuple[str, str]]) -> Note:
    names = [name for _, name in members if name]
    if len(members) == 1 or not names:
        return Note(kind, members[0][0], why)
    some = ", ".join(names[:MOST_FOLDED_NAMES]) + (", …" if len(names) > MOST_FOLDED_NAMES else "")
    return Note(kind, f"{len(members):,} {_plural(noun)} ({some})", why)


def _plural(noun: str) -> str:
    """The plural of a noun, or of the head of a phrase with "of".

    >>> _plural("mass of"), _plural("equality"), _plural("<weld>"), _plural("free body")
    ('masses of', 'equalities', '<weld>', 'free bodies')
    """
    head, of, rest = noun.partition(" of")
    if head.startswith("<") or head == "friction":
        return noun
    ending = "es" if head.endswith("s") else "s"
    return (head[:-1] + "ies" if head.endswith("y") else head + ending) + of + rest


def head_lines(notes: Iterable[Note]) -> list[str]:
    """The notes that every answer on the model begins with: warnings in full, omissions and merged parts by name.

    >>> head_lines([Note(NoteKind.SKIPPED, "contacts", "not read"), Note(NoteKind.UNREAD, "<weld>", "not read")])
    ['Warning: <weld>: not read.', 'Left out: contacts.']
    """
    short = folded(notes)
    lines = [f"Warning: {note}." for note in short if note.kind in (NoteKind.UNREAD, NoteKind.WARNING)]
    lines += [f"Implausible: {note}." for note in short if note.kind is NoteKind.IMPLAUSIBLE]
    if about := [note.what for note in short if note.kind is NoteKind.SKIPPED]:
        lines.append(f"Left out: {', '.join(about)}.")
    if merged := sum(note.kind is NoteKind.MERGED for note in short):
        lines.append(f"Merged: {merged:,} {'part that is' if merged == 1 else 'parts that are'} fixed to others.")
    return lines
