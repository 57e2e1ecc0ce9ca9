"""The same mechanism in natural coordinates, and back."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from reactio.bodies import BODIES
from reactio.errors import ReactioError, did_you_mean
from reactio.model.specs import Body, Element, Model

SHARING = ("revolute", "spherical")  # joints whose points coincide
APART = 0.05  # sine of the angle at which a direction counts as one of its own


def natural(model: Model, bodies: Iterable[str] | None = None) -> Model:
    """The model with its rigid bodies, or only those named, described by points and unit vectors.

    Joints keep rows of their own, so that every reaction stays a question the model can answer: the joint-augmented
    form of Sharma & Ghosal, Sect. 3.2.  Elements that a body already names are used, else its origin and axes.

    >>> import reactio
    >>> system = reactio.build(natural(reactio.load("bennett")))
    >>> system.m, system.n
    (38, 36)
    """
    return _described(model, bodies, "natural")


def shared_points(model: Model) -> Model:
    """The model in the classical form of natural coordinates: bodies share the points of ball joints and hinges.

    Shared points need no rows, so that the equations are few; but a joint without rows has no reaction.  The form is
    for motion only: ``simulate`` runs it, and whatever asks for reactions refuses it.  Bodies take the points of their
    joints for elements, as many as do not lie in one line or plane with the others.

    >>> import reactio
    >>> reactio.build(shared_points(reactio.load("four-bar-planar"))).model.share_points
    True
    """
    whole = natural(model)
    bodies = tuple(replace(b, elements=_at_joints(b, whole)) if b.kind == "natural" else b for b in whole.bodies)
    return replace(whole, bodies=bodies, share_points=True)


def _at_joints(body: Body, model: Model) -> tuple[Element, ...]:
    """Points of joints first, then axes of the body, each unless it depends on those before it."""
    size = len(body.position)
    ends = [end for joint in model.joints if joint.type in SHARING for end in (joint.a, joint.b)]
    points = list(dict.fromkeys(end.point for end in ends if end.body == body.name)) or [(0.0,) * size]
    chosen: list[Element] = [Element("point", points[0])]
    ways: list[list[float]] = []
    axes = [tuple(float(i == k) for i in range(size)) for k in range(size)]
    candidates = [*(Element("point", p) for p in points[1:]), *(Element("vector", axis) for axis in axes)]
    for element in candidates:
        if len(chosen) == (2 if size == 2 else 4):
            break
        way = _unit([a - b * (element.kind == "point") for a, b in zip(element.at, points[0], strict=True)])
        if way and _across(way, ways) > APART:
            chosen.append(element)
            ways.append(way)
    return tuple(chosen)


def _unit(way: list[float]) -> list[float]:
    size = math.hypot(*way)
    return [x / size for x in way] if size else []


def _across(way: list[float], others: list[list[float]]) -> float:
    """How much of a direction lies outside the span of others."""
    rest = list(way)
    basis: list[list[float]] = []
    for other in [*others, rest]:
        part = list(other)
        for b in basis:
            k = sum(x * y for x, y in zip(part, b, strict=True))
            part = [x - k * y for x, y in zip(part, b, strict=True)]
        if other is rest:
            return math.hypot(*part)
        basis.append(_unit(part))
    return 1.0


def absolute(model: Model) -> Model:
    """The model with its natural bodies described by position, orientation and twist; their elements are forgotten.

    >>> import reactio
    >>> model = reactio.load("four-bar-planar")
    >>> absolute(reactio.natural(model)).bodies == model.bodies
    True
    """
    bodies = tuple(
        replace(body, kind="rigid", elements=()) if body.kind == "natural" else body for body in model.bodies
    )
    return replace(model, bodies=bodies, share_points=False)


def _described(model: Model, names: Iterable[str] | None, kind: str) -> Model:
    chosen = {b.name for b in model.bodies if BODIES.get(b.kind).turns} if names is None else set(names)
    for name in sorted(chosen):
        if name not in model.body_index:
            raise ReactioError(f"There is no body '{name}'.{did_you_mean(name, model.body_index)}")
        if not BODIES.get(model.body(name).kind).turns:
            raise ReactioError(f"Body '{name}' is a point mass, which is described by its position already.")
    return replace(model, bodies=tuple(replace(b, kind=kind) if b.name in chosen else b for b in model.bodies))
