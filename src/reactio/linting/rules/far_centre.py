"""R303: a centre of mass far away from the joints of its body."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.catalogue.units import quantity
from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject
from reactio.model.plausibility import far_centres


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each body whose centre is many times its own size, or that of the mechanism, away from it."""
    for body, distance, size in far_centres(subject.model):
        far, span = quantity(distance, "m", 3), quantity(size, "m", 3)
        message = f"the centre of mass of '{body}' is {far} from its joints, which span {span}."
        yield LintFinding("R303", message, subject.line_of(body), body)


FAR_CENTRE = register(
    LintRule(
        "R303",
        "far-centre",
        "The centre of mass lies far outside the body, often because of mixed units (millimetres in a file of "
        "metres). Check "
        "the origin of its inertial frame.",
        find,
    )
)
