"""Sub-assemblies: a model file used again, moved, mirrored, and with a prefix before its names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from reactio.errors import ModelError
from reactio.fields import Place
from reactio.forces import FORCES
from reactio.model.specs import Body, Coupling, Drive, Force, Joint, Marker, Model, Stop
from reactio.places import GROUND, CoordinateName, End
from reactio.space.rotations import axes_of, product, turn

Numbers = tuple[float, ...]
# A mirrored frame keeps the sense of one of its coordinates: that of the slider, else that of the rotation.
SLIDERS = ("prismatic",)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a sub-assembly goes: mirrored across a plane first, then turned and moved; its ground becomes ``on``."""

    prefix: str = ""
    mirror: str = ""  # x, y or z: the normal of the plane; "" for none
    position: Numbers = (0.0, 0.0, 0.0)
    orientation: Numbers = (1.0, 0.0, 0.0, 0.0)
    on: Body | None = None  # a body of the model around it; ground when None


def placed_parts(model: Model, placement: Placement) -> dict[str, tuple[Any, ...]]:
    """The bodies, joints, drives, couplings, forces and stops of a model as they stand in the one around it."""
    _can_be_mirrored(model, placement)
    move = _Move(placement)
    return {
        "bodies": tuple(move.body(body) for body in model.bodies),
        "joints": tuple(move.joint(joint) for joint in model.joints),
        "drives": tuple(Drive(move.name(d.name), move.along(d.along), d.function) for d in model.drives),
        "couplings": tuple(
            Coupling(move.name(c.name), c.type, tuple(map(move.along, c.along)), c.parameters) for c in model.couplings
        ),
        "forces": tuple(move.force(force) for force in model.forces),
        "stops": tuple(
            Stop(move.name(s.name), move.along(s.along), s.lower, s.upper, s.restitution) for s in model.stops
        ),
    }


def _can_be_mirrored(model: Model, placement: Placement) -> None:
    if model.space != "spatial":
        raise ModelError(f"'{model.name}' is planar; sub-assemblies are used in space.")
    if not placement.mirror:
        return
    for body in model.bodies:
        if body.elements:
            raise ModelError(f"body '{body.name}' is described by elements and cannot be mirrored.")
    for force in model.forces:
        if any(isinstance(field, Place) for field in FORCES.get(force.type).fields):
            raise ModelError(
                f"force '{force.name}' ({force.type}) acts at a place and is not mirrored; give it outside."
            )
    counted = [d.along for d in model.drives] + [a for c in model.couplings for a in c.along]
    counted += [s.along for s in model.stops]
    for along in counted:
        if model.joint(along.joint).type not in SLIDERS and along.name in ("translation", "x", "y"):
            raise ModelError(f"'{along}' would count the other way in the mirror; give what counts it outside.")


class _Move:
    """Names, points and frames of a sub-assembly in the model around it."""

    def __init__(self, placement: Placement) -> None:
        self.placement = placement
        self.sign = tuple(-1.0 if axis == placement.mirror else 1.0 for axis in "xyz")
        self.turned = axes_of.plain(placement.orientation)  # type: ignore[arg-type]

    def name(self, name: str) -> str:
        return f"{self.placement.prefix}{name}"

    def along(self, along: CoordinateName) -> CoordinateName:
        return CoordinateName(self.name(along.joint), along.name)

    def vector(self, v: Numbers) -> Numbers:
        """In the mirror."""
        return tuple(s * x for s, x in zip(self.sign, v, strict=True))

    def axial(self, v: Numbers) -> Numbers:
        """A rotation in the mirror turns the other way."""
        return tuple(-x for x in self.vector(v)) if self.placement.mirror else v

    def rotation(self, q: Numbers) -> Numbers:
        """S R S as a quaternion: its axis is an axial vector."""
        return (q[0], *self.axial(q[1:]))

    def world(self, v: Numbers) -> Numbers:
        return tuple(turn.plain(self.turned, self.vector(v)))  # type: ignore[arg-type]

    def body(self, body: Body) -> Body:
        position = tuple(a + b for a, b in zip(self.placement.position, self.world(body.position), strict=True))
        spin = turn.plain(self.turned, self.axial(body.angular_velocity))  # type: ignore[arg-type]
        return replace(
            body,
            name=self.name(body.name),
            position=position,
            orientation=product.plain(self.placement.orientation, self.rotation(body.orientation)),  # type: ignore[arg-type]
            velocity=self.world(body.velocity),
            angular_velocity=spin,
            center=self.vector(body.center),
            inertia=self.inertia(body.inertia),
            points={key: self.vector(point) for key, point in body.points.items()},
            axes={key: self.vector(axis) for key, axis in body.axes.items()},
            frames={key: Marker(self.vector(m.point), self.rotation(m.orientation)) for key, m in body.frames.items()},
        )

    def inertia(self, J: Numbers) -> Numbers:
        """S J S: products of inertia with the mirrored axis change their sign."""
        if len(J) != 6:
            return J
        x, y, z = self.sign
        return (*J[:3], x * y * J[3], x * z * J[4], y * z * J[5])

    def end(self, end: End, kind: str) -> End:
        point, q = self.vector(end.point), self.rotation(end.orientation)
        if self.placement.mirror:
            # S R S flips the axis of the frame that has the letter of the mirror; half a turn more flips two others, so
            # that z is the mirror image of a slider's axis, or the opposite, about which rotations keep their sense.
            flips_z = self.placement.mirror == "z"
            if flips_z == (kind in SLIDERS):
                q = product.plain(q, (0.0, 1.0, 0.0, 0.0))  # type: ignore[arg-type]
        if end.body != GROUND:
            return End(self.name(end.body), point, q)
        at = tuple(
            a + b
            for a, b in zip(self.placement.position, turn.plain(self.turned, point), strict=True)  # type: ignore[arg-type]
        )
        world = product.plain(self.placement.orientation, q)  # type: ignore[arg-type]
        if self.placement.on is None:
            return End(GROUND, at, world)
        from reactio.model.placing import end_from_world

        return end_from_world(self.placement.on, at, world)

    def joint(self, joint: Joint) -> Joint:
        parameters: Mapping[str, Any] = joint.parameters
        if joint.type == "screw" and self.placement.mirror:
            parameters = {
                **parameters,
                "pitch": -parameters["pitch"],
            }  # the mirror makes a left-hand thread of a right one
        a, b = (self.end(end, joint.type) for end in (joint.a, joint.b))
        return Joint(self.name(joint.name), joint.type, a, b, parameters)

    def force(self, force: Force) -> Force:
        given: dict[str, Any] = {}
        for key, value in force.parameters.items():
            if isinstance(value, CoordinateName):
                value = self.along(value)
            elif isinstance(value, End):
                value = self.end(value, "")
            given[key] = value
        return Force(self.name(force.name), force.type, given)


def normal(mirror: str) -> str:
    """The letter of a mirror plane's normal, checked."""
    if mirror not in ("x", "y", "z"):
        raise ModelError(f"mirror is '{mirror}'; it must be x, y or z, the normal of the plane.")
    return mirror
