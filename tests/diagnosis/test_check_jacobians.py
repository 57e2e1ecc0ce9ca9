"""Verdicts on stacks of Jacobians: those of ``solvability`` for each world, and rows of zeros."""

from __future__ import annotations

import numpy as np
import pytest

import reactio as ro
from reactio.diagnosis.check_many import FLAG_OF_UNIQUE
from reactio.errors import ReactioError

GROUPS = {"A": [2, 0], "B": [1, 3], "C": [4]}


def worlds(rng: np.random.Generator) -> np.ndarray:
    """Jacobians (6, 5, 7) of full rank, the last three with a row that is a sum of others; two are equal."""
    stack = rng.normal(size=(6, 5, 7))
    stack[3:, 4] = stack[3:, 0] - 2 * stack[3:, 1]
    stack[1] = stack[0]
    return stack


def test_every_world_has_the_verdicts_of_its_own_matrix() -> None:
    stack = worlds(np.random.default_rng(3))
    table = ro.check_jacobians(stack, GROUPS, times=np.arange(6.0))
    assert table.redundancy.tolist() == [0, 0, 0, 1, 1, 1]
    assert table.joints == ("A", "B", "C")
    for k, matrix in enumerate(stack):
        answer = ro.solvability(matrix, GROUPS)
        assert [table.words_of(name)[k] for name in GROUPS] == [str(answer[name].verdict) for name in GROUPS]
        for at, name in enumerate(GROUPS):
            for part in answer[name].components:
                assert table.component_verdict[k, at, table.components.index(part.name)] == FLAG_OF_UNIQUE[part.unique]


@pytest.mark.parametrize("size", [0.0, 1e-15])
def test_a_row_of_zeros_has_an_undetermined_force(size: float) -> None:
    """Read as a direction, a row of rounding would make its own force unique."""
    stack = np.array([[[1.0, 0.0, 2.0], [3 * size, size, -size], [0.0, 1.0, 0.0]], [[0.0] * 3, [0.0] * 3, [1.0] * 3]])
    table = ro.check_jacobians(stack, {"A": [0, 1], "B": [2]})
    assert table.rank.tolist() == [2, 1]
    assert table.words_of("A") == ("partly unique", "not unique")
    assert table.words_of("A", "row 1")[0] == "not unique"
    assert table.words_of("B") == ("unique", "unique")


def test_arrays_in_single_precision_are_judged_as_such() -> None:
    """A sum of rows is one to 1e-7 there: read to the last digit of double precision, every reaction were unique."""
    stack = worlds(np.random.default_rng(3)).astype(np.float32)
    assert ro.check_jacobians(stack, GROUPS).redundancy.tolist() == [0, 0, 0, 1, 1, 1]


def test_arrays_that_are_no_stack_are_refused() -> None:
    for wrong in (np.ones((3, 2)), np.ones((0, 3, 2))):
        with pytest.raises(ReactioError, match="worlds, rows, columns"):
            ro.check_jacobians(wrong, {})
    with pytest.raises(ReactioError, match="world 1"):
        ro.check_jacobians(np.array([[[1.0]], [[np.nan]]]), {})


FOUR_BAR = """<mujoco><worldbody>
<body><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/>
<body pos="0 0 .3"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 .1"/>
<body name="rocker" pos=".5 0 .1"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.4"/>
</body></body></body></worldbody><equality><connect name="D" body1="rocker" anchor="0 0 -.4"/></equality></mujoco>"""


def test_worlds_of_a_rollout_of_mujoco() -> None:
    """The example of the documentation: a planar four-bar closed by a ball, whose lateral force is undetermined."""
    mujoco = pytest.importorskip("mujoco")
    rollout = pytest.importorskip("mujoco.rollout")
    model = mujoco.MjModel.from_xml_string(FOUR_BAR)
    data, kind = mujoco.MjData(model), mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.zeros((3, mujoco.mj_stateSize(model, kind)))
    start[:, 1 + model.nq] = [0.0, 1.0, 2.0]  # speeds of the crank [rad/s]
    states, _ = rollout.rollout(model, data, start, nstep=20)
    stack = []
    for state in states[:, -1]:
        mujoco.mj_setState(model, data, state, kind)
        mujoco.mj_forward(model, data)
        stack.append(data.efc_J.reshape(-1, model.nv)[: data.ne].copy())
    table = ro.check_jacobians(stack, {"D": range(data.ne)})
    assert (table.redundancy.tolist(), table.mobility.tolist()) == ([1, 1, 1], [1, 1, 1])
    assert table.words_of("D", "row 1") == ("not unique",) * 3
