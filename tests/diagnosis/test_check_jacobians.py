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


def test_rows_of_padding_are_not_judged() -> None:
    """Arrays of a fixed size hold old entries, or zeros, behind the rows of each world."""
    stack = worlds(np.random.default_rng(3))
    alone = [ro.solvability(stack[4, :3], {"A": [2, 0], "B": [1]}), ro.solvability(stack[4, :4], {"A": [2, 0]})]
    stack[:2, 4], stack[2, 3:] = 0.0, np.nan
    table = ro.check_jacobians(stack, GROUPS, present=[5, 4, 3, 5, 4, 0])
    assert table.redundancy.tolist() == [1, 0, 0, 1, 0, 0]
    assert table.mobility.tolist() == [3, 3, 4, 3, 3, 7]
    assert table.words_of("C") == ("not unique", "", "", "not unique", "", "")
    assert table.words_of("B", "row 3")[2] == ""
    assert table.counts()["C"].keys() <= {"not unique", "partly unique"}
    assert [str(answer["A"].verdict) for answer in alone] == [table.words_of("A")[k] for k in (2, 4)]


def test_flags_leave_out_constraints_that_are_switched_off_in_a_world() -> None:
    """MJX keeps the rows of an inactive equality as zeros: it is not there, and its force not undetermined."""
    stack = worlds(np.random.default_rng(3))
    stack[3, [2, 0]] = 0.0
    present = np.ones(stack.shape[:2], dtype=bool)
    present[3, [2, 0]] = False
    table = ro.check_jacobians(stack, GROUPS, present=present)
    assert (table.redundancy[3], table.mobility[3], table.words_of("A")[3]) == (0, 4, "")
    assert ro.check_jacobians(stack, GROUPS).redundancy[3] == 2


def test_worlds_of_different_sizes_are_a_list_of_matrices() -> None:
    """As Kamino has them: one flat array, cut at the offsets of the worlds."""
    stack = worlds(np.random.default_rng(3))
    sizes = [(3, 5), (5, 7), (4, 6)]
    flat = np.concatenate([stack[4, :m, :n].ravel() for m, n in sizes])
    offsets = np.concatenate([[0], np.cumsum([m * n for m, n in sizes])])
    cut = [flat[start:].reshape(-1)[: m * n].reshape(m, n) for start, (m, n) in zip(offsets, sizes, strict=False)]
    table = ro.check_jacobians(cut, GROUPS)
    assert (table.redundancy.tolist(), table.mobility.tolist()) == ([0, 1, 0], [2, 3, 2])
    assert table.words_of("C")[0] == table.words_of("C")[2] == ""


@pytest.mark.parametrize(
    ("present", "words"),
    [([6, 5, 5, 5, 5, 5], "world 0 6 rows"), ([1.0] * 6, "float64"), ([5] * 5, r"\(5,\)"), ([-1] * 6, "world 0 -1")],
)
def test_wrong_numbers_of_rows_are_refused(present: list[float], words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        ro.check_jacobians(worlds(np.random.default_rng(3)), GROUPS, present=present)


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
    padded = np.full((3, 9, model.nv), np.nan, dtype=np.float32)  # of a fixed size, with more than its rows
    padded[:, : data.ne] = stack
    again = ro.check_jacobians(padded, {"D": range(data.ne)}, present=[data.ne] * 3)
    assert again.component_verdict[:, 0, : data.ne].tolist() == table.component_verdict[:, 0].tolist()
    assert again.mobility.tolist() == [1, 1, 1]
