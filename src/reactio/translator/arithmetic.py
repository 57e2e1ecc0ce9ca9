"""Numbers: kinds that meet, arithmetic, comparisons and functions of mathematics."""

from __future__ import annotations

import ast
import math
from types import ModuleType
from typing import NamedTuple

import numpy as np

from reactio.translator.instructions import Instructions
from reactio.translator.kinds import BOOL, FLOAT, INT, Array, Kind, ScalarKind, TupleKind
from reactio.translator.values import KIND_RANK, Value, constant


class MathFunction(NamedTuple):
    """A function of real numbers: its name for LLVM or in the library of C, and how many numbers it takes."""

    symbol: str
    arguments: int = 1
    whole: bool = False  # is its value a whole number?


# Translated into comparisons.
ISFINITE, ISNAN, SIGN_FUNCTION = MathFunction("isfinite"), MathFunction("isnan"), MathFunction("sign")
BOTH = {
    **{name: MathFunction(f"llvm.{name}.f64") for name in ("sqrt", "fabs")},
    **{name: MathFunction(name) for name in ("sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh")},
    "hypot": MathFunction("hypot", 2), "isfinite": ISFINITE, "isnan": ISNAN,
}  # fmt: skip
# Functions that kernels may call, by module and name; ``plain_math`` has the same values where nothing is compiled.
# Functions that have no exact value are calls of the C library, which Python's ``math`` calls too.
MATH_FUNCTIONS: dict[ModuleType, dict[str, MathFunction]] = {
    math: {
        **BOTH, "atan2": MathFunction("atan2", 2), "atan": MathFunction("atan"), "asin": MathFunction("asin"),
        "acos": MathFunction("acos"), "floor": MathFunction("llvm.floor.f64", whole=True),
    },
    np: {
        **BOTH, "arctan2": MathFunction("atan2", 2), "arctan": MathFunction("atan"), "arcsin": MathFunction("asin"),
        "arccos": MathFunction("acos"), "floor": MathFunction("llvm.floor.f64"), "rint": MathFunction("llvm.rint.f64"),
        "sign": SIGN_FUNCTION,
    },
}  # fmt: skip
COMPARISONS = {
    ast.Eq: ("eq", "oeq"), ast.NotEq: ("ne", "une"), ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"), ast.Gt: ("sgt", "ogt"), ast.GtE: ("sge", "oge"),
}  # fmt: skip
MOST_FACTORS = 64  # whole exponents of whole numbers up to this are repeated multiplications, at most twelve


class Arithmetic(Instructions):
    """Arithmetic on numbers."""

    def number(self, value: Value, kind: ScalarKind) -> Value:
        """A number converted to another kind; integers saturate at their largest and smallest, NaN becomes 0."""
        if value.kind is kind:
            return value
        if not isinstance(value.kind, ScalarKind):
            self.refuse(self.at, f"{value.kind} is not a {kind}")
        if value.known is not None and math.isfinite(value.known):
            return constant({FLOAT: float, INT: int, BOOL: bool}[kind](value.known))
        have, part = value.kind, value.parts[0]
        if kind is FLOAT:
            return Value(FLOAT, (self.put(f"{'uitofp i1' if have is BOOL else 'sitofp i64'} {part} to double"),))
        if kind is INT:
            if have is BOOL:
                return Value(INT, (self.put(f"zext i1 {part} to i64"),), from_zero=True)
            self.module.declared["fptosi"] = "declare i64 @llvm.fptosi.sat.i64.f64(double)"
            return Value(INT, (self.put(f"call i64 @llvm.fptosi.sat.i64.f64(double {part})"),))
        text = f"icmp ne i64 {part}, 0" if have is INT else f"fcmp une double {part}, 0.0"
        return Value(BOOL, (self.put(text),))

    def common(self, a: Kind, b: Kind) -> Kind | None:
        """The kind that holds both, or None."""
        if a == b:
            return a
        if isinstance(a, ScalarKind) and isinstance(b, ScalarKind) and a in KIND_RANK and b in KIND_RANK:
            return a if KIND_RANK[a] >= KIND_RANK[b] else b
        if isinstance(a, Array) and isinstance(b, Array) and a.element is b.element:
            return Array(a.element, a.ndim, False) if a.ndim == b.ndim else None
        if isinstance(a, TupleKind) and isinstance(b, TupleKind) and len(a.kinds) == len(b.kinds):
            kinds = [self.common(*pair) for pair in zip(a.kinds, b.kinds, strict=True)]
            return None if None in kinds else TupleKind(tuple(kinds), a.names)
        return None

    def truth(self, value: Value) -> Value:
        """Is a number other than zero?"""
        if not isinstance(value.kind, ScalarKind):
            self.refuse(self.at, f"{value.kind} is neither true nor false")
        return self.number(value, BOOL)

    def binary(self, op: ast.operator, x: Value, y: Value, node: ast.AST) -> Value:
        """x op y."""
        if not isinstance(x.kind, ScalarKind) or not isinstance(y.kind, ScalarKind):
            self.refuse(node, f"arithmetic of {x.kind} and {y.kind}")
        if isinstance(op, ast.Pow):
            return self.power(x, y, node)
        kind = x.kind if KIND_RANK[x.kind] >= KIND_RANK[y.kind] else y.kind
        if kind is BOOL:
            self.refuse(node, "arithmetic of truth values, which NumPy and Python do differently; write int(…) of them")
        if isinstance(op, ast.Div) and kind is INT:
            if None in (x.known, y.known):  # in Python the quotient is a float that raises where NumPy's numbers do not
                self.refuse(node, "a quotient of whole numbers; write float(…) of one of them")
            kind = FLOAT
        a, b = self.number(x, kind), self.number(y, kind)
        if a.known is not None and b.known is not None and not isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)):
            sums = {ast.Add: a.known + b.known, ast.Sub: a.known - b.known, ast.Mult: a.known * b.known}
            if type(op) in sums:
                return constant(sums[type(op)])
        names = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
        if isinstance(op, (ast.FloorDiv, ast.Mod)):
            return self.floor(op, a, b)
        if type(op) not in names:
            self.refuse(node, f"{type(op).__name__} is not known")
        if kind is INT:
            signed = isinstance(op, (ast.Add, ast.Mult)) and a.from_zero and b.from_zero
            return Value(INT, (self.put(f"{names[type(op)]} nsw i64 {a.parts[0]}, {b.parts[0]}"),), from_zero=signed)
        return Value(FLOAT, (self.put(f"f{names[type(op)]} double {a.parts[0]}, {b.parts[0]}"),))

    def floor(self, op: ast.operator, x: Value, y: Value) -> Value:
        """x // y and x % y with the sign of y, as in Python; whole numbers by zero give zero, as in NumPy.

        Of real numbers, r = fmod(x, y) is exact; where its sign is not that of y, y is added to r and 1 taken from the
        quotient (x − r)/y, which is then rounded to a whole number.  Zeros have the signs of y and of x/y.
        """
        a, b = x.parts[0], y.parts[0]
        if x.kind is INT:
            return self._whole_floor(op, a, y)
        rest = self.put(f"frem double {a}, {b}")
        nonzero = self.put(f"fcmp une double {rest}, 0.0")
        mixed = self.put(
            f"icmp ne i1 {self.put(f'fcmp olt double {rest}, 0.0')}, {self.put(f'fcmp olt double {b}, 0.0')}"
        )
        off = self.put(f"and i1 {mixed}, {nonzero}")
        by_zero = self.put(f"fcmp oeq double {b}, 0.0")
        if isinstance(op, ast.Mod):
            moved = self.choice(off, self.put(f"fadd double {rest}, {b}"), rest)
            signed = self.choice(nonzero, moved, self.real("llvm.copysign.f64", constant(0.0).parts[0], b))
            return Value(FLOAT, (self.choice(by_zero, rest, signed),))
        quotient = self.put(f"fdiv double {self.put(f'fsub double {a}, {rest}')}, {b}")
        unit, zero = constant(1.0).parts[0], constant(0.0).parts[0]
        lowered = self.put(f"fsub double {quotient}, {self.choice(off, unit, zero)}")
        below = self.real("llvm.floor.f64", lowered)
        half = self.put(f"fcmp ogt double {self.put(f'fsub double {lowered}, {below}')}, {constant(0.5).parts[0]}")
        floor = self.choice(half, self.put(f"fadd double {below}, {unit}"), below)
        infinite = self.put(f"fdiv double {a}, {b}")
        signed_zero = self.real("llvm.copysign.f64", zero, infinite)
        signed = self.choice(self.put(f"fcmp une double {lowered}, 0.0"), floor, signed_zero)
        return Value(FLOAT, (self.choice(by_zero, infinite, signed),))

    def choice(self, test: str, yes: str, no: str) -> str:
        """One of two real numbers."""
        return self.put(f"select i1 {test}, double {yes}, double {no}")

    def _whole_floor(self, op: ast.operator, a: str, y: Value) -> Value:
        b = y.parts[0]
        if not y.known:  # the processor stops at a division by zero
            by_zero = self.put(f"icmp eq i64 {b}, 0")
            b = self.put(f"select i1 {by_zero}, i64 1, i64 {b}")
            a = self.put(f"select i1 {by_zero}, i64 0, i64 {a}")
        rest = self.put(f"srem i64 {a}, {b}")
        mixed = self.put(f"icmp slt i64 {self.put(f'xor i64 {rest}, {b}')}, 0")
        off = self.put(f"and i1 {mixed}, {self.put(f'icmp ne i64 {rest}, 0')}")
        if isinstance(op, ast.Mod):
            return Value(INT, (self.put(f"add i64 {rest}, {self.put(f'select i1 {off}, i64 {b}, i64 0')}"),))
        quotient = self.put(f"sdiv i64 {a}, {b}")
        return Value(INT, (self.put(f"sub i64 {quotient}, {self.put(f'zext i1 {off} to i64')}"),))

    def power(self, x: Value, y: Value, node: ast.AST) -> Value:
        """x ** y: of real numbers by the C library, as in Python; of whole ones, to a constant power, by products."""
        if y.kind is INT and y.known is not None and 0 <= y.known <= MOST_FACTORS and x.kind is INT:
            result, square, exponent = None, x, y.known
            while exponent:
                if exponent & 1:
                    result = square if result is None else self.binary(ast.Mult(), result, square, node)
                exponent >>= 1
                square = self.binary(ast.Mult(), square, square, node) if exponent else square
            return constant(1) if result is None else result
        if x.kind is not FLOAT and y.kind is not FLOAT:
            self.refuse(node, "an integer power that is not a constant")
        a, b = self.number(x, FLOAT).parts[0], self.number(y, FLOAT).parts[0]
        return Value(FLOAT, (self.real("pow", a, b),))

    def compare(self, op: ast.cmpop, x: Value, y: Value, node: ast.AST) -> Value:
        """x op y."""
        if isinstance(op, (ast.In, ast.NotIn)) and isinstance(y.kind, TupleKind):
            equal = constant(False)
            for item in y.items:
                same = self.compare(ast.Eq(), x, item, node)
                equal = Value(BOOL, (self.put(f"or i1 {equal.parts[0]}, {same.parts[0]}"),))
            if isinstance(op, ast.In):
                return equal
            return Value(BOOL, (self.put(f"xor i1 {equal.parts[0]}, true"),))
        if type(op) not in COMPARISONS or not isinstance(x.kind, ScalarKind) or not isinstance(y.kind, ScalarKind):
            self.refuse(node, f"{type(op).__name__} of {x.kind} and {y.kind}")
        kind = x.kind if KIND_RANK[x.kind] >= KIND_RANK[y.kind] else y.kind
        kind = INT if kind is BOOL else kind
        a, b = self.number(x, kind), self.number(y, kind)
        integer, real = COMPARISONS[type(op)]
        if a.known is not None and b.known is not None:
            decided = {"eq": a.known == b.known, "ne": a.known != b.known, "slt": a.known < b.known}
            decided |= {"sle": a.known <= b.known, "sgt": a.known > b.known, "sge": a.known >= b.known}
            return constant(decided[integer])
        text = f"icmp {integer} i64" if kind is INT else f"fcmp {real} double"
        return Value(BOOL, (self.put(f"{text} {a.parts[0]}, {b.parts[0]}"),))

    def mathematics(self, module: ModuleType, name: str, given: list[Value], node: ast.AST) -> Value:
        """A function of real numbers."""
        function = MATH_FUNCTIONS[module].get(name)
        if function is None:
            self.refuse(node, f"{name} is not known")
        if len(given) != function.arguments:
            self.refuse(node, f"{name} of {len(given)} numbers is not known, only of {function.arguments}")
        if any(not isinstance(value.kind, ScalarKind) for value in given):
            self.refuse(node, f"{name} of {', '.join(str(value.kind) for value in given)} is not known")
        numbers = [self.number(value, FLOAT).parts[0] for value in given]
        if function in (ISFINITE, ISNAN):
            return Value(BOOL, (self._test(function, numbers[0]),))
        if function is SIGN_FUNCTION:
            return self._sign(numbers[0])
        result = Value(FLOAT, (self.real(function.symbol, *numbers),))
        return self.number(result, INT) if function.whole else result

    def real(self, symbol: str, *numbers: str) -> str:
        """The value of a function of LLVM or of the library of C."""
        name = self.module.declare(symbol, len(numbers))
        return self.put(f"call double @{name}({', '.join(f'double {number}' for number in numbers)})")

    def _test(self, function: MathFunction, x: str) -> str:
        """Is x finite, or is it NaN?"""
        if function is ISNAN:
            return self.put(f"fcmp uno double {x}, {x}")
        return self.put(f"fcmp olt double {self.real('llvm.fabs.f64', x)}, {constant(math.inf).parts[0]}")

    def _sign(self, part: str) -> Value:
        plus, minus = constant(1.0).parts[0], constant(-1.0).parts[0]
        above, below = self.put(f"fcmp ogt double {part}, 0.0"), self.put(f"fcmp olt double {part}, 0.0")
        ordered = self.put(f"fcmp ord double {part}, 0.0")
        middle = self.put(f"select i1 {ordered}, double 0.0, double {part}")  # NaN stays NaN
        negative = self.put(f"select i1 {below}, double {minus}, double {middle}")
        return Value(FLOAT, (self.put(f"select i1 {above}, double {plus}, double {negative}"),))

    def _extreme(self, given: list[Value], op: ast.cmpop, node: ast.AST) -> Value:
        kind: Kind | None = given[0].kind
        for value in given:
            kind = self.common(kind, value.kind) if kind is not None else None
        if not isinstance(kind, ScalarKind) or len(given) < 2:
            self.refuse(node, "only numbers have a largest and a smallest")
        best = self.number(given[0], kind)
        for value in given[1:]:
            candidate = self.number(value, kind)
            test = self.compare(op, candidate, best, node).parts[0]
            both = f"{kind.register} {candidate.parts[0]}, {kind.register} {best.parts[0]}"
            best = Value(
                kind, (self.put(f"select i1 {test}, {both}"),), from_zero=candidate.from_zero and best.from_zero
            )
        return best
