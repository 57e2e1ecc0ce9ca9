"""Equalities of MuJoCo between joints and tendons; what a file switches off, or MuJoCo adds by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ReactioError
from reactio.importers import Options
from reactio.importers.pipeline import Imported, import_file
from reactio.model.notes import NoteKind
from reactio.system.compile.build import build
from reactio.system.equations import equations

from .test_formats import numbers, written

mujoco = pytest.importorskip("mujoco")

BALL = '<geom size="0.05" mass="1"/>'
ARM = f"""<mujoco>{{head}}<compiler angle="radian"/><worldbody>
  <body name="a"><joint name="A" axis="0 1 0"/>{BALL}
    <body name="b" pos="1 0 0"><joint name="B" axis="0 1 0"/>{BALL}
      <body name="c" pos="1 0 0"><joint name="C" axis="1 0 0"/>{BALL}</body></body></body>
</worldbody><tendon>
  <fixed name="ab"><joint joint="A" coef="1"/><joint joint="B" coef="2"/></fixed>
  <fixed name="b"><joint joint="B" coef="4"/></fixed>
  <fixed name="c"><joint joint="C" coef="1"/></fixed>
</tendon><equality>{{equality}}</equality><keyframe><key name="bent" qpos="0.1 0.2 0.3"/></keyframe></mujoco>"""


def arm(folder: Path, equality: str, head: str = "", **options: object) -> Imported:
    text = ARM.replace("{equality}", equality).replace("{head}", head)
    return import_file(written(folder, "arm.xml", text), Options(**options))  # type: ignore[arg-type]


def counted(path: Path) -> tuple[int, int]:
    """Redundant rows and mobility by MuJoCo's own Jacobian of its equalities."""
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rows = data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    J = np.array(data.efc_J)[: data.nefc * model.nv].reshape(data.nefc, model.nv)[rows]
    rank = int(np.linalg.matrix_rank(J)) if len(J) else 0
    return len(J) - rank, model.nv - rank


COUPLED = '<joint joint1="A" joint2="B" polycoef="0 0.5 0 0 0"/>'
HELD = '<joint joint1="A" polycoef="0 0 0 0 0"/>'


@pytest.mark.parametrize("equality", [
    COUPLED,
    HELD,
    HELD + COUPLED,  # the second joint is held by the first
    COUPLED + HELD,
    HELD + '<joint joint1="B" joint2="A" polycoef="0 1 3 0 0"/>',  # not linear, but of a joint that is held
    '<tendon tendon1="b"/>',  # of one joint
    '<tendon tendon1="ab"/>',
    '<tendon tendon1="ab" tendon2="c" polycoef="0 2 0 0 0"/>',
    HELD + '<tendon tendon1="ab" tendon2="c" polycoef="0 2 0 0 0"/>',
])  # fmt: skip
def test_as_many_freedoms_as_mujoco_has(equality: str, tmp_path: Path) -> None:
    assert numbers(arm(tmp_path, equality).model) == counted(tmp_path / "arm.xml")


def test_what_is_said_twice_of_a_held_joint_is_named(tmp_path: Path) -> None:
    found = arm(tmp_path, HELD + '<joint name="again" joint1="A" polycoef="0 0 0 0 0"/>')
    assert [note.what for note in found.report.of(NoteKind.SKIPPED) if "held already" in note.why] == [
        "equality 'again'"
    ]


def test_joints_that_cannot_be_held_at_two_places(tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match="'again' contradicts"):
        arm(tmp_path, HELD + '<joint name="again" joint1="A" polycoef="0.1 0 0 0 0"/>')


def test_a_loop_between_bodies_that_are_held_apart_is_refused(tmp_path: Path) -> None:
    """The joint is held 0.1 rad from where the point 1 m away would close."""
    with pytest.raises(ReactioError, match=r"'loop' stays open by 0\.1 m"):
        arm(tmp_path, '<joint joint1="A" polycoef="0.1 0 0 0 0"/><connect name="loop" body1="a" anchor="1 0 0"/>')


def test_tendons_that_are_not_linear_are_taken_by_their_slope_at_the_pose(tmp_path: Path) -> None:
    """A + 2 B = 0.1 + C + C²/2 at C = 0.3: slope 1.3, and a sum that is 0.055 away from where the pose has it."""
    equality = '<tendon name="e" tendon1="ab" tendon2="c" polycoef="0.1 1 0.5 0 0"/>'
    warned = arm(tmp_path, equality).model.notes
    assert any(note.kind is NoteKind.WARNING and "degree 2" in note.why for note in warned)
    found = arm(tmp_path, equality, linearise=True, pose="bent")
    (coupling,) = found.model.couplings
    assert tuple(coupling.parameters["coefficients"]) == pytest.approx((1, 2, -1.3))
    assert coupling.parameters["offset"] == pytest.approx(0.1 + 0.3 + 0.045 - 0.5)
    assert np.abs(equations(build(found.model)).Phi).max() < 1e-12  # assembled, to rounding


def test_equalities_and_gravity_that_the_file_switches_off(tmp_path: Path) -> None:
    loop = '<connect body1="b" anchor="1 0 0"/>'
    on = arm(tmp_path, loop).model
    assert numbers(on) == counted(tmp_path / "arm.xml")
    off = arm(tmp_path, loop, '<option><flag gravity="disable" equality="disable"/></option>').model
    assert numbers(off) == counted(tmp_path / "arm.xml") == (0, 3)
    assert tuple(off.gravity) == (0.0, 0.0, 0.0) != tuple(on.gravity)


@pytest.mark.parametrize(("old", "new", "words"), [
    ('<body name="b"', '<body name="b" gravcomp="1"', "gravity compensation of 'b'"),
    ('name="C" axis="1 0 0"', 'name="C" type="ball" stiffness="2"', "spring or damper of 'C'"),
    ("<compiler", '<option density="1.2"/><compiler', "drag"),
    ('name="C"', 'name="C" frictionloss="2"', "friction of 1 joint"),
])  # fmt: skip
def test_what_acts_without_a_counterpart_is_named(old: str, new: str, words: str, tmp_path: Path) -> None:
    text = ARM.replace("{equality}", "").replace("{head}", "").replace(old, new)
    text = text.replace('<fixed name="c"><joint joint="C" coef="1"/></fixed>', "").replace(' qpos="0.1 0.2 0.3"', "")
    notes = import_file(written(tmp_path, "arm.xml", text)).report.notes
    assert any(words in note.what for note in notes)


MESHED = f"""<mujoco><compiler inertiafromgeom="{{rule}}"/><asset><mesh name="m" file="m.stl"/></asset><worldbody>
  <body name="a"><inertial pos="0 0 0" mass="5" diaginertia="1 1 1"/><joint/><geom type="mesh" mesh="m" {{mass}}/>
    <body name="b" pos="1 0 0"><joint/>{BALL}</body></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("rule", "mass", "known"), [
    ("auto", "", True),  # the mass is written
    ("true", "", False),  # it is that of the mesh, whatever is written
    ("true", 'mass="0"', True),  # the mesh is for the eye
])  # fmt: skip
def test_masses_that_meshes_would_give_are_not_known(rule: str, mass: str, known: bool, tmp_path: Path) -> None:
    text = MESHED.replace("{rule}", rule).replace("{mass}", mass)
    model = import_file(written(tmp_path, "arm.xml", text)).model
    assert bool(model.bodies[0].mass) == known


def test_deformable_bodies_are_left_out(tmp_path: Path) -> None:
    soft = """<flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" mass="1" radius="0.01">
        <edge equality="true"/></flexcomp></worldbody>"""
    text = ARM.replace("{equality}", "").replace("{head}", "").replace("</worldbody>", soft)
    text = text.replace('<keyframe><key name="bent" qpos="0.1 0.2 0.3"/></keyframe>', "")
    found = import_file(written(tmp_path, "arm.xml", text))
    assert numbers(found.model) == (0, 3)
    assert [note.what for note in found.report.of(NoteKind.SKIPPED) if "deformable" in note.why] == ["flex 'cloth'"]


def test_an_audit_without_gravity(tmp_path: Path) -> None:
    """Accelerations that MuJoCo gives are those of bodies that fall nowhere."""
    arm(tmp_path, "", '<option><flag gravity="disable"/></option>')
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    data = mujoco.MjData(model)
    data.qvel[:] = (1.0, -2.0, 0.5)
    mujoco.mj_forward(model, data)
    answer = ro.audit(model, data)
    assert not answer.of("wrong")
    assert answer.balance < 1e-9  # bodies are in balance, to rounding


def test_only_the_points_of_a_flex_leave_with_it(tmp_path: Path) -> None:
    """A flex without name beside bodies of the user, one of them named as if it belonged to another flex."""
    body = '<body name="{name}"><joint name="{name}" axis="0 1 0"/><geom size="0.1" mass="1"/></body>'
    named = "".join(body.format(name=name) for name in ("arm", "cloth_holder", "p0", "p1"))
    flexes = "".join(f'<flex {name} dim="1" body="p0 p1" element="0 1"/>' for name in ('name="cloth"', ""))
    text = f"<mujoco><worldbody>{named}</worldbody><deformable>{flexes}</deformable></mujoco>"
    read = import_file(written(tmp_path, "flex.xml", text))
    assert [one.name for one in read.model.bodies] == ["arm", "cloth_holder", "p0", "p1"]
