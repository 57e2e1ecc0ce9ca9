"""Natural coordinates as a second formulation of every mechanism of the library: same verdicts, wrenches, motions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.bodies.elements import basis_first
from reactio.forward_dynamics.accelerate import accelerations
from reactio.model.files.write import to_yaml
from reactio.model.model import Model
from reactio.model.specs import Element
from reactio.model.transform.natural import natural
from reactio.simulation.read_run import load_run
from reactio.uniqueness import Solvability

SMALL: dict[str, dict[str, float]] = {"n-four-bar": {"N": 3}, "scissor-lattice": {"rows": 2, "columns": 2}}
UNTIL = {"andrews": 0.01}  # some thousand steps in 0.3 s, after which 1e-11 a step no longer makes 1e-8
POINTS = ("pendulum-twice", "pendulum-two-rods")  # which have no body but a point
FLEXIBLE = ("shaft-three-bearings",)  # whose body is described by its beam, in absolute coordinates only
ALL = [name for name in library.names() if name not in (*POINTS, *FLEXIBLE)]
CABLES = ("sling-lift",)  # which may get slack: no run holds them
MOVING = [name for name in ALL if not reactio.load(name).contacts and name not in CABLES]  # C is the same on the way


def pair(name: str) -> tuple[Model, Model]:
    model = reactio.load(name, **SMALL.get(name, {}))
    return model, natural(model)


def verdicts(answer: Solvability) -> list[Any]:
    return [(g.name, g.verdict, g.determined, g.rank, g.components, g.shares_with) for g in answer.groups]


@pytest.mark.parametrize("name", ALL)
def test_same_verdicts(name: str) -> None:
    """Redundancy, verdicts, components and partners; the rank grows by the intrinsic rows."""
    model, natural = pair(name)
    one, other = reactio.check(model), reactio.check(natural)
    rows = {"planar": 1, "spatial": 6}[model.space] * sum(b.kind == "rigid" for b in model.bodies)
    assert other.rank - one.rank == other.m - one.m == rows
    assert other.mobility == one.mobility
    assert verdicts(one) == verdicts(other)


@pytest.mark.parametrize("name", ALL)
def test_same_wrenches(name: str) -> None:
    """Unique components in world axes; and every one by a rule, which weighs joints and not coordinates."""
    found = []
    for model in pair(name):
        system = reactio.build(model)
        eqs = reactio.equations(system, reactio.assemble(system))
        found.append((reactio.reactions(eqs), reactio.reactions(eqs, "pseudoinverse")))
    for one, other in zip(*found, strict=True):
        assert list(one) == list(other)
        size = max(np.nan_to_num(np.abs(one[name].force)).max(initial=1.0) for name in one)
        for name in one:
            for key in ("force", "moment", "point"):
                # Equal NaNs too: what one leaves open, so does the other.  Systems of some dozen equations: 1e-8 is
                # asked for, rounding makes about 1e-12.
                np.testing.assert_allclose(getattr(other[name], key), getattr(one[name], key), atol=1e-8 * size)


@pytest.mark.parametrize("name", MOVING)
def test_same_motion(name: str) -> None:
    until = UNTIL.get(name, 0.3)
    one, other = (reactio.simulate(model, until, tol=1e-11, output=3) for model in pair(name))
    for body in one.system.model.bodies:
        a, b = one.body(body.name), other.body(body.name)
        for key in ("position", "velocity", "angular_velocity", "acceleration"):
            x, y = getattr(a, key), getattr(b, key)
            # Both runs keep 1e-11 a step over at most some dozen steps.
            np.testing.assert_allclose(y, x, atol=1e-8 * (1 + np.abs(x).max(initial=0.0)))
        if body.kind == "rigid" and one.system.space == "spatial":
            overlap = np.abs((a.orientation * b.orientation).sum(axis=1))
            np.testing.assert_allclose(overlap, 1, atol=1e-8)
        else:
            np.testing.assert_allclose(b.orientation, a.orientation, atol=1e-8)


@pytest.mark.parametrize("name", ["bennett", "bricard", "sarrus", "four-bar-spatial"])
def test_as_many_steps_as_in_absolute_coordinates(name: str) -> None:
    """Bodies stay rigid under large displacements, so that redundant rows close: at most twice the steps, and four."""
    one, other = (reactio.simulate(model, 0.3, output=2).checkpoint for model in pair(name))
    assert other.steps <= 2 * one.steps + 4
    assert other.rejected <= 2 * one.rejected + 8


def test_motion_through_many_turns_counts_them() -> None:
    """The crank of the slider-crank turns at 100 rad/s: after 0.2 s it has turned by 20 rad, and the drive agrees."""
    run = reactio.simulate(natural(reactio.load("slider-crank")), 0.2, output=2)
    turned = np.ptp(run.body("crank").orientation)
    assert turned == pytest.approx(20.0, abs=1e-9)  # a driven coordinate is met to rounding


MIXED = [("four-bar-planar", ["coupler"]), ("four-bar-spatial", ["crank", "rocker"]), ("bennett", ["link2"])]


@pytest.mark.parametrize(("name", "bodies"), MIXED)
def test_mixed_models(name: str, bodies: list[str]) -> None:
    """Some bodies natural, some absolute."""
    model = reactio.load(name)
    mixed = natural(model, bodies)
    assert {b.name for b in mixed.bodies if b.kind == "natural"} == set(bodies)
    assert verdicts(reactio.check(mixed)) == verdicts(reactio.check(model))
    one, other = (reactio.simulate(m, 0.1, tol=1e-11, output=2).body(bodies[0]).position for m in (model, mixed))
    np.testing.assert_allclose(one, other, atol=1e-8)


def point(*at: float) -> Element:
    return Element("point", at)


def vector(*at: float) -> Element:
    return Element("vector", at)


ELEMENTS: dict[str, list[tuple[Element, ...]]] = {
    "planar": [(point(0.0, 0.0), point(0.3, 0.1)), (vector(0.6, 0.8), point(0.2, -0.1))],
    "spatial": [
        (point(0.0, 0.0, 0.0), point(0.5, 0.0, 0.1), vector(0.0, 0.6, 0.8), vector(1.0, 1.0, 0.0)),
        (point(0.1, 0.0, 0.0), point(0.5, 0.0, 0.1), point(0.0, 0.4, 0.0), point(0.1, 0.2, 0.7)),
    ],
}


@pytest.mark.parametrize("choice", [0, 1])
@pytest.mark.parametrize("name", ["four-bar-planar", "four-bar-spatial"])
def test_elements_do_not_matter(name: str, choice: int) -> None:
    """Two points, a vector and a point; points and vectors that are not orthogonal; four points."""
    model = reactio.load(name)
    elements = ELEMENTS[model.space][choice]
    bodies = tuple(replace(b, kind="natural", elements=elements) for b in model.bodies)
    other = replace(model, bodies=bodies)
    assert reactio.parse_model(to_yaml(other)) == other
    assert verdicts(reactio.check(other)) == verdicts(reactio.check(model))
    one, two = (reactio.simulate(m, 0.1, tol=1e-11, output=2).body("coupler") for m in (model, other))
    np.testing.assert_allclose(one.position, two.position, atol=1e-8)
    np.testing.assert_allclose(one.angular_velocity, two.angular_velocity, atol=1e-8)


POINT = {"planar": (0.11, -0.07), "spatial": (0.11, -0.07, 0.05)}
VECTOR = {"planar": (0.6, 0.8), "spatial": (0.0, 0.6, 0.8)}
UPRIGHT = {
    "planar": (point(0.0, 0.0), vector(1.0, 0.0)),
    "spatial": (point(0.0, 0.0, 0.0), vector(1.0, 0.0, 0.0), vector(0.0, 1.0, 0.0), vector(0.0, 0.0, 1.0)),
}


def further(model: Model) -> Model:
    """One more point, where the body has a joint if its origin is not there, and one more vector on every body."""
    places = {end.body: end.point for joint in model.joints for end in (joint.a, joint.b) if any(end.point)}
    more = {
        b.name: (*UPRIGHT[model.space], point(*places.get(b.name, POINT[model.space])), vector(*VECTOR[model.space]))
        for b in model.bodies
    }
    whole = natural(model)
    return replace(
        whole, bodies=tuple(replace(b, elements=more[b.name]) if b.kind == "natural" else b for b in whole.bodies)
    )


@pytest.mark.parametrize("name", MOVING)
def test_further_elements_change_nothing(name: str) -> None:
    """Same verdicts, wrenches and motions with the basis only; as many rows as columns and ranks more."""
    model = reactio.load(name, **SMALL.get(name, {}))
    basis, more = natural(model), further(model)
    one, other = reactio.check(basis), reactio.check(more)
    extra = 2 * {"planar": 2, "spatial": 3}[model.space] * sum(b.kind == "natural" for b in basis.bodies)
    assert other.m - one.m == other.n - one.n == other.rank - one.rank == extra
    assert verdicts(one) == verdicts(other)
    found = []
    for each in (basis, more):
        system = reactio.build(each)
        eqs = reactio.equations(system, reactio.assemble(system))
        found.append((reactio.reactions(eqs), reactio.simulate(system, UNTIL.get(name, 0.3) / 10, tol=1e-10, output=2)))
    (few, short), (many, long) = found
    size = max(np.nan_to_num(np.abs(few[joint].force)).max(initial=1.0) for joint in few)
    for joint in few:
        for key in ("force", "moment", "point"):
            # As between absolute and natural coordinates.
            np.testing.assert_allclose(getattr(many[joint], key), getattr(few[joint], key), atol=1e-8 * size)
    for body in model.bodies:
        a, b = short.body(body.name), long.body(body.name)
        np.testing.assert_allclose(b.position, a.position, atol=1e-8)  # 1e-10 a step
        np.testing.assert_allclose(b.velocity, a.velocity, atol=1e-8 * (1 + np.abs(a.velocity).max(initial=0.0)))


def test_joints_act_on_the_points_they_stand_on() -> None:
    """Rows of a hinge on a further point are those of the papers, r₂ − r₃ = 0 in the axes of the joint: no arms."""
    model = reactio.load("four-bar-planar")
    end = replace(model.joint("B").b, point=(0.3, 0.2))
    joints = tuple(replace(j, b=end) if j.name == "B" else j for j in model.joints)
    for more in ((), (vector(0.6, 0.8), point(0.3, 0.2))):
        elements = (point(0.0, 0.0), vector(1.0, 0.0), *more)
        bodies = tuple(replace(b, kind="natural", elements=elements) if b.name == end.body else b for b in model.bodies)
        system = reactio.build(replace(model, bodies=bodies, joints=joints))
        group, b = system.group("B"), system.model.body_index[end.body]
        C = reactio.equations(system).C.toarray()[group.start : group.stop, system.body_v[b] : system.body_v[b + 1]]
        if more:
            assert not C[:, :6].any()
            np.testing.assert_allclose(C[:, 6:] @ C[:, 6:].T, np.eye(2), atol=1e-15)  # axes, up to rounding
        else:
            assert C.any(axis=0).all()


def test_basis_is_the_first_independent_elements() -> None:
    """Elements in a line or plane with those before them are further ones, wherever they stand in the list."""
    at = (
        point(0.0, 0.0, 0.0),
        point(1.0, 0.0, 0.0),
        point(2.0, 0.0, 0.0),
        vector(0.6, 0.8, 0.0),
        vector(0.0, 0.0, 1.0),
    )
    own = basis_first(tuple((e.kind, e.at) for e in at))
    assert own.basis == tuple((e.kind, e.at) for e in (at[0], at[1], at[3], at[4]))
    assert own.further == (("point", (2.0, 0.0, 0.0)),)


def test_intrinsic_rows_are_never_dropped() -> None:
    """A program that drops equations may drop the same ones in both coordinates: those of joints."""
    one, other = (reactio.check(model) for model in pair("sharma-ghosal"))
    assert set(one.eliminations()) == set(other.eliminations())
    system = reactio.build(pair("sharma-ghosal")[1])
    words = " ".join(reactio.explain(reactio.equations(system, reactio.assemble(system)), other, "P1").sentences)
    assert "equally valid choices" in words
    assert ".rigid" not in words


def test_plate_and_massless_body() -> None:
    """The platform of the spatial parallelogram is a plate: its M is singular, its accelerations are not.

    A massless natural body has M = 0 and is moved by the others.
    """
    system = reactio.build(natural(reactio.load("spatial-parallelogram")))
    assert accelerations(reactio.equations(system, reactio.assemble(system))).unique
    model = reactio.load("four-bar-planar")
    bodies = tuple(replace(b, mass=0.0, inertia=()) if b.name == "coupler" else b for b in model.bodies)
    light = replace(model, bodies=bodies)
    found = []
    for one in (light, natural(light)):
        system = reactio.build(one)
        eqs = reactio.equations(system, reactio.assemble(system))
        assert np.linalg.matrix_rank(eqs.M.toarray()) < system.n
        found.append(reactio.reactions(eqs))
    for name in found[0]:
        np.testing.assert_allclose(found[0][name].force, found[1][name].force, atol=1e-9)


def test_mass_matrix_is_constant() -> None:
    """M at two poses of a run, to the last bit; no force depends on the velocities."""
    run = reactio.simulate(natural(reactio.load("four-bar-spatial")), 0.2, output=3)
    first, *others = (reactio.equations(run.system, run.state(k)) for k in range(3))
    for eqs in others:
        assert np.array_equal(eqs.M.toarray(), first.M.toarray())
        assert np.array_equal(eqs.Q, first.Q)


@pytest.mark.parametrize("name", ["four-bar-planar", "bennett"])
def test_runs_are_kept_and_resumed(name: str, tmp_path: Any) -> None:
    run = reactio.simulate(natural(reactio.load(name)), 0.05, output=2)
    run.save(str(tmp_path / "run.npz"))
    again = load_run(tmp_path / "run.npz")
    assert np.array_equal(run.q, again.q)
    assert again.system.model == run.system.model
