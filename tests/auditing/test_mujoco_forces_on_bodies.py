"""Live MuJoCo models whose forces act on bodies directly: every determined number against Newton and Euler by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import reactio as ro
from reactio.auditing.data import Audit, Finding

from .mujoco_truth import reactions

TRUTH_ERROR = 1e-5  # part of the largest force: accelerations by differences


class Trial(NamedTuple):
    """A model, its state, and the joints at which MuJoCo's wrenches are not the reactions."""

    body: str
    option: str = ""
    more: str = ""
    wrong: tuple[str, ...] = ()
    control: float = 1.0
    speed: float = 1.0
    steps: int = 0  # before the audit: soft constraints give way


ARM = """<body name="upper"><joint name="shoulder" axis="0 1 0" {joint}/>
<geom type="capsule" size="0.03" fromto="0 0 0 0.3 0 0" mass="2" {geom}/><site name="origin" pos="0.15 0 0.04"/>
<geom name="roller" type="cylinder" size="0.03 0.05" pos="0.3 0 0" euler="90 0 0" mass="0.1" contype="0"/>
<site name="side" pos="0.3 0 0.06"/>
<body name="fore" pos="0.3 0 0" {body}><joint name="elbow" axis="0 1 0" {joint}/>
<geom type="capsule" size="0.03" fromto="0 0 0 0.25 0 0.1" mass="1" contype="0" conaffinity="0" {geom}/>
<site name="insertion" pos="0.05 0.01 0.04" euler="20 30 0"/><site name="tip" pos="0.25 0 0.1" euler="0 40 10"/>
</body></body>"""
PLAIN = ARM.format(joint="", geom="", body="")
PATH = '<tendon><spatial name="biceps"{}><site site="origin"/>{}<site site="insertion"/></spatial></tendon>'
WRAP = '<geom geom="roller" sidesite="side"/>'
FOUR_BAR = """<body name="crank"><joint name="A" axis="0 1 0" armature="0.2" frictionloss="0.3"/>
<geom size="0.05" mass="1" pos="0 0 0.5"/><site name="one" pos="0 0 0.5"/>
<body name="coupler" pos="0 0 1"><joint name="B" axis="0 1 0" damping="0.4" stiffness="2"/>
<geom size="0.05" mass="1" pos="1 0 0"/><site name="two" pos="1 0 0"/></body></body>
<body name="rocker" pos="2 0 0"><joint name="D" axis="0 1 0"/><geom size="0.05" mass="1" pos="0 0 0.5"/></body>"""
SPRING = """<tendon><spatial name="spring" stiffness="300" damping="5" springlength="0.2">
<site site="one"/><site site="two"/></spatial></tendon>"""
SLIDER = """<body name="piston" pos="0.8 0.1 0"><joint name="slide" type="slide" axis="1 0 0.2"/>
<geom type="box" size="0.05 0.04 0.03" mass="2" contype="0"/><site name="rail" pos="0.05 0 0" euler="5 90 0"/></body>"""
TRIALS = {
    "a motor of 200 N on a tendon": Trial(
        PLAIN, more=PATH.format("", "") + '<actuator><motor tendon="biceps" gear="-200"/></actuator>'
    ),
    "a muscle around a roller": Trial(
        PLAIN,
        more=PATH.format("", WRAP) + '<actuator><muscle tendon="biceps" force="200" lengthrange="0.1 0.4"/></actuator>',
        steps=20,
    ),
    "a tendon with spring, damper and friction": Trial(
        PLAIN, more=PATH.format(' stiffness="400" damping="7" frictionloss="3" springlength="0.1 0.12"', WRAP)
    ),
    "tendons with armature that move": Trial(
        PLAIN,
        more=PATH.format(' armature="20" stiffness="200"', "").replace(
            "</tendon>", '<spatial armature="3"><site site="origin"/><site site="tip"/></spatial></tendon>'
        ),
        speed=3.0,
    ),
    "a tendon over pulleys": Trial(
        PLAIN,
        more="""<tendon><spatial stiffness="200" springlength="0"><site site="origin"/><site site="insertion"/>
        <pulley divisor="2"/><site site="insertion"/><site site="origin"/><pulley divisor="4"/><site site="origin"/>
        <geom geom="roller" sidesite="side"/><site site="tip"/></spatial></tendon>""",
    ),
    "a tendon at its limit": Trial(PLAIN, more=PATH.format(' limited="true" range="0 0.15"', "")),
    "an actuator on a site": Trial(
        PLAIN, more='<actuator><general site="tip" gear="3 -2 10 0.5 1 0.2"/></actuator>', wrong=("shoulder", "elbow")
    ),
    "an actuator on a site, in axes of another": Trial(
        '<site name="mast" euler="10 20 30"/>' + PLAIN,
        more='<actuator><general site="tip" refsite="mast" gear="3 -2 10 0 0 0"/></actuator>',
        wrong=("shoulder", "elbow"),
    ),
    "an actuator on a site, in axes of the body before": Trial(
        PLAIN, more='<actuator><general site="tip" refsite="origin" gear="3 -2 10 0.3 0.4 0"/></actuator>',
        wrong=("elbow",),
    ),
    "an actuator between sites of two chains": Trial(
        PLAIN + SLIDER, more='<actuator><general site="tip" refsite="rail" gear="3 -2 10 0.3 0.4 0"/></actuator>',
        wrong=("elbow", "shoulder", "slide"),
    ),
    "a slider-crank": Trial(
        PLAIN + SLIDER,
        more='<actuator><general cranksite="tip" slidersite="rail" cranklength="0.9" gear="30"/></actuator>',
        wrong=("elbow", "shoulder", "slide"),
    ),
    "water": Trial(PLAIN, 'density="1000" viscosity="0.1" wind="0.5 2 0"', wrong=("shoulder", "elbow")),
    "air around ellipsoids": Trial(
        ARM.format(joint="", geom='fluidshape="ellipsoid"', body=""),
        'density="20"',
        wrong=("shoulder", "elbow"),
        speed=5,
    ),
    "gravity compensation": Trial(ARM.format(joint="", geom="", body='gravcomp="0.7"'), wrong=("shoulder", "elbow")),
    "armature, friction, springs and stops of joints": Trial(
        ARM.format(
            joint='armature="0.3" frictionloss="0.4" stiffness="3" damping="0.5" limited="true" range="-1 10"',
            geom="",
            body="",
        ),
        steps=150,
    ),
    "a soft loop with a spring across it": Trial(
        FOUR_BAR,
        more=SPRING + '<equality><connect body1="coupler" body2="rocker" anchor="2 0 0"/></equality>',
        speed=0.0,
        steps=50,
    ),
    "contacts": Trial(
        '<geom type="plane" size="1 1 1" pos="0.4 0 -0.2" euler="0 10 0"/>' + PLAIN, speed=0.0, steps=300
    ),
}  # fmt: skip


def state(trial: Trial) -> tuple[Any, Any, Any]:
    mujoco = pytest.importorskip("mujoco")
    head = f'<mujoco><compiler angle="degree"/><option {trial.option}/>'
    model = mujoco.MjModel.from_xml_string(f"{head}<worldbody>{trial.body}</worldbody>{trial.more}</mujoco>")
    data = mujoco.MjData(model)
    data.ctrl[:] = trial.control
    data.qvel[:] = trial.speed * np.array([1.0, -0.7, 0.3, 0.5])[: model.nv]
    for _ in range(trial.steps):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    return mujoco, model, data


def against_truth(answer: Audit, truth: dict[str, Any]) -> tuple[float, float]:
    """The largest differences from the truth, of the largest force: of our numbers, and of theirs if confirmed."""
    size = max(float(np.abs(wrench).max()) for wrench in truth.values())
    ours = theirs = 0.0
    for line in answer.components:
        if line.joint in truth and line.ours is not None and line.theirs is not None:
            value = truth[line.joint][["Fx", "Fy", "Fz", "Mx", "My", "Mz"].index(line.component)]
            ours = max(ours, abs(line.ours - value) / size)
            confirmed = line.verdict is Finding.CONFIRMED
            theirs = max(theirs, confirmed * abs(line.theirs - value) / size)
            if line.verdict is Finding.WRONG:
                assert abs(line.theirs - value) > TRUTH_ERROR * size, f"{line} is called wrong, and is right"
    return ours, theirs


@pytest.mark.parametrize("name", TRIALS)
def test_determined_reactions_are_those_of_newton_and_euler(name: str) -> None:
    trial = TRIALS[name]
    mujoco, model, data = state(trial)
    answer = ro.audit(model, data, axes="world")
    ours, theirs = against_truth(answer, reactions(mujoco, model, data))
    assert ours < TRUTH_ERROR
    assert theirs < TRUTH_ERROR
    assert {line.joint for line in answer.of("wrong")} == set(trial.wrong)
    assert not answer.of("not judged")


ROD = '<body name="rod"><joint name="pin" axis="0 1 0"/><inertial mass="3" pos="0.5 0 0" diaginertia="0.1 0.25 0.25"/>'
BY_HAND = {
    # A muscle of 200 N along x over an elbow that it does not accelerate along x presses it together by 200 N.
    "elbow": (
        Trial(
            """<site name="fixed" pos="-0.2 0 0.05"/><body name="fore"><joint name="pin" axis="0 1 0"/>
            <geom size="0.02" mass="1" pos="0 0 0.2"/><site name="moved" pos="0.1 0 0.05"/></body>""",
            'gravity="0 0 0"',
            '<tendon><spatial name="m"><site site="fixed"/><site site="moved"/></spatial></tendon>'
            '<actuator><motor tendon="m" gear="-200"/></actuator>',
            speed=0.0,
        ),
        # α = −M/J with M = 200 N · 0.05 m, J about the pin; its centre, 0.2 m above the pin, moves along x.
        ("Fx", 200.0 - 1.0 * 0.2 * (200.0 * 0.05) / (0.2**2 + 0.4 * 0.02**2)),
    ),
    # A uniform rod pushed at its tip by 10 N across: α = F L/J, m α L/2 − F = F/2.
    "site": (
        Trial(
            ROD + '<site name="tip" pos="1 0 0"/></body>',
            'gravity="0 0 0"',
            '<actuator><motor site="tip" gear="0 0 10 0 0 0"/></actuator>',
            speed=0.0,
        ),
        ("Fz", 5.0),
    ),
    # Water of 2 m/s across a slide pushes a box of 0.36 m × 0.12 m by ρ A v²/2; MuJoCo says 0.
    "fluid": (
        Trial(
            """<body name="box"><joint name="pin" type="slide" axis="0 0 1"/>
            <geom type="box" size="0.1 0.18 0.06" mass="3"/></body>""",
            'gravity="0 0 0" density="1000" wind="2 0 0"',
            speed=0.0,
        ),
        ("Fx", -0.5 * 1000 * 0.36 * 0.12 * 2.0**2),
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_forces_on_bodies_by_hand(name: str) -> None:
    trial, (component, value) = BY_HAND[name]
    _, model, data = state(trial)
    answer = ro.audit(model, data, axes="world")
    (line,) = [line for line in answer.components if line.component == component]
    assert line.ours == pytest.approx(value, rel=1e-9)
    assert (line.verdict is Finding.CONFIRMED) == (line.theirs == pytest.approx(value, rel=1e-6))
    (said,) = [note for note in answer.notes if "act on bodies directly" in note]
    assert {"elbow": "tendon 'm'", "site": "the actuator '0'", "fluid": "the fluid"}[name] in said


TWO_ARMS = PLAIN + PLAIN.replace('name="', 'name="left ').replace(
    '<body name="left upper">', '<body name="left upper" pos="0 1 0">'
)


def test_only_what_an_unbalanced_body_can_reach_is_not_judged() -> None:
    """The acceleration of one elbow is changed by hand, as if a force were missing: the other arm is confirmed."""
    _, model, data = state(Trial(TWO_ARMS, speed=0.0))
    data.qacc[model.joint("left elbow").dofadr] += 5.0
    answer = ro.audit(model, data)
    assert {line.joint for line in answer.of("not judged")} == {"left_elbow", "left_shoulder"}
    assert {line.joint for line in answer.of("confirmed")} >= {"elbow", "shoulder"}
    assert all(line.ours is None for line in answer.of("not judged"))
    (said,) = [note for note in answer.notes if "not judged" in note]
    assert "body 'left_fore'" in said
    assert "mj_forward" in said


def test_gravity_compensation_by_some_joints_alone_is_not_judged() -> None:
    """One joint compensates the weight by its motor, the other by a force: nothing says where that force acts."""
    arm = ARM.format(joint="", geom="", body='gravcomp="1"').replace(
        'name="elbow"', 'name="elbow" actuatorgravcomp="true"'
    )
    arm = arm.replace('name="', 'name="left ').replace(
        '<body name="left upper">', '<body name="left upper" pos="0 1 0">'
    )
    _, model, data = state(Trial(PLAIN + arm))
    answer = ro.audit(model, data)
    assert {line.joint for line in answer.of("not judged")} == {"left_elbow", "left_shoulder"}
    (said,) = [note for note in answer.notes if "not judged" in note]
    assert "compensate its weight by their actuators" in said
