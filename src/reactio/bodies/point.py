"""Point masses: a position only; world axes stand in for an orientation."""

from __future__ import annotations

from typing import Any

from reactio.arrays import Floats
from reactio.bodies import BodyKind, Port, refuse, register
from reactio.kernels import kernel
from reactio.space.algebra import ZERO, ZERO2, Vector, Vector2
from reactio.space.frames import PlanarFrame, SpatialFrame
from reactio.space.rotations import Axes


@kernel
def place_planar(q: Floats, v: Floats, iq: int, iv: int, s: Vector2, e: Vector) -> PlanarFrame:
    """r = r_b + s: the point carries no lever that turns."""
    r = (q[iq] + s[0], q[iq + 1] + s[1])
    return PlanarFrame(r, (1.0, 0.0), (0.0, 1.0), 0.0, (v[iv], v[iv + 1]), 0.0, ZERO2, ZERO2)


@kernel
def columns_planar(D_v: Vector2, D_w: float, arm: Vector2) -> Vector2:
    """D J with J = [I; 0]."""
    return D_v


@kernel
def inertia_planar(
    q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """M = m I."""
    for j in range(4):
        M[k + j] = 0.0
    for j in range(2):
        M[k + 3 * j] = p[b, 0]
        Q[iv + j] += p[b, 0] * g[j]


@kernel
def rates_planar(q: Floats, v: Floats, iq: int, iv: int, out: Floats) -> None:
    """q̇ = v."""
    out[iq] = v[iv]
    out[iq + 1] = v[iv + 1]


@kernel
def advance_planar(q: Floats, iq: int, d: Floats, iv: int, out: Floats) -> None:
    """q + d."""
    out[iq] = q[iq] + d[iv]
    out[iq + 1] = q[iq + 1] + d[iv + 1]


@kernel
def flow_planar(d: Floats, v: Floats, iq: int, iv: int, out: Floats) -> None:
    """ḋ = v."""
    out[iv] = v[iv]
    out[iv + 1] = v[iv + 1]


@kernel
def place_spatial(q: Floats, v: Floats, iq: int, iv: int, s: Vector, axes: Axes) -> SpatialFrame:
    """r = r_b + s: the point carries no lever that turns."""
    r = (q[iq] + s[0], q[iq + 1] + s[1], q[iq + 2] + s[2])
    v_b = (v[iv], v[iv + 1], v[iv + 2])
    return SpatialFrame(r, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), v_b, ZERO, ZERO, ZERO)


@kernel
def columns_spatial(D_v: Vector, D_w: Vector, arm: Vector) -> Vector:
    """D J with J = [I; 0]."""
    return D_v


@kernel
def inertia_spatial(
    q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """M = m I."""
    for j in range(9):
        M[k + j] = 0.0
    for j in range(3):
        M[k + 4 * j] = p[b, 0]
        Q[iv + j] += p[b, 0] * g[j]


@kernel
def rates_spatial(q: Floats, v: Floats, iq: int, iv: int, out: Floats) -> None:
    """q̇ = v."""
    for k in range(3):
        out[iq + k] = v[iv + k]


@kernel
def advance_spatial(q: Floats, iq: int, d: Floats, iv: int, out: Floats) -> None:
    """q + d."""
    for k in range(3):
        out[iq + k] = q[iq + k] + d[iv + k]


@kernel
def flow_spatial(d: Floats, v: Floats, iq: int, iv: int, out: Floats) -> None:
    """ḋ = v."""
    for k in range(3):
        out[iv + k] = v[iv + k]


def check_inertia(body: Any, path: tuple[str, ...]) -> None:
    """A point has no inertia of its own."""
    if any(body.inertia):
        refuse(f"body '{body.name}' is a point mass and has no inertia; leave it out.", *path, "inertia")


POINT = register(
    BodyKind(
        name="point",
        ports={
            "planar": Port(
                2,
                2,
                ("m/s",) * 2,
                ("x", "y"),
                place_planar,
                columns_planar,
                inertia_planar,
                rates_planar,
                advance_planar,
                flow_planar,
            ),
            "spatial": Port(
                3,
                3,
                ("m/s",) * 3,
                ("x", "y", "z"),
                place_spatial,
                columns_spatial,
                inertia_spatial,
                rates_spatial,
                advance_spatial,
                flow_spatial,
            ),
        },
        check_inertia=check_inertia,
        turns=False,
        doc="A point mass: its position only.",
    )
)
