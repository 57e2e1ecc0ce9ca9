"""Closed sets are enumerations: defined once, explained, and compared by their members."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import reactio

ROOT = Path(reactio.__file__).parent


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    """The syntax tree of every file."""
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(ROOT.rglob("*.py"))}


@pytest.fixture(scope="module")
def classes(trees: dict[Path, ast.Module]) -> list[ast.ClassDef]:
    return [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def values(node: ast.ClassDef) -> set[str]:
    """The words of an enumeration."""
    assigned = [one.value for one in node.body if isinstance(one, ast.Assign)]
    return {one.value for one in assigned if isinstance(one, ast.Constant) and isinstance(one.value, str)}


@pytest.fixture(scope="module")
def words(classes: list[ast.ClassDef]) -> dict[str, set[str]]:
    """The words of every enumeration, by its name."""
    return {
        node.name: values(node)
        for node in classes
        if any(isinstance(base, ast.Name) and base.id == "StrEnum" for base in node.bases)
    }


def test_every_enumeration_says_what_it_is(classes: list[ast.ClassDef], words: dict[str, set[str]]) -> None:
    assert len(words) > 10  # the search finds them
    assert all(words.values())
    assert [node.name for node in classes if node.name in words and not ast.get_docstring(node)] == []


def test_fields_are_compared_with_members(
    trees: dict[Path, ast.Module], classes: list[ast.ClassDef], words: dict[str, set[str]]
) -> None:
    """``group.kind == "joint"`` would go unnoticed when a word changes."""
    fields: dict[str, set[str]] = defaultdict(set)  # the words that a field of that name may have
    for node in classes:
        for line in node.body:
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                for name in ast.walk(line.annotation):
                    if isinstance(name, ast.Name) and name.id in words:
                        fields[line.target.id] |= words[name.id]
    assert {"kind", "action", "status", "verdict", "axes", "source", "word"} <= {*fields}
    wrong = []
    for file, tree in trees.items():
        for one in ast.walk(tree):
            if isinstance(one, ast.Compare) and isinstance(one.left, ast.Attribute) and one.left.attr in fields:
                bare = {c.value for side in one.comparators for c in ast.walk(side) if isinstance(c, ast.Constant)}
                if bare & fields[one.left.attr]:
                    wrong.append(f"{file.relative_to(ROOT)}:{one.lineno}: {ast.unparse(one)}")
    assert wrong == []
