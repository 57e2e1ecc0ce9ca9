"""Names and titles that fit where they are shown, whatever letters they hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.drawing.plots.run import plot_run
from reactio.errors import ModelError
from reactio.reporting.formats import save_report


def changed(key: str, text: str) -> reactio.Model:
    given: dict[str, Any] = {key: text}
    return replace(reactio.load("door"), **given)


@pytest.mark.parametrize(("key", "text"), [("title", "x" * 9000), ("name", "x" * 300), ("cite", "x" * 3000)])
def test_texts_that_fit_nowhere(key: str, text: str) -> None:
    with pytest.raises(ModelError, match=f"{key}.*letters; at most"):
        changed(key, text)


@pytest.mark.parametrize("key", ["title", "name", "cite"])
def test_commands_to_the_terminal(key: str) -> None:
    with pytest.raises(ModelError, match="cannot be printed"):
        changed(key, "red \x1b[31m")


def test_dollars_in_figures_and_reports(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    model = replace(reactio.load("pendulum-twice"), title="costs $ {5 and $x^", name="a$b{$")
    run = reactio.simulate(model, 0.05, output=3)
    for suffix in ("svg", "pdf", "png"):
        plot_run(run, tmp_path / f"run.{suffix}")
        assert (tmp_path / f"run.{suffix}").stat().st_size > 1000
    save_report(reactio.report(model), tmp_path / "report.pdf")


def test_a_long_title_in_a_report(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    model = replace(reactio.load("pendulum-twice"), title="long " * 60)
    save_report(reactio.report(model), tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").stat().st_size > 1000


def test_a_library_mechanism_without_numbers() -> None:
    with pytest.raises(reactio.ReactioError, match=r"There is no 'bennett' with a = 1, b = 0\.8, alpha = 0"):
        reactio.load("bennett", alpha=0)
