"""YAML as a text for people: mappings in blocks, what holds numbers and words alone in one line.

PyYAML writes the same, by passing every number through five stages; a model of 100,000 joints holds millions of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
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
    return "".join(f"{line}\n" for line in _mapping(data, ""))


def _mapping(data: dict[Any, Any], indent: str) -> Iterator[str]:
    for key, value in data.items():
        head = f"{indent}{_scalar(key)}:"
        if _flows(value):
            yield from _flow(head + " ", value, indent + INDENT)
        elif isinstance(value, dict):
            yield head
            yield from _mapping(value, indent + INDENT)
        else:
            yield head
            yield from _sequence(value, indent)


def _sequence(data: Iterable[Any], indent: str) -> Iterator[str]:
    """Each item after a dash; the lines of a block are indented below it."""
    for item in data:
        if _flows(item):
            yield from _flow(f"{indent}- ", item, indent + INDENT)
            continue
        inner = indent + INDENT
        lines = _mapping(item, inner) if isinstance(item, dict) else _sequence(item, inner)
        for k, line in enumerate(lines):
            yield f"{indent}- {line[len(inner) :]}" if k == 0 else line


def _flows(value: Any) -> bool:
    """Does it contain scalars only?"""
    if isinstance(value, dict):
        return not any(isinstance(item, NESTED) for item in value.values())
    return not isinstance(value, list) or not any(isinstance(item, NESTED) for item in value)


def _flow(head: str, value: Any, indent: str) -> Iterator[str]:
    """A scalar, or a list or mapping of scalars, behind what stands before it; in several lines where it is long."""
    if not isinstance(value, NESTED):
        yield head + _scalar(value)
        return
    if isinstance(value, dict):
        words, opening, closing = [f"{_scalar(k)}: {_scalar(v)}" for k, v in value.items()], "{", "}"
    else:
        words, opening, closing = [_scalar(item) for item in value], "[", "]"
    line = f"{head}{opening}{', '.join(words)}{closing}"
    if len(line) <= LINE_WIDTH:
        yield line
        return
    line = head + opening
    for k, word in enumerate(words):
        word += closing if k == len(words) - 1 else ","
        if len(line) + len(word) > LINE_WIDTH and k:
            yield line
            line = indent + word
        else:
            line += word if not k else f" {word}"
    yield line


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return _word(value)
    if isinstance(value, bool) or value is None:
        return "null" if value is None else str(value).lower()
    return str(value)


@lru_cache(maxsize=WORDS_KEPT)
def _word(text: str) -> str:
    return text if UNQUOTED.fullmatch(text) and text.lower() not in TAKEN else _quoted(text)


def _number(value: float) -> str:
    """All digits; with a point, without which YAML takes 1e-05 for a word."""
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text if "." in text or "e" not in text else text.replace("e", ".0e")


def _quoted(text: str) -> str:
    """A text in one line and in quotes; unprintable characters become codes."""
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    import yaml

    return str(yaml.safe_dump(text, width=math.inf, default_style='"')).removesuffix("\n")
