"""Closed sets are enumerations: defined once, explained, and compared by their members."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import reactio

ROOT = Path(reactio.__file__).parent
TREES = {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(ROOT.rglob("*.py"))}
CLASSES = [(file, node) for file, tree in TREES.items() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def values(node: ast.ClassDef) -> set[str]:
    """The words of an enumeration."""
    assigned = [one.value for one in node.body if isinstance(one, ast.Assign)]
    return {one.value for one in assigned if isinstance(one, ast.Constant) and isinstance(one.value, str)}


WORDS = {
    node.name: values(node)
    for _, node in CLASSES
    if any(isinstance(base, ast.Name) and base.id == "StrEnum" for base in node.bases)
}


def test_every_enumeration_says_what_it_is() -> None:
    assert len(WORDS) > 10  # the search finds them
    assert all(WORDS.values())
    assert [node.name for _, node in CLASSES if node.name in WORDS and not ast.get_docstring(node)] == []


def test_fields_are_compared_with_members() -> None:
    """``group.kind == "joint"`` would go unnoticed when a word changes."""
    fields: dict[str, set[str]] = defaultdict(set)  # the words that a field of that name may have
    for _, node in CLASSES:
        for line in node.body:
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                for name in ast.walk(line.annotation):
                    if isinstance(name, ast.Name) and name.id in WORDS:
                        fields[line.target.id] |= WORDS[name.id]
    assert {"kind", "action", "status", "verdict", "axes", "source", "word"} <= {*fields}
    wrong = []
    for file, tree in TREES.items():
        for one in ast.walk(tree):
            if isinstance(one, ast.Compare) and isinstance(one.left, ast.Attribute) and one.left.attr in fields:
                bare = {c.value for side in one.comparators for c in ast.walk(side) if isinstance(c, ast.Constant)}
                if bare & fields[one.left.attr]:
                    wrong.append(f"{file.relative_to(ROOT)}:{one.lineno}: {ast.unparse(one)}")
    assert wrong == []
