"""Mechanisms of one plane, drawn in it: without the redundancies of space, with the same forces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.importers import Options
from reactio.importers.pipeline import import_file

LINK = "<link name='{}'><pose>{} 0 0 0</pose><inertial><pose>{} 0 0 0</pose><mass>{}</mass></inertial></link>"
HINGE = (
    "<joint name='{}' type='revolute'><pose>{} 0 0 0</pose><parent>{}</parent><child>{}</child>"
    "<axis><xyz>0 1 0</xyz></axis></joint>"
)


def four_bar(folder: Path) -> Path:
    links = LINK.format("crank", "0 0 0", "0 0 0.5", 1) + LINK.format("coupler", "0 0 1", "1 0 0.2", 2)
    links += LINK.format("rocker", "2 0 0", "0.1 0 0.5", 3)
    hinges = HINGE.format("A", "0 0 0", "world", "crank") + HINGE.format("B", "0 0 0", "crank", "coupler")
    hinges += HINGE.format("C", "0 0 1", "coupler", "rocker") + HINGE.format("D", "0 0 0", "world", "rocker")
    path = folder / "four-bar.sdf"
    path.write_text(f"<sdf version='1.9'><model name='four-bar'>{links}{hinges}</model></sdf>")
    return path


def test_forces_in_the_plane_are_those_in_space(tmp_path: Path) -> None:
    path = four_bar(tmp_path)
    space, plane = (import_file(path, Options(planar=planar)).model for planar in (False, True))
    answers = [reactio.check(model) for model in (space, plane)]
    assert [one.redundancy for one in answers] == [3, 0]
    assert [one.mobility for one in answers] == [1, 1]
    found = [reactio.reactions(reactio.equations(reactio.build(model))) for model in (space, plane)]
    for joint in "ABCD":
        wide = found[0][joint].force_in_joint[:2]  # along the axis, its third component, nothing is known
        assert np.linalg.norm(wide) == pytest.approx(np.linalg.norm(found[1][joint].force), rel=1e-9)


def test_planar_on_the_command_line(tmp_path: Path) -> None:
    path, out = four_bar(tmp_path), tmp_path / "plane.yaml"
    done = CliRunner().invoke(app, ["import", str(path), "--planar", "-o", str(out)])
    assert done.exit_code == 0, done.output
    assert reactio.load(str(out)).space == "planar"
    said = CliRunner().invoke(app, ["import", str(path)]).output
    assert "--planar" in said.replace("\n", " ")


def test_what_is_not_of_one_plane_is_refused(tmp_path: Path) -> None:
    path = four_bar(tmp_path)
    path.write_text(path.read_text().replace("<xyz>0 1 0</xyz>", "<xyz>0 0.6 0.8</xyz>", 1))
    with pytest.raises(reactio.ReactioError, match="not parallel"):
        import_file(path, Options(planar=True))


def test_parts_on_ball_joints_alone_are_not_called_planar(tmp_path: Path) -> None:
    """The coupler of a four-bar with balls at both of its ends spins out of the plane."""
    path = four_bar(tmp_path)
    assert any(note.what == "planar" for note in import_file(path).report.notes)
    text = path.read_text()
    for joint in "BC":
        text = text.replace(f"name='{joint}' type='revolute'", f"name='{joint}' type='ball'")
    assert text.count("type='ball'") == 2
    path.write_text(text)
    assert not any(note.what == "planar" for note in import_file(path).report.notes)
