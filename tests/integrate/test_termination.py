"""Every status with which a run ends, in the middle of it: the object, the numbers and the remedy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import reactio
from reactio.forward_dynamics.friction import jamming
from reactio.integrate.status import STATUS_OF_REFUSAL, Status
from reactio.integrate.termination import SENTENCES
from reactio.simulation.simulate import checked, simulate
from reactio.simulation.trajectory import Trajectory

BAR = """
space: planar
gravity: [0, -9.81]
bodies: {bar: {mass: 1, inertia: 1/12, position: [0.5, 0], velocity: [0, 0.5], angular_velocity: 1}}
joints: {A: {type: revolute, bodies: [ground, bar], at: [0, 0]}}
"""
# A massless crank whose rod reaches its dead centre at t = 1 s, where nothing holds it any more.
DEAD_CENTRE = """
space: planar
bodies:
  crank: {mass: 0, inertia: 0, angle: acos(0.65)}
  slider: {mass: 1, inertia: 1, position: [2.5, 0], velocity: [2, 0]}
joints:
  A: {type: revolute, a: ground, b: crank}
  S: {type: translational, a: ground, b: slider, axis: [1, 0]}
  R: {type: distance, a: {body: crank, point: [1, 0]}, b: slider, length: 2}
drives: {push: {joint: S, function: "3 - 0.5*max(0, 1 - t)**4"}}
"""


def rods(theta: float, extra: str) -> str:
    """A plate on three parallel rods with feet at (0, 0), (1, 0) and (0.3, 1): the axial force of one is not unique.

    Where the rods lie along the line of the first two feet, θ = 0, these two share alone, and the third is unique.
    """
    feet, x, y = {1: (0.0, 0.0), 2: (1.0, 0.0), 3: (0.3, 1.0)}, float(np.cos(theta)), float(np.sin(theta))
    bodies = "".join(
        f"  r{k}: {{mass: 0.1, inertia: 0.01, position: [{a + x / 2}, {b + y / 2}], angle: {theta}}}\n"
        for k, (a, b) in feet.items()
    )
    joints = "".join(
        f"  A{k}: {{type: revolute, bodies: [ground, r{k}], at: [{a}, {b}]}}\n"
        f"  B{k}: {{type: revolute, bodies: [r{k}, plate], at: [{a + x}, {b + y}]}}\n"
        for k, (a, b) in feet.items()
    )
    plate = f"  plate: {{mass: 1, inertia: 0.2, position: [{0.5 + x}, {0.3 + y}]}}\n"
    return f"space: planar\ngravity: [0, -9.81]\nbodies:\n{bodies}{plate}joints:\n{joints}{extra}"


def rub(joint: str, coefficient: float, radius: float = 0.02) -> str:
    """Friction in one pin."""
    fields = f"coefficient: {coefficient}, velocity: 0.1, radius: {radius}"
    return f"  rub {joint}: {{type: joint-friction, joint: {joint}, {fields}}}\n"


def driven(one: str, two: str | None = None) -> str:
    drives = f'  one: {{joint: A, function: "{one}"}}\n' + (f'  two: {{joint: A, function: "{two}"}}\n' if two else "")
    return f"{BAR}drives:\n{drives}"


def pushed(effort: str) -> str:
    return f'{BAR}forces: {{motor: {{type: actuator, joint: A, effort: "{effort}"}}}}\n'


def run(text: str, **given: object) -> Trajectory:
    model = reactio.parse_model(text) if "space" in text else reactio.load(text)
    return simulate(model, **{"until": 1.0, "tol": 1e-7, **given})  # type: ignore[arg-type]


FLATTENED = """
space: planar
gravity: [0, -9.81]
bodies:
  one: {mass: 1, inertia: 1/12, position: [0.5*cos(1), 0.5*sin(1)], angle: 1}
  two: {mass: 1, inertia: 1/12, position: [1 + 0.5*cos(1), 0.5*sin(1)], angle: 1}
  rod: {mass: 1, inertia: 1/12, position: [0.5 + cos(1), sin(1)]}
joints:
  A: {type: revolute, bodies: [ground, one], at: [0, 0]}
  B: {type: revolute, bodies: [ground, two], at: [1, 0]}
  C: {type: revolute, bodies: [one, rod], at: [cos(1), sin(1)]}
  D: {type: revolute, bodies: [two, rod], at: [1 + cos(1), sin(1)]}
drives: {d: {joint: A, function: "exp(-5*t) - 1"}}
"""
STOP = "events: {half: {when: t - 0.5, action: stop}}\n"
WALL = "stops: {wall: {along: A, lower: -0.5, restitution: 0}}\n"
APART = "t + 0.01*max(0, t - 0.5)"
NARROW = rub("A1", 0.3, 0.2) + rub("A3", 0.3, 0.2)
CLOSING = 'drives: {d: {joint: A1, function: "max(0, 1 - t)**5 - 1"}}\n'

# Status: the run, when it ends [s] with its tolerance, and words of the object, the numbers and the remedy.
CASES: dict[Status, tuple[Callable[[], Trajectory], float, float, tuple[str, ...]]] = {
    Status.PAUSED: (lambda: run(BAR, chunk=5, on_chunk=lambda c: c.checkpoint.t > 0.4), 0.5, 0.2, ("resumed",)),
    Status.EVENT: (lambda: run(BAR + STOP), 0.5, 1e-9, ("'half'", "0.5 s")),
    # Rough steps and a strong pull: joints slide by 0.02 m/s at the end.
    Status.DRIFTED: (
        lambda: run("bennett", tol=1e-2, stabilise="baumgarte", alpha=20.0), 1.0, 1e-9,
        ("joint '", "/s is promised", "another method")),
    Status.RESTING: (lambda: run(BAR + WALL), 0.4, 0.2, ("'wall'", " s.")),
    Status.NOT_FINITE: (lambda: run(pushed("sqrt(0.5 - t)")), 0.5, 1e-9, ("'motor'", "no finite value", "Correct it")),
    Status.NOT_CLOSED: (
        lambda: run(driven("t", "t + 0.01*(1 + sign(t - 0.5))")), 0.5, 1e-9, ("'one'", "'two'", "0.01 rad", "Check")),
    Status.NOT_MOVING: (lambda: run(driven("t", APART)), 0.5, 1e-9, ("'one'", "'two'", "0.005 rad/s", "Check")),
    Status.NOT_ACCELERATING: (
        lambda: run(driven("t", APART + "**2")), 0.5, 1e-9, ("'one'", "'two'", "0.01 rad/s²", "correct or drop")),
    Status.JUMP_OR_BRANCH: (
        lambda: run(driven("t + 0.5*(1 + sign(t - 0.5))")), 0.5, 1e-9, ("'one'", "1 rad", "smooth")),
    # A parallelogram that is driven into its flat pose, ever slower: θ = e^(−5t) is 1e-5 when it is too flat for steps.
    Status.NEAR_SINGULAR: (lambda: run(FLATTENED, until=6.0), 2.334, 0.01, ("rank 9", "dependent", "tolerance")),
    Status.INACCURATE: (
        lambda: run(pushed("1/(0.5 - s)**2")), 0.256, 1e-3, ("'bar'", "'motor'", "tol = 1e-07", "enlarge")),
    # A damper that within some 10⁻⁹ s becomes stiffer than time can be told.
    Status.STIFF: (lambda: run(pushed("-5e17*(1 + tanh(5e9*(t - 0.5)))*rate")), 0.5, 1e-6, ("'bar'", "1/s", "radau5")),
    Status.UNDETERMINED_MOTION: (lambda: run(DEAD_CENTRE), 0.99, 0.02, ("'crank'", "Give mass")),
    Status.JAMMED: (
        lambda: run(rods(1.0, "forces:\n" + NARROW), rule="elimination:12"), 0.55, 0.05,
        ("'A1'", "times", "lower the")),
    Status.UNBALANCED: (
        lambda: run(rods(1.0, "forces:\n" + rub("A1", 1e-4) + CLOSING), rule="elimination:12"), 0.75, 0.2,
        ("drops B3.y", "falls from", "Drop others")),
    Status.FRICTION_NOT_UNIQUE: (
        lambda: run(rods(0.0, "forces:\n" + rub("A3", 0.3))), 0.02, 0.02,
        ("'A3'", "1 of 2 components", "sharing rule")),
}  # fmt: skip


@pytest.mark.parametrize("status", list(CASES), ids=lambda status: status.name)
def test_a_run_ends_with_its_status_and_says_why(status: Status) -> None:
    make, t, slack, words = CASES[status]
    done = make()
    assert done.status is status
    assert done.checkpoint.t == pytest.approx(t, abs=slack)
    assert 0.0 < done.checkpoint.t <= done.until
    assert (done.checkpoint.t == done.until) == (status is Status.DRIFTED)  # the only one that comes to its end
    said = " ".join([*done.notes, status.value])
    assert all(word in said for word in words)
    if status in SENTENCES:
        with pytest.raises(reactio.ReactioError, match="The run ended at t = ") as error:
            checked(done)
        assert all(word in str(error.value) for word in words)


def test_every_status_is_reached() -> None:
    assert set(CASES) | {Status.DONE} == set(Status)
    assert set(STATUS_OF_REFUSAL.values()) <= {Status.DONE, *SENTENCES}


def test_functions_of_time_that_run_away_are_named() -> None:
    said = run(pushed("1/(0.5 - t)**2"))
    assert said.status is Status.INACCURATE
    assert any("'motor'" in note and "grows without bound at t = 0.5" in note for note in said.notes)


def test_joints_that_jam_are_named_and_no_others() -> None:
    said = " ".join(CASES[Status.JAMMED][0]().notes)
    assert "Friction in 'A1' is too large" in said  # A3 rubs too, but its row is dropped: it takes no load


def test_shares_in_what_jams_come_in_order() -> None:
    """B = [[0, 4, 0], [1, 0, 0], [0, 0, 1]]: the first two make each other grow by 2, with shares 2 : 1."""
    system = reactio.build(reactio.parse_model(rods(1.0, "forces:\n" + rub("A3", 1) + rub("A1", 1) + rub("A2", 1))))
    B = np.array([[0.0, 4.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    N = np.zeros((6, 4))
    N[::2, :3] = B  # each pin has two components
    ratio, names = jamming(system, np.ones(3), N)
    assert ratio == pytest.approx(2.0, rel=1e-12)
    assert names == ("A3", "A1")
