"""R101: joints that carry a common load which a rigid-body program splits arbitrarily."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.errors import listed
from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject
from reactio.uniqueness import SelfStress

MOST_SHARING_NAMED = 6  # joints of one finding that are listed


def find(subject: Subject) -> Iterable[LintFinding]:
    """One finding for each set of joints that share load: supports of self-stresses that overlap are one set."""
    answer = subject.answer
    if answer is None or not answer.redundancy:
        return
    for names, count in _sharing_sets(answer.self_stress):
        equations = "1 equation is" if count == 1 else f"{count} equations are"
        message = (
            f"{equations} redundant: {listed(names, MOST_SHARING_NAMED)} share load; a rigid model does not "
            f"determine how."
        )
        yield LintFinding("R101", message, subject.line_of(names[0]), names[0])


def _sharing_sets(stresses: Iterable[SelfStress]) -> list[tuple[list[str], int]]:
    """Joints that share load with one another, and the number of self-stresses among them."""
    sets: list[tuple[list[str], int]] = []
    for stress in stresses:
        names, count = list(stress.groups), 1
        for joined in [entry for entry in sets if set(entry[0]) & set(names)]:
            sets.remove(joined)
            names, count = [*joined[0], *(name for name in names if name not in joined[0])], count + joined[1]
        sets.append((names, count))
    return sets


OVERCONSTRAINED_LOOP = register(
    LintRule(
        "R101",
        "overconstrained-loop",
        "A loop has more constraint equations than it needs. Motion is right, but the reactions of the joints it names "
        "are not unique: every program prints one of infinitely many load distributions. Release a joint (`reactio "
        "advise`), give "
        "stiffnesses, or do not use these numbers.",
        find,
    )
)
