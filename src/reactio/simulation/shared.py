"""Natural bodies that share the points of their joints: fewer coordinates, fewer rows, motion only.

With v = S w, S of ones and zeros, points that coincide are one and the same; the rows of their joints are gone:

    SᵀM S ẇ + (C S)ᵀ λ = SᵀQ,        C S w = ν  for the rows that are left

García de Jalón & Bayo 1994, Kinematic and dynamic simulation of multibody systems, Sect. 2.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.bodies.elements import standing_at
from reactio.errors import ReactioError
from reactio.model.transform.natural import SHARING
from reactio.places import GROUND, End
from reactio.system.equations import advance, evaluations
from reactio.system.plan import Work
from reactio.system.types import System

CLOSED = 1e-14  # residual, in characteristic lengths and radians, that is rounding
CLOSINGS = 6  # Newton steps: each squares a residual that begins below the tolerance of a step
OPEN = 1e-8  # residual at which a pose counts as not closed
DAMPED = 1e-4  # largest μ of a step to a closed pose
UNRESOLVED = 3e-6  # singular values of rows of length one below which directions are not resolved: √REGULAR of metric


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """Which velocities are one and the same, and which rows are left."""

    column: Ints  # (n,) the one of w that each v is, k for points that ground holds
    k: int  # velocities that are left
    rows: Ints  # rows of C that are left
    joints: tuple[str, ...]  # whose points are shared


def merged(system: System) -> Merged:
    """Points of hinges and ball joints that are elements on both sides, or on one side and on ground, become one."""
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
    top = np.array([_top(root, i) for i in range(system.n)], dtype=np.int64)
    free = np.flatnonzero(top != _top(root, system.n))
    _, place = np.unique(top[free], return_inverse=True)
    k = int(place.max(initial=-1)) + 1
    column = np.full(system.n, k)
    column[free] = place
    return Merged(column, k, np.setdiff1d(np.arange(system.m), gone), tuple(names))


def _columns(system: System, end: End) -> Ints | None:
    """The columns of the element at a point: those of ground for ground, None where no element is there."""
    size = len(end.point)
    if end.body == GROUND:
        return np.full(size, system.n)
    body, first = system.model.body(end.body), int(system.body_v[system.model.body_index[end.body]])
    k = standing_at(body, end.point) if body.kind == "natural" else None
    return None if k is None else np.arange(first + size * k, first + size * (k + 1))


def _top(root: Ints, i: int) -> int:
    while root[i] != i:
        i = int(root[i])
    return i


def _join(root: Ints, i: int, k: int) -> None:
    low, high = sorted((_top(root, i), _top(root, k)))
    root[low] = high  # ground, the highest, stays on top


class Gather(NamedTuple):
    """Entries of a sparse matrix summed into a dense one."""

    entry: Ints
    place: Ints
    shape: tuple[int, int]

    def __call__(self, data: Floats) -> Floats:
        """The dense matrix."""
        size = self.shape[0] * self.shape[1]
        return np.asarray(np.bincount(self.place, data[self.entry], size), dtype=float).reshape(self.shape)


class Settled(NamedTuple):
    """A state on the manifold with its accelerations and multipliers."""

    q: Floats  # (nq,)
    w: Floats  # (k,)
    wdot: Floats  # (k,)
    lam: Floats  # (m,) 0 for rows that are gone


class Factor(NamedTuple):
    """A = R C S L⁻ᵀ = U Σ Vᵀ with rows of length one, M = L Lᵀ: least changes in the metric of the mass matrix."""

    CS: Floats
    U: Floats
    s: Floats
    Vt: Floats
    R: Floats
    half: Floats  # L⁻ᵀ

    def least(self, b: Floats, mu: float = 0.0) -> tuple[Floats, Floats]:
        """x = Lᵀ w of smallest size with A x = R b, damped by μ, and y of x = Aᵀ y."""
        s = self.s
        gain = np.where(s > UNRESOLVED, s / (s * s + mu), 0.0)
        along = (self.R * b) @ self.U * gain
        return along @ self.Vt, self.U @ (along / np.maximum(s, UNRESOLVED))


class Shared:
    """The equations with shared points on arrays of their own."""

    def __init__(self, system: System) -> None:
        self.system, self.one = system, merged(system)
        self.evaluate, one = evaluations(system), self.one
        self.work = self.evaluate(0.0, np.array(system.q0), np.array(system.v0))
        self.C = _gather(*system.C_pattern, _places(one.rows, system.m), one.column, (len(one.rows), one.k))
        self.M = _gather(*system.M_pattern, one.column, one.column, (one.k, one.k))
        kinds = np.repeat([b.kind == "natural" for b in system.model.bodies], np.diff(system.body_v))
        self.straight = np.flatnonzero(kinds)  # velocities of elements, and where these are in q
        self.at = _in_q(system)[self.straight]
        own = [np.arange(g.start, g.stop) for g in system.groups if g.kind == "intrinsic"]
        self.intrinsic = np.isin(one.rows, np.concatenate([np.zeros(0, dtype=np.int64), *own]))
        all_rows = np.ones(len(one.rows), dtype=bool)
        self.turns = (all_rows,) if self.intrinsic.all() else (self.intrinsic, all_rows)
        units = np.array([unit == "rad" for g in system.groups for unit in g.units], dtype=bool)
        self.scale = np.where(units, 1.0, system.length)[one.rows]
        angular = np.array([unit == "rad/s" for unit in system.column_units], dtype=bool)
        self.size = self.parted(np.where(angular, 1.0, system.length))  # (k,) what counts as one, by column
        self.half: Floats = np.zeros((0, 0))
        self.known: Floats = np.zeros(0)  # M that it belongs to

    def whole(self, w: Floats) -> Floats:
        """S w (n,)."""
        return np.concatenate((w, (0.0,)))[self.one.column]

    def parted(self, v: Floats) -> Floats:
        """The w (k,) of a v = S w."""
        w = np.zeros(self.one.k + 1)
        w[self.one.column] = v
        return w[:-1]

    def summed(self, f: Floats) -> Floats:
        """Sᵀ f (k,)."""
        return np.asarray(np.bincount(self.one.column, f, self.one.k + 1), dtype=float)[:-1]

    def weight(self, w: Floats) -> float:
        """A measure of the energies of a motion: kinetic at w, and of all weights at the characteristic length [J]."""
        masses = sum(body.mass or 0.0 for body in self.system.model.bodies)
        lifted = masses * float(np.linalg.norm(self.system.model.gravity)) * self.system.length
        return 0.5 * float(w @ self.M(self.work.M) @ w) + lifted

    def moved(self, q: Floats, d: Floats) -> Floats:
        """q moved by a displacement d (k,): shared points stay one, so elements move straight."""
        whole = self.whole(d)
        out = advance(self.system, q, whole)
        out[self.at] = q[self.at] + whole[self.straight]
        return out

    def run(self, t: float, q: Floats, w: Floats) -> Work:
        """Evaluate at a state."""
        return self.evaluate(t, q, self.whole(w))

    def factor(self, rows: Any = slice(None)) -> Factor:
        """At the state that was evaluated last; some of the rows that are left, or all."""
        from scipy.linalg.lapack import dgesdd

        if not np.array_equal(self.work.M, self.known):
            self.half = np.asarray(np.linalg.inv(_root(self.system, self.M(self.work.M))).T)
            self.known = self.work.M.copy()
        CS = self.C(self.work.C)[rows]
        A = CS @ self.half
        sizes = np.sqrt((A * A).sum(axis=1))
        R = 1.0 / np.where(sizes > 0.0, sizes, 1.0)
        U, s, Vt, _ = dgesdd(R[:, None] * A, full_matrices=0)
        return Factor(CS, U, s, Vt, R, self.half)

    def closed(self, t: float, q: Floats, d: Floats, close: float) -> Floats:
        """q moved by d and on until Φ = 0 up to ``close`` [characteristic lengths, rad]; no numbers where that fails.

        Rows of joints on elements are gradients of Φ where bodies are rigid; redundant ones contradict each other
        elsewhere.  So bodies are made rigid first, then everything is closed, in turns.
        """
        before, turns = np.inf, len(self.turns)
        for step in range(CLOSINGS * turns + 1):
            here = self.moved(q, d)
            Phi = self.run(t, here, np.zeros(self.one.k)).Phi[self.one.rows]
            size = float(np.abs(Phi / self.scale).max(initial=0.0))
            if size <= close or step == CLOSINGS * turns or (step % turns == 0 and not size < 0.5 * before):
                break
            before, rows = size if step % turns == 0 else before, self.turns[step % turns]
            found = self.factor(rows)
            d = d + found.half @ found.least(-Phi[rows], min(DAMPED, size * size))[0]
        return here if size <= OPEN else np.full_like(here, np.nan)

    def settled(self, t: float, q: Floats, d: Floats, w: Floats, close: float = CLOSED) -> Settled:
        """(q moved by d, w) projected on Φ = 0 and C S w = ν, then accelerated by Gauss' principle."""
        rows = self.one.rows
        q = self.closed(t, q, d, close)
        found = self.factor()
        w = w + found.half @ found.least(self.work.nu[rows] - found.CS @ w)[0]
        self.run(t, q, w)
        free = found.half @ (found.half.T @ self.summed(self.work.Q))
        more, y = found.least(self.work.Gamma[rows] - found.CS @ free)
        lam = np.zeros(self.system.m)
        lam[rows] = -found.R * y
        return Settled(q, w, free + found.half @ more, lam)


def _places(rows: Ints, m: int) -> Ints:
    """The place of each row among those that are left, −1 for one that is gone."""
    out = np.full(m, -1)
    out[rows] = np.arange(len(rows))
    return out


def _gather(indptr: Ints, indices: Ints, row: Ints, column: Ints, shape: tuple[int, int]) -> Gather:
    i, j = row[np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))], column[indices]
    entry = np.flatnonzero((i >= 0) & (i < shape[0]) & (j < shape[1]))
    return Gather(entry, i[entry] * shape[1] + j[entry], shape)


def _in_q(system: System) -> Ints:
    """(n,) where the coordinate of each velocity of an element is: behind four of the plane an angle stands."""
    out = np.zeros(system.n, dtype=np.int64)
    for q, v, width in zip(system.body_q, system.body_v, np.diff(system.body_v), strict=False):
        own = np.arange(width)
        out[v : v + width] = q + own + (own >= 4 if system.space == "planar" else 0)
    return out


def _root(system: System, M: Floats) -> Floats:
    """L of M = L Lᵀ."""
    try:
        return np.asarray(np.linalg.cholesky(M))
    except np.linalg.LinAlgError:
        raise ReactioError(f"Motion needs mass: a point or vector of '{system.model.name}' carries none.") from None
