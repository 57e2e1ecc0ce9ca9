"""Rotors as separate coordinates: reflected inertia on joint coordinates, exactly, with M by blocks of bodies."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from reactio import joints as joint_registry
from reactio.catalogue.places import CoordinateName
from reactio.errors import ModelError
from reactio.model.model import Model
from reactio.model.specs import Body, Force
from reactio.model.validate import coordinate

ROTOR = "rotor"  # the type of the force, and of the row
ROTOR_BODY = "reflected-inertia"  # the kind of body
INERTIA_FIELDS = {"rad": "inertia", "m": "mass"}  # by the unit of the coordinate


class Rotor(NamedTuple):
    """A rotor: the force that describes it, the joint coordinate that turns it, and the unit of that."""

    force: Force
    along: CoordinateName
    unit: str

    @property
    def body(self) -> str:
        """The name of its body in a compiled model."""
        return f"{self.force.name} ({ROTOR})"


def rotors(model: Model) -> tuple[Rotor, ...]:
    """The rotors of a model, each with the coordinate that turns it."""
    rotors = []
    for force in model.forces:
        if force.type == ROTOR:
            path = ("forces", force.name)
            joint, name = coordinate(model, force.parameters["joint"], (*path, "joint"))
            types = joint_registry.JOINTS_BY_SPACE[model.space]
            unit = types.get(model.joint(joint).type).coordinates[name].unit
            wanted = INERTIA_FIELDS[unit]
            if force.parameters[wanted] is None:
                raise ModelError(
                    f"force '{force.name}' (rotor): '{joint}.{name}' is in {unit}: give `{wanted}`.", (*path, wanted)
                )
            rotors.append(Rotor(force, CoordinateName(joint, name), unit))
    return tuple(rotors)


def with_rotors(model: Model) -> Model:
    """The model with a body for every rotor, whose one coordinate z a row couples with the joint coordinate q.

        J z̈ + μ = 0,  D v − z = const  ⇒  M v̇ + Cᵀλ = Q − J Dᵀ q̈,    q̇ = D v

    That is M + J DᵀD, exactly, and M stays block diagonal.  The new row and column add 1 to the rank and to the number
    of equations, so that redundancy, mobility and verdicts stay; the row is intrinsic and has no verdict of its own.
    """
    bodies = tuple(
        Body(
            rotor.body,
            mass=0.0,
            kind=ROTOR_BODY,
            parameters={"reflected": rotor.force.parameters[INERTIA_FIELDS[rotor.unit]], "unit": rotor.unit},
        )
        for rotor in rotors(model)
        if rotor.body not in model.body_index
    )
    return replace(model, bodies=(*model.bodies, *bodies)) if bodies else model


def without_rotors(model: Model) -> Model:
    """The model without the bodies of its rotors, as a file has it."""
    bodies = tuple(body for body in model.bodies if body.kind != ROTOR_BODY)
    return model if len(bodies) == len(model.bodies) else replace(model, bodies=bodies)
