"""Rational numbers that the formulas of the kernels can be run on, and a ``math`` that answers exactly or refuses."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from reactio.errors import ReactioError

MAX_DENOMINATOR = 10**6  # of fractions that numbers are recognised as: decimals with six digits, 1/3, 22/7
# Of a number made by a few sums and products from decimals; two fractions with such denominators are 1e-12 apart.
FRACTION_OF_FLOAT_ROUNDING = 16 * 2.0**-52
DIGITS = 15  # decimals with so many differ as floats


class Irrational(ReactioError):
    """A number that is needed and is not rational."""


class Exact(Fraction):
    """A fraction that stays one in operations with the floats of a formula (0.5, −1.0), which are binary fractions."""

    __slots__ = ()

    def __new__(cls, *given: Any) -> Exact:
        return super().__new__(cls, *given)


def _exactly(name: str) -> Any:
    """An operation of fractions that takes floats for the binary fractions that they are."""
    plain = getattr(Fraction, name)

    def operation(self: Exact, other: Any) -> Any:
        if isinstance(other, Angle | Unknown):
            return NotImplemented
        return Exact(plain(self, Fraction(other)))

    return operation


for _name in ("add", "sub", "mul", "truediv"):
    setattr(Exact, f"__{_name}__", _exactly(f"__{_name}__"))
    setattr(Exact, f"__r{_name}__", _exactly(f"__r{_name}__"))
Exact.__neg__ = lambda self: Exact(Fraction.__neg__(self))  # type: ignore[method-assign]


class Unknown:
    """A number that is not a small fraction, and every result computed from it; zero times it is zero."""

    def __init__(self, value: float, where: str) -> None:
        self.value, self.where = value, where

    def refuse(self) -> Irrational:
        """Why there is no exact answer."""
        return Irrational(self.where)

    def _joined(self, value: float) -> Unknown:
        return Unknown(value, self.where)

    def __float__(self) -> float:
        return self.value

    def __add__(self, other: Any) -> Unknown:
        return self._joined(self.value + float(other))

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Angle):  # a memory of full turns, which only has to be near
            return NotImplemented
        return self._joined(self.value - float(other))

    def __rsub__(self, other: Any) -> Unknown:
        return self._joined(float(other) - self.value)

    def __mul__(self, other: Any) -> Any:
        return Exact(0) if not isinstance(other, Unknown) and other == 0 else self._joined(self.value * float(other))

    def __truediv__(self, other: Any) -> Unknown:
        return self._joined(self.value / float(other))

    def __rtruediv__(self, other: Any) -> Any:
        return Exact(0) if other == 0 else self._joined(float(other) / self.value)

    def __neg__(self) -> Unknown:
        return self._joined(-self.value)

    def __abs__(self) -> Unknown:
        return self._joined(abs(self.value))

    def __pow__(self, power: Any) -> Unknown:
        return self._joined(self.value ** float(power))

    def __lt__(self, other: Any) -> bool:
        return self.value < float(other)

    def __le__(self, other: Any) -> bool:
        return self.value <= float(other)

    def __gt__(self, other: Any) -> bool:
        return self.value > float(other)

    def __ge__(self, other: Any) -> bool:
        return self.value >= float(other)

    __radd__, __rmul__ = __add__, __mul__


class Angle:
    """The direction (x, y) of an angle, exact where the angle itself is not rational; full turns do not count."""

    def __init__(self, y: Any, x: Any) -> None:
        self.x, self.y = x, y

    @property
    def zero(self) -> bool:
        """Is it exactly zero?"""
        return bool(self.y == 0 and self.x > 0)

    def __float__(self) -> float:
        return math.atan2(float(self.y), float(self.x))

    def __sub__(self, other: Any) -> Angle:
        if not isinstance(other, Angle):
            return self
        return Angle(self.y * other.x - self.x * other.y, self.x * other.x + self.y * other.y)

    def __rsub__(self, other: Any) -> float:
        return float(other) - float(self)

    def __add__(self, turns: float) -> Angle:
        return self

    def __mul__(self, factor: Any) -> Any:
        return self if factor == 1 else Unknown(float(factor) * float(self), "an angle times a factor is not rational")

    __rmul__ = __mul__


class ExactMath:
    """What formulas ask of ``math``: exact where a function of fractions is a fraction, unknown where it is not."""

    pi, tau = math.pi, math.tau

    def __getattr__(self, name: str) -> Any:
        function = getattr(math, name)
        return lambda *given: self.irrational(function(*map(float, given)), name)

    @staticmethod
    def irrational(value: Any, name: str) -> Any:
        """The value of a function without a method here."""
        return value if isinstance(value, bool | int) else Unknown(value, f"{name} of a number is not rational")

    @staticmethod
    def fabs(x: Any) -> Any:
        """|x|."""
        return abs(x)

    def hypot(self, x: Any, y: Any) -> Any:
        """The root of x² + y²."""
        return self.sqrt(x * x + y * y)

    @staticmethod
    def atan2(y: Any, x: Any) -> Angle:
        """The angle, as a direction."""
        return Angle(y, x)

    @staticmethod
    def sqrt(x: Any) -> Any:
        """The root of a square."""
        if isinstance(x, Unknown):
            return Unknown(math.sqrt(x.value), x.where)
        x = Fraction(x)
        root = Exact(math.isqrt(x.numerator), math.isqrt(x.denominator))
        return root if root * root == x else Unknown(math.sqrt(x), f"a length, the root of {x}, is not rational")

    @staticmethod
    def cos(x: Any) -> Any:
        """Not rational."""
        return Unknown(math.cos(float(x)), "the cosine of an angle is not rational")

    @staticmethod
    def sin(x: Any) -> Any:
        """Not rational."""
        return Unknown(math.sin(float(x)), "the sine of an angle is not rational")


class RoundedMath(ExactMath):
    """The same for binary fractions of rounded numbers: functions without a rational value are rounded to a float."""

    @staticmethod
    def irrational(value: Any, name: str) -> Any:
        """A value to the last digit of a float."""
        return value if isinstance(value, bool | int) else Exact(value)

    @staticmethod
    def sqrt(x: Any) -> Any:
        """A root to the last digit of a float."""
        return Exact(math.sqrt(float(x)))

    @staticmethod
    def cos(x: Any) -> Any:
        """A cosine to the last digit of a float."""
        return Exact(math.cos(float(x)))

    @staticmethod
    def sin(x: Any) -> Any:
        """A sine to the last digit of a float."""
        return Exact(math.sin(float(x)))


def recognised(x: float, where: str, terms: float = 0.0) -> Any:
    """The fraction that x is, up to the rounding of a few sums and products.

    ``terms``: size of the numbers that x may be a sum of: about 1 for coordinates, of which cos 90° leaves 6e-17; 0 for
    factors and dimensions, which are right but for a part of their own size.  A power of two is itself.
    """
    near = Fraction(x).limit_denominator(MAX_DENOMINATOR)
    if abs(float(near) - x) <= FRACTION_OF_FLOAT_ROUNDING * max(terms, abs(x)):
        return Exact(near)
    if not terms and abs(math.frexp(x)[0]) == 0.5:
        return Exact(x)
    return Unknown(x, f"{where} is {x!r}, no fraction with a denominator up to 10⁶")


class Reading:
    """Numbers read as fractions, one by one; ``near`` counts those that are only near to the float of theirs."""

    def __init__(self) -> None:
        self.near = 0

    def __call__(self, x: float, where: str, terms: float = 0.0) -> Any:
        """The fraction that x is, made of terms of a size."""
        fraction = recognised(x, where, terms)
        self.near += isinstance(fraction, Exact) and float(fraction) != x
        return fraction


def nearby_fraction(x: float) -> Fraction | None:
    """The small fraction that a written decimal is near to without being equal to it: 1/3 for 0.333333333333333.

    What sums, products and functions make of fractions differs in the last of 16 or 17 digits; a number that needs at
    most 15 was written so, and is meant exactly.
    """
    near = recognised(x, "", terms=1.0)
    written = len(Decimal(repr(x)).as_tuple().digits) <= DIGITS
    return Fraction(near) if isinstance(near, Exact) and float(near) != x and written else None


def rounded(x: float, where: str, terms: float = 0.0) -> Any:
    """The binary fraction that a float is."""
    return Exact(x)
