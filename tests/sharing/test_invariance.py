"""What the numbers of a sharing rule depend on: every ✓ and every ✗ of `reactio rules`, measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.catalogue.places import End
from reactio.constraint_matrix import Components, components
from reactio.forward_dynamics.accelerate import accelerations
from reactio.model.transform.assemblies import Placement, placed_parts
from reactio.sharing import CHANGES, RULES, Problem, problem, share
from reactio.sharing.rewritten import in_millimetres, in_reverse
from reactio.space.rotations import axes_of, exponential, product
from reactio.space.rotations import turn as rotate

# A gate on three hinges with a wing on two more, loaded askew: forces and moments of both loops are open.
GATE = """
space: spatial
gravity: [1, 2, -9.81]
bodies:
  gate: {mass: 20, inertia: [3, 4, 2], position: [0.5, 0.1, 1]}
  wing: {mass: 5, inertia: [0.6, 0.5, 0.3], position: [1.3, 0.3, 1.1]}
joints:
  low:   {type: revolute, bodies: [ground, gate], at: [0, 0, 0.2], axis: [0, 0, 1]}
  inner: {type: revolute, bodies: [gate, wing], at: [1, 0.2, 0.6], axis: [0, 0, 1]}
  mid:   {type: revolute, bodies: [ground, gate], at: [0, 0, 0.8], axis: [0, 0, 1]}
  high:  {type: revolute, bodies: [ground, gate], at: [0, 0, 1.9], axis: [0, 0, 1]}
  outer: {type: revolute, bodies: [gate, wing], at: [1, 0.2, 1.5], axis: [0, 0, 1]}
forces:
  push: {type: force, at: {body: wing, point: [0.2, 0.1, -0.3]}, force: [30, -20, -50]}
"""
ROUNDING = 1e-9  # of the largest force, through condition numbers of some 1e3 in two solvers
DIFFERENT = 1e-3  # of the largest force: far above rounding, and above what a reader would call the same


def task_of(model: reactio.Model) -> Problem:
    eqs = reactio.equations(reactio.build(model))
    return problem(eqs.constraints, accelerations(eqs).f, eqs.M)


def gate() -> reactio.Model:
    return reactio.parse_model(GATE)


def bennett() -> reactio.Model:
    """Bennett's linkage, pulled askew: its self-stresses load all five rows of every joint."""
    return replace(reactio.load("bennett"), gravity=(3.0, 5.0, -9.81))


def moved(model: reactio.Model, along: float, turn: float) -> reactio.Model:
    """The same mechanism with both frames of every second hinge moved along its line [m] and turned about it [rad]."""

    def end(old: End) -> End:
        w, x, y, z = old.orientation
        hinge = rotate.plain(axes_of.plain((w, x, y, z)), (0.0, 0.0, 1.0))
        point = tuple(p + along * e for p, e in zip(old.point, hinge, strict=True))
        turned = product.plain((w, x, y, z), exponential.plain((0.0, 0.0, turn)))
        return replace(old, point=point, orientation=turned)

    joints = (replace(j, a=end(j.a), b=end(j.b)) if k % 2 else j for k, j in enumerate(model.joints))
    return replace(model, joints=tuple(joints))


def rods() -> reactio.Model:
    return reactio.load("pendulum-two-rods")


def wrenches(task: Problem, lam: Floats) -> Floats:
    """C_Xᵀλ_X of every joint: what it does to the bodies, whatever its rows are; joints by name."""
    C = task.C if task.matrix.order is None else task.C[np.argsort(task.matrix.order)]
    groups = sorted(task.matrix.rows.groups)
    order = np.arange(len(lam)) if task.matrix.order is None else task.matrix.order
    return np.array([C[order[g.start : g.stop]].T @ lam[order[g.start : g.stop]] for g in groups])


def recombined(task: Problem, B: list[Floats]) -> Problem:
    """Rows B_X C_X with multipliers B_X⁻ᵀ λ_X, and components that give the same forces and moments."""
    from scipy.sparse import block_diag

    groups = task.matrix.rows.groups
    tables = {
        g.name: Components(c.labels, c.units, c.P @ b.T)
        for g, b in zip(groups, B, strict=True)
        for c in [components(task.matrix, g)]
    }
    C = block_diag(B).toarray() @ task.C
    matrix = replace(task.matrix, C=C, rows=task.matrix.rows.with_components(tables))
    return problem(matrix, task.f, task.M)


def by_rows(change: str, rule: str) -> float:
    """The largest relative difference between the wrenches of the same mechanisms in two writings."""
    worst = 0.0
    for here in map(task_of, (gate(), bennett(), rods())):
        there, back = _written(change, here)
        a, b = wrenches(here, share(here, rule)), wrenches(here, back(share(there, rule)))
        worst = max(worst, float(np.abs(a - b).max() / np.abs(a).max()))
    return worst


def _written(change: str, task: Problem) -> tuple[Problem, Callable[[Floats], Floats]]:
    rng = np.random.default_rng(1)
    groups = task.matrix.rows.groups
    if change in ("row scaling", "recombination"):
        scales = [np.diag(10.0 ** rng.uniform(-1, 1, g.size)) for g in groups]
        mixed = [
            s @ (np.eye(g.size) + 0.4 * rng.standard_normal((g.size, g.size)))
            for s, g in zip(scales, groups, strict=True)
        ]
        B = scales if change == "row scaling" else mixed
        there = recombined(task, B)
        return there, lambda lam: np.concatenate([b.T @ lam[g.start : g.stop] for b, g in zip(B, groups, strict=True)])
    made = in_millimetres(task) if change == "units" else in_reverse(task)
    assert made is not None
    return made.problem, made.back


def by_model(change: str, rule: str) -> float:
    """The same for changes that a model file can express; C_Xᵀλ_X is what the bodies feel, whatever the joint frame."""
    along, turn = (0.0, 0.6) if change == "axes" else (0.3, 0.0)
    worst = 0.0
    for model in (gate(), bennett()):
        here, there = task_of(model), task_of(moved(model, along, turn))
        a, b = (wrenches(task, share(task, rule)) for task in (here, there))
        worst = max(worst, float(np.abs(a - b).max() / np.abs(a).max()))
    return worst


TURN = exponential.plain((0.4, -0.7, 1.1))  # of the world, about an axis askew


def in_turned_world(model: reactio.Model) -> reactio.Model:
    """The model with all that stands in the world turned, and gravity with it."""
    gx, gy, gz = model.gravity
    parts = placed_parts(model, Placement(orientation=TURN))
    gravity = tuple(rotate.plain(axes_of.plain(TURN), (gx, gy, gz)))
    return replace(model, gravity=gravity, bodies=parts["bodies"], joints=parts["joints"])


def by_world(rule: str) -> float:
    """The same for a world that is turned with all that stands in it: components in the axes of the joints."""
    worst = 0.0
    for model in (replace(gate(), forces=()), bennett()):
        found = []
        for one in (model, in_turned_world(model)):
            task = task_of(one)
            lam, groups = share(task, rule), task.matrix.rows.groups
            found.append([components(task.matrix, g).P @ lam[g.start : g.stop] for g in groups])
        a, b = (np.concatenate(one) for one in found)
        worst = max(worst, float(np.abs(a - b).max() / np.abs(a).max()))
    return worst


@pytest.mark.parametrize("change", list(CHANGES))
@pytest.mark.parametrize("rule", [r.name for r in RULES.values() if r.name != "compliance" and not r.needs_argument])
def test_every_mark_of_the_table(rule: str, change: str) -> None:
    if change == "world":
        measured = by_world(rule)
    else:
        measured = (by_model if change in ("axes", "reference point") else by_rows)(change, rule)
    if change in RULES.get(rule).invariant:
        assert measured <= ROUNDING
    else:
        assert measured >= DIFFERENT


@pytest.mark.parametrize("change", ["axes", "order", "world"])
def test_stiffness_decides_however_the_mechanism_is_written(change: str) -> None:
    """Compliance belongs to models: two hinges of a door, one ten times as stiff, turned, moved or listed otherwise."""
    soft, stiff = ([k, k, k, k, k, 0.0] for k in (1e6, 1e7))
    model = reactio.parse_model(
        f"""
space: spatial
gravity: [0, 0, -9.81]
bodies: {{door: {{mass: 20, inertia: [6, 7, 1.2], position: [0.4, 0, 1]}}}}
joints:
  low:  {{type: revolute, bodies: [ground, door], at: [0, 0, 0.25], axis: [0, 0, 1], stiffness: {soft}}}
  high: {{type: revolute, bodies: [ground, door], at: [0, 0, 1.75], axis: [0, 0, 1], stiffness: {stiff}}}
"""
    )
    other = {
        "axes": moved(model, 0.0, 0.6),
        "order": replace(model, joints=model.joints[::-1]),
        "world": in_turned_world(model),
    }[change]
    loads = []
    for one in (model, other):
        found = reactio.reactions(reactio.equations(reactio.build(one)), "compliance")
        turned = change == "world" and one is other
        back = np.stack([np.array(axis) for axis in axes_of.plain(TURN)]) if turned else np.eye(3)
        loads.append(np.concatenate([back @ found[name].force for name in ("low", "high")]))
    assert loads[0][2] / loads[0][5] == pytest.approx(0.1)  # springs side by side
    # Rounding of a small regular system.
    assert loads[1] == pytest.approx(loads[0], abs=1e-9 * np.abs(loads[0]).max())


def test_cut_joints_by_name_do_not_depend_on_the_order() -> None:
    here = task_of(gate())
    there = in_reverse(here)
    rule = "cut:mid,high,outer"
    a, b = wrenches(here, share(here, rule)), wrenches(here, there.back(share(there.problem, rule)))
    assert np.abs(a - b).max() <= ROUNDING * np.abs(a).max()


def test_cuts_that_leave_a_loop_are_refused() -> None:
    with pytest.raises(
        reactio.ReactioError, match="Cutting outer leaves a closed loop among low, inner, mid, high, outer"
    ):
        share(task_of(gate()), "cut:outer")
    with pytest.raises(reactio.ReactioError, match=r"no joint 'otter' to cut\. Did you mean 'outer'"):
        share(task_of(gate()), "cut:otter")


@pytest.mark.parametrize("text", ["wrench-norm:0", "wrench-norm:-1", "wrench-norm:2 miles", "wrench-norm:nan"])
def test_lengths_that_are_none(text: str) -> None:
    with pytest.raises(reactio.ReactioError, match="takes a positive length"):
        share(task_of(gate()), text)
