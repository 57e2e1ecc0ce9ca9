"""Assemblies as OndselSolver reads them (.asmt), and what it finds for them: the real program, run by pyondsel."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from reactio.arrays import Floats
from reactio.importers.formats.asmt.series import read_series
from reactio.space.frames import axes_of_frames, origins_of_frames
from reactio.system.types import RowGroup

from .engines import Mechanism

GROUND = "ground"
EYE = np.eye(3)


@dataclass(frozen=True)
class Placement:
    """A place and the axes there, as columns."""

    r: Floats = field(default_factory=lambda: np.zeros(3))
    R: Floats = field(default_factory=lambda: EYE)


@dataclass(frozen=True)
class OndselPart:
    """A rigid body: pose and velocities of its frame, and its mass with principal moments at ``mass_at``, own axes."""

    name: str
    mass: float
    moments: Floats
    at: Placement = field(default_factory=Placement)
    mass_at: Placement = field(default_factory=Placement)
    v: Floats = field(default_factory=lambda: np.zeros(3))
    w: Floats = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True)
class OndselJoint:
    """A joint of a class of Ondsel between marker I on part ``i`` and marker J on part ``j``, both given in space."""

    name: str
    kind: str
    i: str
    j: str
    marker_i: Placement
    marker_j: Placement
    more: tuple[tuple[str, float], ...] = ()  # radii, pitch


@dataclass(frozen=True)
class OndselAssembly:
    """Everything that a file holds; ``drives`` are functions of time by joint, about or along z of its markers."""

    parts: tuple[OndselPart, ...]
    joints: tuple[OndselJoint, ...]
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    drives: tuple[tuple[str, str], ...] = ()
    end: float = 0.1
    step: float = 0.05

    def text(self) -> str:
        """The file without results."""
        lines = ["OndselSolver", "Assembly", "\tNotes", "\t\t", *_pair(1, "Name", "rig")]
        lines += [*_placed(1, Placement()), *_velocities(1, np.zeros(3), np.zeros(3)), *self._markers(1, GROUND)]
        lines.append("\tParts")
        for part in self.parts:
            lines += ["\t\tPart", *_pair(3, "Name", part.name), *_placed(3, part.at)]
            lines += [*_velocities(3, part.v, part.w), "\t\t\tFeatureOrder", "\t\t\tPrincipalMassMarker"]
            lines += [*_pair(4, "Name", "centre"), *_placed(4, part.mass_at), *_pair(4, "Mass", repr(part.mass))]
            lines += [*_pair(4, "MomentOfInertias", _row(part.moments)), *_pair(4, "Density", "1.0")]
            lines += self._markers(3, part.name)
        lines += ["\tKinematicIJs", "\tConstraintSets", "\t\tJoints"]
        for joint in self.joints:
            lines += [f"\t\t\t{joint.kind}", *_pair(4, "Name", joint.name)]
            for end, owner in (("I", joint.i), ("J", joint.j)):
                lines += _pair(4, f"Marker{end}", f"{_path(owner)}/{joint.name}{end}")
            lines += [line for key, value in joint.more for line in _pair(4, key, repr(float(value)))]
        lines.append("\t\tMotions")
        kinds = {joint.name: joint.kind for joint in self.joints}
        for name, function in self.drives:
            word = "Translation" if kinds[name] == "TranslationalJoint" else "Rotation"
            lines += [f"\t\t\t{word}alMotion", *_pair(4, "Name", f"drive{name}")]
            lines += [*_pair(4, "MotionJoint", f"/rig/{name}"), *_pair(4, f"{word}Z", function)]
        lines += ["\t\tGeneralConstraintSets", "\tForceTorques", *_pair(1, "ConstantGravity", _row(self.gravity))]
        lines.append("\tSimulationParameters")
        times = {"tstart": 0.0, "tend": self.end, "hmin": 1e-9, "hmax": 1.0, "hout": self.step, "errorTol": 1e-6}
        lines += [line for key, value in times.items() for line in _pair(2, key, repr(value))]
        lines.append("\tAnimationParameters")
        frames = {"nframe": "3", "icurrent": "1", "istart": "1", "iend": "3", "isForward": "true"}
        lines += [line for key, value in {**frames, "framesPerSecond": "30"}.items() for line in _pair(2, key, value)]
        return "\n".join(lines) + "\n"

    def run(self) -> str:
        """The file with the motion and the reactions that OndselSolver finds."""
        solve = pytest.importorskip("pyondsel.solve")
        return str(solve.solve_asmt(self.text()))

    def _markers(self, level: int, owner: str) -> list[str]:
        at = next((part.at for part in self.parts if part.name == owner), Placement())
        lines = ["\t" * level + "RefPoints"]
        for joint in self.joints:
            for end, part, marker in (("I", joint.i, joint.marker_i), ("J", joint.j, joint.marker_j)):
                if part == owner:
                    own = Placement(at.R.T @ (marker.r - at.r), at.R.T @ marker.R)
                    lines += ["\t" * (level + 1) + "RefPoint", *_placed(level + 2, Placement())]
                    lines += ["\t" * (level + 2) + "Markers", "\t" * (level + 3) + "Marker"]
                    lines += [*_pair(level + 4, "Name", f"{joint.name}{end}"), *_placed(level + 4, own)]
        return [*lines, "\t" * level + "RefCurves", "\t" * level + "RefSurfaces"]


def _path(owner: str) -> str:
    return "/rig" if owner == GROUND else f"/rig/{owner}"


def _row(values: object) -> str:
    return "\t".join(repr(float(x)) for x in np.ravel(np.asarray(values)))


def _pair(level: int, key: str, *rows: str) -> list[str]:
    return ["\t" * level + key, *("\t" * (level + 1) + row for row in rows)]


def _placed(level: int, at: Placement) -> list[str]:
    return [*_pair(level, "Position3D", _row(at.r)), *_pair(level, "RotationMatrix", *map(_row, at.R))]


def _velocities(level: int, v: Floats, w: Floats) -> list[str]:
    return [*_pair(level, "Velocity3D", _row(v)), *_pair(level, "Omega3D", _row(w))]


KINDS = {
    "revolute": "RevoluteJoint",
    "spherical": "SphericalJoint",
    "prismatic": "TranslationalJoint",
    "translational": "TranslationalJoint",
    "cylindrical": "CylindricalJoint",
    "point-on-line": "PointInLineJoint",
    "point-on-plane": "PointInPlaneJoint",
}
Z_ALONG_X = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # slides go along x in the plane


def assembly(one: Mechanism) -> OndselAssembly:
    """A mechanism as Ondsel has it; names put joints and parts in the order of the model.  Weight is the only load."""
    parts = []
    for k, body in enumerate(one.bodies):
        assert not np.any(body.J - np.diag(np.diag(body.J))), "its axes are its principal axes"
        centre = Placement(body.R.T @ (body.c - body.r))
        moments = np.diag(body.J)
        parts.append(
            OndselPart(_named(k, body.name), body.mass, moments, Placement(body.r, body.R), centre, body.v, body.w)
        )
    names = {-1: GROUND, **{k: part.name for k, part in enumerate(parts)}}
    joints = []
    for k, group in enumerate(one.joints):
        (i, j), (on_i, on_j) = (names[b] for b in group.bodies), _markers(one, group)
        joints.append(OndselJoint(_named(k, group.name), KINDS[group.type], i, j, on_i, on_j))
    gravity = np.resize([*one.eqs.system.model.gravity, 0.0], 3)
    return OndselAssembly(tuple(parts), tuple(joints), tuple(map(float, gravity)))  # type: ignore[arg-type]


def _named(k: int, name: str) -> str:
    return f"{k:03d}{name}"


def _markers(one: Mechanism, group: RowGroup) -> list[Placement]:
    assert group.frames is not None
    found = []
    for F in one.eqs.work.F[list(group.frames)]:
        if one.planar:
            R = np.eye(3)
            R[:2, :2] = axes_of_frames(F).T
            turn = Z_ALONG_X if group.type == "translational" else EYE
            found.append(Placement(np.append(origins_of_frames(F), 0.0), R @ turn))
        else:
            found.append(Placement(np.array(origins_of_frames(F)), axes_of_frames(F).T))
    return found


def by_ondsel(one: Mechanism) -> dict[str, tuple[Floats, Floats]]:
    """Force and torque on side b of each joint about marker I, where the run starts: free to move, and at its speed."""
    found = {}
    for path, stored in read_series(assembly(one).run(), "run").joints.items():
        force, torque = (np.array([-stored[f"{word}{axis}onI"][0] for axis in "XYZ"]) for word in "FT")
        found[path.rsplit("/", 1)[1][len(_named(0, "")) :]] = (force, torque)
    return found
