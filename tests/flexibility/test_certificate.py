"""The certificate: who decides the split, of the paper's mechanism and of smaller ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.flexibility.certificate import Certificate, flexible

LOWER, UPPER = ("link1", "link2", "link3", "link4"), ("link5", "link6")


@pytest.fixture(scope="module")
def equal() -> Certificate:
    return flexible(reactio.load("spatial-parallelogram", links="beam", platform="plate"))


@pytest.fixture(scope="module")
def unequal() -> Certificate:
    return flexible(reactio.load("spatial-parallelogram", links="beam", platform="plate", k2=2, k3=0.5, k4=3))


def test_shares_add_up_to_the_redundancy(equal: Certificate, unequal: Certificate) -> None:
    for found in (equal, unequal):
        assert sum(part.share for part in found.parts) == pytest.approx(found.redundancy, abs=1e-12)


@pytest.mark.parametrize("spread", [1, 8, 14])
def test_shares_add_up_however_far_stiffnesses_are_apart(spread: int) -> None:
    """Six legs between 10^(6 - spread/2) and 10^(6 + spread/2) N/m: H is ill-conditioned, shares are not."""
    places = ((0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (0.1, 0.2), (0.3, -0.1))
    stiff = 10.0 ** (6 + spread * np.array([0.5, -0.5, 0.1, 0.4, -0.3, 0.2]))
    legs = "".join(
        f"  leg{k}: {{type: point-on-plane, a: {{body: ground, point: [{x}, {y}, 0]}}, "
        f"b: {{body: top, point: [{x}, {y}, 0]}}, stiffness: {stiff[k]}}}\n"
        for k, (x, y) in enumerate(places)
    )
    head = "space: spatial\ngravity: [0, 0, -9.81]\nbodies: {top: {mass: 40, inertia: [3, 3, 6]}}\njoints:\n"
    found = flexible(reactio.parse_model(head + legs))
    # Exactly, k (1 − leverage) of the displacement method: 1 − k Jᵢ (JᵀkJ)⁻¹ Jᵢᵀ, by orthonormal columns of √k J.
    x, y = np.array(places).T
    Q = np.linalg.qr(np.sqrt(stiff)[:, None] * np.stack([np.ones(6), y, -x], axis=1))[0]
    shares = [found[f"leg{k}"].share for k in range(6)]
    assert sum(shares) == pytest.approx(3, abs=1e-12)
    assert shares == pytest.approx(1 - (Q * Q).sum(axis=1), abs=1e-12)


def test_a_part_that_is_far_stiffer_is_not_said_to_carry_nothing() -> None:
    legs = "".join(
        f"  leg{k}: {{type: point-on-plane, bodies: [ground, top], at: [{x}, {y}, 0], axis: z, stiffness: {s}}}\n"
        for k, (x, y, s) in enumerate([(1, 1, 1e3), (-1, 1, 1e3), (-1, -1, 1e3), (1, -1, 1e14)])
    )
    head = "space: spatial\ngravity: [0, 0, -9.81]\nbodies: {top: {mass: 40, inertia: [3, 3, 6]}}\njoints:\n"
    found = flexible(reactio.parse_model(head + legs))
    assert found["leg3"].reason == "not needed: far stiffer than the others that carry this self-stress"


def test_forces_in_the_plane_are_not_mixed_with_moments() -> None:
    """A bar clamped twice under 1 N and 100 N m: the largest force is a force."""
    text = (
        "space: planar\ngravity: [0, 0]\nbodies: {bar: {mass: 1, inertia: 1}}\n"
        "joints:\n  a: {type: fixed, bodies: [ground, bar], at: [0, 0], stiffness: [1e6, 1e6, 1e4]}\n"
        "  b: {type: fixed, bodies: [ground, bar], at: [10, 0], stiffness: [1e6, 1e6, 1e4]}\n"
        "forces: {t: {type: torque, at: bar, torque: 100}, f: {type: force, at: bar, force: [1, 0]}}\n"
    )
    found = flexible(reactio.parse_model(text))
    forces = reactio.reactions(reactio.equations(reactio.build(reactio.parse_model(text))), "compliance")
    largest = max(float(np.linalg.norm(one.force)) for one in forces.values())
    assert found.largest.force == pytest.approx(largest, rel=1e-9)


def test_lower_links_are_needed_and_upper_links_carry_no_self_stress(equal: Certificate) -> None:
    assert all(equal[name].needed for name in LOWER)
    assert all(equal[name].reason == "not needed: carries no self-stress" for name in UPPER)


def test_the_platform_is_soft_and_hidden_by_symmetry(equal: Certificate, unequal: Certificate) -> None:
    """Seven tenths of the self-stress energy; no matter with equal links, hundreds of newtons with unequal ones."""
    assert equal["platform"].share == pytest.approx(0.70, abs=0.005)
    assert not equal["platform"].needed
    assert equal["platform"].reason.startswith("not needed for this load")
    change = unequal["platform"].change_if_rigid
    assert unequal["platform"].needed
    assert change is not None
    assert change == pytest.approx(545, rel=0.01)  # at the start; up to 717 N of 2981 N in the course of the run


def test_what_a_rigid_platform_gets_wrong_depends_on_the_pose() -> None:
    """Let go at f = 0.9 rad with stiffnesses 1, 2, 0.5, 3: 631 N of 1888 N."""
    posed = reactio.load("spatial-parallelogram", links="beam", platform="plate", f=0.9, k2=2, k3=0.5, k4=3)
    found = flexible(posed)["platform"]
    assert found.needed
    assert found.change_if_rigid == pytest.approx(631, abs=1)


def test_one_flexible_lower_link_is_an_elimination_in_disguise() -> None:
    found = flexible(reactio.load("spatial-parallelogram", links="beam"), only=["link1"])
    assert "elimination in disguise" in found["link1"].reason
    assert len(found.open) == 0


def test_upper_links_alone_leave_it_redundant() -> None:
    found = flexible(reactio.load("spatial-parallelogram", links="beam"), only=UPPER)
    assert len(found.open) == 1
    assert [set(one.joints) for one in found.open] == [set("ABCDEFGH")]
    assert {"platform", "link1", "link4"} <= set(found.could_decide)


def test_leaving_a_part_rigid_changes_what_the_rule_says() -> None:
    model = reactio.load("spatial-parallelogram", links="beam")
    eqs = reactio.equations(reactio.build(model))
    whole, rest = (reactio.reactions(eqs, rule) for rule in ("compliance", "compliance:rigid:link3"))
    change = max(float(np.linalg.norm(whole[name].force - rest[name].force)) for name in whole)
    assert flexible(model)["link3"].change_if_rigid == pytest.approx(change, rel=1e-9)


def test_scripts_get_the_contract() -> None:
    data = flexible(reactio.load("door", hinges=2, bushings=1, misfit=1e-4)).as_data()
    assert data.keys() == {"schema", "model", "t", "redundancy", "parts", "open", "gaps", "validity"}
    assert data["parts"]["hinge1"].keys() == {"kind", "share", "needed", "change_if_rigid", "reason"}
    assert data["open"] == []
    assert max(abs(gap["gap"]) for gap in data["gaps"]) > 1e-5


def test_a_mass_that_contradicts_the_structure_is_refused() -> None:
    model = reactio.load("shaft-three-bearings")
    heavy = replace(model.bodies[0], mass=2 * (model.bodies[0].mass or 0.0))
    with pytest.raises(reactio.ReactioError, match=r"its mass is given as .* and follows as"):
        replace(model, bodies=(heavy,))


def test_a_centre_that_contradicts_the_structure_is_refused() -> None:
    model = reactio.load("shaft-three-bearings")
    moved = replace(model.bodies[0], center=(9.0, 0.0, 0.0))
    with pytest.raises(reactio.ReactioError, match=r"its center is given as .* and follows as"):
        replace(model, bodies=(moved,))


def test_the_elastic_motion_of_a_choice_is_that_of_the_choice() -> None:
    """With two of four lower links flexible the mechanism still hardly moves elastically: slow beside its loads."""
    found = flexible(reactio.load("spatial-parallelogram", links="beam"), only=["link1", "link3"])
    assert found.validity is not None
    assert found.validity.inertia is not None
    assert found.validity.inertia < 0.01
    assert (
        found.advice == "determined, but not the true load distribution: link2, link4 carry self-stress and are rigid"
    )


def test_a_shaft_that_alone_bends_is_no_elimination() -> None:
    """On rigid bearings it bears what beam theory says, which no elimination gives."""
    found = flexible(reactio.load("shaft-three-bearings"))
    assert found["shaft"].reason == "needed: without it 2 self-stresses would be undetermined"
    assert found.advice.startswith("the true load distribution")
    assert not any(gap.size for gap in found.gaps)  # all parts fit: loads bend the shaft, assembly closes nothing


def test_each_of_two_mechanisms_can_hide_an_elimination() -> None:
    doors = "".join(
        f"  {name}{k}: {{type: revolute, bodies: [ground, {name}], at: [{x}, 0, {z}], axis: z{stiff}}}\n"
        for name, x in (("p", 0), ("q", 5))
        for k, (z, stiff) in enumerate([(0, ""), (2, ", stiffness: [8e6, 8e6, 5e6, 2e3, 2e3, 0]")])
    )
    bodies = "{p: {mass: 9, inertia: [1, 1, 1]}, q: {mass: 9, inertia: [1, 1, 1], position: [5, 0, 0]}}"
    text = f"space: spatial\ngravity: [0, 0, -9.81]\nbodies: {bodies}\njoints:\n{doors}"
    found = flexible(reactio.parse_model(text))
    assert found.redundancy == 10
    assert all("elimination in disguise" in found[name].reason for name in ("p1", "q1"))


def test_forces_and_moments_are_not_mixed() -> None:
    """Two clamps share a torque T as their stiffnesses: with one of them rigid, it takes what the other had."""
    clamp = "type: fixed, bodies: [ground, wheel], at: [0, 0, 0], stiffness: [1e6, 1e6, 1e6, 1e3, 1e3"
    text = (
        "space: spatial\nbodies: {wheel: {mass: 1, inertia: [1, 1, 1]}}\n"
        f"joints:\n  one: {{{clamp}, 300]}}\n  two: {{{clamp}, 100]}}\n"
        "forces: {turn: {type: torque, at: wheel, torque: [0, 0, 40]}"
    )
    turned = flexible(reactio.parse_model(text + "}"))
    assert (turned["one"].unit, turned["two"].unit) == ("N m", "N m")
    assert turned["one"].change_if_rigid == pytest.approx(10.0, rel=1e-12)
    assert turned["two"].change_if_rigid == pytest.approx(30.0, rel=1e-12)
    assert turned["two"].reason == "needed: leaving it rigid changes a moment by 30 N m of 30 N m"
    pushed = flexible(reactio.parse_model(text + ", push: {type: force, at: wheel, force: [8, 0, 0]}}"))
    assert pushed["two"].unit == "N"
    assert pushed["two"].change_if_rigid == pytest.approx(4.0, rel=1e-12)
