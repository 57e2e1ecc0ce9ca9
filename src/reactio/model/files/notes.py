"""Notes on the source of a model, in model files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reactio.model.notes import Note, NoteKind, NoteTopic
from reactio.model.schema_parts import TEXT, list_of, mapping
from reactio.model.values.context import known_keys, required
from reactio.model.values.yaml_tree import Node

NOTES_KEY = "notes"


def read_notes(node: Node) -> tuple[Note, ...]:
    """``notes`` of a model file: a list of `{kind, what, why}`, with a `topic` where a program needs it."""
    notes = []
    for entry in node.items(NOTES_KEY):
        given = known_keys(entry, NOTES_KEY, ("kind", "what", "why", "topic"))
        kind, what, why = (required(given, key, entry, NOTES_KEY).text(key) for key in ("kind", "what", "why"))
        topic = given["topic"].text("topic") if "topic" in given else NoteTopic.OTHER
        for key, value, known in (("kind", kind, NoteKind), ("topic", topic, NoteTopic)):
            if value not in set(known):
                raise given[key].fail(f"{key} is '{value}'; that of a note is one of {', '.join(known)}.")
        notes.append(Note(NoteKind(kind), what, why, NoteTopic(topic)))
    return tuple(notes)


def write_notes(notes: Sequence[Note]) -> list[dict[str, str]]:
    """The entries of ``notes`` in a model file."""
    return [
        {"kind": str(note.kind), "what": note.what, "why": note.why}
        | ({"topic": str(note.topic)} if note.topic is not NoteTopic.OTHER else {})
        for note in notes
    ]


def notes_schema() -> dict[str, Any]:
    """The key in the JSON Schema of model files."""
    fields = {"kind": {"enum": list(NoteKind)}, "what": TEXT, "why": TEXT, "topic": {"enum": list(NoteTopic)}}
    entry = mapping(fields, "kind", "what", "why")
    why = "What an import left out, merged or could not read; every answer on the model begins with it."
    return {NOTES_KEY: list_of(entry, description=why)}
