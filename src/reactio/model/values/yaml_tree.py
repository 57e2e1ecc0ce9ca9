"""YAML as a tree with line numbers, built event by event so that its size can be limited while it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reactio.errors import InFile, ModelError
from reactio.operating_system.files import read_text

MOST_NODES = 5_000_000  # counted as if every alias were written out
MOST_DEPTH = 50
MOST_SECTIONS = 100  # a model has a dozen; a text full of colons has more
LONGEST_TEXT = 10_000  # of a text
MERGE = "<<"
MOST_MERGED = 1_000_000  # keys taken in by it, each of which is looked at and copied
MODEL_SHAPE = "a model is a mapping with `space`, `bodies`, `joints`, …"


@dataclass(frozen=True, slots=True)
class Node(InFile):
    """A node of a file: a text, a list or a mapping, with its line."""

    value: str | list[Node] | dict[str, Node]
    file: str
    line: int  # from 1
    size: int = 1  # nodes in it, with aliases written out
    keys: dict[str, int] | None = None  # line of each key of a mapping
    quoted: bool = False

    @property
    def word(self) -> str:
        """The kind of the value, for messages."""
        if isinstance(self.value, str):
            return f"the text '{self.value[:40]}'" if self.value else "nothing"
        return "a list" if isinstance(self.value, list) else "a mapping"

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
        if len(self.value) > LONGEST_TEXT:
            raise self.fail(f"{what} has {len(self.value):,} letters; at most {LONGEST_TEXT:,} are read.")
        return self.value


def read_nodes(path: Path, most_keys: int = MOST_SECTIONS, form: str = MODEL_SHAPE) -> Node:
    """The tree of a YAML file with so many keys at its top; ``form`` describes the expected form."""
    return parse_nodes(read_text(path), str(path), most_keys, form)


def parse_nodes(text: str, name: str = "<text>", most_keys: int = MOST_SECTIONS, form: str = MODEL_SHAPE) -> Node:
    """The tree of a YAML text."""
    import yaml

    try:
        return _tree(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), name, most_keys, form)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        raise ModelError(f"is not valid YAML: {_parser_message(error, text)}.", place=f"{name}{line}") from None
    except (yaml.YAMLError, UnicodeError) as error:  # letters that YAML does not know; the parser gives no line
        line = next((f":{i}" for i, line_text in enumerate(text.split("\n"), 1) if not _readable(line_text)), "")
        raise ModelError(f"is not valid YAML: {str(error).splitlines()[0]}.", place=f"{name}{line}") from None


def _parser_message(error: Any, text: str) -> str:
    """What the parser says of a mistake; a tab, which it does not name, by its name."""
    mark = error.problem_mark
    lines = text.split("\n")
    if mark and mark.line < len(lines) and lines[mark.line][mark.column : mark.column + 1] == "\t":
        return "there is a tab; indent with spaces"
    fault = str(error.problem or error.context)
    if fault.startswith("mapping values are not allowed"):
        return f"{fault}; several fields on one line need braces, as in {{mass: 1, inertia: 2}}"
    indent = "; entries of one level begin in the same column" if fault.startswith("did not find expected key") else ""
    return fault + indent


def _readable(line: str) -> bool:
    return all(letter.isprintable() or letter in "\t\r" for letter in line)


@dataclass(slots=True)
class _Open:
    """A list or mapping that is still being read; keys and values of a mapping take turns."""

    line: int
    anchor: str | None
    is_mapping: bool
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class _Growing:
    """The tree so far; depth and size are watched as they grow."""

    name: str
    most_keys: int
    form: str  # what is expected, for messages
    root: Node | None = None
    documents: int = 0
    count: int = 0
    taken_in: int = 0  # keys that mappings are offered by << besides their own
    stack: list[_Open] = field(default_factory=list)
    anchors: dict[str, Node] = field(default_factory=dict)

    def fail(self, event: Any, message: str) -> ModelError:
        return ModelError(message, place=f"{self.name}:{event.start_mark.line + 1}")

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise self.fail(event, "a second document starts here; one is read.")

    def mapping(self, event: Any) -> None:
        self.open(event, True)

    def sequence(self, event: Any) -> None:
        if not self.stack:
            raise self.fail(event, f"starts with a list; {self.form}.")
        self.open(event, False)

    def open(self, event: Any, is_mapping: bool) -> None:
        self.untagged(event)
        if len(self.stack) >= MOST_DEPTH:
            raise self.fail(event, f"is nested more than {MOST_DEPTH} levels deep.")
        self.stack.append(_Open(event.start_mark.line + 1, event.anchor, is_mapping))

    def close(self, event: Any) -> None:
        done = self.stack.pop()
        self.taken_in += sum(1 + len(source.value) for source in _merged(done))
        if self.taken_in > MOST_MERGED:
            raise self.fail(event, f"takes in more than {MOST_MERGED:,} values by {MERGE}.")
        self.put(event, _mapping(done, self.name) if done.is_mapping else _list(done, self.name), done.anchor)

    def scalar(self, event: Any) -> None:
        self.untagged(event)
        node = Node(event.value, self.name, event.start_mark.line + 1, quoted=bool(event.style))
        self.put(event, node, event.anchor)

    def alias(self, event: Any) -> None:
        if event.anchor not in self.anchors:
            raise self.fail(event, f"the alias *{event.anchor} refers to nothing that ends before it.")
        self.put(event, self.anchors[event.anchor], None)

    def untagged(self, event: Any) -> None:
        if event.tag is not None:
            raise self.fail(event, f"the tag {event.tag} has no meaning here; leave it out.")

    def put(self, event: Any, node: Node, anchor: str | None) -> None:
        self.count += 1
        if node.size > MOST_NODES or self.count > MOST_NODES:
            raise self.fail(event, f"holds more than {MOST_NODES:,} values, those of its aliases included.")
        if anchor:
            self.anchors[anchor] = node
        if not self.stack:
            self.root = node
            return
        items = self.stack[-1].items
        items.append(node)
        if len(self.stack) == 1 and len(items) > 2 * self.most_keys:
            raise self.fail(event, f"has more than {self.most_keys:,} keys at its top; is it the right file?")


def _tree(events: Iterator[object], name: str, most_keys: int, form: str) -> Node:
    """Put the events together."""
    import yaml

    tree = _Growing(name, most_keys, form)
    take: dict[type, Callable[[Any], None]] = {
        yaml.DocumentStartEvent: tree.document,
        yaml.MappingStartEvent: tree.mapping,
        yaml.SequenceStartEvent: tree.sequence,
        yaml.MappingEndEvent: tree.close,
        yaml.SequenceEndEvent: tree.close,
        yaml.ScalarEvent: tree.scalar,
        yaml.AliasEvent: tree.alias,
    }
    for event in events:
        if (step := take.get(type(event))) is not None:
            step(event)
    return tree.root or Node("", name, 1)


def _list(done: _Open, name: str) -> Node:
    return Node(done.items, name, done.line, 1 + sum(item.size for item in done.items))


def _is_merge(key: Node) -> bool:
    return key.value == MERGE and not key.quoted


def _merged(done: _Open) -> list[Node]:
    """The keys that a mapping takes in by <<."""
    if not done.is_mapping:
        return []
    given = [value for key, value in zip(done.items[::2], done.items[1::2], strict=True) if _is_merge(key)]
    return [item for value in given for item in (value.value if isinstance(value.value, list) else [value])]


def _mapping(done: _Open, name: str) -> Node:
    mapping: dict[str, Node] = {}
    keys: dict[str, int] = {}
    for key, value in zip(done.items[::2], done.items[1::2], strict=True):
        if _is_merge(key):
            continue
        label = key.text("a name")
        if label in mapping:
            raise key.fail(f"the name '{label}' is used twice; it was first given in line {keys[label]}.")
        mapping[label] = value
        keys[label] = key.line
    # Keys of the mapping itself win over those it takes in, the first taken in over the next.
    for source in _merged(done):
        for label, value in source.mapping(f"what {MERGE} takes in").items():
            if label not in mapping:
                mapping[label] = value
                keys[label] = (source.keys or {}).get(label, source.line)
    return Node(mapping, name, done.line, 1 + sum(item.size for item in done.items), keys)


def find(root: Node, path: tuple[str, ...]) -> Node:
    """The deepest node on a path, at the line of its key."""
    node, line = root, root.line
    for step in path:
        if not isinstance(node.value, dict) or step not in node.value:
            break
        line = (node.keys or {}).get(step, node.line)
        node = node.value[step]
    return Node(node.value, node.file, line)
