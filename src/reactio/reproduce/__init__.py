"""Papers reproduced: every printed number beside ours, one file for each paper; the folder is the registry.

Nothing is adjusted to fit.  Where a print contradicts itself, the comparison shows both numbers and what explains them;
what a paper leaves open is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from reactio.registry import Registry

PAPERS: Registry[Paper] = Registry("paper", "reactio.reproduce")


class Agreement(StrEnum):
    """Whether a printed statement agrees with ours."""

    HOLDS = "holds"
    FAILS = "fails"
    SLIP = "slip"  # the print contradicts the paper's own data


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """One statement or number of a paper beside ours."""

    where: str  # Eq. 35, Table 1, Sect. 4.2, …
    what: str
    paper: str  # as printed
    ours: str
    status: Agreement
    note: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper with all that can be compared."""

    key: str
    title: str
    cite: str
    compare: Callable[[], Iterable[PrintedNumber]]
    left_open: tuple[str, ...] = ()  # what the text does not say, and what was assumed
    figures: Callable[[Path], Iterable[Path]] | None = None  # draws into a folder


def register(paper: Paper) -> Paper:
    """Make a paper known by its key."""
    return PAPERS.add(paper.key, paper)


def equal(where: str, what: str, paper: Any, ours: Any, note: str = "") -> PrintedNumber:
    """Both must be the same: counts, ranks, names.

    >>> print(equal("Eq. 8", "rank", 35, 35).status)
    holds
    """
    return PrintedNumber(
        where, what, _text(paper), _text(ours), Agreement.HOLDS if paper == ours else Agreement.FAILS, note
    )


def close(where: str, what: str, paper: float, ours: float, within: float, note: str = "") -> PrintedNumber:
    """Numbers that agree within what the printed digits allow."""
    status = Agreement.HOLDS if abs(paper - ours) <= within else Agreement.FAILS
    return PrintedNumber(where, what, f"{paper:g}", f"{ours:.6g}", status, note)


def below(where: str, what: str, said: str, ours: float, bound: float, note: str = "") -> PrintedNumber:
    """A statement, ``said``, that a quantity vanishes: ours must not exceed ``bound``."""
    return PrintedNumber(where, what, said, f"{ours:.2e}", Agreement.HOLDS if ours <= bound else Agreement.FAILS, note)


def above(where: str, what: str, said: str, ours: float, bound: float, note: str = "") -> PrintedNumber:
    """A statement, ``said``, that a quantity does not vanish: ours must exceed ``bound``."""
    return PrintedNumber(where, what, said, f"{ours:.3g}", Agreement.HOLDS if ours > bound else Agreement.FAILS, note)


def slip(where: str, what: str, paper: float, ours: float, mended: float, within: float, why: str) -> PrintedNumber:
    """A printed number that follows from ``mended`` data, not from the printed ones (``ours``).

    ``why`` names what was mended; the comparison fails where that does not explain the number either.
    """
    explained = abs(paper - mended) <= within < abs(paper - ours)
    return PrintedNumber(
        where,
        what,
        f"{paper:g}",
        f"{ours:.4g}",
        Agreement.SLIP if explained else Agreement.FAILS,
        f"{why}: {mended:.4g}",
    )


def reproduce(keys: Iterable[str] = ()) -> Iterator[tuple[Paper, tuple[PrintedNumber, ...]]]:
    """The comparisons of the papers of these keys, of all papers when none is named.

    >>> [paper.key for paper, _ in reproduce(["wojtyra2012"])]
    ['wojtyra2012']
    """
    papers = [PAPERS.get(key) for key in keys] or PAPERS.values()
    for paper in papers:
        yield paper, tuple(paper.compare())


def _text(value: Any) -> str:
    if isinstance(value, (set, frozenset, tuple, list)):
        return ", ".join(sorted(map(str, value)) if isinstance(value, (set, frozenset)) else map(str, value)) or "none"
    return str(value)
