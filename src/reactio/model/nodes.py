"""YAML as a tree that knows its lines, built event by event so that no file can blow it up."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reactio.errors import ModelError

MOST_BYTES = 64 * 2**20  # a model of 20,000 bodies takes some 5 MB
MOST_NODES = 5_000_000  # counted as if every alias were written out
MOST_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a file: a text, a list or a mapping, with where it stands."""

    value: str | list[Node] | dict[str, Node]
    file: str
    line: int  # from 1
    size: int = 1  # nodes in it, with aliases written out
    keys: dict[str, int] | None = None  # line of each key of a mapping
    quoted: bool = False

    @property
    def place(self) -> str:
        """``file:line`` for messages."""
        return f"{self.file}:{self.line}"

    @property
    def word(self) -> str:
        """What it is, for messages."""
        if isinstance(self.value, str):
            return f"the text '{self.value[:40]}'" if self.value else "nothing"
        return "a list" if isinstance(self.value, list) else "a mapping"

    def fail(self, message: str) -> ModelError:
        """An error at this place."""
        return ModelError(message, place=self.place)

    def mapping(self, what: str) -> dict[str, Node]:
        """The value as a mapping; nothing at all counts as an empty one."""
        if self.value == "" and not self.quoted:
            return {}
        if not isinstance(self.value, dict):
            raise self.fail(f"{what} must be a mapping (name: value), not {self.word}.")
        return self.value

    def items(self, what: str) -> list[Node]:
        """The value as a list."""
        if not isinstance(self.value, list):
            raise self.fail(f"{what} must be a list [a, b, …], not {self.word}.")
        return self.value

    def text(self, what: str) -> str:
        """The value as a text."""
        if not isinstance(self.value, str) or (not self.value and not self.quoted):
            raise self.fail(f"{what} must be a text, not {self.word}.")
        return self.value


def read_nodes(path: Path) -> Node:
    """The tree of a YAML file."""
    name = str(path)
    try:
        size = os.path.getsize(path)
        if path.is_dir():
            raise ModelError("this is a folder, not a model file.", place=name)
        if size > MOST_BYTES:
            raise ModelError(
                f"the file has {size / 2**20:.0f} MB; a model file may have {MOST_BYTES // 2**20} MB. Is it a model at all?",
                place=name,
            )
        raw = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror or error}.", place=name) from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ModelError("is not UTF-8 text; is it a model file?", place=f"{name}:{line}") from None
    return parse_nodes(text, name)


def parse_nodes(text: str, name: str = "<text>") -> Node:
    """The tree of a YAML text."""
    import yaml

    try:
        return _tree(_events(text), name)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        raise ModelError(f"is not valid YAML: {error.problem or error.context}.", place=f"{name}{line}") from None
    except yaml.YAMLError as error:
        raise ModelError(f"is not valid YAML: {str(error).splitlines()[0]}.", place=name) from None


def _events(text: str) -> Iterator[object]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return iter(yaml.parse(text, Loader=loader))


@dataclass(slots=True)
class _Open:
    """A list or mapping that is still being read."""

    line: int
    anchor: str | None
    items: list[Node]
    is_mapping: bool


def _tree(events: Iterator[object], name: str) -> Node:
    """Put the events together; depth and size are watched as they grow."""
    import yaml

    anchors: dict[str, Node] = {}
    stack: list[_Open] = []
    root: Node | None = None
    documents = 0
    for event in events:
        line = event.start_mark.line + 1  # type: ignore[attr-defined]
        place = f"{name}:{line}"
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise ModelError("a second document starts here; a model file holds one.", place=place)
            continue
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(stack) >= MOST_DEPTH:
                raise ModelError(f"is nested more than {MOST_DEPTH} levels deep.", place=place)
            stack.append(_Open(line, event.anchor, [], isinstance(event, yaml.MappingStartEvent)))
            continue
        if isinstance(event, yaml.ScalarEvent):
            node = Node(event.value, name, line, quoted=event.style in ("'", '"'))
            anchor = event.anchor
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise ModelError(f"the alias *{event.anchor} refers to nothing before it.", place=place)
            node, anchor = anchors[event.anchor], None
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            done = stack.pop()
            node, anchor = _close(done, name), done.anchor
        else:
            continue
        if node.size > MOST_NODES:
            raise ModelError(f"expands to more than {MOST_NODES:,} values through its aliases.", place=place)
        if anchor:
            anchors[anchor] = node
        if stack:
            stack[-1].items.append(node)
        else:
            root = node
    return root or Node("", name, 1)


def _close(done: _Open, name: str) -> Node:
    size = 1 + sum(item.size for item in done.items)
    if not done.is_mapping:
        return Node(done.items, name, done.line, size)
    mapping: dict[str, Node] = {}
    keys: dict[str, int] = {}
    for key, value in zip(done.items[::2], done.items[1::2], strict=True):
        if not isinstance(key.value, str):
            raise key.fail("a name must be a plain text.")
        if key.value in mapping:
            raise key.fail(f"the name '{key.value}' is used twice; it was first given in line {keys[key.value]}.")
        mapping[key.value] = value
        keys[key.value] = key.line
    return Node(mapping, name, done.line, size, keys)


def find(root: Node, path: tuple[str, ...]) -> Node:
    """The deepest node on a path, at the line of its key."""
    node, line = root, root.line
    for step in path:
        if not isinstance(node.value, dict) or step not in node.value:
            break
        line = (node.keys or {}).get(step, node.line)
        node = node.value[step]
    return Node(node.value, node.file, line)
