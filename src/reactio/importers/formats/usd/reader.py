"""UsdPhysics → mechanism: bodies, masses, joints and gravity of a stage, in metres and kilograms."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ModelError
from reactio.importers.formats.usd.locked_axes import JOINT_AXES, NamedJoint, joint_of, z_along
from reactio.importers.mechanism import (
    ImportedCoupling,
    ImportedJoint,
    ImportedMotion,
    Inertia,
    Limit,
    Mechanism,
    Part,
    PartFrame,
)
from reactio.importers.pose import Pose, from_quaternion
from reactio.importers.reading.names import Names, readable_name
from reactio.model.notes import Note, NoteKind

EARTH_GRAVITY_SIZE = 9.81  # [m/s²] where the stage leaves the magnitude open
LARGEST_LIMIT = 1e20  # limits beyond are none: schemas write ±inf, exporters ±1e30 or ±FLT_MAX
DOFS = tuple(f"{word}{axis}" for word in ("trans", "rot") for axis in JOINT_AXES)
MIMIC_API = "PhysxMimicJointAPI:"  # q + gearing q_reference + offset = 0 along one axis


@dataclass
class UsdReader:
    """Reads one stage; names and notes are collected here."""

    pxr: Any
    stage: Any
    file: str
    notes: list[Note] = field(default_factory=list)
    body: dict[str, str] = field(default_factory=dict)  # path of a rigid body → name of the part
    coordinate: dict[str, str] = field(default_factory=dict)  # path of a joint with one freedom → its coordinate
    limits: list[Limit] = field(default_factory=list)
    motions: list[ImportedMotion] = field(default_factory=list)

    def mechanism(self) -> Mechanism:
        """The mechanism in the pose of the stage."""
        self.body_names, self.joint_names = Names(), Names()
        prims = list(self.stage.Traverse(self.pxr.Usd.TraverseInstanceProxies()))
        parts = [part for prim in prims if (part := self._part(prim)) is not None]
        joints = [joint for prim in prims if (joint := self._joint(prim)) is not None]
        couplings = [coupling for prim in prims for coupling in self._mimics(prim)]
        gravity = self._gravity(prims)
        return Mechanism(
            readable_name(Path(self.file).stem), "usd", tuple(parts), tuple(joints), tuple(couplings),
            motions=tuple(self.motions), limits=tuple(self.limits), gravity=gravity, notes=tuple(self.notes),
        )  # fmt: skip

    @cached_property
    def metre(self) -> float:
        """What one unit of length of the stage is [m]."""
        return float(self.pxr.UsdGeom.GetStageMetersPerUnit(self.stage))

    @cached_property
    def kilogram(self) -> float:
        """What one unit of mass of the stage is [kg]."""
        return float(self.pxr.UsdPhysics.GetStageKilogramsPerUnit(self.stage))

    @cached_property
    def _transforms(self) -> Any:
        return self.pxr.UsdGeom.XformCache()

    def _note(self, kind: NoteKind, what: str, why: str) -> None:
        self.notes.append(Note(kind, what, why))

    def _fail(self, prim: Any, message: str) -> ModelError:
        return ModelError(f"<{prim.GetPath()}>: {message}", place=self.file)

    def _matrix(self, prim: Any) -> Floats:
        """The transform of a prim to the world (4, 4), scale included, lengths in units of the stage; x' = A x."""
        return np.array(self._transforms.GetLocalToWorldTransform(prim), dtype=float).T

    def _pose(self, prim: Any) -> Pose:
        """The pose of a prim in the world [m], without its scale."""
        A = self._matrix(prim)
        size = np.linalg.norm(A[:3, :3], axis=0)
        if not (np.isfinite(A).all() and (size > 0).all()):
            raise self._fail(prim, "its transform is not finite, or has a scale of zero.")
        U, _, Vt = np.linalg.svd(A[:3, :3] / size)  # the rotation nearest to axes of few digits
        R = U @ Vt
        return Pose(self.metre * A[:3, 3], R if np.linalg.det(R) > 0 else -R)

    def _is_body(self, prim: Any) -> bool:
        api = self.pxr.UsdPhysics.RigidBodyAPI(prim)
        if not prim.HasAPI(self.pxr.UsdPhysics.RigidBodyAPI):
            return False
        return api.GetRigidBodyEnabledAttr().Get() is not False and api.GetKinematicEnabledAttr().Get() is not True

    def _part(self, prim: Any) -> Part | None:
        """The part of a rigid body; one that is switched off or moved by animation is part of ground."""
        if not prim.HasAPI(self.pxr.UsdPhysics.RigidBodyAPI):
            return None
        if not self._is_body(prim):
            self._note(NoteKind.REMARK, f"body '{prim.GetName()}'", "not simulated, or moved by animation: ground")
            return None
        parent = prim.GetParent().GetName() if prim.GetParent() else ""
        name = self.body_names.new(readable_name(prim.GetName()), str(prim.GetPath()), readable_name(parent))
        self.body[str(prim.GetPath())] = name
        return Part(name, self._pose(prim), self._inertia(prim))

    def _inertia(self, prim: Any) -> Inertia | None:
        """Mass, centre and inertia of a body; None where the stage leaves one of them to the shapes of colliders."""
        if not prim.HasAPI(self.pxr.UsdPhysics.MassAPI):
            return None
        api = self.pxr.UsdPhysics.MassAPI(prim)
        mass = float(api.GetMassAttr().Get() or 0.0)
        center = np.array(api.GetCenterOfMassAttr().Get(), dtype=float)
        moments = np.array(api.GetDiagonalInertiaAttr().Get(), dtype=float)
        if mass <= 0 or not np.isfinite(center).all() or not moments.any():
            return None
        quaternion = api.GetPrincipalAxesAttr().Get()
        w, xyz = quaternion.GetReal(), quaternion.GetImaginary()
        axes = from_quaternion((0, 0, 0), (w or 0.0, *xyz) if (w or any(xyz)) else (1, 0, 0, 0), str(prim.GetPath()))
        J = self.kilogram * self.metre**2 * axes.R @ np.diag(moments) @ axes.R.T
        return Inertia(self.kilogram * mass, self._scaled(prim, center), J, self.file)

    def _scaled(self, prim: Any, point: Floats) -> Floats:
        """A point in the axes of a prim [m], its scale applied."""
        return np.asarray(self.metre * np.linalg.norm(self._matrix(prim)[:3, :3], axis=0) * point)

    def _frame(self, prim: Any, number: int) -> PartFrame:
        """Frame 0 or 1 of a joint on its body; the world where no body is named."""
        joint = self.pxr.UsdPhysics.Joint(prim)
        relation = (joint.GetBody0Rel, joint.GetBody1Rel)[number]()
        position = (joint.GetLocalPos0Attr, joint.GetLocalPos1Attr)[number]().Get()
        rotation = (joint.GetLocalRot0Attr, joint.GetLocalRot1Attr)[number]().Get()
        what = f"<{prim.GetPath()}>"
        local = from_quaternion(position, (rotation.GetReal(), *rotation.GetImaginary()), what)
        targets = relation.GetTargets()
        if not targets:
            return PartFrame(GROUND, local.scaled(self.metre))
        target = self.stage.GetPrimAtPath(targets[0])
        if not target:
            raise self._fail(
                prim,
                f"names the body <{targets[0]}>, which the stage does not hold; is a file that it refers to missing?",
            )
        at = self._pose(target) @ Pose(self._scaled(target, local.r), local.R)
        body = target
        while body and not body.IsPseudoRoot() and not self._is_body(body):
            body = body.GetParent()
        if not body or body.IsPseudoRoot():
            return PartFrame(GROUND, at)
        return PartFrame(self.body[str(body.GetPath())], self._pose(body).inverse @ at)

    def _joint(self, prim: Any) -> ImportedJoint | None:
        """A joint of UsdPhysics; joints of other schemas are named as unread."""
        physics = self.pxr.UsdPhysics
        name = prim.GetName()
        if not prim.IsA(physics.Joint):
            if prim.GetTypeName().endswith("Joint"):
                self._note(NoteKind.UNREAD, f"joint '{name}'", f"{prim.GetTypeName()} is not part of UsdPhysics")
            return None
        joint = physics.Joint(prim)
        if joint.GetJointEnabledAttr().Get() is False:
            self._note(NoteKind.WARNING, f"joint '{name}'", "switched off in the file, and not read")
            return None
        kind, parameters = self._kind(prim)
        if not kind.type:
            self._note_no_axis(prim)
            return None
        (a, at_a), (b, at_b) = self._frame(prim, 0), self._frame(prim, 1)
        if a == b:
            self._note(NoteKind.SKIPPED, f"joint '{name}'", f"both of its sides are on '{a}'")
            return None
        label = self.joint_names.new(
            readable_name(name), str(prim.GetPath()), readable_name(prim.GetParent().GetName())
        )
        turned = Pose(np.zeros(3), kind.axes)
        self._coordinates(prim, label, kind.type)
        loop = joint.GetExcludeFromArticulationAttr().Get() is True
        return ImportedJoint(label, kind.type, a, b, at_a @ turned, at_b @ turned, parameters, closes_loop=loop)

    def _note_no_axis(self, prim: Any) -> None:
        """A note on a joint that holds no axis; unread if the file writes limits without the schema that they need."""
        kind, why = NoteKind.SKIPPED, "it holds no axis"
        if any(name.startswith("limit:") for name in prim.GetPropertyNames()):
            kind, why = NoteKind.UNREAD, "its limits have no effect: apply PhysicsLimitAPI for each of their axes"
        self._note(kind, f"joint '{prim.GetName()}'", why)

    def _kind(self, prim: Any) -> tuple[NamedJoint, dict[str, float]]:
        """The joint type of a prim, its axes, and its parameters."""
        physics = self.pxr.UsdPhysics
        for schema, kind in ((physics.RevoluteJoint, "revolute"), (physics.PrismaticJoint, "prismatic")):
            if prim.IsA(schema):
                return NamedJoint(kind, z_along(schema(prim).GetAxisAttr().Get())), {}
        if prim.IsA(physics.FixedJoint):
            return NamedJoint("fixed", np.eye(3)), {}
        if prim.IsA(physics.SphericalJoint):
            return NamedJoint("spherical", np.eye(3)), {}
        if prim.IsA(physics.DistanceJoint):
            return self._distance(prim)
        locked = {dof: self._is_locked(prim, dof) for dof in DOFS}
        held = joint_of(locked)
        if held is None:
            axes = ", ".join(dof for dof in DOFS if locked[dof])
            raise self._fail(prim, f"no joint type holds just {axes}; write it as two joints with a body between them.")
        if held.type in ("universal", "perpendicular-axes"):
            self._note(NoteKind.REMARK, f"joint '{prim.GetName()}'", "its locked rotation is taken as that of a cross")
        return held, {}

    def _distance(self, prim: Any) -> tuple[NamedJoint, dict[str, float]]:
        """A distance joint is a rod where its two limits are equal; else it only limits a distance."""
        api = self.pxr.UsdPhysics.DistanceJoint(prim)
        low, high = (float(attr.Get()) for attr in (api.GetMinDistanceAttr(), api.GetMaxDistanceAttr()))
        if low != high:
            self._note(NoteKind.WARNING, f"distance joint '{prim.GetName()}'", "it limits a distance: left out")
            return NamedJoint("", np.eye(3)), {}
        if high == 0:
            return NamedJoint("spherical", np.eye(3)), {}
        return NamedJoint("distance", np.eye(3)), {"length": self.metre * high}

    def _range(self, prim: Any, dof: str) -> tuple[float, float] | None:
        """The range of an axis of a generic joint; None where it is free."""
        if not prim.HasAPI(self.pxr.UsdPhysics.LimitAPI, dof):
            return None
        api = self.pxr.UsdPhysics.LimitAPI(prim, dof)
        return float(api.GetLowAttr().Get()), float(api.GetHighAttr().Get())

    def _is_locked(self, prim: Any, dof: str) -> bool:
        """Is an axis of a generic joint locked: its lower limit above the upper one, or both zero?"""
        limits = self._range(prim, dof)
        if limits is None or limits[0] < limits[1]:
            return False
        if limits[0] == limits[1] != 0.0:
            raise self._fail(
                prim, f"{dof} is held at {limits[0]:g}; move a frame of the joint there, and lock it at 0."
            )
        return True

    def _coordinates(self, prim: Any, label: str, kind: str) -> None:
        """The coordinate of a hinge or slide, with its range and its drive."""
        if kind not in ("revolute", "prismatic"):
            return
        turns = kind == "revolute"
        along = f"{label}.{'rotation' if turns else 'translation'}"
        self.coordinate[str(prim.GetPath())] = along
        physics, unit = self.pxr.UsdPhysics, math.radians(1) if turns else self.metre
        schema = physics.RevoluteJoint if turns else physics.PrismaticJoint
        if prim.IsA(schema):
            api = schema(prim)
            ends = [attr.Get() for attr in (api.GetLowerLimitAttr(), api.GetUpperLimitAttr())]
            low, high = (None if x is None or not abs(x) < LARGEST_LIMIT else unit * float(x) for x in ends)
            if low is not None or high is not None:
                self.limits.append(Limit(along, low, high))
        if prim.HasAPI(physics.DriveAPI, "angular" if turns else "linear"):
            drive = physics.DriveAPI(prim, "angular" if turns else "linear")
            if drive.GetStiffnessAttr().Get():
                self.motions.append(ImportedMotion(self.joint_names.new(f"drive {label}"), along, None))

    def _mimics(self, prim: Any) -> list[ImportedCoupling]:
        """Couplings of PhysX, q + gearing q_reference + offset = 0, whose schema usd-core does not know."""
        couplings = []
        for schema in (
            prim.GetMetadata("apiSchemas").GetAddedOrExplicitItems() if prim.HasMetadata("apiSchemas") else ()
        ):
            if "Tendon" in schema:
                self._note(NoteKind.SKIPPED, f"tendon '{prim.GetName()}'", "tendons of PhysX have no counterpart")
            if not schema.startswith(MIMIC_API):
                continue
            key = f"physxMimicJoint:{schema.removeprefix(MIMIC_API)}"
            gearing = prim.GetAttribute(f"{key}:gearing").Get()
            targets = prim.GetRelationship(f"{key}:referenceJoint").GetTargets()
            along = [self.coordinate.get(str(path)) for path in (prim.GetPath(), *targets[:1])]
            if len(along) < 2 or None in along or not gearing:
                self._note(NoteKind.UNREAD, f"mimic of '{prim.GetName()}'", "it follows no hinge or slide of the stage")
                continue
            names = [str(name) for name in along]
            if len({name.rpartition(".")[2] for name in names}) > 1:
                self._note(NoteKind.UNREAD, f"mimic of '{prim.GetName()}'", "it couples a hinge with a slide")
                continue
            label = self.joint_names.new(f"mimic {names[0].partition('.')[0]}")
            couplings.append(ImportedCoupling(label, "linear", tuple(names), {"coefficients": (1.0, float(gearing))}))
        return couplings

    def _gravity(self, prims: list[Any]) -> tuple[float, float, float]:
        """Gravity of the first scene; along −(up axis) with 9.81 m/s² where that is left open."""
        UsdGeom = self.pxr.UsdGeom
        down = -np.eye(3)[1 if UsdGeom.GetStageUpAxis(self.stage) == UsdGeom.Tokens.y else 2]
        scene = next((prim for prim in prims if prim.IsA(self.pxr.UsdPhysics.Scene)), None)
        size = EARTH_GRAVITY_SIZE
        if scene is None:
            self._note(NoteKind.REMARK, "gravity", "the stage has no physics scene; 9.81 m/s² downwards is taken")
        else:
            api = self.pxr.UsdPhysics.Scene(scene)
            direction = np.array(api.GetGravityDirectionAttr().Get(), dtype=float)
            magnitude = float(api.GetGravityMagnitudeAttr().Get())
            if direction.any():
                down = direction / np.linalg.norm(direction)
            if math.isfinite(magnitude) and magnitude >= 0:
                size = self.metre * magnitude
        x, y, z = (float(g) for g in size * down)
        return x, y, z
