"""Gears, belts and racks between parts, as couplings of the joints on which the parts rotate and slide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.importers.mechanism import ImportedCoupling, ImportedJoint, PartFrame
from reactio.importers.pose import Pose, frame_along
from reactio.model.notes import Note, NoteKind

SAME_LINE = 1e-4  # sine of the angle, and part of the distance from the origin: two axes within it are one line
LEAST_COSINE = 0.9  # of the angle between axes that are meant to be one line, in a pose not yet closed: 26°
HINGE_TYPES, SLIDE_TYPES = ("revolute", "cylindrical"), ("prismatic", "cylindrical")


def tooth_force_warning(name: str) -> Note:
    """The warning that a coupling of rotations leaves out the forces between teeth."""
    return Note(
        NoteKind.WARNING,
        f"'{name}'",
        "a coupling of joint coordinates: it transmits torque alone; bearings do not carry the force between the teeth",
    )


@dataclass(frozen=True, slots=True, eq=False)
class GearFinder:
    """The joints and poses of a mechanism, in which the joint coordinates that a gear couples are found."""

    joints: Sequence[ImportedJoint]
    poses: Mapping[str, Pose]  # of parts in the world
    bodies: Mapping[str, str] = field(init=False)  # of each part: the first of those that fixed joints make one body

    def __post_init__(self) -> None:
        object.__setattr__(self, "bodies", _rigid_bodies(self.joints))

    def gear(self, name: str, a: PartFrame, b: PartFrame, r_a: float, r_b: float) -> ImportedCoupling:
        """The coupling r_a z_a·(ω_a − ω_c) + r_b z_b·(ω_b − ω_c) = 0, c the part that carries both axes.

        The z axes of frames a and b are the axes of the wheels, for spur and bevel gears, and the directions of
        positive rotation, as in OndselSolver; radii r have opposite signs for a belt.
        """
        _need_radii((a.part, r_a), (b.part, r_b))
        first, two = self._hinge(a), self._hinge(b)
        z_a, z_b = (self._frame(*wheel).R[:, 2] for wheel in (a, b))
        s_a, s_b = self._sense(first, a.part, z_a), self._sense(two, b.part, z_b)
        on_a, on_b = self._other(first, a.part), self._other(two, b.part)
        along = (f"{first.name}.rotation", f"{two.name}.rotation")
        if on_a == on_b:
            return ImportedCoupling(name, "gear", along, {"ratio": -(r_b * s_b) / (r_a * s_a)})
        # One axis is carried by a part that rotates about the other: sun and planet.
        arm, arm_of = self._arm(on_a, on_b, a, b)
        r, z = (r_a, z_a) if arm_of == on_b else (r_b, z_b)
        factor = r * self._sense(arm, arm_of, z)
        coefficients = (r_a * s_a, r_b * s_b, -factor)
        return ImportedCoupling(name, "linear", (*along, f"{arm.name}.rotation"), {"coefficients": coefficients})

    def rack(self, name: str, rack: PartFrame, pinion: PartFrame, radius: float) -> ImportedCoupling:
        """The rack moves along the x axis of its frame by the radius times the rotation of the pinion about its z."""
        _need_radii((pinion.part, radius))
        slide, hinge = self._slide(rack), self._hinge(pinion)
        frame = self._frame(*rack)
        turn, move = self._sense(hinge, pinion.part, frame.R[:, 2]), self._sense(slide, rack.part, frame.R[:, 0])
        return ImportedCoupling(name, "rack", (f"{slide.name}.translation", f"{hinge.name}.rotation"),
                     {"radius": radius * turn / move})  # fmt: skip

    def rack_and_pinion(self, a: PartFrame, b: PartFrame) -> tuple[PartFrame, PartFrame]:
        """The part that slides, with x along its slide and z along the axis of the pinion, and the part that turns."""
        rack, pinion = (a, b) if self._on(a.part, ("prismatic",)) else (b, a)
        x, z = self._axis(self._slide(rack)).R[:, 2], self._axis(self._hinge(pinion)).R[:, 2]
        frame = Pose(self._frame(*rack).r, frame_along(z, "the rack", x))
        inside = frame if rack.part == GROUND else self.poses[rack.part].inverse @ frame
        return PartFrame(rack.part, inside), pinion

    def _frame(self, part: str, at: Pose) -> Pose:
        return at if part == GROUND else self.poses[part] @ at

    def _body(self, part: str) -> str:
        return self.bodies.get(part, part)

    def _on(self, part: str, types: Sequence[str]) -> list[ImportedJoint]:
        """The joints of some types on the body of a part: a wheel is often fixed on the shaft that turns."""
        body = self._body(part)
        joints = [joint for joint in self.joints if joint.type in types]
        return [joint for joint in joints if (self._body(joint.a) == body) != (self._body(joint.b) == body)]

    def _other(self, joint: ImportedJoint, part: str) -> str:
        """The body on the other side of a joint."""
        ends = self._body(joint.a), self._body(joint.b)
        return ends[0] if ends[1] == self._body(part) else ends[1]

    def _hinge(self, wheel: PartFrame) -> ImportedJoint:
        """The joint on which the part rotates; of several that whose axis is the axis of the wheel."""
        part, at = wheel
        candidates = self._on(part, HINGE_TYPES)
        hinges = (
            candidates
            if len(candidates) == 1
            else [x for x in candidates if _one_line(self._axis(x), self._frame(part, at))]
        )
        if len(hinges) != 1:
            raise ReactioError(
                f"it acts on '{part}', which has {len(hinges)} joints that turn about its axis; one is needed to "
                "know its coordinate."
            )
        return hinges[0]

    def _slide(self, rack: PartFrame) -> ImportedJoint:
        candidates = self._on(rack.part, SLIDE_TYPES)
        if len(candidates) != 1:
            raise ReactioError(
                f"it acts on '{rack.part}', which has {len(candidates)} joints that slide; one is needed to know its "
                "coordinate."
            )
        return candidates[0]

    def _arm(self, on_a: str, on_b: str, a: PartFrame, b: PartFrame) -> tuple[ImportedJoint, str]:
        """The hinge between the parts that carry the two axes, and that one of them which carries both."""
        for arm_of, on, wheel in ((on_b, on_a, a), (on_a, on_b, b)):
            hinges = [joint for joint in self._on(arm_of, HINGE_TYPES) if self._other(joint, arm_of) == on]
            for joint in hinges:
                if _one_line(self._axis(joint), self._frame(*wheel)):
                    return joint, arm_of
        raise ReactioError(
            f"its wheels turn on '{on_a}' and '{on_b}', and no hinge between these has the axis of one of the wheels: "
            "the ratio of their rotations is not known."
        )

    def _axis(self, joint: ImportedJoint) -> Pose:
        return self._frame(joint.a, joint.frame_a)

    def _sense(self, joint: ImportedJoint, part: str, n: Floats) -> float:
        """+1 where the coordinate of a joint grows as the part rotates about n, or slides along it; else −1."""
        grows = 1.0 if self._body(joint.b) == self._body(part) else -1.0
        return grows * sense(self._axis(joint).R[:, 2], n, joint.name)


def sense(z: Floats, n: Floats, joint: str) -> float:
    """+1 where the axis z of a joint points along n, −1 where it is opposed; both of length 1."""
    cosine = float(z @ n)
    if abs(cosine) < LEAST_COSINE:
        angle = np.degrees(np.arccos(abs(cosine)))
        raise ReactioError(
            f"the axis of joint '{joint}' makes an angle of {angle:.3g}° with the direction in which the rotation or "
            "translation of the part is counted; make the two lines coincide."
        )
    return 1.0 if cosine > 0 else -1.0


def _need_radii(*radii: tuple[str, float]) -> None:
    for part, radius in radii:
        if not radius:
            raise ReactioError(f"the radius of '{part}' is 0; give the radius of its pitch circle.")


def _rigid_bodies(joints: Sequence[ImportedJoint]) -> dict[str, str]:
    """Part → the first of the parts that fixed joints connect with it, ground before all others."""
    neighbours: dict[str, list[str]] = {GROUND: []}
    for joint in joints:
        if joint.type == "fixed":
            neighbours.setdefault(joint.a, []).append(joint.b)
            neighbours.setdefault(joint.b, []).append(joint.a)
    bodies: dict[str, str] = {}
    for first in neighbours:
        queue = [first]
        while queue:
            if (part := queue.pop()) not in bodies:
                bodies[part] = first
                queue += neighbours[part]
    return bodies


def _one_line(a: Pose, b: Pose) -> bool:
    """Do the z axes of two frames lie on one line?"""
    z, d = a.R[:, 2], b.r - a.r
    size = max(float(np.linalg.norm(a.r)), float(np.linalg.norm(b.r)))
    across = float(np.linalg.norm(np.cross(d, z)))
    return bool(np.linalg.norm(np.cross(z, b.R[:, 2])) < SAME_LINE and across <= SAME_LINE * size)
