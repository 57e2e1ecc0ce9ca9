"""Reactions at one instant as data: what the model determines, and the rest only by a rule that was asked for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats, Ints
from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import in_units, unit_name
from reactio.constraint_matrix import GroupKind
from reactio.couplings import COUPLINGS
from reactio.errors import ReactioError, did_you_mean
from reactio.forward_dynamics.accelerate import Accelerations
from reactio.forward_dynamics.friction_check import undecided
from reactio.joint_reactions.linear_modes import LinearModes, linear_modes
from reactio.joint_reactions.wrench import JointWrenches, joint_wrenches
from reactio.joints import JOINTS_BY_SPACE, TANGENTIAL_FORCE, TENSION
from reactio.linear.precision import LOCATED, ROUNDOFF
from reactio.results.html_table import NOTEBOOK_ROWS, html_table
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.sharing import RULES, Split, by_compliance
from reactio.sharing.problem import idle_forces
from reactio.space.frames import origins_of_frames
from reactio.system.constraints import COMPONENT_UNITS, LABELS, NEGLIGIBLE_PART, components, joint_axes, wrench_map
from reactio.system.equations import Equations
from reactio.system.types import RowGroup, System
from reactio.uniqueness import Solvability, Verdict

Flags: TypeAlias = NDArray[np.bool_]


class Basis(StrEnum):
    """What the number of a component rests on."""

    UNIQUE = "unique"  # the rigid model determines it
    STIFFNESS = "stiffness"  # the stiffnesses that the model gives determine it
    RULE = "rule"  # a sharing rule chose it out of infinitely many
    OPEN = "open"  # there is no number


DETERMINED_BY_STIFFNESS = "determined by stiffness"


class AxesComponents(NamedTuple):
    """A reaction in joint or in world axes."""

    force: Floats  # [N]
    moment: Floats  # [N m]
    determined: tuple[bool, ...]  # which components of (force, moment) the model determines
    by_stiffness: tuple[bool, ...]  # which of the others the stiffness that was given determines


@dataclass(frozen=True, slots=True, eq=False)
class GroupReaction:
    """Force and moment of a joint on body b, at the origin of its frame there; or the effort of a drive or coupling.

    A component is a number where the model determines that component, or where a rule was asked for; else NaN.
    Components in world and joint axes are judged separately: a joint with a unique force along its own x axis may have
    no unique component along any world axis, and a magnitude is known only where all components are.
    Drives and couplings have one component, along their coordinate: a force or a moment, the other is empty.
    """

    name: str
    kind: GroupKind
    type: str
    verdict: Verdict
    rule: str | None  # by which components that are not unique were computed
    body: str  # on which it acts; empty for drives and couplings
    point: Floats  # where, in world axes [m]
    force: Floats  # world axes [N]
    moment: Floats  # world axes, about the point [N m]
    force_in_joint: Floats  # axes of the joint [N]
    moment_in_joint: Floats  # [N m]
    determined: tuple[bool, ...]  # the components of (force, moment) in world axes the model determines
    determined_in_joint: tuple[bool, ...]  # the same in joint axes
    given: str | None = None  # the rule that the motion itself depends on, so that nothing is unique without it
    open: bool = False  # a contact that does not touch
    limit: Callable[[], LinearModes | None] | None = None  # of linear modes, found when a verdict is asked for
    bears: bool | None = None  # by stiffness: does it bear any load, or is it idle? None by other rules
    by_stiffness: tuple[bool, ...] = ()  # the components in world axes that the stiffness given determines
    by_stiffness_in_joint: tuple[bool, ...] = ()  # the same in joint axes
    # Of a part with one force [N]: tension N of a rod, cable or strut; Ft and Fr of teeth, belts and racks.
    line: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        wrench = (("force", self.force_in_joint, "N"), ("moment", self.moment_in_joint, "N m"))
        zero = ROUNDOFF * np.nanmax(np.abs(np.concatenate([x for _, x, _ in wrench])), initial=0.0)
        parts = [f"{what} {_texts(in_units(x, unit), zero)} {unit_name(unit)}" for what, x, unit in wrench if x.size]
        by = (
            f", undetermined part by {self.rule}"
            if self.rule and not self.unique and not any(self.by_stiffness)
            else ""
        )
        return f"<Reaction of {self.name} ({self.type}), {self.state}{by}: {', '.join(parts)} (joint axes)>"

    @property
    def unique(self) -> bool:
        """Does the model determine all of it?"""
        return self.verdict is Verdict.UNIQUE and self.given is None

    @property
    def axial(self) -> float | None:
        """The tension of a rod, cable or strut [N]; None of other parts."""
        return self.line.get(TENSION)

    def in_axes(self, axes: str) -> AxesComponents:
        """Force and moment in joint or world axes."""
        none = (False,) * len(self.determined)
        if axes == ReactionAxes.WORLD:
            return AxesComponents(self.force, self.moment, self.determined, self.by_stiffness or none)
        return AxesComponents(
            self.force_in_joint, self.moment_in_joint, self.determined_in_joint, self.by_stiffness_in_joint or none
        )

    def bases(self, axes: str) -> tuple[Basis, ...]:
        """What every component of (force, moment) rests on."""
        force, moment, determined, by_stiffness = self.in_axes(axes)
        return tuple(
            Basis.UNIQUE if unique else Basis.STIFFNESS if stiff else Basis.RULE if np.isfinite(x) else Basis.OPEN
            for x, unique, stiff in zip((*force, *moment), determined, by_stiffness, strict=True)
        )

    @property
    def beyond_modes(self) -> bool:
        """Do bodies bend so much that what their linear modes leave out would change it?"""
        limit = self.limit() if self.limit is not None else None
        return limit is not None and self.name in limit.beyond

    @property
    def stiffness_words(self) -> str:
        """How much of what the rigid model leaves open the stiffness given determines; empty where nothing."""
        if not any(self.by_stiffness):
            return ""
        complete = all(a or b for a, b in zip(self.determined, self.by_stiffness, strict=True))
        return DETERMINED_BY_STIFFNESS if complete else f"partly {DETERMINED_BY_STIFFNESS}"

    @property
    def state(self) -> str:
        """The verdict in words, or how far the given stiffness determines undetermined components."""
        words = self.stiffness_words
        return f"{words}, beyond linear modes" if words and self.beyond_modes else words or self.words

    @property
    def words(self) -> str:
        """The verdict, and the rule it is subject to: ``unique``, ``unique given the rule inertia``; or ``open``."""
        if self.open:
            return "open"
        known = self.given and self.verdict in (Verdict.UNIQUE, Verdict.PARTLY)
        words = f"{self.verdict} given the rule {self.given}" if known else str(self.verdict)
        return f"{words}, beyond linear modes" if self.beyond_modes else words


@dataclass(frozen=True, eq=False)
class Reactions(Mapping[str, GroupReaction], Tabular):
    """All reactions at a state by name of joint, drive or coupling."""

    eqs: Equations
    motion: Accelerations
    answer: Solvability
    rule: str | None
    balanced: Floats  # (m,) one λ with Cᵀλ = f; ``lam`` has NaN where it is not unique
    undecided: Floats | None = None  # (m, k) self-stresses that stiffness leaves open; None: the rule chooses

    def __repr__(self) -> str:
        unique, t = sum(self[name].unique for name in self), self.eqs.state.t
        others = DETERMINED_BY_STIFFNESS if self.is_by_stiffness else f"by {self.rule}"
        by = f", the others {others}" if self.rule else ""
        return f"<Reactions of {self.eqs.system.model.name} at t = {t:g} s: {unique} of {len(self)} unique{by}>"

    def _repr_html_(self) -> str:
        """Forces and moments as a table, for notebooks."""
        axes, zero = self.eqs.system.axes, ROUNDOFF * np.abs(self.balanced).max(initial=0.0)
        shown = [self[name] for name in [*self][:NOTEBOOK_ROWS]]
        parts = [reaction.in_axes(axes) for reaction in shown]
        rows = [
            (reaction.name, reaction.type, reaction.state, _texts(part.force, zero), _texts(part.moment, zero))
            for reaction, part in zip(shown, parts, strict=True)
        ]
        more = len(self) - len(rows)
        heads = ("name", "type", "verdict", f"force N ({axes} axes)", "moment N m")
        return html_table(f"{self!r}"[1:-1], heads, rows, f"… and {more:,} more" if more > 0 else "")

    def table(self) -> ResultTable:
        """Every component in the axes of the system: name, component, value, unit and basis."""
        system, rows = self.eqs.system, []
        for name in self:
            reaction = self[name]
            force, moment, *_ = reaction.in_axes(system.axes)
            labels, units = LABELS[system.space], COMPONENT_UNITS[system.space]
            if system.group(name).frames is None:
                labels, units = (("F",), ("N",)) if force.size else (("M",), ("N m",))
            columns = zip(labels, (*force, *moment), units, reaction.bases(system.axes), strict=True)
            if line_labels := system.group(name).line_labels if system.axes == ReactionAxes.JOINT else ():
                columns = zip(
                    line_labels,
                    reaction.line.values(),
                    ("N",) * len(line_labels),
                    reaction.bases(system.axes),
                    strict=False,
                )
            rows += [(name, label, float(x), unit, str(basis)) for label, x, unit, basis in columns]
        heads = ("name", "component", "value", "unit", "basis")
        return table_of(f"{self!r}"[1:-1], heads, rows, 2, ("value",))

    @property
    def vdot(self) -> Floats:
        """(n,) accelerations; NaN where not determined."""
        return self.motion.vdot

    @property
    def f(self) -> Floats:
        """(n,) f = Cᵀλ = Q − M v̇, unique."""
        return self.motion.f

    @cached_property
    def given(self) -> str | None:
        """The rule on which all numbers depend, because of friction on reactions that it splits or of dropped
        equations."""
        if by_elimination := elimination_of(self.eqs.system):
            return by_elimination
        return self.rule if self.rule is not None and undecided(self.eqs, self.answer) else None

    @cached_property
    def lam(self) -> Floats:
        """(m,) multipliers [N, N m]; NaN where not unique and no rule was asked for."""
        lam = np.array(self.balanced)
        if self.rule is None or (self.undecided is not None and self.undecided.size):
            for k in np.flatnonzero(~self.answer.verdicts.multipliers_unique):
                rows = self.answer.rows_of(int(k))
                I = np.eye(len(rows))
                known = _determined(self.answer, int(k), I) | self.by_rule(rows, I)
                lam[rows[~known]] = np.nan
        for name in self.motion.absent:
            lam[self.eqs.system.group(name).start : self.eqs.system.group(name).stop] = np.nan
        return lam

    def __getitem__(self, name: str) -> GroupReaction:
        if name not in self:
            raise ReactioError(f"There is no joint, drive or coupling '{name}'.{did_you_mean(name, self)}")
        known = self._looked_up.get(name)
        if known is None:
            group = self.eqs.system.group(name)
            reaction = _effort(self, group) if group.frames is None else _wrench(self, group)
            known = self._looked_up[name] = _without(reaction) if name in self.motion.absent else reaction
        return known

    @property
    def is_by_stiffness(self) -> bool:
        """Do stiffnesses of the model determine some of the undetermined components?

        Not where the rank of C is in doubt: with another rank they would determine other numbers.
        """
        return self.undecided is not None and self.answer.decision.confident

    def by_rule(self, rows: slice | Ints, P: Floats) -> Flags:
        """Which components P (k, size) of the multipliers in ``rows`` have a number by the rule, or by stiffness."""
        if self.rule is None:
            return np.zeros(len(P), dtype=bool)
        return Split(self.balanced, self.undecided).decided(rows, P)

    def bears(self, group: RowGroup) -> bool | None:
        """Does a group carry load? None for rules without stiffness and gaps, and where it is undecided."""
        if not self._knows_gaps:
            return None
        rows, open_rows = slice(group.start, group.stop), np.zeros(group.stop - group.start, dtype=bool)
        if self.undecided is not None and self.undecided.size:
            stresses = np.abs(self.undecided)
            open_rows = stresses[rows].max(axis=1) > LOCATED * stresses.max()
        largest = np.abs(self.balanced[rows][~open_rows]).max(initial=0.0)
        if largest > self._idle_forces[self.answer.index[group.name]]:
            return True
        return None if open_rows.any() else False

    @property
    def _knows_gaps(self) -> bool:
        """Is the rule one that knows stiffness and gaps?"""
        return self.rule is not None and self.rule.partition(":")[0] in RULES and by_compliance(self.rule)

    @cached_property
    def _borne(self) -> Floats:
        """(m,) the multipliers ``balanced``, without what rounding of the largest leaves in parts that share load."""
        if not (self._knows_gaps and len(self.balanced)):
            return self.balanced
        ptr = self.answer.matrix.rows.ptr
        loaded = np.array([np.abs(self.balanced[a:b]).max(initial=0.0) for a, b in itertools.pairwise(ptr)])
        borne = self.answer.verdicts.multipliers_unique | (loaded > ROUNDOFF * loaded.max())
        return np.where(np.repeat(borne, np.diff(ptr)), self.balanced, 0.0)

    @cached_property
    def _idle_forces(self) -> Floats:
        """(g,) the sizes of multipliers that rounding leaves in idle parts."""
        return idle_forces(self.answer.matrix, self.balanced)

    @cached_property
    def linear_modes(self) -> LinearModes | None:
        """How far the modes of bodies that bend can be trusted at this state; None where none has any."""
        return linear_modes(self.eqs, self.balanced)

    @cached_property
    def wrenches(self) -> JointWrenches:
        """Forces and moments of all joints for the multipliers ``balanced``, also where they are not unique."""
        world, joint = joint_wrenches(self.eqs, self._borne)
        return JointWrenches(world + 0.0, joint + 0.0)  # no negative zeros

    @cached_property
    def _looked_up(self) -> dict[str, GroupReaction]:
        """The reactions computed so far, by name."""
        return {}

    def acting(self, terms: Mapping[tuple[str, str], float]) -> Mapping[tuple[str, str], float]:
        """Of the terms of a sum, {("B", "Fx"): 1}, those whose joints act at this state: all of them."""
        return terms

    def __contains__(self, name: object) -> bool:
        place = self.eqs.system.group_index.get(name) if isinstance(name, str) else None
        return place is not None and self.eqs.system.groups[place].kind != GroupKind.INTRINSIC

    def __iter__(self) -> Iterator[str]:
        return (group.name for group in self.eqs.system.reacting)

    def __len__(self) -> int:
        return len(self.eqs.system.reacting)


def widths(system: System, group: RowGroup) -> tuple[int, int]:
    """The numbers of components of the force and of the moment of a joint, drive or coupling."""
    if group.frames is None:
        return (1, 0) if group.units[0] == "m" else (0, 1)
    return system.sizes.vector, system.sizes.rotation


def _texts(values: Floats, zero: float) -> str:
    """Numbers as text: 0 where they are rounding, – where they are not known."""
    return ", ".join("–" if not np.isfinite(x) else "0" if abs(x) <= zero else f"{x:.5g}" for x in values)


def _determined(answer: Solvability, index: int, P: Floats) -> Flags:
    """Which rows of P λ_X are certainly unique; a row of zeros is."""
    return np.array([flag is True for flag in answer.uniqueness(index, P)])


def elimination_of(system: System) -> str | None:
    """The elimination on which all reactions of a system depend that drops equations of its model."""
    names = system.model.drop
    if not names or any(_has(system, name) for name in names):
        return None
    return f"elimination:{','.join(names)}"


def _has(system: System, name: str) -> bool:
    """Has a system the equation of a name, ``B.z`` or ``W4``?"""
    group, _, label = name.rpartition(".")
    if name in system.group_index:
        return True
    return group in system.group_index and label in system.group(group).labels


def _shown(values: Floats, given: Flags) -> Floats:
    """NaN where a value is not given, and no negative zeros elsewhere."""
    return values + 0.0 if given.all() else np.where(given, values + 0.0, np.nan)


def _without(reaction: GroupReaction) -> GroupReaction:
    """A reaction without a value: it grows without bound near a singular pose, or one instant does not determine it."""
    keys = ("force", "moment", "force_in_joint", "moment_in_joint")
    none: dict[str, Any] = {key: np.full_like(getattr(reaction, key), np.nan) for key in keys}
    verdict = reaction.verdict if reaction.verdict is Verdict.AMBIGUOUS else Verdict.NOT
    flags = (False,) * len(reaction.determined)
    none |= dict.fromkeys(("determined", "determined_in_joint", "by_stiffness", "by_stiffness_in_joint"), flags)
    line = dict.fromkeys(reaction.line, np.nan)
    return replace(reaction, verdict=verdict, bears=None, line=line, **none)


def _effort(reactions: Reactions, group: RowGroup) -> GroupReaction:
    """The reaction of a drive or coupling: its force or moment along its coordinate."""
    table, index = components(reactions.eqs, group), reactions.answer.index[group.name]
    known = _determined(reactions.answer, index, table.P)
    rows = slice(group.start, group.stop)
    asked = reactions.by_rule(rows, table.P)
    value = _shown(table.P @ reactions._borne[rows], known | asked)
    force, moment = (value, np.zeros(0)) if table.units[0] == "N" else (np.zeros(0), value)
    line = {label: float(factor * value[0]) for label, factor in line_factors(reactions.eqs.system, group.name).items()}
    return GroupReaction(
        name=group.name,
        kind=group.kind,
        type=group.type,
        verdict=reactions.answer.word(index),
        rule=reactions.rule,
        body="",
        point=np.zeros(0),
        force=force,
        moment=moment,
        force_in_joint=force,
        moment_in_joint=moment,
        determined=_by_model(reactions, known),
        determined_in_joint=_by_model(reactions, known),
        by_stiffness=_by_stiffness(reactions, known, asked),
        by_stiffness_in_joint=_by_stiffness(reactions, known, asked),
        given=reactions.given,
        bears=reactions.bears(group),
        limit=partial(getattr, reactions, "linear_modes"),
        line=line,
    )


def line_factors(system: System, name: str) -> dict[str, float]:
    """Forces of a coupling's teeth or belt over its effort, {"Ft": 1/r}; none of drives, nor without radii."""
    coupling = next((candidate for candidate in system.model.couplings if candidate.name == name), None)
    return {} if coupling is None else COUPLINGS.get(coupling.type).line_forces(coupling.parameters)


def _wrench(reactions: Reactions, group: RowGroup) -> GroupReaction:
    """The reaction of a joint: force and moment in world axes and in joint axes."""
    eqs, index = reactions.eqs, reactions.answer.index[group.name]
    world, joint = (x[eqs.system.group_index[group.name]] for x in reactions.wrenches)
    known = known_in_joint = asked = asked_in_joint = np.ones(len(world), dtype=bool)
    if not reactions.answer.verdicts.multipliers_unique[index]:
        W = significant(eqs, wrench_map(eqs, group))
        P = np.concatenate([W, significant(eqs, joint_axes(eqs, group) @ W)])
        known, known_in_joint = np.split(_determined(reactions.answer, index, P), 2)
        asked, asked_in_joint = np.split(reactions.by_rule(slice(group.start, group.stop), P), 2)
        world, joint = _shown(world, known | asked), _shown(joint, known_in_joint | asked_in_joint)
    size = eqs.system.dimension
    assert group.frames is not None
    return GroupReaction(
        name=group.name,
        kind=group.kind,
        type=group.type,
        verdict=reactions.answer.word(index),
        rule=reactions.rule,
        body=eqs.system.model.joint(group.name).b.body,
        point=origins_of_frames(eqs.work.F[group.frames[1]]).copy(),
        force=world[:size],
        moment=world[size:],
        force_in_joint=joint[:size],
        moment_in_joint=joint[size:],
        determined=_by_model(reactions, known),
        determined_in_joint=_by_model(reactions, known_in_joint),
        by_stiffness=_by_stiffness(reactions, known, asked),
        by_stiffness_in_joint=_by_stiffness(reactions, known_in_joint, asked_in_joint),
        given=reactions.given,
        bears=reactions.bears(group),
        limit=partial(getattr, reactions, "linear_modes"),
        line=_line_forces(reactions, group, joint[:size]),
    )


def _line_forces(reactions: Reactions, group: RowGroup, force: Floats) -> dict[str, float]:
    """The tension of a member, whose axis x points from A to B; or the forces of teeth, in their axes."""
    if TANGENTIAL_FORCE in group.line_labels:
        return dict(zip(group.line_labels, (force + 0.0).tolist(), strict=False))
    if not JOINTS_BY_SPACE[reactions.eqs.system.space].get(group.type).is_member:
        return {}
    return {TENSION: float(-force[0]) + 0.0}


def _by_model(reactions: Reactions, known: Flags) -> tuple[bool, ...]:
    """Which components the model determines: none where a rule decides about the motion."""
    return tuple((known & (reactions.given is None)).tolist())


def _by_stiffness(reactions: Reactions, known: Flags, asked: Flags) -> tuple[bool, ...]:
    """Which components stiffness determines and the rigid model does not."""
    if not reactions.is_by_stiffness:
        return (False,) * len(known)
    return tuple((asked & (~known | (reactions.given is not None))).tolist())


def significant(eqs: Equations, P: Floats) -> Floats:
    """P (k, size) with rows that are rounding set to zero: such a component is known to be zero."""
    size = np.abs(P).max(axis=1)
    size[eqs.system.dimension :] /= eqs.system.length
    return np.where((size > NEGLIGIBLE_PART * size.max())[:, None], P, 0.0)
