"""The family of errors: each names the object, the numbers and the remedy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class ReactioError(Exception):
    """An error that the user can correct; the message names the cause and the remedy."""


class ModelError(ReactioError):
    """A model that says something impossible.

    ``path`` leads to the item, ``("joints", "A", "b")``; ``place`` is the file and line when it came from one.
    """

    def __init__(self, message: str, path: tuple[str, ...] = (), place: str = "") -> None:
        self.message = message
        self.path = path
        self.place = place
        where = place or ".".join(path)
        super().__init__(f"{where}: {message}" if where else message)


class InFile:
    """A part of a file with its line, at which errors point."""

    __slots__ = ()
    file: str
    line: int  # from 1

    @property
    def place(self) -> str:
        """``file:line`` for messages."""
        return f"{self.file}:{self.line}"

    def fail(self, message: str) -> ModelError:
        """An error at this place."""
        return ModelError(message, place=self.place)


class AssemblyError(ReactioError):
    """The joints contradict each other: no pose satisfies them all."""


class KernelError(ReactioError):
    """A load, drive or joint gave a value that is not a finite number; ``path`` leads to it in the model."""

    def __init__(self, message: str, path: tuple[str, ...] = ()) -> None:
        self.path = path
        super().__init__(message)


def how_to_install(extra: str) -> str:
    """The command that installs an optional part, from the package index and from a checkout.

    >>> how_to_install("plot")
    "pip install 'reactio[plot]' (in a checkout: pip install '.[plot]')"
    """
    return f"pip install 'reactio[{extra}]' (in a checkout: pip install '.[{extra}]')"


def did_you_mean(name: str, known: Iterable[str], aliases: Iterable[str] = ()) -> str:
    """A closing hint with the known names of the same meaning or nearly the same spelling, or with all of them.

    >>> did_you_mean("revolut", ["revolute", "fixed"])
    " Did you mean 'revolute'?"
    >>> did_you_mean("Ea", ["EA", "EI"])
    " Did you mean 'EA'?"
    >>> did_you_mean("hinge", ["revolute", "fixed"])
    " Did you mean 'revolute'?"
    >>> did_you_mean("point", ["points", "position"])
    " Did you mean 'points'?"

    ``aliases`` are further words that may be written: near spellings of them are hints too, and lists leave them out.

    >>> did_you_mean("hing", ["revolute", "fixed"], ["hinge", "weld"])
    " Did you mean 'hinge'?"
    """
    from difflib import get_close_matches

    from reactio.errors.synonyms import meant_by

    names = sorted(known)
    word = str(name).casefold()
    same = [candidate for candidate in names if candidate.casefold() in (word, f"{word}s", word.removesuffix("s"))]
    close = (
        same or meant_by(str(name), names) or get_close_matches(str(name), [*names, *sorted(aliases)], n=3, cutoff=0.6)
    )
    if close:
        return " Did you mean " + " or ".join(f"'{c}'" for c in close) + "?"
    if not names:
        return ""
    return f" Known: {listed(names, most=25)}."


def listed(names: Sequence[str], most: int = 8, between: str = ", ", last: str = "") -> str:
    """Names in one text: all of them, or the first ``most`` and how many there are besides.

    ``last`` stands before the last one where all are named, ``between`` if it is empty.

    >>> listed(["A", "B", "C"], most=2)
    'A, B and 1 more'
    >>> listed(["A", "B", "C"], most=3, last=" and ")
    'A, B and C'
    >>> listed(["A is off", "B is off", "C is off"], most=2, between="; ")
    'A is off; B is off; and 1 more'
    """
    if len(names) > most:
        comma = "" if between == ", " else ";"
        return f"{between.join(names[:most])}{comma} and {len(names) - most:,} more"
    return (last or between).join([text for text in (between.join(names[:-1]), *names[-1:]) if text])
