"""Rigid bodies: (x, y, φ) in the plane; position and unit quaternion with twist (ṙ, ω) in space."""

from __future__ import annotations

import math

from reactio.arrays import Floats
from reactio.bodies import BodyKind, Port, no_elements, register
from reactio.bodies.pose import (
    CENTER,
    MASS,
    PLANAR_MOMENT,
    XX,
    XY,
    XZ,
    YY,
    YZ,
    ZZ,
    body_state_planar,
    body_state_spatial,
    check_inertia,
    coordinates,
    difference_planar,
    difference_spatial,
    local_planar,
    local_spatial,
    mass_numbers,
)
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
def pose_planar(q: Floats, iq: int, R: Floats, p: Floats, b: int, local: Floats, f: int) -> PlanarFramePose:
    """r = r_b + R s,  x = R e."""
    c, d = vector2(R, b, 0)
    s, e = vector2(local, f, 0), vector2(local, f, 3)
    arm = (c * s[0] - d * s[1], d * s[0] + c * s[1])
    x = (c * e[0] - d * e[1], d * e[0] + c * e[1])
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
    """M = [m, −m c_y; m, m c_x; …, J + m c²] about the body origin, c the turned centre of mass."""
    mass, (co, si), s = p[b, MASS], vector2(R, b, 0), vector2(p, b, CENTER)
    c = (co * s[0] - si * s[1], si * s[0] + co * s[1])
    M[k : k + 9] = 0.0
    M[k] = M[k + 4] = mass
    M[k + 2] = M[k + 6] = -mass * c[1]
    M[k + 5] = M[k + 7] = mass * c[0]
    M[k + 8] = p[b, PLANAR_MOMENT] + mass * (c[0] * c[0] + c[1] * c[1])


@kernel
def applied_forces_planar(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q = (m g + ω² m c,  m c×g), with m and m c from M."""
    mass, c, w = M[k], (M[k + 5], -M[k + 2]), v[iv + 2]
    Q[iv] += mass * g[0] + w * w * c[0]
    Q[iv + 1] += mass * g[1] + w * w * c[1]
    Q[iv + 2] += c[0] * g[1] - c[1] * g[0]


@kernel
def coordinate_rates_planar(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q̇ = v."""
    for k in range(3):
        out[iq + k] = v[iv + k]


@kernel
def advance_planar(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d."""
    for k in range(3):
        out[iq + k] = q[iq + k] + d[iv + k]


@kernel
def displacement_rates_planar(d: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """ḋ = v."""
    for k in range(3):
        out[iv + k] = v[iv + k]


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
def times_inertia(R: Axes, p: Floats, b: int, a: Vector) -> Vector:
    """R J Rᵀ a with J from its six numbers xx, yy, zz, xy, xz, yz."""
    x, y, z = dot(R[0], a), dot(R[1], a), dot(R[2], a)
    local = (
        p[b, XX] * x + p[b, XY] * y + p[b, XZ] * z,
        p[b, XY] * x + p[b, YY] * y + p[b, YZ] * z,
        p[b, XZ] * x + p[b, YZ] * y + p[b, ZZ] * z,
    )
    return turn(R, local)


@kernel
def inertia_spatial(q: Floats, iq: int, R: Floats, p: Floats, b: int, M: Floats, k: int) -> None:
    """M = [m I, −m c×; m c×, J_O] about the body origin O, J_O = J − m c×c×."""
    mass, axes = p[b, MASS], axes_in(R, b)
    c = turn(axes, vector(p, b, CENTER))
    M[k : k + 36] = 0.0
    for j in range(3):
        M[k + 7 * j] = mass
        e = (1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2))
        lever = mul(mass, cross(e, c))
        turning = add(times_inertia(axes, p, b, e), cross(c, lever))
        for i in range(3):
            M[k + 6 * i + 3 + j] = lever[i]
            M[k + 6 * (3 + j) + i] = lever[i]
            M[k + 6 * (3 + i) + 3 + j] = turning[i]


@kernel
def applied_forces_spatial(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """Q = (m g − ω×(ω×m c),  m c×g − ω×J_O ω), with m, m c and J_O from M."""
    w, g_0 = vector_at(v, iv + 3), (g[0], g[1], g[2])
    c = (M[k + 11], M[k + 15], M[k + 4])
    spun = (
        dot(vector_at(M, k + 21), w),
        dot(vector_at(M, k + 27), w),
        dot(vector_at(M, k + 33), w),
    )
    force, moment = sub(mul(M[k], g_0), spin(w, c)), sub(cross(c, g_0), cross(w, spun))
    for i in range(3):
        Q[iv + i] += force[i]
        Q[iv + 3 + i] += moment[i]


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
    bent = cross(a, w)
    rate = add(w, add(mul(-0.5, bent), mul(c, cross(a, bent))))
    for k in range(3):
        out[iv + k] = v[iv + k]
        out[iv + 3 + k] = rate[k]


RIGID = register(
    BodyKind(
        name="rigid",
        ports={
            "planar": Port(
                units=lambda body: ("m/s", "m/s", "rad/s"),
                orientation=orientation_planar,
                pose=pose_planar,
                velocity=velocity_planar,
                columns=columns_planar,
                inertia=inertia_planar,
                applied_forces=applied_forces_planar,
                coordinate_rates=coordinate_rates_planar,
                advance=advance_planar,
                displacement_rates=displacement_rates_planar,
                numbers=mass_numbers,
                local=local_planar,
                coordinates=coordinates,
                body_state=body_state_planar,
                difference=difference_planar,
            ),
            "spatial": Port(
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
                numbers=mass_numbers,
                local=local_spatial,
                coordinates=coordinates,
                body_state=body_state_spatial,
                difference=difference_spatial,
            ),
        },
        check_inertia=check_inertia,
        check_elements=no_elements,
        turns=True,
        doc="A rigid body: three coordinates in the plane; position, unit quaternion and twist in space.",
        rigid=True,
        mirrored=unchanged,
        exact=True,
    )
)
