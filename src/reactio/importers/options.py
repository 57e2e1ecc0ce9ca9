"""Options of an import from texts and keywords, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from reactio.errors import ReactioError, did_you_mean
from reactio.importers import FORMATS, OF_SOME_FORMATS, Format, Options


def options_from(given: Mapping[str, Any]) -> Options:
    """Options by their names, as keywords or from ``--set``.

    >>> options_from({"pose": 0.02, "keep_fixed": "true"}).keep_fixed
    True
    """
    known = {field.name: field for field in fields(Options)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise ReactioError(f"There is no import option '{name}'.{did_you_mean(name, known)}")
        values[name] = _value(name, str(known[name].type), value)
    return Options(**values)


def check_options(options: Options, entry: Format, file: str) -> None:
    """Refuse options that have no effect for files of this format."""
    defaults = Options()
    for name in OF_SOME_FORMATS:
        if getattr(options, name) != getattr(defaults, name) and name not in entry.options:
            known = " and ".join(format_.name for format_ in FORMATS.values() if name in format_.options)
            flag = name.replace("_", "-")
            raise ReactioError(f"{file}: --{flag} does not apply to {entry.name} files; it is for {known} files.")


def _value(name: str, type_: str, value: Any) -> Any:
    if value is None or isinstance(value, dict):
        return value
    if "bool" in type_:
        if str(value).lower() not in ("true", "false"):
            raise ReactioError(f"Option '{name}' is {value!r}; it must be true or false.")
        return str(value).lower() == "true"
    if "float" in type_:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ReactioError(f"Option '{name}' is {value!r}; it must be a number.") from None
        if not number > 0 or not math.isfinite(number):
            raise ReactioError(f"Option '{name}' is {number:g}; it must be positive and finite.")
        return number
    return Path(value) if "Path" in type_ else str(value)
