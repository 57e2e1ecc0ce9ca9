"""Natural bodies in space: four elements, points p_k and unit vectors u_k, with their world coordinates q_k.

Everything fixed on the body is a constant combination of its elements: a point with body coordinates s has
[s; 1] = X c, a direction e has [e; 0] = X c, where the columns of X (4, 4) are those of the elements; in the world
they are Σ c_k q_k.  García de Jalón & Bayo 1994, Kinematic and dynamic simulation of multibody systems, Sect. 2.3, 4.3.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import Port, Seen
from reactio.bodies.pose import local_spatial
from reactio.kernels import kernel
from reactio.places import End
from reactio.space.algebra import ZERO, Vector, add, cross, dot, mul
from reactio.space.frames import SpatialPace, SpatialPlace, vector
from reactio.space.rotations import axes_of, quaternion_from_axes

Row12: TypeAlias = tuple[float, ...]  # twelve numbers, an entry for each velocity
MASS, WEIGHT, AXES, LENT = 0, 10, 14, 26  # first places in p: A by rows of its lower part, G, c of e₁ e₂ e₃, μ
INTRINSIC = ("xx", "yy", "zz", "xy", "xz", "yz")
FLAT = 1e-9  # second moments below this part of the largest are those of a plate or rod without thickness
UPRIGHT = (("point", (0.0, 0.0, 0.0)), ("vector", (1.0, 0.0, 0.0)), ("vector", (0.0, 1.0, 0.0)),
           ("vector", (0.0, 0.0, 1.0)))  # fmt: skip


@kernel
def combined(q: Floats, i: int, c: Floats, row: int, k: int) -> Vector:
    """Σ c_k q_k: a point or direction of the body in the world, its coefficients from c[row, k] on."""
    x = mul(c[row, k], (q[i], q[i + 1], q[i + 2]))
    for j in range(1, 4):
        x = add(x, mul(c[row, k + j], (q[i + 3 * j], q[i + 3 * j + 1], q[i + 3 * j + 2])))
    return x


@kernel
def place(q: Floats, iq: int, local: Floats, f: int) -> SpatialPlace:
    """r = Σ c_k q_k, axes likewise."""
    x, y, z = combined(q, iq, local, f, 4), combined(q, iq, local, f, 8), combined(q, iq, local, f, 12)
    return SpatialPlace(combined(q, iq, local, f, 0), x, y, z, ZERO)


@kernel
def pace(v: Floats, iv: int, local: Floats, F: Floats, f: int) -> SpatialPace:
    """ṙ and ω = ½ Σ a×ȧ over the axes a, linear in v; J̇ v = 0.

    ω is that of a rigid body where the intrinsic rows hold.
    """
    w = cross(vector(F, f, 3), combined(v, iv, local, f, 4))
    w = add(w, cross(vector(F, f, 6), combined(v, iv, local, f, 8)))
    w = add(w, cross(vector(F, f, 9), combined(v, iv, local, f, 12)))
    return SpatialPace(combined(v, iv, local, f, 0), mul(0.5, w), ZERO)


@kernel
def share(D_v: Vector, D_w: Vector, F: Floats, local: Floats, f: int, k: int) -> Vector:
    """The entries of D J on element k: c_k D_v + D_w×h_k with ω = Σ h_k×q̇_k, h_k = ½ Σ c_k(a) a."""
    h = mul(local[f, 4 + k], vector(F, f, 3))
    h = add(h, add(mul(local[f, 8 + k], vector(F, f, 6)), mul(local[f, 12 + k], vector(F, f, 9))))
    return add(mul(local[f, k], D_v), cross(D_w, mul(0.5, h)))


@kernel
def columns(D_v: Vector, D_w: Vector, F: Floats, local: Floats, f: int) -> Row12:
    """D J, element by element."""
    a, b = share(D_v, D_w, F, local, f, 0), share(D_v, D_w, F, local, f, 1)
    c, d = share(D_v, D_w, F, local, f, 2), share(D_v, D_w, F, local, f, 3)
    return (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], d[0], d[1], d[2])


@kernel
def inertia(q: Floats, iq: int, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = A ⊗ I with A = ∫ c cᵀ dm constant.

    Where A is singular though the body has inertia (a plate, a rod), the intrinsic rows C lend mass, which changes no
    acceleration and no reaction: M + μ CᵀC, Q + μ CᵀΓ.
    """
    M[k : k + 144] = 0.0
    for i in range(4):
        for j in range(4):
            a = p[b, MASS + (i * (i + 1)) // 2 + j] if j <= i else p[b, MASS + (j * (j + 1)) // 2 + i]
            for c in range(3):
                M[k + 12 * (3 * i + c) + 3 * j + c] = a
    if p[b, LENT] > 0.0:
        for r in range(6):
            _, row = rigid_row(q, iq, p, b, r)
            for i in range(12):
                for j in range(12):
                    M[k + 12 * i + j] += p[b, LENT] * row[i] * row[j]


@kernel
def weight(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats) -> None:
    """Q = G ⊗ g with G = ∫ c dm, and μ CᵀΓ where C lends mass.  No other force depends on the velocities."""
    for i in range(4):
        for c in range(3):
            Q[iv + 3 * i + c] += p[b, WEIGHT + i] * g[c]
    if p[b, LENT] > 0.0:
        for r in range(6):
            _, row = rigid_row(q, iq, p, b, r)
            gamma = rigid_bend(v, iv, p, b, r)
            for i in range(12):
                Q[iv + i] += p[b, LENT] * row[i] * gamma


@kernel
def of_row(r: int) -> tuple[int, int, float, float]:
    """Where in p the axes of intrinsic row r have their coefficients, and the factor and size of their product."""
    i = r if r < 3 else (0 if r < 5 else 1)
    j = r if r < 3 else (1 if r == 3 else 2)
    half, one = (0.5, 1.0) if r < 3 else (1.0, 0.0)
    return AXES + 4 * i, AXES + 4 * j, half, one


@kernel
def rigid_row(q: Floats, iq: int, p: Floats, b: int, r: int) -> tuple[float, Row12]:
    """Φ and C of intrinsic row r: ½ (e_i·e_i − 1) or e_i·e_j of the body axes e₁ e₂ e₃, at most quadratic in q."""
    at_i, at_j, half, one = of_row(r)
    e_i, e_j = combined(q, iq, p, b, at_i), combined(q, iq, p, b, at_j)
    a = add(mul(half * p[b, at_i], e_j), mul(half * p[b, at_j], e_i))
    c = add(mul(half * p[b, at_i + 1], e_j), mul(half * p[b, at_j + 1], e_i))
    d = add(mul(half * p[b, at_i + 2], e_j), mul(half * p[b, at_j + 2], e_i))
    e = add(mul(half * p[b, at_i + 3], e_j), mul(half * p[b, at_j + 3], e_i))
    row = (a[0], a[1], a[2], c[0], c[1], c[2], d[0], d[1], d[2], e[0], e[1], e[2])
    return half * (dot(e_i, e_j) - one), row


@kernel
def rigid_bend(v: Floats, iv: int, p: Floats, b: int, r: int) -> float:
    """Γ of intrinsic row r."""
    at_i, at_j, half, _ = of_row(r)
    return -2 * half * dot(combined(v, iv, p, b, at_i), combined(v, iv, p, b, at_j))


@kernel
def rigidity(q: Floats, iq: int, p: Floats, b: int, Phi: Floats, C: Floats, i: int, k: int) -> None:
    """Six rows: the body axes are orthonormal."""
    for r in range(6):
        phi, row = rigid_row(q, iq, p, b, r)
        Phi[i + r] = phi
        for c in range(12):
            C[k + 12 * r + c] = row[c]


@kernel
def bend(v: Floats, iv: int, p: Floats, b: int, Gamma: Floats, i: int) -> None:
    """Γ of the six rows."""
    for r in range(6):
        Gamma[i + r] = rigid_bend(v, iv, p, b, r)


@kernel
def rates(q: Floats, v: Floats, iq: int, iv: int, out: Floats) -> None:
    """q̇ = v."""
    for k in range(12):
        out[iq + k] = v[iv + k]


@kernel
def advance(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d."""
    for k in range(12):
        out[iq + k] = q[iq + k] + d[iv + k]


@kernel
def flow(d: Floats, v: Floats, iq: int, iv: int, out: Floats) -> None:
    """ḋ = v."""
    for k in range(12):
        out[iv + k] = v[iv + k]


def basis(body: Any) -> Floats:
    """X (4, 4): a column [s; 1] for each point and [u; 0] for each unit vector, in body axes."""
    elements = [(e.kind, e.at) for e in body.elements] or UPRIGHT
    return np.array([[*at, float(kind == "point")] for kind, at in elements]).T


def numbers(body: Any) -> Floats:
    """A = X⁻¹ S X⁻ᵀ and G = X⁻¹ S [0; 1] with S = ∫ [x; 1][x; 1]ᵀ dm, the coefficients of e₁ e₂ e₃, and μ.

    S = [P, m c; m cᵀ, m],  P = ½ tr(J) I − J + m c cᵀ for the inertia J about the centre of mass c.
    """
    inverse, mass, c = np.linalg.inv(basis(body)), body.mass or 0.0, np.array(body.center)
    xx, yy, zz, xy, xz, yz = body.inertia or (0.0,) * 6
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    own = np.trace(J) / 2 * np.eye(3) - J
    S = np.block([[own + mass * np.outer(c, c), mass * c[:, None]], [mass * c, np.full(1, mass)]])
    A = inverse @ S @ inverse.T
    moments = np.linalg.eigvalsh(own)
    lent = moments[-1] if mass and moments[0] < FLAT * moments[-1] else 0.0
    return np.concatenate([A[np.tril_indices(4)], inverse @ S[:, 3], inverse[:, :3].T.ravel(), [lent]])


def local(body: Any, end: End) -> Floats:
    """Coefficients of the origin and of the axes x, y, z of a frame (16,)."""
    inverse, (s, x, y, z) = np.linalg.inv(basis(body)), np.reshape(local_spatial(body, end), (4, 3))
    return np.concatenate([inverse @ [*s, 1.0], inverse @ [*x, 0.0], inverse @ [*y, 0.0], inverse @ [*z, 0.0]])


def coordinates(body: Any) -> tuple[Any, Any]:
    """The elements in the world, and how they move with the body."""
    X = basis(body)
    R, r = np.array(axes_of.plain(body.orientation)).T, np.array(body.position)
    arms = (R @ X[:3]).T
    moving = X[3][:, None] * np.array(body.velocity) + np.cross(body.angular_velocity, arms)
    return (X[3][:, None] * r + arms).ravel(), moving.ravel()


def seen(body: Any, q: Floats, v: Floats) -> Seen:
    """The pose and twist of the body origin; quaternions follow each other without a change of sign."""
    inverse = np.linalg.inv(basis(body))
    axes, moving = (np.swapaxes(x.reshape(*x.shape[:-1], 4, 3), -1, -2) @ inverse for x in (q, v))
    w = 0.5 * np.cross(axes[..., :3], moving[..., :3], axis=-2).sum(axis=-1)
    triads: list[Any] = np.swapaxes(axes[..., :3], -1, -2).reshape(-1, 3, 3).tolist()
    turned = np.array([quaternion_from_axes(t) for t in triads]).reshape(-1, 4)
    if q.ndim > 1 and len(turned):
        flips = np.where((turned[1:] * turned[:-1]).sum(axis=1) < 0, -1.0, 1.0)
        turned = turned * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
    return Seen(axes[..., 3], turned.reshape(*q.shape[:-1], 4), moving[..., 3], w)


def apart(q: Floats, other: Floats) -> Floats:
    """q − q'."""
    return q - other


def units(body: Any) -> tuple[str, ...]:
    """Points move in m/s, unit vectors turn in rad/s."""
    kinds = [e.kind for e in body.elements] or [kind for kind, _ in UPRIGHT]
    return tuple(unit for kind in kinds for unit in ("m/s" if kind == "point" else "rad/s",) * 3)


PORT = Port(
    nq=12,
    units=units,
    place=place,
    pace=pace,
    columns=columns,
    inertia=inertia,
    weight=weight,
    rates=rates,
    advance=advance,
    flow=flow,
    numbers=numbers,
    local=local,
    coordinates=coordinates,
    seen=seen,
    apart=apart,
    rigidity=rigidity,
    bend=bend,
    intrinsic=INTRINSIC,
)
