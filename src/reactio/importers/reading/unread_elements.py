"""Elements of URDF and SDF that are not read although they name two bodies, which they may connect."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from reactio.importers.reading.xml import XmlElement
from reactio.model.notes import Note, NoteKind

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
    """A note for every element that is not ``read`` and names two of the ``bodies``, or cannot be anything else."""
    notes = []
    for element in elements:
        if element.tag in read or element.tag in NOT_CONNECTING or element.tag.startswith("drake:linear_"):
            continue
        named = list(dict.fromkeys(text for text in _texts(element) if text in bodies))
        if len(named) > 1:
            why = f"it is not read, and names '{named[0]}' and '{named[1]}': if it connects them, the mechanism is another"
            notes.append(Note(NoteKind.UNREAD, f"<{element.tag}> in line {element.line}", why))
    return notes


def _texts(element: XmlElement) -> Iterator[str]:
    """The attributes and texts of an element and of those inside it."""
    for inner in element.walk():
        yield from inner.attributes.values()
        yield inner.text.strip()
