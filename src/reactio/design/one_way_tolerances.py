"""Tolerances of machines whose parts have play or act one way only: machines with random deviations, each solved.

The split is not linear in misfits once parts begin or cease to bear.  It is linear up to the problem of the gaps:
λ_closed(δ) = λ + S δ with all gaps closed, and the gap problem has δ in its forces w₀ alone.  So thousands of machines
take little time.  Deviations are uniform within ± their tolerances; in addition the machines are solved at which the
linear answer of every component is least and largest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.errors import ReactioError
from reactio.flexibility.instant import Instant
from reactio.linear.convex.gap_sets import NotBalanced
from reactio.linear.precision import ROUNDOFF
from reactio.sharing.gaps import IDLE_FORCE, GapScaling, GapSolution, scaled_gaps

MACHINES = 1000  # with random deviations: a probability is known to ± 0.03 then (95 %)
MACHINE_SEED = 1


@dataclass(frozen=True, eq=False)
class Deviating:
    """Multipliers of machines with deviations."""

    lam: Floats  # (machines, m) of machines with random deviations
    corners: Floats  # (corners, m) of those at the worst of the linear answer
    unloaded: Floats  # (machines + corners, m) without any load: the forces that assembly needs
    idle: Mapping[str, float]  # joint → probability that it bears nothing
    failed: int  # machines that nothing holds


def deviating(here: Instant, solution: GapSolution, delta: Floats, machines: int = MACHINES) -> Deviating:
    """Machines with deviations within ± ``delta`` (m, k): the misfits of every tolerance in the rows."""
    whole = here.whole
    S = -whole.relax(delta + whole.tightened(delta))
    random = np.random.default_rng(MACHINE_SEED).uniform(-1.0, 1.0, (machines, delta.shape[1]))
    worst = np.unique(np.sign(S), axis=0)
    worst = worst[worst.any(axis=1)]
    every = np.concatenate([random, worst, -worst])
    scaled = scaled_gaps(whole, solution.gaps, whole.linear)
    rounding = ROUNDOFF * float(np.abs(whole.linear).max(initial=0.0))
    lam, failed = _machines(scaled, whole.linear, S, every, rounding)
    _refuse_lifted_friction(here, lam)
    unloaded, _ = _machines(scaled, whole.unloaded, S, every, rounding)
    lost = int(failed[:machines].sum())
    sampled = lam[: machines - lost]
    return Deviating(sampled, lam[len(sampled) :], unloaded, dict(_idle(here, solution, sampled)), lost)


def _refuse_lifted_friction(here: Instant, lam: Floats) -> None:
    """An error where a contact that sticks lifts off in some machine: its friction would have to be solved anew."""
    for group in here.eqs.constraints.rows.unilateral_groups:
        pushes = lam[:, group.start] > IDLE_FORCE * np.abs(lam).max(axis=1, initial=0.0)
        if group.stop - group.start > 1 and not pushes.all():
            raise ReactioError(
                f"'{group.name}' sticks by friction and lifts off within these tolerances: what the others hold then "
                "depends on the order in which the feet touch. Leave friction out, or give smaller tolerances."
            )


def _machines(
    scaled: GapScaling, linear: Floats, S: Floats, deviations: Floats, rounding: float
) -> tuple[Floats, Bools]:
    """(machines, m) multipliers, those that nothing holds left out, and (machines,) which of them these are."""
    found, failed = [], np.zeros(len(deviations), dtype=bool)
    for k, x in enumerate(deviations):
        closed = linear + S @ x
        problem, unit = scaled.problem(closed, np.zeros(len(closed)))
        try:
            forces = problem.solve()
        except NotBalanced:
            failed[k] = True
            continue
        found.append(closed - scaled.relaxed @ (unit * forces.s / scaled.factor))
    lam = np.array(found).reshape(-1, len(linear))
    size = np.maximum(rounding, ROUNDOFF * np.abs(lam).max(axis=1, initial=0.0))
    return np.where(np.abs(lam) > size[:, None], lam, 0.0), failed


def _idle(here: Instant, solution: GapSolution, lam: Floats) -> Iterator[tuple[str, float]]:
    """The probability that each part with a gap bears nothing."""
    if not len(lam):
        return
    size = IDLE_FORCE * np.abs(lam).max(axis=1)
    for name in dict.fromkeys(gap.name for gap in solution.gaps):
        group = here.eqs.system.group(name)
        yield name, float((np.abs(lam[:, group.start : group.stop]).max(axis=1) <= size).mean())
