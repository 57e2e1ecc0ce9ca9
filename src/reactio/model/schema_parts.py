"""Parts of the JSON Schema of model files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

NUMBER_SCHEMA: dict[str, Any] = {"$ref": "#/$defs/number"}
VECTOR: dict[str, Any] = {"$ref": "#/$defs/vector"}
ORIENTATION: dict[str, Any] = {"$ref": "#/$defs/orientation"}
FUNCTION: dict[str, Any] = {"$ref": "#/$defs/function"}
TEXT: dict[str, Any] = {"type": "string"}


def mapping(properties: dict[str, Any], *required: str, description: str = "") -> dict[str, Any]:
    """A mapping with these keys and no others."""
    return {
        "type": "object",
        **({"description": description} if description else {}),
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
        "properties": properties,
    }


def numbers_by_name(names: Iterable[str], *required: str, description: str = "") -> dict[str, Any]:
    """A mapping of names to numbers."""
    return mapping(dict.fromkeys(names, NUMBER_SCHEMA), *required, description=description)


def list_of(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A list of such items."""
    return {"type": "array", "items": items, **more}
