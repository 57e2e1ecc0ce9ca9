"""Ondsel, the solver of FreeCAD: redundant equations are left out, moments before forces."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.forward_dynamics.accelerate import accelerations
from reactio.kinematics.body_state import body_state, centre
from reactio.programs import Program, register
from reactio.sharing import problem
from reactio.sharing.problem import without
from reactio.system.equations import Equations

# Euler parameters change by half of a rotation: their equal weights count a row's part about axes four times.
TURNING = 4.0
NO_PIVOT = 1e-10  # of the largest diagonal entry: what is left of a row that the rows before it imply


def split(eqs: Equations) -> Floats:
    """λ with zeros on the rows that are left out."""
    return without(problem(eqs.constraints, accelerations(eqs).f, eqs.M, eqs.solvability), dropped(eqs))


def dropped(eqs: Equations) -> Ints:
    """The rows left without a pivot: elimination of G Gᵀ by its largest diagonal, displacements before directions.

    G is C on the velocities of centres of mass and the rates of Euler parameters, all of weight one.
    """
    G = _on_centres(eqs)
    S = G @ G.T
    units = np.array([unit for group in eqs.system.groups for unit in group.units])
    size, left = float(np.diag(S).max(initial=0.0)), []
    for own in (np.flatnonzero(units != "rad"), np.flatnonzero(units == "rad")):
        rows = own.tolist()
        while rows:
            k = int(np.argmax(np.diag(S)[rows]))
            pivot = S[rows[k], rows[k]]
            if pivot <= NO_PIVOT * size:
                left += rows
                break
            column = S[:, rows.pop(k)]
            S = S - np.outer(column, column) / pivot
    return np.array(sorted(left), dtype=np.int64)


def _on_centres(eqs: Equations) -> Floats:
    """Rows of C on velocities of centres of mass and twice the angular velocities (m, n)."""
    system, q = eqs.system, eqs.state.q
    G = eqs.C.toarray()
    size = 2 if system.space == "planar" else 3
    for b in range(len(system.model.bodies)):
        first, last = int(system.body_v[b]), int(system.body_v[b + 1])
        if last - first == size:
            continue
        arm = centre(system, b, q) - body_state(system, b, q, np.zeros(system.n)).position
        moved, turned = G[:, first : first + size], G[:, first + size : last]
        # ṙ = ċ − ω × arm: what acts on ṙ acts on ω by arm × (·), taken off.
        lever = np.cross(arm, moved) if size == 3 else (arm[0] * moved[:, 1] - arm[1] * moved[:, 0])[:, None]
        G[:, first + size : last] = np.sqrt(TURNING) * (turned - lever)
    return np.asarray(G)


ONDSEL = register(
    Program(
        name="ondsel",
        title="Ondsel (FreeCAD)",
        rule="elimination, moments before forces",
        explanation="Ondsel, the solver of FreeCAD, eliminates the constraint equations by the largest pivot, first "
        "displacements, then directions of axes, and leaves out those that remain without a pivot: their multipliers "
        "are zero, nearly always moments. Equations that are as good as each other are taken in the order of the "
        "joints, so that another order, or other names in a file that is sorted by names, gives other numbers.",
        split=split,
    )
)
