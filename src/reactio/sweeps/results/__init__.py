"""Results that a sweep can ask for: those of one computation in each file; the folder is the registry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from reactio.catalogue.registry import Registry
from reactio.sweeps.case import Case

OutputValue: TypeAlias = float | int | bool | str | None  # None: the model does not determine it


@dataclass(frozen=True, slots=True)
class Results:
    """The results of one computation, each by the name that asks for it."""

    name: str
    doc: str  # the names, for people
    available: Callable[[Case], Mapping[str, Callable[[Case], OutputValue]]]  # name → its value
    motion: bool = False  # does it need a motion (--until)?


RESULTS: Registry[Results] = Registry("result", "reactio.sweeps.results")
register = RESULTS.register


def components_of(case: Case) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Every joint, drive and coupling with the names of its components."""
    from reactio.system.constraints import components

    eqs = case.judged.eqs
    for group in case.system.reacting:
        yield group.name, components(eqs, group).labels


# Names of components and sizes, between the joint and the end of a range or motion, by their unit.
_FORCE = re.compile(r"\.(F[xyz]?|N|force|radial|axial)(\.|$)")
_MOMENT = re.compile(r"\.(M[xyz]?|moment|bending)(\.|$)")


def unit_of(name: str) -> str:
    """The unit of a result in SI; empty for counts, words and ratios.

    >>> unit_of("B.Fz.max"), unit_of("B.moment"), unit_of("redundancy")
    ('N', 'N m', '')
    """
    return "N" if _FORCE.search(name) else "N m" if _MOMENT.search(name) else ""
