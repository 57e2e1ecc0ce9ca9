"""The order in which parts begin to bear as a load grows: gaps close one after the other.

With all gaps closed λ is affine in the load, so that the gap problem has the load in its forces w₀ alone.  The loads at
which the same parts bear are an interval where gaps are intervals (a parametric quadratic programme), so that bisection
between two loads at which different parts bear finds every event; gaps that are discs are sampled more closely first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.errors import ReactioError, did_you_mean, listed
from reactio.flexibility.instant import Instant, instant
from reactio.functions import Function
from reactio.functions.constant import Constant
from reactio.linear.convex.gap_sets import NotBalanced
from reactio.linear.precision import ROUNDOFF
from reactio.model.model import Model, require_model
from reactio.results.as_data import Result
from reactio.sharing.compliance import refuse_open
from reactio.sharing.gaps import IDLE_FORCE, GapScaling, scaled_gaps

WEIGHT = "weight"  # the load of gravity
SAMPLES = 65  # loads at which the split is solved first, with both ends
FIRST_PART = (
    1e-5  # of the largest load: parts that bear below it bear from the start, and rounding decides nothing there
)
NOT_HELD = frozenset({"nothing holds it"})


@dataclass(frozen=True, slots=True)
class Engaged(Result):
    """A load at which parts begin or cease to bear."""

    KEYS = "at=load begins ceases"

    load: float  # [N, N m]; of the weight its part
    begins: tuple[str, ...]
    ceases: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Engagement(Result):
    """The parts that bear as a load grows."""

    SCHEMA = "reactio.engage/1"

    model: str
    load: str  # its name
    unit: str  # N, N m, or "" for a part of the weight
    bears_at_start: tuple[str, ...]  # from the first load on
    events: tuple[Engaged, ...]
    loads: Floats  # (k,) at which forces are given, events among them
    forces: Mapping[str, Floats]  # joint → (k,) size of its force [N], or of its moment [N m]


@dataclass(frozen=True, eq=False)
class _LoadPath:
    """Multipliers along a load: λ = closed(x) − N H⁻¹NᵀAᵀ s(x), x from 0 to 1."""

    scaled: GapScaling
    start: Floats  # (m,) with all gaps closed, without the load
    end: Floats  # (m,) with all of it

    def lam(self, x: float) -> Floats | None:
        """λ (m,) at a part x of the load; None where nothing holds it."""
        solved = self._solved(x)
        return None if solved is None else solved[0]

    def _solved(self, x: float) -> tuple[Floats, Bools] | None:
        """λ (m,), and (K,) which components of gaps bear."""
        closed = (1.0 - x) * self.start + x * self.end
        problem, unit = self.scaled.problem(closed, np.zeros(len(closed)))
        try:
            forces = problem.solve()
        except NotBalanced:
            return None
        return closed - self.scaled.relaxed @ (unit * forces.s / self.scaled.factor), forces.bears

    def bearing(self, x: float) -> frozenset[str]:
        """The joints that bear."""
        solved = self._solved(x)
        if solved is None:
            return NOT_HELD
        lam, bears = solved
        size = IDLE_FORCE * float(np.abs(lam).max(initial=0.0))
        groups, table = self.scaled.found.problem.matrix.rows.groups, self.scaled.table
        loaded = {g.name for g in groups if np.abs(lam[g.start : g.stop]).max(initial=0.0) > size}
        return frozenset(loaded | {table.gaps[j].name for j in table.owner[bears].tolist()})


def engagement(model: Model, load: str, to: float | None = None) -> Engagement:
    """The order in which parts begin to bear as a load grows from nothing ``to`` a size [N, N m], others as they are.

    ``load``: the name of a force or torque of the model, or ``weight`` for gravity, whose sizes are parts of it.
    """
    require_model(model)
    if nonlinear := [joint.name for joint in model.joints if "Z" in joint.bearing and not joint.elastic.stiffness]:
        raise ReactioError(
            f"The bearing in '{nonlinear[0]}' gets stiffer as its load grows; the order of bearing parts is followed "
            "with constant stiffnesses. Give the joint a `stiffness`, or ask for reactions at several loads."
        )
    size, unit = _size(model, load)
    largest = size if to is None else float(to)
    if not (np.isfinite(largest) and largest > 0.0):
        raise ReactioError(f"The load '{load}' grows to {largest:g}: give a positive number.")
    none, full = (instant(_scaled_load(model, load, factor)) for factor in (0.0, largest / size))
    refuse_open(full.whole)
    solution = full.whole.solution
    if solution is None:
        raise ReactioError(
            f"'{model.name}' has neither play nor parts that act one way: all of its parts bear at once."
        )
    if any(g.stop - g.start > 1 for g in full.eqs.constraints.rows.unilateral_groups):
        raise ReactioError("Feet that stick by friction: the order in which they touch depends on the past.")
    scaled = scaled_gaps(full.whole, solution.gaps, full.whole.linear)
    if scaled.undecided.shape[1]:
        raise ReactioError("Rigid parts share load through play: give every part that shares load a stiffness.")
    path = _LoadPath(scaled, none.whole.linear, full.whole.linear)
    events = tuple(_events(path, largest))
    loads = np.unique(
        np.concatenate([np.linspace(FIRST_PART * largest, largest, SAMPLES), [event.load for event in events]])
    )
    known = [(x, lam) for x in loads for lam in [path.lam(x / largest)] if lam is not None]
    return Engagement(
        model.name, load, unit, tuple(sorted(path.bearing(FIRST_PART) - NOT_HELD)), events,
        np.array([x for x, _ in known]), dict(_sizes(full, [lam for _, lam in known])),
    )  # fmt: skip


def _events(path: _LoadPath, largest: float) -> Iterator[Engaged]:
    """All events in order; a part that bears at a single load only, as a gap that just closes, counts at the next."""
    x = np.linspace(FIRST_PART, 1.0, SAMPLES)
    states = [path.bearing(float(at)) for at in x]
    for a, b, before, after in zip(x[:-1].tolist(), x[1:].tolist(), states[:-1], states[1:], strict=True):
        for at, old, new in _between(path, a, b, before, after):
            if new == NOT_HELD:
                raise ReactioError(
                    f"Nothing holds the load from {at * largest:.6g} on: its one-way parts would separate."
                )
            yield Engaged(at * largest, tuple(sorted(new - old - NOT_HELD)), tuple(sorted(old - new - NOT_HELD)))


def _between(
    path: _LoadPath, a: float, b: float, before: frozenset[str], after: frozenset[str]
) -> Iterator[tuple[float, frozenset[str], frozenset[str]]]:
    """Events between two parts of the load."""
    if before == after:
        return
    if b - a <= ROUNDOFF:
        yield b, before, after
        return
    middle = 0.5 * (a + b)
    state = path.bearing(middle)
    yield from _between(path, a, middle, before, state)
    yield from _between(path, middle, b, state, after)


def _size(model: Model, load: str) -> tuple[float, str]:
    """The size of a load in the model [N, N m]; 1 for the weight."""
    if load == WEIGHT:
        return 1.0, ""
    force = next((force for force in model.forces if force.name == load), None)
    names = [force.name for force in model.forces]
    if force is None:
        raise ReactioError(f"There is no load '{load}'.{did_you_mean(load, [*names, WEIGHT])}")
    key, unit = {"force": ("force", "N"), "torque": ("torque", "N m")}.get(force.type, ("", ""))
    if not key:
        known = [force.name for force in model.forces if force.type in ("force", "torque")]
        raise ReactioError(f"'{load}' is a {force.type}; loads that grow are forces and torques: {listed(known, 8)}.")
    values = [law.value for law in _laws(force.parameters[key]) if isinstance(law, Constant)]
    if len(values) < len(_laws(force.parameters[key])):
        raise ReactioError(f"'{load}' depends on time: give constant components, which grow in proportion.")
    size = float(np.linalg.norm(values))
    if not size:
        raise ReactioError(f"'{load}' is zero: its direction is not known. Give it a component.")
    return size, unit


def _laws(given: Any) -> tuple[Function, ...]:
    return given if isinstance(given, tuple) else (given,)


def _scaled_load(model: Model, load: str, factor: float) -> Model:
    """The model with one load multiplied by a factor."""
    if load == WEIGHT:
        return replace(model, gravity=tuple(factor * g for g in model.gravity))
    forces = []
    for force in model.forces:
        key = force.type
        if force.name == load:
            given = force.parameters[key]
            scaled = tuple(law.scaled(factor) for law in _laws(given))
            force = replace(
                force, parameters={**force.parameters, key: scaled if isinstance(given, tuple) else scaled[0]}
            )
        forces.append(force)
    return replace(model, forces=tuple(forces))


def _sizes(now: Instant, multipliers: list[Floats]) -> Iterator[tuple[str, Floats]]:
    """The size of the force of every joint, or of its moment where it bears no force."""
    wrenches = [now.forces(lam) for lam in multipliers]
    count = now.eqs.system.dimension
    for name in wrenches[0] if wrenches else ():
        table = np.array([wrench[name] for wrench in wrenches])
        if now.eqs.system.group(name).frames is None:
            yield name, np.abs(table[:, 0])
            continue
        force = np.linalg.norm(table[:, :count], axis=1)
        yield name, force if force.any() else np.linalg.norm(table[:, count:], axis=1)
