"""The effect of tolerances of joints and bodies on the reactions of an overconstrained mechanism: λ = λ_nominal + S δ.

For positions of joints and lengths of bodies with errors δ within ±tolerance each, and stiffnesses of the model:
nominal, worst case Σ|S_i| δ_i, and root sum of squares √Σ(S_i δ_i)² of every component, with the tolerances that
dominate.  The reaction of a joint to misfits alone, without loads, is the force needed to assemble it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import SPACE_SIZES
from reactio.catalogue.units import quantity, small_quantity
from reactio.design.one_way_tolerances import Deviating, deviating
from reactio.errors import ReactioError, did_you_mean
from reactio.flexibility.instant import Instant, instant
from reactio.flexibility.sensitivity import ToleranceEffects, caused_by, seat
from reactio.joint_reactions.closing import with_closing_contacts
from reactio.joints import ALONG_MEMBER, TENSION
from reactio.kinematics.source import system_and_state
from reactio.linear.precision import GEOMETRY, LOCATED, ROUNDOFF, SOLUTION
from reactio.model.accuracy import parse_length_and_angle
from reactio.model.contacts import joints_of
from reactio.model.coordinates import units_of_misfits
from reactio.model.elastic import COMPONENTS, LENGTHWISE, turning
from reactio.model.model import Model
from reactio.model.play import ALONG
from reactio.model.structure import points_of
from reactio.model.tolerances import (
    ANGLE_TOLERANCE,
    EVERY_OTHER_JOINT,
    OF_BODY,
    POSITION_TOLERANCE,
    TEMPERATURE,
    check_tolerance,
    tolerance_kinds,
    tolerance_unit,
)
from reactio.results.as_data import Result, picked, plain
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.sharing.gaps import GapSolution
from reactio.simulation.state_at import state_at
from reactio.system.compile.build import build
from reactio.system.compile.length import characteristic_length
from reactio.system.elasticity.compliance import has_elastic_parts
from reactio.system.elasticity.interfaces import expansion_of, growth
from reactio.system.equations import Equations
from reactio.system.types import State, System

MOST_DOMINANT = 3  # tolerances that are named for each component: the others hardly matter
SAME_RANGE = LOCATED  # part of a force by which the range over machines and the linear one differ by rounding
SAME_BAR = 1e-3  # part of a bar by which both differ in round play, where forces turn: tolerances are not known better
HALVING_SHARE = 0.98  # of the variance by one group of tolerances, above which halving them halves the bar
MOST_SIGNED_VECTORS = 12  # in one face of a zonotope, whose 2¹² sums are all tried; of more a bound is taken
MANY_MISFITS = 120  # above which the largest force of assembly is bounded by its components: the search takes k² sums


@dataclass(frozen=True, slots=True)
class ErrorBar:
    """One component of a joint, in ``ErrorBars.axes``, with its error bars by tolerances."""

    joint: str
    component: str
    unit: str
    nominal: float
    worst: float  # ± in the worst case
    rss: float  # ± as root sum of squares
    dominant: tuple[tuple[str, float], ...]  # tolerance → its part of the root sum of squares, squared: they sum to 1
    # Where parts act one way only or have play, ``worst`` and ``rss`` (√3 σ) are those of sampled machines, and:
    least: float | None = None  # value over all machines
    largest: float | None = None
    linear_worst: float | None = None  # ± in the worst case if every part went on bearing, or stayed idle

    @property
    def is_linear(self) -> bool:
        """Is the range of this component over machines the linear one, as where no part begins or ceases to bear?"""
        if self.least is None or self.largest is None or self.linear_worst is None:
            return True
        ends = (self.largest - self.nominal, self.nominal - self.least)
        same = max(SAME_RANGE * abs(self.nominal), SAME_BAR * self.worst)
        return max(abs(end - self.linear_worst) for end in ends) <= same


@dataclass(frozen=True, slots=True)
class Fit:
    """Force and moment needed to assemble a joint when all errors are as large as their tolerances, without loads."""

    joint: str
    force: float  # largest [N]
    moment: float  # largest, about the origin of frame B [N m]
    force_rss: float
    moment_rss: float


@dataclass(frozen=True, eq=False)
class ErrorBars(Result, Tabular):
    """Error bars of all joints."""

    SCHEMA = "reactio.error_bars/1"
    KEYS = "model=model.name t axes determinate tolerances assembly=fits"

    model: Model
    tolerances: Mapping[str, float]  # component of a joint, drive, length or temperature of a body → ± [m, rad, K]
    bars: tuple[ErrorBar, ...]
    fits: tuple[Fit, ...]
    linear: ToleranceEffects  # of each tolerance alone
    axes: str  # of the components: joint or world
    determinate: bool  # r = m without doubt: there is no self-stress that tolerances could cause
    over_capacity: Mapping[str, float] = field(default_factory=dict)  # joint → probability, where it has a capacity
    needs_force: float = 0.0  # probability that assembly without load needs force
    machines: Deviating | None = None  # solved one by one, where parts have play or act one way only
    t: float = 0.0  # time of the motion [s]
    remarks: tuple[str, ...] = ()  # on what a default for all joints means

    def __repr__(self) -> str:
        return f"<ErrorBars of {self.model.name}: {len(self.bars)} components, tolerances: {len(self.tolerances)}>"

    def __getitem__(self, name: str) -> ErrorBar:
        """The error bar of a component by name, ``B.Fz``; ``rod.Fx`` of a member is that of its tension."""
        for bar in self.bars:
            names = (bar.component, ALONG_MEMBER) if bar.component == TENSION else (bar.component,)
            if name in [f"{bar.joint}.{label}" for label in names]:
                return bar
        known = [f"{bar.joint}.{bar.component}" for bar in self.bars]
        raise ReactioError(f"There is no component '{name}'.{did_you_mean(name, known)}")

    def name_on_drawing(self, tolerance: str) -> str:
        """The name of a tolerance as a drawing states it: that of a rod, ``rod.along``, is of its ``length``."""
        owner, _, kind = tolerance.rpartition(".")
        member = kind == ALONG and any(b.joint == owner and b.component == TENSION for b in self.bars)
        return f"{owner}.length" if member else tolerance

    def row(self, bar: ErrorBar) -> int:
        """The place of a component among those of its joint."""
        return [other.component for other in self.bars if other.joint == bar.joint].index(bar.component)

    def changes(self, name: str) -> dict[str, float]:
        """The change of a component by each tolerance alone, the largest first [N, N m]."""
        bar = self[name]
        row = self.linear.each[bar.joint][self.row(bar)]
        return {list(self.tolerances)[i]: float(row[i]) for i in np.argsort(-np.abs(row), kind="stable")}

    def advice(self, name: str) -> str:
        """A sentence on which tolerances to halve, and by how much that reduces the error bar of a component."""
        bar = self[name]
        groups: dict[str, float] = {}
        for tolerance, change in self.changes(name).items():
            group = _group(self.name_on_drawing(tolerance))
            groups[group] = groups.get(group, 0.0) + abs(change)
        if not bar.worst:
            return f"{name}: no tolerance changes it."
        if not bar.is_linear and self.machines is not None:
            return (
                f"{name} lies between {quantity(bar.least or 0.0, bar.unit)} and "
                f"{quantity(bar.largest or 0.0, bar.unit)} over {len(self.machines.lam):,} "
                "machines and the worst cases; parts gain or lose contact, or move in their play, and the linear "
                f"answer, ± {quantity(bar.linear_worst or 0.0, bar.unit)}, does not hold."
            )
        first, size = max(groups.items(), key=lambda item: item[1])
        after = bar.worst - size / 2
        halving = f"Halving the {first}"
        if size >= HALVING_SHARE * bar.worst:
            return f"{name}, ± {quantity(bar.worst, bar.unit)}: {halving} halves it."
        return f"{name}, ± {quantity(bar.worst, bar.unit)}: {halving} makes it ± {quantity(after, bar.unit)}."

    def as_data(self) -> dict[str, Any]:
        """The result as data, for JSON."""
        dominant = ([{"tolerance": name, "share": share} for name, share in bar.dominant] for bar in self.bars)
        bars = [{**plain(bar), "dominant": shares} for bar, shares in zip(self.bars, dominant, strict=True)]
        advice = [self.advice(f"{bar.joint}.{bar.component}") for bar in self.largest]
        return super().as_data() | {"bars": bars, "machines": self._machines_data(), "advice": advice}

    def _machines_data(self) -> dict[str, Any] | None:
        if self.machines is None:
            return None
        chances = "probability_over_capacity=over_capacity probability_assembly_needs_force=needs_force"
        machines = picked(self.machines, "not_held=failed probability_idle=idle") | picked(self, chances)
        return {"solved": len(self.machines.lam), **machines}

    @property
    def largest(self) -> tuple[ErrorBar, ...]:
        """The largest bar of all forces, and that of all moments, where there is one."""
        by_unit = [[bar for bar in self.bars if bar.unit == unit and bar.worst] for unit in ("N", "N m")]
        return tuple(max(some, key=lambda bar: bar.worst) for some in by_unit if some)

    def table(self) -> ResultTable:
        """Every component with its deviations."""
        heads = ("joint", "component", "nominal", "worst", "rss", "unit", "least", "largest")
        rows = [tuple(getattr(bar, head) for head in heads) for bar in self.bars]
        return table_of(f"{self!r}"[1:-1], heads, rows, 2, ("worst", "rss"))


def _group(name: str) -> str:
    """The tolerance on a drawing that a component or drive belongs to: ``position tolerance of hinge2``."""
    owner, _, kind = name.rpartition(".")
    if not owner:
        return f"tolerance of {name}"
    if kind in OF_BODY:
        return f"{kind} tolerance of {owner}"
    return f"{ANGLE_TOLERANCE if turning(kind) else POSITION_TOLERANCE} tolerance of {owner}"


def error_bars(
    model: Model | System | Equations,
    tolerances: Mapping[str, float] | None = None,
    *,
    default: str | None = None,
    t: float | None = None,
    state: State | None = None,
    axes: str = "joint",
) -> ErrorBars:
    """Nominal, worst case and root sum of squares of every reaction, for errors of joints and bodies within tolerances.

    Tolerances are those of the model, unless others are given here by name: {"hinge2.z": 1e-4} [m, rad],
    "hinge2.position", "hinge2.angle", "beam.length" [m], "beam.temperature" [K].  ``default`` applies to all joints
    that are not named, "0.05 mm, 0.1 mrad".  The instant is the start, a time ``t`` [s] of the motion, or a ``state``.
    Components are in the axes of each joint, or in those of the ``world``.

    >>> import reactio
    >>> found = error_bars(reactio.load("door", hinges=2, bushings=1), {"hinge2.z": 1e-4})
    >>> round(found["hinge1.Fz"].worst, 6), found["hinge1.Fz"].dominant
    (250.0, (('hinge2.z', 1.0),))
    >>> found.advice("hinge1.Fz")
    'hinge1.Fz, ± 250 N: Halving the position tolerance of hinge2 halves it.'
    """
    compiled = None
    if not isinstance(model, Model):
        compiled, state = system_and_state(model, state)
        model = compiled.model
    if default is not None:
        parse_length_and_angle(default)  # a mistyped number is named before anything is built
    system = (compiled or build(with_closing_contacts(model, state), vibration=False)).in_axes(axes)
    every = _of_bearing_parts(model, system, tolerances or {}, default)
    here = instant(system, state_at(system, t) if state is None and t is not None else state)
    determinate = not here.answer.redundancy and here.answer.decision.confident
    if not (determinate or has_elastic_parts(model)):
        doubt = "has" if here.answer.decision.confident else "may have"
        raise ReactioError(
            f"'{model.name}' {doubt} redundant equations, and no stiffness: a rigid mechanism that does not fit "
            "cannot be assembled. Give joints a `stiffness`, or make bodies `flexible`."
        )
    now = here.eqs.state.t
    nominal = here.components(here.whole.lam)
    effects = caused_by(here, every, _misfit)
    bars = tuple(bar for joint in effects.each for bar in _bars(here, effects, joint, nominal[joint]))
    remarks = tuple(_default_remarks(model, system, every, default)) if default is not None else ()
    if here.whole.solution is not None:
        linear = ErrorBars(model, every, bars, (), effects, axes, determinate, t=now, remarks=remarks)
        return _one_way(here, here.whole.solution, linear)
    fits = tuple(_fit(model, joint, table) for joint, table in effects.each.items() if len(table) > 1)
    return ErrorBars(model, every, bars, fits, effects, axes, determinate, t=now, remarks=remarks)


def _one_way(now: Instant, solution: GapSolution, linear: ErrorBars) -> ErrorBars:
    """Error bars from machines solved one by one, next to the linear ones."""
    delta = np.array([size * _misfit(now, name) for name, size in linear.tolerances.items()]).T
    machines = deviating(now, solution, delta)
    if not len(machines.lam):
        raise ReactioError(
            "Within these tolerances no machine holds the load: parts that act one way would have to act the other way."
        )
    values = [now.components(lam) for lam in (*machines.lam, *machines.corners)]
    zero = ROUNDOFF * max(float(np.abs(part).max(initial=0.0)) for value in values for part in value.values())
    bars, row = [], dict[str, int]()
    for bar in linear.bars:
        k = row[bar.joint] = row.get(bar.joint, -1) + 1
        every = np.array([bar.nominal, *(value[bar.joint][k] for value in values)])
        every[np.abs(every) <= zero] = 0.0
        nominal, samples = float(every[0]), every[1:]
        least, largest = float(samples.min()), float(samples.max())
        worst = max(largest - nominal, nominal - least, 0.0)
        likely = 3**0.5 * float(samples[: len(machines.lam)].std())  # half the width of an even distribution
        likely = min(likely, worst)
        sampled = replace(bar, nominal=nominal, worst=worst, rss=likely, least=least, largest=largest)
        bars.append(replace(sampled, linear_worst=bar.worst))
    alone = [now.components(lam) for lam in machines.unloaded]
    names = [name for name in linear.linear.each if now.eqs.system.group(name).frames is not None]
    fits = tuple(_largest_fit(linear.model, name, np.array([loads[name] for loads in alone])) for name in names)
    return replace(
        linear,
        bars=tuple(bars),
        fits=fits,
        machines=machines,
        over_capacity=dict(_over_capacity(linear.model, values[: len(machines.lam)])),
        needs_force=_share_with_force(machines),
    )


def _largest_fit(model: Model, joint: str, wrenches: Floats) -> Fit:
    """The force and moment of assembly of a joint over machines, (machines, components)."""
    count = SPACE_SIZES[model.space].vector
    force, moment = (np.linalg.norm(part, axis=1) for part in (wrenches[:, :count], wrenches[:, count:]))
    mean = [float(np.sqrt((size**2).mean())) if len(size) else 0.0 for size in (force, moment)]
    return Fit(joint, float(force.max(initial=0.0)), float(moment.max(initial=0.0)), *mean)


def _over_capacity(model: Model, values: list[dict[str, Floats]]) -> Iterator[tuple[str, float]]:
    """The probability that a joint with a capacity bears more than that."""
    count = SPACE_SIZES[model.space].vector
    for joint in model.joints:
        if joint.capacity:
            samples = np.array([value[joint.name] for value in values])
            force = np.linalg.norm(samples[:, :count], axis=1) > joint.capacity.get("force", np.inf)
            moment = np.linalg.norm(samples[:, count:], axis=1) > joint.capacity.get("moment", np.inf)
            yield joint.name, float((force | moment).mean())


def _share_with_force(machines: Deviating) -> float:
    """The probability that misfits alone stress the machine, without any load."""
    alone = machines.unloaded[: len(machines.lam)]
    size = SOLUTION * float(np.abs(machines.lam).max(initial=0.0))
    return float((np.abs(alone).max(axis=1, initial=0.0) > size).mean()) if len(alone) else 0.0


def _bars(now: Instant, effects: ToleranceEffects, joint: str, nominal: Floats) -> Iterator[ErrorBar]:
    """The error bars of every component of a joint, drive or coupling, whose values without errors are known."""
    for k, (changes, (label, unit)) in enumerate(zip(effects.each[joint], now.labels(joint), strict=True)):
        square = changes**2
        share = square / (square.sum() or 1.0)
        first = [i for i in np.argsort(-share, kind="stable")[:MOST_DOMINANT] if share[i] > SOLUTION]
        dominant = tuple((effects.names[i], float(share[i])) for i in first)
        worst, rss = float(effects.worst[joint][k]), float(effects.likely[joint][k])
        yield ErrorBar(joint, label, unit, float(nominal[k]), worst, rss, dominant)


def _of_bearing_parts(
    model: Model, system: System, given: Mapping[str, float], default: str | None
) -> dict[str, float]:
    """Every tolerance by component, those of contacts as of seats; a contact with several points has one at each.

    Those of parts that stay open are left out; where the sum of all tolerances might close one, there is an error.
    """
    points = {contact.name: list(joints_of(contact)) for contact in model.contacts}
    if points:
        names = {contact: [joint.name for joint in joints] for contact, joints in points.items()}
        joints = (*model.joints, *(joint for joints in points.values() for joint in joints))
        each = dict[str, dict[str, float]]()
        for owner in sorted(model.tolerances, key=lambda owner: owner not in names):  # whole contacts, then points
            for name in names.get(owner, [owner]):
                each[name] = {**each.get(name, {}), **model.tolerances[owner]}
        of_all = dict[str, float]()
        for key in sorted(given, key=lambda key: key.rpartition(".")[0] not in names):
            owner, _, kind = key.rpartition(".")
            of_all |= {f"{name}.{kind}" if owner else kind: given[key] for name in names.get(owner, [owner])}
        given, model = of_all, replace(model, joints=joints, contacts=(), tolerances=each)
    every = every_tolerance(model, given, default)
    parts = {joint.name for joint in model.joints} - system.group_index.keys()  # that bear nothing
    reach = sum(_reach(model, system, name, size) for name, size in every.items())
    for name in sorted(parts):
        gap = system.open_parts.get(name, math.inf)
        if reach >= gap:
            raise ReactioError(
                f"'{name}' is open by {quantity(gap, 'm')} at the given pose; with the tolerances, "
                f"{quantity(reach, 'm')} together, it may carry load. Write it among the joints with that `slack`, so "
                "that "
                "such machines are counted."
            )
    return {name: size for name, size in every.items() if name.rpartition(".")[0] not in parts}


def _reach(model: Model, system: System, name: str, size: float) -> float:
    """How far a tolerance moves places, at most [m]: an angle as the arc on the characteristic length."""
    owner, _, kind = name.rpartition(".")
    if kind == TEMPERATURE and owner in model.body_index:
        return (expansion_of(model, model.body(owner)) or 0.0) * size * span_of(model, owner)
    return size * (system.length if turning(kind) else 1.0)


def every_tolerance(model: Model, given: Mapping[str, float], default: str | None) -> dict[str, float]:
    """Every tolerance by component; given ones replace those of the model, and these the default."""
    tolerances: dict[str, float] = {}
    along = units_of_misfits(model.space, model.joints, model.drives, model.couplings)
    for name, value in given.items():
        check_tolerance(value, name, tolerance_unit(name, along))
        owner, _, kind = name.rpartition(".")
        _refuse_unknown(model, owner or name, name)
        _refuse_unknown_kind(model, owner, kind)
        if kind not in (POSITION_TOLERANCE, ANGLE_TOLERANCE):
            _fill(tolerances, model, owner, kind, value)
    for name, value in given.items():
        _fill(tolerances, model, *name.rpartition(".")[::2], value)
    for owner, of_owner in model.tolerances.items():
        if owner != EVERY_OTHER_JOINT:
            _refuse_unknown(model, owner, owner)
            for kind in sorted(
                of_owner, key=lambda key: key in (POSITION_TOLERANCE, ANGLE_TOLERANCE)
            ):  # single components first
                _fill(tolerances, model, owner, kind, of_owner[kind])
    of_every_joint = dict(model.tolerances.get(EVERY_OTHER_JOINT, {}))
    if default is not None:
        length, angle = _of_default(model, default)
        of_every_joint |= {POSITION_TOLERANCE: length, ANGLE_TOLERANCE: angle}
    for joint in model.joints:
        for kind in sorted(of_every_joint, key=lambda key: key in (POSITION_TOLERANCE, ANGLE_TOLERANCE)):
            _fill(tolerances, model, joint.name, kind, of_every_joint[kind])
    if not tolerances:
        raise ReactioError(
            'No tolerance is given: name some, {"hinge2.z": 1e-4}, write `tolerances:` into the model, or give a '
            'default, "0.05 mm, 0.1 mrad" (--tolerance).'
        )
    return tolerances


def _of_default(model: Model, default: str) -> tuple[float, float]:
    """Length and angle [m, rad] of a default; without an angle that of the length over the characteristic length."""
    length, angle = parse_length_and_angle(default)
    angle = length / characteristic_length(model) if angle is None else angle
    for value, name in ((length, POSITION_TOLERANCE), (angle, ANGLE_TOLERANCE)):
        check_tolerance(value, name, tolerance_unit(name))
    return length, angle


def _default_remarks(model: Model, system: System, every: Mapping[str, float], default: str) -> Iterator[str]:
    """What a default means besides the length that it says: its angle, and that drives are exact."""
    if parse_length_and_angle(default)[1] is None:
        length, angle = (
            small_quantity(x, unit) for x, unit in zip(_of_default(model, default), ("m", "rad"), strict=True)
        )
        yield f"The angle tolerance is {angle}: {length} over the size of the mechanism."
    exact = [drive.name for drive in model.drives if drive.name in system.group_index and drive.name not in every]
    if exact:
        example = "1mrad" if system.group(exact[0]).units[0] == "rad" else "0.1mm"
        yield f"Drives are exact unless named: --of {exact[0]}={example}."


def _fill(tolerances: dict[str, float], model: Model, owner: str, kind: str, value: float) -> None:
    """Add tolerances that are missing; ``position`` and ``angle`` mean all components of that kind."""
    if owner in [*(drive.name for drive in model.drives), *(coupling.name for coupling in model.couplings)]:
        name = owner if kind == ALONG else f"{owner}.{kind}"  # they have no seat with components
        tolerances.setdefault(name, float(value))
    elif kind in (POSITION_TOLERANCE, ANGLE_TOLERANCE):
        for component in COMPONENTS[model.space]:
            if turning(component) == (kind == ANGLE_TOLERANCE):
                tolerances.setdefault(f"{owner}.{component}", float(value))
    else:
        label = ALONG if kind in LENGTHWISE and owner not in model.body_index else kind
        tolerances.setdefault(f"{owner}.{label}" if owner else label, float(value))


def _refuse_unknown(model: Model, owner: str, name: str) -> None:
    """Refuse a tolerance ``name`` whose owner is not part of the model."""
    names = [owner.name for part in (model.joints, model.bodies, model.drives, model.couplings) for owner in part]
    if owner not in names and name not in names:
        hint = did_you_mean(owner, names)
        raise ReactioError(f"A tolerance is given for '{name}': there is no joint, body or drive '{owner}'.{hint}")


def _refuse_unknown_kind(model: Model, owner: str, kind: str) -> None:
    """Refuse a tolerance that a joint or body does not have."""
    kinds = tolerance_kinds(model.space, owner in model.joint_index, owner in model.body_index)
    if kinds and kind not in kinds:
        hint = did_you_mean(kind, [known for known in kinds if known != ALONG])
        raise ReactioError(f"A tolerance is given for '{owner}.{kind}': '{owner}' has no '{kind}'.{hint}")


def _misfit(now: Instant, name: str) -> Floats:
    """δ (m,) by one unit of an error: m or rad of a joint's frame, m of the length of a body, K of its temperature."""
    owner, _, kind = name.rpartition(".")
    model = now.eqs.system.model
    if kind not in OF_BODY or owner not in model.body_index:
        return seat(now, name)
    if kind == TEMPERATURE:
        expansion = expansion_of(model, model.body(owner))
        if expansion is None:
            raise ReactioError(
                f"The temperature of '{owner}' has a tolerance, but no thermal expansion is given; give "
                f"`expansion` [1/K], 1.2e-5 for steel."
            )
        return growth(now.eqs, owner, expansion)
    return growth(now.eqs, owner, 1.0 / span_of(model, owner))


def span_of(model: Model, name: str) -> float:
    """The length of a body [m]: the largest distance between two points at which joints and loads act on it."""
    points = points_of(model, name)
    span = max((float(np.linalg.norm(p - q)) for p, q in combinations(points, 2)), default=0.0)
    if not span:
        raise ReactioError(f"'{name}' is held at one place only: its length changes nothing. Leave it out.")
    return span


def _fit(model: Model, joint: str, table: Floats) -> Fit:
    """The force and moment of assembly of a joint, from its components (components, tolerances) by each tolerance."""
    count = SPACE_SIZES[model.space].vector
    forces, moments = table[:count], table[count:]
    return Fit(joint, farthest(forces), farthest(moments), _root_sum_of_squares(forces), _root_sum_of_squares(moments))


def _root_sum_of_squares(V: Floats) -> float:
    return float(np.sqrt((V**2).sum()))


def farthest(V: Floats) -> float:
    """max ‖Σ ±v_i‖ over all signs, for columns v_i of V (1, 2 or 3, k).

    The sum is a vertex of a zonotope: its signs are those of d·v_i for some direction d, and they change only across
    directions that are normal to one v_i (in the plane) or to two of them (in space).

    >>> round(farthest(np.array([[3.0, 0.0, 1.0], [0.0, 4.0, 1.0], [0.0, 0.0, 0.0]])), 6)
    6.403124
    """
    V = _in_own_space(V)
    d, k = V.shape
    if d <= 1 or k <= 1 or k > MANY_MISFITS:
        return float(np.linalg.norm(np.abs(V).sum(axis=1)))
    normals = (
        np.array([-V[1], V[0]]).T if d == 2 else np.array([np.cross(*V[:, e].T) for e in combinations(range(k), 2)])
    )
    best = 0.0
    for normal in normals:
        height = normal @ V
        rounding = GEOMETRY * np.linalg.norm(normal) * np.linalg.norm(V, axis=0)
        within = np.abs(height) <= rounding  # vectors in the face of the zonotope with this normal
        base = V[:, ~within] @ np.sign(height[~within])
        best = max(best, _with_face(base, V[:, within]))
    return best


def _in_own_space(V: Floats) -> Floats:
    """The same vectors in coordinates of the space that they span, parallel ones added up."""
    U, s, _ = np.linalg.svd(V, full_matrices=False)
    V = U[:, s > GEOMETRY * s.max(initial=0.0)].T @ V
    directions: list[Floats] = []
    for v in V.T:
        if not np.linalg.norm(v) > GEOMETRY * s.max(initial=0.0):
            continue
        for k, direction in enumerate(directions):
            size = np.linalg.norm(v) * np.linalg.norm(direction)
            if abs(abs(v @ direction) - size) <= GEOMETRY * size:
                directions[k] = direction + np.sign(v @ direction) * v
                break
        else:
            directions.append(v)
    return np.array(directions).T if directions else np.zeros((1, 0))


def _with_face(base: Floats, V: Floats) -> float:
    """max ‖base + Σ ±v_i‖ for a few vectors in one face, all signs where they are few."""
    if V.shape[1] > MOST_SIGNED_VECTORS:
        return float(np.linalg.norm(np.abs(base) + np.abs(V).sum(axis=1)))
    signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * V.shape[1])).reshape(V.shape[1], -1)
    return float(np.linalg.norm(base[:, None] + V @ signs, axis=0).max())
