"""Fields of kinds of forces from outside: lists of joint coordinates, units that follow from them, places left out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.catalogue.fields import Coordinate, Coordinates, Field, Law, Matrix, Number, Numbers, Place
from reactio.catalogue.places import CoordinateName, End
from reactio.errors import ModelError
from reactio.forces import FORCES, AppliedLoad, ForceLaw, ForceType, FrameMeasures, JointCoordinates, register
from reactio.functions import evaluate
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml
from reactio.model.model import Model
from reactio.model.plausibility import unheld
from reactio.model.transform.named_coordinates import named_coordinates
from reactio.primitives import SPATIAL_PRIMITIVES
from reactio.system.equations import equations

NUT = """
space: spatial
units: [mm, deg]
bodies: {{nut: {{mass: 1, inertia: [1e5, 1e5, 1e5], position: [0, 0, 0], points: {{tip: [100, 0, 0]}}}}}}
joints: {{C: {{type: cylindrical, a: ground, b: nut}}}}
forces: {{one: {}}}
"""
TWO = "{{type: several, joints: {}, stiffness: [[400, 9], [9, 2]], free: [3, 30], effort: [5, 7000]}}"


def _several(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    return (AppliedLoad(JointCoordinates(p["joints"]), ForceLaw(stiffness=p["stiffness"], free=p["free"])),)


def _along(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    return (AppliedLoad(JointCoordinates((p["joint"],)), ForceLaw((p["law"],))),)


def _tether(p: Mapping[str, Any]) -> tuple[AppliedLoad, ...]:
    measures = FrameMeasures(p["a"], p["b"], (SPATIAL_PRIMITIVES.get("distance")(),))
    return (AppliedLoad(measures, ForceLaw((p["law"],))),)


KINDS: dict[str, tuple[Any, tuple[Field, ...]]] = {
    "several": (
        _several,
        (
            Coordinates("joints", "Coordinates.", units=("m", "rad")),
            Matrix("stiffness", "K."),
            Numbers("free", "Where it is free of force.", dimension="any"),
            Numbers("effort", "A further one of each.", (), dimension="effort"),
        ),
    ),
    # The law stands before the coordinate that it is a function of.
    "along": (
        _along,
        (
            Law("law", "Force or torque."),
            Coordinate("joint", "A coordinate."),
            Number("free", "Of the coordinate.", 0.0, "any"),
            Law("ratio", "A number.", 1.0, "number"),
            Law("rest", "A length.", 1.0, "length"),
        ),
    ),
    "tether": (
        _tether,
        (
            Place("a", "Ground when left out.", End("ground")),
            Place("b", "A frame."),
            Place("c", "None when left out.", None),
            Coordinate("guide", "None when left out.", None),
            Law("law", "Force by length."),
            Law("wound", "Torque by angle.", 0.0, "torque", "angle"),
        ),
    ),
}


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """The kinds, for one test; they leave no trace."""
    for name, (loads, fields) in KINDS.items():
        register(ForceType(name, fields, loads, "A load.", mirrored=lambda p, signs: {}))
    yield
    for name in KINDS:
        FORCES.remove(name)


def with_force(text: str) -> Model:
    return parse_model(NUT.format(text))


@pytest.mark.parametrize("names", ["[C.translation, C.rotation]", "[C, C]"])  # which the units choose
def test_a_load_acts_along_a_list_of_coordinates(names: str) -> None:
    """Each number of a list beside them is in the unit of its coordinate: 3 mm and 30 degrees."""
    model = with_force(TWO.format(names))
    parameters = model.forces[0].parameters
    assert parameters["free"] == pytest.approx((0.003, math.pi / 6), rel=1e-15)
    assert parameters["effort"] == pytest.approx((5.0, 7.0), rel=1e-15)  # newtons, and 7000 N mm
    Q = equations(reactio.build(model)).Q
    z = 400 * 0.003 + 9 * math.pi / 6, 9 * 0.003 + 2 * math.pi / 6
    assert sorted(map(abs, Q[[2, 5]])) == pytest.approx(sorted(z), rel=1e-14)
    assert parse_model(to_yaml(model), name=model.name) == model
    full = named_coordinates(model).forces[0].parameters["joints"]
    assert full == (CoordinateName("C", "translation"), CoordinateName("C", "rotation"))


def test_a_list_of_coordinates_is_renamed_in_a_sub_assembly(tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text(NUT.format(TWO.format("[C, C]")), encoding="utf-8")
    whole = "{space: spatial, assemblies: {left: {use: part.yaml, prefix: left_}}}"
    (tmp_path / "whole.yaml").write_text(whole, encoding="utf-8")
    (force,) = reactio.load(tmp_path / "whole.yaml").forces
    assert force.parameters["joints"] == (CoordinateName("left_C"), CoordinateName("left_C"))


def test_a_list_of_coordinates_is_counted_and_checked() -> None:
    with pytest.raises(ModelError, match="joints names 1 coordinate; 2 are needed"):
        with_force("{type: several, joints: [C], stiffness: [[1, 0], [0, 1]], free: [1]}")
    with pytest.raises(ModelError, match=r"free has 1 numbers; 2 are needed"):
        with_force("{type: several, joints: [C, C], stiffness: [[1, 0], [0, 1]], free: [1]}")
    with pytest.raises(ModelError, match="there is no joint 'B'"):
        with_force("{type: several, joints: [C, B], stiffness: [[1, 0], [0, 1]], free: [1, 1]}")


def test_a_law_has_the_dimension_of_its_field_and_the_coordinate_named_after_it() -> None:
    """−2 N mm per degree at 90 degrees; a number and a length beside it are no torques."""
    model = with_force("{type: along, joint: C.rotation, law: -2*s, free: 90, ratio: 3 + 0*t, rest: 40 + 0*t}")
    p = model.forces[0].parameters
    assert evaluate(p["law"], 0.0, math.pi / 2)[0] == pytest.approx(-0.18, rel=1e-14)
    assert p["free"] == pytest.approx(math.pi / 2, rel=1e-15)
    assert evaluate(p["ratio"], 0.0)[0] == 3.0
    assert evaluate(p["rest"], 0.0)[0] == pytest.approx(0.04, rel=1e-15)


def test_places_and_coordinates_may_be_left_out() -> None:
    model = with_force('{type: tether, b: nut.tip, law: "-2*s", wound: "-2*s"}')
    p = model.forces[0].parameters
    assert p["a"] == End("ground", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    assert p["c"] is p["guide"] is None
    assert equations(reactio.build(model)).Q[0] == pytest.approx(-200.0, rel=1e-14)  # −2 N/mm at 100 mm
    assert evaluate(p["wound"], 0.0, math.pi / 2)[0] == pytest.approx(-0.18, rel=1e-14)
    assert parse_model(to_yaml(model), name=model.name) == model
    with pytest.raises(ModelError, match="needs 'b'"):
        with_force('{type: tether, law: "-2*s"}')


def test_a_body_on_a_spring_is_held() -> None:
    free = NUT.replace("joints: {{C: {{type: cylindrical, a: ground, b: nut}}}}", "").format
    assert unheld(parse_model(free('{type: tether, b: nut.tip, law: "-2*s"}'))) == ()
    pushed = parse_model(free("{type: force, at: nut, force: [1, 0, 0]}"))
    assert unheld(pushed) == ("Nothing holds 'nut': it moves freely.",)
