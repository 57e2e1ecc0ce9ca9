"""Files, modules and options that the pages name exist."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.integrate.status import Status
from reactio_docs.commands import commands
from reactio_docs.rooms import ROOMS

ROOT = Path(__file__).parents[2]
PACKAGE = Path(reactio.__file__).parent
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = ("benchmarks", "docs", "scripts", "src", "tests")
FILES = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if "__pycache__" not in file.parts]
# The parts of every path, written one behind the other: `model/files/` and `read.py` are found in it.
PATHS = "".join(f"/{file.relative_to(ROOT).as_posix()}{'/' if file.is_dir() else ' '}" for file in FILES)
EXAMPLES = {"docs/page.md", "file.py", "rough_plane.py"}  # files that a reader would write
PATH = re.compile(r"(?<![\w./-])(?:[\w.-]+/)+[\w.-]*|(?<![\w./-])\w+\.py\b")
SCHEMA = re.compile(r"reactio\.[\w-]+/\d")


def code(text: str) -> list[str]:
    """What stands in code within sentences."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def unknown(text: str) -> list[str]:
    """The files, modules and options in a code text that do not exist."""
    paths = [] if SCHEMA.fullmatch(text) else [path for path in PATH.findall(text) if _is_ours(path)]
    modules = [] if SCHEMA.fullmatch(text) else re.findall(r"(?<![\w./-])(?:ro|reactio)\.[a-z_]\w*(?:\.\w+)*", text)
    return [
        *(path for path in paths if not re.search(rf"/{re.escape(path.rstrip('/'))}(\.py)?[ /]", PATHS)),
        *(name for name in modules if not _exists(name)),
        *(option for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", text) if option not in OPTIONS),
    ]


def _is_ours(path: str) -> bool:
    """Would a path be one of the repository?"""
    return path not in EXAMPLES and (path.endswith(".py") or path.split("/")[0] in {*FOLDERS, *ROOMS})


def _exists(name: str) -> bool:
    here: Any = reactio
    path = "reactio"
    for part in name.split(".")[1:]:
        path = f"{path}.{part}"
        try:
            here = getattr(here, part)
        except AttributeError:
            try:
                here = import_module(path)
            except ImportError:
                return False
    return True


# Those of the commands, and of the programs in benchmarks, scripts and docs.
OPTIONS = {"--help", *(option for _, one in commands() for part in one.params for option in part.opts)} | {
    option
    for file in FILES
    if file.is_file() and (file.suffix == ".py" or file.parent.name == "scripts")
    if file.relative_to(ROOT).parts[0] in ("benchmarks", "scripts", "docs")
    for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", file.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_in_the_pages_exist(page: Path) -> None:
    assert [name for text in code(page.read_text(encoding="utf-8")) for name in unknown(text)] == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("model/files/read.py", []),
        ("system/geometry/no_such_file", ["system/geometry/no_such_file"]),
        ("no_such_file.py", ["no_such_file.py"]),
        ("reactio.uniqueness.engine.solvability", []),
        ("reactio.solvability(C)", []),
        ("reactio.dynamics.landing", ["reactio.dynamics.landing"]),
        ("ro.undecidable_friction(…)", ["ro.undecidable_friction"]),
        ("reactio check --no-such-option", ["--no-such-option"]),
        ("reactio.check/1", []),
    ],
)
def test_a_name_that_does_not_exist_is_found(text: str, missing: list[str]) -> None:
    assert unknown(text) == missing


def test_the_page_on_json_lists_the_statuses_of_runs() -> None:
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    told = text.partition("| `status` | `done`,")[2].partition("|")[0] + "`done`"
    assert set(re.findall(r"`(.+?)`", told)) == {status.name.lower().replace("_", "-") for status in Status}
