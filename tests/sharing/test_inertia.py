"""The inertia rule sees the mechanism and nothing else; plain minimum norm sees the units."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.constraint_matrix import from_array
from reactio.forward_dynamics.accelerate import accelerations
from reactio.sharing import problem, share


def moving(name: str, seed: int = 0) -> reactio.Equations:
    """A library mechanism at its start, with admissible velocities that are otherwise random."""
    system = reactio.build(reactio.load(name))
    start = reactio.assemble(system)
    v = np.random.default_rng(seed).standard_normal(system.n)
    return reactio.equations(system, reactio.assemble(system, reactio.State(start.t, start.q, v)))


def two_rods(scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Forces in two parallel rods of length 1 m, one written as x² − l² = 0, one as |x| − l = 0, by two rules.

    ``scale``: length units per metre.  The load is 7.5 N.
    """
    C = np.array([[2.0 * scale], [1.0]])
    M = np.array([[3.0 / scale]])  # kg, for f in N and v̇ in length units per s²
    task = problem(from_array(C, {"rod1": [0], "rod2": [1]}), np.array([7.5]), M)
    return C[:, 0] * share(task, "pseudoinverse"), C[:, 0] * share(task, "inertia")


def test_minimum_norm_depends_on_units_and_inertia_does_not() -> None:
    metres, inertia = two_rods(1.0)
    millimetres, inertia_too = two_rods(1000.0)
    assert metres == pytest.approx([6.0, 1.5], rel=1e-14)
    # 7.5 N · (2000², 1)/(2000² + 1), which prints as 7.50 and 0.000002 N.
    assert millimetres == pytest.approx([7.5 * 4e6 / 4000001, 7.5 / 4000001], rel=1e-9)
    assert inertia == pytest.approx([3.75, 3.75], rel=1e-14)
    assert inertia_too == pytest.approx([3.75, 3.75], rel=1e-14)


def wrenches(C: np.ndarray, lam: np.ndarray, groups: dict[str, range]) -> np.ndarray:
    """C_Xᵀ λ_X of all groups."""
    return np.array([C[list(rows)].T @ lam[list(rows)] for rows in groups.values()])


@pytest.mark.parametrize("name", ["four-bar-spatial", "door", "mobile-robot"])
def test_inertia_rule_sees_only_the_mechanism(name: str) -> None:
    """Rows scaled and recombined inside a joint, velocities in other units and about other points."""
    eqs = moving(name)
    C, M, f = eqs.C.toarray(), eqs.M.toarray(), accelerations(eqs).f
    groups = {g.name: range(g.start, g.stop) for g in eqs.system.groups}
    plain = wrenches(C, share(problem(from_array(C, groups), f, M), "inertia"), groups)
    random = np.random.default_rng(1)
    # Any regular recombination of the rows of a joint: scales, rotated axes, mixtures.
    R = np.zeros((len(C), len(C)))
    for rows in groups.values():
        R[rows.start : rows.stop, rows.start : rows.stop] = random.standard_normal((len(rows), len(rows)))
    mixed = R @ C
    found = wrenches(mixed, share(problem(from_array(mixed, groups), f, M), "inertia"), groups)
    size = np.abs(plain).max()
    assert found == pytest.approx(plain, abs=1e-9 * size)  # random matrices of condition up to 1e4
    # v = V v': other reference points, axes and units of each body; f and M follow.
    V = np.kron(np.eye(len(eqs.system.model.bodies)), _other_velocities(eqs.system.space))
    there = problem(from_array(C @ V, groups), V.T @ f, V.T @ M @ V)
    moved = wrenches(C @ V, share(there, "inertia"), groups) @ np.linalg.inv(V)
    assert moved == pytest.approx(plain, abs=1e-9 * size)


def _other_velocities(space: str) -> np.ndarray:
    """Twist about the body's origin from that about a point at (0.3, −0.2, 0.5), with lengths in millimetres."""
    x, y, z = 0.3, -0.2, 0.5
    if space == "planar":
        V = np.array([[1, 0, y], [0, 1, -x], [0, 0, 1]])
        return V @ np.diag([1e-3, 1e-3, 1.0])
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    V = np.block([[np.eye(3), skew], [np.zeros((3, 3)), np.eye(3)]])
    return V @ np.diag([1e-3] * 3 + [1.0] * 3)


def test_rows_of_one_joint_that_repeat_each_other() -> None:
    """A doubled row changes no wrench under the inertia rule."""
    eqs = moving("door")
    C, M, f = eqs.C.toarray(), eqs.M.toarray(), accelerations(eqs).f
    groups = {g.name: range(g.start, g.stop) for g in eqs.system.groups}
    plain = wrenches(C, share(problem(from_array(C, groups), f, M), "inertia"), groups)
    doubled = np.vstack([C, 2 * C[:1]])
    more = {**groups, "hinge1": [*groups["hinge1"], len(C)]}
    lam = share(problem(from_array(doubled, more), f, M), "inertia")
    found = np.array([doubled[list(rows)].T @ lam[list(rows)] for rows in more.values()])
    assert found == pytest.approx(plain, abs=1e-10 * np.abs(plain).max())  # rounding of a rank-5 problem
