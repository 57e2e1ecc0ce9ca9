"""Forces: kinds of loads, one file each; the folder is the registry.

Every kind comes down to loads.  A load acts along one or more velocities ṡ by a law f(t, s, ṡ): Q += (∂ṡ/∂v)ᵀ f.  What
it acts along are joint coordinates, measures between two frames, or the velocity of one frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from reactio.catalogue.fields import Field, Mirrored
from reactio.catalogue.places import CoordinateName, End
from reactio.catalogue.registry import Registry
from reactio.errors import ReactioError
from reactio.functions import Function
from reactio.functions.program import check_finite
from reactio.primitives import PLANAR_PRIMITIVES, SPATIAL_PRIMITIVES, Combination

FORCES: Registry[ForceType] = Registry("force", "reactio.forces")
register = FORCES.register


@dataclass(frozen=True, slots=True)
class JointCoordinates:
    """Joint coordinates s: the displacements and angles that joints leave free."""

    names: tuple[CoordinateName, ...]
    ends: ClassVar[tuple[End, ...]] = ()  # those of the joints

    @property
    def size(self) -> int:
        """How many efforts act along them."""
        return len(self.names)


@dataclass(frozen=True, slots=True)
class FrameMeasures:
    """Measures s of frame B against frame A: displacements, angles, a distance."""

    a: End
    b: End
    measures: tuple[Combination, ...]  # single measures: slide("x"), angle("z"), …

    def __post_init__(self) -> None:
        if any(len(measure.terms) != 1 for measure in self.measures):
            raise ReactioError("A load acts along single measures; K and D couple them.")

    @property
    def ends(self) -> tuple[End, ...]:
        """The frames it acts on."""
        return self.a, self.b

    @property
    def size(self) -> int:
        """How many efforts act along them."""
        return len(self.measures)


@dataclass(frozen=True, slots=True)
class FrameVelocity:
    """The velocity of a frame's origin, or its angular velocity, by components in world axes or in its own.

    A force or a moment acts along it.  Components are no rates of coordinates s: the law is one of time alone.
    """

    at: End
    angular: bool = False
    in_body: bool = False

    @property
    def ends(self) -> tuple[End, ...]:
        """The frame it acts on."""
        return (self.at,)

    @property
    def size(self) -> int:
        """Components: of a force 2 in the plane and 3 in space, of a moment 1 and 3."""
        return 3 if len(self.at.point) != 2 else 1 if self.angular else 2


@dataclass(frozen=True, slots=True)
class ForceLaw:
    """Efforts f along coordinates s: a function of each coordinate, a linear part with matrices, or both.

        f_i = f_i(t, s_i, ṡ_i) − Σ_j K_ij (s_j − s₀_j) − Σ_j D_ij ṡ_j

    Its potential is that of the symmetric part of K, ½ (s − s₀)ᵀ K (s − s₀); everything else does work.
    """

    functions: tuple[Function, ...] = ()  # one for each effort, or none
    stiffness: tuple[tuple[float, ...], ...] = ()  # K [N/m, N, N m/rad], zero when left out
    damping: tuple[tuple[float, ...], ...] = ()  # D [N s/m, N s, N m s/rad], zero when left out
    free: tuple[float, ...] = ()  # s₀ [m, rad], zero when left out

    def __post_init__(self) -> None:
        numbers = {"stiffness": sum(self.stiffness, ()), "damping": sum(self.damping, ()), "free": self.free}
        check_finite("force law", **numbers)

    @property
    def linear(self) -> bool:
        """Has it a stiffness or a damping?"""
        return bool(self.stiffness or self.damping)

    def linear_entries(self) -> Iterator[tuple[int, int, float, float, float]]:
        """By rows: i, j, K_ij, D_ij, and ½ (K_ij + K_ji), which the potential has."""
        size = max(len(self.stiffness), len(self.damping))
        none = ((0.0,) * size,) * size
        K, D = self.stiffness or none, self.damping or none
        for i, j in product(range(size), repeat=2):
            yield i, j, K[i][j], D[i][j], 0.5 * (K[i][j] + K[j][i])


@dataclass(frozen=True, slots=True)
class Normal:
    """The part of a joint's own reaction that presses its surfaces together, across the axis of a freedom.

    ``along``: the coordinate of that freedom.
    ``pad``: 0 for the whole force across the axis; else what a bearing at this distance [m] from the origin of frame B
    along the axis takes of it, with another as far on the other side: N = F/2 + M×a/(2 pad).
    ``thrust``: the force along the axis instead.  ``radius`` [m] is where they rub, for rotations.
    """

    along: CoordinateName
    radius: float | None = None
    pad: float = 0.0
    thrust: bool = False


@dataclass(frozen=True, slots=True)
class AppliedLoad:
    """Efforts f along velocities ṡ by a law, Q += (∂ṡ/∂v)ᵀ f(t, s, ṡ); with ``normal`` they are f |N|."""

    along: JointCoordinates | FrameMeasures | FrameVelocity
    law: ForceLaw
    normal: Normal | None = None  # the reaction they are proportional to

    def __post_init__(self) -> None:
        size, law = self.along.size, self.law
        for name, matrix in (("stiffness", law.stiffness), ("damping", law.damping)):
            if matrix and {len(matrix), *map(len, matrix)} != {size}:
                shape = len(matrix), len(matrix[0])
                raise ReactioError(f"{name} is {shape}; {size} rows of {size} numbers are needed here.")
        for name, each in (("functions", law.functions), ("free", law.free)):
            if each and len(each) != size:
                raise ReactioError(f"{name}: {len(each)} are given for {size} efforts.")
        if law.linear and (self.normal is not None or isinstance(self.along, FrameVelocity)):
            raise ReactioError("stiffness and damping need coordinates, and efforts that no reaction decides.")


def distance(a: End, b: End) -> FrameMeasures:
    """The distance between two points."""
    primitive = (PLANAR_PRIMITIVES if len(a.point) == 2 else SPATIAL_PRIMITIVES).get("distance")
    return FrameMeasures(a, b, (primitive(),))


def spring_law(stiffness: float, free: float = 0.0, damping: float = 0.0) -> ForceLaw:
    """f = −k (s − s₀) − d ṡ along one coordinate."""
    return ForceLaw(stiffness=((stiffness,),), damping=((damping,),), free=(free,))


@dataclass(frozen=True, slots=True)
class ForceType:
    """A kind of force: its fields, and the loads that follow from them."""

    name: str
    fields: tuple[Field, ...]
    loads: Callable[[Mapping[str, Any]], tuple[AppliedLoad, ...]]
    doc: str
    # How its numbers look in a mirror, apart from places and functions of time; None: no mirrored sub-assembly has it.
    mirrored: Mirrored | None = None
