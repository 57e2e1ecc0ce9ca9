"""Motion of a system in time: the compiled integrator, run in pieces that can be watched, stopped and resumed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from reactio.arrays import Floats
from reactio.dynamics.accelerate import accelerations
from reactio.dynamics.manifold import FINE, OPEN, gap
from reactio.dynamics.stepper import COLLAPSED, DONE, FILLED, REASON, Engine, Now, Output, Task, runner
from reactio.dynamics.stepper import engine as engine_of
from reactio.errors import ReactioError
from reactio.kernels import Kernel
from reactio.system.equations import equations, evaluate, workspace
from reactio.system.kernels import evaluator
from reactio.system.types import State, System

METHODS = ("dop853",)


class Status(Enum):
    """How far a run came, and why no farther."""

    DONE = "The end was reached."
    PAUSED = "The run was stopped on the way; it can be resumed from its checkpoint."
    NOT_FINITE = "A load, drive or joint gave no finite number: check its functions, tables and the poses it allows."
    NOT_CLOSED = (
        "The joints cannot be closed any more: the mechanism is at the end of its reach, or a drive asks for too much."
    )
    NOT_MOVING = "No velocity satisfies all constraints: drives contradict each other or the mechanism locks."
    NOT_ACCELERATING = (
        "No acceleration satisfies all constraints: a singular pose, or drives that contradict each other."
    )
    THROWN = "A singular pose at which the mechanism may go several ways: its branches cannot be told apart."
    NEAR = "A singular pose that cannot be stepped over."
    INACCURATE = (
        "The tolerance cannot be met: the motion is too stiff or not smooth here, or the tolerance is below rounding."
    )


# In the order of the reasons of reactio.dynamics.manifold.
REASONS = (
    Status.DONE, Status.NOT_FINITE, Status.NOT_CLOSED, Status.NOT_MOVING, Status.NOT_ACCELERATING, Status.THROWN,
    Status.INACCURATE, Status.NEAR,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """All that a run needs to go on with the identical result."""

    t: float  # [s]
    q: Floats  # (nq,)
    v: Floats  # (n,)
    vdot: Floats  # (n,)
    lam: Floats  # (m,)
    h: float  # next step size [s]
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    weak: tuple[int, ...] = (0, 0, 0, 0)  # pivots that are nearly zero, as of redundant rows
    limit: float = OPEN  # position residual that is accepted [characteristic lengths, rad]


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """A piece of a run: its rows of output and where it stands."""

    status: Status
    t: Floats  # (k,)
    q: Floats  # (k, nq)
    v: Floats  # (k, n)
    vdot: Floats  # (k, n)
    lam: Floats  # (k, m)
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Rows of output along a motion; λ has the smallest norm in the metric of the rows where it is not unique."""

    system: System
    t: Floats  # (k,) [s]
    q: Floats  # (k, nq)
    v: Floats  # (k, n)
    vdot: Floats  # (k, n)
    lam: Floats  # (k, m)
    status: Status
    position_drift: float  # largest |Φ| [m, rad] over all rows
    velocity_drift: float  # largest |C v − ν| [m/s, rad/s] over all rows
    checkpoint: Checkpoint

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return self.checkpoint.steps

    @property
    def rejected(self) -> int:
        """Steps taken again."""
        return self.checkpoint.rejected

    @property
    def evaluations(self) -> int:
        """Right-hand sides."""
        return self.checkpoint.evaluations


def integrate(
    system: System,
    state: State | Checkpoint,
    until: float,
    *,
    tol: float = 1e-9,
    output: npt.ArrayLike | None = None,
    method: str = "dop853",
    step: float | None = None,
    chunk: int = 200,
    on_chunk: Callable[[Chunk], object] | None = None,
) -> Motion:
    """The motion from a state, or on from a checkpoint, until a time [s].

    Positions and velocities are projected after every step.  ``tol`` bounds the error of a step in characteristic
    lengths and radians (velocities: per second, and relative).  Rows of output: every step, or the times in ``output``.
    ``step`` fixes the step size [s].  ``on_chunk`` sees each piece of ``chunk`` steps; a true answer or Ctrl-C ends
    the run there.

    >>> import reactio
    >>> system = reactio.build(reactio.load("double-four-bar"))
    >>> motion = integrate(system, reactio.assemble(system), 1.0, tol=1e-10, output=[0.5, 1.0])
    >>> motion.status.name, motion.q[:, 2].round(6).tolist()
    ('DONE', [0.801978, -1.767074])
    """
    times = _times(state, until, output, tol, method)
    engine = engine_of(system)
    checkpoint = state if isinstance(state, Checkpoint) else begin(system, state, tol, engine)
    pieces: list[Chunk] = []
    if not isinstance(state, Checkpoint):
        pieces.append(_first(checkpoint, times, output is None))
        times = times[len(pieces[0].t) :] if output is not None else times
    task = Task(float(until), float(tol), float(step or 0.0), int(chunk), output is None, checkpoint.limit)
    status = Status.PAUSED
    while status is Status.PAUSED:
        try:
            pieces.append(advanced(system, engine, checkpoint, times, task))
            status, checkpoint = pieces[-1].status, pieces[-1].checkpoint
            times = times[len(pieces[-1].t) :] if output is not None else times
            if on_chunk is not None and on_chunk(pieces[-1]):
                break
        except KeyboardInterrupt:
            break
    return _joined(system, pieces, status, checkpoint)


def _times(state: State | Checkpoint, until: float, output: npt.ArrayLike | None, tol: float, method: str) -> Floats:
    """The times of output, checked."""
    if method not in METHODS:
        raise ReactioError(f"There is no method '{method}'; known: {', '.join(METHODS)}.")
    if not (np.isfinite(until) and until >= state.t):
        raise ReactioError(f"The motion starts at t = {state.t:g} s and cannot run until {until:g} s.")
    if not 1e-15 <= tol <= 0.1:
        raise ReactioError(f"tol = {tol:g}: a tolerance lies between 1e-15 and 0.1.")
    times = np.zeros(0) if output is None else np.array(output, dtype=float).reshape(-1)
    if len(times) and not (np.all(np.diff(times) > 0) and times[0] >= state.t and times[-1] <= until):
        raise ReactioError(f"Output times must increase and lie between {state.t:g} s and {until:g} s.")
    return times


def _kernel(system: System) -> Kernel[..., int]:
    evaluate = evaluator(system.space, system.primitive_names, system.kind_names)
    return runner(evaluate, system.space, system.kind_names)


def begin(system: System, state: State, tol: float = 1e-9, engine: Engine | None = None) -> Checkpoint:
    """The start of a run: the state projected, its accelerations and multipliers, a first step size."""
    massless = _massless(system, state)
    if massless:
        raise ReactioError(f"Motion needs mass: {', '.join(massless[:5])} without mass or inertia.")
    engine = engine_of(system) if engine is None else engine
    now = _now(Checkpoint(state.t, state.q, state.v, np.zeros(system.n), np.zeros(system.m), 0.0))
    reason = _kernel(system)(engine, now, _rows(system, 0), np.zeros(0), Task(state.t, tol, 0.0, 0, False, OPEN))
    if reason != FINE:
        accelerations(equations(system, state))  # names the constraints when it is they that contradict each other
        raise ReactioError(f"The motion cannot start at t = {state.t:g} s. {REASONS[reason].value}")
    scale = engine.on.metric.scale
    rate = np.abs(now.v / scale).max(initial=0.0) + np.sqrt(np.abs(now.vdot / scale).max(initial=0.0))
    left = float(gap(engine.on.metric, engine.on.work.Phi))
    h = 0.5 * tol ** (1 / 8) / max(float(rate), 1e-3)
    return _checkpoint(now, max(OPEN, 0.1 * tol, 10 * left), h)


def _massless(system: System, state: State) -> list[str]:
    """Bodies whose mass matrix is not positive definite."""
    M, width = evaluate(system, state.t, state.q, state.v).M, np.diff(system.body_v)
    at = np.concatenate([[0], np.cumsum(width**2)])
    found = []
    for size in np.unique(width):
        bodies = np.flatnonzero(width == size)
        blocks = M[at[bodies][:, None] + np.arange(size**2)].reshape(-1, size, size)
        lowest = np.linalg.eigvalsh(blocks)[:, 0]
        found += [system.model.bodies[b].name for b in bodies[~(lowest > 0)]]
    return found


def _now(checkpoint: Checkpoint) -> Now:
    """A checkpoint as arrays that the integrator works on."""
    c = checkpoint
    q, v, vdot, lam = (np.array(part, dtype=float) for part in (c.q, c.v, c.vdot, c.lam))
    counts = np.array([c.steps, c.rejected, c.evaluations, 0, 0, 0])
    return Now(q, v, vdot, lam, np.array([c.t, c.h]), counts, np.array(c.weak))


def _checkpoint(now: Now, limit: float, h: float | None = None) -> Checkpoint:
    steps, rejected, evaluations = (int(k) for k in now.counts[:3])
    t = float(now.clock[0])
    h = float(now.clock[1]) if h is None else h
    return Checkpoint(
        t, now.q, now.v, now.vdot, now.lam, h, steps, rejected, evaluations, tuple(now.weak.tolist()), limit
    )


def _first(checkpoint: Checkpoint, times: Floats, every: bool) -> Chunk:
    """The start as a piece of its own: one row, or none where no output is due there."""
    rows = slice(0, int(every or (len(times) > 0 and times[0] == checkpoint.t)))
    t, c = np.array([checkpoint.t])[rows], checkpoint
    return Chunk(Status.PAUSED, t, c.q[None][rows], c.v[None][rows], c.vdot[None][rows], c.lam[None][rows], c)


def advanced(system: System, engine: Engine, checkpoint: Checkpoint, times: Floats, task: Task) -> Chunk:
    """Run one piece on from a checkpoint."""
    rows = task.steps if task.every else len(times)
    out = _rows(system, rows)
    now = _now(checkpoint)
    code = _kernel(system)(engine, now, out, times, task)
    status = {DONE: Status.DONE, COLLAPSED: REASONS[now.counts[REASON]]}.get(code, Status.PAUSED)
    t, q, v, vdot, lam = (part[: now.counts[FILLED]] for part in out)
    return Chunk(status, t, q, v, vdot, lam, _checkpoint(now, task.limit))


def _rows(system: System, rows: int) -> Output:
    return Output(np.zeros(rows), *(np.zeros((rows, k)) for k in (system.nq, system.n, system.n, system.m)))


def _joined(system: System, pieces: list[Chunk], status: Status, checkpoint: Checkpoint) -> Motion:
    """All pieces as one motion, its drift measured."""
    t, q, v, vdot, lam = (np.concatenate([getattr(c, k) for c in pieces]) for k in ("t", "q", "v", "vdot", "lam"))
    return Motion(system, t, q, v, vdot, lam, status, *_drift(system, t, q, v), checkpoint)


def _drift(system: System, t: Floats, q: Floats, v: Floats) -> tuple[float, float]:
    """The largest |Φ| and |C v − ν| over all rows."""
    work, run = workspace(system), evaluator(system.space, system.primitive_names, system.kind_names)
    indptr, indices = system.C_pattern
    row = np.repeat(np.arange(system.m), np.diff(indptr))
    position = velocity = 0.0
    for k in range(len(t)):
        run(system.plan, work, float(t[k]), q[k], v[k])
        wrong = np.bincount(row, work.C * v[k][indices], system.m) - work.nu
        position = max(position, float(np.abs(work.Phi).max(initial=0.0)))
        velocity = max(velocity, float(np.abs(wrong).max(initial=0.0)))
    return position, velocity
