"""``assemblies``: other model files used as parts of this one, once or several times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reactio.model.model import Model
from reactio.model.specs import Body
from reactio.model.transform.assemblies import Placement, mirror_axis, placed_parts
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.frames import body_named, located, read_orientation
from reactio.model.values.yaml_tree import Node

USE_KEYS = ("use", "prefix", "mirror", "position", "orientation", "on", "parameters")
MOST_NESTED_FILES = 8  # files that may use each other in a row


@dataclass(frozen=True, slots=True)
class AssemblyUse:
    """Another file as a part of this one: its path, its parameters, and the placement of its parts."""

    node: Node
    what: str
    file: Path
    parameters: Mapping[str, float]
    placement: Placement

    def parts_of(self, model: Model) -> dict[str, tuple[Any, ...]]:
        """The parts of the model in that file by section, in their places here."""
        return dict(located(self.node, lambda: placed_parts(model, self.placement), self.what))


def read_uses(node: Node, context: Context, bodies: dict[str, Body]) -> Iterator[AssemblyUse]:
    """All sub-assemblies; bodies of this file may carry them (``on``)."""
    if isinstance(node.value, list):
        entries = [("", inner) for inner in node.items("assemblies")]
    else:
        entries = list(node.mapping("assemblies").items())
    for name, inner in entries:
        yield _use(name, inner, context, bodies)


def _use(name: str, node: Node, context: Context, bodies: dict[str, Body]) -> AssemblyUse:
    what = f"assembly '{name}'" if name else "an assembly"
    given = known_keys(node, what, USE_KEYS)
    if context.space != "spatial":
        raise node.fail(f"{what}: sub-assemblies are used in space.")
    file = required(given, "use", node, what)
    if context.folder is None:
        raise file.fail(f"{what}: a text without a folder uses no files; read it from a file, or give its folder.")
    path = context.folder / file.text(f"{what}: use")
    if len(context.trail) >= MOST_NESTED_FILES or str(path.resolve()) in context.trail:
        raise file.fail(
            f"{what}: '{file.value}' uses itself, or files use each other more than {MOST_NESTED_FILES} deep."
        )
    if not path.resolve().is_relative_to(context.folder.resolve()):
        raise file.fail(f"{what}: '{file.value}' lies outside the folder of the model; put it next to the model.")
    if not path.is_file():
        raise file.fail(f"{what}: there is no file '{file.value}' next to this one.")
    settings = given["parameters"].mapping(f"{what}: parameters") if "parameters" in given else {}
    values = {key: context.number(inner, f"{what}: parameter '{key}'") for key, inner in settings.items()}
    on = body_named(given["on"].text(f"{what}: on"), given["on"], bodies, what) if "on" in given else None
    placement: Placement = located(node, lambda: _placement(name, given, node, context, on), what)
    return AssemblyUse(node, what, path, values, placement)


def _placement(name: str, given: dict[str, Node], node: Node, context: Context, on: Body | None) -> Placement:
    what = f"assembly '{name}'" if name else "an assembly"
    at = context.vector(given["position"], f"{what}: position", "length") if "position" in given else (0.0, 0.0, 0.0)
    turned = read_orientation({k: v for k, v in given.items() if k == "orientation"}, node, context, what)
    return Placement(
        prefix=given["prefix"].text(f"{what}: prefix") if "prefix" in given else (f"{name}_" if name else ""),
        mirror=mirror_axis(given["mirror"].text(f"{what}: mirror")) if "mirror" in given else "",
        position=at,
        orientation=turned or (1.0, 0.0, 0.0, 0.0),
        on=on if on is not None and on.name != "ground" else None,
    )
