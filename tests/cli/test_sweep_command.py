"""`reactio sweep` as a user runs it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., tuple[int, str, str]]
DOOR = ("sweep", "door", "--over", "hinges=1,2", "--over", "mass=10:30:3", "--processes", "0")


def test_a_sweep_is_kept_shown_and_plotted(call: Call, tmp_path: Path) -> None:
    code, out, _ = call(*DOOR, "--want", "redundancy, hinge1.verdict", "-o", "out")
    assert code == 0
    assert "complete; 0 cases failed." in out
    assert "unique 3, not unique 3" in out
    assert {file.name for file in (tmp_path / "out").iterdir()} >= {"results.csv", "sweep.sqlite"}
    code, out, _ = call("sweep", "show", "out", "--json")
    data = json.loads(out)
    assert code == 0
    assert [row["results"]["redundancy"] for row in data["rows"]] == [0, 0, 0, 5, 5, 5]
    assert (tmp_path / data["plot"]).stat().st_size > 10_000
    code, out, _ = call("sweep", "show", "out", "--over", "mass", "--at", "hinges=2", "--plot", "line.svg")
    assert code == 0
    assert "hinges = 2" in out
    assert (tmp_path / "line.svg").exists()


def test_failed_cases_are_an_exit_code_and_words(call: Call) -> None:
    code, out, _ = call(*DOOR, "--want", "hinge2.verdict")
    assert code == 1
    assert "Failed 3 ×: hinge2.verdict: There is no joint or group 'hinge2'." in out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((*DOOR, "--want", "redundanzy"), "Did you mean 'redundancy'"),
        (("sweep", "door", "--over", "hinge=1,2"), "Did you mean 'hinges'"),
        (("sweep", "door", "--over", "mass=1:2:1000000", "--over", "width=1:2:1000"), "1,000,000,000 cases"),
        (("sweep", "door"), "needs parameters to change"),
        (("sweep", "door", "--table", "no.csv"), "no.csv"),
        ((*DOOR, "--dask", "local"), "either --dask or --processes"),
        (("sweep", "show", "nothing"), "holds no sweep"),
    ],
)
def test_what_is_wrong_is_said(call: Call, args: tuple[str, ...], said: str) -> None:
    code, _, err = call(*args)
    assert code == 2
    assert said in err


def test_a_plot_says_what_it_cannot_show(call: Call) -> None:
    assert call(*DOOR, "-o", "out")[0] == 0
    for args, said in [
        (("--want", "rank"), "no result 'rank'"),
        (("--over", "mas"), "Did you mean 'mass'"),
        (("--at", "mass=11", "--over", "hinges"), "not a value of the sweep"),
        (("--plot", "x.doc"), ".png"),
    ]:
        code, _, err = call("sweep", "show", "out", *args)
        assert code == 2
        assert said in err


def test_a_sweep_is_shown_where_nothing_can_be_drawn(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without matplotlib the table is printed all the same; a figure that was asked for is refused."""
    assert (
        call("sweep", "door", "--over", "hinges=1,2", "--want", "redundancy", "-o", "out", "--processes", "0")[0] == 0
    )
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, _ = call("sweep", "show", "out")
    assert code == 0
    assert "figures need matplotlib" in " ".join(out.split())
    assert call("sweep", "show", "out", "--plot", "a.png")[0] == 2
