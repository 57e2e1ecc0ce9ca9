"""Mechanisms whose joints are closed in the poses of the file, as those of trees are: found without assembly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.importers.mechanism import ImportedJoint, Mechanism
from reactio.system.compile.length import length_of

COORDINATE_ROUNDING = 8 * float(np.finfo(float).eps)  # part of the largest coordinate that a few sums and products lose
XYZ = "xyz"


def characteristic_length(mechanism: Mechanism) -> float:
    """The characteristic length [m], the same as that of the model made from the mechanism."""
    points: dict[str, list[Sequence[float]]] = {}
    for joint in mechanism.joints:
        points.setdefault(joint.a, []).append(joint.frame_a.r.tolist())
        points.setdefault(joint.b, []).append(joint.frame_b.r.tolist())
    return length_of(points, (part.pose.r.tolist() for part in mechanism.parts))


def all_joints_close(mechanism: Mechanism, within: float) -> bool:
    """Do both frames of every joint coincide within a length [m], or rounding of coordinates?  False if unknown.

    A pose r, R of frame b in frame a closes a joint if r_i = 0 along axes that it does not slide along, and R = 1 where
    it does not turn, R e_z = e_z where it turns about z alone.  Joints of other freedoms, of lengths of their own, and
    couplings are left to assembly.
    """
    if mechanism.couplings:
        return False
    index = {GROUND: 0} | {part.name: k for k, part in enumerate(mechanism.parts, 1)}
    r = np.array([(0.0, 0.0, 0.0), *(part.pose.r for part in mechanism.parts)])
    R = np.array([np.eye(3), *(part.pose.R for part in mechanism.parts)])
    by_type: dict[str, list[ImportedJoint]] = {}
    for joint in mechanism.joints:
        by_type.setdefault(joint.type, []).append(joint)
    allowed = max(within, COORDINATE_ROUNDING * float(np.abs(r).max()))
    return all(_joints_of_type_close(kind, joints, index, r, R, allowed, within) for kind, joints in by_type.items())


def _joints_of_type_close(
    kind: str, joints: list[ImportedJoint], index: dict[str, int], r: Floats, R: Floats, allowed: float, within: float
) -> bool:
    """Are all joints of one type closed?"""
    freedoms = joint_registry.SPATIAL_JOINTS.get(kind).free
    turns = sorted(freedom.axis for freedom in freedoms if freedom.rotates)
    if joint_registry.SPATIAL_JOINTS.get(kind).parameters or turns not in ([], ["z"], list(XYZ)):
        return False
    slides = {freedom.axis for freedom in freedoms if not freedom.rotates}
    r_ab, R_ab = _relative_poses(joints, index, r, R)
    held = [i for i, axis in enumerate(XYZ) if axis not in slides]
    if np.abs(r_ab[:, held]).max(initial=0.0) > allowed:
        return False
    fixed = {0: [0, 1, 2], 1: [2], 3: []}[len(turns)]  # columns of R that no rotation of the joint changes
    return float(np.abs(R_ab[:, :, fixed] - np.eye(3)[:, fixed]).max(initial=0.0)) <= max(within, COORDINATE_ROUNDING)


def _relative_poses(joints: list[ImportedJoint], index: dict[str, int], r: Floats, R: Floats) -> tuple[Floats, Floats]:
    """Origins (k, 3) and axes (k, 3, 3) of the frames b in their frames a."""
    ends = []
    for names, frames in (
        ([joint.a for joint in joints], [joint.frame_a for joint in joints]),
        ([joint.b for joint in joints], [joint.frame_b for joint in joints]),
    ):
        of = [index[name] for name in names]
        points, axes = np.array([frame.r for frame in frames]), np.array([frame.R for frame in frames])
        ends.append((r[of] + np.einsum("kij,kj->ki", R[of], points), R[of] @ axes))
    (ra, Ra), (rb, Rb) = ends
    return np.einsum("kji,kj->ki", Ra, rb - ra), np.einsum("kji,kjl->kil", Ra, Rb)
