"""Point masses: a position only; world axes stand in for an orientation."""

from __future__ import annotations

from typing import Any

from reactio.arrays import Floats
from reactio.bodies import BodyKind, BodyState, Port, no_elements, refuse, register
from reactio.bodies.pose import MASS
from reactio.catalogue.fields import unchanged
from reactio.catalogue.places import End
from reactio.kernels import kernel
from reactio.space.algebra import ZERO, ZERO2, Vector, Vector2
from reactio.space.frames import PlanarFramePose, PlanarFrameVelocity, SpatialFramePose, SpatialFrameVelocity


@kernel
def pose_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """r = r_b + s: the offset s has the directions of world axes."""
    return PlanarFramePose((q[iq] + local[f, 0], q[iq + 1] + local[f, 1]), (1.0, 0.0), 0.0, ZERO2)


@kernel
def velocity_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> PlanarFrameVelocity:
    """v = ṙ_b."""
    return PlanarFrameVelocity((v[iv], v[iv + 1]), 0.0, ZERO2, 0.0)


@kernel
def columns_planar(
    D_v: Vector2, D_w: float, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [I; 0]."""
    for k in range(2):
        out[at + k] += factor * D_v[k]


@kernel
def inertia_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = m I."""
    for j in range(4):
        M[k + j] = 0.0
    for j in range(2):
        M[k + 3 * j] = p[b, MASS]


@kernel
def applied_forces_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q = m g."""
    for j in range(2):
        Q[iv + j] += p[b, MASS] * g[j]


@kernel
def coordinate_rates_planar(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q̇ = v."""
    out[iq] = v[iv]
    out[iq + 1] = v[iv + 1]


@kernel
def advance_planar(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d."""
    out[iq] = q[iq] + d[iv]
    out[iq + 1] = q[iq + 1] + d[iv + 1]


@kernel
def displacement_rates_planar(d: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """ḋ = v."""
    out[iv] = v[iv]
    out[iv + 1] = v[iv + 1]


@kernel
def pose_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> SpatialFramePose:
    """r = r_b + s: the offset s has the directions of world axes."""
    r = (q[iq] + local[f, 0], q[iq + 1] + local[f, 1], q[iq + 2] + local[f, 2])
    return SpatialFramePose(r, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), ZERO)


@kernel
def velocity_spatial(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> SpatialFrameVelocity:
    """v = ṙ_b."""
    return SpatialFrameVelocity((v[iv], v[iv + 1], v[iv + 2]), ZERO, ZERO, ZERO)


@kernel
def columns_spatial(
    D_v: Vector, D_w: Vector, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [I; 0]."""
    for k in range(3):
        out[at + k] += factor * D_v[k]


@kernel
def inertia_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = m I."""
    for j in range(9):
        M[k + j] = 0.0
    for j in range(3):
        M[k + 4 * j] = p[b, MASS]


@kernel
def applied_forces_spatial(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q = m g."""
    for j in range(3):
        Q[iv + j] += p[b, MASS] * g[j]


@kernel
def coordinate_rates_spatial(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q̇ = v."""
    for k in range(3):
        out[iq + k] = v[iv + k]


@kernel
def advance_spatial(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d."""
    for k in range(3):
        out[iq + k] = q[iq + k] + d[iv + k]


@kernel
def displacement_rates_spatial(d: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """ḋ = v."""
    for k in range(3):
        out[iv + k] = v[iv + k]


def check_inertia(body: Any, path: tuple[str, ...]) -> None:
    """A point has no inertia of its own."""
    if any(body.inertia):
        refuse(f"body '{body.name}' is a point mass and has no inertia; leave it out.", *path, "inertia")


def numbers(body: Any) -> tuple[float, ...]:
    """The mass [kg]."""
    return (body.mass or 0.0,)


def local(body: Any, end: End) -> tuple[float, ...]:
    """The offset of a frame [m]."""
    return end.point


def coordinates(body: Any) -> tuple[Any, Any]:
    """q and v as given."""
    return body.position, body.velocity


def body_state(body: Any, q: Floats, v: Floats) -> BodyState:
    """Position and velocity; a point has no orientation."""
    return BodyState(q, q[..., :0], v, v[..., :0])


def difference(q: Floats, other: Floats) -> Floats:
    """q − q'."""
    return q - other


def _port(size: int, kernels: dict[str, Any]) -> Port:
    units = ("m/s",) * size
    return Port(
        units=lambda body: units,
        numbers=numbers,
        local=local,
        coordinates=coordinates,
        body_state=body_state,
        difference=difference,
        **kernels,
    )


POINT = register(
    BodyKind(
        name="point",
        ports={
            "planar": _port(
                2,
                {
                    "pose": pose_planar,
                    "velocity": velocity_planar,
                    "columns": columns_planar,
                    "inertia": inertia_planar,
                    "applied_forces": applied_forces_planar,
                    "coordinate_rates": coordinate_rates_planar,
                    "advance": advance_planar,
                    "displacement_rates": displacement_rates_planar,
                },
            ),
            "spatial": _port(
                3,
                {
                    "pose": pose_spatial,
                    "velocity": velocity_spatial,
                    "columns": columns_spatial,
                    "inertia": inertia_spatial,
                    "applied_forces": applied_forces_spatial,
                    "coordinate_rates": coordinate_rates_spatial,
                    "advance": advance_spatial,
                    "displacement_rates": displacement_rates_spatial,
                },
            ),
        },
        check_inertia=check_inertia,
        check_elements=no_elements,
        turns=False,
        doc="A point mass: its position only.",
        mirrored=unchanged,
        exact=True,
    )
)
