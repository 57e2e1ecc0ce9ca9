"""Elements that Drake adds to URDF and SDF, ``<drake:joint>`` and others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.importers.reading.xml import XmlElement
from reactio.model.notes import Note, NoteKind

PREFIX = "drake:"
DRAKE_TAGS = ("joint", "parent", "child", "axis", "mimic", "damping", "screw_thread_pitch")  # read without the prefix
BALL_CONSTRAINT = "drake:ball_constraint"
Z_AXIS = "0 0 1"


def without_drake_prefix(root: XmlElement) -> list[Note]:
    """Remove the prefix from the tags of Drake's joints; notes name what that changes.

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
    return notes


def _normal_along_z(joint: XmlElement) -> list[Note]:
    """Give a planar joint the z axis of its frame as normal; notes name any <axis> that it replaces."""
    given = [child for child in joint.children if child.tag.removeprefix(PREFIX) == "axis"]
    xyz = XmlElement("xyz", {}, joint.file, joint.line, text=Z_AXIS)  # so in SDF; in URDF it is an attribute
    axis = XmlElement("axis", {"xyz": Z_AXIS}, joint.file, joint.line, [xyz])
    joint.children = [axis, *(child for child in joint.children if child not in given)]
    why = "a planar joint of Drake has the z axis of its frame as normal"
    return [Note(NoteKind.SKIPPED, f"<{element.tag}> in line {element.line}", why) for element in given]


@dataclass(frozen=True, slots=True, eq=False)
class BallConstraint:
    """A point P of body A and a point Q of body B coincide, each given in the axes of its body (3,) [m]."""

    element: XmlElement
    body_A: str
    body_B: str
    p_AP: Floats
    p_BQ: Floats

    @property
    def name(self) -> str:
        """Its name, or the bodies that it connects."""
        return self.element.get("name") or f"ball {self.body_A}~{self.body_B}"


def ball_constraints(parent: XmlElement) -> Iterator[BallConstraint]:
    """The ball constraints among the children of an element, as URDF (attributes) or SDF (texts) writes them."""
    for element in parent.all(BALL_CONSTRAINT):
        texts = {key: _text(element, key) for key in ("body_A", "body_B", "p_AP", "p_BQ")}
        points = {
            key: np.array(element.numbers(texts[key], 3, f"<{BALL_CONSTRAINT}>: {key}")) for key in ("p_AP", "p_BQ")
        }
        yield BallConstraint(element, texts["body_A"], texts["body_B"], points["p_AP"], points["p_BQ"])


def _text(element: XmlElement, key: str) -> str:
    """The contents of a ball constraint, ``<drake:ball_constraint_key>``."""
    inner = element.find(f"{BALL_CONSTRAINT}_{key}")
    text = "" if inner is None else inner.get("name") or inner.get("value") or inner.text.strip()
    if not text:
        raise element.fail(f"<{BALL_CONSTRAINT}> has no <{BALL_CONSTRAINT}_{key}>.")
    return text
