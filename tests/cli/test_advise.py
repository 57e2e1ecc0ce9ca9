"""``reactio advise`` on the command line: releases and sensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import reactio

Call = Callable[..., tuple[int, str, str]]


def test_the_command_writes_a_model_that_checks(call: Call, tmp_path: Path) -> None:
    code, out, _ = call("advise", "four-bar-spatial", "--with", "B=spherical,C=cylindrical", "-o", "free.yaml")
    assert code == 0
    assert "B: revolute → spherical (releases Mx My); C: revolute → cylindrical (releases Fz)" in out
    answer = reactio.check(reactio.load(str(tmp_path / "free.yaml")))
    assert (answer.redundancy, answer.mobility) == (0, 1)
    assert call("advise", "table", "-o", "none.yaml")[0] == 2
    assert not (tmp_path / "none.yaml").exists()
    assert call("advise", "table")[0] == 1


def test_partial_answers_groups_and_names_of_the_shop_are_shown(call: Call) -> None:
    code, out, _ = call("advise", "door", "--keep", "hinge1", "--keep", "hinge2")
    assert code == 1
    assert "10 → 6" in out
    assert "In the shop: " in out
    code, out, _ = call("advise", "four-bar-spatial")
    assert code == 0
    assert "any one of A, B, C, D" in out
    assert "cylindrical: floating bearing" in out


def test_a_budget_of_sensors_says_what_it_settles(call: Call) -> None:
    code, out, _ = call("advise", "four-bar-spatial", "--sensors", "--budget", "2")
    assert code == 0
    assert "8 of 12" in out
    assert "Set 1 determines A.Fz My, B.Fz My, C.Fz My, D.Fz My." in out
    assert call("advise", "four-bar-spatial", "--budget", "2")[0] == 2
    assert call("advise", "four-bar-spatial", "--sensors", "--budget", "3", "--faults", "1")[0] == 2
