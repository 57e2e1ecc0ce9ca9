"""The limit of linear modes: forces that the shortening of bent bodies would make, which modes leave out.

A point of a body with modes moves by Ψ η, linear in η.  A bent bar also draws its ends together, by ½ ∫ w′² dx, of
second order: where joints hold the distance of two points this is not small, since bars are stiff along their axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reactio.arrays import Floats
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.model.transform.floating_frames import KIND as FLOATING_FRAME_KIND
from reactio.system.equations import Equations

if TYPE_CHECKING:
    from reactio.structures.modes import Modes

MOST_MODAL_ROWS = 1500  # rows of C up to which the null space is computed: some seconds


@dataclass(frozen=True, eq=False)
class LinearModesLimit:
    """The error of linear modes at a state, to second order in the deflections."""

    rotation: float  # largest elastic rotation of an interface against the mean axes of its body [rad]
    body: str  # that bends most
    lam: Floats  # (m,) by which multipliers would change


def linear_modes_limit(eqs: Equations) -> LinearModesLimit | None:
    """The change of multipliers by the shortening of bent bodies; None without modes, or beyond ``MOST_MODAL_ROWS``.

    Gaps g = G e of the rows, e the shortening at the interfaces, are closed by forces that move no rigid body:
    δλ = N (NᵀF N)⁻¹ Nᵀ g,  N = null(C_rᵀ),  F = C_η K⁻¹ C_ηᵀ;  C_r and C_η are the columns of rigid motions and modes.
    """
    system = eqs.system
    if FLOATING_FRAME_KIND not in system.kind_names:
        return None
    bent = [(b, body.flexible.modal) for b, body in enumerate(system.model.bodies) if body.flexible is not None]
    modal = [(b, modes) for b, modes in bent if modes is not None and len(modes.frequency)]
    if not modal or not 0 < system.m <= MOST_MODAL_ROWS:
        return None
    from reactio.system.elasticity.interfaces import body_axes, interface_rows

    gap, soft = np.zeros(system.m), np.zeros(system.n)
    worst = (0.0, "")
    for b, modes in modal:
        count, last_q, last_v = len(modes.frequency), system.body_q[b + 1], system.body_v[b + 1]
        u = modes.shapes @ eqs.state.q[last_q - count : last_q]
        worst = max(worst, (float(np.linalg.norm(u[:, 3:], axis=1).max(initial=0.0)), modes.name))
        soft[last_v - count : last_v] = 1.0 / modes.stiffness
        rows = interface_rows(system, b)
        G = rows.on(eqs, body_axes(eqs, b))
        gap[rows.rows] += G.reshape(len(G), -1, 6)[:, :, :3].reshape(len(G), -1) @ _shortening(modes, u).ravel()
    C = eqs.C.toarray()
    return LinearModesLimit(worst[0], worst[1], _closing(C, soft, gap, system.column_scale))


def _shortening(modes: Modes, u: Floats) -> Floats:
    """(J, 3) second-order displacements of the interfaces, u (J, 6) those of the modes; body axes.

    Between neighbours a distance d apart along t, with the rotation ψ = t × Δu/d of their chord and the rotations a, b
    of the ends against it, a bar without shear has −½ ∫ w′² dx = −½ d (ψ² + (2a² − a·b + 2b²)/15).
    """
    points = modes.attachment.interfaces
    moved, reached = np.zeros((len(points), 3)), [0]
    while len(reached) < len(points):
        unreached = [k for k in range(len(points)) if k not in reached]
        far = np.linalg.norm(points[unreached][:, None] - points[reached][None], axis=2)
        at, near = np.unravel_index(int(far.argmin()), far.shape)
        i, j = reached[int(near)], unreached[int(at)]
        reached.append(j)
        d = float(far[at, near])
        if d > 0:
            t = (points[j] - points[i]) / d
            chord = np.cross(t, u[j, :3] - u[i, :3]) / d
            a, b = (u[k, 3:] - (u[k, 3:] @ t) * t - chord for k in (i, j))
            moved[j] = moved[i] - d / 2 * (chord @ chord + (2 * a @ a - a @ b + 2 * b @ b) / 15) * t
    return moved


def _closing(C: Floats, soft: Floats, gap: Floats, scale: Floats) -> Floats:
    """δλ (m,) for compliances ``soft`` (n,) of the modes, zero for rigid motions, and gaps (m,)."""
    rigid = (C * scale)[:, soft == 0.0]
    U, s, _ = np.linalg.svd(rigid, full_matrices=True)
    N = U[:, int((s > SOLUTION * s.max(initial=0.0)).sum()) :]
    B = N.T @ C * np.sqrt(soft)
    return np.asarray(N @ (np.linalg.pinv(B @ B.T, rcond=ROUNDOFF, hermitian=True) @ (N.T @ gap)))
