"""R401: joints that follow a fixed joint, or are fixed themselves."""

from __future__ import annotations

from reactio.linting.noted_while_reading import named_part, rule_of
from reactio.model.notes import NoteTopic

rule_of(
    NoteTopic.MIMIC,
    named_part,
    "R401",
    "mimic-of-fixed",
    "A <mimic> on a fixed joint has no effect, and one that follows a fixed joint, or follows by a factor of 0, "
    "fixes its own. Programs interpret it differently. Remove it, or make the joint fixed.",
)
