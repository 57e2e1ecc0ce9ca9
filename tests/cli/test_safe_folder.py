"""Every command in a folder of somebody else: it runs no code that lies there and overwrites nothing it should not.

One process runs all commands (a start of Python for each would take longer than the commands).  Commands and options
are those of the command line; a new one is tried with a model and writes a picture unless ``WORDS`` and ``FILES`` say
otherwise.
"""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from typer.main import get_command

import reactio
from reactio.cli.app import app
from reactio.model.files.write import to_yaml

HERE = Path(__file__).parent
NOTES = "Notes of the user.\n"
INPUT_OPTIONS = {
    "--matrix",
    "--groups",
    "--along",
    "--data",
    "--run",
    "--loops",
    "--resume",
    "--table",
    "--baseline",
    "--folder",
}


class Command(NamedTuple):
    """Words of a command, and its options that name a file to write, with a file each."""

    words: str
    outputs: tuple[tuple[str, str], ...]


# Words after the name of a command where it needs others than a model; files to write that are no pictures.
WORDS = {
    "compare": "door.yaml door.yaml",
    "flexible": "rods.yaml",
    "advise": "pendulum.yaml --remove",
    "measure": "pendulum.yaml --data readings.csv",
    "envelope": "pendulum.yaml --until 0.01",
    "engage": "slings.yaml",
    "sensitivity": "rods.yaml",
    "tolerances": "rods.yaml --tolerance 0.1mm",
    "audit": "piston.asmt",
    "import": "robot.urdf",
    "assemble": "pendulum.yaml",
    "equilibrium": "pendulum.yaml",
    "mobility": "pendulum.yaml",
    "simulate": "pendulum.yaml --until 0.01 --rows 3",
    "singular": "pendulum.yaml --until 0.01",
    "reproduce": "no-such-paper",
    "joints": "spherical",
    "live": "no-such-model",
    "new": "fresh.yaml --template door --no-open",
    "mcp": "--folder nowhere",  # a real folder would wait for an agent
    "warmup": "",
    "sweep run": "rods.yaml --over mass=1,2 --processes 1",
    "sweep show": "out",
    "library show": "door",
}
FILES = {
    ("compare", "-o"): "compare.html",
    ("advise", "-o"): "advised.yaml",
    ("measure", "-o"): "measured.csv",
    ("envelope", "-o"): "envelope.csv",
    ("audit", "-o"): "audit.html",
    ("report", "-o"): "report.html",
    ("import", "-o"): "imported.yaml",
    ("export", "-o"): "exported.yaml",
    ("assemble", "-o"): "assembled.yaml",
    ("equilibrium", "-o"): "rest.yaml",
    ("simulate", "-o"): "run.csv",
    ("simulate", "--peaks"): "peaks.csv",
    ("simulate", "--bases"): "bases.npz",
    ("lint", "--write-baseline"): "known.json",
    ("sweep run", "-o"): "busy",
    ("reproduce", "--plots"): "figures",
}
# Exit codes but 0: a desk of no model, plain kernels are not compiled, readings contradict each other, no such paper,
# no stored reactions.
OTHER_CODES = {"live": 2, "mcp": 2, "warmup": 2, "measure": 1, "reproduce": 2, "audit": 2}
FOLDERS = {"sweep run": "new", "reproduce": "figures"}  # commands whose output is a folder, with one they may use
UNFORCED = {("audit", "-o"), ("simulate", "--levels")}  # without stored reactions, and without bodies that vibrate
RODS = """space: planar
gravity: [0, -9.81]
parameters: {mass: 10}
bodies: {beam: {mass: mass, inertia: 1, position: [0, 0]}}
joints:
  A: {type: revolute, bodies: [ground, beam], at: [-1, 0], stiffness: {x: 1e6, y: 1e6}}
  B: {type: revolute, bodies: [ground, beam], at: [0.5, 0], stiffness: {x: 2e6, y: 1e6}}
  C: {type: revolute, bodies: [ground, beam], at: [1, 0], stiffness: {x: 1e6, y: 1e6}}
"""
DRIVER = """
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from reactio import cli
cli.begin()
ended = []
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    out = io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(out):
            cli.run()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    ended.append([code, out.getvalue()])
print(json.dumps(ended))
"""
HOSTILE = "open({log!r}, 'a').write(__name__ + ' ')\nraise SystemExit('this file was executed')\n"


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from leaves(inner, (*path, name))
    else:
        yield " ".join(path), command


@cache
def commands() -> dict[str, Command]:
    """Every command of the command line, with each of its options that name a file but those that are read."""
    return {name: Command(f"{name} {words_of(name, command)}", outputs_of(name, command)) for name, command in COMMANDS}


def words_of(name: str, command: Any) -> str:
    takes_model = any(p.param_type_name == "argument" and (p.required or p.name == "source") for p in command.params)
    return WORDS.get(name, "door.yaml" if takes_model or name == "lint" else "")


def outputs_of(name: str, command: Any) -> tuple[tuple[str, str], ...]:
    options = [p for p in command.params if p.param_type_name == "option"]
    files = [p.opts[-1] for p in options if p.type.name == "path" or p.name == "plot"]
    pictures = name.replace(" ", "-")
    return tuple(
        (option, FILES.get((name, option), f"{pictures}{option}.svg"))
        for option in files
        if option not in INPUT_OPTIONS
    )


COMMANDS = tuple(leaves(get_command(app)))


def test_commands_that_write_files_have_force_and_others_have_not() -> None:
    for name, command in COMMANDS:
        assert bool(commands()[name].outputs) == ("force" in {p.name for p in command.params}), name


def test_words_and_files_are_those_of_commands() -> None:
    assert set(WORDS) <= set(commands())
    assert set(FILES) <= {(name, option) for name, one in commands().items() for option, _ in one.outputs}


class Ended(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    text: str


class Tried(NamedTuple):
    """The folder after all commands, and how they ended: each output over notes and over the input, then everything."""

    folder: Path
    inputs: dict[str, bytes]
    over_notes: dict[tuple[str, str], Ended]
    over_input: dict[tuple[str, str], Ended]
    forced: dict[str, Ended]


def hostile(folder: Path, names: set[str]) -> None:
    """Files that would be executed as modules of these names, and settings of Matplotlib that break every figure."""
    text = HOSTILE.format(log=str(folder / "executed.txt"))
    for name in names:
        (folder / f"{name}.py").write_text(text)
    (folder / "matplotlibrc").write_text("text.usetex: True\ntext.latex.preamble: \\nonsense\n")


def inputs_in(folder: Path) -> dict[str, bytes]:
    """The files that commands read."""
    from reactio.exporters import export

    (folder / "door.yaml").write_text(to_yaml(reactio.load("door")))
    (folder / "pendulum.yaml").write_text(to_yaml(reactio.load("pendulum-twice")))
    (folder / "rods.yaml").write_text(RODS)
    (folder / "slings.yaml").write_text(to_yaml(reactio.load("sling-lift")))
    (folder / "readings.csv").write_text("t [s],rod1.N [N],rod2.N [N]\n0,1,2\n1,1,2\n")
    (folder / "piston.asmt").write_text("OndselSolver\nAssembly\n")
    export(reactio.load("four-bar-spatial"), folder / "robot.urdf")
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    """All commands in one process, in a folder with hostile files and with notes where they would write."""
    base = tmp_path_factory.mktemp("safe")
    folder = base / "downloaded"
    folder.mkdir()
    inputs = inputs_in(folder)
    installed = {"yaml", "numpy", "scipy", "typer", "click", "rich", "matplotlib", "highspy", "llvmlite", "pandas"}
    installed |= {"xarray", "pyarrow", "flint", "trimesh", "mujoco", "clarabel", "reactio", "sitecustomize"}
    hostile(folder, installed | set(sys.stdlib_module_names))
    reactio.sweep(folder / "rods.yaml", {"mass": [1, 2]}, processes=0, folder=folder / "out")  # for `sweep show`
    words = {name: one.words.split() for name, one in commands().items()}
    outputs = {(name, option): file for name, one in commands().items() for option, file in one.outputs}
    for (name, _), file in outputs.items():
        notes = folder / file / "notes.txt" if name in FOLDERS else folder / file
        notes.parent.mkdir(exist_ok=True)
        notes.write_text(NOTES)
    over_notes = {(n, option): [*words[n], option, file] for (n, option), file in outputs.items() if n != "reproduce"}
    files = [key for key in outputs if key[0] not in FOLDERS]
    over_input = {
        (n, option): [*words[n], option, words[n][1], "--force"] for n, option in files if words[n][1].count(".")
    }
    forced = {name: list(own) for name, own in words.items()}
    for (name, option), file in outputs.items():
        if (name, option) not in UNFORCED:
            forced[name] += [option, FOLDERS.get(name, file), "--force"]
    ended = iter(run_all(base, folder, [*over_notes.values(), *over_input.values(), *forced.values()]))
    told = [{key: next(ended) for key in some} for some in (over_notes, over_input, forced)]
    return Tried(folder, inputs, *told)  # type: ignore[arg-type]


def run_all(base: Path, folder: Path, commands: list[list[str]]) -> list[Ended]:
    """Run commands one after the other in a process that was started in the folder."""
    driver = base / "bin" / "start.py"
    driver.parent.mkdir()
    driver.write_text(DRIVER)
    done = subprocess.run(
        [sys.executable, str(driver), json.dumps(commands)],
        cwd=folder,
        env={**os.environ, "REACTIO_KERNELS": "plain", "REACTIO_CACHE": str(base / "cache"), "COLUMNS": "140"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [Ended(*one) for one in json.loads(done.stdout.splitlines()[-1])]


def test_no_command_runs_code_of_the_folder(tried: Tried) -> None:
    assert not (tried.folder / "executed.txt").exists(), (tried.folder / "executed.txt").read_text()
    assert {name: one for name, one in tried.forced.items() if one.code != OTHER_CODES.get(name, 0)} == {}


def test_no_command_overwrites_a_file_of_the_user(tried: Tried) -> None:
    for (name, option), ended in tried.over_notes.items():
        assert ended.code == 2, (name, option, ended)
        assert "--force" in ended.text or name in FOLDERS, (name, option, ended)
    kept = [tried.folder / "busy" / "notes.txt", tried.folder / "audit.html", tried.folder / "simulate--levels.svg"]
    assert {file.read_text() for file in kept} == {NOTES}


def test_no_command_overwrites_its_input_whatever_is_said(tried: Tried) -> None:
    assert {key: ended for key, ended in tried.over_input.items() if ended.code != 2} == {}
    for name, content in tried.inputs.items():
        assert (tried.folder / name).read_bytes() == content, name


def test_force_overwrites(tried: Tried) -> None:
    for name, one in commands().items():
        for option, file in one.outputs:
            if name not in FOLDERS and (name, option) not in UNFORCED:
                assert NOTES.encode() not in (tried.folder / file).read_bytes(), (name, option, tried.forced[name])


def test_python_m_reactio_imports_nothing_from_the_folder(tmp_path: Path) -> None:
    """What Python itself imports before Reactio begins is not ours: ``python -P -m reactio`` protects it too."""
    hostile(tmp_path, {"yaml", "numpy", "scipy", "typer", "rich", "unicodedata", "logging", "json"})
    (tmp_path / "door.yaml").write_text(to_yaml(reactio.load("door")))
    words = [sys.executable, "-m", "reactio", "check", "door.yaml"]
    env = {**os.environ, "REACTIO_KERNELS": "plain"}
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "executed.txt").exists(), (tmp_path / "executed.txt").read_text()


def test_python_is_started_in_one_place() -> None:
    root = Path(importlib.util.find_spec("reactio").origin).parent  # type: ignore[union-attr, arg-type]
    starts = [file.name for file in root.rglob("*.py") if "sys.executable" in file.read_text(encoding="utf-8")]
    assert starts == ["child_process.py"]


@pytest.fixture
def downloaded(tmp_path: Path) -> Path:
    """A model among hostile files."""
    folder = tmp_path / "downloaded"
    folder.mkdir()
    (folder / "rods.yaml").write_text(RODS)
    hostile(
        folder, {"yaml", "numpy", "scipy", "reactio", "sitecustomize", "anyio", "mcp"} | set(sys.stdlib_module_names)
    )
    return folder


def served(folder: Path, *words: str) -> list[str]:
    """The command line of a server, as the installed script starts it."""
    start = folder.parent / "start.py"
    start.write_text("from reactio.cli import main\nmain()\n")
    return [sys.executable, str(start), *words]


def test_a_desk_and_its_commands_run_no_code_of_the_folder(downloaded: Path) -> None:
    words = served(downloaded, "live", "rods.yaml", "--port", "0", "--no-open", "--json")
    process = subprocess.Popen(words, cwd=downloaded, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        place = urlsplit(json.loads(process.stdout.readline())["url"])
        link = http.client.HTTPConnection(place.netloc)
        link.request("POST", f"/ask?{place.query}", json.dumps({"question": "mobility", "key": "1", "columns": 80}))
        assert json.loads(link.getresponse().read())["code"] == 0  # answered by a child process
        link.close()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert not (downloaded / "executed.txt").exists()


def test_a_server_for_agents_runs_no_code_of_its_folder(downloaded: Path) -> None:
    pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is an extra")
    words = served(downloaded, "mcp", "--folder", ".")
    hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    call = {"name": "check", "arguments": {"source": "rods.yaml"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    process = subprocess.Popen(words, cwd=downloaded, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.communicate()
    assert "redundant" in json.dumps(answers[1])
    assert not (downloaded / "executed.txt").exists()


@pytest.mark.parametrize("more", [(), ("--template", "door")], ids=["asked", "template"])
def test_a_new_model_replaces_no_file(downloaded: Path, more: tuple[str, ...]) -> None:
    words = served(downloaded, "new", "rods.yaml", "--no-open", *more)
    done = subprocess.run(words, cwd=downloaded, capture_output=True, text=True, check=False)
    assert (done.returncode, "exists" in done.stderr) == (2, True)
    assert (downloaded / "rods.yaml").read_text() == RODS
