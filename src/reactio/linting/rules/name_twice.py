"""R404: two links or two joints of one name."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject

NAMED_ELEMENTS = ("link", "joint", "body")  # elements that must have names of their own


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each element whose name another one of its kind has, in one model."""
    if subject.xml is None:
        return
    for parent in subject.xml.walk():
        first: dict[tuple[str, str], int] = {}
        for child in parent.children:
            name = child.get("name")
            if child.tag not in NAMED_ELEMENTS or not name:
                continue
            if (child.tag, name) in first:
                message = f"the {child.tag} '{name}' has the name of the one in line {first[child.tag, name]}."
                yield LintFinding("R404", message, child.line, name)
            first.setdefault((child.tag, name), child.line)


NAME_TWICE = register(
    LintRule(
        "R404",
        "name-twice",
        "Two links or joints have the same name. Programs take the first, the last, or refuse the file. Give each "
        "its own name.",
        find,
    )
)
