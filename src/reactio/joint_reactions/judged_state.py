"""States with their verdicts and accelerations: what reactions follow from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.errors import ReactioError, listed
from reactio.forward_dynamics.accelerate import Accelerations, accelerations
from reactio.forward_dynamics.contact import refuse_slip
from reactio.forward_dynamics.multipliers import splitter
from reactio.joint_reactions.data import Reactions
from reactio.kinematics.assemble import AssemblyRecord
from reactio.system.equations import Equations
from reactio.system.types import System
from reactio.uniqueness import Solvability, Verdict


@dataclass(frozen=True, slots=True, eq=False)
class JudgedState:
    """A state with its equations and verdicts, from which its reactions follow."""

    eqs: Equations
    answer: Solvability
    motion: Accelerations | None = None  # v̇ where the instant alone does not determine it
    start: AssemblyRecord | None = None  # of the model, where the state is its start or lies on its motion

    def reactions(self, rule: str | None) -> Reactions:
        """The reactions; a rule splits those that are not unique."""
        refuse_unconstrained(self.eqs.system)
        eqs, answer = self.eqs, self.answer
        motion = self.motion or accelerations(eqs, rule=rule)
        lam, undecided = splitter(eqs, motion, answer)(rule)
        if answer.unilateral:
            unique = [answer[group.name].verdict is Verdict.UNIQUE for group in eqs.system.reacting]
            refuse_slip(eqs, lam, np.array(unique, dtype=bool) | (rule is not None), rule)
        return Reactions(eqs, motion, answer, rule, lam, undecided)

    @property
    def absent(self) -> tuple[str, ...]:
        """Joints without reactions there."""
        return self.motion.absent if self.motion else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on joints without finite reactions there."""
        if not self.absent:
            return ()
        return (
            f"Reactions of {listed(self.absent, most=8)} have no value at t = {self.eqs.state.t:.9g} s, whatever C "
            "says there: in a singular pose they grow beyond all bounds, or one instant does not say what they are.",
        )


def refuse_unconstrained(system: System) -> None:
    """Refuse a system without constraints."""
    if not system.m:
        raise ReactioError(f"'{system.model.name}' has no constraints: there is no reaction.")
