"""T and generalised velocities along a motion, computed anew at every instant, and continued.

Figs 10, 11 and 15 of Masarati, Quro & Zanoni 2023 compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.integrate.integrator import integrate
from reactio.integrate.status import Status
from reactio.kinematics.scaled_matrix import in_metres, matrix
from reactio.linear.continuation import DEFAULT_CONTINUATION, continued
from reactio.linear.pivoted import pivoted
from reactio.singular.passages.singularities import Singularity
from reactio.singular.second_order.null_spaces import null_spaces
from reactio.system.equations import equations
from reactio.system.types import State, System


@dataclass(frozen=True, slots=True, eq=False)
class Bases:
    """The same admissible motions in two bases, each orthonormal in metres, and the same for self-stresses."""

    system: System
    t: Floats  # (k,) [s]
    plain: Floats  # (k, n, f) T of QR with column pivoting, computed anew at every instant
    smooth: Floats  # (k, n, f) T continued from one instant to the next
    u_plain: Floats  # (k, f) generalised velocities Tᵀ v [m/s]
    u_smooth: Floats  # (k, f)
    diagonal: Floats  # (k, min(m, n)) |R_ii|
    N_plain: Floats  # (k, m, p)
    N_smooth: Floats  # (k, m, p)

    def jump(self, name: str) -> float:
        """The largest change from one row to the next in one of the arrays."""
        return float(np.abs(np.diff(getattr(self, name), axis=0)).max(initial=0.0))


def bases(
    system: System, begin: State, times: npt.ArrayLike, *, tol: float = 1e-10, transport: str = DEFAULT_CONTINUATION
) -> Bases:
    """T along the motion from a state, at given times [s]; its size is that at the start."""
    t = np.asarray(times, dtype=float)
    run = integrate(system, begin, float(t[-1]), tol=tol, output=t)
    if run.status is not Status.DONE:
        raise ReactioError(f"The motion cannot be followed beyond t = {run.checkpoint.t:.6g} s. {run.status.value}")
    columns = system.column_scale / system.length
    rank = null_spaces(system, begin).rank
    C = [in_metres(equations(system, replace(begin, t=float(s), q=q))) for s, q in zip(run.t, run.q, strict=True)]
    factors = [pivoted(A, rank=rank) for A in C]
    T, N = np.array([factor.T for factor in factors]), np.array([pivoted(A.T, rank=rank).T for A in C])
    smooth, N_smooth = (np.array(list(_continued(A, B[0], transport))) for A, B in ((C, T), ([A.T for A in C], N)))
    v = run.v / columns
    return Bases(
        system=system,
        t=run.t,
        plain=T,
        smooth=smooth,
        u_plain=np.einsum("kif,ki->kf", T, v),
        u_smooth=np.einsum("kif,ki->kf", smooth, v),
        diagonal=np.array([factor.diagonal for factor in factors]),
        N_plain=N,
        N_smooth=N_smooth,
    )


def _continued(matrices: list[Floats], first: Floats, transport: str) -> Iterator[Floats]:
    """Null spaces of matrices, each continued from the one before; empty ones stay empty."""
    return continued(matrices, first, transport) if first.shape[1] else iter([first] * len(matrices))


def plain_at(system: System, event: Singularity) -> Floats:
    """T (n, n − rank) of plain QR at a singular pose: an arbitrary combination of the motions admissible there.

    C is replaced by the nearest matrix of its rank there.  The pose is known to some 1e-11 of a length only; the
    singular values that this leaves would sort the columns as they are near the pose.
    """
    U, s, right = np.linalg.svd(matrix(system, event.state))
    r = event.rank_at
    return pivoted((U[:, :r] * s[:r]) @ right[:r], rank=r).T
