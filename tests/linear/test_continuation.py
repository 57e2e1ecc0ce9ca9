"""Admissible motions by pivoted QR, and transports that carry their basis along."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.linear.continuation import TRANSPORTS, continued, exponential, null_space, polar, rate, riccati
from reactio.linear.pivoted import pivoted

# (m, n, rank): the three cases of Masarati, Quro & Zanoni 2023, Sect. 2.1
CASES = [(3, 6, 3), (5, 6, 4), (6, 6, 4), (8, 6, 4)]


def curve(m: int, n: int, rank: int) -> Callable[[float], Floats]:
    """A smooth matrix function of constant rank."""
    random = np.random.default_rng(m * n)
    L0, L1, R0, R1 = (random.standard_normal(shape) for shape in ((m, rank), (m, rank), (rank, n), (rank, n)))
    return lambda t: (L0 + np.sin(t) * L1) @ (R0 + np.cos(2 * t) * R1)


@pytest.mark.parametrize(("m", "n", "rank"), CASES)
def test_pivoted_qr_in_all_three_cases(m: int, n: int, rank: int) -> None:
    C = curve(m, n, rank)(0.3)
    found = pivoted(C)
    assert found.rank == rank
    assert found.T.shape == (n, n - rank)
    assert np.abs(C @ found.T).max() < 1e-12  # rounding of entries of order ten
    assert np.all(np.diff(found.diagonal) <= 1e-12)
    assert int((found.diagonal < 1e-12).sum()) == min(m, n) - rank  # d of the paper, Sect. 2.5
    beta = found.normal(C @ np.arange(n, dtype=float))
    assert C @ beta == pytest.approx(C @ np.arange(n, dtype=float), abs=1e-10)
    assert np.abs(found.T.T @ beta).max() < 1e-11


def test_the_pendulum_of_section_3_1() -> None:
    """Eqs 30, 36, 37 and 50: two identical rows; Ω turns T at θ̇ with no part left over."""
    theta, theta_dot = 0.7, 1.3
    x, z = np.cos(theta), -np.sin(theta)
    x_dot, z_dot = -np.sin(theta) * theta_dot, -np.cos(theta) * theta_dot
    C, C_dot = 2 * np.array([[x, z], [x, z]]), 2 * np.array([[x_dot, z_dot], [x_dot, z_dot]])
    found = pivoted(C)
    Omega = rate(found, found.T, C_dot)
    assert abs(Omega[1, 0]) == pytest.approx(theta_dot, rel=1e-14)
    assert pytest.approx(-Omega.T, abs=0) == Omega


@pytest.mark.parametrize(("m", "n", "rank"), CASES)
def test_rate_is_the_derivative_of_T(m: int, n: int, rank: int) -> None:
    """Ṫ = −Q₁ Ω_sᵀ keeps C T = 0: Ċ T + C Ṫ = 0."""
    C, t, h = curve(m, n, rank), 0.4, 1e-6
    found = pivoted(C(t))
    C_dot = (C(t + h) - C(t - h)) / (2 * h)
    Omega = rate(found, found.T, C_dot)
    T_dot = (found.Q @ Omega)[:, found.rank :]
    assert (
        np.abs(C_dot @ found.T + C(t) @ T_dot).max() < 1e-7
    )  # difference with h = 1e-6: error 1e-10 times the entries
    assert np.abs(found.T.T @ T_dot).max() < 1e-12


@pytest.mark.parametrize(("m", "n", "rank"), CASES)
@pytest.mark.parametrize("name", [name for name in TRANSPORTS if name != "procrustes"])
def test_transports_agree_to_the_order_of_the_step(m: int, n: int, rank: int, name: str) -> None:
    C = curve(m, n, rank)
    T = pivoted(C(0.2)).T
    apart = []
    for h in (0.02, 0.01, 0.005):
        direct, other = (TRANSPORTS[k](T, C(0.2), C(0.2 + h)) for k in ("procrustes", name))
        assert np.abs(C(0.2 + h) @ other).max() < 1e-11
        assert np.abs(other.T @ other - np.eye(n - rank)).max() < 1e-12
        apart.append(np.abs(direct - other).max())
    if T.shape[1] > 1:
        orders = np.log2(np.array(apart[:-1]) / apart[1:])
        assert np.all(orders > 1.8)  # Ω is held over the step: local error h², less what halving leaves unconverged


def test_the_prediction_itself_has_a_local_error_of_second_order() -> None:
    C = curve(5, 6, 4)
    T = pivoted(C(0.2)).T
    off = [np.abs(C(0.2 + h) @ exponential(T, C(0.2), C(0.2 + h))).max() for h in (0.01, 0.005)]
    assert 1.8 < np.log2(off[0] / off[1]) < 2.2  # h² once, and these steps are short


def test_polar_and_riccati_give_the_same_basis() -> None:
    """Appendix A: both minimise |T̃ᵀT − I| over all bases of the null space."""
    random = np.random.default_rng(1)
    V = np.linalg.qr(random.standard_normal((9, 3)))[0]
    wanted = np.linalg.qr(V + 0.2 * random.standard_normal((9, 3)))[0]
    turn = np.linalg.qr(random.standard_normal((3, 3)))[0]
    best = polar(V, wanted)
    assert riccati(V, wanted) == pytest.approx(best, abs=1e-12)
    assert polar(V @ turn, wanted) == pytest.approx(best, abs=1e-12)
    others = (V @ np.linalg.qr(random.standard_normal((3, 3)))[0] for _ in range(50))
    size = np.linalg.norm(wanted.T @ best - np.eye(3))
    assert all(np.linalg.norm(wanted.T @ other - np.eye(3)) >= size for other in others)


@pytest.mark.parametrize("name", TRANSPORTS)
def test_the_size_is_kept_through_a_matrix_of_lower_rank(name: str) -> None:
    """Two rows that coincide for an instant: T goes on as if nothing had happened."""

    def C(t: float) -> Floats:
        return np.array([[1.0, 0.0, t * 0.1], [1.0, t, 0.0]])

    times = np.linspace(-0.3, 0.3, 61)
    assert np.linalg.matrix_rank(C(times[30]), 1e-12) == 1
    found = list(continued([C(t) for t in times], null_space(C(times[0]), 1), name))
    assert all(T.shape == (3, 1) for T in found)
    # T ~ (−0.1 t, 0.1, 1): it turns by 0.1 per unit of time, 0.001 in a step; a fresh basis would also flip.
    assert np.abs(np.diff(np.array(found), axis=0)).max() < 2e-3


def test_an_unknown_transport_is_refused() -> None:
    with pytest.raises(reactio.ReactioError, match="procrustes"):
        list(continued([np.eye(2)], np.zeros((2, 0)), "procrust"))
