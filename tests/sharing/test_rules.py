"""Sharing rules: alike where the model decides, each its own metric elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.arrays import Floats
from reactio.constraint_matrix import ColumnTable, from_array
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.sharing import RULES, Rule, problem, register, share
from reactio.sharing.elimination import InadmissibleElimination, automatic
from reactio.simulation.state_at import state_at
from reactio.system.constraints import wrench_map
from reactio.uniqueness import Verdict, solvability

KEEP_SIGNS = ("null-space", "pseudoinverse", "inertia")  # the rules that minimise a size


def moving(name: str, seed: int = 0) -> reactio.Equations:
    """A library mechanism at its start, with admissible velocities that are otherwise random."""
    system = reactio.build(reactio.load(name))
    start = reactio.assemble(system)
    v = np.random.default_rng(seed).standard_normal(system.n)
    return reactio.equations(system, reactio.assemble(system, reactio.State(start.t, start.q, v)))


@pytest.fixture(scope="module")
def turning() -> reactio.Equations:
    """The mobile robot while it turns."""
    system = reactio.build(reactio.load("mobile-robot"))
    return reactio.equations(system, state_at(system, 2.0))


@pytest.mark.parametrize("name", library.names())
def test_rules_agree_where_the_model_decides(name: str) -> None:
    eqs = moving(name)
    answer = solvability(eqs.constraints)
    f = accelerations(eqs).f
    task = problem(eqs.constraints, f, eqs.M, answer)
    rules = [rule for rule in RULES if not RULES.get(rule).elastic]
    if task.matrix.rows.unilateral:  # contacts and cables act one way, and some rules do not look at signs
        rules = list(KEEP_SIGNS)
    lam = {rule: share(task, rule) for rule in rules}
    size = max(np.abs(x).max() for x in lam.values())
    for rule, x in lam.items():
        # Rounding of Cᵀλ, whose terms are as large as λ, through condition numbers up to 1e4.
        assert np.abs(eqs.C.T @ x - f).max() <= 1e-11 * size, rule
    for group in eqs.system.groups:
        if answer[group.name].verdict is not Verdict.UNIQUE or group.frames is None:
            continue
        W, rows = wrench_map(eqs, group), slice(group.start, group.stop)
        wrenches = np.array([W @ x[rows] for x in lam.values()])
        # The same rounding in every rule, relative to the largest force in the mechanism.
        assert np.ptp(wrenches, axis=0).max() <= 1e-10 * size, group.name


UNIQUE = ("A", "D", "E", "F", "G", "H", "steering", "W5")
SHARED = ("B", "C", "W1", "W2", "W3", "W4")
PAIRS = ((6, 21), (18, 21), (19, 21))  # rows dropped, counted from 1: Wojtyra & Fraczek 2013, Sect. 4.3


def eliminated(eqs: reactio.Equations, pair: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """v̇ and λ of the written-out equations of motion without two rows, Eq. 11."""
    kept = np.setdiff1d(np.arange(eqs.system.m), np.array(pair) - 1)
    C, M = eqs.C.toarray()[kept], eqs.M.toarray()
    K = np.block([[M, C.T], [C, np.zeros((len(kept), len(kept)))]])
    x = np.linalg.solve(K, np.concatenate([eqs.Q, eqs.Gamma[kept]]))
    lam = np.zeros(eqs.system.m)
    lam[kept] = x[eqs.system.n :]
    return x[: eqs.system.n], lam


@pytest.mark.parametrize("pair", PAIRS)
def test_robot_eliminations_against_the_written_out_equations(
    turning: reactio.Equations, pair: tuple[int, int]
) -> None:
    vdot, lam = eliminated(turning, pair)
    found = accelerations(turning)
    # Two solvers of a system of condition 1e4: relative to the largest value.
    assert found.vdot == pytest.approx(vdot, abs=1e-12 * np.abs(vdot).max())
    task = problem(turning.constraints, found.f, turning.M)
    ours = share(task, f"elimination:{pair[0]},{pair[1]}")
    assert ours == pytest.approx(lam, abs=1e-11 * np.abs(lam).max())
    assert np.all(ours[np.array(pair) - 1] == 0.0)


def test_robot_eliminations_share_differently_and_only_where_they_may(turning: reactio.Equations) -> None:
    """Fourteen reactions of the paper: eight alike to 1e-12 under all eliminations, six different.

    All pairs of the paper drop W4, which is zero then; one that drops W3 instead shows that W4 is open as well.
    """
    task = problem(turning.constraints, accelerations(turning).f, turning.M)
    choices = [share(task, f"elimination:{a},{b}") for a, b in (*PAIRS, (6, 20))]
    C = turning.C.toarray()
    largest = max(np.abs(lam).max() for lam in choices)
    for group in turning.system.groups:
        rows = slice(group.start, group.stop)
        spread = np.ptp([C[rows].T @ lam[rows] for lam in choices], axis=0).max()
        assert (spread < 1e-12 * largest) == (group.name in UNIQUE), group.name
        assert (spread > 0.1 * largest) == (group.name in SHARED), group.name


def test_robot_names_and_numbers_are_the_same_rows(turning: reactio.Equations) -> None:
    task = problem(turning.constraints, accelerations(turning).f, turning.M)
    assert share(task, "elimination:C.y, W4").tolist() == share(task, "elimination:6,21").tolist()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("A.x,W4", r"A\.x is in no self-stress.*Admissible: .*W4"),
        ("W4", r"2 equations are redundant, so 2 must go, not 1.*Admissible: "),
        ("W1,W2", r"take away an independent equation.*Admissible: W1,W3; W1,W4"),
        ("W4,W4", r"W4 is to be dropped twice"),
        ("B,W4", r"'B' has 2 rows; name those to drop: B\.x, B\.y"),
        ("H.z,W4", r"'H' has no row 'z'.*Did you mean 'Mz'"),
        ("0,W4", r"There is no row 0 to drop: rows count from 1 to 22"),
        ("W9,W4", r"There is no row or group 'W9'. Known: A, .*W4"),
    ],
)
def test_inadmissible_eliminations_are_refused(turning: reactio.Equations, rows: str, message: str) -> None:
    task = problem(turning.constraints, accelerations(turning).f, turning.M)
    with pytest.raises(reactio.ReactioError, match=message):
        share(task, f"elimination:{rows}")


def test_an_admissible_choice_can_become_inadmissible(turning: reactio.Equations) -> None:
    """Rows 3 and 5 (B.x and C.x) can go only while the robot turns."""
    start = reactio.equations(turning.system, reactio.assemble(turning.system))
    for row in ("B.x", "C.x"):
        share(problem(turning.constraints, accelerations(turning).f), f"elimination:{row},W4")
        with pytest.raises(InadmissibleElimination, match=f"{row} is in no self-stress"):
            share(problem(start.constraints, accelerations(start).f), f"elimination:{row},W4")


def test_every_listed_elimination_is_accepted(turning: reactio.Equations) -> None:
    task = problem(turning.constraints, accelerations(turning).f, turning.M)
    choices = list(task.answer.eliminations())
    assert len(choices) == 13  # 6 of B.x … W2 with W3, the same with W4, and W3 with W4
    for choice in choices:
        lam = share(task, "elimination:" + ",".join(str(i + 1) for i in choice))
        assert np.all(lam[list(choice)] == 0.0)


@pytest.mark.parametrize("name", ["door", "four-bar-spatial", "scissor-lattice", "sarrus"])
def test_automatic_elimination_is_admissible(name: str) -> None:
    eqs = moving(name)
    task = problem(eqs.constraints, accelerations(eqs).f, eqs.M)
    E = automatic(task)
    kept = np.delete(eqs.C.toarray(), E, axis=0)
    assert len(E) == task.answer.redundancy
    # Independent rows: NumPy's own decision, entries of order one.
    assert np.linalg.matrix_rank(kept, tol=1e-9) == len(kept) == task.answer.rank


def test_nothing_redundant_leaves_nothing_to_drop() -> None:
    eqs = moving("four-bar-planar")
    task = problem(eqs.constraints, accelerations(eqs).f, eqs.M)
    # One solution: all rules find it, to the rounding of a regular system of condition 1e3.
    assert share(task, "elimination") == pytest.approx(share(task, "pseudoinverse"), rel=1e-11, abs=1e-11)
    with pytest.raises(InadmissibleElimination, match="No row is redundant"):
        share(task, "elimination:A.x")


def test_augmented_lagrangian_converges_to_the_pseudoinverse(turning: reactio.Equations) -> None:
    task = problem(turning.constraints, accelerations(turning).f, turning.M)
    one, other = share(task, "augmented-lagrangian"), share(task, "pseudoinverse")
    assert one == pytest.approx(other, abs=1e-12 * np.abs(other).max())  # the limit is met to rounding


@pytest.mark.parametrize("rule", ["pseudoinverse", "null-space", "penalty"])
def test_diagonal_metrics_are_minimised(turning: reactio.Equations, rule: str) -> None:
    """NᵀWλ = 0: no self-stress makes λᵀWλ smaller."""
    task = problem(turning.constraints, accelerations(turning).f, turning.M)
    lam, N = share(task, rule), task.answer.N
    C, M = turning.C.toarray(), turning.M.toarray()
    W = {
        "pseudoinverse": np.ones(len(lam)),
        "null-space": task.answer.evidence.scaled.Dr**-2.0,
        "penalty": np.einsum("ij,jk,ik->i", C, np.linalg.inv(M), C),
    }[rule]
    assert np.abs(N.T @ (W * lam)).max() < 1e-12 * W.max()  # λ up to 0.1 N, rounding


def test_corners_of_a_box() -> None:
    """Box on corners (±1, ±1), weight 1 over (0.6, 0.6): bilateral minimum norm pulls on the far corner."""
    corners = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], dtype=float)
    C = np.column_stack([np.ones(4), corners[:, 1], -corners[:, 0]])  # rows: ż + y ω_x − x ω_y
    f = np.array([-1.0, -0.6, 0.6])  # Q at rest; λ = −(push of the floor)
    push = -share(problem(from_array(C, columns=["m/s", "rad/s", "rad/s"]), f), "pseudoinverse")
    assert push == pytest.approx([0.55, 0.25, -0.05, 0.25], abs=1e-14)  # a rank-3 problem in small numbers


def test_caller_s_order_of_rows_is_kept() -> None:
    """Groups given out of order: λ comes back in the rows of the caller, and numbers count those."""
    C = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    matrix = from_array(C, {"late": [2], "early": [1]})
    lam = share(problem(matrix, [3.0, 5.0]), "elimination:1")
    assert lam == pytest.approx([0.0, 5.0, 3.0], abs=1e-14)


def test_unknown_rules_and_arguments() -> None:
    task = problem(from_array([[1.0], [1.0]]), [1.0])
    with pytest.raises(reactio.ReactioError, match=r"no sharing rule 'inertai'.*'inertia'"):
        share(task, "inertai")
    with pytest.raises(reactio.ReactioError, match="takes nothing after its name; '3'"):
        share(task, "inertia:3")
    with pytest.raises(reactio.ReactioError, match="give the mass matrix M"):
        share(task, "inertia")
    with pytest.raises(reactio.ReactioError, match=r"f has shape \(2,\)"):
        problem(from_array([[1.0], [1.0]]), [1.0, 2.0])


def test_mass_matrix_that_couples_bodies() -> None:
    """Two columns called two bodies, coupled by M: shares are those of the same M without names."""
    C, f = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([1.0, 2.0])
    M = np.array([[2.0, 0.9], [0.9, 1.0]])
    bodies = ColumnTable(("a", "b"), np.array([0, 1, 2]))
    named = share(problem(from_array(C, columns=bodies), f, M), "inertia")
    assert named == pytest.approx(share(problem(from_array(C), f, M), "inertia"), rel=1e-13)
    with pytest.raises(reactio.ReactioError, match="mass matrix is 1 × 1; C has 2 columns"):
        problem(from_array(C), f, [[1.0]])


def test_loads_that_constraints_cannot_carry_are_refused() -> None:
    task = problem(from_array([[1.0, 0.0], [1.0, 0.0]]), [1.0, 1.0])
    with pytest.raises(reactio.ReactioError, match="does not balance the loads"):
        share(task, "null-space")


def test_a_rule_joins_from_outside(turning: reactio.Equations) -> None:
    """The same call that the folder uses; the residual is checked for everybody."""
    wrong = Rule("zero", "Nothing carries anything.", "none", "nobody", lambda p, _: np.zeros(p.matrix.shape[0]))
    register(wrong)
    try:
        with pytest.raises(reactio.ReactioError, match="'zero' does not balance"):
            share(problem(turning.constraints, accelerations(turning).f), "zero")
    finally:
        RULES.remove("zero")


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_rules_are_documented(rule: Rule) -> None:
    assert rule.doc.endswith(".")
    assert rule.W
    assert rule.cite


@pytest.fixture
def given() -> Iterator[Callable[[Callable[[Floats], Any]], None]]:
    """A rule from outside that makes something of the multipliers of least norm."""

    def known(made: Callable[[Floats], Any]) -> None:
        least = RULES.get("pseudoinverse").share
        register(Rule("mine", "Mine.", "λᵀλ", "", lambda problem, argument: made(least(problem, argument))))

    yield known
    RULES.remove("mine")


def test_a_rule_may_give_a_list(given: Callable[[Any], None]) -> None:
    given(list)
    eqs = reactio.equations(reactio.build(reactio.load("door")))
    mine, least = (reactio.reactions(eqs, rule) for rule in ("mine", "pseudoinverse"))
    np.testing.assert_array_equal(mine.lam, least.lam)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda lam: lam[:2], r"'mine' gives an array of the shape \(2,\); λ has one number for each of the 15 rows"),
        (lambda lam: None, "'mine' gives an array of the shape"),
        (lambda lam: {"hinge1": 3}, "'mine' gives {'hinge1': 3}; λ, 15 numbers, is needed"),
    ],
)
def test_a_rule_that_gives_no_multipliers_is_refused(made: Any, words: str, given: Callable[[Any], None]) -> None:
    given(made)
    eqs = reactio.equations(reactio.build(reactio.load("door")))
    with pytest.raises(ReactioError, match=words):
        reactio.reactions(eqs, "mine")


def test_a_state_of_another_system_is_refused() -> None:
    with pytest.raises(ReactioError, match=r"has \(2,\) coordinates and \(3,\) velocities; 7 and 6 are needed"):
        reactio.equations(reactio.build(reactio.load("door")), reactio.State(0.0, np.zeros(2), np.zeros(3)))
