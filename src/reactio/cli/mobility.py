"""``reactio mobility``: how many ways a mechanism can move, by counting, at first order and in truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reactio.cli.common import AsJson, At, Settings, Source, compile_source, console, escape, prepare, print_json

if TYPE_CHECKING:
    from reactio.singular.branches import Branch
    from reactio.singular.mobility import Mobility
    from reactio.system.types import State, System


def mobility(
    source: Source,
    settings: Settings = None,
    at: At = None,
    as_json: AsJson = False,
) -> None:
    """Count the freedoms: by Grübler's formula, of velocities, and of real motions; name the passive ones.

    Examples:

      reactio mobility spatial-parallelogram

      reactio mobility double-four-bar --set theta=0
    """
    from reactio.singular.mobility import mobility as find

    system = compile_source(source, settings)
    if at:
        prepare(f"motion-{system.space}")
    found = find(system, t=at)
    print_json(_data(found)) if as_json else _print(found)


def branch_data(system: System, state: State, branch: Branch) -> dict[str, Any]:
    """A branch for scripts."""
    from reactio.singular.words import body_velocities, motion_words

    return {
        "status": branch.status,
        "dimension": branch.dimension,
        "both_ways": branch.both_ways,
        "shaky": branch.shaky,
        "curved": branch.curved,
        "bodies": body_velocities(system, state, branch.direction),
        "words": motion_words(system, state, branch.direction),
    }


def _data(found: Mobility) -> dict[str, Any]:
    system = found.system
    return {
        "schema": "reactio.mobility/1",
        "model": system.model.name,
        "t": found.state.t,
        "gruebler": found.gruebler,
        "differential": found.differential,
        "finite": found.finite,
        "shaky": found.shaky,
        "passive": [{"body": p.body, "kind": p.kind, "words": p.words} for p in found.passive],
        "branches": [branch_data(system, found.state, b) for b in found.study.found],
        "rank": found.study.at.rank,
        "confident": found.study.at.confident,
        "words": list(found.words),
    }


def _print(found: Mobility) -> None:
    from reactio.singular.words import motion_words

    out, system = console(), found.system
    finite = "undecided" if found.finite is None else str(found.finite)
    out.print(f"[bold]{escape(system.model.name)}[/bold]  {escape(system.model.title)}")
    out.print(
        f"Counting (Grübler–Kutzbach) gives {found.gruebler}; admissible velocities {found.differential}; "
        f"finite mobility [bold]{finite}[/bold]."
    )
    for sentence in found.words:
        out.print(f"• {escape(sentence)}")
    if not found.study.at.confident:
        out.print("[yellow]The rank is a hair from another one: assemble the pose more exactly.[/yellow]")
    if len(found.study.found) > 1:
        out.print("[bold]Branches[/bold]")
        for branch in found.study.found:
            out.print(f"  {branch.status}: {escape(motion_words(system, found.state, branch.direction))}")
