"""Sub-assemblies: a leg typed once, used twice, mirrored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio import bodies, forces
from reactio.bodies.rigid import RIGID
from reactio.catalogue.fields import Mirrored, Number, Numbers, Place, unchanged
from reactio.drawing.sample import sample
from reactio.errors import ModelError
from reactio.exporters import export
from reactio.forces import ForceType
from reactio.joints import SPATIAL_JOINTS
from reactio.system.compile.build import build
from reactio.system.equations import equations

LEG = """
space: spatial
parameters: {reach: 1}
bodies:
  thigh: {mass: 2, inertia: [0.2, 0.1, 0.2, 0.01, 0.02, 0.03], position: [0, 0.2, -0.5], center: [0, 0.1, 0],
          points: {hip: [0, 0, 0.5]}}
  shank: {mass: 1, inertia: [0.1, 0.1, 0.02], position: [0, 0.3, "-1 - reach/2"]}
joints:
  hip: {type: revolute, bodies: [ground, thigh], at: [0, 0.2, 0], axis: [0, 1, 0.2]}
  knee: {type: revolute, bodies: [thigh, shank], at: [0, 0.3, -1], axis: [0, 1, 0]}
  slide: {type: prismatic, bodies: [ground, shank], at: [0, 0.3, -2], axis: [1, 0.5, 0]}
drives:
  swing: {joint: hip, function: 0.5*t}
"""
ROBOT = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  torso: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 0.3]}
joints:
  rail: {type: prismatic, bodies: [ground, torso], at: [0, 0, 0.3], axis: [1, 0, 0]}
assemblies:
  left: {use: leg.yaml, on: torso}
  right: {use: leg.yaml, mirror: y, prefix: right_, on: torso}
"""


def written(folder: Path, robot: str = ROBOT, leg: str = LEG) -> Path:
    (folder / "leg.yaml").write_text(leg, encoding="utf-8")
    (folder / "robot.yaml").write_text(robot, encoding="utf-8")
    return folder / "robot.yaml"


def test_a_leg_is_typed_once(tmp_path: Path) -> None:
    model = ro.load(written(tmp_path))
    assert [body.name for body in model.bodies] == ["torso", "left_thigh", "left_shank", "right_thigh", "right_shank"]
    assert model.joint("right_hip").a.body == "torso"
    thigh = model.body("right_thigh")
    assert thigh.position == pytest.approx((0, -0.2, -0.5))
    assert thigh.inertia == pytest.approx((0.2, 0.1, 0.2, -0.01, 0.02, -0.03))
    assert thigh.points["hip"] == (0, 0, 0.5)


@pytest.mark.parametrize("mirror", ["x", "y", "z"])
def test_the_mirror_image_closes_and_moves_as_its_original(mirror: str, tmp_path: Path) -> None:
    """Velocities under the same drive are mirror images; the drive turns in the mirrored sense."""
    twice = f"[{{use: leg.yaml, prefix: a_}}, {{use: leg.yaml, mirror: {mirror}, prefix: b_}}]"
    robot = f"space: spatial\nassemblies: {twice}\n"
    system = ro.build(ro.load(written(tmp_path, robot, LEG.replace("  slide:", "  # slide:"))))
    state = ro.assemble(system)
    v = state.v.reshape(-1, 6)
    sign = [-1.0 if axis == mirror else 1.0 for axis in "xyz"]
    for one, two in ((0, 2), (1, 3)):
        assert v[two, :3] == pytest.approx(sign * v[one, :3], abs=1e-9)
        assert v[two, 3:] == pytest.approx([-s * w for s, w in zip(sign, v[one, 3:], strict=True)], abs=1e-9)
    assert abs(v[0, 4]) > 0.1


def test_verdicts_of_both_sides_are_the_same(tmp_path: Path) -> None:
    leg = LEG[: LEG.index("drives:")].replace("axis: [0, 1, 0.2]", "axis: [0, 1, 0]")
    answer = ro.check(ro.load(written(tmp_path, leg=leg)))
    for name in ("hip", "knee", "slide"):
        assert answer[f"left_{name}"].verdict == answer[f"right_{name}"].verdict


def test_parameters_and_places(tmp_path: Path) -> None:
    robot = "space: spatial\nassemblies:\n  far: {use: leg.yaml, position: [5, 0, 0], parameters: {reach: 3}}\n"
    model = ro.load(written(tmp_path, robot))
    assert model.body("far_shank").position == pytest.approx((5, 0.3, -2.5))


@pytest.mark.parametrize(
    ("robot", "words"),
    [
        ("space: spatial\nassemblies: {a: {use: arm.yaml}}", "no file 'arm.yaml'"),
        ("space: spatial\nassemblies: {a: {use: robot.yaml}}", "uses itself"),
        ("space: spatial\nassemblies: {a: {use: leg.yaml, mirror: w}}", "it must be x, y or z"),
        ("space: spatial\nassemblies: {a: {use: leg.yaml, on: torso}}", "no body 'torso'"),
        ("space: spatial\nassemblies: [{use: leg.yaml}, {use: leg.yaml}]", "used twice"),
        ("space: spatial\nassemblies: {a: {use: ../leg.yaml}}", "outside the folder"),
        ("space: planar\nassemblies: {a: {use: leg.yaml}}", "used in space"),
        ("space: spatial\nassemblies: {a: {use: leg.yaml, miror: y}}", "Did you mean 'mirror'"),
    ],
)
def test_bad_assemblies(robot: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=words):
        ro.load(written(tmp_path, robot))


def test_no_inertia_is_one_zero_in_space(tmp_path: Path) -> None:
    model = ro.parse_model("{space: spatial, bodies: {rod: {mass: 0, inertia: 0}}}")
    assert model.bodies[0].inertia == (0.0,) * 6


@pytest.mark.parametrize(
    ("coupling", "ratio"),
    [
        ("belt, radius_1: 2, radius_2: 1", 0.5),
        ("belt, radius_1: 2, radius_2: -1", -0.5),
        ("chain, teeth_1: 20, teeth_2: 30", 1.5),
    ],
)
def test_belts_and_chains(coupling: str, ratio: float) -> None:
    """The first wheel turns ``ratio`` times as fast as the second, which is driven at 1 rad/s."""
    text = (
        "{space: planar, bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, position: [3, 0]}}, "
        "joints: {A: {type: revolute, bodies: [ground, a], at: [0, 0]}, "
        "B: {type: revolute, bodies: [ground, b], at: [3, 0]}}, "
        "drives: {d: {joint: B, function: t}}, couplings: {c: {type: " + coupling + ", joints: [A, B]}}}"
    )
    v = ro.assemble(ro.build(ro.parse_model(text))).v
    assert v[2] == pytest.approx(ratio)
    assert v[5] == pytest.approx(1.0)


@pytest.mark.parametrize("mirror", ["x", "y", "z"])
@pytest.mark.parametrize("name", sorted(SPATIAL_JOINTS))
def test_every_joint_has_a_mirror_image(name: str, mirror: str, tmp_path: Path) -> None:
    """The image closes as well as the original, and holds as strongly: mirrors change no singular value of C."""
    export(sample(SPATIAL_JOINTS.get(name)), tmp_path / "part.yaml")
    whole = f"space: spatial\nassemblies:\n  image: {{use: part.yaml, mirror: {mirror}}}\n"
    (tmp_path / "whole.yaml").write_text(whole, encoding="utf-8")
    one, two = (equations(build(ro.load(tmp_path / file))) for file in ("part.yaml", "whole.yaml"))
    # Lengths of size 1: rounding.
    np.testing.assert_allclose(np.abs(two.Phi), np.abs(one.Phi), atol=1e-12)
    sigma = [np.linalg.svd(e.C.toarray(), compute_uv=False) for e in (one, two)]
    np.testing.assert_allclose(sigma[1], sigma[0], atol=1e-12)


LOADED = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 2, inertia: [0.2, 0.25, 0.3, 0.01, 0.02, 0.03], position: [0.3, 0.2, -0.5], center: [0.1, 0.1, 0],
        orientation: [0.9, 0.1, 0.3, 0.2], velocity: [0.2, 0, 0], angular_velocity: [0, 0.4, 0]}
  rod: {mass: 1, inertia: [0.1, 0.2, 0.2], position: [0.5, 0.6, -0.9]}
joints:
  hip: {type: spherical, bodies: [ground, arm], at: [0, 0.2, 0]}
  knee: {type: universal, bodies: [arm, rod], at: [0.4, 0.3, -0.7], axis: [0.3, 0.2, 1]}
forces:
  pull: {type: spring-damper, a: {body: ground, point: [1, 0.4, 0.2]}, b: {body: rod, point: [0.1, 0, 0]},
         stiffness: 50, length: 0.4, damping: 3}
  push: {type: force, at: {body: arm, point: [0.1, 0.2, 0.3]}, force: [3, "2*t + 1", -4]}
  screw: {type: torque, at: arm, torque: [1, -2, 3], axes: body}
  rubber: {type: bushing, a: {body: ground, point: [0.5, 0.6, -0.9]}, b: {body: rod, point: [0, 0, 0.01]}, stiffness:
           [[9, 1, 0, 0, 0, 2], [1, 8, 0, 0, 0, 0], [0, 0, 7, 1, 0, 0], [0, 0, 1, 6, 0, 0], [0, 0, 0, 0, 5, 0],
            [2, 0, 0, 0, 0, 4]]}
"""


@pytest.mark.parametrize("mirror", ["x", "y", "z"])
def test_loads_and_velocities_in_the_mirror(mirror: str, tmp_path: Path) -> None:
    """Accelerations of the image are the images of the accelerations: vectors by S, angular ones by −S."""
    (tmp_path / "part.yaml").write_text(LOADED, encoding="utf-8")
    g = [0.0, 0.0, -9.81 if mirror != "z" else 9.81]  # gravity in the mirror
    whole = f"space: spatial\ngravity: {g}\nassemblies: [{{use: part.yaml, mirror: {mirror}}}]\n"
    (tmp_path / "whole.yaml").write_text(whole, encoding="utf-8")
    files = (tmp_path / "part.yaml", tmp_path / "whole.yaml")
    one, two = (ro.reactions(equations(build(ro.load(file)))).motion.vdot for file in files)
    sign = np.array([-1.0 if axis == mirror else 1.0 for axis in "xyz"])
    image = (one.reshape(-1, 2, 3) * np.stack([sign, -sign])).ravel()
    np.testing.assert_allclose(two, image, rtol=1e-9, atol=1e-9 * np.abs(one).max())


ROTOR = """
space: spatial
bodies:
  bar: {kind: rotor, mass: 2, inertia: [0.2, 0.25, 0.3], position: [0, 0.3, 0], spin: 5}
forces:
  wind: {type: breeze, at: bar, strength: [1, 2, 3]}
"""


@pytest.fixture
def rotor() -> Iterator[Callable[..., None]]:
    """A kind of body and one of force from outside, which say how they look in a mirror, or do not."""

    def known(body: Mirrored | None, force: Mirrored | None) -> None:
        spin = Number("spin", "About its x axis.", dimension="angular velocity")
        bodies.register(replace(RIGID, name="rotor", rigid=False, fields=(spin,), mirrored=body))
        fields = (Place("at", "Where it blows."), Numbers("strength", "Along x, y, z.", size=3))
        forces.register(ForceType("breeze", fields, lambda p: (), "A breeze.", force))

    yield known
    bodies.BODIES.remove("rotor")
    forces.FORCES.remove("breeze")


@pytest.mark.parametrize(
    ("body", "force", "words"),
    [
        (None, unchanged, "body 'bar' is of the kind rotor, which defines no mirror image"),
        (unchanged, None, "force 'wind' is of the kind breeze, which defines no mirror image"),
    ],
)
def test_kinds_that_do_not_say_how_they_are_mirrored_are_refused(
    body: Mirrored | None, force: Mirrored | None, words: str, rotor: Callable[..., None], tmp_path: Path
) -> None:
    rotor(body, force)
    (tmp_path / "part.yaml").write_text(ROTOR, encoding="utf-8")
    (tmp_path / "moved.yaml").write_text("space: spatial\nassemblies: {a: {use: part.yaml, position: [1, 0, 0]}}\n")
    (tmp_path / "image.yaml").write_text("space: spatial\nassemblies: {a: {use: part.yaml, mirror: y}}\n")
    assert ro.load(tmp_path / "moved.yaml").bodies[0].parameters["spin"] == 5
    with pytest.raises(ModelError, match=words):
        ro.load(tmp_path / "image.yaml")


def test_kinds_say_how_they_are_mirrored(rotor: Callable[..., None], tmp_path: Path) -> None:
    """A spin about x turns the other way in every mirror but that across x."""
    rotor(
        lambda own, signs: {"spin": -signs[0] * own["spin"]},
        lambda own, signs: {"strength": tuple(s * x for s, x in zip(signs, own["strength"], strict=True))},
    )
    (tmp_path / "part.yaml").write_text(ROTOR, encoding="utf-8")
    for mirror, spin, strength in (("x", 5, (-1, 2, 3)), ("y", -5, (1, -2, 3))):
        (tmp_path / "image.yaml").write_text(
            f"space: spatial\nassemblies: {{a: {{use: part.yaml, mirror: {mirror}}}}}\n"
        )
        image = ro.load(tmp_path / "image.yaml")
        assert image.bodies[0].parameters["spin"] == spin
        assert image.forces[0].parameters["strength"] == strength
