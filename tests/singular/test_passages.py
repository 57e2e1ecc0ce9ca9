"""Singular configurations along a motion: published ranks, exact times, smooth bases, no loss of accuracy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.integrate import quad

import reactio
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND, End
from reactio.integrate.integrator import integrate
from reactio.integrate.status import Status
from reactio.kinematics.scaled_matrix import scaled_matrix
from reactio.linear.pivoted import pivoted
from reactio.model.model import Model
from reactio.model.specs import Body, Joint
from reactio.singular.passages.continued_bases import bases
from reactio.singular.passages.locate import sign_changes
from reactio.singular.passages.singularities import Singularities
from reactio.system.types import State, System

G = 9.81
# Masarati, Quro & Zanoni 2023, Sects 3.2–3.5: rank away from and at the singular points, diagonal elements of R that
# vanish there; the real branches follow from a_i (a_i − a_{i+1}) = 0 and from the rigid bar on top.
PUBLISHED = {
    "double-four-bar": (14, 12, 2, 3, "bifurcation"),
    "modified-double-four-bar": (11, 10, 1, 1, "infinitesimal"),
    "modified-triple-four-bar": (14, 13, 1, 1, "infinitesimal"),
    "two-by-two-four-bar": (22, 21, 1, 1, "infinitesimal"),
}
# Inertia about the hinges [kg m²] and weight times arm [N m] of mechanisms whose cranks stay parallel.
PARALLEL = {
    "double-four-bar": (3 / 3 + 2, G * (3 / 2 + 2)),
    "modified-double-four-bar": (3 / 3 + 2, G * (3 / 2 + 2)),
    "modified-triple-four-bar": (4 / 3 + 3, G * (4 / 2 + 3)),
}
UNTIL = {"two-by-two-four-bar": 1.7}


@cache
def system_of(name: str) -> System:
    return reactio.build(reactio.load(name))


@cache
def found_in(name: str) -> Singularities:
    return reactio.singularities(system_of(name), UNTIL.get(name, 1.4))


def time_between(start: float, end: float, inertia: float, weight: float) -> float:
    """From upright at 1 rad/s: θ̇² = 1 + 2 w (1 − sin θ), w = weight/inertia, hence t = ∫ dθ/θ̇."""
    w = weight / inertia
    return float(quad(lambda a: 1 / np.sqrt(1 + 2 * w * (1 - np.sin(a))), end, start, epsabs=1e-13, epsrel=1e-13)[0])


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_ranks_and_vanishing_diagonal_elements(name: str) -> None:
    generic, at, vanishing, count, verdict = PUBLISHED[name]
    found = found_in(name)
    assert found.rank == generic
    assert len(found.events) == (4 if name == "two-by-two-four-bar" else 2)
    for event in found.events:
        assert (event.rank_before, event.rank_at, event.rank_after) == (generic, at, generic)
        assert (len(event.study.real), event.verdict) == (count, verdict)
        assert event.new.shape[1] == generic - at
        assert event.closing_singular_value < 1e-9  # located to 1e-11 s, slopes of about one per second
        C = scaled_matrix(reactio.equations(found.system, event.state))
        diagonal = pivoted(C).diagonal[:generic]
        assert int((diagonal < 1e-7).sum()) == vanishing


@pytest.mark.parametrize("name", PARALLEL)
def test_times_against_the_exact_solution(name: str) -> None:
    exact = [time_between(np.pi / 2, angle, *PARALLEL[name]) for angle in (0.0, -np.pi)]
    assert [event.t for event in found_in(name).events] == pytest.approx(exact, abs=1e-8)


def test_passages_of_the_two_by_two_mechanism() -> None:
    """Sect. 3.5: bar 1 is horizontal near 0.7 and 1.4 s, bar 5 near 0.9 and 1.55 s."""
    events = found_in("two-by-two-four-bar").events
    assert [event.t for event in events] == pytest.approx([0.7, 0.9, 1.4, 1.55], abs=0.03)  # as they are printed
    flat = [event.state.q[[2, 14]] for event in events]
    for theta, k in zip(flat, (0, 1, 0, 1), strict=True):
        assert np.sin(theta[k]) == pytest.approx(0, abs=1e-9)  # 1e-11 s times some 5 rad/s, and the polish
        assert abs(np.sin(theta[1 - k])) > 0.1


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_opens_up(name: str) -> None:
    """New motions are admissible and at right angles to the one that goes on, which is the motion itself."""
    found = found_in(name)
    for event in found.events:
        C = reactio.equations(found.system, event.state).C
        assert np.abs(C @ np.hstack([event.continued, event.new])).max() < 1e-9  # the located pose
        assert np.abs(event.continued.T @ event.new).max() < 1e-12  # lengths are 1 m: metres are plain numbers
        v = event.state.v / np.linalg.norm(event.state.v)
        assert np.linalg.norm(v - event.continued @ (event.continued.T @ v)) < 1e-5  # T from both sides: 1e-3 squared
        assert len(event.stresses) == event.new.shape[1]  # square growth: each new motion brings a self-stress
        for stress in event.stresses:
            assert np.abs(C.T @ stress.lam).max() < 1e-9


def test_reactions_that_stop_being_unique() -> None:
    event = found_in("double-four-bar").events[0]
    assert event.opened == ("A", "B", "C", "D", "E", "F", "G")


def test_sarrus_is_classified_folded_and_stretched() -> None:
    """30 × 30, rank 29; folded flat each chain may swing as one piece, stretched the chains may fold either way."""
    found = reactio.singularities(reactio.load("sarrus"), 0.5)
    assert found.rank == 29
    folded, stretched = found.events
    assert (folded.rank_at, stretched.rank_at) == (27, 28)
    assert (folded.verdict, stretched.verdict) == ("bifurcation", "bifurcation")
    assert sorted(b.dimension for b in folded.study.real) == [1, 2]
    assert [b.dimension for b in stretched.study.real] == [1, 1]
    platform = system_of("sarrus").model.body_index["platform"]
    heights = [event.state.q[7 * platform + 2] for event in (folded, stretched)]
    assert heights == pytest.approx([0.0, -0.6], abs=1e-9)  # 2 l = 0.6 m below


def test_the_pendulum_with_two_equal_constraints_is_never_singular() -> None:
    """Sect. 3.1: 2 × 2, rank 1 everywhere; redundant, yet no singular configuration."""
    found = reactio.singularities(reactio.load("pendulum-twice"), 2.0)
    assert (found.rank, found.events) == (1, ())


def test_regular_motions_have_no_events() -> None:
    found = reactio.singularities(reactio.load("four-bar-spatial"), 0.6)
    assert found.events == ()
    assert found.sigma.min() > 0.01


@pytest.mark.parametrize(("name", "size"), [("modified-triple-four-bar", 1), ("two-by-two-four-bar", 2)])
def test_figures_10_11_and_15(name: str, size: int) -> None:
    """T and u are smooth when continued and jump when made afresh; both describe the same motion."""
    system = system_of(name)
    found = bases(system, reactio.assemble(system), np.linspace(0.0, 1.6, 401))
    assert found.smooth.shape[2] == size
    # In 4 ms bars turn by 0.04 rad at most, entries of T change by as much; a fresh basis changes by its own size.
    assert found.jump("smooth") < 0.04
    assert found.jump("plain") > 0.5
    # θ̈ ≤ 20 rad/s² on two or three metres: 0.25 m/s in 4 ms.
    assert found.jump("u_smooth") < 0.4
    assert found.jump("u_plain") > 5.0
    assert found.jump("N_smooth") < 0.04
    assert found.jump("N_plain") > 0.5
    sizes = np.linalg.norm(found.u_plain, axis=1)
    assert np.linalg.norm(found.u_smooth, axis=1) == pytest.approx(sizes, abs=1e-8)


def pendulum() -> Model:
    """One bar that moves like two four-bars: θ̈ = −3.5 g cos θ / 3, and no singular configuration."""
    inertia, weight = PARALLEL["double-four-bar"]
    bar = Body("bar", 1.0, (G * 0.5 * inertia / weight - 0.25,), (0.0, 0.5), (np.pi / 2,), (0.5, 0.0), (-1.0,))
    hinge = Joint("A", "revolute", End(GROUND, (0.0, 0.0)), End("bar", (-0.5, 0.0)))
    return Model("pendulum", "planar", (bar,), (hinge,), gravity=(0.0, -G))


def test_a_hundred_passages_cost_no_accuracy() -> None:
    """After fifty turns the cranks are where they began; a pendulum of the same equation has no passage at all."""
    inertia, weight = PARALLEL["double-four-bar"]
    until = 50 * time_between(np.pi / 2, np.pi / 2 - 2 * np.pi, inertia, weight)
    errors = []
    for system in (system_of("double-four-bar"), reactio.build(pendulum())):
        run = integrate(system, reactio.assemble(system), until, tol=1e-11, output=[until], chunk=100_000)
        assert run.status is Status.DONE
        errors.append(abs(run.q[-1, 2] - (np.pi / 2 - 100 * np.pi)))
    # 1e-11 a step, some 5,000 steps; steps fall elsewhere in the two runs, so that errors differ by a factor.
    assert errors[0] < 1e-7
    assert errors[0] < 10 * max(errors[1], 1e-9)


@pytest.mark.parametrize("after", [1e-4, 2e-3, 1e-2, 5e-2])
def test_passages_at_the_very_end_and_beginning_are_seen(after: float) -> None:
    """However short the way before or behind a passage is."""
    system, (t, _) = system_of("modified-double-four-bar"), (e.t for e in found_in("modified-double-four-bar").events)
    ended = reactio.singularities(system, t + after)
    assert [event.t for event in ended.events] == pytest.approx([t], abs=1e-8)
    run = integrate(system, reactio.assemble(system), t - after, tol=1e-12, output=[t - after])
    begun = reactio.singularities(system, t + 0.1, state=State(t - after, run.q[0], run.v[0]))
    # A state so close to a singular pose is itself off by rounding over the distance: 1e-12/1e-4.
    assert [event.t for event in begun.events] == pytest.approx([t], abs=1e-8 if after > 1e-3 else 1e-7)


def test_rest_is_a_motion_too() -> None:
    assert reactio.singularities(reactio.load("door"), 1.0).events == ()


def test_a_start_in_a_singular_pose_is_said() -> None:
    """The velocities say which branch is meant, so the motion goes on; at rest nothing does."""
    found = reactio.singularities(reactio.load("double-four-bar", theta=0, omega=1), 0.1)
    (event,) = found.events
    assert event.t == 0.0
    assert (event.rank_before, event.rank_at, event.rank_after) == (None, 12, 14)
    assert [branch.status for branch in event.study.found] == ["real"] * 3  # one for each sign pattern of two loops
    assert found.note == ""
    with pytest.raises(reactio.ReactioError, match="at rest in a singular pose"):
        reactio.singularities(reactio.load("double-four-bar", theta=0, omega=0), 0.1)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(reactio.ReactioError, match="cannot be followed until -1 s"):
        reactio.singularities(system_of("double-four-bar"), -1.0)
    free = Model("free", "planar", (Body("b", 1.0, (1.0,), (0.0, 0.0)),), ())
    with pytest.raises(reactio.ReactioError, match="no constraints"):
        reactio.singularities(free, 1.0)


def _bent(parts: Floats) -> Floats:
    """Two singular values with signs, turned about: one passes zero at 0.3, the other keeps away."""
    turn = np.array([[np.cos(parts), np.sin(parts)], [-np.sin(parts), np.cos(parts)]])
    return np.asarray(turn @ np.diag([0.3 - parts + (parts - 0.3) ** 2, 0.2 + 0.1 * parts]) @ turn)


@pytest.mark.parametrize(("begin", "end", "count"), [(0.0, 0.6, 1), (0.25, 0.35, 1), (0.31, 0.6, 0), (0.0, 0.29, 0)])
def test_signs_tell_a_passage_from_a_near_miss(begin: float, end: float, count: int) -> None:
    """Sizes of singular values alone do not: they bend, and change places with each other."""
    found = sign_changes(_bent(np.array(begin)), _bent(np.array(end)), 2)
    assert len(found) == count


def test_two_that_pass_together_are_both_seen() -> None:
    """det C keeps its sign there."""
    assert sign_changes(np.diag([1.0, 0.2, 0.3]), np.diag([1.0, -0.2, -0.2]), 3) == pytest.approx([0.5, 0.6])
