"""Forces: kinds of loads, one file each; the folder is the registry.

Every kind comes down to two loads: an effort along a scalar measure, and a wrench on a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reactio.fields import Field
from reactio.functions import Function
from reactio.places import CoordinateName, End
from reactio.registry import Registry

FORCES: Registry[ForceType] = Registry("force", "reactio.forces")


@dataclass(frozen=True, slots=True)
class Effort:
    """A force or torque f(t, s, ṡ) along a coordinate s: Q += (∂ṡ/∂v)ᵀ f."""

    law: Function
    along: CoordinateName | None = None  # a joint coordinate, or
    between: tuple[End, End] | None = None  # the distance between two points


@dataclass(frozen=True, slots=True)
class Wrench:
    """A force and a moment f(t) on a frame, in world axes or in those of the frame."""

    at: End
    force: tuple[Function, ...] = ()
    moment: tuple[Function, ...] = ()
    in_body: bool = False


@dataclass(frozen=True, slots=True)
class ForceType:
    """A kind of force: its fields, and the loads that follow from them."""

    name: str
    fields: tuple[Field, ...]
    loads: Callable[[Mapping[str, Any]], tuple[Effort | Wrench, ...]]
    doc: str


def register(force: ForceType) -> ForceType:
    """Make a force type known by its name."""
    return FORCES.add(force.name, force)
