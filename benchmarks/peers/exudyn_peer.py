"""Exudyn: redundant coordinates of every body, all joints as constraints, implicit integration.

Its explicit methods do not know joints between bodies in these coordinates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import exudyn
import numpy as np
from cases import SAMPLES, Case
from exudyn.itemInterface import (
    LoadForceVector,
    LoadMassProportional,
    LoadTorqueVector,
    MarkerBodyMass,
    MarkerBodyPosition,
    MarkerBodyRigid,
    NodeRigidBody2D,
    ObjectJointRevolute2D,
    ObjectRigidBody2D,
    SensorBody,
)
from exudyn.utilities import RigidBodyInertia
from mechanism import Mechanism
from variant import Variant, halved, timed

from reactio.arrays import Floats

PACKAGE = "exudyn"
COPES = "a singular Jacobian is an error, unless the dense solver with full pivoting is told to ignore it"
LARGE = 100  # bodies from which on only the sparse solver is tried


def assembled(built: Mechanism) -> tuple[Any, list[int]]:
    """The system and a sensor for each body."""
    mbs = exudyn.SystemContainer().AddSystem()
    add = _planar if built.planar else _spatial
    bodies = add(mbs, built)
    sensors = [
        mbs.AddSensor(
            SensorBody(bodyNumber=b, storeInternal=True, outputVariableType=exudyn.OutputVariableType.Position)
        )
        for b in bodies
    ]
    mbs.Assemble()
    return mbs, sensors


def _planar(mbs: Any, built: Mechanism) -> list[int]:
    bodies = []
    for body in built.bodies:
        angle = float(np.arctan2(body.R[1, 0], body.R[0, 0]))
        node = mbs.AddNode(
            NodeRigidBody2D(
                referenceCoordinates=[*body.centre[:2], angle],
                initialVelocities=[*body.velocity[:2], body.omega[2]],
            )
        )
        own = mbs.AddObject(
            ObjectRigidBody2D(nodeNumber=node, physicsMass=body.mass, physicsInertia=float(body.inertia[2, 2]))
        )
        mass = mbs.AddMarker(MarkerBodyMass(bodyNumber=own))
        mbs.AddLoad(LoadMassProportional(markerNumber=mass, loadVector=list(built.gravity)))
        bodies.append(own)
    ground = mbs.CreateGround()
    for joint in built.carried + built.loops:
        markers = [_marker(mbs, built, bodies, ground, k, joint.point) for k in (joint.a, joint.b)]
        mbs.AddObject(ObjectJointRevolute2D(markerNumbers=markers))
    return bodies


def _marker(mbs: Any, built: Mechanism, bodies: list[int], ground: Any, k: int, point: Floats) -> Any:
    if k < 0:
        return mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=list(point)))
    local = built.bodies[k].R.T @ (point - built.bodies[k].centre)
    return mbs.AddMarker(MarkerBodyPosition(bodyNumber=bodies[k], localPosition=list(local)))


def _spatial(mbs: Any, built: Mechanism) -> list[int]:
    bodies = []
    for body in built.bodies:
        local = body.R.T @ body.inertia @ body.R
        own = mbs.CreateRigidBody(
            inertia=RigidBodyInertia(mass=body.mass, inertiaTensor=local),
            nodeType=exudyn.NodeType.RotationRotationVector,
            referencePosition=list(body.centre),
            referenceRotationMatrix=body.R,
            initialVelocity=list(body.velocity),
            initialAngularVelocity=list(body.omega),
            gravity=list(built.gravity),
        )
        if body.force.any() or body.moment.any():
            marker = mbs.AddMarker(MarkerBodyRigid(bodyNumber=own))
            mbs.AddLoad(LoadForceVector(markerNumber=marker, loadVector=list(body.force)))
            mbs.AddLoad(LoadTorqueVector(markerNumber=marker, loadVector=list(body.moment)))
        bodies.append(own)
    ground = mbs.CreateGround()
    for joint in built.carried + built.loops:
        ends = [bodies[k] if k >= 0 else ground for k in (joint.a, joint.b)]
        at = {"bodyNumbers": ends, "position": list(joint.point), "useGlobalFrame": True}
        if joint.kind == "ball":
            mbs.CreateSphericalJoint(**at)
        else:
            mbs.CreateRevoluteJoint(axis=list(joint.axis), **at)
    return bodies


def variants(case: Case, built: Mechanism) -> list[Variant]:
    """Generalised alpha at index 3, trapezoidal rule at index 2; dense with and without full pivoting, sparse."""
    steps = halved(case.until, SAMPLES, 0.01)
    solvers = {"sparse": exudyn.LinearSolverType.EigenSparse}
    if len(built.bodies) < LARGE:
        solvers |= {"dense": exudyn.LinearSolverType.EXUdense, "full pivoting": exudyn.LinearSolverType.EigenDense}
    found = []
    for method in ("generalised alpha 0.9", "trapezoidal, index 2"):
        for name, solver in solvers.items():
            found.append(Variant(f"{method}, {name}", steps, _runner(built, case, method, solver)))
    return found


def _settings(case: Case, method: str, solver: Any, h: float) -> Any:
    settings = exudyn.SimulationSettings()
    time = settings.timeIntegration
    time.numberOfSteps, time.endTime = round(case.until / h), case.until
    time.newton.useModifiedNewton = True
    time.newton.relativeTolerance = time.newton.absoluteTolerance = 1e-10
    time.minimumStepSize = h / 16  # beside a singular pose it would shrink its steps for ever
    time.verboseMode = 0
    if method.startswith("trapezoidal"):
        time.generalizedAlpha.useIndex2Constraints = time.generalizedAlpha.useNewmark = True
    else:
        time.generalizedAlpha.spectralRadius = float(method.split()[-1])
    settings.linearSolverType = solver
    settings.linearSolverSettings.ignoreSingularJacobian = solver == exudyn.LinearSolverType.EigenDense
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = case.times[0]
    exudyn.SetWriteToConsole(False)
    settings.displayStatistics = settings.displayComputationTime = False
    return settings


def _runner(built: Mechanism, case: Case, method: str, solver: Any) -> Callable[[float], tuple[Floats, float]]:
    mbs, sensors = assembled(built)

    def run(h: float) -> tuple[Floats, float]:
        settings = _settings(case, method, solver, h)

        def go() -> None:
            mbs.SolveDynamic(settings)

        wall = timed(go, mbs.Assemble)[1]
        rows = [np.array(mbs.GetSensorStoredData(s)) for s in sensors]
        found = np.zeros((SAMPLES, len(sensors), 3))
        for k, t in enumerate(case.times):
            found[k] = [one[np.argmin(abs(one[:, 0] - t)), 1:4] for one in rows]
        return found, wall

    return run
