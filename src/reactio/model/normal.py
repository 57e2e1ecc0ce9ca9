"""Normal reactions: which components of a joint's reaction press its surfaces together, for friction."""

from __future__ import annotations

from typing import NamedTuple

from reactio import joints as joint_registry
from reactio.catalogue.places import SPACE_SIZES
from reactio.errors import ReactioError
from reactio.forces import Normal
from reactio.joints import Freedom, JointType
from reactio.model.specs import ModelParts

WrenchRows = tuple[tuple[float, ...], ...]  # each on a wrench (force, moment): (3,) in the plane, (6,) in space


class NormalReaction(NamedTuple):
    """A joint with friction, and N = rows · wrench on its body b in the axes of frame A."""

    joint: str
    rows: WrenchRows


def normal_reaction(model: ModelParts, normal: Normal) -> NormalReaction:
    """The normal reaction that a friction depends on; an error where the joint has no such surfaces."""
    along = normal.along
    joint = model.joint(along.joint)
    kind = joint_registry.JOINTS_BY_SPACE[model.space].get(joint.type)
    name = along.name or next(iter(kind.coordinates))
    free = next(f for f in kind.free if f.name == name)
    what = f"'{joint.name}.{name}' ({joint.type})"
    if free.on != "A" or not all(f.axis for f in kind.free):
        raise ReactioError(f"{what} has no surfaces that rub about a fixed axis; write friction as an actuator.")
    _check(normal, free, model.space, what)
    _check_held(kind, normal, free, what)
    return NormalReaction(joint.name, _rows(free, normal, model.space))


def _check(normal: Normal, free: Freedom, space: str, what: str) -> None:
    if free.rotates and normal.radius is None:
        raise ReactioError(f"{what} turns: give the radius (or thrust_radius) at which its surfaces rub.")
    if not free.rotates and (normal.radius is not None or normal.thrust):
        raise ReactioError(f"{what} slides: leave out radius and thrust_radius.")
    if free.rotates and space == "planar" and (normal.pad or normal.thrust):
        raise ReactioError(
            f"{what} turns in the plane, where nothing is known along its axis: leave out half_length and "
            "thrust_radius."
        )


def _check_held(kind: JointType, normal: Normal, free: Freedom, what: str) -> None:
    """A joint without any force in the directions that press rubs nowhere."""
    held = {"xyz"[m.k] for row in kind.rows for _, m in row.combination.terms if m.primitive.unit == "m"}
    pressing_axes = {free.axis} if normal.thrust else set("xyz") - {free.axis}
    if not held & pressing_axes:
        remedy = "give its thrust_radius only" if free.rotates and not normal.thrust else "leave out thrust_radius"
        raise ReactioError(f"{what} takes no force {'along' if normal.thrust else 'across'} its axis: {remedy}.")


def _rows(free: Freedom, normal: Normal, space: str) -> WrenchRows:
    size, a = SPACE_SIZES[space].vector, "xyz".index(free.axis)
    if normal.thrust:
        return (_row(size, {a: 1.0}),)
    across = [b for b in range(size) if b != a]
    if not normal.pad:
        return tuple(_row(size, {b: 1.0}) for b in across)
    return tuple(_row(size, {b: 0.5, **_lever(size, a, b, 0.5 / normal.pad)}) for b in across)


def _lever(size: int, a: int, b: int, factor: float) -> dict[int, float]:
    """The component of M×a along axis b: the moment about the axis across both, with its sign."""
    c = 3 - a - b
    sign = 1.0 if (b - a) % 3 == 1 else -1.0
    return {size if size == 2 else 3 + c: sign * factor}


def _row(size: int, entries: dict[int, float]) -> tuple[float, ...]:
    return tuple(entries.get(k, 0.0) for k in range(3 if size == 2 else 6))
