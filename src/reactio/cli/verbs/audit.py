"""``reactio audit``: reactions stored by another program, with verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.cli.arguments.options import AsJson, InAxes, finite
from reactio.cli.output.printing import console, escape, print_json, table, wrote
from reactio.cli.process import ExitCode
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.auditing.data import Audit, AuditedComponent

FINDING_COLOURS = {
    "confirmed": "green",
    "wrong": "red",
    "arbitrary": "yellow",
    "ambiguous": "magenta",
    "not judged": "magenta",
    "unreported": "dim",
}


def audit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An .asmt file with stored reactions.")],
    at: Annotated[
        float | None,
        typer.Option("--at", callback=finite, help="Time of the stored motion, in seconds (default: the first)."),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write a page to this file (.html).")] = None,
    units: Annotated[
        str | None, typer.Option(metavar="mm", help="Unit of length of a file that does not state one.")
    ] = None,
    axes: InAxes = ReactionAxes.JOINT,
    as_json: AsJson = False,
) -> None:
    """Judge stored reactions: confirmed, wrong, or arbitrary.

    A component is confirmed if the equations of motion determine it and the stored value agrees, wrong if that value
    differs, and arbitrary if any value is equally valid. Exit code 1 if one is wrong. Live MuJoCo, Pinocchio, Exudyn
    and Drake models are audited from Python: reactio.audit(model, data).

    Example: reactio audit backhoe.asmt --at 0.02 -o audit.html
    """
    from reactio.auditing.audit import audit as audited
    from reactio.auditing.data import Finding
    from reactio.auditing.page import page
    from reactio.operating_system.files import check_writable, write_text

    if output is not None:
        if output.suffix.lower() not in (".html", ".htm"):
            raise ReactioError(f"-o {output}: the page is written as .html.")
        check_writable(output)
    judged = audited(file, t=at, units=units, axes=axes) if file.suffix.lower() == ".asmt" else audited(file, axes=axes)
    if output is not None:
        write_text(output, page(judged))
    if as_json:
        print_json(judged.as_data())
    else:
        _print(judged)
        if output is not None:
            wrote(output)
    if judged.of(Finding.WRONG):
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _print(answer: Audit) -> None:
    out = console()
    out.print(f"[bold]{escape(answer.sentence)}[/bold]")
    out.print(f"Its reactions balance the loads to {answer.balance:.1e} of the largest load.\n")
    heads = ("joint", "", f">{answer.program}", ">determined", "", "verdict", ">another value")
    listing = table(f"Components in {answer.axes} axes", *heads)
    for component in answer.components:
        listing.add_row(*_row(component))
    out.print(listing)
    for judged in answer.sums:
        out.print(f"Known: {escape(judged.text)} = {judged.theirs:.6g} {judged.unit}")
    out.print(f"Why these numbers: {escape(answer.reason)}")
    if answer.zeros:
        out.print(f"Set to zero although undetermined: {escape(', '.join(answer.zeros))}")
    for note in answer.notes:
        out.print(f"Note: {escape(note)}")


def _row(component: AuditedComponent) -> tuple[str, ...]:
    from reactio.auditing.data import Finding

    theirs = "" if component.theirs is None else f"{component.theirs:.6g}"
    ours = "" if component.ours is None else f"{component.ours:.6g}"
    determined = "any value" if component.verdict is Finding.ARBITRARY else ours
    alternative = "" if component.other is None else f"{component.other:.4g}"
    verdict = f"[{FINDING_COLOURS[component.verdict]}]{component.verdict}[/]"
    return escape(component.joint), component.component, theirs, determined, component.unit, verdict, alternative
