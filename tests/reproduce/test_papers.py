"""The papers hold, and a number that is wrong is seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reactio.cli.app import app
from reactio.reproduce import PAPERS, above, below, close, equal, reproduce, slip


@pytest.mark.parametrize("key", list(PAPERS))
def test_every_comparison_holds(key: str) -> None:
    ((paper, rows),) = reproduce([key])
    assert len(rows) >= 10
    assert paper.left_open
    assert [f"{one.where}: {one.what}: {one.paper} / {one.ours}" for one in rows if one.status == "fails"] == []


def test_a_wrong_number_is_seen() -> None:
    assert equal("", "", 35, 34).status == "fails"
    assert equal("", "", {"A", "B"}, {"A"}).status == "fails"
    assert close("", "", 0.583, 0.60, 1e-3).status == "fails"
    assert below("", "", "0", float("nan"), 1e-9).status == "fails"
    assert above("", "", "differs", 1e-9, 1e-3).status == "fails"
    assert slip("", "", 0.34, 0.17, 0.336, 0.005, "").status == "slip"
    assert slip("", "", 0.34, 0.17, 0.30, 0.005, "").status == "fails"  # the explanation explains nothing
    assert slip("", "", 0.34, 0.34, 0.34, 0.005, "").status == "fails"  # there is nothing to explain


def test_command_and_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = CliRunner().invoke(app, ["reproduce", "wojtyra2012", "--plots", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["holds"] is True
    (paper,) = data["papers"]
    assert all(Path(path).stat().st_size > 5000 for path in paper["figures"])
    assert {one["status"] for one in paper["comparisons"]} == {"holds", "slip"}
