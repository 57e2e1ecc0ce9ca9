"""R304: moving parts without mass."""

from __future__ import annotations

from reactio.linting.noted_while_reading import listed_part, rule_of
from reactio.model.notes import NoteTopic

rule_of(
    NoteTopic.MASS,
    listed_part,
    "R304",
    "unknown-mass",
    "Parts that move have no mass in the file: reactions and motion cannot be computed, or use a mass that a "
    "program makes up. Give each part `mass` and `inertia`.",
)
