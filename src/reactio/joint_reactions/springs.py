"""Tensions of springs, dampers and contacts that yield: loads, not reactions, and known at every state."""

from __future__ import annotations

import re

from reactio.model.transform.compliant_contacts import COMPLIANT_CONTACT
from reactio.system.equations import Equations
from reactio.system.plan import EFFORT_MEASURE
from reactio.system.types import System

_OWNER = re.compile(r"force '(?P<name>.*)' \(.*\)")  # as the compilation words it


def spring_tensions(eqs: Equations) -> dict[str, float]:
    """N = −f [N] of every force along the distance or gap s of two points, f its effort that widens s; by name.

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
    contacts = {force.name for force in system.model.forces if force.type == COMPLIANT_CONTACT}
    first, stop = _measures(system, "distance")
    for i, (owner, measure) in enumerate(
        zip(system.effort_owners, system.plan.efforts.effort[:, EFFORT_MEASURE].tolist(), strict=True)
    ):
        named = _OWNER.fullmatch(owner)
        if named and (first <= measure < stop or named["name"] in contacts):
            tensions[named["name"]] = tensions.get(named["name"], 0.0) - float(eqs.work.effort[i])
    return tensions


def _measures(system: System, primitive: str) -> tuple[int, int]:
    """The first measure of a primitive, and behind the last."""
    if primitive not in system.primitive_names:
        return 0, 0
    first, stop = system.plan.measures.start[(k := system.primitive_names.index(primitive)) : k + 2].tolist()
    return first, stop
