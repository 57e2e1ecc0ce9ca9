"""Which parts bear by the stiffness given, and to what level of accuracy, in words."""

from __future__ import annotations

from reactio.catalogue.units import quantity
from reactio.errors import ReactioError
from reactio.flexibility.instant import Instant, instant
from reactio.flexibility.remarks import remarks
from reactio.sharing import rule_of
from reactio.sharing.problem import MOST_NULL_SPACE_ROWS
from reactio.system.elasticity.compliance import elastic_notes
from reactio.system.equations import Equations

LARGE_GAP = 1e-3  # of the size of the mechanism: lever arms are taken as those of closed gaps


def bearing_words(eqs: Equations, rule: str | None) -> list[str]:
    """Notes on elasticity that has no effect, on what the rule compliance leaves out, and on its level."""
    if rule is None or not rule_of(rule)[0].elastic or eqs.system.m > MOST_NULL_SPACE_ROWS:
        return []
    level = "Level 1 (rigid motion, least complementary energy): vibration after sudden loads is not included."
    try:
        now = instant(eqs)
    except ReactioError:  # in a singular pose, where accelerations need the motion
        return [level]
    about = remarks(now, now.whole) if rule == "compliance" else ()
    return [*elastic_notes(now.eqs), *about, *_gap_words(now), level]


def _gap_words(now: Instant) -> list[str]:
    """How many parts with a gap bear, to what accuracy that is known, and whether gaps are small."""
    solution = now.whole.solution
    if solution is None:
        return []
    names = {gap.name for gap in solution.gaps}
    bearing = len(names) - len(solution.idle)
    verge = solution.on_the_verge
    widest = max((gap.size for gap in solution.gaps if gap.label != "tilt"), default=0.0)
    words = [
        f"{bearing} of {len(names)} parts with a gap carry load; equilibrium and compatibility with the gaps hold to "
        f"{solution.residual:.1g} of the largest force and gap."
    ]
    if verge:
        words.append(f"Gaps about to close or to open: {', '.join(verge[:8])}.")
    if widest > LARGE_GAP * now.eqs.system.length:
        words.append(
            f"The widest gap is {quantity(widest, 'm', 3)}, more than {LARGE_GAP:g} of the size of the mechanism: "
            "lever arms are computed with closed gaps, but change with gaps of this size."
        )
    return words
