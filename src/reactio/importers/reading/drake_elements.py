"""Elements that Drake adds to URDF and SDF, ``<drake:joint>`` and others."""

from __future__ import annotations

from reactio.importers.mechanism import Note, NoteKind
from reactio.importers.reading.xml import XmlElement

PREFIX = "drake:"
DRAKE_TAGS = ("joint", "parent", "child", "axis", "mimic", "damping", "screw_thread_pitch")  # read without the prefix
Z_AXIS = "0 0 1"
CONNECTING_WORDS = ("bushing", "constraint", "spring")  # in tags of elements that connect bodies


def without_drake_prefix(root: XmlElement) -> list[Note]:
    """Remove the prefix from the tags of Drake's joints; notes name other elements that would connect bodies.

    Its planar joint has the z axis of its frame as normal.
    """
    notes = []
    for element in root.walk():
        for child in element.children:
            if not child.tag.startswith(PREFIX):
                continue
            bare = child.tag.removeprefix(PREFIX)
            if bare in DRAKE_TAGS:
                child.tag = bare
                if bare == "joint" and child.get("type") == "planar":
                    notes += _normal_along_z(child)
            elif any(word in bare for word in CONNECTING_WORDS) and not element.tag.startswith(PREFIX):
                where = f"<{child.tag}> in line {child.line}"
                notes.append(
                    Note(
                        NoteKind.SKIPPED,
                        where,
                        "it is not read: the bodies that it connects move freely against each other",
                    )
                )
    return notes


def _normal_along_z(joint: XmlElement) -> list[Note]:
    """Give a planar joint the z axis of its frame as normal; notes name any <axis> that it replaces."""
    given = [child for child in joint.children if child.tag.removeprefix(PREFIX) == "axis"]
    xyz = XmlElement("xyz", {}, joint.file, joint.line, text=Z_AXIS)  # so in SDF; in URDF it is an attribute
    axis = XmlElement("axis", {"xyz": Z_AXIS}, joint.file, joint.line, [xyz])
    joint.children = [axis, *(child for child in joint.children if child not in given)]
    why = "a planar joint of Drake has the z axis of its frame as normal"
    return [Note(NoteKind.SKIPPED, f"<{one.tag}> in line {one.line}", why) for one in given]
