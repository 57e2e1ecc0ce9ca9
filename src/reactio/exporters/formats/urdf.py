"""URDF with its loops in a YAML file next to it, in the form of robot.yaml."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.exporters import ExportFormat, register
from reactio.exporters.coupled_sums import coupled_sums
from reactio.exporters.placed_joints import body_poses, need_rigid_bodies_in_space
from reactio.exporters.tree import SpanningTree, TreeBranch, spanning_tree
from reactio.exporters.xml_text import xml_comments, xml_numbers
from reactio.importers.mechanism import EARTH_GRAVITY
from reactio.importers.pose import Pose
from reactio.model.model import Model
from reactio.model.specs import Body

URDF_TREE_JOINTS = frozenset({"revolute", "prismatic", "fixed"})
URDF_TYPES = {"revolute": "continuous", "prismatic": "prismatic", "fixed": "fixed"}
SLIDER_LIMIT = 1e3  # [m, N, m/s] of sliders, for which URDF requires limits
LOOP_TYPES = {"fixed": "6d", "spherical": "3d"}


def check(model: Model) -> None:
    """Refuse what URDF does not have."""
    need_rigid_bodies_in_space(model, "URDF")


def write(model: Model, comments: Sequence[str] = ()) -> dict[str, str]:
    """The tree, and the loops: frames that each cut joint holds together, with the type of the joint."""
    check(model)
    tree, poses = spanning_tree(model, URDF_TREE_JOINTS), body_poses(model)
    head = xml_comments(comments)
    mimics = _mimics(model, tree)
    lines = [f"<robot name={quoteattr(model.name)}>", '  <link name="world"/>']
    origin = dict(poses)  # links stand at the joint that holds them, so that joints need no second frame
    for branch in tree.branches:
        origin[branch.body] = (
            poses[branch.body] if branch.joint is None else Pose(branch.joint.b.r, poses[branch.body].R)
        )
    for branch in tree.branches:
        lines += _link(model.body(branch.body), origin[branch.body].inverse @ poses[branch.body])
        lines += _joint(branch, origin, mimics)
    loops = []
    for placed in tree.cut:
        frames = [f"{placed.joint.name}_{side}" for side in "ab"]
        for name, body, at in zip(
            frames, (placed.joint.a.body, placed.joint.b.body), (placed.a, placed.b), strict=True
        ):
            lines += _frame(name, body, origin[body].inverse @ at)
        loops.append((frames, LOOP_TYPES.get(placed.joint.type, placed.joint.type)))
    return {".urdf": head + "\n".join([*lines, "</robot>"]) + "\n", ".yaml": _loop_list(loops, model)}


def left_out(model: Model) -> Iterator[str]:
    """What URDF is written without."""
    for word, items in (
        ("drives", model.drives), ("forces", model.forces), ("events", model.events), ("end stops", model.stops),
    ):  # fmt: skip
        if items:
            yield f"left out: {len(items)} {word}"
    if any(model.gravity) and tuple(model.gravity) != EARTH_GRAVITY:
        numbers = ", ".join(f"{x:g}" for x in model.gravity)
        yield f"left out: gravity ({numbers}) m/s², for which URDF has no element"


class _FollowedCoordinate(NamedTuple):
    """The coordinate of a joint is a factor times that of another, the leader."""

    leader: str
    factor: float


def _mimics(model: Model, tree: SpanningTree) -> dict[str, _FollowedCoordinate]:
    """The joints that follow others, each at most one."""
    followed: dict[str, _FollowedCoordinate] = {}
    for coupled in coupled_sums(model, tree, "URDF"):
        slope, (first, second) = coupled.slope("URDF"), (along.joint for along in coupled.along)
        if first not in followed:
            followed[first] = _FollowedCoordinate(second, slope)
        elif second not in followed:
            followed[second] = _FollowedCoordinate(first, 1.0 / slope)
        else:
            raise ReactioError(
                f"coupling '{coupled.name}': both of its joints follow others already; URDF allows one each."
            )
    return followed


def _loop_list(loops: list[tuple[list[str], str]], model: Model) -> str:
    import yaml

    data: dict[str, object] = {"closed_loop": [frames for frames, _ in loops], "type": [kind for _, kind in loops]}
    if model.accuracy is not None:
        data["accuracy"] = [x for x in (model.accuracy.length, model.accuracy.angle) if x is not None]
    return str(yaml.safe_dump(data, sort_keys=False, default_flow_style=None, allow_unicode=True))


def _origin(pose: Pose) -> str:
    """xyz and rpy: rotations about the fixed axes x, y, z, one after the other."""
    R = pose.R
    pitch = float(np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])))
    if abs(np.cos(pitch)) > 1e-9:
        roll, yaw = float(np.arctan2(R[2, 1], R[2, 2])), float(np.arctan2(R[1, 0], R[0, 0]))
    else:
        roll, yaw = 0.0, float(np.arctan2(-R[0, 1], R[1, 1]))
    return f'<origin xyz="{xml_numbers(pose.r)}" rpy="{xml_numbers((roll, pitch, yaw))}"/>'


def _link(body: Body, at: Pose) -> Iterator[str]:
    if body.mass is None:
        yield f"  <link name={quoteattr(body.name)}/>"
        return
    xx, yy, zz, xy, xz, yz = body.inertia or (0.0,) * 6
    pose = at @ Pose(np.array(body.center))
    yield f"  <link name={quoteattr(body.name)}>"
    yield f'    <inertial>{_origin(pose)}<mass value="{body.mass:.17g}"/>'
    yield (
        f'      <inertia ixx="{xx:.17g}" iyy="{yy:.17g}" izz="{zz:.17g}" ixy="{xy:.17g}" ixz="{xz:.17g}" '
        f'iyz="{yz:.17g}"/></inertial>'
    )
    yield "  </link>"


def _joint(branch: TreeBranch, origin: dict[str, Pose], mimics: dict[str, _FollowedCoordinate]) -> Iterator[str]:
    parent = "world" if branch.parent == GROUND else branch.parent
    if branch.joint is None:
        name, kind, axis = f"float {branch.body}", "floating", np.array([0.0, 0.0, 1.0])
    else:
        name, kind = branch.joint.joint.name, URDF_TYPES[branch.joint.joint.type]
        forward = 1.0 if branch.joint.joint.b.body == branch.body else -1.0
        axis = forward * (origin[branch.body].R.T @ branch.joint.a.R[:, 2])
    yield f'  <joint name={quoteattr(name)} type="{kind}">'
    yield f"    <parent link={quoteattr(parent)}/><child link={quoteattr(branch.body)}/>"
    yield f"    {_origin(origin[branch.parent].inverse @ origin[branch.body])}"
    if kind in ("continuous", "prismatic"):
        yield f'    <axis xyz="{xml_numbers(axis)}"/>'
    if kind == "prismatic":
        most = SLIDER_LIMIT
        yield f'    <limit lower="{-most}" upper="{most}" effort="{most}" velocity="{most}"/>'
    if name in mimics:
        yield f'    <mimic joint={quoteattr(mimics[name].leader)} multiplier="{mimics[name].factor:.17g}"/>'
    yield "  </joint>"


def _frame(name: str, body: str, at: Pose) -> Iterator[str]:
    parent = "world" if body == GROUND else body
    yield f"  <link name={quoteattr(name)}/>"
    yield f'  <joint name={quoteattr(f"{name} frame")} type="fixed"><parent link={quoteattr(parent)}/>'
    yield f"    <child link={quoteattr(name)}/>{_origin(at)}</joint>"


URDF = register(
    ExportFormat("urdf", (".urdf",), write, "URDF, with its loops in a YAML file next to it.", check, left_out)
)
