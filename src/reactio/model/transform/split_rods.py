"""Rods split into two halves that slide along each other on a spring: axial flexibility with rigid bodies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.catalogue.places import CoordinateName, End
from reactio.errors import ModelError
from reactio.model.model import Model
from reactio.model.placing import orientation_from
from reactio.model.specs import Body, Force, Joint

SLIDES = {"spatial": "prismatic", "planar": "translational"}


def split_rods(model: Model) -> Model:
    """The model with every body that says ``flexible: {split: …}`` as two halves with half its mass each.

    A prismatic joint along the axis and a linear spring-damper connect them.  Joints and loads keep their names; those
    on the first half of the length act on the first half.  Wojtyra & Frączek 2012, Sect. 4.1.

    >>> import reactio
    >>> halves = split_rods(reactio.load("spatial-parallelogram", links="split"))
    >>> len(halves.bodies), halves.joint("link1 slides").type
    (13, 'prismatic')
    """
    for body in model.bodies:
        if is_split(body):
            model = _split(model, body)
    return model


def whole_rods(model: Model) -> Model:
    """The model with every body that says ``flexible: {split: …}`` as a rod in one piece, which does not vibrate."""
    if not any(is_split(body) for body in model.bodies):
        return model
    return replace(model, bodies=tuple(_whole(body) if is_split(body) else body for body in model.bodies))


def is_split(body: Body) -> bool:
    """Is a body a rod in two halves?"""
    return body.flexible is not None and body.flexible.kind == "split"


def _whole(body: Body) -> Body:
    assert body.flexible is not None
    parameters = {key: value for key, value in body.flexible.parameters.items() if key != "damping"}
    return replace(body, flexible=replace(body.flexible, kind="rod", parameters=parameters))


def _split(model: Model, rod: Body) -> Model:
    assert rod.flexible is not None
    given = rod.flexible.parameters
    axis, middle = _axis(model, rod)
    halves = tuple(
        replace(
            rod,
            name=f"{rod.name}{half}",
            mass=(rod.mass or 0.0) / 2,
            inertia=tuple(x / 2 for x in rod.inertia),
            flexible=None,
        )
        for half in "ab"
    )

    def moved(end: End) -> End:
        if end.body != rod.name:
            return end
        point = np.array(end.point) if end.point else np.zeros_like(axis)
        return replace(end, body=f"{rod.name}{'a' if (point - middle) @ axis < 0 else 'b'}")

    turn = orientation_from(model.space, tuple(axis.tolist()))
    slide, spring = f"{rod.name} slides", f"{rod.name} spring"
    centre = tuple(middle.tolist())
    sliding = Joint(slide, SLIDES[model.space], End(halves[0].name, centre, turn), End(halves[1].name, centre, turn))
    pulling = {"joint": CoordinateName(slide), "stiffness": given["stiffness"], "damping": given.get("damping", 0.0)}
    bodies: list[Body] = []
    for body in model.bodies:
        bodies += halves if body is rod else (body,)
    joints = tuple(replace(joint, a=moved(joint.a), b=moved(joint.b)) for joint in model.joints)
    forces = tuple(
        replace(f, parameters={k: moved(v) if isinstance(v, End) else v for k, v in f.parameters.items()})
        for f in model.forces
    )
    contacts = tuple(
        replace(c, surface=moved(c.surface), points=tuple(moved(end) for end in c.points)) for c in model.contacts
    )
    spring_damper = Force(spring, "linear-spring-damper", pulling)
    return replace(
        model,
        bodies=tuple(bodies),
        joints=(*joints, sliding),
        forces=(*forces, spring_damper),
        contacts=contacts,
    )


def _axis(model: Model, rod: Body) -> tuple[np.ndarray, np.ndarray]:
    """The unit vector along the rod, and the middle between its joints; body axes."""
    ends = [end for joint in model.joints for end in (joint.a, joint.b) if end.body == rod.name]
    points = np.unique(np.array([end.point for end in ends]).round(12), axis=0)
    if len(points) != 2:
        raise ModelError(
            f"body '{rod.name}' has joints at {len(points)} points; a rod that is split has two, one on each half.",
            ("bodies", rod.name, "flexible"),
        )
    assert rod.flexible is not None
    given = rod.flexible.parameters.get("axis")
    axis = np.array(given[: len(points[0])]) if given else points[1] - points[0]
    return axis / np.linalg.norm(axis), points.mean(axis=0)
