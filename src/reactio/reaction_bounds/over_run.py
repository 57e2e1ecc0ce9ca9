"""Bounds along a motion: the envelope of the interval of every component."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reactio.catalogue.places import ReactionAxes
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joint_reactions.judge import judge
from reactio.model.contacts import acts_one_way
from reactio.model.model import Model, require_model
from reactio.reaction_bounds.by_joint import ByJoint
from reactio.reaction_bounds.intervals import ReactionBounds, bounded
from reactio.reaction_bounds.limits import ranges
from reactio.reaction_bounds.with_contacts import bounds_with_contacts
from reactio.results.as_data import Result
from reactio.simulation.state_at import states_at
from reactio.system.compile.build import build
from reactio.system.equations import equations
from reactio.system.types import System

DEFAULT_INSTANTS = 51  # of an envelope: a curve through so many points looks smooth, and intervals cost little


@dataclass(frozen=True, slots=True)
class Extreme:
    """The lowest and the highest end of the intervals of a component along a motion [N, N m], and when [s]."""

    low: float
    t_low: float
    high: float
    t_high: float
    unit: str
    unique: bool  # at every instant


@dataclass(frozen=True, eq=False)
class BoundsEnvelope(ByJoint[Extreme], Result):
    """Extremes by joint and component; ``feasible``: is some split within all capacities at every instant?

    ``load_factor`` is the smallest of all instants, ``critical`` and ``t_critical`` are those of that instant.
    """

    SCHEMA = "reactio.bounds-envelope/1"
    KEYS = "model times axes bounds=found feasible load_factor critical t_critical notes"

    model: str
    times: tuple[float, ...]
    found: Mapping[str, Mapping[str, Extreme]]
    feasible: bool
    load_factor: float
    critical: tuple[str, ...]
    t_critical: float
    notes: tuple[str, ...]
    axes: str = ReactionAxes.JOINT  # in which components are named


def bounds_envelope(
    source: Model | System,
    until: float,
    samples: int = DEFAULT_INSTANTS,
    capacity: Mapping[str, Mapping[str, float]] | None = None,
    known: Mapping[str, tuple[float, float]] | None = None,
) -> BoundsEnvelope:
    """The envelope of ``reactio.bounds`` over a motion from the start to ``until`` [s], at so many instants.

    >>> import reactio
    >>> found = bounds_envelope(reactio.load("pendulum-twice"), until=0.1, samples=3)
    >>> len(found.times), found["rod1"]["N"].high
    (3, inf)
    """
    if samples < 2:
        raise ReactioError(f"An envelope needs 2 instants or more, not {samples}.")
    if not isinstance(source, System):
        require_model(source)
    system = build(source) if isinstance(source, Model) else source
    first = float(system.state().t)
    if not np.isfinite(until) or until <= first:
        raise ReactioError(f"The motion starts at t = {first:g} s: an envelope until {until:g} s has no duration.")
    times = np.linspace(first, until, samples).tolist()
    if isinstance(source, Model) and acts_one_way(source):
        answers = bounds_with_contacts(source, times, capacity, known)
    else:
        answers = _along(system, times, capacity, known)
    every = list(zip(times, answers, strict=True))
    t_critical, worst = min(every, key=lambda instant: instant[1].load_factor)
    return BoundsEnvelope(
        system.model.name,
        tuple(t for t, _ in every),
        {name: {label: _extreme(every, name, label) for label in every[0][1][name]} for name in every[0][1]},
        all(bounds.feasible for _, bounds in every),
        worst.load_factor,
        worst.critical,
        t_critical,
        tuple(dict.fromkeys(f"t = {t:g} s: {note}" for t, bounds in every for note in bounds.notes))[:5],
        system.axes,
    )


def _along(
    system: System,
    times: Sequence[float],
    capacity: Mapping[str, Mapping[str, float]] | None,
    known: Mapping[str, tuple[float, float]] | None,
) -> Iterator[ReactionBounds]:
    """The bounds at each of the times of a motion without contacts."""
    for state in states_at(system, times):
        judged = judge(equations(system, state))
        given = ranges(judged.eqs, known or {})
        yield bounded(judged.eqs, judged.answer, judged.motion or accelerations(judged.eqs), capacity, given)


def _extreme(every: list[tuple[float, ReactionBounds]], name: str, label: str) -> Extreme:
    seen = [(t, bounds[name][label]) for t, bounds in every]
    t_low, lowest = min(seen, key=lambda instant: instant[1].low)
    t_high, highest = max(seen, key=lambda instant: instant[1].high)
    unique = all(bound.unique for _, bound in seen)
    return Extreme(lowest.low, t_low, highest.high, t_high, lowest.unit, unique)
