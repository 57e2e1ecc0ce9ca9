"""Names that commands and expressions can use, readable and stable, each given once."""

from __future__ import annotations

from reactio.places import GROUND

LONGEST = 150  # letters; room is left for what a suffix adds
PLAIN = str.maketrans(dict.fromkeys("-#/.: \t\"'+*()[]{},;=<>&|\\", "_"))


def readable(name: str, prefix: str = "") -> str:
    """A file's name without the document it came from, and without signs that mean something in expressions.

    >>> readable("Coupling#Body-7"), readable("Coupling#Body-7", "Coupling#")
    ('Coupling_Body_7', 'Body_7')
    """
    bare = name.removeprefix(prefix) or name
    plain = bare.translate(PLAIN)
    if not plain.isprintable():
        plain = "".join(filter(str.isprintable, plain))
    plain = plain.strip("_")[:LONGEST]
    return f"{plain}_" if plain == GROUND else plain or "unnamed"


def common_prefix(names: list[str], ends: str = "#") -> str:
    """What all names begin with, up to a sign that separates the document from the object."""
    heads = {name[: name.rfind(ends) + 1] for name in names if ends in name}
    return heads.pop() if len(heads) == 1 else ""


class Names:
    """Gives names once: what is taken gets the name of its parent, or a number, behind it."""

    def __init__(self) -> None:
        self.given: dict[str, str] = {}  # the name in the model → the name in the file

    def new(self, name: str, original: str = "", parent: str = "") -> str:
        """A name that no other has.

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
