"""Eliminations of the two papers of Wojtyra and Frączek against their own equations, typed in anew in global axes.

Only poses and velocities come from a run of ours: C, Γ, M and the forces follow from the printed formulas, and the rows
that the papers drop are taken out of them by their numbers.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import reactio as ro
from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.joint_reactions.data import Reactions
from reactio.simulation.trajectory import Trajectory

# Both sides solve equations of one state whose condition is below 1e4, in double precision: 1e-12 of forces up to 1 N
# in 2013, up to 1e4 N in 2012.
SAME_FORCE = {"mobile-robot": 1e-11, "spatial-parallelogram": 1e-7}
INSTANTS = {"mobile-robot": (1.7, 2.5, 3.4), "spatial-parallelogram": (0.0, 0.35, 0.9)}

a = 0.05
phi = np.arctan(1 / 4)
bx, by = a * np.sin(phi), a * np.cos(phi)
cx = 4 * a - bx
cy = np.sqrt((5 * a) ** 2 - cx**2)
TABLE_3 = {  # joint: i, j, s_P in i, s_Q in j
    "A": (7, 1, (7 * a, 0), (-8 * a, 0)),
    "B": (2, 1, (0, 0), (4 * a, 0)),
    "C": (3, 1, (0, 0), (-4 * a, 0)),
    "D": (4, 2, (cx / 2, -cy / 2), (-bx, -by)),
    "E": (5, 3, (-cx / 2, -cy / 2), (bx, -by)),
    "F": (6, 4, (0, cy - by), (-cx / 2, cy / 2)),
    "G": (6, 5, (0, cy - by), (cx / 2, cy / 2)),
}
TABLE_1 = {"W1": (2, (0, 0)), "W2": (3, (0, 0)), "W3": (1, (0, -4 * a)), "W4": (1, (0, 4 * a)), "W5": (7, (0, 0))}
OMEGA = np.array([[0.0, -1.0], [1.0, 0.0]])


def _rotation(angle: float) -> Floats:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _robot(q: Floats, v: Floats, d_tt: float) -> tuple[Floats, Floats, Floats, Floats]:
    """M, C, forces and Γ of the robot: Eqs 30, 31, 40–47, Tables 1–3; d(t) is the negative of our stroke."""
    q, v = q.reshape(7, 3), v.reshape(7, 3)
    C, gamma = np.zeros((22, 21)), np.zeros(22)
    for k, (i, j, s_p, s_q) in enumerate(TABLE_3.values()):
        rows = slice(2 * k, 2 * k + 2)
        for body, s, sign in ((i - 1, s_p, 1.0), (j - 1, s_q, -1.0)):
            arm = _rotation(q[body, 2]) @ s
            C[rows, 3 * body : 3 * body + 2] = sign * np.eye(2)
            C[rows, 3 * body + 2] = sign * OMEGA @ arm
            gamma[rows] += sign * arm * v[body, 2] ** 2
    i, j = 5, 0  # joint H: bodies 6 and 1
    arm = _rotation(q[i, 2]) @ (0.0, 10 * a)
    apart, speed = q[j, :2] - q[i, :2], v[j, :2] - v[i, :2]
    w_i, w_j = v[i, 2], v[j, 2]
    turning = 2 * OMEGA @ speed * w_j + apart * w_j**2 - arm * (w_j - w_i) ** 2
    for row, axis, drive in ((14, (1.0, 0.0), 0.0), (16, (0.0, 1.0), d_tt)):
        e = _rotation(q[j, 2]) @ axis
        C[row, 3 * i : 3 * i + 3] = (*-e, -e @ OMEGA @ arm)
        C[row, 3 * j : 3 * j + 3] = (*e, -e @ OMEGA @ (apart - arm))
        gamma[row] = e @ turning + drive
    C[15, 3 * i + 2], C[15, 3 * j + 2] = 1.0, -1.0
    for k, (body, s) in enumerate(TABLE_1.values()):
        n, at = _rotation(q[body - 1, 2]) @ (0.0, 1.0), 3 * (body - 1)
        C[17 + k, at : at + 3] = (*n, np.array([0.0, 1.0]) @ OMEGA @ s)
        gamma[17 + k] = -(OMEGA @ n) @ v[body - 1, :2] * v[body - 1, 2]
    masses = zip((10, 1, 1, 1, 1, 1, 5), (0.25, *[0.005] * 5, 0.05), strict=True)
    return np.diag(np.ravel([(m, m, J) for m, J in masses])), C, np.zeros(21), gamma


def _skew(s: Floats) -> Floats:
    return np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])


BASE = {"A": (0, 0, 0), "C": (0.5, 0, 0), "E": (0.5, 0.5, 0), "G": (0, 0.5, 0), "K": (0, 0.25, 1), "M": (0.5, 0.25, 1)}
TOP = {"B": (-1, -1), "D": (1, -1), "F": (1, 1), "H": (-1, 1), "L": (-1, 0), "N": (1, 0)}  # quarters of the platform
LINKS = ("AB", "CD", "EF", "GH", "KL", "MN")


def _turn(p: Floats) -> Floats:
    S = _skew(p[1:])
    return np.asarray(np.eye(3) + 2 * p[0] * S + 2 * S @ S)


def _parallelogram(q: Floats, v: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """M, C, forces and Γ of the platform on six links: Eqs 1, 3 and 6, Sect. 2.3, on velocities (ṙ, ω)."""
    q, v = q.reshape(7, 7), v.reshape(7, 6)
    C, gamma, M, Q = np.zeros((36, 42)), np.zeros(36), np.zeros((42, 42)), np.zeros(42)
    half = np.sqrt(2) / 4
    for k, name in enumerate("ABCDEFGHKLMN"):
        link, rows = next(i for i, both in enumerate(LINKS) if name in both), slice(3 * k, 3 * k + 3)
        ends = [(link, np.array([0, 0, -half if name in BASE else half]), 1.0)]
        if name in TOP:
            ends.append((6, np.array([*np.array(TOP[name]) / 4, 0.0]), -1.0))
        for body, s, sign in ends:
            arm, w = _turn(q[body, 3:]) @ s, v[body, 3:]
            C[rows, 6 * body : 6 * body + 3] = sign * np.eye(3)
            C[rows, 6 * body + 3 : 6 * body + 6] = -sign * _skew(arm)
            gamma[rows] -= sign * np.cross(w, np.cross(w, arm))
    for body in range(7):
        m, J = (0.34, np.diag([56e-3, 56e-3, 0.08e-3])) if body < 6 else (39.0, np.diag([3.25, 3.25, 6.5]))
        R, at, w = _turn(q[body, 3:]), 6 * body, v[body, 3:]
        J = R @ J @ R.T
        M[at : at + 3, at : at + 3], M[at + 3 : at + 6, at + 3 : at + 6] = m * np.eye(3), J
        Q[at + 2], Q[at + 3 : at + 6] = -9.81 * m, -np.cross(w, J @ w)
    Q[36:39] += (2000, 3000, 3000)
    Q[39:42] += (300, 0, 500)
    return M, C, Q, gamma


def _multipliers(M: Floats, C: Floats, Q: Floats, gamma: Floats, rows: tuple[int, ...]) -> Floats:
    """λ of Eq. 11 without these rows, counted from one; theirs are zero."""
    kept = np.setdiff1d(np.arange(len(C)), np.array(rows) - 1)
    A = np.block([[M, C[kept].T], [C[kept], np.zeros((len(kept), len(kept)))]])
    lam = np.zeros(len(C))
    lam[kept] = np.linalg.solve(A, np.concatenate([Q, gamma[kept]]))[len(M) :]
    return lam


@cache
def _run(name: str) -> Trajectory:
    return ro.simulate(ro.load(name), INSTANTS[name][-1], output=np.array(INSTANTS[name]))


def _ours(name: str, k: int, rule: str, axes: str = "joint") -> tuple[Reactions, Floats, Floats, float]:
    run = _run(name)
    state = run.state(k)
    eqs = ro.equations(run.system.in_axes(axes), state)
    size = {"mobile-robot": 21, "spatial-parallelogram": 49}[name]
    return ro.reactions(eqs, rule), state.q[:size], state.v, _stroke_acceleration(state.t)


def _stroke_acceleration(t: float) -> float:
    """d̈ of the robot's steering, from its quintic steps typed in: right, straight, left, straight."""
    total = 0.0
    for start, end, height in ((1, 3, 0.012), (9, 11, -0.012), (15, 17, -0.012), (23, 25, 0.012)):
        x = min(1.0, max(0.0, (t - start) / (end - start)))
        total += height * (60 * x - 180 * x**2 + 120 * x**3) / (end - start) ** 2
    return total


@pytest.mark.parametrize(("rows", "names"), [((6, 21), "C.y,W4"), ((18, 21), "W1,W4"), ((19, 21), "W2,W4")])
def test_the_robot_as_eq_11_has_it(rows: tuple[int, ...], names: str) -> None:
    for k in range(len(INSTANTS["mobile-robot"])):
        ours, q, v, d_tt = _ours("mobile-robot", k, f"elimination:{names}")
        lam = _multipliers(*_robot(q, v, -d_tt), rows)
        for place, joint in enumerate(TABLE_3):
            assert ours[joint].force == pytest.approx(-lam[2 * place : 2 * place + 2], abs=SAME_FORCE["mobile-robot"])
        for place, edge in enumerate(TABLE_1):
            across = ours[edge].force_in_joint
            assert across == pytest.approx((0.0, -lam[17 + place]), abs=SAME_FORCE["mobile-robot"])


@pytest.mark.parametrize(("row", "name"), [(6, "B.z"), (9, "C.z"), (18, "F.z")])
def test_the_parallelogram_as_eq_3_has_it(row: int, name: str) -> None:
    for k in range(len(INSTANTS["spatial-parallelogram"])):
        ours, q, v, _ = _ours("spatial-parallelogram", k, f"elimination:{name}")
        lam = _multipliers(*_parallelogram(q, v), (row,))
        for place, joint in enumerate("ABCDEFGHKLMN"):
            on_link = -lam[3 * place : 3 * place + 3]
            expected = on_link if joint in BASE else -on_link  # our reactions act on the second body, here the platform
            assert ours[joint].force == pytest.approx(expected, abs=SAME_FORCE["spatial-parallelogram"])


def test_a_name_in_world_axes_drops_that_component_whatever_the_rows() -> None:
    """Rows in the axes of joints, which turn with the robot: `--axes world` still drops the world's y."""
    from dataclasses import replace

    model = ro.load("mobile-robot")
    turning = replace(model, joints=tuple(replace(joint, rows=ReactionAxes.JOINT) for joint in model.joints))
    state = _run("mobile-robot").state(1)
    rule = "elimination:C.y,W4"
    forces = {}
    for name, other, axes in (("rows", model, "joint"), ("names", turning, "world"), ("joint", turning, "joint")):
        eqs = ro.equations(ro.build(other).in_axes(axes), state)
        found = ro.reactions(eqs, rule, answer=eqs.solvability)
        forces[name] = {joint: one.in_axes(axes).force for joint, one in found.items()}
    assert forces["names"]["C"][1] == pytest.approx(0.0, abs=1e-15)
    assert forces["joint"]["C"][1] == pytest.approx(0.0, abs=1e-15)  # along the robot's own y axis
    for joint in "ABCDEFG":
        assert forces["names"][joint] == pytest.approx(forces["rows"][joint], abs=SAME_FORCE["mobile-robot"])
    # The robot has turned by then: another component is another elimination.
    assert abs(np.linalg.norm(forces["joint"]["B"]) - np.linalg.norm(forces["names"]["B"])) > 1e-3
