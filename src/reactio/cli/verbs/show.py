"""``reactio show``: the bodies, joints and loops of a mechanism."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.catalogue.units import in_units, unit_name
from reactio.cli.arguments.options import AsJson, At, InCoordinates, Settings, Source
from reactio.cli.arguments.sources import compile_source
from reactio.cli.output.numbers import number_texts
from reactio.cli.output.printing import console, escape, plural, print_json, print_rest, table
from reactio.errors import listed
from reactio.linear.precision import ROUNDOFF
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.system.topology import Topology
    from reactio.system.types import State, System
    from reactio.uniqueness import Solvability

MOST_ITEMS = 24  # rows of a table; further ones are only counted
MOST_LOOPS = 12  # that are listed


def show(
    source: Source,
    settings: Settings = None,
    coordinates: InCoordinates = None,
    at: At = None,
    as_json: AsJson = False,
    everything: Annotated[bool, typer.Option("--all", help="List every body, joint and loop, however many.")] = False,
) -> None:
    """Show bodies, joints, loops, joint coordinates, and the true mobility.

    `--at` shows joint coordinates, their rates and the rank at that time of the motion.

    Example: reactio show n-four-bar --set N=10 --set spatial=1
    """
    from reactio.kinematics.assemble import initial_state
    from reactio.simulation.state_at import state_at
    from reactio.system.equations import equations
    from reactio.system.topology import topology

    system = compile_source(source, settings, coordinates)
    graph = topology(system)
    state = state_at(system, at) if at is not None else None
    answer = equations(system, state or initial_state(system)).solvability if system.m else None
    if as_json:
        print_json(_data(system, graph, answer, state))
        return
    out = console()
    _headline(out, system, graph, answer)
    _bodies(out, system, everything)
    _joints(out, system, everything)
    _coordinates(out, system, state, everything)
    _loops(out, system, graph, everything)


def _mobility(system: System, answer: Solvability | None) -> dict[str, Any]:
    rank = answer.rank if answer else 0
    return {
        "rank": rank,
        "redundancy": system.m - rank,
        "mobility": system.n - rank,
        "confident": answer.confident if answer else True,
    }


def _data(system: System, graph: Topology, answer: Solvability | None, state: State | None) -> dict[str, Any]:
    from reactio.system.joint_coordinates import joint_coordinates

    model = system.model
    names = {-1: "ground", **{i: body.name for i, body in enumerate(model.bodies)}}
    return {
        "schema": "reactio.show/1",
        **picked(model, "model=name title space parameters"),
        **picked(system, "m n"),
        "gruebler": graph.gruebler,
        **_mobility(system, answer),
        **picked(graph, "loops bridges blocks"),
        "length": system.length,
        "bodies": [picked(body, "name kind mass position orientation") for body in system.listed_bodies],
        "groups": [
            picked(group, "name kind type")
            | {"rows": [group.start, group.stop], "bodies": [names[max(i, -1)] for i in group.bodies]}
            for group in system.groups
        ],
        "forces": [picked(force, "name type") for force in model.forces],
        "coordinates": {
            coordinate.name: picked(coordinate, "unit value rate") for coordinate in joint_coordinates(system, state)
        },
    }


def _headline(out: Console, system: System, graph: Topology, answer: Solvability | None) -> None:
    from reactio.constraint_matrix import GroupKind
    from reactio.model.transform.rotors import ROTOR

    model, mobility = system.model, _mobility(system, answer)
    out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}")
    if model.cite:
        out.print(f"[dim]{escape(model.cite)}[/dim]")
    out.print(
        f"{model.space}: {plural(len(system.listed_bodies), 'body', 'bodies')}, "
        f"{plural(graph.connections, 'connection')}, {plural(graph.loops, 'loop')}; "
        f"C is {system.m:,} × {system.n:,} with rank {mobility['rank']:,}."
    )
    intrinsic = Counter[bool]()
    for group in system.groups:
        if group.kind == GroupKind.INTRINSIC:
            intrinsic[group.type == ROTOR] += group.stop - group.start
    for is_rotor, rows in intrinsic.items():
        what = "turn rotors with their joints" if is_rotor else "keep natural bodies rigid"
        out.print(f"{plural(rows, 'row')} of C {what}; they belong to no joint.")
    redundant = (
        "no equation is redundant"
        if not mobility["redundancy"]
        else f"{mobility['redundancy']:,} of {system.m:,} constraint equations are redundant"
    )
    sure = "" if mobility["confident"] else "  [yellow](the rank is ambiguous: see `reactio check`)[/yellow]"
    driven = f" {model.besides_drives}" if model.besides_drives else ""
    out.print(
        f"Mobility [bold]{mobility['mobility']:,}[/bold]{driven}; counting (Grübler–Kutzbach) gives "
        f"{graph.gruebler:,}: "
        f"{redundant}.{sure}\n"
    )


def _bodies(out: Console, system: System, everything: bool) -> None:
    bodies = system.listed_bodies
    shown = bodies if everything else bodies[:MOST_ITEMS]
    listing = table("Bodies", "name", "kind", f">mass {unit_name('kg')}", f"position {unit_name('m')}")
    for body in shown:
        mass = "–" if body.mass is None else f"{in_units(body.mass, 'kg'):g}"
        listing.add_row(escape(body.name), body.kind, mass, number_texts(body.position, 0.0, 4, "m"))
    out.print(listing)
    print_rest(out, len(bodies) - len(shown), "--all lists them")


def _joints(out: Console, system: System, everything: bool) -> None:
    from reactio.constraint_matrix import GroupKind

    groups = system.reacting
    shown = groups if everything else groups[:MOST_ITEMS]
    listing = table("Joints, drives, couplings", "name", "type", "between", ">rows")
    for group in shown:
        names = ["ground" if i < 0 else system.model.bodies[i].name for i in group.bodies]
        plain = group.kind in (group.type, GroupKind.JOINT)
        kind = group.type if plain else f"{group.type} ({group.kind})"
        rows = f"{group.start + 1}–{group.stop}" if group.stop - group.start > 1 else f"{group.stop}"
        listing.add_row(escape(group.name), kind, escape(" – ".join(names)), rows)
    out.print(listing)
    print_rest(out, len(groups) - len(shown), "--all lists them")


def _coordinates(out: Console, system: System, state: State | None, everything: bool) -> None:
    """The joint coordinates at a state, or in the given pose, with their rates: drives, forces and events name them."""
    from reactio.system.joint_coordinates import joint_coordinates

    every = joint_coordinates(system, state)
    if not every:
        return
    shown = every if everything else every[:MOST_ITEMS]
    when = "as given" if state is None else f"t = {state.t:g} s"
    listing = table(f"Joint coordinates, {when}", "name", ">value", "unit", ">rate per s", ">in degrees")
    for coordinate in shown:
        zero = ROUNDOFF * (1.0 if coordinate.unit == "rad" else system.length)
        value, rate = (
            in_units(x if abs(x) > zero else 0.0, coordinate.unit) for x in (coordinate.value, coordinate.rate)
        )
        degrees = f"{math.degrees(coordinate.value if value else 0.0):.6g}" if coordinate.unit == "rad" else ""
        cells = (f"{value:.6g}", unit_name(coordinate.unit), f"{rate:.4g}")
        listing.add_row(escape(coordinate.name), *cells, degrees)
    out.print(listing)
    print_rest(out, len(every) - len(shown), "--all lists them")
    if state is None and system.model.drives:
        out.print("Rates are those of the file; `--at 0` shows those of the drives.")


def _loops(out: Console, system: System, graph: Topology, everything: bool) -> None:
    from reactio.system.topology import loops

    if graph.loops and len(system.model.joints) <= 200:
        every_loop = loops(system.model)
        out.print("[bold]Loops[/bold]")
        shown = every_loop if everything else every_loop[:MOST_LOOPS]
        for loop in shown:
            out.print("  " + escape(" – ".join(loop)))
        print_rest(out, len(every_loop) - len(shown), "--all lists them")
    if graph.bridges:
        out.print(f"[bold]Bridges[/bold] (in no loop): {escape(listed(graph.bridges, MOST_ITEMS))}")
    if len(graph.blocks) > 1:
        out.print(f"The loops fall into {len(graph.blocks):,} blocks that share no load with each other.")
