"""A published measurement: its readings, and the model that predicts them from data within stated ranges."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from reactio.joint_reactions.at_state import reactions
from reactio.model.model import Model
from reactio.reproduce import Agreement, PrintedNumber

Prediction = dict[str, float]  # quantity → value
RULE_DIVISION = 1e-3  # [m]: lengths read from a rule, where a source does not say how well they are known


@dataclass(frozen=True, slots=True)
class PublishedReading:
    """A published reading: the quantity, its value, and the resolution of its digits or of its instrument."""

    what: str
    value: float
    resolution: float


@dataclass(frozen=True, eq=False)
class Measurement:
    """A case: readings, and the model that predicts them from data within stated ranges."""

    name: str
    source: str
    model: str  # in words
    ranges: Mapping[str, tuple[float, float]]  # datum → its least and largest value
    stated: str  # where these ranges come from
    predict: Callable[[Mapping[str, float]], Prediction]
    readings: tuple[PublishedReading, ...]
    at: str
    miss: str  # what a reading outside may come from
    read: str  # the part of the source that was read, and how its words were taken

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The least and largest prediction of every quantity over all corners of the ranges."""
        corners = [
            self.predict(dict(zip(self.ranges, values, strict=True)))
            for values in itertools.product(*self.ranges.values())
        ]
        return {
            key: (min(corner[key] for corner in corners), max(corner[key] for corner in corners)) for key in corners[0]
        }

    def rows(self) -> Iterator[PrintedNumber]:
        """Every reading with its interval: inside, or a miss."""
        for reading in self.readings:
            low, high = self.intervals[reading.what]
            low, high = low - reading.resolution, high + reading.resolution
            inside = low <= reading.value <= high
            yield PrintedNumber(
                where=self.name,
                what=reading.what,
                paper=f"{reading.value:g}",
                ours=f"{low:.4g} … {high:.4g}",
                status=Agreement.HOLDS if inside else Agreement.DIFFERS,
                note="" if inside else f"outside by {_outside(low, high, reading.value):.2g}; {self.miss}",
                tolerance="inside" if inside else "outside",
                at=self.at,
                level=self.model,
            )


def joint_forces(model: Model, rule: str | None) -> Prediction:
    """The force of every joint [N]: tension of members, along world z or y of others."""
    shared = reactions(model, rule)
    return {
        name: reaction.axial if (reaction := shared[name]).axial is not None else float(reaction.force[-1])
        for name in shared
    }


def _outside(low: float, high: float, value: float) -> float:
    return max(low - value, value - high, 0.0)
