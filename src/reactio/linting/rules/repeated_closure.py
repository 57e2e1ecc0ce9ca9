"""R102: two joints between the same two bodies that repeat equations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each pair of bodies whose joints share load among themselves alone."""
    answer = subject.answer
    if answer is None or not answer.redundancy:
        return
    between: dict[frozenset[str], list[str]] = defaultdict(list)
    for joint in subject.model.joints:
        between[frozenset((joint.a.body, joint.b.body))].append(joint.name)
    pairs = {frozenset(names): bodies for bodies, names in between.items() if len(names) > 1}
    reported = set()
    for stress in answer.self_stress:
        for names, bodies in pairs.items():
            if set(stress.groups) <= names and names not in reported:
                reported.add(names)
                a, b = sorted(bodies)
                first, second = sorted(stress.groups, key=list(stress.groups).index)[:2]
                message = f"'{first}' and '{second}' both hold '{a}' and '{b}' and repeat equations of each other."
                yield LintFinding("R102", message, subject.line_of(second), second)


REPEATED_CLOSURE = register(
    LintRule(
        "R102",
        "repeated-closure",
        "Two joints hold the same two bodies and repeat equations, as two `connect`s on one hinge line do: 6 equations "
        "of rank 5. Their reactions along the common line are not unique. Use one hinge in their place.",
        find,
    )
)
