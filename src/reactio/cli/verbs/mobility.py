"""``reactio mobility``: the freedoms of a mechanism, by counting, at first order, and of finite motions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reactio.cli.arguments.options import AsJson, At, ReadTo, Settings, Source
from reactio.cli.arguments.sources import compile_source
from reactio.cli.output.branches import branch_data, branch_lines, numbered
from reactio.cli.output.printing import console, escape, print_json

if TYPE_CHECKING:
    from reactio.diagnosis.mobility import Mobility
    from reactio.singular.passive import Passive


def mobility(
    source: Source,
    settings: Settings = None,
    at: At = None,
    tolerance: ReadTo = None,
    as_json: AsJson = False,
) -> None:
    """Count freedoms: by formula, at first order, of finite motions.

    Examples:

      reactio mobility spatial-parallelogram

      reactio mobility double-four-bar --set theta=0
    """
    from reactio.diagnosis.mobility import mobility as find

    system = compile_source(source, settings, accuracy=tolerance)
    found = find(system, t=at)
    if as_json:
        print_json(_data(found))
    else:
        _print(found)


def _passive(one: Passive) -> dict[str, Any]:
    return {
        "body": one.body,
        "bodies": list(one.bodies),
        "joints": list(one.joints),
        "kind": one.kind,
        "words": one.words,
    }


def _data(found: Mobility) -> dict[str, Any]:
    from reactio.cli.output.check_json import geometry_data

    system = found.system
    return {
        "schema": "reactio.mobility/1",
        "model": system.model.name,
        "t": found.state.t,
        "gruebler": found.gruebler,
        "differential": found.differential,
        "finite": found.finite,
        "examined_to": found.study.examined,
        "not_examined": found.study.not_examined,
        "shaky": found.shaky,
        "passive": [_passive(p) for p in found.passive],
        "branches": [branch_data(system, found.state, b) for b in found.study.found],
        "rank": found.study.at.rank,
        "confident": found.study.at.confident,
        "words": list(found.words),
        "geometry": geometry_data(found.geometry),
    }


def _print(found: Mobility) -> None:
    out, system = console(), found.system
    driven = system.model.besides_drives
    finite = "undecided" if found.finite is None else str(found.finite)
    out.print(f"[bold]{escape(system.model.name)}[/bold]  {escape(system.model.title)}")
    out.print(
        f"Counting (Grübler–Kutzbach) gives {found.gruebler}; admissible velocities {found.differential}; "
        f"finite mobility [bold]{finite}[/bold]{' ' * bool(driven) + driven}."
    )
    for sentence in found.words:
        out.print(f"• {escape(sentence)}")
    if not found.study.at.confident:
        out.print("[yellow]The pose is very close to one of another rank: assemble it more exactly.[/yellow]")
    if len(found.study.found) > 1:
        numbers = not system.model.drives  # `simulate` numbers the branches along which drives move
        here = ", with the numbers of `simulate --branch`" if numbers and found.state.t == 0 else ""
        out.print(f"[bold]Branches{here}[/bold]; rates are in proportion")
        for number, branch in numbered(found.study.found):
            first, *rest = branch_lines(system, found.state, branch)
            out.print(f"  {number + '  ' if number and here else ''}{escape(first)}")
            for line in rest:
                out.print(f"  {escape(line)}")
