"""Kernels as the translator sees them: their syntax trees, and what cannot be translated."""

from __future__ import annotations

import ast
import types
from functools import cache
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from reactio.errors import ReactioError
from reactio.kernels.kinds import Kind

MAKES_ARRAYS = "makes arrays"  # among the kinds assumed of a function: it allocates arrays


@runtime_checkable
class Source(Protocol):
    """What the translator knows of a kernel: its function, its options, and the kernels behind free names."""

    function: Any
    options: dict[str, Any]
    links: dict[str, Any]
    __name__: str

    @property
    def digest(self) -> str:
        """What it is made of."""


class Untranslatable(ReactioError):
    """A statement that the translator does not know, with its place."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: a kernel cannot be compiled: {why}. REACTIO_KERNELS=plain runs it as it is.")


class Wider(Exception):
    """A variable, or what the function returns, is of a wider kind than was assumed: translate again."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name, self.kind = name, kind


@cache
def _functions_in(file: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a file by name and first line."""
    found = {}
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[node.name, first] = node
    return found


def source_of(function: types.FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function."""
    code = function.__code__
    try:
        return _functions_in(code.co_filename)[code.co_name, code.co_firstlineno]
    except (OSError, KeyError, SyntaxError):
        raise Untranslatable(function.__qualname__, f"its source in {code.co_filename} cannot be read") from None
