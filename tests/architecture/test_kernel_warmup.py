"""After ``reactio warmup`` nothing is left to compile."""

from __future__ import annotations

import ast
import gc
import importlib
import os
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.integrate.dop853.run import explicit_runner, state_projector
from reactio.integrate.formulation import FORMULATIONS
from reactio.integrate.projection.drift import drift
from reactio.integrate.projection.formulated import formulation_kernel, project_and_accelerate_kernel
from reactio.integrate.radau5.run import implicit_runner
from reactio.integrate.singular_passage.truncated_projection import truncated_projector
from reactio.joint_reactions.component_batches import judge_along
from reactio.kernels import Kernel
from reactio.kernels.files import DIGEST_BYTES
from reactio.system.evaluate.kernels import evaluator

COMMANDS = (
    "simulate double-four-bar --until 10",
    "simulate double-four-bar --until 10 --method radau5",
    "report spatial-parallelogram --until 1 --output report.html",
    "check n-four-bar --set N=300",
    "simulate gripper --method moreau --step 1e-3 --until 0.5",
)


def run(command: str, cache: Path) -> None:
    """A command with compiled kernels in a folder of its own, chosen by the size of the work as always."""
    free = {k: v for k, v in os.environ.items() if k != "REACTIO_KERNELS"}
    words = [sys.executable, "-m", "reactio", *command.split()]
    subprocess.run(words, env={**free, "REACTIO_CACHE": str(cache)}, cwd=cache, check=True, capture_output=True)


def compiled(cache: Path) -> dict[str, str]:
    """The names of the kernels that were compiled, by their files."""
    found = {}
    for file in cache.rglob("*.kernel"):
        name, _ = pickle.loads(file.read_bytes()[DIGEST_BYTES:])
        found[file.name] = name.rpartition("_")[0]
    return found


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of a machine on which everything was compiled ahead of time."""
    if os.environ.get("REACTIO_KERNELS") == "plain":
        pytest.skip("compiles all kernels")
    cache = tmp_path_factory.mktemp("cache")
    run("warmup", cache)
    return cache


@pytest.mark.parametrize("command", COMMANDS, ids=[" ".join(command.split()[:2]) for command in COMMANDS])
def test_commands_compile_nothing_more(warmed: Path, command: str) -> None:
    before = compiled(warmed)
    run(command, warmed)
    assert {file: name for file, name in compiled(warmed).items() if file not in before} == {}


def modules() -> Iterator[ModuleType]:
    """All modules of the package."""
    for found in pkgutil.walk_packages(reactio.__path__, "reactio."):
        if found.name != "reactio.__main__":
            yield importlib.import_module(found.name)


def kernel_bodies() -> set[tuple[str, int]]:
    """Files and first lines of all functions that are kernels, those that are linked together among them."""
    for name in ("four-bar-planar", "door"):
        system = reactio.build(reactio.load(name))
        reactio.equations(system)
        state = system.state()
        drift(system, np.zeros(1), state.q[None], state.v[None])
        for linked in (project_and_accelerate_kernel, truncated_projector, state_projector, judge_along):
            linked(evaluator(system))
        for how in FORMULATIONS.values():
            formulation_kernel(evaluator(system), how)
        for runner in (explicit_runner, implicit_runner):
            runner(system)
    codes = (one.function.__code__ for one in gc.get_objects() if isinstance(one, Kernel))
    return {(code.co_filename, code.co_firstlineno) for code in codes}


def called_from_python(module: ModuleType, bodies: set[tuple[str, int]]) -> set[str]:
    """The kernels that functions of a module call which are no kernels themselves."""
    file = str(module.__file__)
    names: set[str] = set()
    for function in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if not isinstance(function, ast.FunctionDef):
            continue
        first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
        if (file, first) in bodies:
            continue
        known: dict[str, Any] = dict(vars(module))
        for node in ast.walk(function):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("reactio."):
                late = importlib.import_module(str(node.module))
                known |= {alias.asname or alias.name: getattr(late, alias.name, None) for alias in node.names}
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                callee = known.get(node.func.id)
                names |= {callee.__name__} if isinstance(callee, Kernel) else set()
    return names


def test_every_kernel_that_python_calls_is_compiled_ahead(warmed: Path) -> None:
    everything, bodies = list(modules()), kernel_bodies()
    called = set().union(*(called_from_python(module, bodies) for module in everything))
    assert {"jet", "power_of_loads", "dissection", "_tarjan", "copy"} <= called
    assert called - set(compiled(warmed).values()) == set()


def test_warmup_says_that_nothing_is_compiled_where_that_is_so(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "reactio", "warmup", "large"]
    env = {**os.environ, "REACTIO_KERNELS": "plain", "REACTIO_CACHE": str(tmp_path)}
    done = subprocess.run(words, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "REACTIO_KERNELS=plain compiles nothing" in done.stderr
