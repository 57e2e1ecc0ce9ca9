"""Sums of open components: their values where they are unique, and the ones that are found without asking."""

from __future__ import annotations

import pytest
from tests.shared_models import SUSPENSION, four_cylinders, library_or_text

import reactio
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.sums import evaluated, simplest

WEIGHT = 25 * 9.81  # of the door [N]


def found(name: str, rule: str | None = None, **parameters: float) -> Reactions:
    return reactio.reactions(reactio.equations(reactio.build(library_or_text(name, **parameters))), rule)


@pytest.mark.parametrize("hinges", [2, 3, 5])
def test_the_weight_of_a_door_is_known_whatever_its_hinges_carry(hinges: int) -> None:
    text = " + ".join(f"hinge{k}.Fz" for k in range(1, hinges + 1))
    one = evaluated(found("door", hinges=hinges), text)
    assert (one.verdict, one.unit, one.rule) == ("unique", "N", None)
    assert one.value == pytest.approx(WEIGHT, rel=1e-9)  # a balance of forces in double precision
    answer = reactio.check(reactio.load("door", hinges=hinges)).functional(text)
    assert answer.value == pytest.approx(WEIGHT, rel=1e-9)
    assert answer.unit == "N"
    listed = {s.expression: s.value for s in simplest(found("door", hinges=hinges))}
    assert listed[text] == pytest.approx(WEIGHT, rel=1e-9)


def test_every_set_of_joints_that_share_load_has_its_own_short_list() -> None:
    """Hinges of each wishbone and guides of the rack share in pairs: the sums of each pair are known."""
    listed = [one.expression for one in simplest(found(SUSPENSION))]
    hinges = [f"{a}.{c} + {b}.{c}" for a, b in (("LF", "LR"), ("UF", "UR")) for c in ("Fx", "Fy", "Fz")]
    guides = [f"guideL.{c} + guideR.{c}" for c in ("Fx", "Fz")]
    assert sorted(listed) == sorted(hinges + guides)
    mains = [one.expression for one in simplest(found(four_cylinders()))]
    assert mains[:2] == [" + ".join(f"M{k}.{c}" for k in range(1, 6)) for c in ("Fy", "Fz")]
    assert len(mains) == 4


def test_an_open_sum_has_no_value_unless_a_rule_is_named() -> None:
    text = "hinge1.Fz + 2*hinge2.Fz"
    assert evaluated(found("door"), text).value is None
    assert reactio.check(reactio.load("door")).functional(text).value is None
    by = evaluated(found("door", "inertia"), text)
    assert by.value is not None
    assert (by.verdict, by.rule) == ("not unique", "inertia")


def test_every_sum_that_is_listed_is_the_same_under_every_rule() -> None:
    for name in ("mobile-robot", "four-bar-spatial", "table"):
        rules = [found(name, rule) for rule in (None, "inertia", "pseudoinverse")]
        size = max(abs(rules[1].balanced).max(), 1e-9)
        for one in simplest(rules[0]):
            values = [evaluated(every, one.expression).value for every in rules]
            assert values == pytest.approx([one.value] * 3, abs=1e-8 * size)  # rules split to some 1e-9


def test_terms_of_different_units_have_none_together() -> None:
    assert reactio.check(reactio.load("door")).functional("hinge1.Fz + hinge2.Mx").unit == ""


def test_a_bare_matrix_knows_no_loads() -> None:
    one = reactio.solvability([[1.0, 0.0], [1.0, 0.0]]).functional([1.0, 1.0])
    assert (one.unique, one.value, one.unit) == (True, None, "")


def test_the_mains_of_an_engine_carry_a_sum_that_is_known() -> None:
    every = found(four_cylinders())
    listed = [one.expression for one in simplest(every)]
    assert "M1.Fy + M2.Fy + M3.Fy + M4.Fy + M5.Fy" in listed  # world axes: the crank lies along x
    crank = 14 * 9.81  # [N], upwards on the crank: its weight and what the rods do to it, which is unique
    rods = [every[f"big{k}"].force for k in range(1, 5)]
    up = crank + sum(force[2] for force in rods)
    across = sum(force[1] for force in rods)
    values = [evaluated(every, " + ".join(f"M{k}.{c}" for k in range(1, 6))).value for c in ("Fy", "Fz")]
    assert sum(x * x for x in values if x is not None) == pytest.approx(up**2 + across**2, rel=1e-9)
