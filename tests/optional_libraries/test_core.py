"""The functions of Reactio with NumPy, SciPy and PyYAML alone, and what is said where another library is needed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

BLOCKED = """
import sys
sys.modules.update(dict.fromkeys({names}))  # None there is a library that cannot be imported
import warnings
import reactio as ro
"""
FREE = {name: value for name, value in os.environ.items() if name != "REACTIO_KERNELS"}  # the work decides
OPTIONAL = {"llvmlite", "highspy", "rich", "typer", "click", "matplotlib", "pandas", "xarray", "flint", "clarabel"}

QUESTIONS = {
    "check": "ro.check(ro.load('mobile-robot'))",
    "reactions": "ro.reactions(ro.equations(s := ro.build(ro.load('door')), ro.assemble(s)), rule='inertia')",
    "report": "ro.report(ro.load('door'))",
    "releases": "ro.releases(ro.load('door'))",
    "sensors": "ro.sensors(ro.load('door'))",
    "simulate": "ro.simulate(ro.load('slider-crank'), until=0.01)",
    "bounds": "ro.bounds(ro.load('rail-four-carriages'))",
    "envelope": "ro.envelope(ro.load('slider-crank'), until=0.01, rows=5)",
    "mobility": "ro.mobility(ro.load('double-four-bar'))",
}


def _without(names: set[str], code: str) -> str:
    """What code prints in a process in which these libraries cannot be imported."""
    script = BLOCKED.format(names=sorted(names)) + code
    done = subprocess.run([sys.executable, "-c", script], env=FREE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_question_is_answered_by_the_core() -> None:
    lines = [f"print({name!r}, type({call}).__name__)" for name, call in QUESTIONS.items()]
    answered = _without(OPTIONAL, "\n".join(lines)).split("\n")
    assert [line.partition(" ")[0] for line in answered if line] == list(QUESTIONS)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("ro.bounds(ro.load('stool'))", "solver HiGHS: pip install highspy."),
        ("ro.draw(ro.load('door'))", "Matplotlib: pip install 'reactio[plot]'"),
        (
            "ro.simulate(ro.load('slider-crank'), until=0.01).to_pandas()",
            "pandas: pip install 'reactio[tables]'",
        ),
        ("ro.check(ro.load('door'), exact=True)", "python-flint: pip install 'reactio[exact]'"),
    ],
)
def test_a_missing_library_is_named_with_its_remedy(call: str, sentence: str) -> None:
    said = _without(OPTIONAL, f"try:\n    {call}\nexcept ro.ReactioError as error:\n    print(error)")
    assert sentence in said
    assert said.count("\n") == 1, "one line"


def test_large_work_without_a_compiler_runs_and_says_so_once() -> None:
    code = """
from reactio.kernels import expected_work, machine_code_use
with warnings.catch_warnings(record=True) as notes:
    warnings.simplefilter("always")
    for _ in range(3):
        with expected_work(1e6, 1e6):
            print(machine_code_use().name)
print(len(notes), notes[0].message)
"""
    said = _without(OPTIONAL, code).splitlines()
    assert said[:3] == ["PLAIN"] * 3
    assert said[3].startswith("1 ")
    assert said[3].endswith("pip install llvmlite.")


def test_the_command_line_names_what_it_needs() -> None:
    code = """
sys.argv[1:] = ["check", "door"]
from reactio.cli import run
run()
"""
    script = BLOCKED.format(names=sorted(OPTIONAL)) + code
    done = subprocess.run([sys.executable, "-c", script], env=FREE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: the command line needs typer and rich: pip install typer rich.\n"
