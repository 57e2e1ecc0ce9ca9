"""Rows that can only push, held by an integrator, would pull as well."""

from __future__ import annotations

from reactio.errors import ReactioError
from reactio.system.types import System


def refuse_pushing(system: System) -> None:
    """Refuse a system whose closed contacts would be held as if they could pull."""
    if pushing := [group.name for group in system.groups if any(group.pushes)]:
        raise ReactioError(
            f"{', '.join(pushing[:5])}{' …' if len(pushing) > 5 else ''} can only push, and may open and close on the "
            "way. `reactio simulate` follows that and has the reactions along it (in Python simulate(model, …), "
            "given the model itself); other commands judge contacts at the start: leave out the time."
        )
