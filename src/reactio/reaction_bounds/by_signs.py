"""Reactions that the rank of C leaves open and the signs of contacts settle, since these can only push."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.reaction_bounds.intervals import Bound, bounded
from reactio.results.as_data import Result, picked
from reactio.system.equations import Equations
from reactio.uniqueness import Solvability, Verdict

MOST_ROWS_BY_SIGNS = 500  # linear programmes for more rows take longer than the verdict by rank that they accompany


@dataclass(frozen=True, slots=True, eq=False)
class BySigns(Result):
    """Intervals of the reactions of joints that share load with contacts."""

    KEYS = "unique"

    bounds: Mapping[str, Mapping[str, Bound]]
    unique: tuple[str, ...]  # joints whose intervals have no width, though their reactions are not unique by rank
    refused: str  # why there are no intervals, as a load that no contact holds; empty where there are some

    def as_data(self) -> dict[str, Any]:
        """The result as data, for JSON; null for an end that nothing limits."""
        ends = {
            name: {label: picked(bound, "low high") for label, bound in joint.items()}
            for name, joint in self.bounds.items()
        }
        return Result.as_data(self) | {"refused": self.refused or None, "intervals": ends}


def by_signs(eqs: Equations, answer: Solvability) -> BySigns | None:
    """The intervals under the loads of the model; None where no row is unilateral, or masses are not given."""
    known = all(body.mass is not None for body in eqs.system.model.bodies)
    if not answer.unilateral or not answer.redundancy or not known or answer.m > MOST_ROWS_BY_SIGNS:
        return None
    try:
        bounds = bounded(eqs, answer, accelerations(eqs), {})
    except ReactioError as error:
        return BySigns({}, (), str(error))
    open_by_rank = (name for name in bounds if answer[name].verdict is not Verdict.UNIQUE)
    unique = tuple(name for name in open_by_rank if all(bound.unique for bound in bounds[name].values()))
    return BySigns(bounds, unique, "")
