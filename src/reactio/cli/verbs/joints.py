"""``reactio joints``: the catalogue of joints, couplings, forces, contacts and kinds of bodies."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from reactio.cli.arguments.options import AsJson
from reactio.cli.output.examples import EntryKind, entry_example, joint_example
from reactio.cli.output.printing import console, escape, print_json, table, wrote
from reactio.errors import ReactioError, did_you_mean
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from reactio.catalogue.fields import Field
    from reactio.joints import JointType


SECTIONS = {
    EntryKind.COUPLING: "couplings",
    EntryKind.FORCE: "forces",
    EntryKind.CONTACT: "contacts",
    EntryKind.BODY: "bodies",
}


class CatalogueEntry(NamedTuple):
    """An entry of the catalogue that is not a joint."""

    name: str
    kind: EntryKind
    doc: str
    fields: tuple[Field, ...]


def joints(
    name: Annotated[
        str | None, typer.Argument(help="Describe this joint, coupling, force, contact or kind of body in full.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Draw the joint NAME: .svg, .pdf or .png.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List joints, couplings, forces, contacts and kinds of bodies.

    Examples:

      reactio joints revolute

      reactio joints universal -o universal.svg
    """
    if name is None:
        if output is not None:
            raise ReactioError("--output draws one joint: name it, as in `reactio joints revolute -o revolute.svg`.")
        _list(as_json)
    else:
        _one(name, output, as_json)


def _entries() -> list[CatalogueEntry]:
    """All couplings, forces, contacts and kinds of bodies."""
    from reactio.bodies import BODIES
    from reactio.contacts import CONTACTS
    from reactio.couplings import COUPLINGS
    from reactio.forces import FORCES

    return [
        *(CatalogueEntry(c.name, EntryKind.COUPLING, c.doc, (c.joints, *c.parameters)) for c in COUPLINGS.values()),
        *(CatalogueEntry(f.name, EntryKind.FORCE, f.doc, f.fields) for f in FORCES.values()),
        *(CatalogueEntry(c.name, EntryKind.CONTACT, c.doc, c.fields) for c in CONTACTS.values()),
        *(CatalogueEntry(b.name, EntryKind.BODY, b.doc, b.fields) for b in BODIES.values()),
    ]


def _list(as_json: bool) -> None:
    from reactio.catalogue.fields import Coordinates
    from reactio.joints import JOINTS_BY_SPACE

    catalogue: list[dict[str, Any]] = [
        {
            **picked(kind, "name space kind"),
            "rows": [row.name for row in kind.rows],
            "free": [freedom.name for freedom in kind.free],
            "coordinates": list(kind.coordinates),
            "parameters": [parameter.name for parameter in kind.parameters],
            **picked(kind, "aliases doc"),
        }
        for space in ("planar", "spatial")
        for kind in JOINTS_BY_SPACE[space].values()
    ]
    others: dict[str, list[dict[str, Any]]] = {
        section: [
            {"name": e.name, "doc": e.doc, "parameters": [f.name for f in e.fields if not isinstance(f, Coordinates)]}
            for e in _entries()
            if e.kind is kind
        ]
        for kind, section in SECTIONS.items()
    }
    if as_json:
        print_json({"schema": "reactio.joints/1", "joints": catalogue, **others})
        return
    out = console()
    listing = table("Joints", "space", "name", ">rows", ">free", "parameters", "description")
    for joint in catalogue:
        given = ", ".join(joint["parameters"])
        listing.add_row(
            joint["space"], joint["name"], str(len(joint["rows"])), str(len(joint["free"])), given, escape(joint["doc"])
        )
    out.print(listing)
    for title, items in others.items():
        listing = table(title.capitalize(), "name", "parameters", "description")
        for item in items:
            listing.add_row(item["name"], ", ".join(item["parameters"]), escape(item["doc"]))
        out.print(listing)


def _one(name: str, output: Path | None, as_json: bool) -> None:
    """Show one entry: equations, coordinates, parameters, a model to copy, a picture."""
    from reactio.joints import JOINTS_BY_SPACE

    named = [(registry, registry.name_of(name)) for registry in JOINTS_BY_SPACE.values()]
    matching = [registry.get(word) for registry, word in named if word in registry]
    others = [entry for entry in _entries() if entry.name == name]
    if not matching and not others:
        known = {*(n for registry in JOINTS_BY_SPACE.values() for n in registry), *(entry.name for entry in _entries())}
        words = {word for registry in JOINTS_BY_SPACE.values() for word in registry.aliases}
        hint = did_you_mean(name, known, words)
        raise ReactioError(f"There is no joint, coupling, force, contact or kind of body '{name}'.{hint}")
    pictures = _pictures(matching, output)
    if as_json:
        print_json({"schema": "reactio.joint/1", "found": [*map(_joint_data, matching), *map(_entry_data, others)]})
        return
    out = console()
    for joint in matching:
        _print_joint(joint)
    for entry in others:
        out.print(f"[bold]{escape(entry.name)}[/bold]  {entry.kind}\n{escape(entry.doc)}")
        _print_fields(entry.fields)
        _print_example(entry_example(entry.kind, entry.name))
    wrote(*pictures)


def _joint_data(joint: JointType) -> dict[str, Any]:
    return {
        **picked(joint, "name space kind doc"),
        "equations": [{"name": row.name, "unit": joint.unit_of(row)} for row in joint.rows],
        "free": [freedom.name for freedom in joint.free],
        "coordinates": list(joint.coordinates),
        "parameters": [_field_data(field) for field in joint.parameters],
        "example": joint_example(joint),
    }


def _entry_data(entry: CatalogueEntry) -> dict[str, Any]:
    parameters = [_field_data(field) for field in entry.fields]
    return picked(entry, "name kind doc") | {"parameters": parameters, "example": entry_example(entry.kind, entry.name)}


def _field_data(field: Field) -> dict[str, Any]:
    from reactio.catalogue.fields import REQUIRED

    return {"name": field.name, "doc": field.doc, "needed": field.default is REQUIRED}


def _print_joint(joint: JointType) -> None:
    out = console()
    out.print(f"[bold]{escape(joint.name)}[/bold]  {joint.kind}, {joint.space}\n{escape(joint.doc)}")
    if joint.aliases:
        out.print(f"  also written: {', '.join(joint.aliases)}")
    rows = ", ".join(f"{row.name} ({joint.unit_of(row)})" for row in joint.rows)
    out.print(f"  equations: {escape(rows)}")
    free = ", ".join(f.name + ("" if f.coordinate else " (cannot be driven)") for f in joint.free)
    out.print(f"  free: {escape(free) or 'nothing'}")
    if joint.coordinates:
        first = next(iter(joint.coordinates))
        out.print(f"  drive it: `drives: {{motor: {{joint: {joint.name}.{first}, function: 2*t}}}}`", markup=False)
    _print_fields(joint.parameters)
    _print_example(joint_example(joint))


def _print_example(text: str) -> None:
    if text:
        console().print(f"A model with it:\n\n{indent(text, '  ')}\n", markup=False, soft_wrap=True)


def _print_fields(fields: Iterable[Field]) -> None:
    from reactio.catalogue.fields import REQUIRED

    for field in fields:
        needed = "" if field.default is REQUIRED else " (may be left out)"
        console().print(f"  {field.name}{needed}: {field.doc}", markup=False)


def _pictures(joint_types: list[JointType], output: Path | None) -> list[Path]:
    """One picture for each space that has the joint."""
    if output is None:
        return []
    if not joint_types:
        raise ReactioError("Only joints have a picture.")
    from reactio.drawing.figure import draw, save_figure, suffix_of
    from reactio.drawing.sample import sample
    from reactio.operating_system.files import check_writable

    suffix_of(output)
    paths = [
        output if len(joint_types) == 1 else output.with_stem(f"{output.stem}-{joint.space}") for joint in joint_types
    ]
    for joint, path in zip(joint_types, paths, strict=True):
        check_writable(path)
        save_figure(draw(sample(joint), verdicts=False), path)
    return paths
