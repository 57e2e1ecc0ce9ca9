"""The mobile robot with its trolley: redundant nonholonomic constraints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.diagnosis.check import check
from reactio.drawing.plots.panels import Curve, Panel, draw_with_numbers
from reactio.kinematics.assemble import initial_state
from reactio.library import load
from reactio.reproduce import Paper, PrintedNumber, above, below, equal, register, stated
from reactio.simulation.simulate import simulate
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.types import System
from reactio.uniqueness import Solvability
from reactio.uniqueness.words import Verdict

OPEN_JOINTS = ("B", "C", "W1", "W2", "W3", "W4")
UNIQUE_JOINTS = ("A", "D", "E", "F", "G", "H", "steering", "W5")
ACROSS = 1  # component of a knife edge's reaction in its axes: y, across the edge
# Rows 6 + 21, 18 + 21, 19 + 21 of the paper, counted from one.
ELIMINATIONS = {"6 + 21": "C.y,W4", "18 + 21": "W1,W4", "19 + 21": "W2,W4"}
# The rows of B_X B_Xᵀ that Eq. 38 prints (B_X itself depends on the basis of the null space): joint → column → entries.
PRINTED = {
    "B": {1: (0.408, 0.0), 2: (0.082, 0.0), 4: (-0.408, 0.0)},
    "C": {1: (0.408, 0.0), 2: (-0.082, 0.0), 7: (-0.408, 0.0)},
    "W1": {4: (0.408, 0.0)},
    "W2": {7: (0.408, 0.0)},
    "W3": {1: (-0.408, 0.707)},
    "W4": {1: (-0.408, -0.707)},
}


def _compare() -> Iterator[PrintedNumber]:
    system = build(load("mobile-robot"))
    eqs = equations(system, initial_state(system))
    answer = check(system, initial_state(system))
    start = "t = 0, the pose of Eq. 34"
    yield from stated(_sizes(system, eqs, answer), start, "constraint equations")
    yield from stated(_matrices(answer, system.n), start, "constraint equations")
    yield from stated(_verdicts(answer), start, "constraint equations")
    yield from stated(_motion(system), "t = 0, 1, …, 26 s", "rigid dynamics")


def _sizes(system: System, eqs: Equations, answer: Solvability) -> Iterator[PrintedNumber]:
    holonomic = int(system.holonomic.sum())
    C = eqs.C.toarray()
    yield equal("Eq. 28", "coordinates n", 21, system.n)
    yield equal("Eq. 29", "holonomic equations m", 17, holonomic)
    yield equal("Sect. 4.2", "knife edges h", 5, system.m - holonomic)
    apart = _largest(initial_state(system).q[: system.n] - _printed_pose())
    yield below("Eqs 34, 40–43", "pose that closes all joints, less that of Eq. 34 [m, rad]", "0", apart, 1e-14)
    rank = [int(np.linalg.matrix_rank(part, tol=1e-9)) for part in (C[:holonomic], C[holonomic:])]
    yield equal("Eq. 35", "rank of the Jacobian Φ_q", 17, rank[0])
    yield equal("Eq. 35", "rank of the Pfaffian matrix Ψ", 4, rank[1])
    yield equal("Eq. 35", "rank of C", 20, answer.rank)
    yield equal("Eq. 36", "degree of redundancy p", 2, answer.redundancy)


def _printed_pose() -> Floats:
    """q⁰ (21,) of Eq. 34, by the lengths below Table 3."""
    a, phi = 0.05, np.arctan(1 / 4)
    b_y, c_x = a * np.cos(phi), 4 * a - a * np.sin(phi)
    d_x, d_y = c_x / 2, np.sqrt((5 * a) ** 2 - c_x**2) / 2 - b_y
    x = (20 * a, 24 * a, 16 * a, 20 * a + d_x, 20 * a - d_x, 20 * a, 5 * a)
    return np.column_stack([x, (0, 0, 0, d_y, d_y, 0, 0), np.zeros(7)]).ravel()


def _matrices(answer: Solvability, n: int) -> Iterator[PrintedNumber]:
    for name, entries in PRINTED.items():
        B = np.zeros((n, 2))
        for column, values in entries.items():
            B[column] = values
        ours = answer.B(name)
        # Three printed digits of entries up to 0.707: their products carry an error of 1e-3.
        yield below("Eq. 38", f"B_X B_Xᵀ of {name}, largest difference", "0", _largest(ours @ ours.T - B @ B.T), 1e-3)
    for name in UNIQUE_JOINTS:
        yield below("Eq. 38", f"|B_X| of {name}", "0", _norm(answer.B(name)), 1e-12)


def _verdicts(answer: Solvability) -> Iterator[PrintedNumber]:
    unique = {group.name for group in answer.groups if group.verdict is Verdict.UNIQUE}
    yield equal("Sect. 4.2", "reactions that are not unique", set(OPEN_JOINTS), set(answer.index) - unique)
    note = "the sentence in Sect. 4.2 leaves out W5, Eq. 38 and Sect. 4.4 have it"
    yield equal("Sect. 4.2, 4.4", "reactions that are unique", set(UNIQUE_JOINTS), unique, note)


def _runs(system: System, rows: int) -> dict[str, Trajectory]:
    """The manoeuvre under each of the eliminations."""
    return {
        label: simulate(system, 26.0, tol=1e-9, rule=f"elimination:{names}", output=rows)
        for label, names in ELIMINATIONS.items()
    }


def _figures(folder: Path, suffix: str) -> Iterator[Path]:
    """Figs 2–4: steering, trajectories, reactions under the three eliminations."""
    runs = _runs(build(load("mobile-robot")), 521)
    first = next(iter(runs.values()))
    steering = Panel("Displacement of body 6 on body 1 in joint H", "displacement [m]", [_stroke(first)])
    yield from draw_with_numbers(folder / f"wojtyra2013-fig2{suffix}", [steering])
    paths = Panel("Trajectories", "y [m]", _paths(first), "x [m]", equal=True)
    yield from draw_with_numbers(folder / f"wojtyra2013-fig3{suffix}", [paths], height=4.2)
    panels = []
    for k, axis in enumerate("xy"):
        for name in ("B", "D"):
            forces = {rows: run[name].force[:, k] for rows, run in runs.items()}
            panels.append(_reaction(name, f"Joint {name}, {axis}", first.t, forces))
    for name in ("W3", "W5"):
        forces = {rows: run[name].force_in_joint[:, ACROSS] for rows, run in runs.items()}
        panels.append(_reaction(name, f"{name}, across the edge", first.t, forces))
    yield from draw_with_numbers(folder / f"wojtyra2013-fig4{suffix}", panels, columns=2)


def _stroke(run: Trajectory) -> Curve:
    """How far the slide is displaced from the robot, along the robot's y axis, with its sign."""
    robot = run.body("robot")
    y = np.stack([-np.sin(robot.orientation[:, 0]), np.cos(robot.orientation[:, 0])], axis=1)
    return Curve("H", run.t, ((run.body("slide").position - robot.position) * y).sum(axis=1))


def _paths(run: Trajectory) -> list[Curve]:
    """The robot's centre of mass and the contact points of the edges."""
    points = {f"W{k} ({joint.b.body})": joint.b for k in range(1, 6) for joint in [run.system.model.joint(f"W{k}")]}
    curves = [Curve("centre of mass of the robot", *run.body("robot").position.T)]
    for label, end in points.items():
        body = run.body(end.body)
        c, s = np.cos(body.orientation[:, 0]), np.sin(body.orientation[:, 0])
        x, y = end.point
        curves.append(Curve(label, body.position[:, 0] + c * x - s * y, body.position[:, 1] + s * x + c * y))
    return curves


def _reaction(name: str, title: str, t: Floats, forces: dict[str, Floats]) -> Panel:
    """One component of a reaction under every elimination."""
    verdict = "unique" if name in UNIQUE_JOINTS else "not unique"
    curves = [Curve(f"without {rows}", t, force) for rows, force in forces.items()]
    return Panel(f"{title}: {verdict}", "force [N]", curves)


def _motion(system: System) -> Iterator[PrintedNumber]:
    """Three eliminations along one run: the same accelerations, and the reactions of each."""
    runs = _runs(system, 27)
    first = next(iter(runs.values()))
    ranks = {check(system, first.state(k)).rank for k in range(len(first.t))}
    yield equal("Sect. 4.2", "rank of C in every other pose of the run", {20}, ranks)
    right, from_left = _headings(first)
    turns = "turns right, goes straight, turns left, goes on along a parallel"
    yield above("Sect. 4.1", "turn to the right until the middle of the run [rad]", turns, right, 0.1)
    yield below("Sect. 4.1", "heading at the end, from x₀ [rad]", turns, from_left, 0.02)
    wrong = max(_acceleration_gap(first, names, k) for names in ELIMINATIONS.values() for k in range(1, 27, 5))
    what = "accelerations with the rows taken out of Eq. 11, largest difference from ours [m/s²]"
    yield replace(below("Sect. 4.3", what, "same motion", wrong, 1e-9), at="t = 1, 6, …, 26 s")
    for name in UNIQUE_JOINTS:
        what = f"reaction of {name}, largest difference under three eliminations [N, N m]"
        yield below("Sect. 4.4", what, "same", _spread(runs, name), 1e-9)
    for name in OPEN_JOINTS[:-1]:
        what = f"reaction of {name}, largest difference under three eliminations [N]"
        yield above("Sect. 4.4", what, "differs", _spread(runs, name), 1e-3)
    dropped = max(_largest(run["W4"].force) for run in runs.values())
    note = "dropped in all three, so it differs only from other eliminations"
    yield below("Sect. 4.4", "reaction of W4 under the three eliminations [N]", "set to zero", dropped, 0.0, note)
    across = _largest(runs["6 + 21"]["C"].force[:, 1])
    yield below("Sect. 4.4", "y component of C without rows 6 + 21, global axes [N]", "set to zero", across, 1e-12)
    carried = _largest(runs["18 + 21"]["C"].force[:, 1])
    yield above("Sect. 4.4", "y component of C without rows 18 + 21, global axes [N]", "not zero", carried, 1e-3)


def _headings(run: Trajectory) -> tuple[float, float]:
    """How far the robot has turned to the right half-way, and its angle with the x₀ axis at the end [rad]."""
    angle = run.body("robot").orientation[:, 0]
    return float(-angle[len(angle) // 2]), float(abs(angle[-1]))


def _acceleration_gap(run: Trajectory, names: str, row: int) -> float:
    """Largest difference of v̇ from the equations with the rows really taken out (Eq. 11)."""
    eqs = equations(run.system, run.state(row))
    dropped = [_row(run.system, name) for name in names.split(",")]
    C = np.delete(eqs.C.toarray(), dropped, axis=0)
    m, n = C.shape
    K = np.block([[eqs.M.toarray(), C.T], [C, np.zeros((m, m))]])
    solved = np.linalg.solve(K, np.concatenate([eqs.Q, np.delete(eqs.Gamma, dropped)]))
    return _largest(solved[:n] - run.vdot[row])


def _row(system: System, name: str) -> int:
    joint, _, component = name.partition(".")
    return system.group(joint).start + "xy".index(component or "x")


def _spread(runs: dict[str, Trajectory], name: str) -> float:
    """Largest difference between the reactions of a joint in the runs."""
    first, *others = [np.hstack([run[name].force, run[name].moment]) for run in runs.values()]
    return max(_largest(history - first) for history in others)


def _largest(a: Floats) -> float:
    return float(np.abs(a).max(initial=0.0))


def _norm(a: Floats) -> float:
    return float(np.linalg.norm(a))


WOJTYRA2013 = register(
    Paper(
        key="wojtyra2013",
        title="Solvability of reactions in rigid multibody systems with redundant nonholonomic constraints",
        cite="Wojtyra & Frączek 2013, Multibody System Dynamics 30(2), 153–171",
        compare=_compare,
        figures=_figures,
        left_open=(
            "The steering d(t) is a figure only (Fig. 2): smooth steps that turn right, go straight and turn left were "
            "chosen, so the curves of Figs 3 and 4 cannot be compared number by number.",
            "The axis of joint H is not printed; the y axis of body 1 agrees with Fig. 1. Fig. 2 shows how far body 6 "
            "is displaced on body 1 from the pose of Eq. 34; d of Eq. 43 is −20a less that.",
            "Which of the two bodies the reactions of Fig. 4 act on is not printed: ours act on body i of Table 3.",
            "Eq. 37 prints one block as 1 × 18 and the text speaks of eleven B_X where there are fourteen.",
        ),
    )
)
