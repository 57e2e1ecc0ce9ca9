"""``reactio tolerances``: what misfits within tolerances do to every reaction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.cli.common import AsJson, Settings, Source, console, escape, print_json, read_source, table
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.design.error_bars import ErrorBars

FEW = 60


def tolerances(
    source: Source,
    settings: Settings = None,
    default: Annotated[
        str | None,
        typer.Option("--tolerance", metavar="LENGTH,ANGLE", help="Of every seat: 0.05mm,0.1mrad, plus or minus."),
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option("--of", metavar="JOINT.AXIS=NUMBER", help="Of one component of a seat, in m or rad; repeat."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw a tornado of the tolerances into a picture.")
    ] = None,
    component: Annotated[
        str, typer.Option("--component", metavar="JOINT.Fz", help="That the tornado is of; the worst one if left out.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show what misfits within tolerances do to every reaction.

    Stiffness comes from the model: `stiffness` of joints, `flexible` bodies.

      reactio tolerances door --set hinges=2 --set bushings=1 --tolerance 0.05mm,0.1mrad

      reactio tolerances door --set hinges=2 --set bushings=1 --tolerance 0.05mm --plot door.png --component hinge1.Fz
    """
    from reactio.design.error_bars import error_bars

    named = {}
    for text in given or ():
        name, _, value = text.partition("=")
        try:
            named[name.strip()] = float(value)
        except ValueError:
            raise ReactioError(f"--of {text}: write JOINT.AXIS=NUMBER in m or rad, as in hinge2.z=1e-4.") from None
    if plot is not None:
        from reactio.figures.style import checked

        checked(plot)
    found = error_bars(read_source(source, settings), named, default=default)
    print_json(found.as_data()) if as_json else _print(found)
    if plot is not None:
        _draw(found, plot, component)


def _draw(found: ErrorBars, plot: Path, component: str) -> None:
    """The tornado of one component."""
    from reactio.figures.flexibility import draw_tornado
    from reactio.flexibility.sensitivity import tolerance
    from reactio.system.constraints import LABELS

    bar = found[component] if component else max(found.bars, key=lambda one: one.worst)
    labels = LABELS[found.model.space]
    draw_tornado(tolerance(found.model, found.tolerances), bar.joint, labels.index(bar.component), bar.component, plot)


def _print(found: ErrorBars) -> None:
    out = console()
    out.print(f"[bold]{escape(found.model.name)}[/bold]  {len(found.tolerances)} tolerances; world axes")
    made = table("Error bars", "joint", "part", ">nominal", ">± worst", ">± RSS", "unit", "dominated by")
    shown = sorted(found.bars, key=lambda bar: -bar.worst)[:FEW]
    for bar in shown:
        who = ", ".join(f"{name} {100 * share:.0f} %" for name, share in bar.dominant)
        numbers = (bar.nominal, bar.worst, bar.rss)
        made.add_row(escape(bar.joint), bar.component, *(f"{x:.4g}" for x in numbers), bar.unit, escape(who))
    out.print(made)
    if len(shown) < len(found.bars):
        out.print(f"  … and {len(found.bars) - len(shown):,} smaller ones (--json has all).")
