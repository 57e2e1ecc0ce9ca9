"""Mobility: by the count of Grübler, of admissible velocities, and of finite motions; passive freedoms."""

from __future__ import annotations

from dataclasses import dataclass

from reactio.diagnosis.check import state_of
from reactio.kinematics.scaled_matrix import require_small
from reactio.kinematics.source import system_and_state
from reactio.model.accuracy import Accuracy
from reactio.model.model import Model
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.singular.passive import Passive, passive_freedoms
from reactio.singular.second_order.branches import Branch, BranchStudy, study
from reactio.system.equations import Equations, equations
from reactio.system.geometry.accuracy import with_accuracy
from reactio.system.geometry.rank_distance import geometry
from reactio.system.topology import topology
from reactio.system.types import State, System
from reactio.uniqueness import solvability
from reactio.uniqueness.geometry import Geometry


@dataclass(frozen=True, slots=True, eq=False)
class Mobility(Tabular):
    """The freedoms of a mechanism at a pose: counted, admissible at first order, and finite."""

    system: System
    state: State
    gruebler: int  # n − m, every equation counted
    differential: int  # n − rank C: admissible velocities
    finite: int | None  # freedoms of the largest real branch; None where undecided
    shaky: bool | None  # are there admissible velocities beyond all real motions
    passive: tuple[Passive, ...]
    study: BranchStudy
    geometry: Geometry | None = None  # its accuracy, and the next lower rank, where that is near

    def __repr__(self) -> str:
        return f"<Mobility of {self.system.model.name}: {' '.join(self.words)}>"

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The real ways to go."""
        return self.study.real

    @property
    def words(self) -> tuple[str, ...]:
        """The answer in sentences."""
        about = () if self.geometry is None else self.geometry.words
        return tuple(
            s
            for s in (
                self._finite(),
                self._ways(),
                self._tangents(),
                self._shaky(),
                self._passive(),
                self.study.words,
                *about,
            )
            if s
        )

    def _finite(self) -> str:
        admissible = "1 velocity is" if self.differential == 1 else f"{self.differential} velocities are"
        if self.finite is None:
            return f"{admissible} admissible; the finite mobility is undecided."
        if not self.differential:
            driven = self.system.model.besides_drives
            return f"Its drives determine its motion, and it has no freedom {driven}." if driven else "It cannot move."
        if self.finite == self.differential:
            every = (
                "The admissible velocity belongs"
                if self.finite == 1
                else f"All {self.finite} admissible velocities belong"
            )
            return f"{every} to real motions: finite mobility {self.finite}."
        return f"{admissible} admissible, but the finite mobility is {self.finite}."

    def _ways(self) -> str:
        if len(self.branches) < 2:
            return ""
        sizes = ", ".join(str(b.dimension) for b in self.branches)
        return f"A singular pose with {len(self.branches)} real branches, of {sizes} freedoms."

    def _tangents(self) -> str:
        sharing = [b for b in self.branches if b.contact is not None]
        if not sharing:
            return ""
        order = f"the power {min(b.contact for b in sharing if b.contact is not None):.3g} of the distance"
        if any(b.both_ways for b in sharing):
            return f"{len(sharing)} branches have a common tangent and separate like {order}."
        return f"A cusp: {len(sharing)} arms leave along one tangent, to one side only, and separate like {order}."

    def _shaky(self) -> str:
        if not self.shaky:
            return ""
        count = self.differential - self.study.span_dimension
        return f"Shaky: {count} admissible {'velocity is' if count == 1 else 'velocities are'} only infinitesimal."

    def _passive(self) -> str:
        return f"Passive: {'; '.join(p.words for p in self.passive)}." if self.passive else ""

    def table(self) -> ResultTable:
        """The counts of freedoms."""
        rows = [("Grübler", self.gruebler), ("differential", self.differential), ("finite", self.finite)]
        words = " ".join(self.words)
        return table_of(f"{self!r}"[1:-1], ("count", "freedoms"), rows, 1, ("freedoms",), words)


def mobility(
    model: Model | System | Equations,
    state: State | None = None,
    *,
    t: float | None = None,
    accuracy: Accuracy | str | float | tuple[float, float] | None = None,
) -> Mobility:
    """The mobility of a model at a state (default: its start; ``t``: after the motion to that time [s]).

    Drives count as constraints, held where they are.  ``accuracy`` of the geometry as for ``check``.

    >>> import reactio
    >>> found = reactio.mobility(reactio.load("modified-double-four-bar", theta=0))
    >>> found.gruebler, found.differential, found.finite, found.shaky
    (0, 2, 1, True)
    """
    system, state = system_and_state(model, state)
    require_small(system)
    system = with_accuracy(system, accuracy)
    at = state_of(system, t) if state is None else state
    studied = study(system, at)
    # Next to a singular pose a motion may end within what counts as that pose: nothing is called rigid there.
    decided = studied.decided and (studied.at.confident or studied.finite == studied.at.differential)
    return Mobility(
        system=system,
        state=at,
        gruebler=topology(system).gruebler,
        differential=studied.at.differential,
        finite=studied.finite if decided else None,
        shaky=studied.span_dimension < studied.at.differential if decided else None,
        passive=tuple(p for p in passive_freedoms(studied.at) if studied.in_every_branch(p.velocity)),
        study=studied,
        geometry=_geometry(system, at),
    )


def _geometry(system: System, state: State) -> Geometry | None:
    if not system.m:
        return None
    eqs = equations(system, state)
    return geometry(eqs, solvability(eqs.constraints))
