"""Tensions of springs and dampers between two points: loads, not reactions, and known at every state."""

from __future__ import annotations

import re

from reactio.system.equations import Equations
from reactio.system.plan import EFFORT_MEASURE

_OWNER = re.compile(r"force '(?P<name>.*)' \(.*\)")  # as the compilation words it


def spring_tensions(eqs: Equations) -> dict[str, float]:
    """N = −f [N] of every force along the distance s of two points, f its effort that lengthens s; by name.

    >>> import reactio
    >>> hung = reactio.parse_model('''
    ... space: planar
    ... bodies: {box: {mass: 1, inertia: 1, position: [0, -1.5]}}
    ... forces: {coil: {type: spring, a: ground, b: box, stiffness: 100, length: 1}}
    ... ''')
    >>> spring_tensions(reactio.equations(reactio.build(hung)))
    {'coil': 50.0}
    """
    system, tensions = eqs.system, dict[str, float]()
    if "distance" not in system.primitive_names:
        return {}
    first, stop = system.plan.measures.start[(k := system.primitive_names.index("distance")) : k + 2].tolist()
    for i, (owner, measure) in enumerate(
        zip(system.effort_owners, system.plan.efforts.effort[:, EFFORT_MEASURE].tolist(), strict=True)
    ):
        if first <= measure < stop and (named := _OWNER.fullmatch(owner)):
            tensions[named["name"]] = tensions.get(named["name"], 0.0) - float(eqs.work.effort[i])
    return tensions
