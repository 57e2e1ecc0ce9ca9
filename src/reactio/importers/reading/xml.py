"""XML of unknown origin: entities are refused, depth and size are bounded, and every element has its line."""

from __future__ import annotations

import math
import re
import xml.parsers.expat
from collections.abc import Iterator
from dataclasses import dataclass, field

from reactio.errors import InFile, ModelError

MOST_ELEMENTS = 5_000_000  # of a file: some gigabytes in memory
MOST_NESTED_ELEMENTS = 2_000  # of nested elements: MJCF nests bodies, and a chain of more links is not a mechanism
COMMENT = re.compile("<!--.*?-->", re.DOTALL)
SLOW_BYTES = 2 * 2**20  # of files, above which a message announces that reading takes seconds: one for each megabyte


@dataclass(slots=True, eq=False)
class XmlElement(InFile):
    """An element with its attributes, its children and its text."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[XmlElement] = field(default_factory=list)
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attributes.get(name, default)

    def all(self, tag: str) -> list[XmlElement]:
        """The children of that tag."""
        return [child for child in self.children if child.tag == tag]

    def find(self, tag: str) -> XmlElement | None:
        """The first child of that tag."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def walk(self) -> Iterator[XmlElement]:
        """This element and all below it."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def limit(self, text: str, what: str) -> float | None:
        """A limit; none where it is infinite, as many writers say that there is none."""
        return None if text.strip().lower().lstrip("+-") in ("inf", "infinity") else self.numbers(text, 1, what)[0]

    def numbers(self, text: str, count: int, what: str) -> list[float]:
        """So many finite numbers of a text."""
        try:
            given = [float(word) for word in words_of(text)]
        except ValueError:
            macro = " It is a macro that xacro expands: `xacro FILE > robot.urdf`." if "$" in text else ""
            raise self.fail(f"{what}: '{text.strip()[:60]}' is not a list of numbers.{macro}") from None
        if len(given) != count:
            raise self.fail(f"{what} has {len(given)} numbers; {count} are needed.")
        if not all(map(math.isfinite, given)):
            raise self.fail(f"{what}: '{text.strip()[:60]}' holds a number that is not finite.")
        return given

    def vector(self, name: str, default: str, what: str) -> list[float]:
        """An attribute of three numbers."""
        return self.numbers(self.get(name, default), 3, f"{what}: {name}")

    def number(self, name: str, default: float, what: str) -> float:
        """An attribute that is one number."""
        if name not in self.attributes:
            return default
        try:
            value = float(self.attributes[name])
        except ValueError:
            value = math.nan
        return value if math.isfinite(value) else self.numbers(self.attributes[name], 1, f"{what}: {name}")[0]


def words_of(text: str) -> list[str]:
    """The words of a list, between blanks or, as Bullet reads them too, commas."""
    return text.replace(",", " ").split()


def parse_xml(text: str | bytes, file: str) -> XmlElement:
    """The root of an XML text; entity declarations are refused, by which small files become large.

    Comments of texts are blanked first, line by line: many files written by hand have ``--`` inside them, which XML
    forbids.
    """
    if isinstance(text, str):
        text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    parser = xml.parsers.expat.ParserCreate()
    root: list[XmlElement] = []
    stack: list[XmlElement] = []
    count = 0

    def fail(message: str) -> ModelError:
        return ModelError(message, place=f"{file}:{parser.CurrentLineNumber}")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS or len(stack) >= MOST_NESTED_ELEMENTS:
            raise fail(
                f"holds more than {MOST_ELEMENTS:,} elements, or nests them more than {MOST_NESTED_ELEMENTS:,} deep."
            )
        element = XmlElement(tag, attributes, file, parser.CurrentLineNumber)
        (stack[-1].children if stack else root).append(element)
        stack.append(element)

    def end(tag: str) -> None:
        stack.pop()

    def letters(data: str) -> None:
        if stack:
            stack[-1].text += data

    def entity(*given: object) -> None:
        raise fail("declares an XML entity; entities are not read, write the values out.")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = letters, entity
    parser.buffer_text = True
    try:
        parser.Parse(text, True)
    except xml.parsers.expat.ExpatError as error:
        reason = xml.parsers.expat.errors.messages[error.code]
        raise ModelError(f"is not valid XML: {reason}.", place=f"{file}:{error.lineno}") from None
    return root[0]
