"""A run in a report: frames of the drawing, and reactions in time with their uniqueness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.drawing.arrows import loads
from reactio.drawing.frames import placed, world
from reactio.errors import ReactioError
from reactio.joint_reactions.component_history import component_history
from reactio.joint_reactions.data import GroupReaction, Reactions
from reactio.joint_reactions.sums import ReactionSum, evaluated
from reactio.linear.precision import DISPLAY, GEOMETRY
from reactio.reporting.data import EventLine, HistoryLine, LoadInTime, RunLine, StateOfJoint, ValuesInTime
from reactio.reporting.self_stress import stress_histories
from reactio.simulation.peaks import judged_instants, noise, peaks_among
from reactio.simulation.trajectory import Trajectory
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import coordinate_rates
from reactio.system.reaction_axes import reaction_axes
from reactio.system.types import State, System
from reactio.uniqueness import GroupVerdict, SelfStress

MOST_DRAWN_NUMBERS = 700_000  # coordinates of frames in the drawing: some 3.7 MB as text
MOST_DRAWN_ROWS = 360  # instants of the drawing: 12 seconds at 30 frames per second
MOST_INSTANTS = 150  # at which reactions are computed for curves; half as many again around the peaks
MOST_PARTNERS = 300  # joints up to which all those that share load with each are named
MOST_HISTORIES = 120  # joints whose reactions are shown in time


def run_line(
    run: Trajectory,
    rule: str,
    asked_rule: bool,
    events: tuple[EventLine, ...],
    chosen: Sequence[str] | None = None,
    stresses: Sequence[SelfStress] = (),
    asked: Mapping[str, str] | None = None,
    sums: Sequence[ReactionSum] = (),
) -> RunLine:
    """The run in a report: all joints or the chosen ones, self-stresses, and sums.

    ``asked_rule``: was the rule asked for?  Without it peaks of what is not unique are left open.
    Sums that were ``asked`` for, by name, are among the peaks; those of the report, ``sums``, are followed in time.
    """
    if len(run.t) < 2:
        raise ReactioError("The run has fewer than two rows: there is no motion to show.")
    width = 9 * (world(run.system) + 1)
    times = _even_times(run.t, min(MOST_DRAWN_ROWS, max(2, MOST_DRAWN_NUMBERS // width)))
    still = np.zeros(run.system.n)
    ruled = replace(run, rule=rule)
    instants, judged = judged_instants(ruled, MOST_INSTANTS)
    small = noise(judged)
    reacting = {g.name: g for g in run.system.reacting}
    names = [name for name in (reacting if chosen is None else chosen) if name in reacting][:MOST_HISTORIES]
    return RunLine(
        t=times,
        frames=np.array(
            [
                placed(equations(run.system, State(float(t), q, still)))
                for t, q in zip(times, _between(run, times), strict=True)
            ]
        ),
        times=instants,
        histories=tuple(_history(run.system, name, judged, small) for name in names),
        wrenches=_without_rounding(
            np.array([[_world(reactions[name]) for name in names] for reactions in judged]), small
        )
        if run.system.model.unknown_masses is None
        else np.zeros((len(judged), len(names), 6)),
        ranks=tuple(reactions.answer.rank for reactions in judged),
        stresses=stress_histories(stresses, judged),
        sums=tuple(_sum(reactions.expression, judged) for reactions in sums),
        loads=_loads(judged) if chosen is None else (),
        peaks=peaks_among(ruled if asked_rule else replace(run, rule=None), instants, judged, asked),
        events=events,
        until=run.until,
        steps=run.steps,
    )


def _without_rounding(values: Floats, small: float) -> Floats:
    """Values, those up to ``small`` as 0."""
    return np.where(np.abs(values) <= small, 0.0, values)


def _even_times(t: Floats, most: int) -> Floats:
    """Evenly spaced times, dense enough for a smooth drawing."""
    return np.linspace(t[0], t[-1], most)


def _between(run: Trajectory, times: Floats) -> Floats:
    """q (k, nq) at times between rows, by cubic Hermite interpolation: for the drawing only."""
    rows = np.clip(np.searchsorted(run.t, times, side="right") - 1, 0, len(run.t) - 2)
    needed = np.union1d(rows, rows + 1)
    rates = np.zeros_like(run.q)
    for k in needed:
        rates[k] = coordinate_rates(run.system, run.q[k], run.v[k])
    h = (run.t[rows + 1] - run.t[rows])[:, None]
    x = np.divide(times[:, None] - run.t[rows, None], h, out=np.zeros_like(h), where=h > 0)
    a, b, da, db = run.q[rows], run.q[rows + 1], h * rates[rows], h * rates[rows + 1]
    cubic: Floats = a + x * da + x**2 * (3 * (b - a) - 2 * da - db) + x**3 * (2 * (a - b) + da + db)
    return cubic


def _history(system: System, name: str, judged: Sequence[Reactions], small: float) -> HistoryLine:
    """The components of a joint in time, without those that are always zero."""
    labels, units, values, unique, stiff = component_history(system, name, judged)
    values = _without_rounding(values, small)
    size = np.nanmax(np.abs(values), axis=0, initial=0.0)
    unknown = np.isnan(values).all(axis=0)
    keep = np.flatnonzero((size > DISPLAY * max(size.max(), 1e-300)) | ~unique.all(axis=0) | unknown)
    return HistoryLine(
        values[:, keep],
        unique[:, keep],
        stiff[:, keep],
        name,
        tuple(labels[k] for k in keep),
        tuple(units[k] for k in keep),
        tuple(_state_of_joint(reactions, name) for reactions in judged),
        _turning_axes(system, name, judged),
    )


def state_words(reactions: Reactions, verdict: GroupVerdict) -> str:
    """The verdict on a joint, or how much of its reaction stiffness determines."""
    stiff = reactions[verdict.name].stiffness_words if reactions.is_by_stiffness and verdict.name in reactions else ""
    return stiff or str(verdict.verdict)


def _state_of_joint(reactions: Reactions, name: str) -> StateOfJoint:
    verdict = reactions.answer[name]
    partners = verdict.shares_with if len(reactions.answer) <= MOST_PARTNERS else ()
    return StateOfJoint(state_words(reactions, verdict), verdict.known, partners)


def _turning_axes(system: System, name: str, judged: Sequence[Reactions]) -> Floats | None:
    """(k, d, d) the axes of a joint's components, a row each, where they turn and components are given in them."""
    group = system.group(name)
    if group.frames is None or system.axes == ReactionAxes.WORLD:
        return None
    axes = np.array([reaction_axes(reactions.eqs, group) for reactions in judged])
    return axes if np.ptp(axes, axis=0).max() > GEOMETRY else None


def _sum(expression: str, judged: Sequence[Reactions]) -> ValuesInTime:
    rows = [evaluated(reactions, expression) for reactions in judged]
    values = np.array([np.nan if row.value is None else row.value for row in rows])
    unique, stiff = (np.array([getattr(row, key) for row in rows], dtype=bool) for key in ("unique", "by_stiffness"))
    return ValuesInTime(values, unique, stiff)


def _loads(judged: Sequence[Reactions]) -> tuple[LoadInTime, ...]:
    """The given forces and torques at every instant; one that is zero there has the vector 0."""
    every = [
        {(arrow.name, arrow.frame, arrow.moment): arrow.vector for arrow in loads(reactions.eqs)}
        for reactions in judged
    ]
    keys = dict.fromkeys(key for now in every for key in now)
    return tuple(
        LoadInTime(frame, moment, np.array([now.get((name, frame, moment), (0.0, 0.0, 0.0)) for now in every]))
        for name, frame, moment in keys
    )


def _world(row: GroupReaction) -> Floats:
    """(6,) force and moment in world axes; zero for drives and couplings."""
    out = np.zeros(6)
    if row.body:
        out[: len(row.force)] = row.force
        out[6 - len(row.moment) :] = row.moment
    return out
