"""``assemblies``: other model files used as parts of this one, once or several times."""

from __future__ import annotations

from typing import Any

from reactio.errors import ModelError
from reactio.model.files.context import Context, known_keys, needed
from reactio.model.files.frames import body_named, read_orientation
from reactio.model.files.yaml_tree import Node
from reactio.model.specs import Body
from reactio.model.transform.assemblies import Placement, normal, placed_parts

USE_KEYS = ("use", "prefix", "mirror", "position", "orientation", "on", "parameters")
DEEPEST = 8  # files that may use each other in a row


def read_assemblies(node: Node, context: Context, bodies: dict[str, Body]) -> dict[str, list[Any]]:
    """The parts of all sub-assemblies, by section; bodies of this file may carry them (``on``)."""
    found: dict[str, list[Any]] = {}
    if isinstance(node.value, list):
        entries = [("", inner) for inner in node.items("assemblies")]
    else:
        entries = list(node.mapping("assemblies").items())
    for name, inner in entries:
        for section, items in _one(name, inner, context, bodies).items():
            found.setdefault(section, []).extend(items)
    return found


def _one(name: str, node: Node, context: Context, bodies: dict[str, Body]) -> dict[str, tuple[Any, ...]]:
    from reactio.model.files.read import read_part

    what = f"assembly '{name}'" if name else "an assembly"
    given = known_keys(node, what, USE_KEYS)
    if context.space != "spatial":
        raise node.fail(f"{what}: sub-assemblies are used in space.")
    file = needed(given, "use", node, what)
    if context.folder is None:
        raise file.fail(f"{what}: a text without a folder uses no files; read it from a file, or give its folder.")
    path = context.folder / file.text(f"{what}: use")
    if len(context.trail) >= DEEPEST or str(path.resolve()) in context.trail:
        raise file.fail(f"{what}: '{file.value}' uses itself, or files use each other more than {DEEPEST} deep.")
    if not path.resolve().is_relative_to(context.folder.resolve()):
        raise file.fail(f"{what}: '{file.value}' lies outside the folder of the model; put it beside the model.")
    if not path.is_file():
        raise file.fail(f"{what}: there is no file '{file.value}' beside this one.")
    settings = given["parameters"].mapping(f"{what}: parameters") if "parameters" in given else {}
    values = {key: context.number(inner, f"{what}: parameter '{key}'") for key, inner in settings.items()}
    model = read_part(path, context.trail, values)
    on = body_named(given["on"].text(f"{what}: on"), given["on"], bodies, what) if "on" in given else None
    try:
        placement = Placement(
            prefix=given["prefix"].text(f"{what}: prefix") if "prefix" in given else (f"{name}_" if name else ""),
            mirror=normal(given["mirror"].text(f"{what}: mirror")) if "mirror" in given else "",
            position=context.vector(given["position"], f"{what}: position", "length")
            if "position" in given
            else (0.0, 0.0, 0.0),
            orientation=read_orientation({k: v for k, v in given.items() if k == "orientation"}, node, context, what)
            or (1.0, 0.0, 0.0, 0.0),
            on=on if on is not None and on.name != "ground" else None,
        )
        return placed_parts(model, placement)
    except ModelError as error:
        if error.place:
            raise
        raise node.fail(f"{what}: {error.message}") from None
