"""Collocation across a singular configuration that no integration step can cross.

Where a mechanism passes a singular configuration slowly, or turns back close to it, every step within the tolerance
has stages so near that rounding spoils their accelerations.  The motion itself is smooth.  Accelerations are evaluated
only at nodes away from the configuration; a polynomial is fitted to them by least squares, within Picard's iteration:

    v̇(t) ≈ Σ a_k T_k(x),    v(t) = v₀ + ∫ v̇ dt,    ḋ(t) ≈ Σ b_k T_k(x),    x = 2 (t − t₀)/H − 1
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Chunk, chunk_of
from reactio.integrate.loop import Task
from reactio.integrate.project_state import project_state
from reactio.integrate.projection.clearance import CLEAR, CLOSE
from reactio.integrate.projection.project import FINE, largest
from reactio.integrate.singular_passage.truncated_projection import project_truncated
from reactio.integrate.status import Status
from reactio.integrate.stepper import Stepper
from reactio.linear.precision import ROUNDOFF
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance, with_counted_turns
from reactio.system.evaluate.kernels import addresses_bound, evaluation_kernels
from reactio.system.types import State

# Lengths H of the interval in step sizes, tried in this order: polynomials fit a short motion best, and the longer ones
# are for steps that became short near the configuration.
SPANS_IN_STEPS = (3.0, 2.0, 4.0, 5.5, 7.5)
# Motion between samples of a polynomial [characteristic lengths, rad]: well beyond where accelerations are spoilt, and
# little against a turn.  Implicit steps, of lower order, are short for a polynomial of degree 13 and become shorter
# near the configuration: the time of this motion takes the place of their size.
SAMPLE_SPACING = 0.1
COLLOCATION_INTERVALS = 32  # between nodes: twice the coefficients, as nodes near the configuration are left out
COLLOCATION_DEGREES = (13, 11)  # of the polynomial of v̇; the difference of the two estimates the error of the first
SHORTEST_INTERVAL = ROUNDOFF  # [s] between two samples: shorter ones are rounding of the time
STEPS_BACK = (1, 0)  # steps from the last state away from the configuration back to where the interval starts
# Picard's iteration, which converges linearly, goes on as long as a sweep changes less than this part of what the one
# before did: the rest is then rounding, whatever the tolerance.  Changes may grow in the first sweeps, while
# nodes come to lie near the configuration or away from it.
STILL_CONVERGING, FIRST_PICARD_SWEEPS, MOST_PICARD_SWEEPS = 0.9, 10, 60
# Clearances from which on accelerations can be relied on, and projections and multipliers.
RELIABLE_ACCELERATIONS, RELIABLE_PROJECTION = CLEAR, CLOSE
# Error allowed of a state near a singular configuration [tolerances], estimated by the difference of two polynomials:
# that of some tens of ordinary steps.  The second is added for rounding of accelerations near the configuration.
LARGEST_PASSAGE_ERROR, COLLOCATION_ROUNDING = 30.0, 5e-10


@dataclass(frozen=True, slots=True, eq=False)
class CollocationStep:
    """The motion over an interval that contains a singular configuration, as Chebyshev polynomials in time."""

    stepper: Stepper
    start: Checkpoint
    span: float  # H [s]
    d: Floats  # (degree + 2, n) Chebyshev coefficients of the displacement since the start
    v: Floats  # (degree + 2, n) those of the velocities
    work: Floats  # (degree + 2,) those of the work of drives and loads since the start [J]
    evaluations: int

    @property
    def until(self) -> float:
        """The end [s]."""
        return self.start.t + self.span

    def power_at(self, x: float) -> float:
        """The power of drives and loads at a place −1 ≤ x ≤ 1 [W]."""
        return float(2 / self.span * np.polynomial.chebyshev.chebval(x, np.polynomial.chebyshev.chebder(self.work)))

    def at(self, t: float) -> Checkpoint:
        """The state at a time, projected; near the configuration by truncated projection."""
        stepper, c = self.stepper, self.start
        x = np.array([2 * (t - c.t) / self.span - 1])
        d, v, vdot = (
            _polynomial_values(part, x)[0]
            for part in (self.d, self.v, 2 / self.span * np.polynomial.chebyshev.chebder(self.v))
        )
        q = with_counted_turns(stepper.system, t, advance(stepper.system, c.q, d))
        fine, state = _projected(stepper, c, t, q, v, RELIABLE_PROJECTION)
        state = replace(state, vdot=vdot) if fine else truncated_state(stepper, state, t, q, v, vdot)
        state = replace(state, steps=c.steps + 1, rejected=c.rejected, evaluations=c.evaluations + self.evaluations)
        state = replace(state, t=t, h=c.h, redundant=c.redundant).without_memory()
        return replace(
            state, work=c.work + float(np.polynomial.chebyshev.chebval(x[0], self.work)), power=self.power_at(x[0])
        )


def truncated_state(stepper: Stepper, c: Checkpoint, t: float, q: Floats, v: Floats, vdot: Floats) -> Checkpoint:
    """A given state near a singular configuration after truncated projection, with its multipliers.

    λ balances Q − M v̇ as far as the well-resolved constraints can; the multipliers of drives follow from their power:

        −νᵀλ = vᵀ(M v̇ − Q)
    """
    system, lam = stepper.system, np.zeros(stepper.system.m)
    project_truncated(system, stepper.workspace.projection, t, (q, v, vdot), lam)
    eqs = equations(system, State(t, q, v))
    if eqs.nu.any() and not len(system.plan.friction.table):
        lam = lam - eqs.nu * float(eqs.nu @ lam + v @ (eqs.M @ vdot - eqs.Q)) / float(eqs.nu @ eqs.nu)
    return replace(c, t=t, q=with_counted_turns(system, t, q), v=v, vdot=vdot, lam=lam)


def collocate_across(
    stepper: Stepper, start: Checkpoint, times: Floats, task: Task, stopped: Checkpoint
) -> tuple[Chunk, CollocationStep] | None:
    """The chunk up to a state before the configuration where a run stopped, and the collocation step across it."""
    for before in _chunks_before_singularity(stepper, start, times, task, stopped.steps - start.steps):
        c = before.checkpoint
        h = max(c.h, sampling_interval(stepper, c, task.until)) if stepper.method.implicit(stopped) else c.h
        for span in SPANS_IN_STEPS:
            step = _collocation_step(stepper, c, span * h, task.tol)
            if step is not None:
                return before, step
    return None


def sampling_interval(stepper: Stepper, c: Checkpoint, until: float) -> float:
    """The time in which the mechanism moves by SAMPLE_SPACING [s], at most the time that is left."""
    scale = stepper.workspace.projection.metric.scale
    rate = float(max(largest(c.v, scale), np.sqrt(largest(c.vdot, scale))))
    return SAMPLE_SPACING / max(rate, SAMPLE_SPACING / max(until - c.t, SHORTEST_INTERVAL))


def _chunks_before_singularity(
    stepper: Stepper, start: Checkpoint, times: Floats, task: Task, steps: int
) -> Iterator[Chunk]:
    """Chunks that end in states away from the configuration, some steps before it; finally the start itself."""

    def piece(k: int) -> Chunk:
        return stepper.advance(start, times, task._replace(steps=k))

    def is_clear(k: int) -> bool:
        return piece(k).checkpoint.clearance >= CLEAR

    last, beside = max(steps - 1, 0), steps
    while last > 0 and not is_clear(last):
        last, beside = max(0, last - 2 * (steps - last)), last
    while beside - last > 1:
        middle = (last + beside) // 2
        last, beside = (middle, beside) if is_clear(middle) else (last, middle)
    for back in STEPS_BACK:
        if last - back > 0:
            yield piece(last - back)
    yield chunk_of(Status.PAUSED, [], start)


def _collocation_step(stepper: Stepper, c: Checkpoint, span: float, tol: float) -> CollocationStep | None:
    """The motion from a state over a span [s]; None where polynomials of two degrees lead to different states.

    Their ends are compared as they are used, projected: that removes most of the rounding in the polynomials.
    """
    steps = []
    for degree in COLLOCATION_DEGREES:
        step = _picard(stepper, c, span, degree, LARGEST_PASSAGE_ERROR * tol + COLLOCATION_ROUNDING)
        if step is None:
            return None
        steps.append(step)
    off = difference(stepper, *(step.at(step.until) for step in steps))
    return steps[0] if off <= LARGEST_PASSAGE_ERROR * tol + COLLOCATION_ROUNDING else None


def difference(stepper: Stepper, a: Checkpoint, b: Checkpoint) -> float:
    """The difference of two states at one time: of positions [characteristic lengths, rad] or relative velocities."""
    unit = stepper.workspace.projection.metric.scale
    dt = 1.0 / (1.0 + largest(a.v, unit))
    moved = float(np.abs(a.q - b.q).max(initial=0.0)) / min(1.0, stepper.system.length)
    return max(moved, dt * float(largest(a.v - b.v, unit)))


def _picard(stepper: Stepper, c: Checkpoint, span: float, degree: int, enough: float) -> CollocationStep | None:
    """Polynomials of one degree by Picard's iteration, as far as rounding lets it converge.

    None where accelerations still change by more than ``enough`` / H, and where all nodes are away from singular
    configurations: the interval then ends before the one that is to be crossed.
    """
    system, scale = stepper.system, stepper.workspace.projection.metric.scale
    x = -np.cos(np.pi * np.arange(COLLOCATION_INTERVALS + 1) / COLLOCATION_INTERVALS)
    t, clear = c.t + 0.5 * span * (x + 1), np.ones(COLLOCATION_INTERVALS + 1, dtype=bool)
    rates = np.tile(np.concatenate([c.v, c.vdot]), (COLLOCATION_INTERVALS + 1, 1))
    rates[:, : system.n] += np.outer(t - c.t, c.vdot)
    before, most = np.inf, enough * (1 + largest(c.v, scale))
    for sweep in range(MOST_PICARD_SWEEPS):
        if clear.sum() < degree + 4 or not clear[-1]:
            return None
        y = np.asarray(
            np.polynomial.chebyshev.chebint(np.polynomial.chebyshev.chebfit(x[clear], rates[clear], degree), lbnd=-1),
            dtype=float,
        )
        d, v = np.split(0.5 * span * y, 2, axis=1)
        v[0] += c.v
        new = [
            _rates(stepper, c, *state)
            for state in zip(t.tolist(), _polynomial_values(d, x), _polynomial_values(v, x), strict=True)
        ]
        clear, after, power = (np.array(part) for part in zip(*new, strict=True))
        moved = np.abs((after - rates)[clear] / np.tile(scale, 2)).max(initial=0.0) * span
        rates = after
        if not np.isfinite(moved):
            return None
        if moved >= STILL_CONVERGING * before and (min(moved, before) <= most or sweep > FIRST_PICARD_SWEEPS):
            break
        before = moved
    if not (min(moved, before) <= most and clear[-1]) or clear.all():
        return None
    powers = np.polynomial.chebyshev.chebfit(x[clear], 0.5 * span * power[clear], degree)
    work = np.asarray(np.polynomial.chebyshev.chebint(powers, lbnd=-1), dtype=float)
    return CollocationStep(stepper, c, span, d, v, work, (sweep + 1) * COLLOCATION_INTERVALS)


def _polynomial_values(coefficients: Any, x: Floats) -> Floats:
    """Polynomials by their Chebyshev coefficients (degree + 1, n) at some places (k,): (k, n)."""
    return np.ascontiguousarray(np.polynomial.chebyshev.chebval(x, coefficients).T, dtype=float)


def _rates(stepper: Stepper, c: Checkpoint, t: float, d: Floats, v: Floats) -> tuple[bool, Floats, float]:
    """Whether a state at a displacement d with velocities v is away from singular configurations, (ḋ, v̇), and P."""
    system, rate = stepper.system, np.zeros(stepper.system.n)
    fine, state = _projected(stepper, c, t, advance(system, c.q, d), v, RELIABLE_ACCELERATIONS)
    with addresses_bound(system):
        evaluation_kernels(system)["displacement_rates"](system.plan, d, v, rate)
    return fine, np.concatenate([rate, state.vdot]), state.power


def _projected(
    stepper: Stepper, c: Checkpoint, t: float, q: Floats, v: Floats, reliable: float
) -> tuple[bool, Checkpoint]:
    """A projected state with its accelerations, and whether its clearance is one from which on it can be relied on."""
    reason, state = project_state(stepper.system, stepper.workspace, c, float(t), q, v)
    return reason == FINE and state.clearance >= reliable, state
