"""The words of a verdict: one word per concept, everywhere."""

from __future__ import annotations

from enum import StrEnum

SCALES_DECIDE = (
    "Entries, or shares in a self-stress, differ so much in size that the scaling of rows and columns decides which "
    "count as zero: verdicts that differ between two scalings are called ambiguous."
)

LAST_DIGITS_DECIDE = (
    "Some reactions are unique only if differences within rounding count as zero; with the entries taken to their "
    "last digit they are not unique, so they are called ambiguous (exact=True takes the numbers literally)."
)

LAST_DIGITS_UNREAD = (
    "The matrix is too large to be worked out to the last digit: differences of a few roundings count as rounding, and "
    "verdicts that rest on such differences may be wrong."
)

NEAR_SPECIAL = (
    "The geometry may miss a special one by so little that products of such offsets are below rounding: verdicts "
    "that may depend on them are called ambiguous. State the accuracy of the geometry, or use exact arithmetic "
    "where it applies."
)


class Verdict(StrEnum):
    """The verdict of a rigid-body model on a reaction."""

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
