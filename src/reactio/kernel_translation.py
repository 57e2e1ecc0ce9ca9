"""Kernels in LLVM's language: numbers, arrays, tuples, loops and branches of Python, translated statement by statement.

A kernel is translated once for each list of kinds of its arguments.  Variables live in memory of the function, from
where LLVM takes them into registers; one that is a whole number here and a fraction there is a fraction everywhere.
What the translator does not know it refuses by name (``Untranslatable``): nothing is guessed.

Numbers follow IEEE 754 as NumPy's do: 1/0 is infinite, √−1 is none.  Products and sums contract to one rounding where
the processor can.  Indices below zero count from the end; beyond the end nothing is checked.
"""

from __future__ import annotations

import ast
import enum
import math
import struct
import types
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, Protocol, runtime_checkable

import numpy as np

from reactio.errors import ReactioError
from reactio.kernel_types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    INT32,
    NOTHING,
    WORD,
    Array,
    Kind,
    Number,
    Several,
    Table,
    makes_arrays,
)
from reactio.kernel_types import packing as words_in


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


RANK = {BOOL: 0, INT: 1, FLOAT: 2, COMPLEX: 3}  # numbers that meet become the kind of the higher rank
INTRINSICS = {name: f"llvm.{name}.f64" for name in ("sqrt", "sin", "cos", "exp", "log", "floor", "rint", "fabs")}
LIBRARY = {
    "tan": "tan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "hypot": "hypot", "atan2": "atan2", "atan": "atan",
    "asin": "asin", "acos": "acos", "arctan2": "atan2", "arctan": "atan", "arcsin": "asin", "arccos": "acos",
}  # fmt: skip
COMPARISONS = {
    ast.Eq: ("eq", "oeq"), ast.NotEq: ("ne", "une"), ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"), ast.Gt: ("sgt", "ogt"), ast.GtE: ("sge", "oge"),
}  # fmt: skip
MAKES = "makes arrays"  # stands among the kinds assumed of a function where it does
ELEMENTS = {"int64": INT, "bool_": BOOL, "float64": FLOAT}
MOST_FACTORS = 64  # powers up to this one are products


# Arrays that a function makes are a chain of blocks, each of which begins with the address of the next.  They are freed
# where it returns, or passed on to its caller where it returns an array.
HEADER = 16  # bytes before the entries of an array, which stay aligned
RELEASE = """define internal void @release(ptr %chain) #0 {
entry:
  br label %head
head:
  %block = phi ptr [ %chain, %entry ], [ %next, %body ]
  %end = icmp eq ptr %block, null
  br i1 %end, label %done, label %body
body:
  %next = load ptr, ptr %block
  call void @free(ptr %block)
  br label %head
done:
  ret void
}
"""
ADOPT = """define internal ptr @adopt(ptr %chain, ptr %own) #0 {
entry:
  %none = icmp eq ptr %chain, null
  br i1 %none, label %empty, label %head
empty:
  ret ptr %own
head:
  %block = phi ptr [ %chain, %entry ], [ %next, %head ]
  %next = load ptr, ptr %block
  %last = icmp eq ptr %next, null
  br i1 %last, label %done, label %head
done:
  store ptr %own, ptr %block
  ret ptr %chain
}
"""


class Untranslatable(ReactioError):
    """A statement that the translator does not know, with its place."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: a kernel cannot be compiled: {why}. REACTIO_KERNELS=plain runs it as it is.")


class _Wider(Exception):
    """A variable, or what the function returns, is of a wider kind than was assumed: translate again."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name, self.kind = name, kind


@dataclass(frozen=True, slots=True)
class Value:
    """A value: its kind, its registers or constants, the entries of a tuple, and what is known of it."""

    kind: Kind
    parts: tuple[str, ...] = ()
    items: tuple[Value, ...] = ()
    known: Any = None  # the number itself where it is a constant
    from_zero: bool = False  # a whole number that is never negative

    def flat(self) -> tuple[str, ...]:
        """All registers."""
        return tuple(p for item in self.items for p in item.flat()) if isinstance(self.kind, Several) else self.parts


NONE = Value(NOTHING)


def _returnable(kind: Kind) -> bool:
    match kind:
        case Several():
            return all(map(_returnable, kind.kinds))
        case Array():
            return kind.contiguous
    return isinstance(kind, Number)


def registers(kind: Kind) -> list[str]:
    """LLVM's types of the registers of a value."""
    match kind:
        case Number():
            return ["double", "double"] if kind is COMPLEX else [kind.register]
        case Array():
            return ["ptr"] + ["i64"] * kind.ndim * (1 if kind.contiguous else 2)
        case Table():
            return ["ptr"]
        case Several():
            return [word for part in kind.kinds for word in registers(part)]


def unflat(kind: Kind, parts: list[str]) -> Value:
    """A value from its registers, which are taken off the front of the list."""
    if isinstance(kind, Several):
        return Value(kind, items=tuple(unflat(part, parts) for part in kind.kinds))
    own = parts[: len(registers(kind))]
    del parts[: len(own)]
    return Value(kind, tuple(own))


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


@dataclass
class Module:
    """The functions of a compilation unit, each once."""

    texts: list[str] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    done: dict[Any, tuple[str, Kind]] = field(default_factory=dict)

    def function(self, kernel: Source, kinds: tuple[Kind, ...], external: str = "") -> tuple[str, Kind]:
        """Name and kind of result of a kernel for arguments of these kinds."""
        key = (kernel.digest, kinds)
        if key not in self.done:
            name = external or f"{kernel.__name__}_{len(self.done)}"
            assumed: dict[str, Kind] = {}
            self.done[key] = (name, NOTHING)  # its place in the numbering, while its callees are translated
            while True:
                translation = Translation(self, kernel, kinds, assumed)
                try:
                    text, kind = translation.translate(name, bool(external))
                    break
                except _Wider as wider:
                    assumed[wider.name] = wider.kind
            self.done[key] = (name, kind)
            self.texts.append(text)
        return self.done[key]

    def declare(self, name: str, arguments: int = 1) -> str:
        """A function of mathematics, without effects on anything else."""
        given = ", ".join(["double"] * arguments)
        if not name.startswith("llvm."):
            self.declared[name] = f"declare double @{name}({given}) #1"
        else:
            self.declared[name] = f"declare double @{name}({given})"
        return name

    def memory(self) -> None:
        """Declare what functions need that make arrays of their own."""
        self.declared["malloc"] = "declare noalias ptr @malloc(i64)\ndeclare void @free(ptr)\n" + RELEASE + ADOPT

    def text(self) -> str:
        """The whole unit."""
        attributes = [
            "attributes #0 = { nounwind }",
            "attributes #1 = { nounwind willreturn memory(none) }",
            "attributes #2 = { nounwind alwaysinline }",
        ]
        return "\n".join([*self.declared.values(), *self.texts, *attributes, "!0 = !{}"]) + "\n"


def unit(kernel: Source, kinds: tuple[Kind, ...], name: str) -> tuple[str, Kind]:
    """The text of a compilation unit and the kind of its result.

    ``name`` takes the registers of its arguments; ``name``_entry takes the address of a table with their words, behind
    which it leaves those of the result.
    """
    module = Module()
    _, result = module.function(kernel, kinds, name)
    if not _returnable(result):
        raise Untranslatable(kernel.__name__, f"it returns {result}, which cannot be passed to Python")
    module.texts.append(_entry(name, kinds, result))
    if makes_arrays(result):
        module.memory()
        free = f"define void @{name}_release(ptr %chain) #0 {{\n  call void @release(ptr %chain)\n  ret void\n}}"
        module.texts.append(free)
    return module.text(), result


def _entry(name: str, kinds: tuple[Kind, ...], result: Kind) -> str:
    lines, given, word = [f"define void @{name}_entry(ptr %table) #0 {{"], [], 0
    count = 0

    def load(kind: str) -> str:
        nonlocal word, count
        count += 1
        memory = "i64" if kind == "i1" else kind
        lines.append(f"  %a{count} = getelementptr i64, ptr %table, i64 {word}")
        lines.append(f"  %v{count} = load {memory}, ptr %a{count}")
        word += 1
        if kind != "i1":
            return f"%v{count}"
        lines.append(f"  %b{count} = icmp ne i64 %v{count}, 0")
        return f"%b{count}"

    def argument(kind: Kind) -> None:
        nonlocal word
        if isinstance(kind, Several):
            for part in kind.kinds:
                argument(part)
            return
        for register in registers(kind):
            given.append(f"{register} {load(register)}")
        if isinstance(kind, Array) and kind.contiguous:
            word += kind.ndim  # its strides follow from its shape

    for kind in kinds:
        argument(kind)
    out = _returned(result)
    kind_text = _result_type(result)
    lines.append(f"  {'%r = ' if out else ''}call {kind_text} @{name}({', '.join(given)})")
    for k, register in enumerate(out):
        part = "%r"
        if len(out) > 1:
            lines.append(f"  %p{k} = extractvalue {kind_text} %r, {k}")
            part = f"%p{k}"
        if register == "i1":
            lines.append(f"  %z{k} = zext i1 {part} to i64")
            register, part = "i64", f"%z{k}"
        lines.append(f"  %o{k} = getelementptr i64, ptr %table, i64 {word + k}")
        lines.append(f"  store {register} {part}, ptr %o{k}")
    return "\n".join([*lines, "  ret void", "}"])


def _returned(kind: Kind) -> list[str]:
    """LLVM's types of what a function returns: the registers of its result, and the blocks of arrays in it."""
    return registers(kind) + (["ptr"] if makes_arrays(kind) else [])


def _result_type(kind: Kind) -> str:
    out = _returned(kind)
    return "void" if not out else out[0] if len(out) == 1 else "{ " + ", ".join(out) + " }"


def _number(value: Any) -> Value:
    """A constant."""
    if isinstance(value, (bool, np.bool_)):
        return Value(BOOL, ("true" if value else "false",), known=bool(value))
    if isinstance(value, (int, np.integer, enum.IntEnum)):
        return Value(INT, (str(int(value)),), known=int(value), from_zero=int(value) >= 0)
    if isinstance(value, (float, np.floating)):
        bits = struct.unpack("Q", struct.pack("d", value))[0]
        return Value(FLOAT, (f"0x{bits:016X}",), known=float(value))
    raise TypeError


class Translation:
    """One function on its way into LLVM's language."""

    def __init__(self, module: Module, kernel: Source, kinds: tuple[Kind, ...], assumed: dict[str, Kind]) -> None:
        function = kernel.function
        assert isinstance(function, types.FunctionType)
        self.module, self.kernel, self.kinds, self.assumed = module, kernel, kinds, assumed
        self.function = function
        self.node = source_of(function)
        cells = dict(
            zip(function.__code__.co_freevars, (c.cell_contents for c in function.__closure__ or ()), strict=True)
        )
        self.scope: dict[str, Any] = {**function.__globals__, **cells, **kernel.links}
        flags = kernel.options.get("fastmath", {"contract"})
        self.flags = " ".join(sorted(flags)) + " " if flags else ""
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.variables: dict[str, tuple[Kind, list[str]]] = {}
        self.count = 0
        self.open = True  # may the block take more instructions?
        self.loops: list[tuple[str, str]] = []  # where continue and break lead
        self.result: Kind | None = assumed.get("")
        self.chain = self._chain() if MAKES in assumed else ""  # where the blocks of its own arrays are kept
        self.never_negative = self._counters()
        names = (node for node in ast.walk(self.node) if isinstance(node, ast.Name))
        self.unread = {n.id for n in names if isinstance(n.ctx, ast.Store)} - {
            node.id for node in ast.walk(self.node) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }

    # ----------------------------------------------------------------------------------------------- the function

    def translate(self, name: str, external: bool) -> tuple[str, Kind]:
        """Its text and the kind of its result."""
        arguments = self._bind()
        self.block(self.node.body)
        if self.open:
            if self.result is None or self.result == NOTHING:
                self.result = NOTHING
                self.free()
                self.line("ret void")
            else:
                self.line("unreachable")
        assert self.result is not None
        linkage = "" if external else "internal "
        attribute = "#2" if self.kernel.options.get("forceinline") else "#0"
        head = f"define {linkage}{_result_type(self.result)} @{name}({', '.join(arguments)}) {attribute} {{"
        return "\n".join([head, "entry:", *self.slots, *self.lines, "}"]), self.result

    def _chain(self) -> str:
        chain = self.slot("ptr")
        self.slots.append(f"  store ptr null, ptr {chain}")
        return chain

    def free(self) -> None:
        """Free the arrays that the function made."""
        if self.chain:
            self.line(f"call void @release(ptr {self.put(f'load ptr, ptr {self.chain}')})")

    def _bind(self) -> list[str]:
        """Put the arguments into variables."""
        spec = self.node.args
        arguments: list[str] = []
        names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        values = []
        for kind in self.kinds:
            words = []
            for register in registers(kind):
                words.append(f"%arg{len(arguments)}")
                arguments.append(f"{register} %arg{len(arguments)}")
            values.append(unflat(kind, words))
        defaults = self.function.__defaults__ or ()
        missing = len(names) - len(values)
        if missing > len(defaults) or (missing < 0 and spec.vararg is None):
            self.refuse(self.node, f"{len(values)} arguments are given and {len(names)} wanted")
        if missing > 0:
            values += [self.constant(value, self.node) for value in defaults[len(defaults) - missing :]]
        for name, value in zip(names, values, strict=False):
            self.assign(name, value)
        if spec.vararg is not None:
            self.assign(spec.vararg.arg, self.several(values[len(names) :]))
        return arguments

    def _counters(self) -> set[str]:
        """Names that only loops from zero or more upwards assign: they are never negative."""
        assigned: dict[str, list[bool]] = {}
        for node in ast.walk(self.node):
            if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                assigned.setdefault(node.target.id, []).append(True)
                node.target._counter = True  # type: ignore[attr-defined]
        for node in ast.walk(self.node):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and not getattr(node, "_counter", False):
                assigned.setdefault(node.id, []).append(False)
        for argument in ast.walk(self.node.args):
            if isinstance(argument, ast.arg):
                assigned.setdefault(argument.arg, []).append(False)
        return {name for name, kinds in assigned.items() if all(kinds)}

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        """This cannot be translated."""
        line = getattr(node, "lineno", 0)
        raise Untranslatable(f"{self.function.__code__.co_filename}:{line}: {self.function.__name__}", why)

    # ---------------------------------------------------------------------------------------------- instructions

    def line(self, text: str) -> None:
        """An instruction; what follows a jump is never reached."""
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

    # ------------------------------------------------------------------------------------------------- variables

    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value; one that is never read keeps none."""
        if name in self.unread:
            return
        if name not in self.variables:
            kind = self.assumed.get(name, value.kind)
            self.variables[name] = (kind, [self.slot(register) for register in registers(kind)])
        kind, slots = self.variables[name]
        if kind != value.kind:
            wider = self.common(kind, value.kind)
            if wider is None:
                self.refuse(self.node, f"{name} is {kind} here and {value.kind} there")
            if wider != kind:
                raise _Wider(name, wider)
            value = self.convert(value, kind)
        for slot, register, part in zip(slots, registers(kind), value.flat(), strict=True):
            self.line(f"store {register} {part}, ptr {slot}")

    def read(self, name: str) -> Value:
        """The value of a variable."""
        kind, slots = self.variables[name]
        found = unflat(kind, [self.put(f"load {r}, ptr {s}") for r, s in zip(registers(kind), slots, strict=True)])
        if name in self.never_negative and kind is INT:
            return Value(kind, found.parts, from_zero=True)
        return found

    def common(self, one: Kind, other: Kind) -> Kind | None:
        """The kind that holds both, or None."""
        if one == other:
            return one
        if isinstance(one, Number) and isinstance(other, Number) and one in RANK and other in RANK:
            return one if RANK[one] >= RANK[other] else other
        if isinstance(one, Array) and isinstance(other, Array) and one.element is other.element:
            return Array(one.element, one.ndim, False) if one.ndim == other.ndim else None
        if isinstance(one, Several) and isinstance(other, Several) and len(one.kinds) == len(other.kinds):
            kinds = [self.common(a, b) for a, b in zip(one.kinds, other.kinds, strict=True)]
            return None if None in kinds else Several(tuple(kinds), one.names)
        return None

    def convert(self, value: Value, kind: Kind) -> Value:
        """A value as one of another kind that holds it."""
        if value.kind == kind:
            return value
        match kind:
            case Number():
                return self.number(value, kind)
            case Array():
                return self.strided(value)
            case Several():
                pairs = zip(value.items, kind.kinds, strict=True)
                return Value(kind, items=tuple(self.convert(item, part) for item, part in pairs))
        raise AssertionError(kind)

    def number(self, value: Value, kind: Number) -> Value:
        """A number as one of another kind."""
        if value.kind is kind:
            return value
        if value.known is not None and kind is not COMPLEX:
            return _number({FLOAT: float, INT: int, BOOL: bool}[kind](value.known))
        have, part = value.kind, value.parts[0]
        if kind is COMPLEX:
            return Value(COMPLEX, (self.number(value, FLOAT).parts[0], _number(0.0).parts[0]))
        if kind is FLOAT:
            return Value(FLOAT, (self.put(f"{'uitofp i1' if have is BOOL else 'sitofp i64'} {part} to double"),))
        if kind is INT:
            text = f"zext i1 {part} to i64" if have is BOOL else f"fptosi double {part} to i64"
            return Value(INT, (self.put(text),), from_zero=have is BOOL)
        text = f"icmp ne i64 {part}, 0" if have is INT else f"fcmp une double {part}, 0.0"
        return Value(BOOL, (self.put(text),))

    def several(self, items: list[Value], names: tuple[str, ...] = ()) -> Value:
        """A tuple."""
        return Value(Several(tuple(item.kind for item in items), names), items=tuple(items))

    # ------------------------------------------------------------------------------------------------ statements

    def block(self, statements: list[ast.stmt]) -> None:
        """Statements one after the other; what follows a jump is left out."""
        for statement in statements:
            if not self.open:
                return
            method = getattr(self, f"do_{type(statement).__name__}", None)
            if method is None:
                self.refuse(statement, f"{type(statement).__name__} is not known")
            method(statement)

    def do_Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def do_Expr(self, node: ast.Expr) -> None:
        """A call, or a docstring."""
        if not isinstance(node.value, ast.Constant):
            self.expression(node.value)

    def do_Assign(self, node: ast.Assign) -> None:
        """One value for one or more targets."""
        value = self.expression(node.value)
        for target in node.targets:
            self.store(target, value)

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        """An assignment that says its type."""
        if node.value is not None:
            self.store(node.target, self.expression(node.value))

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        """x += y."""
        if isinstance(node.target, ast.Name):
            self.store(node.target, self.binary(node.op, self.of_Name(node.target), self.expression(node.value), node))
        elif isinstance(node.target, ast.Subscript):
            array = self.expression(node.target.value)
            element, place = self.place(array, node.target)
            value = self.expression(node.value)
            self.write(element, place, self.binary(node.op, self.load(element, place), value, node), node)
        else:
            self.refuse(node, "only names and entries of arrays can be added to")

    def do_Return(self, node: ast.Return) -> None:
        """The result."""
        value = NONE if node.value is None else self.expression(node.value)
        if self.result is None:
            self.result = value.kind
        if value.kind != self.result:
            wider = self.common(self.result, value.kind)
            if wider is None:
                self.refuse(node, f"it returns {self.result} here and {value.kind} there")
            if wider != self.result:
                raise _Wider("", wider)
            value = self.convert(value, self.result)
        parts, out = value.flat(), _returned(self.result)
        if self.chain and makes_arrays(self.result):
            parts = (*parts, self.put(f"load ptr, ptr {self.chain}"))
        elif makes_arrays(self.result):
            parts = (*parts, "null")
        else:
            self.free()
        if not out:
            self.line("ret void")
        elif len(out) == 1:
            self.line(f"ret {out[0]} {parts[0]}")
        else:
            text, whole = _result_type(self.result), "undef"
            for k, (register, part) in enumerate(zip(out, parts, strict=True)):
                whole = self.put(f"insertvalue {text} {whole}, {register} {part}, {k}")
            self.line(f"ret {text} {whole}")

    def do_If(self, node: ast.If) -> None:
        """A branch; one that constants decide is decided here."""
        test = self.truth(self.expression(node.test))
        if test.known is not None:
            self.block(node.body if test.known else node.orelse)
            return
        yes, no, end = self.label(), self.label(), self.label()
        self.line(f"br i1 {test.parts[0]}, label %{yes}, label %{no}")
        reached = False
        for label, body in ((yes, node.body), (no, node.orelse)):
            self.lines.append(f"{label}:")
            self.open = True
            self.block(body)
            reached = reached or self.open
            self.line(f"br label %{end}")
        if reached:
            self.lines.append(f"{end}:")
            self.open = True

    def do_While(self, node: ast.While) -> None:
        """A loop with a condition."""
        if node.orelse:
            self.refuse(node, "a loop has no else")
        head, body, end = self.label(), self.label(), self.label()
        self.start(head)
        test = self.truth(self.expression(node.test))
        self.line(f"br i1 {test.parts[0]}, label %{body}, label %{end}")
        self.lines.append(f"{body}:")
        self.open = True
        self.loops.append((head, end))
        self.block(node.body)
        self.loops.pop()
        self.line(f"br label %{head}")
        self.lines.append(f"{end}:")
        self.open = True

    def do_Break(self, node: ast.Break) -> None:
        """Leave the loop."""
        self.line(f"br label %{self.loops[-1][1]}")

    def do_Continue(self, node: ast.Continue) -> None:
        """On to the next round of the loop."""
        self.line(f"br label %{self.loops[-1][0]}")

    def do_For(self, node: ast.For) -> None:
        """A loop over a range, the entries of an array, or those of a tuple."""
        if node.orelse:
            self.refuse(node, "a loop has no else")
        call = node.iter
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range":
            self._range(node, [self.expression(a) for a in call.args])
            return
        over = self.expression(node.iter)
        if isinstance(over.kind, Array) and over.kind.ndim == 1:
            limit = Value(INT, (over.parts[1],), from_zero=True)
            self._count(node, _number(0), limit, 1, lambda k: self.entry(over, [k], node))
            return
        if not isinstance(over.kind, Several):
            self.refuse(node, f"nothing runs over {over.kind}")
        end = self.label()
        for item in over.items:
            after = self.label()
            self.loops.append((after, end))
            self.store(node.target, item)
            self.block(node.body)
            self.loops.pop()
            self.start(after)
        self.start(end)

    def _range(self, node: ast.For, given: list[Value]) -> None:
        if any(value.kind not in (INT, BOOL) for value in given):
            self.refuse(node, "a range is one of whole numbers")
        bounds = [self.number(value, INT) for value in given]
        first, last = (_number(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        step = bounds[2].known if len(bounds) == 3 else 1
        if not step:
            self.refuse(node, "the step of a range is a constant")
        if isinstance(node.target, ast.Name) and not (step > 0 and first.from_zero):
            self.never_negative.discard(node.target.id)
        self._count(node, first, last, step, lambda k: k)

    def _count(self, node: ast.For, first: Value, last: Value, step: int, item: Any) -> None:
        counter = self.slot("i64")
        head, body, onward, end = self.label(), self.label(), self.label(), self.label()
        self.line(f"store i64 {first.parts[0]}, ptr {counter}")
        self.start(head)
        now = Value(INT, (self.put(f"load i64, ptr {counter}"),), from_zero=step > 0 and first.from_zero)
        test = self.put(f"icmp {'slt' if step > 0 else 'sgt'} i64 {now.parts[0]}, {last.parts[0]}")
        self.line(f"br i1 {test}, label %{body}, label %{end}")
        self.lines.append(f"{body}:")
        self.open = True
        self.store(node.target, item(now))
        self.loops.append((onward, end))
        self.block(node.body)
        self.loops.pop()
        self.start(onward)
        next_one = self.put(f"add nsw i64 {now.parts[0]}, {step}")
        self.line(f"store i64 {next_one}, ptr {counter}")
        self.line(f"br label %{head}")
        self.lines.append(f"{end}:")
        self.open = True

    def store(self, target: ast.expr, value: Value) -> None:
        """Give a name, an entry, a part of an array or several of them a value."""
        match target:
            case ast.Name():
                self.assign(target.id, value)
            case ast.Tuple():
                for one, item in zip(target.elts, self.unpacked(value, len(target.elts), target), strict=True):
                    self.store(one, item)
            case ast.Subscript():
                array = self.expression(target.value)
                if self._slices(target) or len(self._indices(target)) < getattr(array.kind, "ndim", 0):
                    self.fill(self.expression(target), value, target)
                else:
                    element, place = self.place(array, target)
                    self.write(element, place, value, target)
            case _:
                self.refuse(target, "nothing can be stored there")

    def unpacked(self, value: Value, count: int, node: ast.AST) -> tuple[Value, ...]:
        """The entries of a tuple, or of a row as long as its targets."""
        if isinstance(value.kind, Array) and value.kind.ndim == 1:
            return tuple(self.entry(value, [_number(k)], node) for k in range(count))
        if not isinstance(value.kind, Several) or len(value.items) != count:
            self.refuse(node, f"{value.kind} has not {count} entries")
        return value.items

    # ---------------------------------------------------------------------------------------------------- arrays

    def _indices(self, node: ast.Subscript) -> list[ast.expr]:
        return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]

    def _slices(self, node: ast.Subscript) -> bool:
        return any(isinstance(index, ast.Slice) for index in self._indices(node))

    def shape(self, array: Value) -> list[str]:
        """The lengths of an array."""
        assert isinstance(array.kind, Array)
        return list(array.parts[1 : 1 + array.kind.ndim])

    def strides(self, array: Value) -> list[str]:
        """The distances of its entries along each axis, in bytes."""
        assert isinstance(array.kind, Array)
        if not array.kind.contiguous:
            return list(array.parts[1 + array.kind.ndim :])
        found = [str(array.kind.element.size)]
        for length in reversed(self.shape(array)[1:]):
            found.insert(0, self.put(f"mul nsw i64 {found[0]}, {length}"))
        return found[-array.kind.ndim :]

    def strided(self, array: Value) -> Value:
        """An array that says how far its entries are apart."""
        assert isinstance(array.kind, Array)
        if not array.kind.contiguous:
            return array
        kind = Array(array.kind.element, array.kind.ndim, False)
        return Value(kind, (*array.parts, *self.strides(array)))

    def wrapped(self, index: Value, length: str) -> str:
        """An index, counted from the end where it is negative."""
        part = self.number(index, INT).parts[0]
        if index.from_zero or index.kind is BOOL:
            return part
        if index.known is not None:
            return self.put(f"add nsw i64 {length}, {part}")
        below = self.put(f"icmp slt i64 {part}, 0")
        around = self.put(f"add nsw i64 {part}, {length}")
        return self.put(f"select i1 {below}, i64 {around}, i64 {part}")

    def offset(self, array: Value, indices: list[Value]) -> str:
        """Where an entry, or a part from the first axes, begins."""
        assert isinstance(array.kind, Array)
        shape, size = self.shape(array), array.kind.element.size
        places = [self.wrapped(index, length) for index, length in zip(indices, shape, strict=False)]
        if not array.kind.contiguous:
            at = array.parts[0]
            for place, stride in zip(places, self.strides(array), strict=False):
                bytes_ = self.put(f"mul nsw i64 {place}, {stride}")
                at = self.put(f"getelementptr inbounds i8, ptr {at}, i64 {bytes_}")
            return at
        position = places[0]
        for place, length in zip(places[1:], shape[1:], strict=False):
            position = self.put(f"mul nsw i64 {position}, {length}")
            position = self.put(f"add nsw i64 {position}, {place}")
        for length in shape[len(places) :]:
            position = self.put(f"mul nsw i64 {position}, {length}")
        memory = f"[{size} x i8]" if array.kind.element is COMPLEX else array.kind.element.memory
        return self.put(f"getelementptr inbounds {memory}, ptr {array.parts[0]}, i64 {position}")

    def place(self, array: Value, node: ast.Subscript) -> tuple[Number, str]:
        """Kind and address of an entry."""
        indices = [self.expression(index) for index in self._indices(node)]
        if not isinstance(array.kind, Array) or len(indices) != array.kind.ndim:
            self.refuse(node, f"{len(indices)} indices of {array.kind}")
        return array.kind.element, self.offset(array, indices)

    def entry(self, array: Value, indices: list[Value], node: ast.AST) -> Value:
        """An entry, or what is left of an array behind its first axes."""
        assert isinstance(array.kind, Array)
        if any(index.kind not in (INT, BOOL) for index in indices):
            self.refuse(node, "an index is a whole number")
        left = array.kind.ndim - len(indices)
        if left < 0:
            self.refuse(node, f"{len(indices)} indices of {array.kind}")
        at = self.offset(array, indices)
        if left == 0:
            return self.load(array.kind.element, at)
        kind = Array(array.kind.element, left, array.kind.contiguous)
        rest = self.shape(array)[-left:]
        return Value(kind, (at, *rest, *([] if kind.contiguous else self.strides(array)[-left:])))

    def load(self, element: Number, at: str) -> Value:
        """The number at an address."""
        if element is COMPLEX:
            second = self.put(f"getelementptr inbounds double, ptr {at}, i64 1")
            return Value(COMPLEX, (self.put(f"load double, ptr {at}"), self.put(f"load double, ptr {second}")))
        found = self.put(f"load {element.memory}, ptr {at}")
        if element is BOOL:
            return Value(BOOL, (self.put(f"icmp ne i8 {found}, 0"),))
        if element is INT32:
            return Value(INT, (self.put(f"sext i32 {found} to i64"),))
        return Value(element, (found,))

    def write(self, element: Number, at: str, value: Value, node: ast.AST) -> None:
        """Store a number at an address."""
        if not isinstance(value.kind, Number) or (value.kind is COMPLEX) > (element is COMPLEX):
            self.refuse(node, f"{value.kind} is no {element}")
        given = self.number(value, INT if element is INT32 else element)
        part = given.parts[0]
        if element is BOOL:
            part = self.put(f"zext i1 {part} to i8")
        elif element is INT32:
            part = self.put(f"trunc i64 {part} to i32")
        self.line(f"store {'double' if element is COMPLEX else element.memory} {part}, ptr {at}")
        if element is COMPLEX:
            second = self.put(f"getelementptr inbounds double, ptr {at}, i64 1")
            self.line(f"store double {given.parts[1]}, ptr {second}")

    def fill(self, array: Value, value: Value, node: ast.AST) -> None:
        """One number in every entry of a part of an array."""
        assert isinstance(array.kind, Array)
        if not isinstance(value.kind, Number) or not (array.kind.contiguous or array.kind.ndim == 1):
            self.refuse(node, "only one number fills a part of an array")
        size = self.shape(array)[0]
        for length in self.shape(array)[1:]:
            size = self.put(f"mul nsw i64 {size}, {length}")
        flat = Array(array.kind.element, 1, array.kind.contiguous)
        line = Value(flat, (array.parts[0], size, *([] if flat.contiguous else self.strides(array))))
        self._each(line, lambda _: value, node)

    def _each(self, row: Value, number: Any, node: ast.AST) -> None:
        """Store a number in every entry of a row."""
        assert isinstance(row.kind, Array)
        element = row.kind.element
        nowhere = ast.Name(id="_", ctx=ast.Store())
        self.unread.add("_")

        def once(k: Value) -> Value:
            self.write(element, self.offset(row, [k]), number(k), node)
            return k

        loop = ast.For(target=nowhere, iter=nowhere, body=[], orelse=[])
        self._count(loop, _number(0), Value(INT, (row.parts[1],)), 1, once)

    def part(self, array: Value, node: ast.Subscript) -> Value:
        """A part of an array: whole numbers and slices of step one."""
        assert isinstance(array.kind, Array)
        indices = self._indices(node)
        shape: list[str] = []
        strides: list[str] = []
        contiguous = array.kind.contiguous
        at, lengths, steps = array.parts[0], self.shape(array), self.strides(array)
        if len(indices) > array.kind.ndim:
            self.refuse(node, f"{len(indices)} indices of {array.kind}")
        for k, (length, step) in enumerate(zip(lengths, steps, strict=True)):
            index = indices[k] if k < len(indices) else ast.Slice()
            if isinstance(index, ast.Slice):
                if index.step is not None:
                    self.refuse(node, "a slice has no step")
                low = "0" if index.lower is None else self.bound(self.expression(index.lower), length)
                high = length if index.upper is None else self.bound(self.expression(index.upper), length)
                size = self.put(f"sub nsw i64 {high}, {low}")
                if index.lower is None and index.upper is None:
                    size = length
                else:
                    contiguous = contiguous and not shape
                    size = self.put(f"call i64 @llvm.smax.i64(i64 {size}, i64 0)")
                    self.module.declared["smax"] = "declare i64 @llvm.smax.i64(i64, i64)"
                bytes_ = self.put(f"mul nsw i64 {low}, {step}")
                shape.append(size)
                strides.append(step)
            else:
                bytes_ = self.put(f"mul nsw i64 {self.wrapped(self.expression(index), length)}, {step}")
                contiguous = contiguous and not shape
            at = self.put(f"getelementptr i8, ptr {at}, i64 {bytes_}")
        contiguous = contiguous or (array.kind.contiguous and len(shape) == 1 and strides[0] == steps[-1])
        kind = Array(array.kind.element, len(shape), contiguous)
        return Value(kind, (at, *shape, *([] if contiguous else strides)))

    def new(self, element: Number, shape: list[Value]) -> Value:
        """An array of the function's own."""
        self.owns()
        size = shape[0].parts[0]
        for length in shape[1:]:
            size = self.put(f"mul nsw i64 {size}, {length.parts[0]}")
        bytes_ = self.put(f"add nsw i64 {self.put(f'mul nsw i64 {size}, {element.size}')}, {HEADER}")
        block = self.put(f"call ptr @malloc(i64 {bytes_})")
        self.line(f"store ptr {self.put(f'load ptr, ptr {self.chain}')}, ptr {block}")
        self.line(f"store ptr {block}, ptr {self.chain}")
        data = self.put(f"getelementptr inbounds i8, ptr {block}, i64 {HEADER}")
        return Value(Array(element, len(shape), True), (data, *(length.parts[0] for length in shape)))

    def made(self, node: ast.Call) -> Value:
        """np.empty, np.zeros, np.full or np.arange."""
        assert isinstance(node.func, ast.Attribute)
        name, given = node.func.attr, list(node.args)
        dtype = given.pop() if name in ("empty", "zeros") and len(given) == 2 else None
        values = [self.expression(argument) for argument in given]
        shape = [self.number(item, INT) for item in (values[0].items or (values[0],))]
        element: Kind = INT if name == "arange" else values[1].kind if name == "full" else FLOAT
        if dtype is not None:
            element = ELEMENTS.get(getattr(dtype, "attr", ""), NOTHING)
        if not isinstance(element, Number) or node.keywords or element is COMPLEX:
            self.refuse(node, f"an array of {ast.unparse(node)}")
        array = self.new(element, shape)
        if name == "arange":
            self._each(array, lambda k: k, node)
        elif name != "empty":
            self.fill(array, values[1] if name == "full" else _number(0), node)
        return array

    def copy(self, array: Value, node: ast.AST) -> Value:
        """A copy of a row of numbers."""
        if not isinstance(array.kind, Array) or array.kind.ndim != 1:
            self.refuse(node, f"a copy of {array.kind}")
        made = self.new(array.kind.element, [Value(INT, (array.parts[1],))])
        self._each(made, lambda k: self.entry(array, [k], node), node)
        return made

    def bound(self, index: Value, length: str) -> str:
        """The bound of a slice within an axis."""
        part = self.wrapped(index, length)
        self.module.declared["smin"] = "declare i64 @llvm.smin.i64(i64, i64)"
        self.module.declared["smax"] = "declare i64 @llvm.smax.i64(i64, i64)"
        part = self.put(f"call i64 @llvm.smin.i64(i64 {part}, i64 {length})")
        return self.put(f"call i64 @llvm.smax.i64(i64 {part}, i64 0)")

    # ----------------------------------------------------------------------------------------------- expressions

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""
        method = getattr(self, f"of_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"{type(node).__name__} is not known")
        value: Value = method(node)
        return value

    def constant(self, value: Any, node: ast.AST) -> Value:
        """A constant of the module of the kernel."""
        if isinstance(value, tuple):
            return self.several([self.constant(item, node) for item in value], getattr(value, "_fields", ()))
        if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim == 1:
            return self.several([_number(x) for x in value])
        try:
            return _number(value)
        except TypeError:
            self.refuse(node, f"{value!r} is no constant")

    def of_Constant(self, node: ast.Constant) -> Value:
        """A number."""
        return NONE if node.value is None else self.constant(node.value, node)

    def of_Name(self, node: ast.Name) -> Value:
        """A variable or a constant."""
        if node.id in self.variables:
            return self.read(node.id)
        if node.id not in self.scope:
            self.refuse(node, f"{node.id} is not known here")
        return self.constant(self.scope[node.id], node)

    def of_Tuple(self, node: ast.Tuple) -> Value:
        """A tuple."""
        return self.several([self.expression(item) for item in node.elts])

    def of_Attribute(self, node: ast.Attribute) -> Value:
        """A member of a named tuple, the shape of an array, a part of a complex number, a constant of a module."""
        if isinstance(node.value, ast.Name) and node.value.id not in self.variables:
            owner = self.scope.get(node.value.id)
            if isinstance(owner, (types.ModuleType, enum.EnumType)):
                return self.constant(getattr(owner, node.attr), node)
        value = self.expression(node.value)
        match value.kind:
            case Table():
                return self.member(value, node)
            case Several() if node.attr in value.kind.names:
                return value.items[value.kind.names.index(node.attr)]
            case Array() if node.attr == "shape":
                return self.several([Value(INT, (length,), from_zero=True) for length in self.shape(value)])
            case Array() if node.attr == "size":
                size = self.shape(value)[0]
                for length in self.shape(value)[1:]:
                    size = self.put(f"mul nsw i64 {size}, {length}")
                return Value(INT, (size,), from_zero=True)
            case Number() if value.kind is COMPLEX and node.attr in ("real", "imag"):
                return Value(FLOAT, (value.parts[node.attr == "imag"],))
        self.refuse(node, f"{value.kind} has no {node.attr}")

    def member(self, table: Value, node: ast.Attribute) -> Value:
        """A member of a named tuple that is passed as a table."""
        assert isinstance(table.kind, Table)
        found = table.kind.member(node.attr)
        if found is None:
            self.refuse(node, f"{table.kind.name} has no {node.attr}")
        return self.looked_up(table.parts[0], *found)

    def looked_up(self, table: str, at: int, kind: Kind) -> Value:
        """What stands at a place of a table."""
        if isinstance(kind, Table):
            return Value(kind, (self.put(f"getelementptr inbounds i8, ptr {table}, i64 {WORD * at}"),))
        if isinstance(kind, Several):
            items = []
            for part in kind.kinds:
                items.append(self.looked_up(table, at, part))
                at += len(words_in(part))
            return Value(kind, items=tuple(items))
        parts = []
        for k, register in enumerate(registers(kind)):
            word = "i64" if register == "i1" else register
            place = self.put(f"getelementptr inbounds i8, ptr {table}, i64 {WORD * (at + k)}")
            found = self.put(f"load {word}, ptr {place}, !invariant.load !0")
            parts.append(self.put(f"icmp ne i64 {found}, 0") if register == "i1" else found)
        return Value(kind, tuple(parts))

    def of_Subscript(self, node: ast.Subscript) -> Value:
        """An entry or a part."""
        value = self.expression(node.value)
        if isinstance(value.kind, Array):
            if self._slices(node):
                return self.part(value, node)
            return self.entry(value, [self.expression(index) for index in self._indices(node)], node)
        if not isinstance(value.kind, Several) or not value.items or isinstance(node.slice, ast.Slice):
            self.refuse(node, f"{value.kind} has no entries")
        index = self.expression(node.slice)
        if index.known is not None:
            found: Value = value.items[index.known]
            return found
        return self._chosen(value, index, node)

    def _chosen(self, value: Value, index: Value, node: ast.AST) -> Value:
        """An entry of a tuple by an index that is known only when it runs."""
        kind: Kind | None = value.items[0].kind
        for item in value.items:
            kind = self.common(kind, item.kind) if kind is not None else None
        if kind is None or index.kind is not INT:
            self.refuse(node, f"which entry of {value.kind} is meant is not known")
        place = self.wrapped(index, str(len(value.items)))
        found = self.convert(value.items[-1], kind).flat()
        for k, item in list(enumerate(value.items))[-2::-1]:
            this = self.put(f"icmp eq i64 {place}, {k}")
            words = zip(registers(kind), self.convert(item, kind).flat(), found, strict=True)
            found = tuple(self.put(f"select i1 {this}, {r} {one}, {r} {other}") for r, one, other in words)
        return unflat(kind, list(found))

    def truth(self, value: Value) -> Value:
        """Is a number other than zero?"""
        if not isinstance(value.kind, Number):
            self.refuse(self.node, f"{value.kind} is neither true nor false")
        return self.number(value, BOOL)

    def of_UnaryOp(self, node: ast.UnaryOp) -> Value:
        """Signs and negation."""
        value = self.expression(node.operand)
        if isinstance(node.op, ast.Not):
            test = self.truth(value)
            if test.known is not None:
                return _number(not test.known)
            return Value(BOOL, (self.put(f"xor i1 {test.parts[0]}, true"),))
        if not isinstance(value.kind, Number) or isinstance(node.op, ast.Invert):
            self.refuse(node, f"a sign of {value.kind}")
        if value.kind is BOOL:
            value = self.number(value, INT)
        if isinstance(node.op, ast.UAdd):
            return value
        if value.known is not None:
            return _number(-value.known)
        if value.kind is INT:
            return Value(INT, (self.put(f"sub nsw i64 0, {value.parts[0]}"),))
        assert isinstance(value.kind, Number)
        return Value(value.kind, tuple(self.put(f"fneg {self.flags}double {part}") for part in value.parts))

    def of_BinOp(self, node: ast.BinOp) -> Value:
        """Arithmetic."""
        return self.binary(node.op, self.expression(node.left), self.expression(node.right), node)

    def binary(self, op: ast.operator, x: Value, y: Value, node: ast.AST) -> Value:
        """x op y."""
        if not isinstance(x.kind, Number) or not isinstance(y.kind, Number):
            self.refuse(node, f"arithmetic of {x.kind} and {y.kind}")
        if isinstance(op, ast.Pow):
            return self.power(x, y, node)
        kind = x.kind if RANK[x.kind] >= RANK[y.kind] else y.kind
        kind = INT if kind is BOOL else kind
        if isinstance(op, ast.Div) and kind is INT:
            kind = FLOAT
        a, b = self.number(x, kind), self.number(y, kind)
        if kind is COMPLEX:
            return self.complex(op, a, b, node)
        if a.known is not None and b.known is not None and not isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)):
            sums = {ast.Add: a.known + b.known, ast.Sub: a.known - b.known, ast.Mult: a.known * b.known}
            if type(op) in sums:
                return _number(sums[type(op)])
        names = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
        if isinstance(op, (ast.FloorDiv, ast.Mod)):
            return self.floor(op, kind, a.parts[0], b.parts[0])
        if type(op) not in names:
            self.refuse(node, f"{type(op).__name__} is not known")
        if kind is INT:
            signed = isinstance(op, (ast.Add, ast.Mult)) and a.from_zero and b.from_zero
            return Value(INT, (self.put(f"{names[type(op)]} nsw i64 {a.parts[0]}, {b.parts[0]}"),), from_zero=signed)
        return Value(FLOAT, (self.put(f"f{names[type(op)]} {self.flags}double {a.parts[0]}, {b.parts[0]}"),))

    def floor(self, op: ast.operator, kind: Number, a: str, b: str) -> Value:
        """a // b and a % b with the sign of b, as in Python."""
        if kind is INT:
            rest = self.put(f"srem i64 {a}, {b}")
            mixed = self.put(f"icmp slt i64 {self.put(f'xor i64 {rest}, {b}')}, 0")
            off = self.put(f"and i1 {mixed}, {self.put(f'icmp ne i64 {rest}, 0')}")
            if isinstance(op, ast.Mod):
                return Value(INT, (self.put(f"add i64 {rest}, {self.put(f'select i1 {off}, i64 {b}, i64 0')}"),))
            whole = self.put(f"sdiv i64 {a}, {b}")
            return Value(INT, (self.put(f"sub i64 {whole}, {self.put(f'zext i1 {off} to i64')}"),))
        rest = self.put(f"frem double {a}, {b}")
        mixed = self.put(
            f"icmp ne i1 {self.put(f'fcmp olt double {rest}, 0.0')}, {self.put(f'fcmp olt double {b}, 0.0')}"
        )
        off = self.put(f"and i1 {mixed}, {self.put(f'fcmp une double {rest}, 0.0')}")
        rest = self.put(f"fadd double {rest}, {self.put(f'select i1 {off}, double {b}, double 0.0')}")
        if isinstance(op, ast.Mod):
            return Value(FLOAT, (rest,))
        quotient = self.put(f"fdiv double {self.put(f'fsub double {a}, {rest}')}, {b}")
        return self.mathematics("rint", [Value(FLOAT, (quotient,))])

    def power(self, x: Value, y: Value, node: ast.AST) -> Value:
        """x ** y; a constant whole exponent is a product."""
        if y.kind is INT and y.known is not None and 0 <= y.known <= MOST_FACTORS and x.kind in (INT, FLOAT):
            result, square, left = None, x, y.known
            while left:
                if left & 1:
                    result = square if result is None else self.binary(ast.Mult(), result, square, node)
                left >>= 1
                square = self.binary(ast.Mult(), square, square, node) if left else square
            return _number(1.0 if x.kind is FLOAT else 1) if result is None else result
        if COMPLEX in (x.kind, y.kind):
            self.refuse(node, "a power of a complex number")
        if x.kind is not FLOAT and y.kind is not FLOAT:
            self.refuse(node, "a whole power that is no constant")
        name = self.module.declare("llvm.pow.f64", 2)
        a, b = self.number(x, FLOAT).parts[0], self.number(y, FLOAT).parts[0]
        return Value(FLOAT, (self.put(f"call double @{name}(double {a}, double {b})"),))

    def complex(self, op: ast.operator, x: Value, y: Value, node: ast.AST) -> Value:
        """Arithmetic of complex numbers; quotients as in Smith 1962, Comm. ACM 5, 435."""

        def f(name: str, one: str, other: str) -> str:
            return self.put(f"f{name} {self.flags}double {one}, {other}")

        (a, b), (c, d) = x.parts, y.parts
        match op:
            case ast.Add():
                return Value(COMPLEX, (f("add", a, c), f("add", b, d)))
            case ast.Sub():
                return Value(COMPLEX, (f("sub", a, c), f("sub", b, d)))
            case ast.Mult():
                real = f("sub", f("mul", a, c), f("mul", b, d))
                return Value(COMPLEX, (real, f("add", f("mul", a, d), f("mul", b, c))))
            case ast.Div():
                size = [self.mathematics("fabs", [Value(FLOAT, (part,))]).parts[0] for part in (c, d)]
                first = self.put(f"fcmp oge double {size[0]}, {size[1]}")

                def pick(one: str, other: str) -> str:
                    return self.put(f"select i1 {first}, double {one}, double {other}")

                large, small = pick(c, d), pick(d, c)
                r = f("div", small, large)
                scale = f("add", large, f("mul", small, r))
                p, q = pick(a, b), pick(b, a)
                real = f("div", f("add", p, f("mul", q, r)), scale)
                imag = f("div", f("sub", q, f("mul", p, r)), scale)
                return Value(COMPLEX, (real, pick(imag, self.put(f"fneg double {imag}"))))
        self.refuse(node, f"{type(op).__name__} of complex numbers")

    def of_Compare(self, node: ast.Compare) -> Value:
        """Comparisons, also several in a row."""
        values = [self.expression(node.left)]
        found: Value | None = None
        for op, right in zip(node.ops, node.comparators, strict=True):
            values.append(self.expression(right))
            one = self.compare(op, values[-2], values[-1], node)
            found = one if found is None else Value(BOOL, (self.put(f"and i1 {found.parts[0]}, {one.parts[0]}"),))
        assert found is not None
        return found

    def compare(self, op: ast.cmpop, x: Value, y: Value, node: ast.AST) -> Value:
        """x op y."""
        if isinstance(op, (ast.In, ast.NotIn)) and isinstance(y.kind, Several):
            found = _number(False)
            for item in y.items:
                same = self.compare(ast.Eq(), x, item, node)
                found = Value(BOOL, (self.put(f"or i1 {found.parts[0]}, {same.parts[0]}"),))
            if isinstance(op, ast.In):
                return found
            return Value(BOOL, (self.put(f"xor i1 {found.parts[0]}, true"),))
        if type(op) not in COMPARISONS or not isinstance(x.kind, Number) or not isinstance(y.kind, Number):
            self.refuse(node, f"{type(op).__name__} of {x.kind} and {y.kind}")
        kind = x.kind if RANK[x.kind] >= RANK[y.kind] else y.kind
        kind = INT if kind is BOOL else kind
        a, b = self.number(x, kind), self.number(y, kind)
        whole, real = COMPARISONS[type(op)]
        if a.known is not None and b.known is not None:
            decided = {"eq": a.known == b.known, "ne": a.known != b.known, "slt": a.known < b.known}
            decided |= {"sle": a.known <= b.known, "sgt": a.known > b.known, "sge": a.known >= b.known}
            return _number(decided[whole])
        if kind is COMPLEX:
            parts = [self.put(f"fcmp {real} double {p}, {q}") for p, q in zip(a.parts, b.parts, strict=True)]
            if not isinstance(op, (ast.Eq, ast.NotEq)):
                self.refuse(node, "complex numbers have no order")
            return Value(BOOL, (self.put(f"{'and' if isinstance(op, ast.Eq) else 'or'} i1 {parts[0]}, {parts[1]}"),))
        text = f"icmp {whole} i64" if kind is INT else f"fcmp {real} double"
        return Value(BOOL, (self.put(f"{text} {a.parts[0]}, {b.parts[0]}"),))

    def of_BoolOp(self, node: ast.BoolOp) -> Value:
        """``and`` and ``or``: what decides comes first, the rest is not evaluated."""
        slot, end = self.slot("i1"), self.label()
        for k, operand in enumerate(node.values):
            test = self.truth(self.expression(operand))
            self.line(f"store i1 {test.parts[0]}, ptr {slot}")
            if k < len(node.values) - 1:
                onward = self.label()
                labels = (onward, end) if isinstance(node.op, ast.And) else (end, onward)
                self.line(f"br i1 {test.parts[0]}, label %{labels[0]}, label %{labels[1]}")
                self.lines.append(f"{onward}:")
                self.open = True
        self.start(end)
        return Value(BOOL, (self.put(f"load i1, ptr {slot}"),))

    def of_IfExp(self, node: ast.IfExp) -> Value:
        """One of two values; the other is not evaluated."""
        test = self.truth(self.expression(node.test))
        if test.known is not None:
            return self.expression(node.body if test.known else node.orelse)
        name = f"if {node.lineno} {node.col_offset}"  # a name of its own for what is chosen
        yes, no, end = self.label(), self.label(), self.label()
        self.line(f"br i1 {test.parts[0]}, label %{yes}, label %{no}")
        for label, chosen in ((yes, node.body), (no, node.orelse)):
            self.lines.append(f"{label}:")
            self.open = True
            self.assign(name, self.expression(chosen))
            self.line(f"br label %{end}")
        self.lines.append(f"{end}:")
        self.open = True
        return self.read(name)

    # ----------------------------------------------------------------------------------------------------- calls

    def of_Call(self, node: ast.Call) -> Value:
        """Another kernel, a function of mathematics, one of Python's own."""
        if isinstance(node.func, ast.Attribute):
            owner = self.scope.get(node.func.value.id) if isinstance(node.func.value, ast.Name) else None
            if owner is np and node.func.attr in ("empty", "zeros", "full", "arange"):
                return self.made(node)
            if isinstance(owner, types.ModuleType):
                return self.mathematics(node.func.attr, [self.expression(a) for a in node.args], node)
            if node.func.attr == "copy" and not node.args:
                return self.copy(self.expression(node.func.value), node)
            if node.func.attr == "reshape":
                return self.reshape(self.expression(node.func.value), [self.expression(a) for a in node.args], node)
            self.refuse(node, f"{node.func.attr} is not known")
        if not isinstance(node.func, ast.Name):
            self.refuse(node, "only what has a name is called")
        callee = self.scope.get(node.func.id)
        given = [self.expression(argument) for argument in node.args]
        if isinstance(callee, Source):
            return self.call(callee, given, node)
        if node.func.id in ("by_address", "by_address_int") and callee is None:
            return self.by_address(given, INT if node.func.id == "by_address_int" else NOTHING)
        if isinstance(callee, type) and issubclass(callee, tuple) and hasattr(callee, "_fields"):
            return self.several(given, callee._fields)
        builtin = getattr(self, f"call_{node.func.id}", None)
        if builtin is None or callee is not None or node.keywords:
            self.refuse(node, f"{node.func.id} is not known")
        value: Value = builtin(given, node)
        return value

    def call(self, callee: Source, given: list[Value], node: ast.Call) -> Value:
        """Another kernel of the unit."""
        if node.keywords:
            names = callee.function.__code__.co_varnames[: callee.function.__code__.co_argcount]
            named = {keyword.arg: self.expression(keyword.value) for keyword in node.keywords}
            given = given + [named[name] for name in names[len(given) : len(given) + len(named)]]
        name, result = self.module.function(callee, tuple(value.kind for value in given))
        return self._called(f"@{name}", given, result)

    def _called(self, function: str, given: list[Value], result: Kind) -> Value:
        words = []
        for value in given:
            words += [f"{r} {p}" for r, p in zip(registers(value.kind), value.flat(), strict=True)]
        out, text = _returned(result), _result_type(result)
        call = f"call {text} {function}({', '.join(words)})"
        if not out:
            self.line(call)
            return Value(result) if result == NOTHING else unflat(result, [])
        whole = self.put(call)
        if len(out) == 1:
            return unflat(result, [whole])
        parts = [self.put(f"extractvalue {text} {whole}, {k}") for k in range(len(out))]
        if makes_arrays(result):
            self.owns()
            own = self.put(f"load ptr, ptr {self.chain}")
            self.line(f"store ptr {self.put(f'call ptr @adopt(ptr {parts.pop()}, ptr {own})')}, ptr {self.chain}")
        return unflat(result, parts)

    def owns(self) -> None:
        """The function has arrays of its own: translate again if that was not assumed."""
        self.module.memory()
        if self.kernel.options.get("makes_arrays") is False:
            self.refuse(self.node, "it was said to make no arrays")
        if not self.chain:
            raise _Wider(MAKES, NOTHING)

    def by_address(self, given: list[Value], result: Kind) -> Value:
        """The function of another unit that lies at an address."""
        place = self.put(f"inttoptr i64 {given[0].parts[0]} to ptr")
        return self._called(place, list(given[1].items), result)

    def mathematics(self, name: str, given: list[Value], node: ast.AST | None = None) -> Value:
        """A function of real numbers."""
        where = node or self.node
        if name == "sign":
            return self._sign(given[0])
        if name in ("isfinite", "isnan"):
            return self._test(name, self.number(given[0], FLOAT))
        known = {**INTRINSICS, **LIBRARY}.get(name)
        if known is None or any(not isinstance(v.kind, Number) or v.kind is COMPLEX for v in given):
            self.refuse(where, f"{name} is not known")
        numbers = [f"double {self.number(value, FLOAT).parts[0]}" for value in given]
        return Value(FLOAT, (self.put(f"call double @{self.module.declare(known, len(given))}({', '.join(numbers)})"),))

    def _test(self, name: str, x: Value) -> Value:
        """Is x finite, or no number?"""
        if name == "isnan":
            return Value(BOOL, (self.put(f"fcmp uno double {x.parts[0]}, {x.parts[0]}"),))
        size = self.mathematics("fabs", [x]).parts[0]
        return Value(BOOL, (self.put(f"fcmp olt double {size}, {_number(math.inf).parts[0]}"),))

    def _sign(self, x: Value) -> Value:
        part = self.number(x, FLOAT).parts[0]
        one, minus = _number(1.0).parts[0], _number(-1.0).parts[0]
        above, below = self.put(f"fcmp ogt double {part}, 0.0"), self.put(f"fcmp olt double {part}, 0.0")
        ordered = self.put(f"fcmp ord double {part}, 0.0")
        middle = self.put(f"select i1 {ordered}, double 0.0, double {part}")  # what is no number stays none
        negative = self.put(f"select i1 {below}, double {minus}, double {middle}")
        return Value(FLOAT, (self.put(f"select i1 {above}, double {one}, double {negative}"),))

    def reshape(self, array: Value, lengths: list[Value], node: ast.AST) -> Value:
        """The entries of a contiguous array in another shape."""
        if not isinstance(array.kind, Array) or not array.kind.contiguous:
            self.refuse(node, "only an array without gaps has another shape")
        kind = Array(array.kind.element, len(lengths), True)
        return Value(kind, (array.parts[0], *(length.parts[0] for length in lengths)))

    def call_max(self, given: list[Value], node: ast.AST) -> Value:
        """The largest: the first one unless another is larger."""
        return self._extreme(given, ast.Gt(), node)

    def call_min(self, given: list[Value], node: ast.AST) -> Value:
        """The smallest: the first one unless another is smaller."""
        return self._extreme(given, ast.Lt(), node)

    def _extreme(self, given: list[Value], op: ast.cmpop, node: ast.AST) -> Value:
        kind: Kind | None = given[0].kind
        for value in given:
            kind = self.common(kind, value.kind) if kind is not None else None
        if not isinstance(kind, Number) or len(given) < 2:
            self.refuse(node, "only numbers have a largest and a smallest")
        best = self.number(given[0], kind)
        for value in given[1:]:
            other = self.number(value, kind)
            test = self.compare(op, other, best, node).parts[0]
            both = f"{kind.register} {other.parts[0]}, {kind.register} {best.parts[0]}"
            best = Value(kind, (self.put(f"select i1 {test}, {both}"),), from_zero=other.from_zero and best.from_zero)
        return best

    def call_abs(self, given: list[Value], node: ast.AST) -> Value:
        """The absolute value."""
        (x,) = given
        if x.kind is COMPLEX:
            return self.mathematics("hypot", [Value(FLOAT, (part,)) for part in x.parts])
        if x.kind is FLOAT:
            return self.mathematics("fabs", [x])
        part = self.number(x, INT).parts[0]
        below, minus = self.put(f"icmp slt i64 {part}, 0"), self.put(f"sub nsw i64 0, {part}")
        return Value(INT, (self.put(f"select i1 {below}, i64 {minus}, i64 {part}"),))

    def call_len(self, given: list[Value], node: ast.AST) -> Value:
        """The length of a tuple, or of the first axis of an array."""
        if isinstance(given[0].kind, Several):
            return _number(len(given[0].items))
        return Value(INT, (given[0].parts[1],), from_zero=True)

    def call_int(self, given: list[Value], node: ast.AST) -> Value:
        """A whole number, towards zero."""
        return self.number(given[0], INT)

    def call_float(self, given: list[Value], node: ast.AST) -> Value:
        """A real number."""
        return self.number(given[0], FLOAT)

    def call_bool(self, given: list[Value], node: ast.AST) -> Value:
        """True or false."""
        return self.truth(given[0])

    def call_round(self, given: list[Value], node: ast.AST) -> Value:
        """The nearest whole number, the even one of two."""
        return self.number(self.mathematics("rint", given), INT)

    def call_complex(self, given: list[Value], node: ast.AST) -> Value:
        """A complex number from its parts."""
        real, imag = (self.number(value, FLOAT).parts[0] for value in given)
        return Value(COMPLEX, (real, imag))
