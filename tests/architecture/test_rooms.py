"""The house stays in order: import direction, function sizes, public names, what an import loads."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import reactio

ROOT = Path(reactio.__file__).parent

# A room imports only rooms with a lower number, or its own.
ROOMS = {
    "errors": -1, "arrays": -1, "kernel_cache": -1, "plain_math": -1,
    "kernels": 0, "registry": 0, "fields": 0, "places": 0, "files": 0,
    "bibliography": 0, "marks": 0, "html_table": 0,
    "linear": 1, "space": 1, "expressions": 1,
    "constraint_matrix": 2, "functions": 2, "primitives": 2,
    "solvability": 3, "bodies": 3, "joints": 3, "couplings": 3, "forces": 3, "structures": 3,
    "contacts": 3,
    "model": 4, "sharing": 4,
    "system": 5,
    "topology": 6, "kinematics": 6, "importers": 7, "forward_dynamics": 7, "integrate": 8, "events": 9,
    "joint_reactions": 10, "programs": 11, "simulation": 11, "flexibility": 12, "statics": 11, "bounds": 12,
    "diagnosis": 12, "design": 13, "exporters": 13, "audit": 13, "singular": 13, "figures": 14,
    "library": 12, "load": 13, "constraint_files": 12,
    "draw": 13, "report": 14, "reproduce": 15,
    "cli": 16, "__main__": 17,
}  # fmt: skip

FILES = sorted(ROOT.rglob("*.py"))


def room(file: Path) -> str:
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_rooms(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "reactio" else [f"reactio.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        found |= {n.split(".")[1] for n in names if n.startswith("reactio.") and n != "reactio.__version__"}
    return found


@pytest.mark.parametrize("file", [f for f in FILES if room(f) != "__init__"], ids=lambda f: str(f.relative_to(ROOT)))
def test_imports_go_down(file: Path) -> None:
    here = room(file)
    assert here in ROOMS, f"{here} has no number: give it a place in the house"
    for other in imported_rooms(file):
        assert other == here or ROOMS[other] < ROOMS[here], f"{here} must not import {other}"


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_functions_fit_on_a_screen(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno <= 75, f"{node.name} does not fit on a screen"


@pytest.mark.parametrize("name", reactio.__all__)
def test_public_names_exist_and_are_documented(name: str) -> None:
    value = getattr(reactio, name)
    assert name == "__version__" or value.__doc__


def test_functions_win_over_rooms_of_the_same_name() -> None:
    code = "import reactio.solvability.graph, reactio, reactio.topology; print(callable(reactio.solvability))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import reactio", ("numba", "scipy", "yaml", "rich", "typer", "flint", "matplotlib")),
        ("import reactio; reactio.load('mobile-robot')", ("numba", "scipy", "rich")),
        ("import reactio; reactio.schema()", ("numba", "scipy", "rich")),
    ],
)
def test_imports_stay_light(code: str, absent: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & set(absent)
