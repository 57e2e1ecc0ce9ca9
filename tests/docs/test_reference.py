"""The generated parts of the documentation are complete, and every page is in the site."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.bodies import BODIES
from reactio.couplings import COUPLINGS
from reactio.drawing.sample import sample
from reactio.forces import FORCES
from reactio.functions import FUNCTIONS
from reactio.joints import JOINTS_BY_SPACE, JointType
from reactio.sharing import RULES
from reactio_docs import catalogue
from reactio_docs.catalogue import entry_catalogue, joint_catalogue
from reactio_docs.commands import command_reference, commands
from reactio_docs.extension import MARK, PARTS, fill
from reactio_docs.reference import ANSWERS, FURTHER, api_reference, documented_classes, named

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def test_every_joint_is_in_the_catalogue() -> None:
    text = joint_catalogue()
    for space, registry in JOINTS_BY_SPACE.items():
        for joint in registry.values():
            section = text.partition(f"### `{joint.name}` ({space})\n")[2].partition("\n### ")[0]
            assert joint.doc in section
            assert all(f"`{row.name}`" in section for row in joint.rows)
            assert all(f"`{free.name}`" in section for free in joint.free)
            assert all(f"`{p.name}`" in section and p.doc in section for p in joint.parameters)


@pytest.mark.parametrize(
    "joint",
    [j for registry in JOINTS_BY_SPACE.values() for j in registry.values()],
    ids=lambda j: f"{j.space}-{j.name}",
)
def test_every_joint_has_a_sample_that_closes(joint: JointType) -> None:
    eqs = reactio.equations(reactio.build(sample(joint)))
    assert eqs.C.shape[0] == len(joint.rows)
    assert np.abs(eqs.Phi).max() < 1e-12  # frames stand where they should: rounding of sums of 0.1 and 0.3


@pytest.mark.parametrize("mark", ["<!-- picture: table -->", "<!-- generated: joints -->"])
def test_a_drawing_is_shown_once_there_is_one(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "picture", lambda model, verdicts: DOCS / "pictures" / f"{model.name}.svg")
    assert "](pictures/table.svg)" in fill(mark) or "](pictures/planar-gear.svg)" in fill(mark)


def test_everything_else_is_in_the_catalogue() -> None:
    text = entry_catalogue()
    for name in (*COUPLINGS, *FORCES, *BODIES, *FUNCTIONS):
        assert f"### `{name}`\n" in text
    assert all(f"| `{name}` |" in text for name in RULES)
    fields = [f for coupling in COUPLINGS.values() for f in coupling.parameters]
    assert all(field.doc in text for field in (*fields, *(f for force in FORCES.values() for f in force.fields)))


def test_every_command_and_option_is_documented() -> None:
    text = command_reference()
    found = dict(commands())
    assert {"reactio check", "reactio library show"} <= set(found)
    for name, command in found.items():
        section = text.partition(f"## `{name}`\n")[2].partition("\n## ")[0]
        for parameter in command.params:
            if parameter.param_type_name == "option" and "--help" not in parameter.opts:
                assert all(f"`{option}`" in section for option in parameter.opts), (name, parameter.opts)


def test_every_public_name_is_in_the_reference_once() -> None:
    text = api_reference()
    for name in reactio.__all__:
        if name != "__version__":
            kind = "class" if inspect.isclass(getattr(reactio, name)) else "function"
            heads = [line for line in text.splitlines() if line.startswith(f"``````{{py:{kind}}} reactio.{name}")]
            assert len([h for h in heads if h.split("}")[1].partition("(")[0].strip() == f"reactio.{name}"]) == 1, name


@pytest.mark.parametrize("name", [n for n in reactio.__all__ if inspect.isfunction(getattr(reactio, n))])
def test_public_functions_have_an_example(name: str) -> None:
    assert ">>> " in (getattr(reactio, name).__doc__ or ""), f"{name} needs an example that runs"


@pytest.mark.parametrize("path", FURTHER)
def test_further_functions_have_an_example_too(path: str) -> None:
    assert ">>> " in (named(path).__doc__ or "") or inspect.isclass(named(path)), f"{path} needs an example that runs"
    assert path.rpartition(".")[2] not in reactio.__all__


# The classes of the package by name: no two share one (tests/architecture/test_rooms.py).
CLASSES = {
    node.name
    for file in Path(reactio.__file__).parent.rglob("*.py")
    for node in ast.parse(file.read_text(encoding="utf-8")).body
    if isinstance(node, ast.ClassDef)
}


@pytest.mark.parametrize("path", [*(f"reactio.{name}" for name in reactio.__all__), *FURTHER])
def test_what_a_function_returns_is_in_the_reference(path: str) -> None:
    if inspect.isfunction(function := named(path)):
        returned = set(re.findall(r"\w+", str(function.__annotations__["return"]))) & CLASSES
        assert returned <= set(documented_classes()), "name them in ANSWERS of docs/reactio_docs/reference.py"


def test_return_types_are_found() -> None:
    assert {"Solvability", "Mobility", "ReleaseAdvice", "SensorAdvice"} <= CLASSES & set(documented_classes())


@pytest.mark.parametrize("path", ANSWERS)
def test_answers_are_classes_that_say_what_they_are(path: str) -> None:
    assert inspect.isclass(named(path))
    assert named(path).__name__ not in reactio.__all__
    assert inspect.getdoc(named(path))


def test_marks_are_filled_in() -> None:
    marks = [mark for page in PAGES for mark in MARK.findall(page.read_text(encoding="utf-8"))]
    assert {what for kind, what in marks if kind == "generated"} == set(PARTS)
    assert "### `screw` (spatial)" in fill("<!-- generated: joints -->")
    assert "<!--" not in fill("<!-- picture: door hinges=3 -->")


@pytest.mark.parametrize("page", [p for p in PAGES if p.stem != "index"], ids=lambda p: p.stem)
def test_every_page_is_in_the_site(page: Path) -> None:
    assert page.stem in (DOCS / "index.md").read_text(encoding="utf-8").splitlines()


def test_the_catalogue_in_the_repository_is_the_one_of_the_registries() -> None:
    text = (DOCS / "joints.md").read_text(encoding="utf-8")
    assert catalogue.in_repository(text) == text, "`python -m reactio_docs.catalogue` (PYTHONPATH=docs) writes it anew"
    assert "### `revolute` (spatial)" in text


def test_the_python_page_lists_every_public_name_without_a_build() -> None:
    from reactio_docs.api_names import PAGE, names_listing

    assert names_listing() in PAGE.read_text(encoding="utf-8"), "`python -m reactio_docs.api_names` writes it anew"
