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
    """Count freedoms by formula, at first order, and in finite motion.

    Examples:

      reactio mobility spatial-parallelogram

      reactio mobility double-four-bar --set theta=0
    """
    from reactio.diagnosis.mobility import mobility as find

    system = compile_source(source, settings, accuracy=tolerance)
    answer = find(system, t=at)
    if as_json:
        print_json(_data(answer))
    else:
        _print(answer)


def _data(answer: Mobility) -> dict[str, Any]:
    return {
        "schema": "reactio.mobility/1",
        **picked(
            answer,
            "model=system.model.name t=state.t gruebler differential finite examined_to=study.examined "
            "not_examined=study.not_examined shaky",
        ),
        "passive": [picked(passive, "body bodies joints kind words") for passive in answer.passive],
        "branches": [branch_data(answer.system, answer.state, branch) for branch in answer.study.found],
        **picked(answer, "rank=study.at.rank confident=study.at.confident words geometry"),
    }


def _print(answer: Mobility) -> None:
    out, system = console(), answer.system
    driven = system.model.besides_drives
    finite = "undecided" if answer.finite is None else str(answer.finite)
    out.print(f"[bold]{escape(system.model.name)}[/bold]  {escape(system.model.title)}")
    out.print(
        f"Counting (Grübler–Kutzbach) gives {answer.gruebler}; admissible velocities {answer.differential}; "
        f"finite mobility [bold]{finite}[/bold]{' ' * bool(driven) + driven}."
    )
    for sentence in answer.words:
        out.print(f"• {escape(sentence)}")
    if not answer.study.at.confident:
        out.print("[yellow]The pose is very close to one of another rank: assemble it more exactly.[/yellow]")
    if len(answer.study.found) > 1:
        numbers = not system.model.drives  # `simulate` numbers the branches along which drives move
        hint = ", with the numbers of `simulate --branch`" if numbers and answer.state.t == 0 else ""
        out.print(f"[bold]Branches{hint}[/bold]; only the ratios of the rates matter")
        for number, branch in numbered(answer.study.found):
            first, *rest = branch_lines(system, answer.state, branch)
            out.print(f"  {number + '  ' if number and hint else ''}{escape(first)}")
            for line in rest:
                out.print(f"  {escape(line)}")
