"""Adams decks (.adm), a stated subset: parts, markers, joints, primitives, motions, couplers, gears and plain loads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.catalogue.units import units_of_size
from reactio.errors import ModelError, did_you_mean
from reactio.functions.expression import Expression
from reactio.importers import Format, Options, register
from reactio.importers.formats.adams.statements import Statement, adams_expression, statements
from reactio.importers.mechanism import (
    ImportedCoupling,
    ImportedJoint,
    ImportedMotion,
    Inertia,
    Load,
    Mechanism,
    Part,
    PartFrame,
    steiner,
)
from reactio.importers.pose import Pose, frame_along, rotation
from reactio.importers.reading.gears import tooth_force_warning
from reactio.importers.reading.marker_axes import joint_frames
from reactio.importers.reading.names import Names, readable_name
from reactio.linear.precision import GEOMETRY
from reactio.model.notes import Note, NoteKind, NoteTopic
from reactio.operating_system.files import read_text

ADAMS_JOINTS = {
    "REVOLUTE": "revolute",
    "TRANSLATIONAL": "prismatic",
    "CYLINDRICAL": "cylindrical",
    "SPHERICAL": "spherical",
    "UNIVERSAL": "universal",
    "HOOKE": "universal",
    "SCREW": "thread",
    "PLANAR": "planar",
    "FIXED": "fixed",
    "CONVEL": "constant-velocity",
}
ADAMS_PRIMITIVES = {
    "INPLANE": "point-on-plane",
    "INLINE": "point-on-line",
    "ATPOINT": "spherical",
    "ORIENTATION": "orientation",
    "PARALLEL_AXES": "parallel-axes",
    "PERPENDICULAR": "perpendicular-axes",
}
READ_STATEMENTS = (
    "UNITS", "PART", "MARKER", "JOINT", "JPRIM", "GCON", "MOTION", "COUPLER", "GEAR", "ACCGRAV", "SFORCE", "VFORCE",
    "VTORQUE", "GFORCE", "SPRINGDAMPER", "BUSHING",
)  # fmt: skip
UNREAD_FORCES = ("BEAM", "FIELD", "NFORCE")  # between markers, by their deformation
UNREAD_FORCE = "a force that is not read; verdicts do not depend on it, reactions and motion do"
SKIPPED_STATEMENTS = {
    "CONTACT": "contacts are not read; write those that matter as `contacts` of the model",
    "FRICTION": "friction of joints is not read",
}
IGNORED_STATEMENTS = (
    "END", "OUTPUT", "RESULTS", "GRAPHICS", "REQUEST", "INTEGRATOR", "KINEMATICS", "DEBUG", "PREFERENCES", "LIST",
    "ARRAY", "STRING", "VARIABLE", "ICS", "IC", "EQUILIBRIUM", "TOLERANCES", "DIFF", "SENSOR", "LSOLVER",
    "ADAMS_VIEW_NAME", "PINPUT", "POUTPUT", "MEASURE", "MATERIAL", "SECTION",
    "SPLINE", "MATRIX",
)  # fmt: skip


UNKNOWN_MASS = "UNKNOWN_MASS"  # a word of parts whose mass is that of their shapes, which are not read


class UnitSystem(NamedTuple):
    """Units of an Adams deck in SI."""

    length: float  # [m]
    mass: float  # [kg]
    force: float  # [N]


UNIT_SYSTEMS = {
    "MKS": UnitSystem(1.0, 1.0, 1.0),
    "CGS": UnitSystem(1e-2, 1e-3, 1e-5),
    "FPS": UnitSystem(0.3048, 14.59390294, 4.4482216152605),
    "IPS": UnitSystem(0.0254, 175.126835, 4.4482216152605),
}
# −k (DM(i, j) − L) − c VR(i, j) + p, as Adams View writes a spring between two points, and about an axis.
SPRING_FORMULA = re.compile(
    r"-(?P<k>[^*]+)\*\(dm\((?P<i>\d+),(?P<j>\d+)\)-(?P<L>[^()*]+)\)"
    r"(?:-(?P<c>[^*]+)\*vr\(\d+,\d+\))?(?P<p>[+-][^*()]+)?"
)
TORSION_FORMULA = re.compile(
    r"-(?P<k>[^*]+)(?P<kd>\*rtod)?\*\(az\((?P<i>\d+),(?P<j>\d+)\)-(?P<L>[^()*]+)(?P<Ld>\*dtor)?\)"
    r"(?:-(?P<c>[^*]+)(?P<cd>\*rtod)?\*wz\([\d,]+\))?(?P<p>[+-][^*()]+)?"
)
DISTANCE_FORMULA = re.compile(r"dm\((?P<i>\d+),(?P<j>\d+)\)-(?P<L>[^()*]+)")
MARKER_ALONG_AXIS = 1e-4  # sine of the angle within which two axes are parallel, as files write them
DEGREES_PER_RADIAN = 180 / np.pi
ADAMS_LENGTH_UNITS = {
    "METER": 1.0,
    "MILLIMETER": 1e-3,
    "CENTIMETER": 1e-2,
    "KILOMETER": 1e3,
    "INCH": 0.0254,
    "FOOT": 0.3048,
}
MASS_UNITS = {
    "KILOGRAM": 1.0,
    "GRAM": 1e-3,
    "MEGAGRAM": 1e3,
    "POUND_MASS": 0.45359237,
    "SLUG": 14.59390294,
    "NONE": 1.0,
}
FORCE_UNITS = {"NEWTON": 1.0, "KNEWTON": 1e3, "KILOGRAM_FORCE": 9.80665, "POUND_FORCE": 4.4482216152605, "DYNE": 1e-5}


def read(path: Path, options: Options) -> Mechanism:
    """The mechanism of a deck, its parts in the poses of the file."""
    deck = statements(read_text(path), str(path))
    if not any(statement.keyword == "PART" for statement in deck):
        raise ModelError("holds no PART statement; is it an Adams .adm deck?", place=str(path))
    return Deck(deck, str(path)).mechanism(readable_name(path.stem))


class _Driven(NamedTuple):
    """A coordinate of a joint, and its value as a function of the motion of markers: q = ± f + q_0."""

    along: str
    sense: float = 1.0
    offset: float = 0.0  # [rad] or [m]

    def coordinate(self, function: str) -> str:
        """The text of q for the text of f."""
        text = function if self.sense > 0 else f"-({function})"
        return text if abs(self.offset) < GEOMETRY else f"{text} + {self.offset!r}"


class Deck:
    """The statements of a deck, and the mechanism that is read from them."""

    def __init__(self, deck: list[Statement], file: str) -> None:
        self.file = file
        self.by: dict[str, dict[int, Statement]] = {}  # keyword → number → statement
        for statement in deck:
            table = self.by.setdefault(statement.keyword, {})
            if statement.number in table and statement.number:
                raise statement.fail("this number is given twice.")
            table[statement.number] = statement
        self.notes: list[Note] = []
        units = next(iter(self.by.get("UNITS", {}).values()), None)
        system = self._system(units)
        self.length = self._unit(units, "LENGTH", ADAMS_LENGTH_UNITS, system.length)
        self.mass = self._unit(units, "MASS", MASS_UNITS, system.mass)
        self.force = self._unit(units, "FORCE", FORCE_UNITS, system.force)
        if units is None:
            self.notes.append(Note(NoteKind.REMARK, "units", "the deck has no UNITS statement: taken as SI"))
        self.body_names, self.names = Names(), Names()
        self.bodies: dict[int, str] = {}  # number of a part → its name in the model
        self.coordinates: dict[int, str] = {}  # number of a joint → its rotation or translation
        self.joints: dict[str, ImportedJoint] = {}

    def _system(self, units: Statement | None) -> UnitSystem:
        if units is None or "SYSTEM" not in units.given:
            return UNIT_SYSTEMS["MKS"]
        name = units.given["SYSTEM"][0].upper()
        if name not in UNIT_SYSTEMS:
            raise units.fail(f"SYSTEM = {name} is not a known system of units.{did_you_mean(name, UNIT_SYSTEMS)}")
        return UNIT_SYSTEMS[name]

    def _unit(self, units: Statement | None, key: str, known: dict[str, float], default: float) -> float:
        if units is None or key not in units.given:
            return default
        name = units.given[key][0].upper()
        full = [unit for unit in known if unit.startswith(name)] if name else []
        if not full:
            raise units.fail(f"{key} = {name} is not a known unit.{did_you_mean(name, known)}")
        return known[full[0]]

    def mechanism(self, name: str) -> Mechanism:
        """All that is read; statements that are not known are refused."""
        for keyword, table in self.by.items():
            if keyword in SKIPPED_STATEMENTS:
                self.notes.append(Note(NoteKind.SKIPPED, f"{len(table)} {keyword}", SKIPPED_STATEMENTS[keyword]))
            elif keyword in UNREAD_FORCES:
                self.notes += [
                    Note(NoteKind.WARNING, statement.title, UNREAD_FORCE, NoteTopic.ELEMENT)
                    for statement in table.values()
                ]
            elif keyword not in (*READ_STATEMENTS, *IGNORED_STATEMENTS):
                raise next(iter(table.values())).fail(
                    f"{keyword} has no counterpart here; it is not approximated. Remove it from the deck, or "
                    f"write the mechanism as YAML."
                )
        for number, part in self.by["PART"].items():
            ground, label = "GROUND" in part.words, readable_name(part.name or f"part_{number}")
            self.bodies[number] = GROUND if ground else self.body_names.new(label, part.name)
        parts = tuple(self._part(k, p) for k, p in self.by["PART"].items() if self.bodies[k] != GROUND)
        joints = [self._joint(j) for j in self.by.get("JOINT", {}).values() if "RACKPIN" not in j.words]
        joints += [self._primitive(j) for j in self.by.get("JPRIM", {}).values()]
        joints += [self._distance(j) for j in self.by.get("GCON", {}).values()]
        self.joints = {joint.name: joint for joint in joints}
        racks = [j for j in self.by.get("JOINT", {}).values() if "RACKPIN" in j.words]
        meshing = [*map(self._rack, racks), *map(self._gear, self.by.get("GEAR", {}).values())]
        self.notes += [tooth_force_warning(coupling.name) for coupling in meshing]
        couplings = [*meshing, *map(self._coupler, self.by.get("COUPLER", {}).values())]
        gravity = self._gravity()
        return Mechanism(name, "adams", parts, tuple(joints), tuple(couplings), self._motions(), self._forces(),
                         gravity=gravity, notes=tuple(self.notes),
                         units=units_of_size(length=self.length, mass=self.mass, force=self.force))  # fmt: skip

    def _placed(self, statement: Statement, position: str) -> Pose:
        r = self.length * np.array(statement.numbers(position, 3))
        if "REULER" in statement.given:
            a, b, c = statement.numbers("REULER", 3)
            return Pose(r, rotation((0, 0, 1), a) @ rotation((1, 0, 0), b) @ rotation((0, 0, 1), c))
        if "ZP" in statement.given or "ZG" in statement.given:
            key = "ZP" if "ZP" in statement.given else "ZG"
            other = key.replace("Z", "X")
            z = self.length * np.array(statement.numbers(key, 3)) - r
            x = self.length * np.array(statement.numbers(other, 3)) - r if other in statement.given else None
            return Pose(r, frame_along(z, f"{statement.keyword}/{statement.number}", x))
        return Pose(r)

    def _part(self, number: int, part: Statement) -> Part:
        return Part(self.bodies[number], self._placed(part, "QG"), self._inertia(part))

    def _inertia(self, part: Statement) -> Inertia | None:
        if UNKNOWN_MASS in part.words:
            return None
        if "MASS" not in part.given:
            return Inertia(0.0, np.zeros(3), np.zeros((3, 3)))
        mass = self.mass * part.numbers("MASS", 1)[0]
        center = self._marker(part.integer("CM"), part).pose if "CM" in part.given else Pose()
        frame = self._marker(part.integer("IM"), part).pose if "IM" in part.given else center
        given = part.listed("IP", (0.0, 0.0, 0.0), least=3)
        xx, yy, zz, xy, xz, yz = (self.mass * self.length**2 * x for x in [*given, 0.0, 0.0, 0.0][:6])
        # Adams gives products ∫xy dm, which are negative in the tensor, about the origin of IM (Steiner).
        J = frame.R @ np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]]) @ frame.R.T
        J -= steiner(mass, frame.r - center.r)
        return Inertia(mass, center.r, J, part.place)

    def _marker(self, number: int, where: Statement) -> PartFrame:
        marker = self.by.get("MARKER", {}).get(number)
        if marker is None:
            raise where.fail(f"there is no MARKER/{number}.")
        part = marker.integer("PART")
        if part not in self.bodies:
            raise marker.fail(f"there is no PART/{part}.")
        pose = self._placed(marker, "QP")
        if self.bodies[part] == GROUND:
            pose = self._placed(self.by["PART"][part], "QG") @ pose
        return PartFrame(self.bodies[part], pose)

    def _ends(self, statement: Statement) -> tuple[PartFrame, PartFrame]:
        """The markers I and J of a statement, which are on different parts."""
        i, j = self._marker(statement.integer("I"), statement), self._marker(statement.integer("J"), statement)
        if i.part == j.part:
            raise statement.fail(f"connects '{i.part}' with itself.")
        return i, j

    def _joint(self, statement: Statement) -> ImportedJoint:
        word = next((w for w in statement.words if w in ADAMS_JOINTS), None)
        if word is None:
            words = statement.words
            raise statement.fail(
                f"{', '.join(words) or 'this'} has no counterpart.{did_you_mean(' '.join(words), ADAMS_JOINTS)}"
            )
        (i, at_i), (j, at_j) = self._ends(statement)
        name = self.names.new(readable_name(statement.name or f"joint_{statement.number}"), statement.name)
        kind, parameters = ADAMS_JOINTS[word], {}
        if word == "SCREW":
            parameters["pitch"] = self.length * statement.numbers("PITCH", 1, None)[0]
        if word == "UNIVERSAL":
            return ImportedJoint(name, kind, i, j, *joint_frames(kind, at_i, at_j))
        if word == "HOOKE":
            return ImportedJoint(name, kind, i, j, at_i, at_j)
        if kind in ("revolute", "cylindrical", "thread"):
            self.coordinates[statement.number] = f"{name}.rotation"
        if kind == "prismatic":
            self.coordinates[statement.number] = f"{name}.translation"
        return ImportedJoint(name, kind, j, i, at_j, at_i, parameters)  # Adams measures I against J

    def _primitive(self, statement: Statement) -> ImportedJoint:
        word = next((w for w in statement.words if w in ADAMS_PRIMITIVES), None)
        if word is None:
            raise statement.fail(
                f"the primitive {', '.join(statement.words)} has no counterpart; it is not approximated."
            )
        (i, at_i), (j, at_j) = self._ends(statement)
        name = self.names.new(readable_name(statement.name or f"jprim_{statement.number}"), statement.name)
        return ImportedJoint(name, ADAMS_PRIMITIVES[word], j, i, *joint_frames(ADAMS_PRIMITIVES[word], at_j, at_i))

    def _distance(self, statement: Statement) -> ImportedJoint:
        """A general constraint that keeps the distance of two markers; others are not read."""
        text = "".join(statement.given.get("FUNCTION", [""])[0].split()).lower()
        formula = DISTANCE_FORMULA.fullmatch(text)
        if formula is None:
            raise statement.fail(f"the constraint '{text[:40]}' has no counterpart; DM(i,j)-length is read.")
        (i, at_i), (j, at_j) = (self._marker(int(formula[key]), statement) for key in "ij")
        name = self.names.new(readable_name(statement.name or f"gcon_{statement.number}"), statement.name)
        return ImportedJoint(
            name, "distance", i, j, at_i, at_j, {"length": self.length * statement.value(formula["L"])}
        )

    def _rack(self, statement: Statement) -> ImportedCoupling:
        """The rack moves by half the pitch diameter times the rotation of the pinion."""
        (pinion, _), (rack, _) = self._ends(statement)
        turns, slides = self._only_joint(pinion, "revolute", statement), self._only_joint(rack, "prismatic", statement)
        radius = self.length * statement.numbers("PD", 1, None)[0] / 2
        name = self.names.new(readable_name(statement.name or f"rack_{statement.number}"), statement.name)
        return ImportedCoupling(name, "rack", (f"{slides}.translation", f"{turns}.rotation"), {"radius": radius})

    def _only_joint(self, body: str, kind: str, where: Statement) -> str:
        candidates = [joint.name for joint in self.joints.values() if joint.type == kind and body in (joint.a, joint.b)]
        if len(candidates) != 1:
            raise where.fail(f"'{body}' has {len(candidates)} {kind} joints; one is needed to know its coordinate.")
        return candidates[0]

    def _coordinate(self, number: int, where: Statement) -> str:
        if number not in self.coordinates:
            raise where.fail(f"JOINT/{number} is missing, or has neither a rotation nor a translation.")
        return self.coordinates[number]

    def _coupler(self, statement: Statement) -> ImportedCoupling:
        numbers = [int(x) for x in statement.listed("JOINTS", ())]
        scales = statement.listed("SCALES", (1.0, -1.0))
        if len(numbers) != len(scales) or len(numbers) < 2:
            raise statement.fail("JOINTS and SCALES must name two or three joints.")
        along = [self._coordinate(k, statement) for k in numbers]
        return self._linear(statement, along, scales, "coupler")

    def _linear(self, statement: Statement, along: list[str], scales: list[float], word: str) -> ImportedCoupling:
        """Σ k_i s_i = const, lengths of the deck converted to metres."""
        name = self.names.new(readable_name(statement.name or f"{word}_{statement.number}"), statement.name)
        factors = [k / self.length if a.endswith("translation") else k for k, a in zip(scales, along, strict=True)]
        words = {a.rpartition(".")[2] for a in along}
        if len(words) == 1:
            return ImportedCoupling(name, "linear", tuple(along), {"coefficients": tuple(factors)})
        if len(along) != 2:
            raise statement.fail("a coupling of three joints takes rotations alone or translations alone.")
        k = 0 if along[0].endswith("translation") else 1
        return ImportedCoupling(name, "rack", (along[k], along[1 - k]), {"radius": -factors[1 - k] / factors[k]})

    def _gear(self, statement: Statement) -> ImportedCoupling:
        """The two bodies have the same velocity at the marker CV along its z axis."""
        numbers = [int(x) for x in statement.listed("JOINTS", ())]
        if len(numbers) != 2:
            raise statement.fail("JOINTS must name two joints.")
        body, cv = self._marker(statement.integer("CV"), statement)
        point = self._in_world(body, cv)
        scales = []
        for number in numbers:
            along = self._coordinate(number, statement)
            frame = self._in_world(*self._marker(self.by["JOINT"][number].integer("J"), statement))
            axis = frame.R[:, 2]
            lever = axis if along.endswith("translation") else np.cross(axis, point.r - frame.r) / self.length
            scales.append(float(lever @ point.R[:, 2]))
        if min(map(abs, scales)) < 1e-9:
            raise statement.fail("the common velocity marker does not move with one of its joints; check its z axis.")
        return self._linear(
            statement, [self._coordinate(k, statement) for k in numbers], [scales[0], -scales[1]], "gear"
        )

    def _in_world(self, body: str, at: Pose) -> Pose:
        number = next((k for k, name in self.bodies.items() if name == body and body != GROUND), None)
        return at if number is None else self._placed(self.by["PART"][number], "QG") @ at

    def _motions(self) -> tuple[ImportedMotion, ...]:
        motions = []
        for statement in self.by.get("MOTION", {}).values():
            if "JOINT" in statement.given:
                drive = _Driven(self._coordinate(statement.integer("JOINT"), statement))
            else:
                drive = self._moved_between(statement)
            if any(word in statement.words for word in ("VELOCITY", "ACCELERATION")):
                raise statement.fail(
                    "a motion by its velocity or acceleration has no counterpart; give the displacement."
                )
            if "FUNCTION" not in statement.given:
                raise statement.fail("gives no FUNCTION = … of time; routines of other programs are not read.")
            function = self._formula(statement, statement.given["FUNCTION"][0], "a motion")
            if function is not None and drive.along.endswith("translation") and self.length != 1.0:
                function = f"({function}) * {self.length!r}"
            motions.append(
                ImportedMotion(
                    self.names.new(readable_name(statement.name or f"motion_{statement.number}"), statement.name),
                    drive.along,
                    function if function is None else drive.coordinate(function),
                )
            )
        return tuple(motions)

    def _moved_between(self, statement: Statement) -> _Driven:
        """The coordinate of the only joint between the parts of two markers that their motion along or about z drives.

        The motion is that of I relative to J along or about z of J.
        """
        marker_i, marker_j = self._ends(statement)
        parts = {marker_i.part, marker_j.part}
        between = [joint for joint in self.joints.values() if {joint.a, joint.b} == parts]
        turns = any(word in statement.words for word in ("B3", "ROTATION"))
        wanted = ("revolute", "cylindrical") if turns else ("prismatic",)
        slides = any(word in statement.words for word in ("Z", "TRANSLATION"))
        if len(between) != 1 or between[0].type not in wanted or not (turns or slides):
            raise statement.fail("a motion of two markers has no counterpart; give it on a joint.")
        joint, i, j = between[0], self._in_world(*marker_i), self._in_world(*marker_j)
        a, b = self._in_world(joint.a, joint.frame_a), self._in_world(joint.b, joint.frame_b)
        for marker, axis in (("J", j), ("I", i)) if turns else (("J", j),):
            if np.linalg.norm(np.cross(axis.R[:, 2], a.R[:, 2])) > MARKER_ALONG_AXIS:
                raise statement.fail(
                    f"the z axis of its marker {marker} is not parallel to the axis of the joint '{joint.name}'; "
                    "give the motion on the joint."
                )
        sense = _sense(joint, marker_i.part, a, j)
        measure, word = (_angle_about_z, "rotation") if turns else (_distance_along_z, "translation")
        offset = measure(a, b) - sense * measure(j, i)
        if turns:
            offset = float(np.arctan2(np.sin(offset), np.cos(offset)))
        return _Driven(f"{joint.name}.{word}", sense, offset)

    def _forces(self) -> tuple[Load, ...]:
        loads: list[Load] = []
        for statement in self.by.get("SFORCE", {}).values():
            loads += self._single(statement)
        for keyword in ("VFORCE", "VTORQUE", "GFORCE"):
            for statement in self.by.get(keyword, {}).values():
                loads += self._vector(statement)
        for statement in self.by.get("SPRINGDAMPER", {}).values():
            loads += self._spring(statement)
        loads += [self._bushing(statement) for statement in self.by.get("BUSHING", {}).values()]
        return tuple(loads)

    def _label(self, statement: Statement) -> str:
        return self.names.new(
            readable_name(statement.name or f"{statement.keyword.lower()}_{statement.number}"), statement.name
        )

    def _formula(self, statement: Statement, text: str, what: str) -> str | None:
        """A function of time, or None with a warning: no verdict depends on it."""
        try:
            if not text.strip():
                raise statement.fail("the function is empty.")
            return adams_expression(text, statement)
        except ModelError as error:
            why = f"{what} whose {str(error).partition(': the ')[2].rstrip('.')}; verdicts do not depend on it"
            self.notes.append(Note(NoteKind.WARNING, statement.title, why))
            return None

    def _skip(self, statement: Statement, why: str) -> list[Load]:
        self.notes.append(
            Note(
                NoteKind.SKIPPED, f"{statement.keyword} '{readable_name(statement.name or str(statement.number))}'", why
            )
        )
        return []

    def _single(self, statement: Statement) -> list[Load]:
        text = statement.given.get("FUNCTION", ["0"])[0]
        plain = "".join(text.split()).lower()
        turns = "ROTATION" in statement.words or "ROTATIONAL" in statement.words
        if "ACTIONONLY" not in statement.words:
            if (formula := (TORSION_FORMULA if turns else SPRING_FORMULA).fullmatch(plain)) is None:
                return self._skip(statement, "between two markers only springs and dampers are read")
            numbers = {key: statement.value(formula[key]) if formula[key] else 0.0 for key in ("k", "L", "c", "p")}
            if not turns:
                return self._between(statement, **numbers)
            factor = {key: DEGREES_PER_RADIAN if formula[f"{key}d"] else 1.0 for key in ("k", "c")}
            rest = numbers["L"] / DEGREES_PER_RADIAN if formula["Ld"] else numbers["L"]
            return self._about(statement, factor["k"] * numbers["k"], rest, factor["c"] * numbers["c"], numbers["p"])
        i, at = self._marker(statement.integer("I"), statement)
        z = self._in_world(*self._marker(statement.integer("J"), statement)).R[:, 2]
        unit = self.force * (self.length if turns else 1.0)
        function = self._formula(statement, text, "a force")
        return [_load(self._label(statement), i, at, z, function, unit, turns)] if function is not None else []

    def _between(self, statement: Statement, k: float, L: float, c: float, p: float) -> list[Load]:
        """A spring and damper between two points: k (d − L) + c ḋ − p pulls."""
        if p and not k:
            return self._skip(statement, "a constant force between two markers has no counterpart")
        unit = self.force / self.length
        i, j = self._ends(statement)
        values = {"stiffness": unit * k, "length": self.length * (L + p / k if p else L), "damping": unit * c}
        ends = {"a": PartFrame(j.part, Pose(j.pose.r)), "b": PartFrame(i.part, Pose(i.pose.r))}
        return [Load(self._label(statement), "spring-damper", values, ends)]

    def _about(self, statement: Statement, k: float, rest: float, c: float, p: float) -> list[Load]:
        """A torsional spring and damper about the axis of the hinge between the two parts."""
        marker_i, marker_j = self._ends(statement)
        parts = {marker_i.part, marker_j.part}
        joints = [x for x in self.joints.values() if x.type in ("revolute", "cylindrical") and {x.a, x.b} == parts]
        if len(joints) != 1 or (p and not k):
            return self._skip(statement, "a torque between two markers without a hinge has no counterpart")
        joint, unit = joints[0], self.force * self.length
        i, j = self._in_world(*marker_i), self._in_world(*marker_j)
        a, b = self._in_world(joint.a, joint.frame_a), self._in_world(joint.b, joint.frame_b)
        sense = _sense(joint, marker_i.part, a, j)
        angle = _angle_about_z(a, b) + sense * (rest + (p / k if p else 0.0) - _angle_about_z(j, i))
        values = {"stiffness": unit * k, "angle": angle, "damping": unit * c}
        return [
            Load(self._label(statement), "torsional-spring-damper", values, along={"joint": f"{joint.name}.rotation"})
        ]

    def _vector(self, statement: Statement) -> list[Load]:
        """Components along the axes of RM on marker I, against ground."""
        i, at = self._marker(statement.integer("I"), statement)
        reaction = statement.given.get("JFLOAT")
        body, rm = (
            self._marker(statement.integer("RM"), statement) if "RM" in statement.given else PartFrame(GROUND, Pose())
        )
        if body != GROUND:
            return self._skip(statement, "its components are along axes that move")
        if reaction is not None and self._marker(int(statement.value(reaction[0])), statement).part != GROUND:
            return self._skip(statement, "a force between two moving parts has no counterpart")
        loads = []
        for letter, kind, unit in (("F", "force", self.force), ("T", "torque", self.force * self.length)):
            given = [statement.given.get(f"{letter}{axis}", ["0"])[0] for axis in "XYZ"]
            read = [self._formula(statement, text, "a force") for text in given]
            texts = [text for text in read if text is not None]
            if len(texts) == len(read) and any(text != "0" for text in texts):
                law = tuple(_sum(texts, unit * row) for row in rm.R)
                loads.append(Load(self._label(statement), kind, {kind: law}, {"at": PartFrame(i, Pose(at.r))}))
        return loads

    def _spring(self, statement: Statement) -> list[Load]:
        if "ROTATION" in statement.words:
            k, c, p, rest = (statement.numbers(key, 1)[0] for key in ("KT", "CT", "TORQUE", "ANGLE"))
            return self._about(statement, k, rest, c, p)
        k, c, p, rest = (statement.numbers(key, 1)[0] for key in ("K", "C", "FORCE", "LENGTH"))
        return self._between(statement, k, rest, c, p)

    def _bushing(self, statement: Statement) -> Load:
        """Linear in the displacements of I against J along the axes of J."""
        i, j = self._ends(statement)
        if any(statement.numbers(key, 3) != [0.0] * 3 for key in ("FORCE", "TORQUE") if key in statement.given):
            raise statement.fail("a bushing with a preload has no counterpart; it is not approximated.")
        along, about = self.force / self.length, self.force * self.length
        K, KT, C, CT = (statement.numbers(key, 3) for key in ("K", "KT", "C", "CT"))
        values = {
            "stiffness": _diagonal([along * x for x in K], [about * x for x in KT]),
            "damping": _diagonal([along * x for x in C], [about * x for x in CT]),
        }
        return Load(self._label(statement), "bushing", values, {"a": j, "b": i})

    def _gravity(self) -> tuple[float, float, float]:
        given = next(iter(self.by.get("ACCGRAV", {}).values()), None)
        if given is None:
            return (0.0, 0.0, 0.0)
        x, y, z = (self.length * given.numbers(key, 1)[0] for key in ("IGRAV", "JGRAV", "KGRAV"))
        return (x, y, z)


def _load(name: str, body: str, at: Pose, z: Floats, function: str, unit: float, turns: bool) -> Load:
    components = tuple(Expression(f"({function}) * {float(c) * unit!r}") for c in z)
    key = "torque" if turns else "force"
    return Load(name, key, {key: components}, {"at": PartFrame(body, at)})


def _sense(joint: ImportedJoint, part_i: str, a: Pose, j: Pose) -> float:
    """Sign of the motion of marker I against J along or about z of J in the coordinate of a joint, of b against a."""
    same_order = 1 if part_i == joint.b else -1
    return 1.0 if same_order * (j.R[:, 2] @ a.R[:, 2]) > 0 else -1.0


def _distance_along_z(a: Pose, b: Pose) -> float:
    """Distance of the origin of frame b from that of frame a along the z axis of a."""
    return float(a.R[:, 2] @ (b.r - a.r))


def _angle_about_z(a: Pose, b: Pose) -> float:
    """Angle of frame b about the z axis of frame a."""
    R = a.R.T @ b.R
    return float(np.arctan2(R[1, 0], R[0, 0]))


def _diagonal(along: list[float], about: list[float]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(x) for x in row) for row in np.diag([*along, *about]))


def _sum(texts: list[str], factors: Floats) -> Expression:
    """A linear combination of formulas, without factors that are rounding."""
    least = 1e-14 * float(np.abs(factors).max(initial=0.0))
    terms = [
        f"({text}) * {float(c)!r}" for text, c in zip(texts, factors, strict=True) if text != "0" and abs(c) > least
    ]
    return Expression(" + ".join(terms) or "0")


ADAMS = register(Format("adams", (".adm",), (), read, "Adams decks, a stated subset of statements."))
