"""Bases of null(C) that follow a motion smoothly: transports from one matrix to the next.

null(C) is known at every instant, its basis is not: a new factorisation turns or reverses it arbitrarily.  A
transport keeps it as near to the last one as the new null space allows, with Tᵀ Ṫ = 0 in the limit, and keeps its size
where the null space grows for an instant.  The self-stresses N = null(Cᵀ) are carried by the same functions on Cᵀ.

Masarati, Quro & Zanoni 2023, Sect. 2.4 and Appendices A–C.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, did_you_mean
from reactio.linear.pivoted import Pivoted, pivoted

Transport = Callable[[Floats, Floats, Floats], Floats]  # T (n, f) at C, C (m, n), the next C → the next T


def null_space(C: Floats, size: int) -> Floats:
    """A basis of null(C), of ``size`` columns or more where more diagonal elements of R vanish."""
    factors = pivoted(C)
    return np.asarray(factors.Q[:, min(factors.rank, C.shape[1] - size) :])


def polar(V: Floats, wanted: Floats) -> Floats:
    """The orthonormal T in the span of V (n, k) that is nearest to ``wanted`` (n, f), k ≥ f.

    min |T − T̃|,  T = V P,  Pᵀ P = I:   P = U Wᵀ  with  Vᵀ T̃ = U S Wᵀ.     Eqs 51–57 and 64–66 (orthogonal Procrustes)

    >>> polar(np.array([[0.0], [-1.0]]), np.array([[0.1], [0.9]])).ravel().tolist()
    [0.0, 1.0]
    """
    U, _, Wt = np.linalg.svd(V.T @ wanted, full_matrices=False)
    return np.asarray(V @ (U @ Wt))


def riccati(V: Floats, wanted: Floats) -> Floats:
    """The same T by the paper's constrained minimisation, with its multipliers Λ from an algebraic Riccati equation.

    Λ + Λᵀ + Λᵀ A⁻¹A⁻ᵀ Λ + AᵀA − I = 0,   P = (AᵀA + Λ) A⁻¹   with   A = T̃ᵀ V.                             Eqs 58–63
    """
    from scipy.linalg import solve_continuous_are

    U = np.linalg.svd(V.T @ wanted, full_matrices=False)[0]
    inside = V @ U  # where V is the larger space: its part nearest to the wanted one
    A = wanted.T @ inside
    inverse, unit = np.linalg.inv(A), np.eye(A.shape[0])
    # The equation times −1 is in the solver's form, and P regular is its stabilising solution.
    Lambda = solve_continuous_are(-unit, inverse, unit - A.T @ A, unit)
    return np.asarray(inside @ ((A.T @ A + Lambda) @ inverse))


def rate(factors: Pivoted, T: Floats, C_dot: Floats) -> Floats:
    """Ω (n, n) with Q̇ = Q Ω for Q = [Q₁ T], from the derivative of Cᵀ P = Q R.

        Qᵀ Ċᵀ P = Ω R + Ṙ,    Ω_s = J₂₁ R₁⁻¹,    Ω_ns = stril(J₁₁ R₁⁻¹) − stril(…)ᵀ,    Tᵀ Ṫ = 0

    Eqs 15–20, 82–88 and 96–102: the three cases differ in the columns of R only, and R₁ has all that count.
    """
    from scipy.linalg import solve_triangular

    r = factors.rank
    J = np.hstack([factors.Q1, T]).T @ C_dot.T[:, factors.order[:r]]
    X = solve_triangular(factors.R1, J.T, trans="T").T if r else J
    lower = np.tril(X[:r], -1)
    size = r + T.shape[1]
    Omega = np.zeros((size, size))
    Omega[:r, :r] = lower - lower.T
    Omega[r:, :r] = X[r:]
    Omega[:r, r:] = -X[r:].T
    return Omega


def exponential(T: Floats, C: Floats, C_next: Floats) -> Floats:
    """T̃ of Q_{k+1} = Q_k e^{Ω h}, with Ċ h from the difference of the two matrices.                          Eq. 22

    Where the null space is larger than T, as at a singular pose, its directions outside T stay as they are.
    """
    from scipy.linalg import expm

    factors = pivoted(C)
    factors = replace(factors, rank=min(factors.rank, C.shape[1] - T.shape[1]))
    turned = np.hstack([factors.Q1, T]) @ expm(rate(factors, T, C_next - C))
    return np.asarray(turned[:, factors.rank :])


def _by_polar(T: Floats, C: Floats, C_next: Floats) -> Floats:
    return polar(null_space(C_next, T.shape[1]), exponential(T, C, C_next))


def _by_riccati(T: Floats, C: Floats, C_next: Floats) -> Floats:
    return riccati(null_space(C_next, T.shape[1]), exponential(T, C, C_next))


def _direct(T: Floats, _: Floats, C_next: Floats) -> Floats:
    return polar(null_space(C_next, T.shape[1]), T)


# All agree to the order of the step.  The direct one needs neither Ċ nor an exponential, and none is more accurate.
TRANSPORTS: dict[str, Transport] = {
    "procrustes": _direct,
    "exponential-polar": _by_polar,
    "exponential-riccati": _by_riccati,
}
DEFAULT_CONTINUATION = "procrustes"


def transport_of(name: str) -> Transport:
    """The transport of that name."""
    if name not in TRANSPORTS:
        raise ReactioError(f"There is no transport '{name}'.{did_you_mean(name, TRANSPORTS)}")
    return TRANSPORTS[name]


def continued(matrices: Iterable[Floats], first: Floats, transport: str = DEFAULT_CONTINUATION) -> Iterator[Floats]:
    """The basis ``first`` (n, f) of null(C) of the first matrix, carried through all of them at its size.

    >>> turns = [np.array([[np.cos(a), np.sin(a)]]) for a in (0.0, 1.0, 2.0)]
    >>> [T.ravel().round(3).tolist() for T in continued(turns, np.array([[0.0], [1.0]]))]
    [[0.0, 1.0], [-0.841, 0.54], [-0.909, -0.416]]
    """
    carry = transport_of(transport)
    T, before = first, None
    for C in matrices:
        T = T if before is None else carry(T, before, C)
        before = C
        yield T
