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
    found = []
    for joint in eqs.system.model.joints:
        mu, group = joint.parameters.get("friction", 0.0), eqs.system.group(joint.name)
        normal = np.array(group.unilateral, dtype=bool)
        if mu and normal.any():
            rows = np.arange(group.start, group.stop)
            found.append(
                ComponentLimit(
                    joint.name,
                    LimitKind.FRICTION,
                    rows,
                    np.eye(len(rows))[~normal],
                    0.0,
                    lift=float(mu) * normal,
                )
            )
    return tuple(found)
