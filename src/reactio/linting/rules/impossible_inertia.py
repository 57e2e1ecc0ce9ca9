"""R301: parts with an inertia that no body has."""

from __future__ import annotations

from reactio.linting.noted_while_reading import named_part, rule_of
from reactio.model.notes import NoteTopic

rule_of(
    NoteTopic.INERTIA,
    named_part,
    "R301",
    "impossible-inertia",
    "The largest principal moment of inertia exceeds the sum of the two others, or a moment or mass is negative. "
    "No body has such an inertia; simulators answer with wrong motion or refuse. Compute it from the geometry.",
)
