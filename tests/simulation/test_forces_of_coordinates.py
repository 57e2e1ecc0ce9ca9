"""Forces and torques that are functions of coordinates, of their rates and of time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ReactioError
from reactio.functions.expression import Expression
from reactio.model.variables import variables

PRESS = """
space: planar
units: {units}
gravity: [0, {g}]
bodies:
  ram: {{mass: 200, inertia: {J}, position: [0, 0], points: {{left: [-{a}, 0], right: [{a}, 0]}}}}
joints: {{G: {{type: translational, bodies: [ground, ram], at: [0, 0], axis: [0, 1]}}}}
forces:
  work: {{type: force, at: ram.left, force: [0, "{k}*max(0, -{name} - {gap})"]}}
"""


@pytest.mark.parametrize("name", ["ram.y", "ram.left.y", "G.translation"])
@pytest.mark.parametrize(
    "units", [{"units": "mm", "g": -9810, "J": 2e6, "a": 300, "k": 3000, "gap": 120},
              {"units": "SI", "g": -9.81, "J": 2, "a": 0.3, "k": 3e6, "gap": 0.12}]
)  # fmt: skip
def test_a_press_rests_on_its_work(units: dict[str, Any], name: str) -> None:
    """m g = k x: the ram comes to rest 1962/3e6 m below the gap, and its guide bears m g a."""
    text = PRESS.format(name=name, **units)
    if units["units"] == "SI":
        text = text.replace("units: SI\n", "")
    rest = ro.equilibrium(ro.parse_model(text))
    assert rest.state.q[1] == pytest.approx(-0.12 - 200 * 9.81 / 3e6, rel=1e-9)
    assert ro.reactions(ro.parse_model(text), state=rest.state)["G"].moment[0] == pytest.approx(
        200 * 9.81 * 0.3, rel=1e-9
    )


TURNED = """
space: planar
units: [mm, deg]
bodies: {arm: {mass: 3, inertia: 5e5}}
joints: {pivot: {type: revolute, bodies: [ground, arm], at: [0, 0]}}
forces:
  spring: {type: torque, at: arm, torque: "-200*arm.angle - 5*arm.angle.rate"}
  load: {type: torque, at: arm, torque: 3000}
"""


def test_a_torque_is_a_function_of_the_angle_of_a_body() -> None:
    """k φ = M: 3000 N mm turn a spring of 200 N mm per degree by 15 degrees."""
    rest = ro.equilibrium(ro.parse_model(TURNED))
    assert np.rad2deg(rest.state.q[2]) == pytest.approx(15.0, rel=1e-9)
    same = TURNED.replace("arm.angle", "pivot.rotation")
    runs = [ro.simulate(ro.parse_model(text), until=0.1, output=3) for text in (TURNED, same)]
    assert runs[0].q == pytest.approx(runs[1].q, abs=1e-9)


SPRING = """
space: spatial
bodies: {{box: {{mass: 2, inertia: [1, 1, 1], position: [0.1, 0, 0], points: {{tip: [0.2, 0, 0]}}}}}}
joints: {{G: {{type: prismatic, bodies: [ground, box], at: [0.1, 0, 0], axis: [1, 0, 0]}}}}
forces: {{pull: {force}}}
"""


DAMPED = "{type: linear-spring-damper, joint: G, stiffness: 50, position: -0.1, damping: 3}"
DRIVEN = "{type: actuator, joint: G, effort: -50*(s + 0.1) - 3*rate + sin(5*t)}"
BY_BODY = "{type: force, at: box.tip, force: [-50*box.x - 3*box.x.rate, 0, 0]}"
BY_POINT = "{type: force, at: box, force: [-50*(box.tip.x - 0.2) - 3*G.translation.rate, 0, 0]}"
BOTH = "{type: actuator, joint: G, effort: -50*box.x - 3*rate + sin(5*t)}"


@pytest.mark.parametrize(("force", "reference"), [(BY_BODY, DAMPED), (BY_POINT, DAMPED), (BOTH, DRIVEN)])
def test_the_same_force_by_other_names(force: str, reference: str) -> None:
    runs = [ro.simulate(ro.parse_model(SPRING.format(force=one)), until=2.0, output=9) for one in (force, reference)]
    ours, other = (run.q[:, 0] for run in runs)
    assert ours == pytest.approx(other, abs=1e-9)
    assert runs[0].energy_error == pytest.approx(
        0.0, abs=1e-7
    )  # the work of a force that is no spring is booked as taken in


def test_stiff_runs_and_machine_code_agree() -> None:
    model = ro.parse_model(PRESS.format(units="mm", g=-9810, J=2e6, a=300, k=3000, gap=1, name="ram.y"))
    ends = [ro.simulate(model, until=0.05, method=method).q[-1, 1] for method in ("dop853", "radau5")]
    assert ends[0] == pytest.approx(ends[1], abs=1e-7)


def test_events_look_at_points_of_bodies() -> None:
    text = (
        SPRING.format(force="{type: force, at: box, force: [1, 0, 0]}") + "events: {there: {when: box.tip.x - 0.4}}\n"
    )
    (event,) = ro.simulate(ro.parse_model(text), until=1.0).events
    assert event.t == pytest.approx(np.sqrt(2 * 0.1 * 2 / 1.0), rel=1e-9)  # x = F t²/(2 m)


def test_a_written_model_says_the_same(tmp_path: Path) -> None:
    model = ro.parse_model(PRESS.format(units="mm", g=-9810, J=2e6, a=300, k=3000, gap=120, name="ram.left.y"))
    ro.save(model, tmp_path / "press.yaml")
    assert ro.load(tmp_path / "press.yaml").forces == model.forces
    work = model.forces[0].parameters["force"][1]
    assert variables(work) == {"ram.left.y"}
    assert variables(Expression("2*A.rotation.rate", coordinates=(("A.rotation.rate", 1.0),))) == {"A.rotation.rate"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3*rem.y", "Did you mean 'ram.y'"),
        ("3*ram.z", "'ram' has ram.x, ram.y, ram.angle"),
        ("3*G.Fx", "'G.Fx' is a reaction, and reactions follow from the forces"),
        ("sign(ram.y)*5", r"sign\(…\) in 'sign\(ram.y\)\*5' jumps as a coordinate moves"),
        ("3*s", "'s' has no meaning here; only t and coordinates have"),
        ("ram.y > 3", "'>' has no meaning here"),
    ],
)
def test_what_cannot_be_is_said(text: str, words: str) -> None:
    model = PRESS.format(units="mm", g=-9810, J=2e6, a=300, k=1, gap=1, name="ram.y")
    with pytest.raises(ReactioError, match=words):
        ro.parse_model(model.replace("1*max(0, -ram.y - 1)", text))


def test_a_sub_assembly_names_no_coordinates(tmp_path: Path) -> None:
    (tmp_path / "leg.yaml").write_text(SPRING.format(force='{type: force, at: box, force: ["box.x", 0, 0]}'))
    with pytest.raises(ReactioError, match=r"force 'pull' is a function of 'box.x'"):
        ro.parse_model("space: spatial\nassemblies: {one: {use: leg.yaml, prefix: one_}}\n", folder=tmp_path)
