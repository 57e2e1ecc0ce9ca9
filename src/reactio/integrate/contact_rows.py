"""Refusal of rows that can only push: an integrator would hold them as if they could pull as well."""

from __future__ import annotations

from reactio.constraint_matrix import Group
from reactio.contacts import CONTACTS
from reactio.errors import ReactioError, listed
from reactio.system.types import System


def refuse_unilateral_rows(system: System) -> None:
    """Refuse a system with rows that can only push: closed contacts, or joints of that kind."""
    refuse_slack_parts(system)
    if system.open_contacts:
        raise ReactioError(
            f"contact {listed([repr(name) for name in system.open_contacts], most=8)} is open at the given pose and "
            "may close in motion, which this system cannot follow; `reactio simulate` does (in Python "
            "simulate(model, …), given the model, not a System)."
        )
    if pushing := system.tables[0].unilateral_groups:
        names = listed([group.name for group in pushing])
        if {group.type for group in pushing} <= {"cable", "strut"}:
            raise ReactioError(
                f"{names} can only pull or only push, and may become slack or taut as they move. `reactio simulate` "
                f"computes that motion and its reactions (in Python simulate(model, …), given the model, not a "
                f"System). "
                "Other commands judge cables and struts at the start: leave out the time."
            )
        raise ReactioError(
            f"{names} can only push, and may open and close as they move. `reactio simulate` follows those under "
            f"`contacts:`{_kinds(pushing)} and their reactions (in Python simulate(model, …), given the model, not a "
            "System); a run cannot include those under `joints:`. Other commands judge contacts at the start: leave "
            "out the "
            "time."
        )


def refuse_slack_parts(system: System) -> None:
    """Refuse a system without the parts that bear nothing at the given pose, and may begin to as it moves."""
    if system.slack_parts:
        raise ReactioError(
            f"{listed(list(system.slack_parts))} is slack at the given pose and may become taut in motion: this "
            "system cannot follow that. `reactio simulate` follows cables and struts, and contacts under `contacts:` "
            "(in Python simulate(model, …), given the model, not a System)."
        )


def _kinds(pushing: tuple[Group, ...]) -> str:
    """The kinds of contacts that these joints are when closed."""
    types = {group.type for group in pushing}
    kinds = [kind.name for kind in CONTACTS.values() if types & {kind.joint, kind.rough}]
    return f" (type: {' or '.join(kinds)})" if kinds else ""
