"""Rigid bodies: (x, y, φ) in the plane; position and unit quaternion with twist (ṙ, ω) in space."""

from __future__ import annotations

import math

from reactio.arrays import Floats
from reactio.bodies import BodyKind, Port, no_elements, register
from reactio.bodies.pose import (
    CENTER,
    INERTIA_TENSOR,
    MASS,
    body_state_planar,
    body_state_spatial,
    check_inertia,
    coordinates,
    difference_planar,
    difference_spatial,
    local_planar,
    local_spatial,
    mass_parameters,
)
from reactio.bodies.vector_space import vector_space
from reactio.catalogue.fields import unchanged
from reactio.kernels import kernel
from reactio.space.algebra import ZERO, Vector, Vector2, add, cross, cross2, dot, mul, mul2, spin, sub, turned
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
from reactio.space.rotations import (
    Axes,
    Quaternion,
    axes_of,
    exponential,
    product,
    quaternion_rate,
    turn,
    unit,
)


@kernel
def orientation_planar(q: Floats, iq: int, R: Floats, b: int) -> None:
    """cos φ, sin φ."""
    R[b, 0], R[b, 1] = math.cos(q[iq + 2]), math.sin(q[iq + 2])


@kernel
def in_world(R: Floats, b: int, a: Vector2) -> Vector2:
    """R a: components in the axes of body b → components in the world."""
    return (R[b, 0] * a[0] - R[b, 1] * a[1], R[b, 1] * a[0] + R[b, 0] * a[1])


@kernel
def pose_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """r = r_b + R s,  x = R e."""
    arm, x = in_world(R, b, vector2(local, f, 0)), in_world(R, b, vector2(local, f, 3))
    return PlanarFramePose((q[iq] + arm[0], q[iq + 1] + arm[1]), x, q[iq + 2] + local[f, 2], arm)


@kernel
def velocity_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> PlanarFrameVelocity:
    """v = ṙ_b + ω×arm,  drift = −ω² arm."""
    w, arm = v[iv + 2], vector2(F, f, PLANAR_ARM)
    lever = turned(w, arm)
    return PlanarFrameVelocity((v[iv] + lever[0], v[iv + 1] + lever[1]), w, mul2(-w * w, arm), 0.0)


@kernel
def columns_planar(
    D_v: Vector2, D_w: float, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [I, ẑ×arm; 0, 1]."""
    out[at] += factor * D_v[0]
    out[at + 1] += factor * D_v[1]
    out[at + 2] += factor * (D_w + cross2(vector2(F, f, PLANAR_ARM), D_v))


@kernel
def inertia_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M of a rigid body."""
    M[k : k + 9] = 0.0
    store_inertia_planar(R, p, b, M, k, 3)


@kernel
def store_inertia_planar(R: Floats, p: Floats, b: int, M: Floats, k: int, size: int) -> None:
    """M = [m, −m c_y; m, m c_x; …, J + m c²] about the body origin, c the turned centre of mass.

    It is stored in the first rows and columns of the block with rows of ``size`` entries from M[k] on, which is zero.
    """
    mass, c = p[b, MASS], in_world(R, b, vector2(p, b, CENTER))
    M[k] = M[k + size + 1] = mass
    M[k + 2] = M[k + 2 * size] = -mass * c[1]
    M[k + size + 2] = M[k + 2 * size + 1] = mass * c[0]
    M[k + 2 * size + 2] = p[b, INERTIA_TENSOR] + mass * (c[0] * c[0] + c[1] * c[1])


@kernel
def applied_forces_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """The forces on a rigid body."""
    add_forces_planar(v, iv, g, M, k, 3, Q)


@kernel
def add_forces_planar(v: Floats, iv: int, g: Floats, M: Floats, k: int, size: int, Q: Floats) -> None:
    """Q = (m g + ω² m c,  m c×g), with m and m c from the block of M with rows of ``size`` entries."""
    mass, c, w = M[k], (M[k + size + 2], -M[k + 2]), v[iv + 2]
    Q[iv] += mass * g[0] + w * w * c[0]
    Q[iv + 1] += mass * g[1] + w * w * c[1]
    Q[iv + 2] += c[0] * g[1] - c[1] * g[0]


@kernel
def width_planar(p: Floats, b: int) -> int:
    """x, y, φ."""
    return 3


@kernel
def quaternion_at(q: Floats, i: int) -> Quaternion:
    """Four entries of q from i on, normalised to a unit quaternion: those of a state need not be."""
    return unit((q[i], q[i + 1], q[i + 2], q[i + 3]))


@kernel
def vector_at(q: Floats, i: int) -> Vector:
    """Three entries of an array from i on."""
    return (q[i], q[i + 1], q[i + 2])


@kernel
def orientation_spatial(q: Floats, iq: int, R: Floats, b: int) -> None:
    """The axes of the body."""
    axes = axes_of(quaternion_at(q, iq + 3))
    for i in range(3):
        for k in range(3):
            R[b, 3 * i + k] = axes[i][k]


@kernel
def axes_in(R: Floats, b: int) -> Axes:
    """The axes of body b."""
    return (vector(R, b, 0), vector(R, b, 3), vector(R, b, 6))


@kernel
def pose_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> SpatialFramePose:
    """r = r_b + R s, and the axes turned by R."""
    axes = axes_in(R, b)
    arm = turn(axes, vector(local, f, 0))
    return SpatialFramePose(
        add(vector_at(q, iq), arm),
        turn(axes, vector(local, f, 3)),
        turn(axes, vector(local, f, 6)),
        turn(axes, vector(local, f, 9)),
        arm,
    )


@kernel
def velocity_spatial(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int
) -> SpatialFrameVelocity:
    """v = ṙ_b + ω×arm,  drift = ω×(ω×arm)."""
    w, arm = vector_at(v, iv + 3), vector(F, f, SPATIAL_ARM)
    return SpatialFrameVelocity(add(vector_at(v, iv), cross(w, arm)), w, spin(w, arm), ZERO)


@kernel
def columns_spatial(
    D_v: Vector, D_w: Vector, q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, F: Floats, f: int,
    factor: float, out: Floats, at: int,
) -> None:  # fmt: skip
    """D J with J = [I, −arm×; 0, I]."""
    w = add(D_w, cross(vector(F, f, SPATIAL_ARM), D_v))
    for k in range(3):
        out[at + k] += factor * D_v[k]
        out[at + 3 + k] += factor * w[k]


@kernel
def in_body(R: Axes, a: Vector) -> Vector:
    """Rᵀ a."""
    return (dot(R[0], a), dot(R[1], a), dot(R[2], a))


@kernel
def times_moments(p: Floats, b: int, at: int, a: Vector) -> Vector:
    """J a with J by its moments and products xx, yy, zz, xy, xz, yz from p[b, at] on."""
    xx, yy, zz, xy, xz, yz = p[b, at], p[b, at + 1], p[b, at + 2], p[b, at + 3], p[b, at + 4], p[b, at + 5]
    return (
        xx * a[0] + xy * a[1] + xz * a[2],
        xy * a[0] + yy * a[1] + yz * a[2],
        xz * a[0] + yz * a[1] + zz * a[2],
    )


@kernel
def inertia_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M of a rigid body."""
    M[k : k + 36] = 0.0
    store_inertia_spatial(R, p, b, M, k, 6)


@kernel
def store_inertia_spatial(R: Floats, p: Floats, b: int, M: Floats, k: int, size: int) -> None:
    """M = [m I, −m c×; m c×, J_O] about the body origin O, J_O = J − m c×c×.

    It is stored in the first rows and columns of the block with rows of ``size`` entries from M[k] on, which is zero.
    """
    mass, axes = p[b, MASS], axes_in(R, b)
    c = turn(axes, vector(p, b, CENTER))
    for j in range(3):
        M[k + (size + 1) * j] = mass
        e = (1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2))
        lever = mul(mass, cross(e, c))
        J_e = add(turn(axes, times_moments(p, b, INERTIA_TENSOR, in_body(axes, e))), cross(c, lever))
        for i in range(3):
            M[k + size * i + 3 + j] = lever[i]
            M[k + size * (3 + j) + i] = lever[i]
            M[k + size * (3 + i) + 3 + j] = J_e[i]


@kernel
def first_moment(M: Floats, k: int, size: int) -> Vector:
    """m c, from the block of M with rows of ``size`` entries."""
    return (M[k + size + 5], M[k + 2 * size + 3], M[k + 4])


@kernel
def angular_momentum(M: Floats, k: int, size: int, w: Vector) -> Vector:
    """J_O ω, from the block of M with rows of ``size`` entries."""
    J = k + 3 * size + 3
    return (dot(vector_at(M, J), w), dot(vector_at(M, J + size), w), dot(vector_at(M, J + 2 * size), w))


@kernel
def add_forces_spatial(
    g: Floats, M: Floats, k: int, size: int, w: Vector, momentum: Vector, Q: Floats, iv: int
) -> None:
    """Q = (m g − ω×(ω×m c),  m c×g − ω×L), m and m c from M, with the angular momentum L about the body origin."""
    c, g_0 = first_moment(M, k, size), (g[0], g[1], g[2])
    force, moment = sub(mul(M[k], g_0), spin(w, c)), sub(cross(c, g_0), cross(w, momentum))
    for i in range(3):
        Q[iv + i] += force[i]
        Q[iv + 3 + i] += moment[i]


@kernel
def applied_forces_spatial(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """The forces on a rigid body: L = J_O ω."""
    w = vector_at(v, iv + 3)
    add_forces_spatial(g, M, k, 6, w, angular_momentum(M, k, 6, w), Q, iv)


@kernel
def coordinate_rates_spatial(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """ṙ, and ṗ = ½ (0, ω) p."""
    p_dot = quaternion_rate((q[iq + 3], q[iq + 4], q[iq + 5], q[iq + 6]), vector_at(v, iv + 3))
    for k in range(3):
        out[iq + k] = v[iv + k]
    for k in range(4):
        out[iq + 3 + k] = p_dot[k]


@kernel
def advance_spatial(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """r + d_r, and the rotation exp(d_ω) after p."""
    x = unit(product(exponential(vector_at(d, iv + 3)), quaternion_at(q, iq + 3)))
    for k in range(3):
        out[iq + k] = q[iq + k] + d[iv + k]
    for k in range(4):
        out[iq + 3 + k] = x[k]


@kernel
def displacement_rates_spatial(d: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """ṙ, and the rate of the rotation vector a of exp(a) that turns at ω: ȧ = ω − ½ a×ω + c a×(a×ω).

    c = (1 − ½ θ cot ½θ) / θ² with θ = |a|.  Bortz 1971, IEEE Trans. AES 7, Eq. 24, in world axes.
    """
    a, w = vector_at(d, iv + 3), vector_at(v, iv + 3)
    square = dot(a, a)
    if square < 1e-2:  # by its series: the next term is θ⁸/47900160 < 1e-15 of a number near 1/12
        c = 1 / 12 + square * (1 / 720 + square * (1 / 30240 + square / 1209600))
    else:
        half = 0.5 * math.sqrt(square)
        c = (1 - half / math.tan(half)) / square
    a_w = cross(a, w)
    rate = add(w, add(mul(-0.5, a_w), mul(c, cross(a, a_w))))
    for k in range(3):
        out[iv + k] = v[iv + k]
        out[iv + 3 + k] = rate[k]


PLANAR = Port(
    units=lambda body: ("m/s", "m/s", "rad/s"),
    orientation=orientation_planar,
    pose=pose_planar,
    velocity=velocity_planar,
    columns=columns_planar,
    inertia=inertia_planar,
    applied_forces=applied_forces_planar,
    **vector_space(width_planar),
    parameters=mass_parameters,
    local=local_planar,
    coordinates=coordinates,
    body_state=body_state_planar,
    difference=difference_planar,
)
SPATIAL = Port(
    units=lambda body: ("m/s",) * 3 + ("rad/s",) * 3,
    orientation=orientation_spatial,
    pose=pose_spatial,
    velocity=velocity_spatial,
    columns=columns_spatial,
    inertia=inertia_spatial,
    applied_forces=applied_forces_spatial,
    coordinate_rates=coordinate_rates_spatial,
    advance=advance_spatial,
    displacement_rates=displacement_rates_spatial,
    parameters=mass_parameters,
    local=local_spatial,
    coordinates=coordinates,
    body_state=body_state_spatial,
    difference=difference_spatial,
)
RIGID = register(
    BodyKind(
        name="rigid",
        ports={"planar": PLANAR, "spatial": SPATIAL},
        check_inertia=check_inertia,
        check_elements=no_elements,
        turns=True,
        doc="A rigid body: three coordinates in the plane; position, unit quaternion and twist in space.",
        rigid=True,
        mirrored=unchanged,
        exact=True,
    )
)
