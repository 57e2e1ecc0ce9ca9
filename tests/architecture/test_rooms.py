"""The house stays in order: import direction, function sizes, public names, what an import loads."""

from __future__ import annotations

import ast
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

import reactio
from reactio_docs.rooms import PAGE, PICTURE, ROOMS, TABLE, floors, room_table
from reactio_docs.skeleton import LINES, SKELETONS, skeletons
from reactio_docs.traced_calls import functions_by_file
from reactio_docs.walk import WALK, walk

ROOT = Path(reactio.__file__).parent

FILES = sorted(ROOT.rglob("*.py"))


def room(file: Path) -> str:
    return file.relative_to(ROOT).parts[0].removesuffix(".py")


@functools.cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """All nodes of the syntax tree of a file, the module first; several tests read each."""
    return tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


@pytest.fixture(scope="module", autouse=True)
def trees_are_dropped() -> Iterator[None]:
    """Half a million nodes would slow every collection of garbage in the tests of other files."""
    yield
    nodes.cache_clear()


def statements(file: Path) -> list[ast.stmt]:
    """The statements of a file that stand in no function or class."""
    module = nodes(file)[0]
    assert isinstance(module, ast.Module)
    return module.body


def imported_rooms(file: Path) -> set[str]:
    """The rooms a file imports, at once, late or for types only, and those whose modules it names in strings."""
    found = set()
    for node in nodes(file):
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
    page = PAGE.read_text(encoding="utf-8")
    for pattern, text in ((TABLE, room_table()), (PICTURE, floors())):
        shown = pattern.search(page)
        assert shown is not None
        assert shown.group() == text, "run `python -m reactio_docs.rooms`"


def test_every_room_is_on_one_floor() -> None:
    assert all(room == "__main__" or floors().split().count(room) == 1 for room in ROOMS)


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
    for node in nodes(file):
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
    for node in nodes(file):
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


def modules_of(*words: str) -> set[str]:
    """The modules that a command has loaded at its end."""
    code = f"""
import sys
from reactio.cli import main
sys.argv = ["reactio", *{words}]
try:
    main()
except SystemExit:
    print(*sys.modules)
"""
    usual = {name: value for name, value in os.environ.items() if name != "REACTIO_KERNELS"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=usual)
    return set(done.stdout.split())


def test_a_check_of_a_small_model_loads_what_it_needs() -> None:
    heavy = {
        "numpy.ma",
        "scipy.sparse",
        "scipy.linalg",
        "scipy.interpolate",
        "scipy.optimize",
        "llvmlite",
        "matplotlib",
        "pandas",
    }
    loaded = modules_of("check", "mobile-robot")
    assert "reactio.uniqueness.engine" in loaded
    assert not loaded & {*heavy, "reactio.cli.verbs.report", "reactio.forward_dynamics.accelerate"}
    assert not [
        name for name in loaded if name.startswith(("reactio.integrate", "reactio.events", "reactio.importers"))
    ]


def test_a_run_of_a_rigid_mechanism_loads_nothing_elastic() -> None:
    loaded = modules_of("simulate", "double-four-bar", "--until", "0.01")
    assert "reactio.simulation.peaks" in loaded
    elastic = ("reactio.flexibility", "reactio.structures.", "reactio.sharing.compliance", "reactio.sharing.gaps")
    assert {name for name in loaded if name.startswith(elastic)} <= {"reactio.structures.material"}
    assert "reactio.simulation.contact_trajectory" not in loaded


def test_the_walk_through_the_files_is_true() -> None:
    """The page shows the files that its commands pass now, and the calls that do most, ten for each command."""
    page = PAGE.read_text(encoding="utf-8")
    files, shown = WALK.search(page), SKELETONS.search(page)
    assert files is not None
    assert shown is not None
    assert files.group() == walk(), "run `python -m reactio_docs.walk`"
    assert shown.group() == skeletons(), "run `python -m reactio_docs.walk`"
    assert all(len(block.strip().splitlines()) == LINES for block in shown.group().split("```")[1::2])


def test_a_trace_sees_every_file_of_a_command() -> None:
    calls = functions_by_file("schema")
    assert {"cli/verbs/schema.py", "model/files/schema.py"} <= set(calls)
    assert "uniqueness/engine.py" not in calls
    assert list(calls).index("cli/verbs/schema.py") < list(calls).index("model/files/schema.py")


def test_no_room_and_public_function_share_a_name() -> None:
    """Importing a room binds its name in the package: a function of that name would be hidden."""
    assert not set(ROOMS) & set(reactio.__all__)


def test_the_axes_of_a_quaternion_have_one_formula() -> None:
    """2 (x z + w y) and the like stand in the kernel ``axes_of`` only; others call it, plain or compiled."""
    product = r"2(?:\.0)? \* \(\w+ \* \w+ [+-] \w+ \* \w+\)"
    found = [str(f.relative_to(ROOT)) for f in FILES if re.search(product, f.read_text(encoding="utf-8"))]
    assert found == ["space/rotations.py"]


def test_a_class_name_has_one_meaning() -> None:
    """Private names too: a reader meets them beside those of other files."""
    homes: dict[str, list[str]] = {}
    for file in FILES:
        for node in statements(file):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name.strip("_"), []).append(str(file.relative_to(ROOT)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


# One meaning in every file: what a mechanism of the library tells its builder, and variables of types.
REPEATED_CONSTANTS = {"CITE", "PARAMETERS", "R", "T"}


def constants(file: Path) -> set[str]:
    """The names in capitals that a file defines, but for entries of registries, which have the name of their file."""
    found = set()
    for node in statements(file):
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


def texts(file: Path) -> list[str]:
    """The texts of a file of Python; what an f-string computes is left out."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for node in joined for part in node.values}
    plain = [
        node.value.replace("{{", "{").replace("}}", "}")  # as a template of `format` is read
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside
    ]
    return plain + ["".join(str(p.value) for p in node.values if isinstance(p, ast.Constant)) for node in joined]


def model_parts(text: str) -> set[str]:
    """A whole model, and its joints where they are four or more: other bodies or drives make no other mechanism."""
    parts = {" ".join(text.split())} if re.search(r"\nbodies:.*\S", text, re.DOTALL) else set()
    joints = re.search(r"^joints:(?:.|\n(?= ))*", text, re.MULTILINE)
    return parts | ({" ".join(joints[0].split())} if joints and joints[0].count("type:") >= 4 else set())


def model_lines(text: str) -> set[str]:
    """The lines of a model that define something, without spaces; empty for other texts and very small models."""
    if not re.search(r"^(bodies|joints):", text, re.MULTILINE):
        return set()
    lines = {"".join(line.split()) for line in text.splitlines() if "{" in line and not line.startswith("gravity")}
    return lines if len(lines) >= 4 else set()


def near_copies(models: dict[str, list[set[str]]]) -> list[tuple[str, str]]:
    """Pairs of files that share most lines of a model: 60 % of the smaller of the two."""
    found = [(name, lines) for name, every in models.items() for lines in every if lines]
    return [
        (one, other)
        for (one, a), (other, b) in combinations(found, 2)
        if one != other and len(a & b) >= 0.6 * min(len(a), len(b))
    ]


def test_no_model_text_stands_in_two_tests() -> None:
    """A mechanism that several tests need is written once (tests/shared_models.py), and imported by the others."""
    tests = Path(__file__).parents[1]
    written = {str(file.relative_to(tests)): texts(file) for file in sorted(tests.rglob("*.py"))}
    homes: dict[str, set[str]] = {}
    for name, every in written.items():
        for text in every:
            for part in model_parts(text):
                homes.setdefault(part, set()).add(name)
    assert len(homes) > 100  # the texts of models are found at all
    assert [sorted(where) for where in homes.values() if len(where) > 1] == []
    assert near_copies({name: [model_lines(text) for text in every] for name, every in written.items()}) == []


def test_near_copies_of_models_are_found(tmp_path: Path) -> None:
    bodies = "bodies:\n  a: {mass: 1}\n  b: {mass: 2}\n"
    joints = "joints:\n  A: {type: fixed, b: a}\n  B: {type: fixed, b: b}\n  C: {type: revolute, a: a, b: b}\n"
    other = joints.replace("fixed", "spherical")
    sources = {
        "plain.py": f"MODEL = {bodies + joints!r}\n",
        "template.py": f"MODEL = {(bodies + joints).replace('{', '{{').replace('}', '}}').replace('1', '{m}')!r}\n",
        "f_string.py": 'm = 1\nMODEL = f"""' + (bodies + joints).replace("{", "{{").replace("}", "}}") + '{m}"""\n',
        "other.py": f"MODEL = {bodies.replace('mass', 'inertia') + other!r}\n",
    }
    for name, source in sources.items():
        (tmp_path / name).write_text(source)
    models = {name: [model_lines(text) for text in texts(tmp_path / name)] for name in sources}
    expected = [("plain.py", "template.py"), ("plain.py", "f_string.py"), ("template.py", "f_string.py")]
    assert near_copies(models) == expected
