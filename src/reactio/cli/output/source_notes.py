"""Notes on the sources that a command has read, which are part of its JSON."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reactio.model.notes import Note

NOTES: ContextVar[tuple[Note, ...]] = ContextVar("NOTES", default=())  # on all sources that the command has read
PRINTS_JSON: ContextVar[bool] = ContextVar("PRINTS_JSON", default=False)  # was ``--json`` given?


def notes_data() -> dict[str, Any]:
    """The notes on all sources of the command, as data; nothing where there are none."""
    return {"source_notes": [note.as_data() for note in NOTES.get()]} if NOTES.get() else {}
