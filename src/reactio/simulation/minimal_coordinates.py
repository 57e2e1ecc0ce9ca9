"""Minimal coordinates along a run: the basis T, generalised velocities, |R_ii| and the rate Ω of the basis.

Masarati, Quro & Zanoni 2023, Figs 2–15, for any run by any formulation: none of this has a part in the motion.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.scaled_matrix import in_metres, matrix
from reactio.linear.continuation import DEFAULT_CONTINUATION, continued, rate
from reactio.linear.pivoted import pivoted
from reactio.operating_system.files import check_writable, write_bytes
from reactio.simulation.state_history import StateHistory
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

# [characteristic lengths] Displacement of the central difference of C along the motion: errors of its square and of
# rounding divided by it are both about 1e-10.
DIFFERENCE_REACH = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class MinimalCoordinates:
    """The basis of admissible motions in k rows of a run, continued and by QR alone, orthonormal in metres."""

    t: Floats  # (k,) [s]
    T: Floats  # (k, n, f) continued from row to row
    u: Floats  # (k, f) generalised velocities Tᵀ v [m/s]
    T_qr: Floats  # (k, n, f) by QR with column pivoting, anew in every row
    u_qr: Floats  # (k, f)
    diagonal: Floats  # (k, min(m, n)) |R_ii|, in the order of the pivots
    Omega: Floats  # (k, n, n) with Q̇ = Q Ω for Q = [Q₁ T] [1/s]


def minimal_coordinates(run: StateHistory, transport: str = DEFAULT_CONTINUATION) -> MinimalCoordinates:
    """T, u, |R_ii| and Ω in every row of a run; the size of T is that away from singular poses.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("double-four-bar"), 0.2, formulation="minimal-coordinates", output=5)
    >>> minimal_coordinates(run).u.shape
    (5, 1)
    """
    system, rank = run.system, run.generic_rank.rank
    states = [run.state(k) for k in range(len(run.t))]
    if not states:
        raise ReactioError("The run has no rows in which a basis could be found.")
    C = [in_metres(equations(system, state)) for state in states]
    factors = [pivoted(matrix, rank=rank) for matrix in C]
    T_qr = np.array([factor.T for factor in factors])
    T = np.array(list(continued(C, T_qr[0], transport))) if T_qr.shape[2] else T_qr
    v = run.v * (system.length / system.column_scale)
    Omega = np.array(
        [
            rate(factor, basis, _rate_of_matrix(system, state))
            for factor, basis, state in zip(factors, T, states, strict=True)
        ]
    )
    u, u_qr = (np.einsum("kif,ki->kf", basis, v) for basis in (T, T_qr))
    return MinimalCoordinates(run.t, T, u, T_qr, u_qr, np.array([factor.diagonal for factor in factors]), Omega)


def _rate_of_matrix(system: System, state: State) -> Floats:
    """Ċ (m, n) in metres [1/s], by a central difference along the motion."""
    speed = float(np.abs(state.v / system.column_scale).max(initial=0.0))
    if speed == 0.0:
        return np.zeros((system.m, system.n))
    dt = DIFFERENCE_REACH / speed
    ends = [matrix(system, State(state.t, advance(system, state.q, sign * dt * state.v), state.v)) for sign in (1, -1)]
    return np.asarray((ends[0] - ends[1]) / (2 * dt))


def check_bases_file(path: Path) -> None:
    """Refuse a file that cannot hold bases, before the run is made."""
    if path.suffix.lower() != ".npz":
        raise ReactioError(f"'{path}': the basis of minimal coordinates is kept as .npz.")
    check_writable(path)


def save_minimal_coordinates(bases: MinimalCoordinates, path: Path) -> None:
    """Write all arrays to a NumPy archive, whole or not at all."""
    out = io.BytesIO()
    np.savez_compressed(out, **{field.name: getattr(bases, field.name) for field in fields(bases)})
    write_bytes(path, out.getvalue())
