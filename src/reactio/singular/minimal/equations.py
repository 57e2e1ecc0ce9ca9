"""Minimal coordinates: the equations of motion in a basis T of the admissible motions (Maggi, Kane)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.friction_check import joints_with_friction
from reactio.kinematics.scaled_matrix import in_metres
from reactio.linear.pivoted import Pivoted, pivoted
from reactio.system.equations import Equations
from reactio.system.types import System


@dataclass(frozen=True, slots=True, eq=False)
class ReducedEquations:
    """Tᵀ M T u̇ = Tᵀ (Q − M β″) with v = T u + β′ and v̇ = T u̇ + β″."""

    mass: Floats  # (f, f)
    force: Floats  # (f,)
    T: Floats  # (n, f)
    beta: Floats  # β″ (n,)

    @property
    def u_dot(self) -> Floats:
        """Generalised accelerations (f,)."""
        return np.asarray(np.linalg.solve(self.mass, self.force))

    @property
    def vdot(self) -> Floats:
        """v̇ (n,)."""
        return np.asarray(self.T @ self.u_dot + self.beta)


def factor(eqs: Equations, size: int | None = None) -> Pivoted:
    """Cᵀ in metres by QR with column pivoting; ``size`` keeps that many admissible motions."""
    return pivoted(in_metres(eqs), rank=None if size is None else eqs.system.n - size)


def refuse_friction(system: System) -> None:
    """An error where joints have friction: it needs the reactions, which minimal coordinates eliminate."""
    names = tuple(dict.fromkeys(joints_with_friction(system)))
    if names:
        listing = ", ".join(f"'{name}'" for name in names[:8]) + (", …" if len(names) > 8 else "")
        raise ReactioError(
            f"Minimal coordinates cannot handle friction, and '{system.model.name}' has some in {listing}: it "
            f"depends on "
            "reactions, which they leave out. Drop the friction of these joints, or `simulate` a state that is not on "
            "a branch with more admissible motions than real ones."
        )


def reduced(eqs: Equations, T: Floats, factors: Pivoted, curving: Floats | float = 0.0) -> ReducedEquations:
    """The equations of motion in T (n, f).

        Tᵀ M T u̇ = Tᵀ (Q − M β″),     C β″ = Γ,   β″ at right angles to T        [Masarati 2023, Eqs 4b, 6, 7, 10, 11a]

    T is orthonormal in metres; with T continued so that Tᵀ Ṫ = 0, β″ = Ṫ u.  ``curving`` (n,) is the part of Ṫ u along
    admissible motions that are not in T [characteristic lengths, rad].  Models with friction in joints are refused.
    """
    refuse_friction(eqs.system)
    system = eqs.system
    beta = system.column_scale * (factors.normal(eqs.Gamma / system.row_scale) + curving)
    basis = (system.column_scale / system.length)[:, None] * T
    return ReducedEquations(basis.T @ (eqs.M @ basis), basis.T @ (eqs.Q - eqs.M @ beta), basis, beta)


def velocity(eqs: Equations, T: Floats, factors: Pivoted, v: Floats) -> Floats:
    """v projected: v = T u + β′ with u = Tᵀ v and C β′ = ν.                             [Eqs 4a, 5, 9]"""
    scale = eqs.system.column_scale
    return np.asarray(scale * (T @ (T.T @ (v / scale)) + factors.normal(eqs.nu / eqs.system.row_scale)))
