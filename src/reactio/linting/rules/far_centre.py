"""R303: a centre of mass far away from the joints of its body."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject

MOST_SIZES = 20.0  # sizes of a body between its joints and its centre of mass: units mixed up give a hundred or more


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each body whose centre is many times its own size, or that of the mechanism, away from it."""
    points: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for joint in subject.model.joints:
        for end in (joint.a, joint.b):
            points[end.body].append(end.point)
    spans = [math.dist(p, q) for group in points.values() for p in group for q in group]
    size = max(spans, default=0.0)
    for body in subject.model.bodies:
        near = points.get(body.name, [])
        if not near or not body.mass or not size:
            continue
        distance = min(math.dist(body.center, point) for point in near)
        if distance > MOST_SIZES * size:
            message = (
                f"the centre of mass of '{body.name}' is {distance:.3g} m from its joints, which span {size:.3g} m."
            )
            yield LintFinding("R303", message, subject.line_of(body.name), body.name)


FAR_CENTRE = register(
    LintRule(
        "R303",
        "far-centre",
        "The centre of mass lies far outside the body, often by mixed units (millimetres in a file of metres). Check "
        "the origin of its inertial frame.",
        find,
    )
)
