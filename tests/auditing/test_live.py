"""Live models of other programs: a four-bar in space and a parallelogram, joints in two orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reactio as ro
from reactio.auditing.data import Audit
from reactio.auditing.judge import judge
from reactio.auditing.programs.reported import BodyAcceleration, ProgramWrench, Reported

FOUR_BAR = """<mujoco><option gravity="0 -9.81 -3"/><worldbody>
  <body name="crank"><joint name="A" axis="0 0 1"/><geom size="0.1" mass="1" pos="0 0.5 0"/>
    <body name="coupler" pos="0 1 0"><joint name="B" axis="0 0 1" damping="0.1"/>
      <geom size="0.1" mass="1" pos="1 0 0"/></body></body>
  <body name="rocker" pos="2 0 0"><joint name="D" axis="0 0 1"/><geom size="0.1" mass="1" pos="0 0.5 0"/></body>
</worldbody><equality>{equality}</equality></mujoco>"""
BALL = '<connect name="C" body1="coupler" body2="rocker" anchor="2 0 0"/>'
HINGE = BALL + '<connect name="Cz" body1="coupler" body2="rocker" anchor="2 0 0.5"/>'


def forward(text: str, velocity: float = 1.0) -> tuple[Any, Any]:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qvel[:] = [velocity, -velocity, velocity]
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("equality", [BALL, HINGE])
def test_forces_of_mujoco_in_the_plane_are_confirmed(equality: str) -> None:
    """Fx and Fy of all hinges are determined; forces along the axes are arbitrary."""
    answer = ro.audit(*forward(FOUR_BAR.replace("{equality}", equality)))
    verdicts = {(x.joint, x.component): x.verdict for x in answer.components}
    assert not answer.of("wrong")
    assert answer.balance < 1e-9
    for joint in "ABD":
        assert verdicts[joint, "Fx"] == verdicts[joint, "Fy"] == "confirmed"
        assert verdicts[joint, "Fz"] == "arbitrary"


def test_loads_that_the_user_applies_in_mujoco_count() -> None:
    """A force and a torque in the plane on the second body (xfrc_applied) are loads of the model too."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(FOUR_BAR.replace("{equality}", BALL))
    data = mujoco.MjData(model)
    data.xfrc_applied[2] = (3.0, -5.0, 0.0, 0.0, 0.0, 2.0)
    mujoco.mj_forward(model, data)
    answer = ro.audit(model, data)
    assert not answer.of("wrong")
    assert answer.balance < 1e-9  # all bodies are in balance with these loads, to rounding


def test_softer_constraints_of_mujoco_give_other_arbitrary_numbers() -> None:
    soft = HINGE.replace('name="Cz"', 'name="Cz" solimp="0.2 0.3 0.001"')
    one, two = (ro.audit(*forward(FOUR_BAR.replace("{equality}", text))) for text in (HINGE, soft))
    key = {(x.joint, x.component): x for x in two.components}
    changed = [x for x in one.components if abs((x.theirs or 0) - (key[x.joint, x.component].theirs or 0)) > 1e-3]
    at_loop = [x for x in changed if x.joint == "C"]
    assert at_loop
    assert all(x.verdict == "arbitrary" for x in at_loop)
    assert "solimp" in one.reason


def moved_order(width: float, second_first: bool) -> str:
    """A four-bar 1 m high; the tree holds crank and coupler, or rocker and coupler, the last hinge is two connects."""
    hinge = '<joint name="{}" axis="0 0 1"/><geom size="0.1" mass="1" pos="0 0.5 0"/>'
    names = ("rocker", "D", "C", "crank", "A") if second_first else ("crank", "A", "B", "rocker", "D")
    first, other = (f"{width} 0 0", "0 0 0") if second_first else ("0 0 0", f"{width} 0 0")
    way = -width if second_first else width
    bodies = (
        f'<body name="{names[0]}" pos="{first}">{hinge.format(names[1])}<body name="coupler" pos="0 1 0">'
        f'<joint name="{names[2]}" axis="0 0 1"/><geom size="0.1" mass="1" pos="{way / 2} 0 0"/></body></body>'
        f'<body name="{names[3]}" pos="{other}">{hinge.format(names[4])}</body>'
    )
    ends = "".join(
        f'<connect name="last{k}" body1="coupler" body2="{names[3]}" anchor="{way} 0 {0.5 * k}"/>' for k in (0, 1)
    )
    head = '<mujoco><option gravity="0 -9.81 -3"/><worldbody>'
    return f"{head}{bodies}</worldbody><equality>{ends}</equality></mujoco>"


@pytest.mark.parametrize("width", [2.0, 1.0])  # a four-bar, and a parallelogram that is a square
def test_mujoco_in_two_orders(width: float) -> None:
    """Forces in the plane are confirmed in both trees; the load along the axes moves with the tree."""
    found = [ro.audit(*forward(moved_order(width, order))) for order in (False, True)]
    for answer in found:
        assert not answer.of("wrong")
        assert {(x.joint, x.component) for x in answer.of("confirmed")} >= {("A", "Fx"), ("A", "Fy"), ("D", "Fx")}
    first, second = ({(x.joint, x.component): x for x in answer.components} for answer in found)
    assert first["A", "Fy"].theirs == pytest.approx(second["A", "Fy"].theirs, rel=0.2)  # springs, not rigid loops
    assert first["A", "Fz"].verdict == second["A", "Fz"].verdict == "arbitrary"
    assert abs((first["A", "Fz"].theirs or 0) - (second["A", "Fz"].theirs or 0)) > 0.1


def by_drake(width: float, second_first: bool) -> Audit:
    """The four-bar as a tree from either side, the last hinge held by two balls on its axis."""
    plants = pytest.importorskip("pydrake.multibody.plant")
    tree = pytest.importorskip("pydrake.multibody.tree")
    math = pytest.importorskip("pydrake.math")
    plant = plants.MultibodyPlant(1e-3)
    plant.set_discrete_contact_approximation(plants.DiscreteContactApproximation.kSap)
    plant.mutable_gravity_field().set_gravity_vector([0.0, -9.81, -3.0])
    turn = tree.RotationalInertia(0.1, 0.1, 0.1)
    half = {"crank": [0.0, 0.5, 0.0], "rocker": [0.0, 0.5, 0.0], "coupler": [width / 2, 0.0, 0.0]}
    body = {
        name: plant.AddRigidBody(name, tree.SpatialInertia.MakeFromCentralInertia(1.0, np.array(at), turn))
        for name, at in half.items()
    }

    def hinge(name: str, parent: object, at: list[float], child: str, there: list[float]) -> object:
        ends = [
            plant.AddFrame(tree.FixedOffsetFrame(f"{name}{k}", one.body_frame(), math.RigidTransform(np.array(p))))
            for k, (one, p) in enumerate(((parent, at), (body[child], there)))
        ]
        return plant.AddJoint(tree.RevoluteJoint(name, *ends, [0, 0, 1]))

    world = plant.world_body()
    hinge("A", world, [0.0, 0.0, 0.0], "crank", [0.0, 0.0, 0.0])
    hinge("D", world, [width, 0.0, 0.0], "rocker", [0.0, 0.0, 0.0])
    joints = {"A": -1.0, "D": -1.0}
    if second_first:
        hinge("C", body["rocker"], [0.0, 1.0, 0.0], "coupler", [width, 0.0, 0.0])
        side, there = "crank", [0.0, 0.0]
    else:
        hinge("B", body["crank"], [0.0, 1.0, 0.0], "coupler", [0.0, 0.0, 0.0])
        side, there = "rocker", [width, 0.0]
    joints["C" if second_first else "B"] = 1.0
    balls = [(body["coupler"], [*there, z], body[side], [0.0, 1.0, z]) for z in (0.0, 0.5)]
    for ball in balls:
        plant.AddBallConstraint(*ball)
    plant.SetUseSampledOutputPorts(False)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    for name, rate in joints.items():
        plant.GetJointByName(name).set_angular_rate(context, rate)
    return ro.audit(plant, context, balls=balls)


@pytest.mark.parametrize("width", [2.0, 1.0])
def test_drake_in_two_orders(width: float) -> None:
    """Forces in the plane are confirmed to what its compliance allows; the side load moves between A and D."""
    found = [by_drake(width, order) for order in (False, True)]
    for answer in found:
        assert answer.balance < 1e-3
        assert not [x for x in answer.of("wrong") if abs((x.theirs or 0) - (x.ours or 0)) > 1e-2]
    first, second = ({(x.joint, x.component): x for x in answer.components} for answer in found)
    assert first["A", "Fz"].verdict == second["A", "Fz"].verdict == "arbitrary"
    assert abs((first["A", "Fz"].theirs or 0) - (second["A", "Fz"].theirs or 0)) > 0.5


def test_what_cannot_be_audited_is_said() -> None:
    with pytest.raises(ro.ReactioError, match="cannot be audited"):
        ro.audit(object())


def by_pinocchio(width: float, second_first: bool) -> Audit:
    """A four-bar of 1 m × ``width`` whose last hinge is closed by a weld of a massless link, two orders of branches."""
    pin = pytest.importorskip("pinocchio")
    model = pin.Model()
    model.gravity.linear = np.array([0.0, -9.81, -3.0])
    body = pin.Inertia(1.0, np.array([0.3, 0.2, 0.0]), 0.1 * np.eye(3))

    def hinge(parent: int, at: tuple[float, float, float], name: str) -> int:
        number = int(model.addJoint(parent, pin.JointModelRZ(), pin.SE3(np.eye(3), np.array(at)), name))
        model.appendBodyToJoint(number, body, pin.SE3.Identity())
        return number

    if second_first:
        rocker = hinge(0, (width, 0.0, 0.0), "D")
        coupler = hinge(rocker, (0.0, 1.0, 0.0), "C")
        crank = hinge(0, (0.0, 0.0, 0.0), "A")
        ends = (coupler, (-width, 0.0, 0.0), crank, (0.0, 1.0, 0.0))
    else:
        crank = hinge(0, (0.0, 0.0, 0.0), "A")
        coupler = hinge(crank, (0.0, 1.0, 0.0), "B")
        rocker = hinge(0, (width, 0.0, 0.0), "D")
        ends = (coupler, (width, 0.0, 0.0), rocker, (0.0, 1.0, 0.0))
    one, two = (pin.SE3(np.eye(3), np.array(at)) for at in (ends[1], ends[3]))
    frame = pin.ReferenceFrame.LOCAL
    constraint = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, ends[0], one, ends[2], two, frame)
    models, known = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    models.append(constraint)
    known.append(constraint.createData())
    data = model.createData()
    pin.initConstraintDynamics(model, data, models, known)
    q, tau = np.zeros(model.nv), np.zeros(model.nv)
    v = np.array([1.0, -1.0, 1.0])
    settings = pin.ProximalSettings(1e-12, 1e-12, 50)
    pin.constraintDynamics(model, data, q, v, tau, models, known, settings)
    return ro.audit(model, models, data, known, q, v, tau)


@pytest.mark.parametrize("width", [2.0, 1.0])  # a four-bar, and a parallelogram that is a square
def test_pinocchio_in_two_orders(width: float) -> None:
    """Forces in the plane are confirmed in both trees; the side load moves between A and D with the tree."""
    found = [by_pinocchio(width, order) for order in (False, True)]
    for answer in found:
        assert not answer.of("wrong")
        assert answer.balance < 1e-8
        assert {(x.joint, x.component) for x in answer.of("confirmed")} >= {("A", "Fx"), ("A", "Fy"), ("D", "Fx")}
    first, second = ({(x.joint, x.component): x for x in answer.components} for answer in found)
    assert first["A", "Fx"].theirs == pytest.approx(second["A", "Fx"].theirs, abs=1e-6)
    assert first["A", "Fz"].verdict == second["A", "Fz"].verdict == "arbitrary"
    assert abs((first["A", "Fz"].theirs or 0) - (second["A", "Fz"].theirs or 0)) > 1.0


def by_exudyn(width: float, reverse: bool) -> Audit:
    """The four-bar with all four hinges as joints, created in one order or the other."""
    exu = pytest.importorskip("exudyn")
    utilities = pytest.importorskip("exudyn.utilities")
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.CreateGround()
    inertia = utilities.RigidBodyInertia(1.0, 0.1 * np.eye(3))
    crank, coupler, rocker = (
        mbs.CreateRigidBody(referencePosition=at, inertia=inertia, gravity=[0, -9.81, -3])
        for at in ([0, 0.5, 0], [width / 2, 1, 0], [width, 0.5, 0])
    )
    joints = [
        ("A", [0, 0, 0], [ground, crank]),
        ("B", [0, 1, 0], [crank, coupler]),
        ("C", [width, 1, 0], [coupler, rocker]),
        ("D", [width, 0, 0], [ground, rocker]),
    ]
    for name, at, bodies in reversed(joints) if reverse else joints:
        mbs.CreateRevoluteJoint(name=name, bodyNumbers=bodies, position=at, axis=[0, 0, 1], useGlobalFrame=True)
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = 20
    settings.timeIntegration.endTime = 1e-3
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.linearSolverType = exu.LinearSolverType.EigenDense
    settings.linearSolverSettings.ignoreSingularJacobian = True
    mbs.SolveDynamic(settings)
    return ro.audit(mbs)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("width", [2.0, 1.0])
def test_exudyn_in_two_orders(width: float) -> None:
    """Load along the axes, or the moments it makes, go to other pins when joints are created in reverse order."""
    found = [by_exudyn(width, order) for order in (False, True)]
    for answer in found:
        assert not answer.of("wrong")
        assert {(x.joint, x.component) for x in answer.of("confirmed")} >= {("A", "Fx"), ("A", "Fy"), ("D", "Fy")}
        assert {x.joint for x in answer.of("arbitrary")} == set("ABCD")
    first, second = ({(x.joint, x.component): x for x in answer.components} for answer in found)
    moved = {key for key, line in first.items() if abs((line.theirs or 0) - (second[key].theirs or 0)) > 0.1}
    assert moved
    assert all(first[key].verdict == "arbitrary" for key in moved)


@pytest.mark.parametrize("equality", [BALL, HINGE])
def test_loops_that_stand_open_by_what_springs_give_are_not_wrong(equality: str) -> None:
    """After 1000 steps the loop of MuJoCo is open by 1e-4 m, and all that is determined agrees to that."""
    mujoco = pytest.importorskip("mujoco")
    model, data = forward(FOUR_BAR.replace("{equality}", equality))
    for _ in range(1000):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    answer = ro.audit(model, data)
    assert answer.of("confirmed")
    assert not answer.of("wrong")
    assert any("loops are open" in note for note in answer.notes)
    assert answer.balance < 1e-4  # the gap as part of the size


def test_states_that_no_mechanism_has_are_refused() -> None:
    """The crank is turned by 0.1 rad, and the loop not closed."""
    mujoco = pytest.importorskip("mujoco")
    model, data = forward(FOUR_BAR.replace("{equality}", BALL))
    data.qpos[0] = 0.1
    mujoco.mj_forward(model, data)
    with pytest.raises(ro.ReactioError, match="Let it settle"):
        ro.audit(model, data)


HIP = """<mujoco><worldbody><body name="leg"><joint name="roll" axis="1 0 0" damping="0.3"/>
  <joint name="yaw" axis="0 1 0"/><joint name="pitch" axis="0 0 1" pos="0 0.1 0"/>
  <geom size="0.1" mass="3" pos="0.3 0.2 0.4"/>
  <body name="foot" pos="1 0 0"><joint name="ankle" axis="0 1 0"/><geom size="0.1" mass="1" pos="0.1 0.2 0"/></body>
</body></worldbody><actuator><motor joint="yaw"/><motor joint="ankle"/></actuator></mujoco>"""


def test_several_joints_of_one_body_carry_the_same_wrench() -> None:
    """Three hinges of a hip, with a damper and motors: all of it is determined, and agrees."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(HIP)
    data = mujoco.MjData(model)
    data.qvel[:], data.ctrl[:] = (1.0, -2.0, 0.5, 3.0), (4.0, -1.0)
    mujoco.mj_forward(model, data)
    answer = ro.audit(model, data)
    assert {line.joint for line in answer.of("confirmed")} == {"roll", "yaw", "pitch", "ankle"}
    assert len(answer.of("confirmed")) == len(answer.components) == 20
    assert answer.balance < 1e-9  # to rounding


FALLING = """<mujoco><worldbody><body name="torso"><freejoint/><geom size="0.1" mass="3"/>
  <body name="arm" pos="1 0 0"><joint name="shoulder" type="ball" damping="DAMPING"/>
    <geom size="0.1" mass="1" pos="0.1 0.2 0"/></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize("damping", ["0", "2"])
def test_a_robot_that_falls_and_balls_with_dampers(damping: str) -> None:
    """In free fall at rest all reactions are rounding; a damper of a ball joint is a torque between its bodies."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(FALLING.replace("DAMPING", damping))
    data = mujoco.MjData(model)
    if damping != "0":
        data.qvel[:] = np.linspace(-1, 2, model.nv)
    mujoco.mj_forward(model, data)
    answer = ro.audit(model, data)
    assert len(answer.of("confirmed")) == len(answer.components) == 3
    assert answer.balance < 1e-9  # to rounding


ROD = """
space: spatial
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}}
joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}}
"""


def told_to_stand(force: list[float], torque: np.ndarray | None) -> Reported:
    """A rod that falls, said to stand still."""
    wrench = ProgramWrench(np.zeros(3), np.array(force), torque)
    still = BodyAcceleration(np.zeros(3), np.zeros(3))
    return Reported("a program", ro.parse_model(ROD), {"A": wrench}, {"rod": still}, "its rule")


def test_accelerations_that_nothing_explains_confirm_no_number() -> None:
    """Half its weight is not explained, and any force would seem as right."""
    with pytest.raises(
        ro.ReactioError, match=r"No reaction of a program can be judged: body 'rod': 4.91 N of 9.81 N do not balance"
    ):
        judge(told_to_stand([30.0, 0.0, 5.0], np.zeros(3)))


def test_reactions_that_are_no_numbers_are_refused() -> None:
    """What a program does not tell is None; not a number is what a motion leaves that has diverged."""
    with pytest.raises(ro.ReactioError, match="'A' a reaction that is not a finite number"):
        judge(told_to_stand([30.0, np.nan, 5.0], None))


def test_motors_are_not_reactions_in_any_axes() -> None:
    """A hinge in space about an oblique axis: what its motor does along the axis is not a reaction in world axes."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(HIP.replace('axis="0 1 0"', 'axis="1 2 3"'))
    data = mujoco.MjData(model)
    data.ctrl[:] = 3.0
    mujoco.mj_forward(model, data)
    answer = ro.audit(model, data, axes="world")
    assert not answer.of("wrong")


SLIDE = """
space: spatial
gravity: [GRAVITY]
bodies: {box: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}}
joints: {A: {type: prismatic, bodies: [ground, box], at: [1, 0, 0], axis: [1, 0, 0]}}
"""


def resting_box(force: float, point: float, torque: float, gravity: str = "0, -9.81, 0", **more: Any) -> Reported:
    """A box at rest on a slide along x, 1 m from the origin: force along y, torque about z and its point on x."""
    wrench = ProgramWrench(np.array([point, 0.0, 0.0]), np.array([0.0, force, 0.0]), np.array([0.0, 0.0, torque]))
    still = BodyAcceleration(np.zeros(3), np.zeros(3))
    model = ro.parse_model(SLIDE.replace("GRAVITY", gravity))
    return Reported("a program", model, {"A": wrench}, {"box": still}, "its rule", **more)


def test_the_point_of_torques_is_the_one_that_balances() -> None:
    """The torque of a slide counts about either end of it, by the version of the program."""
    one, two = resting_box(19.62, 0.0, 0.0), resting_box(19.62, 1.0, 0.0)
    assert judge(one).of("wrong")
    assert not judge(resting_box(19.62, 0.0, 0.0, other_wrenches=(two.wrenches,))).of("wrong")


def test_without_loads_numbers_below_the_error_of_the_solver_are_zero() -> None:
    tiny = resting_box(4e-8, 1.0, 0.0, gravity="0, 0, 0")
    assert judge(tiny).of("wrong")
    assert not judge(resting_box(4e-8, 1.0, 0.0, gravity="0, 0, 0", solver_error=1e-6)).of("wrong")
    assert judge(resting_box(4e-8, 1.0, 0.0, gravity="0, 1e-5, 0", solver_error=1e-6)).of("wrong")


def test_accelerations_that_violate_joints_show_no_error_of_reactions() -> None:
    answer = judge(resting_box(19.0, 1.0, 0.0, consistent=False))
    assert answer.of("not judged")
    assert not answer.of("wrong")


DRAKE_FORCES = ("damping", "spring", "hinge spring", "actuator", "rotor", "force", "effort")


@pytest.mark.parametrize("kind", DRAKE_FORCES)
def test_forces_of_drake_count_where_they_act(kind: str) -> None:
    """Two rods in a chain with each force alone: all ten components are determined, and agree."""
    plants = pytest.importorskip("pydrake.multibody.plant")
    tree, math = pytest.importorskip("pydrake.multibody.tree"), pytest.importorskip("pydrake.math")
    plant = plants.MultibodyPlant(0.0)
    inertia = tree.SpatialInertia.MakeFromCentralInertia(
        1.0, np.array([0.5, 0, 0]), tree.RotationalInertia(0.1, 0.1, 0.1)
    )
    a, b = (plant.AddRigidBody(name, inertia) for name in "ab")
    damping = 0.3 if kind == "damping" else 0.0
    first = plant.AddJoint(tree.RevoluteJoint("A", plant.world_frame(), a.body_frame(), [0, 1, 0], damping))
    end = plant.AddFrame(tree.FixedOffsetFrame("end", a.body_frame(), math.RigidTransform([1.0, 0, 0])))
    second = plant.AddJoint(tree.RevoluteJoint("B", end, b.body_frame(), [0, 1, 0]))
    if kind == "spring":
        places = (plant.world_body(), [0.2, 0.1, 1.0], b, [1.0, 0, 0])
        plant.AddForceElement(tree.LinearSpringDamper(*places, 0.3, 200.0, 5.0))
    if kind == "hinge spring":
        plant.AddForceElement(tree.RevoluteSpring(first, 0.4, 30.0))
    if kind in ("actuator", "rotor"):
        motor = plant.AddJointActuator("motor", second)
    if kind == "rotor":
        motor.set_default_rotor_inertia(0.002)
        motor.set_default_gear_ratio(10.0)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    first.set_angular_rate(context, 1.0)
    if kind in ("actuator", "rotor"):
        plant.get_actuation_input_port().FixValue(context, [3.0])
    if kind == "force":
        force = plants.ExternallyAppliedSpatialForce()
        force.body_index, force.p_BoBq_B = b.index(), np.array([1.0, 0, 0])
        wrench = pytest.importorskip("pydrake.multibody.math").SpatialForce
        force.F_Bq_W = wrench(tau=np.array([0, 0, 1.0]), f=np.array([0, 2.0, 10.0]))
        plant.get_applied_spatial_force_input_port().FixValue(context, [force])
    if kind == "effort":
        plant.get_applied_generalized_force_input_port().FixValue(context, np.array([2.0, 0.0]))
    answer = ro.audit(plant, context)
    assert len(answer.of("confirmed")) == len(answer.components) == 10


EXUDYN_JOINTS = {
    "revolute": (1, 1, 1, 1, 1, 0),
    "cylindrical": (1, 1, 0, 1, 1, 0),
    "planar": (0, 0, 1, 1, 1, 0),
    "prismatic": (1, 1, 0, 1, 1, 1),
    "fixed": (1, 1, 1, 1, 1, 1),
    "spherical": (1, 1, 1, 0, 0, 0),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("body_fixed", [False, True])
@pytest.mark.parametrize("joint", EXUDYN_JOINTS)
def test_forces_and_torques_of_exudyn(joint: str, body_fixed: bool) -> None:
    """One body on an oblique joint, loads by functions of time: torques follow from Exudyn's multipliers."""
    exu = pytest.importorskip("exudyn")
    utilities = pytest.importorskip("exudyn.utilities")
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.CreateGround()
    inertia = utilities.RigidBodyInertia(2.0, np.diag([0.3, 0.4, 0.5]))
    body = mbs.CreateRigidBody(referencePosition=[0.5, 0.2, 0.1], inertia=inertia, gravity=[1, -9.81, -3])
    axes = utilities.RotationVector2RotationMatrix(np.array([0.3, 0.2, 0.5]))
    mbs.CreateGenericJoint(
        name="A", bodyNumbers=[ground, body], position=[0, 0, 0], constrainedAxes=list(EXUDYN_JOINTS[joint]),
        useGlobalFrame=True, rotationMatrixAxes=axes,
    )  # fmt: skip
    marker = mbs.AddMarker(utilities.MarkerBodyRigid(bodyNumber=body, localPosition=[0.2, 0.1, 0]))
    for kind in (utilities.LoadForceVector, utilities.LoadTorqueVector):
        load = kind(
            markerNumber=marker, loadVector=[1, 2, 3], bodyFixed=body_fixed,
            loadVectorUserFunction=lambda _, t, __: [3 * np.sin(5 * t), 1.2, -2 * t],
        )  # fmt: skip
        mbs.AddLoad(load)
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = 100, 0.2
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.relativeTolerance = 1e-12
    settings.solutionSettings.writeSolutionToFile = False
    mbs.SolveDynamic(settings)
    answer = ro.audit(mbs)
    assert len(answer.of("confirmed")) == len(answer.components) == sum(EXUDYN_JOINTS[joint])


EXUDYN_SPRINGS: dict[str, dict[str, Any]] = {
    "SpringDamper": {"referenceLength": 0.4, "stiffness": 200, "damping": 5},
    "CartesianSpringDamper": {"stiffness": [100, 50, 20], "damping": [1, 2, 3], "offset": [0.1, 0, 0]},
    "RigidBodySpringDamper": {
        "stiffness": np.diag([100, 120, 90, 5, 6, 7]), "damping": np.eye(6), "offset": [0.1, 0, 0, 0, 0, 0.1],
    },
    "TorsionalSpringDamper": {"stiffness": 30, "damping": 1, "offset": 0.3},
    "by a function": {
        "referenceLength": 0.4, "stiffness": 200, "damping": 5,
        "springForceUserFunction": lambda _, t, i, u, v, k, d, force: k * u**3 + d * v + 3 * np.sin(4 * t),
    },
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("switched_off", [False, True])
@pytest.mark.parametrize("kind", EXUDYN_SPRINGS)
def test_springs_of_exudyn_load_both_bodies(kind: str, switched_off: bool) -> None:
    """Two bodies on oblique hinges with a spring between them: all ten components are determined, and agree."""
    exu = pytest.importorskip("exudyn")
    utilities = pytest.importorskip("exudyn.utilities")
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.CreateGround()
    inertia = utilities.RigidBodyInertia(2.0, np.diag([0.3, 0.4, 0.5]))
    one, two = (
        mbs.CreateRigidBody(referencePosition=at, inertia=inertia, gravity=[0, -9.81, -2])
        for at in ([0.5, 0, 0], [1.4, 0.1, 0])
    )
    for name, bodies, at, axis in (
        ("A", [ground, one], [0, 0, 0], [0, 0, 1]),
        ("B", [one, two], [1, 0, 0], [0, 0.2, 1]),
    ):
        mbs.CreateRevoluteJoint(name=name, bodyNumbers=bodies, position=at, axis=axis, useGlobalFrame=True)
    markers = [
        mbs.AddMarker(utilities.MarkerBodyRigid(bodyNumber=body, localPosition=at))
        for body, at in ((one, [0.1, 0.1, 0]), (two, [0.3, 0, 0.1]))
    ]
    spring = getattr(utilities, f"ObjectConnector{kind if kind in dir(utilities) else 'SpringDamper'}")
    mbs.AddObject(spring(markerNumbers=markers, activeConnector=not switched_off, **EXUDYN_SPRINGS[kind]))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = 100, 0.2
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.relativeTolerance = 1e-12
    settings.solutionSettings.writeSolutionToFile = False
    mbs.SolveDynamic(settings)
    answer = ro.audit(mbs)
    assert len(answer.of("confirmed")) == len(answer.components) == 10
