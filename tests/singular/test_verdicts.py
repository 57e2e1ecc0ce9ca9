"""Verdicts at singular poses: other dimensions and planes, several loops, drives, end stops, passive groups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.singular.passages.singularities import Singularity
from reactio.singular.second_order.branch_start import on_branch
from reactio.singular.second_order.branches import Branch, study
from reactio.singular.second_order.drive_path import drive_path
from reactio.system.types import System


def row(crank: float, bases: Sequence[float], theta: float = 0.0, frame: Floats | None = None, tag: str = "") -> str:
    """Parallelograms in a row: cranks of one length on ground at distances ``bases``; in a plane in space."""
    feet, (c, s) = np.r_[0.0, np.cumsum(bases)], crank * np.array([np.cos(theta), np.sin(theta)])

    def at(x: float, y: float) -> list[float]:
        return [float(x), float(y)] if frame is None else (frame @ [x, y, 0.5]).tolist()

    inertia = 0.1 if frame is None else [0.1, 0.1, 0.1]
    axis = "" if frame is None else f", axis: {frame[:, 2].tolist()}"
    bodies = [
        f"  c{i}{tag}: {{mass: 1, inertia: {inertia}, position: {at(x + c / 2, s / 2)}}}" for i, x in enumerate(feet)
    ]
    joints = [
        f"  G{i}{tag}: {{type: revolute, bodies: [ground, c{i}{tag}], at: {at(x, 0)}{axis}}}"
        for i, x in enumerate(feet)
    ]
    for i in range(len(bases)):
        bodies += [f"  k{i}{tag}: {{mass: 1, inertia: {inertia}, position: {at(feet[i] + c, s)}}}"]
        for letter, foot, crank_name in (("A", feet[i], f"c{i}{tag}"), ("B", feet[i + 1], f"c{i + 1}{tag}")):
            place = at(foot + c, s)
            joints += [f"  {letter}{i}{tag}: {{type: revolute, bodies: [{crank_name}, k{i}{tag}], at: {place}{axis}}}"]
    return "\n".join([*bodies, "joints:", *joints])


def system_of(*texts: str, space: str = "planar", drives: str = "") -> System:
    parts = [text.split("\njoints:\n") for text in texts]
    bodies, joints = ("\n".join(part[k] for part in parts) for k in (0, 1))
    text = f"space: {space}\nbodies:\n{bodies}\njoints:\n{joints}\n{drives}"
    return reactio.build(reactio.parse_model(text))


def motor(joint: str, function: str) -> str:
    return f'drives:\n  motor: {{joint: {joint}, function: "{function}"}}\n'


def enumerated(crank: float, bases: Sequence[float]) -> list[Floats]:
    """Crank rates of every way out of the flat pose.

    A loop with crank r and base l asks (b − a) [r (b − a) − l (b + a)] = 0 of its crank rates a, b, by its closure to
    second order.  From the last crank backwards: b = 0 forces a = 0, else a = b or a = b (r − l)/(r + l).
    """
    ways = [np.array([1.0])]
    for base in reversed(bases):
        ways = [
            np.r_[a, way]
            for way in ways
            for a in ((way[0], way[0] * (crank - base) / (crank + base)) if way[0] else (0.0,))
        ]
    return ways


def rates(system: System, branch: Branch, count: int) -> Floats:
    """Crank rates along a branch, the last one 1."""
    found = np.array([branch.direction[system.body_v[system.model.body_index[f"c{i}"]] + 2] for i in range(count)])
    return np.asarray(found / found[-1])


# All bars alike, none alike, a mixture, a chain in which loops fold one after the other.
DIMENSIONS = [(1.0, [1.0]), (1.0, [2.0, 1.5]), (0.4, [0.3, 0.4]), (1.0, [2.0, 1.0, 3.0]), (2.0, [2.0, 2.0, 2.0, 2.0])]


@pytest.mark.parametrize(("crank", "bases"), DIMENSIONS)
def test_flat_rows_of_other_dimensions_by_enumeration(crank: float, bases: list[float]) -> None:
    system, wanted = system_of(row(crank, bases)), enumerated(crank, bases)
    found = reactio.mobility(system)
    assert (found.differential, found.finite, found.shaky) == (len(bases) + 1, 1, False)
    made = [rates(system, b, len(bases) + 1) for b in found.branches]
    assert len(made) == len(wanted) == len(found.study.found)
    for way in wanted:
        assert min(np.abs(way - other).max() for other in made) < 1e-7  # linear algebra on forms good to rounding


def test_the_same_in_a_turned_plane_in_space() -> None:
    Q = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 3)))[0]
    system = system_of(row(1.0, [2.0, 1.5], frame=Q * np.linalg.det(Q)), space="spatial")
    found = reactio.mobility(system)
    assert (found.gruebler, found.differential, found.finite, len(found.branches)) == (-5, 3, 1, 4)
    assert found.passive == ()


@pytest.mark.parametrize("N", [1, 3, 10])
def test_n_flat_loops_have_n_and_one_branches(N: int) -> None:
    """a_i (a_i − a_{i+1}) = 0: the cranks up to some place rest, those behind it turn together; N + 1 variables."""
    system = reactio.build(reactio.load("n-four-bar", N=N, theta=0))
    found = study(system, reactio.assemble(system))
    assert found.decided
    assert [b.status for b in found.found] == ["real"] * (N + 1)
    turning = sorted(int((np.abs(b.direction[2::3][[0, *range(2, 2 * N + 1, 2)]]) > 1e-6).sum()) for b in found.real)
    assert turning == list(range(1, N + 2))


PENDULUM = (
    "  bob: {mass: 1, inertia: 0.1, position: [2, -0.5]}\njoints:\n  P: {type: revolute, bodies: [k0, bob], at: [2, 0]}"
)


def test_a_pendulum_on_the_coupler_is_a_freedom_of_every_branch() -> None:
    found = reactio.mobility(system_of(row(1.0, [2.0]), PENDULUM))
    assert (found.differential, found.finite, found.shaky) == (3, 2, False)
    assert [(b.status, b.dimension) for b in found.study.found] == [("real", 2)] * 2
    assert found.passive == ()  # it hangs on one body only


def test_loops_on_a_common_ground_multiply() -> None:
    found = reactio.mobility(system_of(row(1.0, [2.0]), row(1.0, [1.0], tag="x")))
    assert (found.differential, found.finite) == (4, 2)
    assert [(b.status, b.dimension) for b in found.study.found] == [("real", 2)] * 4


def passage(system: System, until: float) -> Singularity:
    (event,) = reactio.singularities(system, until).events
    return event


def test_a_driven_passage_has_branches_at_the_speed_of_the_drive() -> None:
    """Cranks from 1.2 rad at −2 rad/s, flat at 0.6 s; then parallel, or the second at (r + l)/(r − l) = −3 times."""
    system = system_of(row(1.0, [2.0], 1.2), drives=motor("G0", "-2*t"))
    event = passage(system, 1.0)
    assert event.t == pytest.approx(0.6, abs=1e-9)
    assert (event.rank_before, event.rank_at, event.rank_after, event.verdict) == (9, 8, 9, "bifurcation")
    assert [(b.status, b.dimension, b.driven) for b in event.study.found] == [("real", 0, True)] * 2
    second = [b.direction[5] for b in event.study.found]  # bodies in their order: c0, c1, k0
    assert second == pytest.approx([-2.0, 6.0], abs=1e-6)  # the way the motion is on comes first
    folded = on_branch(system, event.state, event.study.found[1])
    run = reactio.simulate(system, folded.t + 0.3, state=folded)
    assert run.status.name == "DONE"
    # The crossed parallelogram: tan(b/2) = tan(a/2) (r + l)/(r − l), from its closure.
    a, b = run.q[-1, 2] + 1.2, run.q[-1, 5] + 1.2
    assert np.tan(b / 2) == pytest.approx(-3 * np.tan(a / 2), abs=1e-7)


def test_branches_along_which_the_drive_rests() -> None:
    """All bars alike: the first crank driven, the rest may fold only about a crank that stands."""
    event = passage(system_of(row(1.0, [1.0, 1.0], 1.2), drives=motor("G0", "-2*t")), 1.0)
    assert event.verdict == "bifurcation"
    assert [(b.status, b.driven) for b in event.study.found] == [("real", True), ("real", False), ("real", False)]


def test_a_driven_mechanism_with_a_freedom_left() -> None:
    system = system_of(row(1.0, [2.0]), PENDULUM, drives=motor("G0", "-2*t"))
    assert [(b.status, b.dimension, b.driven) for b in reactio.branches(system)] == [("real", 1, True)] * 2
    assert reactio.mobility(system).finite == 1  # the drive held: the pendulum


def test_two_drives_whose_ratio_changes() -> None:
    """κ: the curvature of the path in the space of both drives; 2 × 2 branches, both drives moving on each."""
    drives = 'drives:\n  m: {joint: G0, function: "-2*t"}\n  x: {joint: G0x, function: "t + 3*t**2"}\n'
    system = system_of(row(1.0, [2.0]), row(1.0, [2.0], tag="x"), drives=drives)
    path = drive_path(system, reactio.assemble(system))
    assert path is not None
    assert path.rate == pytest.approx(np.sqrt(5.0) * system.length)
    assert abs(path.d @ path.kappa) < 1e-15
    assert np.linalg.norm(path.kappa) > 0.1
    assert [(b.status, b.driven) for b in reactio.branches(system)] == [("real", True)] * 4


TOUCHES = ["(t-1)**2 - 1", "(t-1)**2*(1 + 0.3*t) - 1", "(1-cos(3*(t-1)))/(1-cos(3)) - 1"]


@pytest.mark.parametrize("function", TOUCHES)
def test_a_touched_singular_pose_is_located_by_its_slope(function: str) -> None:
    """The crank comes down to 0 at t = 1 s and turns back: σ grows like (t − 1)²."""
    event = passage(system_of(row(1.0, [2.0], 1.0), drives=motor("G0", function)), 2.0)
    assert event.t == pytest.approx(1.0, abs=1e-8)
    assert event.verdict == "bifurcation"  # it may leave parallel or crossed
    assert [(b.status, b.driven) for b in event.study.found] == [("real", True)] * 2


SLIDER = """  crank: {mass: 1, inertia: 0.1, position: [0.5*cos(0.3), 0.5*sin(0.3)], angle: 0.3}
  rod: {mass: 1, inertia: 0.1, position: [1.5*cos(0.3), 0.5*sin(0.3)], angle: -0.3}
  block: {mass: 1, inertia: 0.1, position: [2*cos(0.3), 0]}
joints:
  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}
  B: {type: revolute, bodies: [crank, rod], at: [cos(0.3), sin(0.3)]}
  C: {type: revolute, bodies: [rod, block], at: [2*cos(0.3), 0]}
  S: {type: translational, bodies: [ground, block], at: [2*cos(0.3), 0], axis: [1, 0]}"""


def test_a_dead_centre_that_the_drive_just_reaches() -> None:
    """x = 2 cos φ = 2 − c (t − 1)²: the crank swings through or back, φ̇ = ± √c."""
    c = float(2 - 2 * np.cos(0.3))
    event = passage(system_of(SLIDER, drives=motor("S", f"{c!r}*(1-(t-1)**2)")), 2.0)
    assert event.t == pytest.approx(1.0, abs=1e-8)
    assert event.verdict == "bifurcation"
    speeds = sorted(float(b.direction[2]) for b in event.study.real)
    assert speeds == pytest.approx([-np.sqrt(c), np.sqrt(c)], abs=1e-6)


STOPPED = "gravity: [0, -9.81]\nstops:\n  bumper: {along: G0, lower: -1.8, restitution: 0.9}\n"


def test_end_stops_act_as_in_a_run() -> None:
    """The cranks fall through the flat pose, 1.2 rad down, hit their stop and come back through it."""
    system = system_of(row(1.0, [2.0], 1.2), drives=STOPPED)
    found = reactio.singularities(system, 2.0)
    run = reactio.simulate(system, 2.0, tol=1e-11)
    impacts = [one.t for one in run.events]
    assert len(impacts) >= 1
    crossed = [e.t for e in found.events]
    assert crossed[0] < impacts[0] < crossed[1]
    signs = np.sign(run.q[:, 2] + 1.2)
    assert len(crossed) == int((signs[1:] * signs[:-1] < 0).sum())  # as often as the run passes the flat pose
    assert all(e.verdict == "bifurcation" for e in found.events)


LINKS = """
space: spatial
bodies:
  link1: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0.25]}
  link2: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, 0, 0.25]}
  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2.5, 0, 0]}
joints:
  S1: {type: spherical, bodies: [ground, link1], at: [0, 0, 0]}
  R:  {type: revolute, bodies: [link1, link2], at: [1, 0, 0.5], axis: [0, 1, 0]}
  S2: {type: spherical, bodies: [link2, crank], at: [2, 0, 0]}
  G:  {type: revolute, bodies: [ground, crank], at: [3, 0, 0], axis: [0, 1, 0]}
"""
COLLAR = """
space: spatial
bodies:
  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
  collar: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0.5]}
joints:
  S1: {type: spherical, bodies: [ground, rod], at: [0, 0, 0]}
  P:  {type: prismatic, bodies: [rod, collar], at: [0.5, 0, 0], axis: [1, 0, 0]}
  S2: {type: spherical, bodies: [rod, crank], at: [2, 0, 0]}
  G:  {type: revolute, bodies: [ground, crank], at: [2, 0, 1], axis: [0, 1, 0]}
"""
TOGETHER = "spin together about the line through S1 and S2"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LINKS, f"link1 and link2 {TOGETHER}"),
        (COLLAR, f"rod and collar {TOGETHER}"),
        (COLLAR.replace("prismatic", "cylindrical"), "rod spins about its own axis"),  # the collar hangs on one body
    ],
)
def test_passive_freedoms_of_several_bodies(text: str, words: str) -> None:
    found = reactio.mobility(reactio.parse_model(text))
    assert [p.words for p in found.passive] == [words]
    v = found.passive[0].velocity
    assert np.abs(reactio.equations(found.system, found.state).C @ v).max() < 1e-12
    assert np.abs(v[12:]).max() == 0.0  # the crank rests
