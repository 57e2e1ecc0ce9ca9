"""Every verb: what people read, what scripts read, exit codes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.model.files.write import to_yaml
from reactio.simulation.read_run import load_run

Run = Callable[..., subprocess.CompletedProcess[str]]
RunJson = Callable[..., dict[str, Any]]

ROUGH = """\
space: planar
bodies:
  crank: {mass: 1, inertia: 1, position: [0.5, 0.02]}
  rod:   {mass: 1, inertia: 1, position: [1.5, 0]}
joints:
  A: {type: revolute, a: ground, b: {body: crank, point: [-0.5, 0]}}
  B: {type: revolute, a: {body: crank, point: [0.5, 0]}, b: {body: rod, point: [-0.5, 0]}}
"""


def test_help_teaches(run: Run) -> None:
    done = run("--help")
    assert done.returncode == 0
    for word in ("check", "show", "assemble", "library", "First steps"):
        assert word in done.stdout
    assert len(done.stdout.splitlines()) <= 72
    for verb in (
        "check",
        "reactions",
        "simulate",
        "singular",
        "mobility",
        "generic",
        "show",
        "assemble",
        "schema",
        "joints",
        "library",
        "warmup",
    ):
        assert run(verb, "--help").returncode == 0


def test_the_version_is_printed(process: Run) -> None:
    assert process("--version").stdout.strip() == f"reactio {reactio.__version__}"


def test_library_lists_all(run: Run, run_json: RunJson) -> None:
    text = run("library").stdout
    data = run_json("library")
    assert data["schema"] == "reactio.library/1"
    assert [m["name"] for m in data["mechanisms"]] == list(library.names())
    assert all(name in text for name in library.names())


@pytest.mark.parametrize("name", ["mobile-robot", "door"])
def test_library_show_prints_a_model(run: Run, name: str, tmp_path: Path) -> None:
    text = run("library", "show", name).stdout
    (tmp_path / "copy.yaml").write_text(text, encoding="utf-8")
    assert reactio.load(tmp_path / "copy.yaml") == reactio.load(name)


def test_show_says_what_counts(run: Run, run_json: RunJson) -> None:
    text = run("show", "four-bar-spatial").stdout
    assert "C is 20 × 18 with rank 17" in text
    assert "gives -2" in text
    data = run_json("show", "four-bar-spatial")
    assert data["schema"] == "reactio.show/1"
    assert (data["m"], data["n"], data["rank"], data["gruebler"], data["mobility"]) == (20, 18, 17, -2, 1)
    assert data["loops"] == 1


def test_show_takes_parameters(run_json: RunJson) -> None:
    data = run_json("show", "n-four-bar", "--set", "N=40", "--set", "spatial=1")
    assert (len(data["bodies"]), data["redundancy"], data["mobility"]) == (81, 120, 1)


def test_check_follows_its_contract(run_json: RunJson) -> None:
    data = run_json("check", "mobile-robot")
    for key in ("schema", "model", "m", "n", "rank", "redundancy", "mobility", "confident", "sigma_last_kept",
                "sigma_first_dropped", "groups", "self_stress"):  # fmt: skip
        assert key in data
    verdicts = {g["name"]: g["verdict"] for g in data["groups"]}
    assert verdicts["A"] == "unique"
    assert verdicts["W3"] == "not unique"
    for group in data["groups"]:
        keys = {"name", "kind", "type", "size", "determined", "verdict", "components", "shares_with", "margin"}
        assert set(group) >= keys
        assert all(set(c) == {"name", "unit", "unique"} for c in group["components"])
    assert all({"joints", "loop"} <= set(s) for s in data["self_stress"])


def test_check_table_and_headline(run: Run) -> None:
    text = run("check", "mobile-robot").stdout
    assert "2 of 22 constraint equations are redundant; 8 of 14 reactions are unique." in text
    assert "which a rigid model leaves undetermined" in text


def test_check_why_and_sums(run: Run, run_json: RunJson) -> None:
    done = run("check", "four-bar-spatial", "--why", "A")
    assert "share a force along joint axis z" in done.stdout
    assert "from the structure" in done.stdout
    data = run_json("check", "four-bar-spatial", "--group", "out=A.Fz-B.Fz", "--group", "one=A.Fz", "--why", "B")
    sums = {g["name"]: g["verdict"] for g in data["groups"] if g["kind"] == "functional"}
    assert sums["one"] == "not unique"
    assert sums["out"] in ("unique", "not unique")
    assert data["why"]["why"]


@pytest.mark.parametrize("method", ["qr", "svd", "rank", "nullspace"])
def test_methods_agree(run_json: RunJson, method: str) -> None:
    data = run_json("check", "spatial-parallelogram", "--method", method)
    assert {g["name"] for g in data["groups"] if g["verdict"] == "unique"} == set("KLMN")


def test_check_at_a_time(run_json: RunJson) -> None:
    data = run_json("check", "mobile-robot", "--at", "2")
    assert data["t"] == 2.0
    assert data["rank"] == 20


def test_check_of_a_bare_matrix(run_json: RunJson, tmp_path: Path) -> None:
    C = np.array([[1.0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 0, 1]])
    np.save(tmp_path / "C.npy", C)
    np.savetxt(tmp_path / "C.csv", C, delimiter=",")
    (tmp_path / "C.mtx").write_text(
        "%%MatrixMarket matrix coordinate real general\n4 3 4\n1 1 1\n2 2 1\n3 2 2\n4 3 1\n", encoding="utf-8"
    )
    (tmp_path / "groups.yaml").write_text("left: [0, 1]\nright: 2-3\n", encoding="utf-8")
    for file in ("C.npy", "C.csv", "C.mtx"):
        data = run_json("check", "--matrix", file, "--groups", "groups.yaml")
        assert {g["name"]: g["verdict"] for g in data["groups"]} == {"left": "partly unique", "right": "partly unique"}
        assert data["redundancy"] == 1


def test_exact_arithmetic(run_json: RunJson, tmp_path: Path) -> None:
    np.save(tmp_path / "C.npy", np.array([[1.0, 2.0], [0.5, 1.0], [0.0, 1.0]]))
    data = run_json("check", "--matrix", "C.npy", "--exact")
    assert data["exact"]["rank"] == 2
    assert data["exact"]["agrees"] is True


def test_assemble_writes_a_closed_model(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rough.yaml").write_text(ROUGH, encoding="utf-8")
    done = run("show", "rough.yaml")
    assert done.returncode == 2
    assert "rough.yaml:6: joint 'A'" in done.stderr
    assert "off by 0.02 m" in done.stderr
    done = run("assemble", "rough.yaml", "-o", "closed.yaml")
    assert done.returncode == 0, done.stderr
    assert run("show", "closed.yaml").returncode == 0


def test_assemble_json(run_json: RunJson, tmp_path: Path) -> None:
    (tmp_path / "rough.yaml").write_text(ROUGH, encoding="utf-8")
    data = run_json("assemble", "rough.yaml", "--keep", "rod")
    assert data["schema"] == "reactio.assemble/1"
    assert data["bodies"]["rod"]["position"] == [1.5, 0.0]
    assert {g["name"] for g in data["gaps"]} == {"A", "B"}


def test_schema_and_joints(run: Run, run_json: RunJson) -> None:
    assert json.loads(run("schema").stdout)["title"] == "Reactio model"
    names = {(j["space"], j["name"]) for j in run_json("joints")["joints"]}
    assert {("planar", "revolute"), ("spatial", "screw")} <= names
    assert {entry["name"] for entry in run_json("joints")["contacts"]} >= {"point-on-plane"}
    listed = run("joints")
    assert listed.returncode == 0
    assert "floating frame" in listed.stdout


def test_no_colours_outside_a_terminal(process: Run) -> None:
    assert "\x1b[" not in process("check", "mobile-robot").stdout


def test_names_are_only_names(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.yaml").write_text(
        "space: planar\nname: '[bold red]x'\nbodies: {'[/] b': {mass: 1, inertia: 1}}\n"
        "joints: {'<script>[blink]': {type: revolute, bodies: [ground, '[/] b'], at: [0, 0]}}\n",
        encoding="utf-8",
    )
    for verb in ("show", "check"):
        done = run(verb, "odd.yaml")
        assert done.returncode == 0, done.stderr
        assert "<script>[blink]" in done.stdout


def test_reactions_are_masked_unless_a_rule_is_named(run: Run, run_json: RunJson) -> None:
    text = run("reactions", "table").stdout
    assert "undetermined" in text
    assert "0, 0, –" in text
    data = run_json("reactions", "table")
    assert data["rule"] is None
    assert data["reactions"]["leg1"]["force"] == [0.0, 0.0, None]
    data = run_json("reactions", "table", "--rule", "pseudoinverse")
    total = sum(one["force"][2] for one in data["reactions"].values())
    assert data["rule"] == "pseudoinverse"
    assert total == pytest.approx(12 * 9.81 + 200)  # weight of the table and the load on it


def test_reactions_side_by_side(run: Run, run_json: RunJson) -> None:
    data = run_json("reactions", "mobile-robot", "--at", "2", "--compare")
    assert {"pseudoinverse", "elimination", "penalty", "augmented-lagrangian", "null-space"} <= set(data["rules"])
    for row in data["rows"]:
        spread = max(row["values"]) - min(row["values"])
        # Unique components agree to rounding of a 22 x 21 solve; the others were seen to differ by more than 1e-4 N.
        assert spread < 1e-9 if row["unique"] else spread > 1e-5
    assert "belongs to the rule" in run("reactions", "mobile-robot", "--compare").stdout


def test_unknown_rule(run: Run) -> None:
    done = run("reactions", "table", "--rule", "pseudoinvers")
    assert done.returncode == 2
    assert "'pseudoinverse'" in done.stderr


def test_simulate_follows_its_contract(run_json: RunJson) -> None:
    data = run_json("simulate", "mobile-robot", "--until", "1")
    keys = {"schema", "model", "until", "rule", "steps", "rejected", "evaluations", "wall_s", "position_drift",
            "velocity_drift", "energy_error", "final", "reactions"}  # fmt: skip
    assert keys <= set(data)
    assert set(data["final"]["robot"]) == {"position", "orientation", "velocity", "angular_velocity"}
    assert data["reactions"]["W3"]["verdict"] == "not unique"
    assert data["reactions"]["W3"]["force"] is None
    assert data["reactions"]["A"]["force"] is not None
    data = run_json("simulate", "mobile-robot", "--until", "1", "--eliminate", "C.y,W4")
    assert data["rule"] == "elimination:C.y,W4"
    assert data["reactions"]["W3"]["force"] is not None


def test_simulate_by_the_implicit_method(run_json: RunJson) -> None:
    data = run_json("simulate", "andrews", "--until", "0.001", "--tol", "1e-5", "--method", "radau5")
    assert (data["method"], data["status"]) == ("radau5", "done")


def test_simulate_keeps_a_run_and_goes_on(run: Run, tmp_path: Path) -> None:
    done = run("simulate", "double-four-bar", "--until", "1", "--out", "run.npz")
    assert done.returncode == 0, done.stderr
    assert "The end was reached" in done.stdout
    done = run("simulate", "double-four-bar", "--until", "2", "--resume", "run.npz", "--out", "more.csv")
    assert done.returncode == 0, done.stderr
    assert load_run(tmp_path / "more.csv").t[-1] == 2.0


def test_friction_is_refused_or_ruled(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    model = to_yaml(reactio.load("mobile-robot"))
    for joint in "AB":
        rub = (
            f"forces: {{rub: {{type: joint-friction, joint: {joint}, coefficient: 0.3, velocity: 0.01, radius: 0.02}}}}"
        )
        (tmp_path / f"{joint}.yaml").write_text(f"{model}{rub}\n", encoding="utf-8")
    assert run_json("simulate", "A.yaml", "--until", "1")["motion_depends_on_rule"] is False
    for args in (("simulate", "B.yaml", "--until", "1"), ("reactions", "B.yaml")):
        done = run(*args)
        assert done.returncode == 2
        assert "joint 'B'" in done.stderr
        assert "sharing rule" in done.stderr
    data = run_json("simulate", "B.yaml", "--until", "1", "--rule", "penalty")
    assert data["motion_depends_on_rule"] is True
    assert data["rule"] == "penalty"
    done = run("simulate", "B.yaml", "--until", "1", "--rule", "elimination", "--stabilise", "baumgarte")
    assert "depends on the sharing rule 'elimination:" in done.stdout
    assert "they drift" in done.stdout


def test_simulate_bad_requests(run: Run) -> None:
    for args, words in (
        (("double-four-bar", "--until", "-1"), "cannot run until -1"),
        (("double-four-bar", "--until", "1", "--tol", "5"), "tolerance"),
        (("double-four-bar", "--until", "1", "--rule", "x"), "no sharing rule 'x'"),
        (("double-four-bar", "--until", "1", "--stabilise", "x"), "projection or baumgarte"),
        (("double-four-bar", "--until", "1", "--method", "radau"), "Did you mean 'radau5'"),
        (("double-four-bar", "--until", "1", "--out", "run.xyz"), ".npz"),
        (("double-four-bar", "--until", "1", "--resume", "none.npz"), "none.npz"),
    ):
        done = run("simulate", *args)
        assert done.returncode == 2, (args, done.stdout, done.stderr)
        assert words in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_many_groups_of_a_bare_matrix(run_json: RunJson, tmp_path: Path) -> None:
    np.save(tmp_path / "C.npy", np.repeat(np.eye(150), 2, axis=0))
    (tmp_path / "groups.yaml").write_text("".join(f"g{k}: {k}\n" for k in range(300)), encoding="utf-8")
    data = run_json("check", "--matrix", "C.npy", "--groups", "groups.yaml")
    assert {g["verdict"] for g in data["groups"]} == {"not unique"}
    assert len(data["groups"]) == 300


def test_why_of_one_joint_of_many(run_json: RunJson) -> None:
    data = run_json("check", "n-four-bar", "--set", "N=150", "--set", "spatial=1", "--why", "L5")
    assert data["self_stress"] is None
    assert "2 of 5" in data["why"]["why"][0]
    assert any("shares load" in sentence for sentence in data["why"]["why"])


def test_numbers_are_not_cut_in_narrow_terminals(run: Run) -> None:
    for width in ("80", "140"):
        text = run("reactions", "mobile-robot", "--compare", COLUMNS=width).stdout
        assert "…" not in text
        assert "steering" in text


TURNED = """\
space: planar
gravity: [0, -10]
bodies: {rod: {mass: 1, inertia: 1, position: [1, 0]}}
joints: {A: {type: fixed, a: {body: ground, point: [0, 0], angle: pi/2}, b: {body: rod, point: [-1, 0], angle: pi/2}}}
"""


def test_reactions_in_world_and_joint_axes(run: Run, tmp_path: Path) -> None:
    """A weight of 10 N: (0, 10) N in the world, (10, 0) N in axes turned by a right angle."""
    (tmp_path / "turned.yaml").write_text(TURNED, encoding="utf-8")
    world = run("reactions", "turned.yaml", "--axes", "world").stdout
    assert "0, 10 " in world
    assert "world axes" in world
    assert "10, 0 " in run("reactions", "turned.yaml").stdout
    compared = run("reactions", "turned.yaml", "--axes", "world", "--compare")
    assert compared.returncode == 0
    assert "world axes" in compared.stdout


WRONG = """space: planar
bodies:
  rod: {mass: 1, inertia: 0.1, position: [0.5, 0], velocity: [0.3, 0]}
joints:
  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}
"""

DOOR = """space: spatial
gravity: [0, 0, -9.81]
bodies:
  door: {mass: 25, inertia: [8, 10, 2], position: [0.45, 0, 1], angular_velocity: [0, 0, 2], velocity: [0, 0.9, 0]}
joints:
  lower: {type: revolute, bodies: [ground, door], at: [0, 0, 0.3], axis: [0, 0, 1]}
  upper: {type: revolute, bodies: [ground, door], at: [0, 0, 1.7], axis: [0, 0, 1]}
forces:
  rub: {type: joint-friction, joint: lower, coefficient: 0.3, velocity: 0.01, radius: 0.02}
"""


def test_velocities_that_were_changed_are_said(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text(WRONG, encoding="utf-8")
    said = run_json("simulate", "wrong.yaml", "--until", "0.1")["notes"]
    assert "Initial velocities violate the constraints, most of all joint 'A' by 0.3 m/s" in said[0]
    assert run_json("reactions", "wrong.yaml")["notes"] == said
    assert run_json("singular", "wrong.yaml", "--until", "0.1")["notes"] == said
    assert "Initial velocities violate" in run("reactions", "wrong.yaml").stdout
    assert run_json("reactions", "table")["notes"] == []


def test_rules_that_no_motion_can_depend_on(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    """Where friction acts by the rule, every command refuses the same rules with the same words."""
    (tmp_path / "door.yaml").write_text(DOOR, encoding="utf-8")
    errors = [
        run(*words, "--rule", "inertia").stderr
        for words in (("simulate", "door.yaml", "--until", "0.1"), ("reactions", "door.yaml"))
    ]
    assert errors[0] == errors[1]
    assert "'inertia' does not weigh one row at a time" in errors[0]
    data = run_json("reactions", "door.yaml", "--compare")
    refused = {"cut", "inertia", "null-space", "unit-rows", "wrench-norm"}
    assert {one["rule"] for one in data["refused"]} == refused
    assert data["rules"] == ["augmented-lagrangian", "elimination", "mass-rows", "penalty", "pseudoinverse"]


def test_rows_that_elimination_picks_are_named(run_json: RunJson) -> None:
    assert "elimination drops C.y, W4" in run_json("reactions", "mobile-robot", "--rule", "elimination")["notes"][0]
    assert "elimination drops C.y, W4" in run_json("reactions", "mobile-robot", "--compare")["notes"][0]
    assert run_json("reactions", "mobile-robot", "--rule", "elimination:B.y,W4")["notes"] == []


def test_a_sum_says_its_axes_and_which_joint_has_others(
    call: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    slides = "\n".join(
        f"  {n}: {{type: point-on-plane, bodies: [ground, plate], at: [{x}, 0, 0], axis: y}}"
        for n, x in (("sa", 0), ("sb", 1))
    )
    (tmp_path / "plate.yaml").write_text(
        "space: spatial\ngravity: [0, -9.81, 0]\n"
        "bodies: {plate: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}}\n"
        f"joints:\n{slides}\n"
    )
    said = "sa.Fz, sb.Fz are along world z here, and joint axis z of sa, sb is world y"
    for verb, axes in (("reactions", "(unique, world axes)"), ("check", "sum, world axes")):
        _, out, _ = call(verb, "plate.yaml", "--group", "two=sa.Fz+sb.Fz")
        assert axes in out
        assert said in " ".join(out.split())
        for same in ("two=sa.Fz+sb.Fz in world axes", "two=sa.Fz+sb.Fz in joint axes", "two=sa.Fx", "one=sa.Fz"):
            assert "here, and joint axis" not in " ".join(call(verb, "plate.yaml", "--group", same)[1].split())
    _, out, _ = call("reactions", "plate.yaml", "--group", "two=sa.Fz+sb.Fz in joint axes")
    assert "= 9.81 N" in out


def test_sums_and_peaks_on_the_command_line(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    words = ("pendulum-twice", "--group", "both=rod1.Fx+rod2.Fx")
    code, out, _ = call("reactions", *words)
    assert code == 0
    assert "both = rod1.Fx+rod2.Fx = " in out
    assert "(unique, world axes)" in out
    code, out, _ = call("simulate", *words, "--until", "0.02", "--rows", "3", "--peaks", "peaks.csv")
    assert code == 0
    assert "Peaks over the run" in out
    head, first, *_ = (tmp_path / "peaks.csv").read_text().splitlines()
    assert head.split(",")[-2:] == ["t [s]", "rms"]
    assert first.startswith("rod1,N,not unique,,N,,")  # open: no number
    code, _, err = call("simulate", *words, "--until", "0.02", "--peaks", "peaks.txt")
    assert (code, "written as .csv" in err) == (2, True)
    code, _, err = call("reactions", "pendulum-twice", "--group", "rod1=rod2.Fx")
    assert (code, "is a joint already" in err) == (2, True)
