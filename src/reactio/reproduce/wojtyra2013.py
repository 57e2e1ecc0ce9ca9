"""The mobile robot with its trolley: redundant nonholonomic constraints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.diagnosis.check import check
from reactio.figures.curves import Curve, Panel, draw
from reactio.kinematics.assemble import initial_state
from reactio.library import load
from reactio.reproduce import Paper, PrintedNumber, above, below, close, equal, register
from reactio.simulation.simulate import simulate
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.types import System
from reactio.uniqueness import Solvability
from reactio.uniqueness.words import Verdict

OPEN_JOINTS = ("B", "C", "W1", "W2", "W3", "W4")
UNIQUE_JOINTS = ("A", "D", "E", "F", "G", "H", "steering", "W5")
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
    yield from _sizes(system, eqs, answer)
    yield from _matrices(answer, system.n)
    yield from _verdicts(answer)
    yield from _motion(system)


def _sizes(system: System, eqs: Equations, answer: Solvability) -> Iterator[PrintedNumber]:
    holonomic = int(system.holonomic.sum())
    C = eqs.C.toarray()
    yield equal("Eq. 28", "coordinates n", 21, system.n)
    yield equal("Eq. 29", "holonomic equations m", 17, holonomic)
    yield equal("Sect. 4.2", "knife edges h", 5, system.m - holonomic)
    yield below("Eqs 34, 40–43", "residual of the constraints in the pose of Eq. 34 [m]", "0", _largest(eqs.Phi), 1e-14)
    rank = [int(np.linalg.matrix_rank(part, tol=1e-9)) for part in (C[:holonomic], C[holonomic:])]
    yield equal("Eq. 35", "rank of the Jacobian Φ_q", 17, rank[0])
    yield equal("Eq. 35", "rank of the Pfaffian matrix Ψ", 4, rank[1])
    yield equal("Eq. 35", "rank of C", 20, answer.rank)
    yield equal("Eq. 36", "degree of redundancy p", 2, answer.redundancy)


def _matrices(answer: Solvability, n: int) -> Iterator[PrintedNumber]:
    for name, entries in PRINTED.items():
        B = np.zeros((n, 2))
        for column, values in entries.items():
            B[column] = values
        ours = answer.B(name)
        # Three printed digits of entries up to 0.707: their products carry an error of 1e-3.
        yield close("Eq. 38", f"|B_X| of {name}", round(_norm(B), 4), _norm(ours), 1e-3)
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


def _figures(folder: Path) -> Iterator[Path]:
    """Figs 2–4: steering, trajectories, reactions under the three eliminations."""
    system = build(load("mobile-robot"))
    runs = _runs(system, 261)
    first = next(iter(runs.values()))
    slide, robot = first.body("slide").position, first.body("robot").position
    stroke = np.linalg.norm(slide - robot, axis=1)
    yield draw(folder / "wojtyra2013-fig2.png", [Panel("Steering", "displacement [m]", [Curve("H", first.t, stroke)])])
    names = ("robot", "wheel1", "wheel2", "trolley")
    paths = [Curve(name, *first.body(name).position.T) for name in names]
    yield draw(folder / "wojtyra2013-fig3.png", [Panel("Trajectories", "y [m]", paths, "x [m]")])
    shown = (("B", 0, "B, x"), ("B", 1, "B, y"), ("W3", 0, "W3"), ("D", 0, "D, x"), ("D", 1, "D, y"), ("W5", 0, "W5"))
    panels = [
        Panel(
            f"{title}: {'unique' if name in UNIQUE_JOINTS else 'not unique'}",
            "force [N]",
            [Curve(f"without {rows}", run.t, _component(run, name, k)) for rows, run in runs.items()],
        )
        for name, k, title in shown
    ]
    yield draw(folder / "wojtyra2013-fig4.png", panels, columns=3)


def _component(run: Trajectory, name: str, k: int) -> Floats:
    """World components of a hinge; the one force across a knife edge."""
    history = run[name]
    if not name.startswith("W"):
        return history.force[:, k]
    across = history.force_in_joint
    return across[:, int(np.abs(across).max(axis=0).argmax())]


def _motion(system: System) -> Iterator[PrintedNumber]:
    """Three eliminations along one run: the same accelerations, and the reactions of each."""
    runs = _runs(system, 27)
    first = next(iter(runs.values()))
    ranks = {check(system, first.state(k)).rank for k in range(len(first.t))}
    yield equal("Sect. 4.2", "rank of C in every other pose of the run", {20}, ranks)
    wrong = max(_acceleration_gap(first, names, k) for names in ELIMINATIONS.values() for k in range(1, 27, 5))
    yield below("Sect. 4.3", "accelerations under three eliminations, largest difference [m/s²]", "same", wrong, 1e-9)
    for name in UNIQUE_JOINTS:
        yield below("Sect. 4.4", f"reaction of {name} under three eliminations [N]", "same", _spread(runs, name), 1e-9)
    for name in OPEN_JOINTS[:-1]:
        yield above(
            "Sect. 4.4", f"reaction of {name} under three eliminations [N]", "differs", _spread(runs, name), 1e-3
        )
    dropped = max(_largest(run["W4"].force) for run in runs.values())
    note = "dropped in all three, so it differs only from other eliminations"
    yield below("Sect. 4.4", "reaction of W4 under the three eliminations [N]", "set to zero", dropped, 0.0, note)


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
    return system.group(joint).start + "xy".find(component or "x")


def _spread(runs: dict[str, Trajectory], name: str) -> float:
    """Largest difference between the reactions of a joint in the runs."""
    histories = [np.hstack([run[name].force, run[name].moment]) for run in runs.values()]
    return max(_largest(one - histories[0]) for one in histories[1:])


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
            "The axis of joint H is not printed; the y axis of body 1 agrees with Fig. 1.",
            "Eq. 37 prints one block as 1 × 18 and the text speaks of eleven B_X where there are fourteen.",
        ),
    )
)
