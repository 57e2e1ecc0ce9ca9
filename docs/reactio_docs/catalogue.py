"""The catalogue of joints, couplings, forces, functions, bodies and sharing rules, from their registries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from reactio.bibliography import reference
from reactio.bodies import BODIES
from reactio.couplings import COUPLINGS
from reactio.fields import REQUIRED, Field
from reactio.forces import FORCES
from reactio.functions import KINDS
from reactio.joints import BY_SPACE, JointType
from reactio.model.specs import Model
from reactio.sharing import RULES


def picture(model: Model) -> Path | None:
    """A drawing of the model as a file beside the pages, or None where there is none."""
    return None


def joint_catalogue() -> str:
    """Every joint of the plane and of space."""
    titles = {"planar": "Joints of the plane", "spatial": "Joints of space"}
    return _page(
        line
        for space, registry in BY_SPACE.items()
        for line in (f"## {titles[space]}", "", *(x for joint in registry.values() for x in _joint(joint)))
    )


def _joint(joint: JointType) -> Iterator[str]:
    yield from (f"### `{joint.name}` ({joint.space})", "", joint.doc, "")
    rows = ", ".join(f"`{row.name}` [{joint.unit_of(row)}]" for row in joint.rows)
    yield f"- **{len(joint.rows)} equation{'s' if len(joint.rows) > 1 else ''}**: {rows}"
    free = ", ".join(f"`{f.name}`" + ("" if f.coordinate else " (cannot be driven)") for f in joint.free)
    yield f"- **{len(joint.free)} free**: {free or 'nothing'}"
    if joint.kind == "nonholonomic":
        yield "- Its equations hold for velocities only (nonholonomic)."
    yield from _fields(joint.parameters)
    if joint.cite:
        yield f"- Source: {'; '.join(reference(key) for key in joint.cite)}"
    yield ""


def entry_catalogue() -> str:
    """Everything else a model is made of, and the sharing rules."""
    return _page(
        [
            *_section("Drives", ()),
            "A drive makes a free coordinate of a joint follow a function of time; it is one equation, and its",
            "multiplier is the force or torque of the motor. Fields: `joint` (`A` or `A.translation`), `function`.",
            "",
            *_section("Couplings", ((c.name, c.doc, (c.joints, *c.parameters)) for c in COUPLINGS.values())),
            *_section("Forces", ((f.name, f.doc, f.fields) for f in FORCES.values())),
            *_section("Bodies", ((b.name, b.doc, ()) for b in BODIES.values())),
            *_section("Functions of time", ((name, _first(kind.__doc__), ()) for name, kind in sorted(KINDS.items()))),
            "## Sharing rules",
            "",
            "| name | what it does | what it minimises | source |",
            "|---|---|---|---|",
            *(f"| `{r.name}` | {_cell(r.doc)} | {_cell(r.W)} | {_cell(r.cite)} |" for r in RULES.values()),
            "",
        ]
    )


def _section(title: str, entries: Iterable[tuple[str, str, tuple[Field, ...]]]) -> Iterator[str]:
    yield from (f"## {title}", "")
    for name, doc, fields in entries:
        yield from (f"### `{name}`", "", doc, "")
        yield from _fields(fields)
        yield ""


def _fields(fields: Iterable[Field]) -> Iterator[str]:
    for field in fields:
        needed = "" if field.default is REQUIRED else " *(may be left out)*"
        yield f"- `{field.name}`{needed}: {field.doc}"


def _first(doc: str | None) -> str:
    return (doc or "").strip().splitlines()[0].replace("*", r"\*")


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _page(lines: Iterable[str]) -> str:
    return "\n".join(lines)
