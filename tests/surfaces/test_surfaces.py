"""Surfaces: volumes of solids with known ones, fewer faces of the same shape, and files that are not opened."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reactio.errors import ReactioError
from reactio.surfaces import Surface, read_surface
from reactio.surfaces.decimate import decimated
from reactio.surfaces.members import content
from reactio.surfaces.readers import brep
from reactio.surfaces.solid import is_closed, moments

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SQUARES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array([face for a, b, c, d in SQUARES for face in ((a, b, c), (a, c, d))])
CUBE = Surface(CORNERS, FACES)
sizes = st.floats(0.1, 10.0)


@given(st.tuples(sizes, sizes, sizes), st.tuples(*[st.floats(-5, 5)] * 3), st.booleans())
def test_a_box_anywhere(size: tuple[float, ...], at: tuple[float, ...], inside_out: bool) -> None:
    """V = a b c, J_x = V (b² + c²)/12, wherever it stands and whichever way its faces look.

    Rounding: sums of tetrahedra of its own size about its middle.
    """
    a, b, c = size
    faces = FACES[:, ::-1] if inside_out else FACES
    volume, center, J = moments(Surface(CORNERS * np.array(size) + np.array(at), faces))
    assert volume == pytest.approx(a * b * c, rel=1e-9)
    assert center == pytest.approx(np.array(at) + np.array(size) / 2, abs=1e-9)
    expected = a * b * c / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    assert np.diag(J) == pytest.approx(expected, rel=1e-9)
    assert abs(J - np.diag(np.diag(J))).max() <= 1e-9 * expected.max()


def test_a_surface_with_a_hole_has_no_volume() -> None:
    hole = Surface(CORNERS, FACES[1:])
    assert is_closed(CUBE)
    assert not is_closed(hole)
    with pytest.raises(ReactioError, match="not a closed surface"):
        moments(hole)


def ball(n: int) -> Surface:
    """A sphere of radius 1, with n meridians and n parallels."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, n, endpoint=False), np.linspace(0, np.pi, n + 1), indexing="ij")
    points = np.column_stack([(np.cos(u) * np.sin(v)).ravel(), (np.sin(u) * np.sin(v)).ravel(), np.cos(v).ravel()])
    number = np.arange(n * (n + 1)).reshape(n, n + 1)
    near, far = number, np.roll(number, -1, axis=0)
    faces = [
        np.column_stack([x.ravel() for x in three])
        for three in ((near[:, :-1], far[:, :-1], far[:, 1:]), (near[:, :-1], far[:, 1:], near[:, 1:]))
    ]
    return Surface(points, np.vstack(faces))


@pytest.mark.parametrize("most", [2000, 300, 60])
def test_fewer_faces_of_nearly_the_same_ball(most: int) -> None:
    """Cells of a grid of side h move points by less than h; 60 faces leave a ball within a third of its radius."""
    fine = ball(100)
    few = decimated(fine, most)
    assert 0.2 * most < len(few.faces) <= most
    assert few.faces.max() < len(few.points)
    used = np.linalg.norm(few.points[np.unique(few.faces)], axis=1)
    assert 0.66 < used.min() <= used.max() < 1 + 1e-9


def test_few_faces_stay_as_they_are() -> None:
    assert decimated(CUBE, 12) is not None
    assert (decimated(CUBE, 12).points == CORNERS).all()


def test_members_of_archives(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.FCStd", "w") as archive:
        archive.writestr("Shape.brp", b"shape")
    assert content(tmp_path / "a.FCStd" / "Shape.brp") == b"shape"
    with pytest.raises(ReactioError, match="no such member"):
        content(tmp_path / "a.FCStd" / "other.brp")
    with pytest.raises(ReactioError, match="is missing"):
        content(tmp_path / "nothing.stl")


def test_unknown_endings_and_files_that_are_no_meshes(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    for name, text, words in (
        ("a.txt", "", r"read from .*\.stl"),
        ("a.stl", "solid nothing", r"no \.stl mesh|no faces"),
        ("a.obj", "v 0 0 0\n", r"no \.obj mesh|no faces"),
        ("a.dae", '<!DOCTYPE x [<!ENTITY a "b">]><COLLADA/>', "declares entities"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(ReactioError, match=words):
            read_surface(tmp_path / name)


TRIANGLE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 100 0 0 0 100 0</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def test_collada_in_its_unit(tmp_path: Path) -> None:
    """100 cm are 1 m."""
    pytest.importorskip("trimesh")
    pytest.importorskip("collada")
    (tmp_path / "t.dae").write_text(TRIANGLE, encoding="utf-8")
    assert np.ptp(read_surface(tmp_path / "t.dae").points, axis=0) == pytest.approx([1, 1, 0])


def test_faces_of_a_solid_share_the_points_of_their_edges() -> None:
    """Six squares with points of their own, as CAD kernels mesh them, become a closed surface."""
    points = CORNERS[FACES].reshape(-1, 3)
    faces = np.arange(len(points)).reshape(-1, 3)
    joined = brep._joined(points, faces)
    assert len(joined.points) == 8
    assert is_closed(joined)
    assert moments(joined)[0] == pytest.approx(1.0)


def test_boundary_representations_by_open_cascade() -> None:
    """A cylinder of FreeCAD's excavator is a closed solid; 2.29e4 mm³ to the chords of its circles."""
    pytest.importorskip("OCP")
    archive = Path(__file__).parents[3] / "shared" / "models" / "fcstd" / "AssemblyExample.FCStd"
    if not archive.exists():
        pytest.skip("the file is not here")
    assert moments(read_surface(archive / "Shape016.Shape.brp"))[0] == pytest.approx(2.29e4, rel=0.01)
