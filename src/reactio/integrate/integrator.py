"""Integration of the motion in time, in chunks of steps between which a run can be watched, stopped and resumed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations, determined_accelerations
from reactio.forward_dynamics.friction_check import first_undecided, needed_weights, undecided
from reactio.integrate.checkpoint import Checkpoint, Chunk, Motion, chunk_of
from reactio.integrate.contact_rows import refuse_unilateral_rows
from reactio.integrate.dop853.step import STAGES
from reactio.integrate.dop853.workspace import StepWorkspace, step_workspace
from reactio.integrate.drift_bounds import bounds_of, checked_status
from reactio.integrate.formulation import DEFAULT_FORMULATION
from reactio.integrate.longest_step import longest_step
from reactio.integrate.loop import Task
from reactio.integrate.methods import METHODS, Method
from reactio.integrate.options import IntegrationOptions, check_chunk, checked_options
from reactio.integrate.project_state import ProjectedState, project_state
from reactio.integrate.projection.drift import drift
from reactio.integrate.projection.project import (
    FINE,
    LARGEST_POSITION_RESIDUAL,
    position_residual,
)
from reactio.integrate.rows import OutputRows, joined_rows, rows_of
from reactio.integrate.singular_passage import interpolate
from reactio.integrate.singular_passage.start_limit import JudgedAccelerations, branch_accelerations
from reactio.integrate.status import STATUS_OF_REFUSAL, Status
from reactio.integrate.stepper import Stepper
from reactio.kernels import CodeUse, expected_work, machine_code_use
from reactio.kinematics.assemble import assembly_record
from reactio.sharing import Weights
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System
from reactio.uniqueness.engine import rank_decision

# The first step is FIRST_STEP tol^(1/8)/rate long, in which a method of order 8 errs by about the tolerance.  ``rate``
# [1/s] is that of velocities and accelerations, in characteristic lengths or radians, at least LEAST_RATE.
FIRST_STEP, LEAST_RATE = 0.5, 1e-3
# A run accepts position residuals up to this part of its tolerance, and up to this multiple of those of its start.
RANK_REACH = (
    1e-2  # [characteristic lengths, rad] from a pose: the singular values there are about 1e-2 if the pose is singular
)
RESIDUAL_IN_TOLERANCES, RESIDUAL_OF_START = 0.1, 10.0


def run_begin(state: State | Checkpoint) -> float:
    """When a run begins [s]: a resumed run is taken to begin at 0, so that it takes the steps of an unbroken run."""
    return 0.0 if isinstance(state, Checkpoint) else state.t


def integrate(
    system: System,
    state: State | Checkpoint,
    until: float,
    *,
    tol: float = 1e-9,
    output: npt.ArrayLike | None = None,
    method: str = "dop853",
    step: float | None = None,
    rule: str | None = None,
    stabilise: str = "projection",
    alpha: float = 20.0,
    formulation: str = DEFAULT_FORMULATION,
    chunk: int = 200,
    on_chunk: Callable[[Chunk], object] | None = None,
    span: tuple[float, float] | None = None,
) -> Motion:
    """The motion from a state, or on from a checkpoint, until a time [s].

    Positions and velocities are projected, or pulled back at the rate ``alpha`` [1/s] with ``stabilise="baumgarte"``:
    the constraints then drift, the more so the more redundant rows contradict each other.  ``rule``: the sharing rule
    by which friction acts where its reactions are not unique.  ``tol`` bounds the error of a step in characteristic
    lengths and radians (velocities: per second, and relative).  Rows of output: every step, or the times in ``output``.
    ``method`` is dop853, radau5 for stiff motion, or auto; ``step`` fixes the step size [s].  ``on_chunk`` sees each
    chunk of ``chunk`` steps; if it returns True, or on Ctrl-C, the run ends there.
    ``span``: the first and the last time [s] of a run whose steps are taken again.

    >>> import reactio
    >>> system = reactio.build(reactio.load("double-four-bar"))
    >>> motion = integrate(system, reactio.assemble(system), 1.0, tol=1e-10, output=[0.5, 1.0])
    >>> motion.status.name, motion.q[:, 2].round(6).tolist()
    ('DONE', [0.801978, -1.767074])
    """
    options = checked_options(IntegrationOptions(tol, method, rule, stabilise, alpha, formulation))
    check_chunk(chunk)
    if span is None:  # steps that are taken again belong to a phase in which its contacts stayed closed
        refuse_unilateral_rows(system)
    times = checked_times(state, until, output)
    integrator, begun = prepare_integrator(system, state, options, until)
    pieces: list[Chunk] = []
    if not isinstance(state, Checkpoint):
        pieces.append(first_row(begun, times, output is None))
        times = times[len(pieces[0].t) :] if output is not None else times
    longest = longest_step(system, *(span or (run_begin(state), until)))
    task = Task(
        float(until), float(tol), float(step or 0.0), int(chunk), output is None, begun.limit, begun.extent, longest
    )
    status, checkpoint = Status.PAUSED, begun
    while status is Status.PAUSED:
        try:
            pieces.append(integrator.run_chunk(checkpoint, times, task))
            status, checkpoint = pieces[-1].status, pieces[-1].checkpoint
            times = times[len(pieces[-1].t) :] if output is not None else times
            if on_chunk is not None and on_chunk(pieces[-1]):
                break
        except KeyboardInterrupt:  # the finished chunks are a motion that can be resumed
            if on_chunk is None or checkpoint is begun:
                raise  # the caller could not notice that the motion is incomplete, or no step is done yet
            break
    return as_motion(system, pieces, status, checkpoint, begun, options)


@dataclass(frozen=True, slots=True, eq=False)
class Integrator(Stepper):
    """Integration options prepared for a system: steps of a method, and passages through singular configurations."""

    by_rule: bool  # does a sharing rule decide about friction?

    def run_chunk(self, start: Checkpoint, times: Floats, task: Task) -> Chunk:
        """One chunk from a checkpoint, also across singularities; it ends where friction is not unique.

        In plain Python a chunk has at most one step more than the run has taken before it: so a run that turns out
        longer than expected is compiled before it has taken twice as long as compilation would have paid for.
        """
        evaluations = start.evaluations + self._evaluations_left(start, times, task)
        with expected_work(
            _evaluation_size(self.system), evaluations, motion_part(self.system, self.method), least=CodeUse.CACHED
        ):
            compiled = self.workspace.projection.formulation.address[0] != 0  # known since the start of the run
            if machine_code_use() is not CodeUse.COMPILED and not compiled:
                task = task._replace(steps=min(task.steps, start.steps + 1))
            done = interpolate.advance_past_singularities(self, start, times, task)
            return done if self.by_rule else self._until_friction_is_undecided(start, done, task)

    def _evaluations_left(self, start: Checkpoint, times: Floats, task: Task) -> float:
        """The evaluations to be expected from a checkpoint on: of steps of the present size, and of output rows."""
        of_steps = STAGES * (task.until - start.t) / (task.step or start.h) if task.until > start.t else 0.0
        return max(float(self.method.least_evaluations), of_steps) + len(times)

    def _until_friction_is_undecided(self, start: Checkpoint, chunk: Chunk, task: Task) -> Chunk:
        """The chunk from a start up to the state from which on friction depends on reactions that are not unique."""
        states, at = chunk.states, chunk.checkpoint
        k = first_undecided(self.system, [*states, State(at.t, at.q, at.v)])
        if k is None or (self._is_decided(start) and self._is_decided_after(at, task)):
            return chunk
        if k == len(states):
            return replace(chunk, status=Status.FRICTION_NOT_UNIQUE)
        parts = rows_of(chunk, slice(k + 1))
        last = {key: part[k] for key, part in parts.items()} | {"t": float(chunk.t[k]), "work": float(chunk.work[k])}
        power = self.project_state(at, chunk.t[k], chunk.q[k], chunk.v[k]).power
        end = replace(at, **last, power=power).without_memory()
        return replace(chunk, **parts, status=Status.FRICTION_NOT_UNIQUE, checkpoint=end)

    def _is_decided_after(self, at: Checkpoint, task: Task) -> bool:
        """Is friction decided after as many steps again?  Then a chunk that began so ended near a special pose."""
        if at.t >= task.until:
            return False
        further = task._replace(steps=at.steps + 1)
        return self._is_decided(interpolate.advance_past_singularities(self, at, np.empty(0), further).checkpoint)

    def _is_decided(self, at: Checkpoint) -> bool:
        return not undecided(equations(self.system, State(at.t, at.q, at.v)))


def prepare_integrator(
    system: System,
    state: State | Checkpoint,
    options: IntegrationOptions,
    until: float,
) -> tuple[Integrator, Checkpoint]:
    """The integrator of a run until a time, and the checkpoint at which the run begins."""
    weights = needed_weights(equations(system, State(state.t, state.q, state.v)), options.rule)
    workspace = step_workspace(system, weights, options.formulated)
    integrator = Integrator(system, workspace, METHODS.get(options.method), weights is not None)
    if options.by.dense:
        workspace.projection.formulation.rank[0] = rank_along(system, state)
    if isinstance(state, Checkpoint):
        return integrator, state
    steps = max(0.0, until - state.t) / _first_step(options.tol, _rate_before_start(system, state))
    part = motion_part(system, integrator.method)
    with expected_work(_evaluation_size(system), STAGES * steps, part, least=CodeUse.CACHED):
        plain = workspace if options.formulated == DEFAULT_FORMULATION else step_workspace(system, weights)
        begun = initial_checkpoint(system, plain, state, options.tol, weights)
        if options.drifts or options.by.multipliers:  # its accelerations and multipliers at the projected start
            begun = integrator.project_state(begun, begun.t, begun.q, begun.v)
        return integrator, begun


def rank_along(system: System, state: State | Checkpoint) -> int:
    """The rank of C away from singular poses: the largest at a state and at two poses near it on its path.

    These lie RANK_REACH ahead and behind along the velocity, or along the acceleration at rest, and are closed again.
    """
    at, scale = State(state.t, state.q, state.v), system.column_scale
    eqs = equations(system, at)
    ranks = [rank_decision(eqs.constraints).rank]
    direction = at.v if at.v.any() else accelerations(eqs, contradiction=np.inf).solution
    size = float(np.abs(direction / scale).max(initial=0.0))
    for sign in (1.0, -1.0) if size > 0.0 and system.m else ():
        q = advance(system, at.q, sign * RANK_REACH / size * direction)
        try:
            closed = assembly_record(system, State(at.t, q, at.v)).state
        except ReactioError:  # a driven mechanism is elsewhere at this time
            continue
        ranks.append(rank_decision(equations(system, closed).constraints).rank)
    return max(ranks)


def _evaluation_size(system: System) -> int:
    """A number to which the time of an evaluation is proportional: rows of C, or velocities where these are more.

    The inertia of a body with k modes is a sum over their pairs, of which two cost as much as a row.
    A row in space has 12 entries and costs twice as much as one of the plane, which has 6.
    """
    modes = [len(b.flexible.modal.frequency) for b in system.model.bodies if b.flexible and b.flexible.modal]
    rows = max(system.m, system.n) + sum(k * k for k in modes) // 2
    return rows * (2 if system.space == "spatial" else 1)


def motion_part(system: System, method: Method) -> str:
    """The name of the group of kernels that a method needs, a key of ``warm.WARM_PARTS``."""
    return f"{method.kernels}-{system.space}"


def checked_times(state: State | Checkpoint, until: float, output: npt.ArrayLike | None) -> Floats:
    """The output times after validation."""
    if not (np.isfinite(until) and until >= state.t):
        raise ReactioError(f"The motion starts at t = {state.t:g} s and cannot run until {until:g} s.")
    times = np.zeros(0) if output is None else np.array(output, dtype=float).reshape(-1)
    if len(times) and not (np.all(np.diff(times) > 0) and times[0] >= state.t and times[-1] <= until):
        raise ReactioError(f"Output times must increase and lie between {state.t:g} s and {until:g} s.")
    return times


def initial_checkpoint(
    system: System, workspace: StepWorkspace, state: State, tol: float = 1e-9, weights: Weights | None = None
) -> Checkpoint:
    """The start of a run: the projected state, its accelerations and multipliers, a first step size.

    A start is projected whatever the formulation of the run: ``workspace`` is that of ``projection``.
    """
    rule = weights.rule if weights else None
    if workspace.projection.metric.adds_inertia:
        determined_accelerations(equations(system, state), np.inf, rule)
    given = Checkpoint(state.t, state.q, state.v, np.zeros(system.n), np.zeros(system.m), 0.0, redundant=system.m)
    reason, c = project_state(system, workspace, given, state.t, state.q, state.v)
    if reason != FINE:  # an error that names constraints which contradict each other, or joints that friction jams
        c = replace(c, vdot=accelerations(equations(system, state), rule=rule).solution)
    scale = workspace.projection.metric.scale
    rate = np.abs(c.v / scale).max(initial=0.0) + np.sqrt(np.abs(c.vdot / scale).max(initial=0.0))
    residual = float(position_residual(workspace.projection.metric, workspace.projection.work.Phi))
    h = _first_step(tol, float(rate))
    limit = max(LARGEST_POSITION_RESIDUAL, RESIDUAL_IN_TOLERANCES * tol, RESIDUAL_OF_START * residual)
    c = replace(c, h=h, limit=limit, extent=_extent(system, state.q))

    def displaced(c: Checkpoint, dt: float, v: Floats) -> ProjectedState:
        return project_state(system, workspace, c, c.t + dt, advance(system, c.q, dt * v), c.v)

    def judged(c: Checkpoint) -> JudgedAccelerations:
        eqs = equations(system, State(c.t, c.q, c.v))
        return JudgedAccelerations(rank_decision(eqs.constraints), accelerations(eqs, rule=rule).solution)

    start = branch_accelerations(displaced, judged, c, scale)
    if reason != FINE and start is c:  # the start is not near a singular pose
        raise ReactioError(f"The motion cannot start at t = {state.t:g} s. {STATUS_OF_REFUSAL[reason].value}")
    return start


def _first_step(tol: float, rate: float) -> float:
    """The size of a first step [s] at a rate [1/s] of velocities and accelerations."""
    return float(FIRST_STEP * tol ** (1 / 8) / max(rate, LEAST_RATE))


def _rate_before_start(system: System, state: State) -> float:
    """A rate [1/s] for an estimate of the steps of a run before its first accelerations: by velocities and gravity."""
    fastest = float(np.abs(state.v / system.column_scale).max(initial=0.0))
    return fastest + float(np.sqrt(np.linalg.norm(system.model.gravity) / system.length))


def _extent(system: System, q: Floats) -> float:
    """The largest coordinate of a body [characteristic lengths], at least 1."""
    width = len(system.model.gravity)
    far = max((float(np.abs(q[k : k + width]).max()) for k in system.body_q[:-1]), default=0.0)
    return max(1.0, far / system.length)


def first_row(checkpoint: Checkpoint, times: Floats, every: bool) -> Chunk:
    """The start of a run as a chunk: one row, or none where no output is due."""
    rows = slice(0, int(every or (len(times) > 0 and times[0] == checkpoint.t)))
    return chunk_of(Status.PAUSED, [checkpoint][rows], checkpoint)


def as_motion(
    system: System,
    pieces: list[Chunk],
    status: Status,
    checkpoint: Checkpoint,
    begun: Checkpoint,
    options: IntegrationOptions,
) -> Motion:
    """All chunks as one motion; the drift of every row and of the end is measured and decides about the status."""
    rows, c = OutputRows(**joined_rows(*pieces)), checkpoint
    with expected_work(_evaluation_size(system), c.evaluations + len(rows.t)):  # compiled if the run was
        off = drift(system, np.append(rows.t, c.t), np.vstack([rows.q, c.q]), np.vstack([rows.v, c.v]))
    status = checked_status(status, off, bounds_of(options, c.limit))
    return Motion(
        **rows_of(rows),
        system=system,
        status=status,
        position_drift=off.position,
        velocity_drift=off.velocity,
        checkpoint=checkpoint,
        start=begun,
    )
