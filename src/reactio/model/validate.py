"""What a model must fulfil, whether it came from Python or from a file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from reactio import joints as joint_registry
from reactio.bodies import BODIES
from reactio.couplings import COUPLINGS
from reactio.errors import ModelError, ReactioError, did_you_mean
from reactio.fields import REQUIRED, Coordinate, Field, LawVector, Number
from reactio.forces import FORCES
from reactio.joints import JointType
from reactio.places import GROUND, CoordinateName, End

if TYPE_CHECKING:
    from reactio.model.specs import Body, Coupling, Force, Joint, Model

Path = tuple[str, ...]


def validate(model: Model) -> None:
    """Raise a ModelError at the first thing that cannot be."""
    _names("bodies", (b.name for b in model.bodies))
    groups = [("joints", model.joints), ("drives", model.drives), ("couplings", model.couplings)]
    _names("joints", chain.from_iterable((item.name for item in items) for _, items in groups))
    _names("forces", (f.name for f in model.forces))
    sizes = {"planar": (2, 1, 1), "spatial": (3, 4, 3)}[model.space]
    _vector(model.gravity, sizes[0], "gravity", ("gravity",))
    with_mass = any(b.mass is not None for b in model.bodies) or bool(model.forces) or any(model.gravity)
    for body in model.bodies:
        _body(body, sizes, with_mass)
    known = {body.name: body for body in model.bodies} | {GROUND: model.ground}
    for joint in model.joints:
        _joint(joint, model.space, known, sizes)
    for drive in model.drives:
        coordinate(model, drive.along, ("drives", drive.name, "joint"))
    for coupling in model.couplings:
        _coupling(model, coupling)
    for force in model.forces:
        _force(model, force, known, sizes)


def coordinate(model: Model, along: CoordinateName, path: Path, unit: str = "") -> tuple[str, str]:
    """The full name (joint, coordinate) of a coordinate, checked."""
    if along.joint not in model.joint_index:
        raise ModelError(f"there is no joint '{along.joint}'.{did_you_mean(along.joint, model.joint_index)}", path)
    joint = model.joint(along.joint)
    found = joint_registry.BY_SPACE[model.space].get(joint.type).coordinates
    fitting = {name: c for name, c in found.items() if not unit or c.unit == unit}
    word = {"": "", "m": "translation ", "rad": "rotation "}[unit]
    if along.name:
        if along.name not in fitting:
            raise ModelError(
                f"joint '{joint.name}' ({joint.type}) has no {word}coordinate '{along.name}'."
                f"{did_you_mean(along.name, fitting)}",
                path,
            )
        return along.joint, along.name
    if len(fitting) != 1:
        listing = ", ".join(f"{joint.name}.{name}" for name in fitting) or "none"
        raise ModelError(
            f"joint '{joint.name}' ({joint.type}) has {len(fitting)} {word}coordinates to choose from: {listing}.",
            path,
        )
    return along.joint, next(iter(fitting))


def _names(section: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if not name or not isinstance(name, str) or name == GROUND:
            raise ModelError(f"'{name}' cannot be a name here; choose another.", (section, str(name)))
        if "." in name:
            raise ModelError(
                f"the name '{name}' holds a dot, which separates body and point; leave it out.",
                (section, name),
            )
        if name in seen:
            raise ModelError(f"the name '{name}' is used twice; names of {section} must differ.", (section, name))
        seen.add(name)


def _vector(given: tuple[float, ...], size: int, what: str, path: Path) -> None:
    if len(given) != size:
        raise ModelError(f"{what} has {len(given)} numbers; {size} are needed.", path)
    for x in given:
        if not math.isfinite(x):
            raise ModelError(f"{what} contains {x}; give finite numbers.", path)


def _rotation(given: tuple[float, ...], size: int, what: str, path: Path) -> None:
    _vector(given, size, what, path)
    if size == 4 and abs(math.hypot(*given) - 1) > 1e-6:
        raise ModelError(f"{what} is a quaternion of length {math.hypot(*given):.6g}; it must be 1.", path)


def _body(body: Body, sizes: tuple[int, int, int], with_mass: bool) -> None:
    path = ("bodies", body.name)
    for name in ("position", "velocity", "center"):
        _vector(getattr(body, name), sizes[0], f"body '{body.name}': {name}", (*path, name))
    _rotation(body.orientation, sizes[1], f"body '{body.name}': orientation", (*path, "orientation"))
    _vector(body.angular_velocity, sizes[2], f"body '{body.name}': angular velocity", (*path, "angular_velocity"))
    if body.kind not in BODIES:
        raise ModelError(f"there is no kind of body '{body.kind}'.{did_you_mean(body.kind, BODIES)}", (*path, "kind"))
    if body.mass is None:
        if with_mass or body.inertia:
            raise ModelError(
                f"body '{body.name}' has no mass, which gravity, forces and the motion of the others need; "
                "give `mass` (0 for a massless body).",
                path,
            )
        return
    if not math.isfinite(body.mass) or body.mass < 0:
        raise ModelError(f"body '{body.name}': mass is {body.mass:g} kg; it must not be negative.", (*path, "mass"))
    BODIES.get(body.kind).check_inertia(body, path)


def _end(end: End, known: Mapping[str, Body], sizes: tuple[int, int, int], what: str, path: Path) -> None:
    if end.body not in known:
        raise ModelError(f"{what}: there is no body '{end.body}'.{did_you_mean(end.body, known)}", path)
    _vector(end.point, sizes[0], f"{what}: point", path)
    _rotation(end.orientation, sizes[1], f"{what}: orientation", path)


def _joint(joint: Joint, space: str, known: Mapping[str, Body], sizes: tuple[int, int, int]) -> None:
    path = ("joints", joint.name)
    registry = joint_registry.BY_SPACE[space]
    if joint.type not in registry:
        other = joint_registry.BY_SPACE["spatial" if space == "planar" else "planar"]
        hint = f" (That is a joint of {'space' if space == 'planar' else 'the plane'}.)" if joint.type in other else ""
        raise ModelError(
            f"joint '{joint.name}': there is no {space} joint '{joint.type}'.{did_you_mean(joint.type, registry)}{hint}",
            (*path, "type"),
        )
    kind = registry.get(joint.type)
    for side, end in (("a", joint.a), ("b", joint.b)):
        _end(end, known, sizes, f"joint '{joint.name}'", (*path, side))
        if not BODIES.get(known[end.body].kind).turns and end.body != GROUND:
            _needs_no_turn(joint, kind, side, end, path)
    if joint.a.body == joint.b.body:
        raise ModelError(f"joint '{joint.name}' connects '{joint.a.body}' with itself.", path)
    _numbers(joint.parameters, kind.parameters, f"joint '{joint.name}' ({joint.type})", path)


def _needs_no_turn(joint: Joint, kind: JointType, side: str, end: End, path: Path) -> None:
    for row in kind.rows:
        for _, measure in row.combination.terms:
            if side.upper() in measure.primitive.turns:
                raise ModelError(
                    f"joint '{joint.name}' ({joint.type}) needs the orientation of '{end.body}', which is a point mass; "
                    "make it side b, or make the body rigid.",
                    (*path, side),
                )


def _numbers(given: Mapping[str, Any], fields: Iterable[Field], what: str, path: Path) -> None:
    """Are the right fields there, and the numbers as they must be?"""
    by_name = {f.name: f for f in fields}
    for name in given:
        if name not in by_name:
            raise ModelError(f"{what} knows no '{name}'.{did_you_mean(name, by_name)}", (*path, name))
    for name, one in by_name.items():
        value = given.get(name, one.default)
        if value is REQUIRED:
            raise ModelError(f"{what} needs '{name}': {one.doc}", path)
        if isinstance(one, Number) and value is not None:
            _number(value, one, what, (*path, name))


def _number(value: float, one: Number, what: str, path: Path) -> None:
    if not math.isfinite(value):
        raise ModelError(f"{what}: {one.name} is {value}; give a finite number.", path)
    if (one.positive and value <= 0) or (one.nonzero and value == 0):
        must = "positive" if one.positive else "different from zero"
        raise ModelError(f"{what}: {one.name} is {value:g}; it must be {must}.", path)


def _coupling(model: Model, coupling: Coupling) -> None:
    path = ("couplings", coupling.name)
    if coupling.type not in COUPLINGS:
        raise ModelError(
            f"there is no coupling '{coupling.type}'.{did_you_mean(coupling.type, COUPLINGS)}",
            (*path, "type"),
        )
    kind = COUPLINGS.get(coupling.type)
    _numbers(coupling.parameters, kind.parameters, f"coupling '{coupling.name}' ({coupling.type})", path)
    units = kind.joints.units or ("",) * len(coupling.along)
    factors = kind.coefficients(coupling.parameters)
    if not len(coupling.along) == len(units) == len(factors) or len(factors) < 2:
        raise ModelError(
            f"coupling '{coupling.name}' names {len(coupling.along)} coordinates; {max(2, len(factors))} are needed.",
            path,
        )
    for along, unit in zip(coupling.along, units, strict=True):
        coordinate(model, along, (*path, "joints"), unit)


def _force(model: Model, force: Force, known: Mapping[str, Body], sizes: tuple[int, int, int]) -> None:
    path = ("forces", force.name)
    if force.type not in FORCES:
        raise ModelError(f"there is no force '{force.type}'.{did_you_mean(force.type, FORCES)}", (*path, "type"))
    what = f"force '{force.name}' ({force.type})"
    fields = FORCES.get(force.type).fields
    _numbers(force.parameters, fields, what, path)
    for one in fields:
        value = force.parameters[one.name]
        if isinstance(value, End):
            _end(value, known, sizes, what, (*path, one.name))
        if isinstance(one, Coordinate):
            coordinate(model, value, (*path, one.name), one.unit)
        if isinstance(one, LawVector):
            size = (1 if model.space == "planar" else 3) if one.axial else sizes[0]
            if len(value) != size:
                raise ModelError(
                    f"{what}: {one.name} has {len(value)} components; {size} are needed.", (*path, one.name)
                )
    try:
        FORCES.get(force.type).loads(force.parameters)
    except ReactioError as error:
        raise ModelError(f"{what}: {error}", path) from None
