"""MuJoCo: a tree in joint coordinates, loops closed by soft equalities, their stiffness by the inertia of bodies."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.programs import Program, register
from reactio.programs.closed_loops import ClosedLoops, least_on_points
from reactio.system.equations import Equations


def split(eqs: Equations) -> Floats:
    """λ of min Σ R_p |f_p|² over the points of cut loops, R_p ∝ the mean mobility of the two bodies' centres."""
    return least_on_points(eqs, _regularisation)


def _regularisation(known: ClosedLoops) -> list[Floats]:
    """MuJoCo's approximation to diag(A M⁻¹ Aᵀ): the translational ``invweight0`` of both bodies, added."""
    inverse = np.asarray(np.linalg.pinv(known.inertia, hermitian=True), dtype=np.float64)
    mobility = [_mean(known.centre_jacobian(b), inverse) for b in range(len(known.eqs.system.model.bodies))]
    return [
        np.full(loop.points, sum(mobility[b] for b in loop.group.bodies if b >= 0))
        if loop.points
        else np.array([_mean(known.jacobian(loop), inverse)])
        for loop in known.loops
    ]


def _mean(J: Floats, inverse: Floats) -> float:
    """The mean diagonal entry of J M⁻¹ Jᵀ."""
    return float(np.einsum("ij,jk,ik->", J, inverse, J)) / len(J)


MUJOCO = register(
    Program(
        name="mujoco",
        title="MuJoCo",
        rule="soft equalities over cut loops, R ∝ diag(A M⁻¹ Aᵀ)",
        explanation="MuJoCo keeps a tree of joints, taken here in the order of the joints, and holds each loop by "
        "equalities connect (a hinge in space by two of them, a characteristic length apart) that are springs and "
        "dampers of softness R = (1 − d)/d times an estimate of diag(A M⁻¹ Aᵀ) from the inertia of the two bodies. "
        "These are the numbers of stiff equalities, solimp near 1; with the default solimp of 0.9 the loops give way "
        "and every number is off by some percent.",
        split=split,
    )
)
