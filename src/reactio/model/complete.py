"""Defaults of a model: sizes that follow from the plane or from space."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reactio.errors import ModelError
from reactio.fields import Coordinate, Place
from reactio.forces import FORCES
from reactio.model.frozen import FrozenMap
from reactio.places import End

if TYPE_CHECKING:
    from reactio.model.specs import Body, Force, Joint, Model

NEUTRAL = {
    "planar": {"point": (0.0, 0.0), "orientation": (0.0,), "spin": (0.0,)},
    "spatial": {"point": (0.0, 0.0, 0.0), "orientation": (1.0, 0.0, 0.0, 0.0), "spin": (0.0, 0.0, 0.0)},
}


def complete(model: Model) -> None:
    """Fill what was left out with the neutral value of the model's space."""
    if model.space not in NEUTRAL:
        raise ModelError(f"space is '{model.space}'; it must be planar or spatial.", ("space",))
    neutral = NEUTRAL[model.space]
    put = lambda name, value: object.__setattr__(model, name, value)  # noqa: E731 - the class is frozen for all others
    put("bodies", tuple(_body(body, neutral) for body in model.bodies))
    put("ground", _body(model.ground, neutral))
    put("joints", tuple(_joint(joint, neutral) for joint in model.joints))
    put("forces", tuple(_force(force, neutral) for force in model.forces))
    put("gravity", tuple(float(g) for g in model.gravity) or neutral["point"])
    put("parameters", FrozenMap(model.parameters))


def _body(body: Body, neutral: dict[str, tuple[float, ...]]) -> Body:
    missing: dict[str, Any] = {}
    for name, like in (
        ("position", "point"),
        ("velocity", "point"),
        ("center", "point"),
        ("orientation", "orientation"),
        ("angular_velocity", "spin"),
    ):
        if not getattr(body, name):
            missing[name] = neutral[like]
    if len(neutral["spin"]) == 3 and len(body.inertia) == 3:
        missing["inertia"] = (*body.inertia, 0.0, 0.0, 0.0)
    return replace(body, **missing) if missing else body


def _end(end: End, neutral: dict[str, tuple[float, ...]]) -> End:
    if end.point and end.orientation:
        return end
    return End(end.body, end.point or neutral["point"], end.orientation or neutral["orientation"])


def _joint(joint: Joint, neutral: dict[str, tuple[float, ...]]) -> Joint:
    a, b = _end(joint.a, neutral), _end(joint.b, neutral)
    return joint if a is joint.a and b is joint.b else replace(joint, a=a, b=b)


def _force(force: Force, neutral: dict[str, tuple[float, ...]]) -> Force:
    if force.type not in FORCES:
        return force  # validation will say so
    fields = FORCES.get(force.type).fields
    given = {
        f.name: f.default for f in fields if not isinstance(f, Place | Coordinate) and f.name not in force.parameters
    }
    filled = {k: _end(v, neutral) if isinstance(v, End) else v for k, v in force.parameters.items()}
    return replace(force, parameters=FrozenMap({**given, **filled}))
