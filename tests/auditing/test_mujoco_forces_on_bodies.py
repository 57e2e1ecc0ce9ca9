"""MuJoCo models with forces on bodies that its wrenches leave out: an audit of them is refused, by the name of each."""

from __future__ import annotations

import pytest

import reactio as ro
from reactio.errors import ReactioError

PENDULUM = """<mujoco><option{option}/><worldbody><site name="roof" pos="0.3 0 1"/>
<body name="rod" {body}><joint name="pin" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 1 0 0"/>
<site name="tip" pos="1 0 0"/></body></worldbody>{more}</mujoco>"""
TENDON = '<tendon><spatial name="string"{}><site site="roof"/><site site="tip"/></spatial></tendon>'
SITE_MOTOR = '<actuator><general name="jet" site="tip" gear="0 0 1 0 0 0" gaintype="fixed" gainprm="10"/></actuator>'
MUSCLE = TENDON.format("") + '<actuator><motor name="m" tendon="string" gear="10"/></actuator>'


@pytest.mark.parametrize(
    ("given", "control", "words"),
    [
        ({"more": TENDON.format(' stiffness="100" springlength="0.1"')}, 0.0, "spatial tendon 'string'"),
        ({"more": MUSCLE}, 1.0, "spatial tendon 'string'"),
        ({"more": SITE_MOTOR}, 1.0, "actuator 'jet'"),
        ({"option": ' density="1000"'}, 0.0, "the fluid"),
        ({"body": 'gravcomp="1"'}, 0.0, "gravity compensation"),
        ({"more": MUSCLE}, 0.0, ""),  # a muscle without force loads nothing
        ({}, 0.0, ""),
    ],
)
def test_forces_on_bodies(given: dict[str, str], control: float, words: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(PENDULUM.format(**({"option": "", "body": "", "more": ""} | given)))
    data = mujoco.MjData(model)
    data.ctrl[:] = control
    data.qvel[:] = 1.0
    mujoco.mj_forward(model, data)
    if words:
        with pytest.raises(ReactioError, match=words):
            ro.audit(model, data)
    else:
        ro.audit(model, data)
