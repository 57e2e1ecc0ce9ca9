"""The order in which parts begin to carry load as a load, a temperature or a position grows: gaps close one by one.

With all gaps closed λ is affine in what grows, so that the gap problem has it in its forces w₀ alone.  The loads at
which the same parts bear are an interval where gaps are intervals (a parametric quadratic programme), so that bisection
between two loads at which different parts bear finds every event; gaps that are discs are sampled more closely first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.errors import ReactioError, did_you_mean, listed
from reactio.flexibility.instant import Instant, instant
from reactio.functions import Function
from reactio.functions.constant import Constant
from reactio.joint_reactions.closing import with_near_contacts
from reactio.linear.convex.gap_sets import NotBalanced
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.model.elastic import LENGTHWISE
from reactio.model.model import Model, require_model
from reactio.model.play import ALONG
from reactio.model.specs import Force
from reactio.results.as_data import Result
from reactio.sharing.compliance import refuse_open
from reactio.sharing.gaps import GapScaling, scaled_gaps
from reactio.sharing.problem import IDLE_FORCE
from reactio.system.compile.build import build

WEIGHT = "weight"  # the load of gravity
TEMPERATURE_LOAD = "temperature"  # of all parts that the model heats, or of one, ``NAME.temperature``
SAMPLES = 65  # loads at which the split is solved first, with both ends
# Part of the largest load: parts that bear below it bear from the start, and rounding decides nothing there.
FIRST_PART = 1e-5
DISPLACED = ("m", "rad", "K")  # units of what displaces parts and loads none of them
NOT_HELD = frozenset({"nothing holds it"})


@dataclass(frozen=True, slots=True)
class Engaged(Result):
    """A load at which parts begin or cease to carry load."""

    KEYS = "at=load begins ceases"

    load: float  # [N, N m, K, m, rad]; of the weight its part
    begins: tuple[str, ...]
    ceases: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Engagement(Result):
    """The parts that bear as a load grows."""

    SCHEMA = "reactio.engage/1"

    model: str
    load: str  # its name
    unit: str  # N, N m, K, m, rad, or "" for a part of the weight
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
            forces = self.scaled.forces(problem)
        except NotBalanced:
            return None
        return closed - self.scaled.relaxed @ (unit * forces.s / self.scaled.factor), forces.bears

    def bearing(self, x: float) -> frozenset[str]:
        """The joints that bear."""
        solved = self._solved(x)
        if solved is None:
            return NOT_HELD
        lam, bears = solved
        # Where nothing is loaded yet, the forces of closed gaps have cancelled, but for rounding.
        largest = max(float(np.abs(forces).max(initial=0.0)) for forces in (self.start, self.end))
        size = max(IDLE_FORCE * float(np.abs(lam).max(initial=0.0)), ROUNDOFF * largest)
        groups, table = self.scaled.found.problem.matrix.rows.groups, self.scaled.table
        loaded = {g.name for g in groups if np.abs(lam[g.start : g.stop]).max(initial=0.0) > size}
        return frozenset(loaded | {table.gaps[j].name for j in table.owner[bears].tolist()})


def engagement(model: Model, load: str, to: float | None = None) -> Engagement:
    """The order in which parts begin to carry load as something grows from nothing ``to`` a size, all else as it is.

    ``load``: the name of a force or torque of the model; ``weight`` for gravity, whose sizes are parts of it;
    ``temperature`` for all that the model heats, ``rod.temperature`` for one part; the name of a drive, or a component
    of a seat such as ``hinge2.z`` or ``rod.length``, for a displacement that is small next to the mechanism [N, N m, K,
    m, rad].
    """
    require_model(model)
    if nonlinear := [joint.name for joint in model.joints if "Z" in joint.bearing and not joint.elastic.stiffness]:
        raise ReactioError(
            f"The bearing in '{nonlinear[0]}' gets stiffer as its load grows; the order in which parts begin to carry "
            "load can be followed only with constant stiffnesses. Give the joint a `stiffness`, or ask for reactions "
            "at several loads."
        )
    growing = growing_quantity(with_near_contacts(model), load)  # one set of rows at all loads
    largest = growing.size if to is None else float(to)
    if not (np.isfinite(largest) and largest > 0.0):
        given = "" if to is not None else ", its size in the model"
        raise ReactioError(f"'{load}' grows to {largest:g}{given}: give a positive number as its final size.")
    unit = growing.unit
    none, full = (instant(build(growing.model_at(size), vibration=False)) for size in (0.0, largest))
    if growing.unit in DISPLACED and np.array_equal(none.elastic.delta, full.elastic.delta):
        raise ReactioError(f"'{load}' changes nothing as it grows: the joint is free there.")
    refuse_open(full.whole)
    solution = full.whole.solution
    if solution is None:
        raise ReactioError(
            f"'{model.name}' has neither play nor parts that act one way: all of its parts carry load from the start."
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
    changes: list[tuple[float, frozenset[str], frozenset[str]]] = []
    for a, b, before, after in zip(x[:-1].tolist(), x[1:].tolist(), states[:-1], states[1:], strict=True):
        for at, old, new in _between(path, a, b, before, after):
            if new == NOT_HELD:
                raise ReactioError(
                    f"Nothing holds the load from {at * largest:.6g} on: its one-way parts would separate."
                )
            if changes and at - changes[-1][0] <= SOLUTION:  # parts in a row begin at the same load but for rounding
                at, old, _ = changes.pop()
            changes.append((at, old, new))
    for at, old, new in changes:
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


@dataclass(frozen=True, eq=False)
class GrowingQuantity:
    """What grows: its size in the model, its unit, and the model in which it has another size."""

    size: float
    unit: str
    model_at: Callable[[float], Model]


def growing_quantity(model: Model, name: str) -> GrowingQuantity:
    """The load, temperature or position of a name."""
    if name == WEIGHT:
        return GrowingQuantity(1.0, "", lambda x: replace(model, gravity=tuple(x * g for g in model.gravity)))
    if force := next((force for force in model.forces if force.name == name), None):
        return _growing_force(model, force)
    owner, _, component = name.rpartition(".")
    if TEMPERATURE_LOAD in (name, component):
        return _growing_temperature(model, owner)
    if any(drive.name == name for drive in model.drives):
        return _growing_misfit(model, name, ALONG)
    if owner in model.joint_index:
        return _growing_misfit(model, owner, ALONG if component in LENGTHWISE else component)
    known = [*(force.name for force in model.forces), *(drive.name for drive in model.drives), WEIGHT, TEMPERATURE_LOAD]
    raise ReactioError(f"There is no load '{name}'.{did_you_mean(name, known)}")


def _growing_force(model: Model, force: Force) -> GrowingQuantity:
    key, unit = {"force": ("force", "N"), "torque": ("torque", "N m")}.get(force.type, ("", ""))
    if not key:
        known = [candidate.name for candidate in model.forces if candidate.type in ("force", "torque")]
        raise ReactioError(
            f"'{force.name}' is a {force.type}; loads that grow are forces and torques: {listed(known, 8)}."
        )
    given = force.parameters[key]
    laws: tuple[Function, ...] = given if isinstance(given, tuple) else (given,)
    values = [law.value for law in laws if isinstance(law, Constant)]
    if len(values) < len(laws):
        raise ReactioError(f"'{force.name}' depends on time: give constant components, which grow in proportion.")
    size = float(np.linalg.norm(values))
    if not size:
        raise ReactioError(f"'{force.name}' is zero: its direction is not known. Give it a component.")

    def model_at(x: float) -> Model:
        scaled = tuple(law.scaled(x / size) for law in laws)
        grown = replace(force, parameters={**force.parameters, key: scaled if isinstance(given, tuple) else scaled[0]})
        return replace(model, forces=tuple(grown if present is force else present for present in model.forces))

    return GrowingQuantity(size, unit, model_at)


def _growing_temperature(model: Model, owner: str) -> GrowingQuantity:
    """The temperatures of all bodies and rods that the model heats, in proportion; or that of one of them."""
    heated = {body.name: body.temperature for body in model.bodies if body.temperature}
    heated |= {joint.name: joint.elastic.temperature for joint in model.joints if joint.elastic.temperature}
    if owner and owner not in {**model.body_index, **model.joint_index}:
        raise ReactioError(f"There is no part '{owner}'.{did_you_mean(owner, [*model.body_index, *model.joint_index])}")
    if not heated and not owner:
        raise ReactioError(
            "No part of the model has a `temperature`: name the one that is heated, as in --load rod.temperature, or "
            "give temperatures, which grow in proportion."
        )
    largest = max((abs(rise) for rise in heated.values()), default=0.0)
    size = heated.get(owner, 0.0) if owner else largest
    parts = {owner: 1.0} if owner else {name: rise / largest for name, rise in heated.items()}

    def model_at(x: float) -> Model:
        bodies = (
            replace(body, temperature=x * parts[body.name]) if body.name in parts else body for body in model.bodies
        )
        joints = (
            replace(joint, elastic=replace(joint.elastic, temperature=x * parts[joint.name]))
            if joint.name in parts
            else joint
            for joint in model.joints
        )
        return replace(model, bodies=tuple(bodies), joints=tuple(joints))

    model_at(1.0)  # refuses parts that heat does not change
    return GrowingQuantity(size, "K", model_at)


def _growing_misfit(model: Model, owner: str, component: str) -> GrowingQuantity:
    """The position of a drive, or how far the seat of a joint stands off along a component."""
    drive = next((drive for drive in model.drives if drive.name == owner), None)
    given = drive.elastic if drive else model.joint(owner).elastic

    def model_at(x: float) -> Model:
        elastic = replace(given, misfit={**given.misfit, component: x})
        if drive is not None:
            drives = (replace(present, elastic=elastic) if present is drive else present for present in model.drives)
            return replace(model, drives=tuple(drives))
        joints = (replace(joint, elastic=elastic) if joint.name == owner else joint for joint in model.joints)
        return replace(model, joints=tuple(joints))

    turning = component.startswith("about_")
    if drive is not None:
        turning = build(model).group(owner).units[0] == "rad"
    return GrowingQuantity(given.misfit.get(component, 0.0), "rad" if turning else "m", model_at)


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
