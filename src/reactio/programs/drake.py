"""Drake: a tree in joint coordinates, loops closed by compliant point constraints, softer where points move easily."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.programs import Program, register
from reactio.programs.closed_loops import ClosedLoops, least_on_points
from reactio.system.equations import Equations


def split(eqs: Equations) -> Floats:
    """λ of min Σ R_p |f_p|² over the points of cut loops, R_p ∝ |J_p diag(M)⁻¹ J_pᵀ| in joint coordinates."""
    return least_on_points(eqs, _regularisation)


def _regularisation(known: ClosedLoops) -> list[Floats]:
    """The size of the diagonal block of each point in the Delassus matrix, M by its diagonal (measured on Drake 1.51).

    Castro et al. 2022, An unconstrained convex formulation of compliant contact, Sect. V.A.
    """
    diagonal, found = np.diag(known.inertia), []
    inverse = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0.0)
    for loop in known.loops:
        J = known.jacobian(loop)
        blocks = [J[k : k + loop.size] for k in range(0, len(J), loop.size)]
        found.append(np.array([float(np.linalg.norm((j * inverse) @ j.T)) for j in blocks]))
    return found


DRAKE = register(
    Program(
        name="drake",
        title="Drake",
        rule="regularised minimum norm over cut loops, R ∝ |J M⁻¹ Jᵀ|",
        explanation="Drake keeps a tree of joints, taken here in the order of the joints, and holds each loop by point "
        "constraints (a hinge in space by two of them, a characteristic length apart); its convex solver SAP lets each "
        "constraint give way in proportion to how easily its point moves, |J M⁻¹ Jᵀ| with M by its diagonal, so that "
        "points that move easily bear less, and the joints of the tree bear what equilibrium leaves.",
        split=split,
    )
)
