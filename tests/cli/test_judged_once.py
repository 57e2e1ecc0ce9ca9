"""Commands about one pose read the model once, and judge no set of rows in any pose twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from reactio import loading
from reactio.kinematics import assemble
from reactio.uniqueness import engine


@pytest.mark.parametrize(
    # Judged are the pose, and two next to it, which show whether it is singular.  Where redundancies come from is shown
    # by the mechanism without its drive, and by the joints that share load: there, in three poses further along, and
    # with all joints moved about.  The report asks this also of each of two self-stresses alone, and draws motions.
    ("command", "judged", "closed"),
    [("check", 9, 6), ("reactions", 3, 4), ("report", 19, 10)],
)
def test_each_pose_is_judged_once(
    command: str,
    judged: int,
    closed: int,
    call: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts: Counter[str] = Counter()
    for module, name in ((engine, "_judge"), (assemble, "_positions"), (loading, "load")):
        monkeypatch.setattr(module, name, counted(getattr(module, name), counts))
    code, _, err = call(command, "mobile-robot")
    assert code == 0, err
    assert counts["_judge"] <= judged
    assert counts["_positions"] <= closed
    assert counts["load"] == 1


def counted(function: Callable[..., Any], counts: Counter[str]) -> Callable[..., Any]:
    def call(*args: Any, **more: Any) -> Any:
        counts[function.__name__] += 1
        return function(*args, **more)

    return call
