"""Couplings of a model as sums of joint coordinates, for programs that have coordinates of a tree of joints only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reactio.catalogue.places import CoordinateName
from reactio.couplings import COUPLINGS
from reactio.errors import ReactioError
from reactio.exporters.tree import SpanningTree
from reactio.model.model import Model


@dataclass(frozen=True, slots=True)
class CoupledSum:
    """Σ k_i s_i is constant: the coordinates of a coupling and their factors."""

    name: str
    along: tuple[CoordinateName, ...]
    factors: tuple[float, ...]

    def slope(self, format_: str) -> float:
        """ds₁/ds₂ of two coordinates."""
        if len(self.factors) != 2:
            raise ReactioError(
                f"coupling '{self.name}' joins {len(self.factors)} coordinates; {format_} couples two at a time."
            )
        return -self.factors[1] / self.factors[0]


def coupled_sums(model: Model, tree: SpanningTree, format_: str) -> Iterator[CoupledSum]:
    """Every coupling of the model; one of a joint that closes a loop is refused."""
    cut = {placed.joint.name for placed in tree.cut}
    for coupling in model.couplings:
        if COUPLINGS.get(coupling.type).unilateral:
            raise ReactioError(
                f"coupling '{coupling.name}' only pushes; {format_} would hold its coordinate both ways. Write "
                "it as an end stop (`stops`), or leave it out."
            )
        for along in coupling.along:
            if along.joint in cut:
                raise ReactioError(
                    f"coupling '{coupling.name}' is one of joint '{along.joint}', which closes a loop; {format_} "
                    "couples joints of the tree only."
                )
        factors = COUPLINGS.get(coupling.type).coefficients(coupling.parameters)
        yield CoupledSum(coupling.name, tuple(coupling.along), tuple(float(k) for k in factors))
