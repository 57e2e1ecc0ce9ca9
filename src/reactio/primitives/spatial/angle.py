"""Angle of B about the z axis of A."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.spatial_row import SpatialRow
from reactio.space.algebra import ZERO, add, cross, dot, mul, spin, sub, unwrapped
from reactio.space.frames import SpatialFrame


@primitive(space="spatial", unit="rad", label="angle", remembers=True, exact=True)
def angle(A: SpatialFrame, B: SpatialFrame, k: int, l: int, p: float, memory: float) -> SpatialRow:
    """Angle from x_A to x_B about z_A, counted over full turns with the help of a memory.

    s = atan2(η, ξ)  ξ = x_A·x_B,  η = y_A·x_B,  ρ² = ξ² + η²       [rad]
    D = [0, −g | 0, g],   g = (η x_A×x_B − ξ y_A×x_B)/ρ²,  g = z_A when the z axes agree
    σ = (ξ σ_η − η σ_ξ)/ρ² − 2 ṡ ρ̇/ρ                                [rad/s²]
    """
    xi, eta = dot(A.x, B.x), dot(A.y, B.x)
    square = xi * xi + eta * eta
    n_xi, n_eta = cross(A.x, B.x), cross(A.y, B.x)
    g = mul(1 / square, sub(mul(eta, n_xi), mul(xi, n_eta)))
    u, b_dot, b_spin = sub(B.w, A.w), cross(B.w, B.x), spin(B.w, B.x)
    xi_dot, eta_dot = -dot(u, n_xi), -dot(u, n_eta)
    sigma_xi = dot(spin(A.w, A.x), B.x) + 2 * dot(cross(A.w, A.x), b_dot) + dot(A.x, b_spin)
    sigma_eta = dot(spin(A.w, A.y), B.x) + 2 * dot(cross(A.w, A.y), b_dot) + dot(A.y, b_spin)
    stretch = (xi * xi_dot + eta * eta_dot) / square
    sigma = (xi * sigma_eta - eta * sigma_xi) / square - 2 * dot(g, u) * stretch
    return unwrapped(math.atan2(eta, xi), memory), ZERO, mul(-1.0, g), ZERO, add(g, ZERO), sigma
