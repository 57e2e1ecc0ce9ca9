"""``reactio simulate --resume``: the identical result, by the same options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.integrate.options import IntegrationOptions
from reactio.model.transform.natural import absolute, natural
from reactio.simulation.read_run import load_run

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
def test_options_are_those_of_the_saved_run(call: Call, tmp_path: Path, name: str, way: dict[str, Any]) -> None:
    whole = halved(reactio.load(name), tmp_path / "half.npz", 0.6, **way)
    code, _, err = call("simulate", name, "--until", "0.6", "--resume", "half.npz", "--out", "whole.npz")
    assert code == 0, err
    found = load_run(tmp_path / "whole.npz")
    assert found.options == whole.options
    for key in ("t", "q", "v", "vdot", "lam"):
        np.testing.assert_array_equal(getattr(found, key), getattr(whole, key))
    assert found.position_drift == whole.position_drift
    assert found.notes == whole.notes


def test_options_come_first(call: Call, tmp_path: Path) -> None:
    halved(reactio.load("double-four-bar"), tmp_path / "half.npz", 0.5, tol=1e-5, stabilise="baumgarte")
    words = "simulate double-four-bar --until 0.5 --resume half.npz --out new.npz"
    code, _, err = call(*words.split(), "--tol", "1e-7", "--stabilise", "projection")
    assert code == 0, err
    assert load_run(tmp_path / "new.npz").options == IntegrationOptions(tol=1e-7, alpha=20.0)
    assert call(*words.split(), "--alpha", "5")[0] == 0
    code, _, err = call(*words.split(), "--alpha", "5", "--stabilise", "projection")
    assert code == 2
    assert "--alpha is the rate of Baumgarte's method" in err


def test_runs_in_other_coordinates_go_on(call: Call, tmp_path: Path) -> None:
    whole = halved(natural(reactio.load("four-bar-planar")), tmp_path / "half.npz", 0.2)
    code, _, err = call("simulate", "four-bar-planar", "--until", "0.2", "--resume", "half.npz", "--out", "whole.npz")
    assert code == 0, err
    found = load_run(tmp_path / "whole.npz")
    np.testing.assert_array_equal(found.t, whole.t)
    np.testing.assert_array_equal(found.q, whole.q)
    assert found.notes == whole.notes
    code, _, err = call("simulate", "slider-crank", "--until", "0.2", "--resume", "half.npz")
    assert code == 2
    assert "a run of 'four-bar-planar', not of 'slider-crank'" in err


@pytest.mark.parametrize("suffix", ["npz", "nc", "csv"])
@pytest.mark.parametrize(
    ("name", "coordinates", "method"),
    [
        ("four-bar-planar", "absolute", "dop853"),
        ("four-bar-planar", "natural", "dop853"),
        ("double-four-bar", "absolute", "radau5"),
    ],
)
def test_rows_are_those_of_the_whole_run(
    call: Call, tmp_path: Path, name: str, coordinates: str, method: str, suffix: str
) -> None:
    forms = {"absolute": absolute, "natural": natural}
    model = forms[coordinates](reactio.load(name))
    whole = halved(model, tmp_path / f"half.{suffix}", 0.4, output=50, method=method, tol=1e-7)
    words = ("simulate", name, "--until", "0.4", "--rows", "50", "--resume", f"half.{suffix}", "--out", "whole.npz")
    code, _, err = call(*words, "--coordinates", coordinates)
    assert code == 0, err
    found = load_run(tmp_path / "whole.npz")
    for key in ("t", "q", "v", "vdot", "lam"):
        np.testing.assert_array_equal(getattr(found, key), getattr(whole, key))
    assert len(found.t) == 50
    assert found.steps == whole.steps
    # The same sums, but for the rounding of energies, of order one here.
    assert found.energy_error == pytest.approx(whole.energy_error, rel=1e-6, abs=1e-14)
    other = "natural" if coordinates == "absolute" else "absolute"
    code, _, err = call(*words, "--coordinates", other)
    assert code == 2
    assert f"--coordinates {other}" in err


def test_the_energy_error_is_that_of_the_joined_run() -> None:
    """Work done before the pause counts: the balance is looked at from the first row on."""
    model = reactio.load("spatial-parallelogram")
    whole = reactio.simulate(model, 3.0, tol=1e-6)
    part = reactio.simulate(model, 3.0, tol=1e-6, chunk=8, on_chunk=lambda piece: True)
    rest = reactio.simulate(model, 3.0, tol=1e-6, resume=part.checkpoint)
    of_parts = max(one.energy_error or 0.0 for one in (part, rest))
    assert of_parts != pytest.approx(whole.energy_error, rel=1e-3)
    both = reactio.simulate(model, 3.0, tol=1e-6, resume=part)
    assert both.energy_error == pytest.approx(whole.energy_error, rel=1e-6)  # rounding, of 1e-6 a step
    with pytest.raises(reactio.ReactioError, match="Give the model it was made with"):
        reactio.simulate(reactio.load("pendulum-twice"), 3.0, resume=part)


def test_a_run_that_had_ended_goes_on_with_its_own_steps() -> None:
    """Its last step was cut, so that its end is where the integrator starts again."""
    model = reactio.load("double-four-bar")
    first = reactio.simulate(model, 0.5)
    both = reactio.simulate(model, 1.0, resume=first)
    assert [one.t for one in both.segments] == [0.0, 0.5]
    assert both.energy_error == pytest.approx(0.0, abs=1e-8)  # 1e-9 a step, some twenty steps
    other = reactio.simulate(model, 1.0, resume=first, tol=1e-6)
    assert other.energy_error == pytest.approx(0.0, abs=1e-5)  # as above, with the larger tolerance behind 0.5 s


@pytest.mark.parametrize(
    ("cut", "why"),
    [
        (lambda lines: lines[:20], "it is cut off in line 20"),
        (lambda lines: lines[:10] + lines[11:], "it has 49 rows of the 50 that were written"),
        (lambda lines: [*lines[:-1], *lines[-2:]], "it has 51 rows of the 50 that were written"),
        (lambda lines: [*lines[:-1], lines[-1][:-3]], "it is cut off in line 53"),
    ],
)
def test_a_table_that_was_cut_is_refused(
    call: Call, tmp_path: Path, cut: Callable[[list[str]], list[str]], why: str
) -> None:
    reactio.simulate(reactio.load("pendulum-twice"), 0.5, output=50).save(str(tmp_path / "run.csv"))
    lines = (tmp_path / "run.csv").read_text().splitlines(keepends=True)
    (tmp_path / "cut.csv").write_text("".join(cut(lines)))
    code, _, err = call("simulate", "pendulum-twice", "--until", "1", "--resume", "cut.csv")
    assert code == 2
    assert f"'cut.csv' is not a run of Reactio: {why}" in err
