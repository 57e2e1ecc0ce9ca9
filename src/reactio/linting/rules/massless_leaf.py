"""R302: a moving body without mass at the end of a chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each body with one joint that moves, and no mass."""
    model = subject.model
    if not any(body.mass for body in model.bodies):
        return  # a model of geometry alone
    joints = Counter(end.body for joint in model.joints for end in (joint.a, joint.b))
    for body in model.bodies:
        if not body.mass and not any(body.inertia) and joints[body.name] == 1:
            message = f"'{body.name}' has no mass and hangs on one joint: its acceleration is not determined."
            yield LintFinding("R302", message, subject.line_of(body.name), body.name)


MASSLESS_LEAF = register(
    LintRule(
        "R302",
        "massless-leaf",
        "A body at the end of a chain has neither mass nor inertia: a simulator divides by zero there, or adds an "
        "arbitrary mass. Give it a mass, or fix it to its neighbour.",
        find,
    )
)
