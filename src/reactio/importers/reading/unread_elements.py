"""Elements of URDF and SDF that are not read although they name two bodies or joints, which they may connect."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from reactio.importers.reading.xml import XmlElement
from reactio.model.notes import Note, NoteKind, NoteTopic

CLOSURE_WORDS = ("constraint", "weld", "loop", "closed_chain")  # words in the tags of equations between bodies
FORCE_WORDS = ("force", "spring", "bushing", "damper")  # words in the tags of forces between bodies
PLUGIN_WORDS = (*CLOSURE_WORDS, "attach", "detach", "mimic")  # words in the names of plugins that connect bodies
GAZEBO, PLUGIN, TRANSMISSION = "gazebo", "plugin", "transmission"
# Elements that name several bodies or joints but do not connect them.
NOT_CONNECTING = (
    "disable_collisions",
    "enable_collisions",
    "disable_default_collisions",
    "self_collision_checking",
    "collision_filter_group",
    "drake:collision_filter_group",
    "contact",
    "group",
    "group_state",
    "gripper",
    TRANSMISSION,
    "sensor",
    "ros2_control",
)


def unread_connections(
    elements: Collection[XmlElement], read: Collection[str], bodies: Mapping[str, str], joints: Collection[str]
) -> list[Note]:
    """A note for every element that is not ``read`` and names two bodies or two joints, or connects by its tag.

    ``bodies`` are the bodies by the names of links and of frames on them.
    """
    notes = []
    for element, link in _candidates(elements, read):
        texts = [link, *_texts(element)]
        named = list(dict.fromkeys(bodies[text] for text in texts if text in bodies))
        coupled = list(dict.fromkeys(text for text in texts if text in joints))
        pair = named if len(named) > 1 else coupled if len(coupled) == 2 else []  # more joints are a list of them
        if note := _note(element, pair):
            notes.append(note)
    return notes


def coupled_by_transmissions(elements: Collection[XmlElement], joints: Collection[str]) -> list[Note]:
    """A note for every transmission with fewer actuators than it names of these joints, whose coordinates it couples.

    ``joints`` are those that follow no other joint.
    """
    notes = []
    for element in elements:
        if element.tag != TRANSMISSION:
            continue
        named = [inner.get("name") for inner in element.children if inner.tag.endswith("joint")]
        named = [name for name in dict.fromkeys(named) if name in joints]
        actuators = max(1, len([inner for inner in element.children if inner.tag.endswith("actuator")]))
        if len(named) > actuators:
            what = f"<{TRANSMISSION}> of '{named[0]}' and '{named[1]}' in line {element.line}"
            why = "it has more joints than actuators and is not read; if it couples them, this is a different mechanism"
            notes.append(Note(NoteKind.UNREAD, what, why, NoteTopic.ELEMENT))
    return notes


def _candidates(elements: Collection[XmlElement], read: Collection[str]) -> Iterator[tuple[XmlElement, str]]:
    """The elements that may connect, each with the link that <gazebo> refers to; those inside lists in their place."""
    for element in elements:
        if element.tag == GAZEBO:
            inside = [inner for inner in element.children if inner.tag not in (*read, *NOT_CONNECTING)]
            yield from ((inner, element.get("reference")) for inner in inside)
        elif element.tag in NOT_CONNECTING:
            yield from ((inner, "") for inner in element.walk() if _closes(inner.tag) or inner.tag in read)
        elif element.tag not in read:
            yield element, ""


def _closes(tag: str) -> bool:
    return any(word in tag for word in CLOSURE_WORDS)


def _note(element: XmlElement, pair: list[str]) -> Note | None:
    """The note on an element that names this pair of bodies or joints, or none if it connects nothing."""
    is_force = any(word in element.tag for word in FORCE_WORDS)
    if element.tag == PLUGIN:
        connects = any(word in f"{element.get('name')} {element.get('filename')}".lower() for word in PLUGIN_WORDS)
    else:
        connects = bool(pair) or is_force or _closes(element.tag)
    if not connects:
        return None
    kind, consequence = NoteKind.UNREAD, "if it connects them, this is a different mechanism"
    if is_force:
        kind, consequence = NoteKind.WARNING, "verdicts do not depend on its force, reactions and motion do"
    between = f" between '{pair[0]}' and '{pair[1]}'" if pair else ""
    what = f"<{element.tag}>{between} in line {element.line}"
    return Note(kind, what, f"it is not read; {consequence}", NoteTopic.ELEMENT)


def _texts(element: XmlElement) -> Iterator[str]:
    """The attributes, with the words of lists but for numbers, and the texts of an element and of those inside it."""
    for inner in element.walk():
        for text in inner.attributes.values():
            yield text
            yield from (word for word in text.replace(",", " ").split() if word[0].isalpha())
        yield inner.text.strip()
