"""Defaults of a model: sizes that follow from the plane or from space."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

from reactio.bodies import BODIES
from reactio.catalogue.fields import REQUIRED, Field, Law, LawVector
from reactio.catalogue.places import End
from reactio.errors import ModelError
from reactio.forces import FORCES
from reactio.functions.constant import Constant
from reactio.linear.precision import LOCATED
from reactio.model.frozen import FrozenMap
from reactio.model.specs import Body, Contact, Coupling, Force, Joint, ModelParts

PRINTED_QUATERNION = LOCATED  # what a quaternion printed with six digits may be off

NEUTRAL_VALUES = {
    "planar": {"point": (0.0, 0.0), "orientation": (0.0,), "spin": (0.0,)},
    "spatial": {"point": (0.0, 0.0, 0.0), "orientation": (1.0, 0.0, 0.0, 0.0), "spin": (0.0, 0.0, 0.0)},
}


def complete(model: ModelParts) -> None:
    """Fill missing fields with the neutral values of the model's space."""
    if model.space not in NEUTRAL_VALUES:
        raise ModelError(f"space is '{model.space}'; it must be planar or spatial.", ("space",))
    neutral = NEUTRAL_VALUES[model.space]
    parts: dict[str, Any] = {
        "bodies": tuple(completed_body(body, model.space) for body in model.bodies),
        "ground": completed_body(model.ground, model.space),
        "joints": tuple(_joint(joint, neutral) for joint in model.joints),
        "drives": tuple(replace(drive, function=_function(drive.function)) for drive in model.drives),
        "couplings": tuple(_coupling(coupling) for coupling in model.couplings),
        "forces": tuple(_force(force, neutral) for force in model.forces),
        "events": tuple(model.events),
        "stops": tuple(model.stops),
        "contacts": tuple(_contact(contact, neutral) for contact in model.contacts),
        "gravity": tuple(float(g) for g in model.gravity) or neutral["point"],
        "parameters": FrozenMap(model.parameters),
        "materials": FrozenMap(model.materials),
    }
    parts["bodies"] = tuple(_with_mass(body, parts["materials"]) for body in parts["bodies"])
    for name, value in parts.items():
        object.__setattr__(model, name, value)  # the class is frozen for all others


def unit_quaternion(given: tuple[float, ...]) -> tuple[float, ...]:
    """The quaternion brought to length 1; one that has it stays, to the last digit, to be read as it was written."""
    size = math.hypot(*given)
    return given if abs(size - 1) < 1e-12 else tuple(x / size for x in given)


def _orientation(given: tuple[float, ...], neutral: dict[str, tuple[float, ...]]) -> tuple[float, ...]:
    """Rounded quaternions are normalised; larger errors are left for validation."""
    if len(given) == 4 and abs(math.hypot(*given) - 1) < PRINTED_QUATERNION:
        return unit_quaternion(given)
    return given or neutral["orientation"]


def completed_body(body: Body, space: str) -> Body:
    """A body with the default values of missing fields."""
    neutral = NEUTRAL_VALUES[space]
    filled: dict[str, Any] = {"orientation": _orientation(body.orientation, neutral)}
    for name, like in (
        ("position", "point"),
        ("velocity", "point"),
        ("center", "point"),
        ("angular_velocity", "spin"),
    ):
        filled[name] = getattr(body, name) or neutral[like]
    if len(neutral["spin"]) == 3 and len(body.inertia) == 3:
        filled["inertia"] = (*body.inertia, 0.0, 0.0, 0.0)
    if len(neutral["spin"]) == 3 and body.inertia == (0.0,):  # none at all, whatever the axis
        filled["inertia"] = (0.0,) * 6
    if body.frames:
        filled["frames"] = FrozenMap(
            {
                name: replace(m, point=m.point or neutral["point"], orientation=_orientation(m.orientation, neutral))
                for name, m in body.frames.items()
            }
        )
    if body.kind in BODIES and (kind_fields := BODIES.get(body.kind).fields):
        default = {f.name: f.default for f in kind_fields if f.default is not REQUIRED}
        filled["parameters"] = FrozenMap({**default, **body.parameters})
    changed = {name: value for name, value in filled.items() if value is not getattr(body, name)}
    return replace(body, **changed) if changed else body


def _with_mass(body: Body, materials: Mapping[str, Any]) -> Body:
    """A flexible body has the mass, centre and inertia of its structure where they were left out."""
    if body.flexible is None or (body.mass is not None and body.inertia):
        return body
    from reactio.model.structure import own_inertia
    from reactio.structures import STRUCTURES

    if body.flexible.kind not in STRUCTURES or body.flexible.material not in (*materials, ""):
        return body  # validation will say so
    derived = own_inertia(body, materials)
    if derived is None:
        return body
    planar = len(body.position) == 2
    return replace(
        body,
        mass=derived.mass if body.mass is None else body.mass,
        center=body.center if any(body.center) else derived.center[: len(body.position)],
        inertia=body.inertia or (derived.inertia[2:3] if planar else derived.inertia),
    )


def _end(end: End, neutral: dict[str, tuple[float, ...]]) -> End:
    point = tuple(map(float, end.point)) or neutral["point"]
    return End(end.body, point, _orientation(tuple(map(float, end.orientation)), neutral))


def _joint(joint: Joint, neutral: dict[str, tuple[float, ...]]) -> Joint:
    a, b = _end(joint.a, neutral), _end(joint.b, neutral)
    if a == joint.a and b == joint.b and None not in joint.parameters.values():
        return joint
    return replace(joint, a=a, b=b, parameters=_given(joint.parameters))


def _contact(contact: Contact, neutral: dict[str, tuple[float, ...]]) -> Contact:
    return replace(
        contact, surface=_end(contact.surface, neutral), points=tuple(_end(end, neutral) for end in contact.points)
    )


def _coupling(coupling: Coupling) -> Coupling:
    return replace(coupling, along=tuple(coupling.along), parameters=_given(coupling.parameters))


def _given(parameters: Mapping[str, Any]) -> FrozenMap[Any]:
    """Without those that are None: left to the given pose, as if they were not named."""
    return FrozenMap({name: value for name, value in parameters.items() if value is not None})


def _force(force: Force, neutral: dict[str, tuple[float, ...]]) -> Force:
    if force.type not in FORCES:
        return force  # validation will say so
    fields = {f.name: f for f in FORCES.get(force.type).fields}
    default = {f.name: f.default for f in fields.values() if f.default is not REQUIRED}
    values = {**default, **force.parameters}
    filled = {name: _value(fields.get(name), value, neutral) for name, value in values.items()}
    return replace(force, parameters=FrozenMap(filled))


def _value(field: Field | None, value: Any, neutral: dict[str, tuple[float, ...]]) -> Any:
    if value is None:  # left out
        return None
    if isinstance(value, End):
        return _end(value, neutral)
    if isinstance(field, Law):
        return _function(value)
    if isinstance(field, LawVector):
        return tuple(_function(v) for v in (value if isinstance(value, Iterable) else (value,)))
    return value


def _function(value: Any) -> Any:
    """A number means a constant, as it does in a file."""
    return Constant(float(value)) if isinstance(value, Real) else value
