"""Everything the pages show is run: files, Python with the values it gives, commands with what they print."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reactio_docs.blocks import blocks
from reactio_docs.compare import same
from reactio_docs.run import check_page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "paper" / "paper.md", *sorted(DOCS.glob("*.md"))]
PEERS = {
    "drake_loop.py": "pydrake",
    "exudyn_loop.py": "exudyn",
    "mujoco_loop.py": "mujoco",
    "mujoco_worlds.py": "mujoco",
    "padded_worlds.py": "numpy",
    "pinocchio_loop.py": "pinocchio",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_holds(page: Path) -> None:
    wrong = check_page(page)
    assert not wrong, "\n".join([*wrong, "`python -m reactio_docs.run --update PAGE` (PYTHONPATH=docs) writes it anew"])


@pytest.mark.parametrize(
    ("page", "complaints"),
    [
        ("```python\n1 + 1  # → 2\n```\n", 0),
        ("```python\n1 + 1  # → 3\n```\n", 1),
        ("```python\n1 / 0\n```\n", 1),
        ("```console\n$ reactio --version\nreactio …\n```\n", 0),
        ("```console\n$ reactio --version\nreactio 99.1\n```\n", 1),
        ("```console\n$ reactio check no-such-thing\n```\n", 1),  # an error is shown as well
        ("```yaml\n# m.yaml\nspace: planar\n```\n```console\n$ reactio show m.yaml\nm\nplanar: 0 bodies…\n…\n```\n", 0),
    ],
)
def test_a_page_that_lies_is_found_out(page: str, complaints: int, tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text(page, encoding="utf-8")
    assert len(check_page(file)) == complaints


def test_update_makes_a_page_true(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("before\n```console\n$ reactio check no-such-thing\n```\nafter\n", encoding="utf-8")
    assert check_page(file, update=True)
    assert "neither a file nor a mechanism" in file.read_text(encoding="utf-8")
    assert file.read_text(encoding="utf-8").endswith("after\n")
    assert check_page(file) == []


def test_every_snippet_is_shown() -> None:
    shown = {block.file for block in blocks((DOCS / "jacobian.md").read_text(encoding="utf-8")) if block.file}
    assert shown == {f"snippets/{file.name}" for file in (DOCS / "snippets").glob("*.py")}
    assert {Path(name).name for name in shown} == set(PEERS)


@pytest.mark.parametrize("name", PEERS)
def test_snippet_prints_what_the_page_shows(name: str) -> None:
    """Runs where the other program is installed; the packages are large and are no dependency of this project."""
    pytest.importorskip(PEERS[name])
    found = list(blocks((DOCS / "jacobian.md").read_text(encoding="utf-8")))
    place = next(k for k, block in enumerate(found) if block.file == f"snippets/{name}")
    source = Path(importlib.import_module("reactio").__file__ or "").parents[1]
    done = subprocess.run(
        [sys.executable, str(DOCS / "snippets" / name)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source)},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert same(found[place + 1].text, done.stdout)
