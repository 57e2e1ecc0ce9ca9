"""Reactions that FreeCAD's solver stored, and what renaming its joints would have made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import reactio as ro

MODELS = Path(__file__).resolve().parents[3] / "shared" / "models" / "asmt"
pytestmark = pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not at hand")


def test_renaming_moves_the_backhoes_side_loads() -> None:
    """Published for it renamed: rev6 Fz 331 → 82 195 N and rev5 Fz 44 231 → 126 100 N; all Fy and rev1 stay."""
    answer = ro.audit(str(MODELS / "00backhoe.asmt"), t=0.02)
    assert not answer.of("wrong")
    assert len(answer.of("confirmed")) == 29
    assert {line.joint for line in answer.of("arbitrary")} == {line.joint for line in answer.components} - {"rev1"}
    assert all(line.verdict == "confirmed" for line in answer.components if line.component == "Fy")
    (said,) = [note for note in answer.notes if "could equally well" in note]
    assert "rev5.Fz" in said
    assert "rev6.Fz" in said


def test_what_ondsel_might_as_well_have_printed_it_prints_for_other_names() -> None:
    """In world axes, as published and as OndselSolver prints with the names of joints in reverse order."""
    answer = ro.audit(str(MODELS / "00backhoe.asmt"), t=0.02, axes="world")
    (said,) = [note for note in answer.notes if "could equally well" in note]
    for joint, there in (("rev6", 82195), ("rev5", 126096)):
        found = float(said.split(f"{joint}.Fz")[1].split("→")[1].split()[0])
        assert abs(found) == pytest.approx(there, abs=1)


def test_four_bar_carries_side_forces_without_side_load() -> None:
    answer = ro.audit(str(MODELS / "fourbar.asmt"))
    side = [line for line in answer.components if line.component == "Fz"]
    assert [abs(line.theirs or 0.0) for line in side] == pytest.approx([0.189] * 4, abs=5e-4)
    assert {line.verdict for line in side} == {"arbitrary"}
    assert len(answer.zeros) == answer.solvability.redundancy == 3
