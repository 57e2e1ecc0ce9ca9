"""MJCF for MuJoCo: a tree of bodies, cut joints as connect and weld."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND, CoordinateName
from reactio.errors import ReactioError
from reactio.exporters import ExportFormat, register
from reactio.exporters.carriers import with_carriers
from reactio.exporters.coupled_sums import CoupledSum, coupled_sums
from reactio.exporters.placed_joints import PlacedJoint, body_poses, need_rigid_bodies_in_space
from reactio.exporters.tree import SpanningTree, TreeBranch, spanning_tree
from reactio.exporters.xml_text import xml_comments, xml_numbers
from reactio.importers.formats.mjcf.reader import ACCURACY_NUMBERS, SECOND_CONNECT
from reactio.importers.pose import Pose
from reactio.model.model import Model
from reactio.model.specs import Body

# Joints within the tree as MuJoCo has them, from the parent on: what is added to the name, the type, and the axis; a
# fixed one has none.  A universal joint turns about x of frame A, then about y of frame B, or the other way round where
# the tree goes from B to A; slides along axes of A come last then, because they move with it.
MJCF_TREE_JOINTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "fixed": (),
    "spherical": (("", "ball", ""),),
    "revolute": (("", "hinge", "z"),),
    "prismatic": (("", "slide", "z"),),
    "cylindrical": (("", "hinge", "z"), (" slide", "slide", "z")),
    "universal": ((" first", "hinge", "first"), ("", "hinge", "second")),
    "planar": ((" x", "slide", "x of a"), (" y", "slide", "y of a"), ("", "hinge", "z of a")),
    "point-on-line": ((" slide", "slide", "z of a"), ("", "ball", "")),
    "point-on-plane": ((" x", "slide", "x of a"), (" y", "slide", "y of a"), ("", "ball", "")),
    "orientation": ((" x", "slide", "x of a"), (" y", "slide", "y of a"), (" z", "slide", "z of a")),
    "parallel-axes": (
        (" x", "slide", "x of a"), (" y", "slide", "y of a"), (" z", "slide", "z of a"), ("", "hinge", "z of a"),
    ),
}  # fmt: skip
LOOP_CLOSURES = {"spherical": "connect", "fixed": "weld", "revolute": "two connects"}
LEAST_MASS = 1e-6  # [kg, kg m²] of bodies without mass: MuJoCo needs some


def check(model: Model) -> None:
    """Refuse what MJCF does not have."""
    need_rigid_bodies_in_space(model, "MJCF")


def write(model: Model, comments: Sequence[str] = ()) -> dict[str, str]:
    """The model at its pose; every body is named, so are all joints and closures."""
    check(model)
    model = with_carriers(model, MJCF_TREE_JOINTS, LOOP_CLOSURES)
    tree = spanning_tree(model, frozenset(MJCF_TREE_JOINTS))
    poses, sums = body_poses(model), list(coupled_sums(model, tree, "MJCF"))
    head = xml_comments(comments)
    lines = [
        f"<mujoco model={quoteattr(model.name)}>",
        '  <compiler angle="radian" autolimits="false"/>',
        f'  <option gravity="{xml_numbers(model.gravity)}"/>',
        "  <worldbody>",
        *_bodies(model, tree, poses),
        "  </worldbody>",
        *_section("tendon", [line for coupled in sums for line in _tendon(model, coupled)]),
        *_section(
            "equality",
            [line for placed in tree.cut for line in _closure(placed, poses)]
            + [_coupling(model, placed) for placed in sums],
        ),
        *_section("custom", _accuracy(model)),
        "</mujoco>",
    ]
    return {".xml": head + "\n".join(lines) + "\n"}


def left_out(model: Model) -> Iterator[str]:
    """The parts that MJCF is written without, and their substitutes."""
    for word, items in (
        ("drives", model.drives), ("forces", model.forces), ("events", model.events), ("end stops", model.stops),
    ):  # fmt: skip
        if items:
            yield f"left out: {len(items)} {word}"
    if any(body.mass is None for body in model.bodies):
        yield "masses are not known: 1 kg and 1 kg m² are written"
    elif light := sum(body.mass == 0.0 for body in model.bodies):
        yield f"{light} bodies without mass have {LEAST_MASS:g} kg and kg m², as MuJoCo needs some"


def _bodies(model: Model, tree: SpanningTree, poses: dict[str, Pose]) -> list[str]:
    """The nested elements of all bodies, children inside their parents, written without recursion."""
    children: dict[str, list[TreeBranch]] = {}
    for branch in tree.branches:
        children.setdefault(branch.parent, []).append(branch)
    lines: list[str] = []
    stack: list[tuple[TreeBranch | None, int]] = [(branch, 2) for branch in reversed(children.get(GROUND, []))]
    while stack:
        element, depth = stack.pop()
        if element is None:
            lines.append(f"{'  ' * depth}</body>")
            continue
        lines += _body(model.body(element.body), element, poses, "  " * depth)
        stack.append((None, depth))
        stack += [(child, depth + 1) for child in reversed(children.get(element.body, []))]
    return lines


def _body(body: Body, branch: TreeBranch, poses: dict[str, Pose], indent: str) -> list[str]:
    at = poses[branch.parent].inverse @ poses[body.name]
    mass, J = (1.0, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)) if body.mass is None else (body.mass, body.inertia or (0.0,) * 6)
    if mass == 0.0:
        mass, J = LEAST_MASS, (LEAST_MASS, LEAST_MASS, LEAST_MASS, 0.0, 0.0, 0.0)
    lines = [
        f'{indent}<body name={quoteattr(body.name)} pos="{xml_numbers(at.r)}" quat="{xml_numbers(at.quaternion)}">'
    ]
    lines.append(
        f'{indent}  <inertial pos="{xml_numbers(body.center)}" mass="{mass:.17g}" fullinertia="{xml_numbers(J)}"/>'
    )
    if branch.joint is None:
        return [*lines, f"{indent}  <freejoint/>"]
    return [*lines, *(f"{indent}  {joint}" for joint in _joints(branch, poses[body.name]))]


def _joints(branch: TreeBranch, pose: Pose) -> Iterator[str]:
    placed = branch.joint
    assert placed is not None
    forward = 1.0 if placed.joint.b.body == branch.body else -1.0  # coordinates count b against a
    origin = pose.inverse @ placed.b
    label = escape(placed.joint.name, {'"': "&quot;"})
    axes = {
        "z": forward * _in_body(pose, placed.a, 2),
        "first": _in_body(pose, placed.a, 0) if forward > 0 else _in_body(pose, placed.b, 1),
        "second": _in_body(pose, placed.b, 1) if forward > 0 else _in_body(pose, placed.a, 0),
        "x of a": _in_body(pose, placed.a, 0),
        "y of a": _in_body(pose, placed.a, 1),
        "z of a": _in_body(pose, placed.a, 2),
    }
    joints = MJCF_TREE_JOINTS[placed.joint.type]
    ends_in_ball = joints and joints[-1][1] == "ball"
    for suffix, mjcf_type, axis in joints[::-1] if ends_in_ball and forward < 0 else joints:
        along = f' axis="{xml_numbers(axes[axis])}"' if axis else ""
        yield f'<joint name="{label}{suffix}" type="{mjcf_type}" pos="{xml_numbers(origin.r)}"{along}/>'


def _in_body(pose: Pose, frame: Pose, axis: int) -> Floats:
    """An axis of a frame in the axes of a body."""
    return np.asarray(pose.R.T @ frame.R[:, axis])


def _closure(placed: PlacedJoint, poses: dict[str, Pose]) -> Iterator[str]:
    """A connect, a weld, or two connects on the axis of a hinge."""
    joint = placed.joint
    if joint.type not in LOOP_CLOSURES:
        raise ReactioError(
            f"joint '{joint.name}' ({joint.type}) has no counterpart in MJCF; it has hinges, slides and balls, and for "
            "loops connect and weld."
        )
    a, b = (f'body{k}="{_body_name(end.body)}"' for k, end in ((1, joint.a), (2, joint.b)))
    pose = poses[joint.a.body]
    at = pose.inverse @ placed.b
    name = escape(joint.name, {'"': "&quot;"})
    if joint.type == "fixed":
        # The anchor is a point of body 2; MuJoCo takes the position of relpose as that point on body 1.
        turned, anchor = pose.inverse @ poses[joint.b.body], poses[joint.b.body].inverse @ placed.b
        yield (
            f'    <weld name="{name}" {a} {b} anchor="{xml_numbers(anchor.r)}" '
            f'relpose="{xml_numbers(at.r)} {xml_numbers(turned.quaternion)}"/>'
        )
        return
    yield f'    <connect name="{name}" {a} {b} anchor="{xml_numbers(at.r)}"/>'
    if joint.type == "revolute":
        arm = max(float(np.linalg.norm(at.r)), 1e-3)
        second = at.r + arm * (pose.R.T @ placed.a.R[:, 2])
        yield f'    <connect name="{name}{SECOND_CONNECT}" {a} {b} anchor="{xml_numbers(second)}"/>'


def _body_name(name: str) -> str:
    return "world" if name == GROUND else escape(name, {'"': "&quot;"})


def _section(tag: str, lines: Sequence[str]) -> list[str]:
    return [f"  <{tag}>", *lines, f"  </{tag}>"] if lines else []


def _accuracy(model: Model) -> list[str]:
    """The accuracy of the geometry [m, rad] as custom numbers, for which MuJoCo has no element."""
    if model.accuracy is None:
        return []
    numbers = [x for x in (model.accuracy.length, model.accuracy.angle) if x is not None]
    return [f'    <numeric name="{ACCURACY_NUMBERS}" data="{xml_numbers(numbers)}"/>']


def _tendon(model: Model, coupled: CoupledSum) -> list[str]:
    """A fixed tendon, the length of which is the sum of three coordinates or more."""
    if len(coupled.factors) == 2:
        return []
    joints = [
        f'<joint joint={quoteattr(_joint_name(model, along))} coef="{k:.17g}"/>'
        for along, k in zip(coupled.along, coupled.factors, strict=True)
    ]
    return [f"    <fixed name={quoteattr(coupled.name)}>{''.join(joints)}</fixed>"]


def _coupling(model: Model, coupled: CoupledSum) -> str:
    if len(coupled.factors) != 2:
        return f"    <tendon name={quoteattr(coupled.name)} tendon1={quoteattr(coupled.name)}/>"
    first, second = (quoteattr(_joint_name(model, along)) for along in coupled.along)
    coefficients = f'polycoef="0 {coupled.slope("MJCF"):.17g} 0 0 0"'
    return f"    <joint name={quoteattr(coupled.name)} joint1={first} joint2={second} {coefficients}/>"


def _joint_name(model: Model, along: CoordinateName) -> str:
    slides = along.name == "translation" and model.joint(along.joint).type == "cylindrical"
    return f"{along.joint} slide" if slides else along.joint


MJCF = register(
    ExportFormat("mjcf", (".xml", ".mjcf"), write, "MuJoCo: cut joints as connect and weld.", check, left_out)
)
