"""The instruction table: a register machine on second-order jets (f, df/dt, d²f/dt²).

An instruction (op, a, b, time_dependent) replaces register a: a load puts a value there (b is its place in ``data``, or
that of a coordinate among the measures), a function of one argument acts on a (b is the place of its table), one of two
arguments takes a and b.
``time_dependent`` is 0 where the result does not depend on time: its derivatives are then exactly zero, also where
the function itself has none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.kernels import kernel

(
    CONSTANT, LOAD_TIME, LOAD_COORDINATE, LOAD_RATE,
    NEG, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH,
    EXP, LOG, SQRT, ABS, SIGN, FLOOR, DEGREES, RADIANS, SMOOTH, SPLINE,
    ADD, SUB, MUL, DIV, MOD, POW, POW_FIXED, ATAN2, HYPOT, MIN, MAX,
) = range(35)  # fmt: skip
FIRST_UNARY = NEG
FIRST_BINARY = ADD
FIRST_CHOICE = MIN

UNARY: Mapping[str, int] = {
    "neg": NEG, "sin": SIN, "cos": COS, "tan": TAN, "asin": ASIN, "acos": ACOS, "atan": ATAN,
    "sinh": SINH, "cosh": COSH, "tanh": TANH, "exp": EXP, "log": LOG, "sqrt": SQRT,
    "abs": ABS, "sign": SIGN, "floor": FLOOR, "degrees": DEGREES, "radians": RADIANS,
}  # fmt: skip
BINARY: Mapping[str, int] = {
    "add": ADD, "sub": SUB, "mul": MUL, "div": DIV, "mod": MOD, "pow": POW,
    "atan2": ATAN2, "hypot": HYPOT, "min": MIN, "max": MAX,
}  # fmt: skip

PER_RADIAN = 180.0 / math.pi
PER_DEGREE = math.pi / 180.0
NAN = math.nan
# Times summed up step by step may end just past the last entry of a table; 1e5 roundings of 1e-16 stay well inside.
SLACK = 1e-9


@kernel(forceinline=True)
def unary(op: int, x: float) -> tuple[float, float, float]:
    """A function of one argument with its derivatives: g(x), g′(x), g″(x)."""
    if op == NEG:
        return -x, -1.0, 0.0
    elif op == SIN:
        return np.sin(x), np.cos(x), -np.sin(x)
    elif op == COS:
        return np.cos(x), -np.sin(x), -np.cos(x)
    elif op == TAN:
        g = np.tan(x)
        return g, 1.0 + g * g, 2.0 * g * (1.0 + g * g)
    elif op in (ASIN, ACOS):
        c = (1.0 - x) * (1.0 + x)
        g = 1.0 / np.sqrt(c)
        return (np.arcsin(x), g, x * g / c) if op == ASIN else (np.arccos(x), -g, -x * g / c)
    elif op == ATAN:
        g = 1.0 / (1.0 + x * x)
        return np.arctan(x), g, -2.0 * x * g * g
    elif op == SINH:
        return np.sinh(x), np.cosh(x), np.sinh(x)
    elif op == COSH:
        return np.cosh(x), np.sinh(x), np.cosh(x)
    elif op == TANH:
        g = 1.0 / np.cosh(x)
        return np.tanh(x), g * g, -2.0 * np.tanh(x) * g * g
    elif op == EXP:
        return np.exp(x), np.exp(x), np.exp(x)
    elif op == LOG:
        return np.log(x), 1.0 / x, -1.0 / (x * x)
    elif op == SQRT:
        g = np.sqrt(x)
        return g, 0.5 / g, -0.25 / (g * x)
    elif op == ABS:
        return (x, 1.0, 0.0) if x >= 0.0 else (-x, -1.0, 0.0)
    elif op == SIGN:
        return np.sign(x), 0.0, 0.0
    elif op == FLOOR:
        return np.floor(x), 0.0, 0.0
    elif op == DEGREES:
        return PER_RADIAN * x, PER_RADIAN, 0.0
    elif op == RADIANS:
        return PER_DEGREE * x, PER_DEGREE, 0.0
    return smooth(x)


@kernel(forceinline=True)
def smooth(u: float) -> tuple[float, float, float]:
    """The quintic step from 0 to 1 and its derivatives: g = 10u³ − 15u⁴ + 6u⁵ for 0 < u < 1."""
    if u <= 0.0:
        return 0.0, 0.0, 0.0
    if u >= 1.0:
        return 1.0, 0.0, 0.0
    v = 1.0 - u
    return u * u * u * (10.0 + u * (6.0 * u - 15.0)), 30.0 * u * u * v * v, 60.0 * u * v * (1.0 - 2.0 * u)


@kernel(forceinline=True)
def cubic(data: Floats, at: int, x: float) -> tuple[float, float, float]:
    """A piecewise cubic and its derivatives; not a number outside its table.

    ``data[at:]`` holds the number k of pieces, k+1 breaks, and for each piece 4 coefficients, cubic first.
    """
    k = int(data[at])
    first = at + 1
    slack = SLACK * (data[first + k] - data[first])
    if not (data[first] - slack <= x <= data[first + k] + slack):
        return NAN, NAN, NAN
    low, high = 0, k
    while high - low > 1:
        middle = (low + high) // 2
        if data[first + middle] <= x:
            low = middle
        else:
            high = middle
    c = first + k + 1 + 4 * low
    u = x - data[first + low]
    value = ((data[c] * u + data[c + 1]) * u + data[c + 2]) * u + data[c + 3]
    return (
        value,
        (3.0 * data[c] * u + 2.0 * data[c + 1]) * u + data[c + 2],
        6.0 * data[c] * u + 2.0 * data[c + 1],
    )


@kernel(forceinline=True)
def binary(op: int, x: float, y: float) -> tuple[float, float, float, float, float, float]:
    """A function of two arguments with its derivatives: f, f_x, f_y, f_xx, f_xy, f_yy."""
    if op == ADD:
        return x + y, 1.0, 1.0, 0.0, 0.0, 0.0
    elif op == SUB:
        return x - y, 1.0, -1.0, 0.0, 0.0, 0.0
    elif op == MUL:
        return x * y, y, x, 0.0, 1.0, 0.0
    elif op == DIV:
        f, g = x / y, 1.0 / y
        return f, g, -f * g, 0.0, -g * g, 2.0 * f * g * g
    elif op == MOD:
        f = x % y
        return f, 1.0, -np.rint((x - f) / y), 0.0, 0.0, 0.0
    elif op == POW:
        return power(x, y, True)
    elif op == POW_FIXED:
        return power(x, y, False)
    elif op == ATAN2:
        g = 1.0 / (x * x + y * y)
        return (
            np.arctan2(x, y),
            y * g,
            -x * g,
            -2.0 * x * y * g * g,
            (x * x - y * y) * g * g,
            2.0 * x * y * g * g,
        )
    f = np.hypot(x, y)
    p, q = x / f, y / f
    return f, p, q, q * q / f, -p * q / f, p * p / f


@kernel(forceinline=True)
def first_wins(op: int, x: float, y: float) -> bool:
    """Which argument of min(x, y) or max(x, y) is the value; one that is not a number is, so that it is not lost."""
    return x != x or (x <= y if op == MIN else x >= y)


@kernel(forceinline=True)
def power(x: float, y: float, exponent_varies: bool) -> tuple[float, float, float, float, float, float]:
    """x^y; derivatives by y, which need log x, only where the exponent depends on time."""
    f = x**y
    # At x = 0 the powers below are infinite for y = 0 and y = 1, where their factors vanish.
    g = x ** (y - 1.0) if y != 0.0 else 0.0
    f_xx = y * (y - 1.0) * x ** (y - 2.0) if y != 0.0 and y != 1.0 else 0.0
    if not exponent_varies:
        return f, y * g, 0.0, f_xx, 0.0, 0.0
    log = np.log(x)
    return f, y * g, f * log, f_xx, x ** (y - 1.0) + y * g * log, f * log * log


@kernel
def jet(
    code: Ints, data: Floats, start: Ints, index: int,
    t: float, values: Floats, rates: Floats, stack: Floats, out: Floats,
) -> None:  # fmt: skip
    """One function with its time derivatives at fixed coordinates and rates: out = (f, ∂f/∂t, ∂²f/∂t²).

    f = g(x):     ḟ = g′ẋ,             f̈ = g″ẋ² + g′ẍ
    f = g(x, y):  ḟ = g_x ẋ + g_y ẏ,   f̈ = g_xx ẋ² + 2 g_xy ẋẏ + g_yy ẏ² + g_x ẍ + g_y ÿ

    t [s]; values [m or rad], rates [m/s or rad/s]: (measures,) the coordinates that instructions name by their places;
    stack: (depth, 3) work space; out: (3,)
    """
    for k in range(start[index], start[index + 1]):
        op, a, b = code[k, 0], code[k, 1], code[k, 2]
        x, x1, x2 = stack[a, 0], stack[a, 1], stack[a, 2]
        if op < FIRST_UNARY:
            if op == CONSTANT:
                stack[a, 0] = data[b]
            elif op == LOAD_TIME:
                stack[a, 0] = t
            else:
                stack[a, 0] = values[b] if op == LOAD_COORDINATE else rates[b]
            stack[a, 1], stack[a, 2] = 1.0 if op == LOAD_TIME else 0.0, 0.0
        elif op < FIRST_BINARY:
            g, g1, g2 = cubic(data, b, x) if op == SPLINE else unary(op, x)
            stack[a, 0] = g
            stack[a, 1], stack[a, 2] = g1 * x1, g2 * x1 * x1 + g1 * x2
        elif op >= FIRST_CHOICE:
            if not first_wins(op, x, stack[b, 0]):
                stack[a, 0], stack[a, 1], stack[a, 2] = stack[b, 0], stack[b, 1], stack[b, 2]
        else:
            y1, y2 = stack[b, 1], stack[b, 2]
            f, fx, fy, fxx, fxy, fyy = binary(op, x, stack[b, 0])
            stack[a, 0] = f
            stack[a, 1] = fx * x1 + fy * y1
            stack[a, 2] = fxx * x1 * x1 + 2.0 * fxy * x1 * y1 + fyy * y1 * y1 + fx * x2 + fy * y2
        if code[k, 3] == 0:
            stack[a, 1], stack[a, 2] = 0.0, 0.0
    out[0], out[1], out[2] = stack[0, 0], stack[0, 1], stack[0, 2]
