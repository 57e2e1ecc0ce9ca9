"""``reactio generic``: which redundancy any dimensions have, and which is special."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reactio.cli.arguments.options import AsJson, InCoordinates, Settings, Source
from reactio.cli.arguments.sources import in_coordinates, read_source
from reactio.cli.output.printing import console, escape, print_json, table

if TYPE_CHECKING:
    from reactio.diagnosis.generic import GenericRanks


def generic(
    source: Source,
    settings: Settings = None,
    coordinates: InCoordinates = None,
    ground_points: Annotated[
        bool,
        typer.Option(
            "--ground-points",
            help="Describe the ground by its own points, held fixed by rows, as in natural coordinates.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare ranks with those of random dimensions.

    The same bodies and joints with random dimensions, in exact arithmetic: redundancies that remain are generic, the
    others are special.  Ranks of each joint as in Sharma and Ghosal: r_i of its rows, r_−i of all others.

    Examples:

      reactio generic bennett

      reactio generic sharma-ghosal --coordinates natural --ground-points
    """
    from reactio.diagnosis.generic import generic_ranks
    from reactio.model.transform.natural import with_ground_points

    model = in_coordinates(read_source(source, settings), coordinates)
    ranks = generic_ranks(with_ground_points(model) if ground_points else model)
    if as_json:
        print_json(ranks.as_data())
    else:
        _print(ranks)


def _print(ranks: GenericRanks) -> None:
    out, as_given, generic = console(), ranks.here, ranks.generic
    out.print(f"[bold]{escape(ranks.model.name)}[/bold]  {escape(ranks.model.title)}")
    out.print(f"C is {as_given.m} × {as_given.n}, rank {as_given.rank}; with random dimensions {generic.rank}.")
    for sentence in ranks.words:
        out.print(f"• {escape(sentence)}")
    heads = (">r_i", ">r_−i", "verdict", ">r_i generic", ">r_−i generic", "verdict generic")
    rows = table("", "name", *heads)
    for group in as_given:
        if_generic = generic[group.name]
        cells = [(str(side.rank), str(side.rank_outside), str(side.verdict)) for side in (group, if_generic)]
        rows.add_row(escape(group.name), *cells[0], *cells[1])
    out.print(rows)
