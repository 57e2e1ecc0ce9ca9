"""Adams View command files: counts by hand, places by expressions, and commands that are refused or named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError
from reactio.importers.formats.adams_cmd.commands import commands
from reactio.importers.pipeline import Imported, import_file
from reactio.model.notes import NoteKind

HEAD = """! CMD Version:2
defaults units  &
   length = mm  &
   angle = deg  &
   force = newton  &
   mass = kg  &
   time = sec
defaults units coordinate_system_type = cartesian orientation_type = body313
if condition = (! db_exists(".colors.OWN"))
color create color_name = .colors.OWN
end
model create model_name = machine
defaults model part_name = ground
defaults coordinate_system default_coordinate_system = .machine.ground
marker create marker_name = .machine.ground.A location = 0, 0, 0 orientation = 180d, 90.0d, 0d
marker create marker_name = .machine.ground.D location = 600, 0, 0 orientation = 180d, 90d, 0d
"""


def link(name: str, x: float, markers: dict[str, tuple[float, float]]) -> str:
    """A part at x [mm] with markers whose z axes are along y, at places in axes of the part."""
    lines = [
        "defaults coordinate_system default_coordinate_system = .machine.ground",
        f"part create rigid_body name_and_position part_name = .machine.{name} location = {x}, 0, 0",
        f"defaults coordinate_system default_coordinate_system = .machine.{name}",
    ]
    for marker, (u, v) in markers.items():
        lines.append(
            f"marker create marker_name = .machine.{name}.{marker} location = {u}, 0, {v} orientation = 180, 90, 0"
        )
    lines.append(
        f"part create rigid_body mass_properties part_name = .machine.{name} mass = 2.0 "
        f"center_of_mass_marker = .machine.{name}.{next(iter(markers))} ixx = 3e4 iyy = 3e4 izz = 3e4"
    )
    return "\n".join(lines) + "\n"


LINKS = (
    link("crank", 0, {"A": (0, 0), "B": (0, 300)})
    + link("coupler", 0, {"B": (0, 300), "C": (600, 300)})
    + link("rocker", 600, {"C": (0, 300), "D": (0, 0)})
)


def joint(name: str, i: str, j: str, kind: str = "joint revolute") -> str:
    return (
        f"constraint create {kind}  &\n   joint_name = .machine.{name}  &  ! a comment\n"
        f"   i_marker_name = .machine.{i} &\n   j_marker_name = .machine.{j}\n"
    )


CHAIN = joint("A", "crank.A", "ground.A") + joint("B", "coupler.B", "crank.B") + joint("C", "rocker.C", "coupler.C")


def imported(folder: Path, text: str) -> Imported:
    path = folder / "machine.cmd"
    path.write_text(text)
    return import_file(path)


def counts(model: ro.Model) -> tuple[int, int]:
    """Redundancy and mobility."""
    verdicts = ro.check(model)
    assert verdicts.confident
    return verdicts.m - verdicts.rank, verdicts.n - verdicts.rank


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("joint revolute", (3, 1)), ("joint cylindrical", (2, 1)), ("joint spherical", (1, 1)),
        ("joint fixed", (3, 0)), ("joint planar", (3, 3)), ("primitive_joint inline", (0, 1)),
        ("primitive_joint parallel_axis", (2, 3)),
    ],
)  # fmt: skip
def test_a_parallelogram_closed_in_other_ways(tmp_path: Path, kind: str, expected: tuple[int, int]) -> None:
    """The open chain of three parallel hinges has rank 15 and mobility 3 before the last joint."""
    assert counts(imported(tmp_path, HEAD + LINKS + CHAIN + joint("D", "rocker.D", "ground.D", kind)).model) == expected


def test_places_and_masses_are_in_units_of_the_file(tmp_path: Path) -> None:
    result = imported(tmp_path, HEAD + LINKS + CHAIN + joint("D", "rocker.D", "ground.D"))
    part = next(part for part in result.mechanism.parts if part.name == "rocker")
    assert part.pose.r.tolist() == [0.6, 0.0, 0.0]
    assert part.inertia is not None
    np.testing.assert_allclose(np.diag(part.inertia.J), 0.03)
    np.testing.assert_allclose(part.inertia.center, [0, 0, 0.3], atol=1e-15)
    axis = next(j for j in result.mechanism.joints if j.name == "D").frame_a.R[:, 2]
    np.testing.assert_allclose(axis, [0, 1, 0], atol=1e-15)  # Rz(180°) Rx(90°) turns z to y


def test_expressions_leave_the_numbers_written_before_them(tmp_path: Path) -> None:
    """Exports write every place twice: as numbers, then as an expression of other objects."""
    text = "marker modify marker_name = .machine.rocker.D location = (LOC_RELATIVE_TO({0, 0, 0}, .machine.ground.D))\n"
    result = imported(tmp_path, HEAD + LINKS + text + CHAIN + joint("D", "rocker.D", "ground.D"))
    assert counts(result.model) == (3, 1)
    assert any("1 places as expressions" in note.what for note in result.report.notes)
    only = "marker create marker_name = .machine.rocker.E location = (LOC_ALONG_LINE(.machine.ground.D, A, 3))\n"
    with pytest.raises(ModelError, match=r"machine\.cmd:\d+: .*marker '.machine.rocker.E' is the expression"):
        imported(tmp_path, HEAD + LINKS + only + CHAIN + joint("D", "rocker.E", "ground.D"))


def test_couplers_motions_and_springs(tmp_path: Path) -> None:
    text = (
        "constraint create complex_joint coupler coupler_name = .machine.K joint_name = .machine.A, .machine.B "
        "type_of_freedom = rot_rot motion_multipliers = 1.0, -2.0\n"
        "constraint create motion_generator motion_name = .machine.M joint_name = .machine.C "
        'function = "30.0d * time"\n'
        "force create element_like translational_spring_damper spring_damper_name = .machine.S stiffness = 5.0 "
        "damping = 0.1 displacement_at_preload = 200.0 i_marker_name = .machine.crank.B "
        "j_marker_name = .machine.rocker.D\n"
        "force create body gravitational gravity_field_name = g z_component_gravity = -9806.65\n"
    )
    result = imported(tmp_path, HEAD + LINKS + CHAIN + text)
    mechanism = result.mechanism
    assert counts(result.model) == (0, 2)
    assert mechanism.couplings[0].parameters["coefficients"] == (1.0, -2.0)
    assert (mechanism.motions[0].along, mechanism.motions[0].function) == ("C.rotation", "(30.0*pi/180) * t")
    spring = mechanism.loads[0].parameters
    assert spring == pytest.approx({"stiffness": 5000.0, "length": 0.2, "damping": 100.0})
    assert mechanism.gravity == pytest.approx((0.0, 0.0, -9.80665))


def test_what_is_switched_off_or_not_read_is_named(tmp_path: Path) -> None:
    text = (
        "constraint attributes constraint_name = .machine.D active = off\n"
        "ude create instance instance_name = .machine.U definition_name = .MDI.beam_joint\n"
        "force create element_like bushing bushing_name = .machine.F i_marker_name = a j_marker_name = b\n"
        "force create direct single_component_force single_component_force_name = .machine.P action_only = on "
        'i_marker_name = .machine.crank.B j_marker_name = .machine.ground.A function = "VARVAL(input)"\n'
    )
    result = imported(tmp_path, HEAD + LINKS + CHAIN + joint("D", "rocker.D", "ground.D") + text)
    assert counts(result.model) == (0, 3)
    kinds = {note.what: note.kind for note in result.report.notes}
    assert kinds["instance '.machine.U'"] is NoteKind.UNREAD
    assert kinds["joint 'D'"] is NoteKind.WARNING
    assert kinds["element_like bushing '.machine.F'"] is NoteKind.WARNING
    assert kinds["SFORCE 'P'"] is NoteKind.WARNING


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (joint("D", "rocker.D", "ground.Z"), "no marker '.machine.ground.Z'"),
        (joint("D", "rocker.D", "ground.D", "joint rovolute"), "joints of kind 'rovolute'"),
        ("part create flexible_body part_name = .machine.flex\n", "no counterpart"),
        ("for variable_name = k start = 1 end = 3\n" + joint("D", "rocker.D", "ground.D") + "end\n", "inside `for`"),
        ("model create model_name = other\n", "second model"),
        ("defaults units length = parsec\n", "not a known unit"),
        ("marker create marker_name = .machine.rocker.E location = 1, 2\n", "needs three numbers"),
        ("constraint create complex_joint coupler coupler_name = k joint_name = .machine.A, .machine.Q\n", "no joint"),
        ("cons cre joi rev joint_name = .machine.D\n", "'cons' is an abbreviation"),
        ("defaults units length = meter\n", "differs from the unit of the objects created before"),
        ("group attributes group_name = all active = off\n", "groups are not read"),
        ("model delete model_name = .machine\n", "deletes objects"),
        ("entity delete entity_name = .machine.A\n", "deletes objects"),
        (
            "part modify rigid_body mass_properties part_name = .machine.rocker mass = (m1)\n",
            "expression m1 is not read",
        ),
        ("part create rigid_body name_and_position part_name = .machine.base ground_part = yes\n", "name it 'ground'"),
    ],
)
def test_commands_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        imported(tmp_path, HEAD + LINKS + CHAIN + text)
    assert "machine.cmd:" in str(caught.value)


def test_values_end_where_the_next_key_begins() -> None:
    (command,) = commands(
        'force create x a = 1, 2 &\n function = "IF(x: 1 = 2, b = 3)" c = (eval(d = 4)) e=5 ! note', "f"
    )
    assert command.words == ("force", "create", "x")
    assert command.values == {"a": "1, 2", "function": '"IF(x: 1 = 2, b = 3)"', "c": "(eval(d = 4))", "e": "5"}


def test_a_joint_that_makes_its_own_markers(tmp_path: Path) -> None:
    text = (
        "defaults coordinate_system default_coordinate_system = .machine.ground\n"
        "constraint create joint revolute joint_name = .machine.D i_part_name = rocker j_part_name = ground "
        "location = 600, 0, 0 orientation = 180, 90, 0\n"
    )
    assert counts(imported(tmp_path, HEAD + LINKS + CHAIN + text).model) == (3, 1)


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (("constraint attributes constraint_name = .machine.D active = off",), (0, 3)),
        (("entity attributes entity_name = .machine.D active = off",), (0, 3)),
        (("entity attributes entity_name = .machine.C, .machine.D active = no",), (0, 2)),
        (("constraint attributes constraint_name = .machine.D active = off",
          "constraint attributes constraint_name = .machine.D active = on"), (3, 1)),
        (("entity attributes entity_name = .machine.D active = off", "entity attributes entity_name = .machine.D "
          "visibility = on", "constraint attributes constraint_name = .machine.D active = yes"), (3, 1)),
    ],
)  # fmt: skip
def test_the_last_state_of_an_object_counts(tmp_path: Path, states: tuple[str, ...], expected: tuple[int, int]) -> None:
    """An open chain of hinges without the last has 3 freedoms; without the last two, the rocker is loose."""
    text = HEAD + LINKS + CHAIN + joint("D", "rocker.D", "ground.D") + "\n".join(states) + "\n"
    assert counts(imported(tmp_path, text).model) == expected


def test_parts_that_are_switched_off(tmp_path: Path) -> None:
    """A part that carries nothing else is left out; one that joints hold is refused."""
    off = "part attributes part_name = .machine.rocker active = off\n"
    loose = HEAD + LINKS + joint("A", "crank.A", "ground.A") + joint("B", "coupler.B", "crank.B") + off
    result = imported(tmp_path, loose)
    assert [part.name for part in result.mechanism.parts] == ["crank", "coupler"]
    kinds = {note.what: note.kind for note in result.report.notes}
    assert kinds["part 'rocker'"] is NoteKind.WARNING
    with pytest.raises(ModelError, match=r"machine\.cmd:\d+: .*while joint 'C' is attached to it"):
        imported(tmp_path, HEAD + LINKS + CHAIN + off)
    both = off + "constraint attributes constraint_name = .machine.C active = off\n"
    assert counts(imported(tmp_path, HEAD + LINKS + CHAIN + both).model) == (0, 2)


def test_what_else_is_switched_off(tmp_path: Path) -> None:
    text = HEAD + LINKS + CHAIN + "entity attributes entity_name = .machine.hinges active = off\n"
    text += "force create body gravitational gravity_field_name = g z_component_gravity = -9806.65\n"
    text += "force attributes force_name = .machine.g active = off\n"
    result = imported(tmp_path, text)
    kinds = {note.what: note.kind for note in result.report.notes}
    assert kinds["object '.machine.hinges'"] is NoteKind.WARNING
    assert kinds["accgrav 'g'"] is NoteKind.WARNING
    assert result.mechanism.gravity == (0.0, 0.0, 0.0)
    inside = "if condition = (a)\nentity attributes entity_name = .machine.A active = off\nend\n"
    with pytest.raises(ModelError, match="inside `if`"):
        imported(tmp_path, HEAD + LINKS + CHAIN + inside)


def test_forces_that_are_modified(tmp_path: Path) -> None:
    """Springs take what is modified; other elements of force are named once."""
    text = (
        "force create element_like translational_spring_damper spring_damper_name = .machine.S stiffness = 5.0 "
        "damping = 0.1 displacement_at_preload = 200.0 i_marker_name = .machine.crank.B "
        "j_marker_name = .machine.rocker.D\n"
        "force modify element_like translational_spring_damper spring_damper_name = .machine.S stiffness = 7.0\n"
        "force modify element_like translational_spring_damper spring_damper_name = .machine.S damping = (2 * c)\n"
        "force create element_like bushing bushing_name = .machine.F i_marker_name = a j_marker_name = b\n"
        "force modify element_like bushing bushing_name = .machine.F stiffness = 1, 2, 3\n"
        "force modify element_like field field_name = .machine.G formulation = linear\n"
    )
    result = imported(tmp_path, HEAD + LINKS + CHAIN + text)
    spring = result.mechanism.loads[0].parameters
    assert spring == pytest.approx({"stiffness": 7000.0, "length": 0.2, "damping": 100.0})
    about = [note.what for note in result.report.notes if note.kind is NoteKind.WARNING]
    assert about.count("element_like bushing '.machine.F'") == 1
    assert about.count("element_like field '.machine.G'") == 1
    assert about.count("spring 'S'") == 1


def test_commands_that_may_create_joints_are_named_in_the_headline(tmp_path: Path) -> None:
    text = 'file command read file_name = "closures.cmd"\nmy_macro arm = 2\n'
    text += 'file adams_data_set read file_name = "legs.adm"\nfile adams_data_set write file_name = "all.adm"\n'
    result = imported(tmp_path, HEAD + LINKS + CHAIN + text)
    assert [note.what for note in result.report.of(NoteKind.UNREAD)] == [
        "file 'closures.cmd'",
        "command 'my_macro'",
        "file 'legs.adm'",
    ]


def test_the_ground_part_may_be_created_by_name(tmp_path: Path) -> None:
    """As a part that moves it would carry the whole mechanism away: six freedoms more."""
    ground = "part create rigid_body name_and_position part_name = .machine.ground ground_part = yes\n"
    assert counts(imported(tmp_path, HEAD + ground + LINKS + CHAIN).model) == (0, 3)
