"""Numbers that stiffness determines: told apart from those that a rule chose, with what they rest on."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.flexibility.determined import determination
from reactio.joint_reactions.data import Basis
from reactio.joint_reactions.sums import evaluated
from reactio.simulation.peaks import peaks

# A bar on three springs in a line, pressed by 90 N: k = 1, 2, 3 MN/m side by side in one direction of the plane.
BAR = """
space: planar
bodies: {bar: {mass: 1, inertia: 1}}
joints:
  s1: {type: translational, bodies: [ground, bar], at: [0, 0], axis: [1, 0], stiffness: %s}
  s2: {type: translational, bodies: [ground, bar], at: [0, 0], axis: [1, 0], stiffness: %s}
  s3: {type: translational, bodies: [ground, bar], at: [0, 0], axis: [1, 0], stiffness: %s}
forces: {press: {type: force, at: bar, force: [0, -90]}}
"""


def bar(*stiffness: str) -> reactio.Model:
    return reactio.parse_model(BAR % (stiffness or ("[0, 1e6, 1e4]", "[0, 2e6, 1e4]", "[0, 3e6, 1e4]")))


def by_compliance(model: reactio.Model) -> reactio.Reactions:
    return reactio.reactions(reactio.equations(reactio.build(model)), "compliance")


def test_a_stiffness_for_every_share_makes_an_answer() -> None:
    """Forces 15, 30 and 45 N; ∂F_i/∂ln k_i = F_i (1 − k_i/Σk): 12.5, 20 and 22.5 N."""
    found = by_compliance(bar())
    assert [found[f"s{k}"].force[1] for k in (1, 2, 3)] == pytest.approx([15, 30, 45], rel=1e-9)
    assert {found[name].state for name in found} == {"determined by stiffness"}
    assert {found[name].words for name in found} == {"not unique"}  # the verdict on the rigid model stays
    rests_on = determination(found)
    assert rests_on is not None
    assert rests_on.undecided == 0
    assert rests_on.number == pytest.approx(0.0, abs=1e-9)  # nothing turns, nothing moves
    slopes = [(one.joint, one.part, one.slope) for one in rests_on.dependences]
    assert slopes[0][:2] == ("s3", "s3")
    assert sorted(abs(slope) for _, _, slope in slopes) == pytest.approx([12.5, 20.0, 22.5], rel=1e-9)


def test_a_share_without_a_stiffness_stays_open() -> None:
    """No stiffness about z, so that moments stay open; the forces are those of the stiffness along y."""
    found = by_compliance(bar("{y: 1e6}", "{y: 2e6}", "{y: 3e6}"))
    assert found["s1"].state == "partly determined by stiffness"
    assert found["s1"].bases("joint") == (Basis.UNIQUE, Basis.STIFFNESS, Basis.OPEN)
    assert found["s2"].force[1] == pytest.approx(30, rel=1e-9)
    rests_on = determination(found)
    assert rests_on is not None
    assert (rests_on.undecided, rests_on.open_joints, rests_on.validity) == (2, ("s1", "s2", "s3"), None)
    assert evaluated(found, "s1.Fy + s2.Fy").state == "determined by stiffness"
    assert evaluated(found, "s1.Mz + s2.Mz").value is None
    assert evaluated(found, "s1.Mz + s2.Mz + s3.Mz").unique


GUIDES = """\
space: spatial
gravity: [0, 0, -9.81]
bodies: {table: {mass: 30, inertia: [1, 1, 2], position: [0, 0, 0.2]}}
joints:
  s1: {type: prismatic, bodies: [ground, table], at: [-0.2, -0.15, 0], axis: z, stiffness: {radial: 5e7, tilt: 1e6}}
  s2: {type: prismatic, bodies: [ground, table], at: [0.2, -0.15, 0], axis: z, stiffness: {radial: 5e7, tilt: 1e6}}
  s3: {type: prismatic, bodies: [ground, table], at: [0, 0.2, 0], axis: z, stiffness: {radial: 2e7, tilt: 1e6}}
drives: {z: {joint: s1, function: 0.01*t}}
forces: {cut: {type: force, at: {body: table, point: [0.15, 0.05, 0.02]}, force: [100, 30, -50]}}
"""


@pytest.mark.parametrize("turned", [0.0, 0.3])
def test_what_stiffness_determines_does_not_depend_on_the_rounding_of_axes(turned: float) -> None:
    """Moments about z are open at all instants; axes that rounding turns mix none of them into other moments."""
    along = f"axis: z, x: [{float(np.cos(turned))!r}, {float(np.sin(turned))!r}, 0]"
    run = reactio.simulate(reactio.parse_model(GUIDES.replace("axis: z", along)), 1.0, rule="compliance", output=5)
    moments = run["s1"].moment_in_joint
    assert np.isnan(moments).tolist() == [[False, False, True]] * 5
    assert moments[:, :2] == pytest.approx(np.broadcast_to(moments[0, :2], (5, 2)), rel=1e-9)


def test_a_joint_that_shares_load_without_a_stiffness_is_named() -> None:
    rests_on = determination(by_compliance(bar("[0, 1e6, 1e4]", "[0, 2e6, 1e4]", "rigid")))
    assert rests_on is not None
    assert rests_on.taken_as_rigid == ("s3",)
    words = " ".join(rests_on.sentences)
    assert "with one assumption: s3 shares this load, has no stiffness and counts as rigid" in words
    assert "answers, not choices" not in words


def test_directions_without_a_stiffness_are_named() -> None:
    rests_on = determination(by_compliance(bar("[0, 1e6, 1e4]", "[0, 2e6, 1e4]", "{y: 2e6}")))
    assert rests_on is not None
    assert rests_on.taken_as_rigid == ("s3 (about_z)",)


RODS = """\
space: planar
bodies: {bar: {mass: 1, inertia: 1}}
joints: {%s}
forces: {press: {type: force, at: bar, force: [0, -90]}}
"""
ROD = "{type: distance, a: {body: ground, point: [0, 0]}, b: {body: bar, point: [0, 1]}, stiffness: %s}"


@pytest.mark.parametrize("words", ["{length: %s}", "{along: %s}", "%s"])
def test_a_rod_has_its_stiffness_by_its_length(words: str) -> None:
    """Three upright rods in one place, of stiffness 1, 1 and 4, share 90 N as 15, 15 and 60 N."""
    rods = ", ".join(f"r{k}: {ROD % (words % size)}" for k, size in enumerate(("1e6", "1e6", "4e6")))
    found = by_compliance(reactio.parse_model(RODS % rods))
    assert [found[f"r{k}"].line["N"] for k in range(3)] == pytest.approx([-15, -15, -60], rel=1e-9)


def test_a_rod_yields_along_its_line_only() -> None:
    with pytest.raises(reactio.ReactioError, match="yields along its line only"):
        reactio.parse_model(RODS % f"r: {ROD % '{x: 1e6}'}")


def test_where_every_joint_that_shares_load_has_a_stiffness_no_default_decides() -> None:
    rests_on = determination(by_compliance(bar("[0, 1e6, 1e4]", "[0, 2e6, 1e4]", "[0, 2e6, 1e4]")))
    assert rests_on is not None
    assert rests_on.taken_as_rigid == ()
    assert rests_on.sentences[0].endswith("these reactions are answers, not choices of a rule.")


def test_other_rules_choose() -> None:
    found = reactio.reactions(reactio.equations(reactio.build(bar())), "inertia")
    assert found["s1"].state == "not unique"
    assert determination(found) is None


def test_peaks_and_envelopes_name_what_determines_them() -> None:
    run = reactio.simulate(bar(), 0.1, rule="compliance", output=3)
    verdicts = {peak.component: peak.verdict for peak in peaks(run).found if peak.name == "s1"}
    assert verdicts == dict.fromkeys(("Fy", "Mz", "|F|"), "determined by stiffness") | {"Fx": "unique"}
    by = {load.part: load.by for load in reactio.envelope(bar(), 0.1, rule="compliance", rows=5).loads}
    assert str(by["Fy"]) == "determined by stiffness"


def test_an_ambiguous_rank_is_not_an_answer() -> None:
    """Where the rank is in doubt stiffness would determine other numbers with another rank."""
    eqs = reactio.equations(reactio.build(reactio.load("door", hinges=2, bushings=1)))
    doubtful = replace(eqs.solvability, decision=replace(eqs.solvability.decision, confident=False))
    found = reactio.reactions(eqs, "compliance", answer=doubtful)
    assert "stiffness" not in found["hinge1"].state


def test_commands_say_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("bar") / "bar.yaml"
    path.write_text(BAR % ("[0, 1e6, 1e4]", "[0, 2e6, 1e4]", "[0, 3e6, 1e4]"))
    run = CliRunner()
    data = json.loads(run.invoke(app, ["reactions", str(path), "--rule", "compliance", "--json"]).stdout)
    assert data["reactions"]["s1"]["basis"] == ["unique", "stiffness", "stiffness"]
    assert data["reactions"]["s1"]["verdict"] == "not unique"
    assert data["stiffness"]["most_sensitive"]["s1"]["part"] == "s1"
    text = run.invoke(app, ["reactions", str(path), "--rule", "compliance"]).stdout
    assert "Rigid model: 0 of 3 reactions are unique." in text
    assert "split by the rule" not in text
    text = run.invoke(app, ["compare", str(path), "--rule", "compliance", "--rule", "inertia"]).stdout
    assert "◆ 15" in text
    assert "◆ determined by the stiffness given" in " ".join(text.split())


def test_a_validity_number_of_rounding_alone_is_not_printed() -> None:
    """Its measures are compared with 1: digits of 1e-37 would say which rounding was the largest."""
    text = """
space: planar
gravity: [0, 0]
bodies: {plate: {mass: 1, inertia: 1}}
joints:
  guide: {type: translational, bodies: [ground, plate], at: [0, 0], axis: [1, 0]}
  s1: {type: distance, a: {body: ground, point: [-1, 0]}, b: plate, length: 1, stiffness: 1e6}
  s2: {type: distance, a: {body: ground, point: [-2, 0]}, b: plate, length: 2, stiffness: 3e6}
forces: {pull: {type: force, at: plate, force: [400, 0]}}
"""
    basis = determination(by_compliance(reactio.parse_model(text)))
    assert basis is not None
    assert "Validity number below 1e-12: linear elasticity holds." in basis.sentences


def test_a_joint_whose_load_is_open_is_not_called_idle() -> None:
    """Two rods of stiffness 1 and 3 decide their share of a push; the guides between them stay undetermined."""
    guide = "{type: translational, bodies: [ground, bar], at: [%s, 0], axis: [0, 1]}"
    rod = "{type: distance, a: {body: ground, point: [%s, -1]}, b: {body: bar, point: [%s, 0]}, stiffness: %s}"
    parts = f"g1: {guide % -1}, g2: {guide % 1}, r1: {rod % (-1, -1, '1e6')}, r2: {rod % (1, 1, '3e6')}"
    found = by_compliance(reactio.parse_model(RODS % parts))
    assert [found[f"r{k}"].line["N"] for k in (1, 2)] == pytest.approx([-22.5, -67.5], rel=1e-9)
    assert [found[name].bears for name in ("g1", "g2", "r1", "r2")] == [None, None, True, True]
