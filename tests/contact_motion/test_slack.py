"""One meaning of slack: a part that stands off at the given pose bears nothing there, whether by slack or by length."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.design.error_bars import error_bars
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible
from reactio.flexibility.engagement import engagement
from reactio.flexibility.sensitivity import sensitivity
from reactio.model.files.read import parse_model
from reactio.reporting.gather import report
from reactio.sharing.compliance import OpenSelfStress
from reactio.simulation.contact_trajectory import ContactTrajectory
from reactio.statics.equilibrium import equilibrium

ROUNDING = 1e-12  # of forces: a handful of equations
# A bar of 98.1 N on a guide hangs on c1; c2 has a slack of g, and bears once c1 has stretched by it.
BAR = """
space: planar
gravity: [0, -9.81]
bodies: {{bar: {{mass: 10, inertia: 1, position: [0, 0]}}}}
joints:
  guide: {{type: translational, a: ground, b: bar, axis: [0, 1]}}
  c1: {{type: cable, a: {{body: ground, point: [0, 1]}}, b: bar, stiffness: 1e5{c1}}}
  c2: {{type: cable, a: {{body: ground, point: [0, 2]}}, b: bar, stiffness: 1e5{c2}}}
forces: {{pull: {{type: force, at: bar, force: [0, {F}]}}}}
"""
STRUTS = BAR.replace("cable", "strut").replace("[0, 1]}}, b", "[0, -1]}}, b").replace("[0, 2]", "[0, -2]")
FOOT = BAR.replace(
    "c2: {{type: cable, a: {{body: ground, point: [0, 2]}}, b: bar, stiffness: 1e5{c2}}}",
    "c2: {{type: contact-line, bodies: [ground, bar], at: [0, 0], axis: [1, 0], stiffness: {{y: 1e5}}{c2}}}",
)
WAYS = {
    "slack": (BAR, ", slack: 0.5 mm"),
    "play": (BAR, ", play: 0.5 mm"),
    "length": (BAR, ", length: 2.0005"),
    "length and slack": (BAR, ", length: 2.0002, slack: 0.3 mm"),
    "strut by slack": (STRUTS, ", slack: 0.5 mm"),
    "strut by length": (STRUTS, ", length: 1.9995"),
    "foot by slack": (FOOT, ", slack: 0.5 mm"),
}


def text_of(way: str, F: float = 0.0, c1: str = "") -> str:
    """The model of a way to write the slack, pulled down by F [N]."""
    template, c2 = WAYS[way]
    return template.format(c1=c1, c2=c2, F=-F)


@pytest.mark.parametrize("way", WAYS)
def test_a_slack_part_bears_nothing_in_a_rigid_model(way: str) -> None:
    """All of the weight is unique in c1: verdicts, reactions, bounds and report leave c2 out, and say its gap."""
    model = parse_model(text_of(way))
    system = reactio.build(model)
    assert [group.name for group in system.groups] == ["guide", "c1"]
    assert dict(system.open_parts) == pytest.approx({"c2": 5e-4}, rel=1e-9)
    answer = reactio.check(model)
    assert answer.redundancy == 0
    assert answer["c1"].verdict == "unique"
    forces = reactio.reactions(model)
    assert abs(float(np.linalg.norm(forces["c1"].force))) == pytest.approx(98.1, rel=ROUNDING)
    assert "c2" not in forces
    ranges = reactio.bounds(model)
    assert set(ranges.found) == {"guide", "c1"}
    page = report(model)
    assert [joint.name for joint in page.joints] == ["guide", "c1"]
    assert any("c2 (gap 0.0005 m)" in note for note in page.words)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("F", [0.0, -50.0, -10.0, 400.0])
def test_by_stiffness_it_bears_beyond_its_slack(way: str, F: float) -> None:
    """λ₂ = max(0, (W + F − k g)/2), the same by every command that knows of stiffness."""
    model = parse_model(text_of(way, F))
    second = max(0.0, (98.1 + F - 1e5 * 5e-4) / 2)
    forces = reactio.reactions(model, "compliance")
    assert float(np.linalg.norm(forces["c2"].force)) == pytest.approx(second, abs=1e-9)
    assert forces["c2"].bears == (second > 0)
    line = next(joint for joint in report(model, rule="compliance").joints if joint.name == "c2")
    assert float(np.linalg.norm(line.wrench[:3])) == pytest.approx(second, abs=1e-9)
    assert float(np.linalg.norm(sensitivity(model).now["c2"][:2])) == pytest.approx(second, abs=1e-9)
    assert any("c2" in part.name for part in flexible(model).parts)
    assert error_bars(model, {"c1.length": 1e-6}) is not None


@pytest.mark.parametrize("way", WAYS)
def test_it_is_engaged_by_its_gap(way: str) -> None:
    """c1 bears from the start; c2 from the part x of the weight with x W = k g = 50 N on."""
    path = engagement(parse_model(text_of(way)), "weight", 1.0)
    assert path.bears_at_start == ("c1",)
    (event,) = path.events
    assert (event.begins, event.ceases) == (("c2",), ())
    assert event.load == pytest.approx(50 / 98.1, rel=1e-9)


@pytest.mark.parametrize("way", [way for way in WAYS if not way.startswith("foot")])
def test_motion_begins_with_the_same_parts(way: str) -> None:
    """The bar rests on c1 alone, and its reaction along the run is the weight."""
    run = reactio.simulate(parse_model(text_of(way)), until=0.02, output=3)
    assert isinstance(run, ContactTrajectory)
    assert run.closed_at_end == ("c1",)


def test_a_foot_that_stands_off_is_not_left_out_of_a_motion() -> None:
    """It is refused by name: no run would notice when it bears."""
    for question in (lambda m: reactio.simulate(m, until=0.01), equilibrium):
        with pytest.raises(ReactioError, match="c2 is slack at the given pose and may become taut"):
            question(parse_model(text_of("foot by slack")))


def test_systems_of_the_rigid_pose_are_refused_by_stiffness() -> None:
    """They have no row of the slack cable, which would bear: not a number without it."""
    system = reactio.build(parse_model(text_of("slack", 400.0)))
    with pytest.raises(ReactioError, match="c2 cannot carry load"):
        reactio.reactions(system, "compliance")


def test_parts_that_are_pressed_or_tightened_bear() -> None:
    """An interference holds, and a preload takes up the slack."""
    for c2 in (", slack: -0.5 mm, fit: interference", ", slack: 0.5 mm, preload: {N: 20}"):
        model = parse_model(BAR.format(c1="", c2=c2, F=0))
        assert reactio.check(model).redundancy == 1
        assert not reactio.build(model).open_parts


def test_commands_say_who_is_slack(tmp_path: Path) -> None:
    """`check`, `bounds` and `reactions` list it as open; by stiffness JSON has `bears`."""
    file = tmp_path / "bar.yaml"
    file.write_text(text_of("slack"))
    run = CliRunner().invoke
    for verb in ("check", "reactions", "bounds"):
        assert "Open, without a reaction: c2 (gap 0.0005 m)." in run(app, [verb, str(file)]).output
    for verb in ("check", "bounds"):
        assert json.loads(run(app, [verb, str(file), "--json"]).output)["open_contacts"] == pytest.approx({"c2": 5e-4})
    shown = json.loads(run(app, ["reactions", str(file), "--rule", "compliance", "--json"]).output)
    assert shown["reactions"]["c2"]["bears"] is True
    assert "may begin" not in run(app, ["report", str(file), "-o", str(tmp_path / "page.html")]).output


def test_tolerances_of_a_cable_that_is_too_short() -> None:
    """c2 is 0.1 mm too short: λ₂ = (W + k · 0.1 mm)/2, and 1 µm of its length changes it by k · 1 µm/2."""
    bars = error_bars(parse_model(BAR.format(c1="", c2=", length: 1.9999", F=0)), {"c2.length": 1e-6})
    assert bars["c2.N"].nominal == pytest.approx((98.1 + 10.0) / 2, rel=1e-9)
    assert bars["c2.N"].worst == pytest.approx(0.05, rel=1e-6)


TWO_CABLES = """
space: planar
gravity: [0, -9.81]
bodies: {bar: {mass: 10, inertia: 1, position: [0, 0]}}
joints:
  guide: {type: translational, a: ground, b: bar, axis: [0, 1]}
  c1: {type: cable, a: {body: ground, point: [0, 1]}, b: bar, length: 1.05, stiffness: 1e5}
  c2: {type: cable, a: {body: ground, point: [0, 1]}, b: bar, slack: 0.05, stiffness: 1e5}
"""
DRIVEN_FOOT = """
space: planar
gravity: [0, -9.81]
bodies: {{bar: {{mass: 10, inertia: 1, position: [0, 0.1]}}}}
joints:
  guide: {{type: translational, a: ground, b: bar, axis: [0, 1]}}{joint}
drives: {{lift: {{joint: guide, function: "0.1 - t"}}}}{contact}
"""
FEET = {
    "contact": DRIVEN_FOOT.format(
        joint="", contact="\ncontacts: {foot: {type: point-on-line, line: ground, point: bar}}"
    ),
    "joint with slack": DRIVEN_FOOT.format(
        joint="\n  foot: {type: contact-line, bodies: [ground, bar], at: [0, 0.1], axis: [1, 0], slack: 0.1}",
        contact="",
    ),
}


@pytest.mark.parametrize("foot", FEET)
def test_a_driven_foot_takes_the_load_where_it_touches(foot: str) -> None:
    """The drive bears 98.1 N while the foot is off the ground; where it touches, the two share it in any way."""
    system = reactio.build(parse_model(FEET[foot]))
    falling = np.array([0.0, -1.0, 0.0])
    above = reactio.State(0.05, np.array([0.0, 0.05, 0.0]), falling)
    below, parting = (reactio.State(0.1, np.zeros(3), v) for v in (falling, -falling))
    assert reactio.check(system, above)["lift"].verdict == "unique"
    assert reactio.check(system, below)["lift"].verdict == "not unique"
    assert reactio.check(system, below)["foot"].verdict == "not unique"
    assert reactio.check(system, parting)["lift"].verdict == "unique"
    with pytest.raises(ReactioError, match="in motion"):
        reactio.check(system, t=0.1)
    with pytest.raises(ReactioError, match="'foot' bears at pose 1"):
        reactio.check_many(system, np.array([above.q, below.q]), times=[0.05, 0.1])


def test_parts_that_bear_at_another_state_are_judged_there() -> None:
    """Two cables get taut at the end of a run: neither is unique there, and at the given pose neither is there."""
    model = parse_model(TWO_CABLES)
    run = reactio.simulate(model, 0.4)
    assert isinstance(run, ContactTrajectory)
    assert set(run.closed_at_end) == {"c1", "c2"}
    for source in (model, reactio.build(model)):
        answer = reactio.check(source, state=run.final)
        assert answer.redundancy == 1
        assert {answer["c1"].verdict, answer["c2"].verdict} == {"not unique"}
        forces = reactio.reactions(source, state=run.final)
        assert np.isnan(forces["c1"].force).any()
        assert float(np.linalg.norm(reactio.reactions(source, "pseudoinverse", state=run.final)["c2"].force)) == (
            pytest.approx(49.05, rel=1e-6)
        )
        assert {"c1", "c2"} <= set(reactio.bounds(source, state=run.final).found)
        assert reactio.check(source).redundancy == 0
    assert {"c1", "c2"} <= {joint.name for joint in report(model, state=run.final).joints}
    with pytest.raises(ReactioError, match="'c1' bears at pose 1"):
        reactio.check_many(model, np.array([run.q[0], run.final.q]))
    assert len(reactio.check_many(model, run.q[:1])) == 1
    for question in (lambda: reactio.reactions(model, "compliance", state=run.final),
                     lambda: error_bars(model, {"c1.length": 1e-6}, state=run.final)):  # fmt: skip
        with pytest.raises(ReactioError, match="At this state the gaps of c1, c2 are not those"):
            question()


BETWEEN_STOPS = """
space: planar
gravity: [0, -9.81]
bodies: {bar: {mass: 10, inertia: 1, position: [0, 0]}}
joints:
  guide: {type: translational, a: ground, b: bar, axis: [0, 1]}
  c1: {type: cable, a: {body: ground, point: [0, 1]}, b: bar, stiffness: 1e5}
contacts: {foot: {type: point-on-line, line: ground, point: bar, stiffness: 1e5}}
drives: {lift: {joint: guide, function: "t"}}
"""


def test_parts_that_are_open_at_another_state_have_no_row_there() -> None:
    """A bar is lifted: the drive alone holds it once cable and foot have opened, and there its force is unique."""
    model = parse_model(BETWEEN_STOPS)
    system, up = reactio.build(model), np.array([0.0, 1.0, 0.0])
    lifted = reactio.State(0.1, np.array([0.0, 0.1, 0.0]), up)
    parting, resting = (reactio.State(0.0, np.zeros(3), v) for v in (up, np.zeros(3)))
    assert reactio.check(system, resting).redundancy == 2
    for source in (model, system):
        for state in (lifted, parting):
            answer = reactio.check(source, state)
            assert answer.redundancy == 0
            assert {joint.name for joint in answer} == {"guide", "lift"}
            assert abs(float(reactio.reactions(source, state=state)["lift"].force[0])) == pytest.approx(
                98.1, rel=ROUNDING
            )
        with pytest.raises(ReactioError, match="'c1' stands open at pose 1, and bears at the given pose"):
            reactio.check_many(source, np.array([resting.q, lifted.q]), times=[0.0, 0.1])
    with pytest.raises(ReactioError, match="gaps of c1, foot are not those at the given pose"):
        reactio.reactions(model, "compliance", state=reactio.State(0.01, np.array([0.0, 0.01, 0.0]), up))
    loose = parse_model(BETWEEN_STOPS.split("drives:")[0])
    guess = reactio.State(0.0, lifted.q, np.zeros(3))
    assert reactio.assemble(loose, guess).q == pytest.approx(np.zeros(3), abs=1e-9)


@pytest.mark.parametrize("slack", [1e-3, 0.01, 0.1, 0.3, -1e-3])
def test_length_and_slack_that_cancel_hold_the_pose(slack: float) -> None:
    """A cable that is too short by its slack bears in the rigid model at the given pose: 49.05 N by stiffness."""
    fit = ", fit: interference" if slack < 0 else ""
    model = parse_model(BAR.format(c1="", c2=f", length: {2 - slack!r}, slack: {slack!r}{fit}", F=0))
    system = reactio.build(model)
    assert not system.open_parts
    assert reactio.assemble(system).q == pytest.approx(np.zeros(3), abs=1e-12)
    assert reactio.check(model)["c2"].verdict == "not unique"
    assert float(np.linalg.norm(reactio.reactions(model, "compliance")["c2"].force)) == pytest.approx(49.05, abs=1e-6)


@pytest.mark.parametrize("g", [2e-7, -2e-7, 1e-9, 1e-12])
@pytest.mark.parametrize(("text", "sign"), [(BAR, 1), (STRUTS, -1)])
def test_stiff_parts_feel_any_difference_of_length(g: float, text: str, sign: int) -> None:
    """λ₂ = (W − k g)/2 also where g is far below a micrometre: 39.05 N, not 49.05 N, at 1e8 N/m and 0.2 µm."""
    model = parse_model(text.format(c1="", c2=f", length: {2 + sign * g!r}", F=0).replace("1e5", "1e8"))
    forces = reactio.reactions(model, "compliance")
    assert abs(forces["c2"].line["N"]) == pytest.approx((98.1 - 1e8 * g) / 2, abs=1e8 * 1e-15)
    assert forces.eqs.state.q == pytest.approx(np.zeros(3), abs=1e-15)


@pytest.mark.parametrize("g", [2e-7, 1e-9, -2e-7, 0.0])
def test_stiff_feet_feel_any_gap(g: float) -> None:
    """A foot under the bar, 0.2 µm above the ground, is not a closed one: (W − k g)/2, without moving the bar."""
    text = BETWEEN_STOPS.split("drives:")[0].replace("1e5", "1e8")
    model = parse_model(text.replace("line: ground", f"line: {{body: ground, point: [0, {-g!r}], normal: [0, 1]}}"))
    forces = reactio.reactions(model, "compliance")
    foot = float(np.linalg.norm(forces["foot"].force))
    assert foot == pytest.approx((98.1 - 1e8 * g) / 2, abs=1e8 * 1e-15)
    assert foot + forces["c1"].line["N"] == pytest.approx(98.1, rel=ROUNDING)
    assert forces.eqs.state.q == pytest.approx(np.zeros(3), abs=1e-15)


@pytest.mark.parametrize("friction", ["", ", friction: 0.5"])
@pytest.mark.parametrize(("z", "corner"), [(0.0, 0.0), (0.0, 1e-9), (1e-8, 1e-9), (0.0, 2e-7), (0.0, -2e-7)])
def test_rounding_of_a_pose_does_not_decide_between_rigid_feet(z: float, corner: float, friction: str) -> None:
    """Which of four rigid feet bear would follow from a corner that is off in its seventh digit alone."""
    model = parse_model(f"""
space: spatial
gravity: [0, 0, -9.81]
bodies:
  table: {{mass: 10, inertia: [1, 1, 1], position: [0, 0, {z}],
          points: {{a: [-0.5, -0.5, 0], b: [0.5, -0.5, 0], c: [0.5, 0.5, 0], d: [-0.5, 0.5, {corner}]}}}}
contacts: {{feet: {{type: point-on-plane, plane: ground, points: [table.a, table.b, table.c, table.d]{friction}}}}}
joints: {{rod: {{type: distance, a: {{body: ground, point: [0, 0, 1]}}, b: table, stiffness: 1e7}}}}
""")
    with pytest.raises(OpenSelfStress, match="undecided, in feet1, feet2, feet3, feet4"):
        reactio.reactions(model, "compliance")


@pytest.mark.parametrize("way", WAYS)
def test_rules_are_compared_where_a_part_is_slack(way: str, tmp_path: Path) -> None:
    """In the rigid pose c1 bears 98.1 N and c2 nothing; by stiffness c2 takes up its slack, and neither is unique."""
    (file := tmp_path / "bar.yaml").write_text(text_of(way))
    shown = json.loads(CliRunner().invoke(app, ["reactions", str(file), "--compare", "--json"]).output)
    table = reactio.compare(reactio.load(str(file)))
    assert shown["rules"] == list(table.rules)
    assert shown["refused"] == []
    k = table.rules.index("compliance")
    second = (98.1 - 50.0) / 2
    for name, rigid, stiff in (("c1", 98.1, 98.1 - second), ("c2", 0.0, second)):
        for row in table.of(name):
            if row.component in ("N", "Fy"):
                assert row.unique is False
                assert np.abs(np.delete(row.values, k)) == pytest.approx(rigid, abs=1e-9)
                assert abs(row.values[k]) == pytest.approx(stiff, abs=1e-9)
                assert row.by_stiffness[k]
    assert any(note.startswith("Open in the rigid pose, with their gaps: c2") for note in shown["notes"])
    rigid_only = reactio.compare(reactio.load(str(file)), ["pseudoinverse"])
    assert {row.group for row in rigid_only.rows} == {"guide", "c1"}


FEET_AND_STOP = """
space: planar
gravity: [0, -9.81]
bodies: {{bar: {{mass: 10, inertia: 1, position: [0, 0]}}}}
contacts:
  feet: {{type: point-on-line, line: ground, points: [{{body: bar, point: [-1, 0]}}, {{body: bar, point: [1, 0]}}],
         stiffness: 1e5}}
  stop: {{type: point-on-line, line: {{body: ground, point: [0, -8e-4]}}, point: bar, stiffness: 1e5}}
tolerances: {tolerances}
"""


def test_tolerances_of_others_may_close_an_open_contact() -> None:
    """A stop open by 0.8 mm between feet of ± 1 mm is refused by name; feet of ± 1 µm leave it open."""
    with pytest.raises(ReactioError, match="'stop' is open by"):
        error_bars(parse_model(FEET_AND_STOP.format(tolerances="{feet: {y: 1e-3}}")))
    assert error_bars(parse_model(FEET_AND_STOP.format(tolerances="{feet: {y: 1e-6}}"))).tolerances


@pytest.mark.parametrize("order", [1, -1])
def test_tolerances_of_contacts_merge_in_any_order(order: int) -> None:
    """Those of a point replace those of its contact, kind by kind."""
    kinds = ["feet2: {y: 2e-6}", "feet: {x: 3e-6, y: 1e-6}"][::order]
    found = error_bars(parse_model(FEET_AND_STOP.format(tolerances="{" + ", ".join(kinds) + "}")))
    assert dict(found.tolerances) == {"feet1.x": 3e-6, "feet1.y": 1e-6, "feet2.x": 3e-6, "feet2.y": 2e-6}
    given = dict([("feet2.y", 2e-6), ("feet.y", 1e-6)][::order])
    model = parse_model(FEET_AND_STOP.format(tolerances="{}"))
    assert dict(error_bars(model, given).tolerances) == {"feet1.y": 1e-6, "feet2.y": 2e-6}


TABLE = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {top: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 1]}}
contacts:
  foot:
    type: point-on-plane
    plane: ground
    points:
      - {body: top, point: [1, 1, -1]}
      - {body: top, point: [-1, 1, -1]}
      - {body: top, point: [-1, -1, -1]}
      - {body: top, point: [1, -1, -1]}
"""


def test_gaps_within_the_overlap_of_a_state_are_its_errors() -> None:
    """A table tilted by 1e-5 rad, or tilting at 1e-5 rad/s, has two feet in the ground: no foot is unique there."""
    model = parse_model(TABLE)
    system = reactio.build(model)
    tilted, tilting = system.q0.copy(), np.zeros(system.n)
    tilted[4], tilting[3] = 5e-6, 1e-5
    for state in (reactio.State(0.0, tilted, np.zeros(system.n)), reactio.State(0.0, system.q0, tilting)):
        answer = reactio.check(model, state)
        assert {joint.name: joint.verdict for joint in answer} == dict.fromkeys(
            ("foot1", "foot2", "foot3", "foot4"), "not unique"
        )


def test_the_given_pose_as_a_state_has_its_interference() -> None:
    """A cable pressed by 0.5 mm shares the load as it does without a state."""
    model = parse_model(BAR.format(c1="", c2=", slack: -0.5 mm, fit: interference", F=0))
    given = reactio.reactions(model, "compliance")
    asked = reactio.reactions(model, "compliance", state=reactio.build(model).state())
    for name in ("c1", "c2"):
        assert asked[name].force == pytest.approx(given[name].force, abs=1e-9)
    assert abs(float(asked["c2"].force[1])) == pytest.approx((98.1 + 50.0) / 2, rel=1e-9)
