"""``reactio compare``: two models, or one model by two rules, side by side."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import unit_name
from reactio.cli.arguments.import_options import units_asked_for
from reactio.cli.arguments.options import AsJson, At, InAxes, Settings, Source, complete_rule, finite
from reactio.cli.arguments.sources import compile_source
from reactio.cli.output.basis import BY_STIFFNESS_MARK, mark_words, print_turning_axes
from reactio.cli.output.numbers import number_text, rounded, rounding
from reactio.cli.output.printing import console, escape, print_json, table, wrote
from reactio.errors import ReactioError
from reactio.operating_system.files import check_writable, write_bytes

if TYPE_CHECKING:
    from reactio.diagnosis.side_by_side import ComparedPart
    from reactio.system.types import System

BY_FORMULATIONS = (
    "Formulations of one model are compared over a run: give MODEL, --formulations A,B (or all) and --until T, without "
    "another model, --rule or --at."
)


def compare(
    first: Source,
    second: Annotated[
        str | None,
        typer.Argument(help="The second model (default: the same one under another rule).", show_default=False),
    ] = None,
    settings: Settings = None,
    at: At = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Sharing rule for reactions that are not unique; give it twice for one on each side.",
            autocompletion=complete_rule,
        ),
    ] = None,
    formulations: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="Simulate one model by these formulations of constrained motion, or `all`, until --until.",
        ),
    ] = None,
    until: Annotated[
        float | None, typer.Option(callback=finite, help="Compare the peaks of runs until this time, in seconds.")
    ] = None,
    axes: InAxes = ReactionAxes.JOINT,
    tol: Annotated[float | None, typer.Option(help="Tolerance of the steps of --formulations (default 1e-9).")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also list components that agree.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write a page to this file (.html).")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two models, or one model under two rules or several formulations.

    Examples:

      reactio compare before.yaml after.yaml --until 2

      reactio compare mobile-robot --rule inertia --rule pseudoinverse

      reactio compare mobile-robot --formulations null-space,penalty:stiffness=1e7 --until 2.5
    """
    if output is not None:
        if output.suffix.lower() not in (".html", ".htm"):
            raise ReactioError(f"'{output}': the page is written as .html.")
        check_writable(output)
    if until is not None and formulations is None and (second is not None or rule):
        if at is not None or tol is not None or output is not None:
            raise ReactioError("Peaks of two runs (--until) cannot be combined with --at, --tol or -o.")
        _peaks((first, second or first), settings, until, _two_rules(second, rule), axes, everything, as_json)
        return
    if formulations is not None or until is not None or tol is not None:
        if second is not None or rule or at is not None or axes != ReactionAxes.JOINT:
            raise ReactioError(BY_FORMULATIONS)
        _by_formulations(compile_source(first, settings), formulations, until, tol, everything, output, as_json)
        return
    _side_by_side((first, second or first), settings, at, _two_rules(second, rule), axes, everything, output, as_json)


def _by_formulations(
    system: System,
    formulations: str | None,
    until: float | None,
    tol: float | None,
    everything: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Compare runs of one model by several formulations."""
    from reactio.cli.output.formulation_table import show_formulations

    if formulations is None or until is None:
        raise ReactioError(BY_FORMULATIONS)
    show_formulations(system, formulations, until, tol, everything, output, as_json)


def _two_rules(second: str | None, rule: list[str] | None) -> tuple[str | None, str | None]:
    """The sharing rule of each side."""
    rules = list(rule or ())
    if len(rules) > 2 or (second is None and len(rules) != 2):
        raise ReactioError("Give two models, or one model and two rules: --rule inertia --rule pseudoinverse.")
    return (rules[0], rules[-1]) if rules else (None, None)


def _peaks(
    sources: tuple[str, str],
    settings: Settings,
    until: float,
    sides: tuple[str | None, str | None],
    axes: ReactionAxes,
    everything: bool,
    as_json: bool,
) -> None:
    """Compare the peaks of runs of two models, or of one by two rules."""
    from reactio.diagnosis.peaks_side_by_side import peaks_side_by_side
    from reactio.simulation.peaks import peaks
    from reactio.simulation.simulate import simulate

    runs = []
    for source, rule in zip(sources, sides, strict=True):
        run = simulate(compile_source(source, settings, rule=rule).in_axes(axes), until, rule=rule)
        if run.checkpoint.t < until * (1 - 1e-12):
            raise ReactioError(
                f"{source}: the run ended at t = {run.checkpoint.t:g} s of {until:g} s: {run.status.value}"
            )
        runs.append(peaks(run))
    compared = peaks_side_by_side(runs[0], runs[1])
    names = _names(sources, sides)
    differing = [peak for peak in compared if peak.differs]
    summary = f"{len(differing)} of {len(compared)} peaks until t = {until:g} s differ, in {axes} axes."
    if as_json:
        print_json({
            "schema": "reactio.peaks-side-by-side/1", "sides": names, "axes": axes, "until": until,
            "rows": compared, "summary": summary,
        })  # fmt: skip
        return
    out = console()
    out.print(f"[bold]{escape(summary)}[/bold]")
    shown = compared if everything else differing
    if not shown:
        return
    heads = [head for name in names for head in (f">{name}", ">at t s")]
    rows = table(f"Peaks side by side, {axes} axes", "name", "part", *heads, "unit", "verdict over the run")
    for peak in shown:
        cells = [
            cell for x, t in zip(peak.peaks, peak.t, strict=True) for cell in (rounded(x, 5, peak.unit), rounded(t))
        ]
        words = " → ".join(verdict or "not there" for verdict in dict.fromkeys(peak.verdicts))
        rows.add_row(escape(peak.name), escape(peak.component), *cells, unit_name(peak.unit), escape(words))
    out.print(rows)


def _names(sources: tuple[str, str], sides: tuple[str | None, str | None]) -> list[str]:
    """The names of both sides: a source, and its rule where one is given."""
    return [f"{Path(s).name}{f', {rule}' if rule else ''}" for s, rule in zip(sources, sides, strict=True)]


def _side_by_side(
    sources: tuple[str, str],
    settings: Settings,
    at: float | None,
    sides: tuple[str | None, str | None],
    axes: ReactionAxes,
    everything: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Compare the reactions of two models, or of one by two rules."""
    from reactio.diagnosis.side_by_side import side_by_side
    from reactio.simulation.state_at import judge_at

    both = [
        judge_at(compile_source(source, settings, rule=side_rule).in_axes(axes), at, side_rule).reactions(side_rule)
        for source, side_rule in zip(sources, sides, strict=True)
    ]
    parts = side_by_side(both[0], both[1], axes)
    value = partial(_value, rounding(p.values for p in parts))
    names = _names(sources, sides)
    if as_json:
        print_json({
            "schema": "reactio.side-by-side/1", "sides": names, "axes": axes,
            "rows": parts, "summary": _summary(parts, axes),
        })  # fmt: skip
    else:
        _print(names, parts, value, axes, everything)
        print_turning_axes(console(), both[0].eqs.system)
    if output is not None:
        from reactio.reporting.compare_page import compare_page
        from reactio.reporting.gather import report

        words = mark_words(p.by_stiffness for p in parts)
        asked = units_asked_for()
        reports = [report(side.eqs, rule=rule, units=asked) for side, rule in zip(both, sides, strict=True)]
        page = compare_page(names, parts, _summary(parts, axes), words, value, axes, reports)
        write_bytes(output, page.encode())
        if not as_json:
            wrote(output)


def _summary(parts: tuple[ComparedPart, ...], axes: ReactionAxes) -> str:
    verdicts = {p.name: p.verdicts for p in parts}
    changed = sum(a != b for a, b in verdicts.values())
    differing = [p for p in parts if p.differs]
    sure = [p for p in differing if all(a or b for a, b in zip(p.unique, p.by_stiffness, strict=True))]
    stiff = any(any(p.by_stiffness) for p in sure)
    counts = f"{changed} of {len(verdicts)} verdicts and {len(differing)} of {len(parts)} components"
    text = f"{counts} differ, in {axes} axes"
    if sure:
        basis = "unique or determined by stiffness" if stiff else "unique"
        causes = "another load or another stiffness" if stiff else "another load"
        text += f"; a component that is {basis} on both sides and differs means {causes}"
    if len(sure) < len(differing):
        text += ", the others depend on the rule" if sure else "; components that are not unique depend on the rule"
    return f"{text}."


def _value(zero: float, part: ComparedPart, side: int) -> str:
    """A number with the mark of its basis; 0 where it is rounding; empty where there is no such component."""
    value, verdict = part.values[side], part.verdicts[side]
    if not part.there[side]:
        return "none" if verdict else "not there"
    mark = "●" if part.unique[side] else BY_STIFFNESS_MARK if part.by_stiffness[side] else "○"
    return f"{mark} –" if value is None else f"{mark} {number_text(value, zero, unit=part.unit)}"


def _print(
    names: list[str],
    parts: tuple[ComparedPart, ...],
    value: Callable[[ComparedPart, int], str],
    axes: ReactionAxes,
    everything: bool,
) -> None:
    out = console()
    out.print(f"[bold]{escape(_summary(parts, axes))}[/bold]")
    shown = [p for p in parts if everything or p.differs or p.verdicts[0] != p.verdicts[1]]
    if not shown:
        return
    heads = [f">{name}" for name in names]
    listing = table(f"Side by side, {axes} axes", "name", "part", *heads, "unit", "verdicts")
    before = ""
    for p in shown:
        words = " → ".join(v or "not there" for v in dict.fromkeys(p.verdicts)) if p.name != before else ""
        listing.add_row(
            escape(p.name) if p.name != before else "",
            p.component,
            value(p, 0),
            value(p, 1),
            unit_name(p.unit),
            escape(words),
        )
        before = p.name
    out.print(listing)
    out.print(f"{mark_words(p.by_stiffness for p in shown)}; – undetermined.")
    if any(
        has_component != bool(verdict)
        for p in shown
        for has_component, verdict in zip(p.there, p.verdicts, strict=True)
    ):
        out.print("none: the joint has no such component; a planar pin, for example, has no force along its axis.")
