"""Papers reproduced: every printed number next to ours, one file for each paper; the folder is the registry.

Nothing is adjusted to fit.  Every comparison states its quantity, the instant and the level it was taken at, and the
tolerance within which it could have failed.  Where a print contradicts itself, the comparison shows both numbers and
the explanation; what a paper leaves open is listed, and numbers of our own are counted apart from printed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from reactio.catalogue.registry import Registry

PAPERS: Registry[Paper] = Registry("paper", "reactio.reproduce", key="key")
register = PAPERS.register


class Agreement(StrEnum):
    """Whether a printed statement agrees with ours."""

    HOLDS = "holds"
    FAILS = "fails"
    SLIP = "slip"  # the print contradicts the paper's own data
    DIFFERS = "differs"  # the print is not met by the data at hand, and the row says why and by how much


class NumberSource(StrEnum):
    """The source of the number that ours is compared with."""

    PRINTED = "printed"  # a number or a statement of the paper
    OWN = "own"  # a calculation of ours, by hand or by another method: the paper prints nothing


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """One statement or number of a paper, or of a calculation by hand, next to ours."""

    where: str  # Eq. 35, Table 1, Sect. 4.2, …
    what: str  # the quantity, with its unit
    paper: str  # as printed
    ours: str
    status: Agreement
    note: str = ""
    tolerance: str = ""  # what ours may differ by, or the bound that it must keep
    at: str = ""  # the instant, pose or interval of time that it was taken at
    level: str = ""  # the model behind it: geometry, rigid dynamics, split rods, …
    source: NumberSource = NumberSource.PRINTED


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper with all that can be compared."""

    key: str
    title: str
    cite: str
    compare: Callable[[], Iterable[PrintedNumber]]
    left_open: tuple[str, ...] = ()  # gaps in the text, and the assumptions made
    figures: Callable[[Path, str], Iterable[Path]] | None = None  # draws into a folder, in the format of a suffix


def equal(where: str, what: str, paper: Any, ours: Any, note: str = "") -> PrintedNumber:
    """Both must be the same: counts, ranks, names.

    >>> print(equal("Eq. 8", "rank", 35, 35).status)
    holds
    """
    status = Agreement.HOLDS if paper == ours else Agreement.FAILS
    return PrintedNumber(where, what, _text(paper), _text(ours), status, note, "exact")


def close(where: str, what: str, paper: float, ours: float, within: float, note: str = "") -> PrintedNumber:
    """Numbers that agree within what the printed digits allow."""
    status = Agreement.HOLDS if abs(paper - ours) <= within else Agreement.FAILS
    return PrintedNumber(where, what, f"{paper:g}", f"{ours:.6g}", status, note, f"± {within:g}")


def below(where: str, what: str, statement: str, ours: float, bound: float, note: str = "") -> PrintedNumber:
    """A statement, ``said``, that a quantity vanishes: ours must not exceed ``bound``."""
    status = Agreement.HOLDS if ours <= bound else Agreement.FAILS
    return PrintedNumber(where, what, statement, f"{ours:.2e}", status, note, f"≤ {bound:g}")


def above(where: str, what: str, statement: str, ours: float, bound: float, note: str = "") -> PrintedNumber:
    """A statement, ``said``, that a quantity does not vanish: ours must exceed ``bound``."""
    status = Agreement.HOLDS if ours > bound else Agreement.FAILS
    return PrintedNumber(where, what, statement, f"{ours:.3g}", status, note, f"> {bound:g}")


def differs(
    where: str, what: str, statement: str, bound: float, ours: float, ours_range: tuple[float, float], why: str
) -> PrintedNumber:
    """A printed bound that ours exceeds, with the reason; it fails where ours leaves the range that is known.

    A statement that is met after all fails too: then there is nothing to explain.
    """
    low, high = ours_range
    status = Agreement.DIFFERS if bound < low <= ours <= high else Agreement.FAILS
    return PrintedNumber(where, what, statement, f"{ours:.3g}", status, why, f"{low:g} … {high:g}")


def slip(where: str, what: str, paper: float, ours: float, mended: float, within: float, why: str) -> PrintedNumber:
    """A printed number that follows from ``mended`` data, not from the printed ones (``ours``).

    ``why`` names what was mended; the comparison fails where that does not explain the number either.
    """
    explained = abs(paper - mended) <= within < abs(paper - ours)
    status = Agreement.SLIP if explained else Agreement.FAILS
    return PrintedNumber(where, what, f"{paper:g}", f"{ours:.4g}", status, f"{why}: {mended:.4g}", f"± {within:g}")


def stated(rows: Iterable[PrintedNumber], at: str, level: str) -> Iterator[PrintedNumber]:
    """The rows with the instant and the level at which they were taken, where they do not say so themselves."""
    for row in rows:
        yield replace(row, at=row.at or at, level=row.level or level)


def by_ourselves(rows: Iterable[PrintedNumber]) -> Iterator[PrintedNumber]:
    """Rows that compare with a calculation of ours, and are counted apart from what the paper prints."""
    for row in rows:
        yield replace(row, source=NumberSource.OWN)


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
