"""Plain bearing."""

from __future__ import annotations

from reactio.bearings import BearingKind, register

PLAIN = register(
    BearingKind(
        name="plain",
        doc="Plain bearing: its clearance; rigid beyond it, unless the joint has a `stiffness`.",
        contact=None,
        life_exponent=None,
        static_factors=lambda angle: (1.0, 1.0),  # the sum of both, on the safe side
    )
)
