"""Instructions, blocks and memory of a function that is being translated."""

from __future__ import annotations

import ast
import types
from typing import Any, NoReturn

from reactio.translator.kinds import NOTHING, Kind
from reactio.translator.module import Module
from reactio.translator.source import MAKES_ARRAYS, Source, Untranslatable, Wider, source_of
from reactio.translator.values import Value


def _unread_names(function: ast.FunctionDef) -> set[str]:
    """Names that are given values and never read; ``x += 1`` reads x."""
    read, written = set[str](), set[str]()
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            (written if isinstance(node.ctx, ast.Store) else read).add(node.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read.add(node.target.id)
    return written - read


class Instructions:
    """One function while it is translated into LLVM's language: its instructions so far, its memory, its arrays."""

    def __init__(self, module: Module, kernel: Source, kinds: tuple[Kind, ...], assumed: dict[str, Kind]) -> None:
        function = kernel.function
        assert isinstance(function, types.FunctionType)
        self.module, self.kernel, self.kinds, self.assumed = module, kernel, kinds, assumed
        self.function = function
        self.node = source_of(function)
        self.scope = kernel.scope
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.variables: dict[str, tuple[Kind, list[str]]] = {}
        self.count = 0
        self.open = True  # may the block take more instructions?
        self.loops: list[tuple[str, str]] = []  # where continue and break lead
        self.result: Kind | None = assumed.get("")
        self.chain = self._chain() if MAKES_ARRAYS in assumed else ""  # where the blocks of its own arrays are kept
        self.loops_left: set[str] = set()  # labels behind loops that a break jumps to
        self.never_negative: set[str] = set()  # counters of the loops around the current statement
        self.at: ast.AST = self.node  # the statement that is being translated
        self.unread = _unread_names(self.node)

    def _chain(self) -> str:
        chain = self.slot("ptr")
        self.slots.append(f"  store ptr null, ptr {chain}")
        return chain

    def require_own_arrays(self) -> None:
        """The function allocates arrays: translate it again where that was not assumed."""
        self.module.memory()
        if self.kernel.options.get("makes_arrays") is False:
            self.refuse(self.at, "it was said to make no arrays")
        if not self.chain:
            raise Wider(MAKES_ARRAYS, NOTHING)

    def free(self) -> None:
        """Free the arrays that the function made."""
        if self.chain:
            self.line(f"call void @release(ptr {self.put(f'load ptr, ptr {self.chain}')})")

    def line(self, text: str) -> None:
        """An instruction; those after a jump are never reached."""
        if self.open:
            self.lines.append("  " + text)
            self.open = not text.startswith(("br ", "ret ", "unreachable"))

    def put(self, text: str) -> str:
        """An instruction with a result."""
        self.count += 1
        self.line(f"%r{self.count} = {text}")
        return f"%r{self.count}"

    def label(self) -> str:
        """A new label."""
        self.count += 1
        return f"l{self.count}"

    def start(self, label: str) -> None:
        """Begin a block, which is entered from above too."""
        self.line(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.open = True

    def slot(self, kind: str) -> str:
        """Memory of the function for a register."""
        self.count += 1
        self.slots.append(f"  %s{self.count} = alloca {kind}")
        return f"%s{self.count}"

    def refuse(self, node: ast.AST, why: str, cause: Exception | None = None) -> NoReturn:
        """This cannot be translated."""
        line = getattr(node, "lineno", 0)
        raise Untranslatable(f"{self.function.__code__.co_filename}:{line}: {self.function.__name__}", why) from cause

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression: see ``expressions``."""
        raise NotImplementedError

    def repeat(self, node: ast.For, first: Value, last: Value, step: int, item: Any) -> None:
        """A loop over whole numbers: see ``statements``."""
        raise NotImplementedError

    def callee(self, kernel: Source, kinds: tuple[Kind, ...]) -> tuple[str, Kind]:
        """Name and kind of result of another function of the unit: see ``statements``."""
        raise NotImplementedError
