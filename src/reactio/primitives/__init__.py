"""Primitives: all constraint mathematics, one scalar function of two frames in each file.

A primitive gives, for frames A and B, a value s with its first and second derivative on their twists V = (v, ω):

    ṡ = D_A V_A + D_B V_B,        s̈ = D_A V̇_A + D_B V̇_B + σ

A *measure* is a primitive with its axes chosen, ``slide("x")``.  Joints, drives, couplings and springs are linear
combinations of measures: ``slide("z") - pitch * angle("z")``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from reactio.catalogue.registry import Registry
from reactio.kernels import Kernel

AXES = {"x": 0, "y": 1, "z": 2}

PLANAR_PRIMITIVES: Registry[Primitive] = Registry("planar primitive", "reactio.primitives.planar")
SPATIAL_PRIMITIVES: Registry[Primitive] = Registry("spatial primitive", "reactio.primitives.spatial")
PRIMITIVES_BY_SPACE = {"planar": PLANAR_PRIMITIVES, "spatial": SPATIAL_PRIMITIVES}


@dataclass(frozen=True, slots=True)
class Primitive:
    """A scalar function of two frames; called with axes it makes a measure."""

    name: str
    space: str
    unit: str  # of the value: "m", "rad" or "m²"
    label: str  # name of its row, with {k}, {l} for the axes
    formula: Kernel[..., Any]  # (A, B, k, l, p, memory) → value, D_Av, D_Aw, D_Bv, D_Bw, σ
    holonomic: bool  # False: only the velocity row exists, value is 0
    remembers: bool  # True: an angle counted over full turns, which needs a memory in q
    turns: str  # whose orientation the value depends on: "", "A", "B" or "AB"
    doc: str
    exact: bool = False  # no constant in its formula is rounded: on fractions it gives exact results, or raises

    def __call__(self, k: str = "x", l: str = "x", *, parameter: str = "") -> Combination:
        """The measure along axis k of A (and axis l of B), with a joint's parameter by name."""
        return Combination(((1.0, Measure(self, AXES[k], AXES[l], parameter)),))


@dataclass(frozen=True, slots=True)
class Measure:
    """A primitive with its axes chosen."""

    primitive: Primitive
    k: int  # axis of A
    l: int  # axis of B
    parameter: str = ""  # name of the joint's parameter handed to the formula, or ""


@dataclass(frozen=True, slots=True)
class Scaled:
    """A coefficient that is a joint's parameter: ``factor`` times ``parameter``, or times a function of it."""

    factor: float
    parameter: str
    function: Callable[[float], float] | None = None

    def __mul__(self, other: Combination) -> Combination:
        return other.times(self)

    def __neg__(self) -> Scaled:
        return Scaled(-self.factor, self.parameter, self.function)

    def of(self, value: float) -> float:
        """The coefficient for a value of the parameter."""
        return self.factor * (value if self.function is None else self.function(value))


@dataclass(frozen=True, slots=True)
class Combination:
    """A linear combination of measures: one row of a joint."""

    terms: tuple[tuple[float | Scaled, Measure], ...]

    def __add__(self, other: Combination) -> Combination:
        return Combination(self.terms + other.terms)

    def __sub__(self, other: Combination) -> Combination:
        return Combination(self.terms + tuple((-c, m) for c, m in other.terms))

    def __rmul__(self, factor: float) -> Combination:
        return Combination(tuple((factor * _number(c), m) for c, m in self.terms))

    def times(self, factor: Scaled) -> Combination:
        """Every coefficient multiplied by a joint's parameter."""
        return Combination(tuple((replace(factor, factor=_number(c) * factor.factor), m) for c, m in self.terms))

    @property
    def holonomic(self) -> bool:
        """Does the row exist at position level?"""
        return all(m.primitive.holonomic for _, m in self.terms)

    @property
    def label(self) -> str:
        """Name of the row, that of its first measure."""
        measure = self.terms[0][1]
        return measure.primitive.label.format(k="xyz"[measure.k], l="xyz"[measure.l])

    @property
    def unit(self) -> str:
        """Unit of the row, that of its first measure."""
        return self.terms[0][1].primitive.unit


def _number(coefficient: float | Scaled) -> float:
    if isinstance(coefficient, Scaled):
        raise TypeError("A coefficient holds one parameter at most.")
    return coefficient


def primitive(
    space: str,
    unit: str,
    label: str,
    *,
    holonomic: bool = True,
    remembers: bool = False,
    turns: str = "AB",
    exact: bool = False,
) -> Callable[[Callable[..., Any]], Primitive]:
    """Register a formula as a primitive of the plane or of space."""

    def register(function: Callable[..., Any]) -> Primitive:
        name = function.__name__
        doc = function.__doc__ or ""
        entry = Primitive(name, space, unit, label, Kernel(function), holonomic, remembers, turns, doc, exact)
        return PRIMITIVES_BY_SPACE[space].add(name, entry)

    return register
