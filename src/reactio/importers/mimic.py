"""Joints whose coordinate follows that of another (``mimic``), as couplings."""

from __future__ import annotations

from reactio.importers.mechanism import Ratio
from reactio.importers.names import Names


def following(names: Names, own: str, lead: str, factor: float, offset: float) -> Ratio:
    """The coupling q = factor q₂ + offset of coordinates ``joint.rotation`` or ``joint.translation``.

    A slide that follows a hinge, or a hinge that follows a slide, is a rack: x = radius θ + offset.
    """
    (own_joint, _, own_word), (lead_joint, _, lead_word) = own.rpartition("."), lead.rpartition(".")
    label = names.new(f"mimic {own_joint}~{lead_joint}")
    if own_word == lead_word:
        return Ratio(label, "linear", (own, lead), {"coefficients": (1.0, -factor), **_unless_zero(offset)})
    if own_word == "translation":
        return Ratio(label, "rack", (own, lead), {"radius": factor, **_unless_zero(offset)})
    return Ratio(label, "rack", (lead, own), {"radius": 1.0 / factor, **_unless_zero(-offset / factor)})


def _unless_zero(offset: float) -> dict[str, float]:
    return {"offset": offset} if offset else {}
