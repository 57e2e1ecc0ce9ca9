"""R403: elements that programs may not read."""

from __future__ import annotations

from reactio.linting.noted_while_reading import rule_of, stated_line
from reactio.model.notes import NoteTopic

rule_of(
    NoteTopic.ELEMENT,
    stated_line,
    "R403",
    "unread-element",
    "An element names two bodies and belongs to no known extension of the format: most programs silently "
    "ignore it, and the bodies it should connect move freely. Check its tag, or close the loop in a form that "
    "is read.",
)
