"""From a model to its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

import reactio
from reactio.catalogue.units import WRITTEN_IN, Units, writing_in
from reactio.design.envelope import Life, envelope
from reactio.design.error_bars import ErrorBars, error_bars
from reactio.diagnosis.cause import RedundancyCauses
from reactio.diagnosis.check import lengths_from_pose
from reactio.diagnosis.why import (
    MOST_ROWS_WITH_STRESSES,
    Explanation,
    axes_in_world,
    describe,
    describe_all,
    explain_all,
)
from reactio.drawing.arrows import loads
from reactio.drawing.frames import placed
from reactio.drawing.motions import admissible_motions
from reactio.drawing.scene import scene
from reactio.errors import ReactioError, listed
from reactio.flexibility.bearing import bearing_words
from reactio.flexibility.determined import Determination, determination
from reactio.joint_reactions.accelerating import acceleration_words
from reactio.joint_reactions.closing import giving_way
from reactio.joint_reactions.data import DETERMINED_BY_STIFFNESS, Reactions
from reactio.joint_reactions.free_body import FreeBody, free_body
from reactio.joint_reactions.judge import JudgedState, judge, refuse_unconstrained
from reactio.joint_reactions.open_at_pose import gap_words
from reactio.joint_reactions.sums import ReactionSum, evaluated, not_asked_for, simplest
from reactio.joints import JOINTS_BY_SPACE
from reactio.kinematics.source import system_and_state
from reactio.linear.precision import ROUNDOFF
from reactio.model.model import Model, require_model
from reactio.model.notes import head_lines
from reactio.model.plausibility import implausible, unloaded
from reactio.model.transform.compliant_contacts import with_compliant_contacts
from reactio.reaction_bounds.intervals import Bound, bounded
from reactio.reporting.bibliography import reference
from reactio.reporting.coordinates import coordinate_lines
from reactio.reporting.data import ComponentLine, EventLine, JointLine, Reference, RunLine, StressLine
from reactio.reporting.history import MOST_PARTNERS, run_line, state_words
from reactio.reporting.report import Report
from reactio.reporting.self_stress import self_stresses_within, spatial_wrench, unit_stress
from reactio.sharing import RULES, by_compliance, rule_of
from reactio.simulation.dropped import drops
from reactio.simulation.in_run import judge_in_run
from reactio.simulation.state_at import judge_at
from reactio.simulation.trajectory import Trajectory
from reactio.system.constraints import components, wrench_map
from reactio.system.equations import Equations, equations
from reactio.system.geometry.rank_distance import geometry
from reactio.system.reaction_axes import moving_axes_words
from reactio.system.topology import topology
from reactio.system.types import State, System
from reactio.uniqueness import GroupVerdict, SelfStress, Solvability, Verdict
from reactio.uniqueness.engine import note_on_signs

DEFAULT_RULE = "inertia"  # for values that are not unique: it does not depend on units and axes
MASSLESS_RULE = "pseudoinverse"  # in its place where bodies have no mass, which that rule needs
MOST_LIFTED_BODIES = 80  # up to which every body has its free-body diagram: each reads the whole matrix C
BEARING_INSTANTS = 201  # of a run at which loads of bearings are taken
MOST_EXPLAINED = 60  # joints that are explained one by one: some seconds
MOST_STRESSES = 24  # self-stresses with a slider of their own
MOST_SENTENCES = 10  # on one joint
MOST_REASONS = 2  # causes of redundancy in the summary
LEAST_CERTAIN_FIRST = (Verdict.AMBIGUOUS, Verdict.NOT, Verdict.PARTLY, Verdict.UNIQUE)
MOST_REPORTED_JOINTS = 2_000  # up to which all joints are reported
MOST_LEAST_CERTAIN = 400  # the least certain joints, which are reported where there are more


def report(
    model: Model | System | Equations,
    state: State | None = None,
    *,
    t: float | None = None,
    run: Trajectory | None = None,
    rule: str | None = None,
    events: Sequence[tuple[float, str]] = (),
    sums: Mapping[str, str] | None = None,
    command: str = "",
    axes: str | None = None,
    details: bool = True,
    units: Units | None = None,
    given: Model | None = None,
) -> Report:
    """The report on a model at a state: verdicts, self-stresses, rank, motions, and a run when one is given.

    ``rule`` gives *possible* values to reactions that are not unique, marked as such; ``events``: (time [s], words) for
    the time line of the run; ``sums`` by name, such as {"weight": "A.Fz + B.Fz"}; ``command`` that made the report;
    ``axes`` of components: "joint" (the default) or "world"; without ``details`` verdicts and numbers alone, in a third
    of the time: no reasons, sums, self-stresses and motions; ``units`` of its pages, those of the file when left out;
    ``given``: the model before its open parts were taken as closed, if that is a different one.

    >>> import reactio
    >>> made = reactio.report(reactio.load("four-bar-spatial"))
    >>> made.redundancy, len(made.stresses), made.joints[0].verdict
    (3, 3, 'partly unique')
    """
    given = given or _model_of(model)
    if run is not None and isinstance(model, Model):
        model = with_compliant_contacts(model)
    system, state = system_and_state(giving_way(model, rule, state), state, vibration=not by_compliance(rule))
    _refuse_changed(system, run)
    system = system.in_axes(axes or system.axes)
    refuse_unconstrained(system)
    with writing_in(units or system.model.units):
        return _gathered(_here(system, state, t, run), run, rule, events, sums, command, details, given)


def _gathered(
    judged: JudgedState,
    run: Trajectory | None,
    rule: str | None,
    events: Sequence[tuple[float, str]],
    sums: Mapping[str, str] | None,
    command: str,
    details: bool,
    given: Model,
) -> Report:
    """The report on a judged state, whose sentences have the units of now."""
    answer = replace(judged.answer, geometry=geometry(judged.eqs, judged.answer))
    named = rule or (run.rule if run else None)
    reactions = _split(judged, named)
    content = _Content(
        here=judged,
        answer=answer,
        reactions=reactions,
        asked=named is not None,
        rests_on=determination(reactions),
        joints=_reported_joints(judged.eqs, answer, reactions),
        stresses=_shown_stresses(judged.eqs, answer, reactions) if details else (),
        sums=_sums(reactions if named else judged.reactions(None), sums or {})
        if details and not judged.eqs.system.model.unknown_masses
        else (),
        details=details,
        on_loads=(
            *gap_words(given, judged.eqs.system),
            *lengths_from_pose(judged.eqs.system),
            *bearing_words(judged.eqs, rule),
        ),
    )
    report = _report(content, _run(content, run, events, sums) if run else None, command)
    report = replace(report, coordinates=coordinate_lines(judged.eqs.system, judged.eqs.state, run))
    return replace(report, lives=_lives(run, named), error_bars=_error_bars(judged.eqs)) if details else report


@dataclass(frozen=True, slots=True, eq=False)
class _Content:
    """The judged state that a report is about, and what of it is reported."""

    here: JudgedState
    answer: Solvability  # that of the state, with the accuracy of the geometry
    reactions: Reactions  # by a rule, which splits those that are not unique
    asked: bool  # was that rule asked for?
    rests_on: Determination | None  # of reactions that stiffness determines
    joints: tuple[GroupVerdict, ...]
    stresses: tuple[SelfStress, ...]
    sums: tuple[ReactionSum, ...]
    details: bool  # are reasons and motions reported too?
    on_loads: tuple[str, ...]  # which parts stand open, and which bear

    @property
    def rule(self) -> str:
        """The rule of the reactions."""
        assert self.reactions.rule is not None
        return self.reactions.rule

    @property
    def whole(self) -> bool:
        """Are all joints reported?"""
        return len(self.joints) == len(self.answer.groups)


def _run(
    content: _Content, run: Trajectory, events: Sequence[tuple[float, str]], sums: Mapping[str, str] | None
) -> RunLine:
    """The run: all joints and self-stresses, or the reported joints of a large mechanism."""
    lines = tuple(EventLine(float(when), str(words)) for when, words in events)
    names, stresses = (None, content.stresses) if content.whole else ([g.name for g in content.joints], ())
    along = replace(run, system=content.here.eqs.system)
    return run_line(along, content.rule, content.asked, lines, names, stresses, sums, content.sums)


def _report(content: _Content, run: RunLine | None, command: str) -> Report:
    """The report; sliders of self-stresses reach the largest load at the state and along the run."""
    judged, answer, reactions = content.here, content.answer, content.reactions
    eqs, system, causes = judged.eqs, judged.eqs.system, RedundancyCauses(judged.eqs)
    model, gruebler = system.model, topology(system).gruebler
    sizes = (np.abs(reactions.balanced), np.abs(run.wrenches) if run else np.zeros(0))
    size = max(float(np.nanmax(values, initial=0.0)) for values in sizes)
    return Report(
        name=model.name,
        title=model.title or model.name,
        cite=model.cite,
        space=model.space,
        t=eqs.state.t,
        m=answer.m,
        n=answer.n,
        rank=answer.rank,
        redundancy=answer.redundancy,
        mobility=answer.mobility,
        besides_drives=model.besides_drives,
        gruebler=gruebler,
        headline=answer.headline,
        source_lines=tuple(head_lines((*model.notes, *implausible(model)))),
        sentences=(
            *(_sentences(content, causes, gruebler) if content.details else ()),
            *content.on_loads,
            *_changes_of_verdict(run),
        ),
        notes=(*_notes(judged, answer), *(() if run else acceleration_words(reactions))),
        joints=_joints(content, causes if content.details else None),
        counts=dict(Counter(str(g.verdict) for g in answer.groups)),
        states=dict(Counter(state_words(reactions, g) for g in answer.groups)),
        rests_on=content.rests_on,
        asked=content.asked,
        sums=content.sums,
        stresses=tuple(_stress(eqs, stress, size) for stress in content.stresses),
        decision=answer.decision,
        tolerances=answer.tolerances,
        motions=tuple(admissible_motions(eqs, answer))
        if content.details and system.m <= MOST_ROWS_WITH_STRESSES
        else (),
        rule=content.rule,
        rule_words=rule_of(content.rule)[0].doc,
        run=run,
        references=_references(system, content.rule, answer.redundancy > 0),
        command=command,
        version=reactio.__version__,
        scene=scene(eqs, None if content.whole else {g.name for g in content.joints}),
        frames=placed(eqs),
        loads=loads(eqs) if content.whole else (),
        body_names=tuple(b.name for b in model.bodies),
        gravity=model.gravity,
        axes=system.axes,
        units=WRITTEN_IN.get(),
        turning_axes=moving_axes_words(system),
        free_bodies=_free_bodies(reactions) if model.unknown_masses is None else (),
        loads_known=model.unknown_masses is None,
    )


def _notes(here: JudgedState, answer: Solvability) -> tuple[str, ...]:
    """Notes on the verdicts and on the instant."""
    notes = (note for note in answer.notes if note != note_on_signs(len(answer.unilateral)))
    return (*notes, *here.notes)


def _changes_of_verdict(run: RunLine | None) -> tuple[str, ...]:
    """A sentence on the joints whose verdict along the run is not that at its start."""
    histories = run.histories if run else ()
    names = [
        history.name for history in histories if len({state_of_joint.state for state_of_joint in history.states}) > 1
    ]
    return (f"Along the run the verdict changes on {listed(names)}: 'Verdicts in time' shows when.",) if names else ()


def _lives(run: Trajectory | None, rule: str | None) -> tuple[Life, ...]:
    """L10 of every joint with a `bearing`, over the run."""
    if run is None or run.system.model.unknown_masses or not any(joint.bearing for joint in run.system.model.joints):
        return ()
    return envelope(run, rule=rule, rows=BEARING_INSTANTS).lives


def _error_bars(eqs: Equations) -> ErrorBars | None:
    """The error bars by the tolerances of the model; None where it has none, or no stiffness that resists them."""
    if not eqs.system.model.tolerances:
        return None
    try:
        return error_bars(eqs.system.model, t=eqs.state.t or None, axes=eqs.system.axes)
    except ReactioError:
        return None


def _free_bodies(reactions: Reactions) -> tuple[FreeBody, ...]:
    """The free-body diagrams of all bodies that have one: those whose velocities are a twist alone."""
    system = reactions.eqs.system
    sizes = np.diff(system.body_v)
    names = [body.name for b, body in enumerate(system.model.bodies) if sizes[b] == system.sizes.twist]
    return tuple(free_body(reactions, name) for name in names) if len(names) <= MOST_LIFTED_BODIES else ()


def _model_of(source: Model | System | Equations) -> Model:
    """The model of a source."""
    if isinstance(source, Equations):
        return source.system.model
    if isinstance(source, System):
        return source.model
    require_model(source)
    return source


def _refuse_changed(system: System, run: Trajectory | None) -> None:
    """Refuse runs whose contacts close and open, and equations that were dropped."""
    if run is not None and run.contacts_change:
        raise ReactioError(
            "A report follows runs with the same constraints all along; contacts of this one close and open. Leave out "
            "the run: the report judges the contacts that are closed at the start."
        )
    for shown in (system, *((run.system,) if run is not None else ())):
        if drops(shown):
            raise ReactioError(
                f"Equations were dropped ({', '.join(shown.model.drop)}), and a report has verdicts on all of them: "
                "without these equations, some reactions would look unique that are not. Report on the whole model, "
                "with a run of it "
                "and the rule `elimination:…`."
            )


def _here(system: System, state: State | None, t: float | None, run: Trajectory | None) -> JudgedState:
    """Equations and verdicts at a state, at a time of the motion, or at the start of the run."""
    if state is None and t is None and run is not None and len(run.t):
        return judge_in_run(replace(run, system=system), [run.state(0)], [run.vdot[0]])[0]
    if state is None:
        return judge_at(system, t)
    return judge(equations(system, state))


def _split(judged: JudgedState, rule: str | None) -> Reactions:
    """The reactions, those that are not unique by a rule: the one asked for, else one that applies."""
    if rule is not None:
        return judged.reactions(rule)
    try:
        return judged.reactions(DEFAULT_RULE)
    except ReactioError:
        return judged.reactions(MASSLESS_RULE)


def _sentences(content: _Content, causes: RedundancyCauses, gruebler: int) -> tuple[str, ...]:
    """The main results in sentences, below the headline."""
    eqs, answer, by = content.here.eqs, content.answer, content.reactions
    freedoms = f"{answer.mobility} degree{'s' if answer.mobility != 1 else ''} of freedom"
    if driven := eqs.system.model.besides_drives:
        freedoms = f"{freedoms} {driven}"
    count = str(gruebler).replace("-", "−")
    sentences = [f"The mechanism has {freedoms}; counting equations (Grübler–Kutzbach) gives {count}."]
    sentences += unloaded(eqs.system.model)
    if not answer.redundancy:
        return (
            *sentences,
            "Every reaction follows from the motion and the loads: any correct program gives the same numbers.",
        )
    if by.given:
        sentences.append(
            "Friction acts on reactions that are not unique: the motion itself, and every number on these pages, "
            f"depends on the sharing rule '{by.given}'. Another rule gives another motion."
        )
    else:
        sentences.append("The motion is right nevertheless.")
    if content.rests_on is not None:
        sentences.append(" ".join(content.rests_on.sentences))
    else:
        sentences.append(
            "Where a reaction is not unique, a rigid-body program returns one of infinitely many load "
            "distributions, and another program may return another one."
        )
    complete = content.rests_on is not None and not content.rests_on.undecided
    if answer.m <= MOST_ROWS_WITH_STRESSES and not complete:
        sentences.append(f"Redundant equations: {causes.of()}.")
        told = describe_all(eqs, answer.self_stress)
        more = f" … and {len(told) - MOST_REASONS} more; each joint lists its own." if len(told) > MOST_REASONS else ""
        sentences.append(" ".join(told[:MOST_REASONS]) + more)
    return tuple(sentences)


ComponentBounds = Mapping[str, Mapping[str, Bound]]  # joint → component → its bounds


def _component_bounds(eqs: Equations, answer: Solvability, reactions: Reactions) -> ComponentBounds:
    """The bounds of every component where contacts or capacities limit reactions that are not unique by rank."""
    bearing = any(joint.capacity for joint in eqs.system.model.joints)
    if not answer.redundancy or answer.m > MOST_ROWS_WITH_STRESSES or not (bearing or answer.unilateral):
        return {}
    try:
        return bounded(eqs, answer, reactions.motion)
    except ReactioError:  # a load that no contact holds, or no solver for cones: `reactio bounds` gives the reason
        return {}


def _reported_joints(eqs: Equations, answer: Solvability, reactions: Reactions) -> tuple[GroupVerdict, ...]:
    """All joints, drives and couplings; of very many the least certain, and of those the most loaded."""
    if len(answer.groups) <= MOST_REPORTED_JOINTS:
        return tuple(answer.groups)
    size = np.abs(np.nan_to_num(reactions.lam))
    spans = [eqs.system.group(g.name) for g in answer.groups]
    loads = [float(size[span.start : span.stop].max(initial=0.0)) for span in spans]
    doubts = [LEAST_CERTAIN_FIRST.index(g.verdict) for g in answer.groups]
    order = np.lexsort((-np.array(loads), np.array(doubts)))[:MOST_LEAST_CERTAIN]
    return tuple(answer.groups[k] for k in order.tolist())


def _joints(content: _Content, causes: RedundancyCauses | None) -> tuple[JointLine, ...]:
    """Joints with their verdicts and numbers; without ``causes`` no reasons are given."""
    eqs, answer, reactions, chosen = content.here.eqs, content.answer, content.reactions, content.joints
    open_ones = [g.name for g in chosen if g.verdict is not Verdict.UNIQUE] if causes else []
    explained = causes is not None and len(open_ones) <= MOST_EXPLAINED
    reasons = explain_all(eqs, answer, open_ones, causes) if explained else {}
    bounds = _component_bounds(eqs, answer, reactions)
    return tuple(_joint(content, g, reasons.get(g.name), bounds.get(g.name, {})) for g in chosen)


def _joint(
    content: _Content, verdict: GroupVerdict, reasons: Explanation | None, bounds: Mapping[str, Bound]
) -> JointLine:
    eqs, answer, reactions = content.here.eqs, content.answer, content.reactions
    group = eqs.system.group(verdict.name)
    rows, P = slice(group.start, group.stop), components(eqs, group).P
    of_group = reactions.balanced[rows]
    decided = reactions.by_rule(rows, P)
    sure = np.array([c.unique is True for c in verdict.components], dtype=bool) & (reactions.given is None)
    exists = verdict.name not in reactions.motion.absent
    zero = ROUNDOFF * max(float(np.abs(part).max(initial=0.0)) for part in (reactions.balanced, eqs.Q))
    values = np.where((sure | decided) & exists, P @ of_group, np.nan)
    values = np.where(np.abs(values) <= zero, 0.0, values)
    stiff = decided & ~sure & np.isfinite(values) & reactions.is_by_stiffness
    state, bodies = state_words(reactions, verdict), eqs.system.model.bodies
    needs_more = state != DETERMINED_BY_STIFFNESS
    dependence = content.rests_on.of(verdict.name) if content.rests_on else None
    return JointLine(
        name=verdict.name,
        kind=verdict.kind,
        type=verdict.type,
        bodies=tuple("ground" if b < 0 else bodies[b].name for b in group.bodies),
        verdict=str(verdict.verdict),
        state=state,
        determined=verdict.determined,
        rank=verdict.rank,
        known=verdict.known,
        components=tuple(
            ComponentLine(
                c.name,
                c.unit,
                c.unique if reactions.given is None and exists else False,
                float(v),
                *((bounds[c.name].low, bounds[c.name].high) if c.name in bounds else (-np.inf, np.inf)),
                by_stiffness=bool(by_stiffness),
            )
            for c, v, by_stiffness in zip(verdict.components, values, stiff, strict=True)
        ),
        shares_with=verdict.shares_with if len(answer) <= MOST_PARTNERS else (),
        why=_shortened(reasons.sentences) if reasons else (),
        remedies=reasons.remedies if reasons and needs_more else (),
        frame=group.frames[1] if group.frames else None,
        wrench=spatial_wrench(wrench_map(eqs, group) @ np.where(np.abs(lam := reactions.lam[rows]) <= zero, 0.0, lam))
        if group.frames and eqs.system.model.unknown_masses is None
        else np.zeros(6),
        axes_words=axes_in_world(eqs, verdict.name) if reasons else "",
        bears=reactions.bears(group),
        sensitive=f"{dependence.words}." if dependence else "",
    )


def _sums(reactions: Reactions, asked: Mapping[str, str]) -> tuple[ReactionSum, ...]:
    """The sums that were asked for, then others that are unique."""
    first = [evaluated(reactions, expression, name) for name, expression in asked.items()]
    return (*first, *not_asked_for(first, simplest(reactions)))


def _shortened(sentences: tuple[str, ...]) -> tuple[str, ...]:
    """The first sentences on a joint, where there are very many."""
    if len(sentences) <= MOST_SENTENCES:
        return sentences
    rest = len(sentences) - MOST_SENTENCES
    return (*sentences[: MOST_SENTENCES - 1], f"… and {rest} more of this kind.", sentences[-1])


def _shown_stresses(eqs: Equations, answer: Solvability, reactions: Reactions) -> tuple[SelfStress, ...]:
    """The self-stresses that are shown, those with forces first, which are easier to picture.

    Where stiffness determines reactions, those along which nothing decides.
    """
    if answer.m > MOST_ROWS_WITH_STRESSES:
        return ()
    every = answer.self_stress
    if reactions.is_by_stiffness and reactions.undecided is not None:
        every = self_stresses_within(eqs, answer, reactions.undecided)
    return tuple(sorted(every, key=lambda stress: not unit_stress(eqs.system, stress.lam).has_force)[:MOST_STRESSES])


def _stress(eqs: Equations, stress: SelfStress, load: float) -> StressLine:
    """A self-stress whose slider reaches the size of the loads, for a moment times the characteristic length."""
    system = eqs.system
    groups = [system.group(name) for name in stress.groups]
    lam, force = unit_stress(system, stress.lam)
    parts = {g.name: lam[g.start : g.stop] for g in groups}
    return StressLine(
        words=describe(eqs, stress),
        joints=stress.groups,
        unit="N" if force else "N m",
        reach=_round_number(system, load) if force else _round_number(system, load * system.length),
        components={g.name: components(eqs, g).P @ parts[g.name] for g in groups},
        wrenches={g.name: spatial_wrench(wrench_map(eqs, g) @ parts[g.name]) for g in groups if g.frames is not None},
    )


def _round_number(system: System, size: float) -> float:
    """A round number of the size of the reactions, or of the weights where there are no reactions."""
    weight = 9.81 * sum(body.mass or 0.0 for body in system.model.bodies)
    size = size if size > 1e-6 * weight else weight
    if not size:
        return 1.0
    power = 10.0 ** np.floor(np.log10(size))
    return float(power * next(k for k in (1, 2, 5, 10) if k * power >= size * (1 - 1e-9)))


def _references(system: System, rule: str, shares: bool) -> tuple[Reference, ...]:
    """The sources of the mechanism and of the methods that were used."""
    keys = {key for joint in system.model.joints for key in JOINTS_BY_SPACE[system.space].get(joint.type).cite}
    references = [("Mechanism", system.model.cite)]
    references += [("Joints", reference(key)) for key in sorted(keys)]
    references += [("Verdicts", reference("wojtyra2013"))]
    references += [("Sharing rule", RULES.get(rule.partition(":")[0]).cite)] if shares else []
    return tuple(Reference(what, source) for what, source in references if source)
