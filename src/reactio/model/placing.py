"""Frames on bodies from points and directions: in body axes, or in the world at the given pose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reactio.bodies import BODIES, RIGID_MOTIONS, Port
from reactio.catalogue.places import GROUND, End
from reactio.errors import ModelError, ReactioError
from reactio.model.checks import check_fields
from reactio.model.defaults import NEUTRAL_VALUES, completed_body
from reactio.model.specs import Body, Joint
from reactio.space.algebra import Vector, cross, dot, mul, sub
from reactio.space.rotations import Axes, Quaternion, axes_of, product, quaternion_from_axes, turn, unit


def joint_at(
    name: str,
    type: str,
    a: Body | str,
    b: Body | str,
    at: Sequence[float],
    axis: Sequence[float] | None = None,
    x: Sequence[float] | None = None,
    axis_b: Sequence[float] | None = None,
    **parameters: float | None,
) -> Joint:
    """A joint at a point of the world, for the given poses of its bodies: both frames coincide there.

    ``axis`` is the z axis of the joint in space (its x axis in the plane), ``x`` an optional second direction;
    ``axis_b`` gives side b another main axis.  Either body may be ``"ground"``.

    >>> rod = Body("rod", position=(0.5, 0.0), orientation=0.0)
    >>> joint_at("A", "revolute", "ground", rod, at=(0, 0)).b.point
    (-0.5, 0.0)
    """
    space = "planar" if len(at) == 2 else "spatial"
    world_a = orientation_from(space, axis, x)
    world_b = world_a if axis_b is None else orientation_from(space, axis_b, x)
    ends = []
    for body, world in ((a, world_a), (b, world_b)):
        ends.append(end_from_world(body, tuple(map(float, at)), world))
    return Joint(name, type, ends[0], ends[1], parameters)


def orientation_from(space: str, axis: Sequence[float] | None, x: Sequence[float] | None = None) -> tuple[float, ...]:
    """The orientation of a frame with its main axis given: z in space, x in the plane."""
    if axis is None:
        axis = (1.0, 0.0) if space == "planar" else (0.0, 0.0, 1.0)
    direction = tuple(map(float, axis))
    size = math.hypot(*direction)
    if not size > 0 or not math.isfinite(size):
        raise ModelError(f"the axis {list(direction)} has no direction; give one of non-zero length.")
    if space == "planar":
        return (math.atan2(direction[1], direction[0]),)
    return quaternion_from_axes(_axes(direction, x))  # type: ignore[arg-type]


def _axes(z: Vector, x: Sequence[float] | None) -> Axes:
    """Orthonormal axes from z and a direction near x; without one, the world axis that is least along z is taken."""
    z = _unit(z)
    if x is None:
        smallest = min(range(3), key=lambda i: abs(z[i]))
        hint: Vector = (float(smallest == 0), float(smallest == 1), float(smallest == 2))
        # The same x for z = (0, 0, ±1) as for the world, so that simple models stay simple.
        hint = (1.0, 0.0, 0.0) if abs(z[0]) < 0.9 else hint
    else:
        hint = (float(x[0]), float(x[1]), float(x[2]))
    across = sub.plain(hint, mul.plain(dot.plain(hint, z), z))
    if math.hypot(*across) < 1e-9 * max(1e-300, math.hypot(*hint)):
        raise ModelError(f"the x axis {list(hint)} is parallel to the axis {list(z)}; give another.")
    ex = _unit(across)
    return ex, cross.plain(z, ex), z


def _unit(a: Vector) -> Vector:
    return mul.plain(1 / math.hypot(*a), a)


def end_from_world(body: Body | str, at: tuple[float, ...], orientation: tuple[float, ...]) -> End:
    """The frame on a body that is at a place of the world in the given pose of the body."""
    if isinstance(body, str) or body.name == GROUND:
        return End(body if isinstance(body, str) else body.name, at, orientation)
    neutral = NEUTRAL_VALUES["planar" if len(at) == 2 else "spatial"]
    position = body.position or neutral["point"]
    pose = body.orientation or neutral["orientation"]
    offset = [p - r for p, r in zip(at, position, strict=True)]
    if len(at) == 2:
        c, s = math.cos(pose[0]), math.sin(pose[0])
        point: tuple[float, ...] = (c * offset[0] + s * offset[1], -s * offset[0] + c * offset[1])
        return End(body.name, point, (orientation[0] - pose[0],))
    inverse: Quaternion = (pose[0], -pose[1], -pose[2], -pose[3])
    local = turn.plain(axes_of.plain(inverse), (offset[0], offset[1], offset[2]))
    return End(body.name, local, unit.plain(product.plain(inverse, orientation)))  # type: ignore[arg-type]


def tangent_body(body: Body, point: tuple[float, ...], space: str) -> Body:
    """A rigid body that carries a frame at a point as the body itself does, posed as given and bent as its kind says.

    The body itself where it has no elastic coordinates.
    """
    kind = BODIES.get(body.kind)
    if kind.rigid or not kind.fields or space not in kind.ports:  # validation will speak of the last
        return body
    completed = completed_body(body, space)
    try:
        check_fields(completed.parameters, kind.fields, "", (), len(completed.position))
        kind.check(completed, ())
    except ReactioError:
        return body  # validation will say so
    if len(kind.ports[space].units(completed)) == RIGID_MOTIONS[space, kind.turns]:
        return body
    pose = _pose(kind.ports[space], completed, End(body.name, point, NEUTRAL_VALUES[space]["orientation"]))
    if space == "planar":
        c, s, (x, y) = math.cos(pose.phi), math.sin(pose.phi), point
        origin = (pose.r[0] - c * x + s * y, pose.r[1] - s * x - c * y)
        return replace(body, position=origin, orientation=(pose.phi,))
    axes = (pose.x, pose.y, pose.z)
    return replace(
        body,
        position=sub.plain(pose.r, turn.plain(axes, (point[0], point[1], point[2]))),
        orientation=quaternion_from_axes(axes),
    )


def _pose(port: Port, body: Body, end: End) -> Any:
    """The pose of a frame on a body as its kind gives it."""
    given = (port.coordinates(body)[0], port.parameters(body), port.local(body, end))
    q, p, local = (np.array(x, dtype=float) for x in given)
    q = np.append(q, np.zeros(len(port.units(body))))  # a list that is too short is refused when the model is built
    R = np.zeros((1, 2 if len(end.point) == 2 else 9))
    with np.errstate(all="ignore"):
        port.orientation.uncompiled(q, 0, R, 0)
        return port.pose.uncompiled(q, 0, R, p[None], 0, local[None], 0)


def axis_angle(axis: Sequence[float], angle: float) -> Quaternion:
    """The quaternion of a turn by an angle [rad] about an axis."""
    size = math.hypot(*axis)
    if not size > 0:
        raise ModelError(f"the axis {list(axis)} has no direction; give one of non-zero length.")
    k = math.sin(angle / 2) / size
    return (math.cos(angle / 2), k * axis[0], k * axis[1], k * axis[2])


def euler(sequence: str, angles: Sequence[float]) -> Quaternion:
    """Turns about the moving axes named in the sequence, one after the other: ``zxz``, ``xyz``, …"""
    result: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for name, angle in zip(sequence, angles, strict=True):
        axis = [float(name == n) for n in "xyz"]
        result = product.plain(result, axis_angle(axis, angle))
    return result
