"""Natural bodies in the plane: a basis of two elements, points or unit vectors, with world coordinates z₁, z₂.

Vectors of the plane are complex numbers here: what is fixed on the body, a point s or a direction e of body axes, is a
constant combination c₁ z₁ + c₂ z₂ with complex c, because rotations of the plane commute.  [s; 1] or [e; 0] = X c,
where the columns of X (2, 2) are [s_k; 1] of points and [e_k; 0] of unit vectors.  Further elements x are such
combinations with coordinates of their own and two linear rows each; they carry no mass.
García de Jalón & Bayo 1994, Kinematic and dynamic simulation of multibody systems, Sect. 2.2, 4.2.
"""

from __future__ import annotations

import cmath
import math
from typing import Any, TypeAlias

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BodyState, Port
from reactio.bodies.elements import ElementKind, carrier, elements, linear_rows, units
from reactio.bodies.vector_space import vector_space
from reactio.catalogue.places import End
from reactio.kernels import kernel
from reactio.space.algebra import ZERO2, Vector2, cross2, dot2, turned, unwrapped
from reactio.space.frames import PLANAR_X, PlanarFramePose, PlanarFrameVelocity, vector2

Row4: TypeAlias = tuple[float, float, float, float]
ANGLE = 4  # place in q behind the basis: the angle of the body, counted over full turns; further elements follow
# First places in p: A₁₁, A₂₂, A₁₂ (complex), G (two complex), c of u (two complex), body coordinates s₁, s₂ (complex),
# the number of further elements, and for each of them the mass μ added along its rows, and its c (two complex).
BASIS_MASS, MASS_MOMENT, BODY_AXIS, ARMS, COUNT, FURTHER, EACH = 0, 4, 8, 12, 16, 17, 5
# Places in the numbers of a frame: c of its origin and of its axis x, its angle against the body, and c of the point
# that loads act on, which is 0 where the origin is a further element: loads then act on the velocities of that element.
FRAME_ORIGIN, FRAME_X, FRAME_ANGLE, FRAME_LOAD = 0, 4, 8, 9


@kernel
def combined(q: Floats, i: int, c: Floats, row: int, k: int) -> Vector2:
    """c₁ z₁ + c₂ z₂: a point or direction of the body in the world, its coefficients from c[row, k] on."""
    return (
        c[row, k] * q[i] - c[row, k + 1] * q[i + 1] + c[row, k + 2] * q[i + 2] - c[row, k + 3] * q[i + 3],
        c[row, k + 1] * q[i] + c[row, k] * q[i + 1] + c[row, k + 3] * q[i + 2] + c[row, k + 2] * q[i + 3],
    )


@kernel
def row_on_basis(a: Vector2, c: Floats, row: int, k: int) -> Row4:
    """The row a·(c₁ ż₁ + c₂ ż₂) on ż."""
    return (
        c[row, k] * a[0] + c[row, k + 1] * a[1],
        c[row, k] * a[1] - c[row, k + 1] * a[0],
        c[row, k + 2] * a[0] + c[row, k + 3] * a[1],
        c[row, k + 2] * a[1] - c[row, k + 3] * a[0],
    )


@kernel
def pose(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """r and the axis x as combinations of the elements."""
    x = combined(q, iq, local, f, FRAME_X)
    phi = unwrapped(math.atan2(x[1], x[0]), q[iq + ANGLE] + local[f, FRAME_ANGLE])
    return PlanarFramePose(combined(q, iq, local, f, FRAME_ORIGIN), x, phi, ZERO2)


@kernel
def velocity(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> PlanarFrameVelocity:
    """ṙ and ω = x×ẋ, linear in v; J̇ v = 0.  ω is that of a rigid body where the intrinsic row holds."""
    w = cross2(vector2(F, f, PLANAR_X), combined(v, iv, local, f, FRAME_X))
    return PlanarFrameVelocity(combined(v, iv, local, f, FRAME_ORIGIN), w, ZERO2, 0.0)


@kernel
def columns(
    D_v: Vector2, D_w: float, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with ω = x×ẋ; where a further element is the origin of the frame, D_v is on its own columns."""
    pull = row_on_basis(D_v, local, f, FRAME_LOAD)
    turn = row_on_basis(turned(D_w, vector2(F, f, PLANAR_X)), local, f, FRAME_X)
    for k in range(4):
        out[at + k] += factor * (pull[k] + turn[k])


@kernel
def inertia(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M of ½ Σ ż̄_i A_ij ż_j with A = ∫ c̄ cᵀ dm constant.

    Further elements carry none of it; μ CᵀC is added along their rows C, which is constant and changes no
    acceleration and no reaction.
    """
    count, size = int(p[b, COUNT]), width(p, b)
    M[k : k + size * size] = 0.0
    for c in range(2):
        M[k + (size + 1) * c] = p[b, BASIS_MASS]
        M[k + (size + 1) * (2 + c)] = p[b, BASIS_MASS + 1]
    couple(M, k, size, 0, 2, p[b, BASIS_MASS + 2], p[b, BASIS_MASS + 3])
    for j in range(count):
        add_row_mass(M, k, size, 4 + 2 * j, p, b, FURTHER + EACH * j)


@kernel
def applied_forces(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q = Ḡ g with G = ∫ c dm.  No force depends on the velocities."""
    pull = row_on_basis((g[0], g[1]), p, b, MASS_MOMENT)
    for i in range(4):
        Q[iv + i] += pull[i]


@kernel
def couple(M: Floats, k: int, size: int, i: int, j: int, re: float, im: float) -> None:
    """Add ż̄_i a ż_j and its conjugate to a block of M: a rotation times a factor at (i, j), its transpose at (j, i)."""
    for r in range(2):
        for c in range(2):
            a = re if r == c else (-im if r == 0 else im)
            M[k + size * (i + r) + j + c] += a
            M[k + size * (j + c) + i + r] += a


@kernel
def add_row_mass(M: Floats, k: int, size: int, x: int, p: Floats, b: int, at: int) -> None:
    """Add μ |ẋ − c₁ ż₁ − c₂ ż₂|² of the further element at column x."""
    mass = p[b, at]
    for i in range(2):
        re, im = p[b, at + 1 + 2 * i], p[b, at + 2 + 2 * i]
        couple(M, k, size, x, 2 * i, -mass * re, -mass * im)
        for r in range(2):
            M[k + (size + 1) * (2 * i + r)] += mass * (re * re + im * im)
    for r in range(2):
        M[k + (size + 1) * (x + r)] += mass
    a, e, c, f = p[b, at + 1], p[b, at + 2], p[b, at + 3], p[b, at + 4]
    couple(M, k, size, 0, 2, mass * (a * c + e * f), mass * (a * f - e * c))


@kernel
def intrinsic_rows(q: Floats, iq: int, p: Floats, b: int, Phi: Floats, C: Floats, i: int, k: int) -> None:
    """One row Φ = ½ (u·u − 1) for the body axis u, at most quadratic in q; x − c₁ z₁ − c₂ z₂ of further elements."""
    u = combined(q, iq, p, b, BODY_AXIS)
    row, count, size = row_on_basis(u, p, b, BODY_AXIS), int(p[b, COUNT]), width(p, b)
    Phi[i] = 0.5 * (dot2(u, u) - 1.0)
    for c in range(4):
        C[k + c] = row[c]
    for j in range(count):
        x = combined(q, iq, p, b, FURTHER + EACH * j + 1)
        for c in range(2):
            r = 1 + 2 * j + c
            x_row = row_on_basis((-1.0 * (c == 0), -1.0 * (c == 1)), p, b, FURTHER + EACH * j + 1)
            Phi[i + r] = q[iq + ANGLE + r] - x[c]
            C[k + size * r + 3 + r] = 1.0
            for e in range(4):
                C[k + size * r + e] = x_row[e]


@kernel
def intrinsic_Gamma(v: Floats, iv: int, p: Floats, b: int, Gamma: Floats, i: int) -> None:
    """Γ = −u̇·u̇."""
    u_dot = combined(v, iv, p, b, BODY_AXIS)
    Gamma[i] = -dot2(u_dot, u_dot)


@kernel
def width(p: Floats, b: int) -> int:
    """The velocities of the basis and of the further elements."""
    return 4 + 2 * int(p[b, COUNT])


@kernel
def coordinate_rates(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q̇ = v; the angle counted over full turns is left as it is."""
    for k in range(width(p, b)):
        out[iq + k + (k >= ANGLE)] = v[iv + k]
    out[iq + ANGLE] = 0.0


@kernel
def advance(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d, the body made rigid again: u to unit length about the body origin, further elements to their places.

    The angle follows, nearest to its value before.
    """
    for k in range(4):
        out[iq + k] = q[iq + k] + d[iv + k]
    u = combined(out, iq, p, b, BODY_AXIS)
    size = math.sqrt(dot2(u, u))
    if size > 0.0:
        e = (u[0] / size - u[0], u[1] / size - u[1])
        for k in range(2):
            s = (p[b, ARMS + 2 * k], p[b, ARMS + 2 * k + 1])
            out[iq + 2 * k] += s[0] * e[0] - s[1] * e[1]
            out[iq + 2 * k + 1] += s[1] * e[0] + s[0] * e[1]
    out[iq + ANGLE] = unwrapped(math.atan2(u[1], u[0]), q[iq + ANGLE])
    for j in range(int(p[b, COUNT])):
        x = combined(out, iq, p, b, FURTHER + EACH * j + 1)
        out[iq + ANGLE + 1 + 2 * j] = x[0]
        out[iq + ANGLE + 2 + 2 * j] = x[1]
    for k in range(width(p, b)):
        place = iq + k + (k >= ANGLE)
        d[iv + k] = out[place] - q[place]


def columns_of(given: Any) -> Any:
    """X, complex: body coordinates in the first row, 1 for a point and 0 for a unit vector in the second."""
    return np.array(
        [[complex(*at) for _, at in given], [float(kind == ElementKind.POINT) for kind, _ in given]]
    ).reshape(2, -1)


def basis(body: Any) -> Any:
    """X (2, 2) of the basis."""
    return columns_of(elements(body).basis)


def _pairs(c: Any) -> list[float]:
    """Complex numbers as real and imaginary parts."""
    return [part for x in c for part in (float(x.real), float(x.imag))]


def parameters(body: Any) -> list[float]:
    """A = ∫ c̄ cᵀ dm, G = ∫ c dm and the coefficients of the axis u, with c = X⁻¹ [x; 1]; s₁, s₂; further elements."""
    X, mass, c = basis(body), body.mass or 0.0, complex(*body.center)
    inverse = np.linalg.inv(X)
    J = (body.inertia or (0.0,))[0] + mass * abs(c) ** 2
    A = inverse.conj() @ np.array([[J, mass * c.conjugate()], [mass * c, mass]]) @ inverse.T
    of_basis = [
        A[0, 0].real,
        A[1, 1].real,
        *_pairs([A[0, 1]]),
        *_pairs(inverse @ [mass * c, mass]),
        *_pairs(inverse[:, 0]),
    ]
    further = columns_of(elements(body).further)
    rows = zip(np.where(further[1].real > 0, mass, J), (inverse @ further).T, strict=True)
    return [
        *of_basis,
        *_pairs(X[0]),
        further.shape[1],
        *(x for added, c_x in rows for x in (float(added), *_pairs(c_x))),
    ]


def local(body: Any, end: End) -> list[float]:
    """Coefficients of the origin and of the axis x of a frame, its angle [rad], and of the point that loads act on."""
    inverse, (angle,) = np.linalg.inv(basis(body)), end.orientation
    origin, x = inverse @ [complex(*end.point), 1.0], inverse[:, 0] * cmath.exp(1j * angle)
    pull = origin if carrier(body, end) is None else 0 * origin
    return [*_pairs(origin), *_pairs(x), angle, *_pairs(pull)]


def coordinates(body: Any) -> tuple[Any, Any]:
    """The elements in the world, and how they move with the body."""
    X, (angle,), (w,) = columns_of(elements(body).all), body.orientation, body.angular_velocity
    arms = cmath.exp(1j * angle) * X[0]
    q = X[1] * complex(*body.position) + arms
    v = X[1] * complex(*body.velocity) + 1j * w * arms
    return [*_pairs(q[:2]), angle, *_pairs(q[2:])], _pairs(v)


def body_state(body: Any, q: Floats, v: Floats) -> BodyState:
    """The pose and twist of the body origin."""
    inverse = np.linalg.inv(basis(body))
    frame, moving = ((x[..., 0:4:2] + 1j * x[..., 1:4:2]) @ inverse for x in (q, v))
    u, r = frame[..., 0], frame[..., 1]
    angle = np.angle(u)
    angle = angle + math.tau * np.round((q[..., ANGLE] - angle) / math.tau)
    w = (u.conjugate() * moving[..., 0]).imag
    velocity = np.stack([moving[..., 1].real, moving[..., 1].imag], axis=-1)
    return BodyState(np.stack([r.real, r.imag], axis=-1), angle[..., None], velocity, w[..., None])


def difference(q: Floats, q_other: Floats) -> Floats:
    """q − q' of the basis, on which the angle and all further elements depend."""
    return (q - q_other)[:ANGLE]


def intrinsic(body: Any) -> tuple[tuple[str, str], ...]:
    """Labels and units of the rows."""
    return (("xx", "rad"), *linear_rows(body))


PORT = Port(
    units=units,
    pose=pose,
    velocity=velocity,
    columns=columns,
    inertia=inertia,
    applied_forces=applied_forces,
    coordinate_rates=coordinate_rates,
    advance=advance,
    displacement_rates=vector_space(width)["displacement_rates"],
    parameters=parameters,
    local=local,
    coordinates=coordinates,
    body_state=body_state,
    difference=difference,
    intrinsic_rows=intrinsic_rows,
    intrinsic_Gamma=intrinsic_Gamma,
    intrinsic=intrinsic,
    carrier=carrier,
)
