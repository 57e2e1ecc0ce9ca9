"""Mobility by counting, at first order and of finite motions; infinitesimal motions and passive freedoms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.catalogue.places import GROUND, CoordinateName, End
from reactio.functions.polynomial import Polynomial
from reactio.model.files.write import to_yaml
from reactio.model.model import Model
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Drive, Joint

# name, parameters, Grübler, differential, finite, shaky
CASES = [
    ("double-four-bar", {}, 1, 1, 1, False),
    ("double-four-bar", {"theta": 0.0}, 1, 3, 1, False),  # three real branches span all that is admissible
    ("modified-double-four-bar", {"theta": 0.0}, 0, 2, 1, True),
    ("modified-triple-four-bar", {"theta": 0.0}, -1, 2, 1, True),
    ("two-by-two-four-bar", {"theta1": 0.0}, 0, 3, 2, True),
    ("two-by-two-four-bar", {"theta1": 0.0, "theta2": 0.0}, 0, 4, 2, True),
    ("sarrus", {}, 0, 1, 1, False),
    ("sarrus", {"fold": 0.0}, 0, 3, 2, False),
    ("sarrus", {"fold": np.pi / 2}, 0, 2, 1, False),
    ("bennett", {}, -2, 1, 1, False),  # overconstrained and yet mobile: Bennett 1903
    ("bricard", {}, 0, 1, 1, False),
    ("mobile-robot", {}, -1, 1, 1, False),  # driven and nonholonomic: 22 × 21, rank 20
    ("slider-crank", {}, 0, 0, 0, False),  # the drive holds it
    ("spatial-parallelogram", {}, 6, 7, 7, False),
]


@pytest.mark.parametrize(("name", "parameters", "gruebler", "differential", "finite", "shaky"), CASES)
def test_mobility_of_published_mechanisms(
    name: str, parameters: dict[str, float], gruebler: int, differential: int, finite: int, shaky: bool
) -> None:
    found = reactio.mobility(reactio.load(name, **parameters))
    assert (found.gruebler, found.differential, found.finite, found.shaky) == (gruebler, differential, finite, shaky)


def test_six_passive_spins_of_the_spatial_parallelogram() -> None:
    """Wojtyra & Frączek 2012: seven degrees of freedom, six of them links that spin."""
    found = reactio.mobility(reactio.load("spatial-parallelogram"))
    assert [p.words for p in found.passive] == [f"link{k} spins about its own axis" for k in range(1, 7)]
    eqs = reactio.equations(found.system, found.state)
    for k, passive in enumerate(found.passive):
        assert np.abs(eqs.C @ passive.velocity).max() < 1e-12
        own = passive.velocity[6 * k : 6 * k + 6]
        assert np.linalg.norm(np.delete(passive.velocity, np.arange(6 * k, 6 * k + 6))) == 0
        z = np.array([0.0, 0.5, 0.5 if k < 4 else -0.5])  # along the link, f = 90°
        assert np.abs(np.cross(own[3:], z)).max() < 1e-9


@pytest.mark.parametrize("name", ["door", "pendulum-twice", "double-four-bar", "mobile-robot"])
def test_a_body_that_hangs_on_one_other_is_not_passive(name: str) -> None:
    assert reactio.mobility(reactio.load(name)).passive == ()


def toggle(bend: float) -> Model:
    """Two bars of 1 m between hinges on ground; straight when bend = 0."""
    c, s = np.cos(bend), np.sin(bend)
    bars = (
        Body("left", 1.0, (0.1,), (c / 2, s / 2), (bend,)),
        Body("right", 1.0, (0.1,), (1.5 * c, s / 2), (-bend,)),
    )
    joints = (
        Joint("A", "revolute", End(GROUND, (0.0, 0.0)), End("left", (-0.5, 0.0))),
        Joint("B", "revolute", End("left", (0.5, 0.0)), End("right", (-0.5, 0.0))),
        Joint("C", "revolute", End(GROUND, (2 * c, 0.0)), End("right", (0.5, 0.0))),
    )
    return Model("toggle", "planar", bars, joints)


def test_a_straight_toggle_is_shaky_and_a_bent_one_is_rigid() -> None:
    straight, bent = (reactio.mobility(toggle(bend)) for bend in (0.0, 0.3))
    assert (straight.gruebler, straight.differential, straight.finite, straight.shaky) == (0, 1, 0, True)
    assert (bent.gruebler, bent.differential, bent.finite, bent.shaky) == (0, 0, 0, False)
    assert "only infinitesimal" in " ".join(straight.words)
    assert bent.words == ("It cannot move.",)


WATT = """
space: planar
bodies:
  left:    {mass: 1, inertia: 0.1, position: [-0.5, 0.5]}
  coupler: {mass: 1, inertia: 0.1, position: [0, 0]}
  right:   {mass: 1, inertia: 0.1, position: [0.5, -0.5]}
joints:
  A: {type: revolute, bodies: [ground, left], at: [-1, 0.5]}
  B: {type: revolute, bodies: [left, coupler], at: [0, 0.5]}
  C: {type: revolute, bodies: [coupler, right], at: [0, -0.5]}
  D: {type: revolute, bodies: [ground, right], at: [1, -0.5]}
  slot: {type: revolute-translational, bodies: [ground, coupler], at: [0, 0], axis: [0, 1]}
"""


def test_watt_in_a_slot_is_held_by_fifth_order_only() -> None:
    """The middle of Watt's coupler leaves its tangent like the fifth power: second order sees nothing of it."""
    free = reactio.mobility(reactio.parse_model(WATT.replace("  slot", "  # slot")))
    assert (free.differential, free.finite) == (1, 1)
    held = reactio.mobility(reactio.parse_model(WATT))
    assert np.abs(held.study.forms).max() < 1e-12
    assert (held.gruebler, held.differential, held.finite, held.shaky) == (0, 1, 0, True)


def test_units_and_size_do_not_matter() -> None:
    """The flat double four-bar in a length unit a thousand times smaller."""
    model = reactio.load("double-four-bar", theta=0)
    text = to_yaml(model)
    small = reactio.build(reactio.parse_model(text.replace("space: planar", "space: planar\nunits: mm")))
    found = reactio.mobility(small)
    assert small.length == pytest.approx(1e-3)
    assert (found.differential, found.finite, len(found.branches)) == (3, 1, 3)


def test_mobility_along_the_motion() -> None:
    found = reactio.mobility(reactio.load("modified-double-four-bar"), t=0.3)
    assert (found.state.t, found.differential, found.finite) == (0.3, 1, 1)


def _toggles(count: int, held: bool) -> Model:
    """Straight toggles in series, each at right angles to the one before: stage k moves as α to the power 2^k.

    ``held``: the end of the last stage is fixed, and the linkage rigid at order 2^count only; else it is a mechanism.
    """
    points = {"A0": (0.0, 0.0), "M": (1.0, 0.0), "B1": (2.0, 0.0)}
    bars, owner = [("A0", "M"), ("M", "B1")], {"A0": GROUND}
    x, y = 2.0, 0.0
    for k in range(1, count if held else count + 1):
        u, v = (0.0, 1.0) if k % 2 else (1.0, 0.0)
        points[f"A{k}"], owner[f"A{k}"] = (x - u, y - v), GROUND
        bars.append((f"A{k}", f"B{k}"))
        if k < count:
            x, y = x + u, y + v
            points[f"B{k + 1}"] = (x, y)
            bars.append((f"B{k}", f"B{k + 1}"))
    if held:
        owner[f"B{count}"] = GROUND
    middle = {a + b: tuple(0.5 * (p + q) for p, q in zip(points[a], points[b], strict=True)) for a, b in bars}
    bodies = {name: Body(name, position=at, orientation=(0.0,)) for name, at in middle.items()}
    joints = []
    for a, b in bars:
        for end in (a, b):
            if end in owner:
                first = owner[end] if owner[end] == GROUND else bodies[owner[end]]
                joints.append(joint_at(f"{end}_{a}{b}", "revolute", first, bodies[a + b], at=points[end]))
            owner.setdefault(end, a + b)
    return Model("toggles", "planar", tuple(bodies.values()), tuple(joints))


@pytest.mark.parametrize("count", [2, 3, 4])
def test_toggles_in_series_are_rigid_however_high_the_order(count: int) -> None:
    found = reactio.mobility(_toggles(count, held=True))
    assert (found.gruebler, found.differential) == (0, 1)
    assert found.finite == 0


def test_undecided_names_the_smallest_sphere_that_was_examined() -> None:
    """Five toggles are held at order 32, which rounding hides on all spheres: 0.8³² / 2³² = 2e-13."""
    found = reactio.mobility(_toggles(5, held=True))
    assert found.finite is None
    assert found.study.examined == pytest.approx(0.025)  # [m], of bars of 1 m
    assert found.words == (
        "1 velocity is admissible; the finite mobility is undecided.",
        "Motions were sought on spheres around the pose, down to a radius of 0.025 m.",
    )


@pytest.mark.parametrize("count", [5, 6])
def test_toggles_that_hold_each_other_below_rounding_are_not_called_mobile(count: int) -> None:
    """Orders 32 and 64 leave joints open by less than 1e-11 for most of the way that short steps seem to lead."""
    found = reactio.mobility(_toggles(count, held=True))
    assert found.finite != 1


def _beside_a_driven_crank(model: Model) -> Model:
    """The same, and a crank that a drive turns."""
    bodies = tuple(replace(body, mass=1.0, inertia=(0.1,)) for body in model.bodies)
    crank = Body("crank", 1.0, (0.1,), (5.0, 0.0), (0.0,))
    hinge = Joint("K", "revolute", End(GROUND, (5.0, 0.0)), End("crank", (0.0, 0.0)))
    drive = Drive("motor", CoordinateName("K"), Polynomial((0.0, 1.0)))
    return replace(model, bodies=(*bodies, crank), joints=(*model.joints, hinge), drives=(drive,))


@pytest.mark.parametrize(("held", "dimension"), [(True, 0), (False, 1)])
def test_toggles_in_a_driven_mechanism_are_followed_as_far(held: bool, dimension: int) -> None:
    """The drive leads on for ever; the toggles, held at order 8, do not go with it."""
    found = reactio.branches(reactio.build(_beside_a_driven_crank(_toggles(3, held))))
    assert [(b.status, b.dimension, b.driven) for b in found] == [("real", dimension, True)]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_toggles_in_series_that_end_free_are_mechanisms(count: int) -> None:
    assert reactio.mobility(_toggles(count, held=False)).finite == 1


@pytest.mark.parametrize(("bend", "finite"), [(1e-2, 1), (1e-4, 1), (1e-6, None), (1e-7, None)])
def test_a_range_of_motion_below_the_rank_tolerance_is_not_called_rigid(bend: float, finite: int | None) -> None:
    """A four-bar in space, bent by small angles from its stretched pose: it moves, as far as it is bent."""
    ends = np.concatenate([[0.0], np.cumsum(2.0 * np.exp(1j * bend * np.array([1.0, -0.3, -0.5])))])
    at = [[float(x) for x in (z.real, 0.6 * z.imag, 0.8 * z.imag)] for z in ends]
    names = [GROUND, "r1", "r2", "r3", GROUND]
    bodies = [f"{r}: {{mass: 1, inertia: [1, 1, 1], position: {p}}}" for r, p in zip(names[1:4], at[1:], strict=False)]
    joints = [
        f"J{k}: {{type: revolute, bodies: [{names[k]}, {names[k + 1]}], at: {p}, axis: [0, -0.8, 0.6]}}"
        for k, p in enumerate(at)
    ]
    text = "\n  ".join(["space: spatial\nbodies:", *bodies]) + "\n" + "\n  ".join(["joints:", *joints])
    found = reactio.mobility(reactio.parse_model(text))
    assert found.finite == finite
