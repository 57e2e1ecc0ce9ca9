"""Nodes, bodies, joints and forces of MBDyn as a mechanism."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.errors import ModelError, ReactioError
from reactio.functions.expression import Expression
from reactio.importers import Options
from reactio.importers.formats.mbdyn import frames
from reactio.importers.formats.mbdyn.drives import DriveCaller, constant, drive, drives
from reactio.importers.formats.mbdyn.statements import MbdynInput, MbdynStatement
from reactio.importers.formats.mbdyn.total_joint import JointEnd, Locks, composed, misaligned
from reactio.importers.mechanism import (
    ImportedJoint,
    ImportedMotion,
    Inertia,
    Load,
    Mechanism,
    Part,
    PartFrame,
    combined_inertia,
)
from reactio.importers.pose import Pose, frame_along
from reactio.importers.reading.names import Names, readable_name
from reactio.model.notes import Note, NoteKind, NoteTopic

NEITHER = (False, False, False)
EVERY = (True, True, True)
AXIS_FREE = (True, True, False)  # axis 3 of the hinges of MBDyn is free
HELD = (constant(0.0),) * 3
READ_SECTIONS = ("", "nodes", "elements")  # others hold settings and drivers
STATED = {"structural nodes": "node", "rigid bodies": "body", "joints": "joint"}  # whose numbers the file states
# Elements between nodes that act by forces of their deformation or their medium: no verdict depends on them.
FORCES_OF_DEFORMATION = (
    "deformable hinge", "deformable displacement hinge", "deformable displacement joint", "deformable joint",
    "deformable axial joint", "invariant deformable hinge", "invariant deformable displacement joint",
    "invariant deformable joint", "viscous body", "rod bezier",
)  # fmt: skip
FORCE_ELEMENTS = (
    "beam", "beam2", "beam3", "plate", "shell4", "shell4eas", "shell4easans", "membrane4eas", "couple", "force",
    "aerodynamic body", "aerodynamic beam", "aerodynamic beam2", "aerodynamic beam3", "aerodynamic modal", "rotor",
    "induced velocity", "hydraulic", "electric", "thermal", "aeromodal", "generic aerodynamic force",
    "solid", "surface load", "hexahedron8", "bulk",
)  # fmt: skip
UNKNOWN_ELEMENTS = ("user defined", "loadable", "genel")  # which may connect nodes, or constrain their freedoms
UNREAD_CARDS = (
    "remark", "print symbol table", "module load", "constitutive law", "scalar function", "c81 data",
    "hydraulic fluid", "inertia", "bind", "air properties", "output", "output elements", "stream output", "parameter",
    "file", "template drive caller", "aircraft instruments", "abstract", "rigid body kinematics", "rtai output",
    "c81data", "stream motion output", "template variable",
)  # fmt: skip
# Where another kind of node is a node without a place in space.
PLACELESS_NODES = ("abstract", "electric", "hydraulic", "parameter", "thermal")


def read(path: Path, options: Options) -> Mechanism:
    """The mechanism of an input file with all that it includes, its nodes where the file puts them."""
    deck = _InputFile(str(path))
    for statement in MbdynInput(path, options.anywhere).statements():
        deck.read(statement)
    if deck.section:
        raise ModelError(f"ends before 'end: {deck.section};': the file is cut off.", place=str(path))
    deck.compare_with_stated()
    if not deck.nodes:
        raise ModelError("holds no structural nodes; is it an MBDyn input file?", place=str(path))
    return deck.mechanism(readable_name(path.stem))


class _InputFile:
    """The mechanism of a file, read statement after statement."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.section = ""
        self.stated: dict[str, int] = {}  # kind of element → how many the file says it has
        self.start = 0.0  # [s]
        self.references: dict[int, Pose] = {}
        self.nodes: dict[int, tuple[str, Pose]] = {}  # number → part and pose in the world
        self.parts: dict[str, Pose] = {}
        self.inertias: dict[str, list[Inertia]] = {}
        self.drives: dict[int, DriveCaller] = {}
        self.labels: set[tuple[str, int]] = set()
        self.body_names, self.names = Names(), Names()
        self.joints: list[ImportedJoint] = []
        self.motions: list[ImportedMotion] = []
        self.loads: list[Load] = []
        self.gravity = (0.0, 0.0, 0.0)
        self.notes: list[Note] = []

    def mechanism(self, name: str) -> Mechanism:
        parts = []
        for part, pose in self.parts.items():
            masses = self.inertias.get(part) or [Inertia(0.0, np.zeros(3), np.zeros((3, 3)))]
            inertia = masses[0] if len(masses) == 1 else combined_inertia([(mass, Pose()) for mass in masses])
            parts.append(Part(part, pose, inertia))
        return Mechanism(
            name, "mbdyn", tuple(parts), tuple(self.joints), motions=tuple(self.motions), loads=tuple(self.loads),
            gravity=self.gravity, notes=tuple(self.notes),
        )  # fmt: skip

    def read(self, statement: MbdynStatement) -> None:
        """One statement; elements that are not known are refused by name."""
        word = statement.keyword
        if word in ("begin", "end"):
            self.section = statement.peek() if word == "begin" else ""
        elif self.section not in READ_SECTIONS:
            if word == "initial time":
                self.start = statement.number("the initial time")
            elif word in STATED:
                self.stated[word] = statement.label("their number")
        elif word == "drive caller":
            self._drive_caller(statement)
        elif reader := CARD_READERS.get(word):
            try:
                reader(self, statement)
            except ModelError:
                raise
            except ReactioError as error:
                raise statement.fail(str(error)) from None
        elif word in FORCE_ELEMENTS:
            self._force_element(statement, word)
        elif word in UNKNOWN_ELEMENTS:
            self._note(
                statement, NoteKind.UNREAD, f"{word} element", "it is not read; if it connects nodes, this is a "
                "different mechanism", NoteTopic.ELEMENT,
            )  # fmt: skip
        elif word == "driven":
            self._note(
                statement, NoteKind.UNREAD, "driven element", "it is switched by a drive and not read; if it connects "
                "nodes, this is a different mechanism", NoteTopic.ELEMENT,
            )  # fmt: skip
        elif word not in UNREAD_CARDS and word not in PLACELESS_NODES and word:
            raise statement.fail(f"'{word}' has no counterpart here; it is not approximated.")

    def compare_with_stated(self) -> None:
        """Name the missing ones of the elements that the file says it has: MBDyn does not run such a file."""
        for word, count in self.stated.items():
            read = sum(kind == STATED[word] for kind, _ in self.labels)
            driven = sum(note.what.startswith("driven element") for note in self.notes)
            if not read <= count <= read + driven:
                why = f"the file states {count} and holds {read}; what is missing may make this a different mechanism"
                self.notes.append(Note(NoteKind.UNREAD, word, why, NoteTopic.ELEMENT))

    def _note(
        self, statement: MbdynStatement, kind: NoteKind, what: str, why: str, topic: NoteTopic = NoteTopic.OTHER
    ) -> None:
        label = statement.arguments[0] if statement.arguments else ""
        self.notes.append(Note(kind, f"{what} '{label}'", why, topic))

    def _rest(self, statement: MbdynStatement, what: str) -> None:
        """Name the arguments of an element that are left over; output and the count of turns change nothing."""
        if rest := _left_over(statement):
            self.notes.append(Note(NoteKind.WARNING, what, f"the rest of its statement is not read: '{rest}'"))

    # Labels and names

    def _new_label(self, statement: MbdynStatement, kind: str) -> tuple[int, str]:
        """The label of an element, and the name that is written for it: that of its variable where it is one."""
        written = statement.arguments[0] if statement.arguments else ""
        label = statement.label()
        if (kind, label) in self.labels:
            raise statement.fail("this label is given twice.")
        self.labels.add((kind, label))
        name = statement.text("the name") if statement.take("name") else written
        return label, readable_name(name) if not name.isdigit() and name.isidentifier() else ""

    def _drive_caller(self, statement: MbdynStatement) -> None:
        label = statement.label()
        if statement.take("name"):
            statement.next("the name")
        self.drives[label] = drive(statement, self.start, self.drives)

    def _reference(self, statement: MbdynStatement) -> None:
        label, _ = self._new_label(statement, "reference")
        statement.take("position")
        r = frames.position(statement, Pose(), self.references, {})
        statement.take("orientation")
        self.references[label] = Pose(r, frames.orientation(statement, Pose(), self.references, {}))

    def _structural(self, statement: MbdynStatement) -> None:
        label, name = self._new_label(statement, "node")
        kind = statement.take("dynamic", "static", "modal", "dummy")
        if not kind:
            raise statement.fail(
                f"nodes of kind '{statement.peek()}' have no counterpart: parts have a position and an orientation."
            )
        if kind == "dummy":
            self._dummy(statement, label)
            return
        statement.take("position")
        r = frames.position(statement, Pose(), self.references, {})
        statement.take("orientation")
        pose = Pose(r, frames.orientation(statement, Pose(), self.references, {}))
        part = self.body_names.new(name or f"node_{label}", name)
        self.nodes[label] = (part, pose)
        self.parts[part] = pose

    def _dummy(self, statement: MbdynStatement, label: int) -> None:
        """A node that moves with another one."""
        part, base = self._node(statement)
        if not statement.take("offset"):
            self._note(statement, NoteKind.SKIPPED, "dummy node", "it moves with two others and carries nothing")
            return
        named = {"node": base}
        r = frames.position(statement, base, self.references, named)
        self.nodes[label] = (part, Pose(r, frames.orientation(statement, base, self.references, named)))

    def _node(self, statement: MbdynStatement) -> tuple[str, Pose]:
        label = statement.label("the label of a node")
        if label not in self.nodes:
            raise statement.fail(f"there is no structural node {label}.")
        return self.nodes[label]

    def _body(self, statement: MbdynStatement) -> None:
        self._new_label(statement, "body")
        part, pose = self._node(statement)
        if statement.take("variable mass"):
            raise statement.fail("bodies of variable mass have no counterpart.")
        count = statement.label("the number of masses") if statement.take("condense") else 1
        for _ in range(count):
            mass = statement.number("the mass")
            statement.take("position")
            center = frames.position(statement, pose, self.references, {"node": pose})
            turned = frames.frame(statement, pose, self.references, {"node": pose}).R
            J = frames.matrix(statement)
            if statement.take("inertial"):
                turned = pose.R if statement.take("node") else frames.orientation(
                    statement, pose, self.references, {"node": pose}
                )  # fmt: skip
            R = self.parts[part].R.T @ turned
            inertia = Inertia(mass, (self.parts[part].inverse @ Pose(center)).r, R @ J @ R.T, statement.place)
            self.inertias.setdefault(part, []).append(inertia)
        self._rest(statement, f"body '{statement.arguments[0]}'")

    # Joints

    def _joint(self, statement: MbdynStatement) -> None:
        label, name = self._new_label(statement, "joint")
        kind = statement.take(*MBDYN_JOINTS)
        if not kind:
            kind = statement.peek()
            if kind in FORCES_OF_DEFORMATION:
                self._note(statement, NoteKind.WARNING, kind, "a force that is not read; verdicts do not depend on it, "
                           "reactions and motion do", NoteTopic.ELEMENT)  # fmt: skip
                return
            raise statement.fail(f"joints of kind '{kind}' have no counterpart here; they are not approximated.")
        name = self.names.new(name or f"{readable_name(kind.replace(' ', '_'))}_{label}", name)
        MBDYN_JOINTS[kind](self, statement, name, kind)
        self._rest(statement, f"joint '{name}'")

    def _end(self, statement: MbdynStatement, needs_point: bool, other: JointEnd | None = None) -> JointEnd:
        """A node with the point of the joint and its axes, those of the node where none are given."""
        part, pose = self._node(statement)
        return self._placed(statement, part, pose, needs_point, other)

    def _placed(
        self, statement: MbdynStatement, part: str, pose: Pose, needs_point: bool, other: JointEnd | None = None
    ) -> JointEnd:
        named = {"node": pose}
        if other is not None:
            named["other node"] = other.pose
            named["other position"] = Pose(other.r, other.pose.R)
            named["other orientation"] = Pose(other.r, other.R_rotation)
        r, R, R_rotation = pose.r, pose.R, None
        if statement.take("position") or needs_point:
            r = frames.position(statement, pose, self.references, named)
        if other is not None:
            named["other orientation"] = Pose(other.r, other.R_position)
        if word := statement.take("position orientation", "orientation", "hinge"):
            R = frames.orientation(statement, pose, self.references, named)
            R_rotation = None if word == "position orientation" else R
        if other is not None:
            named["other orientation"] = Pose(other.r, other.R_rotation)
        if statement.take("rotation orientation"):
            R_rotation = frames.orientation(statement, pose, self.references, named)
        moved = pose if part == GROUND else self.parts[part]
        return JointEnd(part, moved, r, R, pose.R if R_rotation is None else R_rotation)

    def _ground(self, statement: MbdynStatement, needs_point: bool, other: JointEnd) -> JointEnd:
        """The end of a pin on ground, which is given in global axes."""
        return self._placed(statement, GROUND, Pose(), needs_point, other)

    def _lock(self, statement: MbdynStatement, name: str, a: JointEnd, b: JointEnd, locks: Locks) -> None:
        """Add the joints of locked components."""
        if a.part == b.part:
            raise statement.fail(f"connects '{a.part}' with itself.")
        if misaligned(a, b, locks):
            raise statement.fail(
                "one component of rotation is locked between axes that are not parallel at the start; this has no "
                "counterpart."
            )
        joints, motion, warning = composed(name, a, b, locks)
        self.joints += joints
        if motion is not None:
            self.motions.append(motion)
        if warning:
            self.notes.append(Note(NoteKind.WARNING, f"joint '{name}'", warning))

    def _clamp(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """A node held at its place, or at another one."""
        part, pose = self._node(statement)
        r, R = pose.r, pose.R
        statement.take("position")
        if not statement.ended and not statement.take("node"):
            r = frames.position(statement, Pose(), self.references, {"node": pose})
        statement.take("orientation")
        if not statement.ended and not statement.take("node"):
            R = frames.orientation(statement, Pose(), self.references, {"node": pose})
        a = JointEnd(GROUND, Pose(), r, R, R)
        b = JointEnd(part, self.parts[part], pose.r, pose.R, pose.R)
        self._lock(statement, name, a, b, Locks(EVERY, EVERY, HELD, HELD))

    def _hinge(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """Two nodes, or a node and ground, that share a point and perhaps an axis."""
        if kind.endswith("pin"):
            b = self._end(statement, needs_point=True)
            a = self._ground(statement, True, b)
        else:
            a = self._end(statement, needs_point=True)
            b = self._end(statement, True, a)
        rotation = NEITHER if kind in ("spherical hinge", "spherical pin", "pin") else AXIS_FREE
        self._lock(statement, name, a, b, Locks(EVERY, rotation, HELD, HELD))

    def _universal(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """Axis 3 of the first end, or of ground, is perpendicular to axis 2 of the other, perhaps at a common point."""
        turns_only = kind.endswith("rotation")
        if kind.endswith("pin"):
            b = self._end(statement, needs_point=True)
            a = self._ground(statement, True, b)
        else:
            a = self._end(statement, needs_point=not turns_only)
            b = self._end(statement, not turns_only, a)
        type_ = "perpendicular-axes" if turns_only else "universal"
        ends = a.inside(a.R_rotation[:, [2, 0, 1]]), b.inside(b.R_rotation)  # x of the first along axis 3
        self.joints.append(ImportedJoint(name, type_, a.part, b.part, *ends))

    def _rotation_only(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """Relative rotation locked, all of it or but for axis 3; ``drive hinge`` gives it a value."""
        a = self._end(statement, needs_point=False)
        b = self._end(statement, False, a)
        theta = tuple(drives(statement, self.start, self.drives)) if kind == "drive hinge" else HELD
        rotation = AXIS_FREE if kind in ("revolute rotation", "plane rotation") else EVERY
        self._lock(statement, name, a, b, Locks(NEITHER, rotation, HELD, theta))

    def _in_line(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """A point of the second node stays on axis 3 at the first, whose words may be left out."""
        part, pose = self._node(statement)
        named = {"node": pose}
        statement.take("position")
        r, R = frames.position(statement, pose, self.references, named), pose.R
        behind = statement.arguments[statement.at + 1 :]  # of the second node, where no orientation is before it
        ends_here = not behind or "offset" in behind[0].split()
        if statement.take("orientation") or not ends_here:
            R = frames.orientation(statement, pose, self.references, named)
        a = JointEnd(part, self.parts[part], r, R, R)
        b = self._offset_end(statement)
        self._lock(statement, name, a, b, Locks(AXIS_FREE, NEITHER, HELD, HELD))

    def _in_plane(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """A point of the second node stays in a plane at the first."""
        part, pose = self._node(statement)
        named = {"node": pose}
        statement.take("position")
        r = frames.position(statement, pose, self.references, named)
        R = frame_along(frames.direction(statement, pose, self.references, named), "the plane")
        a = JointEnd(part, self.parts[part], r, R, R)
        b = self._offset_end(statement)
        self._lock(statement, name, a, b, Locks((False, False, True), NEITHER, HELD, HELD))

    def _offset_end(self, statement: MbdynStatement) -> JointEnd:
        part, pose = self._node(statement)
        has_offset = statement.take("offset", "position")
        r = frames.position(statement, pose, self.references, {"node": pose}) if has_offset else pose.r
        return JointEnd(part, self.parts[part], r, pose.R, pose.R)

    def _displacement(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """Points at a given distance along the axes of the first node."""
        if kind.endswith("pin"):
            b = self._end(statement, needs_point=False)
            a = self._ground(statement, False, b)
        else:
            a = self._end(statement, needs_point=False)
            b = self._end(statement, False, a)
        x = tuple(drives(statement, self.start, self.drives))
        self._lock(statement, name, a, b, Locks(EVERY, NEITHER, x, HELD))

    def _axial_rotation(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """A hinge whose rate about axis 3 is given."""
        a = self._end(statement, needs_point=True)
        b = self._end(statement, True, a)
        rate = drive(statement, self.start, self.drives)
        theta = (constant(0.0), constant(0.0), rate if rate.value else DriveCaller(rate.value, None))
        self._lock(statement, name, a, b, Locks(EVERY, EVERY, HELD, theta, (False, True)))

    def _rate(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """The velocity or the acceleration of a node along, or about, a direction of the node is given."""
        part, pose = self._node(statement)
        R = frame_along(pose.R @ frames.vector(statement), f"joint '{name}'")
        a, b = JointEnd(GROUND, Pose(), pose.r, R, R), JointEnd(part, self.parts[part], pose.r, R, R)
        third = (False, False, True)
        rates = (constant(0.0), constant(0.0), DriveCaller(None, None))
        turns = kind.startswith("angular")
        locks = (
            Locks(NEITHER, third, HELD, rates, (False, True))
            if turns
            else Locks(third, NEITHER, rates, HELD, (True, False))
        )
        self._lock(statement, name, a, b, locks)

    def _total(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """Any components of position and rotation, each at a value."""
        if kind == "total pin joint":
            b = self._end(statement, needs_point=False)
            a = self._ground(statement, False, b)
        else:
            a = self._end(statement, needs_point=False)
            b = self._end(statement, False, a)
        position, x, moves = self._components(statement, "position constraint", "velocity")
        rotation, theta, turns = self._components(statement, "orientation constraint", "angular velocity")
        if rest := _left_over(statement):
            raise statement.fail(f"'{rest}' is not understood, and may lock further components.")
        if not any(position) and not any(rotation):
            self.notes.append(Note(NoteKind.SKIPPED, f"joint '{name}'", "it locks no component"))
            return
        self._lock(statement, name, a, b, Locks(position, rotation, x, theta, (moves, turns)))

    def _components(
        self, statement: MbdynStatement, heading: str, rate: str
    ) -> tuple[tuple[bool, bool, bool], tuple[DriveCaller, ...], bool]:
        """The locked components under a heading, their values, and whether these are rates."""
        if not statement.take(heading):
            return NEITHER, HELD, False
        locked, by_rate = [], []
        for _ in range(3):
            word = statement.take("active", "inactive", "position", "rotation", rate)
            locked.append(word not in ("", "inactive") or (not word and bool(statement.number("a component"))))
            by_rate.append(word == rate)
        at = statement.at
        values = tuple(drives(statement, self.start, self.drives))
        if heading == "position constraint" and any(value.value is None for value in values):
            statement.at = at  # the drive may have taken what follows it
            statement.skip_to("orientation constraint")
        if any(by_rate) and any(lock and not b for lock, b in zip(locked, by_rate, strict=True)):
            zero = tuple(constant(0.0) if not b else value for b, value in zip(by_rate, values, strict=True))
            return (locked[0], locked[1], locked[2]), zero, True
        return (locked[0], locked[1], locked[2]), values, any(by_rate)

    def _distance(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """Two points at a given distance."""
        needs = kind == "distance with offset"
        a = self._end(statement, needs_point=needs)
        b = self._end(statement, needs, a)
        between = float(np.linalg.norm(b.r - a.r))
        law = constant(between) if statement.take("from nodes") else drive(statement, self.start, self.drives)
        if not law.constant:
            why = "its length is held at the distance at the start: verdicts hold, but the motion differs"
            self.notes.append(Note(NoteKind.WARNING, f"joint '{name}'", why))
        length = between if law.value is None else law.value
        frames_ = a.inside(np.eye(3)), b.inside(np.eye(3))
        self.joints.append(ImportedJoint(name, "distance", a.part, b.part, *frames_, {"length": length}))

    def _rod(self, statement: MbdynStatement, name: str, kind: str) -> None:
        """A spring and damper between two points; its law is one of strain."""
        needs = kind == "rod with offset"
        a = self._end(statement, needs_point=needs)
        b = self._end(statement, needs, a)
        length = float(np.linalg.norm(b.r - a.r))
        if not statement.take("from nodes"):
            length = statement.number("the length")
        law = _linear_law(statement)
        if law is None or not length:
            statement.at = len(statement.arguments)
            self.notes.append(Note(
                NoteKind.WARNING, f"rod '{name}'", "its law of force is not read; verdicts do not depend on it, "
                "reactions and motion do", NoteTopic.ELEMENT,
            ))  # fmt: skip
            return
        k, c = law
        values = {"stiffness": k / length, "length": length, "damping": c / length}
        ends = {"a": PartFrame(a.part, a.inside(np.eye(3))), "b": PartFrame(b.part, b.inside(np.eye(3)))}
        self.loads.append(Load(name, "spring-damper", values, ends))

    # Forces

    def _gravity(self, statement: MbdynStatement) -> None:
        if not statement.take("uniform") and statement.peek() == "central":
            raise statement.fail("central gravity has no counterpart.")
        laws = drives(statement, self.start, self.drives)
        x, y, z = (law.value for law in laws)
        if x is None or y is None or z is None:
            self.notes.append(Note(NoteKind.WARNING, "gravity", "its drive is not read: gravity is left out"))
            return
        if not all(law.constant for law in laws):
            self.notes.append(Note(NoteKind.WARNING, "gravity", "it varies with time; that at the start is taken"))
        self.gravity = (x, y, z)
        self._rest(statement, "gravity")

    def _force_element(self, statement: MbdynStatement, word: str) -> None:
        """A force or couple along global axes; other elements of force are named."""
        rest = ""
        if word in ("force", "couple"):
            _, name = self._new_label(statement, word)
            if statement.take("absolute"):
                part, pose = self._node(statement)
                r = pose.r
                if statement.take("position"):
                    r = frames.position(statement, pose, self.references, {"node": pose})
                laws = drives(statement, self.start, self.drives)
                texts = [law.text for law in laws]
                rest = _left_over(statement)
                if not rest and all(text is not None for text in texts):
                    key, name = "force" if word == "force" else "torque", name or f"{word}_{statement.arguments[0]}"
                    law = tuple(Expression(str(text)) for text in texts)
                    at = self.parts[part].inverse @ Pose(r)
                    self.loads.append(
                        Load(self.names.new(readable_name(name)), key, {key: law}, {"at": PartFrame(part, Pose(at.r))})
                    )
                    return
        because = f" because '{rest}' follows its law" if rest else ""
        why = f"a force that is not read{because}; verdicts do not depend on it, reactions and motion do"
        self._note(statement, NoteKind.WARNING, f"{word} element", why, NoteTopic.ELEMENT)


def _left_over(statement: MbdynStatement) -> str:
    """The arguments that are not read, but for settings of output and of the count of turns."""
    while statement.take("output", "initial theta"):
        statement.at += 1
    return ", ".join(statement.arguments[statement.at :])


def _linear_law(statement: MbdynStatement) -> tuple[float, float] | None:
    """Stiffness and damping per strain [N, N s] of a linear law; None of others, and where numbers follow the state."""
    word, k, c = statement.take("linear elastic", "linear viscoelastic", "linear viscous"), 0.0, 0.0
    try:
        if word != "linear viscous":
            k = statement.number("the stiffness")
        if word != "linear elastic":
            c = k * statement.number("a factor") if statement.take("proportional") else statement.number("the damping")
    except ModelError:
        return None
    return (k, c) if word and statement.ended else None


JointReader = Callable[[_InputFile, MbdynStatement, str, str], None]
MBDYN_JOINTS: dict[str, JointReader] = {
    "clamp": _InputFile._clamp,
    **dict.fromkeys(
        ("spherical hinge", "spherical pin", "pin", "revolute hinge", "revolute pin", "plane hinge", "plane pin"),
        _InputFile._hinge,
    ),
    **dict.fromkeys(
        ("universal hinge", "universal pin", "universal rotation", "cardano hinge", "cardano pin", "cardano rotation"),
        _InputFile._universal,
    ),
    **dict.fromkeys(("prismatic", "revolute rotation", "plane rotation", "drive hinge"), _InputFile._rotation_only),
    **dict.fromkeys(("in line", "inline"), _InputFile._in_line),
    **dict.fromkeys(("in plane", "inplane"), _InputFile._in_plane),
    **dict.fromkeys(("drive displacement", "drive displacement pin"), _InputFile._displacement),
    "axial rotation": _InputFile._axial_rotation,
    **dict.fromkeys(
        ("angular velocity", "angular acceleration", "linear velocity", "linear acceleration"), _InputFile._rate
    ),
    **dict.fromkeys(("total joint", "total pin joint"), _InputFile._total),
    **dict.fromkeys(("distance", "distance with offset"), _InputFile._distance),
    **dict.fromkeys(("rod", "rod with offset"), _InputFile._rod),
}
CARD_READERS: dict[str, Callable[[_InputFile, MbdynStatement], None]] = {
    "reference": _InputFile._reference,
    "structural": _InputFile._structural,
    "body": _InputFile._body,
    "joint": _InputFile._joint,
    "gravity": _InputFile._gravity,
}
