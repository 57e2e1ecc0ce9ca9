"""Vectors of the plane and of space as tuples, so that kernels read like the formulas and allocate nothing."""

from __future__ import annotations

import math
from typing import TypeAlias

from reactio.kernels import kernel

Vector: TypeAlias = tuple[float, float, float]
Vector2: TypeAlias = tuple[float, float]

ZERO: Vector = (0.0, 0.0, 0.0)
ZERO2: Vector2 = (0.0, 0.0)


@kernel
def dot(a: Vector, b: Vector) -> float:
    """a·b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vector, b: Vector) -> Vector:
    """a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def add(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a: Vector, b: Vector) -> Vector:
    """a − b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def mul(k: float, a: Vector) -> Vector:
    """k a."""
    return (k * a[0], k * a[1], k * a[2])


@kernel
def spin(w: Vector, a: Vector) -> Vector:
    """ω × (ω × a): the second derivative of a vector fixed in a frame that turns uniformly with ω."""
    return cross(w, cross(w, a))


@kernel
def dot2(a: Vector2, b: Vector2) -> float:
    """a·b in the plane."""
    return a[0] * b[0] + a[1] * b[1]


@kernel
def cross2(a: Vector2, b: Vector2) -> float:
    """The component of a × b out of the plane."""
    return a[0] * b[1] - a[1] * b[0]


@kernel
def turned(w: float, a: Vector2) -> Vector2:
    """ω × a in the plane: a turned by a right angle, times ω."""
    return (-w * a[1], w * a[0])


@kernel
def add2(a: Vector2, b: Vector2) -> Vector2:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1])


@kernel
def sub2(a: Vector2, b: Vector2) -> Vector2:
    """a − b in the plane."""
    return (a[0] - b[0], a[1] - b[1])


@kernel
def mul2(k: float, a: Vector2) -> Vector2:
    """k a in the plane."""
    return (k * a[0], k * a[1])


@kernel
def unwrapped(angle: float, memory: float) -> float:
    """The angle equal to ``angle`` up to full turns that lies nearest to ``memory`` [rad]."""
    return angle + math.tau * round((memory - angle) / math.tau)
