"""The table of public names in docs/api.md, made from their docstrings: ``python -m reactio_docs.api_names``."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import reactio
from reactio_docs.reference import sections

PAGE = Path(__file__).parents[1] / "api.md"
LISTING = re.compile(r"(?<=<!-- names -->\n).*(?=<!-- end of names -->)", re.DOTALL)


def names_listing() -> str:
    """Every public name by subject, with the first line of its docstring, as Markdown."""
    tables = [
        "\n".join([f"| {title} | |", "|---|---|", *(f"| `ro.{name}` | {_summary(name)} |" for name in names)])
        for title, names in sections().items()
    ]
    return "\n\n".join(tables) + "\n"


def _summary(name: str) -> str:
    doc = inspect.getdoc(getattr(reactio, name)) or ""
    return doc.partition("\n\n")[0].replace("\n", " ").replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(LISTING.sub(lambda _: names_listing(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
