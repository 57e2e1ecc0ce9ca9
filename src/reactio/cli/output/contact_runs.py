"""Runs with contacts in words, as tables and as data: overlap, energy, and the impulses at impacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reactio.catalogue.units import quantity, unit_name
from reactio.cli.output.numbers import number_text, rounded
from reactio.cli.output.printing import TABLE_ROWS, escape, plural, print_rest, remark, table
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.contact_motion.impact import ImpactRecord
    from reactio.reaction_bounds.intervals import Bound
    from reactio.simulation.contact_trajectory import ContactTrajectory
    from reactio.simulation.impulses import Impulse
    from reactio.simulation.trajectory import Trajectory

MOST_IMPACTS_SHOWN = 3  # in the table
MOST_IMPACTS_LISTED = 100  # in JSON: the range of every impulse is a linear programme of its own


def with_contacts(run: Trajectory) -> ContactTrajectory | None:
    """The same run where contacts may close and open along it."""
    if not run.contacts_change:
        return None
    from reactio.simulation.contact_trajectory import ContactTrajectory

    assert isinstance(run, ContactTrajectory)
    return run


def contact_words(run: ContactTrajectory) -> list[str]:
    """Sentences on contacts over a run: their deepest overlap, the energy, and which are closed at the end."""
    closed = ", ".join(run.closed_at_end) or "none"
    energy = run.energy.total
    return [
        f"Contacts: deepest overlap {quantity(max(0.0, run.penetration), 'm', 2)}; closed at the end: {closed}.",
        f"Energy: {energy[0]:.6g} J at the start, {energy[-1]:.6g} J at the end; largest growth "
        f"{run.energy_growth:.1e} J.",
        *run.solver_words,
    ]


def print_impulses(to: Console, run: ContactTrajectory) -> None:
    """Print the impulses of the first impacts, each with its verdict and its range."""
    if not run.impacts:
        return
    lines = [line for impact in run.impacts[:MOST_IMPACTS_SHOWN] for line in _lines(run, impact)]
    title = f"Impulses at {plural(len(run.impacts), 'impact')}"
    listing = table(title, ">t s", "name", "", ">impulse", "unit", ">range", "verdict")
    for impulse, bound in lines[:TABLE_ROWS]:
        value = rounded(impulse.value, 5, impulse.unit)
        ends = (
            "" if bound is None else " … ".join(number_text(x, 0.0, unit=impulse.unit) for x in (bound.low, bound.high))
        )
        names = (escape(impulse.name), escape(impulse.component))
        listing.add_row(f"{impulse.t:.9g}", *names, value, unit_name(impulse.unit), ends, escape(impulse.verdict))
    to.print(listing)
    print_rest(to, len(run.impacts) - MOST_IMPACTS_SHOWN, "--json lists them")
    if any(impulse.value is None for impulse, _ in lines[:TABLE_ROWS]):
        remark("– undetermined: the velocities after an impact are unique, the shares of the contacts are not.")
        remark("  --rule NAME distributes them and prints its name next to the number.")


def contact_data(run: ContactTrajectory) -> dict[str, Any]:
    """Overlap, energy and the first impacts with all their impulses as data; docs/json.md describes them."""
    from reactio.reaction_bounds.at_impact import impulses_with_ranges

    energy = run.energy.total
    impacts = [
        picked(impact, "t struck work")
        | {"impulses": [_data(run, *line) for line in impulses_with_ranges(run, impact)]}
        for impact in run.impacts[:MOST_IMPACTS_LISTED]
    ]
    return {
        "contacts": {
            "penetration": max(0.0, run.penetration),
            "closed": run.closed_at_end,
            "energy": {"start": energy[0], "end": energy[-1], "largest_growth": run.energy_growth},
            **run.solver_data,
            "impacts": len(run.impacts),
        },
        "impacts": impacts,
    }


def _data(run: ContactTrajectory, impulse: Impulse, bound: Bound | None) -> dict[str, Any]:
    """One impulse; None for an end of its range that nothing limits."""
    ends = None if bound is None else (bound.low, bound.high)
    rule = run.rule if impulse.verdict.startswith("by ") else None
    return {**picked(impulse, "name component unit value verdict"), "rule": rule, "range": ends}


def _lines(run: ContactTrajectory, impact: ImpactRecord) -> list[tuple[Impulse, Bound | None]]:
    """The components of an impact that are not known to be zero."""
    from reactio.reaction_bounds.at_impact import impulses_with_ranges

    every = impulses_with_ranges(run, impact)
    return [
        (impulse, bound)
        for impulse, bound in every
        if not impulse.component.startswith("|") and (impulse.value != 0.0 or bound)
    ]
