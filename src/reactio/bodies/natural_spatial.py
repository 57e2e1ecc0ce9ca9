"""Natural bodies in space: a basis of four elements, points p_k and unit vectors u_k, with world coordinates q_k.

Everything fixed on the body is a constant combination of its elements: a point with body coordinates s has
[s; 1] = X c, a direction e has [e; 0] = X c, where the columns of X (4, 4) are those of the elements; in the world
they are Σ c_k q_k.  Further elements are such combinations with coordinates of their own and three linear rows each;
they carry no mass.  García de Jalón & Bayo 1994, Kinematic and dynamic simulation of multibody systems, Sect. 2.3, 4.3.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BodyState, Port
from reactio.bodies.elements import ElementKind, carrier, elements, linear_rows, units
from reactio.bodies.pose import local_spatial
from reactio.bodies.vector_space import vector_space
from reactio.catalogue.places import End
from reactio.kernels import kernel
from reactio.linear.precision import GEOMETRY
from reactio.space.algebra import ZERO, Vector, add, cross, dot, mul, sub
from reactio.space.frames import SPATIAL_X, SPATIAL_Y, SPATIAL_Z, SpatialFramePose, SpatialFrameVelocity, vector
from reactio.space.rotations import Axes, axes_of, quaternion_from_axes

Row12: TypeAlias = tuple[float, ...]  # twelve numbers, an entry for each velocity
# First places in p: A by rows of its lower part, G, c of e₁ e₂ e₃, μ of a plate or rod, body coordinates s_k, the
# number of further elements, and for each of them the mass μ added along its rows, and its c.
BASIS_MASS, MASS_MOMENT, BODY_AXES, ADDED_MASS, ARMS, COUNT, FURTHER, EACH = 0, 10, 14, 26, 27, 39, 40, 5
# Places in the numbers of a frame: c of its origin and of its axes, and c of the point that loads act on, which is 0
# where the origin is a further element: loads then act on the velocities of that element.
FRAME_ORIGIN, FRAME_X, FRAME_Y, FRAME_Z, FRAME_LOAD = 0, 4, 8, 12, 16
INTRINSIC = ("xx", "yy", "zz", "xy", "xz", "yz")  # intrinsic rows: products of the body axes
# Iterations to orthonormal axes: six are enough from axes that are wrong by half their length.
MOST_POLAR_STEPS = 12


@kernel
def combined(q: Floats, i: int, c: Floats, row: int, k: int) -> Vector:
    """Σ c_k q_k: a point or direction of the body in the world, its coefficients from c[row, k] on."""
    x = mul(c[row, k], (q[i], q[i + 1], q[i + 2]))
    for j in range(1, 4):
        x = add(x, mul(c[row, k + j], (q[i + 3 * j], q[i + 3 * j + 1], q[i + 3 * j + 2])))
    return x


@kernel
def pose(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> SpatialFramePose:
    """r = Σ c_k q_k, axes likewise."""
    x, y, z = combined(q, iq, local, f, FRAME_X), combined(q, iq, local, f, FRAME_Y), combined(q, iq, local, f, FRAME_Z)
    return SpatialFramePose(combined(q, iq, local, f, FRAME_ORIGIN), x, y, z, ZERO)


@kernel
def velocity(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> SpatialFrameVelocity:
    """ṙ and ω = ½ Σ a×ȧ over the axes a, linear in v; J̇ v = 0.

    ω is that of a rigid body where the intrinsic rows hold.
    """
    w = cross(vector(F, f, SPATIAL_X), combined(v, iv, local, f, FRAME_X))
    w = add(w, cross(vector(F, f, SPATIAL_Y), combined(v, iv, local, f, FRAME_Y)))
    w = add(w, cross(vector(F, f, SPATIAL_Z), combined(v, iv, local, f, FRAME_Z)))
    return SpatialFrameVelocity(combined(v, iv, local, f, FRAME_ORIGIN), mul(0.5, w), ZERO, ZERO)


@kernel
def row_on_element(D_v: Vector, D_w: Vector, F: Floats, local: Floats, f: int, k: int) -> Vector:
    """The entries of D J on element k: c_k D_v + D_w×h_k with ω = Σ h_k×q̇_k, h_k = ½ Σ c_k(a) a.

    Where a further element is the origin of the frame, D_v is on its own columns.
    """
    h = mul(local[f, FRAME_X + k], vector(F, f, SPATIAL_X))
    h = add(
        h, add(mul(local[f, FRAME_Y + k], vector(F, f, SPATIAL_Y)), mul(local[f, FRAME_Z + k], vector(F, f, SPATIAL_Z)))
    )
    return add(mul(local[f, FRAME_LOAD + k], D_v), cross(D_w, mul(0.5, h)))


@kernel
def columns(
    D_v: Vector, D_w: Vector, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J, element by element."""
    for k in range(4):
        x = row_on_element(D_v, D_w, F, local, f, k)
        for c in range(3):
            out[at + 3 * k + c] += factor * x[c]


@kernel
def inertia(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = A ⊗ I with A = ∫ c cᵀ dm constant.

    Where A is singular though the body has inertia (a plate, a rod), mass is added along the intrinsic rows C, which
    changes no acceleration and no reaction: M + μ CᵀC, Q + μ CᵀΓ; also along the linear rows of further elements, for
    which Γ = 0.
    """
    count, size = int(p[b, COUNT]), width(p, b)
    M[k : k + size * size] = 0.0
    for i in range(4):
        for j in range(4):
            a = p[b, BASIS_MASS + (i * (i + 1)) // 2 + j] if j <= i else p[b, BASIS_MASS + (j * (j + 1)) // 2 + i]
            for c in range(3):
                M[k + size * (3 * i + c) + 3 * j + c] = a
    if p[b, ADDED_MASS] > 0.0:
        for r in range(6):
            _, row = rigid_row(q, iq, p, b, r)
            for i in range(12):
                for j in range(12):
                    M[k + size * i + j] += p[b, ADDED_MASS] * row[i] * row[j]
    for j in range(count):
        add_row_mass(M, k, size, 12 + 3 * j, p, b, FURTHER + EACH * j)


@kernel
def add_row_mass(M: Floats, k: int, size: int, x: int, p: Floats, b: int, at: int) -> None:
    """Add μ |ẋ − Σ c_k q̇_k|² of the further element at column x."""
    for c in range(3):
        M[k + (size + 1) * (x + c)] += p[b, at]
        for i in range(4):
            a = p[b, at] * p[b, at + 1 + i]
            M[k + size * (x + c) + 3 * i + c] -= a
            M[k + size * (3 * i + c) + x + c] -= a
            for j in range(4):
                M[k + size * (3 * i + c) + 3 * j + c] += a * p[b, at + 1 + j]


@kernel
def applied_forces(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q = G ⊗ g with G = ∫ c dm, and μ CᵀΓ where mass is added along C.  No other force depends on the velocities."""
    for i in range(4):
        for c in range(3):
            Q[iv + 3 * i + c] += p[b, MASS_MOMENT + i] * g[c]
    if p[b, ADDED_MASS] > 0.0:
        for r in range(6):
            _, row = rigid_row(q, iq, p, b, r)
            gamma = rigid_row_Gamma(v, iv, p, b, r)
            for i in range(12):
                Q[iv + i] += p[b, ADDED_MASS] * row[i] * gamma


@kernel
def axes_of_row(r: int) -> tuple[int, int, float, float]:
    """Where in p the axes of intrinsic row r have their coefficients, and the factor and size of their product."""
    i = r if r < 3 else (0 if r < 5 else 1)
    j = r if r < 3 else (1 if r == 3 else 2)
    half, size = (0.5, 1.0) if r < 3 else (1.0, 0.0)
    return BODY_AXES + 4 * i, BODY_AXES + 4 * j, half, size


@kernel
def rigid_row(q: Floats, iq: int, p: Floats, b: int, r: int) -> tuple[float, Row12]:
    """Φ and C of intrinsic row r: ½ (e_i·e_i − 1) or e_i·e_j of the body axes e₁ e₂ e₃, at most quadratic in q."""
    at_i, at_j, half, size = axes_of_row(r)
    e_i, e_j = combined(q, iq, p, b, at_i), combined(q, iq, p, b, at_j)
    a = add(mul(half * p[b, at_i], e_j), mul(half * p[b, at_j], e_i))
    c = add(mul(half * p[b, at_i + 1], e_j), mul(half * p[b, at_j + 1], e_i))
    d = add(mul(half * p[b, at_i + 2], e_j), mul(half * p[b, at_j + 2], e_i))
    e = add(mul(half * p[b, at_i + 3], e_j), mul(half * p[b, at_j + 3], e_i))
    row = (a[0], a[1], a[2], c[0], c[1], c[2], d[0], d[1], d[2], e[0], e[1], e[2])
    return half * (dot(e_i, e_j) - size), row


@kernel
def rigid_row_Gamma(v: Floats, iv: int, p: Floats, b: int, r: int) -> float:
    """Γ of intrinsic row r."""
    at_i, at_j, half, _ = axes_of_row(r)
    return -2 * half * dot(combined(v, iv, p, b, at_i), combined(v, iv, p, b, at_j))


@kernel
def intrinsic_rows(q: Floats, iq: int, p: Floats, b: int, Phi: Floats, C: Floats, i: int, k: int) -> None:
    """Six rows: the body axes are orthonormal; and x − Σ c_k q_k of further elements."""
    count, size = int(p[b, COUNT]), width(p, b)
    for r in range(6):
        phi, row = rigid_row(q, iq, p, b, r)
        Phi[i + r] = phi
        for c in range(12):
            C[k + size * r + c] = row[c]
    for j in range(count):
        x = combined(q, iq, p, b, FURTHER + EACH * j + 1)
        for c in range(3):
            r = 3 * j + c
            Phi[i + 6 + r] = q[iq + 12 + r] - x[c]
            C[k + size * (6 + r) + 12 + r] = 1.0
            for e in range(4):
                C[k + size * (6 + r) + 3 * e + c] = -p[b, FURTHER + EACH * j + 1 + e]


@kernel
def intrinsic_Gamma(v: Floats, iv: int, p: Floats, b: int, Gamma: Floats, i: int) -> None:
    """Γ of the six rows."""
    for r in range(6):
        Gamma[i + r] = rigid_row_Gamma(v, iv, p, b, r)


@kernel
def width(p: Floats, b: int) -> int:
    """The basis and the further elements."""
    return 12 + 3 * int(p[b, COUNT])


@kernel
def orthonormal(x: Vector, y: Vector, z: Vector) -> Axes:
    """The orthonormal axes nearest to given ones, by E ← ½ (E + E⁻ᵀ).

    Coplanar and left-handed axes, which are near to no rotation, are returned as they are.
    Higham 1986, SIAM J. Sci. Stat. Comput. 7, 1160, Sect. 3.
    """
    for _ in range(MOST_POLAR_STEPS):
        a, b, c = cross(y, z), cross(z, x), cross(x, y)
        size = dot(x, a)
        if not size > 0.0:
            return (x, y, z)
        x_next = mul(0.5, add(x, mul(1.0 / size, a)))
        y_next, z_next = mul(0.5, add(y, mul(1.0 / size, b))), mul(0.5, add(z, mul(1.0 / size, c)))
        d, e, f = sub(x_next, x), sub(y_next, y), sub(z_next, z)
        x, y, z = x_next, y_next, z_next
        if dot(d, d) + dot(e, e) + dot(f, f) < 1e-17:  # each step squares the remaining error, here 1e-9
            break
    return (x, y, z)


@kernel
def advance(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d, the body made rigid again: its axes orthonormal about its origin, further elements in their places."""
    for k in range(12):
        out[iq + k] = q[iq + k] + d[iv + k]
    x, y, z = (
        combined(out, iq, p, b, BODY_AXES),
        combined(out, iq, p, b, BODY_AXES + 4),
        combined(out, iq, p, b, BODY_AXES + 8),
    )
    x_new, y_new, z_new = orthonormal(x, y, z)
    dx, dy, dz = sub(x_new, x), sub(y_new, y), sub(z_new, z)
    for k in range(4):
        s = vector(p, b, ARMS + 3 * k)
        for c in range(3):
            out[iq + 3 * k + c] += s[0] * dx[c] + s[1] * dy[c] + s[2] * dz[c]
    for j in range(int(p[b, COUNT])):
        place = combined(out, iq, p, b, FURTHER + EACH * j + 1)
        for c in range(3):
            out[iq + 12 + 3 * j + c] = place[c]
    for k in range(width(p, b)):
        d[iv + k] = out[iq + k] - q[iq + k]


def columns_of(given: Any) -> Floats:
    """X (4, ·): a column [s; 1] for each point and [u; 0] for each unit vector, in body axes."""
    return np.array([[*at, float(kind == ElementKind.POINT)] for kind, at in given]).reshape(-1, 4).T


def basis(body: Any) -> Floats:
    """X (4, 4) of the basis."""
    return columns_of(elements(body).basis)


def parameters(body: Any) -> Floats:
    """A = X⁻¹ S X⁻ᵀ and G = X⁻¹ S [0; 1] with S = ∫ [x; 1][x; 1]ᵀ dm, the coefficients of e₁ e₂ e₃, μ, and elements.

    S = [P, m c; m cᵀ, m],  P = ½ tr(J) I − J + m c cᵀ for the inertia J about the centre of mass c.
    """
    X, mass, c = basis(body), body.mass or 0.0, np.array(body.center)
    inverse = np.linalg.inv(X)
    xx, yy, zz, xy, xz, yz = body.inertia or (0.0,) * 6
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    second_moments = np.trace(J) / 2 * np.eye(3) - J
    S = np.block([[second_moments + mass * np.outer(c, c), mass * c[:, None]], [mass * c, np.full(1, mass)]])
    A = inverse @ S @ inverse.T
    moments = np.linalg.eigvalsh(second_moments)
    added = moments[-1] if mass and moments[0] < GEOMETRY * moments[-1] else 0.0
    of_basis = [A[np.tril_indices(4)], inverse @ S[:, 3], inverse[:, :3].T.ravel(), [added], X[:3].T.ravel()]
    further = columns_of(elements(body).further)
    row_masses = np.where(further[3] > 0, mass, np.trace(S[:3, :3]) if mass else 0.0)
    return np.concatenate([*of_basis, [further.shape[1]], np.vstack([row_masses, inverse @ further]).T.ravel()])


def local(body: Any, end: End) -> Floats:
    """Coefficients (20,) of the origin and of the axes x, y, z of a frame, and of the point that loads act on."""
    inverse, (s, x, y, z) = np.linalg.inv(basis(body)), np.reshape(local_spatial(body, end), (4, 3))
    parts = [inverse @ [*s, 1.0], inverse @ [*x, 0.0], inverse @ [*y, 0.0], inverse @ [*z, 0.0]]
    return np.concatenate([*parts, parts[0] if carrier(body, end) is None else np.zeros(4)])


def coordinates(body: Any) -> tuple[Any, Any]:
    """The elements in the world, and how they move with the body."""
    X = columns_of(elements(body).all)
    R, r = np.array(axes_of.plain(body.orientation)).T, np.array(body.position)
    arms = (R @ X[:3]).T
    moving = X[3][:, None] * np.array(body.velocity) + np.cross(body.angular_velocity, arms)
    return (X[3][:, None] * r + arms).ravel(), moving.ravel()


def body_state(body: Any, q: Floats, v: Floats) -> BodyState:
    """The pose and twist of the body origin; quaternions follow each other without a change of sign."""
    inverse = np.linalg.inv(basis(body))
    axes, moving = (np.swapaxes(x[..., :12].reshape(*x.shape[:-1], 4, 3), -1, -2) @ inverse for x in (q, v))
    w = 0.5 * np.cross(axes[..., :3], moving[..., :3], axis=-2).sum(axis=-1)
    triads: list[Any] = np.swapaxes(axes[..., :3], -1, -2).reshape(-1, 3, 3).tolist()
    turned = np.array([quaternion_from_axes(t) for t in triads]).reshape(-1, 4)
    if q.ndim > 1 and len(turned):
        flips = np.where((turned[1:] * turned[:-1]).sum(axis=1) < 0, -1.0, 1.0)
        turned = turned * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
    return BodyState(axes[..., 3], turned.reshape(*q.shape[:-1], 4), moving[..., 3], w)


def difference(q: Floats, q_other: Floats) -> Floats:
    """q − q' of the basis, on which all further elements depend."""
    return (q - q_other)[:12]


def intrinsic(body: Any) -> tuple[tuple[str, str], ...]:
    """Labels and units of the rows."""
    return (*((label, "rad") for label in INTRINSIC), *linear_rows(body))


PORT = Port(
    units=units,
    pose=pose,
    velocity=velocity,
    columns=columns,
    inertia=inertia,
    applied_forces=applied_forces,
    **{**vector_space(width), "advance": advance},
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
