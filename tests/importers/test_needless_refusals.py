"""Files that were refused for something that no verdict needs."""

from __future__ import annotations

import math
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError, ReactioError
from reactio.importers import Options
from reactio.importers.pipeline import import_file
from reactio.joint_reactions.compare import compare as compared
from reactio.model.files.write import to_yaml
from reactio.model.notes import NoteKind
from reactio.model.plausibility import implausible
from reactio.reporting.as_json import to_data
from reactio.reporting.html import to_html
from reactio.reporting.markdown import to_markdown

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
    written = ro.parse_model(to_yaml(model))
    with pytest.raises(ReactioError, match="have no known mass"):
        ro.reactions(written)


NO_MASS = "<inertial><mass>much</mass></inertial>"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("robot.urdf", four_bars.URDF.replace('iyy="0.1"', 'iyy=""')),
        ("model.sdf", re.sub(r'(<link name="coupler">)', rf"\1{NO_MASS}", four_bars.SDF)),
    ],
)
def test_geometry_is_read_without_looking_at_masses(tmp_path: Path, name: str, text: str) -> None:
    """A file with a mass or moment that is no number, as some exporters write it for zero."""
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ReactioError, match=r"iyy|much"):
        import_file(path)
    assert import_file(path, Options(geometry=True)).model.bodies


PUPPET = """<mujoco><compiler balanceinertia="true"/><worldbody><body name="arm"><joint axis="0 1 0"/>
<inertial mass="1" pos="0 0 0" fullinertia="1 2 9 0.1 0 0"/></body></worldbody></mujoco>"""


def test_inertia_that_mujoco_balances_is_read_as_mujoco_has_it(tmp_path: Path) -> None:
    """Moments of 1, 2 and 9 kg m² become equal, as the file asks; without masses none is read."""
    pytest.importorskip("mujoco")
    path = tmp_path / "arm.xml"
    path.write_text(PUPPET)
    (arm,) = import_file(path).model.bodies
    np.testing.assert_allclose(arm.inertia, [4.0, 4.0, 4.0, 0.0, 0.0, 0.0], atol=1e-12)
    assert ro.check(import_file(path, Options(geometry=True)).model).mobility == 1


def test_pages_of_a_geometry_without_masses_have_verdicts_and_no_numbers(tmp_path: Path) -> None:
    """Zeros would be wrong numbers under the warning: a unique component is unique, and its value is not known."""
    path = tmp_path / "four-bar.adm"
    path.write_text(four_bars.ADAMS.replace("IP = 1E5, 1E5\n, 1E5", "IP = 1E5, 1E5\n, 1E9"))
    model = import_file(path, Options(drives=True)).model
    run = ro.simulate(model, 0.2)
    with pytest.raises(ReactioError, match="have no known mass"):
        ro.envelope(run)
    page = ro.report(run.system, run=run)
    parts = [component for joint in page.joints for component in joint.components]
    assert {component.unique for component in parts} == {True, False}
    assert all(math.isnan(component.value) for component in parts)
    assert page.run is not None
    assert all(peak.peak is None for peak in page.run.peaks.found)
    assert not page.sums
    assert not page.free_bodies
    assert any(line.startswith("Warning: masses") for line in page.source_lines)
    assert not implausible(model)  # not "every reaction is 0"
    data, text = to_data(page), to_markdown(page)
    assert all(component["value"] is None for joint in data["joints"] for component in joint["components"])
    assert re.search(r"F[xyz] ≈? ?-?\d", text) is None
    html = to_html(page)
    assert '<span class="chip known" data-c="Fx">Fx –</span>' in html
    assert 'id="plots"' not in html
