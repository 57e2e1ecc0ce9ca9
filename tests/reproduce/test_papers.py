"""The papers hold, and a number that is wrong is seen."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reactio.cli.app import app
from reactio.reproduce import PAPERS, NumberSource, above, below, close, differs, equal, reproduce, slip


@pytest.mark.parametrize("key", list(PAPERS))
def test_every_comparison_holds(key: str) -> None:
    ((paper, rows),) = reproduce([key])
    assert len(rows) >= 10
    assert paper.left_open
    assert [f"{one.where}: {one.what}: {one.paper} / {one.ours}" for one in rows if one.status == "fails"] == []
    assert [one.what for one in rows if not (one.at and one.level and one.tolerance)] == []
    printed = [(one.where, one.what, one.at) for one in rows if one.source is NumberSource.PRINTED]
    assert len(set(printed)) == len(printed)  # no row counts twice
    assert not [one.what for one in rows if one.where == "by hand" and one.source is NumberSource.PRINTED]


def test_a_wrong_number_is_seen() -> None:
    assert equal("", "", 35, 34).status == "fails"
    assert equal("", "", {"A", "B"}, {"A"}).status == "fails"
    assert close("", "", 0.583, 0.60, 1e-3).status == "fails"
    assert below("", "", "0", float("nan"), 1e-9).status == "fails"
    assert above("", "", "differs", 1e-9, 1e-3).status == "fails"
    assert differs("", "", "", 3e-3, 1.2e-2, (5e-3, 2e-2), "").status == "differs"
    assert differs("", "", "", 3e-3, 2e-3, (5e-3, 2e-2), "").status == "fails"  # it is met after all
    assert differs("", "", "", 3e-3, 5e-2, (5e-3, 2e-2), "").status == "fails"  # more than is known
    assert slip("", "", 0.34, 0.17, 0.336, 0.005, "").status == "slip"
    assert slip("", "", 0.34, 0.17, 0.30, 0.005, "").status == "fails"  # the explanation explains nothing
    assert slip("", "", 0.34, 0.34, 0.34, 0.005, "").status == "fails"  # there is nothing to explain


def test_command_and_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = CliRunner().invoke(app, ["reproduce", "callejo2017", "--plots", str(tmp_path), "--format", "svg", "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["holds"] is True
    (paper,) = data["papers"]
    figure, numbers = map(Path, paper["figures"])
    assert figure.suffix == ".svg"
    assert figure.stat().st_size > 5000
    with numbers.open(encoding="utf-8", newline="") as table:
        points = {(point["curve"], point["x"]): float(point["y"]) for point in csv.DictReader(table)}
    weight_part = {corner: points["only pushing", f"corner{corner}"] for corner in (1, 2, 3, 4)}
    assert weight_part == pytest.approx({1: 0.6, 2: 0.2, 3: 0.0, 4: 0.2}, abs=1e-6)
    assert {one["source"] for one in paper["comparisons"]} == {"printed", "own"}


def test_every_paper_draws() -> None:
    assert all(paper.figures is not None for paper in PAPERS.values())


def test_the_steering_keeps_its_sign_and_the_edges_their_force() -> None:
    """Fig. 2 rises, returns, falls and returns; Fig. 4 shows forces across the edges W3 and W5, not along world y."""
    from reactio.library import load
    from reactio.reproduce.wojtyra2013 import ACROSS, _stroke
    from reactio.simulation.simulate import simulate

    run = simulate(load("mobile-robot"), 20.0, rule="elimination:W1,W4", output=21, tol=1e-7)
    stroke = _stroke(run).y
    assert (stroke[5], stroke[13], stroke[20]) == pytest.approx((0.012, 0.0, -0.012), abs=1e-9)
    for edge in ("W3", "W5"):
        history = run[edge]
        sizes = (history.force**2).sum(axis=1) ** 0.5
        assert abs(history.force_in_joint[:, ACROSS]) == pytest.approx(sizes, abs=1e-12)
        assert abs(history.force[13, 1]) < 0.99 * sizes[13]  # the robot has turned
