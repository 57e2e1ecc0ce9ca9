"""Ondsel and FreeCAD assemblies (.asmt): a tree indented by tabs, with the motion and the reactions of the solver."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import InFile, ModelError, ReactioError, did_you_mean
from reactio.expressions.number import evaluate
from reactio.importers import Format, Options, register
from reactio.importers.formats.asmt.series import Series, read_series
from reactio.importers.formats.asmt.units import length_unit
from reactio.importers.mechanism import (
    ImportedCoupling,
    ImportedJoint,
    ImportedMotion,
    Inertia,
    Limit,
    Load,
    Mechanism,
    Part,
    PartFrame,
)
from reactio.importers.pose import Pose, orthonormal, rotation
from reactio.importers.reading.gears import GearFinder, tooth_force_warning
from reactio.importers.reading.marker_axes import joint_frames
from reactio.importers.reading.names import Names, common_prefix, readable_name
from reactio.model.notes import Note, NoteKind
from reactio.operating_system.files import read_text

ASMT_JOINTS = {
    "RevoluteJoint": "revolute",
    "TranslationalJoint": "prismatic",
    "CylindricalJoint": "cylindrical",
    "SphericalJoint": "spherical",
    "UniversalJoint": "universal",
    "ScrewJoint": "thread",
    "PlanarJoint": "planar",
    "FixedJoint": "fixed",
    "PointInPlaneJoint": "point-on-plane",
    "PointInLineJoint": "point-on-line",
    "SphSphJoint": "distance",
    "ConstantVelocityJoint": "constant-velocity",
    "ParallelAxesJoint": "parallel-axes",
    "PerpendicularJoint": "perpendicular-axes",
    "NoRotationJoint": "orientation",
    "LineInPlaneJoint": "line-on-plane",
    "AngleJoint": "axes-angle",
    "CylSphJoint": "cylindrical-spherical",
    "RevCylJoint": "revolute-cylindrical",
    "RevRevJoint": "revolute-revolute",
}
# Joints that are massless links, with a length.
MASSLESS_LINKS = ("distance", "cylindrical-spherical", "revolute-cylindrical", "revolute-revolute")
# The joints that massless links are where their length is zero.
ZERO_LENGTH_JOINTS = {
    "cylindrical-spherical": "point-on-line",
    "revolute-cylindrical": "cylindrical",
    "revolute-revolute": "revolute",
}
COUPLING_CLASSES = {"GearJoint": "gear", "RackPinionJoint": "rack"}
RADII = ("radiusI", "radiusJ")
MOST_ASMT_BYTES = 256 * 2**20  # of a file; 100,000 parts take 111 MB, each number in a line of its own
CUT_LETTERS = 4  # at the start of class names, which versions built by GCC leave out: luteJointE for RevoluteJoint


@dataclass(slots=True, eq=False)
class AsmtEntry(InFile):
    """A line of the tree with the lines indented below it."""

    text: str
    line: int
    file: str
    below: list[AsmtEntry] = field(default_factory=list)

    def find(self, text: str) -> AsmtEntry | None:
        """The first entry below with that text."""
        return next((entry for entry in self.below if entry.text == text), None)

    def need(self, text: str) -> AsmtEntry:
        """The entry that must be there."""
        entry = self.find(text)
        if entry is None:
            raise self.fail(f"{self.text} has no {text}.")
        return entry

    def value(self, text: str) -> str:
        """The line below an entry."""
        entry = self.need(text)
        if not entry.below:
            raise entry.fail(f"{text} is not followed by a value.")
        return entry.below[0].text.strip()

    @property
    def label(self) -> str:
        """Its name; "" where the line below ``Name`` is blank, as FreeCAD writes it for some joints."""
        entry = self.find("Name")
        return entry.below[0].text.strip() if entry and entry.below else ""

    def numbers(self, text: str, rows: int, columns: int) -> Floats:
        """A block of numbers below an entry."""
        table = self.need(text)
        try:
            given = [[float(word) for word in entry.text.split()] for entry in table.below[:rows]]
        except ValueError:
            raise table.fail(f"{text} holds something that is not a number.") from None
        if len(given) != rows or any(len(row) != columns for row in given):
            raise table.fail(f"{text} needs {rows} lines of {columns} numbers.")
        matrix = np.array(given)
        if not np.isfinite(matrix).all():
            raise table.fail(f"{text} holds a number that is not finite.")
        return matrix

    def pose(self, unit: float) -> Pose:
        """Position3D and RotationMatrix; the columns of the matrix are the axes."""
        r, R = self.numbers("Position3D", 1, 3)[0], self.numbers("RotationMatrix", 3, 3)
        return Pose(unit * r, orthonormal(R, f"{self.file}:{self.line}: {self.text}"))


def read_tree(text: str, file: str) -> AsmtEntry:
    """The tree of the assembly, by the number of leading tabs; series at the end are not part of it."""
    root = AsmtEntry("", 0, file)
    stack = [root]
    for number, line in enumerate(text.split("\n"), 1):
        if "Series" in line and re.match(r"\s*\w*Series\b", line):
            break
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip("\t"))
        entry = AsmtEntry(line.strip("\t \r"), number, file)
        if depth > 0 and depth + 1 > len(stack):
            depth = len(stack) - 1
        del stack[depth + 1 :]
        stack[-1].below.append(entry)
        stack.append(entry)
    return root


def read(path: Path, options: Options) -> Mechanism:
    """The assembly as posed in the file, or at a time of its stored motion."""
    text = read_text(path, MOST_ASMT_BYTES)
    reader = asmt_reader(path, text, options)
    mechanism = reader.mechanism()
    if options.pose is not None:
        series = read_series(text, str(path))
        mechanism = at_time(mechanism, reader.paths, series, _time(options.pose, path), reader.unit)
    return mechanism


def asmt_reader(path: Path, text: str, options: Options, placeholders: bool = False) -> AsmtReader:
    """A reader of the assembly; ``placeholders``: masses that FreeCAD writes where none are given are read too."""
    assembly = read_tree(text, str(path)).find("Assembly")
    if assembly is None:
        raise ModelError("has no Assembly; is it an Ondsel .asmt file?", place=f"{path}:1")
    return AsmtReader(assembly, options, str(path), placeholders)


def _time(text: str, path: Path) -> float:
    try:
        return float(text)
    except ValueError:
        raise ModelError(
            f"--pose {text}: an .asmt file takes its pose from a time of its motion, in seconds.", place=str(path)
        ) from None


def at_time(mechanism: Mechanism, paths: dict[str, str], series: Series, t: float, unit: float) -> Mechanism:
    """The mechanism in the pose of the stored motion at a time."""
    k = series.index(t)
    parts = []
    for part in mechanism.parts:
        path = paths[part.name]
        R = bryant(*series.of_part(path, ("Bryantx", "Bryanty", "Bryantz"), k))
        parts.append(replace(part, pose=Pose(unit * series.of_part(path, "XYZ", k), R)))
    return replace(mechanism, parts=tuple(parts))


def on_principal_axes(mechanism: Mechanism, axes: dict[str, Pose]) -> Mechanism:
    """The same mechanism with the frame of each part at its centre of mass, along its principal axes, as in the solver.

    ``axes``: this frame in the part, for parts that have one.
    """
    parts = []
    for part in mechanism.parts:
        if part.name in axes and part.inertia is not None:
            P = axes[part.name]
            J = np.diag(np.diag(P.R.T @ part.inertia.J @ P.R))
            part = replace(part, pose=part.pose @ P, inertia=replace(part.inertia, center=np.zeros(3), J=J))
        parts.append(part)
    inverse = {name: P.inverse for name, P in axes.items()}
    joints = tuple(
        replace(
            joint,
            frame_a=inverse.get(joint.a, Pose()) @ joint.frame_a,
            frame_b=inverse.get(joint.b, Pose()) @ joint.frame_b,
        )
        for joint in mechanism.joints
    )
    return replace(mechanism, parts=tuple(parts), joints=joints)


def bryant(x: float, y: float, z: float) -> Floats:
    """R = R_x R_y R_z: Bryant angles, rotations about moving axes."""
    return rotation((1, 0, 0), x) @ rotation((0, 1, 0), y) @ rotation((0, 0, 1), z)


class AsmtReader:
    """A reader of one assembly."""

    def __init__(self, assembly: AsmtEntry, options: Options, file: str, placeholders: bool) -> None:
        self.assembly, self.file, self.drives = assembly, file, options.drives
        self.name = assembly.value("Name")
        header_is_freecad = any(entry.text == "OndselAssembly" for entry in assembly.need("Name").below)
        self.unit, unit_name = length_unit(options.units, "mm" if header_is_freecad else "m")
        reason = "FreeCAD writes millimetres" if header_is_freecad else "the file names no unit"
        self.notes = [Note(NoteKind.REMARK, "units", f"lengths taken as {unit_name} ({reason}; --units changes it)")]
        self.ignores_placeholders = header_is_freecad and not placeholders
        self.joint_names, self.part_names = Names(), Names()
        self.parts: dict[str, str] = {}  # path → name
        self.paths: dict[str, str] = {GROUND: f"/{self.name}"}  # name → path
        self.joints: dict[str, str] = {}  # path → name
        self.markers: dict[str, PartFrame] = {}  # path → frame
        self.between: dict[tuple[str, str], str] = {}  # markers → joint
        self.meshing: dict[str, tuple[PartFrame, PartFrame]] = {}  # gear or rack → its markers I and J
        self.principal: dict[str, Pose] = {}  # part → its centre of mass and principal axes

    def mechanism(self) -> Mechanism:
        """Everything that was read."""
        entries = [e for e in self.assembly.need("Parts").below if e.text == "Part"]
        prefix = common_prefix([e.value("Name") for e in entries])
        self._markers(self.assembly, GROUND, f"/{self.name}", Pose())
        parts = tuple(self._part(entry, prefix) for entry in entries)
        joints, couplings = self._joints(parts)
        gravity = self.assembly.find("ConstantGravity")
        g = self.assembly.numbers("ConstantGravity", 1, 3)[0] * self.unit if gravity else np.zeros(3)
        return Mechanism(
            readable_name(self.name), "asmt", parts, joints, couplings, self._motions(), self._loads(), self._limits(),
            gravity=(float(g[0]), float(g[1]), float(g[2])), notes=tuple(self.notes), keep_fixed=True,
        )  # fmt: skip

    def _part(self, entry: AsmtEntry, prefix: str) -> Part:
        original = entry.value("Name")
        name = self.part_names.new(readable_name(original, prefix), original)
        path = f"/{self.name}/{original}"
        self.parts[path], self.paths[name] = name, path
        self._markers(entry, name, path, Pose())
        return Part(name, entry.pose(self.unit), self._inertia(entry, name))

    def _inertia(self, entry: AsmtEntry, name: str) -> Inertia | None:
        marker = entry.find("PrincipalMassMarker")
        if marker is None:
            return None
        mass = float(marker.numbers("Mass", 1, 1)[0, 0])
        moments = marker.numbers("MomentOfInertias", 1, 3)[0]
        if self.ignores_placeholders and mass == 1.0 and (moments == 1.0).all():
            return None  # FreeCAD writes 1 kg and (1, 1, 1) where no mass is given
        pose = self.principal[name] = marker.pose(self.unit)
        return Inertia(mass, pose.r, pose.R @ np.diag(moments * self.unit**2) @ pose.R.T, marker.place)

    def _markers(self, entry: AsmtEntry, owner: str, path: str, at: Pose) -> None:
        points = entry.find("RefPoints")
        for point in points.below if points else ():
            base = at @ point.pose(self.unit)
            markers = point.find("Markers")
            for marker in markers.below if markers else ():
                self.markers[f"{path}/{marker.value('Name')}"] = PartFrame(owner, base @ marker.pose(self.unit))

    def _marker(self, entry: AsmtEntry, key: str) -> PartFrame:
        path = entry.value(key)
        if path not in self.markers:
            raise entry.need(key).fail(f"there is no marker '{path}'.{did_you_mean(path, self.markers)}")
        return self.markers[path]

    def _joints(self, parts: tuple[Part, ...]) -> tuple[tuple[ImportedJoint, ...], tuple[ImportedCoupling, ...]]:
        section = self.assembly.need("ConstraintSets").find("Joints")
        joints: list[ImportedJoint] = []
        entries = section.below if section else []
        prefix = common_prefix([entry.label for entry in entries])
        entries_of_gears = []
        for entry in entries:
            entry.text = _class_name(entry)
            if entry.text in COUPLING_CLASSES:
                entries_of_gears.append(entry)
            elif self._marker(entry, "MarkerI").part == self._marker(entry, "MarkerJ").part == GROUND:
                self.notes.append(Note(NoteKind.SKIPPED, f"joint '{entry.label}'", "both of its sides are on ground"))
            else:
                joints.append(self._joint(entry, prefix))
        gears = GearFinder(joints, {part.name: part.pose for part in parts})
        couplings = tuple(self._coupling(entry, gears, prefix) for entry in entries_of_gears)
        general = self.assembly.need("ConstraintSets").find("GeneralConstraintSets")
        for entry in general.below if general else ():
            raise entry.fail(f"the constraint {entry.text} has no counterpart; it is not approximated.")
        return tuple(joints), couplings

    def _joint(self, entry: AsmtEntry, prefix: str) -> ImportedJoint:
        original = entry.label
        (a, at_a), (b, at_b) = self._marker(entry, "MarkerI"), self._marker(entry, "MarkerJ")
        name = self.joint_names.new(readable_name(original or f"joint {a}~{b}", prefix), original, parent=b)
        self.joints[f"/{self.name}/{original}"] = name
        self.between[entry.value("MarkerI"), entry.value("MarkerJ")] = name
        kind, parameters = self._kind(entry)
        if a == b:
            raise entry.fail(f"joint '{original}' connects '{a}' with itself.")
        at_a, at_b = joint_frames(kind, at_a, at_b)
        if kind == "thread":
            parameters["pitch"] = self.unit * float(entry.numbers("pitch", 1, 1)[0, 0])
        key = "offset" if entry.find("offset") else "distanceIJ"
        if kind in ("planar", "point-on-plane", "line-on-plane") and entry.find(key):
            shift = self.unit * float(entry.numbers(key, 1, 1)[0, 0])
            at_a = at_a @ Pose(np.array([0.0, 0.0, shift]))
        return ImportedJoint(name, kind, a, b, at_a, at_b, parameters)

    def _kind(self, entry: AsmtEntry) -> tuple[str, dict[str, float]]:
        """The joint type, with the length of a link or the cosine of an angle; another one for length zero."""
        kind = ASMT_JOINTS[entry.text]
        if kind in MASSLESS_LINKS:
            length = self.unit * float(entry.numbers("distanceIJ", 1, 1)[0, 0]) if entry.find("distanceIJ") else 0.0
            if not length and kind in ZERO_LENGTH_JOINTS:
                return ZERO_LENGTH_JOINTS[kind], {}
            return kind, {"length": length}
        if kind == "axes-angle":
            angle = float(entry.numbers("theIzJz", 1, 1)[0, 0]) if entry.find("theIzJz") else 0.0
            return ("parallel-axes", {}) if not math.sin(angle) else (kind, {"cosine": math.cos(angle)})
        return kind, {}

    def _coupling(self, entry: AsmtEntry, gears: GearFinder, prefix: str) -> ImportedCoupling:
        original = entry.value("Name")
        a, b = self._marker(entry, "MarkerI"), self._marker(entry, "MarkerJ")
        name = self.joint_names.new(readable_name(original, prefix), original)
        self.joints[f"/{self.name}/{original}"] = name
        self.notes.append(tooth_force_warning(name))
        self.meshing[name] = (a, b)
        try:
            if entry.text == "GearJoint":
                return gears.gear(name, a, b, *(float(entry.numbers(k, 1, 1)[0, 0]) for k in RADII))
            return gears.rack(name, a, b, self.unit * float(entry.numbers("pitchRadius", 1, 1)[0, 0]))
        except ModelError:
            raise
        except ReactioError as error:
            raise entry.fail(f"{entry.text} '{original}': {error}") from None

    def _motions(self) -> tuple[ImportedMotion, ...]:
        section = self.assembly.need("ConstraintSets").find("Motions")
        motions = []
        for entry in section.below if section else ():
            key = {"RotationalMotion": "RotationZ", "TranslationalMotion": "TranslationZ"}.get(entry.text)
            if key is None and self.drives:
                raise entry.fail(f"the motion {entry.text} has no counterpart; it is not approximated.")
            if key is None:
                self.notes.append(
                    Note(NoteKind.SKIPPED, f"{entry.text} '{entry.value('Name')}'", "left free, like all motions")
                )
                continue
            name, original = self._driven(entry), entry.value("Name")
            coordinate = "rotation" if key == "RotationZ" else "translation"
            if entry.find(key) is None and self.drives:
                raise entry.fail(
                    f"the motion '{original}' has no {key}: OndselSolver leaves it out when it writes a file. Take it "
                    "from the file that was run, or leave motions free."
                )
            # The function is not needed where the drive is left out, or where stored accelerations are audited.
            function = ondsel_expression(entry.value(key)) if entry.find(key) else "0"
            length = f"({function}) * {self.unit!r}" if key == "TranslationZ" and self.unit != 1.0 else function
            motions.append(
                ImportedMotion(self.joint_names.new(readable_name(original), original), f"{name}.{coordinate}", length)
            )
        return tuple(motions)

    def _driven(self, entry: AsmtEntry) -> str:
        """The joint of a motion: named, or the one between the same markers."""
        if entry.find("MotionJoint") is None:
            markers = entry.value("MarkerI"), entry.value("MarkerJ")
            if markers not in self.between:
                raise entry.fail(
                    f"the motion moves {markers[0]} against {markers[1]}, between which there is no joint."
                )
            return self.between[markers]
        path = entry.value("MotionJoint")
        if path not in self.joints:
            raise entry.fail(f"the motion drives '{path}', which is not a joint of the assembly.")
        return self.joints[path]

    def _limits(self) -> tuple[Limit, ...]:
        """Ends of the range of a joint, each an entry of its own: ``=>`` bounds it from below."""
        section = self.assembly.need("ConstraintSets").find("Limits")
        limits = []
        for entry in section.below if section else ():
            word = {"RotationLimit": "rotation", "TranslationLimit": "translation"}.get(entry.text)
            name = self._limited(entry)
            if word is None or name is None:
                self.notes.append(Note(NoteKind.SKIPPED, f"{entry.text} '{entry.value('Name')}'", "it names no joint"))
                continue
            value = self._constant(entry) * (self.unit if word == "translation" else 1.0)
            below = entry.value("Type") in ("=>", ">=")
            limits.append(Limit(f"{name}.{word}", value if below else None, None if below else value))
        return tuple(limits)

    def _limited(self, entry: AsmtEntry) -> str | None:
        """The joint of a limit: named, or the one between the same markers."""
        path = entry.find("MotionJoint")
        if path is not None and path.below and path.below[0].text in self.joints:
            return self.joints[path.below[0].text]
        if entry.find("MarkerI") is None or entry.find("MarkerJ") is None:
            return None
        return self.between.get((entry.value("MarkerI"), entry.value("MarkerJ")))

    def _constant(self, entry: AsmtEntry) -> float:
        text = ondsel_expression(entry.value("Limit"))
        try:
            return float(evaluate(text, {"pi": math.pi}))
        except ReactioError as error:
            raise entry.fail(f"Limit '{text}' is not a number: {error}") from None

    def _loads(self) -> tuple[Load, ...]:
        section = self.assembly.find("ForceTorques")
        for entry in section.below if section else ():
            self.notes.append(Note(NoteKind.SKIPPED, entry.text, "loads of .asmt files are functions of their solver"))
        return ()


def _class_name(entry: AsmtEntry) -> str:
    """The class of a joint, also where the first letters of its name are missing."""
    known = [*ASMT_JOINTS, *COUPLING_CLASSES]
    if entry.text in known:
        return entry.text
    matches = [name for name in known if f"{name[CUT_LETTERS:]}E" == entry.text]
    if len(matches) > 1:
        raise entry.fail(f"the joint {entry.text} may be {' or '.join(matches)}: its name was cut. Write it in full.")
    if not matches:
        hint = did_you_mean(entry.text, known)
        raise entry.fail(f"the joint {entry.text} has no counterpart; it is not approximated.{hint}")
    return matches[0]


def ondsel_expression(text: str) -> str:
    """A function of time as our own parser reads it: ``2.0d*pi*time`` is ``2.0*pi*t``.

    >>> ondsel_expression("0.5d + 0.3d*sin(2.0d*pi*time)")
    '0.5 + 0.3*sin(2.0*pi*t)'
    """
    plain = re.sub(r"(\d\.?\d*(?:[eE][+-]?\d+)?)d\b", r"\1", text)
    return re.sub(r"\btime\b", "t", plain)


ASMT = register(
    Format(
        "asmt",
        (".asmt",),
        ("freeCAD: 3D CAD with Motion Simulation", "OndselSolver"),
        read,
        "Assemblies of FreeCAD's solver (Ondsel), with its motion and its reactions.",
        ("pose", "units"),
    )
)
