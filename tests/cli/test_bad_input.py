"""Bad input on the command line: exit code 2, one message with file and line, nothing written, no traceback."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Call = Callable[..., tuple[int, str, str]]

BODY = "space: planar\nbodies:\n  bar: {mass: 1, inertia: 1}\n"
CASES = {
    "unknown body": (
        BODY + "joints:\n  A: {type: revolute, bodies: [ground, baar], at: [0, 0]}\n", ":5:", "Did you mean 'bar'"),
    "unknown type": (BODY + "joints:\n  A: {type: revolut, bodies: [ground, bar], at: [0, 0]}\n", ":5:", "'revolute'"),
    "duplicate": (BODY + "  bar: {mass: 1, inertia: 1}\n", ":4:", "used twice"),
    "missing mass": ("space: planar\ngravity: [0, -9.81]\nbodies:\n  bar: {inertia: 1}\n", ":4:", "no mass"),
    "inertia": ("space: planar\nbodies:\n  bar: {mass: 1, inertia: -1}\n", ":3:", "positive"),
    "triangle": ("space: spatial\nbodies:\n  bar: {mass: 1, inertia: [1, 1, 3]}\n", ":3:", "triangle"),
    "zero axis": (
        "space: spatial\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 0]}\n", ":5:", "no direction"),
    "unit": ("space: planar\nunits: mmm\n", ":2:", "not a unit"),
    "forbidden": ("space: planar\nparameters:\n  a: __import__('os')\n", ":3:", "a"),
    "division": ("space: planar\nparameters:\n  a: 1/0\n", ":3:", "a"),
    "circle": ("space: planar\nparameters:\n  a: 2*b\n  b: a\n", ":", "circle"),
    "nan": ("space: planar\nbodies:\n  bar: {mass: .nan, inertia: 1}\n", ":3:", "mass"),
    "key": ("space: planar\nbodys: {}\n", ":2:", "'bodies'"),
    "not yaml": ("space: [planar\n", ":", "YAML"),
    "empty": ("", ":1", "empty"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("verb", ["show", "assemble"])
def test_model_files(run: Run, tmp_path: Path, case: str, verb: str) -> None:
    text, line, words = CASES[case]
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    extra = ("-o", "out.yaml") if verb == "assemble" else ()
    done = run(verb, "bad.yaml", *extra)
    assert done.returncode == 2
    assert f"bad.yaml{line}" in done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.yaml"]


def test_alias_bomb(run: Run, tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    (tmp_path / "bomb.yaml").write_text("\n".join(lines), encoding="utf-8")
    done = run("show", "bomb.yaml")
    assert done.returncode == 2
    assert "aliases" in done.stderr


def test_junk_of_100_MB(run: Run, tmp_path: Path) -> None:
    (tmp_path / "junk.yaml").write_bytes(np.random.default_rng(0).bytes(100 * 2**20))
    done = run("show", "junk.yaml")
    assert done.returncode == 2
    assert "100 MB" in done.stderr


def test_missing_sources_and_wrong_options(run: Run) -> None:
    for args, words in (
        (("show", "dor"), "Did you mean 'door'"),
        (("show", "nothing.yaml"), "nothing.yaml"),
        (("show", "door", "--set", "hinge=3"), "Did you mean 'hinges'"),
        (("show", "door", "--set", "hinges"), "NAME=VALUE"),
        (("show", "door", "--set", "hinges=2.5"), "whole number"),
        (("check", "door", "--why", "hinge9"), "Did you mean"),
        (("check", "door", "--group", "x=hinge1.Fq"), "no component 'Fq'"),
        (("check",), "Give a SOURCE"),
        (("check", "--matrix", "C.txt"), ".npy"),
        (("library", "show", "dor"), "Did you mean"),
        (("assemble", "door", "--keep", "dor"), "Did you mean 'door'"),
        (("check", "slider-crank", "--at", "nan"), "nan"),
        (("check", "slider-crank", "--at", "inf"), "inf"),
        (("check", "door", "--groups", "g.yaml"), "--groups belongs to --matrix"),
        (("check", "--matrix", "C.npy", "--at", "1"), "--at, --set, --coordinates and --tolerance belong to a model"),
        (("check", "door", "--group", "hinge1=hinge2.Fx"), "is a joint already"),
        (("check", "door", "--group", "x\x1b[31m=hinge2.Fx"), "printable characters"),
        (("show", "door", "--set", "hinges=1e9"), "at most"),
        (("show", "door", "--set", "hinges=1e999"), "finite"),
    ):
        done = run(*args)
        assert done.returncode == 2, (args, done.stdout, done.stderr)
        assert words in done.stderr, (args, done.stderr)
        assert "Traceback" not in done.stderr


def test_bad_matrices(run: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "nan.npy", np.array([[1.0, np.nan]]))
    np.save(tmp_path / "zero.npy", np.array([[1.0, 0.0], [0.0, 0.0]]))
    np.save(tmp_path / "empty.npy", np.zeros((0, 3)))
    np.save(tmp_path / "object.npy", np.array([{}], dtype=object), allow_pickle=True)
    (tmp_path / "text.csv").write_text("a,b\nc,d\n", encoding="utf-8")
    (tmp_path / "broken.mtx").write_text("hello\n", encoding="utf-8")
    (tmp_path / "fake.npy").write_bytes(b"not a matrix")
    np.save(tmp_path / "good.npy", np.eye(3))
    np.save(tmp_path / "line.npy", np.ones(3))
    (tmp_path / "nothing.csv").write_text("", encoding="utf-8")
    (tmp_path / "uneven.csv").write_text("# of a robot\n1,2\n3\n", encoding="utf-8")
    (tmp_path / "endless.yaml").write_text("a: 0-99999999999\n", encoding="utf-8")
    (tmp_path / "overlap.yaml").write_text("a: [0, 1]\nb: [1]\n", encoding="utf-8")
    (tmp_path / "outside.yaml").write_text("a: [7]\n", encoding="utf-8")
    for args, words in (
        (("nan.npy",), "nan"),
        (("zero.npy",), "zero"),
        (("empty.npy",), "empty"),
        (("line.npy",), "1 axes"),
        (("nothing.csv",), "empty"),
        (("uneven.csv",), "line 2 has 2 entries and line 3 has 1"),
        (("good.npy", "--groups", "endless.yaml"), "names more than"),
        (("object.npy",), "object.npy"),
        (("text.csv",), "text.csv"),
        (("broken.mtx",), "broken.mtx"),
        (("fake.npy",), "fake.npy"),
        (("missing.npy",), "missing.npy"),
        (("good.npy", "--groups", "overlap.yaml"), "groups 'a' and 'b'"),
        (("good.npy", "--groups", "outside.yaml"), "names row 7"),
    ):
        done = run("check", "--matrix", *args)
        assert done.returncode == 2, (args, done.stdout, done.stderr)
        assert words in done.stderr
        assert "Traceback" not in done.stderr


def test_a_matrix_from_a_spreadsheet_begins_with_a_mark(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text("1,0\n0,1\n", encoding="utf-8-sig")
    done = run("check", "--matrix", "sheet.csv")
    assert (done.returncode, done.stderr) == (0, "")


def test_assemble_does_not_replace_its_source(run: Run, tmp_path: Path) -> None:
    text = "# mine\nspace: planar\nbodies: {b: {mass: 1, inertia: 1}}\n"
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    done = run("assemble", "mine.yaml", "-o", "mine.yaml")
    assert done.returncode == 2
    assert (tmp_path / "mine.yaml").read_text(encoding="utf-8") == text


COINCIDENT = """\
space: planar
bodies:
  a: {mass: 1, inertia: 1, position: [0, 0]}
  b: {mass: 1, inertia: 1, position: [0, 0]}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  g: {type: gear, a: a, b: b, radius_a: 1, radius_b: 1}
"""


@pytest.mark.parametrize("verb", ["check", "reactions", "show"])
def test_a_degenerate_pose_names_its_joint(run: Run, tmp_path: Path, verb: str) -> None:
    """The line of centres of a gear has no direction where they coincide."""
    (tmp_path / "gear.yaml").write_text(COINCIDENT, encoding="utf-8")
    done = run(verb, "gear.yaml")
    assert done.returncode == 2
    assert "joint 'g'" in done.stderr
    assert "coincide" in done.stderr


HINGE = BODY + "joints:\n  A: {type: revolute, bodies: [ground, bar], at: [0, 0]}\n"
NO_NUMBERS = {
    ".nan": HINGE.replace("mass: 1", "mass: .nan"),
    ".INF": HINGE.replace("mass: 1", "mass: -.INF"),
    "nan": HINGE.replace("at: [0, 0]", "at: [0, 2*nan]"),
    "inf": HINGE + "drives:\n  d: {joint: A, function: inf + t}\n",
    ".inf": HINGE + "drives:\n  d: {joint: A, function: {spline: {times: [0, 1, 2, 3], values: [0, .inf, 1, 2]}}}\n",
}


@pytest.mark.parametrize("written", NO_NUMBERS)
def test_what_is_no_finite_number_is_called_so(call: Call, tmp_path: Path, written: str) -> None:
    (tmp_path / "bad.yaml").write_text(NO_NUMBERS[written], encoding="utf-8")
    code, _, err = call("show", "bad.yaml")
    assert code == 2
    assert "bad.yaml:" in err
    assert f"'{written}' is not a finite number" in err


def test_a_table_with_a_hole_names_its_line(call: Call, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("0,0\n1,nan\n2,1\n3,1\n", encoding="utf-8")
    text = HINGE + "drives:\n  d: {joint: A, function: {spline: {file: table.csv}}}\n"
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    code, _, err = call("show", "bad.yaml")
    assert code == 2
    assert "table.csv:2: drive 'd'" in err
    assert "'nan' is not a finite number" in err


def test_damaged_runs_and_groups(call: Call, tmp_path: Path) -> None:
    for suffix in ("npz", "nc", "csv"):
        (tmp_path / f"junk.{suffix}").write_bytes(b"hello")
        (tmp_path / f"empty.{suffix}").write_bytes(b"")
    np.savez(tmp_path / "other.npz", a=1)
    np.save(tmp_path / "good.npy", np.eye(3))
    (tmp_path / "list.yaml").write_text("- 1\n", encoding="utf-8")
    (tmp_path / "none.yaml").write_text("", encoding="utf-8")
    runs = [f"{name}.{suffix}" for name in ("junk", "empty") for suffix in ("npz", "nc", "csv")] + ["other.npz"]
    cases: list[tuple[tuple[str, ...], str]] = [
        (("report", "door", "--run", file), f"'{file}' is not a run of Reactio") for file in runs
    ]
    cases += [
        (("check", "--matrix", "good.npy", "--groups", "list.yaml"), "groups of rows are a mapping"),
        (("check", "--matrix", "good.npy", "--groups", "none.yaml"), "names no group"),
    ]
    for args, words in cases:
        code, out, err = call(*args)
        assert code == 2, (args, out, err)
        assert words in err, (args, err)
        assert "a model" not in err


def test_options_that_would_do_nothing(call: Call) -> None:
    for args, words in (
        (("simulate", "door", "--until", "1", "--eliminate", ""), "--eliminate names no equation"),
        (("simulate", "door", "--until", "1", "--alpha", "5"), "--stabilise baumgarte"),
        (("simulate", "door", "--until", "1", "--select", "A"), "--plot"),
        (("simulate", "door", "--until", "1", "--plot", "x.foo"), "a picture is written as"),
        (("simulate", "door", "--until", "1e300"), "beyond 1e+12 s"),
        (("reactions", "door", "--rule", ""), "it is empty; name a rule"),
        (("draw", "door", "-o", "x.svg", "--yaw", "nan"), "not a finite number"),
        (("assemble", "door", "--at", "nan"), "not a finite number"),
    ):
        code, out, err = call(*args)
        assert code == 2, (args, out, err)
        assert words in err, (args, err)


@pytest.mark.parametrize("options", [(), ("--compare",)])
def test_reactions_of_a_body_that_nothing_holds(call: Call, tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "free.yaml").write_text(BODY, encoding="utf-8")
    code, out, err = call("reactions", "free.yaml", *options)
    assert (code, out) == (2, "")
    assert "has no constraints: there is no reaction" in err
