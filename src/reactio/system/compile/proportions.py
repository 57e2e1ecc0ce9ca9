"""Proportions within a model: where parts differ too much in size or inertia, double precision loses the smaller."""

from __future__ import annotations

from collections.abc import Iterator

from reactio.catalogue.places import GROUND
from reactio.catalogue.units import quantity
from reactio.errors import ModelError
from reactio.model.model import Model
from reactio.model.specs import Body

# A coordinate this many characteristic lengths away is rounded by 1e-9 of them, where poses count as closed.
FAR_COORDINATE = 1e7
# Ratio of the largest to the least inertia: up to here accelerations keep nine digits (measured on a four-bar), at a
# hundred times more the velocities at the start of a motion are not found.
MOST_INERTIA_RATIO = 1e12

Place = tuple[str, ...]


def check_proportions(model: Model, length: float) -> None:
    """Refuse coordinates far beyond the characteristic length [m], and inertias too different for one calculation."""
    check_distances(model, length)
    inertias = list(_inertias(model, length))
    if not inertias:
        return
    (small, least), (large, most) = (pick(inertias, key=lambda item: item[1]) for pick in (min, max))
    if most > MOST_INERTIA_RATIO * least:
        raise _refused(
            model,
            small,
            f"{_words(small)} is {most / least:.1g} times less than {_words(large)} (moments over the square of "
            f"{quantity(length, 'm', 3)}): calculations would lose the smaller next to the larger. Check the numbers "
            "and their units; give `mass: 0` without inertia for a body that is meant to have none.",
        )


def check_distances(model: Model, length: float) -> None:
    """Refuse coordinates far beyond the characteristic length [m]."""
    if not model.joints:
        return
    where, far = max(_coordinates(model), key=lambda item: abs(item[1]))
    if abs(far) > FAR_COORDINATE * length:
        raise _refused(
            model,
            where,
            f"{_words(where)} has the coordinate {quantity(far, 'm', 6)}, {abs(far) / length:.1g} times the size of "
            "the bodies "
            f"({quantity(length, 'm', 3)}): it is rounded more than their joints allow. Choose an origin nearby, or "
            "check the number and its unit.",
        )


def _coordinates(model: Model) -> Iterator[tuple[Place, float]]:
    """The extent of joints: the points they connect, and the positions of their bodies [m]."""
    joined = {end.body for joint in model.joints for end in (joint.a, joint.b)} - {GROUND}
    for joint in model.joints:
        for side, end in (("a", joint.a), ("b", joint.b)):
            yield ("joints", joint.name, side), max(end.point, key=abs)
    for body in model.bodies:
        if body.name in joined:
            yield ("bodies", body.name, "position"), max(body.position, key=abs)
            yield ("bodies", body.name, "center"), max(body.center, key=abs)


def _inertias(model: Model, length: float) -> Iterator[tuple[Place, float]]:
    """All masses and moments that are not zero [kg]."""
    for body in model.bodies:
        if body.mass:
            yield ("bodies", body.name, "mass"), body.mass
        for moment in _moments(body):
            yield ("bodies", body.name, "inertia"), moment / length**2


def _moments(body: Body) -> tuple[float, ...]:
    return tuple(x for x in body.inertia[:3] if x)


def _words(where: Place) -> str:
    section, name, field = where
    return f"the {field} of body '{name}'" if section == "bodies" else f"end {field} of joint '{name}'"


def _refused(model: Model, where: Place, message: str) -> ModelError:
    from reactio.model.files.read import place_of

    return ModelError(message, where, place_of(model, where))
