"""Simultaneous impacts of several contacts: Newton's law of restitution with impulses that never pull (Moreau)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.contact_motion.contact_system import ContactState
from reactio.errors import ReactioError
from reactio.linear.block_root import inverse_root
from reactio.linear.convex.least_distance import least_distance
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.system.types import State

# Part of the largest gap rate within which a contact is at its limit, and may bear a part of the impact, whether a rule
# gives it one or not: velocities are found to about 1e-12, and a contact too many only makes a verdict more careful.
AT_REBOUND_LIMIT = 10 * SOLUTION
JUMP_ROUNDING = ROUNDOFF  # part of the momenta before and after an impact by which their difference may be off
# Part of the kinetic energy that an impact may gain by rounding: velocities are found to about 1e-12.
LARGEST_ENERGY_GAIN = SOLUTION


@dataclass(frozen=True, slots=True, eq=False)
class ContactImpact:
    """The result of an impact."""

    v: Floats  # (n,) velocities after it
    work: float  # kinetic energy gained, negative for a loss [J]


@dataclass(frozen=True, slots=True, eq=False)
class ImpactRecord:
    """An instant, or a time step, at which contacts strike, and its impulses Λ, Cᵀ Λ = f.

    Rows of C are those of joints, drives and the contacts in ``closed``; other contacts have no impulse.
    """

    t: float  # [s]
    q: Floats  # (nq,)
    v: Floats  # (n,) before
    v_after: Floats  # (n,)
    struck: tuple[str, ...]  # contacts that closed
    closed: tuple[str, ...]  # contacts that may bear a part of the impact
    f: Floats  # (n,) M (v − v_after), and over a time step the impulse of the loads [N s, N m s]
    rounding: Floats  # (n,) by which f may be off
    work: float  # of the impact, or of all contacts and drives over the step [J]
    row: int  # of the run, before the impact or at the end of the step
    shares: Floats | None = None  # (m,) Λ of all rows of the whole system by the rule of time steps


def impact_record(now: ContactState, touching: Bools, struck: Bools, impact: ContactImpact, row: int) -> ImpactRecord:
    """The record of an impact at an instant, from the state before it."""
    contacts, state, M = now.contacts, now.eqs.state, now.eqs.M
    after = contacts.at(State(state.t, state.q, impact.v)).rate
    least = contacts.restitution * np.maximum(-now.rate, 0.0)
    speed = float(np.abs(np.concatenate([now.rate, after])).max())
    bears = touching & ((after <= least + AT_REBOUND_LIMIT * speed) | (after <= AT_REBOUND_LIMIT * speed))
    return ImpactRecord(
        t=state.t,
        q=state.q,
        v=state.v,
        v_after=impact.v,
        struck=now.names(struck),
        closed=now.names(bears),
        f=np.asarray(M @ (state.v - impact.v)),
        rounding=JUMP_ROUNDING * np.asarray(abs(M) @ (np.abs(state.v) + np.abs(impact.v))),
        work=impact.work,
        row=row,
    )


def contact_impact(now: ContactState, touching: Bools, restitution: Floats) -> ContactImpact:
    """v⁺ with 0 ≤ P ⊥ ġ⁺ + e ġ⁻ ≥ 0 for all contacts that touch, and C v⁺ = ν for joints and drives.

        M (v⁺ − v) = Gᵀ P + C_bᵀ p,     ġ = G v

    It is the nearest velocity in kinetic energy that these inequalities allow: unique, though the impulses P may not
    be.  e (c,): restitution.  For a contact that already opens, the condition is ġ⁺ ≥ 0.  The energy changes by
    ½ Σ P (ġ⁺ + ġ⁻) = −½ Σ P (1 − e) |ġ⁻|, and by the work of moving drives.
    Moreau 1988, Unilateral contact and dry friction in finite freedom dynamics; Glocker 2001, Set-valued force laws.
    """
    rows = now.contacts.rows[touching]
    least = restitution[touching] * np.maximum(-now.rate[touching], 0.0)
    return _jump(now, rows, -least / now.contacts.scale[touching], np.zeros(0, dtype=np.int64))


def contact_rest(now: ContactState, touching: Bools, resting: Bools) -> ContactImpact:
    """The nearest velocity in kinetic energy with ġ = 0 at resting contacts and ġ ≥ 0 at others that touch."""
    others = touching & ~resting
    return _jump(now, now.contacts.rows[others], np.zeros(int(others.sum())), now.contacts.rows[resting])


def _jump(now: ContactState, pushing: np.ndarray, limit: Floats, still: np.ndarray) -> ContactImpact:
    """The velocity nearest in kinetic energy with C v = ν on joints and ``still`` rows, C v ≤ limit on pushing ones."""
    eqs, v = now.eqs, now.eqs.state.v
    half = inverse_root(eqs.M, eqs.system.body_v)
    assert half is not None, "every body has mass"
    held = np.concatenate([now.contacts.joint_rows, still])
    A = (eqs.C @ half).toarray()
    x = least_distance(half.T @ (eqs.M @ v), A[held], eqs.nu[held], A[pushing], limit)
    if x is None:
        names = ", ".join(
            name for name, row in zip(now.contacts.names, now.contacts.rows, strict=True) if row in pushing
        )
        raise ReactioError(
            f"Contacts contradict joints or drives at t = {eqs.state.t:.6g} s: no velocity keeps all of {names} from "
            "overlapping. Change the drives, or leave more room."
        )
    after = np.asarray(half @ x)
    energy, gained = 0.5 * float(v @ (eqs.M @ v)), 0.5 * float((after - v) @ (eqs.M @ (after + v)))
    if gained > LARGEST_ENERGY_GAIN * energy and not eqs.nu.any():
        raise ReactioError(
            f"The impact at t = {eqs.state.t:.6g} s would gain {gained:.3g} J by Newton's law of restitution: contacts "
            "with different `restitution` meet while one of them separates. Give them the same restitution."
        )
    return ContactImpact(after, gained)
