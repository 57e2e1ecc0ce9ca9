"""What the signs of contacts settle where the rank of C does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.reaction_bounds.intervals import Bound, bounded
from reactio.system.equations import Equations
from reactio.uniqueness import Solvability

MOST_ROWS = 500  # linear programmes for more rows take longer than a verdict by rank: `bounds` is asked for by name


@dataclass(frozen=True, slots=True, eq=False)
class BySigns:
    """Intervals of the joints that share load with contacts, and those which have no width."""

    bounds: Mapping[str, Mapping[str, Bound]]
    unique: tuple[str, ...]  # not by rank, but because contacts only push
    refused: str  # why there are none: a load that no contact holds


def by_signs(eqs: Equations, answer: Solvability) -> BySigns | None:
    """The intervals under the loads of the model; None where nothing can only push, or masses are not given."""
    known = all(body.mass is not None for body in eqs.system.model.bodies)
    if not answer.unilateral or not answer.redundancy or not known or answer.m > MOST_ROWS:
        return None
    try:
        found = bounded(eqs, answer, accelerations(eqs), {})
    except ReactioError as error:
        return BySigns({}, (), str(error))
    settled = [
        name for name in found if all(b.unique for b in found[name].values()) and str(answer[name].verdict) != "unique"
    ]
    return BySigns(found, tuple(settled), "")
