"""``reactio singular`` and ``reactio mobility`` as people and scripts use them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
RunJson = Callable[..., dict[str, Any]]


def test_singular_follows_its_contract(run_json: RunJson) -> None:
    data = run_json("singular", "double-four-bar", "--until", "0.8")
    assert data["schema"] == "reactio.singular/1"
    (event,) = data["events"]
    assert event["t"] == pytest.approx(0.71435553, abs=1e-8)  # ∫ dθ/θ̇, see tests/singular
    assert (event["rank_before"], event["rank_at"], event["rank_after"]) == (14, 12, 14)
    assert (event["new_directions"], event["branches"], event["verdict"]) == (2, 3, "bifurcation")
    assert event["closing_singular_value"] < 1e-9
    assert len(event["directions"]) == 2
    assert {b["status"] for b in event["branch_list"]} == {"real"}
    assert event["directions"][0]["bodies"]["bar1"].keys() == {"velocity", "angular_velocity"}
    assert len(data["history"]["t"]) == len(data["history"]["sigma"])


def test_a_figure_of_singular_poses_lies_beside_the_source_when_it_has_no_name(run: Run, tmp_path: Path) -> None:
    done = run("singular", "modified-double-four-bar", "--until", "0.8", "--plot", "-q")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "modified-double-four-bar-singular.png").stat().st_size > 1000


def test_singular_for_people(run: Run, tmp_path: Path) -> None:
    done = run("singular", "modified-double-four-bar", "--until", "0.8", "--plot", "passages.png")
    assert done.returncode == 0, done.stderr
    assert "infinitesimal" in done.stdout
    assert "0.71435553" in done.stdout
    assert (tmp_path / "passages.png").stat().st_size > 5000


def test_mobility_follows_its_contract(run_json: RunJson, run: Run) -> None:
    data = run_json("mobility", "spatial-parallelogram")
    assert data["schema"] == "reactio.mobility/1"
    assert (data["gruebler"], data["differential"], data["finite"], data["shaky"]) == (6, 7, 7, False)
    assert [p["words"] for p in data["passive"]] == [f"link{k} spins about its own axis" for k in range(1, 7)]
    assert {p["kind"] for p in data["passive"]} == {"spin about own axis"}
    text = run("mobility", "modified-double-four-bar", "--set", "theta=0").stdout
    assert "finite mobility 1" in text
    assert "Shaky" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("singular", "double-four-bar", "--until", "-1"), "cannot be followed until"),
        (("singular", "double-four-bar", "--until", "1", "--plot", "x.doc"), "a picture is written as"),
        (("mobility", "no-such-thing"), "neither a file nor a mechanism"),
    ],
)
def test_errors_are_one_message(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_start_at_rest_in_a_singular_pose_offers_its_branches(run: Run, run_json: RunJson) -> None:
    flat = ("simulate", "double-four-bar", "--set", "theta=0", "--set", "omega=0", "--until", "0.3")
    done = run(*flat)
    assert done.returncode == 2
    assert "3 branches" in done.stderr
    assert "--branch" in done.stderr
    data = [run_json(*flat, "--branch", str(k)) for k in (1, 2, 3)]
    assert [d["status"] for d in data] == ["done"] * 3
    assert [d["method"] for d in data].count("branch") == 1
    held = next(d for d in data if d["method"] == "branch")
    assert "without reactions in a rigid model" in held["notes"][1]
    assert held["reactions"]["A"]["force"] is None
    assert max(d["energy_error"] for d in data) < 1e-8
    assert run(*flat, "--branch", "4").returncode == 2
    assert run(*flat, "--speed", "2").returncode == 2


def test_drives_set_the_pace_of_a_start_on_their_branch(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    """A flat rhombus whose crank is turned: its parallel motion is branch 1, and the drive its speed."""
    (tmp_path / "driven.yaml").write_text("""
space: planar
bodies:
  a: {mass: 1, inertia: 0.1, position: [0, 0], center: [0.5, 0]}
  b: {mass: 1, inertia: 0.1, position: [1, 0], center: [0.5, 0]}
  c: {mass: 1, inertia: 0.1, position: [1, 0], center: [0.5, 0]}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  B: {type: revolute, bodies: [a, b], at: [1, 0]}
  C: {type: revolute, bodies: [b, c], at: [2, 0]}
  D: {type: revolute, bodies: [ground, c], at: [1, 0]}
drives: {m: {joint: A, function: 0.7*t}}
""")
    driven = ("simulate", "driven.yaml", "--until", "0.5", "--branch", "1")
    data = run_json(*driven)
    assert data["status"] == "done"
    assert data["energy_error"] < 1e-9  # at a constant rate, without gravity: no power at all, but for rounding
    done = run(*driven, "--speed", "2")
    assert done.returncode == 2
    assert "drives set the pace along branch 1" in done.stderr


def test_no_command_makes_reactions_up_in_a_singular_pose(call: Callable[..., tuple[int, str, str]]) -> None:
    """One instant of the flat double four-bar gives A.y = 2.898 N, where the motion has no finite reaction."""
    at = ("double-four-bar", "--at", "0.7143555292933")
    for rule in ((), ("--rule", "inertia"), ("--compare",)):
        code, out, _ = call("reactions", *at, *rule)
        assert code == 0
        assert "2.898" not in out
        assert "Reactions of A, B, C, D, E, F, G have no value" in out
    data = json.loads(call("reactions", *at, "--json")[1])
    assert all(one["force"] == [None, None] for one in data["reactions"].values())
    data = json.loads(call("check", *at, "--json")[1])
    assert "have no value" in data["notes"][-1]
    data = json.loads(call("report", *at, "--json")[1])
    assert all(c["value"] is None and not c["unique"] for joint in data["joints"] for c in joint["components"])
    assert "have no value" in data["notes"][-1]


def test_a_run_with_a_coarse_tolerance_ends_near_a_singular_pose(call: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = call("simulate", "double-four-bar", "--until", "0.715", "--tol", "1e-2")
    assert code == 0, err
    assert "0 of 7 are unique" in out


def test_simulate_lists_singular_passages(run_json: RunJson, run: Run) -> None:
    (passage,) = run_json("simulate", "double-four-bar", "--until", "1")["singular_passages"]
    assert passage == {"t": pytest.approx(0.71435553, abs=1e-6), "motions": 2}  # ranks 14, 12: as `singular` has it
    assert run_json("simulate", "four-bar-spatial", "--until", "0.1")["singular_passages"] == []
    assert "1 singular pose passed, where 2 motions open: t = 0.714356 s." in " ".join(
        run("simulate", "double-four-bar", "--until", "1").stdout.split()
    )


def test_a_start_on_a_branch_is_off_the_pose_and_says_so(run_json: RunJson, run: Run) -> None:
    flat = ("simulate", "double-four-bar", "--set", "theta=0", "--until", "0.01", "--branch", "3")
    note = run_json(*flat)["notes"][0]
    assert "along branch 3, not in the pose of the model: bar" in note
    # 0.01 of the characteristic length 1 m, as the norm over two bars of twist (1/2, 1): 0.01 / √2.5
    assert "by 0.00316 m and 0.00632 rad" in note
    assert "by 0.000316 m and 0.000632 rad" in run_json(*flat, "--reach", "0.001")["notes"][0]
    assert "a reach from 0.001 to 0.2" in run(*flat, "--reach", "1").stderr
    assert "--reach needs --branch" in run("simulate", "table", "--until", "1", "--reach", "0.1").stderr


def test_branches_have_the_numbers_of_simulate(run: Run, run_json: RunJson) -> None:
    """The velocities of the model order them: other ones, another order, and the same in every command."""
    for given in ((), ("--set", "omega=0"), ("--set", "omega=2")):
        flat = ("double-four-bar", "--set", "theta=0", *given)
        text = run("mobility", *flat).stdout
        (number,) = re.findall(r"^  (\d)  real: bar4 and bar5 turn", text, re.MULTILINE)
        assert "only the ratios of the rates matter" in text
        last = run_json("simulate", *flat, "--until", "0.01", "--branch", number)["final"]
        assert abs(last["bar5"]["angular_velocity"][0]) > 0.1
        assert abs(last["bar3"]["angular_velocity"][0]) < 1e-9  # rounding of a bar that stays
    assert "branch 3: real: bar4 and bar5 turn" in run("singular", "double-four-bar", "--until", "0.8").stdout
