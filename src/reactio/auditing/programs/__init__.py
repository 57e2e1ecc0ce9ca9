"""Programs: what others print where reactions are not unique, and how to read it; one file each, found by the registry.

All of them satisfy the equations of motion; they differ in the split that follows from their solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reactio.arrays import Floats
from reactio.auditing.programs.reported import Reported
from reactio.catalogue.registry import Registry
from reactio.system.equations import Equations


@dataclass(frozen=True, slots=True)
class ProgramSource:
    """How objects or files of a program are recognised, and the function that reads a state from them."""

    accepts: Callable[[Any], bool]
    read: Callable[..., Reported]
    doc: str


@dataclass(frozen=True, slots=True)
class Program:
    """A program, the split that follows from its solver, and how its own numbers are read."""

    name: str
    title: str
    rule: str  # in a few words
    explanation: str  # one sentence
    split: Callable[[Equations], Floats]  # λ (m,) with Cᵀλ = Q − M v̇
    # Where its choice depends on an order or on rounding: λ of another choice, from the equations at the start of its
    # run, those of the state, and f (n,) with Cᵀλ = f.
    alternative: Callable[[Equations, Equations, Floats], Floats] | None = None
    depends_on_rounding: Callable[[Equations], bool] | None = None  # do its numbers depend on rounding?
    source: ProgramSource | None = None  # None where its numbers cannot be audited


PROGRAMS: Registry[Program] = Registry("program", "reactio.auditing.programs")
register = PROGRAMS.register
