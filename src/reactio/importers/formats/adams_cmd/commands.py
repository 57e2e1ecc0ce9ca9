"""Commands of Adams View: words, then ``key = value`` pairs, over lines that end with ``&``; nothing is executed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reactio.errors import ModelError

KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)")
QUOTED_TEXT = re.compile(r'"[^"]*"')
OPENING = ("if", "for", "while")  # words that begin a block, which `end` ends


@dataclass(slots=True)
class AdamsCommand:
    """One command: its words in small letters, and its values by key."""

    words: tuple[str, ...]
    values: dict[str, str]
    file: str
    line: int
    blocks: tuple[str, ...] = field(default=())  # of control flow around it

    def fail(self, message: str) -> ModelError:
        """An error at this command."""
        return ModelError(f"{' '.join(self.words)}: {message}", place=f"{self.file}:{self.line}")

    def text(self, *keys: str) -> str:
        """The value of the first of these keys that is given, without quotation marks; else an empty text."""
        for key in keys:
            if key in self.values:
                return self.values[key].strip().strip('"').strip()
        return ""

    def listed(self, key: str) -> list[str]:
        """The parts of a value that commas separate."""
        return [part.strip().strip('"').strip() for part in split(self.values.get(key, "")) if part.strip()]


def commands(text: str, file: str) -> Iterator[AdamsCommand]:
    """The commands of a file in order."""
    blocks: list[str] = []
    for line, whole in _joined(text):
        words, values = _words_and_values(whole)
        if not words:
            continue
        if words[0] == "end" and blocks:
            blocks.pop()
            continue
        yield AdamsCommand(words, values, file, line, tuple(blocks))
        if words[0] in OPENING:
            blocks.append(words[0])


def split(text: str, separator: str = ",") -> list[str]:
    """The parts of a text that separators outside parentheses and quotation marks divide."""
    parts, depth, quoted = [""], 0, False
    for letter in text:
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter in "({[") - (letter in ")}]")
        if letter == separator and depth <= 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Lines with those that continue them, comments left out."""
    begun = 0
    pieces: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = _without_comment(line).rstrip()
        if not bare.strip() and not pieces:
            continue
        begun = begun or number
        continues = bare.endswith("&")
        pieces.append(bare[:-1] if continues else bare)
        if not continues:
            yield begun, " ".join(pieces)
            begun, pieces = 0, []
    if pieces:
        yield begun, " ".join(pieces)


def _without_comment(line: str) -> str:
    """The line up to a ``!`` outside quotation marks and parentheses, where it means not."""
    if "!" not in line:
        return line
    quoted, depth = False, 0
    for k, letter in enumerate(line):
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter == "(") - (letter == ")")
        if letter == "!" and not quoted and depth <= 0 and line[k + 1 : k + 2] != "=":
            return line[:k]
    return line


def _words_and_values(whole: str) -> tuple[tuple[str, ...], dict[str, str]]:
    first = KEY.search(QUOTED_TEXT.sub(lambda match: "_" * len(match[0]), whole))
    head = whole if first is None else whole[: first.start()]
    words = tuple(word.lower() for word in head.split())
    values: dict[str, str] = {}
    if first is not None:
        for key, value in _pairs(whole[first.start() :]):
            values.setdefault(key, value)
    return words, values


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """The pairs of a text: a key stands before each equals sign outside parentheses and quotation marks."""
    masked, depth, quoted = [], 0, False
    for letter in text:
        quoted ^= letter == '"'
        if not quoted:
            depth += (letter in "({[") - (letter in ")}]")
        masked.append("_" if quoted or depth > 0 else letter)
    matches = list(KEY.finditer("".join(masked)))
    for match, following in zip(matches, [*matches[1:], None], strict=True):
        end = len(text) if following is None else following.start()
        yield match[1].lower(), text[match.end() : end].strip()
