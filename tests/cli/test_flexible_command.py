"""``reactio flexible``, ``sensitivity`` and ``tolerances`` as scripts and people use them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., tuple[int, str, str]]
DOOR = ("door", "--set", "hinges=2", "--set", "bushings=1")


def test_the_contract_of_flexible(call: Call) -> None:
    code, out, _ = call("flexible", *DOOR, "--set", "misfit=1e-4", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["schema"] == "reactio.flexible/1"
    assert data["model"] == "door"
    assert data["redundancy"] == 5
    assert sum(part["share"] for part in data["parts"].values()) == pytest.approx(5, abs=1e-12)
    assert data.keys() == {"schema", "model", "t", "redundancy", "parts", "open", "gaps", "validity"}
    assert data["parts"]["hinge1"].keys() == {"kind", "share", "needed", "change_if_rigid", "reason"}
    assert data["open"] == []
    assert [abs(gap["gap"]) for gap in data["gaps"] if gap["gap"]] == pytest.approx([1e-4], rel=1e-9)
    assert {"elastic_rotation", "elastic_inertia", "centrifugal", "buckling"} <= data["validity"].keys()


def test_pictures_and_corrected_forces(call: Call, tmp_path: Path) -> None:
    code, out, err = call(
        "flexible", *DOOR, "--corrected", "--plot", "bars.png", "--deformed", "door.svg", "--scale", "100",
        "--self-stress", "stress.png",
    )  # fmt: skip
    assert code == 0, err
    assert "displacements × 100: door.svg" in out
    assert "corrected" in out
    assert all((tmp_path / name).stat().st_size > 1000 for name in ("bars.png", "door.svg", "stress.png"))


def test_a_picture_of_no_known_kind_is_refused_at_once(call: Call) -> None:
    code, _, err = call("flexible", *DOOR, "--plot", "bars.txt")
    assert code == 2
    assert "a picture is written as" in err


def test_a_choice_with_an_unknown_part_is_refused(call: Call) -> None:
    code, _, err = call("flexible", *DOOR, "--only", "hinge3")
    assert code == 2
    assert "hinge3" in err
    assert "hinge1" in err


def test_sensitivities_and_bounds(call: Call) -> None:
    code, out, _ = call("sensitivity", *DOOR, "--within", "2", "--json")
    data = json.loads(out)
    assert code == 0
    slopes = data["by_stiffness"]["hinge1"][2]
    assert slopes == pytest.approx([61.3125, -61.3125], rel=1e-9)  # m g / 4 for two equal springs
    # One of two equal springs twice or half as stiff: 2/3 and 1/3 of the weight.
    ends = data["bounds"]["hinge1"]["hinge1"]
    weight = 25 * 9.81
    assert (ends["least"][2], ends["largest"][2]) == pytest.approx((weight / 3, 2 * weight / 3), rel=1e-9)
    _, text, _ = call("sensitivity", *DOOR, "--within", "2")
    assert "One stiffness within a factor of 2" in text


def test_nothing_depends_on_stiffness_where_nothing_is_redundant(call: Call) -> None:
    code, out, _ = call("sensitivity", "slider-crank")
    assert code == 0
    assert "No reaction depends on a stiffness" in out
    code, out, _ = call("flexible", "slider-crank", "--json")
    assert json.loads(out)["parts"] == {}


def test_a_rigid_mechanism_cannot_be_drawn_deformed(call: Call) -> None:
    code, _, err = call("flexible", "door", "--deformed", "door.png")
    assert code == 2
    assert "All parts are rigid and leave 10 of 10 self-stresses undecided" in err


def test_a_factor_below_one_is_refused(call: Call) -> None:
    code, _, err = call("sensitivity", *DOOR, "--within", "0.5")
    assert code == 2
    assert "more than 1" in err


def test_the_tornado_of_tolerances(call: Call, tmp_path: Path) -> None:
    code, _, err = call("tolerances", *DOOR, "--tolerance", "0.05mm", "--plot", "t.png", "--component", "hinge1.Fz")
    assert code == 0, err
    assert (tmp_path / "t.png").stat().st_size > 1000


def test_reactions_say_their_level_and_what_has_no_effect(call: Call, tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(
        "space: spatial\ngravity: [0, 0, -9.81]\n"
        "bodies: {door: {mass: 25, inertia: [8, 10, 2], position: [0.45, 0, 1]}}\n"
        "joints:\n  low: {type: revolute, bodies: [ground, door], at: [0, 0, 0.2], axis: [0, 0, 1],\n"
        "    stiffness: [8e6, 8e6, 5e6, 2000, 2000, 7]}\n"
        "  high: {type: revolute, bodies: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1],\n"
        "    stiffness: {radial: 8e6, axial: 5e6, tilt: 2000}, misfit: {about_z: 0.1}}\n"
    )
    code, out, _ = call("reactions", "door.yaml", "--rule", "compliance", "--json")
    notes = json.loads(out)["notes"]
    assert code == 0
    assert any("misfit of 'high' along about_z has no effect" in note for note in notes)
    assert any("stiffness of 'low' along about_z has no effect" in note for note in notes)
    assert any(note.startswith("Level 1") for note in notes)
