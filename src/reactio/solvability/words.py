"""The words of a verdict: one word per concept, everywhere."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What a rigid-body model says about a reaction."""

    UNIQUE = "unique"
    PARTLY = "partly unique"
    NOT = "not unique"
    AMBIGUOUS = "ambiguous"


def word(determined: int, rank: int) -> Verdict:
    """The verdict for ``determined`` of ``rank`` independent components; equations that vanish determine nothing.

    >>> word(3, 5).value
    'partly unique'
    """
    if determined >= rank > 0:
        return Verdict.UNIQUE
    return Verdict.PARTLY if determined > 0 else Verdict.NOT
