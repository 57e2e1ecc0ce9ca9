"""``reactio check --along``: the verdicts at every state of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import reactio


def test_counts_of_a_run_and_its_refusals(
    call: Callable[..., tuple[int, str, str]], run_json: Callable[..., dict[str, Any]]
) -> None:
    reactio.simulate(reactio.load("modified-double-four-bar"), until=0.1, output=4).save("run.npz")
    data = run_json("check", "modified-double-four-bar", "--along", "run.npz")
    assert data["states"] == 4
    assert [one["rank"] for one in data["ranks"]] == [11]
    assert all(sum(counts.values()) == 4 for counts in data["joints"].values())
    code, out, _ = call("check", "modified-double-four-bar", "--along", "run.npz", "--strict")
    assert code == 1  # not every reaction is unique
    assert "Rank 11 (1 redundant, mobility 1)" in out
    code, _, err = call("check", "mobile-robot", "--along", "run.npz")
    assert code == 2
    assert "a run of 'modified-double-four-bar', not of 'mobile-robot'" in err
    code, _, err = call("check", "modified-double-four-bar", "--along", "run.npz", "--why", "A")
    assert code == 2
    assert "no other options" in err
