"""Shapes of bodies in files: read inside the folder of the model, and written relative to it."""

from __future__ import annotations

from typing import Any

from reactio.errors import ModelError
from reactio.model.checks import check_rotation, check_vector
from reactio.model.schema_parts import NUMBER_SCHEMA, ORIENTATION, VECTOR, list_of, mapping
from reactio.model.specs import Body, Shape
from reactio.model.values.context import Context, known_keys, required
from reactio.model.values.frames import read_orientation
from reactio.model.values.functions import table_path
from reactio.model.values.yaml_tree import Node

SHAPES_KEY = "shapes"
TURNS = ("orientation", "angle")


def read_shapes(node: Node, context: Context, what: str) -> tuple[Shape, ...]:
    """``[arm.stl, {file: hand.obj, position: …, orientation: …, scale: 0.001}]``; a text alone stands at the origin.

    A model without a folder of its own has no files next to it: its shapes are ignored.
    """
    shapes = tuple(_shape(inner, context, f"{what}: shapes") for inner in node.items(f"{what}: shapes"))
    return shapes if context.folder is not None else ()


def _shape(node: Node, context: Context, what: str) -> Shape:
    if isinstance(node.value, str):
        return Shape(_file(node, context, what))
    mapping = known_keys(node, what, ("file", "position", "scale", *TURNS))
    given: dict[str, Any] = {"file": _file(required(mapping, "file", node, what), context, what)}
    if "position" in mapping:
        given["position"] = context.vector(mapping["position"], f"{what}: position", "length")
    if orientation := read_orientation(mapping, node, context, what):
        given["orientation"] = orientation
    if "scale" in mapping:
        uniform = isinstance(mapping["scale"].value, str)
        size = context.number(mapping["scale"], f"{what}: scale") if uniform else 0.0
        given["scale"] = (size,) * 3 if uniform else context.numbers(mapping["scale"], f"{what}: scale", "number")
    return Shape(**given)


def _file(node: Node, context: Context, what: str) -> str:
    return node.text(what) if context.folder is None else str(table_path(node, context, what))


def write_shapes(body: Body) -> dict[str, Any]:
    """The shapes of a body as data of a file."""
    return {SHAPES_KEY: [_written(shape) for shape in body.shapes]} if body.shapes else {}


def _written(shape: Shape) -> Any:
    data: dict[str, Any] = {"file": shape.file}
    if any(shape.position):
        data["position"] = list(shape.position)
    if shape.orientation != (1.0, 0.0, 0.0, 0.0):
        data["orientation"] = list(shape.orientation)
    if shape.scale != (1.0, 1.0, 1.0):
        data["scale"] = shape.scale[0] if len(set(shape.scale)) == 1 else list(shape.scale)
    return data if len(data) > 1 else shape.file


def check_shapes(body: Body, space: str, path: tuple[str, ...]) -> None:
    """Shapes are for spatial models, and their scale is not zero."""
    if body.shapes and space != "spatial":
        raise ModelError("shapes are surfaces in space; a planar model draws its bodies by itself.", path)
    for shape in body.shapes:
        check_vector(shape.position, 3, f"shape '{shape.file}': position", path)
        check_rotation(shape.orientation, 4, f"shape '{shape.file}': orientation", path)
        check_vector(shape.scale, 3, f"shape '{shape.file}': scale", path)
        if not all(shape.scale):
            raise ModelError(f"the scale {list(shape.scale)} of '{shape.file}' leaves nothing of it.", path)


def shapes_schema() -> dict[str, Any]:
    """For editors."""
    file = {"type": "string", "description": "Next to the model: .stl, .obj, .dae, .ply, .off, .brp."}
    scale = {"anyOf": [NUMBER_SCHEMA, VECTOR]}
    keys = {"file": file, "position": VECTOR, "orientation": ORIENTATION, "angle": NUMBER_SCHEMA, "scale": scale}
    words = "Surfaces that drawings show instead of links; no verdict needs them."
    return {SHAPES_KEY: list_of({"anyOf": [file, mapping(keys, "file")]}, description=words)}
