"""Explicit steps in minimal coordinates along a branch on which C admits more velocities than finite motions have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.integrate.checkpoint import Checkpoint, Chunk, chunk_of
from reactio.integrate.dop853.run import LARGEST_GROWTH, LEAST_ERROR, LEAST_RATIO, ORDER, SAFETY
from reactio.integrate.dop853.step import STAGES, interpolant, interpolate
from reactio.integrate.dop853.work import by_stages, inside_by_stages
from reactio.integrate.dop853.workspace import StepWorkspace
from reactio.integrate.loop import END_GAP, REFUSED_STEP, SMALLEST_STEP, Task
from reactio.integrate.methods import Method, register
from reactio.integrate.status import Status
from reactio.linear.precision import SOLUTION
from reactio.singular.minimal.equations import refuse_friction
from reactio.singular.minimal.needed import BRANCH_NAME, SMALLEST_BRANCH_TOLERANCE
from reactio.singular.minimal.run import StageSlope, stage, stages
from reactio.singular.second_order.null_spaces import null_spaces
from reactio.singular.second_order.rigidity import forces_on_held_branch, real_motions
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

# Where still more motions become admissible, the smallest nonzero singular value σ of C passes through zero, and
# accelerations near such a pose are accurate to SIGMA_ROUNDING/σ² only.  Stages keep σ above SIGMA_AT_STAGES, and ends
# of steps above SIGMA_AT_ENDS, by other step sizes; where none does (the motion turns back or stays there) the step is
# accepted nevertheless, unless σ falls below SIGMA_LOST.
SIGMA_ROUNDING, SIGMA_LOST, SIGMA_AT_STAGES, SIGMA_AT_ENDS = 1e-17, 1e-6, 1e-4, 1e-3  # σ as a part of the largest
# Factors on the size of a step that comes too near to such a pose, in the order in which they are tried.
OTHER_STEP_FACTORS = (0.93, 0.86, 0.8, 0.74, 0.69, 1.1, 1.25, 1.5, 1.8, 2.2, 2.8, 1.0)


def advanced(system: System, workspace: StepWorkspace, checkpoint: Checkpoint, times: Floats, task: Task) -> Chunk:
    """Steps from a checkpoint, whose memory is the basis T, until the task is done or its steps are."""
    c, T = checkpoint, _basis(system, checkpoint)
    rows = list[Checkpoint]()
    for _ in range(task.steps):
        if c.t >= task.until:
            break
        slopes, end = _stepped(system, workspace, c, T, task)
        if slopes is None:
            return chunk_of(Status.NEAR_SINGULAR, rows, end)
        waiting = times[len(rows) :]
        inside = waiting[waiting < end.t] if not task.every else waiting[:0]
        if len(inside):
            rows += _rows_inside_step(system, workspace, c, T, slopes, end.t - c.t, inside)
        T = slopes[STAGES].T
        if task.every or (len(rows) < len(times) and times[len(rows)] <= end.t):
            rows.append(end)
        c = end
    return chunk_of(Status.DONE if c.t >= task.until else Status.PAUSED, rows, c)


def accelerated(system: System, state: State) -> Floats:
    """v̇ (n,) of a state on such a branch."""
    start = Checkpoint(state.t, state.q, state.v, 0 * state.v, np.zeros(system.m), 0.0)
    return stage(system, state, np.zeros(system.n), _basis(system, start)).vdot


def _basis(system: System, c: Checkpoint) -> Floats:
    """T (n, f) [metres] at a checkpoint.

    Models with friction in joints are refused here: inside a step the error would only make the step smaller.
    """
    refuse_friction(system)
    if c.memory_of == BRANCH_NAME:
        if len(c.memory) % system.n:
            raise c.memory_error(f"a multiple of {system.n}")
        return np.asarray(c.memory).reshape(system.n, -1)
    T = real_motions(system, State(c.t, c.q, c.v))
    if T is None:
        raise ReactioError(
            "The method 'branch' follows branches on which more motions are admissible than real; this state is on "
            "none. Use the method 'dop853'."
        )
    return T


def _stepped(
    system: System, workspace: StepWorkspace, c: Checkpoint, T: Floats, task: Task
) -> tuple[list[StageSlope] | None, Checkpoint]:
    """An accepted step: its stages and its end; None in place of stages where the step size became too small."""
    h, tries, others, tol = (
        task.step or min(c.h, task.longest),
        0,
        list[float](),
        max(task.tol, SMALLEST_BRANCH_TOLERANCE),
    )
    avoiding = True  # steps that come too near to another singularity, until all other step sizes were tried
    last_kept = null_spaces(system, State(c.t, c.q, c.v)).rank - 1
    while True:
        last = c.t + (1 + END_GAP) * h >= task.until
        h = task.until - c.t if last else h
        if h <= SMALLEST_STEP * max(abs(c.t), abs(task.until)):
            return None, replace(c, rejected=c.rejected + tries, h=h)
        try:
            slopes = stages(system, State(c.t, c.q, c.v), T, h)
            sigma = np.array([slope.sigma[last_kept] for slope in slopes])
            near = _too_near_singularity(sigma, last) and not task.step
            error = 0.0 if task.step else _error(system, workspace, c, slopes, h, tol)
        except (ReactioError, np.linalg.LinAlgError):
            tries, h = tries + 1, REFUSED_STEP * h
            continue
        if near and avoiding:
            others = others or [h * x for x in OTHER_STEP_FACTORS]
            tries, h, avoiding = tries + 1, others.pop(0), bool(others)
            continue
        if error * tol < h * SIGMA_ROUNDING / sigma[1:].min() ** 2:  # a smaller step has no smaller error
            error = min(error, 1.0)
        ratio = SAFETY * max(error, LEAST_ERROR) ** (-1 / ORDER)
        if error <= 1.0:
            break
        h, tries = h * max(LEAST_RATIO, ratio), tries + 1
    end = slopes[STAGES]
    q = advance(system, c.q, end.d)
    t = task.until if last else c.t + h
    c = replace(c, h=h * max(LEAST_RATIO, min(1.0 if tries else LARGEST_GROWTH, ratio)), steps=c.steps + 1)
    c = replace(c, rejected=c.rejected + tries, evaluations=c.evaluations + STAGES * (1 + tries))
    work = h * float(workspace.tableau.A[STAGES, :STAGES] @ [slope.power for slope in slopes[:STAGES]])
    return slopes, _checkpoint_at(system, c, t, q, end, work)


def _too_near_singularity(sigma: Floats, last: bool) -> bool:
    """Does a stage of a step, or its end, lie too near to a pose where still more motions become admissible?

    σ (13,): the smallest nonzero singular value at each stage; below SIGMA_LOST, an error.
    """
    if sigma[1:STAGES].min() < SIGMA_LOST:
        raise ReactioError("A pose where still more motions open is too near.")
    return bool(
        sigma[1 : STAGES - 1].min() < SIGMA_AT_STAGES or (sigma[STAGES] < min(SIGMA_AT_ENDS, sigma[0]) and not last)
    )


def _checkpoint_at(system: System, c: Checkpoint, t: float, q: Floats, slope: StageSlope, work: float) -> Checkpoint:
    """The checkpoint at the end of a step or at a row; λ is the finite part of the multipliers, of smallest norm.

    ``work`` [J] is that of drives and loads since the checkpoint c.
    """
    eqs = equations(system, State(t, q, slope.v))
    try:
        f = forces_on_held_branch(eqs, slope.vdot).f
    except ReactioError:  # in a pose where several branches meet; the motion is still smooth
        f = eqs.Q - eqs.M @ slope.vdot
    lam = np.linalg.lstsq(eqs.C.T.toarray(), f, rcond=SOLUTION)[0]
    end = replace(c, t=t, q=q, v=slope.v, vdot=slope.vdot, lam=lam).with_memory(BRANCH_NAME, slope.T.ravel())
    return replace(end, work=c.work + work, power=slope.power)


def _error(
    system: System, workspace: StepWorkspace, c: Checkpoint, slopes: list[StageSlope], h: float, tol: float
) -> float:
    """The estimated error in tolerances, e₅² / √(e₅² + 0.01 e₃²), of the components along T.

    The same estimate as that of reactio.integrate.dop853.step.
    """
    T, table, scale = slopes[STAGES - 1].T, workspace.tableau, workspace.projection.metric.scale

    def size(E: Floats) -> float:
        sizes = []
        for rates, unit in (([s.d_dot for s in slopes], scale), ([s.vdot for s in slopes], scale + np.abs(c.v))):
            change = h * (E[:STAGES] @ np.array(rates[:STAGES])) / scale
            sizes.append(float(np.abs(scale * (T @ (T.T @ change)) / unit).max()))
        return max(sizes) / tol

    e5, e3 = size(table.E5), size(table.E3)
    return e5 * e5 / float(np.hypot(e5, 0.1 * e3)) if e5 else 0.0


def _rows_inside_step(
    system: System,
    workspace: StepWorkspace,
    c: Checkpoint,
    T: Floats,
    slopes: list[StageSlope],
    h: float,
    times: Floats,
) -> list[Checkpoint]:
    """Rows inside a step by its dense output, projected on the constraints like its end."""
    s, p, now = workspace.s, workspace.projection.p, State(c.t, c.q, c.v)
    for i, slope in enumerate(stages(system, now, T, h, len(workspace.tableau.c), slopes)):
        s.D[i], s.V[i], s.P[i] = slope.d_dot, slope.vdot, slope.power
    s.v0[:], s.d[:], s.v[:] = c.v, slopes[STAGES].d, slopes[STAGES].v
    interpolant(s, workspace.tableau, h)
    by_stages(s, workspace.tableau, h, True)
    rows = []
    for t in times:
        x = (float(t) - c.t) / h
        interpolate(s, p, x)
        slope = stage(system, State(float(t), c.q, p.v.copy()), p.d.copy(), T)
        rows.append(_checkpoint_at(system, c, float(t), advance(system, c.q, slope.d), slope, inside_by_stages(s, x)))
    return rows


BRANCH = register(
    Method(
        name=BRANCH_NAME,
        order=ORDER,
        doc="Minimal coordinates of a branch with more admissible motions than real ones; chosen where it is needed.",
        cite="Masarati, Quro & Zanoni 2023, Eqs 4–13; Hairer, Nørsett & Wanner 1993, Sect. II.5",
        advance=advanced,
        past_singular_poses=True,
        forces=forces_on_held_branch,
        accelerates=accelerated,
    )
)
