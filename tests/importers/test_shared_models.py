"""Real mechanisms drawn by others: rank, redundancy, mobility and verdicts against an independent analysis.

Truth: README.md of the folder, one twist per moving body, drives not counted.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import reactio as ro
from reactio.exporters import export
from reactio.importers.pipeline import import_file
from reactio.model.transform.rotors import rotors

MODELS = Path(__file__).resolve().parents[3] / "shared" / "models"
pytestmark = pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not at hand")


class Truth(NamedTuple):
    m: int
    n: int
    rank: int
    redundancy: int
    mobility: int
    unique: int
    partly: int
    not_unique: int
    known: int


TRUTH = {
    "mjcf/robotiq_2f85.xml": Truth(47, 48, 45, 2, 3, 1, 10, 0, 37),
    "mjcf/agility_cassie.xml": Truth(118, 138, 116, 2, 22, 18, 8, 0, 110),
    "mjcf/toddlerbot_2xc.xml": Truth(241, 270, 232, 9, 38, 49, 4, 4, 213),
    "urdf/5bar_linkage/robot.urdf": Truth(36, 36, 33, 3, 3, 0, 7, 0, 15),
    "urdf/5bar_linkage_iso3d/robot.urdf": Truth(28, 30, 28, 0, 2, 6, 0, 0, 28),
    "urdf/robot_delta/robot.urdf": Truth(88, 84, 79, 9, 5, 0, 17, 0, 37),
    "urdf/cassie_like/robot.urdf": Truth(107, 114, 107, 0, 7, 21, 0, 0, 107),
    "asmt/fourbar.asmt": Truth(20, 18, 17, 3, 1, 0, 4, 0, 8),
    "asmt/piston.asmt": Truth(19, 18, 17, 2, 1, 0, 4, 0, 11),
    "asmt/00backhoe.asmt": Truth(65, 60, 56, 9, 4, 1, 12, 0, 29),
    "asmt/Schmidt_Coupling_Ass_1-1.asmt": Truth(83, 72, 71, 12, 1, 1, 16, 0, 39),
    "fcstd/AssemblyExample.FCStd": Truth(76, 72, 68, 8, 4, 1, 15, 0, 46),
}


def found(model: ro.Model) -> Truth:
    answer = ro.check(model)
    words = [str(group.verdict) for group in answer]
    assert "ambiguous" not in words
    unique, partly, not_unique = (words.count(word) for word in ("unique", "partly unique", "not unique"))
    known = sum(group.determined for group in answer)
    # A rotor adds one row and one column that follows from it: the table counts the mechanism without them.
    m, n, rank = (size - len(rotors(model)) for size in (answer.m, answer.n, answer.rank))
    return Truth(m, n, rank, answer.redundancy, answer.mobility, unique, partly, not_unique, known)


@pytest.mark.parametrize("file", TRUTH)
def test_every_file_gives_its_row_of_the_table(file: str) -> None:
    if file.startswith("mjcf"):
        pytest.importorskip("mujoco")
    imported = import_file(MODELS / file)
    assert found(imported.model) == TRUTH[file]


@pytest.mark.parametrize("file", ["asmt/Schmidt_Coupling_Ass_1-1.asmt", "fcstd/AssemblyExample.FCStd"])
def test_written_models_keep_their_row(file: str, tmp_path: Path) -> None:
    imported = import_file(MODELS / file)
    export(imported.model, tmp_path / "m.yaml", imported.report.lines())
    assert found(ro.load(tmp_path / "m.yaml")) == TRUTH[file]


def test_the_head_says_how_well_a_file_is_read() -> None:
    imported = import_file(MODELS / "asmt" / "Schmidt_Coupling_Ass_1-1.asmt")
    assert 1e-7 < imported.report.precision < 1e-6  # 1.7e-5 mm of some 100 mm
    assert any("axes closer than that count as parallel" in line for line in imported.report.lines())
    assert imported.model.accuracy is not None


@pytest.mark.parametrize(("file", "t", "zeros"), [
    ("fourbar", 0.0, {"Joint2.zx", "Joint3.zx", "Joint4.zx"}),
    ("piston", 0.0, {"Joint2.zx", "Joint4.zy"}),
    ("00backhoe", 0.02, None),
])  # fmt: skip
def test_stored_reactions_are_confirmed_or_arbitrary(file: str, t: float, zeros: set[str] | None) -> None:
    """Unique components agree to 1e-6; exactly p multipliers were set to zero, all of them moments (README)."""
    answer = ro.audit(MODELS / "asmt" / f"{file}.asmt", t=t)
    truth = TRUTH[f"asmt/{file}.asmt"]
    joints = [group for group in answer.solvability if group.kind == "joint"]
    named = sum(component.unique is True for group in joints for component in group.components)
    assert len(answer.of("confirmed")) == named <= truth.known  # a combination of components may be known too
    assert not answer.of("wrong")
    assert len(answer.of("arbitrary")) == len(answer.components) - named
    assert len(answer.zeros) == truth.redundancy
    assert zeros is None or set(answer.zeros) == zeros
    assert all(row.split(".")[1] in ("zx", "zy", "xy") for row in answer.zeros)
    assert answer.balance < 1e-6
    assert all(abs(one.theirs - one.ours) < 1e-6 * max(1.0, abs(one.theirs)) for one in answer.sums)


def test_another_order_of_joints_gives_other_arbitrary_numbers() -> None:
    """rev6 Fz is −123 N as stored and tens of kilonewtons by another elimination; every Fy stays."""
    answer = ro.audit(MODELS / "asmt" / "00backhoe.asmt", t=0.02)
    line = next(x for x in answer.components if (x.joint, x.component) == ("rev6", "Fz"))
    assert line.verdict == "arbitrary"
    assert line.other is not None
    assert abs(line.other) > 1e4 > abs(line.theirs or 0.0)
    assert "renaming" in answer.reason.lower()


def test_numbers_of_the_file_in_world_axes() -> None:
    """rev6 Fz on marker I is −331.05 N in the file at t = 0.02 s, and tens of kilonewtons with joints renamed."""
    answer = ro.audit(MODELS / "asmt" / "00backhoe.asmt", t=0.02, axes="world")
    line = next(x for x in answer.components if (x.joint, x.component) == ("rev6", "Fz"))
    assert line.theirs == pytest.approx(331.05134, rel=1e-6)  # on the second body, against that of marker I
    assert line.verdict == "arbitrary"
    assert "rev6.Fz 331.051 → 82" in " ".join(answer.notes)
    assert not answer.of("wrong")


def test_an_audit_that_finds_a_wrong_number(tmp_path: Path) -> None:
    """One stored force is changed by 1 %: it is called wrong, and the balance is off."""
    text = (MODELS / "asmt" / "fourbar.asmt").read_text(encoding="utf-8")
    path = tmp_path / "f.asmt"
    path.write_text(text.replace("FXonI\t0\t27.138030750487", "FXonI\t0\t27.4"), encoding="utf-8")
    answer = ro.audit(path, t=0.0)
    assert [(x.joint, x.component) for x in answer.of("wrong")] == [("Joint1", "Fx")]
    assert answer.balance > 1e-3
