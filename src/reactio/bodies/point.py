"""Point masses: a position only; its axes are those of the world."""

# ``width`` is not defined here: ``Kernel.links`` binds it to the number of coordinates in the plane or in space.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from typing import Any

from reactio.arrays import Floats
from reactio.bodies import BodyKind, BodyState, Port, no_elements, refuse, register
from reactio.bodies.pose import MASS
from reactio.bodies.vector_space import vector_space
from reactio.catalogue.fields import unchanged
from reactio.catalogue.places import End
from reactio.kernels import Kernel, kernel
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
def width_planar(p: Floats, b: int) -> int:
    """x, y."""
    return 2


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
def width_spatial(p: Floats, b: int) -> int:
    """x, y, z."""
    return 3


def inertia(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = m I."""
    n = width(p, b)
    for j in range(n * n):
        M[k + j] = 0.0
    for j in range(n):
        M[k + (n + 1) * j] = p[b, MASS]


def applied_forces(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q = m g."""
    for j in range(width(p, b)):
        Q[iv + j] += p[b, MASS] * g[j]


def check_inertia(body: Any, path: tuple[str, ...]) -> None:
    """A point has no inertia of its own."""
    if any(body.inertia):
        refuse(f"body '{body.name}' is a point mass and has no inertia; leave it out.", *path, "inertia")


def coordinates(body: Any) -> tuple[Any, Any]:
    """q and v as given."""
    return body.position, body.velocity


def offset(body: Any, end: End) -> tuple[float, ...]:
    """The offset of a frame [m]."""
    return end.point


def body_state(body: Any, q: Floats, v: Floats) -> BodyState:
    """Position and velocity; a point has no orientation."""
    return BodyState(q, q[..., :0], v, v[..., :0])


def difference(q: Floats, q_other: Floats) -> Floats:
    """q − q'."""
    return q - q_other


def _port(size: int, width: Kernel[[Floats, int], int], **kernels: Kernel[..., Any]) -> Port:
    links = {"width": width}
    return Port(
        units=lambda body: ("m/s",) * size,
        inertia=Kernel(inertia, links=links),
        applied_forces=Kernel(applied_forces, links=links),
        parameters=lambda body: (body.mass or 0.0,),
        local=offset,
        coordinates=coordinates,
        body_state=body_state,
        difference=difference,
        **vector_space(width),
        **kernels,
    )


POINT = register(
    BodyKind(
        name="point",
        ports={
            "planar": _port(2, width_planar, pose=pose_planar, velocity=velocity_planar, columns=columns_planar),
            "spatial": _port(3, width_spatial, pose=pose_spatial, velocity=velocity_spatial, columns=columns_spatial),
        },
        check_inertia=check_inertia,
        check_elements=no_elements,
        turns=False,
        doc="A point mass: its position only.",
        mirrored=unchanged,
        exact=True,
    )
)
