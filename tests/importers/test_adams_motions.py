"""Motions of Adams between two markers: that of I relative to J along or about the z axis of J."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reactio.errors import ModelError
from reactio.expressions.number import evaluate
from reactio.importers import Options
from reactio.importers.formats.adams import read
from reactio.importers.pose import Pose, rotation

from . import four_bars

X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
TIME = 0.7
# Markers of ground as the deck writes them, and their poses [m].
ON_GROUND = {
    1: ("", Pose()),
    16: (", REULER = 0D, 180D, 0D", Pose(np.zeros(3), rotation(X, np.pi))),
    17: (", QP = 0, 0, 50, REULER = 30D, 0D, 0D", Pose(np.array([0.0, 0.0, 0.05]), rotation(Z, np.pi / 6))),
    18: (", REULER = 0D, 90D, 0D", Pose(np.zeros(3), rotation(X, np.pi / 2))),
}


def deck(folder: Path, words: str, i: int, j: int, joint: str) -> Path:
    """The four-bar with a motion between a marker of ground and marker 10 of the crank, which is its frame."""
    markers = "".join(f"MARKER/{k}, PART = 1{text}\n" for k, (text, _) in ON_GROUND.items() if k != 1)
    text = four_bars.ADAMS.replace("PART/3,", f"{markers}PART/3,").replace("JOINT/1, REVOLUTE,", f"JOINT/1, {joint},")
    path = folder / "a.adm"
    path.write_text(text.replace("ROTATION, JOINT = 1", f"{words}, I = {i}, J = {j}"))
    return path


def moved(path: Path, word: str) -> Pose:
    """The crank in the world where the coordinate of its joint follows the motion."""
    mechanism = read(path, Options())
    (motion,) = mechanism.motions
    joint = next(joint for joint in mechanism.joints if motion.along == f"{joint.name}.{word}")
    q = evaluate(str(motion.function), {"t": TIME})
    step = Pose(np.zeros(3), rotation(Z, q)) if word == "rotation" else Pose(q * np.array(Z))
    ends = (
        (joint.frame_a @ step, joint.frame_b) if joint.a == "ground" else (joint.frame_b @ step.inverse, joint.frame_a)
    )
    return ends[0] @ ends[1].inverse


@pytest.mark.parametrize(("i", "j"), [(10, 1), (1, 10), (10, 16), (16, 10), (10, 17), (17, 10)])
@pytest.mark.parametrize("ends", ["I = 10, J = 1", "I = 1, J = 10"])
def test_a_marker_moves_relative_to_another(tmp_path: Path, i: int, j: int, ends: str) -> None:
    for words, joint, word in (("B3", "REVOLUTE", "rotation"), ("Z", "TRANSLATIONAL", "translation")):
        path = deck(tmp_path, words, i, j, joint)
        path.write_text(path.read_text().replace(f"{joint}, I = 10, J = 1", f"{joint}, {ends}"))
        crank = moved(path, word)
        poses = {number: pose for number, (_, pose) in ON_GROUND.items()} | {10: crank}
        between = poses[j].inverse @ poses[i]
        f = np.radians(30.0) * TIME
        if word == "rotation":
            assert np.arctan2(between.R[1, 0], between.R[0, 0]) == pytest.approx(f)
        else:
            assert between.r[2] == pytest.approx(1e-3 * f)  # the deck is in millimetres


@pytest.mark.parametrize(("i", "j", "marker"), [(10, 18, "J"), (18, 10, "I")])
def test_axes_that_are_not_parallel_are_refused(tmp_path: Path, i: int, j: int, marker: str) -> None:
    with pytest.raises(
        ModelError, match=rf"z axis of its marker {marker} is not parallel to the axis of the joint 'A'"
    ):
        read(deck(tmp_path, "B3", i, j, "REVOLUTE"), Options())
