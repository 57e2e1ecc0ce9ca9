"""Gauss–Legendre quadrature inside a step, from its start to any part of it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, frozen
from reactio.integrate.dop853.step import GAUSS_NODES


class Quadrature(NamedTuple):
    """Gauss–Legendre quadrature from the start of a step to any part of it."""

    x: Floats  # (GAUSS_NODES,) nodes, 0 < x < 1
    integral: Floats  # (GAUSS_NODES + 1, GAUSS_NODES) ∫₀ˣ ℓ_i = Σ_k integral[k, i] z^k with z = 2 x − 1
    last: Floats  # (GAUSS_NODES,) |last · P| bounds the last Legendre term of the integral of P over a part of [0, 1]


@cache
def quadrature() -> Quadrature:
    """Nodes, and integrals of their Lagrange polynomials, in powers of 2x − 1: powers of x would lose six digits."""
    z, weights = np.polynomial.legendre.leggauss(GAUSS_NODES)
    powers = np.linalg.inv(z[:, None] ** np.arange(GAUSS_NODES))  # column i: coefficients of ℓ_i
    integral = np.zeros((GAUSS_NODES + 1, GAUSS_NODES))
    integral[1:] = 0.5 * powers / np.arange(1, GAUSS_NODES + 1)[:, None]
    integral[0] = -((-1.0) ** np.arange(1, GAUSS_NODES + 1)) @ integral[1:]
    # a = (2k + 1)/2 Σ w_i L_k(z_i) P_i with k = GAUSS_NODES − 1, and |∫ L_k dx| ≤ 1/(2k + 1) from anywhere to anywhere.
    last = 0.5 * weights * np.polynomial.legendre.legval(z, np.eye(GAUSS_NODES)[GAUSS_NODES - 1])
    return Quadrature(frozen(0.5 * (1 + z)), frozen(integral), frozen(last))
