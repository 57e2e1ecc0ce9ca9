"""Frames on bodies read from a file: points, axes, orientations, the ends of joints."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from reactio.bodies.elements import ElementKind
from reactio.catalogue.places import GROUND, End
from reactio.errors import ModelError, ReactioError, did_you_mean
from reactio.linear.precision import GEOMETRY
from reactio.model.defaults import unit_quaternion
from reactio.model.placing import axis_angle, end_from_world, euler, orientation_from, tangent_body
from reactio.model.specs import Body, Element, Marker
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.yaml_tree import Node
from reactio.space.rotations import product

MARKERS = ("points", "axes", "frames")
END = ("body", "point", "axis", "x", "orientation", "angle", "frame")
WAYS = ({"axis", "angle"}, {"euler", "angles"}, {"z", "x"})  # of saying how something is turned


def located(node: Node, call: Callable[[], Any], what: str = "") -> Any:
    """Run something that may fail without knowing its place."""
    try:
        return call()
    except ReactioError as error:
        if isinstance(error, ModelError) and error.place:
            raise
        message = error.message if isinstance(error, ModelError) else str(error)
        raise node.fail(f"{what}: {message}" if what else message) from None


def one_or_more(node: Node, context: Context, what: str, dimension: str) -> tuple[float, ...]:
    """One number or a list of them."""
    if isinstance(node.value, str):
        return (context.number(node, what, dimension),)
    return context.numbers(node, what, dimension)


def read_markers(mapping: dict[str, Node], context: Context, what: str) -> dict[str, Any]:
    """The named points, axes and frames of a body."""
    named = {key: mapping[key].mapping(f"{what}: {key}") if key in mapping else {} for key in MARKERS}
    return {
        "points": {k: context.vector(n, f"{what}: point '{k}'", "length") for k, n in named["points"].items()},
        "axes": {k: context.vector(n, f"{what}: axis '{k}'", "number") for k, n in named["axes"].items()},
        "frames": {k: _frame(n, context, f"{what}: frame '{k}'") for k, n in named["frames"].items()},
    }


def read_elements(node: Node, context: Context, markers: Mapping[str, Any], what: str) -> tuple[Element, ...]:
    """The elements of a natural body: ``{point: …}`` or ``{vector: …}``, by numbers or by a name given on the body."""
    elements = []
    for inner in node.items(f"{what}: elements"):
        mapping = known_keys(inner, f"{what}: elements", tuple(ElementKind))
        if len(mapping) != 1:
            raise inner.fail(f"{what}: an element is a `point` or a `vector`; {len(mapping)} given.")
        ((kind, value),) = mapping.items()
        known = markers["points" if kind == ElementKind.POINT else "axes"]
        if isinstance(value.value, str):
            if value.value not in known:
                raise value.fail(
                    f"{what}: it has no {'point' if kind == ElementKind.POINT else 'axis'} '{value.value}'."
                    f"{did_you_mean(value.value, known)}"
                )
            elements.append(Element(kind, known[value.value]))
            continue
        dimension = "length" if kind == ElementKind.POINT else "number"
        elements.append(Element(kind, context.vector(value, f"{what}: elements", dimension)))
    return tuple(elements)


def _frame(node: Node, context: Context, what: str) -> Marker:
    mapping = known_keys(node, what, ("point", "axis", "x", "orientation", "angle"))
    point = context.vector(mapping["point"], f"{what}: point", "length") if "point" in mapping else ()
    return Marker(point, read_orientation(mapping, node, context, what))


def read_orientation(
    mapping: dict[str, Node], node: Node, context: Context, what: str, axes: Mapping[str, Any] | None = None
) -> tuple[float, ...]:
    """``angle`` in the plane; ``axis`` and ``x``; ``orientation`` as quaternion, axis and angle, or Euler angles."""
    given = [key for key in ("orientation", "angle", "axis") if key in mapping]
    if "x" in mapping and (context.space == "planar" or "axis" not in mapping):
        raise mapping["x"].fail(
            f"{what}: x is a second direction in addition to `axis` in space; alone it is not enough."
        )
    if not given:
        return ()
    if len(given) > 1:
        raise node.fail(f"{what}: give one of {', '.join(given)}, not {len(given)}.")
    inner = mapping[given[0]]
    label = f"{what}: {given[0]}"
    if given[0] == "axis":
        axis = _direction(inner, context, label, axes or {})
        x = _direction(mapping["x"], context, f"{what}: x", axes or {}) if "x" in mapping else None
        return tuple(located(inner, lambda: orientation_from(context.space, axis, x), what))
    if context.space == "planar":
        return (context.number(inner, label, "angle"),)
    if given[0] == "angle":
        raise inner.fail(f"{label} belongs to the plane; in space give `orientation` or `axis`.")
    return _quaternion(inner, context, label)


def _direction(node: Node, context: Context, what: str, axes: Mapping[str, Any]) -> tuple[float, ...]:
    if isinstance(node.value, str):
        if node.value in axes:
            return tuple(axes[node.value])
        sign, letter = (-1.0 if node.value.startswith("-") else 1.0), node.value.lstrip("+-")
        letters = "xyz"[: context.size]
        if letter not in tuple(letters) or len(node.value) > 2:
            known = did_you_mean(node.value, [*axes, *letters])
            raise node.fail(f"{what}: there is no axis '{node.value}' on the body.{known}")
        return tuple(sign * (name == letter) + 0.0 for name in letters)
    return context.vector(node, what, "number")


def _quaternion(node: Node, context: Context, what: str) -> tuple[float, ...]:
    if isinstance(node.value, list):
        if len(node.value) == 3:
            raise node.fail(
                f"{what} has 3 numbers; 4 are needed, a quaternion [w, x, y, z]. For three angles write {{euler: xyz, "
                "angles: […]}."
            )
        given = context.numbers(node, what, "number", 4)
        if math.hypot(*given) < 1e-9:
            raise node.fail(f"{what} is a quaternion of length {math.hypot(*given):g}; it must be 1.")
        return unit_quaternion(given)
    mapping = known_keys(node, what, ("axis", "angle", "euler", "angles", "x", "z"))
    if not any(set(mapping) <= keys for keys in WAYS):
        raise node.fail(f"{what}: give axis and angle, or euler and angles, or z and x; not {', '.join(mapping)}.")
    if "euler" in mapping:
        sequence = mapping["euler"].text(what).lower()
        if len(sequence) != 3 or set(sequence) - set("xyz"):
            raise mapping["euler"].fail(f"{what}: '{sequence}' is not a sequence of axes; write zxz, xyz, …")
        return euler(sequence, context.numbers(required(mapping, "angles", node, what), what, "angle", 3))
    if "z" in mapping or "x" in mapping:
        z = _direction(required(mapping, "z", node, what), context, f"{what}: z", {})
        x = _direction(mapping["x"], context, f"{what}: x", {}) if "x" in mapping else None
        return tuple(located(node, lambda: orientation_from("spatial", z, x), what))
    axis = _direction(required(mapping, "axis", node, what), context, f"{what}: axis", {})
    angle = context.number(required(mapping, "angle", node, what), what, "angle")
    return tuple(located(node, lambda: axis_angle(axis, angle), what))


def read_end(node: Node, context: Context, bodies: Mapping[str, Body], what: str) -> End:
    """``body``, ``body.point``, ``body.frame`` or a mapping; the orientation stays open where it is not given."""
    if isinstance(node.value, str):
        name, _, marker = node.value.partition(".")
        body = body_named(name, node, bodies, what)
        if not marker:
            return End(name, (0.0,) * context.size)
        return _marker(body, marker, node, what)
    mapping = known_keys(node, what, END)
    body = body_named(required(mapping, "body", node, what).text(what), mapping["body"], bodies, what)
    end = End(body.name, (0.0,) * context.size)
    if "frame" in mapping:
        end = _marker(body, mapping["frame"].text(what), mapping["frame"], what)
    if "point" in mapping:
        given = mapping["point"]
        if isinstance(given.value, str):
            end = End(body.name, _marker(body, given.value, given, what).point, end.orientation)
        else:
            end = End(body.name, context.vector(given, f"{what}: point", "length"), end.orientation)
    turned = read_orientation(mapping, node, context, what, body.axes)
    if turned and end.orientation:
        raise node.fail(f"{what}: the frame '{mapping['frame'].value}' has an orientation; give no second one.")
    return End(end.body, end.point, turned or end.orientation)


def body_named(name: str, node: Node, bodies: Mapping[str, Body], what: str) -> Body:
    if name in bodies:
        return bodies[name]
    if name == GROUND:
        return Body(GROUND)
    places = [f"{body.name}.{name}" for body in bodies.values() if name in {*body.points, *body.axes, *body.frames}]
    hint = did_you_mean(name, places) if places else did_you_mean(name, [*bodies, GROUND])
    raise node.fail(f"{what}: there is no body '{name}'.{hint}")


def _marker(body: Body, name: str, node: Node, what: str) -> End:
    if name in body.points:
        return End(body.name, body.points[name])
    if name in body.frames:
        return End(body.name, body.frames[name].point, body.frames[name].orientation)
    known = [*body.points, *body.frames]
    raise node.fail(f"{what}: body '{body.name}' has no point or frame '{name}'.{did_you_mean(name, known)}")


def ends_at_place(
    mapping: dict[str, Node], node: Node, context: Context, bodies: Mapping[str, Body], what: str
) -> list[End]:
    """The ends of a joint where two bodies meet as posed; their orientations stay open."""
    pair = required(mapping, "bodies", node, what).items(f"{what}: bodies")
    if len(pair) != 2:
        raise mapping["bodies"].fail(f"{what}: bodies names {len(pair)}; a joint connects two.")
    at = required(mapping, "at", node, what)
    point = context.vector(at, f"{what}: at", "length")
    neutral = orientation_from(context.space, None)
    ends = []
    for inner in pair:
        body = body_named(inner.text(what), inner, bodies, what)
        local = end_from_world(body, point, neutral).point
        bent = end_from_world(tangent_body(body, local, context.space), point, neutral).point
        if math.dist(local, bent) > GEOMETRY * max(1.0, *map(abs, point)):
            raise inner.fail(
                f"{what}: body '{body.name}' is bent in the given pose, so a place in the world does not identify "
                f"one of its points; name the point: {{a: {body.name}.POINT, b: …}}."
            )
        ends.append(End(body.name, local))
    return ends


def with_orientations(
    ends: list[End],
    mapping: dict[str, Node],
    node: Node,
    context: Context,
    bodies: Mapping[str, Body],
    what: str,
) -> list[End]:
    """Ends with their orientations: their own, else that of the joint, else that of the other end, else the world's."""
    common = read_orientation({k: v for k, v in mapping.items() if k in ("axis", "x", "angle")}, node, context, what)
    orientations = [end.orientation for end in ends]
    if (common and all(orientations)) or ("axis_b" in mapping and orientations[1]):
        raise node.fail(f"{what}: its ends have their own orientations; give the joint none.")
    if not common:
        given = (_in_world(end, bodies, context.space) for end in ends if end.orientation)
        common = next(given, orientation_from(context.space, None))
    second = common
    if "axis_b" in mapping:
        second = read_orientation({"axis": mapping["axis_b"]}, node, context, what)
    done = []
    for end, world in zip(ends, (common, second), strict=True):
        body = tangent_body(bodies[end.body], end.point, context.space) if end.body in bodies else end.body
        local = end.orientation or end_from_world(body, (0.0,) * context.size, world).orientation
        done.append(End(end.body, end.point, local))
    return done


def _in_world(end: End, bodies: Mapping[str, Body], space: str) -> tuple[float, ...]:
    """The orientation of an end in the world, its body posed and bent as given."""
    if end.body not in bodies or end.body == GROUND:
        return end.orientation
    body = tangent_body(bodies[end.body], end.point, space)
    if not body.orientation:
        return end.orientation
    if len(end.orientation) == 1:
        return (end.orientation[0] + body.orientation[0],)
    return product.plain(body.orientation, end.orientation)  # type: ignore[arg-type]


def write_numbers(numbers: tuple[float, ...]) -> Any:
    """A single number stands alone."""
    return numbers[0] if len(numbers) == 1 else list(numbers)


def write_orientation(numbers: tuple[float, ...], neutral: dict[str, tuple[float, ...]]) -> dict[str, Any]:
    """An orientation as a file has it; nothing where it is the neutral one."""
    if numbers == neutral["orientation"]:
        return {}
    return {"angle" if len(numbers) == 1 else "orientation": write_numbers(numbers)}


def write_end(end: End) -> dict[str, Any]:
    """Always with its orientation: left out it would follow from the other end."""
    return {"body": end.body, "point": list(end.point), **write_orientation(end.orientation, {"orientation": ()})}
