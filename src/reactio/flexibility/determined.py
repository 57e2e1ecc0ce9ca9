"""How far numbers that stiffness determines can be trusted: a validity number, and the stiffness that matters most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import quantity
from reactio.errors import ReactioError, listed
from reactio.flexibility.instant import Instant, instant
from reactio.flexibility.sensitivity import Sensitivity, stiffness_slopes
from reactio.flexibility.validity import Validity, validity
from reactio.joint_reactions.data import Basis, Reactions
from reactio.linear.precision import LOCATED, ROUNDOFF, SOLUTION
from reactio.model.elastic import COMPONENTS
from reactio.results.as_data import Result
from reactio.sharing import rule_of
from reactio.sharing.compliance import MOST_NAMES, Relaxation, elasticity_by_argument, loaded_groups, open_groups
from reactio.sharing.problem import MOST_NULL_SPACE_ROWS, Problem
from reactio.system.constraints import COMPONENT_UNITS, LABELS, effort_scale, joint_axes, wrench_map
from reactio.system.equations import Equations
from reactio.system.types import RowGroup

STATED_CHANGE = 0.1  # of a stiffness, whose effect is stated: bearings and bolts are rarely known better
NO_CHANGE = SOLUTION  # part of the largest reaction below which a change with a stiffness is rounding
VALIDITY_WORDS = {
    "rotation": "elastic rotation in rad",
    "inertia": "inertia of the elastic motion, as a part of the loads",
    "stretch": "centrifugal stretch, as a part of the largest force",
    "buckling": "load over buckling load",
}


@dataclass(frozen=True, slots=True)
class Dependence(Result):
    """The component of a reaction that depends most on a stiffness."""

    KEYS = "component unit part per_ln_stiffness=slope"

    joint: str
    component: str  # Fz, …
    unit: str
    value: float  # the component itself
    part: str  # the joint, drive, coupling or body with that stiffness
    slope: float  # ∂ component / ∂ ln k [N, N m]

    @property
    def change(self) -> float:
        """The change of the component when the part is stiffer by ``STATED_CHANGE``, to first order [N, N m]."""
        return STATED_CHANGE * self.slope

    @property
    def words(self) -> str:
        """A stiffness with its effect."""
        value, change = quantity(self.value, self.unit), quantity(abs(self.change), self.unit, 3)
        return f"{self.part} {STATED_CHANGE:.0%} stiffer changes {self.joint}.{self.component} = {value} by {change}"


@dataclass(frozen=True, slots=True, eq=False)
class Determination(Result):
    """The basis of reactions that stiffness determines, at one instant."""

    KEYS = "t undecided open_joints taken_as_rigid validity_number=number validity most_sensitive"

    t: float
    redundancy: int
    undecided: int  # self-stresses that no stiffness decides
    open_joints: tuple[str, ...]  # which these load
    taken_as_rigid: tuple[str, ...]  # joints that share load without a stiffness, or directions of them
    validity: Validity | None  # None where self-stresses are undecided
    measures: dict[str, float]  # the parts of the validity number, by the keys of VALIDITY_WORDS
    dependences: tuple[Dependence, ...]  # one for each joint that depends on a stiffness, the largest first

    @property
    def number(self) -> float | None:
        """The validity number: the largest of its measures, small compared with 1 where level 1 holds."""
        return max(self.measures.values()) if self.measures else None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The basis of the numbers, in words."""
        decided = self.redundancy - self.undecided
        reactions = (
            "what the rigid model leaves undetermined"
            if not self.undecided
            else f"{decided} of {self.redundancy} self-stresses"
        )
        text = [self._basis_words(reactions)]
        if self.undecided:
            rest = "1 self-stress is" if self.undecided == 1 else f"{self.undecided} self-stresses are"
            text.append(
                f"{rest} still undetermined, in {listed(self.open_joints, most=MOST_NAMES)} (–): give a stiffness."
            )
        if self.number is not None:
            text.append(self._validity_words(self.number))
        if self.dependences:
            text.append(f"Most sensitive: {self.dependences[0].words}.")
        return tuple(text)

    def _basis_words(self, reactions: str) -> str:
        """Who decides: the stiffnesses given alone, or they and the joints that are rigid for want of one."""
        if not self.taken_as_rigid:
            return f"The stiffness you gave determines {reactions}: these reactions are answers, not choices of a rule."
        names = listed(self.taken_as_rigid, most=MOST_NAMES)
        single = len(self.taken_as_rigid) == 1
        share, count, those = ("shares", "has", "this joint is") if single else ("share", "have", "these joints are")
        rigid = "counts" if single else "count"
        return (
            f"The stiffness you gave determines {reactions}, with one assumption: {names} {share} this load, {count} "
            f"no stiffness and {rigid} as rigid. The reactions are answers only if {those} stiff compared with the "
            "rest; otherwise state the stiffness there too."
        )

    def _validity_words(self, number: float) -> str:
        if number < ROUNDOFF:  # which measure is the largest is then rounding too
            return f"Validity number below {ROUNDOFF:.0e}: linear elasticity holds."
        largest = max(self.measures, key=self.measures.__getitem__)
        return (
            f"Validity number {number:.2g} ({VALIDITY_WORDS[largest]}); linear elasticity holds where it is small "
            "compared with 1."
        )

    def of(self, joint: str) -> Dependence | None:
        """The strongest dependence of one joint on a stiffness."""
        return next((dependence for dependence in self.dependences if dependence.joint == joint), None)

    @property
    def most_sensitive(self) -> dict[str, Dependence]:
        """By joint, the component that depends most on a stiffness."""
        return {dependence.joint: dependence for dependence in self.dependences}


def determination(reactions: Reactions) -> Determination | None:
    """The basis of the reactions that stiffness determines; None where none does, or the model is too large.

    >>> import reactio
    >>> eqs = reactio.equations(reactio.build(reactio.load("door", hinges=2, bushings=1)))
    >>> made = determination(reactio.reactions(eqs, "compliance"))
    >>> made.undecided, made.number < 1e-2, sorted(dependence.joint for dependence in made.dependences)
    (0, True, ['hinge1', 'hinge2'])
    """
    eqs, redundancy = reactions.eqs, reactions.answer.redundancy
    if not reactions.is_by_stiffness or not redundancy or eqs.system.m > MOST_NULL_SPACE_ROWS:
        return None
    assert reactions.rule is not None
    try:
        now = instant(eqs)
        now = replace(now, elastic=elasticity_by_argument(_task(now), rule_of(reactions.rule)[1]))
        relaxed = now.whole
        trust = None if _undecided(relaxed) else validity(now, relaxed)
        slopes = stiffness_slopes(now)
    except ReactioError:  # in a singular pose, where accelerations need the motion
        return None
    return Determination(
        t=eqs.state.t,
        redundancy=redundancy,
        undecided=_undecided(relaxed),
        open_joints=open_groups(relaxed),
        taken_as_rigid=_taken_as_rigid(now, relaxed),
        validity=trust,
        measures=_measures(now, trust, relaxed.lam) if trust else {},
        dependences=_dependences(reactions, slopes),
    )


def largest_determination(every: Sequence[Reactions]) -> Determination | None:
    """The determination at the instant of a motion whose reactions are largest."""
    by_stiffness = [reactions for reactions in every if reactions.is_by_stiffness]
    if not by_stiffness:
        return None
    return determination(max(by_stiffness, key=lambda reactions: float(np.abs(reactions.balanced).max(initial=0.0))))


def _task(now: Instant) -> Problem:
    """The sharing problem of an instant, with its compliances."""
    return replace(now.relaxed(now.elastic).problem, elasticity=lambda: now.elastic)


def _undecided(relaxation: Relaxation) -> int:
    return sum(block.undecided.shape[1] for block in relaxation.pieces)


def _measures(now: Instant, trust: Validity, lam: Floats) -> dict[str, float]:
    """The numbers that must be small compared with 1."""
    size = now.eqs.system.dimension
    forces = [float(np.linalg.norm(wrench[:size])) for wrench in now.forces(lam).values() if len(wrench) > 1]
    largest = max(forces, default=0.0)
    measures = {"rotation": trust.rotation, "buckling": trust.buckling}
    if trust.inertia is not None:
        measures["inertia"] = trust.inertia
    if trust.centrifugal is not None and largest > 0.0:
        measures["stretch"] = trust.centrifugal / largest
    return measures


def _taken_as_rigid(now: Instant, relaxation: Relaxation) -> tuple[str, ...]:
    """The joints that decided self-stresses load where they have no compliance: ``guide``, ``nut (about_x)``."""
    soft = {part.name for part in relaxation.elastic.parts if part.is_flexible}
    loaded = {name for block in relaxation.pieces for name in loaded_groups(relaxation, block, block.decided)}
    rigid: list[str] = []
    for group in now.eqs.system.reacting:
        if group.name in loaded - soft:
            rigid.append(group.name)
        elif group.name in loaded and (directions := _rigid_directions(now.eqs, relaxation, group)):
            rigid.append(f"{group.name} ({', '.join(directions)})")
    return tuple(rigid)


def _rigid_directions(eqs: Equations, relaxation: Relaxation, group: RowGroup) -> tuple[str, ...]:
    """The directions of a joint with stiffness in others, along which decided self-stresses load it."""
    system = eqs.system
    names = COMPONENTS[system.space]
    stiffness = next((joint.elastic.stiffness for joint in system.model.joints if joint.name == group.name), ())
    if len(stiffness) != len(names) or not any(map(math.isinf, stiffness)):
        return ()
    rows = np.arange(group.start, group.stop)
    stresses = [
        (relaxation.problem.Dr[block.rows, None] * (block.N @ block.decided))[np.searchsorted(block.rows, rows)]
        for block in relaxation.pieces
        if np.isin(rows, block.rows).all()
    ]
    every = np.concatenate([np.zeros((len(rows), 0)), *stresses], axis=1)
    wrenches = joint_axes(eqs, group) @ wrench_map(eqs, group) @ every
    sizes = np.abs(wrenches).max(axis=1, initial=0.0) / effort_scale(system, COMPONENT_UNITS[system.space])
    loaded = sizes > LOCATED * sizes.max(initial=0.0)
    return tuple(name for name, k, on in zip(names, stiffness, loaded, strict=True) if math.isinf(k) and on)


def _dependences(reactions: Reactions, slopes: Sensitivity) -> tuple[Dependence, ...]:
    """For every joint the component and the stiffness with the largest slope, of components that are decided."""
    system = reactions.eqs.system
    noise = NO_CHANGE * float(np.abs(reactions.balanced).max(initial=0.0))
    strongest: list[tuple[float, Dependence]] = []
    for name, table in slopes.forces.items():
        bases = reactions[name].bases(system.axes)
        labels, units = LABELS[system.space], COMPONENT_UNITS[system.space]
        line = system.group(name).line_labels if system.axes == ReactionAxes.JOINT else ()
        if line:
            labels, units, bases = line, ("N",) * len(line), bases[: len(line)]
        elif len(table) == 1:
            labels, units = (("F",), ("N",)) if reactions[name].force.size else (("M",), ("N m",))
        scale = np.array([1.0 if unit == "N" else 1.0 / system.length for unit in units])
        decided = np.array([basis is Basis.STIFFNESS for basis in bases])
        size = np.abs(table) * (scale * decided)[:, None]
        if not size.size or size.max() <= noise:
            continue
        c, part = np.unravel_index(int(size.argmax()), size.shape)
        now = float(slopes.now[name][c])
        dependence = Dependence(
            name, labels[c], units[c], now if abs(now) > noise else 0.0, slopes.parts[part], float(table[c, part])
        )
        strongest.append((float(size.max()), dependence))
    return tuple(dependence for _, dependence in sorted(strongest, key=lambda pair: -pair[0]))
