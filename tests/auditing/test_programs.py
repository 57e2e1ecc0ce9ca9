"""What other programs print: published runs of theirs, and the equations of motion that all of them satisfy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.auditing.judge import judge
from reactio.auditing.programs import PROGRAMS
from reactio.auditing.programs.ondsel import depends_on_rounding, dropped, read
from reactio.cli.app import app
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joint_reactions.wrench import joint_wrench

MODELS = Path(__file__).parents[2].parent / "shared" / "models" / "asmt"

# Vertical ground reactions of the modified double four-bar, from running the programs; printed with four digits.
PRINTED = {
    "exudyn": (22.77, 0.0, 22.77),
    "pinocchio": (16.36, 12.83, 16.36),
    "opensim": (16.36, 12.83, 16.36),
    "mujoco": (16.36, 12.83, 16.36),
    "drake": (16.06, 13.43, 16.06),
    "ondsel": (22.775, 0.0, 22.775),
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_ground_reactions_of_the_modified_double_four_bar(name: str) -> None:
    eqs = reactio.equations(reactio.build(reactio.load("modified-double-four-bar")))
    lam = PROGRAMS.get(name).split(eqs)
    found = [joint_wrench(eqs, joint, lam).force[1] for joint in "ABC"]
    np.testing.assert_allclose(found, PRINTED[name], atol=0.006)


@pytest.mark.parametrize("name", list(PROGRAMS))
@pytest.mark.parametrize(
    "model", ["spatial-parallelogram", "bennett", "modified-double-four-bar", "door", "rail-four-carriages"]
)
def test_every_program_balances(name: str, model: str) -> None:
    eqs = reactio.equations(reactio.build(reactio.load(model)))
    f = accelerations(eqs).f
    np.testing.assert_allclose(eqs.C.T @ PROGRAMS.get(name).split(eqs), f, atol=1e-8 * np.abs(f).max())


@pytest.mark.parametrize("name", ["drake", "mujoco", "pinocchio", "opensim"])
def test_points_that_the_tree_holds_still_bear_nothing(name: str) -> None:
    """The first hinge of a door is its tree; points of the others lie on its axis, where no motion of the door is."""
    eqs = reactio.equations(reactio.build(reactio.load("door", hinges=3)))
    lam = PROGRAMS.get(name).split(eqs)
    forces = {hinge: joint_wrench(eqs, hinge, lam).force for hinge in ("hinge1", "hinge2", "hinge3")}
    weight = 25.0 * 9.81
    np.testing.assert_allclose(forces["hinge1"], [0.0, 0.0, weight], atol=1e-9 * weight)  # rounding of null spaces
    for hinge in ("hinge2", "hinge3"):
        np.testing.assert_allclose(forces[hinge], 0.0, atol=1e-9 * weight)


@pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not at hand")
@pytest.mark.parametrize("name", ["piston", "00backhoe", "fourbar"])
def test_ondsel_drops_the_equations_whose_stored_moments_are_zero(name: str) -> None:
    """All two of the piston, three of the driven four-bar, and nine of the backhoe, where rounding may decide."""
    reported = read(MODELS / f"{name}.asmt")
    eqs = reactio.equations(reactio.build(reported.model))
    labels = [f"{group.name}.{label}" for group in eqs.system.groups for label in group.labels]
    left, zeros = sorted(labels[i] for i in dropped(eqs)), sorted(judge(reported).zeros)
    assert len(left) == len(zeros)
    assert left == zeros or (name == "00backhoe" and depends_on_rounding(eqs))


def test_side_by_side_and_in_json() -> None:
    run = CliRunner()
    both = run.invoke(app, ["reactions", "modified-double-four-bar", "--as", "exudyn,pinocchio"])
    assert both.exit_code == 0
    assert "22.775" in both.output
    assert "12.834" in both.output
    one = json.loads(run.invoke(app, ["reactions", "modified-double-four-bar", "--as", "exudyn", "--json"]).output)
    assert one["numbers"]["A"]["Fy"] == pytest.approx(22.775, abs=1e-3)
    assert one["rule"]
    assert one["explanation"]


@pytest.mark.parametrize(("name", "undecided"), [
    ("modified-double-four-bar", False), ("four-bar-spatial", False), ("two-by-two-four-bar", True), ("door", True),
])  # fmt: skip
def test_it_is_told_where_rounding_decides_for_ondsel(name: str, undecided: bool) -> None:
    """Two mirrored halves, and hinges on one line, have equations as good as each other; the others have not."""
    assert depends_on_rounding(reactio.equations(reactio.build(reactio.load(name)))) is undecided
    said = CliRunner().invoke(app, ["reactions", name, "--as", "ondsel"]).output
    assert ("rounding decides between them" in " ".join(said.split())) is undecided
