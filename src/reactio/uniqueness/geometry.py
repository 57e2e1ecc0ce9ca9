"""How a verdict depends on the accuracy of a geometry: the rank next to it, and how far away that is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from reactio.errors import listed
from reactio.results.as_data import Result, picked


class AccuracySource(StrEnum):
    """How the accuracy of a geometry is known."""

    STATED = "stated"  # the model, or the user, says so
    CLOSURE = "closure"  # the given poses leave joints open by so much


@dataclass(frozen=True, slots=True)
class OtherRank:
    """A geometry of another rank close by, and the smallest misplacement of joints that separates the two.

    ``length`` [m] or ``angle`` [rad]: how far the joint that moves most must be shifted or tilted, None where shifts
    (tilts) alone do not lead there; both None where it is not known.  ``joints``: which move, the farthest first.
    """

    rank: int
    redundancy: int
    mobility: int
    length: float | None
    angle: float | None
    joints: tuple[str, ...]
    distance: str  # in words: "10 µm", "0.1 mrad"

    def __str__(self) -> str:
        return f"mobility {self.mobility} (rank {self.rank})"


class DifferingVerdict(NamedTuple):
    """The verdict on a group, and how many of its components are determined."""

    name: str
    verdict: str
    determined: int


@dataclass(frozen=True, slots=True)
class Geometry(Result):
    """How accurately the places and axes of joints are known, and which ranks and verdicts are near.

    ``as_written``: the reading of the numbers as they stand, where the accuracy cannot tell them from an aligned
    geometry of lower rank, whose verdicts are then given.  ``nearest``: the next lower rank, where it is less than a
    thousandth of the size away.  ``differing``: verdicts on the numbers as they stand, where they are others.
    """

    KEYS = "accuracy=known_to as_written nearest differing words"

    length: float | None = None  # accuracy [m]; None where nothing is stated
    angle: float | None = None  # [rad]
    source: AccuracySource | None = None
    accuracy: str = ""  # in words: "0.1 mm and 1 mrad"
    as_written: OtherRank | None = None
    nearest: OtherRank | None = None
    differing: tuple[DifferingVerdict, ...] = ()

    @property
    def known_to(self) -> dict[str, Any] | None:
        """The accuracy in numbers, and where it comes from; None where nothing is known of it."""
        return picked(self, "length angle source") if self.source else None

    @property
    def words(self) -> tuple[str, ...]:
        """What the head of an answer says about it."""
        return tuple(s for s in (self._accuracy(), self._as_written(), self._nearest()) if s)

    def _accuracy(self) -> str:
        if not self.accuracy:
            return ""
        how = "as stated" if self.source is AccuracySource.STATED else "by which its loops stay open"
        return f"Its geometry is known to {self.accuracy}, {how}."

    def _as_written(self) -> str:
        if self.as_written is None:
            return ""
        written = self.as_written
        names = listed([joint.name for joint in self.differing], most=6)
        verdicts = f"; other verdicts on {names}" if names else ""
        return f"Taken to the last digit it would have {written}: it misses alignment by {written.distance}{verdicts}."

    def _nearest(self) -> str:
        if self.nearest is None:
            return ""
        names = listed(self.nearest.joints, most=3)
        return f"{self.nearest.distance} from {self.nearest}" + (f": {names}." if names else ".")
