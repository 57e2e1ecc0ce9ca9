"""Mechanisms whose joints are closed in the poses of the file, as those of trees are: found without assembly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.importers.mechanism import Link, Mechanism
from reactio.places import GROUND
from reactio.system.compile.length import length_of

COORDINATE_ROUNDING = 8 * float(np.finfo(float).eps)  # part of the largest coordinate that a few sums and products lose
XYZ = "xyz"


def characteristic_length(mechanism: Mechanism) -> float:
    """The characteristic length [m], the same as that of the model made from the mechanism."""
    points: dict[str, list[Sequence[float]]] = {}
    for link in mechanism.links:
        points.setdefault(link.a, []).append(link.frame_a.r.tolist())
        points.setdefault(link.b, []).append(link.frame_b.r.tolist())
    return length_of(points, (part.pose.r.tolist() for part in mechanism.parts))


def closes(mechanism: Mechanism, within: float) -> bool:
    """Do both frames of every joint coincide within a length [m], or rounding of coordinates?  False if unknown.

    A pose r, R of frame b in frame a closes a joint if r_i = 0 along axes that it does not slide along, and R = 1 where
    it does not turn, R e_z = e_z where it turns about z alone.  Joints of other freedoms, of lengths of their own, and
    couplings are left to assembly.
    """
    if mechanism.ratios:
        return False
    place = {GROUND: 0} | {part.name: k for k, part in enumerate(mechanism.parts, 1)}
    r = np.array([(0.0, 0.0, 0.0), *(part.pose.r for part in mechanism.parts)])
    R = np.array([np.eye(3), *(part.pose.R for part in mechanism.parts)])
    by_type: dict[str, list[Link]] = {}
    for link in mechanism.links:
        by_type.setdefault(link.type, []).append(link)
    allowed = max(within, COORDINATE_ROUNDING * float(np.abs(r).max()))
    return all(_type_closes(kind, links, place, r, R, allowed, within) for kind, links in by_type.items())


def _type_closes(
    kind: str, links: list[Link], place: dict[str, int], r: Floats, R: Floats, allowed: float, within: float
) -> bool:
    """Are all joints of one type closed?"""
    freedoms = joint_registry.SPATIAL.get(kind).free
    turns = sorted(one.axis for one in freedoms if one.rotates)
    if joint_registry.SPATIAL.get(kind).parameters or turns not in ([], ["z"], list(XYZ)):
        return False
    slides = {one.axis for one in freedoms if not one.rotates}
    at, turned = _between(links, place, r, R)
    held = [i for i, axis in enumerate(XYZ) if axis not in slides]
    if np.abs(at[:, held]).max(initial=0.0) > allowed:
        return False
    fixed = {0: [0, 1, 2], 1: [2], 3: []}[len(turns)]
    return float(np.abs(turned[:, :, fixed] - np.eye(3)[:, fixed]).max(initial=0.0)) <= max(within, COORDINATE_ROUNDING)


def _between(links: list[Link], place: dict[str, int], r: Floats, R: Floats) -> tuple[Floats, Floats]:
    """Origins (k, 3) and axes (k, 3, 3) of the frames b in their frames a."""
    ends = []
    for names, frames in (
        ([link.a for link in links], [link.frame_a for link in links]),
        ([link.b for link in links], [link.frame_b for link in links]),
    ):
        of = [place[name] for name in names]
        points, axes = np.array([frame.r for frame in frames]), np.array([frame.R for frame in frames])
        ends.append((r[of] + np.einsum("kij,kj->ki", R[of], points), R[of] @ axes))
    (ra, Ra), (rb, Rb) = ends
    return np.einsum("kji,kj->ki", Ra, rb - ra), np.einsum("kji,kjl->kil", Ra, Rb)
