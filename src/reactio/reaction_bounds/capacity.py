"""What a joint may bear: the largest force and moment, as cones around its wrench."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError, did_you_mean
from reactio.system.constraints import components
from reactio.system.equations import Equations

KINDS = {"force": "N", "moment": "N m"}


@dataclass(frozen=True, slots=True, eq=False)
class Limit:
    """|P λ_rows| ≤ most: the force (N) or the moment (N m) of a joint, by its components in joint axes."""

    joint: str
    kind: str  # force or moment
    rows: Ints
    P: Floats  # (components, rows)
    most: float

    @property
    def words(self) -> str:
        """``capacity of A: 200 N m``."""
        return f"capacity of {self.joint}: {self.most:g} {KINDS[self.kind]}"


def capacities(eqs: Equations, given: Mapping[str, Mapping[str, float]]) -> tuple[Limit, ...]:
    """The limits of a model, those ``given`` here in place of its own; one for each force or moment a joint has."""
    names = [group.name for group in eqs.system.reacting]
    for name, one in given.items():
        if name not in names:
            raise ReactioError(f"Capacity of '{name}': there is no such joint.{did_you_mean(name, names)}")
        for kind, most in one.items():
            if kind not in KINDS:
                raise ReactioError(f"Capacity of '{name}': '{kind}' is neither force nor moment.")
            if not most > 0.0 or not np.isfinite(most):
                raise ReactioError(f"Capacity of '{name}': the {kind} must be a positive number, not {most:g}.")
    limits = []
    for group in eqs.system.reacting:
        table, rows = components(eqs, group), np.arange(group.start, group.stop)
        for kind, most in {**_own(eqs, group.name), **given.get(group.name, {})}.items():
            P = table.P[[unit == KINDS[kind] for unit in table.units]]
            if len(P):
                limits.append(Limit(group.name, kind, rows, P, float(most)))
    return tuple(limits)


def _own(eqs: Equations, name: str) -> Mapping[str, float]:
    """The capacity that the model gives to a joint."""
    model = eqs.system.model
    return model.joint(name).capacity if name in model.joint_index else {}
