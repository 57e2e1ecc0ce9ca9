"""Runs with shared points: SciPy's method of order 8 on the projected equations, in pieces like every other run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reactio.arrays import Floats
from reactio.integrate.integrator import Checkpoint, Chunk, checked_times
from reactio.integrate.projection.drift import drift
from reactio.integrate.promise import broken_words, kept, promise
from reactio.integrate.status import Status
from reactio.simulation.energy import energy, power
from reactio.simulation.energy_balance import at_rest
from reactio.simulation.shared import CLOSED, Settled, Shared
from reactio.simulation.trajectory import Trajectory
from reactio.system.types import State, System

STAGES = 12  # evaluations of a step
LAX = 100.0  # the work is only needed to see whether energies balance: so many tolerances may be missing there
# What a checkpoint remembers [J]: the work W so far, the least and largest T + V − W and the largest T at its rows, and
# the measure of energies by which W is found.
FRESH = (0.0, np.inf, -np.inf, 0.0, np.nan)
CLOSE = 1e-3  # part of the tolerance to which stages are closed; ends of steps are closed to rounding


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row of output with the work done since the start of the run [J]."""

    t: float
    at: Settled
    work: float


def simulate_shared(
    system: System,
    first: State | Checkpoint,
    until: float,
    tol: float,
    *,
    output: npt.ArrayLike | None,
    notes: tuple[str, ...] = (),
    on_chunk: Callable[[Chunk], object] | None = None,
    chunk: int = 200,
) -> Trajectory:
    """The motion with shared points from a state, or on from a checkpoint, until a time [s].

    States are those of the joint-augmented form, in which shared points are written once for each body.  ``on_chunk``
    sees each piece of ``chunk`` steps; a true answer or Ctrl-C ends the run there.
    """
    begun = time.perf_counter()
    run = _Run(Shared(system), first, until, tol)
    rows: list[Row] = []
    status, end = Status.PAUSED, run.first
    try:
        for piece, status in run.pieces(checked_times(first, until, output), output is None, chunk):
            rows, end = rows + piece, run.checkpoint
            if on_chunk is not None and on_chunk(_chunk(run, piece, status)):
                break
    except KeyboardInterrupt:
        status = Status.PAUSED
    return _trajectory(run, rows, end, (tol, until, time.perf_counter() - begun), status, notes)


class _Run:
    """A run under way: the state y = (d, w, W) counts from the pose where the step began."""

    def __init__(self, form: Shared, first: State | Checkpoint, until: float, tol: float) -> None:
        from scipy.integrate import DOP853

        self.form, self.k = form, form.one.k
        self.q, self.close = first.q, max(1e-13, CLOSE * tol)
        self.steps, self.rejected = (first.steps, first.rejected) if isinstance(first, Checkpoint) else (0, 0)
        self.before = first.evaluations if isinstance(first, Checkpoint) else 0
        memory = first.memory if isinstance(first, Checkpoint) else np.zeros(0)
        self.balance: list[float]
        work, *self.balance, weight = memory.tolist() if len(memory) == len(FRESH) else FRESH
        self.row = Row(first.t, self.begun(first), work)
        self.weight: float = form.weight(self.row.at.w) if np.isnan(weight) else weight
        self.resumed, self.q = isinstance(first, Checkpoint), self.row.at.q
        h = (min(first.h, until - first.t) or None) if isinstance(first, Checkpoint) else None
        y, slope = np.concatenate([np.zeros(self.k), self.row.at.w, [0.0]]), self.slope(first.t, self.row.at)
        atol: Any = tol * np.concatenate([form.size, form.size, [LAX * self.weight or np.inf]])
        self.solver: Any = DOP853(self.rate, first.t, y, until, rtol=tol, atol=atol, first_step=h)
        self.solver.f = slope
        self.until, self.first = until, self.checkpoint

    def begun(self, first: State | Checkpoint) -> Settled:
        """Where the run begins; a checkpoint is on the manifold already."""
        w = self.form.parted(np.asarray(first.v))
        if not isinstance(first, Checkpoint):
            return self.at(first.t, np.zeros(self.k), w, CLOSED)
        self.form.run(first.t, first.q, w)
        return Settled(first.q, w, self.form.parted(first.vdot), first.lam)

    def at(self, t: float, d: Floats, w: Floats, close: float) -> Settled:
        """The state at a time, projected and accelerated."""
        return self.form.settled(t, self.q, d, w, close)

    def rate(self, t: float, y: Floats) -> Floats:
        """ẏ of a stage."""
        found = self.at(t, y[: self.k], y[self.k : -1], self.close)
        return self.slope(t, found)

    def slope(self, t: float, found: Settled) -> Floats:
        """ẏ at the state that was evaluated last: w, ẇ, and what flows in beyond gravity and springs [W]."""
        form = self.form
        flow = power(form.system, t, found.q, form.whole(found.w), found.lam, form.work)
        return np.concatenate([found.w, found.wdot, [flow]])

    def pieces(self, times: Floats, every: bool, chunk: int) -> Iterator[tuple[list[Row], Status]]:
        """Rows of output, piece after piece, and how the run stands."""
        rows, left = [], times.tolist()
        if not self.resumed and (every or (left and left[0] == self.row.t)):
            rows.append(self.row)
        left = [t for t in left if t > self.row.t]
        while self.solver.status == "running" and self.row.t < self.until:
            rows += self.step(left, every)
            left = [t for t in left if t > self.row.t]
            if self.steps % chunk == 0 and self.solver.status == "running":
                self.balanced(rows)
                yield rows, Status.PAUSED
                rows = []
        self.balanced(rows)
        yield rows, Status.DONE if self.row.t >= self.until else Status.INACCURATE

    def balanced(self, rows: list[Row]) -> None:
        """Look at the energies of rows."""
        for row in rows:
            here = energy(self.form.system, row.t, row.at.q, self.form.whole(row.at.w), row.at.lam)
            least, most, swing = self.balance
            off = here.total - row.work
            self.balance = [min(least, off), max(most, off), max(swing, here.kinetic)]

    def step(self, times: list[float], every: bool) -> list[Row]:
        """One step; it ends on the manifold, where the next one begins."""
        solver, used = self.solver, self.solver.nfev
        if solver.step() is not None:
            return []
        self.steps, self.rejected = self.steps + 1, self.rejected + (solver.nfev - used) // STAGES - 1
        inside = [t for t in times if t < solver.t]
        rows = self.between(inside) if inside else []
        y, work = solver.y, self.row.work + float(solver.y[-1])
        end = self.at(solver.t, y[: self.k], y[self.k : -1], CLOSED)
        solver.f = self.slope(solver.t, end)
        solver.y = np.concatenate([np.zeros(self.k), end.w, [0.0]])
        self.q, self.row = end.q, Row(float(solver.t), end, work)
        return [*rows, self.row] if every or self.row.t in times else rows

    def between(self, times: list[float]) -> list[Row]:
        """Rows inside the step."""
        curve, found = self.solver.dense_output(), []
        for t in times:
            y = curve(t)
            found.append(Row(t, self.at(t, y[: self.k], y[self.k : -1], CLOSED), self.row.work + float(y[-1])))
        return found

    @property
    def checkpoint(self) -> Checkpoint:
        """Where the run stands."""
        at, form = self.row.at, self.form
        counts = {"steps": self.steps, "rejected": self.rejected, "evaluations": self.before + self.solver.nfev}
        v, vdot = form.whole(at.w), form.whole(at.wdot)
        memory = np.array([self.row.work, *self.balance, self.weight])
        return Checkpoint(self.row.t, at.q, v, vdot, at.lam, float(self.solver.h_abs), **counts, memory=memory)


def _columns(form: Shared, rows: list[Row]) -> dict[str, Floats]:
    """Rows as arrays: t (k,), q (k, nq), v, vdot (k, n), lam (k, m)."""
    n, m = form.system.n, form.system.m
    return {
        "t": np.array([row.t for row in rows]),
        "q": np.array([row.at.q for row in rows]).reshape(-1, form.system.nq),
        "v": np.array([form.whole(row.at.w) for row in rows]).reshape(-1, n),
        "vdot": np.array([form.whole(row.at.wdot) for row in rows]).reshape(-1, n),
        "lam": np.array([row.at.lam for row in rows]).reshape(-1, m),
    }


def _chunk(run: _Run, rows: list[Row], status: Status) -> Chunk:
    return Chunk(status, checkpoint=run.checkpoint, **_columns(run.form, rows))


def _trajectory(
    run: _Run,
    rows: list[Row],
    end: Checkpoint,
    asked: tuple[float, float, float],
    status: Status,
    notes: tuple[str, ...],
) -> Trajectory:
    """Rows as a run, with its drift and its balance of energy."""
    (tol, until, wall), form, system = asked, run.form, run.form.system
    parts: dict[str, Any] = _columns(form, rows)
    least, most, swing = end.memory[1:4]
    loads, inertia = at_rest(system, end)
    resting = max(tol * loads + tol**2 * inertia, 1e-300)
    t, q, v = (np.concatenate([parts[key], [getattr(end, key)]]) for key in ("t", "q", "v"))
    off, promised = drift(system, t, q, v), promise(tol, 0.0, end.limit)
    status = kept(status, off, promised)
    broken = (broken_words(system, t, q, v, promised),) if status is Status.DRIFTED else ()
    note = f"Points of {len(form.one.joints)} joints are shared: {len(form.one.rows)} rows on {form.one.k} velocities."
    return Trajectory(
        system=system,
        **parts,
        rule=None,
        tol=tol,
        until=until,
        status=status,
        position_drift=off.position,
        velocity_drift=off.velocity,
        energy_error=float((most - least) / max(swing, resting)) if most >= least else 0.0,
        wall_s=wall,
        checkpoint=end,
        notes=(*notes, note, *broken),
        segments=(run.first,),
    )
