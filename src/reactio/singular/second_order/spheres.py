"""Zeros of the reduced equations on spheres |a| = r around a singular pose, for a falling sequence of r.

A motion that begins at the pose meets every small sphere.  So a zero that is there on all of them, down to where
rounding hides it, is a branch; where none is there, down to that limit, nothing moves; else neither is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Bools, Floats
from reactio.linear.precision import LOCATED
from reactio.singular.second_order.reduction import ReducedPoint, Reduction

# [characteristic lengths] The largest sphere: obstructions of high order show on large ones only.  The smallest: on it
# terms of second order are still 1e9 times rounding.
LARGEST_RADIUS, SMALLEST_RADIUS = 0.8, 0.02
CIRCLE_RATIO = 0.5  # of one radius to the next where a whole circle is examined
POINT_RATIO = 2**-0.5  # … where one direction is: a high power of r shows on few spheres
SHRINKING_RADIUS = 1e-6  # [characteristic lengths] at which no smaller domain of the reduction is tried
CIRCLE_SAMPLES = (32, 64, 128)  # of g on a circle: its Fourier series then ends in rounding, or the next number is used
FINE_SAMPLES = 4096  # of the Fourier series, among which its extremes are sought
REFINING_STEPS = 60  # bisections between two of them
LARGEST_HIDDEN_PART = 0.25  # of a circle, on which g may be rounding: zeros then are known to half of a right angle
ARC_END = LOCATED  # [rad] from the ends of an arc, where its parametrisation has an extreme of its own
CLEARLY_OPEN = 10.0  # times rounding, from which on a value is not zero
# A value that falls like a power of r meets rounding at a radius that follows from those before; where it is zero too
# early by this factor, it is a zero and not rounding.
PREDICTED_ROUNDING = 100.0
FEWEST_ZEROS = 3  # spheres in a row, the smallest ones, on which a motion that is missing on larger ones must be there
LARGEST_ZERO_TURN = 0.35  # [rad] of a zero from one circle to the next of half its radius
SAME_TANGENT_POWER = 0.25  # of r, with which the angle between two zeros falls that have one tangent; else it stays


Coefficients = NDArray[np.complex128]  # (j, p) of Fourier series


class BranchStatus(StrEnum):
    """Whether a direction that first order allows is the beginning of a motion."""

    REAL = "real"  # it was followed
    INFINITESIMAL = "infinitesimal"  # nothing moves that way
    UNDECIDED = "undecided"  # neither shows


def verdict(values: Sequence[float], rounding: Sequence[float]) -> BranchStatus:
    """The status of a direction by the smallest |g| near it on falling spheres, and the rounding of each.

    Real where it vanishes on all of them, or on the smallest ones though the power law of larger ones lets it not;
    infinitesimal where it does not vanish before rounding hides it.
    """
    open_at = [k for k, (value, floor) in enumerate(zip(values, rounding, strict=True)) if value > CLEARLY_OPEN * floor]
    if not values:
        return BranchStatus.UNDECIDED
    if not open_at:
        return BranchStatus.REAL
    last = open_at[-1]
    zeros = len(values) - 1 - last
    if not zeros:
        return BranchStatus.INFINITESIMAL
    if last == 0 or last - 1 not in open_at:
        return BranchStatus.UNDECIDED
    predicted = values[last] * min(1.0, values[last] / values[last - 1])
    if predicted <= PREDICTED_ROUNDING * CLEARLY_OPEN * rounding[last]:
        return BranchStatus.INFINITESIMAL
    return BranchStatus.REAL if zeros >= FEWEST_ZEROS else BranchStatus.UNDECIDED


def radii(largest: float, ratio: float) -> list[float]:
    """Falling radii from the largest on [characteristic lengths]; at least as many as decide about a small range."""
    smallest = min(SMALLEST_RADIUS, largest * ratio ** (FEWEST_ZEROS + 1))
    count = int(np.floor(np.log(smallest / largest) / np.log(ratio) + 1e-9)) + 1
    return [largest * ratio**k for k in range(count)]


@dataclass(frozen=True, slots=True)
class Arc:
    """A circle, or an arc of it: angles that are a periodic function of φ, so that g is a Fourier series in φ."""

    centre: float = 0.0  # [rad]
    half: float | None = None  # [rad]; None: the whole circle

    def angle(self, phi: Floats) -> Floats:
        """φ itself, or centre + half cos φ, whose series is that of Chebyshev on the arc."""
        return np.asarray(phi if self.half is None else self.centre + self.half * np.cos(phi))


@dataclass(frozen=True, slots=True, eq=False)
class CircleZero:
    """The place on a circle where |g| is smallest, next to others: a zero, or as near to one as it comes."""

    angle: float  # [rad]
    value: float  # |g| [m]; 0 where it changes sign
    crosses: bool


@dataclass(frozen=True, slots=True, eq=False)
class HalfBranch:
    """Zeros on falling circles that belong together: one motion that leaves the pose, or an apparent one."""

    radii: tuple[float, ...]  # [m], falling
    angles: tuple[float, ...]  # [rad], continuous
    crosses: tuple[bool, ...]
    status: BranchStatus

    @property
    def resolved(self) -> int:
        """The last circle on which the zero is distinguished from its neighbours."""
        return max((k for k, cross in enumerate(self.crosses) if cross), default=len(self.radii) - 1)

    @property
    def tangent(self) -> float:
        """The angle [rad] as r → 0, extrapolated from the smallest circles."""
        k = self.resolved
        if k < 1:
            return self.angles[k]
        (r0, t0), (r1, t1) = (self.radii[k - 1], self.angles[k - 1]), (self.radii[k], self.angles[k])
        return t1 + (t1 - t0) * r1 / (r0 - r1)


@dataclass(frozen=True, slots=True, eq=False)
class CircleScan:
    """All zeros of g on circles around the pose."""

    halves: tuple[HalfBranch, ...]
    everywhere: bool  # g vanishes on every circle: all directions are motions
    radii: tuple[float, ...]  # [m] that were examined


def scan_circles(reduced: Reduction, arc: Arc = Arc()) -> CircleScan:
    """The zeros of g(a) = 0 in two slow coordinates, on circles |a| = r or on arcs of them."""
    length, circles = reduced.at.system.length, dict[float, Coefficients]()
    largest = LARGEST_RADIUS
    while not circles and largest > SHRINKING_RADIUS:
        for r in radii(largest, CIRCLE_RATIO):
            series = _series(reduced, r * length, arc)
            if series is not None:
                circles[r * length] = series
            elif not circles:
                break
        largest *= CIRCLE_RATIO
    vanishes = [_vanishes(reduced, r, series) for r, series in circles.items()]
    if all(vanishes):
        return CircleScan((), bool(vanishes), tuple(circles))
    zeros = {r: _zeros(reduced, r, series, arc) for r, series in circles.items() if not _hidden(reduced, r, series)}
    return CircleScan(tuple(_tracks(reduced, zeros)), False, tuple(zeros))


def point_on_circle(reduced: Reduction, r: float, angle: float) -> ReducedPoint | None:
    """The point of a circle at an angle."""
    return reduced.solved(r * np.array([np.cos(angle), np.sin(angle)]))


def _series(reduced: Reduction, r: float, arc: Arc) -> Coefficients | None:
    """Fourier coefficients (j, p), complex, of g on a circle; None where it leaves the domain of the reduction."""
    for count in CIRCLE_SAMPLES:
        values, b = [], None
        for angle in arc.angle(2 * np.pi * np.arange(count if arc.half is None else count // 2 + 1) / count):
            point = reduced.solved(r * np.array([np.cos(angle), np.sin(angle)]), b)
            if point is None:
                return None
            values.append(point.g)
            b = reduced.Y.T @ point.d
        values += [] if arc.half is None else values[-2:0:-1]
        series = np.asarray(np.fft.rfft(np.array(values), axis=0) / count)
        if np.abs(series[-(count // 8) :]).max(initial=0.0) <= CLEARLY_OPEN * reduced.rounding(r):
            return series
    return None


def _vanishes(reduced: Reduction, r: float, series: Coefficients) -> bool:
    return bool(np.abs(series).sum(axis=0).max(initial=0.0) <= 2 * CLEARLY_OPEN * reduced.rounding(r))


def _hidden(reduced: Reduction, r: float, series: Coefficients) -> bool:
    """Is so much of g on a circle rounding that its zeros have no place?"""
    grid = 2 * np.pi * np.arange(FINE_SAMPLES) / FINE_SAMPLES
    small = np.linalg.norm(_evaluate(series, grid), axis=1) <= CLEARLY_OPEN * reduced.rounding(r)
    return bool(small.mean() > LARGEST_HIDDEN_PART)


def _evaluate(series: Coefficients, angle: Floats, derivative: int = 0) -> Floats:
    """The values (len(angle), p) of a Fourier series, or of its derivative."""
    j = np.arange(len(series))
    weight = np.where(j == 0, 1.0, 2.0) * (1j * j) ** derivative
    return np.asarray((np.exp(1j * np.outer(angle, j)) @ (weight[:, None] * series)).real)


def _zeros(reduced: Reduction, r: float, series: Coefficients, arc: Arc) -> list[CircleZero]:
    """The places where |g| is smallest: zeros of its largest component, with the others there.

    The components are rotated so that one of them is as large as possible; every common zero is a zero of that one.
    Between two of its extremes it has one zero or none, so that none is missed, however near two of them are.
    """
    tolerance = CLEARLY_OPEN * reduced.rounding(r)
    grid = 2 * np.pi * np.arange(FINE_SAMPLES) / FINE_SAMPLES
    H = series @ np.linalg.svd(_evaluate(series, grid), full_matrices=False)[2].T
    first = H[:, :1]
    slope = _evaluate(first, grid, 1)[:, 0]
    turning = np.flatnonzero(slope * np.roll(slope, -1) <= 0)
    extremes = _bisected(first, grid[turning], grid[turning] + grid[1], 1)
    if arc.half is None:
        extremes, inner = np.append(extremes, extremes[:1] + 2 * np.pi), slice(0, len(extremes))
    else:
        extremes = extremes[(extremes > ARC_END) & (extremes < np.pi - ARC_END)]
        extremes, inner = np.concatenate([[0.0], extremes, [np.pi]]), slice(1, len(extremes) + 1)
    heights, bends = _evaluate(first, extremes)[:, 0], _evaluate(first, extremes, 2)[:, 0]
    zeros = []
    for (low, before), (high, after) in pairwise(zip(extremes, heights, strict=True)):
        if min(abs(before), abs(after)) > tolerance and before * after < 0:
            zero = float(_bisected(first, np.array([low]), np.array([high]), 0)[0])
            zeros.append(CircleZero(float(arc.angle(np.array(zero))), _others(H, zero, tolerance), True))
    lowest, below = np.abs(heights) <= tolerance, np.abs(_evaluate(first, grid)[:, 0]) <= tolerance
    for touching, run in groupby(range(len(extremes))[inner], key=lambda k: bool(lowest[k])):
        members = list(run)
        if touching:  # between two such extremes rounding hides everything: they are one zero
            phis = [_middle(grid, below, float(extremes[members[0]]), float(extremes[members[-1]]))]
        else:
            phis = [extremes[k] for k in members if heights[k] * bends[k] > 0]
        for phi in phis:
            value = float(np.linalg.norm(_evaluate(H, np.array([phi]))))
            zeros.append(CircleZero(float(arc.angle(np.array(phi))), value, False))
    return zeros


def _middle(grid: Floats, below: Bools, low: float, high: float) -> float:
    """The middle of the interval around extremes, from ``low`` to ``high``, in which rounding hides a zero."""
    step = float(grid[1])
    while below[round(low / step) % len(grid)] and high - low < np.pi:
        low -= step
    while below[round(high / step) % len(grid)] and high - low < np.pi:
        high += step
    return 0.5 * (low + high)


def _others(H: Coefficients, angle: float, tolerance: float) -> float:
    """|g| of the other components at a zero of the first, less the effect of the rounding of its place."""
    at = np.array([angle])
    slopes = _evaluate(H, at, 1)[0]
    uncertain = np.abs(slopes[1:]) * tolerance / max(abs(slopes[0]), np.sqrt(tolerance))
    return float(np.linalg.norm(np.maximum(np.abs(_evaluate(H, at)[0, 1:]) - uncertain, 0.0)))


def _bisected(first: Coefficients, low: Floats, high: Floats, derivative: int) -> Floats:
    """The zeros of a series, or of its derivative, one in each interval."""
    sign = np.sign(_evaluate(first, low, derivative)[:, 0])
    for _ in range(REFINING_STEPS):
        middle = 0.5 * (low + high)
        same = np.sign(_evaluate(first, middle, derivative)[:, 0]) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return np.asarray(0.5 * (low + high))


def _tracks(reduced: Reduction, zeros: dict[float, list[CircleZero]]) -> list[HalfBranch]:
    """Zeros of one circle connected with the nearest of the next smaller one; tracks that reach the smallest circle."""
    tracks: list[list[tuple[float, CircleZero]]] = []
    for r, on_circle in zeros.items():
        taken: set[int] = set()
        for track in tracks:
            near = _nearest(track, on_circle, taken)
            if near is None:
                continue
            track.append((r, on_circle[near]))
            if on_circle[near].crosses:
                taken.add(near)
            else:
                taken.add(-1 - near)  # two zeros may end in one that rounding no longer takes apart
        tracks = [track for track in tracks if track[-1][0] == r]
        met = {k if k >= 0 else -1 - k for k in taken}
        tracks += [[(r, zero)] for k, zero in enumerate(on_circle) if k not in met]
    return [_half_branch(reduced, track) for track in tracks]


def _nearest(track: list[tuple[float, CircleZero]], on_circle: list[CircleZero], taken: set[int]) -> int | None:
    last = track[-1][1].angle
    turned = last + 0.5 * (turn(track[-2][1].angle, last) if len(track) > 1 else 0.0)
    order = sorted(range(len(on_circle)), key=lambda k: abs(turn(turned, on_circle[k].angle)))
    free = [k for k in order if k not in taken and abs(turn(last, on_circle[k].angle)) < LARGEST_ZERO_TURN]
    return free[0] if free else None


def turn(start: float, end: float) -> float:
    """The angle from one direction to another, from −π to π."""
    return float((end - start + np.pi) % (2 * np.pi) - np.pi)


def _half_branch(reduced: Reduction, track: list[tuple[float, CircleZero]]) -> HalfBranch:
    r = tuple(radius for radius, _ in track)
    steps = [0.0, *(turn(a.angle, b.angle) for (_, a), (_, b) in pairwise(track))]
    values = tuple(zero.value for _, zero in track)
    return HalfBranch(
        radii=r,
        angles=tuple((track[0][1].angle + np.cumsum(steps)).tolist()),
        crosses=tuple(zero.crosses for _, zero in track),
        status=verdict(values, [reduced.rounding(radius) for radius in r]),
    )


def contact_order(first: HalfBranch, second: HalfBranch) -> float | None:
    """The power q of r with which two half-branches of one tangent part, |a₁ − a₂| ~ r^q; None for other tangents."""
    common = [r for r in first.radii if r in second.radii]
    last = min(first.resolved + len(common) - len(first.radii), second.resolved + len(common) - len(second.radii))
    common = common[: last + 1]
    if len(common) < 2:
        return None
    angles = [abs(turn(first.angles[first.radii.index(r)], second.angles[second.radii.index(r)])) for r in common[-2:]]
    if not all(angles):
        return None
    power = float(np.log(angles[0] / angles[1]) / np.log(common[-2] / common[-1]))
    return 1 + power if power > SAME_TANGENT_POWER else None
