"""Files → models: YAML with line numbers in every error, units converted, expressions evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from pathlib import Path
from typing import Any

from reactio.catalogue.places import GROUND, ReactionAxes
from reactio.catalogue.units import Units, units_named, units_of, writing_in
from reactio.errors import ModelError, ReactioError, did_you_mean
from reactio.expressions.parameters import resolve
from reactio.expressions.syntax import ExpressionError
from reactio.model.accuracy import Accuracy, parse_accuracy
from reactio.model.checks import check_name
from reactio.model.coordinates import units_of_misfits
from reactio.model.entities import (
    read_body,
    read_coupling,
    read_drive,
    read_force,
    read_held,
    read_joint,
    read_rows,
    with_coordinates,
)
from reactio.model.events import read_event, read_stop
from reactio.model.files.assemblies import read_uses
from reactio.model.files.notes import NOTES_KEY, read_notes
from reactio.model.flexible import read_materials
from reactio.model.model import Model
from reactio.model.specs import Body, Contact
from reactio.model.tolerances import read_costs, read_tolerances
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.yaml_tree import Node, find, parse_nodes, read_nodes

MODEL_FORMAT = 1
MODEL_KEYS = (
    "reactio", "name", "title", "cite", "space", "units", "parameters", "accuracy", "gravity", "ground", "rows",
    "bodies", "assemblies", "joints", "drives", "hold", "couplings", "drop", "share_points", "forces", "events",
    "stops", "materials", "contacts", "tolerances", "costs", NOTES_KEY,
)  # fmt: skip

Overrides = Mapping[str, float | str]


def read_model(path: str | Path, /, **parameters: float | str) -> Model:
    """The model in a YAML file; parameters given here replace those of the file."""
    return read_part(Path(path), (), parameters)


def read_part(path: Path, trail: tuple[str, ...], parameters: Overrides) -> Model:
    """The model in a file that the files of ``trail`` use, so that none uses itself."""
    nodes = read_nodes(path)
    return _model(nodes, path.parent, parameters, path.stem, str(path), (*trail, str(path.resolve())))


def parse_model(text: str, name: str = "model", folder: Path | None = None, **parameters: float | str) -> Model:
    """The model in a YAML text; parameters as keywords.  Tables that it names are read from ``folder`` only.

    >>> text = "{space: planar, parameters: {a: 1}, bodies: {bar: {position: [a/2, 0]}}}"
    >>> parse_model(text, a=4).bodies[0].position
    (2.0, 0.0)
    """
    if not isinstance(text, str):
        raise ReactioError(
            f"The text of a model is needed, not {type(text).__name__}; reactio.load(FILE) reads a file."
        )
    return _model(parse_nodes(text, f"<{name}>"), folder, parameters, name, "")


def _model(
    root: Node, folder: Path | None, overrides: Overrides, name: str, source: str, trail: tuple[str, ...] = ()
) -> Model:
    if "closed_loop" in root.mapping("the model"):
        raise root.fail("lists the loops of a robot description: give the .urdf file, which is read with them.")
    top = known_keys(root, "the model", MODEL_KEYS)
    if not top:
        raise root.fail("is empty; a model has at least `space`, `bodies` and `joints`.")
    _version(top)
    space = required(top, "space", root, "the model", ("planar", "spatial")).text("space")
    if space not in ("planar", "spatial"):
        raise top["space"].fail(
            f"space is '{space}'; it must be planar or spatial.{did_you_mean(space, ('planar', 'spatial'))}"
        )
    context = Context(
        space, read_units(top.get("units")), _parameters(top.get("parameters"), overrides, root), folder, trail
    )
    try:
        with writing_in(context.units):
            return Model(source=source, units=context.units, **_parts(top, context, name))
    except ModelError as error:
        if error.place:
            raise
        raise ModelError(error.message, error.path, find(root, error.path).place) from None


def with_place(error: ModelError, model: Model) -> ModelError:
    """The error with the file and line it is about, when its model came from a file that still says so."""
    if error.place or not model.source.endswith((".yaml", ".yml")):
        return error
    try:
        return ModelError(error.message, error.path, find(read_nodes(Path(model.source)), error.path).place)
    except ReactioError:
        return error


def _version(top: dict[str, Node]) -> None:
    if "reactio" in top and (version := top["reactio"].text("reactio")) != str(MODEL_FORMAT):
        raise top["reactio"].fail(f"this file has format {version[:40]}; this version reads format {MODEL_FORMAT}.")


def _parts(top: dict[str, Node], context: Context, name: str) -> dict[str, Any]:
    """The fields of the model, section by section."""
    ground = read_body(GROUND, top["ground"], context) if "ground" in top else None
    bodies = tuple(read_body(k, n, context) for k, n in _section(top, "bodies"))
    known = {body.name: body for body in bodies}
    if ground:
        known[GROUND] = ground
    used = _assemblies(top["assemblies"], context, known) if "assemblies" in top else {}
    bodies = (*bodies, *used.get("bodies", ()))
    known |= {body.name: body for body in used.get("bodies", ())}
    rows = read_rows(top["rows"], "the model") if "rows" in top else ReactionAxes.JOINT
    joints = (
        *(read_joint(k, n, context, known, rows) for k, n in _section(top, "joints")),
        *used.get("joints", ()),
    )
    by_name = {joint.name: joint for joint in joints}
    readers: dict[str, Callable[[str, Node], Any]] = {
        "drives": lambda k, n: read_drive(k, n, context, by_name),
        "couplings": lambda k, n: read_coupling(k, n, context, by_name),
        "forces": lambda k, n: read_force(k, n, context, known, by_name),
        "events": lambda k, n: read_event(k, n, with_coordinates(context, known, by_name)),
        "stops": lambda k, n: read_stop(k, n, context, by_name),
    }
    named = {key: (*(read(k, n) for k, n in _section(top, key)), *used.get(key, ())) for key, read in readers.items()}
    if "hold" in top:
        named["drives"] = (*named["drives"], *read_held(top["hold"], context, by_name))
    named |= {"bodies": bodies, "joints": joints, "contacts": _contacts(top, context, known)}
    return {
        "name": top["name"].text("name") if "name" in top else name,
        "space": context.space,
        **named,
        "title": top["title"].text("title") if "title" in top else "",
        "cite": top["cite"].text("cite") if "cite" in top else "",
        "parameters": {k: float(v) for k, v in context.values.items()},
        **({"ground": ground} if ground else {}),
        **_further(top, context, named),
    }


def _further(top: dict[str, Node], context: Context, parts: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that most models leave out, where they are given."""
    joints, bodies = ([part.name for part in parts[key]] for key in ("joints", "bodies"))
    seats = [name for contact in parts["contacts"] for name in contact.seats]
    misfits = units_of_misfits(context.space, parts["joints"], parts["drives"], parts["couplings"])
    readers: dict[str, Callable[[Node], Any]] = {
        "accuracy": lambda node: _accuracy(node, context),
        "gravity": lambda node: context.vector(node, "gravity", "acceleration"),
        "materials": lambda node: read_materials(node, context),
        "tolerances": lambda node: read_tolerances(node, context, (*joints, *seats), bodies, misfits),
        "costs": lambda node: read_costs(node, context, joints),
        "drop": lambda node: tuple(item.text("drop") for item in node.items("drop")),
        "share_points": lambda node: _yes_or_no(node, "share_points"),
        NOTES_KEY: read_notes,
    }
    return {key: read(top[key]) for key, read in readers.items() if key in top}


def _assemblies(node: Node, context: Context, known: dict[str, Body]) -> dict[str, list[Any]]:
    """The parts of all sub-assemblies, by section."""
    sections: dict[str, list[Any]] = {}
    for use in read_uses(node, context, known):
        model = read_part(use.file, context.trail, use.parameters)
        if model.drop:
            raise ReactioError(f"{use.file}: `drop` belongs in the file of the whole model, not in a sub-assembly.")
        for section, items in use.parts_of(model).items():
            sections.setdefault(section, []).extend(items)
    return sections


def _contacts(top: dict[str, Node], context: Context, known: dict[str, Body]) -> tuple[Contact, ...]:
    if "contacts" not in top:
        return ()
    from reactio.model.contacts import read_contact

    return tuple(read_contact(k, n, context, known) for k, n in _section(top, "contacts"))


def _accuracy(node: Node, context: Context) -> Accuracy:
    """``0.1 mm``, ``0.1 mm, 1 mrad``, or numbers in the units of the file: ``{length: 0.1, angle: 0.05}``."""
    try:
        if isinstance(node.value, str):
            try:
                return Accuracy(context.units.factor("length") * float(node.value))
            except ValueError:
                return parse_accuracy(node.value)
        given = known_keys(node, "accuracy", ("length", "angle"))
        length = context.number(required(given, "length", node, "accuracy"), "accuracy: length", "length")
        angle = context.number(given["angle"], "accuracy: angle", "angle") if "angle" in given else None
        return Accuracy(length, angle)
    except ModelError:
        raise
    except ReactioError as error:
        raise node.fail(f"accuracy: {error}") from None


def _yes_or_no(node: Node, what: str) -> bool:
    text = node.text(what)
    if text not in ("true", "false"):
        raise node.fail(f"{what} is '{text}'; it must be true or false.")
    return text == "true"


def _section(top: dict[str, Node], key: str) -> list[tuple[str, Node]]:
    """The entries of a section; names are checked here, before others refer to them."""
    entries = top[key].mapping(key) if key in top else {}
    for name in entries:
        check_name(name, (key, name))
    return list(entries.items())


def read_units(node: Node | None) -> Units:
    """``units: mm``, ``units: [mm, deg]`` or ``units: {length: mm, angle: deg}``."""
    if node is None:
        return Units()
    try:
        if isinstance(node.value, dict):
            return units_named({k: n.text(f"units: {k}") for k, n in node.value.items()})
        names = [node] if isinstance(node.value, str) else node.items("units")
        return units_of(n.text("units") for n in names)
    except ModelError:
        raise
    except ReactioError as error:
        raise node.fail(str(error)) from None


def units_of_text(text: str) -> Units:
    """The units of the text of a model."""
    return read_units(parse_nodes(text, "model").mapping("the model").get("units"))


def _parameters(node: Node | None, overrides: Overrides, root: Node) -> dict[str, float]:
    given = node.mapping("parameters") if node else {}
    texts = {name: value.text(f"parameter '{name}'") for name, value in given.items()}
    for name, override in overrides.items():
        if not isinstance(override, str | Real):
            raise (node or root).fail(f"parameter '{name}' is set to {override!r}; give a number or an expression.")
    try:
        return resolve(texts, overrides)
    except ExpressionError as error:
        for name, value in given.items():  # the message names the parameter; its line helps to find it
            if f"'{name}'" in str(error).partition(":")[0] or f"{name} →" in str(error):
                raise value.fail(str(error)) from None
        raise (node or root).fail(str(error)) from None


def place_of(model: Model, path: tuple[str, ...]) -> str:
    """``file:line`` of an item of a model that came from a file, else nothing."""
    if not model.source:
        return ""
    try:
        return find(read_nodes(Path(model.source)), path).place
    except ReactioError:
        return model.source
