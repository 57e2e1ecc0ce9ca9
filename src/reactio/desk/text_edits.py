"""Edits of a YAML text in place: one value is replaced, added or removed, and everything else stays as it was written.

Comments, spaces, expressions and the order of entries are the user's.  Each edit is verified: the text is read again,
and its content must be that of the old text with this one change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import yaml

from reactio.errors import ReactioError
from reactio.model.files.yaml_text import INDENT

BETWEEN = re.compile(r"\s*:(?:\s|#[^\n]*\n|&[\w-]+\s)*")  # from the end of a key to its value: a colon, an anchor
LINE_END = re.compile(r"[^\n]*")
Path = tuple[str, ...]


def set_value(text: str, path: Path, value: object) -> str:
    """The text with a value in place of the one at a path, or added where there is none.

    >>> print(set_value("joints:\\n  A: {type: revolute}  # the crank\\n", ("joints", "A", "type"), "fixed"), end="")
    joints:
      A: {type: fixed}  # the crank
    """
    root = _root(text)
    depth = _depth(root, path)
    if depth == len(path):
        edited = _replaced(text, root, path, flow_text(value))
    else:
        for key in reversed(path[depth + 1 :]):
            value = {key: value}
        edited = _added(text, root, path[:depth], path[depth], value)
    return _verified(text, edited, lambda data: _put(data, path, value, depth))


def remove(text: str, path: Path) -> str:
    """The text without the entry at a path.

    >>> remove("{a: 1, b: 2, c: 3}", ("b",))
    '{a: 1, c: 3}'
    """
    root = _root(text)
    parent = _at(root, path[:-1])
    places = [k for k, (key, _) in enumerate(parent.value) if key.value == path[-1]]
    if not places:
        raise ReactioError(f"There is no {'.'.join(path)} in the file.")
    edited = _without(text, parent, places[0])
    return _verified(text, edited, lambda data: _drop(data, path))


@lru_cache(maxsize=4)  # the text as it is, before the edit and as it was saved are asked for again and again
def content(text: str) -> Any:
    """Mappings, lists and texts of a YAML text, to be read only; numbers stay as they are written."""
    return _plain(_root(text))


def flow_text(value: object) -> str:
    """A value as YAML in one line.

    >>> flow_text({"type": "revolute", "at": ["xA", 0.5], "angle": "atan2(y, x)"})
    "{type: revolute, at: [xA, 0.5], angle: 'atan2(y, x)'}"
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow_text(str(key))}: {flow_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    if isinstance(value, bool) or not isinstance(value, str):
        return number_text(value) if isinstance(value, float) else str(value).lower()
    plain = re.fullmatch(r"[\w(+.-](?:[\w()+*/. -]*[\w()])?", value) is not None
    return value if plain and not value.startswith("- ") else "'" + value.replace("'", "''") + "'"


def number_text(value: float) -> str:
    """A number with all its digits: those of an axis that are cut off make parallel axes skew.

    >>> number_text(0.1), number_text(5.0), number_text(1e-7)
    ('0.1', '5', '1.0e-07')
    """
    text = repr(value).removesuffix(".0")
    return text if "." in text or "e" not in text else text.replace("e", ".0e")


@lru_cache(maxsize=1)  # an edit begins with the text that the one before it ended with; large trees are not kept
def _root(text: str) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(text, Loader=loader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark is not None else ""
        raise ReactioError(f"The file is not readable YAML{line}; fix it in an editor first.") from None
    if root is None or not isinstance(root, yaml.MappingNode):
        raise ReactioError("The file is not a mapping with `space`, `bodies` and `joints`.")
    return root


def _depth(root: Any, path: Path) -> int:
    """How many steps of a path exist."""
    node = root
    for k, step in enumerate(path):
        value = _entry(node, step) if isinstance(node, yaml.MappingNode) else None
        if value is None:
            return k
        node = value
    return len(path)


def _entry(mapping: Any, name: str) -> Any:
    return next((value for key, value in mapping.value if key.value == name), None)


def _at(root: Any, path: Path) -> Any:
    node = root
    for step in path:
        node = _entry(node, step) if isinstance(node, yaml.MappingNode) else None
        if node is None:
            raise ReactioError(f"There is no {'.'.join(path)} in the file.")
    return node


def _span(text: str, parent: Any, name: str) -> tuple[int, int]:
    """Start and end of a value that stands right behind its key; one that an alias shares is refused."""
    key, value = next((key, value) for key, value in parent.value if key.value == name)
    between = BETWEEN.match(text, key.end_mark.index)
    start = value.start_mark.index
    if between is None or (not _is_empty(value) and not key.end_mark.index < start <= between.end()):
        raise ReactioError(f"'{name}' is shared by an alias or taken in by <<; edit it in the file.")
    if _is_empty(value):
        colon = text.index(":", key.end_mark.index) + 1
        return colon, colon
    return start, _end(value)


def _is_empty(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.start_mark.index == node.end_mark.index


def _end(node: Any) -> int:
    """The end of the written value: blocks end with their last value, not before the next key."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    if isinstance(node, yaml.MappingNode):
        key, value = last
        return max(int(key.end_mark.index) + 1, _end(value)) if not _is_empty(value) else int(key.end_mark.index) + 1
    return _end(last)


def _replaced(text: str, root: Any, path: Path, new: str) -> str:
    start, end = _span(text, _at(root, path[:-1]), path[-1])
    lead = "" if text[start - 1].isspace() and "\n" not in text[text.rindex(":", 0, start) : start] else " "
    if lead and start != end:  # a block below its key: the value goes behind the colon
        start = text.rindex(":", 0, start) + 1
    return text[:start] + lead + new + text[end:]


def _added(text: str, root: Any, path: Path, name: str, value: object) -> str:
    """A new entry after the last one of a mapping."""
    parent = _at(root, path)
    entry = f"{flow_text(name)}: {flow_text(value)}"
    if isinstance(parent, yaml.MappingNode) and parent.flow_style and (path or parent.value):
        if not parent.value:
            at = parent.end_mark.index - 1
            return f"{text[:at].rstrip()}{entry}{text[at:]}"
        at = _end(parent.value[-1][1])
        return f"{text[:at]}, {entry}{text[at:]}"
    if isinstance(parent, yaml.MappingNode) and parent.value:
        indent = " " * parent.value[0][0].start_mark.column
        at = _line_end(text, _end(parent))
        if isinstance(value, dict) and not path:  # a new section
            entry = f"{name}:\n" + "\n".join(f"{INDENT}{flow_text(k)}: {flow_text(v)}" for k, v in value.items())
        return f"{text[:at]}\n{indent}{entry}{text[at:]}"
    if _is_empty(parent):  # `joints:` with nothing below it
        start, _ = _span(text, _at(root, path[:-1]), path[-1])
        at = _line_end(text, start)
        return f"{text[:at]}\n{INDENT * len(path)}{entry}{text[at:]}"
    raise ReactioError(f"{'.'.join(path)} is not a mapping; edit it in the file.")


def _line_end(text: str, at: int) -> int:
    match = LINE_END.match(text, at)
    assert match is not None
    return match.end()


def _without(text: str, parent: Any, k: int) -> str:
    entries, name = parent.value, parent.value[k][0].value
    _, end = _span(text, parent, name)
    start = int(entries[k][0].start_mark.index)
    if parent.flow_style:
        if k:
            return text[: _end(entries[k - 1][1])] + text[end:]
        if len(entries) > 1:
            return text[:start] + text[int(entries[1][0].start_mark.index) :]
        return text[:start] + text[end:]
    line_start = text.rfind("\n", 0, start) + 1
    after = _line_end(text, end)
    return text[:line_start] + text[after + 1 :]


def _plain(node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {key.value: _plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    return node.value


def _verified(before: str, after: str, change: Callable[[Any], Any]) -> str:
    wanted = change(_plain(_root(before)))
    try:
        same = content(after) == wanted
    except ReactioError:
        same = False
    if not same:
        raise ReactioError("This place of the file cannot be edited here; edit the file.")
    return after


def _put(data: Any, path: Path, value: object, depth: int) -> Any:
    node = data
    keys = path if depth == len(path) else path[: depth + 1]
    for step in keys[:-1]:
        if node[step] == "":
            node[step] = {}
        node = node[step]
    node[keys[-1]] = content(f"x: {flow_text(value)}")["x"]
    return data


def _drop(data: Any, path: Path) -> Any:
    node = data
    for step in path[:-1]:
        node = node[step]
    del node[path[-1]]
    if not node and len(path) > 1:  # an empty block is nothing, an empty {} is a mapping: both are equal to the reader
        parent = data
        for step in path[:-2]:
            parent = parent[step]
        parent[path[-2]] = _Nothing()
    return data


class _Nothing:
    """Equal to an empty mapping and to nothing at all."""

    def __eq__(self, other: object) -> bool:
        return other in ("", {})

    __hash__ = None  # type: ignore[assignment]
