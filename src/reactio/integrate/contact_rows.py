"""Refusal of rows that can only push: an integrator would hold them as if they could pull as well."""

from __future__ import annotations

from reactio.contacts import CONTACTS
from reactio.errors import ReactioError, listed
from reactio.system.types import RowGroup, System

MOST_NAMED = 5  # contacts or joints that a sentence names


def refuse_unilateral_rows(system: System) -> None:
    """Refuse a system with rows that can only push: closed contacts, or joints of that kind."""
    if pushing := [group for group in system.groups if any(group.unilateral)]:
        raise ReactioError(
            f"{listed([group.name for group in pushing], MOST_NAMED)} can only push, and may open and close on the "
            f"way. What stands under `contacts:`{_kinds(pushing)} is followed by `reactio simulate`, with the "
            "reactions along it (in Python simulate(model, …), given the model itself and no System); among `joints:` "
            "it is held by no run. Other commands judge contacts at the start: leave out the time."
        )


def _kinds(pushing: list[RowGroup]) -> str:
    """The kinds of contacts that these joints are when closed."""
    types = {group.type for group in pushing}
    kinds = [kind.name for kind in CONTACTS.values() if types & {kind.joint, kind.rough}]
    return f" (type: {' or '.join(kinds)})" if kinds else ""
