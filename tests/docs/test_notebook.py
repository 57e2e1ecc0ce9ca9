"""The notebook of the documentation runs from top to bottom, and what its cells end with can be shown."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[2] / "docs" / "ten-minutes.ipynb"


def test_every_cell_runs_and_shows_something() -> None:
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert book["nbformat"] == 4
    namespace: dict[str, Any] = {}
    pages = 0
    for cell in book["cells"]:
        assert cell["source"]
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == []  # kept without outputs: they follow from the code
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop()
        assert isinstance(last, ast.Expr)
        exec(compile(tree, str(NOTEBOOK), "exec"), namespace)
        shown = eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), namespace)
        assert repr(shown)
        if hasattr(shown, "_repr_html_"):
            html = shown._repr_html_()
            assert html.startswith("<")
            pages += "<iframe" in html
    assert pages == 1


def test_it_is_linked_from_the_front_page() -> None:
    assert "ten-minutes.ipynb" in (NOTEBOOK.parent / "index.md").read_text(encoding="utf-8")
