"""Tolerances of machines whose parts have play or act one way only: machines with random deviations, each solved.

The split is not linear in misfits once parts begin or cease to bear.  It is linear up to the problem of the gaps:
λ_closed(δ) = λ + S δ with all gaps closed, and the gap problem has δ in its forces w₀ alone.  So thousands of machines
take little time.  Deviations are uniform within ± their tolerances; in addition the machines are solved at which the
linear answer of every component is least and largest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.errors import ReactioError
from reactio.flexibility.instant import Instant
from reactio.linear.convex.gap_sets import VIOLATION, NotBalanced
from reactio.linear.precision import ROUNDOFF
from reactio.sharing.gaps import GapScaling, GapSolution, scaled_gaps
from reactio.sharing.problem import IDLE_FORCE

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


def deviating(now: Instant, solution: GapSolution, delta: Floats, machines: int = MACHINES) -> Deviating:
    """Machines with deviations within ± ``delta`` (m, k): the misfits of every tolerance in the rows."""
    loaded_machine, alone = now.whole, now.whole.unloaded
    random = np.random.default_rng(MACHINE_SEED).uniform(-1.0, 1.0, (machines, delta.shape[1]))
    S = -alone.relax(delta)
    worst = np.unique(np.sign(S), axis=0)
    worst = worst[worst.any(axis=1)]
    closed = np.concatenate([random, worst, -worst]) @ S.T
    rounding = ROUNDOFF * float(np.abs(loaded_machine.linear).max(initial=0.0))
    without = _machines(scaled_gaps(alone, solution.gaps, alone.linear), alone.linear + closed, rounding)
    # Gaps that are open without load change how far preloaded joints are tightened, here and in the given machine.
    turned = -loaded_machine.relax(alone.kept(without.opened.T)).T
    given = loaded_machine.linear + loaded_machine.relax(loaded_machine.preload_misfits - alone.preload_misfits)
    loaded = _machines(
        scaled_gaps(loaded_machine, solution.gaps, loaded_machine.linear), given + closed + turned, rounding
    )
    failed = without.failed | loaded.failed
    lam, lost = loaded.lam[~failed], int(failed[:machines].sum())
    _refuse_lifted_friction(now, lam)
    sampled = lam[: machines - lost]
    unloaded = without.lam[~without.failed]
    return Deviating(sampled, lam[len(sampled) :], unloaded, dict(_idle(now, solution, sampled)), lost)


def _refuse_lifted_friction(now: Instant, lam: Floats) -> None:
    """An error where a contact that sticks lifts off in some machine: its friction would have to be solved anew."""
    for group in now.eqs.constraints.rows.unilateral_groups:
        pushes = lam[:, group.start] > IDLE_FORCE * np.abs(lam).max(axis=1, initial=0.0)
        if group.stop - group.start > 1 and not pushes.all():
            raise ReactioError(
                f"'{group.name}' sticks by friction and lifts off within these tolerances: the load on the others "
                f"then depends on the order in which the feet touch. Leave friction out, or give smaller tolerances."
            )


class _Solved(NamedTuple):
    """Machines whose gaps are solved."""

    lam: Floats  # (machines, m) multipliers, zero where nothing holds
    opened: Floats  # (machines, m) Aᵀs of their gaps
    failed: Bools  # (machines,) does nothing hold it?


def _machines(scaled: GapScaling, closed: Floats, rounding: float) -> _Solved:
    """Machines with multipliers (machines, m) of closed gaps."""
    table, failed = scaled.table, np.zeros(len(closed), dtype=bool)
    s = np.zeros((len(closed), len(table.owner)))
    for k, linear in enumerate(closed):
        problem, unit = scaled.problem(linear, np.zeros(len(linear)))
        try:
            s[k] = unit * scaled.forces(problem).s / scaled.factor
        except NotBalanced:
            failed[k] = True
    lam = np.where(failed[:, None], 0.0, closed - s @ scaled.relaxed.T)
    size = np.maximum(rounding, VIOLATION * np.abs(closed).max(axis=1, initial=0.0))  # to which s cancels them
    return _Solved(np.where(np.abs(lam) > size[:, None], lam, 0.0), s @ table.A, failed)


def _idle(now: Instant, solution: GapSolution, lam: Floats) -> Iterator[tuple[str, float]]:
    """The probability that each part with a gap bears nothing."""
    if not len(lam):
        return
    size = IDLE_FORCE * np.abs(lam).max(axis=1)
    for name in dict.fromkeys(gap.name for gap in solution.gaps):
        group = now.eqs.system.group(name)
        yield name, float((np.abs(lam[:, group.start : group.stop]).max(axis=1) <= size).mean())
