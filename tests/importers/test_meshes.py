"""Masses from meshes: a cube of known weight; files outside the folder of the model are not opened."""

from __future__ import annotations

from pathlib import Path

import pytest

import reactio as ro

from . import four_bars

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
CUBE = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS) + "".join(f"f {face}\n" for face in FACES)


def robot(folder: Path, file: str) -> Path:
    text = four_bars.URDF.replace("{loop}", four_bars.GAZEBO)
    begin, end = text.index("<inertial>"), text.index("</inertial>") + len("</inertial>")
    visual = f'<visual><geometry><mesh filename="{file}" scale="0.1 0.1 0.1"/></geometry></visual>'
    text = text.replace(text[begin:end], visual)
    (folder / "cube.obj").write_text(CUBE, encoding="utf-8")
    (folder / "robot.urdf").write_text(text, encoding="utf-8")
    return folder / "robot.urdf"


def test_a_cube_of_steel(tmp_path: Path) -> None:
    """A cube of 0.1 m: 7.8 kg, J = m a²/6."""
    pytest.importorskip("trimesh")
    body = ro.load(robot(tmp_path, "cube.obj"), density=7800.0).body("crank")
    assert body.mass == pytest.approx(7.8)
    assert body.center == pytest.approx((0.05, 0.05, 0.05))
    assert body.inertia[:3] == pytest.approx((0.013,) * 3)


def test_without_a_density_no_mesh_is_opened(tmp_path: Path) -> None:
    assert ro.load(robot(tmp_path, "/nowhere/cube.obj")).body("crank").mass is None


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("../cube.obj", "outside the folder"),
        ("/etc/passwd", "outside the folder"),
        ("package://arm/meshes/cube.obj", "--package arm=DIR"),
        ("package:///meshes/cube.obj", "it names none"),
        ("missing.obj", "is missing"),
    ],
)
def test_meshes_that_are_not_opened(file: str, words: str, tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    with pytest.raises(ro.ReactioError, match=words):
        ro.load(robot(tmp_path, file), density=1000.0)


@pytest.mark.parametrize("file", ["package://arm/cube.obj", "package://arm/urdf/cube.obj", "package:///cube.obj"])
def test_meshes_beside_the_file_and_in_its_package_are_found(file: str, tmp_path: Path) -> None:
    """Beside the file, or in a folder around it that has the name of the package and a package.xml."""
    pytest.importorskip("trimesh")
    folder = tmp_path / "arm" / "urdf"
    folder.mkdir(parents=True)
    (tmp_path / "arm" / "package.xml").write_text("<package/>", encoding="utf-8")
    if file == "package://arm/cube.obj":
        (tmp_path / "arm" / "package.xml").unlink()
    assert ro.load(robot(folder, file), density=1000.0).body("crank").mass == pytest.approx(1.0)


def test_packages_are_folders_that_were_named(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    path = robot(tmp_path, "package://arm/cube.obj")
    assert ro.load(path, density=1000.0, packages={"arm": tmp_path}).body("crank").mass == pytest.approx(1.0)
