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
    for words in (("check",), ("simulate", "--until", "0.02")):
        done = run(words[0], "four-bar-planar", *words[1:], "--coordinates", "shared")
        assert done.returncode == 2
        assert "without an equation there is no reaction. Use the joint-augmented form" in " ".join(done.stderr.split())


def test_reproduce(run: Run) -> None:
    done = run("reproduce", "sharma", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["schema"] == "reactio.reproduce/1"
    assert data["holds"]
    (paper,) = data["papers"]
    assert {row["where"] for row in paper["comparisons"]} >= {"Table 1", "Eq. 10"}
    assert run("reproduce", "sharna").returncode == 2
