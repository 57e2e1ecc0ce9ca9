"""Gears, belts and racks between parts, as couplings of the joints on which the parts rotate and slide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.importers.mechanism import Link, Note, Ratio
from reactio.importers.pose import Pose, frame_along
from reactio.places import GROUND

SAME_LINE = 1e-4  # sine of the angle, and part of the distance from the origin: two axes within it are one line
LEAST_COSINE = 0.9  # of the angle between axes that are meant to be one line, in a pose not yet closed: 26°
HINGE_TYPES, SLIDE_TYPES = ("revolute", "cylindrical"), ("prismatic", "cylindrical")


def teeth(name: str) -> Note:
    """A note on what a coupling of rotations leaves out: forces between teeth."""
    return Note(
        "warning",
        f"'{name}'",
        "a coupling of joint coordinates: it transmits torque alone; bearings do not feel the force between the teeth",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Wheels:
    """The joints and poses of a mechanism, from which the coordinates of gears are found."""

    links: Sequence[Link]
    poses: Mapping[str, Pose]  # of parts in the world

    def meshing(self, name: str, a: tuple[str, Pose], b: tuple[str, Pose], r_a: float, r_b: float) -> Ratio:
        """r_a z_a·(ω_a − ω_c) + r_b z_b·(ω_b − ω_c) = 0, c the part that carries both axes.

        a and b: part and frame whose z axis is the axis of the wheel and the direction of positive rotation, as in
        OndselSolver, for spur and bevel gears; radii r of opposite sign for a belt.
        """
        _need_radii((a[0], r_a), (b[0], r_b))
        one, two = self._hinge(a, HINGE_TYPES), self._hinge(b, HINGE_TYPES)
        z_a, z_b = (self._frame(*wheel).R[:, 2] for wheel in (a, b))
        s_a, s_b = self._sense(one, a[0], z_a), self._sense(two, b[0], z_b)
        on_a, on_b = _other(one, a[0]), _other(two, b[0])
        along = (f"{one.name}.rotation", f"{two.name}.rotation")
        if on_a == on_b:
            return Ratio(name, "gear", along, {"ratio": -(r_b * s_b) / (r_a * s_a)})
        # One axis is carried by a part that rotates about the other: sun and planet.
        arm, arm_of = self._arm(on_a, on_b, a, b)
        r, z = (r_a, z_a) if arm_of == on_b else (r_b, z_b)
        factor = r * self._sense(arm, arm_of, z)
        coefficients = (r_a * s_a, r_b * s_b, -factor)
        return Ratio(name, "linear", (*along, f"{arm.name}.rotation"), {"coefficients": coefficients})

    def rolling(self, name: str, rack: tuple[str, Pose], pinion: tuple[str, Pose], radius: float) -> Ratio:
        """The rack moves along the x axis of its frame by the radius times the rotation of the pinion about its z."""
        _need_radii((pinion[0], radius))
        slide, hinge = self._slide(rack), self._hinge(pinion, HINGE_TYPES)
        frame = self._frame(*rack)
        turn, move = self._sense(hinge, pinion[0], frame.R[:, 2]), self._sense(slide, rack[0], frame.R[:, 0])
        return Ratio(name, "rack", (f"{slide.name}.translation", f"{hinge.name}.rotation"),
                     {"radius": radius * turn / move})  # fmt: skip

    def rack_and_pinion(self, a: tuple[str, Pose], b: tuple[str, Pose]) -> tuple[tuple[str, Pose], tuple[str, Pose]]:
        """The part that slides, with a frame along its slide and the axis of the pinion, and the part that turns."""
        sliding = [x for x in self.links if x.type == "prismatic"]
        rack, pinion = (a, b) if any(a[0] in (x.a, x.b) for x in sliding) else (b, a)
        x, z = self._axis(self._slide(rack)).R[:, 2], self._axis(self._hinge(pinion, HINGE_TYPES)).R[:, 2]
        frame = Pose(self._frame(*rack).r, frame_along(z, "the rack", x))
        return (rack[0], frame if rack[0] == GROUND else self.poses[rack[0]].inverse @ frame), pinion

    def _frame(self, part: str, at: Pose) -> Pose:
        return at if part == GROUND else self.poses[part] @ at

    def _hinge(self, wheel: tuple[str, Pose], types: tuple[str, ...]) -> Link:
        """The joint on which the part rotates; of several that whose axis is the axis of the wheel."""
        part, at = wheel
        found = [link for link in self.links if part in (link.a, link.b) and link.type in types]
        own = found if len(found) == 1 else [x for x in found if _one_line(self._axis(x), self._frame(part, at))]
        if len(own) != 1:
            raise ReactioError(
                f"it acts on '{part}', which hangs on {len(own)} joints that turn about its axis; one is needed to "
                "know its coordinate."
            )
        return own[0]

    def _slide(self, rack: tuple[str, Pose]) -> Link:
        found = [link for link in self.links if rack[0] in (link.a, link.b) and link.type in SLIDE_TYPES]
        if len(found) != 1:
            raise ReactioError(
                f"it acts on '{rack[0]}', which hangs on {len(found)} joints that slide; one is needed to know its "
                "coordinate."
            )
        return found[0]

    def _arm(self, on_a: str, on_b: str, a: tuple[str, Pose], b: tuple[str, Pose]) -> tuple[Link, str]:
        """The hinge between the parts that carry the two axes, and that one of them which carries both."""
        for arm_of, on, wheel in ((on_b, on_a, a), (on_a, on_b, b)):
            found = [x for x in self.links if {x.a, x.b} == {arm_of, on} and x.type in HINGE_TYPES]
            for link in found:
                if _one_line(self._axis(link), self._frame(*wheel)):
                    return link, arm_of
        raise ReactioError(
            f"its wheels turn on '{on_a}' and '{on_b}', and no hinge between these has the axis of one of the wheels: "
            "how their turns count against each other is not known."
        )

    def _axis(self, link: Link) -> Pose:
        return self._frame(link.a, link.frame_a)

    def _sense(self, link: Link, part: str, n: Floats) -> float:
        """+1 where the coordinate of a joint grows as the part rotates about n, or slides along it; else −1."""
        return sense(self._axis(link).R[:, 2], n, link.name) * (1.0 if link.b == part else -1.0)


def sense(z: Floats, n: Floats, joint: str) -> float:
    """+1 where the axis z of a joint points along n, −1 where it is opposed; both of length 1."""
    cosine = float(z @ n)
    if abs(cosine) < LEAST_COSINE:
        angle = np.degrees(np.arccos(abs(cosine)))
        raise ReactioError(
            f"the axis of joint '{joint}' is {angle:.3g}° off the direction in which the turn or slide of the part "
            "counts; let both be one line."
        )
    return 1.0 if cosine > 0 else -1.0


def _need_radii(*radii: tuple[str, float]) -> None:
    for part, radius in radii:
        if not radius:
            raise ReactioError(f"the radius of '{part}' is 0; give the radius of its pitch circle.")


def _other(link: Link, part: str) -> str:
    return link.a if link.b == part else link.b


def _one_line(a: Pose, b: Pose) -> bool:
    """Do the z axes of two frames lie on one line?"""
    z, d = a.R[:, 2], b.r - a.r
    size = max(float(np.linalg.norm(a.r)), float(np.linalg.norm(b.r)))
    across = float(np.linalg.norm(np.cross(d, z)))
    return bool(np.linalg.norm(np.cross(z, b.R[:, 2])) < SAME_LINE and across <= SAME_LINE * size)
