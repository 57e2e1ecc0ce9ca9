"""``reactio joints``: the catalogue of joints, couplings and forces."""

from __future__ import annotations

from typing import Any

from reactio.cli.common import AsJson, console, escape, print_json, table


def joints(as_json: AsJson = False) -> None:
    """List every joint, coupling and force with its parameters."""
    from reactio.couplings import COUPLINGS
    from reactio.forces import FORCES
    from reactio.joints import BY_SPACE

    found: list[dict[str, Any]] = [
        {
            "name": kind.name,
            "space": space,
            "kind": kind.kind,
            "rows": [row.name for row in kind.rows],
            "free": [freedom.name for freedom in kind.free],
            "coordinates": list(kind.coordinates),
            "parameters": [parameter.name for parameter in kind.parameters],
            "doc": kind.doc,
        }
        for space in ("planar", "spatial")
        for kind in BY_SPACE[space].values()
    ]
    others: dict[str, list[dict[str, Any]]] = {
        "couplings": [
            {"name": c.name, "doc": c.doc, "parameters": [p.name for p in c.parameters]} for c in COUPLINGS.values()
        ],
        "forces": [{"name": f.name, "doc": f.doc, "parameters": [p.name for p in f.fields]} for f in FORCES.values()],
    }
    if as_json:
        print_json({"schema": "reactio.joints/1", "joints": found, **others})
        return
    out = console()
    made = table("Joints", "space", "name", ">rows", ">free", "parameters", "what it does")
    for one in found:
        given = ", ".join(one["parameters"])
        made.add_row(one["space"], one["name"], str(len(one["rows"])), str(len(one["free"])), given, escape(one["doc"]))
    out.print(made)
    for title, items in others.items():
        made = table(title.capitalize(), "name", "parameters", "what it does")
        for item in items:
            made.add_row(item["name"], ", ".join(item["parameters"]), escape(item["doc"]))
        out.print(made)
