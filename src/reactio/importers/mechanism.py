"""The neutral mechanism: what every file format is read into, before parts are moved or merged.

Lengths are in metres; frames on parts are given in the axes of the part, poses of parts in world axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.catalogue.units import Units
from reactio.importers.pose import Pose
from reactio.model.accuracy import Accuracy
from reactio.model.frozen import FrozenMap
from reactio.model.notes import Note

EARTH_GRAVITY = (0.0, 0.0, -9.81)  # [m/s²] along −z, of formats that do not state it


@dataclass(frozen=True, slots=True, eq=False)
class Inertia:
    """Mass [kg], centre (3,) in part axes [m], and the tensor J (3, 3) about the centre in part axes [kg m²]."""

    mass: float
    center: Floats
    J: Floats
    place: str = ""  # line of the file that gives it, for messages


@dataclass(frozen=True, slots=True)
class Mesh:
    """A surface for drawings: its file as the model names it, its pose on the part, and its scale."""

    file: str
    pose: Pose
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A rigid part; ``inertia`` None where the file says nothing about its mass."""

    name: str
    pose: Pose = field(default_factory=Pose)
    inertia: Inertia | None = None
    meshes: tuple[Mesh, ...] = ()


class PartFrame(NamedTuple):
    """A frame on a part, or on ground: its pose in the axes of the part, or of the world."""

    part: str
    pose: Pose


@dataclass(frozen=True, slots=True, eq=False)
class ImportedJoint:
    """A joint of a registered spatial type between frame a on one part and frame b on another."""

    name: str
    type: str
    a: str
    b: str
    frame_a: Pose
    frame_b: Pose
    parameters: Mapping[str, float] = field(default_factory=FrozenMap)
    closes_loop: bool = False  # does it close a loop of a tree of joints?  It may then be open in the stored pose


@dataclass(frozen=True, slots=True)
class ImportedCoupling:
    """A linear equation between joint coordinates ``joint.coordinate``, of a registered coupling type."""

    name: str
    type: str
    along: tuple[str, ...]
    parameters: Mapping[str, object] = field(default_factory=FrozenMap)


@dataclass(frozen=True, slots=True)
class ImportedMotion:
    """A driven coordinate of the file; the function is a text in t [s], None where the coordinate is held constant."""

    name: str
    along: str
    function: str | None
    is_constraint: bool = False  # does the file hold it by a constraint?  Then it is not left free


@dataclass(frozen=True, slots=True)
class Load:
    """A load of a registered force type, whose fields are numbers, frames on parts, or joint coordinates."""

    name: str
    type: str
    parameters: Mapping[str, object] = field(default_factory=FrozenMap)
    frames: Mapping[str, PartFrame] = field(default_factory=FrozenMap)
    along: Mapping[str, str] = field(default_factory=FrozenMap)  # field → ``joint.coordinate``


@dataclass(frozen=True, slots=True)
class Limit:
    """A range of a joint coordinate."""

    along: str
    lower: float | None
    upper: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Mechanism:
    """A mechanism as a file gives it."""

    name: str
    format: str
    parts: tuple[Part, ...] = ()
    joints: tuple[ImportedJoint, ...] = ()
    couplings: tuple[ImportedCoupling, ...] = ()
    motions: tuple[ImportedMotion, ...] = ()
    loads: tuple[Load, ...] = ()
    limits: tuple[Limit, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    notes: tuple[Note, ...] = ()
    ground: tuple[Mesh, ...] = ()  # surfaces of the ground, for drawings
    accuracy: Accuracy | None = None  # of its placements, where the file states it
    keep_fixed: bool = False  # do fixed joints of this format stay joints, so that they have reactions?
    units: Units = Units()  # noqa: RUF009, a frozen value; those that the file states, in which answers are written
    about_gaps: str = ""  # what the program of the file does about joints that do not fit, a sentence for refusals

    def with_notes(self, *notes: Note) -> Mechanism:
        """The same with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def pose_of(self, name: str) -> Pose:
        """The pose of a part, or of ground."""
        return Pose() if name == GROUND else next(p.pose for p in self.parts if p.name == name)


def combined_inertia(items: list[tuple[Inertia, Pose]]) -> Inertia:
    """The inertia of several parts welded together, each at its pose on the first.

    J = Σ R J Rᵀ + m ((d·d) 1 − d dᵀ),   d from the common centre of mass (Steiner).
    """
    mass = sum(inertia.mass for inertia, _ in items)
    centers = [pose.r + pose.R @ inertia.center for inertia, pose in items]
    if mass > 0:
        center = np.asarray(sum(inertia.mass * c for (inertia, _), c in zip(items, centers, strict=True)) / mass)
    else:
        center = centers[0]
    J = np.zeros((3, 3))
    for (inertia, pose), c in zip(items, centers, strict=True):
        d = c - center
        J += pose.R @ inertia.J @ pose.R.T + steiner(inertia.mass, d)
    return Inertia(mass, center, J)


def steiner(mass: float, d: Floats) -> Floats:
    """m ((d·d) 1 − d dᵀ) (3, 3): by how much inertia about a point at a distance d exceeds that about the centre."""
    return np.asarray(mass * (d @ d * np.eye(3) - np.outer(d, d)))
