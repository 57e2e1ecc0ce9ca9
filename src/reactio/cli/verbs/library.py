"""``reactio library``: published mechanisms to try."""

from __future__ import annotations

from typing import Annotated

import typer

from reactio.cli.arguments.options import AsJson, Settings
from reactio.cli.output.printing import console, escape, print_json, table
from reactio.cli.verbosity import with_verbosity
from reactio.results.as_data import picked

app = typer.Typer(help="List the mechanisms of the library, or print one.", invoke_without_command=True)


@app.callback()
@with_verbosity
def listing(context: typer.Context, as_json: AsJson = False) -> None:
    """List the mechanisms with one line each; `reactio library show NAME` prints one as YAML."""
    if context.invoked_subcommand is not None:
        return
    from reactio import library

    entries = [library.entry(name) for name in library.names()]
    if as_json:
        listed = [picked(entry, "name title cite parameters") for entry in entries]
        print_json({"schema": "reactio.library/1", "mechanisms": listed})
        return
    listing = table("Mechanisms", "name", "description")
    for entry in entries:
        listing.add_row(entry.name, escape(entry.title))
    out = console()
    out.print(listing)
    out.print("`reactio show NAME` describes one, `reactio library show NAME` prints its YAML.")


@app.command("show")
@with_verbosity
def one(
    name: Annotated[str, typer.Argument(help="Name of the mechanism.")],
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Print the YAML of a mechanism: copy it to start your own."""
    from reactio import library
    from reactio.cli.arguments.sources import parameters_of

    given = parameters_of(settings or ())
    if as_json:
        from reactio.model.files.write import to_data

        print_json({"schema": "reactio.model/1", **to_data(library.load(name, **given))})
        return
    print(library.yaml_text(name, **given), end="")
