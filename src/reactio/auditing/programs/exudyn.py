"""Exudyn with EigenDense and singular Jacobians ignored: LU with complete pivoting; live systems are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.auditing.programs import Program, ProgramSource, register
from reactio.auditing.programs.reported import BodyAcceleration, ProgramWrench, Reported
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.importers import Options
from reactio.importers.mechanism import ImportedJoint, Inertia, Load, Mechanism, Part, PartFrame, steiner
from reactio.importers.pipeline import from_mechanism
from reactio.importers.pose import Pose
from reactio.importers.reading.marker_axes import TURN_TO_X
from reactio.importers.reading.names import Names, readable_name
from reactio.system.equations import Equations

PIVOT_ROUNDING = float(np.finfo(np.float64).eps)  # times size and largest pivot: smaller ones are zero, as in Eigen
EXUDYN_REASON = (
    "With ignoreSingularJacobian Exudyn's elimination takes redundant equations in the order in which the joints were "
    "created, and the last ones carry nothing: creating them in another order moves the load between joints."
)
EXUDYN_REMEDY = "Audit after a step that converged, with smaller tolerances (timeIntegration.newton)."
GENERIC_JOINTS: dict[tuple[int, ...], str] = {
    (1, 1, 1, 1, 1, 1): "fixed",
    (1, 1, 1, 1, 1, 0): "revolute",
    (1, 1, 1, 0, 0, 0): "spherical",
    (1, 1, 0, 1, 1, 1): "prismatic",
    (1, 1, 0, 1, 1, 0): "cylindrical",
    (0, 0, 1, 1, 1, 0): "planar",
}
# TorqueLocal of Exudyn are multipliers of equations between axes, not a torque: of x and y of marker 1 with z of marker
# 0, or of three pairs of axes.  These maps lead to the torque on the first body in the axes of marker 1 (measured on
# single bodies in oblique poses, Exudyn 1.13).
TWO_EQUATIONS = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
THREE_EQUATIONS = np.diag([1.0, -1.0, -1.0])
MULTIPLIERS_TO_TORQUE = {
    "revolute": TWO_EQUATIONS,
    "cylindrical": TWO_EQUATIONS,
    "planar": TWO_EQUATIONS,
    "prismatic": THREE_EQUATIONS,
    "fixed": THREE_EQUATIONS,
    "spherical": np.zeros((3, 3)),
}
SPRING_DAMPERS = (
    "ConnectorSpringDamper", "ConnectorCartesianSpringDamper", "ConnectorRigidBodySpringDamper",
    "ConnectorTorsionalSpringDamper",
)  # fmt: skip
X_IS_Z = TURN_TO_X.T  # the new z axis is the old x axis


def split(eqs: Equations) -> Floats:
    """λ of M v̇ + Cᵀλ = Q, C v̇ = Γ by complete pivoting: unknowns without a pivot are zero."""
    n, m = eqs.system.n, eqs.system.m
    C = eqs.C.toarray()
    K = np.block([[eqs.M.toarray(), C.T], [C, np.zeros((m, m))]])
    return complete_pivoting(K, np.concatenate([eqs.Q, eqs.Gamma]))[n:]


def complete_pivoting(A: Floats, b: Floats) -> Floats:
    """x with A x = b by elimination with the largest remaining entry as next pivot; unknowns without a pivot are 0."""
    A, b, N = A.copy(), b.copy(), len(A)
    order, rank, largest = np.arange(N), N, 0.0
    for k in range(N):
        i, j = np.unravel_index(int(np.argmax(np.abs(A[k:, k:]))), (N - k, N - k))
        row, column = int(i) + k, int(j) + k
        pivot = abs(A[row, column])
        largest = max(largest, pivot)
        if pivot <= N * PIVOT_ROUNDING * largest:
            rank = k
            break
        A[[k, row]], b[[k, row]] = A[[row, k]], b[[row, k]]
        A[:, [k, column]], order[[k, column]] = A[:, [column, k]], order[[column, k]]
        factor = A[k + 1 :, k] / A[k, k]
        A[k + 1 :] -= factor[:, None] * A[k]
        b[k + 1 :] -= factor * b[k]
    x = np.zeros(N)
    x[order[:rank]] = np.linalg.solve(np.triu(A[:rank, :rank]), b[:rank])
    return x


def accepts(given: Any) -> bool:
    """Is it an Exudyn MainSystem?"""
    return type(given).__module__.split(".")[0].lower().startswith("exudyn") and type(given).__name__ == "MainSystem"


def read(mbs: Any) -> Reported:
    """The current state of a system, after one of its solvers ran."""
    import exudyn

    system = _ExudynReader(mbs, exudyn.OutputVariableType)
    mechanism = system.mechanism()
    model = from_mechanism(mechanism, Options(keep_fixed=True), Path("Exudyn system")).model
    number = {name: i for i, name in system.bodies.items()}
    bodies, accelerations = [], {}
    for body in model.bodies:
        i, out = number[body.name], system.out
        bodies.append(
            replace(
                body,
                velocity=tuple(system.of(i, out.Velocity)),
                angular_velocity=tuple(system.of(i, out.AngularVelocity)),
            )
        )
        accelerations[body.name] = BodyAcceleration(
            system.of(i, out.Acceleration), system.of(i, out.AngularAcceleration)
        )
    return Reported(
        "Exudyn", replace(model, bodies=tuple(bodies)), system.wrenches, accelerations, EXUDYN_REASON,
        float(mbs.systemData.GetTime()), remedy=EXUDYN_REMEDY,
    )  # fmt: skip


class _ExudynMarker(NamedTuple):
    """A marker of Exudyn: the number of its body, the name of the part, and the pose on it, of ground in the world."""

    body: int
    part: str
    pose: Pose


class _ExudynReader:
    """A reader of an Exudyn system: bodies and joints by their names, and the wrenches of joints."""

    def __init__(self, mbs: Any, out: Any) -> None:
        self.mbs, self.out = mbs, out
        self.bodies: dict[int, str] = {}
        self.wrenches: dict[str, ProgramWrench] = {}
        self.names, self.joints = Names(), Names()

    def of(self, body: int, what: Any) -> Floats:
        """An output of Exudyn at the reference point of a body."""
        return np.array(self.mbs.GetObjectOutputBody(body, what, [0.0, 0.0, 0.0]), dtype=float)

    def pose(self, body: int) -> Pose:
        """The pose of a body."""
        return Pose(self.of(body, self.out.Position), self.of(body, self.out.RotationMatrix).reshape(3, 3))

    def mechanism(self) -> Mechanism:
        """Bodies, joints and loads of the system."""
        count = int(self.mbs.systemData.NumberOfObjects())
        objects = {i: self.mbs.GetObject(i) for i in range(count)}
        parts = []
        for i, entry in objects.items():
            kind = entry["objectType"]
            if kind == "Ground":
                self.bodies[i] = GROUND
            elif kind in ("RigidBody", "ObjectRigidBody"):
                self.bodies[i] = self.names.new(readable_name(entry["name"]))
                parts.append(Part(self.bodies[i], self.pose(i), _inertia(entry)))
        others = {i: entry for i, entry in objects.items() if i not in self.bodies}
        springs = {i: others.pop(i) for i, entry in objects.items() if entry["objectType"] in SPRING_DAMPERS}
        joints = [self._joint(i, entry) for i, entry in others.items()]
        loads = [*self._loads(objects), *(load for i, entry in springs.items() for load in self._spring(i, entry))]
        return Mechanism("Exudyn system", "exudyn", tuple(parts), tuple(joints), loads=tuple(loads))

    def _marker(self, number: int, turn: Floats) -> _ExudynMarker:
        """A marker with its axes rotated by ``turn`` (3, 3)."""
        marker = self.mbs.GetMarker(number)
        body = int(marker.get("bodyNumber", -1))
        if body not in self.bodies:
            raise ReactioError(f"marker {number} ({marker['markerType']}) is not on a rigid body.")
        frame = np.array(marker.get("localHT", np.eye(4)), dtype=float)
        at = Pose(np.array(marker["localPosition"], dtype=float), frame[:3, :3] @ turn)
        return _ExudynMarker(body, self.bodies[body], self.pose(body) @ at if self.bodies[body] == GROUND else at)

    def _joint(self, i: int, entry: dict[str, Any]) -> ImportedJoint:
        kind, name = entry["objectType"], self.joints.new(readable_name(entry["name"]))
        known = {"JointRevoluteZ": "revolute", "JointPrismaticX": "prismatic", "JointSpherical": "spherical"}
        type_ = known.get(kind)
        if kind == "JointGeneric":
            type_ = GENERIC_JOINTS.get(tuple(int(x) for x in entry["constrainedAxes"]))
        if type_ is None:
            raise ReactioError(f"object '{entry['name']}' ({kind}) has no counterpart here.")
        turns = [np.array(entry.get(f"rotationMarker{k}", np.eye(3)), dtype=float).reshape(3, 3) for k in (0, 1)]
        marker_a, marker_b = (self._marker(int(m), turn) for m, turn in zip(entry["markerNumbers"], turns, strict=True))
        first, second = self._in_world(marker_a), self._in_world(marker_b)
        if kind == "JointSpherical":  # its force is in world axes
            force, torque = np.array(self.mbs.GetObjectOutput(i, self.out.Force), dtype=float), np.zeros(3)
        else:
            local = [self.mbs.GetObjectOutput(i, what) for what in (self.out.ForceLocal, self.out.TorqueLocal)]
            force = first.R @ np.array(local[0], dtype=float)
            torque = second.R @ MULTIPLIERS_TO_TORQUE[type_] @ np.array(local[1], dtype=float)
        self.wrenches[name] = ProgramWrench(second.r, -force, -torque)  # Exudyn gives those on the first body
        at_a, at_b = marker_a.pose, marker_b.pose
        if kind == "JointPrismaticX":
            at_a, at_b = (Pose(at.r, at.R @ X_IS_Z) for at in (at_a, at_b))
        return ImportedJoint(name, type_, marker_a.part, marker_b.part, at_a, at_b)

    def _spring(self, i: int, entry: dict[str, Any]) -> Iterator[Load]:
        """The force and torque of a spring with damper, by the user's function where there is one, on both its ends."""
        if not entry["activeConnector"]:
            return
        turn = np.array(entry.get("rotationMarker0", np.eye(3)), dtype=float).reshape(3, 3)
        ends = [self._marker(int(m), turn if k == 0 else np.eye(3)) for k, m in enumerate(entry["markerNumbers"])]
        first, force, torque = self._in_world(ends[0]), np.zeros(3), np.zeros(3)
        if entry["objectType"] == "ConnectorRigidBodySpringDamper":
            force = first.R @ np.array(self.mbs.GetObjectOutput(i, self.out.ForceLocal), dtype=float)
            torque = first.R @ np.array(self.mbs.GetObjectOutput(i, self.out.TorqueLocal), dtype=float)
        elif entry["objectType"] == "ConnectorTorsionalSpringDamper":
            torque = first.R[:, 2] * float(self.mbs.GetObjectOutput(i, self.out.TorqueLocal))
        else:
            force = np.array(self.mbs.GetObjectOutput(i, self.out.Force), dtype=float)
        for end, sign in zip(ends, (1.0, -1.0), strict=True):
            if end.part == GROUND:
                continue
            for kind, vector in (("force", force), ("torque", torque)):
                if np.any(vector):
                    values = tuple(float(sign * x) for x in vector)
                    at = {"at": PartFrame(end.part, Pose(end.pose.r))}
                    yield Load(f"object {i} {kind} on {end.part}", kind, {kind: values}, at)

    def _in_world(self, marker: _ExudynMarker) -> Pose:
        return marker.pose if marker.part == GROUND else self.pose(marker.body) @ marker.pose

    def _loads(self, objects: dict[int, dict[str, Any]]) -> Iterator[Load]:
        """Gravity, forces and torques on bodies."""
        for k in range(int(self.mbs.systemData.NumberOfLoads())):
            load = self.mbs.GetLoad(k)
            marker = self.mbs.GetMarker(int(load["markerNumber"]))
            body = int(marker.get("bodyNumber", -1))
            if body not in self.bodies:
                raise ReactioError(f"load {k} is on marker {load['markerNumber']}, which is not on a rigid body.")
            if self.bodies[body] == GROUND:
                continue
            values = np.array(self.mbs.GetLoadValues(k), dtype=float)  # by the user's function where there is one
            vector = tuple(map(float, self.pose(body).R @ values if load.get("bodyFixed") else values))
            name, kind = f"load {k}", load["loadType"]
            point = np.array(marker.get("localPosition", np.zeros(3)), dtype=float)
            if kind == "MassProportional":
                entry = objects[body]
                pull = tuple(float(entry["mass"]) * x for x in vector)
                centre = np.array(entry["centerOfMass"], dtype=float)
                yield Load(name, "force", {"force": pull}, {"at": PartFrame(self.bodies[body], Pose(centre))})
            elif kind == "ForceVector":
                yield Load(name, "force", {"force": vector}, {"at": PartFrame(self.bodies[body], Pose(point))})
            elif kind == "TorqueVector":
                yield Load(name, "torque", {"torque": vector}, {"at": PartFrame(self.bodies[body], Pose(point))})
            else:
                raise ReactioError(f"load {k} ({kind}) has no counterpart here.")


def _inertia(entry: dict[str, Any]) -> Inertia:
    """Exudyn gives the tensor about the reference point, in the order xx, yy, zz, yz, xz, xy."""
    mass, c = float(entry["mass"]), np.array(entry["centerOfMass"], dtype=float)
    xx, yy, zz, yz, xz, xy = (float(x) for x in entry["inertia"])
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Inertia(mass, c, J - steiner(mass, c))


EXUDYN = register(
    Program(
        name="exudyn",
        title="Exudyn",
        rule="elimination by complete pivoting",
        explanation="Exudyn with its solver EigenDense, ignoring singular Jacobians, solves the equations of motion "
        "by elimination with complete pivoting and sets the unknowns that are left without a pivot to zero: whole "
        "joints may be without load; another unit gives other numbers, and among equal pivots rounding decides.",
        split=split,
        source=ProgramSource(accepts, read, "an exudyn MainSystem after one of its solvers ran."),
    )
)
