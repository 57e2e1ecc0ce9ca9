"""The same mechanism in MuJoCo, Pinocchio, Drake and Exudyn: what these programs really print.

Trees as ``reactio.auditing.programs.closed_loops`` grows them; loads, gravity included, act as wrenches on the bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import GenericAlias

import numpy as np
import pytest

from reactio.arrays import Floats
from reactio.auditing.programs.exudyn import read
from reactio.forward_dynamics.accelerate import accelerations
from reactio.kinematics.body_state import body_state, centre
from reactio.sharing import problem
from reactio.sharing.cut import closing
from reactio.space.frames import origins_of_frames
from reactio.system.constraints import joint_axes
from reactio.system.equations import Equations, equations
from reactio.system.types import RowGroup, State


@dataclass(frozen=True)
class Placed:
    """A body in space: the place and axes of its frame, velocity, centre, mass, inertia about the centre, and load."""

    name: str
    r: Floats
    R: Floats
    v: Floats
    w: Floats
    c: Floats
    mass: float
    J: Floats  # about the centre, body axes
    load: Floats  # force and moment about the centre, world axes


@dataclass(frozen=True)
class Branch:
    """A body behind its parent, the joint between them, and whether the body is side b of it."""

    body: int
    parent: int
    group: RowGroup
    forward: bool


class Mechanism:
    """A system of equations as bodies and joints in space."""

    def __init__(self, eqs: Equations) -> None:
        self.eqs, system = eqs, eqs.system
        still = equations(system, State(eqs.state.t, eqs.state.q, 0.0 * eqs.state.v))
        self.planar = system.space == "planar"
        self.bodies = [self._body(b, still.Q) for b in range(len(system.model.bodies))]
        self.cut = closing(problem(eqs.constraints, accelerations(eqs).f, eqs.M, eqs.solvability))
        self.branches = self._branches()

    def _body(self, b: int, Q: Floats) -> Placed:
        system, body = self.eqs.system, self.eqs.system.model.bodies[b]
        one = body_state(system, b, self.eqs.state.q, self.eqs.state.v)
        load = Q[system.body_v[b] : system.body_v[b + 1]]
        c = centre(system, b, self.eqs.state.q)
        if self.planar:
            turn = np.eye(3)
            a = float(one.orientation[0])
            turn[:2, :2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
            r, v, c = (np.append(x, 0.0) for x in (one.position, one.velocity, c))
            w, force, moment = (
                np.array([0, 0, one.angular_velocity[0]]),
                np.append(load[:2], 0.0),
                np.array([0.0, 0.0, load[2]]),
            )
            J = float(body.inertia[0]) * np.eye(3)
        else:
            e0, *e = one.orientation
            x = _skew(np.array(e))
            turn = np.eye(3) + 2 * e0 * x + 2 * x @ x
            r, v, w, force, moment = one.position, one.velocity, one.angular_velocity, load[:3], load[3:]
            xx, yy, zz, xy, xz, yz = (*body.inertia, 0.0, 0.0, 0.0)[:6]
            J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        about = np.concatenate([force, moment + np.cross(r - c, force)])
        return Placed(body.name, r, turn, v, w, c, float(body.mass or 0.0), J, about)

    def _branches(self) -> list[Branch]:
        """The tree, depth first: Pinocchio wants every subtree in one piece."""
        found: list[Branch] = []
        reached, stack = {-1}, [(-1, group) for group in reversed(self.joints)]
        while stack:
            here, group = stack.pop()
            if group.name in self.cut or here not in group.bodies:
                continue
            there = group.bodies[1] if group.bodies[0] == here else group.bodies[0]
            if there not in reached:
                reached.add(there)
                found.append(Branch(there, here, group, group.bodies[1] == there))
                stack += [(there, other) for other in reversed(self.joints)]
        return found

    @property
    def joints(self) -> list[RowGroup]:
        return [group for group in self.eqs.system.groups if group.kind == "joint"]

    def place(self, group: RowGroup) -> Floats:
        assert group.frames is not None
        r = origins_of_frames(self.eqs.work.F[group.frames[1]])
        return np.append(r, 0.0) if self.planar else np.array(r)

    def axis(self, group: RowGroup) -> Floats:
        return np.array([0.0, 0, 1]) if self.planar else np.array(joint_axes(self.eqs, group)[2, :3])

    def points(self, group: RowGroup) -> list[Floats]:
        """Where a joint that closes a loop is held."""
        at = self.place(group)
        if group.type == "spherical" or self.planar:
            return [at]
        arm = 0.5 * self.eqs.system.length * self.axis(group)
        return [at - arm, at + arm]

    def frame(self, b: int) -> tuple[Floats, Floats]:
        return (np.zeros(3), np.eye(3)) if b < 0 else (self.bodies[b].r, self.bodies[b].R)

    def local(self, b: int, at: Floats) -> Floats:
        r, R = self.frame(b)
        return np.asarray(R.T @ (at - r))

    def rate(self, branch: Branch) -> Floats:
        """The rotation of a body against its parent, world axes."""
        before = np.zeros(3) if branch.parent < 0 else self.bodies[branch.parent].w
        return np.asarray(self.bodies[branch.body].w - before)


def _skew(x: Floats) -> Floats:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def by_mujoco(one: Mechanism) -> dict[str, Floats]:
    """Forces on side b of each joint; equalities as stiff as MuJoCo allows."""
    mujoco = pytest.importorskip("mujoco")
    spec = mujoco.MjSpec()
    spec.option.gravity = np.zeros(3)
    made = {-1: spec.worldbody}
    for branch in one.branches:
        body = one.bodies[branch.body]
        r, R = one.frame(branch.parent)
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, (R.T @ body.R).ravel())
        child = made[branch.parent].add_body(name=body.name, pos=R.T @ (body.r - r), quat=quat)
        child.mass, child.ipos, child.explicitinertial = body.mass, body.R.T @ (body.c - body.r), True
        child.fullinertia = [body.J[i] for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        kind = mujoco.mjtJoint.mjJNT_BALL if branch.group.type == "spherical" else mujoco.mjtJoint.mjJNT_HINGE
        at, axis = one.local(branch.body, one.place(branch.group)), body.R.T @ one.axis(branch.group)
        child.add_joint(name=branch.group.name, type=kind, pos=at, axis=axis)
        made[branch.body] = child
    for name in one.cut:
        group = one.eqs.system.group(name)
        for k, at in enumerate(one.points(group)):
            first, second = ("world" if b < 0 else one.bodies[b].name for b in group.bodies)
            equality = spec.add_equality(
                name=f"{name}{k}", type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY
            )
            equality.name1, equality.name2 = first, second
            equality.data[:3] = one.local(group.bodies[0], at)
            equality.solimp, equality.solref = [0.9999, 0.9999, 0.001, 0.5, 2], [0.002, 1.0]
    model = spec.compile()
    model.opt.tolerance, model.opt.iterations = 0.0, 500
    data = mujoco.MjData(model)
    for branch in one.branches:
        first = model.joint(branch.group.name).dofadr[0]
        rate, R = one.rate(branch), one.bodies[branch.body].R
        spherical = branch.group.type == "spherical"
        data.qvel[first : first + 3 if spherical else first + 1] = (
            R.T @ rate if spherical else one.axis(branch.group) @ rate
        )
        data.xfrc_applied[model.body(one.bodies[branch.body].name).id] = one.bodies[branch.body].load
    mujoco.mj_forward(model, data)
    mujoco.mj_rnePostConstraint(model, data)
    found = {}
    for branch in one.branches:
        force = data.cfrc_int[model.body(one.bodies[branch.body].name).id][3:]
        found[branch.group.name] = force if branch.forward else -force
    for name in one.cut:
        rows = np.isin(
            data.efc_id, [model.equality(f"{name}{k}").id for k in range(len(one.points(one.eqs.system.group(name))))]
        )
        found[name] = -data.efc_force[rows].reshape(-1, 3).sum(axis=0)
    return found


def by_pinocchio(one: Mechanism) -> dict[str, Floats]:
    """Forces on side b of each joint, by constraintDynamics and inverse dynamics."""
    pin = pytest.importorskip("pinocchio")
    model = pin.Model()
    model.gravity.linear = np.zeros(3)
    number, frames = {-1: 0}, {-1: pin.SE3.Identity()}
    for branch in one.branches:
        body = one.bodies[branch.body]
        axes = np.eye(3) if branch.group.type == "spherical" else along(one.axis(branch.group))
        frame = pin.SE3(axes, one.place(branch.group))
        joint = pin.JointModelSpherical() if branch.group.type == "spherical" else pin.JointModelRZ()
        k = model.addJoint(number[branch.parent], joint, frames[branch.parent].actInv(frame), branch.group.name)
        world = frame.actInv(pin.SE3(body.R, body.r))
        own = pin.Inertia(body.mass, body.R.T @ (body.c - body.r), body.J)
        model.appendBodyToJoint(k, own, world)
        number[branch.body], frames[branch.body] = k, frame
    models, known = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    owner = []
    for name in one.cut:
        group = one.eqs.system.group(name)
        for at in one.points(group):
            ends = [(number[b], frames[b].actInv(pin.SE3(np.eye(3), at))) for b in group.bodies]
            kind, local = pin.ContactType.CONTACT_3D, pin.ReferenceFrame.LOCAL
            models.append(pin.RigidConstraintModel(kind, model, *ends[0], *ends[1], local))
            known.append(models[-1].createData())
            owner.append(name)
    data, q, v = model.createData(), pin.neutral(model), np.zeros(model.nv)
    for branch in one.branches:
        joint = model.joints[number[branch.body]]
        local = frames[branch.body].rotation.T @ one.rate(branch)
        v[joint.idx_v : joint.idx_v + joint.nv] = local if joint.nv == 3 else local[2]
    pin.computeJointJacobians(model, data, q)
    loads, tau = [pin.Force.Zero() for _ in range(model.njoints)], np.zeros(model.nv)
    for branch in one.branches:
        k, body = number[branch.body], one.bodies[branch.body]
        world = pin.SE3(np.eye(3), body.c).act(pin.Force(body.load[:3], body.load[3:]))
        loads[k] = frames[branch.body].actInv(world)
        tau += pin.getJointJacobian(model, data, k, pin.ReferenceFrame.LOCAL).T @ loads[k].vector
    pin.initConstraintDynamics(model, data, models, known)
    pin.constraintDynamics(model, data, q, v, tau, models, known, pin.ProximalSettings(1e-13, 1e-3, 2000))
    found = {name: np.zeros(3) for name in one.cut}
    for name, constraint, said in zip(owner, models, known, strict=True):
        f = said.contact_force
        loads[constraint.joint1_id] += constraint.joint1_placement.act(f)
        loads[constraint.joint2_id] -= constraint.joint2_placement.act(said.c1Mc2.actInv(f))
        found[name] -= f.linear  # axes of frame 1 are those of the world at this pose
    pin.rnea(model, data, q, v, np.array(data.ddq), loads)
    for branch in one.branches:
        force = data.oMi[number[branch.body]].rotation @ data.f[number[branch.body]].linear
        found[branch.group.name] = force if branch.forward else -force
    return found


def along(z: Floats) -> Floats:
    """Axes whose third is z."""
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def by_drake(one: Mechanism) -> dict[str, Floats]:
    """Forces on side b of the joints of the tree, by the solver SAP."""
    plant_module = pytest.importorskip("pydrake.multibody.plant")
    tree = pytest.importorskip("pydrake.multibody.tree")
    math = pytest.importorskip("pydrake.math")
    value = pytest.importorskip("pydrake.common.value")
    plant = plant_module.MultibodyPlant(1e-4)
    plant.set_discrete_contact_approximation(plant_module.DiscreteContactApproximation.kSap)
    plant.mutable_gravity_field().set_gravity_vector(np.zeros(3))
    made = {-1: plant.world_body()}
    for b, body in enumerate(one.bodies):
        rotational = tree.RotationalInertia(*np.diag(body.J), body.J[0, 1], body.J[0, 2], body.J[1, 2])
        inertia = tree.SpatialInertia.MakeFromCentralInertia(body.mass, body.R.T @ (body.c - body.r), rotational)
        made[b] = plant.AddRigidBody(body.name, inertia)
    joints = {}
    for branch in one.branches:
        turn = along(one.axis(branch.group))
        if not one.planar and branch.group.type == "spherical":
            turn = joint_axes(one.eqs, branch.group)[:3, :3].T
        ends = []
        for k, b in enumerate((branch.parent, branch.body)):
            R = one.frame(b)[1]
            at = math.RigidTransform(math.RotationMatrix(R.T @ turn), one.local(b, one.place(branch.group)))
            ends.append(plant.AddFrame(tree.FixedOffsetFrame(f"{branch.group.name}{k}", made[b].body_frame(), at)))
        spherical = branch.group.type == "spherical"
        joint = (
            tree.BallRpyJoint(branch.group.name, *ends)
            if spherical
            else tree.RevoluteJoint(branch.group.name, *ends, [0, 0, 1])
        )
        joints[branch.group.name] = plant.AddJoint(joint)
    for name in one.cut:
        group = one.eqs.system.group(name)
        for at in one.points(group):
            sides = [x for b in group.bodies for x in (made[b], one.local(b, at))]
            plant.AddBallConstraint(*sides)
    plant.SetUseSampledOutputPorts(False)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    wrenches, Force = [], plant_module.ExternallyAppliedSpatialForce
    for branch in one.branches:
        joint, rate = joints[branch.group.name], one.rate(branch)
        if branch.group.type == "spherical":
            joint.set_angular_velocity(context, joint_axes(one.eqs, branch.group)[:3, :3] @ rate)
        else:
            joint.set_angular_rate(context, float(one.axis(branch.group) @ rate))
        body, applied = one.bodies[branch.body], Force()
        applied.body_index = made[branch.body].index()
        applied.p_BoBq_B = body.R.T @ (body.c - body.r)
        applied.F_Bq_W = pytest.importorskip("pydrake.multibody.math").SpatialForce(body.load[3:], body.load[:3])
        wrenches.append(applied)
    plant.get_applied_spatial_force_input_port().FixValue(context, value.Value[GenericAlias(list, Force)](wrenches))
    forces = plant.get_reaction_forces_output_port().Eval(context)
    found = {}
    for branch in one.branches:
        joint = joints[branch.group.name]
        frame = joint.frame_on_child().CalcPoseInWorld(context).rotation().matrix()
        force = frame @ forces[int(joint.index())].translational()
        found[branch.group.name] = force if branch.forward else -force
    return found


def by_exudyn(one: Mechanism) -> dict[str, Floats]:
    """Forces on side b of each joint after one tiny step, by EigenDense with singular Jacobians ignored."""
    exu = pytest.importorskip("exudyn")
    utilities = pytest.importorskip("exudyn.utilities")
    mbs = exu.SystemContainer().AddSystem()
    made = {-1: mbs.CreateGround()}
    for b, body in enumerate(one.bodies):
        inertia = utilities.RigidBodyInertia(body.mass, body.J)
        made[b] = mbs.CreateRigidBody(
            name=body.name, referencePosition=list(body.c), referenceRotationMatrix=body.R, inertia=inertia,
            initialVelocity=list(body.v + np.cross(body.w, body.c - body.r)), initialAngularVelocity=list(body.w),
            gravity=[0, 0, 0],
        )  # fmt: skip
        mbs.CreateForce(bodyNumber=made[b], loadVector=list(body.load[:3]))
        mbs.CreateTorque(bodyNumber=made[b], loadVector=list(body.load[3:]))
    for group in one.joints:
        at, ends = one.place(group), [made[b] for b in group.bodies]
        if group.type == "spherical":
            mbs.CreateSphericalJoint(name=group.name, bodyNumbers=ends, position=list(at), useGlobalFrame=True)
        else:
            axis = list(one.axis(group))
            mbs.CreateRevoluteJoint(
                name=group.name, bodyNumbers=ends, position=list(at), axis=axis, useGlobalFrame=True
            )
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = 1
    settings.timeIntegration.endTime = 1e-3  # far shorter steps lose digits of the accelerations
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.linearSolverType = exu.LinearSolverType.EigenDense
    settings.linearSolverSettings.ignoreSingularJacobian = True
    mbs.SolveDynamic(settings)
    return {name: wrench.force for name, wrench in read(mbs).wrenches.items()}
