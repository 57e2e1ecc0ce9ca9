"""Radau IIA collocation with three stages: order 5, A- and L-stable, its last stage is the end of the step.

    Z_i = h Σ_j a_ij F(y_0 + Z_j),    A⁻¹ = S diag(μ) S⁻¹

μ is one real number and a complex pair; S is kept real, with the real and the imaginary part of a pair as two columns.
Between the nodes the collocation polynomial is of order 3 only.

Hairer & Wanner 1996, Solving ordinary differential equations II, Sect. IV.5 and IV.8.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import NO_ARRAYS, kernel

ROOT_OF_SIX = np.sqrt(6.0)


class Collocation(NamedTuple):
    """The coefficients, all of them from the nodes."""

    c: Floats  # (3,) nodes
    A: Floats  # (3, 3)
    mu: Floats  # (3,) the real eigenvalue of A⁻¹, then real and imaginary part of the pair
    S: Floats  # (3, 3) stages = S · (real, Re, Im)
    S_inverse: Floats  # (3, 3)
    E: Floats  # (3,) (μ_1/h − J) e = f(y_0) + Σ E_i Z_i / h is the error of an embedded formula of order 3
    dense: Floats  # (3, 3) Z(x) = (x, x², x³) · dense · Z
    integral: Floats  # (4, 4) ∫₀ˣ P = (x, x², x³, x⁴) · integral · P with P at the start and at the three nodes
    estimate: Floats  # (4,) h estimate · P is the change of ∫ P over a step of size h by the node at its end


@cache
def radau() -> Collocation:
    """Nodes (4 ∓ √6)/10 and 1.  Hairer & Wanner 1996, Sect. IV.5 and, for E, IV.8."""
    c = np.array([(4 - ROOT_OF_SIX) / 10, (4 + ROOT_OF_SIX) / 10, 1.0])
    powers = c[:, None] ** np.arange(3)  # x^(k−1) at the nodes, whose integrals are x^k / k
    integrals = c[:, None] ** np.arange(1, 4) / np.arange(1, 4)
    A = integrals @ np.linalg.inv(powers)
    values, vectors = np.linalg.eig(np.linalg.inv(A))
    real, upper = np.argsort(values.imag)[[1, 2]]  # −, 0, + : the real one, then the one above the axis
    # z s + conjugate = Re z · 2 Re s − Im z · 2 Im s.
    S = np.stack([vectors[:, real].real, 2 * vectors[:, upper].real, -2 * vectors[:, upper].imag], axis=1)
    mu = np.array([values[real].real, values[upper].real, values[upper].imag])
    E = np.array([-13 - 7 * ROOT_OF_SIX, -13 + 7 * ROOT_OF_SIX, -1.0]) / 3
    dense = np.linalg.inv(c[:, None] ** [1, 2, 3])
    with_start = np.append(0.0, c)
    integral = np.linalg.inv(with_start[:, None] ** np.arange(4)) / np.arange(1, 5)[:, None]
    without_end = np.linalg.inv(with_start[:3, None] ** np.arange(3)).T @ (1.0 / np.arange(1, 4))
    estimate = integral.sum(axis=0) - np.append(without_end, 0.0)
    return Collocation(c, A, mu, S, np.linalg.inv(S), E, dense, integral, estimate)


@kernel(**NO_ARRAYS)
def inside(dense: Floats, x: float, i: int) -> float:
    """The weight of the stage Z_i in the collocation polynomial at the part x of a step."""
    return float(x * (dense[0, i] + x * (dense[1, i] + x * dense[2, i])))


@kernel(**NO_ARRAYS)
def slope_inside(dense: Floats, x: float, i: int) -> float:
    """The same of its derivative by x."""
    return float(dense[0, i] + x * (2.0 * dense[1, i] + x * 3.0 * dense[2, i]))


@kernel(**NO_ARRAYS)
def integral_inside(integral: Floats, P: Floats, x: float) -> float:
    """∫₀ˣ of the cubic polynomial through P (4,) at the start and at the nodes; at x = 1 that is Radau's formula."""
    total = 0.0
    for i in range(4):
        total += P[i] * x * (integral[0, i] + x * (integral[1, i] + x * (integral[2, i] + x * integral[3, i])))
    return total
