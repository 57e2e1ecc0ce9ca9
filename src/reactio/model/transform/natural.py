"""The same mechanism in natural coordinates, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reactio.bodies import BODIES
from reactio.errors import ReactioError, did_you_mean
from reactio.model.model import Model, require_model
from reactio.model.specs import Body


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
