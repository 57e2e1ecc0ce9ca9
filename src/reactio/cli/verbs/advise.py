"""``reactio advise``: which joints to release, or which components to measure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from reactio.cli.arguments.options import AsJson, Settings, Source, finite
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.printing import console, escape, plural, print_json, print_rest, table, wrote
from reactio.cli.process import ExitCode
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.design.releases import Proposal, ReleaseAdvice
    from reactio.model.model import Model

MOST_PROPOSALS = 12  # that are listed without --all: a screen
Value = TypeVar("Value")


def advise(
    source: Source,
    settings: Settings = None,
    until: Annotated[
        float | None, typer.Option(callback=finite, help="Examine the motion until this time too, in seconds.")
    ] = None,
    make: Annotated[
        list[str] | None, typer.Option("--make", metavar="JOINT", help="Only this joint has to be unique; repeat.")
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="JOINT", help="This joint stays as it is; repeat.")
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="Cost of changing a joint (1), or of a new type (0); repeat."),
    ] = None,
    using: Annotated[
        list[str] | None, typer.Option("--with", metavar="JOINT=TYPE", help="This joint becomes that type; repeat.")
    ] = None,
    sensors: Annotated[bool, typer.Option("--sensors", help="Find components to measure instead.")] = False,
    candidates: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES", help="With --sensors: only these, as in B.Fz,C; a joint means all its components."
        ),
    ] = None,
    faults: Annotated[int, typer.Option(min=0, max=2, help="With --sensors: number of sensors that may fail.")] = 0,
    remove: Annotated[bool, typer.Option("--remove", help="Joints may be left out altogether.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the model with a proposal (the first) as YAML.")
    ] = None,
    choose: Annotated[int, typer.Option(min=1, help="The number of the proposal that is shown in full.")] = 1,
    everything: Annotated[bool, typer.Option("--all", help="List every proposal.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find joints to release, or components to measure.

    Every proposal is examined in this pose, in nearby poses and, with --until, along the motion; the one that is
    shown in full is checked again.

      reactio advise four-bar-spatial

      reactio advise four-bar-spatial --make B --keep A -o released.yaml

      reactio advise four-bar-spatial --sensors --candidates A,B
    """
    from reactio.design.releases import releases
    from reactio.operating_system.files import check_writable

    if output is not None:
        check_writable(output)
    model = read_source(source, settings)
    if sensors:
        _sensors(model, candidates, faults, until, as_json, bool(make or keep or cost or using or remove or output))
        return
    if candidates or faults:
        raise ReactioError("--candidates and --faults are about measuring: add --sensors.")
    found = releases(
        model,
        until=until,
        make=make or (),
        keep=keep or (),
        cost=_pairs("--cost", cost, _number),
        using=_pairs("--with", using, str),
        remove=remove,
    )
    if found.proposals and choose > len(found.proposals):
        raise ReactioError(f"--choose {choose}: there are {plural(len(found.proposals), 'proposal')}.")
    chosen = found.proposals[choose - 1] if found.proposals else None
    if chosen is not None:
        _confirm(found, chosen)
    _show(found, chosen, choose, everything, as_json)
    if output is not None:
        _write(output, found, chosen, source, quiet=as_json)
    if found.redundancy and chosen is None:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _show(found: ReleaseAdvice, chosen: Proposal | None, choose: int, everything: bool, as_json: bool) -> None:
    if as_json:
        print_json(found.as_data(None if everything else max(MOST_PROPOSALS, choose)))
    else:
        _print(console(), found, chosen, choose, everything)


def _sensors(
    model: Model, candidates: list[str] | None, faults: int, until: float | None, as_json: bool, other: bool
) -> None:
    from reactio.design.sensors import sensors as measured

    if other:
        raise ReactioError("--sensors goes with --candidates, --faults and --until only; the rest is about releases.")
    names = [name.strip() for text in candidates or () for name in text.split(",") if name.strip()]
    found = measured(model, names, faults=faults, until=until)
    if as_json:
        print_json(found.as_data())
        return
    out = console()
    out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}")
    out.print(f"{plural(found.redundancy, 'self-stress', 'self-stresses')}; {found.considered} components see one.")
    if found.sets:
        heads = (">with faults",) if faults else ()
        made = table("What to measure", ">", ">1 % becomes", *heads, "known worst", "sensors")
        for k, one in enumerate(found.sets, start=1):
            lost = (f"{one.with_faults:.3g} %",) if one.with_faults is not None else ()
            made.add_row(str(k), f"{one.amplification:.3g} %", *lost, escape(one.worst), escape(", ".join(one.names)))
        out.print(made)
        out.print("1 % of the largest force, of moments that force times the characteristic length.")
    for note in found.notes:
        out.print(f"Note: {escape(note)}")


def _pairs(option: str, given: list[str] | None, read: Callable[[str], Value]) -> dict[str, Value]:
    """``NAME=VALUE`` texts, also several separated by commas, as a mapping."""
    found = {}
    for text in (part for one in given or () for part in one.split(",")):
        name, equals, value = (part.strip() for part in text.partition("="))
        try:
            if not (name and equals and value):
                raise ValueError
            found[name] = read(value)
        except ValueError:
            raise ReactioError(f"{option} {text}: write NAME=VALUE, as in {option} B=…") from None
    return found


def _number(text: str) -> float:
    return float(text)


def _confirm(found: ReleaseAdvice, chosen: Proposal) -> None:
    """Confirm a proposal by ``check``, which is independent of the search."""
    answer = chosen.verdicts
    if answer.mobility != found.mobility:
        raise ReactioError(
            f"{chosen}: `check` finds mobility {answer.mobility} instead of {found.mobility}; this pose is too close "
            f"to a singular one (margin {chosen.margin:.1g}). Give another pose, or --until."
        )


def _print(out: Console, found: ReleaseAdvice, chosen: Proposal | None, number: int, everything: bool) -> None:
    model = found.model
    out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}")
    out.print(
        f"{plural(found.redundancy, 'redundant equation')}, mobility {found.mobility}; "
        f"examined in {plural(found.poses, 'pose')}."
    )
    if found.proposals:
        shown = found.proposals if everything else found.proposals[:MOST_PROPOSALS]
        made = table("Releases", ">", ">joints", ">freedoms", ">cost", ">margin", "replace")
        for k, one in enumerate(shown, start=1):
            made.add_row(
                str(k), str(len(one.releases)), str(one.freedoms), f"{one.cost:g}", f"{one.margin:.2g}",
                escape("; ".join(map(str, one.releases))),
            )  # fmt: skip
        out.print(made)
        print_rest(out, len(found.proposals) - len(shown), "--all lists them")
    if chosen is not None:
        answer = chosen.verdicts
        out.print(f"\n[bold]Proposal {number}, checked[/bold]: mobility {answer.mobility}. {escape(answer.headline)}")
        made = table("", "name", "type", "verdict", ">known")
        for group in answer:
            made.add_row(escape(group.name), group.type, str(group.verdict), group.known)
        out.print(made)
    for note in found.notes:
        out.print(f"Note: {escape(note)}")


def _write(output: Path, found: ReleaseAdvice, chosen: Proposal | None, source: str, quiet: bool) -> None:
    from reactio.model.files.write import to_yaml
    from reactio.operating_system.files import write_text

    if chosen is None:
        raise ReactioError(f"-o {output}: there is no proposal to write. {' '.join(found.notes)}")
    head = [f"# From {source} by `reactio advise`:", *(f"# {release}" for release in chosen.releases)]
    write_text(output, "\n".join([*head, to_yaml(chosen.released)]))
    if not quiet:
        wrote(output)
