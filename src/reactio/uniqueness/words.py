"""The words of a verdict: one word per concept, everywhere."""

from __future__ import annotations

from enum import StrEnum

SCALES_DECIDE = (
    "Sizes of entries, or of shares in a self-stress, lie so far apart that the scales of rows and columns decide "
    "what counts as zero: what differs between two scalings is called ambiguous."
)

LAST_DIGITS_DECIDE = (
    "Some reactions are unique only if differences within the rounding of the entries are zero; to the last digit of "
    "the numbers given they are not, so they are called ambiguous (exact=True takes the numbers as they are)."
)

NEAR_SPECIAL = (
    "The geometry may miss a special one by so little that products of such offsets are below rounding: what may "
    "rest on "
    "them is called ambiguous. A stated accuracy of the geometry settles it, and exact arithmetic where it applies."
)


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
