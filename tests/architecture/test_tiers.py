"""The quick tier of tests, ``bash scripts/test --quick``, has something of every folder, and names what exists."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
LINES = (TESTS / "quick.txt").read_text(encoding="utf-8").splitlines()
CHOSEN = [line for line in LINES if not line.startswith("#")]


def test_the_quick_tier_has_something_of_every_folder() -> None:
    folders = {file.parent.name for file in TESTS.glob("*/test_*.py")}
    assert {Path(line.partition("::")[0]).parts[1] for line in CHOSEN} == folders


def test_what_the_quick_tier_names_exists() -> None:
    for line in CHOSEN:
        place, _, function = line.partition("::")
        path = TESTS.parent / place
        assert path.exists(), place
        if function:
            names = {n.name for n in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(n, ast.FunctionDef)}
            assert function in names, line


def test_the_script_runs_the_quick_tier() -> None:
    assert "tests/quick.txt" in (TESTS.parent / "scripts" / "test").read_text(encoding="utf-8")
