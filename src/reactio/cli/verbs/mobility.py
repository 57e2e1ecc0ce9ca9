"""``reactio mobility``: the freedoms of a mechanism, by counting, at first order, and of finite motions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reactio.cli.arguments.options import AsJson, At, ReadTo, Settings, Source
from reactio.cli.arguments.sources import compile_source
from reactio.cli.output.branches import branch_data, branch_lines, numbered
from reactio.cli.output.printing import console, escape, print_json
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from reactio.diagnosis.mobility import Mobility


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


def _data(found: Mobility) -> dict[str, Any]:
    return {
        "schema": "reactio.mobility/1",
        **picked(
            found,
            "model=system.model.name t=state.t gruebler differential finite examined_to=study.examined "
            "not_examined=study.not_examined shaky",
        ),
        "passive": [picked(passive, "body bodies joints kind words") for passive in found.passive],
        "branches": [branch_data(found.system, found.state, branch) for branch in found.study.found],
        **picked(found, "rank=study.at.rank confident=study.at.confident words geometry"),
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
