"""Large files: import takes time in proportion to their size, and asks nothing of the depth of Python's stack."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reactio.errors import ModelError
from reactio.importers.conversion import closed_in_file
from reactio.importers.conversion.convert import aligned
from reactio.importers.formats.mjcf import compilation
from reactio.importers.pipeline import import_file
from reactio.importers.pose import Pose, rotation
from reactio.system.compile.build import build

from ..counted_calls import calls_of
from . import four_bars

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def chain(path: Path, n: int) -> Path:
    """Links behind each other, hinges with axes in n different directions."""
    parts = ['<robot name="chain"><link name="l0"/>']
    for k in range(1, n + 1):
        axis = f"{np.cos(k):.6f} {np.sin(k):.6f} {np.sin(3 * k):.6f}"
        parts.append(
            f'<link name="l{k}">{INERTIAL}</link><joint name="j{k}" type="continuous"><parent link="l{k - 1}"/>'
            f'<child link="l{k}"/><origin xyz="0.1 0 0"/><axis xyz="{axis}"/></joint>'
        )
    path.write_text("".join(parts) + "</robot>", encoding="utf-8")
    return path


def test_four_times_the_links_take_four_times_the_work(tmp_path: Path) -> None:
    """Calls of functions for 100 and 400 links; a quadratic part would make the ratio 16."""
    small, large = chain(tmp_path / "small.urdf", 100), chain(tmp_path / "large.urdf", 400)
    assert import_file(small).report.exact  # formats and kernels are loaded
    few, many = (calls_of(partial(import_file, path)) for path in (small, large))
    assert many < 5 * few  # n log n of sorting makes 4.3 of 4
    assert many - few < 1100 * 300  # 920 calls for each link


def test_axes_are_compared_without_a_library_that_takes_longer_to_load(tmp_path: Path) -> None:
    path = chain(tmp_path / "small.urdf", 10)
    code = f"import sys, reactio.importers.pipeline as p; p.import_file(p.Path({str(path)!r})); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "reactio.importers.conversion.convert" in done.stdout.split()
    assert "scipy.spatial" not in done.stdout.split()


def test_many_different_axes_stay_as_they_are() -> None:
    turn = np.linspace(0.1, 3.1, 3000)
    axes = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(3000)])
    assert np.abs(aligned(axes, 1e-9) - axes).max() < 1e-15


@given(st.integers(0, 10**6))
def test_nearly_parallel_axes_become_parallel_and_no_others_move(seed: int) -> None:
    """By comparison of every pair, the slow way; noise is a hundredth of what counts as parallel."""
    random = np.random.default_rng(seed)
    within = 1e-6
    base = random.normal(size=(4, 3))
    base /= np.linalg.norm(base, axis=1)[:, None]
    axes = base[random.integers(0, 4, 12)] * random.choice([-1.0, 1.0], 12)[:, None]
    axes += 1e-2 * within * random.uniform(-1, 1, axes.shape)
    made = aligned(axes, within)
    assert np.abs(made - axes).max() < within
    for i in range(12):
        for j in range(12):
            size = np.linalg.norm(np.cross(made[i], made[j]))
            assert size <= 1e-15 if np.linalg.norm(np.cross(axes[i], axes[j])) < 0.1 * within else size > within


def test_frames_of_sdf_may_stand_on_each_other_in_any_number(tmp_path: Path) -> None:
    """Each link stands on the one before it, 0.1 m further; a limit of 1,000 frames took a long chain for a circle."""
    links = "".join(_sdf_link(k) for k in range(1500))
    path = tmp_path / "chain.sdf"
    path.write_text(f'<sdf version="1.9"><model name="chain">{links}</model></sdf>', encoding="utf-8")
    last = import_file(path).model.bodies[-1]
    assert last.position == pytest.approx((150.0, 0.0, 0.0), abs=1e-9)  # sums of 1,500 numbers


def _sdf_link(k: int) -> str:
    on, parent = (f' relative_to="l{k - 1}"', f"l{k - 1}") if k else ("", "world")
    return (
        f'<link name="l{k}"><pose{on}>0.1 0 0 0 0 0</pose></link><joint name="j{k}" type="revolute">'
        f"<parent>{parent}</parent><child>l{k}</child><axis><xyz>0 0 1</xyz></axis></joint>"
    )


@pytest.mark.parametrize("on", ["l1", "l0"])
def test_frames_of_sdf_that_stand_on_themselves_are_refused(tmp_path: Path, on: str) -> None:
    text = f'''<sdf version="1.9"><model name="m"><link name="l0"><pose relative_to="{on}">0 0 0 0 0 0</pose></link>
    <link name="l1"><pose relative_to="l0">0 0 0 0 0 0</pose></link><joint name="j" type="ball"><parent>l0</parent>
    <child>l1</child></joint></model></sdf>'''
    path = tmp_path / "circle.sdf"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="is relative to itself"):
        import_file(path)


def test_more_bodies_than_mujoco_can_compile_are_refused_before_the_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.xml"
    path.write_text(
        f"<mujoco><worldbody>{'<body/>' * (compilation.MOST_MJCF_BODIES + 1)}</worldbody></mujoco>", encoding="utf-8"
    )
    monkeypatch.setattr(compilation, "_spec", lambda *_: pytest.fail("MuJoCo would take a minute"))
    with pytest.raises(ModelError, match="square of their number"):
        import_file(path)


@pytest.mark.parametrize("loop", [four_bars.TWO_PARENTS, four_bars.GAZEBO])
def test_what_closes_as_given_is_what_assembly_leaves_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: str
) -> None:
    """The same model by assembly, to rounding; and a hinge that stands open by a micrometre is left to assembly."""
    path = tmp_path / "four-bar.urdf"
    path.write_text(four_bars.URDF.format(loop=loop), encoding="utf-8")
    drawn = import_file(path)
    mechanism = drawn.mechanism
    assert closed_in_file.all_joints_close(mechanism, 1e-12)
    assert closed_in_file.characteristic_length(mechanism) == pytest.approx(build(drawn.model).length, rel=1e-12)
    monkeypatch.setattr(closed_in_file, "all_joints_close", lambda *_: False)
    assembled = import_file(path)
    for one, other in zip(drawn.model.bodies, assembled.model.bodies, strict=True):
        assert one.position == pytest.approx(other.position, abs=1e-12)


@pytest.mark.parametrize(
    ("type_", "moved", "closes"),
    [
        ("revolute", Pose(np.array([1e-6, 0.0, 0.0])), False),
        ("revolute", Pose(np.array([0.0, 0.0, 1e-6])), False),
        ("cylindrical", Pose(np.array([0.0, 0.0, 1e-6])), True),
        ("revolute", Pose(R=rotation((0, 0, 1), 0.3)), True),
        ("revolute", Pose(R=rotation((0, 1, 0), 1e-6)), False),
        ("spherical", Pose(R=rotation((0, 1, 0), 1.0)), True),
        ("prismatic", Pose(R=rotation((0, 0, 1), 1e-6)), False),
        ("universal", Pose(), False),  # it has two turns: left to assembly
    ],
)
def test_open_joints_do_not_close_as_given(tmp_path: Path, type_: str, moved: Pose, closes: bool) -> None:
    path = tmp_path / "four-bar.urdf"
    path.write_text(four_bars.URDF.format(loop=four_bars.GAZEBO), encoding="utf-8")
    mechanism = import_file(path).mechanism
    first = mechanism.joints[0]
    first = replace(first, type=type_, frame_b=first.frame_a @ moved)  # both on ground and a part that stands there
    assert closed_in_file.all_joints_close(replace(mechanism, joints=(first, *mechanism.joints[1:])), 1e-12) == closes
