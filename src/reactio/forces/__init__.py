"""Forces: kinds of loads, one file each; the folder is the registry.

Every kind comes down to three loads: an effort along one measure, with any law; linear forces along several measures
that a matrix couples; and a wrench on a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reactio.fields import Field, Mirrored
from reactio.functions import Function
from reactio.places import CoordinateName, End
from reactio.primitives import Combination
from reactio.registry import Registry

FORCES: Registry[ForceType] = Registry("force", "reactio.forces")


@dataclass(frozen=True, slots=True)
class Normal:
    """The part of a joint's own reaction that presses its surfaces together, across the axis of a freedom.

    ``pad``: 0 for the whole force across the axis; else what a bearing at this distance [m] from the origin of frame B
    along the axis takes of it, with another as far on the other side: N = F/2 + M×a/(2 pad).
    ``thrust``: the force along the axis instead.  ``radius`` [m] is where they rub, for rotations.
    """

    radius: float | None = None
    pad: float = 0.0
    thrust: bool = False


@dataclass(frozen=True, slots=True)
class Effort:
    """A force or torque f(t, s, ṡ) along a coordinate s: Q += (∂ṡ/∂v)ᵀ f; with ``normal`` it is f |N|."""

    law: Function
    along: CoordinateName | None = None  # a joint coordinate, or
    between: tuple[End, End] | None = None  # the distance between two points
    normal: Normal | None = None  # the reaction of that joint it is proportional to


@dataclass(frozen=True, slots=True)
class Wrench:
    """A force and a moment f(t) on a frame, in world axes or in those of the frame."""

    at: End
    force: tuple[Function, ...] = ()
    moment: tuple[Function, ...] = ()
    in_body: bool = False


@dataclass(frozen=True, slots=True)
class MatrixLoad:
    """Forces along several measures s between two frames at once: f = −K (s − s₀) − D ṡ, Q += (∂ṡ/∂v)ᵀ f.

    Its potential is ½ (s − s₀)ᵀ K (s − s₀).  A linear ``Effort`` is the case of one measure.
    """

    between: tuple[End, End]  # frames A and B
    measures: tuple[Combination, ...]  # single measures: slide("x"), angle("z"), …
    stiffness: tuple[tuple[float, ...], ...]  # K, symmetric [N/m, N, N m/rad]
    damping: tuple[tuple[float, ...], ...] = ()  # D, none when left out
    free: tuple[float, ...] = ()  # s₀ [m, rad], zero when left out


@dataclass(frozen=True, slots=True)
class ForceType:
    """A kind of force: its fields, and the loads that follow from them."""

    name: str
    fields: tuple[Field, ...]
    loads: Callable[[Mapping[str, Any]], tuple[Effort | MatrixLoad | Wrench, ...]]
    doc: str
    # How its numbers look in a mirror, beside places and functions of time; None: no mirrored sub-assembly may hold it.
    mirrored: Mirrored | None = None


def register(force: ForceType) -> ForceType:
    """Make a force type known by its name."""
    return FORCES.add(force.name, force)
