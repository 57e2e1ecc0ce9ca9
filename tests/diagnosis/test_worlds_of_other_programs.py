"""Verdicts on the arrays that simulators of many worlds allocate, next to those of MuJoCo's own Jacobian."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import reactio as ro

mujoco = pytest.importorskip("mujoco")

# A planar four-bar that a ball closes, an arm welded to ground, and a gear; MJX puts connects before welds and joints.
MODEL = """<mujoco><option jacobian="dense"/><worldbody>
<body><joint name="A" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/>
<body pos="0 0 .3"><joint name="B" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 .1"/>
<body name="rocker" pos=".5 0 .1"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.4"/>
</body></body></body>
<body name="arm" pos="0 2 0"><joint name="E" axis="0 0 1"/><joint axis="1 0 0"/><geom size=".1" pos=".2 0 0"/></body>
<body pos="0 4 0"><joint name="F" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>
</worldbody><equality>
<joint name="gear" joint1="F" joint2="A" polycoef="0 2 0 0 0"/><weld name="held" body1="arm"/>
<connect name="D" body1="rocker" anchor="0 0 -.4"/></equality></mujoco>"""
ACTIVE = np.array([[True, True, True], [True, False, True], [False, True, False]])  # (worlds, equalities)
ORDER_OF_MJX = ("EQ_CONNECT", "EQ_WELD", "EQ_JOINT")
ROWS = {"EQ_CONNECT": 3, "EQ_WELD": 6, "EQ_JOINT": 1}


@pytest.fixture(scope="module")
def model() -> Any:
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture(scope="module")
def poses(model: Any) -> np.ndarray:
    """Positions (worlds, nq), each with another angle of the first crank: rows need not be closed to be judged."""
    return np.outer([0.0, 0.2, -0.3], np.eye(model.nq)[0])


def alone(model: Any, poses: np.ndarray) -> list[Any]:
    """For each world the verdicts on MuJoCo's own equalities in double precision."""
    answers = []
    for pose, active in zip(poses, ACTIVE, strict=True):
        data = mujoco.MjData(model)
        data.qpos[:], data.eq_active[:] = pose, active
        mujoco.mj_forward(model, data)
        owner = data.efc_id[: data.ne]
        rows = {model.equality(e).name: np.flatnonzero(owner == e) for e in range(model.neq) if active[e]}
        answers.append(ro.check_jacobians([data.efc_J.reshape(-1, model.nv)[: data.ne]], rows))
    return answers


def require_same(table: Any, answers: list[Any]) -> None:
    """By hand: the gear has rank 1, the weld of two hinges and the ball of the planar loop have rank 2."""
    assert table.redundancy.tolist() == [int(answer.redundancy[0]) for answer in answers] == [10 - 5, 4 - 3, 6 - 2]
    assert table.mobility.tolist() == [int(answer.mobility[0]) for answer in answers] == [6 - 5, 6 - 3, 6 - 2]
    for k, answer in enumerate(answers):
        for name in table.joints:
            assert table.words_of(name)[k] == (answer.words_of(name)[0] if name in answer.joints else "")


def test_of_mjx(model: Any, poses: np.ndarray) -> None:
    """The rows of an equality that is off stay, as zeros; connects come first, whatever the order of the file."""
    mjx = pytest.importorskip("mujoco.mjx")
    jax = pytest.importorskip("jax")
    given = mjx.put_model(model)
    start = mjx.make_data(given)

    def forward(pose: Any, active: Any) -> Any:
        data = mjx.kinematics(given, start.replace(qpos=pose, eq_active=active))
        return mjx.make_constraint(given, mjx.com_pos(given, data))._impl.efc_J

    J = jax.jit(jax.vmap(forward))(jax.numpy.array(poses), jax.numpy.array(ACTIVE))
    types = [mujoco.mjtEq(kind).name.removeprefix("mj") for kind in model.eq_type]
    order = sorted(range(model.neq), key=lambda e: ORDER_OF_MJX.index(types[e]))
    owner = np.repeat(order, [ROWS[types[e]] for e in order])
    rows = {model.equality(e).name: np.flatnonzero(owner == e) for e in range(model.neq)}
    require_same(ro.check_jacobians(J[:, : len(owner)], rows, present=ACTIVE[:, owner]), alone(model, poses))


def of_equalities(data: Any, nv: int) -> tuple[np.ndarray, np.ndarray]:
    """The Jacobians of MuJoCo Warp with rows in order of the equalities, and the number of those rows (worlds,).

    J has more rows than efc.id: its size is a multiple of that of a tile.
    """
    identifier, ne = data.efc.id.numpy(), data.ne.numpy()
    J = data.efc.J.numpy()[:, : identifier.shape[1]]
    equality = np.arange(identifier.shape[1]) < ne[:, None]
    order = np.argsort(np.where(equality, identifier, identifier.max() + 1), axis=1, kind="stable")
    return np.take_along_axis(J, order[:, :, None], axis=1)[:, :, :nv], ne


def test_of_mujoco_warp(model: Any, poses: np.ndarray) -> None:
    """Worlds have different rows in the same places, and rows of earlier steps behind the last."""
    warp = pytest.importorskip("warp")
    mujoco_warp = pytest.importorskip("mujoco_warp")
    warp.config.quiet = True
    start = mujoco.MjData(model)
    mujoco.mj_forward(model, start)
    given, data = mujoco_warp.put_model(model), mujoco_warp.put_data(model, start, nworld=len(poses))
    data.qpos.assign(poses.astype(np.float32))
    data.eq_active.assign(ACTIVE)
    for stage in (mujoco_warp.kinematics, mujoco_warp.com_pos, mujoco_warp.make_constraint):
        stage(given, data)
    J, ne = of_equalities(data, model.nv)
    for world, answer in enumerate(alone(model, poses)):
        some = [e for e in range(model.neq) if ACTIVE[world, e]]
        owner = np.repeat(some, [ROWS[mujoco.mjtEq(model.eq_type[e]).name.removeprefix("mj")] for e in some])
        rows = {model.equality(e).name: np.flatnonzero(owner == e) for e in some}
        table = ro.check_jacobians(J[world : world + 1], rows, present=ne[world : world + 1])
        assert (table.redundancy[0], table.mobility[0]) == (answer.redundancy[0], answer.mobility[0])
        assert [table.words_of(name) for name in rows] == [answer.words_of(name) for name in rows]


HINGES = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.3], [0.5, 0.0, 0.1], [0.5, 0.0, -0.3]])


def four_bar(builder: Any, newton: Any, balls: tuple[int, ...] = (), armature: float = 0.0) -> None:
    """A world of Newton with a planar four-bar whose joints lie at HINGES; the last closes the loop."""
    warp = newton.ModelBuilder.__init__.__globals__["wp"]

    def place(r: np.ndarray) -> Any:
        return warp.transform(warp.vec3(*r), warp.quat_identity())

    builder.begin_world()
    middles = (HINGES[:-1] + HINGES[1:]) / 2
    inertia = warp.mat33(*(0.01 * np.eye(3)).ravel())
    links = [builder.add_link(xform=place(r), mass=1.0, inertia=inertia) for r in middles]
    joints = []
    for k, (parent, child) in enumerate(((-1, 0), (0, 1), (1, 2), (-1, 2))):
        ends = {
            "parent_xform": place(HINGES[k] - (middles[parent] if parent >= 0 else 0.0)),
            "child_xform": place(HINGES[k] - middles[child]),
        }
        on = links[parent] if parent >= 0 else -1
        if k in balls:
            joints.append(builder.add_joint_ball(on, links[child], **ends))
        else:
            own = {"axis": warp.vec3(0.0, 1.0, 0.0), "armature": armature if k == 0 else 0.0}
            joints.append(builder.add_joint_revolute(on, links[child], **own, **ends))
    builder.add_articulation(joints[:3])
    builder.end_world()


def test_of_mujoco_in_newton() -> None:
    """The hinge that closes the loop is two points: six rows of rank 2 on the three hinges of the tree."""
    newton = pytest.importorskip("newton")
    pytest.importorskip("mujoco_warp")
    builder = newton.ModelBuilder()
    for _ in range(2):
        four_bar(builder, newton)
    model = builder.finalize()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newton names the release of MuJoCo that it was written for
        solver = newton.solvers.SolverMuJoCo(model, njmax=40, nconmax=8, jacobian="dense")
    before, after = model.state(), model.state()
    newton.eval_fk(model, model.joint_q, model.joint_qd, before)
    solver.step(before, after, model.control(), None, 1e-3)
    J, ne = of_equalities(solver.mjw_data, solver.mjw_model.nv)
    table = ro.check_jacobians(J, {"D": range(6)}, present=ne)
    assert (ne.tolist(), table.redundancy.tolist(), table.mobility.tolist()) == ([6, 6], [4, 4], [1, 1])
    assert {table.words_of("D", f"row {row}") for row in range(6)} == {("not unique", "not unique")}
    assert table.determined[:, 0].tolist() == [2, 2]  # the sums of the forces at both points


def test_of_kamino() -> None:
    """Rows of armature come before those of joints: read as joints, the first would shift all others by one."""
    newton = pytest.importorskip("newton")
    builder = newton.ModelBuilder()
    kamino = newton.solvers.SolverKamino
    kamino.register_custom_attributes(builder)
    four_bar(builder, newton)
    four_bar(builder, newton, balls=(2,))
    four_bar(builder, newton, armature=0.1)
    model = builder.finalize()
    config = kamino.Config.from_model(
        model, sparse_jacobian=False, dynamics_solver="padmm", use_collision_detector=False
    )
    solver = kamino(model, config)
    before, after = model.state(), model.state()
    newton.eval_fk(model, model.joint_q, model.joint_qd, before)
    solver.step(before, after, model.control(), None, 1e-3)
    inner = solver._solver_kamino
    info, jacobians = inner._model.info, inner._jacobians._data
    flat, starts = jacobians.J_cts_data.numpy(), jacobians.J_cts_offsets.numpy()
    first, rows = info.joint_kinematic_cts_group_offset.numpy(), info.num_joint_kinematic_cts.numpy()
    columns = 6 * np.diff(info.bodies_offset.numpy())
    assert first.tolist() == [0, 0, 1]
    worlds = [
        flat[start + at * n : start + (at + m) * n].reshape(m, n)
        for start, at, m, n in zip(starts, first, rows, columns, strict=True)
    ]
    hinges = {name: range(5 * k, 5 * k + 5) for k, name in enumerate("ABCD")}
    table = ro.check_jacobians([worlds[0], worlds[2]], hinges)
    assert (table.redundancy.tolist(), table.mobility.tolist()) == ([3, 3], [1, 1])
    assert {table.words_of(name) for name in hinges} == {("partly unique", "partly unique")}
    ball = ro.check_jacobians([worlds[1]], {"A": range(5), "B": range(5, 10), "C": range(10, 13), "D": range(13, 18)})
    assert (ball.redundancy.tolist(), ball.mobility.tolist()) == ([1], [1])
