"""``reactio sweep``: results of a model at many parameters, and ``reactio sweep show``."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from reactio.catalogue.units import WRITTEN_IN, in_units, unit_name
from reactio.cli.arguments.options import AsJson, Rule, Settings, Source, finite
from reactio.cli.arguments.sources import parameters_of
from reactio.cli.output.printing import console, escape, plural, print_json, table, wrote
from reactio.cli.output.progress import case_progress
from reactio.cli.overwriting import with_overwriting
from reactio.cli.process import ExitCode
from reactio.cli.verbosity import say, with_verbosity
from reactio.errors import ReactioError, how_to_install

if TYPE_CHECKING:
    from reactio.sweeps.sweep import Sweep

MOST_RESULTS = 12  # that are listed, and reasons of failures


class SweepGroup(TyperGroup):
    """``reactio sweep SOURCE …`` is ``reactio sweep run SOURCE …``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert ``run`` where the source follows ``sweep`` directly."""
        return super().parse_args(ctx, args if args[:1] and args[0] in self.commands else ["run", *args])


app = typer.Typer(cls=SweepGroup, help="Compute results at many values of parameters, or show them.")

Over = Annotated[
    list[str] | None,
    typer.Option(
        "--over",
        metavar="NAME=VALUES",
        help=(
            "A parameter: FROM:TO:COUNT, FROM:TO:COUNT:log, A,B,C, or FROM:TO for a sample; t is time. May be repeated."
        ),
    ),
]
Want = Annotated[
    list[str] | None,
    typer.Option(
        "--want",
        metavar="NAMES",
        help=(
            "Results: redundancy, B.verdict, B.Fz, B.Fz.low, B.Fz.max, energy_error …, file.py:function. "
            "May be repeated."
        ),
    ),
]


@app.command("run")
@with_verbosity
@with_overwriting
def run(
    source: Source,
    over: Over = None,
    want: Want = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder of results; the same command continues an interrupted sweep."),
    ] = None,
    settings: Settings = None,
    cases: Annotated[
        Path | None, typer.Option("--table", help="Read cases from CSV: a line of names, then a line for each case.")
    ] = None,
    sampling: Annotated[
        str | None, typer.Option("--sample", metavar="KIND", help="Sample ranges: sobol, latin or random.")
    ] = None,
    count: Annotated[int | None, typer.Option("--cases", help="Number of cases of a sample.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers of a sample.")] = 0,
    at: Annotated[float | None, typer.Option(callback=finite, help="Time of verdicts and reactions, in s.")] = None,
    until: Annotated[float | None, typer.Option(callback=finite, help="End time of the motion, in s.")] = None,
    rule: Rule = None,
    rows: Annotated[int, typer.Option(min=3, help="Number of instants of a motion.")] = 201,
    processes: Annotated[
        int | None,
        typer.Option(min=0, help="Number of worker processes (default: one per core); 0 computes in this process."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Dask scheduler, tcp://HOST:8786, or local, or local:2 for two workers."),
    ] = None,
    again: Annotated[bool, typer.Option("--retry", help="Repeat cases that failed before.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm more than a million cases.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compute results of a model at many values of its parameters, each case once.

    Results are saved case by case: after Ctrl-C or a crash, the same command continues. Failed cases are listed with
    their reason (exit code 1). `reactio sweep show out/` plots the results.

      reactio sweep door --over hinges=1,2,3 --over mass=10:40:4 --want "redundancy, hinge1.verdict" -o out/

      reactio sweep four-bar-spatial --over theta=0.6:1.4:9 --until 1 --want "B.Fx.max, energy_error" -o out/

      reactio sweep door --sample sobol --cases 256 --over mass=10:40 --over height=1:3 --want hinge1.Fx --dask local
    """
    from reactio.sweeps.cluster import connected
    from reactio.sweeps.sweep import sweep

    if cases is not None and (sampling or count):
        raise ReactioError("--table has its own cases; leave out --sample and --cases.")
    if dask is not None and processes is not None:
        raise ReactioError("Give either --dask or --processes.")
    try:
        with connected(dask) if dask else nullcontext() as client, case_progress() as told:
            results = sweep(
                source, over or (), want or ("redundancy",), client=client, folder=output,
                settings=parameters_of(settings or ()), cases=cases if cases is not None else count,
                sampling=sampling, seed=seed, at=at, until=until, rule=rule, rows=rows, processes=processes, yes=yes,
                again=again, on_progress=told,
            )  # fmt: skip
    except KeyboardInterrupt:
        _interrupted(output)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    WRITTEN_IN.set(results.units)
    if as_json:
        print_json(results.as_data())
    else:
        _print(results)
    if results.failed:
        raise typer.Exit(ExitCode.CHECK_FAILED)


@app.command("show")
@with_verbosity
@with_overwriting
def show(
    folder: Annotated[Path, typer.Argument(help="Folder of results.", show_default=False)],
    want: Annotated[list[str] | None, typer.Option("--want", metavar="NAMES", help="Only these results.")] = None,
    over: Annotated[
        str | None, typer.Option("--over", metavar="X[,Y]", help="Axes of the plot (default: the first two).")
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option("--at", metavar="NAME=VALUE", help="Value of another axis (default: its first); may be repeated."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Figure: .png, .svg or .pdf (default: sweep.png in the folder).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show and plot the results of a sweep, also while it is running.

    One axis gives lines, two give maps; verdicts are coloured areas.

      reactio sweep show out/ --want hinge1.verdict --over mass,height --at hinges=2
    """
    from reactio.drawing.plots.style import can_draw, checked
    from reactio.sweeps.plot import plot_sweep
    from reactio.sweeps.sweep import load_sweep

    results = load_sweep(folder)
    WRITTEN_IN.set(results.units)
    if plot is None and not can_draw():
        _shown_without_figure(results, as_json)
        return
    target = checked(plot if plot is not None else folder / "sweep.png")
    names = [name.strip() for text in want or () for name in text.split(",") if name.strip()]
    axes = [name.strip() for name in (over or "").split(",") if name.strip()]
    at = {name: _number(value) for name, value in parameters_of(fixed or ()).items()}
    where = plot_sweep(results, target, names, axes, at)
    if as_json:
        print_json({**results.as_data(), "plot": str(target), "plotted_at": where})
        return
    _print(results)
    console().print(f"Plotted to {escape(str(target))}{f', {escape(where)}' if where else ''}.")


def _shown_without_figure(results: Sweep, as_json: bool) -> None:
    """Print the results where nothing can be drawn and no figure was asked for."""
    if as_json:
        print_json({**results.as_data(), "plot": None, "plotted_at": ""})
        return
    _print(results)
    console().print(f"No figure was drawn; figures need matplotlib: {escape(how_to_install('plot'))}.")


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _interrupted(output: Path | None) -> None:
    if output is None:
        say("Interrupted. Without -o FOLDER nothing is kept.")
        return
    from reactio.sweeps.sweep import load_sweep

    results = load_sweep(output)
    kept = f"{len(results.rows):,} of {results.cases.count:,} cases are kept in {output}"
    say(f"Interrupted: {kept}; the same command continues.")


def _print(results: Sweep) -> None:
    out = console()
    kinds = " × ".join(f"{axis.name} ({len(axis.values)})" for axis in results.cases.axes)
    over = kinds if results.cases.grid else ", ".join(results.cases.names)
    out.print(f"[bold]{escape(results.name)}[/bold]  {plural(results.cases.count, 'case')} over {escape(over)}")
    state = "complete" if results.complete else f"{len(results.rows):,} are computed so far"
    out.print(f"{state}; {plural(len(results.failed), 'case')} failed.")
    listing = table("Results", "result", ">least", ">largest", "unit", ">undetermined", "words")
    for name in results.wants[:MOST_RESULTS]:
        listing.add_row(escape(name), *_summary(results, name))
    out.print(listing)
    for reason, times in Counter(row.reason for row in results.failed).most_common(MOST_RESULTS):
        out.print(f"[red]Failed[/] {times:,} ×: {escape(reason)}")
    for note in results.notes:
        out.print(f"Note: {escape(note)}.")
    wrote(*results.written)


def _summary(results: Sweep, name: str) -> tuple[str, str, str, str, str]:
    """Smallest and largest value with their cases, the number of cases without one, and how often each word occurs."""
    from reactio.sweeps.results import unit_of

    k = results.wants.index(name)
    values = [(row.values[k], row.number) for row in results.rows]
    open_ones = sum(value is None for value, _ in values)
    words = Counter(value for value, _ in values if isinstance(value, (str, bool)))
    numbers = [(value, number) for value, number in values if isinstance(value, (int, float)) and value is not True]
    if words or not numbers:
        return (
            "",
            "",
            "",
            f"{open_ones:,}",
            escape(", ".join(f"{word} {times:,}" for word, times in words.most_common(6))),
        )
    low, high = min(numbers), max(numbers)
    where = " … ".join(_place(results, number) for _, number in (low, high))
    unit = unit_of(name)
    least, largest = (f"{in_units(value, unit):.5g}" for value, _ in (low, high))
    return least, largest, unit_name(unit), f"{open_ones:,}", escape(f"at {where}" if low[0] != high[0] else "")


def _place(results: Sweep, number: int) -> str:
    inputs = results.cases[number]
    return ", ".join(f"{name} = {value if isinstance(value, str) else f'{value:g}'}" for name, value in inputs.items())
