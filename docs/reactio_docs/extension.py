"""The Sphinx extension: marks in the pages are filled in when the site is built.

``<!-- generated: joints -->`` becomes what PARTS says; ``<!-- picture: door hinges=3 -->`` a drawing, if there is one.
In the repository both are invisible; what stands between a mark and ``<!-- end -->`` is written anew with pictures.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

from reactio.library import load
from reactio_docs.catalogue import entry_catalogue, image, joint_catalogue
from reactio_docs.commands import command_reference
from reactio_docs.reference import api_reference

PARTS = {
    "joints": joint_catalogue,
    "entries": entry_catalogue,
    "commands": command_reference,
    "api": api_reference,
}
MARK = re.compile(r"<!-- (generated|picture): ([^>]+?) -->(?:(?:(?!<!-- ).)*<!-- end -->)?", re.DOTALL)


def fill(text: str) -> str:
    """A page with its marks filled in."""
    return MARK.sub(lambda found: _filled(found.group(1), found.group(2)), text)


def _filled(kind: str, what: str) -> str:
    if kind == "generated":
        return PARTS[what]()
    name, *settings = what.split()
    return image(load(name, **dict(setting.split("=") for setting in settings)), name)


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = fill(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
