"""Run a page: its files are written, its Python and its commands are run, and what it shows is compared.

``python -m reactio_docs.run docs/*.md`` checks pages; with ``--update`` outputs that differ are written anew.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from reactio_docs.blocks import Block, blocks, replaced
from reactio_docs.compare import same

WIDTH = "120"  # columns of the terminal the pages show
SHOWN = "# → "  # in a Python block: the value of the expression before it


def check_page(path: Path, *, update: bool = False) -> list[str]:
    """What a page shows and does not hold, one sentence each; empty when all is true."""
    page = path.read_text(encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": "page"}
    wrong: list[str] = []
    changes: dict[Block, str] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in blocks(page):
            if block.file.startswith("snippets/"):
                changes |= _snippet(path, block)
            elif block.language == "yaml" and block.file:
                Path(block.file).write_text(block.text, encoding="utf-8")
            elif block.language == "python":
                wrong += [f"{path.name}:{block.line + line - 1}: {text}" for line, text in _python(block, namespace)]
            elif block.language == "console":
                changes |= _console(block)
    if update and changes:
        path.write_text(replaced(page, changes), encoding="utf-8")
    return wrong + [f"{path.name}:{block.line}: it is now\n{text}" for block, text in changes.items()]


def run_command(line: str) -> str:
    """What ``reactio …`` writes, errors included, on a terminal without colours."""
    from reactio.cli import main

    written = io.StringIO()
    with (
        patch.object(sys, "argv", shlex.split(line)),
        patch.dict(os.environ, {"COLUMNS": WIDTH, "NO_COLOR": "1"}),
        contextlib.redirect_stdout(written),
        contextlib.redirect_stderr(written),
        contextlib.suppress(SystemExit),
    ):
        main()
    lines = [text.rstrip() for text in written.getvalue().splitlines()]
    return "\n".join(_without_compilation(lines)).strip("\n") + "\n"


def _without_compilation(lines: list[str]) -> Iterator[str]:
    """Pages show a machine on which everything is compiled."""
    for line in lines:
        if not line.startswith(("Compiling the ", "… done in ")):
            yield line


def _console(block: Block) -> dict[Block, str]:
    """The block as it should be, when it is not."""
    told: list[str] = []
    right = True
    for command, shown in _commands(block.text):
        real = run_command(command)
        right &= same(shown, real)
        told += [f"$ {command}\n", shown if same(shown, real) else real]
    return {} if right else {block: "".join(told)}


def _commands(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:].strip(), ""))
        else:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def _python(block: Block, namespace: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Run a block statement by statement; values after ``# →`` are compared."""
    lines = block.text.splitlines()
    name = f"<page, line {block.line}>"
    linecache.cache[name] = (len(block.text), None, block.text.splitlines(keepends=True), name)  # kernels read it there
    for node in ast.parse(block.text).body:
        try:
            if not isinstance(node, ast.Expr):
                exec(compile(ast.Module([node], []), name, "exec"), namespace)
                continue
            value = eval(compile(ast.Expression(node.value), name, "eval"), namespace)
        except Exception as error:
            yield node.lineno, f"{ast.unparse(node)} raises {error!r}"
            continue
        _, arrow, shown = lines[(node.end_lineno or 1) - 1].partition(SHOWN)
        if arrow and not (same(shown, repr(value)) or same(shown, str(value))):
            yield node.lineno, f"{ast.unparse(node)} is {value!r}, the page says {shown}"


def _snippet(path: Path, block: Block) -> dict[Block, str]:
    """A block that shows a file of docs/ must be that file."""
    text = f"# {block.file}\n" + (path.parent / block.file).read_text(encoding="utf-8")
    return {} if text == block.text else {block: text}


def main() -> None:
    """Check or update pages."""
    update = "--update" in sys.argv
    wrong = [
        text
        for name in sys.argv[1:]
        if not name.startswith("--")
        for text in check_page(Path(name).resolve(), update=update)
    ]
    print("\n".join(wrong) or "All pages hold.")
    sys.exit(1 if wrong and not update else 0)


if __name__ == "__main__":
    main()
