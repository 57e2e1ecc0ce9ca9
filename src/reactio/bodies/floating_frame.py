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
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BodyKind, no_elements, refuse, register
from reactio.bodies.pose import (
    check_inertia,
    local_planar,
    local_spatial,
    mass_parameters,
)
from reactio.bodies.rigid import (
    PLANAR,
    SPATIAL,
    add_forces_planar,
    add_forces_spatial,
    advance_spatial,
    angular_momentum,
    axes_in,
    coordinate_rates_spatial,
    displacement_rates_spatial,
    in_body,
    in_world,
    store_inertia_planar,
    store_inertia_spatial,
    times_moments,
    vector_at,
)
from reactio.bodies.rigid import columns_planar as rigid_columns_planar
from reactio.bodies.rigid import columns_spatial as rigid_columns_spatial
from reactio.bodies.vector_space import vector_space
from reactio.catalogue.fields import Numbers
from reactio.catalogue.places import End
from reactio.kernels import kernel
from reactio.space.algebra import ZERO, Vector, Vector2, add, add2, cross, dot, mul, mul2, spin, sub, turned
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
from reactio.space.rotations import turn

# Places in the parameters of a body: mass, centre and inertia as of a rigid one, the number n of its modes, the mass of
# each, then k (n), d (n), J_j, b_ji and J_ij: six numbers of J and three of b in space, one of each in the plane.
MODES, MODAL_MASS, MODAL_STIFFNESS = 10, 11, 12
# Where Ψ and Θ of the modes begin in the parameters of a frame.
SPATIAL_MODES, PLANAR_MODES = 12, 5
MOMENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@kernel
def mode_count(p: Floats, b: int) -> int:
    """Number n of elastic coordinates."""
    return int(p[b, MODES])


@kernel
def damping_place(n: int) -> int:
    """Where d of the first mode is in the parameters of a body with n modes."""
    return MODAL_STIFFNESS + n


@kernel
def slope_place(n: int, j: int, size: int) -> int:
    """Where J_j begins, of which each takes ``size`` numbers."""
    return MODAL_STIFFNESS + 2 * n + size * j


@kernel
def gyration_place(n: int, j: int, i: int, size: int, arm: int) -> int:
    """Where b_ji begins, of which each takes ``arm`` numbers."""
    return slope_place(n, n, size) + arm * (n * j + i)


@kernel
def curvature_place(n: int, i: int, j: int, size: int, arm: int) -> int:
    """Where J_ij begins."""
    return gyration_place(n, n, 0, size, arm) + size * (n * i + j)


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
    rigid_columns_spatial(D_v, D_w, q, iq, R, p, b, local, F, f, factor, out, at)
    axes, n = axes_in(R, b), mode_count(p, b)
    g = mul(0.5, displaced(q, iq + 7, n, local, f, 3))
    force, moment = in_body(axes, D_v), in_body(axes, D_w)
    moment = mul(1.0 / (1.0 + dot(g, g)), add(moment, cross(moment, g)))
    for i in range(n):
        psi = SPATIAL_MODES + 6 * i
        out[at + 6 + i] += factor * (dot(force, vector(local, f, psi)) + dot(moment, vector(local, f, psi + 3)))


@kernel
def moments_rate(q: Floats, first: int, p: Floats, b: int, n: int, i: int, half: float, a: Vector) -> Vector:
    """(J_i + 2 half Σ_j η_j J_ij) a: with half = 1 the derivative ∂J/∂η_i, with ½ the factor of η_i in J."""
    J_a = times_moments(p, b, slope_place(n, i, 6), a)
    for j in range(n):
        J_a = add(J_a, mul(2.0 * half * q[first + j], times_moments(p, b, curvature_place(n, i, j, 6, 3), a)))
    return J_a


@kernel
def gyration(x: Floats, first: int, p: Floats, b: int, n: int, i: int) -> Vector:
    """Σ_j x_j b_ji."""
    b_x = ZERO
    for j in range(n):
        b_x = add(b_x, mul(x[first + j], vector(p, b, gyration_place(n, j, i, 6, 3))))
    return b_x


@kernel
def inertia_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = [m I, −m c×, 0; ·, R J(η) Rᵀ, R B(η); ·, ·, m I] about the body origin."""
    axes, n = axes_in(R, b), mode_count(p, b)
    size, first = 6 + n, iq + 7
    for i in range(size * size):
        M[k + i] = 0.0
    store_inertia_spatial(R, p, b, M, k, size)
    for j in range(3):
        e = in_body(axes, (1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2)))
        J_e = ZERO
        for i in range(n):
            J_e = add(J_e, mul(q[first + i], moments_rate(q, first, p, b, n, i, 0.5, e)))
        J_e = turn(axes, J_e)
        for i in range(3):
            M[k + size * (3 + i) + 3 + j] += J_e[i]
    for i in range(n):
        B_eta = turn(axes, gyration(q, first, p, b, n, i))
        M[k + (size + 1) * (6 + i)] = p[b, MODAL_MASS]
        for j in range(3):
            M[k + size * (3 + j) + 6 + i] = B_eta[j]
            M[k + size * (6 + i) + 3 + j] = B_eta[j]


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
    w = vector_at(v, iv + 3)
    w_body, J_dot_w = in_body(axes, w), ZERO
    momentum = angular_momentum(M, k, size, w)
    for i in range(n):
        speed, B = v[rate + i], k + 3 * size + 6 + i
        momentum = add(momentum, mul(speed, (M[B], M[B + size], M[B + 2 * size])))
        slope = moments_rate(q, first, p, b, n, i, 1.0, w_body)
        J_dot_w = add(J_dot_w, mul(speed, slope))
        Q[rate + i] += (
            0.5 * dot(w_body, slope)
            - 2.0 * dot(w_body, gyration(v, rate, p, b, n, i))
            - p[b, MODAL_STIFFNESS + i] * q[first + i]
            - p[b, damping_place(n) + i] * speed
        )
    add_forces_spatial(g, M, k, size, w, momentum, Q, iv)
    J_dot_w = turn(axes, J_dot_w)
    for i in range(3):
        Q[iv + 3 + i] -= J_dot_w[i]


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
def pose_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """r = r_b + R (s + Ψ η), φ_f = φ + Θ η."""
    x, y, phi = displaced_planar(q, iq + 3, mode_count(p, b), local, f)
    arm = in_world(R, b, (local[f, 0] + x, local[f, 1] + y))
    c, s = math.cos(phi), math.sin(phi)
    axis = in_world(R, b, (c * local[f, 3] - s * local[f, 4], s * local[f, 3] + c * local[f, 4]))
    return PlanarFramePose((q[iq] + arm[0], q[iq + 1] + arm[1]), axis, q[iq + 2] + local[f, 2] + phi, arm)


@kernel
def velocity_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> PlanarFrameVelocity:
    """v = ṙ_b + ω×arm + RΨη̇,  drift = −ω² arm + 2 ω×RΨη̇."""
    w, arm = v[iv + 2], vector2(F, f, PLANAR_ARM)
    x, y, phi_dot = displaced_planar(v, iv + 3, mode_count(p, b), local, f)
    bends = in_world(R, b, (x, y))
    speed = add2(add2((v[iv], v[iv + 1]), turned(w, arm)), bends)
    drift = add2(mul2(-w * w, arm), turned(2.0 * w, bends))
    return PlanarFrameVelocity(speed, w + phi_dot, drift, 0.0)


@kernel
def columns_planar(
    D_v: Vector2, D_w: float, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [I, ẑ×arm, RΨ; 0, 1, Θ]."""
    rigid_columns_planar(D_v, D_w, q, iq, R, p, b, local, F, f, factor, out, at)
    x, y = R[b, 0] * D_v[0] + R[b, 1] * D_v[1], R[b, 0] * D_v[1] - R[b, 1] * D_v[0]
    for i in range(mode_count(p, b)):
        psi = PLANAR_MODES + 3 * i
        out[at + 3 + i] += factor * (x * local[f, psi] + y * local[f, psi + 1] + D_w * local[f, psi + 2])


@kernel
def moment_rate(q: Floats, first: int, p: Floats, b: int, n: int, i: int, half: float) -> float:
    """J_i + 2 half Σ_j η_j J_ij: with half = 1 the derivative ∂J/∂η_i, with ½ the factor of η_i in J."""
    J: float = p[b, slope_place(n, i, 1)]
    for j in range(n):
        J += 2.0 * half * q[first + j] * p[b, curvature_place(n, i, j, 1, 1)]
    return J


@kernel
def gyration_planar(x: Floats, first: int, p: Floats, b: int, n: int, i: int) -> float:
    """Σ_j x_j b_ji."""
    b_x = 0.0
    for j in range(n):
        b_x += x[first + j] * p[b, gyration_place(n, j, i, 1, 1)]
    return b_x


@kernel
def inertia_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = [m I, ẑ×m c, 0; ·, J(η), B(η); ·, ·, m I] about the body origin."""
    n = mode_count(p, b)
    size, first = 3 + n, iq + 3
    for i in range(size * size):
        M[k + i] = 0.0
    store_inertia_planar(R, p, b, M, k, size)
    for i in range(n):
        M[k + 2 * size + 2] += q[first + i] * moment_rate(q, first, p, b, n, i, 0.5)
        M[k + 2 * size + 3 + i] = M[k + size * (3 + i) + 2] = gyration_planar(q, first, p, b, n, i)
        M[k + (size + 1) * (3 + i)] = p[b, MODAL_MASS]


@kernel
def applied_forces_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q_v = m g + ω² m c,  Q_ω = m c×g − J̇ ω,  Q_i = ½ ω² ∂J/∂η_i − 2 ω Σ_j η̇_j b_ji − k_i η_i − d_i η̇_i."""
    n = mode_count(p, b)
    first, rate, w = iq + 3, iv + 3, v[iv + 2]
    add_forces_planar(v, iv, g, M, k, 3 + n, Q)
    for i in range(n):
        slope = moment_rate(q, first, p, b, n, i, 1.0)
        Q[iv + 2] -= w * v[rate + i] * slope
        Q[rate + i] += (
            0.5 * w * w * slope
            - 2.0 * w * gyration_planar(v, rate, p, b, n, i)
            - p[b, MODAL_STIFFNESS + i] * q[first + i]
            - p[b, damping_place(n) + i] * v[rate + i]
        )


@kernel
def width_planar(p: Floats, b: int) -> int:
    """x, y, φ and the elastic coordinates."""
    return 3 + mode_count(p, b)


def modes_of(body: Any) -> Any | None:
    """The modes that ``build`` computed for a body; None if it has none."""
    return None if body.flexible is None else body.flexible.modal


def count(body: Any) -> int:
    """Number of elastic coordinates."""
    modes = modes_of(body)
    return 0 if modes is None else len(modes.frequency)


def parameters_spatial(body: Any) -> Floats:
    """Mass, centre and inertia; then the modes: k, d, J_j, b_ji, J_ij."""
    xyz = tuple(np.array(MOMENTS).T)
    return _parameters(body, lambda modes: (modes.J1[:, *xyz], modes.b, modes.J2[:, :, *xyz]))


def parameters_planar(body: Any) -> Floats:
    """The same, of the motions in the plane."""
    return _parameters(body, lambda modes: (modes.J1[:, 2, 2], modes.b[:, :, 2], modes.J2[:, :, 2, 2]))


def _parameters(body: Any, tables: Callable[[Any], tuple[Floats, ...]]) -> Floats:
    """The parameters of a body, J_j, b_ji and J_ij as ``tables`` picks them from its modes."""
    modes, rigid = modes_of(body), np.zeros(MODAL_STIFFNESS)
    of_rigid_body = mass_parameters(body)
    rigid[: len(of_rigid_body)] = of_rigid_body
    if modes is None:
        return rigid
    rigid[MODES], rigid[MODAL_MASS] = count(body), modes.mass
    return np.concatenate([rigid, modes.stiffness, modes.resistance, *(x.ravel() for x in tables(modes))])


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
    fields, still = body.parameters, (0.0,) * count(body)
    eta, eta_dot = fields.get("modal_coordinates") or still, fields.get("modal_velocities") or still
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


def potential(body: Any, q: Floats, gravity: Floats) -> float:
    """½ Σ k η²; the weight does no work on the modes, which leave the centre of mass where it is."""
    modes = modes_of(body)
    return 0.0 if modes is None else float(0.5 * modes.stiffness @ q[len(q) - count(body) :] ** 2)


@kernel
def modal_damping_power(v: Floats, first: int, p: Floats, b: int) -> float:
    """−Σ d η̇² of the modes, whose rates η̇ begin at ``first`` in v."""
    n, power = mode_count(p, b), 0.0
    for i in range(n):
        power -= p[b, damping_place(n) + i] * v[first + i] * v[first + i]
    return power


@kernel
def power_planar(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int) -> float:
    """The power of the damping of its modes [W], not positive."""
    return modal_damping_power(v, iv + 3, p, b)


@kernel
def power_spatial(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int) -> float:
    """The power of the damping of its modes [W], not positive."""
    return modal_damping_power(v, iv + 6, p, b)


# Of both ports: the elastic coordinates behind those of a rigid body.
ELASTIC: dict[str, Any] = {
    "coordinates": coordinates,
    "potential": potential,
    "fields_of": fields_of,
    "elastic": mode_names,
}
FLOATING_FRAME = register(
    BodyKind(
        name="floating frame",
        ports={
            "planar": replace(
                PLANAR,
                units=lambda body: PLANAR.units(body) + ("m/s",) * count(body),
                pose=pose_planar,
                velocity=velocity_planar,
                columns=columns_planar,
                inertia=inertia_planar,
                applied_forces=applied_forces_planar,
                **vector_space(width_planar),
                parameters=parameters_planar,
                local=frame_planar,
                power=power_planar,
                **ELASTIC,
            ),
            "spatial": replace(
                SPATIAL,
                units=lambda body: SPATIAL.units(body) + ("m/s",) * count(body),
                pose=pose_spatial,
                velocity=velocity_spatial,
                columns=columns_spatial,
                inertia=inertia_spatial,
                applied_forces=applied_forces_spatial,
                coordinate_rates=modal_coordinate_rates_spatial,
                advance=modal_advance_spatial,
                displacement_rates=modal_displacement_rates_spatial,
                parameters=parameters_spatial,
                local=frame_spatial,
                power=power_spatial,
                **ELASTIC,
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
