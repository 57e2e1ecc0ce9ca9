"""The arrays on which a formulation works, and where its kernel lies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.integrate.formulation import Formulated, number_of
from reactio.kinematics.scaled_matrix import MOST_DENSE_VELOCITIES
from reactio.system.types import System


class FormulationWork(NamedTuple):
    """A formulation for the kernels; the dense arrays are empty where it does without them.

    Bases are kept by rows.  Lengths are characteristic ones: C has rows c_i = (∂φ_i/∂x)/s_i and x = v/s.
    """

    address: Ints  # (1,) where its compiled kernel lies in memory, 0 where it is not compiled
    number: int  # by which plain Python finds it (``formulations.numbered``)
    projects: bool  # does it keep the state on the constraints?
    drift: float  # by how much it may leave constraints violated [characteristic lengths, rad; per second]
    interpolates: bool  # are singular poses passed by interpolation?
    shares: bool  # does it choose λ itself, where they are not unique too?
    fixed_basis: bool  # does its basis belong to the pose at the start of a step?
    settings: Floats  # (k,) in the order of the formulation
    stiffness: Floats  # (m,) of springs in place of constraints [N/m, N m/rad]
    lam: Floats  # (m,) that it chose [N, N m]
    C: Floats  # (m, n)
    Q: Floats  # (n, n) orthonormal: the first ``rank`` rows span the rows of C, the others null(C)
    # (max(m, n),) squared remainders of rows or unit vectors after those chosen before are projected out.
    remainder: Floats
    pivots: Floats  # (min(m, n),) |R_ii| of the rows in that order
    rows: Ints  # (m,) rows of C in the order of pivoting; the first ``rank`` are independent
    rank: Ints  # (1,) of C away from singular poses, as it is at the start of the run
    B: Floats  # (n, n) directions of corrections, ``rank`` rows
    S: Floats  # (n, n) directions of independent coordinates, n − ``rank`` rows
    T: Floats  # (n, n) basis of null(C) that corrections along B make of S
    MT: Floats  # (n, n) M T
    G: Floats  # (n, n) factors of C_rows Bᵀ
    H: Floats  # (n, n) factors of Tᵀ M T, or of M + α CᵀC
    pivot_G: Ints  # (n,)
    pivot_H: Ints  # (n,)
    x: Floats  # (n,)
    y: Floats  # (n,)
    z: Floats  # (m,)
    base: Floats  # (nq,) pose to which a fixed basis belongs


def formulation_work(system: System, chosen: Formulated) -> FormulationWork:
    """Arrays for a formulation of a system."""
    how = chosen.formulation
    if how.dense and system.n > MOST_DENSE_VELOCITIES:
        raise ReactioError(
            f"The formulation '{how.name}' works with dense matrices, for up to {MOST_DENSE_VELOCITIES} velocities; "
            f"'{system.model.name}' has {system.n:,}. Use the formulation 'projection'."
        )
    m, n = (system.m, system.n) if how.dense else (0, 0)
    Q, B, S, T, MT, G, H = (np.zeros((n, n)) for _ in range(7))
    stiffness = np.zeros(0) if how.stiffness is None else how.stiffness(system, chosen.settings)
    return FormulationWork(
        address=np.zeros(1, dtype=np.int64),
        number=number_of(how),
        projects=how.projects,
        drift=how.drift,
        interpolates=how.interpolates,
        shares=how.multipliers,
        fixed_basis=how.fixed_basis,
        settings=chosen.numbers,
        stiffness=stiffness,
        lam=np.zeros(system.m),
        C=np.zeros((m, n)),
        Q=Q,
        remainder=np.zeros(max(m, n)),
        pivots=np.zeros(min(m, n)),
        rows=np.zeros(m, dtype=np.int64),
        rank=np.zeros(1, dtype=np.int64),
        B=B,
        S=S,
        T=T,
        MT=MT,
        G=G,
        H=H,
        pivot_G=np.zeros(n, dtype=np.int64),
        pivot_H=np.zeros(n, dtype=np.int64),
        x=np.zeros(n),
        y=np.zeros(n),
        z=np.zeros(m),
        base=np.full(system.nq, np.nan),
    )
