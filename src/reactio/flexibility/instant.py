"""A mechanism at one instant with the compliances of its parts, the basis of certificates and sensitivities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import Accelerations, accelerations
from reactio.joint_reactions.at_state import constrained
from reactio.joint_reactions.closing import with_closing_contacts
from reactio.joint_reactions.wrench import joint_wrenches
from reactio.joints import TENSION
from reactio.kinematics.assemble import initial_state
from reactio.kinematics.source import system_and_state
from reactio.linear.block_root import inverse_root
from reactio.linear.least_norm import least_norm
from reactio.linear.precision import NEAR_ZERO
from reactio.model.model import Model, require_model
from reactio.sharing import problem
from reactio.sharing.compliance import Relaxation, relaxation
from reactio.sharing.elasticity import Elasticity
from reactio.sharing.problem import MOST_NULL_SPACE_ROWS
from reactio.system.compile.build import build
from reactio.system.constraints import COMPONENT_UNITS, LABELS
from reactio.system.elasticity.compliance import elasticity
from reactio.system.equations import Equations, equations
from reactio.system.types import EFFORT, State, System
from reactio.uniqueness import Solvability


@dataclass(frozen=True, eq=False)
class Instant:
    """Equations, rigid motion and compliances at a state."""

    eqs: Equations
    motion: Accelerations
    answer: Solvability
    elastic: Elasticity

    @cached_property
    def whole(self) -> Relaxation:
        """The split with all compliances of the model."""
        return self.relaxed(self.elastic)

    def relaxed(self, elastic: Elasticity) -> Relaxation:
        """The split with other compliances at the same instant."""
        task = problem(self.eqs.constraints, self.motion.f, self.eqs.M, self.answer, self.motion.rounding)
        return relaxation(task, elastic)

    def forces(self, lam: Floats) -> dict[str, Floats]:
        """(force, moment) of every joint on body b, world axes; the effort of drives and couplings."""
        return self._by_joint(lam, joint_wrenches(self.eqs, lam).world)

    def _by_joint(self, lam: Floats, wrenches: Floats) -> dict[str, Floats]:
        """The rows of ``wrenches`` by the names of joints; the effort of drives and couplings."""
        system = self.eqs.system
        return {
            g.name: -lam[g.start : g.stop] if g.frames is None else wrenches[system.group_index[g.name]]
            for g in system.reacting
        }

    def labels(self, name: str) -> tuple[tuple[str, str], ...]:
        """Component and unit of every row of ``components`` of a joint, drive or coupling."""
        system = self.eqs.system
        group = system.group(name)
        if group.frames is None:
            return tuple(EFFORT[unit] for unit in group.units)
        if system.axes == ReactionAxes.JOINT and group.line_labels:
            return tuple((label, "N") for label in group.line_labels)
        return tuple(zip(LABELS[system.space], COMPONENT_UNITS[system.space], strict=True))

    def components(self, lam: Floats) -> dict[str, Floats]:
        """The same in the axes in which the system names components, those of each joint unless asked otherwise."""
        wrenches = joint_wrenches(self.eqs, lam)
        if self.eqs.system.axes == ReactionAxes.WORLD:
            return self._by_joint(lam, wrenches.world)
        forces = self._by_joint(lam, wrenches.joint)
        for group in self.eqs.system.reacting:
            if count := len(group.line_labels):  # one number: tension of a member, forces of teeth
                forces[group.name] = (-forces[group.name] if group.line_labels == (TENSION,) else forces[group.name])[
                    :count
                ]
        return forces

    def displacements(self, relaxation: Relaxation) -> Floats:
        """ξ (n,) elastic displacements of the bodies: C ξ = F λ − d + δ, no part along motions, TᵀMξ = 0 [m, rad]."""
        r = relaxation.elastic.F @ relaxation.lam - relaxation.offset
        half = inverse_root(self.eqs.M, self.eqs.system.body_v)
        if half is None:
            return least_norm(self.eqs.C.tocsr(), r)
        A = (self.eqs.C @ half).tocsr()
        rows = 1.0 / np.sqrt(np.maximum(np.asarray((A * A).sum(axis=1)).reshape(-1), NEAR_ZERO))
        scaled = (A.multiply(rows[:, None])).tocsr()
        x = least_norm(scaled, rows * r)
        return np.asarray(half @ (x + least_norm(scaled, rows * r - scaled @ x)))


def instant(source: Model | System | Equations, state: State | None = None) -> Instant:
    """A model at its start, or at a state, with its compliances."""
    eqs = source
    if not isinstance(eqs, Equations | System):
        require_model(eqs)
    if isinstance(eqs, Model):
        eqs = build(with_closing_contacts(eqs, state), vibration=False)
    if isinstance(eqs, System):
        system, at = system_and_state(eqs, state)
        eqs = equations(system, initial_state(system) if at is None else at)
    constrained(eqs)
    if eqs.system.m > MOST_NULL_SPACE_ROWS:
        raise ReactioError(
            f"The mechanism has {eqs.system.m} equations; self-stresses are written out up to {MOST_NULL_SPACE_ROWS}. "
            "Reactions by the rule compliance are found for any size."
        )
    now = Instant(eqs, accelerations(eqs), eqs.solvability, elasticity(eqs))
    return replace(now, elastic=now.whole.elastic) if now.elastic.laws else now  # tangents at the solution
