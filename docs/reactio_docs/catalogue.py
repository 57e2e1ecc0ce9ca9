"""The catalogue of joints, couplings, forces, contacts, bodies, functions and sharing rules, from their registries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from reactio.bodies import BODIES
from reactio.catalogue.fields import REQUIRED, Field
from reactio.contacts import CONTACTS
from reactio.couplings import COUPLINGS
from reactio.drawing.sample import sample
from reactio.forces import FORCES
from reactio.functions import FUNCTIONS
from reactio.joints import JOINTS_BY_SPACE, JointType
from reactio.model.files.write import to_yaml
from reactio.model.model import Model
from reactio.reporting.bibliography import reference
from reactio.sharing import CHANGES, RULES

DOCS = Path(__file__).parents[1]
MOST_JOINTS = 60


def picture(model: Model, verdicts: bool = True) -> Path | None:
    """A drawing of the model as a file below docs/pictures; None for one too large to be told apart."""
    from reactio.drawing.figure import draw, save_figure

    if len(model.joints) > MOST_JOINTS:
        return None
    # The same mechanism with other parameters is another file.
    path = DOCS / "pictures" / f"{model.name}-{sha256(to_yaml(model).encode()).hexdigest()[:8]}.svg"
    path.parent.mkdir(exist_ok=True)
    save_figure(draw(model, verdicts=verdicts), path)
    return path


def image(model: Model, words: str, verdicts: bool = True) -> str:
    """The drawing of a model as Markdown, empty where there is none."""
    drawn = picture(model, verdicts)
    return f"![{words}]({drawn.relative_to(DOCS)})" if drawn else ""


def joint_catalogue(pictures: bool = True) -> str:
    """Every joint of the plane and of space."""
    titles = {"planar": "Joints of the plane", "spatial": "Joints of space"}
    return _page(
        line
        for space, registry in JOINTS_BY_SPACE.items()
        for line in (f"## {titles[space]}", "", *(x for joint in registry.values() for x in _joint(joint, pictures)))
    )


def _joint(joint: JointType, pictures: bool) -> Iterator[str]:
    yield from (f"### `{joint.name}` ({joint.space})", "", joint.doc, "")
    if pictures:
        yield from (image(sample(joint), joint.doc, verdicts=False), "")
    if joint.aliases:
        yield f"- Also written {', '.join(f'`{alias}`' for alias in joint.aliases)}."
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
            *_section("Contacts", ((c.name, c.doc, c.fields) for c in CONTACTS.values())),
            *_section("Bodies", ((b.name, b.doc, b.fields) for b in BODIES.values())),
            *_section("Functions of time", ((kind.kind, _first(kind.__doc__), ()) for kind in FUNCTIONS.values())),
            "## Sharing rules",
            "",
            "| name | description | minimises | source |",
            "|---|---|---|---|",
            *(f"| `{r.name}` | {_cell(r.doc)} | {_cell(r.W)} | {_cell(r.cite)} |" for r in RULES.values()),
            "",
            "✓ marks the ways to rewrite the same mechanism that leave the numbers of a rule unchanged:",
            "",
            "| rule | " + " | ".join(CHANGES) + " |",
            "|---|" + "---|" * len(CHANGES),
            *(
                f"| `{r.name}` | " + " | ".join("✓" if c in r.invariant else "✗" for c in CHANGES) + " |"
                for r in RULES.values()
            ),
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


def in_repository(text: str) -> str:
    """A page as it is kept: between its marks stands what the registries say, without pictures."""
    parts = {"joints": lambda: joint_catalogue(pictures=False), "entries": entry_catalogue}
    for name, made in parts.items():
        begin, end = f"<!-- generated: {name} -->", "<!-- end -->"
        head, mark, rest = text.partition(begin)
        if mark:
            text = f"{head}{begin}\n\n{made().strip()}\n\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    page = DOCS / "joints.md"
    page.write_text(in_repository(page.read_text(encoding="utf-8")), encoding="utf-8")
