"""The process of a command: signals, encodings, and outputs that are full or closed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup

import reactio
from reactio.cli import process
from reactio.model.files.write import to_yaml

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMAND = [sys.executable, "-m", "reactio"]
PLAIN = {**os.environ, "REACTIO_KERNELS": "plain", "COLUMNS": "140"}


def ran(*words: str, env: dict[str, str] | None = None, **how: Any) -> subprocess.CompletedProcess[bytes]:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": {**PLAIN, **(env or {})}}
    done: subprocess.CompletedProcess[bytes] = subprocess.run(
        [*COMMAND, *words], check=False, timeout=120, **(pipes | how)
    )
    return done


@pytest.mark.parametrize(
    "words",
    [
        ("check", "door", "--why", "hinge1"),
        ("reactions", "mobile-robot", "--compare"),
        ("mobility", "double-four-bar"),
        ("show", "four-bar-spatial", "--json"),
        ("show", "dor"),
        ("simulate", "door", "--until", "1", "--no-such-option"),
    ],
)
def test_a_process_says_what_the_command_says_in_this_process(run: Run, process: Run, words: tuple[str, ...]) -> None:
    """So that all other tests of commands may save the start of a process."""
    alone, here = process(*words), run(*words)
    assert (alone.returncode, alone.stdout, alone.stderr) == (here.returncode, here.stdout, here.stderr)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_outputs_without_our_signs(encoding: str) -> None:
    done = ran("check", "four-bar-spatial", env={"PYTHONIOENCODING": encoding})
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode(encoding)
    assert "not unique" in shown
    assert "?" not in shown


def test_json_keeps_every_letter_in_any_encoding(tmp_path: Path) -> None:
    text = to_yaml(reactio.load("door", hinges=2)).replace("name: door", "name: Tür 𝒞")
    (tmp_path / "door.yaml").write_text(text, encoding="utf-8")
    done = ran("show", "door.yaml", "--json", env={"PYTHONIOENCODING": "ascii"}, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("ascii"))["model"] == "Tür 𝒞"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_a_full_output_is_said() -> None:
    with open("/dev/full", "wb") as full:
        done = ran("library", stdout=full)
    assert done.returncode == 2
    assert b"error: the output cannot be used: No space left on device." in done.stderr
    assert b"Traceback" not in done.stderr


def test_closed_outputs_are_none() -> None:
    shell = " ".join(["exec", *COMMAND, "library", ">&-", "2>&-"])
    assert subprocess.run(["sh", "-c", shell], env=PLAIN, timeout=120, check=False).returncode == 0


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text('space: planar\nparameters: {"a\\e[2Jb": 1}\nbodies: {b: {mass: 1}}\n')
    (tmp_path / "g.yaml").write_text('"a\\e[2Jb": 0\n')
    (tmp_path / "c.csv").write_text("1,2\n")
    for words in (("show", "m.yaml"), ("check", "--matrix", "c.csv", "--groups", "g.yaml"), ("show", "x\x1b[2J")):
        done = ran(*words, cwd=tmp_path)
        assert done.returncode == 2
        assert b"\x1b" not in done.stderr + done.stdout
        assert b"x1b[2J" in done.stderr


BEGUN = """
from reactio import cli
cli.begin()
print("begun", flush=True)
cli.run()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("answer", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("wait", [0.0, 0.1, 0.3])
def test_a_signal_around_the_first_step_is_said_and_never_swallowed(
    tmp_path: Path, wait: float, answer: signal.Signals
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", BEGUN, "simulate", "double-four-bar", "--until", "10000", "--rows", "20"],
        env=PLAIN,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"begun\n"
    time.sleep(wait)
    child.send_signal(answer)
    _, err = child.communicate(timeout=100)
    # A quick machine has made its first steps by then; the run says how far it came.
    assert err == b"interrupted\n" or (err.startswith(b"The run ended at t = ") and b"checkpoint" in err)
    assert child.returncode in (
        130,
        -signal.SIGINT,
    )  # the latter by Python itself, where it was reading a class; shells show 130


def test_letters_that_stand_for_others_are_plain() -> None:
    assert all(shown.isascii() for shown in process.ASCII_SUBSTITUTES.values())


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "double-four-bar", "--until", "1e6", "--out", "run.xyz"),
        ("simulate", "double-four-bar", "--until", "1e6", "--out", "missing/run.npz"),
        ("simulate", "double-four-bar", "--until", "1e6", "--plot", "missing/run.png"),
        ("simulate", "double-four-bar", "--until", "1e6", "--out", "."),
        ("report", "double-four-bar", "--until", "1e6", "-o", "missing/report.html"),
        ("draw", "double-four-bar", "-o", "missing/drawing.svg"),
        ("assemble", "double-four-bar", "-o", 5000 * "x"),
    ],
)
def test_where_a_result_goes_is_checked_before_the_work(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = ran(*words, cwd=tmp_path)  # a run of a million seconds takes hours
    assert done.returncode == 2, done.stderr
    assert b"written" in done.stderr or b"kept as" in done.stderr
    assert len(done.stderr) < 1000


THREADS = """
import os, sys
from reactio.cli.process import begin
begin()
assert "numpy" not in sys.modules, "threads are set before NumPy reads them"
print(os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.mark.parametrize(
    ("given", "taken"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3"), ({"OMP_NUM_THREADS": "2"}, "None")]
)
def test_commands_take_one_thread_of_blas_unless_told(given: dict[str, str], taken: str) -> None:
    free = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", THREADS], env=free | given, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == taken, done.stderr


INTEGRATORS = """
import sys
from reactio.cli import main
sys.argv = ["reactio", *WORDS]
try:
    main()
finally:
    print([name for name in sys.modules if name.startswith("reactio.integrate")], file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [("check", "door"), ("reactions", "door"), ("bounds", "table"), ("flexible", "door"), ("compare", "door", "table")],
)
def test_commands_for_one_instant_load_no_integrator(words: tuple[str, ...]) -> None:
    code = INTEGRATORS.replace("WORDS", repr(words))
    done = subprocess.run([sys.executable, "-c", code], env=PLAIN, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"


SWALLOWED = """
import os, signal, sys
from reactio import cli
from reactio.cli import command

def reading_a_library(first):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass
    except KeyboardInterrupt:
        raise ImportError("numpy.core.multiarray failed to import") from None

command.command_line = reading_a_library
cli.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_an_interruption_that_a_library_turns_into_another_error_is_no_bug() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED, "check", "door"],
        env=PLAIN,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr == b"interrupted\n"


def test_an_interruption_while_the_words_are_parsed_is_said(
    call: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parser of the command line would end with the right code, but without a word."""

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TyperGroup, "parse_args", interrupted)
    assert call("check", "door") == (130, "", "interrupted\n")


def test_an_interruption_that_a_library_swallows_ends_the_run(
    call: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of a callback in an import, whose exceptions Python prints and forgets: the run does not begin."""
    monkeypatch.setattr(process, "_INTERRUPTS", [signal.SIGINT])
    code, _, err = call("simulate", "double-four-bar", "--until", "1000", "--rows", "20")
    assert code == 130
    assert "interrupted" in err
