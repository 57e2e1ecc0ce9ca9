"""A state judged: its equations, verdicts and accelerations, from which its reactions follow.

Equations ─judge→ JudgedState ─reactions(rule)→ Reactions
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reactio.errors import ReactioError, listed
from reactio.joint_reactions.rank_nearby import by_contacts_alone, rank_nearby
from reactio.kinematics.assemble import AssemblyRecord
from reactio.model.transform.compliant_contacts import COMPLIANT_CONTACT
from reactio.system.equations import Equations
from reactio.system.types import System
from reactio.uniqueness import Solvability

if TYPE_CHECKING:
    from reactio.forward_dynamics.accelerate import Accelerations
    from reactio.joint_reactions.data import Reactions


@dataclass(frozen=True, slots=True, eq=False)
class JudgedState:
    """A state with its equations and verdicts, from which its reactions follow."""

    eqs: Equations
    answer: Solvability
    motion: Accelerations | None = None  # v̇ where the instant alone does not determine it
    start: AssemblyRecord | None = None  # of the model, where the state is its start or lies on its motion

    def reactions(self, rule: str | None) -> Reactions:
        """The reactions; a rule splits those that are not unique."""
        from reactio.joint_reactions.solve import solve_reactions  # a verdict alone needs no dynamics

        refuse_unconstrained(self.eqs.system)
        return solve_reactions(self.eqs, self.answer, self.motion, rule)

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
            f"Reactions of {listed(self.absent, most=8)} have no value at t = {self.eqs.state.t:.9g} s: in a "
            f"singular pose they grow without bound, or a single instant does not determine them.",
        )


def judge(eqs: Equations, rule: str | None = None) -> JudgedState:
    """The equations, verdicts and accelerations from which reactions at a single state follow."""
    answer = eqs.solvability
    if not answer.redundancy or not answer.mobility or by_contacts_alone(eqs, answer):
        return JudgedState(eqs, answer)  # the rank cannot be higher at nearby poses
    generic = rank_nearby(eqs, answer)
    if generic is not None and generic.rank <= answer.rank:
        return JudgedState(eqs, answer)
    from reactio.joint_reactions.at_singular import motion_at_singular

    return JudgedState(eqs, answer, motion_at_singular(eqs, generic, rule))


def refuse_unconstrained(system: System) -> None:
    """Refuse a system without constraints."""
    if not system.m:
        if yielding := [force.name for force in system.model.forces if force.type == COMPLIANT_CONTACT]:
            raise ReactioError(
                f"'{system.model.name}' has no constraints in a motion: {listed(yielding)} "
                f"{'yield' if len(yielding) > 1 else 'yields'}, and a contact that yields is a force there, not a "
                "reaction. `reactio simulate` gives the peaks of such forces, and `reactio reactions` the loads at the "
                "start, where such contacts are closed; leave their stiffness out to have reactions along the motion."
            )
        why = "no contact closed and no cable taut at this pose" if system.open_parts else "no constraints"
        raise ReactioError(f"'{system.model.name}' has {why}: there is no reaction.")
