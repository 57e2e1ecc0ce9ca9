"""``reactio bearings``: kinds of bearings with their formulas and sources."""

from __future__ import annotations

from reactio.cli.arguments.options import AsJson
from reactio.cli.output.printing import console, escape, print_json, table
from reactio.results.as_data import picked


def bearings(as_json: AsJson = False) -> None:
    """List the kinds of bearings with their formulas.

    `bearing: {type: …}` on a joint derives its stiffness from its geometry; `stiffness` and `play` of the joint take
    precedence. No manufacturer's table is used.

    Example: reactio bearings
    """
    from reactio.bearings import BEARINGS

    if as_json:
        keys = "name doc geometry approach=contact.formula life_exponent"
        listed = [
            picked(kind, keys)
            | {"clearance_classes": kind.clearance.classes if kind.clearance else (), "cite": kind.cite}
            for kind in BEARINGS.values()
        ]
        print_json({"schema": "reactio.bearings/1", "bearings": listed})
        return
    out = console()
    listing = table("Bearings", "type", "geometry", "approach of the rings, mm and N", ">life p", "classes")
    for kind in BEARINGS.values():
        listing.add_row(
            kind.name,
            ", ".join(kind.geometry) or "–",
            escape(kind.contact.formula) if kind.contact else "rigid",
            f"{kind.life_exponent:.3g}" if kind.life_exponent else "–",
            " ".join(kind.clearance.classes) if kind.clearance else "–",
        )
    out.print(listing)
    for kind in BEARINGS.values():
        out.print(f"[bold]{kind.name}[/bold]  {escape(kind.doc)}")
    out.print(
        "Radial: Q = 5 F/(i Z cos α), δ = approach/cos α. Axial: Q = F/(i Z sin α), δ = approach/sin α. Q: load of "
        "the most heavily loaded element, Z elements of diameter Dw and effective length l in i `rows` under the "
        "contact "
        "`angle` α (Palmgren 1959; Harris 2001)."
    )
    out.print(
        "Life (ISO 281): L10 = (C/P)^p million revolutions, P = X F_r + Y F_a. Static safety (ISO 76): C0/P0, P0 = "
        "max(F_r, X0 F_r + Y0 F_a). Clearance classes (ISO 5753-1) by `bore`, on the diameter; the mean of the class "
        "counts. `reactio envelope` prints life and safety."
    )
