"""The command with its verbs."""

from __future__ import annotations

from typing import Annotated

import typer

from reactio import __version__
from reactio.cli import assemble, check, joints, library, reactions, reproduce, schema, show, simulate, warmup

HELP = """Joint reactions you can trust: which reactions of an overconstrained mechanism are unique?

First steps:

  reactio library                      mechanisms to try
  reactio check door --set hinges=3    which of its reactions are unique, and why
  reactio show four-bar-spatial        what it is made of, loops and mobility

SOURCE is a model file (YAML) or a name from the library.
"""

app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"reactio {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


app.command("check")(check.check)
app.command("reactions")(reactions.reactions)
app.command("simulate")(simulate.simulate)
app.command("show")(show.show)
app.command("assemble")(assemble.assemble)
app.command("reproduce")(reproduce.reproduce)
app.command("schema")(schema.schema)
app.command("joints")(joints.joints)
app.command("warmup")(warmup.warmup)
app.add_typer(library.app, name="library")
