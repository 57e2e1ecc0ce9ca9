"""Edits in place: one value changes, and every other letter of the file stays."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from reactio.desk.text_edits import content, remove, set_value
from reactio.errors import ReactioError

TEXT = """\
# a slider-crank
space: planar   # flat
parameters: {r: 50, l: 150,
  # the rod
  q: r*2}
bodies:
  crank:  {mass: 1.2, position: [0, r/2]}  # grüße
  slider:
    mass: 0.4   # light
    position: ["sqrt(l**2 - r**2)", 0]
joints:
  A:   {type: revolute, bodies: [ground, crank], at: [0, 0]}
  # slides
  D:
    type: translational
    axis: [1, 0]

# end
drives:
  motor: {joint: A, function: 3}
"""


@pytest.mark.parametrize(
    ("path", "value", "before", "after"),
    [
        (("parameters", "r"), 55.5, "{r: 50,", "{r: 55.5,"),
        (("parameters", "s"), "2*r", "q: r*2}", "q: r*2, s: 2*r}"),
        (("bodies", "crank", "mass"), 2.0, "mass: 1.2", "mass: 2"),
        (("joints", "D", "type"), "fixed", "type: translational", "type: fixed"),
        (("joints", "D", "play"), {"x": 1e-7}, "axis: [1, 0]\n", "axis: [1, 0]\n    play: {x: 1.0e-07}\n"),
        (("joints", "E"), {"at": ["a, b"]}, "axis: [1, 0]\n", "axis: [1, 0]\n  E: {at: ['a, b']}\n"),
        (("joints", "D"), "x", "D:\n    type: translational\n    axis: [1, 0]\n", "D: x\n"),
        (("forces", "F"), {"type": "force"}, "function: 3}\n", "function: 3}\nforces:\n  F: {type: force}\n"),
    ],
)
def test_a_value_is_set(path: tuple[str, ...], value: object, before: str, after: str) -> None:
    assert TEXT.count(before) == 1
    assert set_value(TEXT, path, value) == TEXT.replace(before, after)


@pytest.mark.parametrize(
    ("path", "gone", "left"),
    [
        (("joints", "A"), "  A:   {type: revolute, bodies: [ground, crank], at: [0, 0]}\n", ""),
        (("joints", "D"), "  D:\n    type: translational\n    axis: [1, 0]\n", ""),
        (("parameters", "q"), ",\n  # the rod\n  q: r*2}", "}"),
        (("parameters", "r"), "{r: 50, l", "{l"),
        (("drives", "motor"), "  motor: {joint: A, function: 3}\n", ""),
    ],
)
def test_an_entry_is_removed(path: tuple[str, ...], gone: str, left: str) -> None:
    assert TEXT.count(gone) == 1
    assert remove(TEXT, path) == TEXT.replace(gone, left)


def test_each_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    compose = yaml.compose

    def counted(text: str, **options: Any) -> Any:
        parsed.append(text)
        return compose(text, **options)

    monkeypatch.setattr(yaml, "compose", counted)
    text = TEXT + "# parsed by no other test\n"
    later = set_value(text, ("parameters", "r"), 7)
    content(remove(later, ("joints", "A")))
    assert len([one for one in parsed if one.startswith("# a slider-crank")]) == 3


@pytest.mark.parametrize("text", ["space: planar\nbodies:\n", "space: planar\n", "space: planar\nbodies: {}  # none\n"])
def test_a_first_entry_is_added_wherever_it_may_stand(text: str) -> None:
    added = set_value(set_value(text, ("bodies", "bar"), {"mass": 1}), ("bodies", "rod"), {"mass": 2})
    assert content(added)["bodies"] == {"bar": {"mass": "1"}, "rod": {"mass": "2"}}
    assert ("# none" in added) == ("# none" in text)


def test_what_an_alias_shares_is_not_edited_behind_its_back() -> None:
    text = "joints:\n  A: &pin {type: revolute}\n  B: *pin\n"
    with pytest.raises(ReactioError, match=r"alias|edit the file"):
        set_value(text, ("joints", "B"), {"type": "fixed"})
    with pytest.raises(ReactioError, match=r"alias|edit the file"):
        set_value(text, ("joints", "B", "type"), "fixed")


@pytest.mark.parametrize("text", ["a: [1", "- 1\n", "", "a: 1\na: 2\n\t"])
def test_a_broken_file_is_refused(text: str) -> None:
    with pytest.raises(ReactioError):
        set_value(text, ("a", "b"), 1.0)
    with pytest.raises(ReactioError):
        remove(text, ("b",))
