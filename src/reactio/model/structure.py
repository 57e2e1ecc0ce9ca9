"""Bodies of a model → structures: stiffness, mass and modes by their flexible description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.fields import Place
from reactio.catalogue.places import End
from reactio.errors import ReactioError, did_you_mean
from reactio.forces import FORCES
from reactio.linear.precision import GEOMETRY
from reactio.model.frozen import FrozenMap
from reactio.model.specs import Body, Flexible, ModelParts
from reactio.structures import STRUCTURES, Description, Flexibility, MassProperties
from reactio.structures.material import Material
from reactio.structures.modes import Modes, ModeShapes, mode_shapes, modes


def points_of(model: ModelParts, name: str) -> Floats:
    """(P, 3) the points where joints and loads hold a body, each once; body axes."""
    ends = [end for joint in model.joints for end in (joint.a, joint.b)]
    for force in model.forces:
        fields = FORCES.get(force.type).fields
        ends += [force.parameters[f.name] for f in fields if isinstance(f, Place)]
    points: list[tuple[float, ...]] = []
    for end in ends:
        point = (*end.point, 0.0)[:3] if isinstance(end, End) else ()
        if end.body == name and not any(np.allclose(point, known, rtol=0, atol=GEOMETRY) for known in points):
            points.append(point)
    return np.array(points).reshape(-1, 3)


def structure(model: ModelParts, body: Body) -> Flexibility | None:
    """The flexibility of a body, None for a rigid one; made once for each description."""
    if body.flexible is None:
        return None
    points = tuple(tuple(p) for p in points_of(model, body.name).tolist())
    return _made(describe(body, model.materials, points), body.flexible.kind)


def modal(model: ModelParts, body: Body) -> Modes:
    """The modes that a body asks for; of a body that nothing holds they are those about its centre of mass."""
    assert body.flexible is not None
    points = tuple(tuple(p) for p in points_of(model, body.name).tolist())
    center = (*body.center, 0.0)[:3]
    given = replace(describe(body, model.materials, points or (center,)), inside=True)
    return _modes(given, body.flexible.kind, body.flexible.modes, model.space == "planar", bool(points))


def shapes_of_modes(model: ModelParts, name: str, count: int) -> ModeShapes:
    """The lowest modes of a flexible body as shapes of its nodes.

    >>> import reactio
    >>> shapes_of_modes(reactio.load("spatial-parallelogram", links="beam"), "link1", 2).hertz.round(-1).tolist()
    [350.0, 350.0]
    """
    body = next((candidate for candidate in model.bodies if candidate.name == name), None)
    if body is None:
        raise ReactioError(
            f"There is no body '{name}'.{did_you_mean(name, [candidate.name for candidate in model.bodies])}"
        )
    flexible = [
        candidate.name
        for candidate in model.bodies
        if candidate.flexible is not None and candidate.flexible.kind != "split"
    ]
    if name not in flexible:
        known = f"Flexible bodies: {', '.join(flexible)}." if flexible else "Describe one by `flexible:`."
        raise ReactioError(f"'{name}' is not a flexible body with nodes, so it has no modes. {known}")
    assert body.flexible is not None
    points = tuple(tuple(p) for p in points_of(model, name).tolist()) or ((*body.center, 0.0, 0.0, 0.0)[:3],)
    given = replace(describe(body, model.materials, points), inside=True)
    return mode_shapes(_made(given, body.flexible.kind), count, model.space == "planar", given.where)


def describe(body: Body, materials: Any, points: tuple[tuple[float, ...], ...] = ()) -> Description:
    """The structure as its body describes it."""
    flexible: Flexible | None = body.flexible
    assert flexible is not None
    given = None
    if body.mass is not None:
        moments = body.inertia if len(body.inertia) > 1 else (0.0, 0.0, *body.inertia)
        given = MassProperties(body.mass, (*body.center, 0.0, 0.0, 0.0)[:3] if body.center else (0.0,) * 3, moments)
    markers = {**body.points, **{name: marker.point for name, marker in body.frames.items()}}
    return Description(
        body.name, flexible.parameters, flexible.material, flexible.interfaces, FrozenMap(materials),
        FrozenMap(markers), points, given, planar=len(body.position) == 2, stamps=tuple(_stamps(flexible.parameters)),
    )  # fmt: skip


def _stamps(given: Any) -> Iterator[int]:
    """The times [ns] at which the files of a description were written."""
    for value in given.values() if isinstance(given, Mapping) else ():
        if isinstance(value, str):
            with suppress(OSError, ValueError):  # a name of something else
                yield Path(value).stat().st_mtime_ns
        yield from _stamps(value)


def own_inertia(body: Body, materials: dict[str, Material] | Any) -> MassProperties | None:
    """Mass, centre and inertia that follow from the structure of a body; None where they do not."""
    assert body.flexible is not None
    return _inertia(describe(replace(body, mass=None), materials), body.flexible.kind)


@lru_cache(maxsize=256)
def _made(given: Description, kind: str) -> Flexibility:
    return STRUCTURES.get(kind).flexibility(given)


@lru_cache(maxsize=256)
def _modes(given: Description, kind: str, choice: Any, planar: bool, loaded: bool) -> Modes:
    return modes(_made(given, kind), choice, planar, loaded, given.where)


@lru_cache(maxsize=256)
def _inertia(given: Description, kind: str) -> MassProperties | None:
    return STRUCTURES.get(kind).inertia(given)
