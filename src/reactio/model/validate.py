"""Conditions on every model, whether it came from Python or from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reactio import joints as joint_registry
from reactio.bodies import BODIES, unknown_kind
from reactio.bodies.elements import ElementKind
from reactio.catalogue.fields import Coordinate, Coordinates, Field, Law, LawVector, Place
from reactio.catalogue.places import GROUND, SPACE_SIZES, CoordinateName, End, ReactionAxes, SpaceSizes
from reactio.catalogue.units import quantity
from reactio.couplings import COUPLINGS
from reactio.errors import ModelError, ReactioError, did_you_mean
from reactio.expressions.parameters import resolve
from reactio.forces import FORCES
from reactio.model.bearing import check_bearing
from reactio.model.capacity import check_capacity
from reactio.model.checks import (
    SMALLEST,
    Path,
    check_fields,
    check_function,
    check_name,
    check_names,
    check_rotation,
    check_size,
    check_text,
    check_vector,
)
from reactio.model.coordinates import units_of_misfits, variable_names
from reactio.model.elastic import COMPONENTS, check_elastic
from reactio.model.events import check_event, check_stop
from reactio.model.flexible import check_flexible, check_material, check_structure
from reactio.model.normal import normal_reaction
from reactio.model.play import ALONG
from reactio.model.shapes import check_shapes
from reactio.model.specs import Body, Coupling, Force, Joint, ModelParts
from reactio.model.tolerances import check_costs, check_tolerances
from reactio.primitives import Combination

LONGEST_TEXTS = {"name": 200, "title": 300, "cite": 2000}  # that fit where these texts are shown


def validate(model: ModelParts) -> None:
    """Raise a ModelError at the first impossible value."""
    for key, most in LONGEST_TEXTS.items():
        check_text(getattr(model, key), most, key)
    check_names(("bodies", b.name) for b in model.bodies)
    rows: dict[str, Iterable[Any]] = {"joints": model.joints, "drives": model.drives, "couplings": model.couplings}
    check_names((section, item.name) for section, items in rows.items() for item in items)
    check_names(("forces", f.name) for f in model.forces)
    watched: dict[str, Iterable[Any]] = {"events": model.events, "stops": model.stops}
    check_names((section, item.name) for section, items in watched.items() for item in items)
    _parameters(model)
    sizes = SPACE_SIZES[model.space]
    check_vector(model.gravity, sizes.vector, "gravity", ("gravity",))
    _bodies(model, sizes)
    known = {body.name: body for body in model.bodies} | {GROUND: model.ground}
    for joint in model.joints:
        _joint(joint, model.space, known, sizes)
    for drive in model.drives:
        coordinate(model, drive.along, ("drives", drive.name, "joint"))
        check_function(drive.function, {"t"}, f"drive '{drive.name}': function", ("drives", drive.name, "function"))
        check_elastic(drive.elastic, (), 1, False, f"drive '{drive.name}'", ("drives", drive.name))
    for coupling in model.couplings:
        _coupling(model, coupling)
    for force in model.forces:
        _force(model, force, known, sizes)
    for event in model.events:
        check_event(event, model)
    for stop in model.stops:
        coordinate(model, stop.along, ("stops", stop.name, "along"))
        check_stop(stop)
    misfits = units_of_misfits(model.space, model.joints, model.drives, model.couplings)
    check_tolerances(model.tolerances, model.space, misfits)
    check_costs(model.costs)
    if model.contacts:
        from reactio.model.contacts import check_contact

        check_names(("contacts", contact.name) for contact in model.contacts)
        for contact in model.contacts:
            check_contact(contact, model)


def _bodies(model: ModelParts, sizes: SpaceSizes) -> None:
    """Ground, materials and bodies with their structures and shapes."""
    with_mass = any(b.mass is not None for b in model.bodies) or bool(model.forces) or any(model.gravity)
    _ground(model.ground, sizes)
    for name, material in model.materials.items():
        check_material(name, material)
    for body in model.bodies:
        check_structure(body, model.materials, ("bodies", body.name))
        _body(body, model.space, sizes, with_mass)
        check_flexible(body, model.materials, ("bodies", body.name))
        check_shapes(body, model.space, ("bodies", body.name))
    check_shapes(model.ground, model.space, ("ground",))


def coordinate(model: ModelParts, along: CoordinateName, path: Path, unit: str = "") -> tuple[str, str]:
    """The full name (joint, coordinate) of a coordinate, checked."""
    what = f"{path[0].removesuffix('s')} '{path[1]}'"
    if not isinstance(along, CoordinateName):
        raise ModelError(f"{what}: {along!r} is not a joint coordinate; give a CoordinateName.", path)
    if along.joint not in model.joint_index:
        hint = did_you_mean(along.joint, model.joint_index)
        raise ModelError(f"{what}: there is no joint '{along.joint}'.{hint}", path)
    joint = model.joint(along.joint)
    registered = joint_registry.JOINTS_BY_SPACE[model.space].get(joint.type)
    coordinates = registered.coordinates
    fitting = {name: c for name, c in coordinates.items() if not unit or c.unit == unit}
    word = {"": "", "m": "translation ", "rad": "rotation "}[unit]
    keeps_length = along.name in ("", "length") and any(p.name == "length" for p in registered.parameters)
    rod = " A rod cannot be driven: build the cylinder from two bodies and a prismatic joint." if keeps_length else ""
    if along.name and along.name not in fitting:
        raise ModelError(
            f"{what}: joint '{joint.name}' ({joint.type}) has no {word}coordinate '{along.name}'."
            f"{did_you_mean(along.name, fitting)}{rod}",
            path,
        )
    if not along.name and len(fitting) != 1:
        listing = ", ".join(f"{joint.name}.{name}" for name in fitting)
        choice = f"{len(fitting)} {word}coordinates; choose one: {listing}." if fitting else f"no {word}coordinate."
        raise ModelError(f"{what}: joint '{joint.name}' ({joint.type}) has {choice}{rod}", path)
    name = along.name or next(iter(fitting))
    for side, end in (("a", joint.a), ("b", joint.b)):
        if not _turns(model.body(end.body)):
            _refuse_orientation(f"{what}: the coordinate '{joint.name}.{name}'", [fitting[name]], side, end, path)
    return along.joint, name


def force_coordinates(model: ModelParts, force: Force, path: Path) -> dict[str, Any]:
    """The joint coordinates that a force names, by field, each checked and with its full name."""
    coordinates: dict[str, Any] = {}
    for field in FORCES.get(force.type).fields:
        value, where = force.parameters.get(field.name), (*path, field.name)
        if value is None:
            continue
        if isinstance(field, Coordinate):
            coordinates[field.name] = CoordinateName(*coordinate(model, value, where, field.unit))
        if isinstance(field, Coordinates):
            units = field.units or ("",) * len(value)
            if len(value) != len(units) or len(value) < field.least:
                wanted = len(field.units) or f"{field.least} or more"
                what = f"force '{force.name}' ({force.type}): {field.name}"
                raise ModelError(f"{what} names {_number(len(value), 'coordinate')}; {wanted} are needed.", where)
            pairs = zip(value, units, strict=True)
            coordinates[field.name] = tuple(
                CoordinateName(*coordinate(model, along, where, unit)) for along, unit in pairs
            )
    return coordinates


def _parameters(model: ModelParts) -> None:
    """Are the parameters kept for the record such as a file could name?"""
    try:
        resolve(model.parameters, {})
    except ReactioError as error:
        raise ModelError(str(error), ("parameters",)) from None


def _ground(ground: Body, sizes: SpaceSizes) -> None:
    still = not any((*ground.position, *ground.velocity, *ground.angular_velocity, *ground.center))
    turned = ground.orientation not in ((0.0,), (1.0, 0.0, 0.0, 0.0))
    plain = (
        ground.name == GROUND
        and ground.mass is None
        and not ground.inertia
        and ground.kind == "rigid"
        and not ground.elements
        and not ground.parameters
        and ground.flexible is None
        and not ground.temperature
    )
    if not (plain and still) or turned:
        raise ModelError("ground has points, axes and frames, and nothing else; leave out the rest.", (GROUND,))
    _markers(ground, sizes, "ground", (GROUND,))


def _markers(body: Body, sizes: SpaceSizes, what: str, path: Path) -> None:
    """The named points, axes and frames of a body."""
    for name in (*body.points, *body.axes, *body.frames):
        check_name(name, path)
    if both := sorted(name for name in body.frames if name in body.points):
        raise ModelError(f"{what}: '{both[0]}' names a point and a frame; give each its own name.", path)
    for name, point in body.points.items():
        check_vector(point, sizes.vector, f"{what}: point '{name}'", (*path, "points", name))
    for name, axis in body.axes.items():
        check_vector(axis, sizes.vector, f"{what}: axis '{name}'", (*path, "axes", name))
        if not any(axis):
            raise ModelError(
                f"{what}: axis '{name}' has no direction; give one of non-zero length.", (*path, "axes", name)
            )
    for name, frame in body.frames.items():
        check_vector(frame.point, sizes.vector, f"{what}: frame '{name}'", (*path, "frames", name))
        check_rotation(frame.orientation, sizes.orientation, f"{what}: frame '{name}'", (*path, "frames", name))


def _body(body: Body, space: str, sizes: SpaceSizes, with_mass: bool) -> None:
    path = ("bodies", body.name)
    _markers(body, sizes, f"body '{body.name}'", path)
    for name in ("position", "velocity", "center"):
        check_vector(getattr(body, name), sizes.vector, f"body '{body.name}': {name}", (*path, name))
    check_rotation(body.orientation, sizes.orientation, f"body '{body.name}': orientation", (*path, "orientation"))
    check_vector(
        body.angular_velocity, sizes.rotation, f"body '{body.name}': angular velocity", (*path, "angular_velocity")
    )
    if body.kind not in BODIES:
        raise ModelError(f"body '{body.name}': {unknown_kind(body.kind)}", (*path, "kind"))
    if space not in (ports := BODIES.get(body.kind).ports):
        raise ModelError(
            f"body '{body.name}': the kind of body '{body.kind}' is {' and '.join(ports)}, and the model is {space}; "
            "choose another kind.",
            (*path, "kind"),
        )
    _elements(body, sizes.vector, path)
    _own_fields(body, sizes.vector, path)
    if body.mass is None:
        if with_mass or body.inertia:
            raise ModelError(
                f"body '{body.name}' has no mass, which gravity, forces and the motion of the others need; "
                f"give `mass` (0 for a massless body){', or its material a `density`' if body.flexible else ''}.",
                path,
            )
        return
    check_size(body.mass, f"body '{body.name}': mass", (*path, "mass"), SMALLEST)
    if body.mass < 0:
        raise ModelError(
            f"body '{body.name}': mass is {quantity(body.mass, 'kg', 6)}; it must be not negative.", (*path, "mass")
        )
    for k, moment in enumerate(body.inertia):
        # Products of inertia may be as small as rounding makes them.
        check_size(moment, f"body '{body.name}': inertia", (*path, "inertia"), SMALLEST if k < 3 else 0.0)
    BODIES.get(body.kind).check_inertia(body, path)


def _own_fields(body: Body, dimension: int, path: Path) -> None:
    """The fields that the kind of a body adds, by their own checks and by that of the kind."""
    kind = BODIES.get(body.kind)
    check_fields(body.parameters, kind.fields, f"body '{body.name}' ({body.kind})", path, dimension)
    try:
        kind.check(body, path)
    except ModelError:
        raise
    except ReactioError as error:
        raise ModelError(f"body '{body.name}' ({body.kind}): {error}", path) from None


def _elements(body: Body, size: int, path: Path) -> None:
    for i, element in enumerate(body.elements):
        where = (*path, "elements", str(i))
        if element.kind not in tuple(ElementKind):
            raise ModelError(f"body '{body.name}': an element is a point or a vector, not '{element.kind}'.", where)
        check_vector(element.at, size, f"body '{body.name}': element {i + 1}", where)
        if element.kind == ElementKind.VECTOR and not any(element.at):
            raise ModelError(f"body '{body.name}': element {i + 1} is a vector of no length; give a direction.", where)
    BODIES.get(body.kind).check_elements(body, path)


def _end(end: End, known: Mapping[str, Body], sizes: SpaceSizes, what: str, path: Path) -> None:
    if not isinstance(end, End):
        raise ModelError(f"{what}: {end!r} is not a place on a body; give an End.", path)
    if end.body not in known:
        raise ModelError(f"{what}: there is no body '{end.body}'.{did_you_mean(end.body, known)}", path)
    if end.body != GROUND and BODIES.get(known[end.body].kind).internal:
        raise ModelError(f"{what}: '{end.body}' is a coordinate without a place; nothing can be fixed on it.", path)
    check_vector(end.point, sizes.vector, f"{what}: point", path)
    check_rotation(end.orientation, sizes.orientation, f"{what}: orientation", path)
    if not _turns(known[end.body]) and any(end.point):
        raise ModelError(f"{what}: '{end.body}' is a point mass and has no other points; leave the point out.", path)


def _turns(body: Body) -> bool:
    """Has the body (or ground) an orientation?"""
    return body.name == GROUND or BODIES.get(body.kind).turns


def _joint(joint: Joint, space: str, known: Mapping[str, Body], sizes: SpaceSizes) -> None:
    path = ("joints", joint.name)
    registry = joint_registry.JOINTS_BY_SPACE[space]
    if joint.type not in registry:
        elsewhere = joint_registry.JOINTS_BY_SPACE["spatial" if space == "planar" else "planar"]
        hint = (
            f" (That is a joint of {'space' if space == 'planar' else 'the plane'}.)" if joint.type in elsewhere else ""
        )
        near = registry.near(joint.type)
        raise ModelError(
            f"joint '{joint.name}': there is no {space} joint '{joint.type}'.{near}{hint}", (*path, "type")
        )
    kind = registry.get(joint.type)
    for side, end in (("a", joint.a), ("b", joint.b)):
        _end(end, known, sizes, f"joint '{joint.name}'", (*path, side))
        if not _turns(known[end.body]):
            combinations = [row.combination for row in kind.rows]
            _refuse_orientation(f"joint '{joint.name}' ({joint.type})", combinations, side, end, (*path, side))
    if joint.a.body == joint.b.body:
        raise ModelError(f"joint '{joint.name}' connects '{joint.a.body}' with itself.", path)
    what = f"joint '{joint.name}' ({joint.type})"
    if joint.rows not in list(ReactionAxes):
        raise ModelError(f"{what}: rows is '{joint.rows}'; it must be joint or world.", path)
    if joint.rows == ReactionAxes.WORLD and not kind.holds_a_point:
        raise ModelError(
            f"{what} cannot have its rows in world axes: it does not hold a point in every direction, so its equations "
            "turn with its bodies.",
            path,
        )
    check_fields(joint.parameters, kind.parameters, what, path)
    directions = COMPONENTS[space]
    lengths = any(p.name == "length" for p in kind.parameters)
    one_way = any(row.unilateral for row in kind.rows)
    if not 0.0 <= (joint.parameters.get("restitution") or 0.0) <= 1.0:
        raise ModelError(
            f"{what}: restitution is {joint.parameters['restitution']:g}; it must be from 0 to 1.",
            (*path, "restitution"),
        )
    check_elastic(joint.elastic, directions, len(kind.rows), lengths, what, path, one_way)
    _refuse_preload(joint, kind, what, path)
    check_capacity(joint.capacity, what, path)
    check_bearing(joint.bearing, what, path)


def _refuse_preload(joint: Joint, kind: joint_registry.JointType, what: str, path: Path) -> None:
    """Refuse a preload that pushes a cable or pulls a strut: one number is the force on body b, away from body a."""
    tension = -joint.elastic.preload.get(ALONG, 0.0)
    if kind.is_one_way and tension * kind.rows[0].sign < 0.0:
        acts, sign = ("pulls", "positive") if kind.pulls else ("pushes", "negative")
        raise ModelError(
            f"{what}: it only {acts}, and its preload acts the other way. One number is the force on body b, positive "
            f"where it pushes the ends apart; `preload: {{N: …}}` is positive for tension, and {sign} here.",
            (*path, "preload"),
        )


def _refuse_orientation(what: str, combinations: Iterable[Combination], side: str, end: End, path: Path) -> None:
    for combination in combinations:
        if any(side.upper() in measure.primitive.turns for _, measure in combination.terms):
            raise ModelError(
                f"{what} needs the orientation of '{end.body}', which is a point mass; "
                "make it side b, or make the body rigid.",
                path,
            )


def _coupling(model: ModelParts, coupling: Coupling) -> None:
    path = ("couplings", coupling.name)
    if coupling.type not in COUPLINGS:
        hint = did_you_mean(coupling.type, COUPLINGS)
        raise ModelError(f"coupling '{coupling.name}': there is no coupling '{coupling.type}'.{hint}", (*path, "type"))
    kind = COUPLINGS.get(coupling.type)
    what = f"coupling '{coupling.name}' ({coupling.type})"
    check_fields(coupling.parameters, kind.parameters, what, path)
    units = kind.joints.units or ("",) * len(coupling.along)
    factors = kind.coefficients(coupling.parameters)
    if not len(coupling.along) == len(units) == len(factors) or len(factors) < kind.joints.least:
        needed = max(kind.joints.least, len(factors))
        raise ModelError(
            f"{what} names {_number(len(coupling.along), 'coordinate')}; {needed} are needed.",
            path,
        )
    pairs = zip(coupling.along, units, strict=True)
    coordinates = [coordinate(model, along, (*path, "joints"), unit) for along, unit in pairs]
    if len(set(coordinates)) < len(coordinates):
        raise ModelError(f"{what} names a coordinate twice; add up its factors.", (*path, "joints"))
    if not all(factors):
        raise ModelError(f"{what}: a factor is zero; leave that coordinate out.", path)
    check_elastic(coupling.elastic, (), 1, False, what, path)
    if not kind.joints.units:
        _one_unit(model, coordinates, what, (*path, "joints"))


def _refuse_torque_on_point(
    force: Force, fields: Iterable[Field], known: Mapping[str, Body], what: str, path: Path
) -> None:
    for field in fields:
        place = force.parameters[field.name]
        if isinstance(field, Place) and place is not None and not _turns(known[place.body]):
            raise ModelError(f"{what} acts on a point mass, which cannot turn; make the body rigid.", path)


def _one_unit(model: ModelParts, coordinates: list[tuple[str, str]], what: str, path: Path) -> None:
    registry = joint_registry.JOINTS_BY_SPACE[model.space]
    measured = {registry.get(model.joint(joint).type).coordinates[name].unit for joint, name in coordinates}
    if len(measured) > 1:
        raise ModelError(f"{what} adds lengths to angles; couple those with `rack`.", path)


def _force(model: ModelParts, force: Force, known: Mapping[str, Body], sizes: SpaceSizes) -> None:
    path = ("forces", force.name)
    if force.type not in FORCES:
        hint = did_you_mean(force.type, FORCES)
        raise ModelError(f"force '{force.name}': there is no force '{force.type}'.{hint}", (*path, "type"))
    what = f"force '{force.name}' ({force.type})"
    fields = FORCES.get(force.type).fields
    check_fields(force.parameters, fields, what, path, sizes.vector)
    force_coordinates(model, force, path)
    for field in fields:
        value, label, where = force.parameters[field.name], f"{what}: {field.name}", (*path, field.name)
        if value is None:
            continue
        if isinstance(field, Place):
            _end(value, known, sizes, label, where)
        if isinstance(field, Law):
            check_function(value, {"s", "rate", *variable_names(model)}, label, where)
        if isinstance(field, LawVector) and field.axial:
            _refuse_torque_on_point(force, fields, known, what, path)
        if isinstance(field, LawVector):
            size = sizes.rotation if field.axial else sizes.vector
            if len(value) != size:
                axes, given = ", ".join("z" if size == 1 else "xyz"[:size]), _number(len(value), "component")
                raise ModelError(f"{label} has {given}; {size} {'is' if size == 1 else 'are'} needed, [{axes}].", where)
            for component in value:
                check_function(component, {*variable_names(model)}, label, where)
    try:
        for load in FORCES.get(force.type).loads(force.parameters):
            for end in load.along.ends:
                _end(end, known, sizes, what, path)
            if load.normal is not None:
                normal_reaction(model, load.normal)
    except ReactioError as error:
        raise ModelError(f"{what}: {error}", path) from None


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
