"""Notes on the sources of a command: printed before its answer, and part of its JSON."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from reactio.cli.verbosity import silent

if TYPE_CHECKING:
    from reactio.model.model import Model
    from reactio.model.notes import Note

NOTES: ContextVar[tuple[Note, ...]] = ContextVar("NOTES", default=())  # on all sources that the command has read
PRINTS_JSON: ContextVar[bool] = ContextVar("PRINTS_JSON", default=False)  # was ``--json`` given?


def show_notes(model: Model) -> None:
    """Print what every answer on a model begins with, unless the command prints JSON, which has the notes as data."""
    if not model.notes or set(model.notes) <= set(NOTES.get()):
        return
    from reactio.model.notes import NoteKind, head_lines

    NOTES.set((*NOTES.get(), *model.notes))
    if PRINTS_JSON.get():
        return
    from reactio.cli.output.printing import console, escape

    grave = (NoteKind.UNREAD, NoteKind.WARNING)
    shown = [note for note in model.notes if note.kind in grave] if silent() else model.notes
    for line in head_lines(shown):
        console().print(escape(line), style="yellow" if line.startswith("Warning") else "dim")


def notes_data() -> dict[str, Any]:
    """The notes on all sources of the command, as data; nothing where there are none."""
    return {"source_notes": [note.data() for note in NOTES.get()]} if NOTES.get() else {}
