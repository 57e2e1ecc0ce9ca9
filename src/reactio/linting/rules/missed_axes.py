"""R203: axes that miss one another by less than anybody can have meant."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding where a slightly moved geometry has another mobility."""
    answer = subject.answer
    if answer is None or answer.geometry is None:
        return
    written, nearest = answer.geometry.as_written, answer.geometry.nearest
    near = written or nearest
    if near is not None:
        joint = near.joints[0] if near.joints else ""
        message = f"the geometry is {near.distance} from one of {near}; was that one intended?"
        if written is not None:
            aligned = f"an aligned geometry of mobility {answer.mobility} is {near.distance} away"
            message = f"to the last digit the geometry has {near}; {aligned}: digits are missing."
        yield LintFinding("R203", message, subject.line_of(joint) if joint else None, joint)


MISSED_AXES = register(
    LintRule(
        "R203",
        "missed-axes",
        "Axes or points of joints miss an aligned geometry by very little, and the mechanism as written has a "
        "different mobility from the aligned one: digits were lost. Write more digits, or state `accuracy`.",
        find,
    )
)
