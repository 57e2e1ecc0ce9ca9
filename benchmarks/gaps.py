"""Splits with play and one-way parts against the least potential energy of displacements, by another formulation.

``python benchmarks/gaps.py speed``: processor time of 2,000 instants of a machine with play, and of 300 bolts.
``python benchmarks/gaps.py [COUNT] [SEED]``: random bolt groups, rows of hinges and sling lifts.  The reference knows
nothing of Reactio: it writes the energy of one rigid body on springs with gaps, in displacements,

    min ½ Σ k |e|² − fᵀξ   subject to   |J ξ − δ − e| ≤ c   (a disc or ball; −s ≤ … of parts that act one way),

and hands it to Clarabel, an interior-point solver for cones.  Reactio minimises over forces instead, and polishes.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import reactio
from reactio.model.files.read import parse_model
from reactio.model.specs import Elastic

AGREEMENT = 1e-9  # part of the largest force: stiffnesses over three decades cost some digits of displacements
NEWTON_STEPS = 6  # that take the last digits of Clarabel's answer; they double with each


@dataclass(frozen=True)
class Spring:
    """A spring with a gap between a rigid body and the ground: forces along the rows of J (r, n) for a displacement."""

    joint: str
    J: Any  # (r, n)
    k: float
    c: float  # radius of the gap; of a one-way part the way until it bears
    one_way: bool = False  # force along −J only
    off: Any = None  # (r,) how far its seat stands off


@dataclass(frozen=True)
class Case:
    """A model file as text, and the same mechanics as springs."""

    text: str
    springs: tuple[Spring, ...]
    f: Any  # (n,)


def cross(p: Any) -> Any:
    """p × as a matrix."""
    x, y, z = p
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def bolt_group(rng: np.random.Generator, count: int | None = None) -> Case:
    """A plate in the plane on three to six bolts, or ``count``, each in a hole with its own clearance and misfit."""
    count = int(rng.integers(3, 7)) if count is None else count
    at, k = rng.uniform(-0.1, 0.1, (count, 2)), 10 ** rng.uniform(6, 9, count)
    c, off = 10 ** rng.uniform(-5.5, -3.5, count), rng.normal(0, 5e-5, (count, 2))
    force, moment = rng.normal(0, 5e3, 2), float(rng.normal(0, 300))
    lines = ["space: planar", "gravity: [0, 0]", "bodies: {plate: {mass: 1, inertia: 1, position: [0, 0]}}", "joints:"]
    springs = []
    for i in range(count):
        lines.append(
            f"  b{i}: {{type: revolute, bodies: [ground, plate], at: [{at[i, 0]!r}, {at[i, 1]!r}], play: {c[i]!r}, "
            f"stiffness: [{k[i]!r}, {k[i]!r}, 0], misfit: {{x: {off[i, 0]!r}, y: {off[i, 1]!r}}}}}"
        )
        J = np.array([[1.0, 0.0, -at[i, 1]], [0.0, 1.0, at[i, 0]]])
        springs.append(Spring(f"b{i}", J, k[i], c[i], off=off[i]))
    lines.append(f"forces: {{pull: {{type: force, at: plate, force: [{force[0]!r}, {force[1]!r}]}}, ")
    lines.append(f"  turn: {{type: torque, at: plate, torque: {moment!r}}}}}")
    return _case(lines, springs, np.array([*force, moment]))


def hinge_row(rng: np.random.Generator) -> Case:
    """A door on two to five ball joints with clearance, roughly in a line, and a cable or two."""
    count = int(rng.integers(3, 6))
    at = np.column_stack([rng.normal(0, 0.05, (count, 2)), np.linspace(0, 2, count)])
    k, c = 10 ** rng.uniform(5, 8, count), 10 ** rng.uniform(-5, -3, count)
    off = rng.normal(0, 3e-4, (count, 3))
    force, moment = rng.normal(0, 300, 3), rng.normal(0, 100, 3)
    lines = ["space: spatial", "gravity: [0, 0, 0]", "joints:"]
    lines.insert(2, "bodies: {door: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}")
    springs = []
    for i in range(count):
        place = ", ".join(repr(float(x)) for x in at[i])
        misfit = ", ".join(f"{axis}: {float(x)!r}" for axis, x in zip("xyz", off[i], strict=True))
        lines.append(
            f"  h{i}: {{type: spherical, bodies: [ground, door], at: [{place}], play: {c[i]!r}, "
            f"stiffness: [{k[i]!r}, {k[i]!r}, {k[i]!r}, 0, 0, 0], misfit: {{{misfit}}}}}"
        )
        springs.append(Spring(f"h{i}", np.hstack([np.eye(3), -cross(at[i])]), k[i], c[i], off=off[i]))
    pull, twist = (", ".join(repr(float(x)) for x in v) for v in (force, moment))
    lines.append(f"forces: {{pull: {{type: force, at: door, force: [{pull}]}}, ")
    lines.append(f"  turn: {{type: torque, at: door, torque: [{twist}]}}}}")
    return _case(lines, springs, np.array([*force, *moment]))


def sling_lift(rng: np.random.Generator) -> Case:
    """A load that hangs on four to seven slings from one hook, each with its own slack."""
    count = int(rng.integers(4, 8))
    angle = np.sort(rng.uniform(0, 2 * np.pi, count))
    angle[:3] = np.array([0.1, 2.2, 4.3]) + rng.normal(0, 0.1, 3)  # the hook stays above the load
    radius = rng.uniform(0.6, 1.5, count)
    at = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), rng.uniform(0, 0.4, count)])
    k, slack = 10 ** rng.uniform(5, 7, count), rng.exponential(2e-3, count)
    hook, weight = np.array([0.0, 0.0, 3.0]), 9.81 * float(rng.uniform(100, 2000))
    lines = ["space: spatial", f"gravity: [0, 0, {-weight!r}]", "joints:"]
    lines.insert(2, "bodies: {load: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}")
    springs = []
    for i in range(count):
        along = (at[i] - hook) / np.linalg.norm(at[i] - hook)
        place = ", ".join(repr(float(x)) for x in at[i])
        lines.append(
            f"  s{i}: {{type: cable, a: {{body: ground, point: [0, 0, 3]}}, b: {{body: load, point: [{place}]}}, "
            f"stiffness: {k[i]!r}, slack: {slack[i]!r}}}"
        )
        J = np.concatenate([along, np.cross(at[i], along)])[None, :]
        springs.append(Spring(f"s{i}", J, k[i], slack[i], one_way=True))
    return _case(lines, springs, np.array([0.0, 0.0, -weight, 0.0, 0.0, 0.0]))


def _case(lines: list[str], springs: list[Spring], f: Any) -> Case:
    text = re.sub(r"np\.float64\(([^)]*)\)", r"\1", "\n".join(lines)) + "\n"
    return Case(text, tuple(springs), f)


def reference(case: Case) -> dict[str, Any]:
    """The force on the body of every spring, by least potential energy."""
    import clarabel
    from scipy import sparse

    n = len(case.f)
    sizes = [len(s.J) for s in case.springs]
    starts = n + np.cumsum([0, *sizes])
    length = max(s.c for s in case.springs)  # displacements in units of the widest gap, energies in those of the load
    unit = float(np.abs(case.f).max()) * length
    P, q = np.zeros(starts[-1]), np.zeros(starts[-1])
    q[:n] = -case.f * length / unit
    rows, right, cones = [], [], []
    for s, at, size in zip(case.springs, starts, sizes, strict=False):
        P[at : at + size] = s.k * length**2 / unit
        off = np.zeros(size) if s.off is None else s.off
        if s.one_way:  # J ξ − e ≤ c
            row = np.zeros((1, starts[-1]))
            row[0, :n], row[0, at] = s.J[0], -1.0
            rows.append(row)
            right.append([s.c / length])
            cones.append(clarabel.NonnegativeConeT(1))
            continue
        row = np.zeros((size + 1, starts[-1]))
        row[1:, :n], row[1:, at : at + size] = -s.J, np.eye(size)
        rows.append(row)
        right.append(np.concatenate([[s.c], -off]) / length)
        cones.append(clarabel.SecondOrderConeT(size + 1))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix(np.diag(P)), q, sparse.csc_matrix(np.vstack(rows)), np.concatenate(right), cones, settings
    )
    return _refined(case, length * np.array(solver.solve().x)[:n])


def _refined(case: Case, xi: Any) -> dict[str, Any]:
    """The forces after some steps of Newton's method on the energy of the displacement ξ."""
    for _ in range(NEWTON_STEPS):
        slope, bend = -case.f, np.zeros((len(xi), len(xi)))
        for s in case.springs:
            u, stretch, out = _stretched(s, xi)
            if stretch > 0.0:
                turn = 0.0 if s.one_way else stretch / np.linalg.norm(u)
                slope = slope + s.J.T @ (s.k * stretch * out)
                bend += s.k * s.J.T @ ((1.0 - turn) * np.outer(out, out) + turn * np.eye(len(u))) @ s.J
        own = np.diagonal(bend)
        scale = np.where(own > 1e-12 * own.max(), 1.0 / np.sqrt(np.maximum(own, 1e-300)), 0.0)
        step = np.linalg.lstsq(bend * np.outer(scale, scale), scale * slope, rcond=1e-13)[0]
        xi = xi - scale * step
    return {s.joint: -s.k * max(0.0, stretch) * out for s in case.springs for _, stretch, out in [_stretched(s, xi)]}


def _stretched(s: Spring, xi: Any) -> tuple[Any, float, Any]:
    """The displacement of a spring's end, how far that is beyond its gap, and the direction."""
    u = s.J @ xi - (0.0 if s.off is None else s.off)
    if s.one_way:
        return u, float(u[0] - s.c), np.ones(1)
    return u, float(np.linalg.norm(u) - s.c), u / np.linalg.norm(u)


def ours(case: Case) -> dict[str, Any]:
    """The force on the body of every joint, by the rule compliance."""
    found = reactio.reactions(parse_model(case.text), "compliance")
    return {s.joint: found[s.joint].force for s in case.springs}


FAMILIES: dict[str, Callable[[np.random.Generator], Case]] = {
    "bolt groups": bolt_group,
    "hinge rows": hinge_row,
    "sling lifts": sling_lift,
}


def difference(case: Case) -> float:
    """The largest difference of a force, as a part of the largest force."""
    expected, got = reference(case), ours(case)
    size = max(float(np.abs(force).max()) for force in expected.values())
    worst = 0.0
    for s in case.springs:
        force = expected[s.joint]
        if s.one_way:
            force = force[0] * s.J[0, :3]
        worst = max(worst, float(np.abs(force - got[s.joint]).max()))
    return worst / size


def instants(count: int = 2000) -> float:
    """Processor time [s] of the splits at instants of a planar lattice of 20 joints, all pins with play and misfit."""
    model, rng = reactio.load("scissor-lattice", rows=2, columns=3), np.random.default_rng(0)
    joints = []
    for joint in model.joints:
        k, off = 10 ** rng.uniform(7, 8), float(rng.normal(0, 2e-5))
        misfit, play = ({"x": off}, {"radial": 2e-5}) if joint.type == "revolute" else ({}, {})
        joints.append(replace(joint, elastic=Elastic(stiffness=(k, k, 0.0), misfit=misfit, play=play)))
    run = reactio.simulate(replace(model, joints=tuple(joints)), until=0.1, output=count, rule="compliance")
    run.reactions_at_rows(range(2))  # compiled, imported
    begin = time.process_time()
    found = run.reactions_at_rows(range(count))
    bears = [[one.bears(group) for group in run.system.reacting] for one in found]
    assert len(bears) == count
    return time.process_time() - begin


def bolts(count: int = 300) -> float:
    """Processor time [s] of the split of a plate on many bolts, from its compiled system on."""
    rng = np.random.default_rng(0)
    case = bolt_group(rng, count)
    system = reactio.build(parse_model(case.text))
    reactio.reactions(parse_model(bolt_group(rng).text), "compliance")
    begin = time.process_time()
    reactio.reactions(reactio.equations(system), "compliance")
    return time.process_time() - begin


def main() -> None:
    """Print how many of each family differ, or times."""
    if sys.argv[1:] == ["speed"]:
        print(f"2,000 instants of a machine of 20 joints with play: {instants():.2f} s of processor time (target 5)")
        print(f"300 bolts with clearance: {bolts():.2f} s of processor time (target 1)")
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for name, family in FAMILIES.items():
        rng = np.random.default_rng(seed)
        cases = [family(rng) for _ in range(count)]
        off = np.array([difference(case) for case in cases])
        for k in np.flatnonzero(~(off <= AGREEMENT))[:5]:
            print(f"  {name} {k}: {off[k]:.3g}")
        wrong = int((~(off <= AGREEMENT)).sum())
        print(f"{name}: {wrong} of {count} differ; median {np.median(off):.1e}, largest {off.max():.1e}")


if __name__ == "__main__":
    main()
