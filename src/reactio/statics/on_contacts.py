"""Poses of rest on contacts: none overlaps, none pulls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.contact_motion.contact_system import ContactSystem
from reactio.errors import ReactioError
from reactio.kinematics.assemble import closed_pose
from reactio.statics.loads import size, standing
from reactio.statics.newton import LARGEST_FIRST_STEP, MOST_REST_STEPS, NewtonStep, downhill, no_rest, resting
from reactio.statics.rest import Rest
from reactio.statics.stiffness import Along, along, stiffness
from reactio.system.compile.contacts import CLOSED_GAP, refuse_deep
from reactio.system.equations import Equations
from reactio.system.types import State

TOUCHES = 1e-9  # [characteristic lengths]: a gap of this size is closed by the next assembly
BISECTIONS = 60  # of a step on which a contact closes
CARRIES = 1e-8  # part of the loads: a push below it is none


def descend_on_contacts(contacts: ContactSystem, t: float, q: Floats) -> Rest:
    """From a pose downhill to rest; contacts close on the way, and one that would pull opens (active sets).

    Nocedal & Wright 2006, Numerical Optimization, Sect. 16.5.
    """
    gap = _gaps(contacts, t, q)
    refuse_deep(contacts.joints, -gap, contacts.length)
    closed = gap <= CLOSED_GAP * contacts.length
    reach = LARGEST_FIRST_STEP
    for step in range(MOST_REST_STEPS):
        eqs = _held(contacts, closed, t, q)
        at = along(eqs)
        found = stiffness(at)
        if resting(at, found):
            pushes = _pushes(contacts, eqs, closed)
            if pushes.parting is None:
                weak = _firm(contacts, eqs, closed, pushes)
                return Rest(at, found, step, _names(contacts, closed), weak, contacts.model.contacts)
            q, closed = eqs.state.q, closed.copy()
            closed[pushes.parting] = False  # one at a time: the next step is then sure to open it
            continue
        way = downhill(at, found, reach)
        (q, closed), reach = _stride(contacts, way, closed), way.reach
    raise no_rest(along(_held(contacts, closed, t, q)))


def _names(contacts: ContactSystem, closed: Bools) -> tuple[str, ...]:
    return tuple(name for name, flag in zip(contacts.names, closed, strict=True) if flag)


def _gaps(contacts: ContactSystem, t: float, q: Floats) -> Floats:
    return contacts.at(State(t, q, np.zeros(contacts.whole.n))).gap


def _held(contacts: ContactSystem, closed: Bools, t: float, q: Floats) -> Equations:
    """The mechanism with closed contacts as joints, at the nearest pose where they touch."""
    system = contacts.with_closed(_names(contacts, closed))
    return standing(system, t, closed_pose(system, t, q))


def _stride(contacts: ContactSystem, step: NewtonStep, closed: Bools) -> tuple[Floats, Bools]:
    """The pose after a step, or where an open contact closes on the way; and which are closed then."""
    t, least = step.at.eqs.state.t, -TOUCHES * contacts.length

    def after(share: float) -> tuple[Floats, Floats]:
        q = step.part(share).state.q
        return q, np.where(closed, np.inf, _gaps(contacts, t, q))

    q, gap = after(1.0)
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS if (gap < least).any() else 0):
        share = (low + high) / 2
        q, gap = after(share)
        if (gap >= least).all() and gap.min() <= -least:
            break
        low, high = (low, share) if (gap < least).any() else (share, high)
    return q, closed | (gap <= -least)


@dataclass(frozen=True)
class Pushes:
    """What closed contacts do at a pose of rest."""

    carrying: Bools  # (c,) those that push in some split of the load
    parting: int | None  # one that would have to pull, and opens


def _pushes(contacts: ContactSystem, eqs: Equations, closed: Bools) -> Pushes:
    """λ ≥ 0 of contacts with Cᵀλ = Q by least squares; what they leave is a motion that opens some of them."""
    from scipy.optimize import nnls

    system, scale, loads = eqs.system, eqs.system.column_scale, size(eqs)
    own = np.array([system.group(name).start for name in _names(contacts, closed)], dtype=np.int64)
    carrying = np.zeros(len(closed), dtype=bool)
    if not len(own) or not loads:
        return Pushes(carrying, None)
    A = (eqs.C.toarray() * scale).T
    A = A / np.maximum(np.linalg.norm(A, axis=0), 1e-300)
    b = scale * eqs.Q / loads
    others = np.delete(A, own, axis=1)
    x, _ = nnls(np.hstack([A[:, own], others, -others]), b)
    left = b - np.hstack([A[:, own], others, -others]) @ x
    which = np.flatnonzero(closed)
    if np.linalg.norm(left) > CARRIES:
        return Pushes(carrying, int(which[(A[:, own].T @ left).argmin()]))
    for k, i in enumerate(which):
        carrying[i] = x[k] > CARRIES or _most(A[:, own], others, b, k) > CARRIES
    return Pushes(carrying, None)


def _most(A: Floats, others: Floats, b: Floats, k: int) -> float:
    """The largest λ_k ≥ 0 of A λ + others μ = b: how much of the load a contact may carry, as part of it."""
    from scipy.optimize import linprog

    cost = np.zeros(A.shape[1] + others.shape[1])
    cost[k] = -1.0
    bounds = [(0.0, 1e3)] * A.shape[1] + [(None, None)] * others.shape[1]
    Q, R = np.linalg.qr(np.hstack([A, others]))
    found = linprog(cost, A_eq=R, b_eq=Q.T @ b, bounds=bounds)
    if found.x is None:
        raise ReactioError("The pushes of contacts that carry nothing cannot be told from rounding.")
    return float(found.x[k])


def _firm(contacts: ContactSystem, eqs: Equations, closed: Bools, pushes: Pushes) -> Along | None:
    """The pose without closed contacts that carry nothing; None where all carry."""
    if not (closed & ~pushes.carrying).any():
        return None
    system = contacts.with_closed(_names(contacts, closed & pushes.carrying))
    return along(standing(system, eqs.state.t, eqs.state.q))
