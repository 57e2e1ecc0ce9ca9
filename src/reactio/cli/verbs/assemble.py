"""``reactio assemble``: from rough poses to poses that close every joint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.catalogue.units import quantity, unit_name
from reactio.cli.arguments.one_way_parts import touching_model
from reactio.cli.arguments.options import AsJson, Settings, Source, finite
from reactio.cli.arguments.sources import compile_source
from reactio.cli.output.numbers import rounded
from reactio.cli.output.printing import GAP_ROWS, console, escape, plural, print_json, remark, table, wrote
from reactio.operating_system.files import check_writable
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from reactio.kinematics.assemble import AssemblyRecord
    from reactio.system.types import System


def assemble(
    source: Source,
    settings: Settings = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the assembled model to this file (YAML).")
    ] = None,
    keep: Annotated[list[str] | None, typer.Option(help="A body that must not move; may be repeated.")] = None,
    at: Annotated[float, typer.Option(callback=finite, help="Time at which drives are evaluated, in seconds.")] = 0.0,
    as_json: AsJson = False,
) -> None:
    """Move rough poses until joints close and no contacts overlap.

    If no pose closes them all, lists the joints that do not fit and by how much (exit code 2).

    Example: reactio assemble rough.yaml -o mended.yaml --keep frame
    """
    from reactio.kinematics.assemble import assembly_record
    from reactio.kinematics.body_state import model_at
    from reactio.model.files.write import save

    if output is not None:
        check_writable(output)
    touching = touching_model(source, settings)
    if touching is not None:
        from reactio.contact_motion.contact_system import contact_system
        from reactio.contact_motion.separate_contacts import separate_contacts

        contacts = contact_system(touching)
        system, record = contacts.with_closed(()), separate_contacts(contacts, keep or (), at)
    else:
        system = compile_source(source, settings)
        record = assembly_record(system, keep=keep or (), t=at)
    if output is not None:
        assembled = model_at(system, record.state)
        save(replace(touching, bodies=assembled.bodies) if touching else assembled, output)
    if as_json:
        print_json(_data(system, record))
        return
    _print(system, record, output)


def _data(system: System, record: AssemblyRecord) -> dict[str, Any]:
    from reactio.kinematics.body_state import body_states

    return {
        "schema": "reactio.assemble/1",
        "model": system.model.name,
        **picked(record, "t=state.t steps"),
        "gaps": [picked(gap, "name kind size unit") for gap in record.gaps],
        **picked(record, "moved turned velocity_change"),
        "violated": dict(zip(("name", "size", "unit"), record.violated, strict=True)) if record.violated else None,
        "bodies": body_states(system, record.state),
    }


def _print(system: System, record: AssemblyRecord, output: Path | None) -> None:
    out = console()
    name = escape(system.model.name)
    if not record.gaps:
        out.print(f"[bold]{name}[/bold] was assembled already: every joint closes.")
    else:
        out.print(
            f"[bold]{name}[/bold] assembled in {plural(record.steps, 'step')}: "
            f"bodies moved by up to {quantity(record.moved, 'm')} and turned by up to {quantity(record.turned, 'rad')}."
        )
        listing = table("Gaps of the given pose", "name", "type", ">off by", "")
        for gap in record.gaps[:GAP_ROWS]:
            listing.add_row(escape(gap.name), gap.type, rounded(gap.size, 4, gap.unit), unit_name(gap.unit))
        out.print(listing)
    given = system.state().v.any()  # where none are given, the mechanism starts with those of its drives
    if given and record.velocity_change > 1e-9 and record.violated is not None:
        name, size, unit = record.violated
        out.print(
            f"The given velocities violate {escape(name)} most, by {quantity(size, unit)}; the nearest admissible "
            f"ones in kinetic energy are up to {quantity(record.velocity_change, 'm/s')} away."
        )
    if output is not None:
        wrote(output)
    elif record.gaps:
        remark("Use -o FILE to keep the assembled model.")
