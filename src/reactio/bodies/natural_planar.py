"""Natural bodies in the plane: two elements, points or unit vectors, with their world coordinates z₁, z₂.

Vectors of the plane are complex numbers here: what is fixed on the body, a point s or a direction e of body axes, is a
constant combination c₁ z₁ + c₂ z₂ with complex c, because turning in the plane commutes.  [s; 1] or [e; 0] = X c,
where the columns of X (2, 2) are [s_k; 1] of points and [e_k; 0] of unit vectors.
García de Jalón & Bayo 1994, Kinematic and dynamic simulation of multibody systems, Sect. 2.2, 4.2.
"""

from __future__ import annotations

import cmath
import math
from typing import Any, TypeAlias

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import Port, Seen
from reactio.kernels import kernel
from reactio.places import End
from reactio.space.algebra import ZERO2, Vector2, cross2, dot2, unwrapped
from reactio.space.frames import PlanarPace, PlanarPlace, vector2

Row4: TypeAlias = tuple[float, float, float, float]
TURN = 4  # place in q behind the elements: the angle of the body, counted over full turns
MASS, WEIGHT, AXIS = 0, 4, 8  # first places in p: A₁₁, A₂₂, A₁₂ (complex), G (two complex), c of u (two complex)
UPRIGHT = (("point", (0.0, 0.0)), ("vector", (1.0, 0.0)))


@kernel
def combined(q: Floats, i: int, c: Floats, row: int, k: int) -> Vector2:
    """c₁ z₁ + c₂ z₂: a point or direction of the body in the world, its coefficients from c[row, k] on."""
    return (
        c[row, k] * q[i] - c[row, k + 1] * q[i + 1] + c[row, k + 2] * q[i + 2] - c[row, k + 3] * q[i + 3],
        c[row, k + 1] * q[i] + c[row, k] * q[i + 1] + c[row, k + 3] * q[i + 2] + c[row, k + 2] * q[i + 3],
    )


@kernel
def pulled(a: Vector2, c: Floats, row: int, k: int) -> Row4:
    """The row a·(c₁ ż₁ + c₂ ż₂) on ż."""
    return (
        c[row, k] * a[0] + c[row, k + 1] * a[1],
        c[row, k] * a[1] - c[row, k + 1] * a[0],
        c[row, k + 2] * a[0] + c[row, k + 3] * a[1],
        c[row, k + 2] * a[1] - c[row, k + 3] * a[0],
    )


@kernel
def place(q: Floats, iq: int, local: Floats, f: int) -> PlanarPlace:
    """r and the axis x as combinations of the elements."""
    x = combined(q, iq, local, f, 4)
    phi = unwrapped(math.atan2(x[1], x[0]), q[iq + TURN] + local[f, 8])
    return PlanarPlace(combined(q, iq, local, f, 0), x, phi, ZERO2)


@kernel
def pace(v: Floats, iv: int, local: Floats, F: Floats, f: int) -> PlanarPace:
    """ṙ and ω = x×ẋ, linear in v; J̇ v = 0.  ω is that of a rigid body where the intrinsic row holds."""
    w = cross2(vector2(F, f, 2), combined(v, iv, local, f, 4))
    return PlanarPace(combined(v, iv, local, f, 0), w, ZERO2)


@kernel
def columns(D_v: Vector2, D_w: float, F: Floats, local: Floats, f: int) -> Row4:
    """D J with ω = x×ẋ."""
    a = pulled(D_v, local, f, 0)
    b = pulled((-D_w * F[f, 3], D_w * F[f, 2]), local, f, 4)
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


@kernel
def inertia(q: Floats, iq: int, p: Floats, b: int, M: Floats, k: int) -> None:
    """M of ½ Σ ż̄_i A_ij ż_j with A = ∫ c̄ cᵀ dm constant."""
    M[k : k + 16] = 0.0
    a, e = p[b, MASS + 2], p[b, MASS + 3]
    M[k] = M[k + 5] = p[b, MASS]
    M[k + 10] = M[k + 15] = p[b, MASS + 1]
    M[k + 2] = M[k + 8] = M[k + 7] = M[k + 13] = a
    M[k + 3] = M[k + 12] = -e
    M[k + 6] = M[k + 9] = e


@kernel
def weight(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats) -> None:
    """Q = Ḡ g with G = ∫ c dm.  No force depends on the velocities."""
    pull = pulled((g[0], g[1]), p, b, WEIGHT)
    for i in range(4):
        Q[iv + i] += pull[i]


@kernel
def rigidity(q: Floats, iq: int, p: Floats, b: int, Phi: Floats, C: Floats, i: int, k: int) -> None:
    """One row: Φ = ½ (u·u − 1) for the body axis u, at most quadratic in q."""
    u = combined(q, iq, p, b, AXIS)
    row = pulled(u, p, b, AXIS)
    Phi[i] = 0.5 * (dot2(u, u) - 1.0)
    for c in range(4):
        C[k + c] = row[c]


@kernel
def bend(v: Floats, iv: int, p: Floats, b: int, Gamma: Floats, i: int) -> None:
    """Γ = −u̇·u̇."""
    u_dot = combined(v, iv, p, b, AXIS)
    Gamma[i] = -dot2(u_dot, u_dot)


@kernel
def rates(q: Floats, v: Floats, iq: int, iv: int, out: Floats) -> None:
    """q̇ = v; the remembered angle stays."""
    for k in range(4):
        out[iq + k] = v[iv + k]
    out[iq + TURN] = 0.0


@kernel
def advance(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d; the angle follows, nearest to what it was."""
    for k in range(4):
        out[iq + k] = q[iq + k] + d[iv + k]
    u = combined(out, iq, p, b, AXIS)
    out[iq + TURN] = unwrapped(math.atan2(u[1], u[0]), q[iq + TURN])


@kernel
def flow(d: Floats, v: Floats, iq: int, iv: int, out: Floats) -> None:
    """ḋ = v."""
    for k in range(4):
        out[iv + k] = v[iv + k]


def basis(body: Any) -> Any:
    """X (2, 2), complex: rows are body coordinates and 1 for a point, 0 for a unit vector."""
    elements = [(e.kind, e.at) for e in body.elements] or UPRIGHT
    return np.array([[complex(*at) for _, at in elements], [float(kind == "point") for kind, _ in elements]])


def _pairs(c: Any) -> list[float]:
    """Complex numbers as real and imaginary parts."""
    return [part for x in c for part in (float(x.real), float(x.imag))]


def numbers(body: Any) -> list[float]:
    """A = ∫ c̄ cᵀ dm, G = ∫ c dm and the coefficients of the axis u, with c = X⁻¹ [x; 1]."""
    inverse, mass, c = np.linalg.inv(basis(body)), body.mass or 0.0, complex(*body.center)
    J = (body.inertia or (0.0,))[0] + mass * abs(c) ** 2
    A = inverse.conj() @ np.array([[J, mass * c.conjugate()], [mass * c, mass]]) @ inverse.T
    return [A[0, 0].real, A[1, 1].real, *_pairs([A[0, 1]]), *_pairs(inverse @ [mass * c, mass]), *_pairs(inverse[:, 0])]


def local(body: Any, end: End) -> list[float]:
    """Coefficients of the origin and of the axis x of a frame, and its angle against the body [rad]."""
    inverse, (angle,) = np.linalg.inv(basis(body)), end.orientation
    origin, x = inverse @ [complex(*end.point), 1.0], inverse[:, 0] * cmath.exp(1j * angle)
    return [*_pairs(origin), *_pairs(x), angle]


def coordinates(body: Any) -> tuple[Any, Any]:
    """The elements in the world, and how they move with the body."""
    X, (angle,), (w,) = basis(body), body.orientation, body.angular_velocity
    arms = cmath.exp(1j * angle) * X[0]
    q = X[1] * complex(*body.position) + arms
    v = X[1] * complex(*body.velocity) + 1j * w * arms
    return [*_pairs(q), angle], _pairs(v)


def seen(body: Any, q: Floats, v: Floats) -> Seen:
    """The pose and twist of the body origin."""
    inverse = np.linalg.inv(basis(body))
    frame, moving = ((x[..., 0:4:2] + 1j * x[..., 1:4:2]) @ inverse for x in (q, v))
    u, r = frame[..., 0], frame[..., 1]
    angle = np.angle(u)
    angle = angle + math.tau * np.round((q[..., TURN] - angle) / math.tau)
    w = (u.conjugate() * moving[..., 0]).imag
    velocity = np.stack([moving[..., 1].real, moving[..., 1].imag], axis=-1)
    return Seen(np.stack([r.real, r.imag], axis=-1), angle[..., None], velocity, w[..., None])


def apart(q: Floats, other: Floats) -> Floats:
    """q − q' of the elements; the angle says nothing more."""
    return (q - other)[:TURN]


def units(body: Any) -> tuple[str, ...]:
    """Points move in m/s, unit vectors turn in rad/s."""
    kinds = [e.kind for e in body.elements] or [kind for kind, _ in UPRIGHT]
    return tuple(unit for kind in kinds for unit in ("m/s" if kind == "point" else "rad/s",) * 2)


PORT = Port(
    nq=5,
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
    intrinsic=("xx",),
)
