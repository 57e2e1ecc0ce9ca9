"""``reactio compare --formulations``: table, JSON and page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


def test_the_command_compares_formulations(call: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    given = ("compare", "pendulum-twice", "--formulations", "elimination,null-space", "--until", "0.05")
    code, out, _ = call(*given, "--json", "-o", str(page))
    assert code == 0
    data = json.loads(out)
    assert [row["name"] for row in data["formulations"]] == ["projection", "elimination", "null-space"]
    assert all(row["agrees"] for row in data["formulations"])
    assert not any(one["contradicts"] for one in data["reactions"])
    assert "Reactions are eliminated" in page.read_text(encoding="utf-8")
    code, out, _ = call(*given)
    assert code == 0
    assert "3 of 3 motions agree" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--formulations", "null-space"], "--until T"),
        (["--until", "1"], "--formulations A,B"),
        (["--formulations", "nul-space", "--until", "1"], "Did you mean 'null-space'"),
    ],
)
def test_the_command_says_what_a_comparison_needs(call: Run, arguments: list[str], words: str) -> None:
    code, _, said = call("compare", "pendulum-twice", *arguments)
    assert code == 2
    assert words in said


def test_the_command_drops_equations_and_writes_bases(call: Run, tmp_path: Path) -> None:
    bases = tmp_path / "bases.npz"
    given = ("simulate", "pendulum-twice", "--until", "0.05", "--formulation", "minimal-coordinates")
    code, out, _ = call(*given, "--drop", "rod2", "--bases", str(bases))
    assert code == 0
    assert "Dropped: rod2" in out
    assert bases.exists()


def test_a_run_that_drifts_and_stops_before_a_singular_pose_says_why_and_what_passes_it(call: Run) -> None:
    """The double four-bar next to its flat pose: errors of accelerations are the drift over the distance."""
    code, out, _ = call("simulate", "double-four-bar", "--formulation", "udwadia-kalaba", "--until", "1.4")
    said = " ".join(out.split())
    assert code == 3
    assert "udwadia-kalaba lets the state drift off the constraints" in said
    assert "A formulation that projects, as `projection`, passes it" in said
    assert "The peaks of A, B, C, D, E, F and 1 more lie there" in said
