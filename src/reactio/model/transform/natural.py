"""The same mechanism in natural coordinates, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, count

from reactio.bodies import BODIES
from reactio.bodies.elements import ElementKind
from reactio.catalogue.places import GROUND, End
from reactio.errors import ReactioError, did_you_mean
from reactio.model.model import Model, require_model
from reactio.model.specs import Body, Element, Joint


def natural(model: Model, bodies: Iterable[str] | None = None) -> Model:
    """The model with its rigid bodies, or only those named, described by points and unit vectors.

    Joints keep rows of their own, so that every reaction stays a question the model can answer: the joint-augmented
    form of Sharma & Ghosal, Sect. 3.2.  Elements that a body already names are used, else its origin and axes.
    Point masses and bodies that bend stay what they are; named, they are refused.

    >>> import reactio
    >>> system = reactio.build(natural(reactio.load("bennett")))
    >>> system.m, system.n
    (38, 36)
    """
    return _described(model, bodies, "natural")


def with_ground_points(model: Model, points: Sequence[tuple[float, ...]] = ()) -> Model:
    """The model with the points of ground on a separate natural body, which a joint of all rows holds.

    Sharma & Ghosal, Eq. 14, count them among the coordinates.  ``points`` [m] are the elements of that body, two in the
    plane; its origin and axes when left out.  Ranks of joints do not depend on the choice.

    >>> import reactio
    >>> with_points = with_ground_points(natural(reactio.load("sharma-ghosal")))
    >>> reactio.check(natural(reactio.load("sharma-ghosal"))).m, reactio.check(with_points).m
    (16, 20)
    """
    require_model(model)
    size = 2 if model.space == "planar" else 3
    name = _free_name("frame", model.body_index)
    inertia = (1.0,) if size == 2 else (1.0, 1.0, 1.0)
    elements = tuple(Element(ElementKind.POINT, point) for point in points)
    frame = Body(name, 1.0, inertia, (0.0,) * size, kind="natural", elements=elements)
    hold = Joint(_free_name("held", (joint.name for joint in model.joints)), "fixed", End(GROUND), End(name))

    def on_frame(end: End) -> End:
        return replace(end, body=name) if end.body == GROUND else end

    joints = tuple(replace(joint, a=on_frame(joint.a), b=on_frame(joint.b)) for joint in model.joints)
    return replace(model, bodies=(*model.bodies, frame), joints=(*joints, hold))


def _free_name(name: str, taken: Iterable[str]) -> str:
    """A name that no other has."""
    known = set(taken)
    return next(candidate for candidate in chain([name], (f"{name}{k}" for k in count(2))) if candidate not in known)


def absolute(model: Model) -> Model:
    """The model with its natural bodies described by position, orientation and twist; their elements are forgotten.

    >>> import reactio
    >>> model = reactio.load("four-bar-planar")
    >>> absolute(natural(model)).bodies == model.bodies
    True
    """
    bodies = tuple(
        replace(body, kind="rigid", elements=()) if body.kind == "natural" else body for body in model.bodies
    )
    return replace(model, bodies=bodies, share_points=False)


def _described(model: Model, names: Iterable[str] | None, kind: str) -> Model:
    require_model(model)
    chosen = {b.name for b in model.bodies if _is_rigid(b)} if names is None else set(names)
    for name in sorted(chosen):
        if name not in model.body_index:
            raise ReactioError(f"There is no body '{name}'.{did_you_mean(name, model.body_index)}")
        _needs_rigid(model.body(name))
    return replace(model, bodies=tuple(replace(b, kind=kind) if b.name in chosen else b for b in model.bodies))


def _is_rigid(body: Body) -> bool:
    """Do pose, twist, mass and inertia say all of a body?"""
    kind = BODIES.get(body.kind)
    return kind.rigid and not kind.fields and body.flexible is None


def _needs_rigid(body: Body) -> None:
    if _is_rigid(body):
        return
    if not BODIES.get(body.kind).turns:
        raise ReactioError(f"Body '{body.name}' is a point mass, which is described by its position already.")
    words = "is flexible" if body.flexible is not None else f"is of the kind {body.kind}"
    raise ReactioError(f"Body '{body.name}' {words}; natural coordinates describe rigid bodies. Leave it as it is.")
