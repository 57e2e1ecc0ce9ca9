"""One case: a model with its parameters set; every result is computed when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from reactio.arrays import Floats
from reactio.design.envelope import Envelope, envelope
from reactio.diagnosis.check import verdicts
from reactio.errors import ReactioError
from reactio.flexibility.instant import instant
from reactio.flexibility.sensitivity import corrected
from reactio.joint_reactions.closing import giving_way, with_closing_contacts
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.judge import JudgedState
from reactio.linear.precision import ROUNDOFF
from reactio.model.model import Model
from reactio.reaction_bounds.at_instant import bounds
from reactio.reaction_bounds.intervals import ReactionBounds
from reactio.sharing import by_compliance
from reactio.simulation.simulate import simulate
from reactio.simulation.state_at import judge_at
from reactio.simulation.trajectory import Trajectory
from reactio.sweeps.axes import Value
from reactio.sweeps.sources import Source
from reactio.system.compile.build import build
from reactio.system.types import System
from reactio.uniqueness import Solvability

# An axis of this name is the time at which reactions are asked for, unless the model has such a parameter.
TIME_AXIS = "t"
RUN_INSTANTS = 201  # instants of a run


@dataclass(frozen=True, slots=True)
class Question:
    """Options of all cases: times, sharing rule, and number of instants."""

    at: float | None = None  # [s] of check, reactions and bounds; the start when left out
    until: float | None = None  # [s] of simulate and envelope
    rule: str | None = None
    rows: int = RUN_INSTANTS


class Case:
    """A model at its parameters."""

    def __init__(self, source: Source, parameters: Mapping[str, Value], question: Question, timed: bool) -> None:
        for_model = {name: value for name, value in parameters.items() if not (timed and name == TIME_AXIS)}
        self.model: Model = source.model(for_model)
        self.question = question
        self.at = float(parameters[TIME_AXIS]) if timed else question.at

    @cached_property
    def system(self) -> System:
        """Its equations, without vibration where a rule splits by compliance."""
        return build(giving_way(self.model, self.question.rule), vibration=not by_compliance(self.question.rule))

    @cached_property
    def giving_way(self) -> System:
        """Its equations with the parts that bear as others give way."""
        return build(with_closing_contacts(self.model), vibration=False)

    @cached_property
    def judged(self) -> JudgedState:
        """The state at the time of the question, with its equations and verdicts."""
        if not self.system.m:
            raise ReactioError(f"'{self.model.name}' has no constraints: there is no reaction to judge.")
        return judge_at(self.system, self.at or None, self.question.rule)

    @cached_property
    def check(self) -> Solvability:
        """The verdicts there."""
        return verdicts(self.judged.eqs)

    @cached_property
    def reactions(self) -> Reactions:
        """The reactions there."""
        return self.judged.reactions(self.question.rule)

    @cached_property
    def bounds(self) -> ReactionBounds:
        """The intervals of reactions there."""
        return bounds(self.system, self.at or None)

    @cached_property
    def flexible(self) -> dict[str, Floats]:
        """(force, moment) of every joint by its stiffnesses, with equilibrium in the displaced pose; joint axes."""
        now = instant(judge_at(self.giving_way, self.at or None, self.question.rule).eqs)
        return now.components(corrected(now))

    @cached_property
    def run(self) -> Trajectory:
        """The motion."""
        if self.question.until is None:
            raise ReactioError("this needs a motion: give its end time (--until T).")
        return simulate(self.system, self.question.until, rule=self.question.rule, output=self.question.rows)

    @cached_property
    def envelope(self) -> Envelope:
        """The extremes of the motion."""
        run, until = self.run, self.question.until
        if until is None or run.checkpoint.t < until * (1 - ROUNDOFF):
            raise ReactioError(f"the motion ends at t = {run.checkpoint.t:g} s: {run.status.value}")
        return envelope(run)
