"""URDF: a tree of links and joints, with its loops in a file next to it, in <gazebo>, or as links with two parents."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ModelError, ReactioError, did_you_mean
from reactio.importers import Format, Options, register
from reactio.importers.formats.sdf.pose import relative_pose
from reactio.importers.mechanism import (
    EARTH_GRAVITY,
    ImportedCoupling,
    ImportedJoint,
    ImportedMotion,
    Inertia,
    Limit,
    Load,
    Mechanism,
    Mesh,
    Part,
    PartFrame,
)
from reactio.importers.pose import IDENTITY_AXES, Pose, frame_along, roll_pitch_yaw, rotation
from reactio.importers.reading.drake_elements import BALL_CONSTRAINT, ball_constraints, without_drake_prefix
from reactio.importers.reading.marker_axes import TURN_TO_X, TURN_TO_Y
from reactio.importers.reading.mimic import mimic_coupling
from reactio.importers.reading.names import Names, readable_name
from reactio.importers.reading.unread_elements import coupled_by_transmissions, unread_connections
from reactio.importers.reading.written_angles import notes_on_angles, written_angle
from reactio.importers.reading.xml import XmlElement, parse_xml, words_of
from reactio.joints import SPATIAL_JOINTS
from reactio.model.accuracy import Accuracy
from reactio.model.notes import Note, NoteKind, NoteTopic
from reactio.model.values.yaml_tree import Node, read_nodes
from reactio.operating_system.files import read_text

URDF_JOINTS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "planar": "planar",
    "floating": "",
    "spherical": "spherical",  # of Bullet
    "ball": "spherical",  # this and the next of Drake
    "universal": "universal",
    "screw": "screw",
}
JOINTS_WITHOUT_AXIS = ("fixed", "spherical", "universal")  # joints without an <axis>
WORLD = "world"  # link that need not be defined
CLOSURE_TYPES = {
    "6d": "fixed",
    "3d": "spherical",
    "fixed": "fixed",
    "spherical": "spherical",
    "ball": "spherical",
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "universal": "universal",
}
URDF_ELEMENTS = ("link", "joint", "constraint", "loop_joint", BALL_CONSTRAINT)  # that connect links
COORDINATE_NAMES = {"revolute": "rotation", "prismatic": "translation"}
LISTED_TYPES = {"SPHERICAL": "spherical", "FIXED": "fixed"}  # types that the list of joints (robot.yaml) may give
UJOINT = re.compile(r"UJOINT_([XYZ])([XYZ])")  # rotations about two axes of the joint's frame, one after the other


@dataclass(slots=True, eq=False)
class _Robot:
    """A robot: its links and joints, and the data read from them."""

    file: str
    options: Options
    links: dict[str, XmlElement] = field(default_factory=dict)
    joints: dict[str, XmlElement] = field(default_factory=dict)
    ends: dict[str, _Ends] = field(default_factory=dict)  # the two links of each joint
    placed: dict[str, Pose] = field(default_factory=dict)  # of the child of each joint on its parent
    pose: dict[str, Pose] = field(default_factory=dict)  # of links in the world
    notes: list[Note] = field(default_factory=list)
    body: dict[str, str] = field(default_factory=dict)  # name of a link in the file → name of the body in the model
    joint: dict[str, str] = field(default_factory=dict)  # name of a joint in the file → its name in the model
    names: Names = field(default_factory=Names)
    listed: dict[str, Node] = field(default_factory=dict)  # robot.yaml, or the file of --loops
    retyped: dict[str, str] = field(default_factory=dict)  # joint → the type that the list gives it


def read(path: Path, options: Options) -> Mechanism:
    """The robot with all joint coordinates zero; loops may be open."""
    root = parse_xml(read_text(path), str(path))
    if root.tag != "robot":
        raise root.fail(f"the root is <{root.tag}>; a URDF file starts with <robot>.")
    elements = list(root.walk())
    if any(e.tag.startswith("xacro:") for e in elements):
        raise root.fail("holds xacro macros that are not expanded; run `xacro robot.xacro > robot.urdf` first.")
    robot = _Robot(str(path), options, notes=without_drake_prefix(root))
    robot.notes += notes_on_angles(e.attributes["rpy"] for e in elements if "rpy" in e.attributes)
    _names(robot, root, elements)
    _read_list(robot, path)
    base = _tree(robot)
    parts = tuple(_part(robot, name) for name in robot.links if robot.body[name] != GROUND)
    ground = tuple(mesh for name in robot.links if robot.body[name] == GROUND for mesh in _meshes(robot, name))
    joints = (
        *_joints(robot), *_gazebo(robot, root), *_constraints(robot, root), *_loop_joints(robot, root),
        *_ball_constraints(robot, root), *_listed_loops(robot),
    )  # fmt: skip
    bodies = {link: link for link in robot.links} | {
        frame.get("name"): frame.get("link") for frame in root.all("frame") if frame.get("link") in robot.links
    }
    robot.notes += unread_connections(root.children, URDF_ELEMENTS, bodies, robot.joints)
    leaders = {name for name, joint in robot.joints.items() if joint.find("mimic") is None}
    robot.notes += coupled_by_transmissions(root.children, leaders)
    robot.notes.append(Note(NoteKind.REMARK, "gravity", "URDF states no gravity; 9.81 m/s² along −z is taken"))
    if base is not None and not options.free:
        robot.notes.append(Note(NoteKind.REMARK, "ground", f"the root link '{base}' is ground; --free lets it float"))
    mechanism = Mechanism(
        readable_name(root.get("name", path.stem)), "urdf", parts, joints, _mimics(robot),
        motions=_driven(robot), loads=_dampers(robot), limits=_limits(robot), gravity=EARTH_GRAVITY,
        notes=tuple(robot.notes), ground=ground, accuracy=_accuracy(robot),
    )  # fmt: skip
    return _with_massless_links(mechanism, options.density is not None)


def _with_massless_links(mechanism: Mechanism, weigh: bool) -> Mechanism:
    """Links without <inertial> are massless by the rules of URDF, unless none has any, or meshes are to be weighed."""
    if weigh or all(part.inertia is None for part in mechanism.parts):
        return mechanism
    nothing = Inertia(0.0, np.zeros(3), np.zeros((3, 3)))
    parts = tuple(part if part.inertia is not None else replace(part, inertia=nothing) for part in mechanism.parts)
    return replace(mechanism, parts=parts)


def _names(robot: _Robot, root: XmlElement, elements: Sequence[XmlElement]) -> None:
    """Find all links and joints among the elements, and give each its name in the model."""
    for element in root.children:
        if element.tag not in ("link", "joint"):
            continue
        table = robot.links if element.tag == "link" else robot.joints
        name = element.get("name")
        if not name:
            raise element.fail(f"a <{element.tag}> has no name.")
        if name in table:
            raise element.fail(f"the {element.tag} '{name}' is given twice.")
        if element.tag == "joint" and element.get("type") not in URDF_JOINTS:
            hint = did_you_mean(element.get("type"), URDF_JOINTS)
            raise element.fail(f"joint '{name}': there is no type '{element.get('type')}'.{hint}")
        table[name] = element
    if not robot.links:
        raise root.fail("holds no <link>.")
    ends = [inner for joint in elements if joint.tag == "joint" for inner in joint.children]
    if WORLD not in robot.links and any(WORLD in (end.get("link"), end.text.strip()) for end in ends):
        robot.links[WORLD] = XmlElement("link", {"name": WORLD}, root.file, root.line)
    bodies = Names()
    for name in robot.links:
        robot.body[name] = bodies.new(readable_name(name), name)
    for name in robot.joints:
        robot.joint[name] = robot.names.new(readable_name(name), name)


class _Ends(NamedTuple):
    """The two links of a joint."""

    parent: str
    child: str


def _ends(robot: _Robot, joint: XmlElement) -> _Ends:
    """The links that a joint or constraint names."""
    links = []
    for key in ("parent", "child"):
        inner = joint.find(key)
        name = inner.get("link") if inner is not None else ""
        if name not in robot.links:
            raise (inner or joint).fail(
                f"{joint.tag} '{joint.get('name')}': there is no {key} link '{name}'.{did_you_mean(name, robot.links)}"
            )
        links.append(name)
    return _Ends(*links)


def _origin(element: XmlElement | None, what: str) -> Pose:
    if element is None:
        return Pose()
    r, angles = np.array(element.vector("xyz", "0 0 0", what)), list[float]()
    if "rpy" in element.attributes:
        element.vector("rpy", "", what)  # three finite numbers
        angles = [written_angle(word) for word in words_of(element.get("rpy"))]
    return Pose(r, roll_pitch_yaw(angles))


def _tree(robot: _Robot) -> str | None:
    """Poses of all links from the roots; the first root is ground unless the robot is free."""
    below: dict[str, list[str]] = {}  # the joints on a link
    children = set()
    robot.ends |= {name: _ends(robot, joint) for name, joint in robot.joints.items()}
    for name, (parent, child) in robot.ends.items():
        below.setdefault(parent, []).append(name)
        children.add(child)
    roots = [name for name in robot.links if name not in children]
    if not roots:
        first = next(iter(robot.links.values()))
        raise first.fail("every link is the child of a joint: the joints form a cycle without ground.")
    for root in roots:
        robot.pose[root] = Pose()
        queue = deque([root])
        while queue:
            link = queue.popleft()
            for joint in below.get(link, ()):
                child = robot.ends[joint].child
                if child not in robot.pose:
                    robot.pose[child] = robot.pose[link] @ _placed(robot, joint)
                    queue.append(child)
    for name, element in robot.links.items():
        if name not in robot.pose:
            raise element.fail(f"link '{name}' is part of a cycle of joints without a root link.")
    base = WORLD if WORLD in roots else max(roots, key=lambda name: _tree_size(below, robot, name))
    if not robot.options.free:
        robot.body[base] = GROUND
    return base


def _tree_size(below: dict[str, list[str]], robot: _Robot, root: str) -> int:
    """The number of links of the tree below a root."""
    seen, queue = {root}, deque([root])
    while queue:
        for joint in below.get(queue.popleft(), ()):
            child = robot.ends[joint].child
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return len(seen)


def _part(robot: _Robot, name: str) -> Part:
    inertia = None if robot.options.geometry else _inertia(robot.links[name], name)
    return Part(robot.body[name], robot.pose[name], inertia, _meshes(robot, name))


def _meshes(robot: _Robot, name: str) -> tuple[Mesh, ...]:
    """The meshes of a link; boxes and cylinders are left out, as links are drawn between their joints."""
    meshes = []
    for visual in robot.links[name].all("visual"):
        geometry = visual.find("geometry")
        mesh = geometry.find("mesh") if geometry is not None else None
        if mesh is None:
            continue
        try:
            scale = mesh.vector("scale", "1 1 1", f"link '{name}'")
            at = _origin(visual.find("origin"), f"link '{name}'")
        except ModelError as error:  # a mesh is for drawings only
            robot.notes.append(Note(NoteKind.SKIPPED, f"mesh '{mesh.get('filename')}'", str(error).rstrip(".")))
            continue
        meshes.append(Mesh(mesh.get("filename"), at, (scale[0], scale[1], scale[2])))
    return tuple(meshes)


def _inertia(element: XmlElement, name: str) -> Inertia | None:
    inertial = element.find("inertial")
    if inertial is None:
        return None
    what = f"link '{name}'"
    mass, tensor = inertial.find("mass"), inertial.find("inertia")
    m = mass.number("value", 0.0, what) if mass is not None else 0.0
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    xx, yy, zz, xy, xz, yz = (tensor.number(k, 0.0, what) if tensor is not None else 0.0 for k in keys)
    at = _origin(inertial.find("origin"), what)
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Inertia(m, at.r, J if at.R is IDENTITY_AXES else at.R @ J @ at.R.T, inertial.place)


def _joints(robot: _Robot) -> list[ImportedJoint]:
    """The joints of the tree, then those whose child has another parent joint already, which close loops."""
    tree, loops, held = list[ImportedJoint](), list[ImportedJoint](), set[str]()
    for name, element in robot.joints.items():
        kind = URDF_JOINTS[element.get("type")]
        parent, child = robot.ends[name]
        if not kind:
            robot.notes.append(Note(NoteKind.REMARK, f"joint '{name}'", "floating: six freedoms, no joint"))
            held.add(child)
            continue
        at, axes = _placed(robot, name), _axes(element)
        if name in robot.retyped:
            kind, axes = _listed_type(robot.retyped[name])
        elif _held_at(robot, name) is not None:
            kind = "fixed"
        has_parent = child in held
        held.add(child)
        joint = ImportedJoint(
            robot.joint[name], kind, robot.body[parent], robot.body[child],
            at @ Pose(np.zeros(3), axes), Pose(np.zeros(3), axes), _pitch(element), closes_loop=has_parent,
        )  # fmt: skip
        if has_parent:
            robot.notes.append(Note(NoteKind.WARNING, f"joint '{name}'", f"'{child}' has two parents: taken as a loop"))
        (loops if has_parent else tree).append(joint)
    return [*tree, *loops]


def _placed(robot: _Robot, name: str) -> Pose:
    """The pose of the child of a joint on its parent, at coordinate zero or at that where the joint is held."""
    if name not in robot.placed:
        joint, held = robot.joints[name], _held_at(robot, name)
        at = _origin(joint.find("origin"), f"joint '{name}'")
        if held:
            z = _axes(joint)[:, 2]
            at = at @ (Pose(held * z) if joint.get("type") == "prismatic" else Pose(np.zeros(3), rotation(z, held)))
        robot.placed[name] = at
    return robot.placed[name]


def _axes(joint: XmlElement) -> Floats:
    """R (3, 3): the axis of a joint as z, in the frame of the joint."""
    if URDF_JOINTS[joint.get("type")] in JOINTS_WITHOUT_AXIS:
        return np.eye(3)
    axis, what = joint.find("axis"), f"joint '{joint.get('name')}'"
    given = axis.vector("xyz", "1 0 0", what) if axis is not None else [1.0, 0.0, 0.0]
    try:
        return frame_along(given, what)
    except ReactioError as error:
        raise (axis or joint).fail(str(error)) from None


def _pitch(element: XmlElement) -> dict[str, float]:
    """Metres per turn of a screw."""
    if URDF_JOINTS[element.get("type")] != "screw":
        return {}
    pitch = element.find("screw_thread_pitch")
    if pitch is None:
        raise element.fail(f"joint '{element.get('name')}' gives no <drake:screw_thread_pitch> (metres per turn).")
    return {"pitch": pitch.number("value", 0.0, f"joint '{element.get('name')}'")}


def _listed_type(word: str) -> tuple[str, Floats]:
    """The joint type that the list gives, and its axes in the frame of the joint."""
    axes = UJOINT.fullmatch(word)
    if axes is None:
        return LISTED_TYPES[word], np.eye(3)
    first, second = (np.eye(3)["XYZ".index(letter)] for letter in axes.groups())
    return "universal", np.column_stack([first, second, np.cross(first, second)])


def _frame(robot: _Robot, name: str, where: ModelError) -> PartFrame:
    """A frame by the name of a link, or of a joint, which means the frame of its child."""
    if name in robot.links:
        return PartFrame(robot.body[name], Pose())
    if name in robot.joints:
        return PartFrame(robot.body[robot.ends[name].child], Pose())
    hint = did_you_mean(name, [*robot.links, *robot.joints])
    raise ModelError(f"the loop names '{name}', which is neither a link nor a joint.{hint}", place=where.place)


def _loop(robot: _Robot, a: str, b: str, kind: str, where: ModelError) -> ImportedJoint:
    type_ = CLOSURE_TYPES.get(kind.lower(), kind.lower())
    if type_ not in SPATIAL_JOINTS:
        known = did_you_mean(kind, [*CLOSURE_TYPES, *SPATIAL_JOINTS])
        raise ModelError(f"a loop of type '{kind}' is not known.{known}", place=where.place)
    (body_a, at_a), (body_b, at_b) = _frame(robot, a, where), _frame(robot, b, where)
    stem = a[:-2] if (a[-2:], b[-2:]) == ("_a", "_b") and a[:-2] == b[:-2] else ""
    label = readable_name(stem) if stem else f"loop {readable_name(a)}~{readable_name(b)}"
    joint_name = robot.names.new(label)
    return ImportedJoint(joint_name, type_, body_a, body_b, at_a, at_b, closes_loop=True)


def _read_list(robot: _Robot, path: Path) -> None:
    """Read ``robot.yaml`` or the file of --loops: loops, motors, and joints of types that URDF does not have."""
    file = robot.options.loops or next(
        (p for p in (path.with_suffix(".yaml"), path.with_name("robot.yaml")) if p.is_file()), None
    )
    if file is None:
        return
    top = read_nodes(file, form="loops are listed as `closed_loop: [[frame, frame], …]` and `type: [6d, …]`")
    given = top.mapping("loops")
    if "closed_loop" not in given and robot.options.loops is not None:
        raise top.fail("lists no `closed_loop: [[frame, frame], …]`.")
    if "closed_loop" not in given and "joint_name" not in given:
        return
    robot.listed = given
    names = given["joint_name"].items("joint_name") if "joint_name" in given else []
    types = given["joint_type"].items("joint_type") if "joint_type" in given else []
    if len(names) != len(types):
        raise top.fail(f"joint_name has {len(names)} entries and joint_type {len(types)}; each joint needs one type.")
    for node, type_ in zip(names, types, strict=True):
        name, word = node.text("joint_name"), type_.text("joint_type").upper()
        if name not in robot.joints:
            raise node.fail(f"joint_name lists '{name}', which is not a joint.{did_you_mean(name, robot.joints)}")
        axes = UJOINT.fullmatch(word)
        if word not in LISTED_TYPES and (axes is None or axes[1] == axes[2]):
            known = did_you_mean(word, [*LISTED_TYPES, "UJOINT_XY", "UJOINT_YZ", "UJOINT_ZX"])
            raise type_.fail(f"joint_type '{word}' of '{name}' is not known.{known}")
        robot.retyped[name] = word
    if names:
        robot.notes.append(Note(NoteKind.REMARK, f"{len(names)} joints", f"have the types that {file.name} gives them"))


def _listed_loops(robot: _Robot) -> list[ImportedJoint]:
    """Loops of the list: ``closed_loop`` pairs of frames, ``type`` 6d or 3d."""
    given = robot.listed
    if "closed_loop" not in given:
        return []
    pairs = given["closed_loop"].items("closed_loop")
    types = _types(given.get("type"), len(pairs))
    return [_pair(robot, pair, kind) for pair, kind in zip(pairs, types, strict=True)]


def _accuracy(robot: _Robot) -> Accuracy | None:
    """The accuracy of the geometry [m, rad], where the list gives it as the export of Reactio writes it."""
    if "accuracy" not in robot.listed:
        return None
    node = robot.listed["accuracy"]
    try:
        return Accuracy(*(float(entry.text("accuracy")) for entry in node.items("accuracy")))
    except (ValueError, TypeError):
        raise node.fail("accuracy is a length in metres and, if known, an angle in radians: `[1e-5, 1e-4]`.") from None


def _types(node: Node | None, count: int) -> list[str]:
    if node is None:
        return ["6d"] * count
    types = [entry.text("type") for entry in (node.items("type") if isinstance(node.value, list) else [node])]
    if len(types) == 1:
        types *= count
    if len(types) != count:
        raise node.fail(f"type has {len(types)} entries for {count} loops.")
    return types


def _pair(robot: _Robot, node: Node, kind: str) -> ImportedJoint:
    names = [entry.text("closed_loop") for entry in node.items("closed_loop")]
    if len(names) != 2:
        raise node.fail(f"a loop names {len(names)} frames; two are needed.")
    return _loop(robot, names[0], names[1], kind, node.fail(""))


def _gazebo(robot: _Robot, root: XmlElement) -> list[ImportedJoint]:
    """Joints inside <gazebo>, as SDF writes them: parent, child, pose, axis."""
    joints = []
    for outer in root.all("gazebo"):
        for element in outer.all("joint"):
            name, kind = element.get("name"), element.get("type")
            if kind not in ("revolute", "continuous", "ball", "fixed", "prismatic", "universal"):
                raise element.fail(f"joint '{name}' in <gazebo>: the type '{kind}' is not read.")
            ends = []
            for key in ("parent", "child"):
                inner = element.find(key)
                text = (inner.get("link") or inner.text.strip()) if inner is not None else ""
                if text not in robot.links:
                    raise element.fail(
                        f"joint '{name}': there is no {key} link '{text}'.{did_you_mean(text, robot.links)}"
                    )
                ends.append(text)
            joints.append(_gazebo_joint(robot, element, name, kind, ends[0], ends[1]))
    return joints


def _gazebo_joint(robot: _Robot, element: XmlElement, name: str, kind: str, parent: str, child: str) -> ImportedJoint:
    """A joint in <gazebo>, with all coordinates zero; its pose is relative to the child, or to a named frame."""
    on, at = relative_pose(element, child, "")
    world = _gazebo_frame(robot, on, element) @ at
    axes = {key: _gazebo_axis(robot, element, key, world) for key in ("axis", "axis2")}
    if kind == "universal":
        R = frame_along(np.cross(axes["axis"], axes["axis2"]), f"joint '{name}'", axes["axis"])
    else:
        R = world.R if CLOSURE_TYPES[kind] in JOINTS_WITHOUT_AXIS else frame_along(axes["axis"], f"joint '{name}'")
    frame_a, frame_b = (robot.pose[link].inverse @ Pose(world.r, R) for link in (parent, child))
    joint_name = robot.names.new(readable_name(name), name)
    return ImportedJoint(
        joint_name, CLOSURE_TYPES[kind], robot.body[parent], robot.body[child], frame_a, frame_b, closes_loop=True
    )


def _gazebo_axis(robot: _Robot, element: XmlElement, key: str, at: Pose) -> Floats:
    """An axis in the world: in the axes of the joint, or of the frame that it names."""
    axis = element.find(key)
    xyz = axis.find("xyz") if axis is not None else None
    if xyz is None:
        return np.asarray(at.R[:, 2])
    given = np.array(element.numbers(xyz.text, 3, f"joint '{element.get('name')}': {key}"))
    on = xyz.get("expressed_in")
    return np.asarray((_gazebo_frame(robot, on, element) if on else at).R @ given)


def _gazebo_frame(robot: _Robot, name: str, where: XmlElement) -> Pose:
    """The pose of a frame with all coordinates zero, by the name of a link, or of a joint for that of its child."""
    if name in ("", WORLD):  # the model itself, and the world
        return Pose()
    if name in robot.joints:
        return robot.pose[robot.ends[name].child]
    if name not in robot.pose:
        raise where.fail(f"there is no frame '{name}'.{did_you_mean(name, [*robot.pose, *robot.joints])}")
    return robot.pose[name]


def _constraints(robot: _Robot, root: XmlElement) -> list[ImportedJoint]:
    """<constraint> elements (proposed for URDF): two links, each with its own origin and axis."""
    joints = []
    for element in root.all("constraint"):
        name, kind = element.get("name"), element.get("type")
        if kind not in CLOSURE_TYPES:
            raise element.fail(
                f"constraint '{name}': the type '{kind}' is not known.{did_you_mean(kind, CLOSURE_TYPES)}"
            )
        ends = []
        for link, key in zip(_ends(robot, element), ("parent", "child"), strict=True):
            axis, what = element.find(f"{key}_axis"), f"constraint '{name}'"
            given = axis.vector("xyz", "1 0 0", what) if axis is not None else [1.0, 0.0, 0.0]
            R = frame_along(given, what)
            if (
                CLOSURE_TYPES[kind] == "universal"
            ):  # its cross is along the x axis of one body and the y axis of the other
                R = R @ (TURN_TO_X if key == "parent" else TURN_TO_Y)
            if CLOSURE_TYPES[kind] == "fixed":
                R = np.eye(3)
            at = _origin(element.find(f"{key}_origin"), what) @ Pose(np.zeros(3), R)
            ends.append(PartFrame(robot.body[link], at))
        (a, at_a), (b, at_b) = ends
        joints.append(
            ImportedJoint(
                robot.names.new(readable_name(name), name), CLOSURE_TYPES[kind], a, b, at_a, at_b, closes_loop=True
            )
        )
    return joints


def _loop_joints(robot: _Robot, root: XmlElement) -> list[ImportedJoint]:
    """<loop_joint> elements of Isaac Sim and of older releases of Drake: two links, each with the pose of the joint.

    Their <axis>, x where it is left out, is in the frame of the joint, which both poses give.
    """
    joints = []
    for element in root.all("loop_joint"):
        name, kind = element.get("name"), element.get("type")
        what = f"loop_joint '{name}'"
        if kind not in CLOSURE_TYPES:
            raise element.fail(f"{what}: the type '{kind}' is not known.{did_you_mean(kind, CLOSURE_TYPES)}")
        ends = [child for child in element.children if child.tag in ("link1", "link2")]
        if len(ends) != 2:
            raise element.fail(f"{what} has {len(ends)} of the two elements <link1> and <link2>.")
        axis = element.find("axis")
        given = axis.vector("xyz", "1 0 0", what) if axis is not None else [1.0, 0.0, 0.0]
        R = np.eye(3) if CLOSURE_TYPES[kind] in JOINTS_WITHOUT_AXIS else frame_along(given, what)
        a, b = (_link_frame(robot, end, what, R) for end in ends)
        label = robot.names.new(readable_name(name) if name else f"loop {a.part}~{b.part}", name)
        joints.append(ImportedJoint(label, CLOSURE_TYPES[kind], a.part, b.part, a.pose, b.pose, closes_loop=True))
    return joints


def _link_frame(robot: _Robot, end: XmlElement, what: str, R: Floats) -> PartFrame:
    """The frame of a loop joint on one of its links, with axes R in the pose that the link gives."""
    link = end.get("link")
    if link not in robot.links:
        raise end.fail(f"{what}: there is no link '{link}'.{did_you_mean(link, robot.links)}")
    return PartFrame(robot.body[link], _origin(end, what) @ Pose(np.zeros(3), R))


def _ball_constraints(robot: _Robot, root: XmlElement) -> list[ImportedJoint]:
    """Drake's ball constraints, as spherical joints that close loops."""
    joints = []
    for ball in ball_constraints(root):
        for link in (ball.body_A, ball.body_B):
            if link not in robot.links:
                raise ball.element.fail(f"{ball.name}: there is no link '{link}'.{did_you_mean(link, robot.links)}")
        label, a, b = robot.names.new(readable_name(ball.name)), robot.body[ball.body_A], robot.body[ball.body_B]
        joints.append(ImportedJoint(label, "spherical", a, b, Pose(ball.p_AP), Pose(ball.p_BQ), closes_loop=True))
    return joints


def _coordinate(robot: _Robot, name: str) -> str | None:
    if name in robot.retyped or _held_at(robot, name) is not None:
        return None
    word = COORDINATE_NAMES.get(URDF_JOINTS[robot.joints[name].get("type")])
    return f"{robot.joint[name]}.{word}" if word else None


class _Mimic(NamedTuple):
    """A joint coordinate that follows another, q = factor q₂ + offset."""

    element: XmlElement
    leader: str  # the joint of q₂
    factor: float
    offset: float


def _mimic_of(robot: _Robot, name: str) -> _Mimic | None:
    """The <mimic> of a joint, if it has one."""
    mimic = robot.joints[name].find("mimic")
    if mimic is None:
        return None
    followed = mimic.get("joint")
    if followed not in robot.joints:
        raise mimic.fail(
            f"joint '{name}' mimics '{followed}', which is not a joint.{did_you_mean(followed, robot.joints)}"
        )
    factor, offset = (mimic.number(k, x, f"joint '{name}': mimic") for k, x in (("multiplier", 1.0), ("offset", 0.0)))
    return _Mimic(mimic, followed, factor, offset)


def _held_at(robot: _Robot, name: str) -> float | None:
    """The constant coordinate of a joint that follows a fixed one, or follows by a factor of 0; None for all others.

    q = scale q₂ + total along a chain of joints that follow each other, up to one that is fixed or follows none.
    """
    if robot.joints[name].find("mimic") is None:
        return None
    total, scale, seen = 0.0, 1.0, set[str]()
    while name not in seen:
        seen.add(name)
        if name in robot.retyped or URDF_JOINTS[robot.joints[name].get("type")] not in COORDINATE_NAMES:
            return None
        if (mimicked := _mimic_of(robot, name)) is None:
            return None
        _, name, factor, offset = mimicked
        total, scale = total + scale * offset, scale * factor
        if not scale or _is_fixed(robot, name):
            return total
    return None  # a circle of joints that follow each other: none of them is held


def _is_fixed(robot: _Robot, name: str) -> bool:
    return robot.retyped.get(name, robot.joints[name].get("type")).lower() == "fixed"


def _mimics(robot: _Robot) -> tuple[ImportedCoupling, ...]:
    couplings = []
    for name in robot.joints:
        if (mimicked := _mimic_of(robot, name)) is None:
            continue
        mimic, followed, factor, offset = mimicked
        if _is_fixed(robot, name):
            robot.notes.append(Note(NoteKind.SKIPPED, f"mimic of '{name}'", "the joint is fixed", NoteTopic.MIMIC))
            continue
        if _held_at(robot, name) is not None:
            robot.notes.append(
                Note(
                    NoteKind.REMARK,
                    f"joint '{name}'",
                    f"mimics '{followed}', which holds it: taken as fixed",
                    NoteTopic.MIMIC,
                )
            )
            continue
        follower, lead = _coordinate(robot, name), _coordinate(robot, followed)
        if follower is None or lead is None:
            raise mimic.fail(f"joint '{name}' mimics '{followed}': both need a rotation or a translation.")
        couplings.append(mimic_coupling(robot.names, follower, lead, factor, offset))
    return tuple(couplings)


def _driven(robot: _Robot) -> tuple[ImportedMotion, ...]:
    """Joints that ``name_mot`` lists, held where they are."""
    given = robot.listed
    motors = [n.text("name_mot") for n in given["name_mot"].items("name_mot")] if "name_mot" in given else []
    named = [(name, _coordinate(robot, name)) for name in motors if name in robot.joints]
    return tuple(
        ImportedMotion(robot.names.new(f"drive {robot.joint[name]}"), along, None) for name, along in named if along
    )


def _limits(robot: _Robot) -> tuple[Limit, ...]:
    limits = []
    for name, element in robot.joints.items():
        limit, along = element.find("limit"), _coordinate(robot, name)
        if limit is None or along is None or element.get("type") == "continuous":
            continue
        lower, upper = (limit.limit(limit.get(key, "0"), f"joint '{name}': {key}") for key in ("lower", "upper"))
        if lower is None or upper is None or lower < upper:
            limits.append(Limit(along, lower, upper))
    return tuple(limits)


def _dampers(robot: _Robot) -> tuple[Load, ...]:
    loads = []
    for name, element in robot.joints.items():
        dynamics, along = element.find("dynamics"), _coordinate(robot, name)
        if dynamics is None or along is None:
            continue
        damping = dynamics.number("damping", 0.0, f"joint '{name}'")
        if dynamics.number("friction", 0.0, f"joint '{name}'"):
            robot.notes.append(
                Note(NoteKind.SKIPPED, f"friction of '{name}'", "a force without a coefficient has no counterpart")
            )
        if damping:
            kind = "torsional-spring-damper" if along.endswith("rotation") else "linear-spring-damper"
            loads.append(Load(f"damper {robot.joint[name]}", kind, {"damping": damping}, along={"joint": along}))
    return tuple(loads)


URDF = register(
    Format(
        "urdf",
        (".urdf",),
        ("robot",),
        read,
        "Robots of ROS; loops from robot.yaml, <gazebo> or --loops.",
        ("loops", "free"),
    )
)
