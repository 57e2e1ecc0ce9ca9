"""The command with its verbs."""

from __future__ import annotations

from typing import Annotated

import typer

from reactio import __version__
from reactio.cli import (
    advise,
    assemble,
    audit,
    bounds,
    check,
    compare,
    draw,
    envelope,
    equilibrium,
    export,
    flexible,
    import_,
    joints,
    library,
    measure,
    mobility,
    reactions,
    report,
    reproduce,
    rules,
    schema,
    sensitivity,
    show,
    simulate,
    singular,
    sweep,
    tolerances,
    warmup,
)
from reactio.cli.verbosity import spoken

HELP = """Joint reactions you can trust: which reactions of an overconstrained mechanism are unique?

First steps:

  reactio library                        mechanisms to try
  reactio check door --set hinges=3      which of its reactions are unique
  reactio report mobile-robot --open     a page to turn, click and pass around

SOURCE is a model file (YAML), a file of another program (MJCF, URDF, SDF, FreeCAD, Ondsel, Adams), or a name from the
library.
"""
EXIT = "Exit codes: 0 done, 1 not all hold, 2 wrong input, 3 stopped early, 70 a bug."

app = typer.Typer(
    help=HELP,
    epilog=EXIT,
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


TRUST, MOVE, LOOK_UP = "Reactions", "Mechanisms and motion", "Look up"

VERBS = (
    ("check", check.check, TRUST),
    ("reactions", reactions.reactions, TRUST),
    ("compare", compare.compare, TRUST),
    ("bounds", bounds.bounds, TRUST),
    ("flexible", flexible.flexible, TRUST),
    ("advise", advise.advise, TRUST),
    ("measure", measure.measure, TRUST),
    ("envelope", envelope.envelope, TRUST),
    ("sensitivity", sensitivity.sensitivity, TRUST),
    ("tolerances", tolerances.tolerances, TRUST),
    ("audit", audit.audit, TRUST),
    ("report", report.report, TRUST),
    ("draw", draw.draw, TRUST),
    ("import", import_.import_, MOVE),
    ("export", export.export, MOVE),
    ("show", show.show, MOVE),
    ("assemble", assemble.assemble, MOVE),
    ("equilibrium", equilibrium.equilibrium, MOVE),
    ("mobility", mobility.mobility, MOVE),
    ("simulate", simulate.simulate, MOVE),
    ("singular", singular.singular, MOVE),
    ("reproduce", reproduce.reproduce, LOOK_UP),
    ("joints", joints.joints, LOOK_UP),
    ("rules", rules.rules, LOOK_UP),
    ("schema", schema.schema, LOOK_UP),
    ("warmup", warmup.warmup, LOOK_UP),
)
OWN_PARSER = {"simulate": simulate.Command}
for name, verb, panel in VERBS:
    app.command(name, cls=OWN_PARSER.get(name), rich_help_panel=panel)(spoken(verb))
app.add_typer(sweep.app, name="sweep", rich_help_panel=TRUST)
app.add_typer(library.app, name="library", rich_help_panel=LOOK_UP)
