"""Sub-assemblies: a model file used again, moved, mirrored, and with a prefix before its names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from reactio.bodies import BODIES, BodyKind
from reactio.catalogue.fields import Coordinates, Law, LawVector
from reactio.catalogue.places import GROUND, CoordinateName, End
from reactio.errors import ModelError
from reactio.forces import FORCES, ForceType
from reactio.joints import SPATIAL_JOINTS
from reactio.model.model import Model
from reactio.model.specs import Body, Force, Joint, Marker, Shape
from reactio.model.variables import variables
from reactio.space.rotations import axes_of, product, turn

FloatTuple = tuple[float, ...]
SAME_IN_MIRROR = ("prismatic",)  # joints whose translation counts the same way in the mirror
THREADS = ("screw", "thread")


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a sub-assembly goes: mirrored across a plane first, then turned and moved; its ground becomes ``on``."""

    prefix: str = ""
    mirror: str = ""  # x, y or z: the normal of the plane; "" for none
    position: FloatTuple = (0.0, 0.0, 0.0)
    orientation: FloatTuple = (1.0, 0.0, 0.0, 0.0)
    on: Body | None = None  # a body of the model around it; ground when None


def placed_parts(model: Model, placement: Placement) -> dict[str, tuple[Any, ...]]:
    """The bodies, joints, drives, couplings, forces and stops of a model as they stand in the one around it."""
    _refuse_unmirrored(model, placement)
    move = _Move(placement)
    return {
        "bodies": tuple(move.body(body) for body in model.bodies),
        "joints": tuple(move.joint(joint) for joint in model.joints),
        "drives": tuple(replace(d, name=move.name(d.name), along=move.along(d.along)) for d in model.drives),
        "couplings": tuple(
            replace(c, name=move.name(c.name), along=tuple(map(move.along, c.along))) for c in model.couplings
        ),
        "forces": tuple(move.force(force) for force in model.forces),
        "stops": tuple(replace(s, name=move.name(s.name), along=move.along(s.along)) for s in model.stops),
    }


def _refuse_unmirrored(model: Model, placement: Placement) -> None:
    if model.space != "spatial":
        raise ModelError(f"'{model.name}' is planar; sub-assemblies are used in space.")
    for word, items in (("contacts", model.contacts), ("events", model.events)):
        if items:
            raise ModelError(f"'{model.name}' has {word}, which a sub-assembly cannot contain; define them outside.")
    if not placement.mirror:
        return
    for body in model.bodies:
        if body.elements or body.flexible is not None:
            raise ModelError(f"body '{body.name}' is flexible or described by elements and cannot be mirrored.")
    for joint in model.joints:
        if joint.elastic.misfit or joint.elastic.preload or len(joint.elastic.stiffness) > 6:
            raise ModelError(
                f"joint '{joint.name}' has a misfit, a preload or a full stiffness matrix and cannot be mirrored."
            )
    counted = [d.along for d in model.drives] + [a for c in model.couplings for a in c.along]
    counted += [s.along for s in model.stops]
    for along in counted:
        if model.joint(along.joint).type not in SAME_IN_MIRROR and along.name in ("translation", "x", "y"):
            raise ModelError(
                f"'{along}' would change its sign in the mirror; define what uses it outside the sub-assembly."
            )


def _image(word: str, item: Body | Force, kind: BodyKind | ForceType, sign: FloatTuple) -> Mapping[str, Any]:
    """What changes in the mirror among the fields of a kind; a kind that does not say is refused."""
    if kind.mirrored is None:
        raise ModelError(
            f"{word} '{item.name}' is of the kind {kind.name}, which defines no mirror image (`mirrored`); give "
            f"its image outside."
        )
    return kind.mirrored(item.parameters, sign)


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

    def vector(self, v: FloatTuple) -> FloatTuple:
        """In the mirror."""
        return tuple(s * x for s, x in zip(self.sign, v, strict=True))

    def axial(self, v: FloatTuple) -> FloatTuple:
        """A rotation in the mirror turns the other way."""
        return tuple(-x for x in self.vector(v)) if self.placement.mirror else v

    def rotation(self, q: FloatTuple) -> FloatTuple:
        """S R S as a quaternion: its axis is an axial vector."""
        return (q[0], *self.axial(q[1:]))

    def world(self, v: FloatTuple) -> FloatTuple:
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
            shapes=tuple(self.shape(shape) for shape in body.shapes),
            parameters=self.parameters(body),
        )

    def parameters(self, body: Body) -> Mapping[str, Any]:
        """The fields of its kind."""
        if not self.placement.mirror:
            return body.parameters
        return {**body.parameters, **_image("body", body, BODIES.get(body.kind), self.sign)}

    def shape(self, shape: Shape) -> Shape:
        """S (r + R D x) = S r + (S R S) (S D) x: the mirror image has a negative scale along the mirrored axis."""
        return replace(
            shape,
            position=self.vector(shape.position),
            orientation=self.rotation(shape.orientation),
            scale=self.vector(shape.scale),
        )

    def inertia(self, J: FloatTuple) -> FloatTuple:
        """S J S: products of inertia with the mirrored axis change their sign."""
        if len(J) != 6:
            return J
        x, y, z = self.sign
        return (*J[:3], x * y * J[3], x * z * J[4], y * z * J[5])

    def end(self, end: End, kind: str) -> End:
        """The mirror image of a frame: its z axis is the image, or the opposite, where rotations about it count.

        S R S has right-handed axes, the one with the letter of the mirror flipped; half a turn about x flips y and z.
        """
        point, q = self.vector(end.point), self.rotation(end.orientation)
        if self.placement.mirror:
            turns = bool(kind) and "rotation" in SPATIAL_JOINTS.get(kind).coordinates
            if (self.placement.mirror == "z") != turns:
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
        if joint.type in THREADS and self.placement.mirror:  # of a right-hand thread a left-hand one
            parameters = {**parameters, "pitch": -parameters["pitch"]}
        a, b = (self.end(end, joint.type) for end in (joint.a, joint.b))
        return replace(joint, name=self.name(joint.name), a=a, b=b, parameters=parameters)

    def force(self, force: Force) -> Force:
        fields = {field.name: field for field in FORCES.get(force.type).fields}
        given: dict[str, Any] = {}
        for key, value in force.parameters.items():
            kind = fields[key]
            for law in value if isinstance(kind, LawVector) else (value,) if isinstance(kind, Law) else ():
                if named := sorted(name for name in variables(law) if "." in name):
                    raise ModelError(
                        f"force '{force.name}' is a function of '{named[0]}'; give it outside the sub-assembly."
                    )
            if isinstance(value, CoordinateName):
                value = self.along(value)
            elif isinstance(kind, Coordinates) and value is not None:
                value = tuple(self.along(along) for along in value)
            elif isinstance(value, End):
                value = self.place(value)
            elif self.placement.mirror and isinstance(kind, LawVector):
                sense = -1.0 if kind.axial else 1.0
                value = tuple(law.scaled(sense * s) for law, s in zip(value, self.sign, strict=True))
            given[key] = value
        if self.placement.mirror:
            given |= _image("force", force, FORCES.get(force.type), self.sign)
        return Force(self.name(force.name), force.type, given)

    def place(self, end: End) -> End:
        """A place where a force acts; its axes are those of S R S."""
        moved = self.end(end, "")
        if self.placement.mirror == "z":  # undo the half turn that joints need
            return replace(moved, orientation=product.plain(moved.orientation, (0.0, -1.0, 0.0, 0.0)))  # type: ignore[arg-type]
        return moved


def mirror_axis(mirror: str) -> str:
    """The letter of the normal of a mirror plane, checked."""
    if mirror not in ("x", "y", "z"):
        raise ModelError(f"mirror is '{mirror}'; it must be x, y or z, the normal of the plane.")
    return mirror
