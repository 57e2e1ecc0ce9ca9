"""Coulomb friction in a joint, by the joint's own normal reaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reactio.catalogue.fields import Coordinate, Number, unchanged
from reactio.errors import ReactioError
from reactio.forces import AppliedLoad, ForceLaw, ForceType, JointCoordinates, Normal, register
from reactio.functions.expression import Expression


def _loads(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    """f = −μ R |N| tanh(R ṡ/v_s), R = 1 along translations; one effort for each place that rubs."""
    if p["coefficient"] < 0:
        raise ReactioError(f"coefficient is {p['coefficient']:g}; it must not be negative.")
    radius, half, thrust = p["radius"], p["half_length"], p["thrust_radius"]
    pads = (0.0,) if half is None else (half, -half)
    across = radius is not None or thrust is None
    loads = [_rubbing(p, radius, Normal(p["joint"], radius, pad)) for pad in pads] if across else []
    if half is not None and not across:
        raise ReactioError("half_length belongs to the force across the axis: give the radius too.")
    if thrust is not None:
        loads.append(_rubbing(p, thrust, Normal(p["joint"], thrust, thrust=True)))
    return tuple(loads)


def _rubbing(p: Mapping[str, Any], radius: float | None, normal: Normal) -> AppliedLoad:
    R = 1.0 if radius is None else radius
    law = Expression("-c*tanh(rate/u)", (("c", p["coefficient"] * R), ("u", p["velocity"] / R)))
    return AppliedLoad(JointCoordinates((p["joint"],)), ForceLaw((law,)), normal)


JOINT_FRICTION = register(
    ForceType(
        name="joint-friction",
        fields=(
            Coordinate("joint", "The coordinate along which it rubs."),
            Number("coefficient", "Coefficient of friction μ."),
            Number(
                "velocity", "Sliding speed that smooths it, tanh(speed/velocity).", dimension="velocity", positive=True
            ),
            Number("radius", "Radius at which the surfaces rub, for rotations.", None, "length", True),
            Number("half_length", "Half the distance of two bearings, which then take moments.", None, "length", True),
            Number("thrust_radius", "Radius at which the axial force rubs, for rotations.", None, "length", True),
        ),
        loads=_loads,
        doc="Coulomb friction in a joint, smoothed by a sliding speed, with the joint's own normal reaction.",
        mirrored=unchanged,
    )
)
