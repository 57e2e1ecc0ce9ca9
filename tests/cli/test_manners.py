"""The command line as a whole: help, completion, colours, quiet and verbose, exit codes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from reactio import library
from reactio.cli.app import VERBS

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_help_fits_one_screen(run: Run) -> None:
    lines = run("--help", COLUMNS="80").stdout.splitlines()
    assert len(lines) <= 50  # a terminal window of usual height
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("name", [name for name, _, _ in VERBS])
def test_every_verb_has_the_same_manners(run: Run, name: str) -> None:
    text = run(name, "--help").stdout
    assert "--quiet" in text
    assert "--verbose" in text


def test_completion_knows_the_library_and_the_rules(run: Run) -> None:
    def complete(words: str) -> list[str]:
        count = len(words.split()) - (0 if words.endswith(" ") else 1)
        done = run(_REACTIO_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(count))
        return done.stdout.split()

    assert complete("reactio check mob") == ["mobile-robot"]
    assert set(library.names()) <= set(complete("reactio show "))
    assert "penalty" in complete("reactio reactions door --rule p")
    assert "simulate" in complete("reactio si")


def test_colours_only_on_a_terminal(run: Run) -> None:
    assert "\x1b[" not in run("check", "mobile-robot").stdout
    assert "\x1b[" in run("check", "mobile-robot", FORCE_COLOR="1").stdout
    plain = run("check", "mobile-robot", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[3" not in plain  # bold may stay, colours do not


def test_quiet_and_verbose(run: Run) -> None:
    assert run("check", "mobile-robot", "--quiet").stderr == ""
    assert "reading mobile-robot" in run("check", "mobile-robot", "-v").stderr
    done = run("check", "mobile-robot", "-q", "-v")
    assert done.returncode == 2
    assert "either --quiet or --verbose" in done.stderr


def test_strict_speaks_by_its_exit_code(run: Run) -> None:
    assert run("check", "mobile-robot").returncode == 0
    assert run("check", "mobile-robot", "--strict").returncode == 1
    assert run("check", "slider-crank", "--strict").returncode == 0
    assert run("check", "nothing-of-this-name", "--strict").returncode == 2
