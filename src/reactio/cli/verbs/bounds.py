"""``reactio bounds``: how large every reaction can be, whatever the split."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.open_parts import open_words
from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import reaction_unit, unit_name
from reactio.cli.arguments.one_way_parts import touching
from reactio.cli.arguments.options import AsJson, At, InAxes, Settings, Source
from reactio.cli.arguments.quantities import amount
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.numbers import number_text, rounding
from reactio.cli.output.printing import COMPONENT_ROWS, console, escape, print_json, print_rest, table
from reactio.cli.output.progress import progress_line
from reactio.cli.process import ExitCode
from reactio.cli.verbosity import silent
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.model.model import Model
    from reactio.reaction_bounds.intervals import ReactionBounds
    from reactio.reaction_bounds.over_run import BoundsEnvelope
    from reactio.system.types import System

FIRST_ESTIMATE = 2.0  # [s] after the first joint or contact, when the remaining time is first estimated


def bounds(
    source: Source,
    settings: Settings = None,
    at: At = None,
    capacity: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT=FORCE[,MOMENT]",
            help="Largest force and moment of a joint, or of `all` joints, in the units of the file or "
            "with their own, 5kN; may be repeated.",
        ),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT.COMPONENT=LOW..HIGH",
            help="Known range of a component, such as a preload: bolt.Fz=5e3..8e3; may be repeated.",
        ),
    ] = None,
    until: Annotated[
        float | None, typer.Option(help="Compute the envelope over the motion until this time, in seconds.")
    ] = None,
    samples: Annotated[int | None, typer.Option(help="Number of instants of an envelope (default 51).")] = None,
    axes: InAxes = ReactionAxes.JOINT,
    as_json: AsJson = False,
    everything: Annotated[bool, typer.Option("--all", help="List every component, however many.")] = False,
) -> None:
    """Show the range of every reaction over all possible load distributions.

    Contacts only push, friction stays within its cone, and joints carry no more than their capacity: this limits the
    undetermined reactions. With capacities, Reactio also reports up to which load factor some distribution respects
    all of them, which joints are critical there, and whether every distribution respects them. Exit code 1 if none
    does. Capacities, friction and known ranges need the extra `contact`.

    Examples:

      reactio bounds table --capacity leg1=120

      reactio bounds table --known leg1.Fz=40..60

      reactio bounds four-bar-spatial --until 1
    """
    if until is None and samples is not None:
        raise ReactioError("--samples are instants of an envelope: give its end too, --until 2.")
    if until is not None and at is not None:
        raise ReactioError("--at is one instant, --until an envelope from the start on: choose one of them.")
    model = read_source(source, settings)
    given = _capacities(capacity or []), _ranges(known or [])
    if until is None:
        from reactio.reaction_bounds.at_instant import bounds as bounded

        with _progress() as told:
            intervals = bounded(_in_axes(model, at, axes), at, *given, on_progress=told)
        feasible = _one_instant(intervals, model, as_json, everything)
    else:
        from reactio.reaction_bounds.over_run import DEFAULT_INSTANTS, bounds_envelope

        instants = DEFAULT_INSTANTS if samples is None else samples
        envelope = bounds_envelope(_in_axes(model, until, axes), until, instants, *given)
        feasible = _envelope(envelope, as_json, everything)
    if not feasible:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _in_axes(model: Model, t: float | None, axes: ReactionAxes) -> Model | System:
    """The model, or its system in the axes asked for; contacts at a later time are followed by a run of the model."""
    from reactio.model.contacts import acts_one_way
    from reactio.system.compile.build import build

    if not t:
        return touching(model, build(model)).in_axes(axes)
    if axes == ReactionAxes.JOINT:
        return model
    if acts_one_way(model):
        raise ReactioError("Bounds of parts that only push or pull are in joint axes along a motion: leave out --axes.")
    return build(model).in_axes(axes)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Progress by the number of joints that are done, with an estimate of the remaining time.

    The estimate starts at the first joint, because the work before it is done only once.
    """
    first = list[tuple[float, int]]()
    with progress_line() as line:

        def tell(done: int, total: int) -> None:
            now = time.monotonic()
            if not first:
                first.append((now, done))
            since, before = first[0]
            if silent() or now - since < FIRST_ESTIMATE:
                return
            remaining = (now - since) * (total - done) / (done - before)
            text = (
                f"{done:,} of {total:,} joints and contacts ({100 * done / total:.0f} %), about {remaining:.0f} s left"
            )
            line.show(text, now)

        yield tell


def _one_instant(intervals: ReactionBounds, model: Model, as_json: bool, everything: bool) -> bool:
    """Bounds as table or JSON; whether some split is within the capacities."""
    from reactio.joint_reactions.open_at_pose import open_contacts

    apart = open_contacts(model, intervals.eqs.system)
    if as_json:
        print_json({**intervals.as_data(), **({"open_contacts": apart} if apart else {})})
        return intervals.feasible
    _print(intervals, everything)
    for line in open_words(apart):
        console().print(escape(line))
    return intervals.feasible


def _envelope(envelope: BoundsEnvelope, as_json: bool, everything: bool) -> bool:
    """An envelope as table or JSON; whether some split is within the capacities at every instant."""
    if as_json:
        print_json(envelope.as_data())
        return envelope.feasible
    out = console()
    first, last = envelope.times[0], envelope.times[-1]
    span = f"t = {first:g} … {last:g} s, {len(envelope.times)} instants; {envelope.axes} axes"
    out.print(f"[bold]{escape(envelope.model)}[/bold]  {span}")
    listing = table(
        "Over all load distributions and instants", "name", "part", ">from", ">at s", ">to", ">at s", "unit", "unique"
    )
    rows = [(name, label, bound) for name in envelope for label, bound in envelope[name].items()]
    zero = rounding((bound.low, bound.high) for _, _, bound in rows)
    shown = rows if everything else rows[:COMPONENT_ROWS]
    for name, label, bound in shown:
        low, high = (number_text(x, zero, 6, bound.unit) for x in (bound.low, bound.high))
        when = [
            f"{t:.4g}" if math.isfinite(x) else "" for t, x in ((bound.t_low, bound.low), (bound.t_high, bound.high))
        ]
        listing.add_row(
            escape(name), label, low, when[0], high, when[1], unit_name(bound.unit), "always" if bound.unique else ""
        )
    out.print(listing)
    print_rest(out, len(rows) - len(shown), "--all lists them")
    if math.isfinite(envelope.load_factor):
        critical = f" Critical then: {escape(', '.join(envelope.critical))}." if envelope.critical else ""
        out.print(
            f"Some load distribution is within all capacities up to {envelope.load_factor:.6g} times the load at "
            f"every instant; the smallest factor is at t = {envelope.t_critical:.4g} s.{critical}"
        )
    for note in envelope.notes:
        out.print(f"Note: {escape(note)}")
    return envelope.feasible


def _ranges(texts: list[str]) -> dict[str, tuple[float, float]]:
    """Ranges by component, from texts such as ``bolt.Fz=5e3..8e3``."""
    given = {}
    for text in texts:
        name, equals, values = text.partition("=")
        low, dots, high = values.partition("..")
        if not equals or not dots or "." not in name:
            raise ReactioError(f"--known {text}: write JOINT.COMPONENT=LOW..HIGH, as in --known bolt.Fz=5e3..8e3.")
        unit = reaction_unit(name.strip())
        given[name.strip()] = amount(low, unit, f"--known {text}"), amount(high, unit, f"--known {text}")
    return given


def _capacities(texts: list[str]) -> dict[str, dict[str, float]]:
    """Capacities by joint, from texts such as ``A=5000,200``."""
    given: dict[str, dict[str, float]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        sizes = values.split(",")
        if not equals or not name.strip() or len(sizes) > 2:
            raise ReactioError(
                f"--capacity {text}: write JOINT=FORCE or JOINT=FORCE,MOMENT, as in --capacity A=5e3,200."
            )
        limits = zip((("force", "N"), ("moment", "N m")), sizes, strict=False)
        given[name.strip()] = {kind: amount(size, unit, f"--capacity {text}") for (kind, unit), size in limits}
    return given


def _print(intervals: ReactionBounds, everything: bool) -> None:
    out = console()
    system, t = intervals.eqs.system, intervals.eqs.state.t
    out.print(f"[bold]{escape(system.model.name)}[/bold]  t = {t:g} s; {system.axes} axes")
    listing = table("Over all load distributions", "name", "part", ">from", ">to", "unit", "why")
    rows = [(name, label, bound) for name in intervals for label, bound in intervals[name].items()]
    shown = rows if everything else rows[:COMPONENT_ROWS]
    zero = rounding((bound.low, bound.high) for _, _, bound in rows)
    for name, label, bound in shown:
        low, high = (number_text(x, zero, 6, bound.unit) for x in (bound.low, bound.high))
        listing.add_row(escape(name), label, low, high, unit_name(bound.unit), escape(bound.why))
    out.print(listing)
    print_rest(out, len(rows) - len(shown), "--all lists them")
    if math.isfinite(intervals.load_factor):
        critical = f" Critical then: {escape(', '.join(intervals.critical))}." if intervals.critical else ""
        out.print(
            f"Some load distribution is within all capacities up to {intervals.load_factor:.6g} times the "
            f"load.{critical}"
        )
        safe = {True: "Every distribution is safe.", False: "Not every distribution is safe.", None: ""}[
            intervals.every_split_safe
        ]
        if safe:
            out.print(safe)
    for note in intervals.notes:
        out.print(f"Note: {escape(note)}")
