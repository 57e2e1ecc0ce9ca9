"""Tensions of springs, dampers and contacts that yield, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reactio.catalogue.units import unit_name
from reactio.cli.output.numbers import number_text
from reactio.cli.output.printing import escape, table

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.system.equations import Equations


def print_springs(out: Console, eqs: Equations, zero: float) -> None:
    """Print N of every spring, damper and contact that yields; sizes below ``zero`` are rounding."""
    from reactio.joint_reactions.springs import spring_tensions

    if tensions := spring_tensions(eqs):
        listing = table("Springs, dampers and contacts that yield", "name", f">tension {unit_name('N')}")
        for name, tension in tensions.items():
            listing.add_row(escape(name), number_text(tension, zero, unit="N"))
        out.print(listing)
