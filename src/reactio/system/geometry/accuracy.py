"""The accuracy of a geometry: as the model states it, or by how far its poses leave joints open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from reactio.linear.precision import ROUNDOFF
from reactio.model.accuracy import Accuracy, accuracy_of
from reactio.space.frames import arms_of_frames, origins_of_frames
from reactio.system.evaluate.evaluation import Evaluation, given_work
from reactio.system.memo import memoised
from reactio.system.types import System
from reactio.uniqueness.engine import ROUNDING_OF_ENTRIES
from reactio.uniqueness.geometry import AccuracySource

CLOSED_JOINT = ROUNDOFF  # of the characteristic length: joints that are open by less are closed
LARGEST_CLOSURE_ERROR = 1e-5  # of the same: wider gaps are a mistake in the given pose, not rounding of its digits


class Levels(NamedTuple):
    """The three levels of ``Tolerances``, in another unit or as limits."""

    zero: float
    decide: float
    sure: float


PER_ACCURACY = Levels(10.0, 50.0, 500.0)  # tolerances in units of the relative accuracy
LARGEST_LEVELS = Levels(0.02, 0.1, 0.5)  # of tolerances, however rough the geometry is
# Least relative singular value whose direction is followed when joints of a geometry known to some digits are closed.
CLOSING_CUT = 1e-5
# Misplacements in units of the accuracy: up to the first the geometry may be exact, from the second on it is not.
SURELY_WITHIN, SURELY_OUTSIDE = 1.5, 3.0


@dataclass(frozen=True, slots=True)
class GeometryAccuracy:
    """Accuracy of the joints of a system: ``length`` [m], ``angle`` [rad], and where it comes from."""

    length: float
    angle: float
    source: AccuracySource
    words: str
    relative: float  # the larger of length over the characteristic length, and angle

    @property
    def closing_cut(self) -> float:
        """Least relative singular value whose direction is followed when joints are closed.

        Steps along smaller ones displace bodies far without closing the joints.
        """
        return min(max(PER_ACCURACY.decide * self.relative, CLOSING_CUT), LARGEST_LEVELS.zero)


@memoised
def known_accuracy(system: System) -> GeometryAccuracy | None:
    """The stated accuracy of the model, else how far the given poses leave joints open; None where they close.

    A joint that is open by no more than the rounding of its coordinates is closed: a machine of 2 µm may stand 1 m away
    from the origin.
    """
    stated = system.model.accuracy
    if stated is not None:
        angle = stated.length / system.length if stated.angle is None else stated.angle
        relative = max(stated.length / system.length, angle)
        source = AccuracySource.STATED if stated.stated else AccuracySource.CLOSURE
        return GeometryAccuracy(stated.length, angle, source, str(stated), relative)
    eqs = Evaluation(system, system.state(), given_work(system))
    open_by, closed = closure(eqs), max(CLOSED_JOINT * system.length, ROUNDING_OF_ENTRIES * _largest_coordinate(eqs))
    if not closed < open_by <= LARGEST_CLOSURE_ERROR * system.length:
        return None
    relative = open_by / system.length
    return GeometryAccuracy(open_by, relative, AccuracySource.CLOSURE, str(Accuracy(open_by)), relative)


def with_accuracy(system: System, accuracy: Accuracy | str | float | tuple[float, float] | None) -> System:
    """The same system with another accuracy; None leaves that of its model."""
    given = accuracy_of(accuracy)
    return system if given is None else replace(system, model=replace(system.model, accuracy=given))


def closure(eqs: Evaluation) -> float:
    """The largest gap of a joint or coupling in a pose [m]; radians count on the characteristic length."""
    gaps = np.abs(eqs.Phi) * (eqs.system.length / eqs.system.row_scale)
    return float(gaps.max(where=~eqs.system.driven_rows, initial=0.0))


def rounding(eqs: Evaluation) -> float:
    """The error of the entries of C, as a part of them: by sums of coordinates and by joints left open.

    ε (1 + x/L) + Φ/L: arms of length up to L are differences of coordinates up to x, which have errors of ε x.
    """
    length = eqs.system.length
    return ROUNDING_OF_ENTRIES * (1.0 + _largest_coordinate(eqs) / length) + closure(eqs) / length


def _largest_coordinate(eqs: Evaluation) -> float:
    """Of the frames of all joints, in the world and on their bodies [m]."""
    F = eqs.work.F
    return max(float(np.abs(part).max(initial=0.0)) for part in (origins_of_frames(F), arms_of_frames(F)))
