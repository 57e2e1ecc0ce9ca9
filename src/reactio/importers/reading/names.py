"""Names that commands and expressions can use, readable and stable, each given once."""

from __future__ import annotations

import re

from reactio.catalogue.places import GROUND

LONGEST_IMPORTED_NAME = 150  # of a name: well below the length that models allow, so that suffixes can be added
MEANINGFUL_IN_EXPRESSIONS = "-#/.: \t\"'+*()[]{},;=<>&|\\"
UNDERSCORES = str.maketrans(dict.fromkeys(MEANINGFUL_IN_EXPRESSIONS, "_"))


def readable_name(name: str, prefix: str = "") -> str:
    """A name of a file without that of its document, and without characters that have a meaning in expressions.

    >>> readable_name("Coupling#Body-7"), readable_name("Coupling#Body-7", "Coupling#")
    ('Coupling_Body_7', 'Body_7')
    """
    bare = name.removeprefix(prefix) or name
    plain = bare.translate(UNDERSCORES)
    if not plain.isprintable():
        plain = "".join(filter(str.isprintable, plain))
    plain = plain.strip("_")[:LONGEST_IMPORTED_NAME]
    return f"{plain}_" if plain == GROUND else plain or "unnamed"


def original_names(name: str) -> str:
    """A regular expression of the names in a file that :func:`readable_name` turns into this one.

    >>> bool(re.fullmatch(original_names("left_foot"), "left-foot"))
    True
    """
    return re.escape(name).replace("_", f"[_{re.escape(MEANINGFUL_IN_EXPRESSIONS)}]")


def common_prefix(names: list[str]) -> str:
    """The common beginning of all names, up to the # that separates the document from the object."""
    heads = {name[: name.rfind("#") + 1] for name in names if "#" in name}
    return heads.pop() if len(heads) == 1 else ""


class Names:
    """Unique names: one that is taken gets the name of its parent, or a number, as suffix."""

    def __init__(self) -> None:
        self.given: dict[str, str] = {}  # the name in the model → the name in the file

    def new(self, name: str, original: str = "", parent: str = "") -> str:
        """A name that was not given before.

        >>> names = Names()
        >>> names.new("pin"), names.new("pin", parent="left"), names.new("pin", parent="left")
        ('pin', 'pin_left', 'pin_left_2')
        """
        trial, number = name, 1
        if trial in self.given and parent:
            trial = name = f"{name}_{parent}"
        while trial in self.given:
            number += 1
            trial = f"{name}_{number}"
        self.given[trial] = original or name
        return trial
