"""Calls: other kernels, functions at an address, functions of mathematics and Python's own."""

from __future__ import annotations

import ast
import math
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from reactio.translator.arguments import names_and_defaults, placed
from reactio.translator.digest import ModuleValues
from reactio.translator.expressions import Expressions
from reactio.translator.kinds import FLOAT, INT, NOTHING, Array, Kind, TupleKind, makes_arrays
from reactio.translator.source import Source
from reactio.translator.values import Value, constant, registers, result_type, returned, unflat

# Functions of Python that kernels may call: the least and the largest number of arguments.
ARGUMENTS = {
    "max": (2, math.inf), "min": (2, math.inf), "abs": (1, 1), "len": (1, 1), "int": (1, 1), "float": (1, 1),
    "bool": (1, 1), "round": (1, 1),
}  # fmt: skip


class Calls(Expressions):
    """A method ``call_…`` for every function of Python that kernels may call."""

    def of_Call(self, node: ast.Call) -> Value:
        """Another kernel, a function of mathematics, one of Python's own."""
        if isinstance(node.func, ast.Attribute):
            return self._of_attribute(node.func, node)
        if not isinstance(node.func, ast.Name):
            self.refuse(node, "only what has a name is called")
        name = node.func.id
        callee = self.scope.get(name)
        given = [self.expression(argument) for argument in node.args]
        if isinstance(callee, Source):
            return self.call(callee, given, node)
        if name in ("by_address", "by_address_int") and callee is None:
            return self.by_address(given, INT if name == "by_address_int" else NOTHING, node)
        if isinstance(callee, type) and issubclass(callee, tuple) and hasattr(callee, "_fields"):
            return self.named_tuple(callee, given, node)
        builtin = getattr(self, f"call_{name}", None)
        if isinstance(callee, types.BuiltinFunctionType) and getattr(math, name, None) is callee:
            self.refuse(node, f"{name} is known as math.{name}")
        if builtin is None or callee is not None:
            self.refuse(node, f"{name} is not known")
        least, most = ARGUMENTS[name]
        if node.keywords or not least <= len(given) <= most:
            self.refuse(node, f"{ast.unparse(node)} is not known with these arguments")
        value: Value = builtin(given, node)
        return value

    def _of_attribute(self, function: ast.Attribute, node: ast.Call) -> Value:
        """A function of a module, or a method of an array."""
        name, owner = function.attr, None
        if isinstance(function.value, ast.Name) and function.value.id not in self.variables:
            owner = self.scope.get(function.value.id)
        if node.keywords:
            self.refuse(node, f"arguments of {name} by their names are not known")
        if owner is np and name in ("empty", "zeros", "full", "arange"):
            return self.numpy_array(node)
        if isinstance(owner, types.ModuleType):
            return self.mathematics(owner, name, [self.expression(a) for a in node.args], node)
        if isinstance(owner, ModuleValues):
            self.refuse(node, f"{owner.name}.{name} is not known; import a kernel under a name of its own")
        if name == "copy" and not node.args:
            return self.copy(self.expression(function.value), node)
        if name == "reshape":
            return self.reshape(self.expression(function.value), [self.expression(a) for a in node.args], node)
        self.refuse(node, f"{name} is not known")

    def named_tuple(self, tuple_type: Any, given: list[Value], node: ast.Call) -> Value:
        """A named tuple, whose members are all given."""
        given = self.arguments(tuple_type._fields, tuple_type._field_defaults, given, node)
        omitted = [name for name in tuple_type._fields[len(given) :] if name in tuple_type._field_defaults]
        given = given + [self.constant(tuple_type._field_defaults[name], node) for name in omitted]
        if len(given) != len(tuple_type._fields):
            self.refuse(
                node, f"{tuple_type.__name__} has {len(tuple_type._fields)} members, and {len(given)} are given"
            )
        return self.tuple_of(given, tuple_type._fields)

    def arguments(
        self, names: tuple[str, ...], defaults: Mapping[str, Any], given: list[Value], node: ast.Call
    ) -> list[Value]:
        """Arguments given by place and by name, in the order of these names."""
        if not node.keywords:
            return given
        named = {keyword.arg or "**": self.expression(keyword.value) for keyword in node.keywords}
        values = {name: self.constant(value, node) for name, value in defaults.items()}
        try:
            return given + placed(names, len(given), named, values)
        except TypeError as error:
            self.refuse(node, str(error))

    def call(self, callee: Source, given: list[Value], node: ast.Call) -> Value:
        """Another kernel of the unit."""
        given = self.arguments(*names_and_defaults(callee.function), given, node)
        name, result = self.callee(callee, tuple(value.kind for value in given))
        return self._called(f"@{name}", given, result)

    def _called(self, function: str, given: list[Value], result: Kind) -> Value:
        words = []
        for value in given:
            words += [f"{r} {p}" for r, p in zip(registers(value.kind), value.flat(), strict=True)]
        out, text = returned(result), result_type(result)
        call = f"call {text} {function}({', '.join(words)})"
        if not out:
            self.line(call)
            return Value(result) if result == NOTHING else unflat(result, [])
        result_words = self.put(call)
        if len(out) == 1:
            return unflat(result, [result_words])
        parts = [self.put(f"extractvalue {text} {result_words}, {k}") for k in range(len(out))]
        if makes_arrays(result):
            self.require_own_arrays()
            chain = self.put(f"load ptr, ptr {self.chain}")
            self.line(f"store ptr {self.put(f'call ptr @adopt(ptr {parts.pop()}, ptr {chain})')}, ptr {self.chain}")
        return unflat(result, parts)

    def by_address(self, given: list[Value], result: Kind, node: ast.AST) -> Value:
        """The function of another unit that lies at an address; it was made for contiguous arrays."""
        if any(isinstance(value.kind, Array) and not value.kind.contiguous for value in given[1].items):
            self.refuse(node, "an array with gaps between its numbers is not passed to another unit")
        place = self.put(f"inttoptr i64 {given[0].parts[0]} to ptr")
        return self._called(place, list(given[1].items), result)

    def call_max(self, given: list[Value], node: ast.AST) -> Value:
        """The largest: the first one unless another is larger."""
        return self._extreme(given, ast.Gt(), node)

    def call_min(self, given: list[Value], node: ast.AST) -> Value:
        """The smallest: the first one unless another is smaller."""
        return self._extreme(given, ast.Lt(), node)

    def call_abs(self, given: list[Value], node: ast.AST) -> Value:
        """The absolute value."""
        (x,) = given
        if x.kind is FLOAT:
            return Value(FLOAT, (self.real("llvm.fabs.f64", x.parts[0]),))
        part = self.number(x, INT).parts[0]
        below, minus = self.put(f"icmp slt i64 {part}, 0"), self.put(f"sub nsw i64 0, {part}")
        return Value(INT, (self.put(f"select i1 {below}, i64 {minus}, i64 {part}"),))

    def call_len(self, given: list[Value], node: ast.AST) -> Value:
        """The length of a tuple, or of the first axis of an array."""
        if isinstance(given[0].kind, TupleKind):
            return constant(len(given[0].items))
        if not isinstance(given[0].kind, Array):
            self.refuse(node, f"{given[0].kind} has no length")
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
        if given[0].kind is not FLOAT:
            return self.number(given[0], INT)
        return self.number(Value(FLOAT, (self.real("llvm.rint.f64", given[0].parts[0]),)), INT)
