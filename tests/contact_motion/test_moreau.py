"""Time steps with friction against calculation by hand: sliding, sticking, tipping, rolling; energy and residuals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

import reactio
from reactio.arrays import Floats
from reactio.contact_motion import moreau
from reactio.errors import ReactioError
from reactio.integrate.integrator import integrate
from reactio.kernels import CodeUse, running
from reactio.linear.convex.friction_cones import CONVERGED_RESIDUAL, solve_cones
from reactio.linear.convex.pushing import least_pushing
from reactio.model.model import Model
from reactio.simulation.stepped import SteppedTrajectory

G, MU = 9.81, 0.3
BALL = """
space: planar
gravity: [0, -9.81]
bodies:
  ball: {mass: 2, inertia: 0.8, position: [0, 1], velocity: [3, 0]}
contacts:
  floor: {type: disc-on-line, line: ground, center: ball, radius: 1, friction: 0.2}
"""
# A block, half as wide as b and as high as 1 m, on a plane that gravity makes steep.
BLOCK = """
space: planar
parameters: {b: 0.2, slope: 0.2, friction: 0.5}
gravity: [9.81*sin(slope), -9.81*cos(slope)]
bodies:
  block: {mass: 2, inertia: 0.2, position: [0, 0.5], points: {left: [-b, -0.5], right: [b, -0.5]}}
contacts:
  foot: {type: point-on-line, line: ground, points: [block.left, block.right], friction: friction}
"""


def stepped(model: Model, until: float, step: float = 2e-3) -> SteppedTrajectory:
    run = reactio.simulate(model, until, method="moreau", step=step)
    assert isinstance(run, SteppedTrajectory)
    assert run.status.name == "DONE"
    # Normal impulses do no positive work; friction may, by the change of the arms over a step, which is of order h².
    assert run.energy_growth < 1e-3 * step**2 * max(1.0, float(run.energy.total.max()))
    assert run.penetration <= step * max(1.0, float(np.abs(run.v).max()))  # what the method promises
    return run


def box(position: tuple[float, ...], velocity: tuple[float, ...], **parameters: float) -> Model:
    model = reactio.load("box-on-plane")
    body = replace(model.bodies[0], position=position, velocity=velocity)
    return replace(model, bodies=(body,), contacts=(replace(model.contacts[0], parameters=parameters),))


def test_a_box_slides_to_rest() -> None:
    """After v/(μ g) seconds and v²/(2 μ g) metres; its friction is μ times its weight until then."""
    run = stepped(box((0.0, 0.0, 0.5), (0.5, 0.0, 0.0), friction=MU), 0.25)
    assert run.q[-1, 0] == pytest.approx(0.5**2 / (2 * MU * G), rel=1e-3)
    assert np.abs(run.v[-1]).max() < 1e-9
    at_rest = run.t[np.flatnonzero(np.abs(run.v[:, 0]) < 1e-9)[0]]
    assert at_rest == pytest.approx(0.5 / (MU * G), abs=2 * run.step)
    pushes = [one.force for one in run.reactions_at(20).values()]
    assert np.sum(pushes, axis=0) == pytest.approx([-MU * G, 0.0, G], abs=1e-6)
    assert run.depends_on_rule
    assert any("not unique" in note and "minimum norm" in note for note in run.notes)
    np.testing.assert_allclose(run.momentum(0), [0.5, 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize(("slope", "slides"), [(0.45, False), (0.48, True)])
def test_a_block_sticks_below_the_angle_of_friction(slope: float, slides: bool) -> None:
    """tan 0.4636 = 0.5; beyond it the block slides with g (sin − μ cos)."""
    run = stepped(reactio.parse_model(BLOCK, b=0.4, slope=slope), 0.2)
    a = G * (np.sin(slope) - 0.5 * np.cos(slope)) if slides else 0.0
    assert run.v[-1, 0] == pytest.approx(a * 0.2, abs=1e-7)
    assert run.v[-1, 2] == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize(("slope", "tips"), [(0.37, False), (0.39, True)])
def test_a_block_tips_where_its_weight_leaves_the_foot(slope: float, tips: bool) -> None:
    """Half as wide as 0.2 m, its centre 0.5 m high: it tips beyond tan = 0.4, if friction holds its foot."""
    run = stepped(reactio.parse_model(BLOCK, slope=slope, friction=1.0), 0.2)
    assert bool(run.v[-1, 2] < -1e-4) == tips
    assert run.closed_at_end == (("foot2",) if tips else ("foot1", "foot2"))


@pytest.mark.parametrize("degrees", [10.0, 30.0])
def test_friction_does_no_work_where_a_slip_turns_back(degrees: float) -> None:
    """A block thrown up a slope with 0.5 m/s comes to rest below the angle of friction and slides back above it.

    In the step in which it turns, friction against the slip behind the step would push along the mean velocity.
    """
    a, mu, v0, until = np.radians(degrees), 0.3, 0.5, 0.3
    along, normal = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    run = stepped(
        reactio.parse_model(
            f"""
space: planar
gravity: [0, -9.81]
bodies:
  b: {{mass: 2, inertia: 0.05, position: {(0.1 * normal).tolist()}, angle: {a}, velocity: {(v0 * along).tolist()}}}
contacts:
  foot: {{type: point-on-line, line: {{body: ground, normal: {normal.tolist()}}}, friction: {mu},
         points: [{{body: b, point: [0.3, -0.1]}}, {{body: b, point: [-0.3, -0.1]}}]}}
"""
        ),
        until,
    )
    rise = 9.81 * (np.sin(a) + mu * np.cos(a))
    back = max(0.0, 9.81 * (np.sin(a) - mu * np.cos(a)))
    left = until - v0 / rise
    assert run.energy_growth < 1e-12  # of some 0.1 J, by rounding
    # The step of 2 ms in which it turns is right to its own length: an error of 2e-3 s times some 5 m/s².
    assert along @ run.v[-1][:2] == pytest.approx(-back * left, abs=1e-2)
    assert along @ run.q[-1][:2] == pytest.approx(0.5 * v0**2 / rise - 0.5 * back * left**2, abs=3e-3)


def test_a_ball_slides_until_it_rolls() -> None:
    """Angular momentum about the floor stays: v = v₀/(1 + J/(m r²)), after the time (v₀ − v)/(μ g)."""
    run = stepped(reactio.parse_model(BALL), 0.6)
    v = 3 / (1 + 0.8 / 2)
    np.testing.assert_allclose(run.v[-1], [v, 0.0, -v], atol=1e-9)
    rolls = run.t[np.flatnonzero(np.abs(run.v[:, 0] + run.v[:, 2]) < 1e-6)[0]]
    assert rolls == pytest.approx((3 - v) / (0.2 * G), abs=2 * run.step)
    sliding = run.reactions_at(10)["floor"]
    np.testing.assert_allclose(sliding.force, [-0.2 * 2 * G, 2 * G], rtol=1e-9)
    np.testing.assert_allclose(sliding.moment, [-0.2 * 2 * G], rtol=1e-9)  # about the centre, at 1 m
    x = 3 * rolls - 0.1 * G * rolls**2 + v * (0.6 - rolls)
    assert run.q[-1, 0] == pytest.approx(x, abs=1e-4)


def test_a_bounce_takes_the_restitution() -> None:
    run = stepped(box((0.0, 0.0, 0.55), (0.0, 0.0, 0.0), friction=MU, restitution=0.5), 0.25)
    fall = np.sqrt(2 * 0.05 / G)
    assert run.events[0].t == pytest.approx(fall, abs=2 * run.step)
    top = run.q[run.t > fall, 2].max() - 0.5
    assert top == pytest.approx(0.25 * 0.05, abs=2e-3)


@pytest.mark.parametrize("seed", range(8))
def test_impulses_satisfy_the_law_of_coulomb(seed: int) -> None:
    """Random problems, singular ones among them: every condition is looked at by itself."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(9, 6 if seed % 2 else 9))
    mu = rng.uniform(0.1, 0.6, 3)
    u = A @ rng.normal(size=A.shape[1])
    found = solve_cones(A.reshape(3, 3, -1), u.reshape(3, 3), mu, np.zeros((3, 3)), 1.0)
    assert found.converged
    U: Floats = A @ (A.T @ found.P.ravel()) + u
    for k in range(3):
        (n, *t), (s, *w) = found.P[k], U[3 * k : 3 * k + 3]
        assert n >= 0.0
        assert s >= -1e-8
        assert n * s == pytest.approx(0.0, abs=1e-7)
        assert np.hypot(*t) <= mu[k] * n + 1e-9
        np.testing.assert_allclose(np.array(t) * np.hypot(*w), -mu[k] * n * np.array(w), atol=1e-6)


def test_what_time_steps_refuse() -> None:
    ball = reactio.parse_model(BALL)
    with pytest.raises(ReactioError, match="positive number of seconds"):
        reactio.simulate(ball, 1.0, method="moreau", step=-1.0)
    with pytest.raises(ReactioError, match="only the method moreau"):
        reactio.simulate(reactio.load("four-bar-planar"), 1.0, step=0.1)
    with pytest.raises(ReactioError, match="Did you mean 'moreau'"):
        reactio.simulate(ball, 1.0, method="moro")
    with pytest.raises(ReactioError, match=r"contacts of this one close and open|contact 'floor' slips"):
        reactio.report(ball, run=stepped(ball, 0.1))
    bar = reactio.build(reactio.load("four-bar-planar"))
    with pytest.raises(ReactioError, match="needs the model with its contacts"):
        integrate(bar, bar.state(), 1.0, method="moreau")


def test_an_object_slips_out_of_a_weak_grip() -> None:
    """Three fingers bear 3 μ times their grip of 20 N: the object falls with g − 3 μ 20 N/m."""
    run = stepped(reactio.load("gripper", friction=0.05), 0.02, step=1e-3)
    assert run.v[-1, 2] == pytest.approx(-(G - 3 * 0.05 * 20 / 0.5) * 0.02, rel=1e-9)
    assert run.last_reactions["tip1"].force[2] == pytest.approx(-0.05 * 20, rel=1e-9)
    with pytest.raises(ReactioError, match="leave out the rule"):
        reactio.simulate(reactio.load("gripper"), 0.01, method="moreau", rule="inertia")


def test_a_contact_problem_that_does_not_converge_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no number then, but when, how far off, and what to try."""
    monkeypatch.setattr(moreau, "solve_cones", lambda *given: solve_cones(*given)._replace(converged=False))
    with pytest.raises(ReactioError, match=r"does not converge: \d+ steps of Newton.*another friction"):
        reactio.simulate(reactio.parse_model(BLOCK, slope=0.45), 0.1, method="moreau", step=0.01)


@pytest.mark.parametrize(
    ("links", "mu", "tilt", "height", "until", "step"),
    # two contacts of one pin that differ by rounding; a chain that stands on its end, where joints must do no work
    [(5, 0.3, 0.1, 0.1, 0.17, 1e-3), (3, 0.75, 1.18, 0.02, 0.3, 2e-3)],
)
def test_a_rough_chain_falls_on_a_line(
    links: int, mu: float, tilt: float, height: float, until: float, step: float
) -> None:
    chain = reactio.load("chain", links=links)
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    falling = replace(
        chain,
        bodies=tuple(
            replace(b, position=tuple((turn @ b.position + [0.0, height]).tolist()), orientation=(tilt,))
            for b in chain.bodies
        ),
        contacts=tuple(replace(one, parameters={"friction": mu}) for one in chain.contacts),
    )
    run = stepped(falling, until, step=step)
    assert run.status.name == "DONE"
    assert run.energy_growth < 1e-12
    assert run.residual < 1e-9  # of speeds of 1 m/s: CLOSE is 1e-10 of all of a step together


def test_joints_keep_the_energy_in_time_steps() -> None:
    """A pendulum beside a contact that never closes: the midpoint rule is of second order, and joints do no work."""
    text = """
space: planar
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 1/12, position: [0.5, 0], angle: 0}}
joints: {A: {type: revolute, a: ground, b: {body: rod, point: [-0.5, 0]}}}
contacts: {floor: {type: point-on-line, line: {body: ground, point: [0, -9], normal: [0, 1]}, point: rod}}
"""
    lost = []
    for step in (4e-3, 2e-3):
        run = reactio.simulate(reactio.parse_model(text), 0.4, method="moreau", step=step)
        lost.append(float(abs(run.energy.total[-1] - run.energy.total[0])))
    assert lost[1] < 1e-4  # of 4 J that the fall has turned into speed
    assert lost[1] < 0.3 * lost[0]


@pytest.mark.parametrize("seed", range(40))
def test_impulses_of_singular_problems(seed: int) -> None:
    """Many contacts on few velocities, in space, in the plane and without friction, repeated and badly scaled ones."""
    rng = np.random.default_rng(seed)
    c, s, n = int(rng.integers(3, 20)), seed % 3, int(rng.integers(2, 12))
    A, mu = rng.normal(size=(c, 1 + s, n)), rng.uniform(0.0, 0.6, c)
    A *= 10.0 ** rng.uniform(-1, 1, size=(c, 1, 1)) if seed % 4 == 1 else 1.0
    A[:, 0] *= np.sign(A[:, 0] @ rng.normal(size=n))[:, None]  # a motion that opens all contacts: none jam
    A[c // 2 :] = A[: c - c // 2] if seed % 4 == 2 else A[c // 2 :]
    u = A @ rng.normal(size=n)
    speed = float(np.abs(u).max())
    found = solve_cones(A, u, mu, np.zeros((c, 1 + s)), speed)
    assert found.converged
    assert found.residual <= CONVERGED_RESIDUAL * speed
    again = solve_cones(A, u, mu, found.P, speed)  # warm: the contacts that bear and slip are known
    # Shares are those of smallest norm to FIRST_WEIGHT times the condition of W, some 1e3 where badly scaled.
    np.testing.assert_allclose(again.P, found.P, atol=1e-4 * np.abs(found.P).max(initial=1e-300))


@pytest.mark.parametrize("seed", range(10))
def test_impulses_are_those_of_smallest_norm(seed: int) -> None:
    """Without friction, P ≥ 0 of smallest |P| with the same AᵀP, which a second method finds, from the first step."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(9, 1, 4))
    A[:, 0] *= np.sign(A[:, 0] @ rng.normal(size=4))[:, None]
    u = A @ rng.normal(size=4)
    P = solve_cones(A, u, np.zeros(9), rng.uniform(size=(9, 1)), 1.0).P[:, 0]
    bearing = np.abs(A[:, 0] @ (A[:, 0].T @ P) + u[:, 0]) < 1e-8  # the others have no impulse
    smallest = least_pushing(csr_array(A[bearing, 0].T), A[:, 0].T @ P, np.ones(int(bearing.sum()), dtype=bool))
    # Shares are those of smallest norm to FIRST_WEIGHT times the condition of W, here at most some 1e2.
    np.testing.assert_allclose(P[bearing], smallest, atol=1e-5 * smallest.max(initial=1e-300))


def test_a_chain_that_falls_askew_comes_to_rest() -> None:
    """Twenty-two feet under eleven links: impulses that iterations alone do not find within 20,000 of them."""
    whole = reactio.load("chain")
    falling = replace(
        whole,
        bodies=tuple(
            replace(b, position=(b.position[0], 0.2), velocity=(0.0, -0.6 * b.position[0]), angular_velocity=(-0.6,))
            for b in whole.bodies
        ),
        joints=tuple(joint for joint in whole.joints if "ground" not in (joint.a.body, joint.b.body)),
    )
    run = reactio.simulate(falling, until=0.24, method="moreau", step=4e-3)
    assert isinstance(run, SteppedTrajectory)
    assert run.energy_growth < 1e-12
    assert run.status.name == "DONE"


def test_a_chain_that_slides_comes_to_rest_and_stays() -> None:
    """Eleven links at 1 m/s with μ = 0.3 stop after v/(μ g) = 0.340 s; feet that brace each other do not shake them."""
    whole = reactio.load("chain")
    sliding = replace(
        whole,
        bodies=tuple(replace(body, velocity=(1.0, 0.0)) for body in whole.bodies),
        joints=tuple(joint for joint in whole.joints if "ground" not in (joint.a.body, joint.b.body)),
        contacts=tuple(replace(one, parameters={"friction": 0.3}) for one in whole.contacts),
    )
    run = stepped(sliding, 0.36, step=1e-3)
    before = int(np.argmin(np.abs(run.t - 0.3)))
    assert run.v[before, 0] == pytest.approx(1.0 - 0.3 * 9.81 * 0.3, abs=1e-9)
    assert np.abs(run.v[-3:]).max() < 1e-12  # rounding of velocities of 1 m/s
    assert run.energy_growth < 1e-12


def test_friction_is_undecided_where_a_guide_may_bear_the_load() -> None:
    """The guide and the foot both hold the cart up: how hard the foot rubs nothing decides."""
    cart = """
space: planar
gravity: [0, -9.81]
bodies: {cart: {mass: 2, inertia: 0.1, position: [0, 0.1], velocity: [1, 0]}}
joints: {guide: {type: translational, bodies: [ground, cart], at: [0, 0.1], axis: [1, 0]}}
contacts: {foot: {type: point-on-line, line: ground, point: {body: cart, point: [0, -0.1]}, friction: 0.5}}
"""
    told = reactio.simulate(reactio.parse_model(cart), 0.01, method="moreau", step=5e-3)
    assert told.depends_on_rule
    assert "not unique (foot)" in " ".join(told.notes)
    free = reactio.simulate(
        reactio.parse_model(cart.replace("joints: {", "joints: {} #")), 0.01, method="moreau", step=5e-3
    )
    assert not free.depends_on_rule


def test_the_work_of_loads_does_not_depend_on_the_rows_of_output() -> None:
    """A force of 3 sin 40t N pushes a block of 2 kg on ice: its work is ∫ F v dt, however few rows are kept."""
    model = reactio.parse_model("""
space: planar
gravity: [0, -9.81]
bodies: {block: {mass: 2, inertia: 0.1, position: [0, 0.1]}}
contacts:
  foot: {type: point-on-line, line: ground, points: [{body: block, point: [-1, -0.1]}, {body: block, point: [1, -0.1]}]}
forces: {push: {type: force, at: block, force: ["3*sin(40*t)", 0]}}
""")
    for rows in (2, 40):
        run = reactio.simulate(model, 0.2, method="moreau", step=1e-3, output=rows)
        v = 3 / (2 * 40) * (1 - np.cos(40 * 0.2))
        assert run.work[-1] == pytest.approx(v**2, rel=1e-3)  # ½ m v², by the midpoint rule with 157 steps a period
        assert run.energy_error == pytest.approx(0.0, abs=1e-9)


def test_a_box_dropped_on_a_corner_comes_to_rest_on_a_face() -> None:
    """Its corners touch down one by one, at different depths: those that stick contradict each other a little."""
    corners = [[x, y, z] for x in (-0.3, 0.3) for y in (-0.2, 0.2) for z in (-0.1, 0.1)]
    turn = np.array([0.4, 0.3, 0.1])
    angle = float(np.linalg.norm(turn))
    points = ", ".join(f"{{body: box, point: {corner}}}" for corner in corners)
    text = f"""
space: spatial
gravity: [0, 0, {-G}]
bodies:
  box: {{mass: 3, inertia: [0.05, 0.1, 0.13], position: [0, 0, 0.44756144554660404],
        orientation: {{axis: {(turn / angle).tolist()}, angle: {angle}}}}}
contacts: {{corner: {{type: point-on-plane, plane: ground, points: [{points}], friction: 0.5}}}}
"""
    run = stepped(reactio.parse_model(text), 0.8, step=1e-3)
    assert run.q[-1, 2] == pytest.approx(0.1, abs=3e-3)  # on its largest face, but for the overlap of a step
    assert np.abs(run.v[-1]).max() < 1e-9
    assert run.energy_growth < 1e-9
    assert run.residual < 1e-4


def tower(count: int, lean: float, heavier: float = 0.0) -> Model:
    """Boxes on four rough corners each, on top of each other, each moved on by a length [m] and heavier by a mass."""
    bodies = [
        f"  b{k}: {{mass: {2 + heavier * k}, inertia: [0.02, 0.02, 0.02], position: [{lean * k}, 0, {0.1 + 0.2 * k}]}}"
        for k in range(count)
    ]
    feet = [
        f"  c{k}: {{type: point-on-plane, friction: 0.5, plane: {{body: {f'b{k - 1}' if k else 'ground'}, "
        f"point: [0, 0, {0.1 * (k > 0)}], normal: [0, 0, 1]}}, points: ["
        + ", ".join(f"{{body: b{k}, point: [{x}, {y}, -0.1]}}" for x in (-0.15, 0.15) for y in (-0.1, 0.1))
        + "]}"
        for k in range(count)
    ]
    text = ["space: spatial", f"gravity: [0, 0, {-G}]", "bodies:", *bodies, "contacts:", *feet]
    return reactio.parse_model("\n".join(text))


def test_a_stack_stands_and_every_floor_bears_what_is_above() -> None:
    run = stepped(tower(4, 0.0), 0.02)
    assert np.abs(run.v[-1]).max() < 1e-12
    last = run.last_reactions
    for k in range(4):
        pushes = [float(last[f"c{k}{j}"].force[2]) for j in (1, 2, 3, 4)]
        assert pushes == pytest.approx([2 * G * (4 - k) / 4] * 4, rel=1e-6)  # all alike by the minimum norm
        assert not any(last[f"c{k}{j}"].unique for j in (1, 2, 3, 4))


def test_a_leaning_tower_of_growing_masses_needs_few_iterations() -> None:
    """Ten boxes, each 36 mm on and 1 kg heavier: sweeps over contacts need thousands, Newton's method some ten.

    The centre of mass of all above the lowest is 0.036 m · 375/63 = 0.21 m off its middle, a corner 0.15 m: it falls.
    """
    run = stepped(tower(10, 0.036, 1.0), 0.02, step=1e-3)
    assert run.iterations < 100
    assert run.residual < 1e-10
    assert run.v[-1, 6 * 9 + 2] < -1e-3


def test_a_block_rocks_as_housner_says() -> None:
    """Turning about one foot it strikes with the other: ω⁺ = ω⁻ (1 − 3/2 sin² α), tan α = b/h, without rebound."""
    b, h, tilt = 0.1, 0.5, 0.05
    c, s = np.cos(tilt), np.sin(tilt)
    model = reactio.parse_model(f"""
space: planar
gravity: [0, {-G}]
bodies: {{block: {{mass: 3, inertia: {3 * (b * b + h * h) / 3}, angle: {tilt},
         position: [{b * c - h * s}, {b * s + h * c}]}}}}
contacts: {{foot: {{type: point-on-line, line: ground, friction: 2,
           points: [{{body: block, point: [{-b}, {-h}]}}, {{body: block, point: [{b}, {-h}]}}]}}}}
""")
    run = stepped(model, 0.35, step=1e-3)
    strikes = next(event for event in run.events if event.name == "foot2")
    k = int(np.argmin(np.abs(run.t - strikes.t)))
    ratio = run.v[k + 1, 2] / run.v[k - 2, 2]
    # Gravity changes ω by some 2 % of it in a step beside the impact.
    assert ratio == pytest.approx(1 - 1.5 * np.sin(np.arctan(b / h)) ** 2, abs=0.03)


def test_independent_contacts_have_the_impulses_of_each_alone() -> None:
    """Contacts of many bodies in any order, one that moves nothing among them: each body is a part."""
    rng = np.random.default_rng(4)
    bodies, each = 5, 3
    A, u = np.zeros((bodies * each + 1, 3, 6 * bodies)), rng.normal(size=(bodies * each + 1, 3))
    order, columns = rng.permutation(bodies * each), rng.permutation(6 * bodies)
    mu, before = rng.uniform(0.0, 0.6, len(u)), np.zeros(u.shape)
    alone = np.zeros(u.shape)
    for body in range(bodies):
        mine, moved = order[each * body : each * (body + 1)], columns[6 * body : 6 * (body + 1)]
        block = rng.normal(size=(each, 3, 6))
        A[np.ix_(mine, np.arange(3), moved)] = block
        alone[mine] = solve_cones(block, u[mine], mu[mine], before[mine], 1.0).P
    solved = solve_cones(A, u, mu, before, 1.0)
    assert solved.converged
    np.testing.assert_allclose(solved.P, alone, rtol=1e-9, atol=1e-12)
    assert alone.any()
    assert not solved.P[-1].any()


def test_contacts_have_the_same_impulses_plain_and_compiled() -> None:
    rng = np.random.default_rng(3)
    A, mu = rng.normal(size=(7, 3, 8)), rng.uniform(0.0, 0.6, 7)
    A[:, 0] *= np.sign(A[:, 0] @ rng.normal(size=8))[:, None]
    u = A @ rng.normal(size=8)
    with running(CodeUse.PLAIN):
        plain = solve_cones(A, u, mu, np.zeros((7, 3)), 1.0)
    with running(CodeUse.COMPILED):
        compiled = solve_cones(A, u, mu, np.zeros((7, 3)), 1.0)
    assert np.array_equal(plain.P, compiled.P)
    assert plain.iterations == compiled.iterations > 0
