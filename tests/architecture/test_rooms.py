"""The house stays in order: import direction, function sizes, public names, what an import loads."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import reactio
from reactio_docs.rooms import PAGE, ROOMS, TABLE, room_table

ROOT = Path(reactio.__file__).parent

FILES = sorted(ROOT.rglob("*.py"))


def room(file: Path) -> str:
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_rooms(file: Path) -> set[str]:
    """The rooms a file imports, at once, late or for types only, and those whose modules it names in strings."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "reactio" else [f"reactio.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and is_module(node.value.rstrip(".")):
            names = [node.value]
        found |= {n.split(".")[1] for n in names if n.startswith("reactio.") and n != "reactio.__version__"}
    return found


def is_module(text: str) -> bool:
    """Is a text the dotted name of a module or folder of the package?"""
    if not re.fullmatch(r"reactio(\.\w+)+", text):
        return False
    place = ROOT.joinpath(*text.split(".")[1:])
    return place.is_dir() or place.with_suffix(".py").exists()


def test_names_of_modules_in_strings_count_as_imports(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text(
        'def f():\n    from reactio.cli import main\n    return "reactio.singular.methods", "reactio.no/1"\n'
    )
    assert imported_rooms(file) == {"cli", "singular"}


def test_the_page_shows_the_rooms() -> None:
    found = TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found.group() == room_table(), "run `python -m reactio_docs.rooms`"


@pytest.mark.parametrize("file", [f for f in FILES if room(f) != "__init__"], ids=lambda f: str(f.relative_to(ROOT)))
def test_imports_go_down(file: Path) -> None:
    here = room(file)
    assert here in ROOMS, f"{here} has no number: give it a place in the house"
    for other in imported_rooms(file):
        assert other == here or ROOMS[other] < ROOMS[here], f"{here} must not import {other}"


def module_name(file: Path) -> str:
    return ".".join(("reactio", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def imported_modules(file: Path) -> set[str]:
    """The modules a file imports, at once, late or for types only; ``from folder import file`` means that file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{a.name}" for a in node.names]
            found |= {name if is_module(name) else node.module for name in names}
        elif isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
    return found


def import_cycle(imports: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle, the first of them again at the end; none where there is no circle."""
    done: set[str] = set()

    def follow(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        found = next((cycle for other in sorted(imports[name]) if (cycle := follow(other, [*path, name]))), [])
        done.add(name)
        return found

    return next((cycle for name in sorted(imports) if (cycle := follow(name, []))), [])


def test_a_circle_of_imports_is_found() -> None:
    assert import_cycle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert import_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_late_imports_and_those_for_types_count(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text(
        "if TYPE_CHECKING:\n    from reactio.model.model import Model\n"
        "def f():\n    from reactio.functions import Function, machine\n    import reactio.arrays\n"
    )
    found = {"reactio.model.model", "reactio.functions", "reactio.functions.machine", "reactio.arrays"}
    assert imported_modules(file) == found


@pytest.mark.parametrize("folder", sorted({room(file) for file in FILES} & set(ROOMS)))
def test_modules_of_a_room_do_not_import_each_other_in_a_circle(folder: str) -> None:
    files = {module_name(file): file for file in FILES if room(file) == folder}
    assert import_cycle({name: (imported_modules(file) & set(files)) - {name} for name, file in files.items()}) == []


@pytest.mark.parametrize("folder", sorted({room(file) for file in FILES} & set(ROOMS)))
def test_folders_of_a_room_do_not_import_each_other_in_a_circle(folder: str) -> None:
    """The folders of a room, and its files that are in none, as wholes."""

    def part(module: str) -> str:
        return ".".join(module.split(".")[:3])

    files = {module_name(file): file for file in FILES if room(file) == folder}
    imports: dict[str, set[str]] = {part(name): set() for name in files}
    for name, file in files.items():
        imports[part(name)] |= {part(other) for other in imported_modules(file) & set(files)} - {part(name)}
    assert import_cycle(imports) == []


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


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import reactio", ("llvmlite", "scipy", "yaml", "rich", "typer", "flint", "matplotlib")),
        ("import reactio; reactio.load('mobile-robot')", ("llvmlite", "scipy", "rich")),
        ("from reactio.model.files.schema import schema; schema()", ("llvmlite", "scipy", "rich")),
    ],
)
def test_imports_stay_light(code: str, absent: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & set(absent)


def test_a_check_of_a_small_model_loads_what_it_needs() -> None:
    code = """
import sys
from reactio.cli import main
sys.argv = ["reactio", "check", "mobile-robot"]
try:
    main()
except SystemExit:
    print(*sys.modules)
"""
    usual = {name: value for name, value in os.environ.items() if name != "REACTIO_KERNELS"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=usual)
    heavy = {"scipy.sparse", "scipy.linalg", "scipy.interpolate", "scipy.optimize", "llvmlite", "matplotlib", "pandas"}
    others = {"reactio.integrate.integrator", "reactio.events.event_loop", "reactio.cli.verbs.report"}
    assert "reactio.uniqueness.engine" in done.stdout
    assert not set(done.stdout.split()) & (heavy | others)


FOLLOW = """
import sys
from pathlib import Path
import reactio
root, seen, importing = Path(reactio.__file__).parent, {}, 0

def follow(frame, event, argument):
    global importing
    if frame.f_code.co_name == "<module>":
        importing += {"call": 1, "return": -1}.get(event, 0)
    elif event == "call" and not importing:
        seen.setdefault(frame.f_code.co_filename)

sys.setprofile(follow)
from reactio.cli import main
try:
    main()
except SystemExit as ended:
    code = ended.code
sys.setprofile(None)
files = [Path(name).relative_to(root).as_posix() for name in seen if name.startswith(str(root))]
print("WALK", *files)
sys.exit(code)
"""
WALKS = re.findall(r"^- `reactio (.+?)`: (.*?)\.$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("command", "files"), WALKS, ids=[command.split()[0] for command, _ in WALKS])
def test_the_walk_through_the_files_is_true(command: str, files: str, tmp_path: Path) -> None:
    """The files of a walk are called for the first time in the order in which the page names them."""
    done = subprocess.run(
        [sys.executable, "-c", FOLLOW, *command.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "REACTIO_KERNELS": "plain"},  # compiled kernels are not seen by the tracer
    )
    passed = done.stdout.partition("WALK ")[2].split()
    named = re.findall(r"`(.+?)`", files)
    assert [file for file in passed if file in named] == named


def test_no_room_and_public_function_share_a_name() -> None:
    """Importing a room binds its name in the package: a function of that name would be hidden."""
    assert not set(ROOMS) & set(reactio.__all__)


def test_a_class_name_has_one_meaning() -> None:
    """Private names too: a reader meets them beside those of other files."""
    homes: dict[str, list[str]] = {}
    for file in FILES:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name.strip("_"), []).append(str(file.relative_to(ROOT)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


# One meaning in every file: what a mechanism of the library tells its builder, and variables of types.
REPEATED_CONSTANTS = {"CITE", "PARAMETERS", "R", "T"}


def constants(file: Path) -> set[str]:
    """The names in capitals that a file defines, but for entries of registries, which have the name of their file."""
    found = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and not registers(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and n.id.isupper()}
    return found


def registers(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "register"


def test_a_constant_has_one_home() -> None:
    """A name such as MOST or SAME, which fits many files, says nothing in any.

    Files for the plane and for space that are otherwise called the same may name the same things.
    """
    homes: dict[str, set[str]] = {}
    for file in FILES:
        for name in constants(file) - REPEATED_CONSTANTS:
            homes.setdefault(name, set()).add(str(file.relative_to(ROOT)).replace("planar", "spatial"))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def model_parts(text: str) -> set[str]:
    """A whole model, and its joints where they are four or more: other bodies or drives make no other mechanism."""
    parts = {" ".join(text.split())} if re.search(r"\nbodies:.*\S", text, re.DOTALL) else set()
    joints = re.search(r"^joints:(?:.|\n(?= ))*", text, re.MULTILINE)
    return parts | ({" ".join(joints[0].split())} if joints and joints[0].count("type:") >= 4 else set())


def test_no_model_text_stands_in_two_tests() -> None:
    """A mechanism that several tests need is written once, and imported by the others."""
    homes: dict[str, set[str]] = {}
    tests = Path(__file__).parents[1]
    for file in sorted(tests.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for part in model_parts(node.value):
                    homes.setdefault(part, set()).add(str(file.relative_to(tests)))
    assert len(homes) > 100  # the texts of models are found at all
    assert [sorted(where) for where in homes.values() if len(where) > 1] == []
