"""Bounds along a motion on which contacts close and open: those of the contacts that are closed at an instant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reactio.errors import ReactioError
from reactio.integrate.status import Status
from reactio.joint_reactions.judge import refuse_unconstrained
from reactio.model.model import Model
from reactio.reaction_bounds.intervals import Bound, ReactionBounds, bounded
from reactio.reaction_bounds.limits import ranges
from reactio.simulation.contact_trajectory import ContactTrajectory
from reactio.simulation.simulate import simulate
from reactio.system.constraints import components
from reactio.system.equations import equations
from reactio.system.types import State, System


def bounds_with_contacts(
    model: Model,
    times: Sequence[float],
    capacity: Mapping[str, Mapping[str, float]] | None = None,
    known: Mapping[str, tuple[float, float]] | None = None,
) -> Iterator[ReactionBounds]:
    """The bounds at each of the given times [s], which increase; those of open contacts are zero.

    Impacts have impulses and no forces: at the time of one the bounds are those after it.
    """
    _refuse_friction(model)
    run = simulate(model, times[-1], output=np.array(times))
    if run.status is not Status.DONE:
        raise ReactioError(f"The motion cannot be followed beyond t = {run.t[-1]:.6g} s. {run.status.value}")
    if not isinstance(run, ContactTrajectory):
        refuse_unconstrained(run.system)
        raise ReactioError(
            f"Every contact of '{model.name}' yields: in a motion these are forces, no reactions. Leave out their "
            "stiffness, or ask for the bounds at the start, where such contacts are closed."
        )
    for t in times:
        row = int(np.searchsorted(run.t, t, side="right")) - 1
        last = row == len(run.t) - 1
        reactions = run.last_reactions if last else run.reactions_at(row)
        apart = _open(run.system, run.final if last else run.state(row), reactions.eqs.system)
        if not reactions.eqs.system.m:
            yield ReactionBounds(reactions.eqs, apart, True, np.inf, (), None, ())
            continue
        given = ranges(reactions.eqs, known or {})
        of_closed = bounded(reactions.eqs, reactions.answer, reactions.motion, capacity, given)
        every = {group.name: apart.get(group.name) or of_closed[group.name] for group in run.system.reacting}
        yield replace(of_closed, found=every)


def _refuse_friction(model: Model) -> None:
    """An error where contacts have friction: its cone bounds forces only as long as they do not slip."""
    rough = [contact.name for contact in model.contacts if contact.parameters.get("friction")]
    if rough:
        raise ReactioError(
            f"contact '{rough[0]}' has friction: bounds are known of contacts that stick, not along a motion. "
            "Leave out the time; `reactio simulate --method moreau` follows the motion with one split of its forces."
        )


def _open(with_contacts: System, state: State, closed: System) -> dict[str, dict[str, Bound]]:
    """Bounds of the contacts that are open: no force, and known to be none."""
    eqs, bounds = equations(with_contacts, state), {}
    for group in with_contacts.reacting:
        if group.name not in closed.group_index:
            table = components(eqs, group)
            none = {
                label: Bound(0.0, 0.0, unit, unique=True, by_rank=False, limited_by=(), is_open=True)
                for label, unit in zip(table.labels, table.units, strict=True)
            }
            bounds[group.name] = none
    return bounds
