"""Many joints: blocks judged one by one, small ones in dense stacks, large ones by sparse QR and random probes.

null(Cᵀ) is the direct sum over the blocks of the body–group graph: each has its own rank and verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import ConstraintMatrix
from reactio.constraint_matrix.blocks import group_blocks
from reactio.linear.nullspace import by_svd
from reactio.linear.rank import Count, RankDecision, Tolerances, plausible_ranks, relative
from reactio.linear.scaling import ScaledMatrix, apply
from reactio.uniqueness.blocks import Layout, dense_stack, lay_out, stacks
from reactio.uniqueness.evidence import group_weights
from reactio.uniqueness.near_misses import doubted
from reactio.uniqueness.probe import LargeEvidence, Probed, probe
from reactio.uniqueness.scores import Verdicts, judge
from reactio.uniqueness.verdict import Solvability
from reactio.uniqueness.words import NEAR_SPECIAL

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
LARGEST_DENSE_BLOCK = 400  # rows or columns of a block above which sparse QR is much faster than a dense factor


class BlockVerdicts(NamedTuple):
    """The verdicts on b blocks of g groups each."""

    groups: Ints  # (b, g)
    verdicts: Verdicts  # (b, g)
    ranks: Count  # (b,)
    kept: Array  # (b,) smallest singular value or pivot that counts for the rank, as a part of the largest
    dropped: Array  # (b,) largest that does not


def judge_blocks(matrix: ConstraintMatrix, scaled: ScaledMatrix, tol: Tolerances) -> Solvability:
    """The same verdicts as the dense path, block by block."""
    if isinstance(scaled.C, np.ndarray):
        from scipy.sparse import csr_array

        scaled = replace(scaled, C=csr_array(scaled.C))
    ptr = matrix.rows.ptr
    weight = group_weights(ptr)
    scaled = replace(scaled, C=apply(scaled.C, weight, np.ones(matrix.shape[1])), Dr=weight * scaled.Dr)
    layout = lay_out(scaled.C, ptr, group_blocks(matrix))
    probed: dict[int, Probed] = {}
    parts: list[BlockVerdicts] = []
    for first, last in layout.runs:
        if max(layout.shape(first)) <= LARGEST_DENSE_BLOCK:
            parts += _judge_run(layout, first, last, tol)
            continue
        for b in range(first, last):
            probed[b], verdicts = probe(layout, b, matrix, tol)
            kept, dropped = np.array([probed[b].smallest_kept]), np.array([probed[b].largest_dropped])
            parts.append(BlockVerdicts(layout.groups(b)[None], verdicts, probed[b].ranks, kept, dropped))
    evidence = LargeEvidence(scaled, layout, probed, tol)
    notes: tuple[str, ...] = (_note(layout.count, len(probed)),)
    verdicts = _verdicts(parts)
    if verdicts.doubt.any():
        notes = (*notes, NEAR_SPECIAL)
    decision = doubted(_rank(parts, tol), verdicts.doubt, min(matrix.shape))
    return Solvability(matrix, decision, verdicts, evidence, tol, "nullspace", notes)


def _judge_run(layout: Layout, first: int, last: int, tol: Tolerances) -> Iterator[BlockVerdicts]:
    """Judge blocks first … last − 1, which have the same group sizes, stack after stack."""
    spans = layout.local_spans(first)
    for a, b in stacks(layout, first, last):
        C = dense_stack(layout, a, b)
        factor = by_svd(C)
        ranks = plausible_ranks(factor.sigma, tol)
        s = np.pad(relative(factor.sigma), ((0, 0), (1, 1)))  # the number r is then the last that is kept
        last_kept, first_dropped = (np.take_along_axis(s, ranks.best[:, None] + k, axis=1)[:, 0] for k in (0, 1))
        groups = layout.group[layout.group_ptr[a] : layout.group_ptr[b]].reshape(b - a, -1)
        yield BlockVerdicts(groups, judge(C, factor, spans, tol), ranks, last_kept, first_dropped)


def _verdicts(parts: list[BlockVerdicts]) -> Verdicts:
    """The verdicts of all blocks in the order of the groups."""
    order = np.argsort(np.concatenate([p.groups.ravel() for p in parts]))
    return Verdicts(
        *(
            np.concatenate([getattr(p.verdicts, name).ravel() for p in parts])[order]
            for name in Verdicts.__dataclass_fields__
        )
    )


def _rank(parts: list[BlockVerdicts], tol: Tolerances) -> RankDecision:
    """Rank = Σ ranks; the weakest kept and the largest dropped number, each relative to its own block."""
    best, low, high = (sum(int(end.sum()) for end in ends) for ends in zip(*(p.ranks for p in parts), strict=True))
    return RankDecision(
        rank=best,
        sigma=np.zeros(0),
        tol=tol.decide,
        sigma_last_kept=min(float(p.kept.min()) for p in parts),
        sigma_first_dropped=max(float(p.dropped.max()) for p in parts),
        confident=low == high,
        alternatives=tuple(k for k in range(low, high + 1) if k != best),
    )


def _note(blocks: int, large: int) -> str:
    """A sentence on how the matrix was judged."""
    how = f", {large} of them by sparse QR and random probes of the null space" if large else ""
    return f"Judged in {blocks} block{'' if blocks == 1 else 's'}{how}."
