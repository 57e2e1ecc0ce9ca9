"""True branches: how many, which, and motions started on each of them."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.simulation.energy import energy
from reactio.singular.minimal.run import run_in_minimal_coordinates
from reactio.singular.second_order.branch_start import on_branch
from reactio.singular.second_order.branches import Branch, study
from reactio.singular.second_order.null_spaces import null_spaces
from reactio.singular.second_order.quadratic_forms import bilinear_Gamma, forms
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

FLAT = reactio.build(reactio.load("double-four-bar", theta=0))
# Cranks 1, 3, 5 and couplers 2, 4 of the three ways to leave the flat pose: a parallelogram in both loops; the first
# loop folded about its second hinge; the second loop folded about its last.
SHAPES: dict[tuple[int, ...], str] = {
    (1, 0, 1, 0, 1): "parallel",
    (0, 1, 1, 0, 1): "first folded",
    (0, 0, 0, 1, 1): "second folded",
}


def shape_of(rates: Floats) -> tuple[int, ...]:
    """Which bars turn, all at the same rate."""
    turning = np.abs(rates) > 1e-6 * np.abs(rates).max()
    assert np.ptp(np.abs(rates[turning])) < 1e-6 * np.abs(rates).max()
    return tuple(turning.astype(int).tolist())


def named() -> dict[str, Branch]:
    return {SHAPES[shape_of(b.direction[2::3])]: b for b in reactio.branches(FLAT)}


def total(system: System, state: State) -> float:
    return energy(system, state.t, state.q, state.v, np.zeros(system.m)).total


def test_the_flat_double_four_bar_has_exactly_three_real_branches() -> None:
    found = study(FLAT, reactio.assemble(FLAT))
    assert found.decided
    assert [b.status for b in found.found] == ["real"] * 3
    assert set(named()) == set(SHAPES.values())
    assert all(b.both_ways and b.dimension == 1 for b in found.real)
    # Where the second loop is folded the first stays stretched: its middle hinge is loose at first order for ever.
    assert {name: b.shaky for name, b in named().items()} == {
        "parallel": False, "first folded": False, "second folded": True,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["modified-double-four-bar", "modified-triple-four-bar"])
def test_the_modified_ones_have_only_their_regular_motion(name: str) -> None:
    system = reactio.build(reactio.load(name, theta=0))
    (only,) = reactio.branches(system)
    cranks = only.direction[2::3][:-1]
    assert np.ptp(cranks) < 1e-6 * np.abs(cranks).max()  # parallel cranks
    assert only.direction[-1] == pytest.approx(0, abs=1e-7)  # the bar on top does not turn


def test_second_order_conditions_of_the_flat_loops() -> None:
    """The forms span a₁(a₁ − a₂) and a₂(a₂ − a₃) of the crank rates, worked out by hand from the flat pose."""
    at = null_spaces(FLAT, reactio.assemble(FLAT))
    A = forms(at)
    rates = at.velocities(at.V)[[2, 8, 14]]  # (3, 3) crank rates of the basis
    inverse = np.linalg.inv(rates)
    in_rates = np.einsum("ia,kij,jb->kab", inverse, A, inverse)
    wanted = np.zeros((2, 3, 3))
    wanted[0, 0, 0], wanted[1, 1, 1] = 1, 1
    wanted[0, 0, 1] = wanted[0, 1, 0] = wanted[1, 1, 2] = wanted[1, 2, 1] = -0.5
    basis = wanted.reshape(2, 9).T
    fit = basis @ np.linalg.lstsq(basis, in_rates.reshape(2, 9).T, rcond=None)[0]
    assert fit == pytest.approx(in_rates.reshape(2, 9).T, abs=1e-12)
    assert np.linalg.matrix_rank(in_rates.reshape(2, 9), 1e-6) == 2


def test_bending_is_the_second_derivative_of_the_constraints() -> None:
    """Φ(q ⊕ h v) = Φ + h C v − ½ h² Γ₂(v, v) + …, by a second difference, also for bodies in space."""
    system = reactio.build(reactio.load("sarrus"))
    state = reactio.assemble(system)
    random = np.random.default_rng(2)
    v, h = random.standard_normal((system.n, 1)), 1e-4
    Phi = [
        reactio.equations(system, State(0.0, advance(system, state.q, s * h * v[:, 0]), np.zeros(system.n))).Phi
        for s in (-1, 0, 1)
    ]
    second = (Phi[0] - 2 * Phi[1] + Phi[2]) / h**2
    # exp(h ω) turns at constant rate: v̇ = 0 along the way; rounding 1e-16/h², truncation h².
    assert -bilinear_Gamma(system, state, v)[0, 0] == pytest.approx(second, abs=1e-6)


@pytest.mark.parametrize("name", ["parallel", "first folded"])
@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_a_simulation_follows_its_branch_and_keeps_its_energy(name: str, speed: float) -> None:
    begin = on_branch(FLAT, reactio.assemble(FLAT), named()[name], speed)
    assert np.abs(begin.v).max() == pytest.approx(1.0)
    run = reactio.simulate(FLAT, 0.9, state=begin)
    assert run.status.name == "DONE"
    assert run.energy_error == pytest.approx(0.0, abs=1e-8)  # 1e-9 a step, some fifty steps
    for row in range(0, len(run.t), 5):
        if np.abs(run.q[row, 2::3]).max() > 1e-3:
            assert SHAPES[shape_of(run.v[row, 2::3])] == name


def test_a_branch_that_stays_shaky_is_followed_in_minimal_coordinates() -> None:
    """Two motions are admissible all the way and one is real; gravity pulls along the other, to no effect."""
    branch = named()["second folded"]
    begin = on_branch(FLAT, reactio.assemble(FLAT), branch, energy=1.0)
    assert energy(FLAT, 0.0, begin.q, begin.v, np.zeros(FLAT.m)).kinetic == pytest.approx(1.0)
    run = run_in_minimal_coordinates(FLAT, begin, 0.3, 0.03, size=1)
    assert null_spaces(FLAT, run.state(-1)).differential == 2
    energies = [total(FLAT, run.state(k)) for k in range(len(run.t))]
    assert np.ptp(energies) < 1e-7  # of about ten joule: order 8 with steps of 0.03 s
    assert run.q[-1, [2, 5, 8]] == pytest.approx(0, abs=1e-9)  # the first loop stays flat
    # Bars 4 and 5 are one pendulum about (2, 0): (2/3) φ̈ = −g cos φ, checked by its energy at the end.
    assert 0.5 * (2 / 3) * run.v[-1, 14] ** 2 + 9.81 * np.sin(run.q[-1, 14]) == pytest.approx(energies[0], abs=1e-7)


def test_by_default_a_motion_stays_on_its_branch() -> None:
    begin = on_branch(FLAT, reactio.assemble(FLAT), named()["first folded"], -2.0)
    run = reactio.simulate(FLAT, 2.5, state=begin, tol=1e-10)
    crank = run.q[:, 14]
    assert np.ptp(crank) > np.pi  # it has been through the flat pose on the other side
    # Crank 1 and coupler 4 rest: rounding over the distance to the flat pose at the end of a step.
    assert np.abs(run.q[:, [2, 11]]).max() < 1e-7


def test_a_real_branch_of_several_freedoms() -> None:
    """Folded flat, each chain of the Sarrus linkage swings as one piece, independently of the other."""
    system = reactio.build(reactio.load("sarrus", fold=0))
    sizes = sorted(b.dimension for b in reactio.branches(system))
    assert sizes == [1, 2]


def test_bad_requests_are_refused() -> None:
    state, branch = reactio.assemble(FLAT), reactio.branches(FLAT)[0]
    with pytest.raises(reactio.ReactioError, match="either a speed or an energy"):
        on_branch(FLAT, state, branch)
    with pytest.raises(reactio.ReactioError, match="not zero"):
        on_branch(FLAT, state, branch, 0.0)
    with pytest.raises(reactio.ReactioError, match="not zero"):
        on_branch(FLAT, state, branch, energy=-1.0)
    with pytest.raises(reactio.ReactioError, match="reach"):
        on_branch(FLAT, state, branch, 1.0, reach=5.0)
    with pytest.raises(reactio.ReactioError, match="give a velocity along the branch"):
        run_in_minimal_coordinates(FLAT, state, 0.1, 0.05, size=2)
