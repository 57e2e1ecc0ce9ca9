"""Kernels as the translator sees them: their syntax trees, and what cannot be translated."""

from __future__ import annotations

import ast
import linecache
import types
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import decode_source
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from reactio.translator.digest import text_of
from reactio.translator.kinds import Kind

FILES = 256  # texts of files that are kept with their functions: more than there are files with kernels
MAKES_ARRAYS = "makes arrays"  # among the kinds assumed of a function: it allocates arrays


@runtime_checkable
class Source(Protocol):
    """What the translator knows of a kernel: its function, its options, and the values behind its names."""

    function: Any
    options: dict[str, Any]
    __name__: str

    @property
    def scope(self) -> dict[str, Any]:
        """Constants, kernels and modules by the names under which the function knows them."""

    @property
    def digest(self) -> str:
        """Its parts."""


class Untranslatable(Exception):
    """A statement that the translator does not know, with its place."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: a kernel cannot be compiled: {why}.")


class Wider(Exception):
    """A variable, or what the function returns, is of a wider kind than was assumed: translate again."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name, self.kind = name, kind


def source_of(function: types.FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function: one in its file of which Python makes the very code that the function has."""
    code = function.__code__
    where = f"{code.co_filename}:{code.co_firstlineno}: {function.__name__}"
    text = _text_in(code.co_filename, function.__globals__)
    if not text:
        raise Untranslatable(where, "its source cannot be read")
    for apart in (False, True):
        known = _functions_in(text, apart).get(code.co_name, ())
        alike = [tree for tree, text in known if text == text_of(code)]
        if alike:
            return min(alike, key=lambda tree: abs(_first_line(tree) - code.co_firstlineno))
    raise Untranslatable(where, "its file was changed since it was imported; restart Python, or import it anew")


def _text_in(file: str, scope: dict[str, Any]) -> str:
    """The text of a file as it is now, or what the session remembers of a cell of a notebook."""
    try:
        return decode_source(Path(file).read_bytes())
    except (OSError, SyntaxError, UnicodeDecodeError):
        return "".join(linecache.getlines(file, scope))


@lru_cache(maxsize=FILES)
def _functions_in(text: str, apart: bool) -> dict[str, list[tuple[ast.FunctionDef, str]]]:
    """The functions of a file by name, and the text of the code that Python makes of each.

    ``apart``: statement by statement, as notebooks run a cell; Python makes other code of what a file imports itself.
    """
    try:
        tree = ast.parse(text)
        parts = [ast.Module([part], []) for part in tree.body] if apart else [tree]
        codes = [code for part in parts for code in _codes(compile(part, "", "exec", dont_inherit=True))]
    except SyntaxError:
        return {}
    texts = {(code.co_name, code.co_firstlineno): text_of(code) for code in codes}
    functions: dict[str, list[tuple[ast.FunctionDef, str]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append((node, texts[node.name, _first_line(node)]))
    return functions


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)
