"""Calls: other kernels, functions at an address, functions of mathematics and Python's own."""

from __future__ import annotations

import ast
import types

import numpy as np

from reactio.kernels.kinds import COMPLEX, FLOAT, INT, NOTHING, Array, Kind, TupleKind, makes_arrays
from reactio.kernels.translation.expressions import Expressions
from reactio.kernels.translation.source import Source
from reactio.kernels.translation.values import Value, constant, registers, result_type, returned, unflat


class Calls(Expressions):
    """A method ``call_…`` for every function of Python that kernels may call."""

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
            return self.by_address(given, INT if node.func.id == "by_address_int" else NOTHING, node)
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
        whole = self.put(call)
        if len(out) == 1:
            return unflat(result, [whole])
        parts = [self.put(f"extractvalue {text} {whole}, {k}") for k in range(len(out))]
        if makes_arrays(result):
            self.owns()
            own = self.put(f"load ptr, ptr {self.chain}")
            self.line(f"store ptr {self.put(f'call ptr @adopt(ptr {parts.pop()}, ptr {own})')}, ptr {self.chain}")
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
        if x.kind is COMPLEX:
            return self.mathematics("hypot", [Value(FLOAT, (part,)) for part in x.parts])
        if x.kind is FLOAT:
            return self.mathematics("fabs", [x])
        part = self.number(x, INT).parts[0]
        below, minus = self.put(f"icmp slt i64 {part}, 0"), self.put(f"sub nsw i64 0, {part}")
        return Value(INT, (self.put(f"select i1 {below}, i64 {minus}, i64 {part}"),))

    def call_len(self, given: list[Value], node: ast.AST) -> Value:
        """The length of a tuple, or of the first axis of an array."""
        if isinstance(given[0].kind, TupleKind):
            return constant(len(given[0].items))
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
