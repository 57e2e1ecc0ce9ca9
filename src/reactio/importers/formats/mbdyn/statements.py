"""Statements of MBDyn input files: ``keyword: argument, argument, …;``, with the files that they include."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reactio.errors import ModelError, ReactioError
from reactio.importers.formats.mbdyn.expressions import MbdynVariables
from reactio.operating_system.files import read_text

# Comments, quoted texts, and the characters at which statements and arguments end.
PIECE = re.compile(r'#[^\n]*|//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"|[;,()\n]|[^#/";,()\n]+|.', re.S)
DEEPEST_INCLUDE = 32
MOST_CHARACTERS = 64 * 2**20  # of a file with all it includes


@dataclass(slots=True)
class MbdynStatement:
    """One statement: its keyword, and its arguments, which are read one after the other."""

    keyword: str
    arguments: list[str]
    place: str
    variables: MbdynVariables
    at: int = 0

    def fail(self, message: str) -> ModelError:
        """An error at this statement."""
        label = f" {self.arguments[0]}" if self.arguments else ""
        return ModelError(f"{self.keyword}:{label}: {message}", place=self.place)

    @property
    def ended(self) -> bool:
        return self.at >= len(self.arguments)

    def peek(self) -> str:
        """The next argument as a keyword: small letters, single blanks; empty at the end."""
        return "" if self.ended else " ".join(self.arguments[self.at].lower().split())

    def take(self, *words: str) -> str:
        """The next argument if it is one of these keywords, else an empty text."""
        word = self.peek()
        if word and word in words:
            self.at += 1
            return word
        return ""

    def next(self, what: str) -> str:
        """The next argument as it is written."""
        if self.ended:
            raise self.fail(f"{what} is missing.")
        self.at += 1
        return self.arguments[self.at - 1]

    def number(self, what: str = "a number") -> float:
        """The next argument, an expression, as a number."""
        value = self._value(what)
        if isinstance(value, str):
            raise self.fail(f"{what} is the text '{value}', not a number.")
        return float(value)

    def numbers(self, count: int, what: str) -> list[float]:
        return [self.number(what) for _ in range(count)]

    def label(self, what: str = "its label") -> int:
        """The next argument, an expression, as the number of an element."""
        value = self._value(what)
        if isinstance(value, str) or int(value) != value:
            raise self.fail(f"{what} is {value!r}; it must be a whole number.")
        return int(value)

    def text(self, what: str) -> str:
        """The next argument as a text, which may be an expression of texts."""
        value = self._value(what)
        if not isinstance(value, str):
            raise self.fail(f"{what} must be a text in quotation marks.")
        return value

    def _value(self, what: str) -> bool | int | float | str:
        argument = self.next(what)
        try:
            return self.variables.evaluate(argument)
        except ReactioError as error:
            raise self.fail(f"{what} {error}") from None

    def skip_to(self, *words: str) -> None:
        """Pass over arguments up to one of these keywords, or to the end."""
        while not self.ended and self.peek() not in words:
            self.at += 1


@dataclass(slots=True)
class MbdynInput:
    """The statements of a file and of those that it includes, in order; variables are set on the way."""

    file: Path
    anywhere: bool
    variables: MbdynVariables = field(default_factory=MbdynVariables.fresh)
    characters: int = 0

    def statements(self) -> Iterator[MbdynStatement]:
        """All statements but ``set`` and ``include``, which take effect here."""
        yield from self._statements(self.file, ())

    def _statements(self, file: Path, chain: tuple[Path, ...]) -> Iterator[MbdynStatement]:
        text = read_text(file)
        self.characters += len(text)
        if self.characters > MOST_CHARACTERS:
            raise ModelError(f"has more than {MOST_CHARACTERS // 2**20} MB with its includes.", place=str(self.file))
        for statement in _split(text, str(file), self.variables):
            if statement.keyword == "set":
                self._set(statement)
            elif statement.keyword == "include":
                yield from self._statements(self._included(statement, file, chain), (*chain, file))
            else:
                yield statement

    def _set(self, statement: MbdynStatement) -> None:
        text = ", ".join(statement.arguments)
        if text.startswith("["):
            return  # a variable that follows the state: an expression that needs its value is refused by its name
        try:
            self.variables.evaluate(text)
        except ReactioError as error:
            raise statement.fail(str(error)) from None

    def _included(self, statement: MbdynStatement, by: Path, chain: tuple[Path, ...]) -> Path:
        name = statement.text("the file")
        path = (by.parent / name).resolve()
        if path in (file.resolve() for file in (*chain, by)):
            raise statement.fail(f"'{name}' includes itself.")
        if len(chain) >= DEEPEST_INCLUDE:
            raise statement.fail(f"files include one another more than {DEEPEST_INCLUDE} deep.")
        if not self.anywhere and not path.is_relative_to(self.file.resolve().parent):
            raise statement.fail(f"'{name}' lies outside the folder of the model; --anywhere allows it.")
        if not path.is_file():
            raise statement.fail(f"there is no file '{name}'.")
        return path


def _split(text: str, file: str, variables: MbdynVariables) -> Iterator[MbdynStatement]:
    """The statements of one text."""
    line, begun, depth = 1, 1, 0
    pieces: list[str] = []
    arguments: list[str] = []
    for match in PIECE.finditer(text):
        token = match[0]
        if token == ";" and depth <= 0:
            yield _statement([*arguments, "".join(pieces)], f"{file}:{begun}", variables)
            pieces, arguments, depth = [], [], 0
        elif token == "," and depth <= 0:
            arguments.append("".join(pieces))
            pieces = []
        elif token[0] == "#" or token[:2] in ("//", "/*"):
            pieces.append(" ")
        else:
            if not pieces and not arguments and token.strip():
                begun = line
            if token.strip() or pieces:
                pieces.append(token)
            depth += (token == "(") - (token == ")")
        line += token.count("\n")
    rest = "".join([*arguments, *pieces]).strip()
    if rest:
        raise ModelError(f"'{rest[:40]}' does not end with a semicolon.", place=f"{file}:{begun}")


def _statement(arguments: list[str], place: str, variables: MbdynVariables) -> MbdynStatement:
    keyword, colon, first = arguments[0].partition(":")
    rest = [argument.strip() for argument in ([first, *arguments[1:]] if colon else arguments[1:])]
    if rest == [""]:
        rest = []
    return MbdynStatement(" ".join(keyword.lower().split()), rest, place, variables)
