"""A model in time: motion, drift, energy, and the way to its reactions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from reactio.dynamics.assemble import assembly, start
from reactio.dynamics.energy import energy
from reactio.dynamics.motion import Checkpoint, Chunk, Motion, integrate
from reactio.dynamics.trajectory import Trajectory
from reactio.errors import ReactioError
from reactio.model.specs import Model
from reactio.sharing import rule_of
from reactio.system.build import build
from reactio.system.types import State, System

MOST_ROWS = 2000  # rows or intervals at which the energy is looked at; more would take longer than the run


def simulate(
    model: Model | System,
    until: float,
    *,
    tol: float = 1e-9,
    rule: str | None = None,
    state: State | None = None,
    output: npt.ArrayLike | int | None = None,
    resume: Checkpoint | None = None,
    on_chunk: Callable[[Chunk], object] | None = None,
    chunk: int = 200,
) -> Trajectory:
    """The motion of a model until a time [s].

    ``tol`` bounds the error of a step; ``rule`` names the sharing rule for reactions that are not unique (they are
    masked without one); ``output`` is a number of evenly spaced rows or their times, every step when left out;
    ``resume`` goes on from the checkpoint of an earlier run with the identical result.  ``on_chunk`` sees every piece
    of ``chunk`` steps; a true answer, or Ctrl-C, ends the run there.

    >>> import reactio
    >>> run = reactio.simulate(reactio.load("double-four-bar"), until=1.0, output=3)
    >>> run.t.tolist(), run.status.name
    ([0.0, 0.5, 1.0], 'DONE')
    """
    system = model if isinstance(model, System) else build(model)
    if rule is not None:
        rule_of(rule)  # an unknown rule is an error now, not after the run
    if system.model.share_points:
        from reactio.dynamics.shared import simulate_shared

        if resume is not None:
            raise ReactioError("A run with shared points cannot be resumed; start it anew.")
        times = np.linspace(0.0, until, output) if isinstance(output, int) else output
        return simulate_shared(system, until, tol=tol, state=state, output=times)
    begin, notes = (resume, ()) if resume is not None else _start(system, state)
    times = np.linspace(begin.t, until, output) if isinstance(output, int) else output
    begun = time.perf_counter()
    motion = integrate(system, begin, until, tol=tol, output=times, on_chunk=on_chunk, chunk=chunk)
    wall = time.perf_counter() - begun
    return _trajectory(motion, rule, tol, until, wall, notes, _imbalance(motion, begin, tol))


def _start(system: System, state: State | None) -> tuple[State, tuple[str, ...]]:
    """Where the run begins, and a note when its velocities had to be changed."""
    given = system.state() if state is None else state
    if state is None:
        start(system)  # refuses poses that do not close
    found = assembly(system, given)
    if found.velocity_change > 1e-9 * max(1.0, float(np.abs(given.v).max(initial=0.0))):
        note = (
            f"Initial velocities violate the constraints; they were changed by up to {found.velocity_change:.3g} m/s."
        )
        return found.state, (note,)
    return found.state, ()


def _trajectory(
    motion: Motion, rule: str | None, tol: float, until: float, wall: float, notes: tuple[str, ...], imbalance: float
) -> Trajectory:
    return Trajectory(
        system=motion.system,
        t=motion.t,
        q=motion.q,
        v=motion.v,
        vdot=motion.vdot,
        lam=motion.lam,
        rule=rule,
        tol=tol,
        until=until,
        status=motion.status,
        position_drift=motion.position_drift,
        velocity_drift=motion.velocity_drift,
        energy_error=imbalance,
        wall_s=wall,
        checkpoint=motion.checkpoint,
        notes=notes,
    )


def _imbalance(motion: Motion, begin: State | Checkpoint, tol: float) -> float:
    """|T + V − E₀ − W| at the end (at all rows where no work is done), part of the largest kinetic energy.

    W is the work of drives, dampers and loads: their power at Gauss points of every step, which the integrator is asked
    for in a second run.
    """
    system = motion.system
    rows = np.unique(np.linspace(0, len(motion.t) - 1, min(len(motion.t), MOST_ROWS)).astype(int))
    found = [energy(system, float(motion.t[k]), motion.q[k], motion.v[k], motion.lam[k]) for k in rows]
    total = np.array([one.total for one in found])
    swing = max(max((one.kinetic for one in found), default=0.0), float(np.ptp(total)) if len(total) else 0.0, 1e-300)
    if len(rows) < 2:
        return 0.0
    if not any(one.power for one in found):
        return float(np.abs(total - total[0]).max() / swing)
    work = _work(system, begin, float(motion.t[0]), float(motion.t[-1]), motion.steps, tol)
    return abs(float(total[-1] - total[0]) - work) / max(swing, abs(work))


def _work(system: System, begin: State | Checkpoint, start: float, end: float, steps: int, tol: float) -> float:
    """∫ P dt by Gauss–Legendre quadrature with four points in each of about ``steps`` intervals [J]."""
    points, weights = np.polynomial.legendre.leggauss(4)
    edges = np.linspace(start, end, min(2 * steps, MOST_ROWS) + 1)
    half = 0.5 * np.diff(edges)[:, None]
    times = (edges[:-1, None] + half * (1 + points)).ravel()
    run = integrate(system, begin, end, tol=tol, output=times)
    power = [energy(system, *row).power for row in zip(run.t.tolist(), run.q, run.v, run.lam, strict=True)]
    return float((half * weights).ravel()[: len(power)] @ np.array(power))


def checked(run: Trajectory) -> Trajectory:
    """The run itself, or an error that says where and why it ended early."""
    if run.status.name in ("DONE", "PAUSED"):
        return run
    raise ReactioError(f"The run ended at t = {run.checkpoint.t:.6g} s of {run.until:g} s. {run.status.value}")


def joined(first: Trajectory, second: Trajectory) -> Trajectory:
    """Two runs, the second resumed from the first, as one."""
    keys = ("t", "q", "v", "vdot", "lam")
    parts: dict[str, Any] = {key: np.concatenate([getattr(first, key), getattr(second, key)]) for key in keys}
    return replace(
        second,
        **parts,
        position_drift=max(first.position_drift, second.position_drift),
        velocity_drift=max(first.velocity_drift, second.velocity_drift),
        energy_error=max(first.energy_error, second.energy_error),
        wall_s=first.wall_s + second.wall_s,
        notes=first.notes + second.notes,
    )
