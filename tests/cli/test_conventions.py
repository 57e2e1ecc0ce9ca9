"""The command line as a whole: help, completion, colours, quiet and verbose, exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.markup import render

from reactio import library
from reactio.cli import verbs
from reactio.cli.command import FAMILIES, VERBS, command_line

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_help_fits_one_screen(run: Run) -> None:
    lines = run("--help", COLUMNS="80").stdout.splitlines()
    assert len(lines) <= 80  # a tall terminal window: one line or two for each of some forty verbs
    assert all(len(line) <= 80 for line in lines)


def test_no_help_loses_a_unit_to_markup() -> None:
    """``[kg/m³]`` would be read as a style, and vanish."""

    def helps(command: Any) -> Iterator[str]:
        yield from (text for option in command.params if (text := getattr(option, "help", None)))
        for verb in getattr(command, "commands", {}).values():
            yield from helps(verb)

    texts = set(helps(typer.main.get_command(command_line())))
    assert len(texts) > 100
    assert [text for text in texts if render(text).plain.split() != text.split()] == []


@pytest.mark.parametrize("name", [name for name, _ in VERBS])
def test_every_verb_has_the_same_manners(run: Run, name: str) -> None:
    text = run(name, "--help").stdout
    assert "--quiet" in text
    assert "--verbose" in text


def test_a_verb_is_a_file_that_imports_no_other_verb() -> None:
    files = [file for file in Path(verbs.__file__).parent.glob("*.py") if file.stem != "__init__"]
    assert {file.stem.removesuffix("_") for file in files} == {name for name, _ in (*VERBS, *FAMILIES)}
    assert [file.name for file in files if "reactio.cli.verbs" in file.read_text(encoding="utf-8")] == []


def test_completion_knows_the_library_and_the_rules(process: Run) -> None:
    def complete(words: str) -> list[str]:
        count = len(words.split()) - (0 if words.endswith(" ") else 1)
        done = process(_REACTIO_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(count))
        return done.stdout.split()

    assert complete("reactio check mob") == ["mobile-robot"]
    assert set(library.names()) <= set(complete("reactio show "))
    assert "penalty" in complete("reactio reactions door --rule p")
    assert "simulate" in complete("reactio si")


def test_colours_only_on_a_terminal(process: Run) -> None:
    assert "\x1b[" not in process("check", "mobile-robot").stdout
    assert "\x1b[" in process("check", "mobile-robot", FORCE_COLOR="1").stdout
    plain = process("check", "mobile-robot", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[3" not in plain  # bold may stay, colours do not


def test_quiet_and_verbose(process: Run) -> None:
    assert process("check", "mobile-robot", "--quiet").stderr == ""
    assert "reading mobile-robot" in process("check", "mobile-robot", "-v").stderr
    done = process("check", "mobile-robot", "-q", "-v")
    assert done.returncode == 2
    assert "either --quiet or --verbose" in done.stderr


def test_strict_speaks_by_its_exit_code(process: Run) -> None:
    assert process("check", "mobile-robot").returncode == 0
    assert process("check", "mobile-robot", "--strict").returncode == 1
    assert process("check", "slider-crank", "--strict").returncode == 0
    assert process("check", "nothing-of-this-name", "--strict").returncode == 2


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="a matter of pipes")
@pytest.mark.parametrize("args", [("schema",), ("library",), ("check", "--help")])
def test_a_reader_that_goes_away_is_no_error(args: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-m", "reactio", *args], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.returncode == -signal.SIGPIPE  # 141 in a shell, as of other commands
    assert done.stderr == b""


def test_partly_unique_reactions_at_the_end_of_a_run(run_json: Callable[..., dict[str, Any]]) -> None:
    """The same components as `reactions` gives; nothing for a joint that is not unique at all."""
    there = run_json("simulate", "mobile-robot", "--until", "0.01")["reactions"]["B"]
    assert there["verdict"] == "partly unique"
    assert [x is None for x in there["force"]] == [False, True]
    here = run_json("reactions", "mobile-robot")["reactions"]["B"]
    assert [x is None for x in here["force_in_joint"]] == [x is None for x in there["force_in_joint"]]
    assert run_json("simulate", "table", "--until", "0.01")["reactions"]["leg1"]["force"] is None


def test_rules_are_listed_in_the_help(run: Run) -> None:
    from reactio.sharing import RULES

    text = run("simulate", "--help").stdout
    assert all(rule in text for rule in RULES)


def test_names_in_any_script_are_drawn_without_complaints(process: Run, tmp_path: Path) -> None:
    text = """
name: 機構 🤖
space: planar
bodies: {棒: {mass: 1, inertia: 1, position: [0.5, 0]}}
joints: {関節🔧: {type: revolute, bodies: [ground, 棒], at: [0, 0]}}
"""
    (tmp_path / "m.yaml").write_text(text, encoding="utf-8")
    for args in (("draw", "-o", "p.png"), ("draw", "-o", "p.svg"), ("simulate", "--until", "0.01", "--plot", "r.png")):
        done = process(args[0], "m.yaml", "--quiet", *args[1:])
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
    assert "関節" in (tmp_path / "p.svg").read_text(encoding="utf-8")


FLAT = """
space: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0.01, position: [0, 0.5], angle: 1.5707963267948966}
  b: {mass: 2, inertia: 0.2, position: [1, 1]}
  c: {mass: 1, inertia: 0.01, position: [2, 0.5], angle: 1.5707963267948966}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  B: {type: revolute, bodies: [a, b], at: [0, 1]}
  C: {type: revolute, bodies: [b, c], at: [2, 1]}
  D: {type: revolute, bodies: [ground, c], at: [2, 0]}
drives: {motor: {joint: A, function: 3*t}}
"""


def test_peaks_near_a_singular_pose_are_named(run: Run, tmp_path: Path) -> None:
    """A parallelogram passes its flat pose at t = π/6 s, where the forces in its pins have no bound."""
    (tmp_path / "flat.yaml").write_text(FLAT, encoding="utf-8")
    assert "grow without bound" in run("simulate", "flat.yaml", "--until", "1").stdout
    assert "grow without bound" not in run("simulate", "flat.yaml", "--until", "0.4").stdout


def test_quiet_leaves_out_hints_and_names_of_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "flat.yaml").write_text(FLAT, encoding="utf-8")
    usual = run("simulate", "flat.yaml", "--until", "0.4", "--peaks", "peaks.csv")
    assert "Written to peaks.csv." in usual.stdout
    quiet = run("simulate", "flat.yaml", "--until", "0.4", "--peaks", "peaks.csv", "-q")
    assert "Written" not in quiet.stdout
    assert "--peaks" not in quiet.stdout
    assert "Peaks over the run" in quiet.stdout
    assert "--why" in run("check", "door").stdout
    assert "--why" not in run("check", "door", "-q").stdout
