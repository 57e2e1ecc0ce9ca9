"""The rank within the accuracy of a geometry: tolerances, and how far the nearest other rank is, in words.

A geometry that is known to an accuracy may have every rank that some geometry within that accuracy has.  Of these the
lowest one is taken for the intended one: axes are aligned by intention and misaligned by rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import small_quantity
from reactio.constraint_matrix import ConstraintMatrix
from reactio.linear.precision import NEAR_ZERO
from reactio.linear.rank import Tolerances, relative
from reactio.linear.scaling import ScaledMatrix
from reactio.system.evaluate.evaluation import Evaluation
from reactio.system.geometry.accuracy import (
    LARGEST_LEVELS,
    PER_ACCURACY,
    SURELY_OUTSIDE,
    SURELY_WITHIN,
    GeometryAccuracy,
    known_accuracy,
)
from reactio.system.geometry.alignment import MISSED_PART, Alignment, Misplaced, SingularBlock, singular_block
from reactio.uniqueness import Solvability, solvability
from reactio.uniqueness.engine import DEFAULT_TOLERANCES, LARGEST_UNDIVIDED_SIDE, scaled
from reactio.uniqueness.geometry import DifferingVerdict, Geometry, OtherRank

# Part of the singular values that misplacements below SURELY_OUTSIDE may leave where it is doubtful if they reach zero.
# Terms of second order are δC_sb C_bb⁻¹ δC_bs, products of two changes over a singular value that stays; of singular
# values that are themselves no larger than the accuracy they were 40 % in random mechanisms rounded to 3 digits.
MISSES_OF_SECOND_ORDER = 0.5
# Relative singular values that may belong to a distance below NAMED_DISTANCE: a hundred times that, because columns
# with small entries only (a carriage along its rail, where tilts alone hold it) are scaled up.
NEARBY_SINGULAR_VALUE = 0.1
NAMED_DISTANCE = 1e-3  # of the characteristic length: another rank that is nearer is named in the answer
# A shift alone, or a tilt alone, is named instead of both together where it is at most this many times larger.
PREFERENCE_FOR_ONE_KIND = 1.5
# Tolerances lie this far above or below the singular values that they separate, because these are computed again, with
# other roundings, where the tolerances decide.
ABOVE, BELOW = 1.01, 0.99
MOST_BLOCKS = 20  # whose distance to a lower rank is worked out: each takes a singular value decomposition
MOST_SMALL_VALUES = 30  # of a block that are looked at: each lower rank is a least-norm problem of its own


class SingularValuesByDistance(NamedTuple):
    """Small relative singular values by how far the geometry is from making them zero."""

    inside: list[float]
    doubtful: list[float]
    outside: list[float]


def tolerances(eqs: Evaluation, matrix: ConstraintMatrix, known: GeometryAccuracy) -> Tolerances:
    """Tolerances that count singular values as zero that the accuracy does not distinguish from zero."""
    usual = (DEFAULT_TOLERANCES.zero, DEFAULT_TOLERANCES.decide, DEFAULT_TOLERANCES.sure)
    zero, decide, sure = (
        max(least, min(factor * known.relative, largest))
        for least, factor, largest in zip(usual, PER_ACCURACY, LARGEST_LEVELS, strict=True)
    )
    values = _by_distance(eqs, matrix, known, max(sure, NEARBY_SINGULAR_VALUE))
    zero = max([zero, *(ABOVE * s for s in values.inside)])
    least = min([BELOW * s for s in values.outside], default=1.0)
    zero, sure = min([zero, least, *(BELOW * s for s in values.doubtful)]), min(sure, least)
    sure = max([sure, zero, *(ABOVE * s for s in values.doubtful)])
    decide = min(max([decide, zero, *(ABOVE * s for s in values.doubtful)]), sure)
    zero, decide = max(zero, DEFAULT_TOLERANCES.zero), max(decide, DEFAULT_TOLERANCES.decide)
    tolerances = Tolerances(zero, max(zero, decide), max(zero, decide, sure, DEFAULT_TOLERANCES.sure))
    meant = [BELOW * share.share for share in _small_shares(eqs, matrix, tolerances) if share.is_meant(known)]
    return replace(tolerances, zero=max(DEFAULT_TOLERANCES.zero, min([tolerances.zero, *meant])))


class SmallShare(NamedTuple):
    """A small share of a joint in a self-stress, and A (e, j, 6), b (e,): misplacements x with A x = b make it zero."""

    share: float
    alignment: Alignment
    A: Floats
    b: Floats

    def is_meant(self, known: GeometryAccuracy) -> bool:
        """Does no geometry within the accuracy make it zero?"""
        return self.alignment.relative_misplacement(self.A, self.b, known.length, known.angle) > SURELY_WITHIN


def _small_shares(eqs: Evaluation, matrix: ConstraintMatrix, tol: Tolerances) -> Iterator[SmallShare]:
    """Shares of joints in self-stresses that are larger than rounding and count as zero.

    With N = null(Cᵀ) and a direction p of the multipliers of a joint, p N changes by −(Nᵀ δC y)ᵀ, y = C⁺ p.  The rows
    of the joint in N lose rank where that change takes away the part of p N outside the span W of their large shares: p
    itself turns a little with the joint, which changes p N inside W.
    """
    if max(matrix.shape) > LARGEST_UNDIVIDED_SIDE:
        return
    scale = scaled(matrix)
    C = scale.C if isinstance(scale.C, np.ndarray) else scale.C.toarray()
    U, sigma, Vt = np.linalg.svd(C, full_matrices=True)
    rank = int((sigma > tol.decide * sigma[0]).sum()) if sigma.size else 0
    N, alignment = U[:, rank:], Alignment(eqs)
    left_vectors = scale.Dr[:, None] * N
    for group in matrix.rows.groups if N.shape[1] else ():
        rows = slice(group.start, group.stop)
        P, shares, Wt = np.linalg.svd(N[rows], full_matrices=True)
        outside = Wt[int((shares > tol.zero).sum()) :]
        for p, share in zip(P.T, shares, strict=False):  # further directions have no share at all
            if not DEFAULT_TOLERANCES.zero < share <= tol.zero:
                continue
            y = scale.right((Vt[:rank].T @ ((p @ U[rows, :rank]) / sigma[:rank]))[:, None])
            A = np.tensordot(outside, alignment.effect(left_vectors, y)[:, 0], 1)
            yield SmallShare(float(share), alignment, A, outside @ (p @ N[rows]))


def _by_distance(
    eqs: Evaluation, matrix: ConstraintMatrix, known: GeometryAccuracy, below: float
) -> SingularValuesByDistance:
    values, alignment = SingularValuesByDistance([], [], []), Alignment(eqs)
    for part in near_singular_blocks(matrix, below):
        s, rank = part.relative, _rank(part, DEFAULT_TOLERANCES.zero)
        ratio = 0.0
        for lower in range(rank - 1, max(-1, rank - 1 - MOST_SMALL_VALUES), -1):
            if s[lower] > below:
                break
            if ratio < SURELY_OUTSIDE:
                ratio = _distance_in_accuracies(alignment, part, rank, lower, known)
            band = (
                values.inside
                if ratio <= SURELY_WITHIN
                else values.doubtful
                if ratio < SURELY_OUTSIDE
                else values.outside
            )
            band.append(float(s[lower]))
    return values


def _distance_in_accuracies(
    alignment: Alignment, part: SingularBlock, rank: int, lower: int, known: GeometryAccuracy
) -> float:
    """How far joints are from a lower rank, in units of the accuracy; between the bands where second order decides."""
    A, b = alignment.rank_equations(part, rank, lower)
    far = alignment.relative_misplacement(A, b, known.length, known.angle)
    if far < SURELY_OUTSIDE:
        return far
    half_way = alignment.relative_misplacement(A, b, known.length, known.angle, MISSES_OF_SECOND_ORDER)
    return far if half_way >= SURELY_OUTSIDE else max(half_way, np.nextafter(SURELY_WITHIN, SURELY_OUTSIDE))


def near_singular_blocks(matrix: ConstraintMatrix, below: float) -> Iterator[SingularBlock]:
    """Blocks of C̃ with a singular value below ``below`` that is not rounding; up to MOST_BLOCKS, and none too large."""
    scale = scaled(matrix)
    if max(matrix.shape) > LARGEST_UNDIVIDED_SIDE:
        yield from islice(_near_singular_parts(scale, matrix, below), MOST_BLOCKS)
        return
    C = scale.C if isinstance(scale.C, np.ndarray) else scale.C.toarray()
    block = singular_block(replace(scale, C=C), C, np.arange(C.shape[0]), np.arange(C.shape[1]))
    if _is_near(block.relative, below):
        yield block


def _near_singular_parts(scale: ScaledMatrix, matrix: ConstraintMatrix, below: float) -> Iterator[SingularBlock]:
    """The same of a large matrix, block by block."""
    from scipy.sparse import csr_array

    from reactio.constraint_matrix.blocks import group_blocks
    from reactio.uniqueness.blocks import MOST_STACKED_ENTRIES, dense_stack, lay_out
    from reactio.uniqueness.large import LARGEST_DENSE_BLOCK

    if isinstance(scale.C, np.ndarray):
        scale = replace(scale, C=csr_array(scale.C))
    layout = lay_out(scale.C, matrix.rows.ptr, group_blocks(matrix))
    for first, last in layout.runs:
        m, n = layout.shape(first)
        if max(m, n) > LARGEST_DENSE_BLOCK:
            continue
        step = max(1, MOST_STACKED_ENTRIES // (m * max(m, n)))
        for a in range(first, last, step):
            C = dense_stack(layout, a, min(a + step, last))
            sigma = relative(np.asarray(np.linalg.svd(C, compute_uv=False), dtype=np.float64))
            for i in np.flatnonzero([_is_near(s, below) for s in sigma]).tolist():
                entries = slice(*layout.C.indptr[layout.row_ptr[a + i : a + i + 2]])
                columns = np.zeros(int(layout.width[a + i]), dtype=np.int64)
                columns[layout.column[entries]] = layout.C.indices[entries]
                yield singular_block(scale, C[i][:, : columns.size], layout.rows(a + i), columns)


def _is_near(relative: np.ndarray[tuple[int], np.dtype[np.float64]], below: float) -> bool:
    return bool(((relative > DEFAULT_TOLERANCES.zero) & (relative < below)).any())


def _rank(part: SingularBlock, tol: float) -> int:
    return int((part.relative > tol).sum())


def geometry(eqs: Evaluation, answer: Solvability) -> Geometry | None:
    """The consequences of the accuracy of the geometry, and of another rank close by; None where neither matters."""
    known = known_accuracy(eqs.system)
    d, tol = answer.decision, answer.tolerances
    grey = d.sigma_first_dropped > DEFAULT_TOLERANCES.zero * d.scale
    if known is None and d.margin > NEARBY_SINGULAR_VALUE and not grey:
        return None
    reading = Geometry() if known is None else Geometry(known.length, known.angle, known.source, known.words)
    blocks, alignment = list(near_singular_blocks(answer.matrix, NEARBY_SINGULAR_VALUE)), Alignment(eqs)
    dropped = [part for part in blocks if _rank(part, DEFAULT_TOLERANCES.zero) > _rank(part, tol.decide)]
    arm = eqs.system.length if known is None else known.length / known.angle
    steps = [
        _distance(alignment, part, _rank(part, DEFAULT_TOLERANCES.zero), _rank(part, tol.decide), arm)
        for part in dropped
    ]
    if known is not None and not steps and not grey:  # the rank is the same; a verdict may be another one
        steps = [_least_step(share.A, share.b, alignment, arm) for share in _small_shares(eqs, answer.matrix, tol)]
    if steps or (grey and known is not None):
        reading = _with_written(reading, answer, steps)
    if reading.as_written is None:
        reading = replace(reading, nearest=_nearest(answer, alignment, blocks))
    return reading if reading.words else None


def _with_written(reading: Geometry, answer: Solvability, steps: list[RankDistance]) -> Geometry:
    """The reading of the numbers as they stand, where its rank or a verdict is another one."""
    exact = Tolerances(DEFAULT_TOLERANCES.zero, DEFAULT_TOLERANCES.zero, DEFAULT_TOLERANCES.zero)
    written = solvability(answer.matrix, tolerances=exact)
    far = max(steps, key=lambda step: step.distance, default=UNKNOWN_DISTANCE)
    pairs = ((mine, written[mine.name]) for mine in answer.groups)
    differing = tuple(
        DifferingVerdict(w.name, str(w.verdict), w.determined) for g, w in pairs if w.verdict is not g.verdict
    )
    if written.rank == answer.rank and not differing:
        return reading
    return replace(reading, as_written=_other(written, written.rank, far), differing=differing)


def _nearest(answer: Solvability, alignment: Alignment, blocks: list[SingularBlock]) -> OtherRank | None:
    """The next lower rank, where it is close; of several in a row the one behind which the widest gap lies."""
    best: tuple[int, RankDistance] | None = None
    for part in blocks:
        rank = _rank(part, answer.tolerances.decide)
        steps: list[RankDistance] = []
        for lower in range(rank - 1, max(-1, rank - 1 - MOST_SMALL_VALUES), -1):
            steps.append(_distance(alignment, part, rank, lower, alignment.eqs.system.length))
            if steps[-1].distance > NAMED_DISTANCE * alignment.eqs.system.length:
                break
        far = [step.distance for step in steps]
        close = [k for k in range(len(far) - 1) if far[k] <= NAMED_DISTANCE * alignment.eqs.system.length]
        if close:
            k = max(close, key=lambda k: far[k + 1] / max(far[k], NEAR_ZERO))
            if best is None or steps[k].distance < best[1].distance:
                best = k + 1, steps[k]
    return None if best is None else _other(answer, answer.rank - best[0], best[1])


class RankDistance(NamedTuple):
    """How far the geometry is from one of lower rank: the smallest misplacement of joints that lowers it."""

    distance: float  # [m], tilts as arcs at the size of the mechanism
    length: float | None  # its largest shift [m]
    angle: float | None  # its largest tilt [rad]
    joints: tuple[str, ...]  # that are misplaced, the farthest first
    words: str


UNKNOWN_DISTANCE = RankDistance(0.0, None, None, (), "an unknown distance")
OUT_OF_REACH = RankDistance(np.inf, None, None, (), "far")


def _distance(alignment: Alignment, part: SingularBlock, rank: int, lower: int, arm: float) -> RankDistance:
    """The smallest misplacement of few joints that lowers the rank of a block."""
    return _least_step(*alignment.rank_equations(part, rank, lower), alignment, arm)


def _least_step(A: Floats, b: Floats, alignment: Alignment, arm: float) -> RankDistance:
    """A misplacement of few joints with A x = b: shifts, else tilts, else both, the smallest one.

    ``arm`` [m] over which a tilt counts as a shift: the size, or the ratio of an accuracy in lengths to one in angles.
    Axes that are both offset and askew are aligned by shifts (tilts) alone only far away, if anywhere.
    """
    size = alignment.eqs.system.length
    for misses in (MISSED_PART, MISSES_OF_SECOND_ORDER):
        options = [
            _step(misplaced, size) for misplaced in alignment.sparsest(A, b, arm, misses) if misplaced is not None
        ]
        if (
            min((option.distance for option in options), default=np.inf) < size
        ):  # else weak directions go beyond first order
            break
    weighed = [max(option.length or 0.0, arm * (option.angle or 0.0)) for option in options]
    least = min(weighed, default=np.inf)
    return next(
        (option for option, far in zip(options, weighed, strict=True) if far <= PREFERENCE_FOR_ONE_KIND * least),
        OUT_OF_REACH,
    )


def _step(misplaced: Misplaced, size: float) -> RankDistance:
    length, angle, joints = misplaced.farthest
    words = ([small_quantity(length, "m")] if length else []) + ([small_quantity(angle, "rad")] if angle else [])
    return RankDistance(
        max(length, size * angle),
        length or None,
        angle or None,
        joints,
        " and ".join(words) or "nothing",
    )


def _other(answer: Solvability, rank: int, step: RankDistance) -> OtherRank:
    return OtherRank(rank, answer.m - rank, answer.n - rank, step.length, step.angle, step.joints, step.words)
