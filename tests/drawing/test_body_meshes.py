"""Bodies drawn as the meshes that files name: where they stand, what is not opened, and what is said of it."""

from __future__ import annotations

import builtins
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio as ro
from reactio.drawing.figure import remarks_on
from reactio.drawing.frames import placed
from reactio.drawing.scene import Scene, scene
from reactio.exporters import export
from reactio.importers.pipeline import import_file
from reactio.model.specs import Shape
from reactio.reporting.drawing import drawing_data

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
SQUARES = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
CUBE = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS) + "".join(f"f {face}\n" for face in SQUARES)

ARM = """<robot name="arm">
 <link name="base"><visual><geometry><mesh filename="cube.obj" scale="0.2 0.2 0.2"/></geometry></visual></link>
 <link name="rod"><visual><origin xyz="0 0 1" rpy="0 0 1.5708"/><geometry><mesh filename="{file}" scale="{scale}"/>
  </geometry></visual></link>
 <joint name="pin" type="continuous"><parent link="base"/><child link="rod"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/>
 </joint></robot>"""


def arm(folder: Path, file: str = "cube.obj", scale: str = "0.1 0.1 0.3") -> Path:
    (folder / "cube.obj").write_text(CUBE, encoding="utf-8")
    (folder / "arm.urdf").write_text(ARM.format(file=file, scale=scale), encoding="utf-8")
    return folder / "arm.urdf"


def drawn(model: ro.Model) -> tuple[Scene, dict[str, np.ndarray[Any, Any]]]:
    """The scene, and the box of each mesh in the world, lower corner and upper corner."""
    eqs = ro.equations(ro.build(model))
    made, frames = scene(eqs), placed(eqs)
    boxes = {}
    for mesh in made.meshes:
        x = frames[mesh.frame, :3] + mesh.points @ frames[mesh.frame, 3:].reshape(3, 3)
        boxes[mesh.name] = np.array([x.min(axis=0), x.max(axis=0)])
    return made, boxes


def test_a_mesh_stands_where_the_file_says(tmp_path: Path) -> None:
    """Scaled, turned by a quarter about z, 1 m above the pin at x = 1: x' = 1 − 0.1 y, y' = 0.1 x, z' = 1 + 0.3 z."""
    pytest.importorskip("trimesh")
    made, boxes = drawn(ro.load(arm(tmp_path)))
    assert boxes["rod"] == pytest.approx(np.array([[0.9, 0, 1], [1, 0.1, 1.3]]), abs=1e-9)
    assert boxes["ground"] == pytest.approx(np.array([[0, 0, 0], [0.2, 0.2, 0.2]]), abs=1e-9)
    assert made.remarks == ()
    assert {part.role for part in made.parts if part.name == "rod"} == {"ghost"}


def test_the_written_model_shows_the_same(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    model = ro.load(arm(tmp_path))
    export(model, tmp_path / "arm.yaml")
    ro.save(model, tmp_path / "saved.yaml")
    for name in ("arm.yaml", "saved.yaml"):
        assert "file: cube.obj" in (tmp_path / name).read_text(encoding="utf-8")
        assert drawn(ro.load(tmp_path / name))[1]["rod"] == pytest.approx(drawn(model)[1]["rod"])


def test_shapes_outside_the_folder_of_a_written_model_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    model = ro.load(arm(tmp_path))
    export(model, tmp_path / "inner" / "arm.yaml")
    text = (tmp_path / "inner" / "arm.yaml").read_text(encoding="utf-8")
    assert "left out: 2 shapes" in text
    assert "cube" not in text
    ro.load(tmp_path / "inner" / "arm.yaml")


YAML = """space: spatial
bodies: {{rod: {{position: [0, 0, 0], shapes: {shapes}}}}}
joints: {{pin: {{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}}}}
"""


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ("['../cube.obj']", "outside the folder"),
        ("[/etc/passwd]", "outside the folder"),
        ("[{file: cube.obj, scale: 0}]", "leaves nothing"),
        ("[{file: cube.obj, position: [1, 2]}]", "3 are needed"),
        ("[{fil: cube.obj}]", "file"),
        ("3", "shapes"),
    ],
)
def test_shapes_that_are_refused(shapes: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(YAML.format(shapes=shapes), encoding="utf-8")
    with pytest.raises(ro.ReactioError, match=words):
        ro.load(path)


def test_a_missing_shape_is_named_and_the_body_drawn_as_a_link(tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(YAML.format(shapes="[gone.stl]"), encoding="utf-8")
    made, _ = drawn(ro.load(path))
    assert made.remarks == ("Not shown: 'gone.stl' is missing.",)
    assert any(part.role == "body" for part in made.parts)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("gone.stl", "missing"),
        ("../cube.obj", "outside the folder of the model; --anywhere allows it"),
        ("package://robots/gone.obj", "--package robots=DIR"),
    ],
)
def test_the_import_says_which_meshes_it_leaves_out(file: str, words: str, tmp_path: Path) -> None:
    """A verdict needs none of them."""
    found = import_file(arm(tmp_path, file))
    assert found.model.body("rod").shapes == ()
    assert any(words in str(note) for note in found.report.of("skipped"))
    assert ro.check(found.model)["pin"].verdict == "unique"


def test_meshes_of_a_mujoco_model_stand_as_mujoco_places_them(tmp_path: Path) -> None:
    """Euler angles of a geom, the scale of its mesh; meshes that only collide are not shown beside others."""
    pytest.importorskip("mujoco")
    pytest.importorskip("trimesh")
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "cube.obj").write_text(CUBE, encoding="utf-8")
    path = tmp_path / "robot.xml"
    path.write_text(
        """<mujoco><compiler angle="degree" meshdir="meshes"/><asset><mesh name="c" file="cube.obj" scale=".1 .1 .3"/>
        <mesh name="gone" file="gone.stl"/></asset><worldbody><body name="rod" pos="1 0 0">
        <joint name="pin" type="hinge" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <geom type="mesh" mesh="c" pos="0 0 1" euler="0 0 90" contype="0" conaffinity="0"/>
        <geom type="mesh" mesh="gone"/></body></worldbody></mujoco>""",
        encoding="utf-8",
    )
    made, boxes = drawn(ro.load(path))
    assert len(made.meshes) == 1
    assert boxes["rod"] == pytest.approx(np.array([[0.9, 0, 1], [1, 0.1, 1.3]]), abs=1e-6)


def test_the_mirror_image_of_a_shape() -> None:
    """S (r + R D x) of every point, by the placement of the mirrored body and by hand."""
    from reactio.drawing.body_meshes import _placed
    from reactio.model.transform.assemblies import Placement, _Move

    x = np.random.default_rng(1).normal(size=(5, 3))
    q = np.array([0.3, -0.4, 0.5, 0.7])
    shape = Shape("a.stl", (1, 2, 3), tuple(q / np.linalg.norm(q)), (0.1, 0.2, 0.3))
    for k, axis in enumerate("xyz"):
        sign = np.ones(3)
        sign[k] = -1
        mirrored = _Move(Placement(mirror=axis)).shape(shape)
        assert _placed(mirrored, x) == pytest.approx(sign * _placed(shape, x))


EXCAVATOR = Path(__file__).parents[3] / "shared" / "models" / "fcstd" / "AssemblyExample.FCStd"


@pytest.mark.skipif(not EXCAVATOR.exists(), reason="the file is not here")
def test_the_excavator_without_open_cascade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every body and the ground has a BRep that the archive holds; without its reader one sentence says so."""
    model = ro.load(EXCAVATOR)
    files = [Path(shape.file) for body in (*model.bodies, model.ground) for shape in body.shapes]
    assert len(files) == len(model.bodies) + 1
    with zipfile.ZipFile(EXCAVATOR) as archive:
        assert {file.name for file in files} <= set(archive.namelist())
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "OCP":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    (remark,) = remarks_on(ro.build(model))
    assert "13 shapes are not shown" in remark
    assert "pip install cadquery-ocp-novtk" in remark


def test_the_page_holds_the_surface(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    data = drawing_data(ro.report(ro.load(arm(tmp_path))))
    assert len(data["skins"]) == 2
    assert all(len(place) == 4 for mesh in data["skins"] for place in mesh["box"])


def test_a_picture_with_surfaces(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    pytest.importorskip("matplotlib")
    collections = ro.draw(ro.load(arm(tmp_path))).axes[0].collections
    assert sum(len(one.get_paths()) for one in collections) == 24  # two cubes of twelve triangles
