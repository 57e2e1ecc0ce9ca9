"""The same mechanism in OpenSim: its loops closed by point constraints, or left to OpenSim as joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reactio.arrays import Floats
from reactio.system.types import RowGroup

from .engines import Mechanism, along


class OpenSimModel:
    """A model of OpenSim on its way: bodies with their loads, then joints, then constraints."""

    def __init__(self, one: Mechanism) -> None:
        self.one, self.osim = one, pytest.importorskip("opensim")
        self.model = self.osim.Model()
        self.model.setGravity(self.osim.Vec3(0))  # weights are among the loads of the bodies
        self.made = {-1: self.model.getGround()}
        self.joints: dict[str, Any] = {}
        self.holds: dict[str, list[Any]] = {}
        for b in range(len(one.bodies)):
            self._body(b)

    def _body(self, b: int) -> None:
        body, osim = self.one.bodies[b], self.osim
        centre = body.R.T @ (body.c - body.r)
        J = osim.Inertia(*(float(body.J[i]) for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))))
        self.made[b] = osim.Body(body.name, body.mass, self.vector(centre), J)
        self.model.addBody(self.made[b])
        load = osim.PrescribedForce(f"load_{body.name}", self.made[b])
        load.setForceIsInGlobalFrame(True)
        load.setPointIsInGlobalFrame(False)
        for put, values in (
            (load.setPointFunctions, centre),
            (load.setForceFunctions, body.load[:3]),
            (load.setTorqueFunctions, body.load[3:]),
        ):
            put(*(osim.Constant(float(x)) for x in values))
        self.model.addForce(load)

    def vector(self, values: Floats) -> Any:
        return self.osim.Vec3(*map(float, values))

    def joint(self, group: RowGroup, parent: int, child: int) -> None:
        ends = []
        for b in (parent, child):
            at, turn = self.one.local(b, self.one.place(group)), self.one.frame(b)[1].T @ self.turn(group)
            ends += [self.made[b], self.vector(at), self.vector(_turns(turn))]
        kind = self.osim.BallJoint if group.type == "spherical" else self.osim.PinJoint
        self.joints[group.name] = kind(group.name, *ends)
        self.model.addJoint(self.joints[group.name])

    def turn(self, group: RowGroup) -> Floats:
        return np.eye(3) if group.type == "spherical" else along(self.one.axis(group))

    def hold(self, group: RowGroup) -> None:
        """Point constraints in place of a joint."""
        for k, at in enumerate(self.one.points(group)):
            ends = [x for b in group.bodies for x in (self.made[b], self.vector(self.one.local(b, at)))]
            one = self.osim.PointConstraint(*ends)
            one.setName(f"{group.name}{k}")
            self.model.addConstraint(one)
            self.holds.setdefault(group.name, []).append(one)

    def accelerated(self, rates: dict[str, Floats]) -> Any:
        """The state with rotations ``rates`` (3,) in the joints, world axes, and its accelerations."""
        state = self.model.initSystem()
        for name, rate in rates.items():
            local = self.turn(self.one.eqs.system.group(name)).T @ rate
            joint = self.joints[name]
            speeds = local if joint.numCoordinates() == 3 else local[2:]
            for k, speed in enumerate(speeds):
                joint.get_coordinates(k).setSpeedValue(state, float(speed))
        self.model.realizeAcceleration(state)
        return state

    def on_child(self, name: str, state: Any) -> Floats:
        force = self.joints[name].calcReactionOnChildExpressedInGround(state).get(1)
        return np.array([force.get(k) for k in range(3)])

    def on_second(self, name: str, state: Any) -> Floats:
        """What point constraints do to body b; OpenSim records the opposite, first of body a, then of body b."""
        records = [one.getRecordValues(state) for one in self.holds[name]]
        return np.asarray(-np.array([[record.get(6 + k) for k in range(3)] for record in records]).sum(axis=0))


def _turns(R: Floats) -> Floats:
    """Angles about x, y and z of the moving axes, R = R_x R_y R_z."""
    level = float(np.hypot(R[0, 0], R[0, 1]))
    if level < 1e-9:  # x and z turn about the same axis: z stays
        return np.array([np.arctan2(R[2, 1], R[1, 1]), np.arctan2(R[0, 2], level), 0.0])
    return np.array([np.arctan2(-R[1, 2], R[2, 2]), np.arctan2(R[0, 2], level), np.arctan2(-R[0, 1], R[0, 0])])


def by_opensim(one: Mechanism) -> dict[str, Floats]:
    """Forces on side b of each joint; joints that close loops are point constraints."""
    built = OpenSimModel(one)
    for branch in one.branches:
        built.joint(branch.group, branch.parent, branch.body)
    for name in one.cut:
        built.hold(one.eqs.system.group(name))
    state = built.accelerated({branch.group.name: one.rate(branch) for branch in one.branches})
    found = {name: built.on_second(name, state) for name in one.cut}
    for branch in one.branches:
        force = built.on_child(branch.group.name, state)
        found[branch.group.name] = force if branch.forward else -force
    return found


def by_joints_alone(one: Mechanism) -> dict[str, Floats]:
    """Forces on side b where all joints are joints of OpenSim: it divides bodies and welds the pieces together."""
    built = OpenSimModel(one)
    rates = {}
    for group in one.joints:
        built.joint(group, *group.bodies)
        a, b = (np.zeros(3) if b < 0 else one.bodies[b].w for b in group.bodies)
        rates[group.name] = b - a
    state = built.accelerated(rates)
    return {group.name: built.on_child(group.name, state) for group in one.joints}
