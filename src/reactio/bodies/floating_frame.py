"""Flexible bodies in a floating frame of reference: a rigid motion of mean axes, and small elastic modes on top of it.

A point x of the body is at r + R (x + Ψ η).  The axes are those of Tisserand's mean frame: the modes carry neither
momentum nor moment of momentum, ∫ρ Ψ = 0 and ∫ρ x×Ψ = 0.  With ω' = Rᵀω in body axes and modes of mass m each

    T = ½ m ṙ² + ṙ·(ω × R s) + ½ ω'ᵀ J(η) ω' + ω'ᵀ B(η) η̇ + ½ m η̇²,      V = ½ Σ k η²,   s = m c,
    J(η) = J₀ + Σ_j η_j J_j + Σ_ij η_i η_j J_ij,   B(η) = Σ_j η_j [b_j1 … b_jn],   b_ji = ∫ρ Ψ_j×Ψ_i = −b_ij.

A frame that a joint holds is moved by Ψ η and turned by the rotation with the Gibbs vector g = ½ Θ η (tan ½θ = |g|):
that is Θ η up to third order, and a rational map, whose derivatives are exact.  Shabana 2020, Dynamics of Multibody
Systems, Ch. 5; Schwertassek & Wallrapp 1999, Dynamik flexibler Mehrkörpersysteme, Sect. 6.
Without modes it is a rigid body.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BodyKind, BodyState, Port, no_elements, refuse, register
from reactio.bodies.pose import (
    CENTER,
    MASS,
    PLANAR_MOMENT,
    check_inertia,
    difference_planar,
    difference_spatial,
    local_planar,
    local_spatial,
    mass_numbers,
)
from reactio.bodies.rigid import (
    advance_spatial,
    axes_in,
    coordinate_rates_spatial,
    displacement_rates_spatial,
    orientation_planar,
    orientation_spatial,
    times_inertia,
    vector_at,
)
from reactio.catalogue.fields import Numbers
from reactio.catalogue.places import End
from reactio.kernels import kernel
from reactio.space.algebra import ZERO, Vector, Vector2, add, cross, cross2, dot, mul, spin, sub
from reactio.space.frames import (
    PLANAR_ARM,
    SPATIAL_ARM,
    PlanarFramePose,
    PlanarFrameVelocity,
    SpatialFramePose,
    SpatialFrameVelocity,
    vector,
    vector2,
)
from reactio.space.rotations import Axes, turn

# Places in the numbers of a body: mass, centre and inertia as of a rigid one, then these.
MODES, MODAL_MASS, TABLES = 10, 11, 12
SPATIAL_MODES, PLANAR_MODES = 12, 5  # where the modes of a frame begin in its numbers
MOMENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@kernel
def mode_count(p: Floats, b: int) -> int:
    """Number n of elastic coordinates; behind TABLES follow k (n), d (n), then J_j, b_ji and J_ij."""
    return int(p[b, MODES])


@kernel
def displaced(q: Floats, first: int, n: int, local: Floats, f: int, part: int) -> Vector:
    """Σ η_i Ψ_i (part 0) or Σ η_i Θ_i (part 3) of a frame, η from ``first`` on; body axes."""
    x = y = z = 0.0
    for i in range(n):
        at = SPATIAL_MODES + 6 * i + part
        x += q[first + i] * local[f, at]
        y += q[first + i] * local[f, at + 1]
        z += q[first + i] * local[f, at + 2]
    return (x, y, z)


@kernel
def gibbs_turned(g: Vector, a: Vector) -> Vector:
    """a turned by the rotation of the Gibbs vector g: a + 2/(1 + g²) (g×a + g×(g×a))."""
    once = cross(g, a)
    return add(a, mul(2.0 / (1.0 + dot(g, g)), add(once, cross(g, once))))


@kernel
def in_body(R: Axes, a: Vector) -> Vector:
    """Rᵀ a."""
    return (dot(R[0], a), dot(R[1], a), dot(R[2], a))


@kernel
def pose_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> SpatialFramePose:
    """r = r_b + R (s + Ψ η), and the axes turned by R and by the Gibbs vector ½ Θ η."""
    axes, n = axes_in(R, b), mode_count(p, b)
    arm = turn(axes, add(vector(local, f, 0), displaced(q, iq + 7, n, local, f, 0)))
    g = mul(0.5, displaced(q, iq + 7, n, local, f, 3))
    return SpatialFramePose(
        add(vector_at(q, iq), arm),
        turn(axes, gibbs_turned(g, vector(local, f, 3))),
        turn(axes, gibbs_turned(g, vector(local, f, 6))),
        turn(axes, gibbs_turned(g, vector(local, f, 9))),
        arm,
    )


@kernel
def velocity_spatial(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> SpatialFrameVelocity:
    """v = ṙ_b + ω×arm + RΨη̇ and ω_f = ω + R u, u = k (ġ + g×ġ), k = 2/(1 + g²).

    Their drifts: ω×(ω×arm) + 2 ω×RΨη̇, and ω×Ru − k (g·ġ) R u.
    """
    axes, n, w, arm = axes_in(R, b), mode_count(p, b), vector_at(v, iv + 3), vector(F, f, SPATIAL_ARM)
    g, rate = mul(0.5, displaced(q, iq + 7, n, local, f, 3)), mul(0.5, displaced(v, iv + 6, n, local, f, 3))
    k = 2.0 / (1.0 + dot(g, g))
    bends = turn(axes, displaced(v, iv + 6, n, local, f, 0))
    turns = turn(axes, mul(k, add(rate, cross(g, rate))))
    return SpatialFrameVelocity(
        add(vector_at(v, iv), add(cross(w, arm), bends)),
        add(w, turns),
        add(spin(w, arm), mul(2.0, cross(w, bends))),
        sub(cross(w, turns), mul(k * dot(g, rate), turns)),
    )


@kernel
def columns_spatial(
    D_v: Vector, D_w: Vector, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [I, −arm×, RΨ; 0, I, ½ k R (I + g×) Θ]."""
    axes, n = axes_in(R, b), mode_count(p, b)
    w = add(D_w, cross(vector(F, f, SPATIAL_ARM), D_v))
    for k in range(3):
        out[at + k] += factor * D_v[k]
        out[at + 3 + k] += factor * w[k]
    g = mul(0.5, displaced(q, iq + 7, n, local, f, 3))
    force, moment = in_body(axes, D_v), in_body(axes, D_w)
    moment = mul(1.0 / (1.0 + dot(g, g)), add(moment, cross(moment, g)))
    for i in range(n):
        here = SPATIAL_MODES + 6 * i
        out[at + 6 + i] += factor * (dot(force, vector(local, f, here)) + dot(moment, vector(local, f, here + 3)))


@kernel
def times_moments(p: Floats, b: int, at: int, a: Vector) -> Vector:
    """J a with J from its six numbers xx, yy, zz, xy, xz, yz from ``at`` on."""
    xx, yy, zz, xy, xz, yz = p[b, at], p[b, at + 1], p[b, at + 2], p[b, at + 3], p[b, at + 4], p[b, at + 5]
    return (
        xx * a[0] + xy * a[1] + xz * a[2],
        xy * a[0] + yy * a[1] + yz * a[2],
        xz * a[0] + yz * a[1] + zz * a[2],
    )


@kernel
def moments_rate(q: Floats, first: int, p: Floats, b: int, n: int, i: int, half: float, a: Vector) -> Vector:
    """(J_i + 2 half Σ_j η_j J_ij) a: with half = 1 the derivative ∂J/∂η_i, with ½ what η_i multiplies in J."""
    linear, square = TABLES + 2 * n, TABLES + 8 * n + 3 * n * n
    found = times_moments(p, b, linear + 6 * i, a)
    for j in range(n):
        found = add(found, mul(2.0 * half * q[first + j], times_moments(p, b, square + 6 * (n * i + j), a)))
    return found


@kernel
def gyration(x: Floats, first: int, p: Floats, b: int, n: int, i: int) -> Vector:
    """Σ_j x_j b_ji."""
    at, found = TABLES + 8 * n, ZERO
    for j in range(n):
        found = add(found, mul(x[first + j], vector(p, b, at + 3 * (n * j + i))))
    return found


@kernel
def inertia_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = [m I, −m c×, 0; ·, R J(η) Rᵀ, R B(η); ·, ·, m I] about the body origin."""
    axes, n, mass = axes_in(R, b), mode_count(p, b), p[b, MASS]
    size, first = 6 + n, iq + 7
    c = turn(axes, vector(p, b, CENTER))
    for i in range(size * size):
        M[k + i] = 0.0
    for j in range(3):
        M[k + (size + 1) * j] = mass
        e = (1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2))
        lever, local = mul(mass, cross(e, c)), in_body(axes, e)
        bent = ZERO
        for i in range(n):
            bent = add(bent, mul(q[first + i], moments_rate(q, first, p, b, n, i, 0.5, local)))
        turning = add(add(times_inertia(axes, p, b, e), cross(c, lever)), turn(axes, bent))
        for i in range(3):
            M[k + size * i + 3 + j] = lever[i]
            M[k + size * (3 + j) + i] = lever[i]
            M[k + size * (3 + i) + 3 + j] = turning[i]
    for i in range(n):
        swirl = turn(axes, gyration(q, first, p, b, n, i))
        M[k + (size + 1) * (6 + i)] = p[b, MODAL_MASS]
        for j in range(3):
            M[k + size * (3 + j) + 6 + i] = swirl[j]
            M[k + size * (6 + i) + 3 + j] = swirl[j]


@kernel
def applied_forces_spatial(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Gravity, gyroscopic, Coriolis and elastic forces, m c, J and B from M.

    Q_v = m g − ω×(ω×m c),  Q_ω = m c×g − ω×(J ω + B η̇) − R J̇ ω',
    Q_i = ½ ω'·∂J/∂η_i ω' − 2 ω'·Σ_j η̇_j b_ji − k_i η_i − d_i η̇_i
    """
    axes, n = axes_in(R, b), mode_count(p, b)
    size, first, rate = 6 + n, iq + 7, iv + 6
    w, g_0 = vector_at(v, iv + 3), (g[0], g[1], g[2])
    turning = in_body(axes, w)
    c = (M[k + size + 5], M[k + 2 * size + 3], M[k + 4])
    row = k + 3 * size
    spun = (
        dot(vector_at(M, row + 3), w),
        dot(vector_at(M, row + size + 3), w),
        dot(vector_at(M, row + 2 * size + 3), w),
    )
    changing = ZERO
    for i in range(n):
        speed = v[rate + i]
        at = row + 6 + i
        spun = add(spun, mul(speed, (M[at], M[at + size], M[at + 2 * size])))
        slope = moments_rate(q, first, p, b, n, i, 1.0, turning)
        changing = add(changing, mul(speed, slope))
        Q[rate + i] += (
            0.5 * dot(turning, slope)
            - 2.0 * dot(turning, gyration(v, rate, p, b, n, i))
            - p[b, TABLES + i] * q[first + i]
            - p[b, TABLES + n + i] * speed
        )
    force = sub(mul(M[k], g_0), spin(w, c))
    moment = sub(sub(cross(c, g_0), cross(w, spun)), turn(axes, changing))
    for i in range(3):
        Q[iv + i] += force[i]
        Q[iv + 3 + i] += moment[i]


@kernel
def modal_coordinate_rates_spatial(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """As a rigid body, and η̇."""
    coordinate_rates_spatial(q, v, iq, iv, p, b, out)
    for i in range(mode_count(p, b)):
        out[iq + 7 + i] = v[iv + 6 + i]


@kernel
def modal_advance_spatial(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """As a rigid body, and η + d_η."""
    advance_spatial(q, iq, d, iv, p, b, out)
    for i in range(mode_count(p, b)):
        out[iq + 7 + i] = q[iq + 7 + i] + d[iv + 6 + i]


@kernel
def modal_displacement_rates_spatial(d: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """As a rigid body, and η̇."""
    displacement_rates_spatial(d, v, iq, iv, p, b, out)
    for i in range(mode_count(p, b)):
        out[iv + 6 + i] = v[iv + 6 + i]


@kernel
def displaced_planar(q: Floats, first: int, n: int, local: Floats, f: int) -> Vector:
    """Σ η_i (Ψ_x, Ψ_y, Θ_z) of a frame, body axes."""
    x = y = phi = 0.0
    for i in range(n):
        at = PLANAR_MODES + 3 * i
        x += q[first + i] * local[f, at]
        y += q[first + i] * local[f, at + 1]
        phi += q[first + i] * local[f, at + 2]
    return (x, y, phi)


@kernel
def turned_by(R: Floats, b: int, x: float, y: float) -> Vector2:
    """R (x, y)."""
    return (R[b, 0] * x - R[b, 1] * y, R[b, 1] * x + R[b, 0] * y)


@kernel
def pose_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """r = r_b + R (s + Ψ η), φ_f = φ + Θ η."""
    x, y, phi = displaced_planar(q, iq + 3, mode_count(p, b), local, f)
    arm = turned_by(R, b, local[f, 0] + x, local[f, 1] + y)
    c, s = math.cos(phi), math.sin(phi)
    axis = turned_by(R, b, c * local[f, 3] - s * local[f, 4], s * local[f, 3] + c * local[f, 4])
    return PlanarFramePose((q[iq] + arm[0], q[iq + 1] + arm[1]), axis, q[iq + 2] + local[f, 2] + phi, arm)


@kernel
def velocity_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> PlanarFrameVelocity:
    """v = ṙ_b + ω×arm + RΨη̇,  drift = −ω² arm + 2 ω×RΨη̇."""
    w, arm = v[iv + 2], vector2(F, f, PLANAR_ARM)
    x, y, turning = displaced_planar(v, iv + 3, mode_count(p, b), local, f)
    bends = turned_by(R, b, x, y)
    speed = (v[iv] - w * arm[1] + bends[0], v[iv + 1] + w * arm[0] + bends[1])
    drift = (-w * w * arm[0] - 2.0 * w * bends[1], -w * w * arm[1] + 2.0 * w * bends[0])
    return PlanarFrameVelocity(speed, w + turning, drift, 0.0)


@kernel
def columns_planar(
    D_v: Vector2, D_w: float, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [I, ẑ×arm, RΨ; 0, 1, Θ]."""
    out[at] += factor * D_v[0]
    out[at + 1] += factor * D_v[1]
    out[at + 2] += factor * (D_w + cross2(vector2(F, f, PLANAR_ARM), D_v))
    x, y = R[b, 0] * D_v[0] + R[b, 1] * D_v[1], R[b, 0] * D_v[1] - R[b, 1] * D_v[0]
    for i in range(mode_count(p, b)):
        here = PLANAR_MODES + 3 * i
        out[at + 3 + i] += factor * (x * local[f, here] + y * local[f, here + 1] + D_w * local[f, here + 2])


@kernel
def moment_rate(q: Floats, first: int, p: Floats, b: int, n: int, i: int, half: float) -> float:
    """J_i + 2 half Σ_j η_j J_ij: with half = 1 the derivative ∂J/∂η_i, with ½ what η_i multiplies in J."""
    found: float = p[b, TABLES + 2 * n + i]
    for j in range(n):
        found += 2.0 * half * q[first + j] * p[b, TABLES + 3 * n + n * n + n * i + j]
    return found


@kernel
def gyration_planar(x: Floats, first: int, p: Floats, b: int, n: int, i: int) -> float:
    """Σ_j x_j b_ji."""
    found = 0.0
    for j in range(n):
        found += x[first + j] * p[b, TABLES + 3 * n + n * j + i]
    return found


@kernel
def inertia_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = [m I, ẑ×m c, 0; ·, J(η), B(η); ·, ·, m I] about the body origin."""
    n, mass = mode_count(p, b), p[b, MASS]
    size, first = 3 + n, iq + 3
    c = turned_by(R, b, p[b, CENTER], p[b, CENTER + 1])
    for i in range(size * size):
        M[k + i] = 0.0
    M[k] = M[k + size + 1] = mass
    M[k + 2] = M[k + 2 * size] = -mass * c[1]
    M[k + size + 2] = M[k + 2 * size + 1] = mass * c[0]
    turning = p[b, PLANAR_MOMENT] + mass * (c[0] * c[0] + c[1] * c[1])
    for i in range(n):
        turning += q[first + i] * moment_rate(q, first, p, b, n, i, 0.5)
        swirl = gyration_planar(q, first, p, b, n, i)
        M[k + 2 * size + 3 + i] = M[k + size * (3 + i) + 2] = swirl
        M[k + (size + 1) * (3 + i)] = p[b, MODAL_MASS]
    M[k + 2 * size + 2] = turning


@kernel
def applied_forces_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q_v = m g + ω² m c,  Q_ω = m c×g − J̇ ω,  Q_i = ½ ω² ∂J/∂η_i − 2 ω Σ_j η̇_j b_ji − k_i η_i − d_i η̇_i."""
    n = mode_count(p, b)
    size, first, rate, w = 3 + n, iq + 3, iv + 3, v[iv + 2]
    mass, c = M[k], (M[k + size + 2], -M[k + 2])
    Q[iv] += mass * g[0] + w * w * c[0]
    Q[iv + 1] += mass * g[1] + w * w * c[1]
    Q[iv + 2] += c[0] * g[1] - c[1] * g[0]
    for i in range(n):
        slope = moment_rate(q, first, p, b, n, i, 1.0)
        Q[iv + 2] -= w * v[rate + i] * slope
        Q[rate + i] += (
            0.5 * w * w * slope
            - 2.0 * w * gyration_planar(v, rate, p, b, n, i)
            - p[b, TABLES + i] * q[first + i]
            - p[b, TABLES + n + i] * v[rate + i]
        )


@kernel
def modal_coordinate_rates_planar(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q̇ = v."""
    for k in range(3 + mode_count(p, b)):
        out[iq + k] = v[iv + k]


@kernel
def modal_advance_planar(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d."""
    for k in range(3 + mode_count(p, b)):
        out[iq + k] = q[iq + k] + d[iv + k]


@kernel
def modal_displacement_rates_planar(d: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """ḋ = v."""
    for k in range(3 + mode_count(p, b)):
        out[iv + k] = v[iv + k]


def modes_of(body: Any) -> Any | None:
    """The modes that ``build`` has found for a body; None where it has none."""
    return None if body.flexible is None else body.flexible.modal


def count(body: Any) -> int:
    """Number of elastic coordinates."""
    modes = modes_of(body)
    return 0 if modes is None else len(modes.frequency)


def numbers_spatial(body: Any) -> Floats:
    """Mass, centre and inertia; then the modes: k, d, J_j, b_ji, J_ij."""
    modes = modes_of(body)
    if modes is None:
        return _rigid_numbers(body)
    pairs = tuple(np.array(MOMENTS).T)
    tables = (modes.J1[:, *pairs], modes.b, modes.J2[:, :, *pairs])
    return np.concatenate([_rigid_numbers(body), modes.stiffness, modes.resistance, *(x.ravel() for x in tables)])


def numbers_planar(body: Any) -> Floats:
    """The same, of the motions in the plane."""
    modes = modes_of(body)
    if modes is None:
        return _rigid_numbers(body)
    tables = (modes.J1[:, 2, 2], modes.b[:, :, 2], modes.J2[:, :, 2, 2])
    return np.concatenate([_rigid_numbers(body), modes.stiffness, modes.resistance, *(x.ravel() for x in tables)])


def _rigid_numbers(body: Any) -> Floats:
    modes, out = modes_of(body), np.zeros(TABLES)
    rigid = mass_numbers(body)
    out[: len(rigid)] = rigid
    out[MODES], out[MODAL_MASS] = count(body), 0.0 if modes is None else modes.mass
    return out


def frame_spatial(body: Any, end: End) -> Any:
    """Origin and axes in body axes, then Ψ and Θ of every mode there."""
    modes, rigid = modes_of(body), local_spatial(body, end)
    return rigid if modes is None else np.concatenate([rigid, modes.at(end.point).T.ravel()])


def frame_planar(body: Any, end: End) -> Any:
    """Origin, angle and first axis in body axes, then Ψ and Θ of every mode there."""
    modes, rigid = modes_of(body), local_planar(body, end)
    return rigid if modes is None else np.concatenate([rigid, modes.at(end.point)[[0, 1, 5]].T.ravel()])


def coordinates(body: Any) -> tuple[Any, Any]:
    """q and v as given; elastic coordinates and their rates are zero where they are left out."""
    own, still = body.parameters, (0.0,) * count(body)
    eta, eta_dot = own.get("modal_coordinates") or still, own.get("modal_velocities") or still
    return body.position + body.orientation + eta, body.velocity + body.angular_velocity + eta_dot


def fields_of(body: Any, q: Floats, v: Floats) -> dict[str, Any]:
    """η and η̇."""
    n = count(body)
    return {"modal_coordinates": q[len(q) - n :], "modal_velocities": v[len(v) - n :]}


def mode_names(body: Any) -> tuple[str, ...]:
    """One name for each mode."""
    return tuple(f"mode{k + 1}" for k in range(count(body)))


def check_modes(body: Any, path: tuple[str, ...]) -> None:
    """As many coordinates and velocities as there are modes, once these have been found."""
    if modes_of(body) is None:
        return
    for key in ("modal_coordinates", "modal_velocities"):
        if len(given := body.parameters.get(key, ())) not in (0, count(body)):
            refuse(
                f"body '{body.name}': {key} has {len(given)} numbers; the body has {count(body)} modes, those that "
                "follow statically among them. Give as many, or none for a body that is not bent.",
                *path,
                key,
            )


def mean_axes_planar(body: Any, q: Floats, v: Floats) -> BodyState:
    """The mean axes: x, y, φ and their rates."""
    return BodyState(q[..., :2], q[..., 2:3], v[..., :2], v[..., 2:3])


def mean_axes_spatial(body: Any, q: Floats, v: Floats) -> BodyState:
    """The mean axes: position, quaternion and twist."""
    return BodyState(q[..., :3], q[..., 3:7], v[..., :3], v[..., 3:6])


def modal_difference_planar(q: Floats, other: Floats) -> Floats:
    """q − q', the angle within half a turn."""
    return np.concatenate([difference_planar(q[:3], other[:3]), q[3:] - other[3:]])


def modal_difference_spatial(q: Floats, other: Floats) -> Floats:
    """q − q', of the two quaternions of an orientation the nearer one."""
    return np.concatenate([difference_spatial(q[:7], other[:7]), q[7:] - other[7:]])


def potential(body: Any, q: Floats, gravity: Floats) -> float:
    """½ Σ k η²; the weight does no work on the modes, which leave the centre of mass where it is."""
    modes = modes_of(body)
    return 0.0 if modes is None else float(0.5 * modes.stiffness @ q[len(q) - count(body) :] ** 2)


@kernel
def modal_damping_power(v: Floats, first: int, p: Floats, b: int) -> float:
    """−Σ d η̇² of the modes, whose rates η̇ begin at ``first`` in v."""
    n, power = mode_count(p, b), 0.0
    for i in range(n):
        power -= p[b, TABLES + n + i] * v[first + i] * v[first + i]
    return power


@kernel
def power_planar(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int) -> float:
    """The power of the damping of its modes [W], not positive."""
    return modal_damping_power(v, iv + 3, p, b)


@kernel
def power_spatial(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int) -> float:
    """The power of the damping of its modes [W], not positive."""
    return modal_damping_power(v, iv + 6, p, b)


FLOATING_FRAME = register(
    BodyKind(
        name="floating frame",
        ports={
            "planar": Port(
                units=lambda body: ("m/s", "m/s", "rad/s") + ("m/s",) * count(body),
                orientation=orientation_planar,
                pose=pose_planar,
                velocity=velocity_planar,
                columns=columns_planar,
                inertia=inertia_planar,
                applied_forces=applied_forces_planar,
                coordinate_rates=modal_coordinate_rates_planar,
                advance=modal_advance_planar,
                displacement_rates=modal_displacement_rates_planar,
                numbers=numbers_planar,
                local=frame_planar,
                coordinates=coordinates,
                body_state=mean_axes_planar,
                difference=modal_difference_planar,
                potential=potential,
                power=power_planar,
                fields_of=fields_of,
                elastic=mode_names,
            ),
            "spatial": Port(
                units=lambda body: ("m/s",) * 3 + ("rad/s",) * 3 + ("m/s",) * count(body),
                orientation=orientation_spatial,
                pose=pose_spatial,
                velocity=velocity_spatial,
                columns=columns_spatial,
                inertia=inertia_spatial,
                applied_forces=applied_forces_spatial,
                coordinate_rates=modal_coordinate_rates_spatial,
                advance=modal_advance_spatial,
                displacement_rates=modal_displacement_rates_spatial,
                numbers=numbers_spatial,
                local=frame_spatial,
                coordinates=coordinates,
                body_state=mean_axes_spatial,
                difference=modal_difference_spatial,
                potential=potential,
                power=power_spatial,
                fields_of=fields_of,
                elastic=mode_names,
            ),
        },
        check_inertia=check_inertia,
        check_elements=no_elements,
        turns=True,
        doc="A flexible body: mean axes that move like a rigid body, and elastic modes; rigid without any.",
        fields=(
            Numbers("modal_coordinates", "Amplitude of each mode at the start; 0 when left out.", (), "length"),
            Numbers("modal_velocities", "Rate of each of them at the start.", (), "velocity"),
        ),
        check=check_modes,
        exact=True,
    )
)
