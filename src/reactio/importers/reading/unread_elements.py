"""Elements of URDF and SDF that are not read although they name two bodies, which they may connect."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from reactio.importers.reading.xml import XmlElement
from reactio.model.notes import Note, NoteKind, NoteTopic

CLOSURE_WORDS = ("constraint", "weld", "loop", "closed_chain")  # words in the tags of equations between bodies
FORCE_WORDS = ("force", "spring", "bushing", "damper")  # words in the tags of forces between bodies
# Elements that name several bodies but do not connect them.
NOT_CONNECTING = (
    "disable_collisions",
    "enable_collisions",
    "disable_default_collisions",
    "self_collision_checking",
    "collision_filter_group",
    "drake:collision_filter_group",
    "contact",
    "group",
    "gripper",
    "plugin",
    "transmission",
    "gazebo",
    "sensor",
    "ros2_control",
)


def unread_connections(elements: Collection[XmlElement], read: Collection[str], bodies: Collection[str]) -> list[Note]:
    """A note for every element that is not ``read`` and names two of the ``bodies``, or says by its tag what it is."""
    notes = []
    for element in elements:
        if element.tag in read or element.tag in NOT_CONNECTING:
            continue
        named = list(dict.fromkeys(text for text in _texts(element) if text in bodies))
        is_force = any(word in element.tag for word in FORCE_WORDS)
        if len(named) < 2 and not is_force and not any(word in element.tag for word in CLOSURE_WORDS):
            continue
        kind, consequence = NoteKind.UNREAD, "if it connects them, this is a different mechanism"
        if is_force:
            kind, consequence = NoteKind.WARNING, "verdicts do not depend on its force, reactions and motion do"
        between = f" between '{named[0]}' and '{named[1]}'" if len(named) > 1 else ""
        what = f"<{element.tag}>{between} in line {element.line}"
        notes.append(Note(kind, what, f"it is not read; {consequence}", NoteTopic.ELEMENT))
    return notes


def _texts(element: XmlElement) -> Iterator[str]:
    """The attributes and texts of an element and of those inside it."""
    for inner in element.walk():
        yield from inner.attributes.values()
        yield inner.text.strip()
