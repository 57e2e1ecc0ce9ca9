"""YAML as a text for people: mappings in blocks, what holds numbers and words alone in one line.

PyYAML writes the same, by passing every number through five stages; a model of 100,000 joints holds millions of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

LINE_WIDTH = 110  # letters of a line
WORDS_KEPT = 1024  # of those written last: the same keys and types stand in every entry
INDENT = "  "
# Words that need no quotes wherever they stand, and those among them that YAML takes for something else.
UNQUOTED = re.compile(r"[^\W\d](?:[\w./~ -]*\w)?")
NESTED = (dict, list)
TAKEN = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n"))


def yaml_text(data: dict[str, Any]) -> str:
    """Mappings, lists, texts and numbers as YAML.

    >>> print(yaml_text({"name": "arm", "at": [0.0, 1e-05], "pin": {"type": "fixed"}}), end="")
    name: arm
    at: [0.0, 1.0e-05]
    pin: {type: fixed}
    """
    lines = list[str]()
    _mapping(data, "", lines)
    return "\n".join([*lines, ""])


def _mapping(data: dict[Any, Any], indent: str, lines: list[str]) -> None:
    """Append the lines of a mapping."""
    for key, value in data.items():
        head = f"{indent}{_scalar(key)}:"
        if _flows(value):
            _flow(head + " ", value, indent + INDENT, lines)
        elif isinstance(value, dict):
            lines.append(head)
            _mapping(value, indent + INDENT, lines)
        else:
            lines.append(head)
            _sequence(value, indent, lines)


def _sequence(data: Iterable[Any], indent: str, lines: list[str]) -> None:
    """Append each item after a dash; the lines of a block are indented below it."""
    for item in data:
        if _flows(item):
            _flow(f"{indent}- ", item, indent + INDENT, lines)
            continue
        inner, first = indent + INDENT, len(lines)
        if isinstance(item, dict):
            _mapping(item, inner, lines)
        else:
            _sequence(item, inner, lines)
        lines[first] = f"{indent}- {lines[first][len(inner) :]}"


def _flows(value: Any) -> bool:
    """Does it contain scalars only?"""
    if not isinstance(value, NESTED):
        return True
    return not any(isinstance(item, NESTED) for item in (value.values() if isinstance(value, dict) else value))


def _flow(head: str, value: Any, indent: str, lines: list[str]) -> None:
    """Append a scalar, or a list or mapping of scalars, after what stands before it; in several lines if it is long."""
    if not isinstance(value, NESTED):
        lines.append(head + _scalar(value))
        return
    if isinstance(value, dict):
        words, opening, closing = [f"{_scalar(k)}: {_scalar(v)}" for k, v in value.items()], "{", "}"
    else:
        words, opening, closing = [_scalar(item) for item in value], "[", "]"
    line = f"{head}{opening}{', '.join(words)}{closing}"
    if len(line) <= LINE_WIDTH:
        lines.append(line)
        return
    line = head + opening
    for k, word in enumerate(words):
        word += closing if k == len(words) - 1 else ","
        if len(line) + len(word) > LINE_WIDTH and k:
            lines.append(line)
            line = indent + word
        else:
            line += word if not k else f" {word}"
    lines.append(line)


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        text = repr(value)
        return text if "." in text else _number(value)
    if isinstance(value, str):
        return _word(value)
    if isinstance(value, bool) or value is None:
        return "null" if value is None else str(value).lower()
    return str(value)


@lru_cache(maxsize=WORDS_KEPT)
def _word(text: str) -> str:
    return text if UNQUOTED.fullmatch(text) and text.lower() not in TAKEN else _quoted(text)


def _number(value: float) -> str:
    """A number that Python writes without a point, with which YAML does not take 1e-05 for a word."""
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    return repr(value).replace("e", ".0e")


def _quoted(text: str) -> str:
    """A text in one line and in quotes; unprintable characters become codes."""
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    import yaml

    return str(yaml.safe_dump(text, width=math.inf, default_style='"')).removesuffix("\n")
