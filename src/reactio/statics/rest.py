"""A pose of rest, and what holds it there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.model.specs import Contact
from reactio.statics.stiffness import Along, Stability, StabilityWord, Stiffness, stability, stiffness
from reactio.system.equations import Equations
from reactio.system.types import State


class NoRest(ReactioError):
    """A mechanism that finds no pose of rest."""


@dataclass(frozen=True, eq=False)
class Rest:
    """A pose of rest, and what holds it there."""

    at: Along
    found: Stiffness
    steps: int
    touching: tuple[str, ...] = ()  # contacts that are closed
    weak: Along | None = None  # without closed contacts that carry nothing, where there are such
    contacts: tuple[Contact, ...] = ()  # all of the model

    @property
    def eqs(self) -> Equations:
        """The equations of the pose that is held: C v̇ = 0."""
        return self.at.eqs

    @property
    def state(self) -> State:
        """The pose, without velocities."""
        return self.eqs.state

    @property
    def stiffness(self) -> Floats:
        """(d,) along the freedoms, smallest first [J per characteristic length or radian, squared]."""
        return self.found.principal()[0]

    @property
    def residual(self) -> float:
        """Load left along the freedoms, as part of the largest load."""
        return float(np.abs(self.at.g).max(initial=0.0)) / (self.at.loads or 1.0)

    @cached_property
    def judged(self) -> Stability:
        """Stable or not, with a reason."""
        own = stability(self.at, self.found)
        if self.weak is None or own.word is not StabilityWord.STABLE:
            return own
        wider = stability(self.weak, stiffness(self.weak))
        if wider.word is StabilityWord.STABLE:
            return own
        why = "A closed contact carries nothing: what it does when it opens decides."
        return Stability(StabilityWord.UNDECIDED, why, ())

    @property
    def stability(self) -> StabilityWord:
        """``stable``, ``neutral`` where some motion meets no stiffness, ``unstable``, or ``undecided``."""
        return self.judged.word
