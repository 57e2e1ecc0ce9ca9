"""The interval of every component of every reaction, over all load distributions that a model allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Ints
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import Accelerations
from reactio.forward_dynamics.contact import ContactLost, moving_bodies, refuse_lost_contact
from reactio.reaction_bounds.by_joint import ByJoint
from reactio.reaction_bounds.cones import SplitsWithinLimits, Vertex
from reactio.reaction_bounds.friction import friction_cones
from reactio.reaction_bounds.limits import CAPACITY_UNITS, ComponentLimit, LimitKind, capacities
from reactio.results.as_data import Result
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.system.constraints import components
from reactio.system.equations import Equations
from reactio.system.types import RowGroup
from reactio.uniqueness import Solvability
from reactio.uniqueness.bounds import NARROWEST_INTERVAL, Splits


@dataclass(frozen=True, slots=True)
class Bound(Result):
    """Ends of one component over all splits, ±inf where nothing limits it; forces in N, moments in N m."""

    KEYS = "low high unit unique limited_by limited_by_others why"

    low: float
    high: float
    unit: str
    unique: bool  # by rank, or because the interval has no width
    by_rank: bool  # unique by the rank of C alone
    limited_by: tuple[str, ...]  # what limits its ends, the first few if there are many
    limited_by_others: bool = False  # are there more than are named?
    is_open: bool = False  # is it a contact that is open, so that its force is zero?

    @property
    def why(self) -> str:
        """Why the interval is what it is, in words."""
        if self.is_open:
            return "open: nothing touches there"
        if self.unique:
            return "unique by rank" if self.by_rank else "unique by signs and limits"
        ends = [name for name, end in (("below", self.low), ("above", self.high)) if np.isinf(end)]
        more = " and others" if self.limited_by_others else ""
        held = f"limited by {', '.join(self.limited_by)}{more}" if self.limited_by else ""
        free = f"nothing limits it {' or '.join(ends)}: a self-stress of any size is possible" if ends else ""
        return "; ".join(text for text in (held, free) if text)


@dataclass(frozen=True, eq=False)
class ReactionBounds(ByJoint[Bound], Result, Tabular):
    """Bounds by joint and component, and what they say of the capacities.

    ``load_factor``: the largest s such that some split of s times the load is within all capacities with λ ≥ 0 on
    unilateral rows (lower-bound theorem of limit analysis); inf where nothing limits it.  ``critical``: the joints at
    their capacity then.  ``every_split_safe``: no split exceeds a capacity; None where the intervals do not tell.
    """

    SCHEMA = "reactio.bounds/1"
    KEYS = "model=eqs.system.model.name t=eqs.state.t bounds=found feasible load_factor critical every_split_safe notes"

    eqs: Equations
    found: Mapping[str, Mapping[str, Bound]]
    feasible: bool
    load_factor: float
    critical: tuple[str, ...]
    every_split_safe: bool | None
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        held = f"{len(self.found)} reactions" if self.feasible else "no split holds the load"
        return f"<Bounds of {self.eqs.system.model.name} at t = {self.eqs.state.t:g} s: {held}>"

    def table(self) -> ResultTable:
        """The interval of every component."""
        heads = ("joint", "component", "low", "high", "unit", "unique", "why")
        rows = [
            (joint, name, bound.low, bound.high, bound.unit, bound.unique, bound.why)
            for joint, parts in self.found.items()
            for name, bound in parts.items()
        ]
        return table_of(f"{self!r}"[1:-1], heads, rows, 2, ("low", "high"), " ".join(self.notes))


def bounded(
    eqs: Equations,
    answer: Solvability,
    motion: Accelerations,
    capacity: Mapping[str, Mapping[str, float]] | None = None,
    given: tuple[ComponentLimit, ...] = (),
    on_progress: Callable[[int, int], object] | None = None,
) -> ReactionBounds:
    """The interval of every component over all splits at an instant whose verdicts and accelerations are known.

    ``capacity``: largest |force|, |moment| of joints, besides the model's own.  ``given``: further limits.
    """
    if motion.absent:
        raise ReactioError(
            f"The reactions of {', '.join(motion.absent)} grow without bound towards this pose: it is singular."
        )
    splits = Splits(answer, motion.f, motion.rounding)
    refuse_lost_contact(eqs, splits)
    limits = (*friction_cones(eqs), *given, *capacities(eqs, capacity or {}))
    doubt = "The rank is not certain here: the intervals are those of its best reading."
    notes = [] if answer.confident else [doubt]
    plain = _by_rank_and_signs(eqs, splits, on_progress)
    if not limits:
        return ReactionBounds(eqs, plain, True, np.inf, (), None, tuple(notes))
    _refuse_slipping(eqs, splits, limits)
    return _with_limits(eqs, splits, limits, plain, notes)


def _refuse_slipping(eqs: Equations, splits: Splits, limits: tuple[ComponentLimit, ...]) -> None:
    """An error where no split is within the friction cones, or none within the ranges that are known."""
    rough = [limit for limit in limits if limit.kind is LimitKind.FRICTION]
    if rough:
        motion = SplitsWithinLimits(splits, rough).unsupported_motion()
        if motion is not None:
            names = ", ".join(limit.joint for limit in rough[:8]) + (" …" if len(rough) > 8 else "")
            raise ContactLost(
                f"No forces within the friction cones of {names} hold this load: {moving_bodies(eqs, motion)} would "
                "move (m/s, rad/s). Along that motion no joint breaks, and the loads do more work than friction can "
                "take. More friction, more grip, or another place to hold is needed."
            )
    ranged = [limit for limit in limits if limit.kind is LimitKind.RANGE]
    if ranged and SplitsWithinLimits(splits, [*rough, *ranged]).unsupported_motion() is not None:
        known = "; ".join(limit.words for limit in ranged)
        raise ReactioError(f"No load distribution satisfies the known ranges ({known}): check them.")


def _by_rank_and_signs(
    eqs: Equations, splits: Splits, on_progress: Callable[[int, int], object] | None = None
) -> dict[str, dict[str, Bound]]:
    """Intervals by rank and by signs alone; ``on_progress`` sees how many joints are done, of how many."""
    bounds: dict[str, dict[str, Bound]] = {}
    for group in eqs.system.reacting:
        bounds[group.name] = _bounds_of_group(eqs, splits, group)
        if on_progress is not None:
            on_progress(len(bounds), len(eqs.system.reacting))
    return bounds


def _bounds_of_group(eqs: Equations, splits: Splits, group: RowGroup) -> dict[str, Bound]:
    """The intervals of the components of one joint or contact."""
    narrowest = NARROWEST_INTERVAL * float(np.abs(splits.some).max(initial=0.0))
    table, rows = components(eqs, group), np.arange(group.start, group.stop)
    known = splits.answer.uniqueness(splits.answer.index[group.name], table.P)
    bounds = {}
    for label, unit, p, unique in zip(table.labels, table.units, table.P, known, strict=True):
        if unique:
            value = float(p @ splits.some[rows]) + 0.0
            bounds[label] = Bound(value, value, unit, True, True, ())
            continue
        if unique is False and splits.unlimited(rows):
            bounds[label] = Bound(-np.inf, np.inf, unit, False, False, ())
            continue
        ends = splits.interval(rows, p)
        narrow = bool(ends.high - ends.low <= narrowest * float(np.abs(p).max()))
        names = _owners(eqs, np.concatenate([ends.held_below, ends.held_above]))
        bounds[label] = Bound(ends.low + 0.0, ends.high + 0.0, unit, narrow, False, names, ends.others)
    return bounds


def _owners(eqs: Equations, rows: Ints) -> tuple[str, ...]:
    """The joints or contacts that rows belong to, in their order."""
    table = eqs.constraints.rows
    owners = np.unique(np.searchsorted(table.ptr, rows, side="right") - 1)
    return tuple(table.groups[k].name for k in owners)


def _with_limits(
    eqs: Equations,
    splits: Splits,
    limits: tuple[ComponentLimit, ...],
    plain: dict[str, dict[str, Bound]],
    notes: list[str],
) -> ReactionBounds:
    """The intervals within limits, the load factor, and whether every split is within the capacities."""
    within = SplitsWithinLimits(splits, limits)
    factor, critical = np.inf, tuple[str, ...]()
    if any(
        limit.kind is not LimitKind.FRICTION for limit in limits
    ):  # any multiple of a force in a friction cone is in it
        most = within.largest_load_factor()
        factor = 0.0 if most is None else most.value
        critical = () if most is None else tuple(dict.fromkeys(limit.joint for limit in most.held_by if limit.scales))
    bearing = tuple(limit for limit in limits if limit.scales)
    allowed = _limited(eqs, SplitsWithinLimits(splits, tuple(limit for limit in limits if not limit.scales)), plain)
    if factor < 1.0 - NARROWEST_INTERVAL:
        notes.append(
            f"No load distribution is within all capacities: reduce the load to {factor:.6g} times its size, or "
            f"enlarge all capacities by {100 * within.least_widening():.4g} %. The intervals ignore capacities."
        )
        return ReactionBounds(eqs, allowed, False, factor, critical, False, tuple(notes))
    if not bearing:
        return ReactionBounds(eqs, allowed, True, factor, critical, None, tuple(notes))
    safe = _every_split_safe(bearing, allowed)
    return ReactionBounds(eqs, _limited(eqs, within, allowed), True, factor, critical, safe, tuple(notes))


def _limited(
    eqs: Equations, within: SplitsWithinLimits, before: dict[str, dict[str, Bound]]
) -> dict[str, dict[str, Bound]]:
    """The intervals of all joints inside the limits, from those with fewer limits."""
    if not within.limits:
        return before
    return {group.name: _limited_group(eqs, within, group, before[group.name]) for group in eqs.system.reacting}


def _limited_group(
    eqs: Equations, within: SplitsWithinLimits, group: RowGroup, before: dict[str, Bound]
) -> dict[str, Bound]:
    """The intervals of a group inside the limits of all."""
    table, rows = components(eqs, group), np.arange(group.start, group.stop)
    bounds = {}
    for label, p in zip(table.labels, table.P, strict=True):
        if before[label].unique:
            bounds[label] = before[label]
            continue
        ends = []
        for sign, known in ((-1.0, before[label].low), (1.0, before[label].high)):
            vertex = within.largest(rows, sign * p, bounded=bool(np.isfinite(known)))
            if vertex is None:
                raise ReactioError("A cone program was not solved: its ends contradict each other.")
            ends.append(vertex)
        bounds[label] = _narrowed(eqs, before[label], ends[0], ends[1])
    return bounds


def _narrowed(eqs: Equations, before: Bound, below: Vertex, above: Vertex) -> Bound:
    """An interval between two vertices; an end that they move by less than their accuracy stays as it was."""
    rounding = NARROWEST_INTERVAL * max(
        (abs(end.value) for end in (below, above) if np.isfinite(end.value)), default=0.0
    )
    moved_low, moved_high = -below.value > before.low + rounding, above.value < before.high - rounding
    low = -below.value if moved_low else before.low
    high = above.value if moved_high else before.high
    if not moved_low and not moved_high:
        return before
    names = [name for vertex in (below, above) for name in _held_by(eqs, vertex)]
    narrow = np.isfinite(high - low) and high - low <= NARROWEST_INTERVAL * max(abs(low), abs(high))
    return Bound(low, high, before.unit, bool(narrow), False, tuple(dict.fromkeys(names)))


def _held_by(eqs: Equations, vertex: Vertex) -> tuple[str, ...]:
    """The limits reached at a vertex, and the contacts with zero force there."""
    return (*(limit.words for limit in vertex.held_by), *_owners(eqs, vertex.idle))


def _every_split_safe(limits: tuple[ComponentLimit, ...], allowed: dict[str, dict[str, Bound]]) -> bool | None:
    """Is every split within every capacity?  None where that is not known.

    The largest component is a lower bound of the size of a force or moment; the norm of all of them is an upper one.
    """
    known = True
    for limit in limits:
        unit = CAPACITY_UNITS[limit.kind]
        largest = np.array([max(abs(b.low), abs(b.high)) for b in allowed[limit.joint].values() if b.unit == unit])
        if largest.max() > limit.most:
            return False
        known = known and float(np.linalg.norm(largest)) <= limit.most
    return True if known else None
