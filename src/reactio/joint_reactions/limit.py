"""Reactions at a pose where C has lost rank, as the limit of those at poses approaching it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.kinematics.scaled_matrix import scaled_matrix
from reactio.linear.precision import LOCATED
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

DIFFERENCE_STEP = 1e-5  # [characteristic lengths] of central differences of C, whose error is its square
SINGULAR_VALUE_CUT = 1e-8  # part of the largest singular value of Vᵀ (D_e C)ᵀ N below which others are rounding
BEARS_STRESS = LOCATED  # part of a self-stress, or of all forces, above which a joint bears it


@dataclass(frozen=True, slots=True, eq=False)
class LimitForces:
    """Forces at a singular pose as the limit from poses approaching it."""

    f: Floats  # (n,) f₁ = Cᵀλ₁: the forces of the constraints less those of the growing stress [N, N m]
    stress: Floats  # (m,) N z: the self-stress that grows as 1/ε

    def absent(self, system: System) -> tuple[str, ...]:
        """The joints that bear the growing stress, whose reaction is not finite."""
        size = np.abs(self.stress)
        most = size.max(initial=0.0)
        if most <= BEARS_STRESS * np.abs(self.f).max(initial=0.0):
            return ()
        return tuple(g.name for g in system.groups if size[g.start : g.stop].max(initial=0.0) > BEARS_STRESS * most)


def limit_forces(eqs: Equations, f: Floats, e: Floats, cut: float) -> LimitForces | None:
    """The forces f = Cᵀλ (n,) at a distance ε along e (n,) from a pose where C has lost rank, as ε → 0.

        (C + ε D_e C)ᵀ λ = f,   λ = N z/ε + λ₁   ⇒   Cᵀλ₁ = f − (D_e C)ᵀ N z,   Vᵀ (f − (D_e C)ᵀ N z) = 0

    N, V: null(Cᵀ), null(C), singular values below ``cut`` times the largest counted as zero.  Joints with N z = 0 have
    finite reactions, from λ₁ alone.  None where terms of first order in ε do not balance f.
    """
    columns = eqs.system.column_scale / eqs.system.length
    U, s, Vt = np.linalg.svd(scaled_matrix(eqs), full_matrices=True)
    rank = int((s > cut * s[0]).sum())
    N, V, g = U[:, rank:], Vt[rank:].T, columns * f
    stiffening = _matrix_derivative(eqs, e).T @ N
    z = np.linalg.lstsq(V.T @ stiffening, V.T @ g, rcond=SINGULAR_VALUE_CUT)[0]
    rest = g - stiffening @ z
    left = V @ (V.T @ rest)
    if np.abs(left).max(initial=0.0) > LOCATED * np.abs(g).max(initial=0.0):
        return None
    return LimitForces((rest - left) / columns, N @ z)


def _matrix_derivative(eqs: Equations, e: Floats) -> Floats:
    """D_e C (m, n) without units along a velocity e (n,) of unit size, by a central difference."""
    system, state = eqs.system, eqs.state
    e = e / np.linalg.norm(e / system.column_scale)
    ahead, behind = (
        scaled_matrix(equations(system, State(state.t, advance(system, state.q, side * e), np.zeros(system.n))))
        for side in (DIFFERENCE_STEP, -DIFFERENCE_STEP)
    )
    return np.asarray(ahead - behind) / (2 * DIFFERENCE_STEP)
