"""``reactio sensitivity``: how much every reaction depends on every stiffness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import quantity, unit_name
from reactio.cli.arguments.options import AsJson, At, InAxes, Settings, Source, finite
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.basis import print_turning_axes
from reactio.cli.output.numbers import number_text, rounding
from reactio.cli.output.printing import TABLE_ROWS, console, escape, print_json, print_rest, table
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.arrays import Floats
    from reactio.flexibility.sensitivity import Sensitivity
    from reactio.system.types import System


def sensitivity(
    source: Source,
    settings: Settings = None,
    within: Annotated[
        float | None,
        typer.Option(
            "--within",
            metavar="FACTOR",
            callback=finite,
            help="Also give the smallest and largest forces if each stiffness alone is known only within this factor.",
        ),
    ] = None,
    at: At = None,
    until: Annotated[
        float | None,
        typer.Option(callback=finite, help="Give the largest values over the motion until this time, in s."),
    ] = None,
    axes: InAxes = ReactionAxes.JOINT,
    as_json: AsJson = False,
) -> None:
    """Show the sensitivity of every reaction to every stiffness.

    dF/dln k: the change of a force when a stiffness grows by 1 %, times 100. Without misfits each row adds up to
    zero: only ratios of stiffnesses matter.

      reactio sensitivity door --set hinges=2 --set bushings=1 --within 2

      reactio sensitivity door --set hinges=2 --set bushings=1 --until 0.5
    """
    from reactio.flexibility.sensitivity import bounds
    from reactio.flexibility.sensitivity import sensitivity as slopes
    from reactio.joint_reactions.closing import with_closing_contacts
    from reactio.simulation.state_at import state_at
    from reactio.system.compile.build import build

    model = with_closing_contacts(read_source(source, settings))
    system = build(model, vibration=False).in_axes(axes)
    if until is not None:
        if at is not None or within is not None:
            raise ReactioError(
                "--until is for a motion, --at and --within are for an instant: leave out one or the other."
            )
        _over_motion(system, until, as_json)
        return
    state = state_at(system, at) if at else None
    sensitivities = slopes(system, state)
    limits = None if within is None else bounds(system, within, state)
    if as_json:
        print_json({**sensitivities.as_data(), "model": model.name, "within": within, "bounds": _bounds_data(limits)})
        return
    _print(system, sensitivities)
    if limits is not None and within is not None:
        _print_bounds(system, sensitivities, limits, within)


def _over_motion(system: System, until: float, as_json: bool) -> None:
    """Print the largest sensitivities over a motion, each with its time."""
    from reactio.flexibility.sensitivity_over_motion import sensitivity_over_motion

    largest = sensitivity_over_motion(system, until)
    if as_json:
        print_json({**largest.as_data(), "model": system.model.name})
        return
    out = console()
    out.print(
        f"[bold]{escape(system.model.name)}[/]: largest dF/dln k in {unit_name('N')} and {unit_name('N m')} at "
        f"{len(largest.t)} instants until t = {until:g} s, {system.axes} axes; rule compliance (level 1)."
    )
    rows = table("Largest sensitivities", "joint", "part", *(f">{escape(name)}" for name in largest.parts))
    zero = rounding(table.ravel() for table in largest.forces.values())
    lines = [
        (float(abs(slopes).max(initial=0.0)), name, part, slopes, times)
        for name, values in largest.forces.items()
        for part, slopes, times in zip(_components(system, name), values, largest.times[name], strict=True)
    ]
    lines = sorted((line for line in lines if line[0] > zero), key=lambda line: -line[0])
    for _, name, part, slopes, times in lines[:TABLE_ROWS]:
        cells = (
            f"{number_text(float(x), zero, 4, _unit(system, name, part))} at {t:.4g} s"
            for x, t in zip(slopes, times, strict=True)
        )
        rows.add_row(escape(name), part, *cells)
    if not lines:
        out.print("No reaction depends on a stiffness.")
        return
    out.print(rows)
    print_turning_axes(out, system)
    print_rest(out, len(lines) - TABLE_ROWS, "--json has all", "smaller ones")


def _bounds_data(limits: dict[str, dict[str, Floats]] | None) -> Any:
    if limits is None:
        return None
    return {
        joint: {part: {"least": ends[0], "largest": ends[1]} for part, ends in parts.items()}
        for joint, parts in limits.items()
    }


def _components(system: System, name: str) -> tuple[str, ...]:
    """The names of the components of a joint's force and moment, or of the force or moment of a drive or coupling."""
    from reactio.system.constraints import LABELS
    from reactio.system.types import EFFORT

    group = system.group(name)
    if group.frames is None:
        return (EFFORT[group.units[0]][0],)
    return LABELS[system.space] if system.axes == ReactionAxes.WORLD else group.line_labels or LABELS[system.space]


def _unit(system: System, name: str, component: str) -> str:
    """The unit of a component of a joint, or of the force or moment of a drive or coupling."""
    group = system.group(name)
    turns = group.units[0] == "rad" if group.frames is None else component.startswith("M")
    return "N m" if turns else "N"


def _print(system: System, sensitivities: Sensitivity) -> None:
    out, model = console(), system.model
    out.print(
        f"[bold]{escape(model.name)}[/]: dF/dln k in {unit_name('N')} and {unit_name('N m')}, {system.axes} axes; "
        "rule compliance (level 1)."
    )
    listing = table("Sensitivities", "joint", "part", ">now", *(f">{escape(name)}" for name in sensitivities.parts))
    size = max((float(abs(rows).max()) for rows in sensitivities.forces.values() if rows.size), default=0.0)
    zero = rounding(sensitivities.now.values())
    rows = [
        (name, part, sensitivities.now[name][k], slopes)
        for name, rows in sensitivities.forces.items()
        for k, (part, slopes) in enumerate(zip(_components(system, name), rows, strict=True))
        if abs(slopes).max(initial=0.0) > 1e-9 * size
    ]
    rows.sort(key=lambda row: -float(abs(row[3]).max()))
    for name, part, now, slopes in rows[:TABLE_ROWS]:
        listing.add_row(
            escape(name),
            part,
            number_text(now, zero, 4, _unit(system, name, part)),
            *(number_text(float(x), zero, 4, _unit(system, name, part)) for x in slopes),
        )
    if rows:
        out.print(listing)
        print_turning_axes(out, system)
        print_rest(out, len(rows) - TABLE_ROWS, "--json has all", "smaller ones")
    else:
        out.print("No reaction depends on a stiffness.")
    if sensitivities.on_the_verge:
        out.print(
            f"{escape(', '.join(sensitivities.on_the_verge))} is about to close or to open: slopes hold on one side "
            f"only."
        )


def _print_bounds(
    system: System, sensitivities: Sensitivity, limits: dict[str, dict[str, Floats]], within: float
) -> None:
    """Print for each joint the component of the force that one stiffness changes most, and its bounds."""
    title = f"One stiffness within a factor of {within:g}"
    listing = table(title, "joint", "part", "most by", ">now", ">least", ">largest")
    for joint, by_part in limits.items():
        width = sum(not name.startswith("M") for name in _components(system, joint))
        spans = {part: float(abs(ends[1] - ends[0])[:width].max()) for part, ends in by_part.items()}
        part = max(spans, key=lambda name: spans[name])
        k = int(abs(by_part[part][1] - by_part[part][0])[:width].argmax())
        numbers = (sensitivities.now[joint][k], by_part[part][0][k], by_part[part][1][k])
        component = _components(system, joint)[k]
        unit = _unit(system, joint, component)
        listing.add_row(escape(joint), component, escape(part), *(quantity(x, unit) for x in numbers))
    console().print(listing)
