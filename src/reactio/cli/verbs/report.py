"""``reactio report``: a page to share."""

from __future__ import annotations

import os
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.cli.arguments.import_options import units_asked_for
from reactio.cli.arguments.options import AsJson, At, InAxes, ReadTo, Rule, Settings, Source
from reactio.cli.arguments.resumed import saved_run
from reactio.cli.arguments.sources import compile_model, read_source
from reactio.cli.arguments.sums import SumOf, named_sums
from reactio.cli.output.printing import console, escape
from reactio.cli.process import in_json
from reactio.cli.verbosity import say, silent
from reactio.errors import ReactioError
from reactio.operating_system.files import check_writable

if TYPE_CHECKING:
    from reactio.simulation.trajectory import Trajectory
    from reactio.system.types import System

MOST_SEARCHED_VELOCITIES = 60  # velocities of a model up to which singular configurations are searched for: seconds
RUN_ROWS = 300  # of a run that is computed for the page
# Evaluations of a page with a motion in addition to its steps: each row twice, and reactions at some 200 instants.
RUN_EVALUATIONS = 2 * RUN_ROWS + 400


class ReportFormat(StrEnum):
    """Formats of a report."""

    html = "html"
    md = "md"
    pdf = "pdf"
    json = "json"


def report(
    source: Source,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write (default: report.html).")
    ] = None,
    settings: Settings = None,
    at: At = None,
    run: Annotated[Path | None, typer.Option(help="Show this run (.npz, .nc or .csv of `reactio simulate`).")] = None,
    until: Annotated[float | None, typer.Option(help="Simulate until this time for the animation, in seconds.")] = None,
    rule: Rule = None,
    group: SumOf = None,
    tolerance: ReadTo = None,
    axes: InAxes = ReactionAxes.JOINT,
    form: Annotated[
        ReportFormat | None, typer.Option("--format", help="Format of the file (default: from its suffix).")
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page when it is written.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a page to share: verdicts, drawing, motion.

    Examples:

      reactio report mobile-robot --until 25 --open

      reactio report door -o door.pdf
    """
    from reactio.kernels import expected_work
    from reactio.model.transform.compliant_contacts import with_compliant_contacts
    from reactio.reporting.formats import format_of, save_report
    from reactio.reporting.gather import report as gathered
    from reactio.system.geometry.accuracy import with_accuracy

    if run is not None and until is not None:
        raise ReactioError("Give either --run FILE or --until T, not both.")
    file = output or Path(f"report.{form or 'html'}")
    chosen = format_of(file, form or "")
    if output or not as_json:
        check_writable(file)
    motion = saved_run(run, source, settings) if run else None
    given = read_source(source, settings)
    system = (
        compile_model(given if until is None else with_compliant_contacts(given), accuracy=tolerance, rule=rule)
        if motion is None
        else with_accuracy(motion.system, tolerance)
    )
    sums = named_sums(group, [known.name for known in system.groups])
    command = shlex.join(["reactio", *map(_without_folders, sys.argv[1:])])
    part = system.space if until is None else f"motion-{system.space}"
    with expected_work(system.m, 1.0 if motion is None and until is None else RUN_EVALUATIONS, part):
        motion = motion or _made(system, until, rule)
        events = _events(motion) if motion is not None else []
        page = gathered(
            system,
            t=at,
            run=motion,
            rule=rule,
            events=events,
            sums=sums,
            command=command,
            axes=axes,
            units=units_asked_for(),
            given=given,
        )
    if as_json:
        from reactio.reporting.as_json import to_json

        sys.stdout.write(in_json(to_json(page)))
    if output or not as_json:
        save_report(page, file, chosen)
    if not silent() and not as_json:
        console().print(f"[bold]{escape(page.headline)}[/bold]\nWritten to {escape(str(file))}.")
    if open_it:
        import webbrowser

        webbrowser.open(file.resolve().as_uri())


def _without_folders(word: str) -> str:
    """A word of the command line without the folders of a path, which are private."""
    option, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
    return f"{option}{equals}{Path(value).name}" if os.path.isabs(value) else word


def _events(run: Trajectory) -> list[tuple[float, str]]:
    """The events of a run and the singular configurations that it passed, for the time line."""
    from reactio.singular.passages.singularities import singularities

    moments = [(event.t, f"{event.name} ({event.action})") for event in run.events]
    if run.system.m and run.system.n <= MOST_SEARCHED_VELOCITIES:
        try:
            passed = singularities(run.system, run.checkpoint.t, state=run.state(0)).events
        except ReactioError as error:
            say(f"Singular configurations along the run were not sought: {error}")
        else:
            moments += [(passage.t, f"singular configuration ({passage.verdict})") for passage in passed]
    return sorted(moments)


def _made(system: System, until: float | None, rule: str | None) -> Trajectory | None:
    if until is None:
        return None
    from reactio.simulation.simulate import checked, simulate

    return checked(simulate(system, until, tol=1e-8, rule=rule, output=RUN_ROWS))
