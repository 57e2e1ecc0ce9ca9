"""Curves of the figures against formulations that share nothing with ours but the printed data.

The parallelogram: one angle and Newton–Euler of each link; split rods: the platform alone, links by their lengths.
Four-bar chains: one angle for each row of cranks, C typed in, QR of LAPACK.  The robot: Eq. 11 integrated as typed in.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import qr
from scipy.spatial.transform import Rotation

from reactio.arrays import Bools, Floats, Ints
from reactio.kinematics.scaled_matrix import in_metres
from reactio.library import load
from reactio.linear.pivoted import pivoted
from reactio.reproduce import masarati2023, wojtyra2012, wojtyra2013
from reactio.simulation.simulate import simulate
from reactio.system.compile.build import build
from reactio.system.equations import equations

from .test_independent_equations import _robot, _stroke_acceleration, a, by, cx, cy

TIGHT: dict[str, Any] = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-13}
FEET = {"A": (0, 0, 0), "C": (0.5, 0, 0), "E": (0.5, 0.5, 0), "G": (0, 0.5, 0), "K": (0, 0.25, 1), "M": (0.5, 0.25, 1)}
UPWARD = np.array([1, 1, 1, 1, -1, -1.0])  # lower links rise from their feet, upper ones hang
m, J, m7, length = 0.34, 56e-3, 39.0, np.sqrt(0.5)
g, F, T = np.array([0, 0, -9.81]), np.array([2000, 3000, 3000.0]), np.array([300, 0, 500.0])
ARMS = np.array(list(FEET.values())) + 0.5 * np.outer(UPWARD, [0, 0, 1]) - (0.25, 0.25, 0.5)
Condition = Callable[[list[Floats], list[tuple[Floats, Floats]], list[float], Floats], tuple[Floats, float]]


def _angular_acceleration(f: float) -> float:
    """f̈ of the only moving coordinate: every link turns and its centre moves half as far as the platform."""
    return float(0.5 * F @ (-np.sin(f), np.cos(f), 0) / (m7 / 4 + 6 * (m / 16 + J / 2)))


def _feet_forces(f: float, w: float, condition: Condition) -> Floats:
    """Axial forces (6,) of the feet on their links; ``condition`` c · N = d on those at the tops closes the family."""
    e, n = np.array([np.cos(f), np.sin(f), 0]), np.array([-np.sin(f), np.cos(f), 0])
    turn = _angular_acceleration(f) * n - w * w * e
    along, across, both = [], [], []
    B, b = np.zeros((6, 6)), np.concatenate([F + m7 * g - m7 * turn / 2, T])
    for k, s in enumerate(UPWARD):
        u = (e + np.array([0, 0, s])) / np.sqrt(2)
        P, inertia = np.eye(3) - np.outer(u, u), m * (turn / 4 - g)
        top = P @ inertia / 2 + (J / length) * P @ turn / np.sqrt(2)
        along.append(u)
        across.append((top, P @ inertia - top))
        both.append(float(inertia @ u))
        b -= np.concatenate([top, np.cross(ARMS[k], top)])
        B[:, k] = np.concatenate([u, np.cross(ARMS[k], u)])
    c, d = condition(along, across, both, np.linalg.svd(B)[2][-1])
    N, *_ = np.linalg.lstsq(np.vstack([B, c]), np.append(b, d), rcond=None)
    return np.asarray(np.array(both) - N)


def _without(joint: str) -> Condition:
    """The vertical force of a joint is zero; B, D, F, H are at the tops of the links that stand on A, C, E, G."""
    k = "ABCDEFGH".index(joint) // 2

    def condition(
        along: list[Floats], across: list[tuple[Floats, Floats]], both: list[float], _: Floats
    ) -> tuple[Floats, float]:
        c, z = np.zeros(6), along[k][2]
        c[k] = -z if joint in FEET else z
        return c, -(across[k][1][2] + both[k] * z) if joint in FEET else -across[k][0][2]

    return condition


def _least_energy(links: tuple[str, ...]) -> Condition:
    """The springs in the middle of these links store the least energy."""
    chosen = [int(name[-1]) - 1 for name in links]

    def condition(
        _: list[Floats], __: list[tuple[Floats, Floats]], both: list[float], stress: Floats
    ) -> tuple[Floats, float]:
        c = np.zeros(6)
        c[chosen] = stress[chosen]
        return c, float(sum(stress[k] * both[k] / 2 for k in chosen))

    return condition


def test_the_parallelogram_by_one_angle() -> None:
    """Figs 2–4 of 2012, and every set of flexible lower links by least complementary energy."""
    times = np.linspace(0.0, 1.0, 41)
    angle = solve_ivp(
        lambda t, y: [y[1], _angular_acceleration(y[0])], (0, 1), [np.pi / 2, 0.0], t_eval=times, **TIGHT
    ).y
    system = build(load("spatial-parallelogram"))
    for row in wojtyra2012.COMPARED_ROWS:
        run = simulate(system, 1.0, tol=1e-9, rule=f"elimination:{row}", output=times)
        expected = np.array([_feet_forces(y[0], y[1], _without(row[0])) for y in angle.T])
        for name, link in wojtyra2012.FOOT_OF.items():
            ours = wojtyra2012._axial(run, name, link)
            assert ours == pytest.approx(expected[:, list(FEET).index(name)], abs=1e-5)  # of 3,000 N
    path = np.stack([0.25 + 0.5 * np.cos(angle[0]), 0.25 + 0.5 * np.sin(angle[0]), 0.5 + 0 * times], axis=1)
    assert run.body("platform").position == pytest.approx(path, abs=1e-8)
    sets = {" ".join(links): links for count in (1, 2, 3, 4) for links in combinations(wojtyra2012.LOWER, count)}
    level_1, rows = wojtyra2012._level_1(run, "rigid", sets), angle.T[:: wojtyra2012.LEVEL_1_STRIDE]
    for label, links in sets.items():
        expected = np.array([_feet_forces(y[0], y[1], _least_energy(links))[3] for y in rows])
        assert level_1[label, "G"][1] == pytest.approx(expected, abs=1e-5)


def _platform(y: Floats, split: Bools) -> tuple[Floats, Floats]:
    """Rates of (p, quaternion, ṗ, ω) of the platform, and axial forces of the feet, with these links on springs.

    Each half of a link has the mass m/2 at the distance l/2 from its end, and turns with u = (top − foot)/L:

        ü = (P ẗ − 2 L̇ u̇)/L − |u̇|² u,   P = 1 − u uᵀ,   S = k (L − l) + c L̇ between the halves

    Links without a spring keep their lengths: L̈ = 0 holds their S.
    """
    p, quaternion, v, w = np.split(y, (3, 7, 10))
    R = Rotation.from_quat(quaternion, scalar_first=True).as_matrix()
    arms = ARMS @ R.T
    from_foot = p + arms - np.array(list(FEET.values()))
    L = np.linalg.norm(from_foot, axis=1)
    u = from_foot / L[:, None]
    turned = np.cross(w, arms)
    rate = ((v + turned) * u).sum(axis=1)
    turn = (v + turned - rate[:, None] * u) / L[:, None]
    # ẗ, ü, L̈ and accelerations of both halves are J ν̇ + what the velocities alone make, ν = (ṗ, ω).
    J_top = np.concatenate([np.tile(np.eye(3), (6, 1, 1)), np.cross(np.eye(3), arms[:, None]).swapaxes(1, 2)], axis=2)
    a_top = np.cross(w, turned)
    across = (np.eye(3) - u[:, :, None] * u[:, None, :]) / L[:, None, None]
    J_turn = across @ J_top
    a_turn = (across @ a_top[:, :, None])[..., 0] - 2 * (rate / L)[:, None] * turn
    a_turn -= (turn**2).sum(axis=1)[:, None] * u
    J_length = np.einsum("ki,kij->kj", u, J_top)
    a_length = (u * a_top).sum(axis=1) + ((v + turned) * turn).sum(axis=1)
    M, right = np.zeros((6, 6)), np.concatenate([F + m7 * g, T])
    inertia = R @ np.diag([3.25, 3.25, 6.5]) @ R.T
    M[:3, :3], M[3:, 3:] = m7 * np.eye(3), inertia
    right[3:] -= np.cross(w, inertia @ w)
    lower = length / 2 * J_turn, length / 2 * a_turn - g
    upper = J_top - length / 2 * J_turn, a_top - length / 2 * a_turn - g
    for mass, (jacobian, bias) in ((m / 2, lower), (m / 2, upper), (J, (J_turn, a_turn))):
        M += mass * np.einsum("kij,kil->jl", jacobian, jacobian)
        right -= mass * np.einsum("kij,ki->j", jacobian, bias)
    S, rigid = 17e6 * (L - length) + 3e3 * rate, ~split
    right -= J_length[split].T @ S[split]
    kept, count = J_length[rigid], int(rigid.sum())
    A = np.block([[M, kept.T], [kept, np.zeros((count, count))]])
    solved = np.linalg.solve(A, np.concatenate([right, -a_length[rigid]]))
    S[rigid] = solved[6:]
    feet = m / 2 * ((lower[0] @ solved[:6] + lower[1]) * u).sum(axis=1) - S
    e = quaternion[1:]
    q_dot = 0.5 * np.array([-w @ e, *(quaternion[0] * w + np.cross(w, e))])
    return np.concatenate([v, q_dot, solved[:6]]), feet


@pytest.mark.parametrize("links", [("link1",), ("link3", "link4"), ("link1", "link3", "link4"), wojtyra2012.LOWER])
def test_split_rods_by_the_platform_alone(links: tuple[str, ...]) -> None:
    """Figs 6–9 of 2012: axial forces with some links on springs, from the first moments of the sudden load."""
    split = np.array([f"link{k + 1}" in links for k in range(6)])
    times = np.linspace(0.0, 0.012, 13)
    start = np.concatenate([[0.25, 0.75, 0.5, 1, 0, 0, 0], np.zeros(6)])
    path = solve_ivp(
        lambda t, y: _platform(y, split)[0], (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-15
    ).y
    expected = np.array([_platform(y, split)[1] for y in path.T])
    run = wojtyra2012._simulated_split(links, times)
    for name, link in (("A", "link1"), *wojtyra2012.FOOT_OF.items()):
        ours = wojtyra2012._axial(run, name, f"{link}a" if link in links else link)
        # Errors of lengths at the tolerance 1e-6 of the figures' runs, times 1.7e7 N/m; forces reach 2,000 N.
        assert ours == pytest.approx(expected[:, list(FEET).index(name)], abs=0.01)
    assert run.body("platform").position == pytest.approx(path[:3].T, abs=1e-7)


Hinge = tuple[int, float, int, float]  # body, arm, body, arm; the body −1 is ground


def _chain(name: str) -> tuple[list[Hinge], list[int]]:
    """Hinges, and the angle of each body: 0, 1 of the rows of cranks, −1 for zero."""
    if name == "double-four-bar":  # cranks 0, 2, 4 and two top bars that hang on the middle one
        first = [(-1, 0.0, 0, -0.5), (0, 0.5, 1, -0.5), (-1, 0.0, 2, -0.5), (1, 0.5, 2, 0.5)]
        return [*first, (2, 0.5, 3, -0.5), (-1, 0.0, 4, -0.5), (3, 0.5, 4, 0.5)], [0, -1, 0, -1, 0]
    cranks = 4 if name == "modified-triple-four-bar" else 3
    far = (cranks - 1) / 2
    hinges = [(-1, 0.0, k, -0.5) for k in range(cranks)] + [(k, 0.5, cranks, k - far) for k in range(cranks)]
    if name != masarati2023.TWO_BY_TWO:
        return hinges, [0] * cranks + [-1]
    hinges += [(3, k - far, 4 + k, -0.5) for k in range(3)] + [(4 + k, 0.5, 7, k - far) for k in range(3)]
    return hinges, [0, 0, 0, -1, 1, 1, 1, -1]


def _jacobian(hinges: list[Hinge], angles: Floats) -> Floats:
    A = np.zeros((2 * len(hinges), 3 * len(angles)))
    for row, (i, s_i, j, s_j) in enumerate(hinges):
        for body, s, sign in ((i, s_i, -1.0), (j, s_j, 1.0)):
            if body >= 0:
                arm = sign * s * np.array([-np.sin(angles[body]), np.cos(angles[body])])
                A[2 * row : 2 * row + 2, 3 * body : 3 * body + 3] = np.column_stack([sign * np.eye(2), arm])
    return A


def _swing(name: str, t: float, y: Floats) -> list[float]:
    """Second derivatives of the angles of the rows: a pendulum, or a double pendulum with masses at its middle."""
    if name != masarati2023.TWO_BY_TWO:
        cranks = 4 if name == "modified-triple-four-bar" else 3
        return [y[1], -(cranks / 2 + cranks - 1) * 9.81 * np.cos(y[0]) / (cranks / 3 + cranks - 1)]
    one, two, rate, other = y
    h, far = 3 * 0.5 + 2, one - two
    M = np.array([[3 / 3 + 2 + 3 + 2, h * np.cos(far)], [h * np.cos(far), 3 / 3 + 2]])
    right = (
        -h * np.sin(far) * other**2 - 9.81 * np.cos(one) * (1.5 + 2 + 3 + 2),
        h * np.sin(far) * rate**2 - 9.81 * np.cos(two) * (1.5 + 2),
    )
    return [rate, other, *np.linalg.solve(M, right)]


@pytest.mark.parametrize("name", masarati2023.CHAINS)
def test_four_bar_chains_by_the_angles_of_their_cranks(name: str) -> None:
    """Figs 2, 5, 8, 11, 13, 14 and 15 of masarati2023: all |R_ii|, T continued, angles."""
    found = masarati2023._bases(name, masarati2023.END_TIMES.get(name, masarati2023.END_TIME))
    hinges, places = _chain(name)
    rows = max(places) + 1
    start = [np.pi / 2] * rows + [-1.0] * rows
    y = solve_ivp(lambda t, y: _swing(name, t, y), (0, found.t[-1]), start, t_eval=found.t, **TIGHT).y
    run = simulate(found.system, float(found.t[-1]), tol=1e-10, output=found.t)
    rank, T = masarati2023.CHAINS[name].rank, found.smooth[0]
    for k in range(len(found.t)):
        angles = np.array([y[place, k] if place >= 0 else 0.0 for place in places])
        A = _jacobian(hinges, angles)
        Q = qr(A.T, pivoting=True)[0]
        left, _, right = np.linalg.svd(Q[:, rank:].T @ T)
        T = Q[:, rank:] @ left @ right
        assert found.smooth[k] == pytest.approx(T, abs=1e-7)
        order = pivoted(in_metres(equations(found.system, run.state(k))), rank=rank).order
        assert found.diagonal[k, :rank] == pytest.approx(_diagonal(A, order[:rank]), abs=1e-7)
    for row, bar in zip(range(rows), ("bar1", "bar5"), strict=False):
        assert run.body(bar).orientation[:, 0] == pytest.approx(y[row], abs=1e-7)


def _diagonal(A: Floats, order: Ints) -> Floats:
    """|R_ii| of Aᵀ with pivots in a given order, each of which must be the longest column that is left.

    Cranks of one row are equally long: their pivots tie, and rounding decides which of them comes first.
    """
    left, lengths = A.T.copy(), []
    for pivot in order:
        length = np.linalg.norm(left, axis=0)
        assert length[pivot] >= length.max() * (1 - 1e-13)  # seen: 7e-16
        lengths.append(length[pivot])
        q = left[:, pivot] / length[pivot]
        left -= np.outer(q, q @ left)
    return np.array(lengths)


def test_the_robot_by_its_printed_equations() -> None:
    """Figs 2–4 of 2013 until it goes straight again: motion and reactions of Eq. 11 without rows 6 and 21."""
    kept = np.setdiff1d(np.arange(22), (5, 20))

    def solved(t: float, y: Floats) -> Floats:
        M, C, Q, gamma = _robot(y[:21], y[21:], -_stroke_acceleration(t))
        A = np.block([[M, C[kept].T], [C[kept], np.zeros((20, 20))]])
        return np.asarray(np.linalg.solve(A, np.concatenate([Q, gamma[kept]])))

    dx, dy = cx / 2, cy / 2 - by
    places = ((20 * a, 0), (24 * a, 0), (16 * a, 0), (20 * a + dx, dy), (20 * a - dx, dy), (20 * a, 0), (5 * a, 0))
    start = [*np.ravel([(*place, 0.0) for place in places]), *([0.1, 0, 0] * 7)]
    times = np.array([2.0, 2.5, 6.0, 9.8, 12.0])
    history = solve_ivp(
        lambda t, y: [*y[21:], *solved(t, y)[:21]], (0, 12), start, t_eval=times, max_step=0.5, **TIGHT
    ).y
    run = simulate(build(load("mobile-robot")), 12.0, tol=1e-9, rule="elimination:C.y,W4", output=times)
    assert run.q[:, :21] == pytest.approx(history[:21].T, abs=1e-7)
    lam = np.zeros((len(times), 22))
    lam[:, kept] = [solved(t, y)[21:] for t, y in zip(times, history.T, strict=True)]
    assert run["B"].force == pytest.approx(-lam[:, 2:4], abs=1e-7)
    assert run["D"].force == pytest.approx(-lam[:, 6:8], abs=1e-7)
    for edge, row in (("W3", 19), ("W5", 21)):
        assert run[edge].force_in_joint[:, wojtyra2013.ACROSS] == pytest.approx(-lam[:, row], abs=1e-7)
    stroke = [_stroke_of(y[:3], y[15:18]) for y in history.T]
    assert wojtyra2013._stroke(run).y == pytest.approx(stroke, abs=1e-8)


def _stroke_of(robot: Floats, slide: Floats) -> float:
    return float((slide - robot)[:2] @ (-np.sin(robot[2]), np.cos(robot[2])))
