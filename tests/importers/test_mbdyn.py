"""MBDyn input files: counts by hand, expressions of its own kind, and elements that are refused or named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError, ReactioError
from reactio.importers import Options
from reactio.importers.formats.mbdyn.expressions import MbdynVariables
from reactio.importers.formats.mbdyn.reader import read
from reactio.importers.pipeline import Imported, import_file
from reactio.model.notes import NoteKind

FRAME = """
begin: data; problem: initial value; end: data;
begin: initial value; initial time: 0.; final time: 1.; end: initial value;
begin: control data; structural nodes: 3; end: control data;
set: real L = 0.3; # a comment; with a semicolon
set: const integer GROUND = 1;
reference: 10, reference, global, 1., 2., 3., reference, global, 1, 0., 1., 0., 3, 1., 0., 0., null, null;
"""
# Crank, coupler and rocker of a parallelogram in the plane of axes 1 and 2 of reference 10.
LINKS = """
begin: nodes;
  structural: 100, dynamic, reference, 10, 0., 0., 0., reference, 10, eye, null, null;
  structural: 200, dynamic, reference, 10, 0., L, 0., reference, 10, eye, null, null;
  structural: 300, dynamic, reference, 10, 2*L, 0., 0., reference, 10, eye, null, null;
end: nodes;
begin: elements;
  body: 1, 100, 2., null, diag, .1, .1, .1;
"""


def hinge(label: int, a: int, b: int, x: str, y: str) -> str:
    end = f"position, reference, 10, {x}, {y}, 0., orientation, reference, 10, eye"
    return f"joint: {label}, revolute hinge, {a}, {end}, {b}, {end};\n"


def pin(label: int, b: int, x: str, y: str, kind: str = "revolute pin") -> str:
    end = f"position, reference, 10, {x}, {y}, 0., orientation, reference, 10, eye"
    return f"joint: {label}, {kind}, {b}, {end}, {end};\n"


LOOP = pin(1, 100, "0.", "0.") + hinge(2, 100, 200, "0.", "L") + hinge(3, 200, 300, "2*L", "L")


def imported(folder: Path, text: str, **options: object) -> Imported:
    path = folder / "machine.mbd"
    path.write_text(text if "end: elements;" in text else f"{text}\nend: elements;")
    return import_file(path, Options(**options))  # type: ignore[arg-type]


def counts(model: ro.Model) -> tuple[int, int]:
    """Redundancy and mobility."""
    verdicts = ro.check(model)
    assert verdicts.confident
    return verdicts.m - verdicts.rank, verdicts.n - verdicts.rank


def test_a_parallelogram_of_hinges_in_a_turned_frame(tmp_path: Path) -> None:
    """Four parallel hinges on three bodies: 20 equations of rank 17 (Grübler in space: 18 − 20 + p = 1)."""
    result = imported(tmp_path, FRAME + LINKS + LOOP + pin(4, 300, "2*L", "0.") + "end: elements;")
    assert counts(result.model) == (3, 1)
    assert result.report.exact
    assert {joint.type for joint in result.model.joints} == {"revolute"}


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (pin(4, 300, "2*L", "0.", "spherical pin"), (1, 1)),
        (pin(4, 300, "2*L", "0.", "universal pin"), (2, 1)),
        ("joint: 4, in line, 300, null, orientation, eye, 100;", (0, 1)),
        ("joint: 4, in line, 300, null, eye, 100;", (0, 1)),
        ("joint: 4, inline, 300, position, null, 100, offset, null;", (0, 1)),
        ("joint: 4, in plane, 300, null, 0., 0., 1., 100, offset, null;", (1, 3)),
        ("joint: 4, prismatic, 100, 300;", (2, 2)),
        ("joint: 4, revolute rotation, 100, 300;", (2, 3)),
        ("joint: 4, distance, 100, position, null, 300, position, null, from nodes;", (0, 2)),
    ],
)
def test_loops_closed_in_other_ways(tmp_path: Path, last: str, expected: tuple[int, int]) -> None:
    """An open chain of three parallel hinges has rank 15 and mobility 3 before the last joint."""
    assert counts(imported(tmp_path, FRAME + LINKS + LOOP + last).model) == expected


@pytest.mark.parametrize(
    ("position", "orientation", "kinds", "rows"),
    [
        ("1, 1, 1", "1, 1, 0", ["revolute"], 5),
        ("1, 1, 1", "0, 1, 0", ["universal"], 4),
        ("1, 0, 1", "1, 1, 1", ["prismatic"], 5),
        ("1, 1, 0", "active, active, inactive", ["cylindrical"], 4),
        ("0, 0, 1", "1, 1, 0", ["planar"], 3),
        ("1, 1, 0", "0, 1, 1", ["point-on-line", "parallel-axes"], 4),
        ("0, 1, 0", "0, 0, 1", ["point-on-plane", "perpendicular-axes"], 2),
        ("0, 0, 0", "1, 1, 1", ["orientation"], 3),
    ],
)
def test_total_joints_by_their_locked_components(
    tmp_path: Path, position: str, orientation: str, kinds: list[str], rows: int
) -> None:
    axes = "position orientation, reference, 10, eye, rotation orientation, reference, 10, eye"
    end = f"position, reference, 10, null, {axes}"
    locked = f"position constraint, {position}, null, orientation constraint, {orientation}, null"
    joint = f"joint: 1, total pin joint, 100, {end}, {end}, {locked};"
    model = imported(tmp_path, FRAME + LINKS + joint).model
    assert [joint.type for joint in model.joints] == kinds
    assert ro.check(model).m == rows
    assert counts(model)[0] == 0


def test_a_driven_component_is_a_motion_about_its_axis(tmp_path: Path) -> None:
    """Rotation about axis 1 of the frame by 2 t, which is an equation in place of a freedom."""
    total = (
        "joint: 1, total pin joint, 100, position, null, rotation orientation, reference, 10, eye, "
        "position, reference, 10, null, rotation orientation, reference, 10, eye, position constraint, 1, 1, 1, null, "
        "orientation constraint, 1, 1, 1, 1., 0., 0., linear, 0., 2.;"
    )
    model = imported(tmp_path, FRAME + LINKS + total).model
    assert [joint.type for joint in model.joints] == ["revolute"]
    assert counts(model) == (0, 0)
    assert len(model.drives) == 1
    states = ro.simulate(ro.build(model), 0.1).states
    (w, *u), (W, *v) = states[0].q[3:7], states[-1].q[3:7]  # unit quaternions, scalar first
    turned = w * np.array(v) - W * np.array(u) - np.cross(v, u)  # vector part of the rotation between them
    np.testing.assert_allclose(turned, [0.0, np.sin(0.1), 0.0], atol=1e-8)  # axis 1 of reference 10 is y


def test_inertia_in_other_axes_and_of_several_masses(tmp_path: Path) -> None:
    """Two masses of 1 kg at ±1 m along axis 1: I_22 = I_33 = 2 kg m²."""
    bodies = (
        "body: 2, 200, condense, 2, 1., 1., 0., 0., null, 1., -1., 0., 0., null;"
        "body: 3, 300, 1., null, diag, 2., 4., 5., scale, 0.5, inertial, 1, 0., 1., 0., 2, -1., 0., 0.;"
    )
    mechanism = imported(tmp_path, FRAME + LINKS + bodies + LOOP).mechanism
    inertias = {part.name: part.inertia for part in mechanism.parts}
    two, turned = inertias["node_200"], inertias["node_300"]
    assert two is not None
    assert turned is not None
    np.testing.assert_allclose(np.diag(two.J), [0, 2, 2], atol=1e-15)
    np.testing.assert_allclose(np.diag(turned.J), [2, 1, 2.5], atol=1e-15)


def test_gravity_and_reactions(tmp_path: Path) -> None:
    """Gravity is the vector of its drive: the direction is no unit vector but a factor."""
    text = LINKS + "joint: 1, clamp, 100, node, node; gravity: uniform, 0., 0., -2., const, 4.905;"
    text += "force: 5, absolute, 100, position, null, 0., 1., 0., const, 7.;"
    model = imported(tmp_path, FRAME + text + pin(2, 200, "0.", "L"), keep_fixed=True).model
    force = np.asarray(ro.reactions(ro.build(model), "pseudoinverse")["clamp_1"].force)
    np.testing.assert_allclose(np.linalg.norm(force), np.hypot(2 * 9.81, 7.0), rtol=1e-12)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/2*4.", 0.0), ("1/2.*4", 2.0), ("-2^2", 4.0), ("2^3^2", 512.0), ("7%4", 3.0), ("2^-1", 0.0),
        ("1 < 2 && !(3 == 4)", 1.0), ("max(2., 3.)*sign(-5.)", -3.0), ("1.d2", 100.0), ("real X = 3./2", 1.5),
        ("-7/2", -3.0), ("2*(real Y = 4.)", 8.0),
    ],
)  # fmt: skip
def test_expressions_follow_the_rules_of_mbdyn(text: str, value: float) -> None:
    assert float(MbdynVariables.fresh().evaluate(text)) == value


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "a", "sin(", "1/0", "sqrt(-1.)", "pi = 3.", "1 +", '"a" * 2', "(" * 5000, "9.^9999.", "2,3"],
)
def test_expressions_that_are_refused(text: str) -> None:
    with pytest.raises(ReactioError, match="in the expression"):
        MbdynVariables.fresh().evaluate(text)


def test_what_may_connect_is_a_warning_and_unknown_joints_are_refused(tmp_path: Path) -> None:
    others = "user defined: 7, my element, 100, 200; joint: 8, deformable joint, 100, 200, whatever;"
    notes = imported(tmp_path, FRAME + LINKS + LOOP + others).report.notes
    assert [note.kind for note in notes if "user defined" in note.what] == [NoteKind.UNREAD]
    assert [note.kind for note in notes if "deformable joint" in note.what] == [NoteKind.WARNING]
    with pytest.raises(ModelError, match=r"machine\.mbd:\d+: joint: 9: joints of kind 'modal'"):
        imported(tmp_path, FRAME + LINKS + LOOP + "joint: 9, modal, 100;")
    with pytest.raises(ModelError, match="no structural node 999"):
        imported(tmp_path, FRAME + LINKS + LOOP + pin(9, 999, "0.", "0."))
    with pytest.raises(ModelError, match="does not end with a semicolon"):
        imported(tmp_path, FRAME + LINKS + LOOP + "joint: 9, clamp, 100; end: elements; x")


def test_includes_stay_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "joints.elm").write_text(LOOP + pin(4, 300, "2*L", "0."))
    assert counts(imported(folder, FRAME + LINKS + 'include: "joints.elm";').model) == (3, 1)
    (tmp_path / "outside.elm").write_text(LOOP)
    with pytest.raises(ModelError, match="outside the folder of the model; --anywhere"):
        imported(folder, FRAME + LINKS + 'include: "../outside.elm";')
    assert imported(folder, FRAME + LINKS + 'include: "../outside.elm";', anywhere=True).model.joints
    with pytest.raises(ModelError, match="includes itself"):
        imported(folder, FRAME + LINKS + 'include: "machine.mbd";')


def test_a_rod_is_a_spring_of_strain(tmp_path: Path) -> None:
    """A law of k = 30 N per strain over 0.6 m is a spring of 50 N/m."""
    rod = "joint: 9, rod, 100, position, null, 300, position, null, from nodes, linear elastic, 30.;"
    load = imported(tmp_path, FRAME + LINKS + LOOP + rod).mechanism.loads[0]
    assert load.parameters["stiffness"] == pytest.approx(50.0)
    other = rod.replace("linear elastic, 30.", "cubic elastic generic, 1., 2., 3.")
    about = [note.what for note in imported(tmp_path, FRAME + LINKS + LOOP + other).report.notes]
    assert [what for what in about if "rod_9" in what] == ["rod 'rod_9'"]


@pytest.mark.parametrize(
    ("word", "turned"),
    [
        ("orientation", (True, True)),
        ("hinge", (True, True)),
        ("position orientation", (True, False)),
        ("rotation orientation", (False, True)),
    ],
)
def test_each_word_turns_its_own_axes(tmp_path: Path, word: str, turned: tuple[bool, bool]) -> None:
    """Axes that are not given are those of the node: axis 1 is x of the part, or y where it is turned."""
    axes = f"{word}, reference, node, 3, 0., 0., 1., 1, 0., 1., 0."
    locked = "position constraint, 1, 0, 0, null, orientation constraint, 0, 1, 1, null"
    total = f"joint: 1, total joint, 100, {axes}, 200, {axes}, {locked};"
    joints = imported(tmp_path, FRAME + LINKS + total).mechanism.joints
    z = [joint.frame_a.R[:, 2] for joint in joints]
    expected = [np.array([0.0, 1.0, 0.0]) if is_turned else np.array([1.0, 0.0, 0.0]) for is_turned in turned]
    for axis, along in zip([z[0], z[-1]], expected, strict=True):
        np.testing.assert_allclose(axis, along, atol=1e-15)


def test_arguments_that_are_left_over_are_named(tmp_path: Path) -> None:
    """A force in an older syntax, with its arm before its drive, and the friction of a hinge."""
    hinge_with_friction = pin(1, 100, "0.", "0.").replace(";", ", friction, 0.1, modlugre, output, yes;")
    quiet = hinge(2, 100, 200, "0.", "L").replace(";", ", initial theta, 0.5, output, no;")
    force = "force: 1, absolute, 100, 0., 0., 1., null, const, -9.81;"
    result = imported(tmp_path, FRAME + LINKS + hinge_with_friction + quiet + force)
    about = {note.what: note.why for note in result.report.notes if note.kind is NoteKind.WARNING}
    assert "'friction, 0.1, modlugre, output, yes'" in about["joint 'revolute_pin_1'"]
    assert "'const, -9.81'" in about["force element '1'"]
    assert not any("revolute_hinge_2" in what for what in about)
    assert not result.mechanism.loads
    locked = "position constraint, 1, 1, 1, null, rotation constraint, 1, 1, 1, null"
    with pytest.raises(ModelError, match="'rotation constraint, 1, 1, 1, null' is not understood"):
        imported(tmp_path, FRAME + LINKS + f"joint: 1, total joint, 100, 200, {locked};")


def test_general_elements_may_constrain(tmp_path: Path) -> None:
    genel = "genel: 7, clamp, 100, structural, 1, algebraic, null;"
    notes = imported(tmp_path, FRAME + LINKS + LOOP + genel).report.notes
    assert [note.kind for note in notes if "genel" in note.what] == [NoteKind.UNREAD]


def test_values_that_are_not_read_hold_the_ends_where_they_are(tmp_path: Path) -> None:
    """Node 200 is 0.3 m along axis 2 of node 100, at 0.4 rad about axis 3; both drives are of unknown kinds."""
    turned = LINKS.replace("0., L, 0., reference, 10, eye", "0., L, 0., reference, 10, vector, 0., 0., 0.4")
    locked = "position constraint, 1, 1, 1, piecewise, 2, orientation constraint, 1, 1, 1, piecewise, 2"
    result = imported(tmp_path, FRAME + turned + f"joint: 1, total joint, 100, 200, {locked};", keep_fixed=True)
    mechanism = read(tmp_path / "machine.mbd", Options())
    parts = {part.name: part.pose for part in mechanism.parts}
    (joint,) = mechanism.joints
    a, b = parts[joint.a] @ joint.frame_a, parts[joint.b] @ joint.frame_b
    np.testing.assert_allclose(a.r, b.r, atol=1e-15)
    np.testing.assert_allclose(a.R, b.R, atol=1e-15)
    assert any("the placement of its ends" in note.why for note in result.report.notes)


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    """Read to where it stops, it would be a mechanism without its last joints."""
    path = tmp_path / "machine.mbd"
    path.write_text(FRAME + LINKS + LOOP)
    with pytest.raises(ModelError, match="cut off"):
        import_file(path)


@pytest.mark.parametrize("joint", ["in line", "in line, 300", "in line, 300, null"])
def test_a_joint_that_ends_too_early_is_refused(tmp_path: Path, joint: str) -> None:
    with pytest.raises(ModelError, match=r"joint: 4: .* is missing"):
        imported(tmp_path, FRAME + LINKS + LOOP + f"joint: 4, {joint};")


def test_elements_that_the_file_states_and_does_not_hold_are_named(tmp_path: Path) -> None:
    text = FRAME.replace("structural nodes: 3;", "structural nodes: 2 +\n1; joints: 4;") + LINKS + LOOP
    notes = imported(tmp_path, text).report.of(NoteKind.UNREAD)
    assert [(note.what, note.why[:32]) for note in notes] == [("joints", "the file states 4 and holds 3; w")]
    whole = imported(tmp_path, text + pin(4, 300, "2*L", "0."))
    assert whole.report.of(NoteKind.UNREAD) == []


def test_a_variable_may_be_infinite_until_a_place_needs_it(tmp_path: Path) -> None:
    """Real numbers are divided as in C: many files compute dampings so, that no verdict needs."""
    text = FRAME + "set: real STIFF = 4067.5/(9^2/10^2) + (9^2/10^2)^(-1.);\n" + LINKS + LOOP
    assert counts(imported(tmp_path, text).model) == (0, 3)
    with pytest.raises(ModelError, match="not finite"):
        imported(tmp_path, text.replace("0., L, 0., reference, 10, eye", "0., STIFF, 0., reference, 10, eye"))
    with pytest.raises(ReactioError, match="division by zero"):
        MbdynVariables.fresh().evaluate("1/0")
    with pytest.raises(ReactioError, match="not finite"):
        MbdynVariables.fresh().evaluate("1./(0./0./0.)")
