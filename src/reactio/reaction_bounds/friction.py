"""Closed contacts with Coulomb friction that do not slip: their force stays within a cone around the normal.

|F_t| ≤ μ F_n
"""

from __future__ import annotations

import numpy as np

from reactio.reaction_bounds.limits import ComponentLimit
from reactio.system.constraints import components
from reactio.system.equations import Equations

NORMAL = {"rough-plane": "Fz", "rough-line": "Fy"}  # the component along the normal, by the joint of a closed contact


def cones(eqs: Equations) -> tuple[ComponentLimit, ...]:
    """The friction cones of a system, one for each rough contact."""
    made = []
    for joint in eqs.system.model.joints:
        mu = joint.parameters.get("friction") if joint.type in NORMAL else None
        if not mu:
            continue
        group = eqs.system.group(joint.name)
        table, rows = components(eqs, group), np.arange(group.start, group.stop)
        normal = table.labels.index(NORMAL[joint.type])
        across = [k for k, label in enumerate(table.labels) if k != normal and label.startswith("F")]
        made.append(
            ComponentLimit(joint.name, "friction", rows, table.P[across], 0.0, lift=float(mu) * table.P[normal])
        )
    return tuple(made)
