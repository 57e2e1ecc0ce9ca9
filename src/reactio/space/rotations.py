"""Unit quaternions, scalar first: p = (cos θ/2, n sin θ/2) turns by θ about n."""

from __future__ import annotations

import math
from typing import TypeAlias

from reactio.kernels import kernel
from reactio.space.algebra import Vector

Quaternion: TypeAlias = tuple[float, float, float, float]
Axes: TypeAlias = tuple[Vector, Vector, Vector]


@kernel
def axes_of(p: Quaternion) -> Axes:
    """The three columns x, y, z of the rotation matrix R(p)."""
    w, x, y, z = p
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
        (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
        (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
    )


@kernel
def turn(axes: Axes, a: Vector) -> Vector:
    """R a: components in the frame → components in the world."""
    x, y, z = axes
    return (
        x[0] * a[0] + y[0] * a[1] + z[0] * a[2],
        x[1] * a[0] + y[1] * a[1] + z[1] * a[2],
        x[2] * a[0] + y[2] * a[1] + z[2] * a[2],
    )


@kernel
def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Quaternion of the rotation b followed by a: R(ab) = R(a) R(b)."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def exponential(a: Vector) -> Quaternion:
    """Unit quaternion of the rotation vector a [rad]: exp(a/2)."""
    angle = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    # sin(θ/2)/θ by its series below 1e-4, where the quotient would lose digits; the error term is θ⁴/3840 < 1e-19.
    k = 0.5 - angle * angle / 48 if angle < 1e-4 else math.sin(angle / 2) / angle
    return (math.cos(angle / 2), k * a[0], k * a[1], k * a[2])


@kernel
def unit(p: Quaternion) -> Quaternion:
    """p / |p|."""
    k = 1 / math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    return (k * p[0], k * p[1], k * p[2], k * p[3])


@kernel
def quaternion_rate(p: Quaternion, w: Vector) -> Quaternion:
    """ṗ = ½ (0, ω) p with ω in world axes [rad/s]."""
    return (
        -0.5 * (w[0] * p[1] + w[1] * p[2] + w[2] * p[3]),
        0.5 * (w[0] * p[0] + w[1] * p[3] - w[2] * p[2]),
        0.5 * (w[1] * p[0] + w[2] * p[1] - w[0] * p[3]),
        0.5 * (w[2] * p[0] + w[0] * p[2] - w[1] * p[1]),
    )


def quaternion_from_axes(axes: Axes) -> Quaternion:
    """The unit quaternion with non-negative scalar part of a rotation given by its columns x, y, z."""
    x, y, z = axes
    squares = (
        1 + x[0] + y[1] + z[2],
        1 + x[0] - y[1] - z[2],
        1 - x[0] + y[1] - z[2],
        1 - x[0] - y[1] + z[2],
    )
    # Each row holds 4 p_i p; dividing by the largest p_i avoids cancellation.
    rows = (
        (squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]),
        (y[2] - z[1], squares[1], x[1] + y[0], x[2] + z[0]),
        (z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1]),
        (x[1] - y[0], x[2] + z[0], y[2] + z[1], squares[3]),
    )
    w, i, j, k = rows[squares.index(max(squares))]
    size = math.sqrt(w * w + i * i + j * j + k * k)
    w, i, j, k = w / size, i / size, j / size, k / size
    return (w, i, j, k) if w >= 0 else (-w, -i, -j, -k)
