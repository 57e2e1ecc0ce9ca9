"""Impulses at an impact with the range of each over all shares in which contacts only push."""

from __future__ import annotations

from dataclasses import replace

from reactio.contact_motion.impact import ImpactRecord
from reactio.forward_dynamics.contact import ContactLost
from reactio.reaction_bounds.intervals import Bound, bounded
from reactio.simulation.contact_trajectory import ContactTrajectory
from reactio.simulation.impulses import Impulse, impulse_reactions, impulses_of


def impulses_with_ranges(run: ContactTrajectory, impact: ImpactRecord) -> list[tuple[Impulse, Bound | None]]:
    """The impulses of an impact; those that are not unique by rank with their ranges [N s, N m s].

    A range without width makes an impulse unique by signs.
    """
    impulses = list(impulses_of(run, impact))
    ranges = {} if all(impulse.unique for impulse in impulses) else _ranges(run, impact)
    judged: list[tuple[Impulse, Bound | None]] = []
    for impulse in impulses:
        bound = None if impulse.unique else ranges.get(impulse.name, {}).get(impulse.component)
        if bound is not None and bound.unique:
            impulse, bound = replace(impulse, value=bound.low, unique=True, verdict="unique by signs"), None
        judged.append((impulse, bound))
    return judged


def _ranges(run: ContactTrajectory, impact: ImpactRecord) -> dict[str, dict[str, Bound]]:
    """By contact or joint and component; empty where contacts slip: friction at its limit fills no cone."""
    reactions = impulse_reactions(run, impact)
    if reactions is None:
        return {}
    try:
        bounds = bounded(reactions.eqs, reactions.answer, reactions.motion)
    except ContactLost:
        return {}
    return {name: dict(bounds[name]) for name in bounds}
