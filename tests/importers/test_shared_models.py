"""Real mechanisms drawn by others: rank, redundancy, mobility and verdicts against an independent analysis.

Truth: README.md of the folder, one twist per moving body, drives not counted.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import reactio as ro
from reactio.importers.pipeline import import_file

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


def found(model: ro.Model, precision: float) -> Truth:
    from reactio.solvability import Tolerances

    usual = Tolerances()
    answer = ro.check(
        model,
        tolerances=Tolerances(
            max(usual.zero, 10 * precision), max(usual.decide, 50 * precision), max(usual.sure, 500 * precision)
        ),
    )
    words = [str(group.verdict) for group in answer]
    assert "ambiguous" not in words
    unique, partly, not_unique = (words.count(word) for word in ("unique", "partly unique", "not unique"))
    known = sum(group.determined for group in answer)
    return Truth(answer.m, answer.n, answer.rank, answer.redundancy, answer.mobility, unique, partly, not_unique, known)


@pytest.mark.parametrize("file", TRUTH)
def test_every_file_gives_its_row_of_the_table(file: str) -> None:
    if file.startswith("mjcf"):
        pytest.importorskip("mujoco")
    imported = import_file(MODELS / file)
    assert found(imported.model, imported.report.precision) == TRUTH[file]
