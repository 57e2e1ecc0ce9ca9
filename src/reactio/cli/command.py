"""The command and its verbs, each in a file of its own that is imported when the verb is used."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable
from importlib import import_module
from typing import Annotated

import typer

from reactio import __version__
from reactio.cli.arguments.import_options import with_import_options
from reactio.cli.overwriting import with_overwriting
from reactio.cli.usage_errors import Verbs
from reactio.cli.verbosity import with_verbosity

HELP = """Joint reactions you can trust: which reactions of an overconstrained mechanism are unique?

First steps:

  reactio library                        mechanisms to try
  reactio check door --set hinges=3      which of its reactions are unique
  reactio report mobile-robot --open     an interactive page to share

SOURCE is a model file (YAML), a file of another program (MJCF, URDF, SDF,
FreeCAD, Ondsel, Adams), or a name from the library.
"""
EXIT = "Exit codes: 0 done, 1 a check failed, 2 wrong input, 3 stopped early, 70 a bug, 130 interrupted."


def _version(wanted: bool) -> None:
    if wanted:
        print(f"reactio {__version__}")
        raise typer.Exit


TRUST, MOVE, LOOK_UP = "Reactions", "Mechanisms and motion", "Look up"

# Each verb with its panel of the help; its file has the same name (``import_`` for the verb import).
VERBS = (
    ("check", TRUST),
    ("reactions", TRUST),
    ("compare", TRUST),
    ("bounds", TRUST),
    ("flexible", TRUST),
    ("advise", TRUST),
    ("measure", TRUST),
    ("envelope", TRUST),
    ("engage", TRUST),
    ("sensitivity", TRUST),
    ("tolerances", TRUST),
    ("audit", TRUST),
    ("report", TRUST),
    ("live", TRUST),
    ("lint", TRUST),
    ("draw", TRUST),
    ("new", MOVE),
    ("import", MOVE),
    ("export", MOVE),
    ("show", MOVE),
    ("assemble", MOVE),
    ("equilibrium", MOVE),
    ("mobility", MOVE),
    ("generic", MOVE),
    ("simulate", MOVE),
    ("singular", MOVE),
    ("reproduce", LOOK_UP),
    ("joints", LOOK_UP),
    ("bearings", LOOK_UP),
    ("rules", LOOK_UP),
    ("schema", LOOK_UP),
    ("mcp", LOOK_UP),
    ("warmup", LOOK_UP),
)
# Verbs with verbs of their own.
FAMILIES = (("sweep", TRUST), ("library", LOOK_UP))


class ReactioCommand(Verbs):
    """The command `reactio`."""

    @staticmethod
    def all_verbs() -> typer.Typer:
        """The command with every verb."""
        return command_line()


def command_line(first: str = "") -> typer.Typer:
    """The command with all its verbs, or with the one verb that the first word names, to import no others."""
    app = typer.Typer(
        cls=ReactioCommand,
        help=HELP,
        epilog=EXIT,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_top)
    known = first in {name for name, _ in (*VERBS, *FAMILIES)}
    for name, panel in VERBS:
        if not known or name == first:
            word = name + "_" * keyword.iskeyword(name)
            module = import_module(f"reactio.cli.verbs.{word}")
            own_parser = getattr(module, "Command", None)
            verb = with_import_options(with_verbosity(with_overwriting(getattr(module, word))))
            app.command(name, cls=own_parser, rich_help_panel=panel, help=_paragraphs(verb))(verb)
    for name, panel in FAMILIES:
        if not known or name == first:
            app.add_typer(import_module(f"reactio.cli.verbs.{name}").app, name=name, rich_help_panel=panel)
    return app


def _paragraphs(verb: Callable[..., None]) -> str:
    """The docstring of a verb with each paragraph on one line, which the terminal wraps at its width."""
    blocks = (inspect.getdoc(verb) or "").split("\n\n")
    return "\n\n".join(block if block.startswith(" ") else block.replace("\n", " ") for block in blocks)


def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass
