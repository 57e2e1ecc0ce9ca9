"""``reactio singular``: the singular configurations of a motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.cli.arguments.options import AsJson, Settings, Source
from reactio.cli.arguments.plot_option import Command, Plot, picture_of
from reactio.cli.arguments.sources import compile_source
from reactio.cli.output.branches import branch_data, branch_lines, numbered
from reactio.cli.output.printing import console, escape, plural, print_json, print_rest, table, wrote
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.singular.passages.singularities import Singularities, Singularity
    from reactio.system.types import System
    from reactio.uniqueness import SelfStress

__all__ = ["Command", "singular"]

PASSAGE_COLOURS = {"bifurcation": "red", "infinitesimal": "yellow", "undecided": "magenta"}
MOST_PASSAGES = 24  # that are listed


def singular(
    source: Source,
    until: Annotated[float, typer.Option(help="Simulated time, in seconds.")],
    settings: Settings = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Find the singular poses of a motion, and the velocities that become admissible there.

    A *bifurcation* has several real branches. *Infinitesimal*: the new admissible velocities lead to no finite motion.

    Example: reactio singular double-four-bar --until 3 --plot passages.png
    """
    from reactio.simulation.start import start_notes
    from reactio.singular.passages.singularities import singularities

    picture = picture_of(plot, source, "singular")
    system = compile_source(source, settings)
    search, notes = singularities(system, until), list(start_notes(system))
    if picture is not None:
        from reactio.drawing.plots.singular import plot_singularities

        plot_singularities(search, picture)
    if as_json:
        print_json(_data(search, until) | {"notes": notes})
    else:
        _print(search, until, picture)
    for note in () if as_json else notes:
        console().print(f"Note: {escape(note)}")


def _data(search: Singularities, until: float) -> dict[str, Any]:
    return {
        "schema": "reactio.singular/1",
        "model": search.system.model.name,
        "until": until,
        "t": search.t[-1],
        **picked(search, "rank note"),
        "events": [_event(search.system, event) for event in search.events],
        "history": picked(search, "t sigma"),
    }


def _event(system: System, event: Singularity) -> dict[str, Any]:
    from reactio.singular.words import body_velocities, motion_words

    def motions(V: Any) -> list[dict[str, Any]]:
        return [
            {"bodies": body_velocities(system, event.state, v), "words": motion_words(system, event.state, v)}
            for v in V.T
        ]

    return {
        **picked(event, "t rank_before rank_at rank_after"),
        "new_directions": event.new.shape[1],
        "branches": len(event.study.real),
        **picked(event, "verdict examined_to=study.examined not_examined=study.not_examined closing_singular_value"),
        "continued": motions(event.continued),
        "directions": motions(event.new),
        "branch_list": [branch_data(system, event.state, b) for b in event.study.found],
        "self_stress": [{"joints": s.groups, "words": _stress(system, event, s)} for s in event.stresses],
        "less_unique": event.opened,
    }


def _stress(system: System, event: Singularity, stress: SelfStress) -> str:
    from reactio.diagnosis.why import describe
    from reactio.system.equations import equations

    return describe(equations(system, event.state), stress)


def _print(search: Singularities, until: float, plot: Path | None) -> None:
    out, model = console(), search.system.model
    out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}")
    count = plural(len(search.events), "singular configuration")
    out.print(f"Rank {search.rank} of C ({search.system.m} × {search.system.n}); {count} until t = {until:g} s.")
    if search.note:
        out.print(f"[yellow]{escape(search.note)}[/yellow]")
    if search.events:
        _table(out, search)
        seen: set[tuple[int, str]] = set()
        for event in search.events:
            kind = (event.rank_at, event.verdict)
            if kind not in seen:
                _explain(out, search.system, event)
            seen.add(kind)
    if plot is not None:
        wrote(plot)


def _table(out: Console, search: Singularities) -> None:
    listing = table("Passages", ">t s", ">rank before", ">at", ">after", ">new", ">branches", ">σ", "verdict")
    for e in search.events[:MOST_PASSAGES]:
        ranks = ("–" if e.rank_before is None else str(e.rank_before), str(e.rank_at), str(e.rank_after))
        counts = (str(e.new.shape[1]), str(len(e.study.real)), f"{e.closing_singular_value:.0e}")
        listing.add_row(f"{e.t:.8f}", *ranks, *counts, f"[{PASSAGE_COLOURS[e.verdict]}]{e.verdict}[/]")
    out.print(listing)
    print_rest(out, len(search.events) - MOST_PASSAGES, "--json lists them")


def _explain(out: Console, system: System, event: Singularity) -> None:
    from reactio.singular.words import motion_words

    out.print(f"[bold]At t = {event.t:.8g} s[/bold]; only the ratios of the rates matter")
    for v in event.continued.T:
        out.print(f"  continues: {escape(motion_words(system, event.state, v))}")
    for v in event.new.T:
        out.print(f"  also admissible: {escape(motion_words(system, event.state, v))}")
    for number, branch in numbered(event.study.found):
        first, *rest = branch_lines(system, event.state, branch)
        out.print(f"  branch{' ' + number if number else ''}: {escape(first)}")
        for line in rest:
            out.print(f"  {escape(line)}")
    for stress in event.stresses:
        out.print(f"  self-stress: {escape(_stress(system, event, stress))}")
    if event.opened:
        out.print(f"  Reactions that are less unique here than in nearby poses: {escape(', '.join(event.opened))}.")
