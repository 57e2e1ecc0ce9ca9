"""The words below the table of a page: only of marks that the table has."""

from __future__ import annotations

import reactio as ro
from reactio.reporting.html import to_html
from reactio.reporting.words import marks_words

# Two guides side by side, of which the stiffness decides one share: the others have a dash, whatever the rule.
STAGE = """\
space: planar
gravity: [0, -9.81]
bodies: {table: {mass: 10, inertia: 1}}
joints:
  left: {type: translational, bodies: [ground, table], at: [0, 0], axis: [1, 0], stiffness: %s}
  right: {type: translational, bodies: [ground, table], at: [0, 0], axis: [1, 0], stiffness: %s}
"""


def test_a_rule_that_gives_no_number_is_not_named() -> None:
    model = ro.load("door", hinges=2)
    assert "marked ≈" in marks_words(ro.report(model, rule="inertia"))
    assert "shown as a dash" in marks_words(ro.report(model))
    partly = ro.report(ro.parse_model(STAGE % ("{y: 1e6}", "{y: 1e6}")), rule="compliance")
    words = marks_words(partly)
    assert "≈" not in words
    assert "determined by the stiffness given" in words
    assert "neither a rigid model nor the stiffness given determines are shown as a dash" in words
    assert "Values marked ≈" not in to_html(partly)


def test_joint_coordinates_have_the_units_of_the_file() -> None:
    model = ro.load("slider-crank")
    assert {line.shown_unit for line in ro.report(model).coordinates} == {"rad", "m"}
