"""Versions of SDF, which say how a file is to be read."""

from __future__ import annotations

from reactio.importers.reading.xml import XmlElement
from reactio.model.notes import Note, NoteKind

KNOWN_VERSION = (1, 12)


def version_of(root: XmlElement) -> tuple[int, ...]:
    """(1, 10) of the version 1.10, which is newer than 1.9."""
    text = root.get("version", "1.6")
    if not all(word.isdecimal() for word in text.split(".")):
        raise root.fail(f"sdf: version '{text[:20]}' is not written as numbers with a point, 1.9.")
    return tuple(int(word) for word in text.split("."))


def notes_on_version(root: XmlElement) -> list[Note]:
    """A warning where the version of a file is newer than the newest known one."""
    if version_of(root) <= KNOWN_VERSION:
        return []
    known = ".".join(map(str, KNOWN_VERSION))
    remark = f"the file has {root.get('version')}, newer than {known}: check what was read"
    return [Note(NoteKind.WARNING, "version", remark)]
