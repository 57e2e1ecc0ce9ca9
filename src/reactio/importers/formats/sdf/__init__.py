"""SDF, the models of Gazebo and Drake: links and joints as a graph, so that loops are natural."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError, did_you_mean
from reactio.importers import Format, Options, register
from reactio.importers.formats.sdf.files import SdfFiles
from reactio.importers.formats.sdf.include import with_includes
from reactio.importers.formats.sdf.pose import RelativePose, relative_pose, scoped
from reactio.importers.formats.sdf.version import notes_on_version, version_of
from reactio.importers.mechanism import (
    ImportedCoupling,
    ImportedJoint,
    Inertia,
    Limit,
    Load,
    Mechanism,
    Mesh,
    Part,
    PartFrame,
)
from reactio.importers.pose import Pose, frame_along
from reactio.importers.reading.drake_elements import BALL_CONSTRAINT, ball_constraints, without_drake_prefix
from reactio.importers.reading.gears import sense
from reactio.importers.reading.mimic import mimic_coupling
from reactio.importers.reading.names import Names, readable_name
from reactio.importers.reading.unread_elements import unread_connections
from reactio.importers.reading.written_angles import notes_on_angles
from reactio.importers.reading.xml import XmlElement, parse_xml, words_of
from reactio.model.notes import Note, NoteKind
from reactio.operating_system.files import read_text

SDF_JOINTS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "ball": "spherical",
    "universal": "universal",
    "revolute2": "universal",  # two axes at a right angle
    "fixed": "fixed",
    "screw": "screw",
    "planar": "planar",  # of Drake
}
SDF_ELEMENTS = ("model", "link", "joint", "frame", "include", "pose", BALL_CONSTRAINT)
IN_JOINT_AXES = (1, 5)  # version from which axes are given in the frame of their joint
MIMIC = (("multiplier", 1.0), ("offset", 0.0), ("reference", 0.0))  # numbers of <mimic> with their defaults
GAZEBO_GRAVITY = [0.0, 0.0, -9.8]  # [m/s²] of worlds that do not state it
DEFAULT_PITCH = 1.0  # [m] per turn, of screws whose file gives none
NO_LIMIT = 1e15  # limits above this are none: Gazebo writes 1e16


class _Frame(NamedTuple):
    """A frame of an SDF file: that of a model, a link or a joint, or one of its own."""

    given: RelativePose
    element: XmlElement


@dataclass(slots=True, eq=False)
class _World:
    """The models of a file: their frames by full name, ``model::link``."""

    files: SdfFiles
    versions: dict[str, tuple[int, ...]] = field(default_factory=dict)  # of SDF, by file
    frames: dict[str, _Frame] = field(default_factory=dict)
    poses: dict[str, Pose] = field(default_factory=lambda: {"world": Pose()})  # in the world, as far as they are known
    links: dict[str, XmlElement] = field(default_factory=dict)
    joints: dict[str, XmlElement] = field(default_factory=dict)
    attached: dict[str, str] = field(default_factory=dict)  # frame → the frame or link it is fixed to
    static: set[str] = field(default_factory=set)
    names: Names = field(default_factory=Names)
    notes: list[Note] = field(default_factory=list)
    models: dict[str, XmlElement] = field(default_factory=dict)  # by full name, the world with an empty one


def read(path: Path, options: Options) -> Mechanism:
    """The models of the file at their given poses."""
    root = parse_xml(read_text(path), str(path))
    if root.tag != "sdf":
        raise root.fail(f"the root is <{root.tag}>; an SDF file starts with <sdf>.")
    world, section = _World(SdfFiles(path, options)), root.find("world")
    models = _models(world, root, section)
    _gather(world, models)
    if section is not None:
        _gather_members(world, section, "", "world")
        world.models[""] = section
    bodies, short = Names(), _short_names(world)
    label = {
        name: GROUND if name in world.static else bodies.new(readable_name(short[name]), name) for name in world.links
    }
    parts = tuple(_part(world, name, label[name]) for name in world.links if label[name] != GROUND)
    coordinates: dict[str, str] = {}
    gearboxes = [name for name, element in world.joints.items() if element.get("type") == "gearbox"]
    kept = [name for name in world.joints if name not in gearboxes and not _is_between_static_links(world, name)]
    joints = (*(_joint(world, name, label, coordinates) for name in kept), *_ball_constraints(world, label))
    world.notes += _unread_connections(world)
    couplings = (*_mimics(world, coordinates), *(_gearbox(world, name, label, joints) for name in gearboxes))
    return Mechanism(
        readable_name(models[0].get("name") or path.stem), "sdf", parts, joints, couplings,
        loads=tuple(_springs(world, coordinates)), limits=tuple(_limits(world, coordinates)),
        gravity=_gravity(section), notes=tuple(world.notes),
    )  # fmt: skip


def _unread_connections(world: _World) -> Iterator[Note]:
    """Notes on elements of models that are not read and may connect links."""
    for name, model in world.models.items():
        scope = _scope(name)
        links = {link.removeprefix(scope): link.removeprefix(scope) for link in world.links}
        frames = {
            frame.get("name"): _link_of(world, f"{scope}{frame.get('name')}", frame) for frame in model.all("frame")
        }
        joints = {joint.removeprefix(scope) for joint in world.joints}
        bodies = {frame: link.removeprefix(scope) for frame, link in frames.items()} | links
        yield from unread_connections(model.children, SDF_ELEMENTS, bodies, joints)


def _models(world: _World, root: XmlElement, section: XmlElement | None) -> list[XmlElement]:
    """The models of a file, or of its <world>, with those of included files in place of the includes."""

    def prepare(element: XmlElement) -> list[Note]:
        world.versions[element.file] = version_of(element)
        return [*without_drake_prefix(element), *notes_on_version(element)]

    world.notes += prepare(root)
    world.notes += with_includes(root, world.files, prepare)
    models = (root if section is None else section).all("model")
    if not models:
        raise root.fail("holds no <model>.")
    poses = [e for e in root.walk() if e.tag == "pose" and not e.get("degrees") and not e.get("rotation_format")]
    world.notes += notes_on_angles(" ".join(words_of(e.text)[3:]) for e in poses)
    return models


def _gravity(section: XmlElement | None) -> tuple[float, float, float]:
    """The gravity of a <world>, or that of Gazebo where it is not given."""
    given = None if section is None else section.find("gravity")
    x, y, z = GAZEBO_GRAVITY if given is None else given.numbers(given.text, 3, "gravity")
    return (x, y, z)


def _short_names(world: _World) -> dict[str, str]:
    """The names of links without their model where no other link has it."""
    last = {name: name.rpartition("::")[2] for name in world.links}
    times = Counter(last.values())
    return {name: short if times[short] == 1 else name for name, short in last.items()}


def _gather(world: _World, models: list[XmlElement]) -> None:
    """Collect the frames, links and joints of models, and of the models inside them."""
    waiting = deque((model, "", "world") for model in models)
    while waiting:
        model, outer, on = waiting.popleft()
        name = f"{outer}{model.get('name')}"
        if not model.get("name") or name in world.frames:
            raise model.fail(f"the model '{name}' has no name of its own; give each one.")
        world.frames[name] = _Frame(relative_pose(model, on, outer), model)
        world.models[name] = model
        _gather_members(world, model, name, name)
        if (first := _canonical(model)) is not None:
            world.attached[name] = f"{name}::{first}"
        waiting += [(child, f"{name}::", name) for child in model.all("model")]
        if _is_static(model):
            free = [
                f"'{name}::{inner_model.get('name')}'"
                for inner_model in model.all("model")
                if not _is_static(inner_model)
            ]
            why = "free, as in Drake; Gazebo fixes them: to fix one, give it its own <static>"
            world.notes += [Note(NoteKind.WARNING, f"models {', '.join(free)} in a static one", why)] if free else []


def _is_static(model: XmlElement) -> bool:
    static = model.find("static")
    return static is not None and static.text.strip() in ("1", "true")


def _canonical(model: XmlElement) -> str | None:
    """The link to which the frame of a model is fixed: the one it names, else its first, or that of its first model."""
    waiting = [("", model)]
    while waiting:
        scope, element = waiting.pop()
        first = element.find("link")
        if name := element.get("canonical_link") or (first.get("name") if first is not None else ""):
            return f"{scope}{name}"
        waiting += [(f"{scope}{inner.get('name')}::", inner) for inner in reversed(element.all("model"))]
    return None


def _gather_members(world: _World, model: XmlElement, name: str, on: str) -> None:
    """Links, joints and frames of a model, or of the world, relative to its frame."""
    static, scope = _is_static(model), _scope(name)
    for child in model.children:
        if child.tag not in ("link", "joint", "frame"):
            continue
        full = f"{scope}{child.get('name')}"
        if not child.get("name") or full in world.frames:
            raise child.fail(f"the {child.tag} '{full}' is given twice, or has no name.")
        default = on
        if child.tag == "link":
            world.links[full] = child
            if static:
                world.static.add(full)
        if child.tag == "joint":
            world.joints[full] = child
            default = _named(child, "child", name)
        if child.tag == "frame" and child.get("attached_to"):
            default = scoped(child.get("attached_to"), scope)
        world.attached[full] = default
        world.frames[full] = _Frame(relative_pose(child, default, scope), child)


def _scope(model: str) -> str:
    """The prefix of names inside a model."""
    return f"{model}::" if model else ""


def _named(joint: XmlElement, key: str, model: str) -> str:
    """The full name of the frame that <parent> or <child> of a joint names."""
    inner = joint.find(key)
    text = (inner.get("link") or inner.text.strip()) if inner is not None else ""
    if not text:
        raise joint.fail(f"joint '{joint.get('name')}' has no <{key}>.")
    return scoped(text, _scope(model))


def _world_pose(world: _World, name: str, where: XmlElement) -> Pose:
    """The pose of a frame in the world, along the frames to which it is relative up to one that is known."""
    current, passed = name, dict[str, None]()
    while current not in world.poses:
        if current not in world.frames:
            raise where.fail(f"there is no frame '{current}'.{did_you_mean(current, world.frames)}")
        if current in passed:
            raise where.fail(f"the pose of frame '{name}' is relative to itself.")
        passed[current] = None
        current = world.frames[current].given.relative_to
    for frame in reversed(passed):
        (on, pose), element = world.frames[frame]
        world.poses[frame] = world.poses[on] @ pose @ _placement(world, frame, element).inverse
    return world.poses[name]


def _placement(world: _World, name: str, element: XmlElement) -> Pose:
    """The pose in a model of the frame that the pose of the model places (``placement_frame``)."""
    placed = element.get("placement_frame") if element.tag == "model" else ""
    pose, frame = Pose(), scoped(placed, _scope(name)) if placed else name
    passed = set[str]()
    while frame != name:
        if frame not in world.frames or frame in passed:
            raise element.fail(f"model '{name}': there is no frame '{placed}' of its own for placement_frame.")
        passed.add(frame)
        frame, outer = world.frames[frame].given
        pose = outer @ pose
    return pose


def _link_of(world: _World, name: str, where: XmlElement) -> str:
    """The link that a frame is fixed to."""
    frame, passed = name, set[str]()
    while frame != "world" and frame not in world.links:
        if frame not in world.attached:
            raise where.fail(f"there is no link or frame '{frame}'.{did_you_mean(frame, world.links)}")
        if frame in passed:
            raise where.fail(f"the frame '{name}' is attached to itself.")
        passed.add(frame)
        frame = world.attached[frame]
    return frame


def _part(world: _World, name: str, label: str) -> Part:
    element = world.links[name]
    gravity = element.find("gravity")
    if gravity is not None and gravity.text.strip() in ("0", "false"):
        why = "it is switched off for this link in the file, and acts on it in the model"
        world.notes.append(Note(NoteKind.WARNING, f"gravity of '{label}'", why))
    meshes = []
    for visual in element.all("visual"):
        geometry = visual.find("geometry")
        mesh = geometry.find("mesh") if geometry is not None else None
        uri = mesh.find("uri") if mesh is not None else None
        if mesh is None or uri is None:
            continue
        file, given = world.files.mesh(uri.text.strip(), Path(uri.file).resolve()), mesh.find("scale")
        try:
            x, y, z = given.numbers(given.text, 3, f"link '{name}': scale") if given is not None else (1.0, 1.0, 1.0)
            meshes.append(Mesh(file, relative_pose(visual, "", "").pose, (x, y, z)))
        except ReactioError as error:  # a mesh is for drawings only
            world.notes.append(Note(NoteKind.SKIPPED, f"mesh '{file}'", str(error).rstrip(".")))
    inertia = None if world.files.options.geometry else _inertia(element, name)
    return Part(label, _world_pose(world, name, element), inertia, tuple(meshes))


def _inertia(element: XmlElement, name: str) -> Inertia | None:
    inertial = element.find("inertial")
    if inertial is None:
        return None
    what, tensor = f"link '{name}'", inertial.find("inertia")
    at = relative_pose(inertial, "", "").pose

    def value(parent: XmlElement | None, key: str, default: float) -> float:
        inner = parent.find(key) if parent is not None else None
        return inner.numbers(inner.text, 1, f"{what}: {key}")[0] if inner is not None else default

    mass = value(inertial, "mass", 1.0)
    xx, yy, zz = (value(tensor, key, 1.0) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (value(tensor, key, 0.0) for key in ("ixy", "ixz", "iyz"))
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Inertia(mass, at.r, at.R @ J @ at.R.T, inertial.place)


def _is_between_static_links(world: _World, name: str) -> bool:
    """Does a joint connect two static links?  Such a joint is left out, with a note."""
    element, model = world.joints[name], name.rpartition("::")[0]
    ends = [_link_of(world, _named(element, key, model), element) for key in ("parent", "child")]
    if not world.static.issuperset(ends):
        return False
    world.notes.append(Note(NoteKind.SKIPPED, f"joint '{name}'", "both its links are static"))
    return True


def _joint(world: _World, name: str, label: dict[str, str], coordinates: dict[str, str]) -> ImportedJoint:
    element, model = world.joints[name], name.rpartition("::")[0]
    kind = element.get("type")
    if kind not in SDF_JOINTS:
        raise element.fail(f"joint '{name}' is of type '{kind}', which has no counterpart; it is not approximated.")
    ends = [_link_of(world, _named(element, key, model), element) for key in ("parent", "child")]
    bodies = [GROUND if end == "world" else label[end] for end in ends]
    if bodies[0] == bodies[1]:
        raise element.fail(f"joint '{name}' connects '{bodies[0]}' with itself.")
    at = _world_pose(world, name, element)
    joint_name = world.names.new(readable_name(name.rpartition("::")[2]), name, parent=bodies[1])
    parameters = {}
    frames = [at, at]
    if SDF_JOINTS[kind] in ("revolute", "prismatic", "screw"):
        axes = frame_along(_axis(world, element, "axis", at, model), f"joint '{name}'")
        frames = [Pose(at.r, axes)] * 2
        coordinates[name] = f"{joint_name}.{'translation' if kind == 'prismatic' else 'rotation'}"
    if SDF_JOINTS[kind] == "universal":
        first, second = (_axis(world, element, key, at, model) for key in ("axis", "axis2"))
        axes = frame_along(np.cross(first, second), f"joint '{name}'", first)
        frames = [Pose(at.r, axes)] * 2
    if kind == "screw":
        parameters["pitch"] = _pitch(world, element, name)
    poses = [Pose() if end == "world" else _world_pose(world, end, element) for end in ends]
    poses = [Pose() if body == GROUND else pose for pose, body in zip(poses, bodies, strict=True)]
    a, b = (pose.inverse @ frame for pose, frame in zip(poses, frames, strict=True))
    return ImportedJoint(joint_name, SDF_JOINTS[kind], bodies[0], bodies[1], a, b, parameters)


def _pitch(world: _World, element: XmlElement, name: str) -> float:
    """Metres per turn of a screw; <thread_pitch> of older files is rad/m, positive for left-hand threads."""
    turns, radians = element.find("screw_thread_pitch"), element.find("thread_pitch")
    if turns is not None:
        return turns.numbers(turns.text, 1, f"joint '{name}'")[0]
    if radians is None:
        why = "the file gives no <screw_thread_pitch>; 1 m per turn is the default of SDFormat"
        world.notes.append(Note(NoteKind.WARNING, f"pitch of joint '{name}'", why))
        return DEFAULT_PITCH
    (value,) = radians.numbers(radians.text, 1, f"joint '{name}'")
    if not value:
        raise radians.fail(f"joint '{name}': its <thread_pitch> is 0; give radians per metre.")
    return -math.tau / value


def _ball_constraints(world: _World, label: dict[str, str]) -> Iterator[ImportedJoint]:
    """Drake's ball constraints, as spherical joints that close loops."""
    for name, model in world.models.items():
        for ball in ball_constraints(model):
            ends = []
            for body, point in ((ball.body_A, ball.p_AP), (ball.body_B, ball.p_BQ)):
                link = _link_of(world, scoped(body, _scope(name)), ball.element)
                on = GROUND if link == "world" else label[link]
                place = _world_pose(world, link, ball.element) if on == GROUND else Pose()
                ends.append(PartFrame(on, place @ Pose(point)))
            a, b = ends
            joint_name = world.names.new(readable_name(ball.name))
            yield ImportedJoint(joint_name, "spherical", a.part, b.part, a.pose, b.pose, closes_loop=True)


def _axis(world: _World, joint: XmlElement, key: str, at: Pose, model: str) -> Floats:
    """The axis in the world: in the frame of the joint, of another frame, or of the model in old files."""
    axis = joint.find(key)
    xyz = axis.find("xyz") if axis is not None else None
    given = np.array(
        xyz.numbers(xyz.text, 3, f"joint '{joint.get('name')}': {key}") if xyz is not None else [0, 0, 1.0]
    )
    if not np.linalg.norm(given) > 0:
        raise (xyz or joint).fail(
            f"joint '{joint.get('name')}': its {key} has no direction; give one of non-zero length."
        )
    if xyz is not None and xyz.get("expressed_in"):
        frame = xyz.get("expressed_in")
        R = _world_pose(world, scoped(frame, _scope(model)), joint).R
        return np.asarray(R @ given)
    old = axis.find("use_parent_model_frame") if axis is not None else None
    in_model = world.versions[joint.file] < IN_JOINT_AXES or (old is not None and old.text.strip() in ("1", "true"))
    return np.asarray((_world_pose(world, model, joint).R if in_model else at.R) @ given)


def _mimics(world: _World, coordinates: dict[str, str]) -> list[ImportedCoupling]:
    couplings = []
    for name, element in world.joints.items():
        axis = element.find("axis")
        mimic = element.find("mimic") or (axis.find("mimic") if axis is not None else None)  # so in Drake, so in SDF
        if mimic is None or name not in coordinates:
            continue
        followed = scoped(mimic.get("joint"), _scope(name.rpartition("::")[0]))
        if followed not in coordinates:
            raise mimic.fail(f"joint '{name}' mimics '{followed}', which has neither a rotation nor a translation.")
        factor, offset, reference = (_mimic_number(mimic, *given) for given in MIMIC)
        if not factor:
            raise mimic.fail(f"joint '{name}' mimics '{followed}' by a factor of 0: it is held; make it fixed.")
        # SDF measures the coordinate of the leading joint from a reference.
        couplings.append(
            mimic_coupling(world.names, coordinates[name], coordinates[followed], factor, offset - factor * reference)
        )
    return couplings


def _mimic_number(mimic: XmlElement, key: str, default: float) -> float:
    """A number of <mimic>: an element of SDF, or an attribute of Drake."""
    inner = mimic.find(key)
    return mimic.number(key, default, "mimic") if inner is None else inner.numbers(inner.text, 1, f"mimic: {key}")[0]


def _gearbox(world: _World, name: str, label: dict[str, str], joints: tuple[ImportedJoint, ...]) -> ImportedCoupling:
    """θ₂ = −ratio θ₁: rotations of parent and child relative to the reference body, about axis and axis2."""
    element, model = world.joints[name], name.rpartition("::")[0]
    ratio, reference = element.find("gearbox_ratio"), element.find("gearbox_reference_body")
    if ratio is None or reference is None:
        raise element.fail(f"joint '{name}' needs <gearbox_ratio> and <gearbox_reference_body>.")
    carrier = _body(world, scoped(reference.text.strip(), _scope(model)), label, element)
    at, along, senses = _world_pose(world, name, element), [], []
    for key, axis in (("parent", "axis"), ("child", "axis2")):
        body = _body(world, _named(element, key, model), label, element)
        hinges = [x for x in joints if x.type == "revolute" and {x.a, x.b} == {body, carrier}]
        if len(hinges) != 1:
            raise element.fail(
                f"joint '{name}': '{body}' turns on {len(hinges)} hinges against '{carrier}'; one is needed."
            )
        pose = Pose() if hinges[0].a == GROUND else _world_pose(world, _link_named(label, hinges[0].a), element)
        n = _axis(world, element, axis, at, model)
        try:
            sign = sense((pose @ hinges[0].frame_a).R[:, 2], n / np.linalg.norm(n), hinges[0].name)
        except ReactioError as error:
            raise element.fail(f"joint '{name}': {error}") from None
        senses.append(sign * (1.0 if hinges[0].b == body else -1.0))
        along.append(f"{hinges[0].name}.rotation")
    value = ratio.numbers(ratio.text, 1, f"joint '{name}': gearbox_ratio")[0]
    new_name = world.names.new(readable_name(name.rpartition("::")[2]), name)
    return ImportedCoupling(new_name, "linear", tuple(along), {"coefficients": (value * senses[0], senses[1])})


def _body(world: _World, name: str, label: dict[str, str], where: XmlElement) -> str:
    link = _link_of(world, name, where)
    return GROUND if link == "world" else label[link]


def _link_named(label: dict[str, str], body: str) -> str:
    return next(link for link, name in label.items() if name == body)


def _springs(world: _World, coordinates: dict[str, str]) -> list[Load]:
    """Springs and dampers of <dynamics>; friction has no coefficient."""
    loads = []
    for name, along in coordinates.items():
        axis = world.joints[name].find("axis")
        dynamics = axis.find("dynamics") if axis is not None else None
        if dynamics is None:
            continue
        inner = {key: dynamics.find(key) for key in ("damping", "friction", "spring_stiffness", "spring_reference")}
        value = {k: e.numbers(e.text, 1, f"joint '{name}': {k}")[0] if e is not None else 0.0 for k, e in inner.items()}
        if value["friction"]:
            world.notes.append(Note(NoteKind.SKIPPED, f"friction of '{along}'", "a force without a coefficient"))
        if value["damping"] or value["spring_stiffness"]:
            turns = along.endswith("rotation")
            given = {"stiffness": value["spring_stiffness"], "damping": value["damping"],
                     ("angle" if turns else "position"): value["spring_reference"]}  # fmt: skip
            kind = "torsional-spring-damper" if turns else "linear-spring-damper"
            loads.append(Load(f"spring {along.rpartition('.')[0]}", kind, given, along={"joint": along}))
    return loads


def _limits(world: _World, coordinates: dict[str, str]) -> list[Limit]:
    limits = []
    for name, along in coordinates.items():
        axis = world.joints[name].find("axis")
        limit = axis.find("limit") if axis is not None else None
        if limit is None:
            continue
        ends: list[float | None] = []
        for key in ("lower", "upper"):
            inner = limit.find(key)
            value = inner.limit(inner.text, f"joint '{name}': {key}") if inner is not None else None
            ends.append(value if value is not None and abs(value) < NO_LIMIT else None)
        if any(end is not None for end in ends):
            limits.append(Limit(along, ends[0], ends[1]))
    return limits


SDF = register(Format("sdf", (".sdf", ".world"), ("sdf",), read, "Models of Gazebo and Drake."))
