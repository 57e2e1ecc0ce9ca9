"""``reactio measure``: all reactions from the readings of sensors."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.units import in_si, reaction_unit, unit_name
from reactio.cli.arguments.options import AsJson, Settings, Source, finite
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.numbers import number_text, rounding
from reactio.cli.output.printing import COMPONENT_ROWS, console, escape, plural, print_json, print_rest, table, wrote
from reactio.cli.process import ExitCode

if TYPE_CHECKING:
    from reactio.design.measure import Measured


def measure(
    source: Source,
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            help="Readings: CSV with a column t and one for each sensor, B.Fz [N]; without [N] in the file's units.",
        ),
    ],
    settings: Settings = None,
    accuracy: Annotated[
        float | None,
        typer.Option(
            callback=finite,
            help="Standard deviation of the sensors, in the units of the file (default: 1 % of the largest reading).",
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write all results as CSV.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find all reactions from the readings of load cells.

    Contradictory readings are listed (exit code 1). `reactio advise --sensors` proposes components to measure.

      reactio measure table --data readings.csv
    """
    from reactio.design.measure import measure as solved
    from reactio.design.measure import read_readings
    from reactio.operating_system.files import check_writable, write_text

    if output is not None:
        check_writable(output)
    model, readings = read_source(source, settings), read_readings(data)
    sigma = None if accuracy is None else {name: in_si(accuracy, reaction_unit(name)) for name in readings.values}
    measured = solved(model, readings, sigma)
    if output is not None:
        write_text(output, measured.to_csv())
    if as_json:
        print_json(measured.as_data())
    else:
        _print(measured, output)
    if measured.contradictions:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _print(measured: Measured, output: Path | None) -> None:
    out = console()
    out.print(
        f"[bold]{escape(measured.model.name)}[/bold]  {plural(len(measured.t), 'instant')}; at t = "
        f"{measured.t[-1]:g} s:"
    )
    listing = table("Reactions from readings", "component", ">value", ">± (one sigma)", "unit")
    zero = rounding([measured.values[-1]])
    every = zip(measured.names, measured.values[-1], measured.sigma[-1], measured.units, strict=True)
    for name, value, sigma, unit in islice(every, COMPONENT_ROWS):
        cells = (number_text(float(value), zero, 5, unit), number_text(float(sigma), zero, 2, unit), unit_name(unit))
        listing.add_row(escape(name), *cells)
    out.print(listing)
    print_rest(out, len(measured.names) - COMPONENT_ROWS, "--json and -o list all")
    for contradiction in measured.contradictions[:10]:
        who = ", ".join(contradiction.suspects)
        word = (
            "stands out"
            if len(contradiction.suspects) == 1
            else "any of them may be wrong; one more sensor would show which"
        )
        out.print(
            f"[red]Readings contradict each other[/] at t = {contradiction.t:g} s (χ² = {contradiction.chi2:.3g} on "
            f"{contradiction.freedom} degrees of freedom): {escape(who)}: {word}."
        )
    if output is not None:
        wrote(output)
