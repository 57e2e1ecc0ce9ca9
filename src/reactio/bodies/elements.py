"""Elements of natural bodies: the first independent ones are the basis, each further one depends on it by linear rows.

Points and directions fixed on a body are constant combinations of its basis, so that a further element x has x − Σ c_k
q_k = 0: as many rows as columns.  Lengths and angles between elements, the quadratic rows of García de Jalón & Bayo
1994, Sect. 2.2 and 2.3, are combinations of these and of the rows of the basis, and are not written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from reactio.catalogue.places import End
from reactio.linear.precision import LOCATED, ROUNDOFF


class ElementKind(StrEnum):
    """What describes a natural body."""

    POINT = "point"  # fixed on the body
    VECTOR = "vector"  # a unit vector fixed on it


Given: TypeAlias = tuple[str, tuple[float, ...]]  # an ElementKind, and where, in body axes
BASIS_SIZE = {2: 2, 3: 4}  # elements of a basis in the plane and in space
# Sine of the angle of a direction against the span of those before it, from which on it counts as independent: a first
# choice asks for well separated directions (3°), a second for any that are independent beyond rounding.
SEPARATED, FLAT = 0.05, LOCATED
DEFAULT_BASIS: dict[int, tuple[Given, ...]] = {
    2: ((ElementKind.POINT, (0.0, 0.0)), (ElementKind.VECTOR, (1.0, 0.0))),
    3: (
        (ElementKind.POINT, (0.0, 0.0, 0.0)),
        (ElementKind.VECTOR, (1.0, 0.0, 0.0)),
        (ElementKind.VECTOR, (0.0, 1.0, 0.0)),
        (ElementKind.VECTOR, (0.0, 0.0, 1.0)),
    ),
}


class Elements(NamedTuple):
    """The elements of a body in the order of its coordinates."""

    basis: tuple[Given, ...]  # as many as describe the body, fewer where its elements do not
    further: tuple[Given, ...]

    @property
    def all(self) -> tuple[Given, ...]:
        """The basis first."""
        return self.basis + self.further


def elements(body: Any) -> Elements:
    """The elements of a natural body, its origin and axes when none are given."""
    if not body.elements:
        return Elements(DEFAULT_BASIS[len(body.position)], ())
    return basis_first(tuple((e.kind, e.at) for e in body.elements))


@lru_cache(maxsize=4096)
def basis_first(given: tuple[Given, ...]) -> Elements:
    """The first point and the first elements that are independent of those before them, then all others."""
    first = next((k for k, (kind, _) in enumerate(given) if kind == ElementKind.POINT), None)
    if first is None:
        return Elements((), given)
    needed = BASIS_SIZE[len(given[0][1])]
    for limit in (SEPARATED, FLAT):
        chosen = [first, *_independent(given, first, limit, needed - 1)]
        if len(chosen) == needed:
            break
    basis = tuple(e for k, e in enumerate(given) if k in chosen)
    return Elements(basis, tuple(e for k, e in enumerate(given) if k not in chosen))


def _independent(given: tuple[Given, ...], first: int, limit: float, most: int) -> list[int]:
    """The first elements whose directions, seen from a point, leave the span of those before them."""
    axes: list[list[float]] = []
    chosen: list[int] = []
    for k, (kind, at) in enumerate(given):
        direction = [a - b for a, b in zip(at, given[first][1], strict=True)] if kind == ElementKind.POINT else list(at)
        size = math.hypot(*direction)
        if k == first or len(chosen) == most or not size > 0:
            continue
        rest = _orthogonal_part([x / size for x in direction], axes)
        if (length := math.hypot(*rest)) > limit:
            axes.append([x / length for x in rest])
            chosen.append(k)
    return chosen


def _orthogonal_part(direction: list[float], axes: list[list[float]]) -> list[float]:
    """The part of a direction that is orthogonal to orthonormal axes."""
    for axis in axes:
        k = sum(x * y for x, y in zip(direction, axis, strict=True))
        direction = [x - k * y for x, y in zip(direction, axis, strict=True)]
    return direction


def element_at(body: Any, point: Sequence[float]) -> int | None:
    """The number of the element that is this point of the body, one of the basis if possible."""
    size = ROUNDOFF * (1.0 + max(abs(x) for x in point))
    for k, (kind, at) in enumerate(elements(body).all):
        if kind == ElementKind.POINT and max(abs(a - b) for a, b in zip(at, point, strict=True)) <= size:
            return k
    return None


def carrier(body: Any, end: End) -> int | None:
    """First velocity, within its body, of the further point that is the origin of a frame; None where there is none."""
    k = element_at(body, end.point) if elements(body).further else None
    return None if k is None or k < BASIS_SIZE[len(end.point)] else k * len(end.point)


def units(body: Any) -> tuple[str, ...]:
    """Points move in m/s, unit vectors turn in rad/s."""
    size = len(body.position)
    return tuple(u for kind, _ in elements(body).all for u in ("m/s" if kind == ElementKind.POINT else "rad/s",) * size)


def linear_rows(body: Any) -> tuple[tuple[str, str], ...]:
    """Labels and units of the rows of further elements: one for each of their coordinates."""
    elements_of_body, axes = elements(body), "xyz"[: len(body.position)]
    numbered = enumerate(elements_of_body.further, len(elements_of_body.basis) + 1)
    return tuple(
        (f"{kind}{k}.{axis}", "m" if kind == ElementKind.POINT else "rad") for k, (kind, _) in numbered for axis in axes
    )
