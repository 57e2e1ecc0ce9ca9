"""Functions of OpenSim, value and slope at one place: coordinates move axes of joints by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from reactio.importers.reading.xml import XmlElement


class Tangent(NamedTuple):
    """The value of a function at a place, its slope there, and whether it is a line everywhere."""

    value: float
    slope: float
    linear: bool


def _line(element: XmlElement, x: float) -> Tangent:
    slope, constant = _list(element, "coefficients", 2)
    return Tangent(slope * x + constant, slope, True)


def _constant(element: XmlElement, x: float) -> Tangent:
    (value,) = _list(element, "value", 1)
    return Tangent(value, 0.0, True)


def _polynomial(element: XmlElement, x: float) -> Tangent:
    factors = np.array(_list(element, "coefficients"))
    return Tangent(float(np.polyval(factors, x)), float(np.polyval(np.polyder(factors), x)), len(factors) <= 2)


def _multiplied(element: XmlElement, x: float) -> Tangent:
    inner = element.find("function")
    if inner is None or not inner.children:
        raise element.fail("a MultiplierFunction needs a function.")
    scale = _list(element, "scale", 1)[0] if element.find("scale") is not None else 1.0
    value, slope, linear = tangent(inner.children[0], x)
    return Tangent(scale * value, scale * slope, linear)


def _spline(element: XmlElement, x: float) -> Tangent:
    """A natural cubic spline through the points, a line beyond its ends and through two points."""
    places, values = _points(element)
    if len(places) == 2:
        return _chord(places, values, x)
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(places, values, bc_type="natural")
    inside = float(np.clip(x, places[0], places[-1]))
    slope = float(spline(inside, 1))
    return Tangent(float(spline(inside)) + slope * (x - inside), slope, False)


def _pieces(element: XmlElement, x: float) -> Tangent:
    places, values = _points(element)
    k = int(np.clip(np.searchsorted(places, x) - 1, 0, len(places) - 2))
    return _chord(places[k : k + 2], values[k : k + 2], x)._replace(linear=len(places) == 2)


def _chord(places: list[float], values: list[float], x: float) -> Tangent:
    slope = (values[1] - values[0]) / (places[1] - places[0])
    return Tangent(values[0] + slope * (x - places[0]), slope, True)


def _points(element: XmlElement) -> tuple[list[float], list[float]]:
    places, values = _list(element, "x"), _list(element, "y")
    if len(places) != len(values) or len(places) < 2 or min(np.diff(places)) <= 0:
        raise element.fail(f"{element.tag}: x and y need as many numbers each, at least 2, and x must increase.")
    return places, values


def _list(element: XmlElement, tag: str, count: int | None = None) -> list[float]:
    child = element.find(tag)
    if child is None:
        raise element.fail(f"{element.tag} has no <{tag}>.")
    return child.numbers(child.text, len(child.text.split()) if count is None else count, f"{element.tag}: {tag}")


FUNCTIONS: dict[str, Callable[[XmlElement, float], Tangent]] = {
    "LinearFunction": _line,
    "Constant": _constant,
    "PolynomialFunction": _polynomial,
    "MultiplierFunction": _multiplied,
    "SimmSpline": _spline,
    "NaturalCubicSpline": _spline,
    "GCVSpline": _spline,
    "PiecewiseLinearFunction": _pieces,
}


def tangent(element: XmlElement, x: float) -> Tangent:
    """Value and slope of a function element at x."""
    if element.tag not in FUNCTIONS:
        raise element.fail(f"the function <{element.tag}> is not read; known are {', '.join(FUNCTIONS)}.")
    return FUNCTIONS[element.tag](element, x)
