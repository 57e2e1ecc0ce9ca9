"""Poses of rest on contacts: none overlaps, none pulls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.contact_motion.contact_system import ContactSystem
from reactio.errors import ReactioError
from reactio.kinematics.assemble import closed_pose
from reactio.linear.precision import GEOMETRY, SOLUTION
from reactio.statics.equilibrium_pose import EquilibriumPose
from reactio.statics.loads import equations_at_rest, largest_load
from reactio.statics.newton import LARGEST_FIRST_STEP, MOST_REST_STEPS, NewtonStep, downhill, no_rest, resting
from reactio.statics.stiffness import Freedoms, freedoms_of, stiffness
from reactio.system.compile.contacts import CLOSED_GAP, refuse_deep
from reactio.system.equations import Equations
from reactio.system.types import State

TOUCHING_GAP = GEOMETRY  # [characteristic lengths]: a gap of this size is closed by the next assembly
MOST_BISECTIONS = 60  # of a step within which a contact closes
LEAST_FORCE = 10 * SOLUTION  # part of the loads: a contact with a smaller force carries nothing
LARGEST_SHARE = 1e3  # times the loads: bound of a contact force, which self-stresses leave without one


def descend_on_contacts(contacts: ContactSystem, t: float, q: Floats) -> EquilibriumPose:
    """From a pose downhill to rest; contacts that are met close, and one that would pull opens (active sets).

    Nocedal & Wright 2006, Numerical Optimization, Sect. 16.5.
    """
    gap = _gaps(contacts, t, q)
    refuse_deep(contacts.joints, -gap, contacts.length, contacts.whole.model)
    closed = gap <= CLOSED_GAP * contacts.length
    reach = LARGEST_FIRST_STEP
    for step in range(MOST_REST_STEPS):
        eqs = _equations_with_closed(contacts, closed, t, q)
        at = freedoms_of(eqs)
        tangent = stiffness(at)
        if resting(at, tangent):
            forces = _contact_forces(contacts, eqs, closed)
            if forces.parting is None:
                return EquilibriumPose(
                    freedoms=at,
                    tangent_stiffness=tangent,
                    steps=step,
                    touching=_names(contacts, closed),
                    without_unloaded=_without_unloaded(contacts, eqs, closed, forces),
                    contacts=contacts.model.contacts,
                    members=contacts.members,
                )
            q, closed = eqs.state.q, closed.copy()
            closed[forces.parting] = False  # one at a time: the next step is then sure to open it
            continue
        newton = downhill(at, tangent, reach)
        (q, closed), reach = _limited_step(contacts, newton, closed), newton.reach
    raise no_rest(freedoms_of(_equations_with_closed(contacts, closed, t, q)))


def _names(contacts: ContactSystem, closed: Bools) -> tuple[str, ...]:
    """The names of contacts in a mask (c,)."""
    return tuple(name for name, flag in zip(contacts.names, closed, strict=True) if flag)


def _gaps(contacts: ContactSystem, t: float, q: Floats) -> Floats:
    """The gaps (c,) of all contacts in a pose [m]."""
    return contacts.at(State(t, q, np.zeros(contacts.whole.n))).gap


def _equations_with_closed(contacts: ContactSystem, closed: Bools, t: float, q: Floats) -> Equations:
    """The mechanism with closed contacts as joints, at the nearest pose where they touch."""
    system = contacts.with_closed(_names(contacts, closed))
    return equations_at_rest(system, t, closed_pose(system, t, q))


def _limited_step(contacts: ContactSystem, step: NewtonStep, closed: Bools) -> tuple[Floats, Bools]:
    """The pose q after a step, or within it where an open contact closes, and the contacts (c,) closed there."""
    t, least = step.at.eqs.state.t, -TOUCHING_GAP * contacts.length

    def after(share: float) -> tuple[Floats, Floats]:
        q = step.part(share).state.q
        return q, np.where(closed, np.inf, _gaps(contacts, t, q))

    q, gap = after(1.0)
    low, high = 0.0, 1.0
    for _ in range(MOST_BISECTIONS if (gap < least).any() else 0):
        share = (low + high) / 2
        q, gap = after(share)
        if (gap >= least).all() and gap.min() <= -least:
            break
        low, high = (low, share) if (gap < least).any() else (share, high)
    return q, closed | (gap <= -least)


@dataclass(frozen=True)
class ContactForces:
    """Which closed contacts carry loads at a pose of rest."""

    carrying: Bools  # (c,) those that push in some split of the load
    parting: int | None  # one that would have to pull, and opens


def _contact_forces(contacts: ContactSystem, eqs: Equations, closed: Bools) -> ContactForces:
    """λ ≥ 0 of contacts with Cᵀλ = Q by least squares; the residual, if any, is a motion that opens some of them."""
    from scipy.optimize import nnls

    system, scale, loads = eqs.system, eqs.system.column_scale, largest_load(eqs)
    rows = np.array([system.group(name).start for name in _names(contacts, closed)], dtype=np.int64)
    carrying = np.zeros(len(closed), dtype=bool)
    if not len(rows) or not loads:
        return ContactForces(carrying, None)
    A = (eqs.C.toarray() * scale).T
    A = A / np.maximum(np.linalg.norm(A, axis=0), 1e-300)
    b = scale * eqs.Q / loads
    others = np.delete(A, rows, axis=1)
    x, _ = nnls(np.hstack([A[:, rows], others, -others]), b)
    unbalanced = b - np.hstack([A[:, rows], others, -others]) @ x
    which = np.flatnonzero(closed)
    if np.linalg.norm(unbalanced) > LEAST_FORCE:
        return ContactForces(carrying, int(which[(A[:, rows].T @ unbalanced).argmin()]))
    for k, i in enumerate(which):
        carrying[i] = x[k] > LEAST_FORCE or _largest_share(A[:, rows], others, b, k) > LEAST_FORCE
    return ContactForces(carrying, None)


def _largest_share(A: Floats, others: Floats, b: Floats, k: int) -> float:
    """The largest λ_k of A λ + others μ = b, λ ≥ 0: the force that a contact may carry, as part of the loads."""
    from scipy.optimize import linprog

    cost = np.zeros(A.shape[1] + others.shape[1])
    cost[k] = -1.0
    bounds = [(0.0, LARGEST_SHARE)] * A.shape[1] + [(None, None)] * others.shape[1]
    Q, R = np.linalg.qr(np.hstack([A, others]))
    optimum = linprog(cost, A_eq=R, b_eq=Q.T @ b, bounds=bounds)
    if optimum.x is None:
        raise ReactioError("Forces of closed contacts are within rounding: whether one carries load is not known.")
    return float(optimum.x[k])


def _without_unloaded(contacts: ContactSystem, eqs: Equations, closed: Bools, forces: ContactForces) -> Freedoms | None:
    """The pose with closed contacts that carry nothing open; None where all carry."""
    if not (closed & ~forces.carrying).any():
        return None
    system = contacts.with_closed(_names(contacts, closed & forces.carrying))
    return freedoms_of(equations_at_rest(system, eqs.state.t, eqs.state.q))
