"""Parts that act one way and bear nothing at a pose, in words."""

from __future__ import annotations

from collections.abc import Mapping

from reactio.catalogue.units import quantity
from reactio.errors import listed

MOST_OPEN_PARTS = 8  # that are named in a sentence


def open_words(gaps: Mapping[str, float]) -> tuple[str, ...]:
    """The contacts, cables and struts that bear nothing at the given pose, with their gaps [m], in a sentence."""
    if not gaps:
        return ()
    return (
        f"Open, without a reaction: {with_gaps(gaps)}.",
        "This holds for rigid parts. If other parts yield, a gap may close under load: `--rule compliance` takes this "
        "into account.",
    )


def with_gaps(gaps: Mapping[str, float]) -> str:
    """Names with gaps [m]."""
    return listed([f"{name} (gap {quantity(gap, 'm')})" for name, gap in gaps.items()], MOST_OPEN_PARTS)
