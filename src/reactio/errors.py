"""The family of errors: each names the object, the numbers and the remedy."""

from __future__ import annotations

from collections.abc import Iterable


class ReactioError(Exception):
    """Something the user can mend; the message says what and how."""


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


class AssemblyError(ReactioError):
    """The joints contradict each other: no pose satisfies them all."""


class KernelError(ReactioError):
    """A load or drive gave a value that is no finite number."""


def how_to_install(extra: str) -> str:
    """The command that installs an optional part, from the package index and from a checkout.

    >>> how_to_install("plot")
    "pip install 'reactio[plot]' (in a checkout: pip install '.[plot]')"
    """
    return f"pip install 'reactio[{extra}]' (in a checkout: pip install '.[{extra}]')"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A closing hint with the nearest known names, or the whole list when it is short.

    >>> did_you_mean("revolut", ["revolute", "fixed"])
    " Did you mean 'revolute'?"
    """
    from difflib import get_close_matches

    names = sorted(known)
    close = get_close_matches(str(name), names, n=3, cutoff=0.6)
    if close:
        return " Did you mean " + " or ".join(f"'{c}'" for c in close) + "?"
    if not names:
        return ""
    shown = ", ".join(names[:25]) + (", …" if len(names) > 25 else "")
    return f" Known: {shown}."
