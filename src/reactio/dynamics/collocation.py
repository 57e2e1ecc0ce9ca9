"""Radau IIA collocation with three stages: order 5, A- and L-stable, its last stage is the end of the step.

    Z_i = h Σ_j a_ij F(y_0 + Z_j),    A⁻¹ = S diag(μ) S⁻¹,    (μ_i/h − J) ΔW_i = (S⁻¹ F)_i − μ_i/h W_i,    Z = S W

Hairer & Wanner 1996, Solving ordinary differential equations II, Sect. IV.5 and IV.8.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats

ROOT = np.sqrt(6.0)


class Collocation(NamedTuple):
    """The coefficients, all of them from the nodes."""

    c: Floats  # (3,) nodes
    A: Floats  # (3, 3)
    mu: Any  # (2,) the real eigenvalue of A⁻¹ and one of the complex pair
    S: Any  # (3, 2) their eigenvectors; the third is the conjugate of the second
    S_inverse: Any  # (2, 3)
    E: Floats  # (3,) (μ_1/h − J) e = f(y_0) + Σ E_i Z_i / h is the error of an embedded formula of order 3
    dense: Floats  # (3, 3) Z(x) = (x, x², x³) · dense · Z


def radau() -> Collocation:
    """Nodes (4 ∓ √6)/10 and 1.  Hairer & Wanner 1996, Table IV.5.6 and Eq. IV.8.19."""
    c = np.array([(4 - ROOT) / 10, (4 + ROOT) / 10, 1.0])
    powers = c[:, None] ** np.arange(3)  # x^(k−1) at the nodes, whose integrals are x^k / k
    integrals = c[:, None] ** np.arange(1, 4) / np.arange(1, 4)
    A = integrals @ np.linalg.inv(powers)
    values, vectors = np.linalg.eig(np.linalg.inv(A))
    order = np.argsort(values.imag)[[1, 2]]  # −, 0, + : the real one, then the one above the axis
    S_inverse = np.linalg.inv(vectors)[order]
    E = np.array([-13 - 7 * ROOT, -13 + 7 * ROOT, -1.0]) / 3
    return Collocation(c, A, values[order], vectors[:, order], S_inverse, E, np.linalg.inv(c[:, None] ** [1, 2, 3]))


RADAU = radau()


def to_modes(Z: Floats) -> tuple[Floats, Any]:
    """S⁻¹ Z: its real row and one of the complex pair."""
    return np.real(RADAU.S_inverse[0] @ Z), RADAU.S_inverse[1] @ Z


def from_modes(real: Floats, pair: Any) -> Floats:
    """S W: the conjugate row of the pair adds its own conjugate."""
    return np.asarray(np.outer(RADAU.S[:, 0], real).real + 2 * np.outer(RADAU.S[:, 1], pair).real)


def inside(Z: Floats, x: float) -> Floats:
    """The collocation polynomial at the part x of a step, less its start."""
    return np.asarray(np.array([x, x * x, x * x * x]) @ RADAU.dense @ Z)
