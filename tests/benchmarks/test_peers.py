"""The race against other engines: its references, and its table with Reactio alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import reactio

RUN = Path(__file__).parents[2] / "benchmarks" / "peers" / "run.py"


def raced(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUN), "--peers", "reactio", "--seconds", "20", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_reactio_alone_reaches_both_errors() -> None:
    done = raced("--cases", "modified-double", "--json")
    assert done.returncode == 0, done.stderr
    runs = json.loads(done.stdout)["runs"]["modified-double"]["reactio"]
    errors = [run["error"] for run in runs if run["error"] is not None]
    assert min(errors) <= 1e-6  # what the race asks for, against the exact solution for parallel cranks


def test_an_unknown_case_is_refused() -> None:
    done = raced("--cases", "no-such")
    assert done.returncode == 2
    assert "no-such" in done.stderr


def test_mechanisms_are_handed_over_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bodies depth first, every joint either carries a body or closes a loop, loads and gravity apart."""
    monkeypatch.syspath_prepend(str(RUN.parent))
    from mechanism import mechanism  # type: ignore[import-not-found]

    built = mechanism("spatial-parallelogram", {})
    model = reactio.load("spatial-parallelogram")
    assert {body.name for body in built.bodies} == {body.name for body in model.bodies}
    assert len(built.carried) + len(built.loops) == len(model.joints)
    assert all(joint.b == i and joint.a < i for i, joint in enumerate(built.carried))
    platform = next(body for body in built.bodies if body.name == "platform")
    assert np.allclose(platform.force, [2000, 3000, 3000])  # as the model file says
    assert np.allclose(platform.moment, [300, 0, 500])
