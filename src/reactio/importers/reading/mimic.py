"""Joints whose coordinate follows that of another (``mimic``), as couplings."""

from __future__ import annotations

from reactio.importers.mechanism import ImportedCoupling
from reactio.importers.reading.names import Names


def mimic_coupling(names: Names, follower: str, lead: str, factor: float, offset: float) -> ImportedCoupling:
    """The coupling q = factor q₂ + offset of coordinates ``joint.rotation`` or ``joint.translation``.

    A slide that follows a hinge, or a hinge that follows a slide, is a rack: x = radius θ + offset.
    """
    (own_joint, _, own_coordinate), (lead_joint, _, lead_coordinate) = follower.rpartition("."), lead.rpartition(".")
    label = names.new(f"mimic {own_joint}~{lead_joint}")
    if own_coordinate == lead_coordinate:
        return ImportedCoupling(
            label, "linear", (follower, lead), {"coefficients": (1.0, -factor), **_unless_zero(offset)}
        )
    if own_coordinate == "translation":
        return ImportedCoupling(label, "rack", (follower, lead), {"radius": factor, **_unless_zero(offset)})
    return ImportedCoupling(label, "rack", (lead, follower), {"radius": 1.0 / factor, **_unless_zero(-offset / factor)})


def _unless_zero(offset: float) -> dict[str, float]:
    return {"offset": offset} if offset else {}
