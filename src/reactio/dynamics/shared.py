"""Natural bodies that share the points of their joints: fewer coordinates, fewer rows, motion only.

With q = S y, S of ones and zeros, points that coincide are one and the same; the rows of their joints are gone:

    SᵀM S ẅ + (C S)ᵀ λ = SᵀQ,        C S w = ν  for the rows that are left

García de Jalón & Bayo 1994, Kinematic and dynamic simulation of multibody systems, Sect. 2.1.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reactio.arrays import Floats, Ints
from reactio.dynamics.assemble import start
from reactio.dynamics.energy import energy
from reactio.dynamics.motion import Checkpoint
from reactio.dynamics.status import Status
from reactio.dynamics.trajectory import Trajectory
from reactio.errors import ReactioError
from reactio.linear.least_norm import least_norm
from reactio.model.natural import SHARING
from reactio.places import GROUND, End
from reactio.system.equations import Equations, advance, equations
from reactio.system.types import State, System

SAME = 1e-9  # points nearer to each other than this part of the characteristic length coincide
CLOSED = 1e-14  # residual, in characteristic lengths and radians, that is rounding
CLOSINGS = 4  # Newton steps: each squares a residual that begins below the tolerance of a step


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """Which coordinates are one and the same, and which rows are left."""

    S: Any  # (n, k) CSR of ones and zeros: v = S w; rows of points that ground holds are empty
    rows: Ints  # rows of C that are left
    joints: tuple[str, ...]  # whose points are shared


def merged(system: System) -> Merged:
    """Points of hinges and ball joints that are elements on both sides, or on one side and on ground, become one."""
    from scipy.sparse import csr_array

    root = np.arange(system.n + 1)  # the last one stands for ground
    gone: list[int] = []
    names = []
    for joint in system.model.joints:
        columns = [_columns(system, end) for end in (joint.a, joint.b)]
        if joint.type not in SHARING or any(c is None for c in columns):
            continue
        names.append(joint.name)
        a, b = (np.asarray(c) for c in columns)
        for i, k in zip(a, b, strict=True):
            _join(root, int(i), int(k))
        first = system.group(joint.name).start
        gone += range(first, first + len(a))  # the first rows of both types are those of the point
    top = np.array([_top(root, i) for i in range(system.n)])
    free = np.flatnonzero(top != _top(root, system.n))
    _, place = np.unique(top[free], return_inverse=True)
    S = csr_array((np.ones(len(free)), (free, place)), shape=(system.n, int(place.max(initial=-1)) + 1))
    return Merged(S, np.setdiff1d(np.arange(system.m), gone), tuple(names))


def _columns(system: System, end: End) -> Ints | None:
    """The columns of the element at a point: those of ground for ground, None where no element is there."""
    size = len(end.point)
    if end.body == GROUND:
        return np.full(size, system.n)
    body, first = system.model.body(end.body), int(system.body_v[system.model.body_index[end.body]])
    for k, element in enumerate(body.elements):
        near = np.abs(np.subtract(element.at, end.point)).max() <= SAME * system.length
        if element.kind == "point" and near:
            return np.arange(first + size * k, first + size * (k + 1))
    return None


def _top(root: Ints, i: int) -> int:
    while root[i] != i:
        i = int(root[i])
    return i


def _join(root: Ints, i: int, k: int) -> None:
    low, high = sorted((_top(root, i), _top(root, k)))
    root[low] = high  # ground, the highest, stays on top


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A state on the manifold with its accelerations and multipliers."""

    eqs: Equations
    w: Floats  # (k,)
    wdot: Floats  # (k,)
    lam: Floats  # (m,) 0 for rows that are gone


def settled(one: Merged, system: System, t: float, q: Floats, w: Floats) -> Settled:
    """(q, w) projected on Φ = 0 and C S w = ν, then accelerated by Gauss' principle."""
    still = np.zeros(system.n)
    for _ in range(CLOSINGS):
        eqs = equations(system, State(t, q, still))
        if np.abs(eqs.Phi[one.rows]).max(initial=0.0) < CLOSED * system.length:
            break
        C = (eqs.C[one.rows] @ one.S).tocsr()
        q = advance(system, q, one.S @ least_norm(C, -eqs.Phi[one.rows]))
    eqs = equations(system, State(t, q, one.S @ w))
    C = (eqs.C[one.rows] @ one.S).tocsr()
    w = w - least_norm(C, C @ w - eqs.nu[one.rows])
    eqs = equations(system, State(t, q, one.S @ w))
    M, Q = (one.S.T @ eqs.M @ one.S).toarray(), one.S.T @ eqs.Q
    half = np.linalg.inv(_root(system, M)).T
    A = C @ half
    x = half.T @ Q
    y = np.linalg.lstsq(A, eqs.Gamma[one.rows] - A @ x, rcond=1e-10)[0]
    wdot = half @ (x + y)
    lam = np.zeros(system.m)
    lam[one.rows] = np.linalg.lstsq(C.toarray().T, Q - M @ wdot, rcond=1e-10)[0]
    return Settled(eqs, w, wdot, lam)


def _root(system: System, M: Floats) -> Floats:
    """L of M = L Lᵀ."""
    try:
        return np.asarray(np.linalg.cholesky(M))
    except np.linalg.LinAlgError:
        raise ReactioError(f"Motion needs mass: a point or vector of '{system.model.name}' carries none.") from None


def simulate_shared(
    system: System, until: float, *, tol: float, state: State | None, output: npt.ArrayLike | None
) -> Trajectory:
    """The motion with shared points until a time [s]: SciPy's method of order 8 on the projected equations.

    States are those of the joint-augmented form, in which shared points are written once for each body.
    """
    from scipy.integrate import DOP853

    one, begun = merged(system), time.perf_counter()
    first = start(system) if state is None else state
    way = _Way(system, one, first.q)
    y = np.concatenate([np.zeros(way.k), least_norm(one.S, first.v), [0.0]])
    wanted = None if output is None else np.asarray(output, dtype=float).reshape(-1).tolist()
    solver = DOP853(way.rate, first.t, y, until, rtol=tol, atol=tol * system.length)
    rows = [(first.t, y, way.at(first.t, y))] if wanted is None or first.t in wanted else []
    while solver.status == "running":
        before = solver.t
        if solver.step() is not None:
            break
        between, times = solver.dense_output(), [solver.t] if wanted is None else wanted
        rows += [(t, between(t), way.at(t, between(t))) for t in times if before < t <= solver.t]
        way.go_on(solver.t, solver.y)
    done = solver.status == "finished"
    return _trajectory(system, one, rows, (tol, until, time.perf_counter() - begun), done, solver.nfev)


class _Way:
    """The equations along a run; angles are counted from the pose at which a step began."""

    def __init__(self, system: System, one: Merged, q: Floats) -> None:
        self.system, self.one, self.k = system, one, int(one.S.shape[1])
        self.q, self.y = q, np.zeros(self.k)

    def at(self, t: float, y: Floats) -> Settled:
        """The state (d, w, W) at a time: displacement from the start, velocities, work done."""
        q = advance(self.system, self.q, self.one.S @ (y[: self.k] - self.y))
        return settled(self.one, self.system, t, q, y[self.k : 2 * self.k])

    def rate(self, t: float, y: Floats) -> Floats:
        """Its rate."""
        found = self.at(t, y)
        power = energy(self.system, t, found.eqs.state.q, found.eqs.state.v, found.lam).power
        return np.concatenate([found.w, found.wdot, [power]])

    def go_on(self, t: float, y: Floats) -> None:
        """A step has ended here."""
        self.q = advance(self.system, self.q, self.one.S @ (y[: self.k] - self.y))
        self.y = np.array(y[: self.k])


def _trajectory(
    system: System, one: Merged, rows: list[Any], asked: tuple[float, float, float], done: bool, count: int
) -> Trajectory:
    """Rows (t, y, settled) as a run, with its drift and its balance of energy."""
    tol, until, wall = asked
    t, found = np.array([row[0] for row in rows]), [row[2] for row in rows]
    q, v = (np.array([getattr(row.eqs.state, key) for row in found]) for key in ("q", "v"))
    vdot, lam = np.array([one.S @ row.wdot for row in found]), np.array([row.lam for row in found])
    energies = [energy(system, *row) for row in zip(t.tolist(), q, v, lam, strict=True)]
    balance = np.array([e.total for e in energies]) - np.array([row[1][-1] for row in rows])
    swing = max([e.kinetic for e in energies] + [1e-300])
    last = Checkpoint(float(t[-1]), q[-1], v[-1], vdot[-1], lam[-1], 0.0, count // 12, 0, count)
    return Trajectory(
        system=system,
        t=t,
        q=q,
        v=v,
        vdot=vdot,
        lam=lam,
        rule=None,
        tol=tol,
        until=until,
        status=Status.DONE if done else Status.INACCURATE,
        position_drift=max(float(np.abs(row.eqs.Phi).max(initial=0.0)) for row in found),
        velocity_drift=max(float(np.abs(row.eqs.C @ row.eqs.state.v - row.eqs.nu).max(initial=0.0)) for row in found),
        energy_error=float(np.abs(balance - balance[0]).max() / swing),
        wall_s=wall,
        checkpoint=last,
        notes=(f"Points of {len(one.joints)} joints are shared: {len(one.rows)} rows on {one.S.shape[1]} velocities.",),
    )
