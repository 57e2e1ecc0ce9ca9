"""``reactio equilibrium``: the pose of rest, and the reactions there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.cli.common import (
    AsJson,
    Axes,
    InAxes,
    Rule,
    Settings,
    Source,
    compile_source,
    console,
    escape,
    print_json,
    table,
)
from reactio.cli.numbers import number_texts, numbers, rounding

if TYPE_CHECKING:
    from reactio.joint_reactions.at_state import Reactions
    from reactio.statics.equilibrium import Rest


def equilibrium(
    source: Source,
    settings: Settings = None,
    rule: Rule = None,
    starts: Annotated[int, typer.Option(min=1, help="Look from so many poses, and list every pose of rest found.")] = 1,
    axes: InAxes = Axes.joint,
    as_json: AsJson = False,
) -> None:
    """Find the pose of rest, stable or not, and the reactions there.

    Example: reactio equilibrium slider-crank --starts 5
    """
    from reactio.joint_reactions.at_state import reactions
    from reactio.statics.equilibrium import equilibria
    from reactio.statics.equilibrium import equilibrium as nearest

    system = compile_source(source, settings, axes=axes)
    found = equilibria(system, starts) if starts > 1 else (nearest(system),)
    every = [(rest, reactions(rest.eqs, rule) if system.m else None) for rest in found]
    if as_json:
        poses = [_data(rest, one) for rest, one in every]
        print_json({"schema": "reactio.equilibrium/1", "model": system.model.name, "rule": rule, "poses": poses})
        return
    for rest, one in every:
        _print(rest, one)


def _data(rest: Rest, found: Reactions | None) -> dict[str, Any]:
    from reactio.kinematics.body_state import body_states

    listed = {
        name: {
            "verdict": found[name].words,
            "force": numbers(found[name].force),
            "moment": numbers(found[name].moment),
            "force_in_joint": numbers(found[name].force_in_joint),
            "moment_in_joint": numbers(found[name].moment_in_joint),
        }
        for name in found or ()
        if found is not None
    }
    return {
        "stability": rest.stability,
        "stiffness": numbers(rest.stiffness),
        "residual": rest.residual,
        "steps": rest.steps,
        "bodies": body_states(rest.eqs.system, rest.state),
        "reactions": listed,
    }


def _print(rest: Rest, found: Reactions | None) -> None:
    from reactio.kinematics.body_state import body_states

    out, system = console(), rest.eqs.system
    out.print(
        f"[bold]{escape(system.model.name)}[/]: a {rest.stability} pose of rest after {rest.steps} steps; "
        f"{rest.residual:.1e} of the loads are left along its freedoms."
    )
    made = table("Pose", "body", "position m", "orientation")
    for name, one in body_states(system, rest.state).items():
        made.add_row(escape(name), *(", ".join(f"{x:.6g}" for x in one[key]) for key in ("position", "orientation")))
    out.print(made)
    if found is not None:
        forces = table(f"Reactions, {system.axes} axes", "name", "verdict", "force N", "moment N m")
        parts = {name: found[name].in_axes(system.axes)[:2] for name in found}
        zero = rounding(part for pair in parts.values() for part in pair)
        for name, pair in parts.items():
            forces.add_row(escape(name), found[name].words, *(number_texts(part, zero) for part in pair))
        out.print(forces)
