"""System, State → the numbers of M v̇ + Cᵀ λ = Q, C v = ν, C v̇ = Γ, Φ(q, t) = 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from reactio.arrays import Floats, Sparse, from_rows
from reactio.catalogue.units import decimal, in_units, unit_name
from reactio.errors import KernelError, ReactioError
from reactio.kernels import expected_work
from reactio.linear.precision import ROUNDOFF
from reactio.space.frames import origins_of_frames
from reactio.system.evaluate.kernels import addresses_bound, evaluation_kernels, evaluator, matrices_along
from reactio.system.evaluate.workspace import OVERFLOWING, spare_workspace, workspace
from reactio.system.memo import memoised
from reactio.system.plan import Work
from reactio.system.types import RowGroup, State, System


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The numbers of M, C, Q, ν, Γ and Φ at one state.

    Sparse matrices are SciPy CSR arrays; ``eqs.C.toarray()`` is dense.  Nonholonomic rows have Φ = 0.
    """

    system: System
    state: State
    work: Work

    @property
    def Phi(self) -> Floats:
        """(m,) position residuals [m or rad]."""
        return self.work.Phi

    @property
    def nu(self) -> Floats:
        """(m,) right-hand side of the velocity equations."""
        return self.work.nu

    @property
    def Gamma(self) -> Floats:
        """(m,) right-hand side of the acceleration equations."""
        return self.work.Gamma

    @property
    def Q(self) -> Floats:
        """(n,) applied, gravity and velocity-dependent forces [N, N m]; friction, which needs λ, is not among them."""
        return self.work.Q

    @cached_property
    def C(self) -> Sparse:
        """(m, n) constraint matrix on v."""
        from scipy.sparse import csr_array

        indptr, indices = self.system.C_pattern
        return csr_array((self.work.C, indices, indptr), shape=(self.system.m, self.system.n))

    @cached_property
    def matrix(self) -> Any:
        """C for arithmetic: a dense array of a small system, else CSR."""
        return from_rows(self.work.C, self.system.C_pattern, self.system.n)

    @cached_property
    def mass(self) -> Any:
        """M for arithmetic: a dense array of a small system, else CSR."""
        return from_rows(self.work.M, self.system.M_pattern, self.system.n)

    @cached_property
    def D_B(self) -> Floats:
        """(m, 3 or 6) the rows of C on the twists of frames B, sums of their measures; zero for intrinsic rows."""
        rows, D = self.system.plan.rows, self.work.D
        width = D.shape[1] // 2
        out = np.zeros((self.system.m, width))
        by_measures = np.flatnonzero(np.diff(rows.start))  # intrinsic rows have no measures
        if len(by_measures):
            out[by_measures] = np.add.reduceat(rows.factor[:, None] * D[rows.measure, width:], rows.start[by_measures])
        return out

    @cached_property
    def M(self) -> Sparse:
        """(n, n) mass matrix, block diagonal."""
        from scipy.sparse import csr_array

        indptr, indices = self.system.M_pattern
        return csr_array((self.work.M, indices, indptr), shape=(self.system.n, self.system.n))


def evaluation(system: System, state: State | None = None) -> Evaluation:
    """The numbers at a state (the given pose when left out); an error where one is not finite."""
    state = system.state() if state is None else state
    q, v = np.asarray(state.q, dtype=float), np.asarray(state.v, dtype=float)
    if q.shape != (system.nq,) or v.shape != (system.n,):
        raise ReactioError(
            f"The state has {q.shape} coordinates and {v.shape} velocities; {system.nq} and {system.n} are needed."
        )
    work = evaluate(system, float(state.t), q, v)
    _check_finite(system, work, state)
    return Evaluation(system, State(float(state.t), q, v), work)


@memoised
def given_work(system: System) -> Work:
    """The numbers at the given pose, computed once; an error where one is not finite."""
    return evaluation(system).work


def evaluate(system: System, t: float, q: Floats, v: Floats) -> Work:
    """One evaluation, in its own arrays."""
    work, run = spare_workspace(system), evaluator(system)
    with expected_work(system.m, part=system.space), addresses_bound(system):
        run(system.plan, work, t, np.array(q), np.array(v))
    copies = Work(*(part.copy() for part in work))
    system.spare_work.append(work)
    return copies


def evaluator_in_place(system: System) -> Callable[[float, Floats, Floats], Work]:
    """A function evaluate(t, q, v) that uses the same arrays in every call: each result overwrites the one before."""
    work = workspace(system)
    run = evaluator(system)

    def evaluate_again(t: float, q: Floats, v: Floats) -> Work:
        with addresses_bound(system):
            run(system.plan, work, t, np.ascontiguousarray(q), np.ascontiguousarray(v))  # rows of a table have gaps
        return work

    return evaluate_again


def constraint_matrices(system: System) -> Callable[[Floats, Floats], Floats]:
    """A function of times t (k,) and poses q (k, nq): C (k, m, n) dense, in one call of the kernels."""
    indptr, columns = system.C_pattern
    rows, work = np.repeat(np.arange(system.m), np.diff(indptr)), workspace(system)
    run = matrices_along(evaluator(system))

    def at(t: Floats, q: Floats) -> Floats:
        data, out = np.zeros((len(t), len(columns))), np.zeros((len(t), system.m, system.n))
        with addresses_bound(system):
            run(system.plan, work, np.array(t, dtype=float), np.ascontiguousarray(q), data)
        out[:, rows, columns] = data
        return out

    return at


def unit_effort_load(eqs: Evaluation, effort: int) -> Floats:
    """(n,) Q of one effort of size 1: (∂ṡ/∂v)ᵀ."""
    system, Q = eqs.system, np.zeros(eqs.system.n)
    unit = np.zeros(len(system.plan.efforts.effort))
    unit[effort] = 1.0
    with expected_work(system.m, part=system.space), addresses_bound(system):
        evaluation_kernels(system)["effort_loads"](system.plan, eqs.work, np.array(eqs.state.q), unit, Q)
    return Q


def _undefined_rows(group: RowGroup, F: Floats, t: float) -> str:
    """A sentence on a joint, drive or coupling whose rows have no finite value."""
    what = f"{group.kind} '{group.name}' ({group.type}) has no finite value at t = {t:.9g} s"
    if group.frames is not None:
        a, b = origins_of_frames(F)[list(group.frames)]
        if np.linalg.norm(b - a) <= ROUNDOFF * np.abs(a).max(initial=0.0):
            place = ", ".join(decimal(in_units(x, "m"), 6) for x in a.tolist())
            return (
                f"{what}: its ends coincide, at [{place}] {unit_name('m')}, and a length of zero has no direction. "
                "Give ends that are apart, or use a joint that holds them together."
            )
    return (
        f"{what}: its function is not defined there, or its points coincide where a direction between them is needed."
    )


def _check_finite(system: System, work: Work, state: State) -> None:
    """An error that names the drive, force or joint whose value is not finite, or whose square overflows."""
    parts = (work.Phi, work.nu, work.Gamma, work.C, work.Q)
    with np.errstate(over="ignore"):  # The largest entry is at most the root of the sum of squares, which may overflow.
        if all(part.dot(part) < OVERFLOWING**2 for part in parts):
            return
    if all(np.all(np.abs(part) < OVERFLOWING) for part in parts):
        return
    from reactio.system.evaluate.loads import undefined_load

    if (load := undefined_load(system, work, state.t)) is not None:
        raise KernelError(load.sentence, load.path)
    wrong = np.flatnonzero(~(np.abs([work.Phi, work.nu, work.Gamma]) < OVERFLOWING).all(axis=0))
    places = np.flatnonzero(~(np.abs(work.C) < OVERFLOWING))
    wrong = np.append(wrong, np.searchsorted(system.C_pattern[0], places, side="right") - 1)
    if len(wrong):
        group = system.group_of_row(int(wrong[0]))
        raise KernelError(_undefined_rows(group, work.F, state.t), (f"{group.kind}s", group.name))
    bad = np.flatnonzero(~(np.abs(work.Q) < OVERFLOWING))
    body = int(np.searchsorted(system.body_v, bad[0], side="right")) - 1
    raise KernelError(
        f"The forces on body '{system.model.bodies[body].name}' are beyond {OVERFLOWING:g} at t = {state.t:.9g} s: "
        "check its loads, its inertia and its velocities."
    )
