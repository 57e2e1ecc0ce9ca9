"""Loops of imported mechanisms: closed in the coordinates of trees, group by group, or refused with the reason."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reactio.errors import AssemblyError
from reactio.importers.conversion import closure as closure_room
from reactio.importers.conversion.closure import closed
from reactio.importers.conversion.convert import draft_model
from reactio.importers.conversion.loops import loop_groups
from reactio.importers.conversion.tree_coordinates import TreeCoordinates, spanning_tree
from reactio.importers.mechanism import ImportedCoupling, ImportedJoint, Mechanism, Part
from reactio.importers.pose import Pose, rotation
from reactio.kernels import CodeUse, machine_code_use
from reactio.kinematics.close import residual
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations


def pose(x: float, y: float, z: float, angle: float = 0.0) -> Pose:
    return Pose(np.array([x, y, z]), rotation((0.36, 0.48, 0.8), angle))


def chain(*types: str, closing: str = "fixed") -> Mechanism:
    """Parts in a row on joints of given types, every second one with its frames in reverse, and a joint to ground."""
    parts, joints, last = [], [], "ground"
    for k, kind in enumerate(types):
        name = f"p{k}"
        ends = (last, name, pose(0.3, 0.1 * k, 0.2, 0.4), pose(-0.2, 0.1, 0.0, 0.7))
        if k % 2:
            ends = (name, last, ends[3], ends[2])
        parts.append(Part(name))
        joints.append(ImportedJoint(f"j{k}", kind, *ends))
        last = name
    joints.append(ImportedJoint("close", closing, last, "ground", pose(0.1, 0.2, 0.3), pose(0.5, 0.4, 0.1), {}, True))
    return Mechanism("chain", "test", tuple(parts), tuple(joints))


@pytest.mark.parametrize(
    "types",
    [
        ("revolute", "revolute", "revolute"),
        ("universal", "universal", "prismatic"),
        ("spherical", "spherical"),
        ("cylindrical", "planar", "point-on-plane"),
        ("revolute", "screw", "parallel-axes"),  # a screw has no coordinates of this kind: six for its part
    ],
)
def test_the_matrix_is_the_derivative_of_the_gaps(types: tuple[str, ...]) -> None:
    """J against differences of Φ, at a random pose of the tree; joints of the tree stay closed."""
    mechanism = chain(*types) if "screw" not in types else _with_pitch(chain(*types))
    tree = spanning_tree(mechanism)
    system = build(draft_model(mechanism, 0.5))
    within, random = TreeCoordinates(tree, system), np.random.default_rng(1)
    eqs = within.displaced(equations(system), within.random_displacement(0.5, random))
    assert np.abs(np.delete(residual(eqs), within.rows)).max(initial=0.0) < 1e-14
    J, _ = within.linearised(eqs)
    for k in range(within.size):
        step = np.zeros(within.size)
        step[k] = 1e-6
        ahead, behind = (residual(within.displaced(eqs, sign * step))[within.rows] for sign in (1, -1))
        assert (ahead - behind) / 2e-6 == pytest.approx(J[:, k], abs=1e-8)


def _with_pitch(mechanism: Mechanism) -> Mechanism:
    from dataclasses import replace

    joints = tuple(replace(j, parameters={"pitch": 0.1}) if j.type == "screw" else j for j in mechanism.joints)
    return replace(mechanism, joints=joints)


def four_bar(
    name: str, on: str, at: Pose, crank: float = 0.0, offset: float = 0.0
) -> tuple[list[Part], list[ImportedJoint]]:
    """A four-bar of lengths 1, 2, 1.5 and 2 m in a plane at a pose on a part, its crank rotated, its loop open."""
    links = {"crank": 1.0, "coupler": 2.0, "rocker": -1.5}
    parts, joints, last, before = [], [], on, at @ Pose(np.zeros(3), rotation((0, 0, 1), crank))
    for link, length in links.items():
        parts.append(Part(f"{name} {link}", at))
        joints.append(ImportedJoint(f"{name} {link}", "revolute", last, f"{name} {link}", before, Pose()))
        last, before = f"{name} {link}", Pose(np.array([length, 0.0, 0.0]), rotation((0, 0, 1), 1.0))
    end = at @ Pose(np.array([2.0, 0.0, offset]))
    joints.append(ImportedJoint(f"{name} loop", "revolute", last, on, before, end, {}, True))
    return parts, joints


def test_loops_in_different_blocks_close_apart() -> None:
    """A second four-bar hangs on the coupler of the first: two groups; a coupling between them makes one."""
    first, second = four_bar("A", "ground", Pose()), four_bar("B", "A coupler", pose(0.0, 1.0, 0.5, 0.5))
    mechanism = Mechanism("two", "test", (*first[0], *second[0]), (*first[1], *second[1]))
    loops = loop_groups(mechanism)
    assert sorted(map(len, loops.groups)) == [4, 4]
    assert loops.root_of_part["B crank"] == "A coupler"
    closure = closed(mechanism)
    assert closure.precision < 1e-12
    from dataclasses import replace

    gear = ImportedCoupling("gear", "linear", ("A crank.rotation", "B crank.rotation"), {"coefficients": [1.0, -1.0]})
    assert [len(group) for group in loop_groups(replace(mechanism, couplings=(gear,))).groups] == [8]


def test_a_gap_along_which_nothing_moves_is_called_a_difference_of_dimensions() -> None:
    """2 mm along the axes of a planar four-bar; beside it a loop that closes."""
    parts, joints = four_bar("A", "ground", Pose(), offset=0.002)
    more = four_bar("B", "ground", pose(0.0, 0.0, 3.0, 0.3))
    with pytest.raises(
        AssemblyError, match=r"'A loop' by 2 mm along \(.*1\), .*no joint of the loop moves: dim.* 2 mm"
    ) as error:
        closed(Mechanism("shifted", "test", (*parts, *more[0]), (*joints, *more[1])))
    assert "B loop" not in str(error.value)


def contradiction() -> Mechanism:
    """The end of a crank at two places, a quarter of a turn apart."""
    end = Pose(np.array([1.0, 0.0, 0.0]))
    joints = [ImportedJoint("hinge", "revolute", "ground", "crank", Pose(), Pose())]
    for name, place in (("first", (0.0, 1.0, 0.0)), ("second", (-1.0, 0.0, 0.0))):
        joints.append(ImportedJoint(name, "spherical", "crank", "ground", end, Pose(np.array(place)), {}, True))
    return Mechanism("crank", "test", (Part("crank", Pose()),), tuple(joints))


def test_loops_that_contradict_each_other_are_announced_before_all_poses_are_tried(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level("INFO", "reactio"), pytest.raises(AssemblyError, match="stay open, 'first' by"):
        closed(contradiction())
    assert "crank: each of 2 loops closes alone; a pose that closes all is sought …" in caplog.text


def test_a_long_search_for_a_closed_pose_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first start runs as small work does, later ones as large work."""
    uses = []

    def tried(eqs: Equations, coordinates: TreeCoordinates | None = None) -> Equations:
        uses.append(machine_code_use())
        return eqs

    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    monkeypatch.setattr(closure_room, "_closest", tried)
    monkeypatch.setattr(closure_room, "EQUAL_ENDS", closure_room.RANDOM_TREE_POSES)
    with pytest.raises(AssemblyError):
        closed(contradiction())
    assert uses[0] is not CodeUse.COMPILED
    assert CodeUse.COMPILED in uses


def test_a_loop_far_from_closed_keeps_the_sense_of_its_axes(tmp_path: Path) -> None:
    """The hinges of the tree cannot turn over on the way, whatever the crank angle of the file."""
    for angle in np.linspace(-3.0, 3.0, 7):
        parts, joints = four_bar("A", "ground", pose(0.1, 0.2, 0.3, 1.0), crank=float(angle))
        closure = closed(Mechanism("turned", "test", tuple(parts), tuple(joints)))
        assert closure.precision < 1e-12
        poses = {part.name: part.pose for part in closure.mechanism.parts}
        axes = [poses[joint.b].R[:, 2] for joint in joints[:3]]
        assert all(axis @ axes[0] == pytest.approx(1.0) for axis in axes)
