"""``reactio tolerances``: the effect of misfits within tolerances on every reaction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import unit_name
from reactio.cli.arguments.options import AsJson, At, InAxes, Settings, Source
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.numbers import number_text, rounded, rounding
from reactio.cli.output.printing import COMPONENT_ROWS, console, escape, plural, print_json, print_rest, table
from reactio.cli.output.progress import case_progress
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.design.error_bars import ErrorBars
    from reactio.sweeps.tolerance_samples import SampledBars


def tolerances(
    source: Source,
    settings: Settings = None,
    default: Annotated[
        str | None,
        typer.Option("--tolerance", metavar="LENGTH,ANGLE", help="Tolerance (±) of every joint: 0.05mm,0.1mrad."),
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--of",
            metavar="NAME=NUMBER",
            help=(
                "Tolerance (±) of one quantity, in m, rad or K: hinge2.z, hinge2.position, hinge2.angle, "
                "beam.length, beam.temperature; may be repeated."
            ),
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw a bar chart of the tolerances that matter: .png, .svg or .pdf.")
    ] = None,
    component: Annotated[
        str,
        typer.Option(
            "--component", metavar="JOINT.Fz", help="Component of the chart (default: the one with the largest bar)."
        ),
    ] = "",
    samples: Annotated[
        int, typer.Option("--sample", min=0, help="Also solve this many machines with random deviations.")
    ] = 0,
    at: At = None,
    axes: InAxes = ReactionAxes.JOINT,
    as_json: AsJson = False,
) -> None:
    """Show the effect of tolerances on every reaction.

    Stiffness comes from the model: `stiffness` of joints, `flexible` bodies. So may tolerances: `tolerances: {hinge2:
    {position: 5e-5, angle: 1e-4}, door: {length: 1e-4, temperature: 10}}`.

      reactio tolerances door --set hinges=2 --set bushings=1 --tolerance 0.05mm,0.1mrad

      reactio tolerances shaft-three-bearings --of middle.position=1e-4 --plot bars.png --sample 200
    """
    from reactio.design.error_bars import error_bars
    from reactio.drawing.painter import matplotlib
    from reactio.figures.flexibility import draw_tornado
    from reactio.figures.style import checked
    from reactio.sweeps.tolerance_samples import sampled_error_bars

    if plot is not None:
        matplotlib()
        checked(plot)
    if at and samples:
        raise ReactioError("--sample solves machines at the start of the motion: leave it out, or --at.")
    found = error_bars(read_source(source, settings), _named(given), default=default, t=at, axes=axes)
    drawn = found[component] if component else found.largest[0] if found.largest else found.bars[0]
    sampled = None
    if samples:
        with case_progress() as told:
            sampled = sampled_error_bars(found, samples, on_progress=told)
    if plot is not None:
        draw_tornado(found.linear, drawn.joint, found.row(drawn), drawn.component, plot)
    if as_json:
        print_json({**found.as_data(), "sampled": sampled.as_data() if sampled else None})
        return
    _print(found, sampled)
    if plot is not None:
        console().print(f"Plotted to {escape(str(plot))}.")


def _named(given: list[str] | None) -> dict[str, float]:
    named = {}
    for text in given or ():
        name, _, value = text.partition("=")
        try:
            named[name.strip()] = float(value)
        except ValueError:
            raise ReactioError(f"--of {text}: write NAME=NUMBER in m, rad or K, as in hinge2.z=1e-4.") from None
    return named


def _print(found: ErrorBars, sampled: SampledBars | None) -> None:
    out = console()
    when = f"; t = {found.t:g} s" if found.t else ""
    count = plural(len(found.tolerances), "tolerance")
    out.print(f"[bold]{escape(found.model.name)}[/bold]  {count}; {found.axes} axes{when}")
    more = (">sampled σ", ">largest sampled") if sampled else ()
    ends = (">least", ">largest", ">linear ±") if found.machines else ()
    made = table("Error bars", "joint", "part", ">nominal", ">± worst", ">± RSS", *ends, *more, "unit", "dominated by")
    zero = rounding((bar.nominal, bar.worst) for bar in found.bars)
    shown = sorted(found.bars, key=lambda bar: -bar.worst)[:COMPONENT_ROWS]
    for bar in shown:
        who = ", ".join(f"{name} {100 * share:.0f} %" for name, share in bar.dominant)
        numbers = [bar.nominal, bar.worst, bar.rss]
        if found.machines:
            numbers += [bar.least or 0.0, bar.largest or 0.0, bar.linear_worst or 0.0]
        if sampled:
            known = {(one.joint, one.component): one for one in sampled.bars}.get((bar.joint, bar.component))
            numbers += [known.sigma, known.largest] if known else [0.0, 0.0]
        cells = (number_text(x, zero, 4, bar.unit) for x in numbers)
        made.add_row(escape(bar.joint), bar.component, *cells, unit_name(bar.unit), escape(who))
    out.print(made)
    print_rest(out, len(found.bars) - len(shown), "--json has all", "smaller ones")
    _print_machines(found)
    for bar in found.largest:
        out.print(f"• {escape(found.advice(f'{bar.joint}.{bar.component}'))}")
    tight = [fit for fit in found.fits if fit.force or fit.moment]
    if tight:
        made = table("To assemble, at worst", "joint", f">force {unit_name('N')}", f">moment {unit_name('N m')}")
        for fit in sorted(tight, key=lambda fit: -fit.force)[:COMPONENT_ROWS]:
            made.add_row(escape(fit.joint), rounded(fit.force, 4, "N"), rounded(fit.moment, 4, "N m"))
        out.print(made)
    if sampled:
        failed = f", {sampled.failed:,} failed" if sampled.failed else ""
        out.print(
            f"{plural(sampled.samples, 'machine')} with random deviations{failed}: they differ from the linear answer "
            f"by {100 * sampled.disagreement:.2g} % of the largest worst case at most."
        )


def _print_machines(found: ErrorBars) -> None:
    """Print the probabilities of machines whose parts have play or act one way only."""
    if found.machines is None:
        return
    out, idle = console(), {name: p for name, p in found.machines.idle.items() if p > 0.0}
    out.print(
        f"Parts have play or act one way only: {len(found.machines.lam):,} machines with random deviations were "
        "solved, and those at the linear worst cases; the linear answer is printed next to them."
    )
    for name, p in sorted(idle.items(), key=lambda one: -one[1])[:COMPONENT_ROWS]:
        out.print(f"• {escape(name)} bears nothing in {100 * p:.3g} % of them.")
    for name, p in found.over_capacity.items():
        out.print(f"• {escape(name)} is beyond its capacity in {100 * p:.3g} % of them.")
    if found.needs_force:
        out.print(f"• Assembly without load needs force in {100 * found.needs_force:.3g} % of them.")
    if found.machines.failed:
        out.print(f"• {plural(found.machines.failed, 'machine')} cannot hold the load.")
