"""Live models of other programs: a four-bar in space and a parallelogram, joints in two orders."""

from __future__ import annotations

import pytest

import reactio as ro

FOUR_BAR = """<mujoco><option gravity="0 -9.81 -3"/><worldbody>
  <body name="crank"><joint name="A" axis="0 0 1"/><geom size="0.1" mass="1" pos="0 0.5 0"/>
    <body name="coupler" pos="0 1 0"><joint name="B" axis="0 0 1" damping="0.1"/>
      <geom size="0.1" mass="1" pos="1 0 0"/></body></body>
  <body name="rocker" pos="2 0 0"><joint name="D" axis="0 0 1"/><geom size="0.1" mass="1" pos="0 0.5 0"/></body>
</worldbody><equality>{equality}</equality></mujoco>"""
BALL = '<connect name="C" body1="coupler" body2="rocker" anchor="2 0 0"/>'
HINGE = BALL + '<connect name="Cz" body1="coupler" body2="rocker" anchor="2 0 0.5"/>'


def forward(text: str, velocity: float = 1.0) -> tuple[object, object]:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qvel[:] = [velocity, -velocity, velocity]
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("equality", [BALL, HINGE])
def test_forces_of_mujoco_in_the_plane_are_confirmed(equality: str) -> None:
    """Fx and Fy of all hinges are determined; forces along the axes are arbitrary."""
    answer = ro.audit(*forward(FOUR_BAR.replace("{equality}", equality)))
    verdicts = {(x.joint, x.component): x.verdict for x in answer.lines}
    assert not answer.of("wrong")
    assert answer.balance < 1e-9
    for joint in "ABD":
        assert verdicts[joint, "Fx"] == verdicts[joint, "Fy"] == "confirmed"
        assert verdicts[joint, "Fz"] == "arbitrary"


def test_softer_constraints_of_mujoco_give_other_arbitrary_numbers() -> None:
    soft = HINGE.replace('name="Cz"', 'name="Cz" solimp="0.2 0.3 0.001"')
    one, two = (ro.audit(*forward(FOUR_BAR.replace("{equality}", text))) for text in (HINGE, soft))
    key = {(x.joint, x.component): x for x in two.lines}
    changed = [x for x in one.lines if abs((x.theirs or 0) - (key[x.joint, x.component].theirs or 0)) > 1e-3]
    at_loop = [x for x in changed if x.joint == "C"]
    assert at_loop
    assert all(x.verdict == "arbitrary" for x in at_loop)
    assert "solimp" in one.reason


def test_what_cannot_be_audited_is_said() -> None:
    with pytest.raises(ro.ReactioError, match="nothing that can be audited"):
        ro.audit(object())
