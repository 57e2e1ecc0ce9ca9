"""Mathematical expressions of MBDyn: variables with types, whole numbers that divide to whole numbers, no code."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from reactio.errors import ReactioError, did_you_mean

Value = bool | int | float | str
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*(?:::\w+)*)"
    r'|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<sign>\|\||&&|~\||[<>=!]=|[-+*/%^()=<>!,]))'
)
VARIABLE_TYPES = {"bool": bool, "integer": int, "real": float, "string": str}
MODIFIERS = ("ifndef", "const")
DEEPEST = 100  # levels of parentheses, far below Python's own limit
COMPARISON_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
MBDYN_FUNCTIONS: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh")},
    **{name: getattr(math, name) for name in ("tanh", "asinh", "acosh", "atanh", "exp", "sqrt", "log10", "copysign")},
    "log": math.log,
    "abs": abs,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": lambda x: math.floor(x + 0.5),
    "min": min,
    "max": max,
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
    "step": lambda x: float(x > 0),
    "ramp": lambda x: max(x, 0.0),
    "cot": lambda x: 1 / math.tan(x),
    "actan2": math.atan2,
}
MATH_CONSTANTS: dict[str, Value] = {
    "pi": math.pi, "M_PI": math.pi, "e": math.e, "TRUE": True, "FALSE": False, "deg2rad": math.pi / 180,
    "rad2deg": 180 / math.pi, "in2m": 0.0254, "m2in": 1 / 0.0254, "ft2m": 0.3048, "m2ft": 1 / 0.3048,
    "in2mm": 25.4, "mm2in": 1 / 25.4, "lb2kg": 0.45359237, "kg2lb": 1 / 0.45359237, "lb2N": 4.4482216152605,
    "N2lb": 1 / 4.4482216152605, "slug2kg": 14.5939029372, "kg2slug": 1 / 14.5939029372,
}  # fmt: skip


@dataclass(slots=True)
class MbdynVariables:
    """The variables of a file by name, and those that may not change."""

    values: dict[str, Value]
    constant: set[str]

    @classmethod
    def fresh(cls) -> MbdynVariables:
        """The constants that MBDyn knows."""
        return cls(dict(MATH_CONSTANTS), set(MATH_CONSTANTS))

    def evaluate(self, text: str) -> Value:
        """The value of an expression, or of a declaration ``[ifndef] [const] [type] NAME [= expression]``.

        >>> MbdynVariables.fresh().evaluate("1/2*3."), MbdynVariables.fresh().evaluate("-2^2 + sqrt(4.)")
        (0.0, 6.0)
        """
        return _Parser(self, text).value()


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, variables: MbdynVariables, text: str) -> None:
        self.variables, self.text = variables, text
        self.tokens: list[tuple[str, str]] = []
        self.at, self.depth, end = 0, 0, 0
        self.declares = False  # a variable may be infinite, as in MBDyn, until a number is needed
        while end < len(text.rstrip()):
            match = TOKEN.match(text, end)
            if match is None:
                raise self.fail(f"'{text[end : end + 20].strip()}' is not understood")
            self.tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
            end = match.end()

    def fail(self, message: str) -> ReactioError:
        return ReactioError(f"in the expression '{self.text.strip()[:60]}': {message}.")

    def value(self) -> Value:
        try:
            value = self._declaration()
        except ZeroDivisionError:
            raise self.fail("a division by zero") from None
        except OverflowError:
            raise self.fail("a number beyond 1.8e308") from None
        except TypeError:
            raise self.fail("a text and a number, or a wrong number of arguments") from None
        except ValueError:
            raise self.fail("a function has no real value there") from None
        if self.at < len(self.tokens):
            raise self.fail(f"'{self.tokens[self.at][1]}' is not expected")
        if isinstance(value, float) and not math.isfinite(value) and not self.declares:
            raise self.fail("the value is not finite")
        return value

    def _peek(self) -> str:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        return text if kind in ("sign", "name") else ""

    def _take(self, *texts: str) -> str:
        if (text := self._peek()) and text in texts:
            self.at += 1
            return text
        return ""

    def _declaration(self) -> Value:
        """A declaration, an assignment, or a plain expression."""
        modifiers = []
        while (word := self._take(*MODIFIERS)) != "":
            modifiers.append(word)
        kind = self._take(*VARIABLE_TYPES)
        assigns = len(self.tokens) > self.at + 1 and self.tokens[self.at + 1] == ("sign", "=")
        if not kind and not assigns:
            return self._either()
        self.declares = True
        name = self._peek()
        self.at += 1
        known = self.variables.values.get(name)
        value = self._either() if self._take("=") else VARIABLE_TYPES.get(kind, float)()
        if "ifndef" in modifiers and known is not None:
            return known
        if name in self.variables.constant:
            raise self.fail(f"'{name}' is a constant and cannot get another value")
        type_ = VARIABLE_TYPES.get(kind) or type(known)
        if known is None and not kind:
            raise self.fail(f"'{name}' is not declared; write its type, as in `set: real {name} = …`")
        if (type_ is str) != isinstance(value, str):
            raise self.fail(f"'{name}' is of type {kind or type_.__name__}, which the value is not")
        typed: Value = type_(value)
        self.variables.values[name] = typed
        if "const" in modifiers:
            self.variables.constant.add(name)
        return typed

    def _either(self) -> Value:
        value = self._both()
        while sign := self._take("||", "~|"):
            other = self._both()
            value = bool(value) or bool(other) if sign == "||" else bool(value) != bool(other)
        return value

    def _both(self) -> Value:
        value = self._comparison()
        while self._take("&&"):
            other = self._comparison()
            value = bool(value) and bool(other)
        return value

    def _comparison(self) -> Value:
        value = self._sum()
        while sign := self._take(*COMPARISON_OPERATORS):
            value = COMPARISON_OPERATORS[sign](value, self._sum())  # type: ignore[arg-type]
        return value

    def _sum(self) -> Value:
        value = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = value + other if sign == "+" else value - other  # type: ignore[operator]
        return value

    def _product(self) -> Value:
        value = self._power()
        while sign := self._take("*", "/", "%"):
            value = _product(sign, value, self._power())
        return value

    def _power(self) -> Value:
        """Powers from right to left; a sign binds more tightly: −2^2 is 4."""
        base = self._signed()
        if not self._take("^"):
            return base
        self._descend()
        power = self._power()
        self.depth -= 1
        if isinstance(base, int) and isinstance(power, int) and power < 0:
            return 0  # as MBDyn has it
        if isinstance(base, str) or isinstance(power, str):
            raise TypeError
        result = math.pow(base, power) if base or power >= 0 else math.inf
        return int(result) if isinstance(base, int) and isinstance(power, int) else result

    def _signed(self) -> Value:
        sign = self._take("-", "+", "!")
        value = self._atom()
        if sign and isinstance(value, str):
            raise TypeError
        if sign == "!":
            return not value
        return -value if sign == "-" else value  # type: ignore[operator]

    def _descend(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail(f"it is nested more than {DEEPEST} deep")

    def _atom(self) -> Value:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "its end")
        self.at += 1
        if kind == "number":
            return int(text) if text.isdigit() else float(text.lower().replace("d", "e"))
        if kind == "text":
            return text
        if text == "(":
            self._descend()
            value = self._declaration()
            self.depth -= 1
            self._close()
            return value
        if kind != "name":
            raise self.fail(f"{text if kind == '' else repr(text)} is not expected")
        return self._call(text) if self._take("(") else self._variable(text)

    def _call(self, name: str) -> Value:
        function = MBDYN_FUNCTIONS.get(name)
        if function is None:
            raise self.fail(f"there is no function '{name}' here{did_you_mean(name, MBDYN_FUNCTIONS).rstrip('?.')}")
        self._descend()
        arguments = [self._either()]
        while self._take(","):
            arguments.append(self._either())
        self.depth -= 1
        self._close()
        return function(*arguments)

    def _close(self) -> None:
        if not self._take(")"):
            raise self.fail("a parenthesis is not closed")

    def _variable(self, name: str) -> Value:
        if name not in self.variables.values:
            raise self.fail(f"'{name}' has no value here; declare it with `set:`")
        return self.variables.values[name]


def _product(sign: str, a: Value, b: Value) -> Value:
    """a·b, a/b, a mod b as in C: whole numbers have a whole quotient, and a real one by zero is infinite."""
    if isinstance(a, str) or isinstance(b, str):
        raise TypeError
    whole = isinstance(a, int) and isinstance(b, int)
    if sign == "*":
        return a * b
    if sign == "%":
        return int(math.fmod(a, b)) if whole else math.fmod(a, b)
    if whole:
        return (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)
    if not b:
        return a * math.copysign(math.inf, b)
    return a / b
