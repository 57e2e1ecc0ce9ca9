"""``reactio engage``: the order in which parts begin to carry load as a load, a temperature or a position grows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.units import in_units, quantity, unit_name
from reactio.cli.arguments.options import AsJson, Settings, Source
from reactio.cli.arguments.quantities import amount
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.printing import console, escape, plural, print_json, table

if TYPE_CHECKING:
    from reactio.flexibility.engagement import Engagement

LAST_SHOWN = 12  # joints in the table of forces


def engage(
    source: Source,
    settings: Settings = None,
    load: Annotated[
        str,
        typer.Option(
            "--load",
            metavar="NAME",
            help="The load that grows: a force or torque of the model, `weight`, `temperature` or "
            "`rod.temperature`, the "
            "position of a drive, or a seat such as `hinge2.z`.",
        ),
    ] = "weight",
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="SIZE",
            help="Its final size, 5kN, 80K, 0.2mm, or 300 in the units of the file (default: as in the model).",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Plot the forces over the load: .png, .svg or .pdf.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the order in which parts begin to carry load as a load, a temperature or a position grows.

    Parts with `play`, contacts, cables and struts carry load once their gap is closed. Stiffness comes from the model.

      reactio engage bolt-group --load pull --to 20kN
    """
    from reactio.flexibility.engagement import engagement, growing_quantity

    if plot is not None:
        from reactio.drawing.painter import matplotlib
        from reactio.drawing.plots.style import checked

        matplotlib()
        checked(plot)
    model = read_source(source, settings)
    largest = None if to is None else _final_size(to, growing_quantity(model, load).unit)
    history = engagement(model, load, largest)
    if plot is not None:
        _plot(history, plot)
    if as_json:
        print_json(history.as_data())
        return
    _print(history)
    if plot is not None:
        console().print(f"Plotted to {escape(str(plot))}.")


def _final_size(text: str, unit: str) -> float:
    return amount(text, unit, "--to", "" if unit else "parts of the weight")


def _print(history: Engagement) -> None:
    out = console()
    largest = history.loads[-1] if len(history.loads) else 0.0
    out.print(
        f"[bold]{escape(history.model)}[/]: {escape(history.load)} from 0 to {quantity(largest, history.unit, 5)}; "
        f"{plural(len(history.events), 'event')}."
    )
    out.print(f"Carrying load at the start: {escape(', '.join(history.bears_at_start)) or 'none'}.")
    if history.events:
        listing = table(
            "Events", f">{history.load} {unit_name(history.unit)}".strip(), "begin to carry load", "cease to carry load"
        )
        for event in history.events:
            listing.add_row(
                f"{in_units(event.load, history.unit):.6g}",
                escape(", ".join(event.begins)),
                escape(", ".join(event.ceases)),
            )
        out.print(listing)
    last = sorted(((sizes[-1], name) for name, sizes in history.forces.items() if len(sizes)), reverse=True)
    listing = table("At the largest load", "name", f">force {unit_name('N')}")
    for size, name in last[:LAST_SHOWN]:
        listing.add_row(escape(name), f"{in_units(size, 'N'):.5g}" if size > 1e-9 * last[0][0] else "idle")
    out.print(listing)


def _plot(history: Engagement, path: Path) -> None:
    from reactio.drawing.plots.panels import Curve, Panel, draw

    loads = in_units(history.loads, history.unit)
    curves = [Curve(name, loads, in_units(sizes, "N")) for name, sizes in history.forces.items()]
    x = f"{history.load} [{unit_name(history.unit)}]" if history.unit else f"part of the {history.load}"
    draw(path, [Panel(history.model, f"force [{unit_name('N')}]", curves, x)])
