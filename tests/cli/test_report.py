"""``reactio report`` and ``reactio draw`` as a user runs them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., subprocess.CompletedProcess[str]]
RunJson = Callable[..., dict[str, Any]]


def test_report_writes_a_page_with_its_command(run: Run, tmp_path: Path) -> None:
    done = run("report", "door", "--set", "hinges=2", "-o", "door.html")
    assert done.returncode == 0, done.stderr
    assert "5 of 10 constraint equations are redundant" in done.stdout
    text = (tmp_path / "door.html").read_text(encoding="utf-8")
    assert "reactio report door --set hinges=2 -o door.html" in text
    assert "Door on 2 hinges" in text


def test_report_shows_a_kept_run(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    assert run("simulate", "double-four-bar", "--until", "0.5", "--rows", "8", "--out", "run.nc").returncode == 0
    data = run_json("report", "double-four-bar", "--run", "run.nc")
    assert data["schema"] == "reactio.report/1"
    assert len(data["run"]["t"]) >= 8  # instants between the rows too
    assert data["run"]["histories"]["A"]["Fx"]["unique"] == [True] * len(data["run"]["t"])
    wrong = run("report", "four-bar-planar", "--run", "run.nc")
    assert wrong.returncode == 2
    assert "holds a run of 'double-four-bar'" in wrong.stderr
    both = run("report", "double-four-bar", "--run", "run.nc", "--until", "1")
    assert both.returncode == 2
    assert "not both" in both.stderr
    assert not (tmp_path / "report.html").exists()


def test_draw_writes_a_picture_or_says_why_not(run: Run, tmp_path: Path) -> None:
    done = run("draw", "four-bar-spatial", "-o", "four-bar.svg", "--self-stress", "3")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "four-bar.svg").read_text(encoding="utf-8").startswith("<?xml")
    for arguments, word in (
        (("-o", "a.gif"), ".svg, .pdf, .png"),
        (("-o", "a.svg", "--self-stress", "4"), "it has 3, numbered from 1"),
        (("-o", "no/such/folder/a.svg"), "cannot be written"),
    ):
        failed = run("draw", "four-bar-spatial", *arguments)
        assert failed.returncode == 2
        assert word in failed.stderr
        assert "Traceback" not in failed.stderr


def test_singular_passages_stand_on_the_time_line(run: Run, tmp_path: Path) -> None:
    """The flat pose of the modified double four-bar is passed near 0.71 s (Masarati 2023, Sect. 3.3)."""
    done = run("report", "modified-double-four-bar", "--until", "1", "-o", "page.html")
    assert done.returncode == 0, done.stderr
    assert "singular configuration (infinitesimal)" in (tmp_path / "page.html").read_text(encoding="utf-8")
