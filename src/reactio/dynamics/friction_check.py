"""Can a model with friction in its joints be simulated at all?"""

from __future__ import annotations

from collections.abc import Iterable

from reactio.solvability import Solvability, Verdict


def undecidable_friction(answer: Solvability, joints: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The joints whose friction the model does not determine, each with the reason; empty when the motion is unique.

    Coulomb friction μ|N| needs the normal reaction.  Where that is not unique, neither is the motion.
    Frączek & Wojtyra 2011, Mech. Mach. Theory 46(3), 312–334.

    >>> import reactio
    >>> answer = reactio.check(reactio.load("mobile-robot"))
    >>> [name for name, _ in undecidable_friction(answer, ["A", "B"])]
    ['B']
    """
    found = []
    for name in joints:
        group = answer[name]
        if group.verdict is Verdict.UNIQUE:
            continue
        known = f"{group.determined} of {group.rank} components of its reaction are unique"
        if group.verdict is Verdict.AMBIGUOUS:
            known = "whether its reaction is unique cannot be decided"
        others = group.shares_with
        shown = ", ".join(others[:6]) + (", …" if len(others) > 6 else "")
        with_whom = f", and it shares load with {shown}" if others else ""
        found.append((name, f"{known}{with_whom}: friction, and so the motion, depends on how they share."))
    return tuple(found)
