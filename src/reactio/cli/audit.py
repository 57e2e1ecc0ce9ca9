"""``reactio audit``: reactions stored by another program, with verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reactio.cli.options import AsJson, InAxes, finite
from reactio.cli.printing import console, escape, print_json, table
from reactio.cli.process import ExitCode
from reactio.errors import ReactioError
from reactio.places import ReactionAxes

FINDING_COLOURS = {"confirmed": "green", "wrong": "red", "arbitrary": "yellow", "ambiguous": "magenta", "untold": "dim"}


def audit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An .asmt file with stored reactions.")],
    at: Annotated[
        float | None, typer.Option("--at", callback=finite, help="Time of the stored motion, in seconds; the first.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write a page here (.html).")] = None,
    units: Annotated[str | None, typer.Option(metavar="mm", help="Unit of length of a file that names none.")] = None,
    axes: InAxes = ReactionAxes.JOINT,
    as_json: AsJson = False,
) -> None:
    """Judge stored reactions: confirmed, wrong, or arbitrary.

    A component is confirmed where the equations of motion determine it and agree, wrong where they disagree, and
    arbitrary where any value is as right. Exit code 1 when one is wrong. Live MuJoCo, Pinocchio, Exudyn and Drake
    models are audited from Python: reactio.audit(model, data).

    Example: reactio audit backhoe.asmt --at 0.02 -o audit.html
    """
    from reactio.auditing.audit import audit as audited
    from reactio.auditing.data import Finding
    from reactio.auditing.page import page
    from reactio.files import check_writable, write_text

    if output is not None:
        if output.suffix.lower() not in (".html", ".htm"):
            raise ReactioError(f"-o {output}: the page is written as .html.")
        check_writable(output)
    found = audited(file, t=at, units=units, axes=axes) if file.suffix.lower() == ".asmt" else audited(file, axes=axes)
    if output is not None:
        write_text(output, page(found))
    if as_json:
        print_json(found.data())
    else:
        out = console()
        out.print(f"[bold]{escape(found.sentence)}[/bold]")
        out.print(f"Its reactions balance the loads to {found.balance:.1e} of the largest load.\n")
        made = table(
            f"Components in {found.axes} axes",
            "joint",
            "",
            f">{found.program}",
            ">determined",
            "",
            "verdict",
            ">as right",
        )
        for line in found.lines:
            made.add_row(
                escape(line.joint),
                line.component,
                "" if line.theirs is None else f"{line.theirs:.6g}",
                "any value" if line.verdict is Finding.ARBITRARY else "" if line.ours is None else f"{line.ours:.6g}",
                line.unit,
                f"[{FINDING_COLOURS[line.verdict]}]{line.verdict}[/]",
                "" if line.other is None else f"{line.other:.4g}",
            )
        out.print(made)
        for one in found.sums:
            out.print(f"Known: {escape(one.text)} = {one.theirs:.6g} {one.unit}")
        out.print(f"Why these numbers: {escape(found.reason)}")
        if found.zeros:
            out.print(f"Set to zero though open: {escape(', '.join(found.zeros))}")
        for note in found.notes:
            out.print(f"Note: {escape(note)}")
        if output is not None:
            out.print(f"Written to {escape(str(output))}.")
    if found.of(Finding.WRONG):
        raise typer.Exit(ExitCode.CHECK_FAILED)
