"""The zero of a function between two times at which its signs differ."""

from __future__ import annotations

from collections.abc import Callable

EPSILON = 2.0**-52  # distance of neighbouring floats at 1: a time is not located better than that part of it
MOST_EVALUATIONS = 200  # of the function; halving alone needs some sixty


def root(function: Callable[[float], float], a: float, b: float, ends: tuple[float, float], close: float) -> float:
    """The time between a and b at which a function changes sign, to ``close`` or rounding; ``ends``: its values there.

    By inverse quadratic interpolation through three points where that is sure to be monotonic, else by bisection
    (Chandrupatla 1997).  Of the last two times, that with the smaller absolute value is returned.

    >>> round(root(lambda t: t**3 - 2, 0.0, 2.0, (-2.0, 6.0), 1e-13), 12)
    1.259921049895
    """
    fa, fb = ends
    part = 0.5
    for _ in range(MOST_EVALUATIONS):
        x = a + part * (b - a)
        fx = function(x)
        if (fx > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = x, fx
        least = (close + 2 * EPSILON * abs(a)) / abs(b - a)
        if least > 0.5 or fa == 0.0:
            break
        part = min(max(_inverse((a, b, c), (fa, fb, fc)), least), 1.0 - least)
    return a if abs(fa) < abs(fb) else b


def _inverse(at: tuple[float, float, float], values: tuple[float, float, float]) -> float:
    """The zero x of the inverse parabola as (x − a)/(b − a); ½ where the parabola may not be monotonic."""
    (a, b, c), (fa, fb, fc) = at, values
    if fc in (fa, fb):
        return 0.5
    xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
    if not (phi * phi < xi and (1 - phi) ** 2 < 1 - xi):
        return 0.5
    return fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
