"""Natural coordinates and papers on the command line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_check_show_and_simulate_in_natural_coordinates(run: Run) -> None:
    found = {}
    for coordinates in ("absolute", "natural"):
        done = run("check", "sharma-ghosal", "--coordinates", coordinates, "--json")
        assert done.returncode == 0, done.stderr
        found[coordinates] = json.loads(done.stdout)
    assert (found["natural"]["m"], found["natural"]["rank"]) == (16, 15)
    assert found["natural"]["redundancy"] == found["absolute"]["redundancy"]
    verdicts = [[(g["name"], g["verdict"]) for g in one["groups"]] for one in found.values()]
    assert verdicts[0] == verdicts[1]
    done = run("show", "bennett", "--coordinates", "natural")
    assert "C is 38 × 36 with rank 35" in done.stdout
    assert "18 rows of C keep natural bodies rigid" in done.stdout
    done = run("simulate", "four-bar-planar", "--until", "0.05", "--coordinates", "natural", "--json")
    assert json.loads(done.stdout)["status"] == "done"


def test_exact_and_shared(run: Run) -> None:
    done = run("check", "bricard", "--coordinates", "natural", "--exact", "--json")
    assert json.loads(done.stdout)["exact"]["rank"] == 59
    done = run("check", "four-bar-planar", "--coordinates", "shared")
    assert done.returncode == 2
    assert "joint-augmented" in done.stderr
    done = run("simulate", "four-bar-planar", "--until", "0.02", "--coordinates", "shared", "--rows", "2")
    assert done.returncode == 0, done.stderr
    assert "3 rows on 4 velocities" in done.stdout


def test_reproduce(run: Run) -> None:
    done = run("reproduce", "sharma", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["schema"] == "reactio.reproduce/1"
    assert data["holds"]
    (paper,) = data["papers"]
    assert {row["where"] for row in paper["comparisons"]} >= {"Table 1", "Eq. 10"}
    assert run("reproduce", "sharna").returncode == 2


def test_check_of_shared_points_speaks_of_what_was_given(run: Run) -> None:
    said = run("check", "double-four-bar", "--coordinates", "shared").stderr
    assert "--coordinates natural or absolute" in said
    assert "share_points" not in said
