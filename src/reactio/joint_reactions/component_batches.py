"""Verdicts on the components of joints in many states: evaluation, verdicts and components in one compiled loop."""

# ``position_terms`` is linked: the evaluation of the system whose states are judged.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.catalogue.places import ReactionAxes
from reactio.constraint_matrix import GroupKind
from reactio.kernels import NO_ARRAYS, Kernel, kernel
from reactio.linear.rank import Tolerances
from reactio.linear.scaling import DENSE_SCALING_SIZE
from reactio.space.frames import PLANAR_ARM, PLANAR_X, SPATIAL_ARM, SPATIAL_X
from reactio.system.constraints import LABELS, MINOR_CANCELLATION, NEGLIGIBLE_PART
from reactio.system.evaluate.evaluation import Evaluation
from reactio.system.evaluate.kernels import addresses_bound, evaluator
from reactio.system.evaluate.workspace import workspace
from reactio.system.geometry.accuracy import known_accuracy
from reactio.system.memo import memoised
from reactio.system.plan import Plan, RowPlan, Work
from reactio.system.reaction_axes import NO_DIRECTION
from reactio.system.types import EFFORT, RowGroup, System
from reactio.uniqueness.batches.clear import DOUBTFUL, RESERVE, clear_rank, zero_share
from reactio.uniqueness.batches.tables import Pattern, SharedPattern, Space, pattern_of
from reactio.uniqueness.engine import LARGEST_UNDIVIDED_SIDE, ROUNDING_OF_ENTRIES
from reactio.uniqueness.functional import COMPARABLE_SCALES
from reactio.uniqueness.words import Verdict

VERDICT_ORDER = tuple(Verdict)  # a verdict is stored as its number in this order
ABSENT = -1  # in place of a verdict: a joint has no such component in this pose
IS_UNIQUE, IS_NOT, IS_AMBIGUOUS = (
    VERDICT_ORDER.index(word) for word in (Verdict.UNIQUE, Verdict.NOT, Verdict.AMBIGUOUS)
)
# How the components of a group follow from its multipliers: not at all, as one effort, or as a wrench in axes of the
# world, of frame A, or along rows.
NO_COMPONENTS, AS_EFFORT, IN_WORLD, IN_FRAME, ALONG_ROWS = range(5)
SURE = Tolerances().sure
# Factor about the part of a wrench below which a component is absent, within which it is in doubt.
DOUBTFUL_PART = 100.0


class EntryErrors(NamedTuple):
    """What the error of the entries of C of a system follows from."""

    gap: Floats  # (m,) factor that makes a gap of each row a part of the characteristic length; 0 for drives
    linear: int  # 2 or 3
    arm: int  # first column of the arm of a frame
    length: float  # characteristic length [m]


def entry_errors(system: System) -> EntryErrors:
    """The tables of a system."""
    gap = np.where(system.driven_rows, 0.0, 1.0 / system.row_scale)
    return EntryErrors(gap, *((3, SPATIAL_ARM) if system.space == "spatial" else (2, PLANAR_ARM)), system.length)


class ComponentPlan(NamedTuple):
    """What the components of all groups (g) of a system follow from, and arrays to work in."""

    kind: Ints  # (g,)
    effort: Ints  # (g,) place of the one effort among the labels
    frame: Ints  # (g,) frame A
    axis_start: Ints  # (g + 1,) first axis along a row
    axis: Ints  # the axis,
    axis_row: Ints  # its row of C,
    axis_sign: Floats  # and its sign
    linear: int  # 2 or 3
    x: int  # first column of the axes of a frame
    length: float  # characteristic length [m]
    D: Floats  # (rows of the largest group, 3 or 6) rows of C on the twist of frame B
    axes: Floats  # (linear, linear)
    frame_axes: Floats  # (linear, linear)
    P: Floats  # (3 or 6, rows of the largest group)
    known: Ints  # (linear,) which axes are known


def component_plan(system: System, labels: tuple[str, ...]) -> ComponentPlan:
    """The tables of a system; ``labels`` of all components, those of wrenches first."""
    groups, spatial = system.groups, system.space == "spatial"
    linear = 3 if spatial else 2
    width, most = (6 if spatial else 3), max(g.stop - g.start for g in groups)
    kinds = [_kind(g, system) for g in groups]
    along = [g.axes if kind == ALONG_ROWS else () for g, kind in zip(groups, kinds, strict=True)]
    flat = [(a.axis, g.start + a.row, a.sign) for g, axes in zip(groups, along, strict=True) for a in axes]
    return ComponentPlan(
        np.array(kinds),
        np.array(
            [
                labels.index(_line_label(g, system) or EFFORT[g.units[0]][0]) if kind == AS_EFFORT else 0
                for g, kind in zip(groups, kinds, strict=True)
            ]
        ),
        np.array([g.frames[0] if g.frames else 0 for g in groups]),
        np.concatenate([[0], np.cumsum([len(axes) for axes in along])]).astype(np.int64),
        np.array([axis for axis, _, _ in flat], dtype=np.int64),
        np.array([row for _, row, _ in flat], dtype=np.int64),
        np.array([sign for *_, sign in flat], dtype=float),
        linear,
        SPATIAL_X if spatial else PLANAR_X,
        system.length,
        np.zeros((most, width)),
        np.zeros((linear, linear)),
        np.zeros((linear, linear)),
        np.zeros((width, most)),
        np.zeros(linear, dtype=np.int64),
    )


def _kind(group: RowGroup, system: System) -> int:
    """How the components of a group follow from its multipliers."""
    if group.kind == GroupKind.INTRINSIC:
        return NO_COMPONENTS
    if group.frames is None or _line_label(group, system):
        return AS_EFFORT
    if system.axes == ReactionAxes.WORLD or group.in_world:
        return IN_WORLD
    return ALONG_ROWS if group.axes else IN_FRAME


def _line_label(group: RowGroup, system: System) -> str:
    """The one component of a member or of teeth in their own axes, as unique as its multiplier; empty of others."""
    return "" if system.axes == ReactionAxes.WORLD else "".join(group.line_labels[:1])


class ClearStates(NamedTuple):
    """Answers at k states; the rank is DOUBTFUL, and the rest means nothing, where a state is not clear."""

    rank: Ints  # (k,)
    margin: Floats  # (k,) a lower bound of σ_r/σ_1
    free: Ints  # (k, g) u_X = rank B_X
    flags: Ints  # (k, g, labels) places in VERDICT_ORDER, or ABSENT


def has_clear_states(system: System) -> bool:
    """Do the kernels know all that decides: a small model, bilateral rows, and a geometry right but for rounding?"""
    return (
        system.m + system.n <= DENSE_SCALING_SIZE
        and max(system.m, system.n) <= LARGEST_UNDIVIDED_SIDE
        and not system.tables[0].unilateral
        and not (system.axes != ReactionAxes.WORLD and any(len(group.line_labels) > 1 for group in system.groups))
        and known_accuracy(system) is None
    )


class ClearState(NamedTuple):
    """The answer at one state in which bounds leave no doubt."""

    rank: int
    free: Ints  # (g,) u_X = rank B_X


def clear_state(eqs: Evaluation) -> ClearState | None:
    """The answer at an evaluated state; None where bounds leave a doubt, or there is no machine code to ask."""
    tables = _clear_tables(eqs.system)
    if tables is None:
        return None
    shared, errors = tables
    work, space = eqs.work, shared.space(eqs.system.length)
    rank = clear_rank_there.if_compiled(work.C, work.uncancelled, work.F, work.Phi, errors, shared.pattern, space)
    clear = None if rank is None or rank == DOUBTFUL else ClearState(rank, space.free.copy())
    shared.spare.append(space)
    return clear


@memoised
def _clear_tables(system: System) -> tuple[SharedPattern, EntryErrors] | None:
    """What the kernels know of a system with clear states."""
    if not has_clear_states(system):
        return None
    return pattern_of(system.C_pattern, *system.tables), entry_errors(system)


def component_labels(system: System) -> tuple[str, ...]:
    """The labels of all components: those of wrenches, then of members and teeth, drives and couplings."""
    groups = [group for group in system.groups if group.kind != GroupKind.INTRINSIC]
    world = system.axes == ReactionAxes.WORLD
    lines = dict.fromkeys(label for group in groups if not world for label in group.line_labels)
    efforts = dict.fromkeys(EFFORT[group.units[0]][0] for group in groups if group.frames is None)
    return (*LABELS[system.space], *lines, *efforts)


def clear_judge(system: System, labels: tuple[str, ...]) -> Callable[[Floats, Floats], ClearStates]:
    """A function of times t (k,) and poses q (k, nq): the answers of all groups (g) with components ``labels``."""
    shared, errors = pattern_of(system.C_pattern, *system.tables), entry_errors(system)
    plan, work = component_plan(system, labels), workspace(system)
    run, g = judge_along(evaluator(system)), len(system.groups)

    def at(t: Floats, q: Floats) -> ClearStates:
        k = len(t)
        flags = np.zeros((k, g, len(labels)), dtype=np.int64)
        clear = ClearStates(np.zeros(k, dtype=np.int64), np.zeros(k), np.zeros((k, g), dtype=np.int64), flags)
        space = shared.space(system.length)
        with addresses_bound(system):
            run(system.plan, work, errors, plan, shared.pattern, space, np.array(t), np.ascontiguousarray(q), *clear)
        shared.spare.append(space)
        return clear

    return at


@cache
def judge_along(evaluate: Kernel[..., None]) -> Kernel[..., None]:
    """judge_along(plan, work, errors, plan, pattern, space, t, q, rank, margin, free, flags) of an evaluation."""
    return Kernel(_judge_along, NO_ARRAYS, {"position_terms": evaluate.links["position_terms"]})


def _judge_along(
    plan: Plan, work: Work, errors: EntryErrors, c: ComponentPlan, p: Pattern, w: Space, t: Floats, q: Floats,
    rank: Ints, margin: Floats, free: Ints, flags: Ints,
) -> None:  # fmt: skip
    """Ranks (k,), margins (k,), u_X (k, g) and verdicts on components (k, g, labels) at times t (k,) and poses q.

    The rank of a state that is not clear is DOUBTFUL.
    """
    for k in range(t.shape[0]):
        position_terms(plan, work, t[k], q[k])
        rank[k] = clear_rank_there(work.C, work.uncancelled, work.F, work.Phi, errors, p, w)
        if rank[k] >= 0:
            margin[k] = w.bounds[0]
            for X in range(free.shape[1]):
                free[k, X] = w.free[X]
                if not judge_components(plan.rows, work, c, p, w, X, w.Dr.shape[0] - rank[k], flags[k, X]):
                    rank[k] = DOUBTFUL
                    break


@kernel(**NO_ARRAYS)
def clear_rank_there(
    C: Floats, uncancelled: Floats, F: Floats, Phi: Floats, errors: EntryErrors, p: Pattern, w: Space
) -> int:
    """The rank of the entries C of an evaluation and u_X in ``w.free``, or DOUBTFUL."""
    if has_cancelled(uncancelled):
        return DOUBTFUL
    for e in range(C.shape[0]):
        w.C[e] = C[e]
    return clear_rank(p, w, error_of_entries(errors, F, Phi))


@kernel(**NO_ARRAYS)
def has_cancelled(uncancelled: Floats) -> bool:
    """Is a row of C much smaller than the terms it is the sum of?"""
    least = 1.0
    for i in range(uncancelled.shape[0]):
        least = min(least, uncancelled[i])
    return least < MINOR_CANCELLATION


@kernel(**NO_ARRAYS)
def error_of_entries(c: EntryErrors, F: Floats, Phi: Floats) -> float:
    """``system.geometry.accuracy.rounding`` from the frames F and the residuals Φ of an evaluation."""
    x, gap = 0.0, 0.0
    for i in range(F.shape[0]):
        for k in range(c.linear):
            x = max(x, abs(F[i, k]), abs(F[i, c.arm + k]))
    for i in range(c.gap.shape[0]):
        gap = max(gap, abs(Phi[i]) * c.gap[i])
    return ROUNDING_OF_ENTRIES * (1.0 + x / c.length) + gap


@kernel(**NO_ARRAYS)
def judge_components(
    rows: RowPlan, work: Work, c: ComponentPlan, p: Pattern, w: Space, X: int, redundancy: int, flags: Ints
) -> bool:
    """The verdicts on the components (labels,) of group X; False where one is not clear."""
    for k in range(flags.shape[0]):
        flags[k] = ABSENT
    first, size = p.group_ptr[X], p.group_ptr[X + 1] - p.group_ptr[X]
    if c.kind[X] == NO_COMPONENTS:
        return True
    if c.kind[X] == AS_EFFORT:
        flags[c.effort[X]] = IS_NOT if w.free[X] else IS_UNIQUE
        return True
    for i in range(size):
        on_frame(rows, work, first + i, c.D[i])
    if not set_axes(rows, work, c, first, X):
        return False
    wrench_in_axes(c, size)
    largest = 0.0
    for k in range(c.P.shape[0]):
        largest = max(largest, size_of(c, k, size))
    for k in range(c.P.shape[0]):
        part = size_of(c, k, size) / largest
        if part > NEGLIGIBLE_PART / DOUBTFUL_PART:
            if not part > NEGLIGIBLE_PART * DOUBTFUL_PART:
                return False
            flags[k] = IS_NOT if w.free[X] == size else IS_UNIQUE
            if 0 < w.free[X] < size:
                flags[k] = judge_component(c, w, first, size, redundancy, k)
                if flags[k] == IS_AMBIGUOUS:
                    return False
    return True


@kernel(**NO_ARRAYS)
def size_of(c: ComponentPlan, k: int, size: int) -> float:
    """The largest factor of component k of a wrench on a multiplier, of moments over the characteristic length."""
    largest = 0.0
    for i in range(size):
        largest = max(largest, abs(c.P[k, i]))
    return largest if k < c.linear else largest / c.length


@kernel(**NO_ARRAYS)
def judge_component(c: ComponentPlan, w: Space, first: int, size: int, redundancy: int, k: int) -> int:
    """Is P_k λ unique: |P_k D_r Ñ| / |P_k D_r| is zero, or surely not?"""
    least, most, total = w.Dr[first], w.Dr[first], 0.0
    for i in range(size):
        least, most = min(least, w.Dr[first + i]), max(most, w.Dr[first + i])
        total += (c.P[k, i] * w.Dr[first + i]) * (c.P[k, i] * w.Dr[first + i])
    if most * COMPARABLE_SCALES * RESERVE > least:
        return IS_AMBIGUOUS
    share = 0.0
    for column in range(redundancy):
        product = 0.0
        for i in range(size):
            product += c.P[k, i] * w.Dr[first + i] * w.N[first + i, column]
        share += product * product
    score = math.sqrt(share / total)
    if score * RESERVE <= zero_share(w):
        return IS_UNIQUE
    return IS_NOT if score >= RESERVE * SURE else IS_AMBIGUOUS


@kernel(**NO_ARRAYS)
def on_frame(rows: RowPlan, work: Work, i: int, D: Floats) -> None:
    """Row i of C on the twist of frame B (3 or 6): the sum of its measures."""
    width = D.shape[0]
    for a in range(width):
        D[a] = 0.0
    for j in range(rows.start[i], rows.start[i + 1]):
        for a in range(width):
            D[a] += rows.factor[j] * work.D[rows.measure[j], width + a]


@kernel(**NO_ARRAYS)
def wrench_in_axes(c: ComponentPlan, size: int) -> None:
    """P = −A D_Bᵀ: force and moment of a joint on body b, in its axes; in the plane the moment is one number."""
    for i in range(size):
        for a in range(c.linear):
            force, moment = 0.0, 0.0
            for b in range(c.linear):
                force -= c.axes[a, b] * c.D[i, b]
                if c.linear == 3:
                    moment -= c.axes[a, b] * c.D[i, 3 + b]
            c.P[a, i] = force
            if c.linear == 3:
                c.P[3 + a, i] = moment
        if c.linear == 2:
            c.P[2, i] = -c.D[i, 2]


@kernel(**NO_ARRAYS)
def set_axes(rows: RowPlan, work: Work, c: ComponentPlan, first: int, X: int) -> bool:
    """``system.reaction_axes.reaction_axes`` of group X with its first row; False where a choice is close."""
    size, frame = c.linear, c.frame[X]
    for a in range(size):
        c.known[a] = 0
        for b in range(size):
            c.axes[a, b] = 1.0 if a == b else 0.0
    if c.kind[X] == IN_WORLD:
        return True
    for b in range(size):
        if size == 3:
            for a in range(3):
                c.frame_axes[a, b] = work.F[frame, c.x + 3 * a + b]
        else:
            c.frame_axes[0, b] = work.F[frame, c.x + b]
    if size == 2:
        c.frame_axes[1, 0], c.frame_axes[1, 1] = -c.frame_axes[0, 1], c.frame_axes[0, 0]
    count = 0
    for k in range(c.axis_start[X], c.axis_start[X + 1]):
        D = c.D[c.axis_row[k] - first]
        force, every = 0.0, 0.0
        for a in range(D.shape[0]):
            every = max(every, abs(D[a]))
            if a < size:
                force = max(force, abs(D[a]))
        if DOUBTFUL_PART * force > NO_DIRECTION * every and not force > DOUBTFUL_PART * NO_DIRECTION * every:
            return False
        start = 0 if force > NO_DIRECTION * every else size
        if start + size > D.shape[0]:
            return False
        added = add_axis(c, c.axis[k], D, start, c.axis_sign[k])
        if added < 0:
            return False
        count += added
    return complete_axes(c, count)


@kernel(**NO_ARRAYS)
def add_axis(c: ComponentPlan, axis: int, d: Floats, start: int, sign: float) -> int:
    """The part of ±d across the known axes as a unit vector for ``axis``: 1, 0 if nothing is left, −1 in doubt."""
    size, before, after = c.linear, 0.0, 0.0
    if c.known[axis]:
        return -1
    for a in range(size):
        before += d[start + a] * d[start + a]
    for a in range(size):
        c.axes[axis, a] = sign * d[start + a]
    for k in range(size):
        if c.known[k]:
            product = 0.0
            for a in range(size):
                product += c.axes[k, a] * c.axes[axis, a]
            for a in range(size):
                c.axes[axis, a] -= product * c.axes[k, a]
    for a in range(size):
        after += c.axes[axis, a] * c.axes[axis, a]
    if not after > (DOUBTFUL_PART * NO_DIRECTION) ** 2 * before:
        return 0 if after * DOUBTFUL_PART**2 < NO_DIRECTION**2 * before else -1
    for a in range(size):
        c.axes[axis, a] /= math.sqrt(after)
    c.known[axis] = 1
    return 1


@kernel(**NO_ARRAYS)
def complete_axes(c: ComponentPlan, count: int) -> bool:
    """Right-handed axes that hold the known ones; the axis of the frame most perpendicular to a single one stays."""
    size = c.linear
    if count == 0:
        for a in range(size):
            for b in range(size):
                c.axes[a, b] = c.frame_axes[a, b]
        return True
    first = 0
    while not c.known[first]:
        first += 1
    if size == 2:
        if first == 0:
            c.axes[1, 0], c.axes[1, 1] = -c.axes[0, 1], c.axes[0, 0]
        else:
            c.axes[0, 0], c.axes[0, 1] = c.axes[1, 1], -c.axes[1, 0]
        return True
    if count == 1:
        second, third = (first + 1) % 3, (first + 2) % 3
        along_one, along_two = 0.0, 0.0
        for b in range(3):
            along_one += c.frame_axes[second, b] * c.axes[first, b]
            along_two += c.frame_axes[third, b] * c.axes[first, b]
        if abs(abs(along_one) - abs(along_two)) < DOUBTFUL_PART * NO_DIRECTION:
            return False
        chosen = second if abs(along_one) < abs(along_two) else third
        if add_axis(c, chosen, c.frame_axes[chosen], 0, 1.0) != 1:
            return False
    for k in range(3):
        if not c.known[k]:
            i, j = (k + 1) % 3, (k + 2) % 3
            for b in range(3):
                g, h = (b + 1) % 3, (b + 2) % 3
                c.axes[k, b] = c.axes[i, g] * c.axes[j, h] - c.axes[i, h] * c.axes[j, g]
    return True
