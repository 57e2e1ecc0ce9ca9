"""The spatial parallelogram with flexible links in Exudyn: cables by absolute nodal coordinates, rigid platform.

A formulation that shares nothing with ours: no floating frame, no modes, large deformations, index 3.  The joint forces
it prints are those of the fully flexible mechanism.  Cables have no torsion, which spherical joints do not load.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import exudyn
import numpy as np
from exudyn.itemInterface import (
    LoadForceVector,
    LoadMassProportional,
    LoadTorqueVector,
    MarkerBodyMass,
    MarkerBodyPosition,
    MarkerBodyRigid,
    MarkerNodePosition,
    NodePointSlope1,
    ObjectANCFCable,
    ObjectJointSpherical,
    SensorBody,
    SensorObject,
)
from exudyn.utilities import RigidBodyInertia

from reactio.arrays import Floats
from reactio.model.model import Model
from reactio.space.rotations import axes_of
from reactio.structures.material import Material
from reactio.structures.sections import section

ELEMENTS = 8  # of a link: axial compliance is exact, bending right to 1e-4


@dataclass(frozen=True)
class Forces:
    """Joint forces of a run."""

    t: Floats  # (k,) [s]
    force: dict[str, Floats]  # joint → (k, 3) on body a, world axes [N]
    position: Floats  # (k, 3) of the platform [m]
    velocity: Floats  # (k, 3) [m/s]
    seconds: float  # of the processor


@dataclass(frozen=True)
class RigidEnds:
    """Markers on a rigid body."""

    mbs: Any
    own: Any

    def __call__(self, point: tuple[float, ...]) -> Any:
        """At a point of the body."""
        return self.mbs.AddMarker(MarkerBodyPosition(bodyNumber=self.own, localPosition=list(point)))


def flexible_links(model: Model, beta: float, until: float, h: float, rows: int) -> Forces:
    """Forces of all joints at evenly spaced times; β [s] is the damping of all links in proportion to stiffness."""
    mbs = exudyn.SystemContainer().AddSystem()
    ground = mbs.CreateGround()
    ends: dict[str, Any] = {}
    for body in model.bodies:
        if body.flexible is not None:
            ends[body.name] = _cable(mbs, model, body, beta)
        else:
            ends[body.name] = rigid = rigid_body(mbs, model, body)
            push(mbs, model, mbs.AddMarker(MarkerBodyRigid(bodyNumber=rigid.own)))
    sensors = {}
    for joint in model.joints:
        markers = []
        for end in (joint.a, joint.b):
            if end.body == "ground":
                markers.append(mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=list(end.point))))
            else:
                markers.append(ends[end.body](end.point))
        own = mbs.AddObject(ObjectJointSpherical(markerNumbers=markers))
        kind = exudyn.OutputVariableType.Force
        sensors[joint.name] = mbs.AddSensor(SensorObject(objectNumber=own, storeInternal=True, outputVariableType=kind))
    moving = [
        mbs.AddSensor(SensorBody(bodyNumber=ends["platform"].own, storeInternal=True, outputVariableType=kind))
        for kind in (exudyn.OutputVariableType.Position, exudyn.OutputVariableType.Velocity)
    ]
    mbs.Assemble()
    begun = time.process_time()
    mbs.SolveDynamic(settings(until, h, rows))
    seconds = time.process_time() - begun
    found = {name: np.array(mbs.GetSensorStoredData(number)) for name, number in sensors.items()}
    r, v = (np.array(mbs.GetSensorStoredData(number)) for number in moving)
    return Forces(r[:, 0], {name: table[:, 1:4] for name, table in found.items()}, r[:, 1:4], v[:, 1:4], seconds)


def settings(until: float, h: float, rows: int) -> Any:
    """Generalised-α with full Newton steps of size h [s], and so many rows of sensors."""
    settings = exudyn.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime = round(until / h), until
    integration.generalizedAlpha.spectralRadius = 0.8
    integration.newton.useModifiedNewton = False  # modified, forces of rigid rows jitter by parts in a hundred
    integration.newton.relativeTolerance = 1e-10
    settings.solutionSettings.sensorsWritePeriod = until / (rows - 1)
    settings.solutionSettings.writeSolutionToFile = False
    settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
    integration.verboseMode = 0
    return settings


def _cable(mbs: Any, model: Model, body: Any, beta: float) -> Any:
    """Nodes along a beam; the marker of the end nearest to a point."""
    given = body.flexible
    material: Material = model.materials[given.material]
    shape = section(given.parameters["section"], body.name)
    R = np.array(axes_of.plain(body.orientation)).T
    a, b = (np.array(body.position) + R @ np.array(given.parameters[key]) for key in ("from", "to"))
    along, length = (b - a) / np.linalg.norm(b - a), float(np.linalg.norm(b - a)) / ELEMENTS
    nodes = [
        mbs.AddNode(NodePointSlope1(referenceCoordinates=[*(a + k * length * along), *along]))
        for k in range(ELEMENTS + 1)
    ]
    EA, EI = material.E * shape.A, material.E * shape.Iy
    for k in range(ELEMENTS):
        own = mbs.AddObject(
            ObjectANCFCable(
                physicsLength=length, physicsMassPerLength=material.density * shape.A, physicsBendingStiffness=EI,
                physicsAxialStiffness=EA, physicsBendingDamping=beta * EI, physicsAxialDamping=beta * EA,
                nodeNumbers=nodes[k : k + 2],
            )
        )  # fmt: skip
        mass = mbs.AddMarker(MarkerBodyMass(bodyNumber=own))
        mbs.AddLoad(LoadMassProportional(markerNumber=mass, loadVector=list(model.gravity)))
    first, last = (mbs.AddMarker(MarkerNodePosition(nodeNumber=nodes[k])) for k in (0, -1))
    middle = (np.array(given.parameters["from"]) + np.array(given.parameters["to"])) / 2
    up = np.array(given.parameters["to"]) - middle
    return lambda point: last if (np.array(point) - middle) @ up > 0 else first


def rigid_body(mbs: Any, model: Model, body: Any) -> RigidEnds:
    """A rigid body, at rest, under its weight."""
    xx, yy, zz, xy, xz, yz = body.inertia
    own = mbs.CreateRigidBody(
        inertia=RigidBodyInertia(body.mass, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])),
        referencePosition=list(body.position),
        referenceRotationMatrix=np.array(axes_of.plain(body.orientation)).T,
        gravity=list(model.gravity),
    )
    return RigidEnds(mbs, own)


def push(mbs: Any, model: Model, marker: Any) -> None:
    """The constant forces and torques of a model, all of them at one marker."""
    for force in model.forces:
        add = {"force": LoadForceVector, "torque": LoadTorqueVector}[force.type]
        vector = [law.value for law in force.parameters[force.type]]
        mbs.AddLoad(add(markerNumber=marker, loadVector=vector))
