"""Rotors: one coordinate with an inertia, and nothing else; a joint coordinate drives it.

Its frame is a pointer that stands at s = q on the first axis of the world, so that rows read q off it.  A rotor has no
weight, no place and no verdict: the effect of it is −J q̈ on the joint that drives it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BodyKind, BodyState, Port, no_check, no_elements, register
from reactio.bodies.point import difference, offset
from reactio.bodies.vector_space import vector_space
from reactio.catalogue.fields import Choice, Number
from reactio.kernels import Kernel, kernel
from reactio.space.algebra import ZERO, ZERO2, Vector, Vector2
from reactio.space.frames import PlanarFramePose, PlanarFrameVelocity, SpatialFramePose, SpatialFrameVelocity


@kernel
def pose_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """r = (q, 0)."""
    return PlanarFramePose((q[iq], 0.0), (1.0, 0.0), 0.0, ZERO2)


@kernel
def velocity_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> PlanarFrameVelocity:
    """v = (q̇, 0)."""
    return PlanarFrameVelocity((v[iv], 0.0), 0.0, ZERO2, 0.0)


@kernel
def columns_planar(
    D_v: Vector2, D_w: float, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [1; 0; 0]."""
    out[at] += factor * D_v[0]


@kernel
def pose_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> SpatialFramePose:
    """r = (q, 0, 0)."""
    return SpatialFramePose((q[iq], 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), ZERO)


@kernel
def velocity_spatial(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> SpatialFrameVelocity:
    """v = (q̇, 0, 0)."""
    return SpatialFrameVelocity((v[iv], 0.0, 0.0), ZERO, ZERO, ZERO)


@kernel
def columns_spatial(
    D_v: Vector, D_w: Vector, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [1; 0; …]."""
    out[at] += factor * D_v[0]


@kernel
def inertia(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = J."""
    M[k] = p[b, 0]


@kernel
def applied_forces(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """No forces: a rotor has no weight."""


@kernel
def width(p: Floats, b: int) -> int:
    """Its one coordinate."""
    return 1


def _coordinates(body: Any) -> tuple[Any, Any]:
    """q and v: the first components of position and velocity."""
    return body.position[:1], body.velocity[:1]


def _port(size: int, **kernels: Kernel[..., Any]) -> Port:
    def in_space(x: Floats) -> Floats:
        return np.concatenate([x, np.zeros((*x.shape[:-1], size - 1))], axis=-1)

    def body_state(body: Any, q: Floats, v: Floats) -> BodyState:
        return BodyState(in_space(q), q[..., :0], in_space(v), v[..., :0])

    return Port(
        units=lambda body: (f"{body.parameters['unit']}/s",),
        inertia=inertia,
        applied_forces=applied_forces,
        parameters=lambda body: (body.parameters["reflected"],),
        local=offset,
        coordinates=_coordinates,
        body_state=body_state,
        difference=difference,
        **vector_space(width),
        **kernels,
    )


REFLECTED_INERTIA = register(
    BodyKind(
        name="reflected-inertia",
        ports={
            "planar": _port(2, pose=pose_planar, velocity=velocity_planar, columns=columns_planar),
            "spatial": _port(3, pose=pose_spatial, velocity=velocity_spatial, columns=columns_spatial),
        },
        check_inertia=no_check,
        check_elements=no_elements,
        turns=False,
        doc="The coordinate of a rotor that a joint turns; a force of type `rotor` makes it.",
        fields=(
            Number("reflected", "Inertia of the coordinate [kg m² or kg].", positive=True),
            Choice("unit", "Unit of the coordinate.", "rad", ("rad", "m")),
        ),
        exact=True,
        internal=True,
    )
)
