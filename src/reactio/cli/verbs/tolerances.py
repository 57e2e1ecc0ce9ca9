"""``reactio tolerances``: the effect of misfits within tolerances on every reaction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import unit_name
from reactio.cli.arguments.options import AsJson, At, InAxes, Settings, Source
from reactio.cli.arguments.quantities import amount
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.numbers import number_text, rounded, rounding
from reactio.cli.output.printing import COMPONENT_ROWS, console, escape, plural, print_json, print_rest, table
from reactio.cli.output.progress import case_progress
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.design.error_bars import ErrorBars
    from reactio.model.model import Model
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
                "Tolerance (±) of one quantity, in the units of the file or with its own, 0.1mm: hinge2.z, "
                "hinge2.position, hinge2.angle, beam.length, beam.temperature; may be repeated."
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

    Stiffness comes from the model: `stiffness` of joints, `flexible` bodies. Tolerances can be in the model too:
    `tolerances: {hinge2: {position: 5e-5, angle: 1e-4}, door: {length: 1e-4, temperature: 10}}`.

      reactio tolerances door --set hinges=2 --set bushings=1 --tolerance 0.05mm,0.1mrad

      reactio tolerances shaft-three-bearings --of middle.position=1e-4 --plot bars.png --sample 200
    """
    from reactio.design.error_bars import error_bars
    from reactio.drawing.painter import matplotlib
    from reactio.drawing.plots.flexibility import draw_tornado
    from reactio.drawing.plots.style import checked
    from reactio.sweeps.tolerance_samples import sampled_error_bars

    if plot is not None:
        matplotlib()
        checked(plot)
    if at and samples:
        raise ReactioError("--sample solves machines at the start of the motion: leave it out, or --at.")
    model = read_source(source, settings)
    bars = error_bars(model, _named(given, model), default=default, t=at, axes=axes)
    drawn = bars[component] if component else bars.largest[0] if bars.largest else bars.bars[0]
    sampled = None
    if samples:
        with case_progress() as told:
            sampled = sampled_error_bars(bars, samples, on_progress=told)
    if plot is not None:
        draw_tornado(bars.linear, drawn.joint, bars.row(drawn), drawn.component, plot)
    if as_json:
        print_json({**bars.as_data(), "sampled": sampled.as_data() if sampled else None})
        return
    _print(bars, sampled)
    if plot is not None:
        console().print(f"Plotted to {escape(str(plot))}.")


def _named(given: list[str] | None, model: Model) -> dict[str, float]:
    """Tolerances in SI by name, from texts such as ``hinge2.z=0.1mm``."""
    from reactio.model.coordinates import units_of_misfits
    from reactio.model.tolerances import tolerance_unit

    named, along = {}, units_of_misfits(model.space, model.joints, model.drives, model.couplings)
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise ReactioError(f"--of {text}: write NAME=NUMBER, as in hinge2.z=0.1mm.")
        name, owner = name.strip(), name.strip().rpartition(".")[0]
        if name not in along and owner in along:
            raise ReactioError(f"--of {text}: '{owner}' has one misfit, along its own coordinate: write {owner}=….")
        named[name] = amount(value, tolerance_unit(name, along), f"--of {text}")
    return named


def _print(bars: ErrorBars, sampled: SampledBars | None) -> None:
    out = console()
    when = f"; t = {bars.t:g} s" if bars.t else ""
    count = plural(len(bars.tolerances), "tolerance")
    out.print(f"[bold]{escape(bars.model.name)}[/bold]  {count}; {bars.axes} axes{when}")
    more = (">sampled σ", ">largest sampled") if sampled else ()
    ends = (">least", ">largest", ">linear ±") if bars.machines else ()
    listing = table(
        "Error bars", "joint", "part", ">nominal", ">± worst", ">± RSS", *ends, *more, "unit", "dominated by"
    )
    zero = rounding((bar.nominal, bar.worst) for bar in bars.bars)
    changed = [bar for bar in bars.bars if bar.worst > zero] or list(bars.bars)
    shown = sorted(changed, key=lambda bar: -bar.worst)[:COMPONENT_ROWS]
    for bar in shown:
        who = ", ".join(f"{bars.name_on_drawing(name)} {100 * share:.0f} %" for name, share in bar.dominant)
        numbers = [bar.nominal, bar.worst, bar.rss]
        if bars.machines:
            numbers += [bar.least or 0.0, bar.largest or 0.0, bar.linear_worst or 0.0]
        if sampled:
            known = {(sample.joint, sample.component): sample for sample in sampled.bars}.get(
                (bar.joint, bar.component)
            )
            numbers += [known.sigma, known.largest] if known else [0.0, 0.0]
        cells = (number_text(x, zero, 4, bar.unit) for x in numbers)
        listing.add_row(escape(bar.joint), bar.component, *cells, unit_name(bar.unit), escape(who))
    out.print(listing)
    print_rest(out, len(changed) - len(shown), "--json has all", "smaller ones")
    print_rest(out, len(bars.bars) - len(changed), "--json has all", "that no tolerance changes")
    if bars.determinate:
        out.print("No equation is redundant: without redundant equations tolerances cause no reactions.")
    for remark in bars.remarks:
        out.print(escape(remark))
    _print_machines(bars)
    for bar in bars.largest:
        out.print(f"• {escape(bars.advice(f'{bar.joint}.{bar.component}'))}")
    tight = [fit for fit in bars.fits if fit.force or fit.moment]
    if tight:
        listing = table("To assemble, at worst", "joint", f">force {unit_name('N')}", f">moment {unit_name('N m')}")
        for fit in sorted(tight, key=lambda fit: -fit.force)[:COMPONENT_ROWS]:
            listing.add_row(escape(fit.joint), rounded(fit.force, 4, "N"), rounded(fit.moment, 4, "N m"))
        out.print(listing)
    if sampled:
        failed = f", {sampled.failed:,} failed" if sampled.failed else ""
        out.print(
            f"{plural(sampled.samples, 'machine')} with random deviations{failed}: they differ from the linear answer "
            f"by {100 * sampled.disagreement:.2g} % of the largest worst case at most."
        )


def _print_machines(bars: ErrorBars) -> None:
    """Print the probabilities of machines whose parts have play or act one way only."""
    if bars.machines is None:
        return
    out, idle = console(), {name: p for name, p in bars.machines.idle.items() if p > 0.0}
    out.print(
        f"Parts have play or act one way only: {len(bars.machines.lam):,} machines with random deviations were "
        "solved, and those at the linear worst cases; the linear answer is printed next to them."
    )
    for name, p in sorted(idle.items(), key=lambda item: -item[1])[:COMPONENT_ROWS]:
        out.print(f"• {escape(name)} carries no load in {100 * p:.3g} % of them.")
    for name, p in bars.over_capacity.items():
        out.print(f"• {escape(name)} is beyond its capacity in {100 * p:.3g} % of them.")
    if bars.needs_force:
        out.print(f"• Assembly without load needs force in {100 * bars.needs_force:.3g} % of them.")
    if bars.machines.failed:
        out.print(f"• {plural(bars.machines.failed, 'machine')} cannot hold the load.")
