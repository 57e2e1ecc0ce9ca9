"""Large files: import takes time in proportion to their size, and asks nothing of the depth of Python's stack."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reactio.importers.convert import aligned
from reactio.importers.pipeline import import_file

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


def test_twice_the_links_take_twice_the_time(tmp_path: Path) -> None:
    """Processor time of 400 and 1600 links; a quadratic part would make the ratio 16, a busy machine not beyond 9."""
    small, large = chain(tmp_path / "small.urdf", 400), chain(tmp_path / "large.urdf", 1600)
    import_file(small)  # formats and kernels are loaded
    taken = []
    for path in (small, large):
        began = time.process_time()
        assert import_file(path).report.exact
        taken.append(time.process_time() - began)
    assert taken[1] < 9 * taken[0] + 1.0


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
