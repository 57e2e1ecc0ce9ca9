"""Contacts, cables and struts that stand open or slack at the pose of a model, and those that bear nevertheless."""

from __future__ import annotations

from collections.abc import Mapping

from reactio.catalogue.open_parts import open_words, with_gaps
from reactio.model.contacts import may_stand_open
from reactio.model.model import Model
from reactio.system.compile.build import build
from reactio.system.types import System


def gap_words(given: Model, system: System) -> tuple[str, ...]:
    """The open parts of a model with their gaps, and those that bear in its system because parts give way."""
    closing = {name: gap for name, gap in _open_parts(given).items() if name in system.group_index}
    words = (f"Open in the rigid pose, with their gaps: {with_gaps(closing)}.",) if closing else ()
    return (*open_words(open_contacts(given, system)), *words)


def open_contacts(model: Model, system: System) -> dict[str, float]:
    """The parts of a model that are open or slack at its pose, with their gaps [m]; not those that a system holds."""
    return {name: gap for name, gap in _open_parts(model).items() if name not in system.group_index}


def _open_parts(model: Model) -> Mapping[str, float]:
    return build(model).open_parts if may_stand_open(model) else {}
