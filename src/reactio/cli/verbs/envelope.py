"""``reactio envelope``: the extreme loads of every joint over a motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import unit_name
from reactio.cli.arguments.options import AsJson, InAxes, Rule, Settings, Source, finite
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.basis import print_turning_axes
from reactio.cli.output.numbers import rounded
from reactio.cli.output.printing import COMPONENT_ROWS, console, escape, print_json, print_rest, table, wrote

if TYPE_CHECKING:
    from reactio.design.envelope import Envelope


def envelope(
    source: Source,
    until: Annotated[float, typer.Option(callback=finite, help="End time of the motion, in seconds.")],
    settings: Settings = None,
    rule: Rule = None,
    interval: Annotated[
        bool, typer.Option("--interval", help="Give the range over all load distributions for undetermined components.")
    ] = False,
    axes: InAxes = ReactionAxes.JOINT,
    rows: Annotated[int, typer.Option(min=3, help="Number of instants.")] = 401,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the loads as CSV.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every load.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find the extreme loads of every joint over a motion.

    Radial, axial and bending parts refer to the z axis of the joint, for any --axes. A joint with `bearing: {C:
    12000, p: 3}` gets its L10 life.

      reactio envelope four-bar-spatial --until 2 -o loads.csv
    """
    from reactio.design.envelope import envelope as over
    from reactio.operating_system.files import check_writable, write_text

    if output is not None:
        check_writable(output)
    model = read_source(source, settings)
    extremes = over(model, until, axes=axes, rule=rule, rows=rows, interval=interval)
    if output is not None:
        write_text(output, extremes.to_csv())
    if as_json:
        print_json(extremes.as_data())
    else:
        _print(extremes, everything, output)


def _print(extremes: Envelope, everything: bool, output: Path | None) -> None:
    from reactio.reporting.words import life_words
    from reactio.system.compile.build import build

    out = console()
    span = f"0 … {extremes.until:g} s, {extremes.rows:,} instants; {extremes.axes} axes"
    out.print(f"[bold]{escape(extremes.model.name)}[/bold]  {span}")
    listing = table("Loads", "joint", "part", ">least", ">at t s", ">largest", ">at t s", ">mean cubic", "unit", "by")
    shown = extremes.loads if everything else extremes.loads[:COMPONENT_ROWS]
    for load in shown:
        numbers = ((load.least, load.unit), (load.t_least, "s"), (load.largest, load.unit), (load.t_largest, "s"))
        cells = (rounded(x, 4, unit) for x, unit in (*numbers, (load.cubic, load.unit)))
        listing.add_row(escape(load.joint), load.part, *cells, unit_name(load.unit), load.by)
    out.print(listing)
    print_rest(out, len(extremes.loads) - len(shown), "--all lists them, -o writes them")
    print_turning_axes(out, build(extremes.model).in_axes(extremes.axes))
    for life in extremes.lives:
        out.print(escape(f"{life.joint}: {life_words(life)}."))
    if extremes.change is not None:
        out.print(f"With half of the instants the largest loads change by {100 * extremes.change:.2g} % at most.")
    for note in extremes.notes:
        out.print(f"Note: {escape(note)}")
    if output is not None:
        wrote(output)
