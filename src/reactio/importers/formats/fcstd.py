"""FreeCAD documents (.FCStd) with an Assembly: a zip with Document.xml, read by the standard library alone."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.catalogue.units import Units
from reactio.errors import ModelError, ReactioError, did_you_mean
from reactio.importers import Format, Options, register
from reactio.importers.mechanism import (
    EARTH_GRAVITY,
    ImportedCoupling,
    ImportedJoint,
    Limit,
    Mechanism,
    Mesh,
    Part,
    PartFrame,
)
from reactio.importers.pose import Pose, from_quaternion
from reactio.importers.reading.gears import GearFinder, tooth_force_warning
from reactio.importers.reading.marker_axes import joint_frames
from reactio.importers.reading.names import Names, readable_name
from reactio.importers.reading.xml import XmlElement, parse_xml
from reactio.model.notes import Note, NoteKind

MOST_DOCUMENT_BYTES = 256 * 2**20  # of Document.xml, unpacked
LARGEST_COMPRESSION = 1000  # size unpacked over packed: text has some 20, a zip bomb far more
KNOWN_SCHEMA = 4
MILLIMETRE = 1e-3
DEGREE = np.pi / 180
FREECAD_JOINTS = {
    "Fixed": "fixed",
    "Revolute": "revolute",
    "Cylindrical": "cylindrical",
    "Slider": "prismatic",
    "Ball": "spherical",
    "Screw": "thread",
    "Parallel": "parallel-axes",
    "Perpendicular": "perpendicular-axes",
}
ASSEMBLY, SUB_ASSEMBLY, GROUP = "Assembly::AssemblyObject", "Assembly::AssemblyLink", "App::DocumentObjectGroup"
CONTAINERS = (ASSEMBLY, SUB_ASSEMBLY, "App::Part")  # objects whose placement applies to those in them
MOST_NESTED = 100  # links to links, and parts in parts
COUPLING_TYPES = ("Gears", "Belt", "RackPinion")
# Joints that keep the distance of two elements, by the kinds of elements in the file; their shapes are not read.
DISTANCES = {
    ("Face", "Face"): ("planar", "a distance of two faces, both taken as planes"),
    ("Face", "Vertex"): ("point-on-plane", "a distance of a point from a face, taken as a plane"),
    ("Edge", "Face"): ("line-on-plane", "a distance of an edge from a face, taken as a line and a plane"),
}
# What FreeCAD does about joints that do not fit, for refusals.
ABOUT_GAPS = "FreeCAD's solver drops equations that it finds redundant, and with them gaps like these: it shows none. "


@dataclass(slots=True, eq=False)
class _Object:
    """An object of the document with its properties by name."""

    name: str
    type: str
    element: XmlElement
    properties: dict[str, XmlElement] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its name for people."""
        given = self.properties.get("Label")
        return given.children[0].get("value") if given and given.children else self.name

    def flag(self, name: str, default: bool = False) -> bool:
        """A property that is true or false."""
        given = self.properties.get(name)
        return given.children[0].get("value") == "true" if given and given.children else default

    def number(self, name: str) -> float:
        """A property that is a number; 0 where it is missing."""
        given = self.properties.get(name)
        return given.children[0].number("value", 0.0, f"{self.name}: {name}") if given and given.children else 0.0

    def placement(self, name: str = "Placement") -> Pose:
        """A property that is a pose."""
        given = self.properties.get(name)
        if given is None or not given.children:
            return Pose()
        element, what = given.children[0], f"{self.name}: {name}"
        r = [element.number(key, 0.0, what) for key in ("Px", "Py", "Pz")]
        x, y, z, w = (element.number(key, 0.0, what) for key in ("Q0", "Q1", "Q2", "Q3"))
        try:
            return from_quaternion(MILLIMETRE * np.array(r), (w, x, y, z), what)
        except ReactioError as error:
            raise element.fail(str(error)) from None

    @property
    def shape_file(self) -> str:
        """The member of the archive that holds its BRep, "" where it has none."""
        given = self.properties.get("Shape")
        part = given.find("Part") if given is not None else None
        return part.get("file") if part is not None else ""

    @property
    def is_active(self) -> bool:
        """Is it a joint that takes part in the assembly?"""
        return self.flag("Activated", True) and not self.flag("Suppressed")

    @property
    def is_array(self) -> bool:
        """Is it a link to an array of elements, each with a placement of its own?"""
        return self.type == "App::Link" and self.number("ElementCount") > 0

    @property
    def is_elsewhere(self) -> bool:
        """Is it a link to an object of another file?"""
        given = self.properties.get("LinkedObject")
        return given is not None and any(inner.get("file") for inner in given.children)

    @property
    def is_rigid(self) -> bool:
        """Does it move as one rigid part?  Assemblies, groups, arrays and flexible sub-assemblies do not."""
        flexible = self.type == SUB_ASSEMBLY and not self.flag("Rigid", True)
        return not (self.type in (ASSEMBLY, GROUP) or self.is_array or flexible)

    def link(self, name: str) -> tuple[str, list[str]]:
        """The object that a reference names, and the rest of its path."""
        given = self.properties.get(name)
        if given is None or not given.children:
            return "", []
        inner = given.children[0]
        return inner.get("name") or inner.get("value"), [sub.get("value") for sub in inner.all("Sub")]

    @property
    def joint_type(self) -> str:
        """The name of the type of a joint in FreeCAD."""
        given = self.properties["JointType"]
        chosen, names = given.find("Integer"), given.find("CustomEnumList")
        if chosen is None or names is None:
            raise given.fail(f"joint '{self.label}' has no type that can be read.")
        index = int(chosen.number("value", 0, "JointType"))
        if not 0 <= index < len(names.children):
            raise given.fail(f"joint '{self.label}' has the type number {index}, which the file does not name.")
        return names.children[index].get("value")


def document_xml(path: Path) -> bytes:
    """Document.xml of a FreeCAD file; archives that would grow beyond reason are refused."""
    try:
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo("Document.xml")
            if info.file_size > MOST_DOCUMENT_BYTES or info.file_size > LARGEST_COMPRESSION * max(
                info.compress_size, 1
            ):
                raise ModelError(
                    f"Document.xml unpacks from {info.compress_size:,} to {info.file_size:,} bytes, which no "
                    f"document needs.",
                    place=str(path),
                )
            with archive.open(info) as file:
                data = file.read(MOST_DOCUMENT_BYTES + 1)
            if len(data) > MOST_DOCUMENT_BYTES:
                raise ModelError("Document.xml is larger than its archive says.", place=str(path))
            return data
    except KeyError:
        raise ModelError("holds no Document.xml; is it a FreeCAD file?", place=str(path)) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ModelError(f"is not a readable zip archive: {error}.", place=str(path)) from None


def read(path: Path, options: Options) -> Mechanism:
    """The mechanism of the assembly, in the pose of the file."""
    root = parse_xml(document_xml(path), f"{path}:Document.xml")
    notes = []
    schema = root.get("SchemaVersion", "0")
    if not schema.isdigit() or int(schema) > KNOWN_SCHEMA:
        notes.append(
            Note(
                NoteKind.WARNING,
                "SchemaVersion",
                f"the file has {schema}, newer than {KNOWN_SCHEMA}: check what was read",
            )
        )
    objects = _objects(root)
    joints = [item for item in objects.values() if "JointType" in item.properties]
    grounds = [item for item in objects.values() if "ObjectToGround" in item.properties]
    if not joints:
        raise root.fail("holds no joints of an Assembly; make them in FreeCAD's Assembly workbench (1.0 or later).")
    if not options.deactivated and not any(item.is_active for item in joints):
        raise root.fail(f"all {len(joints)} joints of its Assembly are deactivated; --deactivated takes them.")
    assembly = _Assembly(objects, notes, path.name, options.deactivated)
    joints, grounds = ([item for item in group if assembly.counts(item)] for group in (joints, grounds))
    fixed = {assembly.reference(item, *item.link("ObjectToGround")).part for item in grounds}
    if not fixed:
        notes.append(Note(NoteKind.WARNING, "ground", "no part is grounded in the assembly"))
    return assembly.mechanism(readable_name(path.stem), joints, fixed)


def _objects(root: XmlElement) -> dict[str, _Object]:
    listing, data = root.find("Objects"), root.find("ObjectData")
    if listing is None or data is None:
        raise root.fail("holds no Objects and ObjectData; is it a FreeCAD document?")
    objects = {e.get("name"): _Object(e.get("name"), e.get("type"), e) for e in listing.all("Object")}
    for element in data.all("Object"):
        item = objects.get(element.get("name"))
        properties = element.find("Properties")
        if item is not None and properties is not None:
            item.properties = {p.get("name"): p for p in properties.all("Property")}
    return objects


class _Assembly:
    """The parts that joints refer to, and the joints between them."""

    def __init__(self, objects: dict[str, _Object], notes: list[Note], archive: str, deactivated: bool) -> None:
        self.objects, self.notes, self.archive, self.deactivated = objects, notes, archive, deactivated
        self.body_names, self.joint_names = Names(), Names()
        self.bodies: dict[str, str] = {}  # object → name
        self.parents = {
            child.get("value"): item.name
            for item in objects.values()
            for key in ("Group", "ElementList")
            if key in item.properties
            for child in (e for e in item.properties[key].walk() if e.tag == "Link")
        }
        subs = [item for item in objects.values() if item.type == SUB_ASSEMBLY and not item.is_elsewhere]
        self.sources = {item.link("LinkedObject")[0] for item in subs}  # assemblies that others use a copy of

    def counts(self, joint: _Object) -> bool:
        """Is it a joint of the mechanism?  A joint inside a rigid sub-assembly, or of the copied assembly, is not.

        FreeCAD leaves joints without a second reference, as after a part was deleted, out of its equations.
        """
        name, why = joint.name, ""
        if "JointType" in joint.properties and not all(joint.link(f"Reference{side}")[0] for side in "12"):
            why = "it refers to one part or none; FreeCAD leaves it out"
        while name in self.parents and not why:
            name = self.parents[name]
            holder = self.objects[name]
            if holder.type == SUB_ASSEMBLY and holder.is_rigid:
                why = f"it is inside the sub-assembly '{holder.label}', which is rigid"
            elif name in self.sources:
                why = f"it belongs to '{holder.label}', of which another assembly uses a copy"
        if why:
            self._skip(joint, why)
        return not why

    def reference(self, joint: _Object, name: str, subs: list[str]) -> PartFrame:
        """The rigid part that a reference means, and the pose on that part of the object that it names.

        A reference is a path, assembly.part.body.Face1: the first object on it that moves as one is the part, and
        placements of the joint are on the last one, here the body.
        """
        path = self._path(joint, name, subs)
        part = next((item for item in path if item.is_rigid), path[-1])
        if part.is_array:
            raise joint.element.fail(
                f"'{joint.label}' refers to an element of the array '{part.label}' by its number; show its elements in "
                "FreeCAD (ShowElement)."
            )
        if part.name not in self.bodies and part.type != ASSEMBLY:
            self.bodies[part.name] = self.body_names.new(readable_name(part.label), part.label)
        holder, inside = part, Pose()
        if part.flag("LinkTransform") and not part.is_elsewhere and part.link("LinkedObject")[0] in self.objects:
            inside = self.objects[part.link("LinkedObject")[0]].placement()
        for item in path[path.index(part) + 1 :]:
            if self._kind(holder) not in (*CONTAINERS, GROUP) and "CoordinateSystem" not in item.type:
                break  # features of a body are in the axes of the body
            holder, inside = item, inside @ item.placement()
        return PartFrame(part.name, inside)

    def _path(self, joint: _Object, name: str, subs: list[str]) -> list[_Object]:
        """The objects on the path to an element; those of other files are not read."""
        if name not in self.objects:
            raise joint.element.fail(f"'{joint.label}' refers to '{name}', which is not an object of the document."
                                     f"{did_you_mean(name, self.objects)}")  # fmt: skip
        path = [self.objects[name]]
        for word in subs[0].split(".")[:-1] if subs else ():
            if word not in self.objects or path[-1].is_elsewhere:
                break
            path.append(self.objects[word])
        return path

    def _kind(self, item: _Object) -> str:
        """The type of an object, or of the object that it links to."""
        for _ in range(MOST_NESTED):
            linked = item.link("LinkedObject")[0] if item.type != SUB_ASSEMBLY and not item.is_elsewhere else ""
            if linked not in self.objects:
                return item.type
            item = self.objects[linked]
        return item.type

    def placement(self, name: str) -> Pose:
        """The pose of an object in the top assembly, through the assemblies and parts that contain it."""
        pose, seen = self.objects[name].placement(), {name}
        while name in self.parents:
            name = self.parents[name]
            if name in seen:
                raise ModelError(f"'{name}' holds itself.")
            seen.add(name)
            if self.objects[name].type in CONTAINERS or self.objects[name].is_array:
                pose = self.objects[name].placement() @ pose
        return pose

    def _shapes(self, name: str, at: Pose | None = None, depth: int = 0) -> list[Mesh]:
        """The BReps of an object, in its axes or ``at`` a pose; those of links, and of the objects that it holds.

        The BRep of an object contains its placement P, which is removed: x in its axes = P⁻¹ x in the file.
        """
        if name not in self.objects or depth > MOST_NESTED:
            return []
        item, at = self.objects[name], at or Pose()
        linked, _ = item.link("LinkedObject")
        if linked:
            inner = (
                self.objects[linked].placement() if item.flag("LinkTransform") and linked in self.objects else Pose()
            )
            return self._shapes(linked, at @ inner, depth + 1)
        if file := item.shape_file:
            return [Mesh(f"{self.archive}/{file}", at @ item.placement().inverse, (MILLIMETRE, MILLIMETRE, MILLIMETRE))]
        held = [child for child, parent in self.parents.items() if parent == name and child in self.objects]
        if item.type not in CONTAINERS:
            return []
        shown = [child for child in held if self.objects[child].flag("Visibility", True)]
        return [m for c in shown for m in self._shapes(c, at @ self.objects[c].placement(), depth + 1)]

    def mechanism(self, name: str, joints: list[_Object], fixed: set[str]) -> Mechanism:
        """The parts and joints of the assembly; ``fixed`` objects are ground."""
        imported, of_gears, limits = list[ImportedJoint](), [], []
        for item in joints:
            kind = item.joint_type
            if not (item.is_active or self.deactivated):
                self._skip(item, "it is not active in the file; --deactivated takes it")
                continue
            a, b = self._ends(item, fixed)
            if a.part == b.part:
                self._skip(item, f"both of its ends are on '{a.part}'; FreeCAD leaves it out")
            elif kind in COUPLING_TYPES:
                of_gears.append((item, kind, a, b))
            else:
                joint = self._joint(item, kind, a, b)
                imported.append(joint)
                limits += self._limits(item, joint)
        poses = {label: self.placement(key) for key, label in self.bodies.items() if key not in fixed}
        gears = GearFinder(imported, poses)
        couplings = tuple(self._coupling(*of_gear, gears) for of_gear in of_gears)
        parts = tuple(
            Part(label, self.placement(key), None, tuple(self._shapes(key)))
            for key, label in self.bodies.items()
            if key not in fixed
        )
        ground = tuple(
            Mesh(mesh.file, self.placement(key) @ mesh.pose, mesh.scale)
            for key in sorted(fixed)
            for mesh in self._shapes(key)
        )
        self.notes.append(Note(NoteKind.REMARK, "units", "FreeCAD writes millimetres"))
        return Mechanism(
            name, "fcstd", parts, tuple(imported), couplings, limits=tuple(limits), gravity=EARTH_GRAVITY,
            notes=tuple(self.notes), ground=ground, about_gaps=ABOUT_GAPS,
            units=Units(length="mm"),
        )  # fmt: skip

    def _ends(self, item: _Object, fixed: set[str]) -> tuple[PartFrame, PartFrame]:
        """The frames of both references of a joint, on parts or on ground."""
        ends = []
        for side in ("1", "2"):
            name, subs = item.link(f"Reference{side}")
            key, inside = self.reference(item, name, subs)
            at = inside @ item.placement(f"Placement{side}")
            if key in fixed or key not in self.bodies:
                ends.append(PartFrame(GROUND, self.placement(key) @ at))
            else:
                ends.append(PartFrame(self.bodies[key], at))
        return ends[0], ends[1]

    def _skip(self, joint: _Object, why: str) -> None:
        self.notes.append(Note(NoteKind.SKIPPED, f"joint '{joint.label}'", why))

    def _joint(self, item: _Object, kind: str, on_a: PartFrame, on_b: PartFrame) -> ImportedJoint:
        (a, at_a), (b, at_b) = on_a, on_b
        name = self.joint_names.new(readable_name(item.label), item.label, parent=b)
        parameters = {}
        type_ = FREECAD_JOINTS.get(kind, "")
        if kind == "Screw":
            parameters["pitch"] = MILLIMETRE * item.number("Distance")
        if kind == "Distance":
            type_, exchanged = self._distance(item)
            if exchanged:
                (a, at_a), (b, at_b) = (b, at_b), (a, at_a)
            if type_ in ("distance", "cylindrical-spherical"):
                parameters["length"] = MILLIMETRE * item.number("Distance")
            if type_ in ("planar", "point-on-plane", "line-on-plane"):
                at_a = at_a @ Pose(np.array([0.0, 0.0, MILLIMETRE * item.number("Distance")]))
        if kind == "Angle" and not np.remainder(item.number("Angle"), 180.0):
            type_ = "parallel-axes"
        elif kind == "Angle":
            type_ = "axes-angle"
            parameters["cosine"] = float(np.cos(DEGREE * item.number("Angle")))
        if not type_:
            raise item.element.fail(f"joint '{item.label}' is of type {kind}, which has no counterpart here; it is not "
                                   "approximated.")  # fmt: skip
        return ImportedJoint(name, type_, a, b, *joint_frames(type_, at_a, at_b), parameters)

    def _distance(self, item: _Object) -> tuple[str, bool]:
        """The joint that keeps a distance, by the kinds of its references, and whether these are exchanged.

        A reference is an element, as a face, and the vertex of it where the joint was placed.
        """
        kinds = []
        for side in ("1", "2"):
            subs = item.link(f"Reference{side}")[1]
            element = subs[0].rpartition(".")[2] if subs else ""
            kinds.append(element.rstrip("0123456789"))
        apart = item.number("Distance") != 0.0
        pair = tuple(sorted(kinds))
        if pair == ("Edge", "Vertex"):
            return ("cylindrical-spherical" if apart else "point-on-line"), kinds[0] == "Vertex"
        if pair == ("Vertex", "Vertex"):
            return ("distance" if apart else "spherical"), False
        if pair in DISTANCES:
            type_, remark = DISTANCES[pair]
            self.notes.append(Note(NoteKind.WARNING, f"joint '{item.label}'", remark))
            return type_, kinds[0] != "Face"
        between = " and ".join(kind or "nothing" for kind in kinds)
        raise item.element.fail(f"joint '{item.label}': a distance between {between} has no counterpart here.")

    def _limits(self, item: _Object, joint: ImportedJoint) -> list[Limit]:
        limits = []
        ranges = (("Length", "translation", MILLIMETRE, ("prismatic", "cylindrical")),
                  ("Angle", "rotation", DEGREE, ("revolute", "cylindrical")))  # fmt: skip
        for word, coordinate, unit, types in ranges:
            given = [
                unit * item.number(f"{word}{end}") if item.flag(f"Enable{word}{end}") else None
                for end in ("Min", "Max")
            ]
            if joint.type in types and any(x is not None for x in given):
                limits.append(Limit(f"{joint.name}.{coordinate}", given[0], given[1]))
        return limits

    def _coupling(self, item: _Object, kind: str, a: PartFrame, b: PartFrame, gears: GearFinder) -> ImportedCoupling:
        name = self.joint_names.new(readable_name(item.label), item.label)
        r1, r2 = MILLIMETRE * item.number("Distance"), MILLIMETRE * item.number("Distance2")
        self.notes.append(tooth_force_warning(name))
        try:
            if kind == "RackPinion":
                return gears.rack(name, *gears.rack_and_pinion(a, b), r1)
            return gears.gear(name, a, b, r1, -r2 if kind == "Belt" else r2)
        except ReactioError as error:
            raise item.element.fail(f"joint '{item.label}': {error}") from None


FCSTD = register(
    Format(
        "fcstd",
        (".fcstd",),
        (),
        read,
        "Assemblies of FreeCAD 1.0 and later; FreeCAD itself is not needed.",
        ("deactivated",),
    )
)
