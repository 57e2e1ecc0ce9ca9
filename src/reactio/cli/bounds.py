"""``reactio bounds``: how large every reaction can be, whatever the split."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.cli.common import AsJson, At, Settings, Source, compile_source, console, escape, print_json, table
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.reaction_bounds import Answer

FEW = 60  # components of the table before the rest is only counted


def bounds(
    source: Source,
    settings: Settings = None,
    at: At = None,
    capacity: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT=FORCE[,MOMENT]",
            help="Largest force [N] and moment [N m] that a joint bears; `all` for every joint. May be repeated.",
        ),
    ] = None,
    as_json: AsJson = False,
    everything: Annotated[bool, typer.Option("--all", help="List every component, however many.")] = False,
) -> None:
    """Show between which ends every reaction lies, over all splits.

    Contacts only push, and joints bear no more than their capacity: that limits what the rank leaves open. With
    capacities: is some split within all of them, up to which factor of the load, which joints are critical then, and is
    every split safe. Exit code 1 when no split is within the capacities.

    Example: reactio bounds table --capacity leg1=120
    """
    from reactio.reaction_bounds import bounds as bounded

    system = compile_source(source, settings)
    names = [group.name for group in system.reacting]
    found = bounded(system, at, _capacities(capacity or [], names))
    if as_json:
        print_json(_data(found))
    else:
        _print(found, everything)
    if not found.feasible:
        raise typer.Exit(1)


def _capacities(texts: list[str], names: list[str]) -> dict[str, dict[str, float]]:
    """``A=5000,200`` texts as a mapping; ``all`` gives one to every joint that has none of its own."""
    given: dict[str, dict[str, float]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        try:
            numbers = [float(part) for part in values.split(",")]
        except ValueError:
            numbers = []
        if not equals or not name.strip() or not 1 <= len(numbers) <= 2:
            raise ReactioError(
                f"--capacity {text}: write JOINT=FORCE or JOINT=FORCE,MOMENT, as in --capacity A=5e3,200."
            )
        one = dict(zip(("force", "moment"), numbers, strict=False))
        for joint in names if name.strip() == "all" else [name.strip()]:
            given[joint] = one
    return given


def _end(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _data(found: Answer) -> dict[str, Any]:
    return {
        "schema": "reactio.bounds/1",
        "model": found.eqs.system.model.name,
        "t": found.eqs.state.t,
        "bounds": {
            name: {
                label: {
                    "low": _end(one.low),
                    "high": _end(one.high),
                    "unit": one.unit,
                    "unique": one.unique,
                    "limited_by": list(one.limited_by),
                    "why": one.why,
                }
                for label, one in found[name].items()
            }
            for name in found
        },
        "feasible": found.feasible,
        "load_factor": _end(found.load_factor),
        "critical": list(found.critical),
        "every_split_safe": found.every_split_safe,
        "notes": list(found.notes),
    }


def _print(found: Answer, everything: bool) -> None:
    out = console()
    out.print(f"[bold]{escape(found.eqs.system.model.name)}[/bold]  t = {found.eqs.state.t:g} s; joint axes")
    made = table("Over all splits", "name", "part", ">from", ">to", "unit", "why")
    rows = [(name, label, one) for name in found for label, one in found[name].items()]
    shown = rows if everything else rows[:FEW]
    size = max((abs(x) for _, _, one in rows for x in (one.low, one.high) if math.isfinite(x)), default=0.0)
    for name, label, one in shown:
        low, high = (_text(x, 1e-12 * size) for x in (one.low, one.high))
        made.add_row(escape(name), label, low, high, one.unit, escape(one.why))
    out.print(made)
    if len(shown) < len(rows):
        out.print(f"  … and {len(rows) - len(shown):,} more (--all lists them).")
    if math.isfinite(found.load_factor):
        critical = f" Critical then: {escape(', '.join(found.critical))}." if found.critical else ""
        out.print(f"Some split is within all capacities up to {found.load_factor:.6g} times the load.{critical}")
        safe = {True: "Every split is safe.", False: "Not every split is safe.", None: ""}[found.every_split_safe]
        if safe:
            out.print(safe)
    for note in found.notes:
        out.print(f"Note: {escape(note)}")


def _text(x: float, zero: float) -> str:
    if math.isinf(x):
        return "−∞" if x < 0 else "∞"
    return "0" if abs(x) <= zero else f"{x:.6g}"
