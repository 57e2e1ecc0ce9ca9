"""Notes on the source of a model, in model files."""

from __future__ import annotations

from typing import Any

from reactio.model.notes import Note, NoteKind
from reactio.model.schema_parts import TEXT, list_of, mapping
from reactio.model.values.context import known_keys, required
from reactio.model.values.yaml_tree import Node

NOTES_KEY = "notes"


def read_notes(node: Node) -> tuple[Note, ...]:
    """``notes`` of a model file: a list of `{kind, what, why}`."""
    notes = []
    for entry in node.items(NOTES_KEY):
        given = known_keys(entry, NOTES_KEY, ("kind", "what", "why"))
        kind, what, why = (required(given, key, entry, NOTES_KEY).text(key) for key in ("kind", "what", "why"))
        if kind not in set(NoteKind):
            raise given["kind"].fail(f"kind is '{kind}'; a note is one of {', '.join(NoteKind)}.")
        notes.append(Note(NoteKind(kind), what, why))
    return tuple(notes)


def notes_schema() -> dict[str, Any]:
    """The key in the JSON Schema of model files."""
    entry = mapping({"kind": {"enum": list(NoteKind)}, "what": TEXT, "why": TEXT}, "kind", "what", "why")
    why = "What an import left out, merged or could not read; every answer on the model begins with it."
    return {NOTES_KEY: list_of(entry, description=why)}
