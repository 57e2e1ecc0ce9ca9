"""Accelerations with contacts that only push, and loads that no contact holds, in words.

    0 ≤ λ ⊥ Γ − C v̇ ≥ 0   on rows that can only push,   C v̇ = Γ on the others

v̇ is the acceleration nearest to that of the free bodies, in the metric M, which these inequalities allow (Gauss): it is
unique, though λ may not be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.linear.block_root import inverse_root
from reactio.system.equations import Equations
from reactio.uniqueness.bounds import Splits, Unbalanced

OPENS = 1e-9  # part of the accelerations of free bodies above which a contact opens
MOVES = 1e-6  # part of the largest velocity of a motion below which a body has no part in it


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """What the contact problem says: v̇ (n,) [m/s², rad/s²], and the contacts that will open."""

    vdot: Floats
    opens: tuple[str, ...]


class ContactLost(ReactioError):
    """A load that contacts would have to pull against."""


def contact_accelerations(eqs: Equations) -> Opening:
    """v̇ by the complementarity problem, from non-negative least squares (Lawson & Hanson, least distance).

    With M = L Lᵀ, x = Lᵀv̇ and rows A = C L⁻ᵀ: x is the point nearest to L⁻¹Q with A_b x = Γ_b and A_p x ≤ Γ_p.
    """
    from scipy.optimize import nnls

    half = inverse_root(eqs.M, eqs.system.body_v)
    if half is None:
        raise ReactioError("Contacts between bodies without mass: give every body mass and inertia.")
    push = np.array(eqs.constraints.rows.unilateral, dtype=np.int64)
    A = (eqs.C @ half).toarray()
    held = np.setdiff1d(np.arange(len(A)), push)
    x = half.T @ eqs.Q
    B = A[held]
    _, s, Vt = np.linalg.svd(B, full_matrices=False)
    V = Vt[s > 1e-10 * s.max(initial=0.0)]
    x = x + np.linalg.lstsq(B, eqs.Gamma[held] - B @ x, rcond=1e-10)[0]
    G = -(A[push] - (A[push] @ V.T) @ V)  # along what the other rows leave free
    h = -(eqs.Gamma[push] - A[push] @ x)
    size = float(np.abs(h).max(initial=0.0)) or 1.0
    E = np.vstack([G.T, h / size])
    u, _ = nnls(E, np.eye(len(E))[-1], maxiter=100 * len(E) + 1000)
    r = E @ u - np.eye(len(E))[-1]
    if abs(r[-1]) < 1e-12:
        raise ContactLost("Contacts contradict each other: no acceleration keeps all of them from overlapping.")
    vdot = np.asarray(half @ (x - size * r[:-1] / r[-1]))
    slack = eqs.Gamma[push] - eqs.C[push] @ vdot
    free = eqs.C[push] @ (half @ (half.T @ eqs.Q))
    large = OPENS * float(np.abs(np.concatenate([free, eqs.Gamma[push], slack])).max(initial=0.0))
    groups = eqs.system.groups
    starts = np.array([group.start for group in groups])
    names = [groups[int(np.searchsorted(starts, row, side="right")) - 1].name for row in push[slack > large]]
    return Opening(vdot, tuple(dict.fromkeys(names)))


def refuse_lost_contact(eqs: Equations, splits: Splits) -> None:
    """An error where no split of a load pushes on every closed contact."""
    try:
        splits.check()
    except Unbalanced as error:
        raise ContactLost(_falls(eqs, error.direction)) from None


def moving_bodies(eqs: Equations, direction: Floats) -> str:
    """The bodies that have part in a motion (n,), and which way each goes, the first three of them."""
    system, moves = eqs.system, []
    size = float(np.abs(direction).max()) or 1.0
    names = ("vx", "vy", "ω") if system.space == "planar" else ("vx", "vy", "vz", "ωx", "ωy", "ωz")
    for b, body in enumerate(system.model.bodies):
        v = direction[system.body_v[b] : system.body_v[b + 1]] / size
        parts = [f"{name} {x:.3g}" for name, x in zip(names, v, strict=False) if abs(x) > MOVES]
        if parts:
            moves.append(f"'{body.name}' along ({', '.join(parts)})")
    return "; ".join(moves[:3]) + (" …" if len(moves) > 3 else "")


def _falls(eqs: Equations, direction: Floats) -> str:
    """A load that no contact holds, in words: the bodies that move, which way, and why nothing keeps them."""
    power = float(eqs.Q @ direction) / (float(np.abs(direction).max()) or 1.0)
    pushing = [group.name for group in eqs.system.groups if any(group.pushes)]
    more = " …" if len(pushing) > 8 else ""
    return (
        f"No contact can hold this load: {moving_bodies(eqs, direction)} would fall (m/s, rad/s)."
        f" Along that motion no joint breaks, every contact ({', '.join(pushing[:8])}{more}) opens or stays closed,"
        f" and the loads do positive work ({power:.4g} W): no pushing forces can balance them.{_opening(eqs)}"
    )


def _opening(eqs: Equations) -> str:
    try:
        opens = contact_accelerations(eqs).opens
    except ReactioError:
        return ""
    return f" Will open: {', '.join(opens[:8])}{' …' if len(opens) > 8 else ''}." if opens else ""
