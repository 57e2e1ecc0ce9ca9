"""``reactio equilibrium``: the pose of rest, and the reactions there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import unit_name
from reactio.cli.arguments.one_way_parts import touching_model
from reactio.cli.arguments.options import AsJson, InAxes, Rule, Settings, Source, finite
from reactio.cli.arguments.sources import compile_source
from reactio.cli.output.numbers import number_texts, rounding, wrench_heads
from reactio.cli.output.printing import console, escape, print_json, table, wrote
from reactio.cli.output.springs import print_springs
from reactio.linear.precision import ROUNDOFF
from reactio.operating_system.files import check_writable
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.joint_reactions.data import Reactions
    from reactio.statics.equilibrium_pose import EquilibriumPose


def equilibrium(
    source: Source,
    settings: Settings = None,
    rule: Rule = None,
    starts: Annotated[
        int, typer.Option(min=1, help="Start from this many poses, and list every equilibrium found.")
    ] = 1,
    axes: InAxes = ReactionAxes.JOINT,
    at: Annotated[float, typer.Option(callback=finite, help="Time at which drives are evaluated, in seconds.")] = 0.0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the model at rest to this file (YAML).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the equilibrium pose, its stability, and the reactions there.

    Friction is ignored; with friction, other poses can be at rest too.

    Example: reactio equilibrium slider-crank --starts 5
    """
    from reactio.joint_reactions.at_state import reactions
    from reactio.statics.equilibrium import equilibria
    from reactio.statics.equilibrium import equilibrium as nearest

    if output is not None:
        check_writable(output)
    start = touching_model(source, settings) or compile_source(source, settings, rule=rule, axes=axes)
    rests = equilibria(start, starts, t=at) if starts > 1 else (nearest(start, t=at),)
    if output is not None:
        _write(rests[0], output)
    every = [(rest, reactions(rest.eqs, rule) if rest.eqs.system.m else None) for rest in rests]
    if as_json:
        head = {"schema": "reactio.equilibrium/1", "model": rests[0].eqs.system.model.name, "rule": rule}
        print_json(head | {"poses": [_data(rest, shown) for rest, shown in every]})
        return
    for rest, shown in every:
        _print(rest, shown)
    if output is not None:
        wrote(output)


def _data(rest: EquilibriumPose, held: Reactions | None) -> dict[str, Any]:
    from reactio.joint_reactions.springs import spring_tensions
    from reactio.kinematics.body_state import body_states

    keys = "verdict=words state force moment force_in_joint moment_in_joint"
    return {
        **picked(rest, "stability why=judged.why idle=judged.idle touching stiffness residual steps"),
        "bodies": body_states(rest.eqs.system, rest.state),
        "reactions": {} if held is None else {name: picked(held[name], keys) for name in held},
        "springs": {name: {"N": tension} for name, tension in spring_tensions(rest.eqs).items()},
        "notes": [held.linear_modes.words] if held is not None and held.linear_modes is not None else (),
    }


def _a(rest: EquilibriumPose) -> str:
    from reactio.statics.stiffness import StabilityWord

    if rest.stability is StabilityWord.UNDECIDED:
        return f"an equilibrium whose stability is {rest.stability}"
    return f"{'an' if rest.stability.startswith('u') else 'a'} {rest.stability} equilibrium"


def _remarks(rest: EquilibriumPose) -> Iterator[str]:
    if rest.judged.why:
        yield rest.judged.why
    if rest.judged.idle:
        yield f"{', '.join(rest.judged.idle)} may spin freely, which moves nothing else."
    if rest.touching:
        yield f"Contacts, cables and struts that carry load: {', '.join(rest.touching)}."


def _write(rest: EquilibriumPose, output: Path) -> None:
    """Write the model with its bodies at rest; closed contacts are contacts, not joints."""
    from reactio.kinematics.body_state import model_at
    from reactio.model.files.write import save

    at_rest = model_at(rest.eqs.system, rest.state)
    joints = tuple(joint for joint in at_rest.joints if joint.name not in rest.touching)
    save(replace(at_rest, joints=(*joints, *rest.members), contacts=rest.contacts), output)


def _print(rest: EquilibriumPose, held: Reactions | None) -> None:
    from reactio.kinematics.body_state import body_states

    out, system = console(), rest.eqs.system
    kind = _a(rest)
    out.print(
        f"[bold]{escape(system.model.name)}[/]: {kind} after {rest.steps} steps; "
        f"{rest.residual:.1e} of the loads remain unbalanced along its freedoms."
    )
    for sentence in _remarks(rest):
        out.print(escape(sentence))
    turned = f"angle {unit_name('rad')}" if system.space == "planar" else "orientation w, x, y, z"
    listing = table("Pose", "body", f"position {unit_name('m')}", turned)
    states = body_states(system, rest.state)
    far = rounding([*(state["position"] for state in states.values()), [system.length]])
    for name, state in states.items():
        listing.add_row(
            escape(name),
            number_texts(state["position"], far, 6, "m"),
            number_texts(state["orientation"], ROUNDOFF, 6, "rad" if system.space == "planar" else ""),
        )
    out.print(listing)
    _print_bending(out, rest, far)
    print_springs(out, rest.eqs, ROUNDOFF * rest.freedoms.loads / system.length)
    if held is not None:
        forces = table(f"Reactions, {system.axes} axes", "name", "verdict", *wrench_heads())
        parts = {name: held[name].in_axes(system.axes)[:2] for name in held}
        zero = rounding(part for pair in parts.values() for part in pair)
        for name, pair in parts.items():
            forces.add_row(
                escape(name),
                held[name].state,
                *(number_texts(part, zero, unit=unit) for part, unit in zip(pair, ("N", "N m"), strict=True)),
            )
        out.print(forces)
        if held.linear_modes is not None:
            out.print(f"Note: {escape(held.linear_modes.words)}")


def _print_bending(out: Console, rest: EquilibriumPose, far: float) -> None:
    """The elastic coordinates of all bodies that bend; lengths below ``far`` [m] are rounding."""
    from reactio.kinematics.body_state import elastic_coordinates, elastic_state

    system, state = rest.eqs.system, rest.state
    listing = table("How bodies are bent", "body", "elastic coordinate", ">value", "")
    for b, body in enumerate(system.model.bodies):
        values = elastic_state(system, b, state.q, state.v).coordinates
        for (name, unit), value in zip(elastic_coordinates(system, b).items(), values.tolist(), strict=True):
            zero = far if unit == "m" else ROUNDOFF
            listing.add_row(escape(body.name), escape(name), number_texts([value], zero, 6, unit), unit_name(unit))
    if listing.row_count:
        out.print(listing)
