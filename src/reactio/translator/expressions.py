"""Expressions: what has a value, by the name of its syntax."""

from __future__ import annotations

import ast
import enum
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from reactio.translator.digest import ModuleValues
from reactio.translator.kinds import BOOL, INT, WORD_BYTES, Array, Kind, ScalarKind, Table, TupleKind
from reactio.translator.kinds import packing as words_in
from reactio.translator.values import NONE, Value, constant, registers, unflat
from reactio.translator.variables import Variables


def values_of(owner: Any) -> Mapping[str, Any] | None:
    """The constants of a module or of an enumeration, by their names."""
    match owner:
        case ModuleValues():
            return owner.values
        case types.ModuleType():
            return vars(owner)
        case enum.EnumType():
            return owner.__members__
    return None


class Expressions(Variables):
    """A method ``of_…`` for every kind of expression."""

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
            return self.tuple_of([self.constant(item, node) for item in value], getattr(value, "_fields", ()))
        if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim == 1:
            return self.tuple_of([constant(x) for x in value])
        try:
            return constant(value)
        except TypeError:
            named = f"an array of {value.dtype}, {value.shape}," if isinstance(value, np.ndarray) else repr(value)
            self.refuse(node, f"{named} is not a constant")

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
        return self.tuple_of([self.expression(item) for item in node.elts])

    def of_Attribute(self, node: ast.Attribute) -> Value:
        """A member of a named tuple, the shape of an array, a constant of a module."""
        if isinstance(node.value, ast.Name) and node.value.id not in self.variables:
            owner = self.scope.get(node.value.id)
            held = values_of(owner)
            if held is not None:
                if node.attr not in held:
                    self.refuse(node, f"{node.value.id} has no {node.attr}")
                return self.constant(held[node.attr], node)
        value = self.expression(node.value)
        match value.kind:
            case Table():
                return self.member(value, node)
            case TupleKind() if node.attr in value.kind.names:
                return value.items[value.kind.names.index(node.attr)]
            case Array() if node.attr == "shape":
                return self.tuple_of([Value(INT, (length,), from_zero=True) for length in self.shape(value)])
            case Array() if node.attr == "size":
                size = self.shape(value)[0]
                for length in self.shape(value)[1:]:
                    size = self.put(f"mul nsw i64 {size}, {length}")
                return Value(INT, (size,), from_zero=True)
        self.refuse(node, f"{value.kind} has no {node.attr}")

    def member(self, table: Value, node: ast.Attribute) -> Value:
        """A member of a named tuple that is passed as a table."""
        assert isinstance(table.kind, Table)
        place = table.kind.member(node.attr)
        if place is None:
            self.refuse(node, f"{table.kind.name} has no {node.attr}")
        return self.looked_up(table.parts[0], *place)

    def looked_up(self, table: str, at: int, kind: Kind) -> Value:
        """What stands at a place of a table."""
        if isinstance(kind, Table):
            return Value(kind, (self.put(f"getelementptr inbounds i8, ptr {table}, i64 {WORD_BYTES * at}"),))
        if isinstance(kind, TupleKind):
            items = []
            for part in kind.kinds:
                items.append(self.looked_up(table, at, part))
                at += len(words_in(part))
            return Value(kind, items=tuple(items))
        parts = []
        for k, register in enumerate(registers(kind)):
            word = "i64" if register == "i1" else register
            place = self.put(f"getelementptr inbounds i8, ptr {table}, i64 {WORD_BYTES * (at + k)}")
            loaded = self.put(f"load {word}, ptr {place}, !invariant.load !0")
            parts.append(self.put(f"icmp ne i64 {loaded}, 0") if register == "i1" else loaded)
        return Value(kind, tuple(parts))

    def of_Subscript(self, node: ast.Subscript) -> Value:
        """An entry or a part."""
        value = self.expression(node.value)
        if isinstance(value.kind, Array):
            if self._slices(node):
                return self.part(value, node)
            return self.entry(value, [self.expression(index) for index in self._indices(node)], node)
        if not isinstance(value.kind, TupleKind) or not value.items or isinstance(node.slice, ast.Slice):
            self.refuse(node, f"{value.kind} has no entries")
        index = self.expression(node.slice)
        if index.kind is INT and index.known is not None:
            if not -len(value.items) <= index.known < len(value.items):
                self.refuse(node, f"{value.kind} has no entry {index.known}")
            item: Value = value.items[index.known]
            return item
        return self._chosen(value, index, node)

    def _chosen(self, value: Value, index: Value, node: ast.AST) -> Value:
        """An entry of a tuple by an index that is known only when it runs."""
        kind: Kind | None = value.items[0].kind
        for item in value.items:
            kind = self.common(kind, item.kind) if kind is not None else None
        if kind is None or index.kind is not INT:
            self.refuse(node, f"which entry of {value.kind} is meant is not known")
        place = self.wrapped(index, str(len(value.items)))
        chosen = self.convert(value.items[-1], kind).flat()
        for k, item in list(enumerate(value.items))[-2::-1]:
            this = self.put(f"icmp eq i64 {place}, {k}")
            words = zip(registers(kind), self.convert(item, kind).flat(), chosen, strict=True)
            chosen = tuple(
                self.put(f"select i1 {this}, {r} {chosen_part}, {r} {part}") for r, chosen_part, part in words
            )
        return unflat(kind, list(chosen))

    def of_UnaryOp(self, node: ast.UnaryOp) -> Value:
        """Signs and negation."""
        if isinstance(node.op, ast.Not):
            test = self.condition(node.operand)
            if test.known is not None:
                return constant(not test.known)
            return Value(BOOL, (self.put(f"xor i1 {test.parts[0]}, true"),))
        value = self.expression(node.operand)
        if not isinstance(value.kind, ScalarKind) or isinstance(node.op, ast.Invert):
            self.refuse(node, f"a sign of {value.kind}")
        if value.kind is BOOL:
            self.refuse(node, "a sign of a truth value; write int(…) of it")
        if isinstance(node.op, ast.UAdd):
            return value
        if value.known is not None:
            return constant(-value.known)
        if value.kind is INT:
            return Value(INT, (self.put(f"sub nsw i64 0, {value.parts[0]}"),))
        assert isinstance(value.kind, ScalarKind)
        return Value(value.kind, tuple(self.put(f"fneg double {part}") for part in value.parts))

    def of_BinOp(self, node: ast.BinOp) -> Value:
        """Arithmetic."""
        return self.binary(node.op, self.expression(node.left), self.expression(node.right), node)

    def of_Compare(self, node: ast.Compare) -> Value:
        """Comparisons, also several in a row."""
        values = [self.expression(node.left)]
        result: Value | None = None
        for op, right in zip(node.ops, node.comparators, strict=True):
            values.append(self.expression(right))
            comparison = self.compare(op, values[-2], values[-1], node)
            result = (
                comparison
                if result is None
                else Value(BOOL, (self.put(f"and i1 {result.parts[0]}, {comparison.parts[0]}"),))
            )
        assert result is not None
        return result

    def condition(self, node: ast.expr) -> Value:
        """Is an expression true, where nothing but that is asked?"""
        if isinstance(node, ast.BoolOp):
            return self.decided(node, self.condition)
        return self.truth(self.expression(node))

    def of_BoolOp(self, node: ast.BoolOp) -> Value:
        """``and`` and ``or`` as values: in Python they are the operand that decides, here it is True or False."""
        return self.decided(node, self._true_or_false)

    def _true_or_false(self, node: ast.expr) -> Value:
        value = self.expression(node)
        if value.kind is not BOOL:
            self.refuse(node, f"`and` and `or` of {value.kind} have no value here; compare it, or write … if … else …")
        return value

    def decided(self, node: ast.BoolOp, true: Callable[[ast.expr], Value]) -> Value:
        """``and`` and ``or``: what decides comes first, the rest is not evaluated."""
        slot, end = self.slot("i1"), self.label()
        for k, operand in enumerate(node.values):
            test = true(operand)
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
        test = self.condition(node.test)
        if test.known is not None:
            return self.expression(node.body if test.known else node.orelse)
        name = f"if {node.lineno} {node.col_offset}"  # a name of its own for the chosen value
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
