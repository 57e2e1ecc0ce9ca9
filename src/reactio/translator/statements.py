"""Statements: assignments, branches and loops; with them a whole function is translated."""

from __future__ import annotations

import ast
from typing import Any, TypeGuard

from reactio.translator.calls import Calls
from reactio.translator.kinds import BOOL, INT, NOTHING, Array, Kind, TupleKind, makes_arrays
from reactio.translator.module import Module
from reactio.translator.source import Source, Wider
from reactio.translator.values import NONE, Value, constant, registers, result_type, returned, unflat

# Errors of the translator itself where it meets a construct that it does not know.
UNFORESEEN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


def _stored(node: ast.AST) -> TypeGuard[ast.Name]:
    """Is it a name that is given a value?"""
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


class Translation(Calls):
    """One function: a method ``do_…`` for every kind of statement."""

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
                self.refuse(
                    self.node, "it may end without `return`, where Python returns None; let every path return a value"
                )
        assert self.result is not None
        linkage = "" if external else "internal "
        attribute = "#2" if self.kernel.options.get("forceinline") else "#0"
        head = f"define {linkage}{result_type(self.result)} @{name}({', '.join(arguments)}) {attribute} {{"
        return "\n".join([head, "entry:", *self.slots, *self.lines, "}"]), self.result

    def callee(self, kernel: Source, kinds: tuple[Kind, ...]) -> tuple[str, Kind]:
        """Name and kind of result of another function of the unit."""
        return translated(self.module, kernel, kinds)

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
        if spec.kwonlyargs or spec.kwarg is not None:
            self.refuse(self.node, "arguments that are given by name alone are not known")
        if missing > len(defaults) or (missing < 0 and spec.vararg is None):
            self.refuse(self.node, f"{len(values)} arguments are given and {len(names)} wanted")
        if missing > 0:
            values += [self.constant(value, self.node) for value in defaults[len(defaults) - missing :]]
        for name, value in zip(names, values, strict=False):
            self.assign(name, value)
        if spec.vararg is not None:
            self.assign(spec.vararg.arg, self.tuple_of(values[len(names) :]))
        return arguments

    def block(self, statements: list[ast.stmt]) -> None:
        """Statements one after the other; those after a jump are left out."""
        for statement in statements:
            if not self.open:
                return
            method = getattr(self, f"do_{type(statement).__name__}", None)
            if method is None:
                self.refuse(statement, f"{type(statement).__name__} is not known")
            self.at = statement
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
            old = self.load(element, place)
            self.write(element, place, self.binary(node.op, old, self.expression(node.value), node), node)
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
                raise Wider("", wider)
            value = self.convert(value, self.result)
        parts, out = value.flat(), returned(self.result)
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
            text, packed = result_type(self.result), "undef"
            for k, (register, part) in enumerate(zip(out, parts, strict=True)):
                packed = self.put(f"insertvalue {text} {packed}, {register} {part}, {k}")
            self.line(f"ret {text} {packed}")

    def do_If(self, node: ast.If) -> None:
        """A branch; one that constants decide is decided here."""
        test = self.condition(node.test)
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
        """A loop with a condition; one that is always true is left by ``break`` and ``return`` alone."""
        if node.orelse:
            self.refuse(node, "a loop has no else")
        head, body, end = self.label(), self.label(), self.label()
        self.start(head)
        test = self.condition(node.test)
        self.line(f"br i1 {test.parts[0]}, label %{body}, label %{end}")
        self.lines.append(f"{body}:")
        self.open = True
        self.loops.append((head, end))
        self.block(node.body)
        self.loops.pop()
        self.line(f"br label %{head}")
        self.lines.append(f"{end}:")
        self.open = True
        if test.known and end not in self.loops_left:
            self.line("unreachable")

    def do_Break(self, node: ast.Break) -> None:
        """Leave the loop."""
        self.loops_left.add(self.loops[-1][1])
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
            if "range" in self.scope or call.keywords or not 1 <= len(call.args) <= 3:
                self.refuse(node, f"{ast.unparse(call)} is not known")
            self._range(node, [self.expression(a) for a in call.args])
            return
        over = self.expression(node.iter)
        if isinstance(over.kind, Array) and over.kind.ndim == 1:
            limit = Value(INT, (over.parts[1],), from_zero=True)
            self.repeat(node, constant(0), limit, 1, lambda k: self.entry(over, [k], node))
            return
        if not isinstance(over.kind, TupleKind):
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
        first, last = (constant(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        step = bounds[2].known if len(bounds) == 3 else 1
        if not step:
            self.refuse(node, "the step of a range is a constant")
        rises = {node.target.id} if isinstance(node.target, ast.Name) and step > 0 and first.from_zero else set()
        within = rises - {n.id for part in node.body for n in ast.walk(part) if _stored(n)} - self.never_negative
        self.never_negative |= within
        self.repeat(node, first, last, step, lambda k: k)
        self.never_negative -= within

    def repeat(self, node: ast.For, first: Value, last: Value, step: int, item: Any) -> None:
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
                for part, item in zip(target.elts, self.unpacked(value, len(target.elts), target), strict=True):
                    self.store(part, item)
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
            return tuple(self.entry(value, [constant(k)], node) for k in range(count))
        if not isinstance(value.kind, TupleKind) or len(value.items) != count:
            self.refuse(node, f"{value.kind} does not have {count} entries")
        return value.items


def translated(module: Module, kernel: Source, kinds: tuple[Kind, ...], external: str = "") -> tuple[str, Kind]:
    """Name and kind of result of a kernel for arguments of these kinds, a function of the unit from now on."""
    key = (kernel.digest, kinds)
    if key not in module.done:
        name = external or f"{kernel.__name__}_{len(module.done)}"
        assumed: dict[str, Kind] = {}
        module.done[key] = (name, NOTHING)  # its place in the numbering, while its callees are translated
        while True:
            translation = Translation(module, kernel, kinds, assumed)
            try:
                text, kind = translation.translate(name, bool(external))
                break
            except Wider as wider:
                assumed[wider.name] = wider.kind
            except UNFORESEEN as error:
                translation.refuse(translation.at, f"this is not known ({error})", error)
        module.done[key] = (name, kind)
        module.texts.append(text)
    return module.done[key]
