"""Written and read again, a model is the same, to the last digit; said in Python or in YAML, it is the same too."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from reactio import joints, library
from reactio.catalogue.places import CoordinateName, End
from reactio.couplings import COUPLINGS
from reactio.errors import ModelError
from reactio.forces import FORCES
from reactio.functions.constant import Constant
from reactio.functions.expression import Expression
from reactio.functions.harmonic import Harmonic
from reactio.functions.polynomial import Polynomial
from reactio.functions.spline import Spline
from reactio.functions.step import Step
from reactio.functions.sum import Sum
from reactio.library import load
from reactio.model.files.read import parse_model, read_model
from reactio.model.files.write import save, to_yaml
from reactio.model.model import Model
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Coupling, Drive, Force, Joint, Marker

from . import models

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # such models are read easily enough without shrinking them
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=SLOW, phases=PHASES)
ONE = settings(max_examples=5, deadline=None, suppress_health_check=SLOW, phases=PHASES)


@pytest.mark.parametrize("name", library.names())
def test_mechanisms_of_the_library_are_written_and_read_back(name: str, tmp_path: Path) -> None:
    model = load(name)
    assert parse_model(to_yaml(model)) == model
    save(model, tmp_path / "again.yaml")
    assert read_model(tmp_path / "again.yaml") == model
    assert parse_model(library.yaml_text(name)) == model


@pytest.mark.parametrize("space", models.SPACES)
@FEW
@given(data=st.data())
def test_random_models(space: str, data: st.DataObject) -> None:
    model = data.draw(models.model(space))
    again = parse_model(to_yaml(model), name="another")
    assert again == model
    assert hash(again) == hash(model)
    assert to_yaml(again) == to_yaml(model)


@pytest.mark.parametrize(
    ("space", "kind"), [(space, kind) for space in models.SPACES for kind in joints.JOINTS_BY_SPACE[space]]
)
@ONE
@given(data=st.data())
def test_every_joint(space: str, kind: str, data: st.DataObject) -> None:
    body = data.draw(models.body(space, "b", "rigid", True))
    joint = data.draw(models.joint(space, "j", kind, "ground", "b"))
    model = Model("m", space, (body,), (joint,))
    assert parse_model(to_yaml(model)) == model


@pytest.mark.parametrize(("space", "kind"), [(space, kind) for space in models.SPACES for kind in FORCES])
@ONE
@given(data=st.data())
def test_every_force(space: str, kind: str, data: st.DataObject) -> None:
    bodies = tuple(data.draw(models.body(space, name, "rigid", True)) for name in "ab")
    turns = data.draw(models.joint(space, "turns", models.HINGE[space], "ground", "a"))
    slides = data.draw(models.joint(space, "slides", models.SLIDE[space], "a", "b"))
    force = data.draw(models.force(space, "f", kind, ["a", "b"]))
    model = Model("m", space, bodies, (turns, slides), forces=(force,))
    assert parse_model(to_yaml(model)) == model


@pytest.mark.parametrize("kind", list(COUPLINGS))
@ONE
@given(data=st.data())
def test_every_coupling(kind: str, data: st.DataObject) -> None:
    ends = [("turns", "revolute", "a"), ("turns_too", "revolute", "b"), ("slides", "translational", "c")]
    bodies = tuple(Body(name) for name in "abc")
    all_joints = tuple(Joint(name, kind, End("ground"), End(b)) for name, kind, b in ends)
    model = Model("m", "planar", bodies, all_joints, couplings=(data.draw(models.coupling("c0", kind)),))
    assert parse_model(to_yaml(model)) == model


YAML = """\
name: said
title: 'Said twice: in YAML and in Python'
space: planar
parameters: {l: 0.5, phi: atan(1/4)}
gravity: [0, -9.81]
ground: {points: {o: [0, 0]}, axes: {up: [0, 2]}, frames: {f: {point: [1, 1], angle: phi}}}
bodies:
  rod: {mass: 1, inertia: 0.1, position: [l, 0], angle: phi, velocity: [0, 1], angular_velocity: 2, center: [0, 0.1]}
  bead: {mass: 1e-3, kind: point, position: [2*l, 0]}
  car: {mass: 2, inertia: 0.2}
joints:
  A: {type: revolute, a: ground.o, b: {body: rod, point: [-l, 0]}}
  B: {type: distance, bodies: [rod, bead], at: [2*l, 0], length: 0.25}
  S: {type: translational, a: ground.f, b: car}
drives:
  still: {joint: A, function: l}
  motor: {joint: S.translation, function: {sum: [2*t, {step: {start: 0, end: 2}}, {polynomial: [0, 1]}]}}
couplings:
  pinion: {type: rack, joints: [S, A], radius: 0.1}
forces:
  push: {type: force, at: rod, force: [0, {harmonic: {amplitude: 1, frequency: 2}}]}
  turn: {type: torque, at: rod, torque: 3}
  coil: {type: spring, a: ground.o, b: bead, stiffness: 10, length: 0.2}
  act: {type: actuator, joint: S, effort: {spline: {table: [[0, 1], [1, 2], [2, 0]], ends: natural}}}
"""


def said_in_python() -> Model:
    """With whatever counts as numbers: ints, lists, arrays."""
    phi = math.atan(1 / 4)
    part: Any = Body
    ground = part("ground", points={"o": (0, 0)}, axes={"up": np.array([0, 2])}, frames={"f": Marker((1, 1), (phi,))})
    rod = part("rod", 1, 0.1, (0.5, 0), phi, [0, 1], 2, (0, 0.1))
    bead = part("bead", np.float64(1e-3), position=np.array([1, 0]), kind="point")
    car = part("car", 2, inertia=0.2)
    turned = joint_at("B", "distance", rod, bead, at=(1, 0), length=np.float64(0.25))
    motor = Sum((Expression("2*t"), Step(0, 2), Polynomial((0, 1))))
    curve = Spline((0, 1, 2), (1, 2, 0), "natural")
    o = End("ground", (0, 0))
    return Model(
        name="said",
        title="Said twice: in YAML and in Python",
        space="planar",
        parameters={"l": 0.5, "phi": phi},
        gravity=(0, -9.81),
        ground=ground,
        bodies=(rod, bead, car),
        joints=(
            Joint("A", "revolute", o, End("rod", (-0.5, 0), (-phi,))),
            turned,
            Joint("S", "translational", End("ground", (1, 1), (phi,)), End("car", orientation=(phi,)), {}),
        ),
        drives=(Drive("still", CoordinateName("A"), 0.5), Drive("motor", CoordinateName("S", "translation"), motor)),  # type: ignore[arg-type]
        couplings=(
            Coupling("pinion", "rack", (CoordinateName("S"), CoordinateName("A")), {"radius": 0.1, "offset": None}),
        ),
        forces=(
            Force("push", "force", {"at": End("rod"), "force": (0, Harmonic(1, 2))}),
            Force("turn", "torque", {"at": End("rod"), "torque": 3, "axes": "world"}),
            Force("coil", "spring", {"a": o, "b": End("bead"), "stiffness": np.int64(10), "length": 0.2}),
            Force("act", "actuator", {"joint": CoordinateName("S"), "effort": curve}),
        ),
    )


def test_python_and_yaml_say_the_same() -> None:
    model = said_in_python()
    assert parse_model(YAML) == model
    assert parse_model(to_yaml(model)) == model
    assert model.drives[0].function == Constant(0.5)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"bodies": (Body("b", mass=math.nan),)}, "nan"),
        ({"bodies": (Body("b", position=(0, math.inf)),)}, "inf"),
        ({"bodies": (Body("b", points={"p": (1, 2, 3)}),)}, "point 'p' has 3 numbers"),
        ({"bodies": (Body("b", axes={"u": (0, 0)}),)}, "no direction"),
        ({"bodies": (Body("b"), Body("b"))}, "used twice"),
        ({"bodies": (Body(""),)}, "cannot be a name"),
        ({"bodies": (Body("ground"),)}, "reserved"),
        ({"ground": Body("ground", mass=1)}, "nothing else"),
        ({"ground": Body("floor")}, "nothing else"),
        ({"parameters": {"a b": 1.0}}, "parameter 'a b'"),
        ({"parameters": {"a": math.nan}}, "parameter 'a'"),
        ({"space": "flat"}, "planar or spatial"),
        ({"gravity": (0, 0, 1)}, "3 numbers"),
        ({"drives": (Drive("d", CoordinateName("A"), "t"),)}, "give a number or a function"),  # type: ignore[arg-type]
        ({"drives": (Drive("d", "A", Constant(1)),)}, "CoordinateName"),  # type: ignore[arg-type]
        ({"drives": (Drive("d", CoordinateName("A"), Expression("s")),)}, "depends on s"),
        ({"forces": (Force("f", "force", {"at": "b", "force": (0, 1)}),)}, "give an End"),
        ({"forces": (Force("f", "force", {"at": End("b")}),)}, "needs 'force'"),
        ({"forces": (Force("f", "force", {"at": End("b"), "force": (0, 1), "axes": "wrold"}),)}, "world or body"),
        ({"forces": (Force("f", "spring", {"a": End("b"), "b": End("b"), "stiffness": "k", "length": 1}),)}, "finite"),
    ],
)  # fmt: skip
def test_impossible_models_in_python(parts: dict[str, object], words: str) -> None:
    bodies = (Body("b", 1.0, (1.0,)),)
    whole = {"name": "m", "space": "planar", "bodies": bodies} | parts
    if "bodies" not in parts:
        whole["joints"] = (Joint("A", "revolute", End("ground"), End("b")),)
    with pytest.raises(ModelError, match=words):
        Model(**whole)  # type: ignore[arg-type]


def test_rounded_quaternions_are_normalised_and_others_refused() -> None:
    def with_length(size: float) -> Model:
        return Model("m", "spatial", (Body("b", orientation=(0.6 * size, 0.8 * size, 0.0, 0.0)),))

    assert math.hypot(*with_length(1 + 9e-7).body("b").orientation) == pytest.approx(1, abs=1e-15)  # a rounding
    with pytest.raises(ModelError, match=r"length 1\.001"):
        with_length(1.001)
