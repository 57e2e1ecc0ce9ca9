"""OpenSim → mechanism: each joint as a chain of slides and hinges, coupled where one coordinate moves several axes.

    X(q) = T(Σ a_i f_i(q)) R(b_1, g_1(q)) R(b_2, g_2(q)) R(b_3, g_3(q))

is the pose of the child frame of a joint in its parent frame.  Massless bodies stand between the axes that move.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ModelError
from reactio.importers.formats.osim.functions import Tangent, tangent
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
from reactio.importers.pose import Pose, frame_along, rotation
from reactio.importers.reading.names import Names, readable_name
from reactio.importers.reading.written_angles import notes_on_angles, written_angle
from reactio.importers.reading.xml import XmlElement, words_of
from reactio.linear.precision import GEOMETRY
from reactio.model.notes import Note, NoteKind

FIRST_READ_VERSION, FIRST_WITH_JOINT_SETS = 20000, 30500  # before the second, joints stand inside the body they carry
# Axes of joints that have no SpatialTransform, in the order of their coordinates: whether it turns, and its direction.
SIMPLE_JOINTS: dict[str, tuple[tuple[bool, tuple[int, int, int]], ...]] = {
    "WeldJoint": (),
    "PinJoint": ((True, (0, 0, 1)),),
    "SliderJoint": ((False, (1, 0, 0)),),
    "UniversalJoint": ((True, (1, 0, 0)), (True, (0, 1, 0))),
    "GimbalJoint": ((True, (1, 0, 0)), (True, (0, 1, 0)), (True, (0, 0, 1))),
    "BallJoint": ((True, (1, 0, 0)), (True, (0, 1, 0)), (True, (0, 0, 1))),
    "PlanarJoint": ((True, (0, 0, 1)), (False, (1, 0, 0)), (False, (0, 1, 0))),
    "FreeJoint": (
        *((True, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))),
        *((False, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))),
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class _OsimCoordinate:
    """A coordinate of a joint with its default value, range, and whether it is locked."""

    name: str
    value: float
    locked: bool
    element: XmlElement


@dataclass(frozen=True, slots=True, eq=False)
class _TransformAxis:
    """An axis of a joint and the coordinate that moves it; "" for a constant."""

    turns: bool
    direction: Floats
    coordinate: str
    function: Tangent

    @property
    def motion(self) -> Pose:
        """Its part of X(q)."""
        if self.turns:
            return Pose(np.zeros(3), rotation(self.direction, self.function.value))
        return Pose(self.function.value * self.direction)


class _Lead(NamedTuple):
    """The axis that stands for a coordinate: a coordinate of ours, and its rate by that of OpenSim."""

    along: str
    slope: float


@dataclass
class OsimReader:
    """Reads one model; names and notes are collected here."""

    root: XmlElement
    file: str
    notes: list[Note] = field(default_factory=list)
    frames: dict[str, PartFrame] = field(default_factory=dict)  # name of a body or offset frame → its frame
    poses: dict[str, Pose] = field(default_factory=lambda: {GROUND: Pose()})
    parts: list[Part] = field(default_factory=list)
    joints: list[ImportedJoint] = field(default_factory=list)
    couplings: list[ImportedCoupling] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    motions: list[ImportedMotion] = field(default_factory=list)
    coordinates: dict[str, _OsimCoordinate] = field(default_factory=dict)
    leads: dict[str, _Lead] = field(default_factory=dict)
    carried: dict[XmlElement, str] = field(default_factory=dict)  # a joint inside a body → the body (OpenSim 3)
    joint_names: Names = field(default_factory=Names)
    body_names: Names = field(default_factory=Names)

    def mechanism(self) -> Mechanism:
        """The mechanism at the default values of its coordinates."""
        version = self.root.number("Version", 0.0, "OpenSimDocument")
        model = self.root.find("Model")
        if model is None or version < FIRST_READ_VERSION:
            raise self.root.fail("is older than OpenSim 2, or not a model; open it in OpenSim and save it anew.")
        for joint in _objects(model, "JointSet"):
            if joint.find("connectors") is not None:
                raise joint.fail("was saved by a version between OpenSim 3 and 4; open it in OpenSim and save it anew.")
        for element in model.walk():  # versions before 4.0 write socket_NAME_connectee_name
            element.tag = element.tag.removesuffix("_connectee_name")
        self.frames["ground"] = PartFrame(GROUND, Pose())
        bodies = [body for body in _objects(model, "BodySet") if body.get("name") != "ground"]
        inertia = {body.get("name"): self._inertia(body) for body in bodies}
        for body in bodies:
            name = self.body_names.new(readable_name(body.get("name")), body.get("name"))
            self.frames[body.get("name")] = PartFrame(name, Pose())
        for element in model.walk():
            if element.tag == "PhysicalOffsetFrame" and element.find("socket_parent") is not None:
                self._offset_frame(element)
        joints = _objects(model, "JointSet")
        if version < FIRST_WITH_JOINT_SETS:
            joints = [self._inner_joint(body) for body in bodies]
        self._place(joints)
        for name, given in inertia.items():
            part = self.frames[name].part
            self.parts.append(Part(part, self.poses.get(part, Pose()), given))
        for constraint in _objects(model, "ConstraintSet"):
            self._constraint(constraint)
        self._name_forces(model)
        self.notes += notes_on_angles(e.text for e in model.walk() if e.tag.startswith("orientation"))
        gravity = _text(model, "gravity")
        g = model.numbers(gravity, 3, "gravity") if gravity else [0.0, -9.80665, 0.0]
        return Mechanism(
            readable_name(model.get("name") or Path(self.file).stem), "osim", tuple(self.parts), tuple(self.joints),
            tuple(self.couplings), motions=tuple(self.motions), limits=tuple(self.limits),
            gravity=(g[0], g[1], g[2]), notes=tuple(self.notes),
        )  # fmt: skip

    def _inner_joint(self, body: XmlElement) -> XmlElement:
        """The joint inside a body, which carries it."""
        holder = body.find("Joint")
        if holder is None or not holder.children:
            raise body.fail(f"body '{body.get('name')}' has no joint.")
        joint = holder.children[0]
        if _text(joint, "reverse") == "true":
            raise joint.fail(f"joint '{joint.get('name')}' is reversed; save the model with OpenSim 4.")
        self.carried[joint] = body.get("name")
        return joint

    def _inertia(self, body: XmlElement) -> Inertia:
        mass = float(body.numbers(_text(body, "mass") or "0", 1, "mass")[0])
        center = np.array(body.numbers(_text(body, "mass_center") or "0 0 0", 3, "mass_center"))
        inner = " ".join(_text(body, f"inertia_{axes}") or "0" for axes in ("xx", "yy", "zz", "xy", "xz", "yz"))
        xx, yy, zz, xy, xz, yz = body.numbers(_text(body, "inertia") or inner, 6, "inertia")
        return Inertia(mass, center, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), body.place)

    def _offset_frame(self, element: XmlElement) -> None:
        """A frame fixed on a body, or on another such frame."""
        r = element.numbers(_text(element, "translation") or "0 0 0", 3, "translation")
        body, pose = self._frame(_text(element, "socket_parent"), element)
        inner = Pose(np.array(r), _orientation(element, "orientation"))
        self.frames[element.get("name")] = PartFrame(body, pose @ inner)

    def _frame(self, path: str, element: XmlElement) -> PartFrame:
        """The frame that the last name of a path stands for; .. is the body around a component."""
        name = path.rstrip("/").rpartition("/")[2]
        if name == "..":
            around = [b for b in self.root.walk() if b.tag == "Body" and any(inner is element for inner in b.walk())]
            name = around[-1].get("name") if around else "ground"
        if name not in self.frames:
            raise element.fail(f"there is no body or frame '{name}'.")
        return self.frames[name]

    def _place(self, joints: list[XmlElement]) -> None:
        """Bodies where their joints put them, from ground on; a joint whose child stands already closes a loop."""
        waiting = list(joints)
        while waiting:
            ready = [joint for joint in waiting if self._ends(joint)[0].part in self.poses]
            if not ready:
                raise waiting[0].fail(
                    f"joint '{waiting[0].get('name')}' hangs on a body that no joint connects to ground."
                )
            for joint in ready:
                self._joint(joint)
                waiting.remove(joint)

    def _ends(self, joint: XmlElement) -> tuple[PartFrame, PartFrame]:
        if joint in self.carried:
            above = self._place_on(_text(joint, "parent_body"), joint, "location_in_parent", "orientation_in_parent")
            return above, self._place_on(self.carried[joint], joint, "location", "orientation")
        parent, child = _text(joint, "socket_parent_frame"), _text(joint, "socket_child_frame")
        return self._frame(parent, joint), self._frame(child, joint)

    def _joint(self, joint: XmlElement) -> None:
        """A joint as a chain of slides and hinges, or one joint where three hinges are a ball; free ones are none."""
        (a, at_a), (b, at_b) = self._ends(joint)
        axes = self._axes(joint)
        moved = Pose()
        for axis in sorted(axes, key=lambda candidate: candidate.turns):
            moved = moved @ axis.motion
        if b in self.poses:
            raise joint.fail(f"joint '{joint.get('name')}' is the second one that carries '{b}'; use a WeldConstraint.")
        self.poses[b] = self.poses[a] @ at_a @ moved @ at_b.inverse
        moving = sorted((axis for axis in axes if axis.coordinate), key=lambda candidate: candidate.turns)
        coordinates = len({axis.coordinate for axis in moving})
        label = self.joint_names.new(readable_name(joint.get("name")), joint.get("name"))
        if coordinates == len(moving) == 6:
            return  # a free body
        kind = (
            {0: "fixed", 3: "spherical"}.get(coordinates)
            if coordinates == len(moving) and all(x.turns for x in moving)
            else None
        )
        if kind == "spherical" and not self._is_used(moving):
            self.joints.append(ImportedJoint(label, kind, a, b, at_a, at_b @ moved.inverse))
        elif kind == "fixed":
            self.joints.append(ImportedJoint(label, kind, a, b, at_a @ moved, at_b))
        else:
            self._chain(label, PartFrame(a, at_a), PartFrame(b, at_b), axes)

    def _is_used(self, moving: list[_TransformAxis]) -> bool:
        """Does a constraint name one of the coordinates of these axes?"""
        names = {axis.coordinate for axis in moving}
        texts = (
            element.text
            for element in self.root.walk()
            if element.tag.endswith(("coordinate_name", "coordinate_names"))
        )
        return bool(names & {word for text in texts for word in text.split()})

    def _axes(self, joint: XmlElement) -> list[_TransformAxis]:
        """The axes of a joint, those that turn in the order in which they do."""
        for element in (inner for inner in joint.walk() if inner.tag == "Coordinate"):
            (value,) = element.numbers(_text(element, "default_value") or "0", 1, "default_value")
            locked = _text(element, "locked") == "true"
            self.coordinates[element.get("name")] = _OsimCoordinate(element.get("name"), value, locked, element)
            if locked:
                self.notes.append(
                    Note(NoteKind.REMARK, f"coordinate '{element.get('name')}'", "locked: taken as fixed")
                )
        transform = joint.find("SpatialTransform")
        if transform is not None:
            return [self._axis(element) for element in transform.all("TransformAxis")]
        if joint.tag not in SIMPLE_JOINTS:
            raise joint.fail(f"<{joint.tag}> is not read; known are CustomJoint, {', '.join(SIMPLE_JOINTS)}.")
        names = [element.get("name") for element in joint.walk() if element.tag == "Coordinate"]
        if len(names) != len(SIMPLE_JOINTS[joint.tag]):
            raise joint.fail(
                f"joint '{joint.get('name')}' has {len(names)} coordinates; a {joint.tag} has another number."
            )
        return [
            self._moved_axis(turns, np.array(axis, dtype=float), name, None)
            for (turns, axis), name in zip(SIMPLE_JOINTS[joint.tag], names, strict=True)
        ]

    def _axis(self, element: XmlElement) -> _TransformAxis:
        turns = element.get("name").startswith("rotation")
        axis = np.array(element.numbers(_text(element, "axis"), 3, "axis"))
        names = _text(element, "coordinates").split()
        if len(names) > 1:
            raise element.fail(f"{element.get('name')} is a function of {len(names)} coordinates; one is read.")
        plain = ("coordinates", "axis")
        function = next((child for child in element.children if child.tag not in plain), None)
        if function is not None and function.tag == "function":
            function = function.children[0] if function.children else None
        return self._moved_axis(turns, axis / np.linalg.norm(axis), "".join(names), function)

    def _moved_axis(self, turns: bool, axis: Floats, name: str, function: XmlElement | None) -> _TransformAxis:
        """An axis at the default value of its coordinate."""
        if name and name not in self.coordinates:
            raise (function or self.root).fail(f"there is no coordinate '{name}'.")
        at = self.coordinates[name].value if name else 0.0
        at_pose = Tangent(at, 1.0, True) if function is None else tangent(function, at)
        still = not name or self.coordinates[name].locked or (at_pose.linear and at_pose.slope == 0.0)
        if name and not still and not at_pose.linear:
            why = (
                "moves several axes by curves: their slopes at the pose are taken, which hold for verdicts there alone"
            )
            note = Note(NoteKind.WARNING, f"coordinate '{name}'", why)
            self.notes += [] if note in self.notes else [note]
            still = abs(at_pose.slope) < GEOMETRY
        return _TransformAxis(turns, axis, "" if still else name, at_pose)

    def _chain(self, label: str, start: PartFrame, end: PartFrame, axes: list[_TransformAxis]) -> None:
        """Slides, then hinges, each between two bodies; those in the middle have no mass."""
        ordered = sorted(axes, key=lambda candidate: candidate.turns)
        moving = [k for k, axis in enumerate(ordered) if axis.coordinate]
        body, at = start
        along: dict[int, str] = {}
        for k, axis in enumerate(ordered):
            if k not in moving:
                at = at @ axis.motion
                continue
            kind, word = ("revolute", "rotation") if axis.turns else ("prismatic", "translation")
            name = label if len(moving) == 1 else self.joint_names.new(f"{label} {readable_name(axis.coordinate)}")
            turned = Pose(np.zeros(3), frame_along(axis.direction, name))
            rest = axis.motion
            for later in ordered[k + 1 :]:
                rest = rest @ later.motion
            if k == moving[-1]:
                part, at_there = end.part, end.pose @ rest.inverse @ axis.motion
            else:
                part, at_there = self.body_names.new(f"{name} moved"), Pose()
                self.poses[part] = self.poses[body] @ at @ axis.motion
                self.parts.append(Part(part, self.poses[part], Inertia(0.0, np.zeros(3), np.zeros((3, 3)))))
            self.joints.append(ImportedJoint(name, kind, body, part, at @ turned, at_there @ turned))
            along[k] = f"{name}.{word}"
            body, at = part, at_there
        self._couple(label, ordered, along)

    def _couple(self, label: str, axes: list[_TransformAxis], along: dict[int, str]) -> None:
        """Axes that one coordinate moves follow the one that it moves most, with its range."""
        for name in dict.fromkeys(axes[k].coordinate for k in along):
            of = [k for k in along if axes[k].coordinate == name]
            lead = max(of, key=lambda k: (axes[k].turns, abs(axes[k].function.slope)))
            slope = axes[lead].function.slope
            self.leads[name] = _Lead(along[lead], slope)
            for k in of:
                if k != lead:
                    factor = axes[k].function.slope / slope
                    self._coupled(f"{label} follows {readable_name(name)}", along[k], {along[lead]: factor})
            given = self.coordinates[name]
            if _text(given.element, "clamped") == "true" and len(of) == 1:
                low, high = given.element.numbers(_text(given.element, "range"), 2, "range")
                ends = sorted((slope * (low - given.value), slope * (high - given.value)))
                self.limits.append(Limit(along[lead], *ends))

    def _coupled(self, name: str, dependent: str, factors: dict[str, float]) -> None:
        """dependent = Σ factor · coordinate, up to a constant."""
        label = self.joint_names.new(name)
        words = {text.rpartition(".")[2] for text in (dependent, *factors)}
        if len(words) == 1:
            numbers = (1.0, *(-factor for factor in factors.values()))
            self.couplings.append(ImportedCoupling(label, "linear", (dependent, *factors), {"coefficients": numbers}))
            return
        if len(factors) > 1:
            raise ModelError(f"constraint '{name}' couples slides with several hinges; one is read.", place=self.file)
        ((independent, factor),) = factors.items()
        slides = dependent.endswith("translation")
        pair = (dependent, independent) if slides else (independent, dependent)
        radius = factor if slides else 1.0 / factor
        self.couplings.append(ImportedCoupling(label, "rack", pair, {"radius": radius}))

    def _constraint(self, element: XmlElement) -> None:
        """A constraint as a joint that closes a loop, or as a coupling."""
        name = element.get("name")
        if _text(element, "isEnforced") == "false" or _text(element, "isDisabled") == "true":
            self.notes.append(Note(NoteKind.WARNING, f"constraint '{name}'", "switched off in the file, and not read"))
            return
        if element.tag == "CoordinateCouplerConstraint":
            self._coordinate_coupler(element)
            return
        ends = CONSTRAINT_ENDS.get(f"{element.tag} 3" if self.carried else element.tag)
        if ends is None:
            self.notes.append(Note(NoteKind.UNREAD, f"constraint '{name}'", f"<{element.tag}> is not read"))
            return
        kind, a, b = ends
        frames = [self._place_on(_text(element, tag), element, point, angles) for tag, point, angles in (a, b)]
        parameters: dict[str, float] = {}
        if kind == "distance":
            (parameters["length"],) = element.numbers(_text(element, "constant_distance"), 1, "constant_distance")
        if kind == "point-on-line":
            z = element.numbers(_text(element, "line_direction_vec"), 3, "line_direction_vec")
            frames[0] = PartFrame(frames[0].part, frames[0].pose @ Pose(np.zeros(3), frame_along(z, name)))
        label = self.joint_names.new(readable_name(name), name)
        (part_a, at_a), (part_b, at_b) = frames
        self.joints.append(ImportedJoint(label, kind, part_a, part_b, at_a, at_b, parameters, closes_loop=True))

    def _place_on(self, name: str, element: XmlElement, point: str, angles: str) -> PartFrame:
        """A place on a body or named frame: a point and an orientation in it where tags of the element give some."""
        body, pose = self._frame(name, element)
        r = element.numbers(_text(element, point) or "0 0 0", 3, point) if point else [0.0, 0.0, 0.0]
        return PartFrame(body, pose @ Pose(np.array(r), _orientation(element, angles)))

    def _coordinate_coupler(self, element: XmlElement) -> None:
        """dependent = scale · f(independent), by its slope at the pose."""
        name, independent = element.get("name"), _text(element, "independent_coordinate_names").split()
        dependent, function = _text(element, "dependent_coordinate_name"), element.find("coupled_coordinates_function")
        names = (*independent, dependent)
        missing = [
            coordinate for coordinate in names if coordinate not in self.leads and not self._is_locked(coordinate)
        ]
        if missing or len(independent) != 1 or function is None or not function.children:
            why = f"'{missing[0]}' does not move a hinge or slide" if missing else "one independent coordinate is read"
            self.notes.append(Note(NoteKind.UNREAD, f"constraint '{name}'", why))
            return
        (scale,) = element.numbers(_text(element, "scale_factor") or "1", 1, "scale_factor")
        at_pose = tangent(function.children[0], self.coordinates[independent[0]].value)
        if not at_pose.linear:
            why = "a curve: its slope at the pose is taken, which holds for verdicts there alone"
            self.notes.append(Note(NoteKind.WARNING, f"coupler '{name}'", why))
        slope = scale * at_pose.slope
        free = [coordinate for coordinate in names if coordinate in self.leads]
        if len(free) < 2 or slope == 0.0:
            self._hold(name, free[-1:] if slope else [coordinate for coordinate in free if coordinate == dependent])
            return
        (lead, by), (follower, factor) = self.leads[independent[0]], self.leads[dependent]
        self._coupled(readable_name(name), follower, {lead: slope * factor / by})

    def _is_locked(self, name: str) -> bool:
        return name in self.coordinates and self.coordinates[name].locked

    def _hold(self, name: str, held: list[str]) -> None:
        """Hold coordinates that a coupler keeps constant; none where both of its coordinates are locked."""
        for coordinate in held:
            label = self.joint_names.new(readable_name(name), name)
            self.motions.append(ImportedMotion(label, self.leads[coordinate].along, None, is_constraint=True))

    def _name_forces(self, model: XmlElement) -> None:
        """Muscles, springs and actuators are named as left out."""
        kinds = Counter(element.tag for element in _objects(model, "ForceSet"))
        for tag, count in kinds.items():
            what = f"{count} {tag}" + ("s" if count > 1 else "")
            self.notes.append(Note(NoteKind.SKIPPED, what, "forces of OpenSim are not read"))


# Joint type, and for both sides the tags of the body or frame, the point and the orientation.
Place = tuple[str, str, str]  # tags of a body or frame, of a point and of an orientation in it
CONSTRAINT_ENDS: dict[str, tuple[str, Place, Place]] = {
    "WeldConstraint": ("fixed", ("socket_frame1", "", ""), ("socket_frame2", "", "")),
    "PointConstraint": (
        "spherical", ("socket_body_1", "location_body_1", ""), ("socket_body_2", "location_body_2", "")
    ),
    "PointOnLineConstraint": (
        "point-on-line", ("socket_line_body", "point_on_line", ""), ("socket_follower_body", "point_on_follower", "")
    ),
    "ConstantDistanceConstraint": (
        "distance", ("socket_body_1", "location_body_1", ""), ("socket_body_2", "location_body_2", "")
    ),
    "WeldConstraint 3": (
        "fixed",
        ("body_1", "location_body_1", "orientation_body_1"),
        ("body_2", "location_body_2", "orientation_body_2"),
    ),
}  # fmt: skip
CONSTRAINT_ENDS |= {  # of OpenSim 3, where bodies are named without sockets
    f"{tag} 3": (kind, (a[0].removeprefix("socket_"), *a[1:]), (b[0].removeprefix("socket_"), *b[1:]))
    for tag, (kind, a, b) in CONSTRAINT_ENDS.items()
    if f"{tag} 3" not in CONSTRAINT_ENDS and not tag.endswith(" 3")
}


def _objects(model: XmlElement, tag: str) -> list[XmlElement]:
    """The objects of a set of the model."""
    section = model.find(tag)
    objects = section.find("objects") if section is not None else None
    return objects.children if objects is not None else []


def _text(element: XmlElement, tag: str) -> str:
    """The text of a child, "" where it is missing."""
    child = element.find(tag)
    return child.text.strip() if child is not None else ""


def _orientation(element: XmlElement, tag: str) -> Floats:
    """R = R_x R_y R_z of the three angles that a child gives: turns about x, y and z of the frame that moves."""
    text = _text(element, tag) or "0 0 0"
    element.numbers(text, 3, tag)  # three finite numbers
    x, y, z = map(written_angle, words_of(text))
    return np.asarray(rotation((1, 0, 0), x) @ rotation((0, 1, 0), y) @ rotation((0, 0, 1), z))
