"""An equilibrium: a pose of rest with its stiffness and stability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.body_state import body_states
from reactio.model.specs import Contact, Joint
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.statics.stiffness import Freedoms, Stability, StabilityWord, Stiffness, stability, stiffness
from reactio.system.equations import Equations
from reactio.system.types import State


class NoEquilibrium(ReactioError):
    """A mechanism that finds no pose of rest."""


@dataclass(frozen=True, eq=False, repr=False)
class EquilibriumPose(Tabular):
    """A pose of rest with its stiffness and stability."""

    freedoms: Freedoms
    tangent_stiffness: Stiffness  # along the freedoms
    steps: int  # of Newton's method
    touching: tuple[str, ...] = ()  # contacts that are closed
    without_unloaded: Freedoms | None = None  # with closed contacts that carry nothing open, where there are such
    contacts: tuple[Contact, ...] = ()  # all of the model
    members: tuple[Joint, ...] = ()  # its cables and struts

    @property
    def eqs(self) -> Equations:
        """The equations of the pose that is held: C v̇ = 0."""
        return self.freedoms.eqs

    @property
    def state(self) -> State:
        """The pose, without velocities."""
        return self.eqs.state

    @property
    def stiffness(self) -> Floats:
        """(d,) along the freedoms, smallest first [J per characteristic length or radian, squared]."""
        return self.tangent_stiffness.principal().values

    @property
    def residual(self) -> float:
        """Load left along the freedoms, as part of the largest load."""
        return float(np.abs(self.freedoms.g).max(initial=0.0)) / (self.freedoms.loads or 1.0)

    @cached_property
    def judged(self) -> Stability:
        """Stable or not, with a reason."""
        closed = stability(self.freedoms, self.tangent_stiffness)
        if self.without_unloaded is None or closed.word is not StabilityWord.STABLE:
            return closed
        opened = stability(self.without_unloaded, stiffness(self.without_unloaded))
        if opened.word is StabilityWord.STABLE:
            return closed
        why = "A closed contact carries nothing: the motions that open it decide."
        return Stability(StabilityWord.UNDECIDED, why, ())

    @property
    def stability(self) -> StabilityWord:
        """``stable``, ``neutral`` where some motion meets no stiffness, ``unstable``, or ``undecided``."""
        return self.judged.word

    def table(self) -> ResultTable:
        """The pose: position and orientation of every body in world axes."""
        planar = self.eqs.system.dimension == 2
        heads = ("body", *("xy" if planar else "xyz"), *(("angle",) if planar else ("qw", "qx", "qy", "qz")))
        rows = []
        for name, body in body_states(self.eqs.system, self.state).items():
            numbers = [*body["position"], *body["orientation"]]
            rows.append((name, *numbers, *[None] * (len(heads) - 1 - len(numbers))))
        title = f"Equilibrium of {self.eqs.system.model.name}: {self.stability}"
        places = heads[1 : 1 + self.eqs.system.dimension]
        units = {"angle": "rad"} if planar else {}
        return table_of(title, heads, rows, 1, places, self.judged.why, **dict.fromkeys(places, "m"), **units)
