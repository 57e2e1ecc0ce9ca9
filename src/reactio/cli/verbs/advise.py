"""``reactio advise``: which joints to release, or which components to measure."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from reactio.cli.arguments.options import AsJson, At, Settings, Source, finite
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.printing import console, escape, plural, print_json, print_rest, table, wrote
from reactio.cli.output.progress import progress_line
from reactio.cli.process import ExitCode
from reactio.cli.verbosity import silent
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.design.interchangeable import Interchangeable
    from reactio.design.releases import Proposal, ReleaseAdvice
    from reactio.model.model import Model

MOST_PROPOSALS = 12  # groups of them that are listed without --all: a screen
ABOUT_RELEASES = "--sensors takes --candidates, --faults, --budget and --until only."
Value = TypeVar("Value")
MustBecomeUnique = Annotated[
    list[str] | None,
    typer.Option("--make", metavar="JOINT", help="Only this joint must become unique; may be repeated."),
]
Costs = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=NUMBER",
        help="Cost of changing a joint (default 1) or of a joint type (default 0); may be repeated.",
    ),
]
Candidates = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="With --sensors: components that can be measured, as in B.Fz,C; a joint stands for all of its own.",
    ),
]


def advise(
    source: Source,
    settings: Settings = None,
    at: At = None,
    until: Annotated[
        float | None, typer.Option(callback=finite, help="Also examine the motion until this time, in seconds.")
    ] = None,
    make: MustBecomeUnique = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="JOINT", help="Keep this joint as it is; may be repeated.")
    ] = None,
    cost: Costs = None,
    using: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="JOINT=TYPE", help="Change this joint to that type; may be repeated."),
    ] = None,
    sensors: Annotated[bool, typer.Option("--sensors", help="Propose components to measure instead.")] = False,
    candidates: Candidates = None,
    faults: Annotated[int, typer.Option(min=0, max=2, help="With --sensors: the number of sensors that may fail.")] = 0,
    budget: Annotated[
        int | None, typer.Option(min=1, help="With --sensors: the largest number of components to measure.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Allow proposals that remove joints.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the model with a proposal applied (default: the first) as YAML."),
    ] = None,
    choose: Annotated[int, typer.Option(min=1, help="Number of the proposal to show in full.")] = 1,
    everything: Annotated[bool, typer.Option("--all", help="List every proposal.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find joints to release, or components to measure.

    Every proposal is examined at this pose (that of --at), at nearby poses and, with --until, along the motion; the
    proposal shown in full is checked once more. If none meets all requirements, the best partial ones are shown (exit
    code 1).

      reactio advise four-bar-spatial

      reactio advise four-bar-spatial --make B --keep A -o released.yaml

      reactio advise four-bar-spatial --sensors --candidates A,B

      reactio advise four-bar-spatial --sensors --budget 2
    """
    from reactio.design.releases import releases
    from reactio.operating_system.files import check_writable
    from reactio.simulation.state_at import state_at
    from reactio.system.compile.build import build

    if output is not None:
        check_writable(output)
    model = read_source(source, settings)
    if sensors:
        if make or keep or cost or using or remove or output or at:
            raise ReactioError(ABOUT_RELEASES)
        return _sensors(model, candidates, faults, budget, until, as_json)
    if candidates or faults or budget:
        raise ReactioError("--candidates, --faults and --budget are about measuring: add --sensors.")
    with _progress() as on_progress:
        advice = releases(
            model,
            until=until,
            make=make or (),
            keep=keep or (),
            cost=_pairs("--cost", cost, float),
            using=_pairs("--with", using, str),
            remove=remove,
            state=state_at(build(model), at) if at else None,
            on_progress=on_progress,
        )
    _answer(advice, source, output, choose, everything, as_json)


def _answer(
    advice: ReleaseAdvice, source: str, output: Path | None, choose: int, everything: bool, as_json: bool
) -> None:
    """Show the proposals, and write the model with one of them; exit code 1 where none does all that is asked."""
    if advice.proposals and choose > len(advice.proposals):
        raise ReactioError(f"--choose {choose}: there are {plural(len(advice.proposals), 'proposal')}.")
    chosen = advice.proposals[choose - 1] if advice.proposals else None
    if chosen is not None:
        _confirm(advice, chosen)
    _show(advice, chosen, choose, everything, as_json)
    if output is not None:
        _write(output, advice, chosen, source, quiet=as_json)
    if advice.redundancy and (chosen is None or advice.partial):
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _show(advice: ReleaseAdvice, chosen: Proposal | None, choose: int, everything: bool, as_json: bool) -> None:
    if as_json:
        print_json(advice.as_data(None if everything else max(MOST_PROPOSALS, choose)))
    else:
        _print(console(), advice, chosen, choose, everything)


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    """Progress by the number of sets tried."""
    with progress_line(time.monotonic()) as line:

        def tell(tried: int) -> None:
            if not silent():
                line.show(f"{tried:,} sets of releases tried", time.monotonic())

        yield tell


def _sensors(
    model: Model, candidates: list[str] | None, faults: int, budget: int | None, until: float | None, as_json: bool
) -> None:
    from reactio.design.sensors import sensors

    names = [name.strip() for text in candidates or () for name in text.split(",") if name.strip()]
    advice = sensors(model, names, faults=faults, until=until, budget=budget)
    if as_json:
        print_json(advice.as_data())
        return
    out = console()
    out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}")
    out.print(
        f"{plural(advice.redundancy, 'self-stress', 'self-stresses')}; {advice.considered} components can detect one."
    )
    if advice.sets:
        fault_head = (">with faults",) if faults else ()
        budget_head = (">settles",) if budget else ()
        rows = table("What to measure", ">", *budget_head, ">1 % becomes", *fault_head, "known worst", "sensors")
        for number, choice in enumerate(advice.sets, start=1):
            lost = (f"{choice.with_faults:.3g} %",) if choice.with_faults is not None else ()
            settles = (f"{len(choice.settles)} of {advice.undetermined}",) if budget else ()
            rows.add_row(
                str(number), *settles, f"{choice.amplification:.3g} %", *lost, escape(choice.worst),
                escape(", ".join(choice.names)),
            )  # fmt: skip
        out.print(rows)
        out.print("1 % of the largest force; for moments, of that force times the characteristic length.")
        if budget:
            out.print(f"Set 1 determines {escape(', '.join(_by_joint(advice.sets[0].settles)))}.")
    for note in advice.notes:
        out.print(f"Note: {escape(note)}")


def _by_joint(components: tuple[str, ...]) -> list[str]:
    """Components by joint: ``A.Fx Fz``.

    >>> _by_joint(("A.Fx", "A.Fz", "B.Mx"))
    ['A.Fx Fz', 'B.Mx']
    """
    by_joint: dict[str, list[str]] = {}
    for joint, _, label in (name.rpartition(".") for name in components):
        by_joint.setdefault(joint, []).append(label)
    return [f"{joint}.{' '.join(labels)}" for joint, labels in by_joint.items()]


def _pairs(option: str, given: list[str] | None, read: Callable[[str], Value]) -> dict[str, Value]:
    """``NAME=VALUE`` texts, also several separated by commas, as a mapping."""
    values = {}
    for text in (part for texts in given or () for part in texts.split(",")):
        name, equals, value = (part.strip() for part in text.partition("="))
        try:
            if not (name and equals and value):
                raise ValueError
            values[name] = read(value)
        except ValueError:
            raise ReactioError(f"{option} {text}: write NAME=VALUE, as in {option} B=…") from None
    return values


def _confirm(advice: ReleaseAdvice, chosen: Proposal) -> None:
    """Confirm a proposal by ``check``, which is independent of the search."""
    answer = chosen.verdicts
    if answer.mobility != advice.mobility:
        raise ReactioError(
            f"{chosen}: `check` finds mobility {answer.mobility} instead of {advice.mobility}; this pose is too close "
            f"to a singular one (margin {chosen.margin:.1g}). Give another pose, or --until."
        )


def _print(out: Console, advice: ReleaseAdvice, chosen: Proposal | None, number: int, everything: bool) -> None:
    model = advice.model
    out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}")
    out.print(
        f"{plural(advice.redundancy, 'redundant equation')}, mobility {advice.mobility}; "
        f"examined in {plural(advice.poses, 'pose')}."
    )
    if advice.proposals:
        groups = advice.groups if everything else advice.groups[:MOST_PROPOSALS]
        title = "Releases, none of which removes all redundancy" if advice.partial else "Releases"
        rows = table(title, ">", ">redundant", ">joints", ">cost", ">margin", "replace")
        for group in groups:
            first = advice.proposals[group.first]
            replaced = escape("; ".join(map(str, first.releases)))
            rows.add_row(
                str(group.first + 1), f"{advice.redundancy} → {advice.redundancy - first.freedoms}",
                str(len(first.releases)), f"{first.cost:g}", _margins(advice, group),
                f"{replaced}\n  {escape(group.words)}" if group.words else replaced,
            )  # fmt: skip
        out.print(rows)
        print_rest(out, len(advice.groups) - len(groups), "--all lists them")
        listed = (release for group in groups for release in advice.proposals[group.first].releases)
        shop = {release.after: release.shop for release in listed if release.shop}
        if shop:
            out.print(f"In the shop: {'; '.join(f'{kind}: {name}' for kind, name in shop.items())}.")
    if chosen is not None:
        answer = chosen.verdicts
        out.print(f"\n[bold]Proposal {number}, checked[/bold]: mobility {answer.mobility}. {escape(answer.headline)}")
        listing = table("", "name", "type", "verdict", ">known")
        for joint in answer:
            listing.add_row(escape(joint.name), joint.type, str(joint.verdict), joint.known)
        out.print(listing)
    for note in advice.notes:
        out.print(f"Note: {escape(note)}")


def _margins(advice: ReleaseAdvice, group: Interchangeable) -> str:
    """The smallest and largest margin of a group of proposals, or their common one."""
    margins = [advice.proposals[number].margin for number in group.members]
    low, high = f"{min(margins):.2g}", f"{max(margins):.2g}"
    return low if low == high else f"{low} … {high}"


def _write(output: Path, advice: ReleaseAdvice, chosen: Proposal | None, source: str, quiet: bool) -> None:
    from reactio.model.files.write import to_yaml
    from reactio.operating_system.files import write_text

    if chosen is None:
        raise ReactioError(f"-o {output}: there is no proposal to write. {' '.join(advice.notes)}")
    remaining = f"# {chosen.left} redundant equations remain." if advice.partial else None
    head = [f"# From {source} by `reactio advise`:", *(f"# {r}" for r in chosen.releases), *filter(None, [remaining])]
    write_text(output, "\n".join([*head, to_yaml(chosen.released)]))
    if not quiet:
        wrote(output)
