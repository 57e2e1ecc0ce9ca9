"""Accelerations with contacts that only push, and loads that no contact holds, in words.

    0 ≤ λ ⊥ Γ − C v̇ ≥ 0   on rows that can only push,   C v̇ = Γ on the others

v̇ is the acceleration nearest to that of the free bodies, in the metric M, which these inequalities allow (Gauss): it is
unique, though λ may not be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.catalogue.units import quantity
from reactio.errors import ReactioError, listed
from reactio.kinematics.body_state import body_state, centre_velocity
from reactio.linear.block_root import inverse_root
from reactio.linear.convex.least_distance import least_distance
from reactio.linear.precision import LOCATED, SOLUTION
from reactio.system.equations import Equations

if TYPE_CHECKING:
    from reactio.uniqueness.bounds import Splits

OPENING_ACCELERATION = SOLUTION  # part of the largest acceleration in a contact problem above which a contact opens
NO_ACCELERATION = LOCATED  # [characteristic lengths, rad per s²]: where all are smaller, they are rounding


@dataclass(frozen=True, slots=True, eq=False)
class ContactAccelerations:
    """The solution of the contact problem at one instant."""

    vdot: Floats  # (n,) [m/s², rad/s²]
    opens: tuple[str, ...]  # contacts that open
    rising: float  # the largest acceleration with which a contact opens [m/s²]
    size: float  # of the accelerations in the problem [m/s²]


class ContactLost(ReactioError):
    """A load that contacts would have to pull against."""


def contact_accelerations(
    eqs: Equations, part: float = OPENING_ACCELERATION, size: float = 0.0
) -> ContactAccelerations:
    """v̇ by the complementarity problem, as the point of a polyhedron that is nearest to the motion of free bodies.

    With M = L Lᵀ, x = Lᵀv̇ and rows A = C L⁻ᵀ: x is the point nearest to L⁻¹Q with A_b x = Γ_b and A_p x ≤ Γ_p.
    A contact opens where its acceleration Γ − C v̇ is more than ``part`` of the largest one in the problem, gravity
    and ``size`` [m/s²] among them: loads that balance each other leave small ones.
    """
    half = inverse_root(eqs.M, eqs.system.body_v)
    if half is None:
        raise ReactioError("Contacts between bodies without mass: give every body mass and inertia.")
    push = np.array(eqs.constraints.rows.unilateral, dtype=np.int64)
    A = (eqs.C @ half).toarray()
    held = np.setdiff1d(np.arange(len(A)), push)
    x = least_distance(half.T @ eqs.Q, A[held], eqs.Gamma[held], A[push], eqs.Gamma[push])
    if x is None:
        names = [group.name for group in eqs.constraints.rows.unilateral_groups]
        raise ContactLost(
            f"Contacts contradict each other at t = {eqs.state.t:.6g} s: no acceleration keeps all of "
            f"{listed(names)} from overlapping. Time steps (`simulate --method moreau`) do not need such an "
            "acceleration."
        )
    vdot = np.asarray(half @ x)
    slack = eqs.Gamma[push] - eqs.C[push] @ vdot
    free = eqs.C[push] @ (half @ (half.T @ eqs.Q))
    known = [size, NO_ACCELERATION * eqs.system.length, float(np.linalg.norm(eqs.system.model.gravity))]
    size = float(np.abs(np.concatenate([free, eqs.Gamma[push], slack, known])).max())
    names = [eqs.system.group_of_row(row).name for row in push[slack > part * size].tolist()]
    return ContactAccelerations(vdot, tuple(dict.fromkeys(names)), float(slack.max(initial=0.0)), size)


def refuse_opening(eqs: Equations) -> None:
    """An error where the motion opens closed contacts, so that no acceleration keeps all of them closed."""
    opens = contact_accelerations(eqs).opens
    if opens:
        raise ContactLost(
            f"The motion opens contacts at t = {eqs.state.t:g} s, where no acceleration keeps all of them closed. Will "
            f"open: {listed(opens)}. `reactio simulate` follows the motion and gives the reactions after it."
        )


def refuse_lost_contact(eqs: Equations, splits: Splits) -> None:
    """An error where no split of a load pushes on every closed contact."""
    from reactio.uniqueness.bounds import Unbalanced

    try:
        splits.check()
    except Unbalanced as error:
        raise ContactLost(_load_not_held(eqs, splits.f, error.direction)) from None


def moving_bodies(eqs: Equations, direction: Floats) -> str:
    """The first bodies that take part in a motion (n,), each with the direction of its centre of mass."""
    system, moves = eqs.system, []
    size = float(np.abs(direction).max()) or 1.0
    names = ("vx", "vy", "ω") if system.space == "planar" else ("vx", "vy", "vz", "ωx", "ωy", "ωz")
    for b, body in enumerate(system.model.bodies):
        motion = body_state(system, b, eqs.state.q, direction)
        v = np.concatenate([centre_velocity(system, b, motion), motion.angular_velocity]) / size
        parts = [f"{name} {x:.3g}" for name, x in zip(names, v, strict=False) if abs(x) > LOCATED]
        if parts:
            moves.append(f"'{body.name}' along ({', '.join(parts)})")
    return listed(moves, most=3, between="; ")


def refuse_slip(eqs: Equations, lam: Floats, known: Bools, rule: str | None) -> None:
    """An error where a contact that sticks would need more friction than it has: |F_t| > μ F_n.

    lam (m,): multipliers; known (groups,): those whose numbers count, all of them by a rule.
    """
    counts = dict(zip((group.name for group in eqs.system.reacting), known.tolist(), strict=True))
    for group in eqs.constraints.rows.unilateral_groups:
        if not counts[group.name] or group.name not in eqs.system.model.joint_index:
            continue
        mu = eqs.system.model.joint(group.name).parameters.get("friction")
        if not mu:
            continue
        normal, across = lam[group.start], float(np.linalg.norm(lam[group.start + 1 : group.stop]))
        if across > mu * normal * (1 + SOLUTION) + SOLUTION * float(np.abs(lam).max(initial=0.0)):
            by = f" by the rule '{rule}'; another split may stick, see `reactio bounds`" if rule else ""
            raise ContactLost(
                f"contact '{group.name}' does not stick: it would need a friction of {quantity(across, 'N', 5)} "
                "under a normal "
                f"force of {quantity(normal, 'N', 5)}, and μ = {mu:g} gives {quantity(mu * normal, 'N', 5)}{by}. "
                "`reactio simulate --method moreau` follows how it slips."
            )


def _load_not_held(eqs: Equations, f: Floats, direction: Floats) -> str:
    """The sentence about a load f = Q − M v̇ that no contact holds: which bodies move, which way, and why."""
    power = float(f @ direction) / (float(np.abs(direction).max()) or 1.0)
    loads = _driving_loads(eqs, direction) or "the loads"
    loads = loads if np.array_equal(f, eqs.Q) else f"{loads}, less the inertia of the motion"
    groups = eqs.constraints.rows.unilateral_groups
    names = listed([group.name for group in groups])
    what = {"cable", "strut"} & {group.type for group in groups}
    kind, opens, force = "contact", "opens or stays closed", "pushing"
    if what == {group.type for group in groups}:
        kind, opens = " or ".join(sorted(what)), "goes slack or keeps its length"
        force = "pulling" if what == {"cable"} else "one-way"
    return (
        f"No {kind} can hold this load: {moving_bodies(eqs, direction)} would fall (m/s, rad/s)."
        f" Along that motion no joint breaks, every {kind} ({names}) {opens}, and positive work is done by {loads}"
        f" ({power:.4g} W): no {force} forces can balance them.{_opening_contacts(eqs)}"
    )


def _driving_loads(eqs: Equations, direction: Floats) -> str:
    """The loads that do positive work along a motion (n,), by name: ``the load pull and the weight``."""
    from reactio.system.compile.build import build
    from reactio.system.equations import equations

    model = eqs.system.model
    none = (0.0,) * len(model.gravity)
    alone = {f"the load '{force.name}'": replace(model, forces=(force,), gravity=none) for force in model.forces}
    alone["the weight"] = replace(model, forces=())
    power = dict[str, float]()
    for name, loaded in alone.items():
        try:
            power[name] = float(equations(build(loaded), eqs.state).Q @ direction)
        except ReactioError:  # a load that another one is part of, as friction of its normal force
            return ""
    least = LOCATED * max(map(abs, power.values()), default=0.0)
    return listed([name for name, value in power.items() if value > least])


def _opening_contacts(eqs: Equations) -> str:
    """The sentence about contacts that open; empty where none does, or where that is not known."""
    try:
        opens = contact_accelerations(eqs).opens
    except ReactioError:
        return ""
    return f" Will open: {listed(opens)}." if opens else ""
