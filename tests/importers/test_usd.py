"""USD physics: joints by type and by locked axes, units, loops, masses; p against a Jacobian computed here."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError
from reactio.importers.formats.usd.locked_axes import joint_of
from reactio.importers.pipeline import import_file
from reactio.joints import SPATIAL_JOINTS
from reactio.model.notes import NoteKind

HEAD = """#usda 1.0
(
    metersPerUnit = 0.01
    kilogramsPerUnit = 1
    upAxis = "Y"
)
"""
BODY = """
def Xform "{name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
{{
    double3 xformOp:translate = ({x}, {y}, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    float physics:mass = 2
    point3f physics:centerOfMass = (0, 0, 0)
    float3 physics:diagonalInertia = (30, 30, 30)
}}
"""
JOINT = """
def Physics{kind}Joint "{name}" {apis}
{{
    {a}
    rel physics:body1 = <{b}>
    point3f physics:localPos0 = ({x0}, {y0}, 0)
    point3f physics:localPos1 = ({x1}, {y1}, 0)
    {more}
}}
"""
SQUARE = {"crank": (0, 50), "coupler": (50, 100), "rocker": (100, 50)}  # middles of the sides of a square [cm]


def _joint(
    name: str, a: str, b: str, at: tuple[float, float], kind: str = "Revolute", more: str = "", apis: str = ""
) -> str:
    (xa, ya), (xb, yb) = SQUARE.get(a, (0, 0)), SQUARE[b]
    first = f"rel physics:body0 = </{a}>" if a else ""
    return JOINT.format(
        kind=kind, name=name, a=first, b=f"/{b}", x0=at[0] - xa, y0=at[1] - ya, x1=at[0] - xb, y1=at[1] - yb,
        more=more, apis=apis,
    )  # fmt: skip


def four_bar(**closing: str) -> str:
    """A square four-bar of 1 m in centimetres, hinges along Z; the last one closes the loop."""
    axis = 'uniform token physics:axis = "Z"'
    text = HEAD + "".join(BODY.format(name=name, x=x, y=y) for name, (x, y) in SQUARE.items())
    text += _joint("A", "", "crank", (0, 0), more=axis) + _joint("B", "crank", "coupler", (0, 100), more=axis)
    text += _joint("C", "coupler", "rocker", (100, 100), more=axis)
    loop = f"{axis}\n    uniform bool physics:excludeFromArticulation = 1"
    return text + _joint("D", "", "rocker", (100, 0), **({"more": loop} | closing))


def _load(folder: Path, text: str) -> ro.Model:
    pytest.importorskip("pxr")
    path = folder / "stage.usda"
    path.write_text(text)
    return ro.load(path)


def test_a_four_bar_has_the_redundancy_of_its_jacobian(tmp_path: Path) -> None:
    model = _load(tmp_path, four_bar())
    answer = ro.check(model)
    # v = (ṙ, ω) of each body: two ends of a hinge move alike and keep ω but along z
    hinges = {"A": (-1, 0, (0, 0)), "B": (0, 1, (0, 1)), "C": (1, 2, (1, 1)), "D": (-1, 2, (1, 0))}
    middles = np.array(list(SQUARE.values())) / 100
    rows = []
    for a, b, point in hinges.values():
        row = np.zeros((5, 18))
        for body, sign in ((a, -1.0), (b, 1.0)):
            if body >= 0:
                x, y = np.array(point) - middles[body]
                row[:3, 6 * body : 6 * body + 3] = sign * np.eye(3)
                row[:3, 6 * body + 3 : 6 * body + 6] = sign * np.array([[0, 0, -y], [0, 0, x], [y, -x, 0]])
                row[3:, 6 * body + 3 : 6 * body + 5] = sign * np.eye(2)
        rows.append(row)
    rank = np.linalg.matrix_rank(np.vstack(rows))
    assert (answer.redundancy, answer.mobility) == (20 - rank, 18 - rank) == (3, 1)
    assert model.gravity == (0.0, -9.81, 0.0)
    assert model.body("crank").inertia[0] == pytest.approx(30e-4)  # kg cm²
    assert model.body("coupler").position == pytest.approx((0.5, 1.0, 0.0))


def test_a_loop_closed_by_locked_axes_or_a_rod(tmp_path: Path) -> None:
    locked = "\n    ".join(
        f"float limit:{dof}:physics:low = 1\n    float limit:{dof}:physics:high = -1" for dof in ("transX", "transY")
    )
    apis = '(prepend apiSchemas = ["PhysicsLimitAPI:transX", "PhysicsLimitAPI:transY"])'
    model = _load(tmp_path, four_bar(kind="", more=locked, apis=apis))
    assert model.joint("D").type == "point-on-line"
    assert (ro.check(model).redundancy, ro.check(model).mobility) == (0, 1)
    rod = "float physics:minDistance = 20\n    float physics:maxDistance = 20"
    rod += "\n    point3f physics:localPos0 = (120, 0, 0)"
    text = four_bar(kind="Distance", more=rod).replace("point3f physics:localPos0 = (100, 0, 0)\n", "", 1)
    model = _load(tmp_path, text)
    assert model.joint("D").parameters["length"] == pytest.approx(0.2)


def test_every_set_of_locked_axes_holds_that_many_equations() -> None:
    """Each set of six axes is a joint with as many rows as it locks, or is refused."""
    dofs = [f"{word}{axis}" for word in ("trans", "rot") for axis in "XYZ"]
    known = 0
    for locked in itertools.product((True, False), repeat=6):
        kind = joint_of(dict(zip(dofs, locked, strict=True)))
        if kind is None:
            continue
        known += 1
        rows = len(SPATIAL_JOINTS.get(kind.type).rows) if kind.type else 0
        assert rows == sum(locked), (kind.type, locked)
        assert np.linalg.det(kind.axes) == pytest.approx(1.0)
    assert known == 31  # 8 + 8 with all or no translations locked, 3 · 3 along a line, 3 · 2 in a plane


def test_limits_without_their_schema_are_named(tmp_path: Path) -> None:
    """A generic joint whose limits lack PhysicsLimitAPI holds nothing in UsdPhysics, which is hardly meant."""
    loose = "float limit:transX:physics:low = 0\n    float limit:transX:physics:high = 0"
    model = _load(tmp_path, four_bar(kind="", more=loose))
    assert [note.what for note in model.notes if note.kind is NoteKind.UNREAD] == ["joint 'D'"]


def test_what_is_not_read_is_named(tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    path = tmp_path / "stage.usda"
    path.write_text(four_bar() + '\ndef PhysxPhysicsGearJoint "teeth" {}\n')
    notes = [str(note) for note in import_file(path).model.notes if note.kind == "unread"]
    assert notes == ["joint 'teeth': PhysxPhysicsGearJoint is not part of UsdPhysics"]
    for text, words in (
        ("no stage", "is not a USD stage"),
        ("version https://git-lfs.github.com/spec/v1\noid", "git lfs pull"),
        (four_bar().replace("</coupler>", "</couple>"), "names the body </couple>"),
    ):
        path.write_text(text)
        with pytest.raises(ModelError, match=words):
            ro.load(path)
