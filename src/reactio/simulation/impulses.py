"""Impulses at impacts: reactions too, unique or not, with the same verdicts and sharing rules as forces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reactio.contact_motion.impact import ImpactRecord
from reactio.forward_dynamics.accelerate import Accelerations
from reactio.joint_reactions.component_history import component_history
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.judge import JudgedState
from reactio.linear.precision import ROUNDOFF
from reactio.simulation.contact_trajectory import ContactTrajectory
from reactio.system.equations import equations
from reactio.system.types import State
from reactio.uniqueness import Verdict

IMPULSE_UNITS = {"N": "N s", "N m": "N m s"}


@dataclass(frozen=True, slots=True)
class Impulse:
    """The impulse of a contact or joint at an impact: one component, or the magnitude |F|, |M| of several."""

    t: float  # [s]
    name: str
    component: str
    unit: str
    value: float | None  # None where it is not unique and no rule was named
    unique: bool  # does the rank of C determine it?
    verdict: str  # "unique", "not unique", or the rule that the number follows: "by inertia"


def impulse_reactions(run: ContactTrajectory, impact: ImpactRecord) -> Reactions | None:
    """All impulses of an impact as reactions [N s, N m s]: Cᵀ Λ = f for joints, drives and contacts that may bear it.

    None where nothing bears it, as rounding alone moved the bodies.  The rule of the run shares impulses that C leaves
    undetermined, with Λ ≥ 0 in contacts; without a rule they are NaN.
    """
    system = run.contacts.with_closed(impact.closed)
    if not system.m:
        return None
    eqs = equations(system, State(impact.t, impact.q, impact.v))
    n = system.n
    motion = Accelerations(impact.v_after - impact.v, impact.f, impact.rounding, np.zeros((n, 0)), ())
    if impact.shares is not None and run.shares_by_steps:
        groups = [run.system.group(name) for name in system.group_index]
        Lam = np.concatenate([impact.shares[group.start : group.stop] for group in groups])
        return Reactions(eqs, motion, eqs.solvability, run.rule, Lam)
    return JudgedState(eqs, eqs.solvability, motion).reactions(run.rule)


def impulses_of(run: ContactTrajectory, impact: ImpactRecord) -> Iterator[Impulse]:
    """The impulses of an impact by component, and their magnitudes."""
    reactions = impulse_reactions(run, impact)
    if reactions is None:
        return
    system = reactions.eqs.system
    tables = {
        group.name: component_history(system, group.name, [reactions]).with_magnitudes() for group in system.reacting
    }
    largest = max((float(np.nanmax(np.abs(table.values), initial=0.0)) for table in tables.values()), default=0.0)
    for name, table in tables.items():
        for label, unit, value, known in zip(table.labels, table.units, table.values[0], table.known[0], strict=True):
            number = None if np.isnan(value) else 0.0 if abs(value) <= ROUNDOFF * largest else float(value)
            verdict = Verdict.UNIQUE if known else f"by {run.rule}" if run.rule else Verdict.NOT
            yield Impulse(impact.t, name, label, IMPULSE_UNITS[unit], number, bool(known), str(verdict))
