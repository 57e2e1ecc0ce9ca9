"""Published numbers beside ours, one paper in each file; the folder is the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reactio.registry import Registry

PAPERS: Registry[Paper] = Registry("paper", "reactio.reproduce")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One published number beside ours, or a finding about what is printed."""

    quantity: str
    where: str  # table or equation of the paper
    paper: float | str | None  # None where the paper prints nothing
    ours: float | str
    tolerance: float  # largest difference of numbers that still agrees
    holds: bool  # do they agree, or is the finding confirmed?
    note: str = ""


def compared(
    quantity: str, where: str, paper: float | str, ours: float | str, tolerance: float = 0.0, note: str = ""
) -> Comparison:
    """A published number or word beside ours."""
    if isinstance(paper, str) or isinstance(ours, str):
        return Comparison(quantity, where, paper, ours, tolerance, paper == ours, note)
    return Comparison(quantity, where, paper, ours, tolerance, abs(paper - ours) <= tolerance, note)


def found(quantity: str, where: str, ours: float | str, expected: float | str, note: str = "") -> Comparison:
    """Something the paper does not print, confirmed where ours is what was expected."""
    return Comparison(quantity, where, None, ours, 0.0, ours == expected, note)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and the way to its numbers."""

    name: str
    cite: str
    compare: Callable[[], tuple[Comparison, ...]]


def register(paper: Paper) -> Paper:
    """Make a paper known by its name."""
    return PAPERS.add(paper.name, paper)


def reproduce(name: str) -> tuple[Comparison, ...]:
    """Every published number of a paper beside ours.

    >>> all(row.holds for row in reproduce("sharma"))
    True
    """
    return PAPERS.get(name).compare()
