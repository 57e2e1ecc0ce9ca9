"""Files that were refused for something that no verdict needs."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import reactio as ro
from reactio.errors import ModelError, ReactioError
from reactio.importers.pipeline import import_file
from reactio.joint_reactions.compare import compare as compared
from reactio.model.notes import NoteKind

from . import four_bars


def _without_active_joints(path: Path) -> Path:
    """The FreeCAD four-bar with all joints deactivated."""
    with zipfile.ZipFile(four_bars.fcstd(path)) as archive:
        text = archive.read("Document.xml").decode()
    off = '<Property name="Activated"><Bool value="false"/></Property>'
    assert text.count('<Property name="JointType"') == 4
    return four_bars.fcstd(path, text.replace('<Property name="JointType"', f'{off}<Property name="JointType"'))


def test_deactivated_joints_of_freecad_are_named_and_can_be_taken(tmp_path: Path) -> None:
    path = _without_active_joints(tmp_path / "a.FCStd")
    with pytest.raises(ModelError, match="all 4 joints of its Assembly are deactivated; --deactivated takes them"):
        ro.load(path)
    answer = ro.check(ro.load(path, deactivated=True))
    assert (answer.redundancy, answer.mobility) == (3, 1)


def test_joints_of_ondsel_without_a_name_or_on_ground_alone(tmp_path: Path) -> None:
    nameless = four_bars.asmt_joint("RevoluteJoint", "").replace("\t\t\t\t\t\n", "")
    grounded = four_bars.asmt_joint("FixedJoint", "base").replace("/OndselAssembly/crank/M", "/OndselAssembly/M")
    path = tmp_path / "a.asmt"
    path.write_text(four_bars.asmt(nameless + grounded), encoding="utf-8")
    model = import_file(path).model
    assert [joint.type for joint in model.joints] == ["revolute"]
    assert "joint 'base': both of its sides are on ground" in [str(note) for note in model.notes]


def test_materials_of_adams_are_not_needed(tmp_path: Path) -> None:
    path = tmp_path / "a.adm"
    text = four_bars.ADAMS.replace("ACCGRAV/", "MATERIAL/1, NAME = steel, DENSITY = 7.8E-06\nACCGRAV/")
    path.write_text(text, encoding="utf-8")
    assert ro.check(ro.load(path)).redundancy == 3


def test_a_motion_of_adams_by_another_function_leaves_the_verdicts(tmp_path: Path) -> None:
    path = tmp_path / "a.adm"
    path.write_text(four_bars.ADAMS.replace("30.0D * time", "STEP(time, 0, 0, 1, 1)"))
    result = import_file(path)
    assert ro.check(result.model).mobility == 1
    (warning,) = [note for note in result.report.notes if "STEP" in note.why]
    assert warning.kind is NoteKind.WARNING
    assert warning.what.startswith("MOTION/")


def test_reactions_of_a_geometry_without_masses_are_refused(tmp_path: Path) -> None:
    """A file with one impossible inertia has verdicts; zeros as its reactions would be wrong numbers."""
    path = tmp_path / "robot.urdf"
    path.write_text(four_bars.URDF.replace('izz="0.1"', 'izz="100"', 1))
    model = import_file(path).model
    assert ro.check(model).confident
    for question in (ro.reactions, ro.bounds, compared):
        with pytest.raises(ReactioError, match="have no known mass"):
            question(model)
