"""Statements of Adams decks: keywords with numbers, words and arguments, over several lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from reactio.errors import InFile, ModelError

NAME = re.compile(r"adams_view_name\s*=\s*'([^']*)'", re.I)


@dataclass(slots=True, eq=False)
class Statement(InFile):
    """One statement: its keyword, number, bare words and named arguments."""

    keyword: str
    number: int
    name: str
    file: str
    line: int
    words: list[str] = field(default_factory=list)
    given: dict[str, list[str]] = field(default_factory=dict)
    is_numbered: bool = True

    @property
    def title(self) -> str:
        """Its keyword with its number, or with its name where that identifies it."""
        return f"{self.keyword}/{self.number}" if self.is_numbered else f"{self.keyword} '{self.name}'"

    def fail(self, message: str) -> ModelError:
        """An error at this statement."""
        return ModelError(f"{self.title}: {message}", place=self.place)

    def numbers(self, key: str, count: int, default: float | None = 0.0) -> list[float]:
        """Arguments that are numbers; ``D`` behind one means degrees."""
        texts = self.given.get(key)
        if texts is None:
            if default is None:
                raise self.fail(f"{key} is missing.")
            return [default] * count
        try:
            numbers = [number_of(text) for text in texts]
        except ValueError:
            raise self.fail(f"{key} = {', '.join(texts)} is not a list of numbers.") from None
        if len(numbers) != count or not np.isfinite(numbers).all():
            raise self.fail(f"{key} needs {count} finite numbers, not {len(numbers)}.")
        return numbers

    def listed(self, key: str, default: tuple[float, ...], least: int = 0) -> list[float]:
        """All numbers of an argument, which may be so many or more."""
        count = max(least, len(self.given.get(key, ())))
        return self.numbers(key, count, None) if key in self.given else list(default)

    def value(self, text: str) -> float:
        """A number inside a formula."""
        try:
            return number_of(text.replace("+-", "-").replace("--", "+"))  # signs of a number after one of the formula
        except ValueError:
            raise self.fail(f"'{text}' is not a number.") from None

    def integer(self, key: str) -> int:
        """An argument that is the number of another statement."""
        return int(self.numbers(key, 1, None)[0])


def number_of(text: str) -> float:
    text = text.strip()
    if text[-1:].upper() == "D":
        return float(text[:-1]) * np.pi / 180
    return float(text)


def statements(text: str, file: str) -> list[Statement]:
    """The statements of a deck; lines that begin with a comma continue, names stand in comments before."""
    joined: list[tuple[str, int, str]] = []
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        if number == 1 or not line.strip():
            continue  # the first line is the title
        if line.lstrip().startswith("!"):
            if match := NAME.search(line):
                name = match[1]
            continue
        bare = line.split("!")[0].strip()
        if bare.startswith(",") and joined:
            before = joined[-1][0]
            # A formula goes on behind the comma.
            inside = re.search(r"(FUNCTION|F[XYZ]|T[XYZ])\s*=[^\\]*$", before, re.I)
            joined[-1] = (f"{before} {bare[1:] if inside else bare}", *joined[-1][1:])
        else:
            joined.append((bare, number, name))
            name = ""
    return [_statement(bare, number, name, file) for bare, number, name in joined]


def _statement(text: str, line: int, name: str, file: str) -> Statement:
    match = re.match(r"\s*([A-Za-z_]+)\s*(?:/\s*(\d+)?)?\s*(.*)$", text, re.S)
    if match is None:
        raise ModelError(f"'{text[:40]}' is not a statement of Adams.", place=f"{file}:{line}")
    statement = Statement(match[1].upper(), int(match[2] or 0), name, file, line)
    key: str | None = None
    if len(split := re.split(r"(FUNCTION\s*=)", match[3], maxsplit=1, flags=re.I)) == 3:
        rest, _, function = split
        text, _, behind = function.partition("\\")
        statement.given["FUNCTION"] = [text.strip()]
        rest = f"{rest}, {behind}"
    else:
        rest = match[3]
    for item in rest.split(","):
        item = item.strip()
        if "=" in item:
            key_text, _, value = item.partition("=")
            key = key_text.strip().upper()
            statement.given[key] = [value.strip().rstrip("\\").strip()]
        elif item and key is not None and re.match(r"^[-+.\d]", item):
            statement.given[key].append(item)
        elif item:
            key = None
            statement.words.append(item.upper())
    return statement


def adams_expression(text: str, where: Statement) -> str:
    """A function of time as our own parser reads it: ``30.0d * time`` is ``(30.0*pi/180) * t``; others are refused."""
    plain = re.sub(r"(\d+\.?\d*(?:[eE][+-]?\d+)?)[dD]\b", r"(\1*pi/180)", text)
    plain = re.sub(r"\btime\b", "t", plain, flags=re.I)
    plain = re.sub(r"\b(sin|cos|tan|exp|sqrt|abs|PI)\b", lambda m: m[1].lower(), plain, flags=re.I)
    words = set(re.findall(r"[A-Za-z_]\w*", plain)) - {"t", "pi", "sin", "cos", "tan", "exp", "sqrt", "abs", "e", "E"}
    if words:
        raise where.fail(f"the function uses {', '.join(sorted(words))}, which is not read.")
    return plain
