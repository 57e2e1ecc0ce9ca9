"""``reactio simulate --resume``: the identical result, in the same way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.dynamics.way import Way

Call = Callable[..., tuple[int, str, str]]


def halved(model: reactio.Model, path: Path, until: float, **way: Any) -> reactio.Trajectory:
    """Keep the first steps of a run in a file; the whole run returns."""
    part = reactio.simulate(model, until, chunk=3, on_chunk=lambda piece: True, **way)
    assert 0 < part.checkpoint.t < until
    part.save(str(path))
    return reactio.simulate(model, until, **way)


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("double-four-bar", {"tol": 1e-5, "stabilise": "baumgarte", "alpha": 7.0}),
        ("double-four-bar", {"tol": 1e-5, "method": "radau5"}),
        ("pendulum-twice", {"tol": 1e-5, "rule": "inertia"}),
    ],
)
def test_the_way_is_that_of_the_run_that_was_kept(call: Call, tmp_path: Path, name: str, way: dict[str, Any]) -> None:
    whole = halved(reactio.load(name), tmp_path / "half.npz", 0.6, **way)
    code, _, err = call("simulate", name, "--until", "0.6", "--resume", "half.npz", "--out", "whole.npz")
    assert code == 0, err
    found = reactio.load_run(tmp_path / "whole.npz")
    assert found.way == whole.way
    for key in ("t", "q", "v", "vdot", "lam"):
        np.testing.assert_array_equal(getattr(found, key), getattr(whole, key))
    assert found.position_drift == whole.position_drift
    assert found.notes == whole.notes


def test_options_come_first(call: Call, tmp_path: Path) -> None:
    halved(reactio.load("double-four-bar"), tmp_path / "half.npz", 0.5, tol=1e-5, stabilise="baumgarte")
    words = "simulate double-four-bar --until 0.5 --resume half.npz --out new.npz"
    code, _, err = call(*words.split(), "--tol", "1e-7", "--stabilise", "projection")
    assert code == 0, err
    assert reactio.load_run(tmp_path / "new.npz").way == Way(tol=1e-7, alpha=20.0)
    assert call(*words.split(), "--alpha", "5")[0] == 0
    code, _, err = call(*words.split(), "--alpha", "5", "--stabilise", "projection")
    assert code == 2
    assert "--alpha is the rate of Baumgarte's method" in err


@pytest.mark.parametrize("form", [reactio.shared_points, reactio.natural])
def test_runs_in_other_coordinates_go_on(
    call: Call, tmp_path: Path, form: Callable[[reactio.Model], reactio.Model]
) -> None:
    whole = halved(form(reactio.load("four-bar-planar")), tmp_path / "half.npz", 0.2)
    code, _, err = call("simulate", "four-bar-planar", "--until", "0.2", "--resume", "half.npz", "--out", "whole.npz")
    assert code == 0, err
    found = reactio.load_run(tmp_path / "whole.npz")
    np.testing.assert_array_equal(found.t, whole.t)
    np.testing.assert_array_equal(found.q, whole.q)
    assert found.notes == whole.notes
    code, _, err = call("simulate", "slider-crank", "--until", "0.2", "--resume", "half.npz")
    assert code == 2
    assert "which 'slider-crank' does not describe" in err
