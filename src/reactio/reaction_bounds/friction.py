"""Closed contacts with Coulomb friction that do not slip: their force stays within a cone around the normal.

|λ_t| ≤ μ λ_n        λ_n ≥ 0 of the row that can only push, λ_t of the rows that keep the surfaces from slipping

Rows of a contact are unit vectors at the point where it touches, along the normal and across it, so that multipliers
are the components of the force there.
"""

from __future__ import annotations

import numpy as np

from reactio.reaction_bounds.limits import ComponentLimit, LimitKind
from reactio.system.equations import Equations


def friction_cones(eqs: Equations) -> tuple[ComponentLimit, ...]:
    """The friction cones of a system, one for each closed contact with friction."""
    limits, model, table = [], eqs.system.model, eqs.constraints.rows
    for group in table.unilateral_groups:
        mu = model.joint(group.name).parameters.get("friction", 0.0) if group.name in model.joint_index else 0.0
        if mu:
            rows = np.arange(group.start, group.stop)
            pushes = np.isin(rows, table.unilateral)
            limits.append(
                ComponentLimit(
                    group.name,
                    LimitKind.FRICTION,
                    rows,
                    np.eye(len(rows))[~pushes],
                    0.0,
                    lift=np.where(pushes, float(mu), 0.0),
                )
            )
    return tuple(limits)
