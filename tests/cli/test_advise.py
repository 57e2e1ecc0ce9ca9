"""``reactio advise`` on the command line: releases and sensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import reactio

Call = Callable[..., tuple[int, str, str]]


def test_the_command_writes_a_model_that_checks(call: Call, tmp_path: Path) -> None:
    code, out, _ = call("advise", "four-bar-spatial", "--with", "B=spherical,C=cylindrical", "-o", "free.yaml")
    assert code == 0
    assert "B: revolute → spherical (lets go Mx My); C: revolute → cylindrical (lets go Fz)" in out
    answer = reactio.check(reactio.load(str(tmp_path / "free.yaml")))
    assert (answer.redundancy, answer.mobility) == (0, 1)
    assert call("advise", "table", "-o", "none.yaml")[0] == 2
    assert not (tmp_path / "none.yaml").exists()
    assert call("advise", "table")[0] == 1
