"""One motion by several formulations, side by side: accuracy, drift, energy and cost of each, and its reactions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from reactio.errors import ReactioError
from reactio.integrate.formulation import DEFAULT_FORMULATION, FORMULATIONS, Formulation, formulation_of
from reactio.integrate.status import Status
from reactio.kernels import expected_work
from reactio.model.model import Model
from reactio.results.as_data import Result
from reactio.simulation.simulate import simulate
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.build import build
from reactio.system.constraints import components, effort_scale
from reactio.system.equations import equations
from reactio.system.types import State, System

REACHED = (Status.DONE, Status.EVENT, Status.RESTING)
ROWS = 21  # instants at which motions are compared


@dataclass(frozen=True, slots=True, eq=False)
class FormulationRow:
    """A run by one formulation, compared with that of the first one."""

    name: str  # with its settings
    formulation: Formulation
    run: Trajectory | None  # None where the formulation does not support a feature of the model
    note: str  # why it was refused, or ended early
    motion_error: float  # largest difference of a coordinate [characteristic lengths, rad] up to the end

    @property
    def reached(self) -> bool:
        """Did it reach the end?"""
        return self.run is not None and self.run.status in REACHED

    @property
    def agrees(self) -> bool:
        """Is its motion within the tolerance that the formulation states?"""
        return self.reached and self.motion_error <= self.formulation.agreement


@dataclass(frozen=True, slots=True, eq=False)
class FormulationReaction(Result):
    """A component of a reaction at the end, as every formulation gives it."""

    KEYS = "name=group component unit unique values differs contradicts"

    group: str
    component: str
    unit: str
    unique: bool | None  # by the verdict there; None where that cannot be decided
    values: tuple[float | None, ...]  # one for each row; None where it is left undetermined, or the end was not reached
    tolerances: tuple[float, ...]  # by which each may be off where it is unique [unit]

    @property
    def spread(self) -> float:
        """The largest difference between two formulations that give a number."""
        given = [value for value in self.values if value is not None]
        return float(np.ptp(given)) if len(given) > 1 else 0.0

    @property
    def differs(self) -> bool:
        """Do two formulations give numbers that are further apart than their tolerances together?"""
        given = [(x, by) for x, by in zip(self.values, self.tolerances, strict=True) if x is not None]
        return any(abs(x - y) > a + b for (x, a), (y, b) in combinations(given, 2))

    @property
    def coincides(self) -> bool:
        """Do formulations give the same number to an undetermined component?  Nothing makes them agree elsewhere."""
        return not self.unique and not self.differs and sum(value is not None for value in self.values) > 1

    @property
    def contradicts(self) -> bool:
        """Do formulations differ where the verdict says that the reaction is unique?"""
        return self.unique is True and self.differs


@dataclass(frozen=True, slots=True, eq=False)
class FormulationTable:
    """Runs of one model by several formulations, and their reactions at the end."""

    model: str
    until: float  # [s]
    tol: float
    rows: tuple[FormulationRow, ...]
    reactions: tuple[FormulationReaction, ...]

    @property
    def summary(self) -> str:
        """A sentence: how many motions and unique reactions agree, and how many undetermined ones differ."""
        ended = [row for row in self.rows if row.reached]
        agree = sum(row.agrees for row in ended)
        unique = [component for component in self.reactions if component.unique]
        rest = [component for component in self.reactions if not component.unique]
        words = f"{agree} of {len(self.rows)} motions agree within the tolerances of their formulations"
        if len(ended) < len(self.rows):
            words += f", {len(self.rows) - len(ended)} did not reach the end"
        same = sum(not component.contradicts for component in unique)
        words += f"; {same} of {len(unique)} unique reaction components are the same by all"
        words += f", {sum(component.differs for component in rest)} of {len(rest)} undetermined ones differ."
        if chance := [f"{component.group}.{component.component}" for component in rest if component.coincides]:
            words += f" {', '.join(chance)}: undetermined, although these formulations agree within their tolerances."
        return words


def compare_formulations(
    model: Model | System, until: float, formulations: Iterable[str] = (), *, tol: float = 1e-9
) -> FormulationTable:
    """The motion of a model until a time [s] by several formulations, all that are registered when left out.

    Motions are compared with that of ``projection``, which comes first.

    >>> import reactio
    >>> table = compare_formulations(reactio.load("pendulum-twice"), 0.1, ["null-space", "udwadia-kalaba"])
    >>> [row.name for row in table.rows], [one.differs for one in table.reactions if one.unique]
    (['projection', 'null-space', 'udwadia-kalaba'], [])
    """
    system = model if isinstance(model, System) else build(model)
    names = list(dict.fromkeys([DEFAULT_FORMULATION, *(tuple(formulations) or tuple(FORMULATIONS))]))
    for name in names:
        formulation_of(name)  # an unknown name is an error now, not after some runs
    first = _row(system, until, DEFAULT_FORMULATION, tol, None)
    if first.run is None:
        raise ReactioError(first.note)
    with expected_work(system.m, len(names) * first.run.checkpoint.evaluations, system.space):
        rows = (first, *(_row(system, until, name, tol, first.run) for name in names[1:]))
    return FormulationTable(system.model.name, until, tol, rows, _reactions(rows))


def sharing(table: FormulationTable) -> list[int]:
    """The places of the formulations that give numbers to undetermined reactions; all where there are none."""
    chosen = [k for k, row in enumerate(table.rows) if row.formulation.multipliers or row.formulation.eliminates]
    return chosen or list(range(len(table.rows)))


def _row(system: System, until: float, name: str, tol: float, first: Trajectory | None) -> FormulationRow:
    """The run by one formulation."""
    how = formulation_of(name).formulation
    try:
        run = simulate(system, until, tol=tol, formulation=name, output=ROWS, method=None if how.projects else "dop853")
    except ReactioError as error:
        return FormulationRow(name, how, None, str(error), np.nan)
    note = "" if run.status in REACHED else f"{run.status.value} {' '.join(run.notes[-1:])}"
    return FormulationRow(name, how, run, note, 0.0 if first is None else _motion_error(first, run))


def _motion_error(first: Trajectory, second: Trajectory) -> float:
    """The largest difference of a coordinate in the rows that both have [characteristic lengths, rad, quaternions]."""
    count, system = min(len(first.t), len(second.t)), first.system
    width = len(system.model.gravity)
    scale = np.ones(system.nq)
    for b in system.body_q[:-1]:
        scale[b : b + width] = system.length
    return float((np.abs(first.q[:count] - second.q[:count]) / scale).max(initial=0.0))


def _reactions(rows: tuple[FormulationRow, ...]) -> tuple[FormulationReaction, ...]:
    """The components at the end of all runs that reached it; the verdict is that of the first."""
    run = rows[0].run
    assert run is not None
    if not run.system.m or not rows[0].reached:
        return ()
    verdicts = run.last_reactions.answer
    values = [_values(row) if row.reached else {} for row in rows]
    largest = max((abs(value) for of_run in values[:1] for value in of_run.values()), default=0.0)
    parts = []
    for group in run.system.reacting:
        for verdict in verdicts[group.name].components:
            key = (group.name, verdict.name)
            given = tuple(
                of_run.get(key, 0.0) if row.formulation.eliminates and row.reached
                else of_run.get(key) if verdict.unique or row.formulation.multipliers else None
                for row, of_run in zip(rows, values, strict=True)
            )  # fmt: skip
            size = float(effort_scale(run.system, [verdict.unit])[0]) * largest
            tolerances = tuple(row.formulation.force_agreement * size for row in rows)
            parts.append(FormulationReaction(*key, verdict.unit, verdict.unique, given, tolerances))
    return tuple(parts)


def _values(row: FormulationRow) -> dict[tuple[str, str], float]:
    """All components of the multipliers at the end of a run, in joint axes."""
    run = row.run
    assert run is not None
    c = run.checkpoint
    eqs = equations(run.system, State(c.t, c.q, c.v))
    values = {}
    for group in run.system.reacting:
        known = components(eqs, group)
        for name, value in zip(known.labels, known.P @ c.lam[group.start : group.stop], strict=True):
            values[group.name, name] = float(value)
    return values
