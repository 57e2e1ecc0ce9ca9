"""The certificate: who decides the split, of the paper's mechanism and of smaller ones."""

from __future__ import annotations

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


def test_lower_links_are_needed_and_upper_links_carry_no_self_stress(equal: Certificate) -> None:
    assert all(equal[name].needed for name in LOWER)
    assert all(equal[name].reason == "not needed: carries no self-stress" for name in UPPER)


def test_the_platform_is_soft_and_hidden_by_symmetry(equal: Certificate, unequal: Certificate) -> None:
    """Seven tenths of the self-stress energy; no matter with equal links, hundreds of newtons with unequal ones."""
    assert equal["platform"].share == pytest.approx(0.70, abs=0.02)
    assert not equal["platform"].needed
    assert "symmetric" in equal["platform"].reason
    change = unequal["platform"].change_if_rigid
    assert unequal["platform"].needed
    assert change is not None
    assert 500 < change < 700


def test_one_flexible_lower_link_is_an_elimination_in_disguise() -> None:
    found = flexible(reactio.load("spatial-parallelogram", links="beam"), only=["link1"])
    assert "elimination in disguise" in found["link1"].reason
    assert found.open_count == 0


def test_upper_links_alone_leave_it_redundant() -> None:
    found = flexible(reactio.load("spatial-parallelogram", links="beam"), only=UPPER)
    assert found.open_count == 1
    assert set(found.open) == set("ABCDEFGH")
    assert {"platform", "link1", "link4"} <= set(found.could_decide)


def test_leaving_a_part_rigid_changes_what_the_rule_says() -> None:
    model = reactio.load("spatial-parallelogram", links="beam")
    eqs = reactio.equations(reactio.build(model))
    whole, rest = (reactio.reactions(eqs, rule) for rule in ("compliance", "compliance:rigid:link3"))
    change = max(float(np.linalg.norm(whole[name].force - rest[name].force)) for name in whole)
    assert flexible(model)["link3"].change_if_rigid == pytest.approx(change, rel=1e-9)


def test_scripts_get_the_contract() -> None:
    data = flexible(reactio.load("door", hinges=2, bushings=1, misfit=1e-4)).as_data()
    assert {"schema", "model", "t", "redundancy", "parts", "open", "gaps", "validity"} <= data.keys()
    assert set(data["parts"]["hinge1"]) >= {"kind", "share", "needed", "change_if_rigid", "reason"}
    assert max(abs(gap["gap"]) for gap in data["gaps"]) > 1e-5


def test_a_mass_that_contradicts_the_structure_is_refused() -> None:
    from dataclasses import replace

    model = reactio.load("shaft-three-bearings")
    heavy = replace(model.bodies[0], mass=2 * (model.bodies[0].mass or 0.0))
    with pytest.raises(reactio.ReactioError, match=r"its mass is given as .* and follows as"):
        replace(model, bodies=(heavy,))


def test_the_elastic_motion_of_a_choice_is_that_of_the_choice() -> None:
    """With two of four lower links flexible the mechanism still hardly moves elastically: slow beside its loads."""
    found = flexible(reactio.load("spatial-parallelogram", links="beam"), only=["link1", "link3"])
    assert found.validity is not None
    assert found.validity.inertia is not None
    assert found.validity.inertia < 0.01
    assert found.advice == "decided, but not the true split: link2, link4 carry self-stress and are rigid"
