"""Adams decks (.adm), a stated subset: parts, markers, joints, primitives, motions, couplers, gears and plain loads."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError, did_you_mean
from reactio.files import read_text
from reactio.functions.expression import Expression
from reactio.importers import Format, Options, register
from reactio.importers.adams_statements import Statement, adams_expression, statements
from reactio.importers.gears import teeth
from reactio.importers.mechanism import ImportedMotion, Inertia, Link, Load, Mechanism, Note, Part, Ratio, steiner
from reactio.importers.names import Names, readable
from reactio.importers.pose import Pose, frame_along, rotation
from reactio.importers.turns import by_markers
from reactio.places import GROUND

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
SKIPPED_STATEMENTS = {
    "CONTACT": "contacts are not joints; name unilateral rows yourself",
    "FRICTION": "friction of joints is not read",
}
IGNORED_STATEMENTS = (
    "END", "OUTPUT", "RESULTS", "GRAPHICS", "REQUEST", "INTEGRATOR", "KINEMATICS", "DEBUG", "PREFERENCES", "LIST",
    "ARRAY", "STRING", "VARIABLE", "ICS", "IC", "EQUILIBRIUM", "TOLERANCES", "DIFF", "SENSOR", "LSOLVER",
    "ADAMS_VIEW_NAME", "PINPUT", "POUTPUT", "MEASURE",
)  # fmt: skip
# Systems of units by name: their units of length, mass and force in metres, kilograms and newtons.
UNIT_SYSTEMS = {
    "MKS": (1.0, 1.0, 1.0),
    "CGS": (1e-2, 1e-3, 1e-5),
    "FPS": (0.3048, 14.59390294, 4.4482216152605),
    "IPS": (0.0254, 175.126835, 4.4482216152605),
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
DEGREES_PER_RADIAN = 180 / np.pi
LENGTH_UNITS = {"METER": 1.0, "MILLIMETER": 1e-3, "CENTIMETER": 1e-2, "KILOMETER": 1e3, "INCH": 0.0254, "FOOT": 0.3048}
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
    found = statements(read_text(path), str(path))
    if not any(one.keyword == "PART" for one in found):
        raise ModelError("holds no PART statement; is it an Adams .adm deck?", place=str(path))
    return _Deck(found, str(path)).mechanism(readable(path.stem))


class _Deck:
    """A reader of the statements of a deck."""

    def __init__(self, found: list[Statement], file: str) -> None:
        self.file = file
        self.by: dict[str, dict[int, Statement]] = {}
        for one in found:
            table = self.by.setdefault(one.keyword, {})
            if one.number in table and one.number:
                raise one.fail("this number is given twice.")
            table[one.number] = one
        self.notes: list[Note] = []
        units = next(iter(self.by.get("UNITS", {}).values()), None)
        system = self._system(units)
        self.length = self._unit(units, "LENGTH", LENGTH_UNITS, system[0])
        self.mass = self._unit(units, "MASS", MASS_UNITS, system[1])
        self.force = self._unit(units, "FORCE", FORCE_UNITS, system[2])
        if units is None:
            self.notes.append(Note("said", "units", "the deck has no UNITS statement: taken as SI"))
        self.body_names, self.names = Names(), Names()
        self.bodies: dict[int, str] = {}
        self.coordinates: dict[int, str] = {}
        self.links: dict[str, Link] = {}

    def _system(self, units: Statement | None) -> tuple[float, float, float]:
        if units is None or "SYSTEM" not in units.given:
            return UNIT_SYSTEMS["MKS"]
        name = units.given["SYSTEM"][0].upper()
        if name not in UNIT_SYSTEMS:
            raise units.fail(f"SYSTEM = {name} is no system of units that is known.{did_you_mean(name, UNIT_SYSTEMS)}")
        return UNIT_SYSTEMS[name]

    def _unit(self, units: Statement | None, key: str, known: dict[str, float], default: float) -> float:
        if units is None or key not in units.given:
            return default
        name = units.given[key][0].upper()
        full = [unit for unit in known if unit.startswith(name)] if name else []
        if not full:
            raise units.fail(f"{key} = {name} is no unit that is known.{did_you_mean(name, known)}")
        return known[full[0]]

    def mechanism(self, name: str) -> Mechanism:
        for keyword, table in self.by.items():
            if keyword in SKIPPED_STATEMENTS:
                self.notes.append(Note("skipped", f"{len(table)} {keyword}", SKIPPED_STATEMENTS[keyword]))
            elif keyword not in (*READ_STATEMENTS, *IGNORED_STATEMENTS):
                raise next(iter(table.values())).fail(
                    f"{keyword} has no counterpart here; it is not approximated. Take it out of the deck, or write the "
                    "mechanism as YAML."
                )
        for number, part in self.by["PART"].items():
            ground, label = "GROUND" in part.words, readable(part.name or f"part_{number}")
            self.bodies[number] = GROUND if ground else self.body_names.new(label, part.name)
        parts = tuple(self._part(k, p) for k, p in self.by["PART"].items() if self.bodies[k] != GROUND)
        joints = [j for j in self.by.get("JOINT", {}).values() if "RACKPIN" not in j.words]
        links = [self._joint(j) for j in joints]
        links += [self._primitive(j) for j in self.by.get("JPRIM", {}).values()]
        links += [self._distance(j) for j in self.by.get("GCON", {}).values()]
        self.links = {link.name: link for link in links}
        racks = [j for j in self.by.get("JOINT", {}).values() if "RACKPIN" in j.words]
        meshing = [*map(self._rack, racks), *map(self._gear, self.by.get("GEAR", {}).values())]
        self.notes += [teeth(one.name) for one in meshing]
        ratios = [*meshing, *map(self._coupler, self.by.get("COUPLER", {}).values())]
        gravity = self._gravity()
        return Mechanism(name, "adams", parts, tuple(links), tuple(ratios), self._motions(), self._forces(),
                         gravity=gravity, notes=tuple(self.notes))  # fmt: skip

    def _placed(self, one: Statement, position: str) -> Pose:
        r = self.length * np.array(one.numbers(position, 3))
        if "REULER" in one.given:
            a, b, c = one.numbers("REULER", 3)
            return Pose(r, rotation((0, 0, 1), a) @ rotation((1, 0, 0), b) @ rotation((0, 0, 1), c))
        if "ZP" in one.given or "ZG" in one.given:
            key = "ZP" if "ZP" in one.given else "ZG"
            other = key.replace("Z", "X")
            z = self.length * np.array(one.numbers(key, 3)) - r
            x = self.length * np.array(one.numbers(other, 3)) - r if other in one.given else None
            return Pose(r, frame_along(z, f"{one.keyword}/{one.number}", x))
        return Pose(r)

    def _part(self, number: int, part: Statement) -> Part:
        return Part(self.bodies[number], self._placed(part, "QG"), self._inertia(part))

    def _inertia(self, part: Statement) -> Inertia | None:
        if "MASS" not in part.given:
            return Inertia(0.0, np.zeros(3), np.zeros((3, 3)))
        mass = self.mass * part.numbers("MASS", 1)[0]
        center = self._marker(part.integer("CM"), part)[1] if "CM" in part.given else Pose()
        frame = self._marker(part.integer("IM"), part)[1] if "IM" in part.given else center
        given = part.listed("IP", (0.0, 0.0, 0.0), least=3)
        xx, yy, zz, xy, xz, yz = (self.mass * self.length**2 * x for x in [*given, 0.0, 0.0, 0.0][:6])
        # Adams gives products ∫xy dm, which are negative in the tensor, about the origin of IM (Steiner).
        J = frame.R @ np.array([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]]) @ frame.R.T
        J -= steiner(mass, frame.r - center.r)
        return Inertia(mass, center.r, J, part.place)

    def _marker(self, number: int, where: Statement) -> tuple[str, Pose]:
        marker = self.by.get("MARKER", {}).get(number)
        if marker is None:
            raise where.fail(f"there is no MARKER/{number}.")
        part = marker.integer("PART")
        if part not in self.bodies:
            raise marker.fail(f"there is no PART/{part}.")
        pose = self._placed(marker, "QP")
        if self.bodies[part] == GROUND:
            pose = self._placed(self.by["PART"][part], "QG") @ pose
        return self.bodies[part], pose

    def _ends(self, one: Statement) -> tuple[tuple[str, Pose], tuple[str, Pose]]:
        i, j = self._marker(one.integer("I"), one), self._marker(one.integer("J"), one)
        if i[0] == j[0]:
            raise one.fail(f"connects '{i[0]}' with itself.")
        return i, j

    def _joint(self, one: Statement) -> Link:
        word = next((w for w in one.words if w in ADAMS_JOINTS), None)
        if word is None:
            raise one.fail(
                f"{', '.join(one.words) or 'this'} has no counterpart.{did_you_mean(' '.join(one.words), ADAMS_JOINTS)}"
            )
        (i, at_i), (j, at_j) = self._ends(one)
        name = self.names.new(readable(one.name or f"joint_{one.number}"), one.name)
        kind, parameters = ADAMS_JOINTS[word], {}
        if word == "SCREW":
            parameters["pitch"] = self.length * one.numbers("PITCH", 1, None)[0]
        if word == "UNIVERSAL":
            return Link(name, kind, i, j, *by_markers(kind, at_i, at_j))
        if word == "HOOKE":
            return Link(name, kind, i, j, at_i, at_j)
        if kind in ("revolute", "cylindrical", "thread"):
            self.coordinates[one.number] = f"{name}.rotation"
        if kind == "prismatic":
            self.coordinates[one.number] = f"{name}.translation"
        return Link(name, kind, j, i, at_j, at_i, parameters)  # Adams measures I against J

    def _primitive(self, one: Statement) -> Link:
        word = next((w for w in one.words if w in ADAMS_PRIMITIVES), None)
        if word is None:
            raise one.fail(f"the primitive {', '.join(one.words)} has no counterpart; it is not approximated.")
        (i, at_i), (j, at_j) = self._ends(one)
        name = self.names.new(readable(one.name or f"jprim_{one.number}"), one.name)
        return Link(name, ADAMS_PRIMITIVES[word], j, i, *by_markers(ADAMS_PRIMITIVES[word], at_j, at_i))

    def _distance(self, one: Statement) -> Link:
        """A general constraint that keeps the distance of two markers; others are not read."""
        text = "".join(one.given.get("FUNCTION", [""])[0].split()).lower()
        found = DISTANCE_FORMULA.fullmatch(text)
        if found is None:
            raise one.fail(f"the constraint '{text[:40]}' has no counterpart; DM(i,j)-length is read.")
        (i, at_i), (j, at_j) = (self._marker(int(found[key]), one) for key in "ij")
        name = self.names.new(readable(one.name or f"gcon_{one.number}"), one.name)
        return Link(name, "distance", i, j, at_i, at_j, {"length": self.length * one.value(found["L"])})

    def _rack(self, one: Statement) -> Ratio:
        """The rack moves by half the pitch diameter times the rotation of the pinion."""
        (pinion, _), (rack, _) = self._ends(one)
        turns, slides = self._of(pinion, "revolute", one), self._of(rack, "prismatic", one)
        radius = self.length * one.numbers("PD", 1, None)[0] / 2
        name = self.names.new(readable(one.name or f"rack_{one.number}"), one.name)
        return Ratio(name, "rack", (f"{slides}.translation", f"{turns}.rotation"), {"radius": radius})

    def _of(self, body: str, kind: str, where: Statement) -> str:
        found = [link.name for link in self.links.values() if link.type == kind and body in (link.a, link.b)]
        if len(found) != 1:
            raise where.fail(f"'{body}' hangs on {len(found)} {kind} joints; one is needed to know its coordinate.")
        return found[0]

    def _coordinate(self, number: int, where: Statement) -> str:
        if number not in self.coordinates:
            raise where.fail(f"JOINT/{number} is not there, or neither turns nor slides.")
        return self.coordinates[number]

    def _coupler(self, one: Statement) -> Ratio:
        numbers = [int(x) for x in one.listed("JOINTS", ())]
        scales = one.listed("SCALES", (1.0, -1.0))
        if len(numbers) != len(scales) or len(numbers) < 2:
            raise one.fail("JOINTS and SCALES must name two or three joints.")
        along = [self._coordinate(k, one) for k in numbers]
        return self._linear(one, along, scales, "coupler")

    def _linear(self, one: Statement, along: list[str], scales: list[float], word: str) -> Ratio:
        """Σ k_i s_i = const, lengths of the deck converted to metres."""
        name = self.names.new(readable(one.name or f"{word}_{one.number}"), one.name)
        factors = [k / self.length if a.endswith("translation") else k for k, a in zip(scales, along, strict=True)]
        words = {a.rpartition(".")[2] for a in along}
        if len(words) == 1:
            return Ratio(name, "linear", tuple(along), {"coefficients": tuple(factors)})
        if len(along) != 2:
            raise one.fail("three joints that turn and slide cannot be coupled here.")
        k = 0 if along[0].endswith("translation") else 1
        return Ratio(name, "rack", (along[k], along[1 - k]), {"radius": -factors[1 - k] / factors[k]})

    def _gear(self, one: Statement) -> Ratio:
        """The two bodies have the same velocity at the marker CV along its z axis."""
        numbers = [int(x) for x in one.listed("JOINTS", ())]
        if len(numbers) != 2:
            raise one.fail("JOINTS must name two joints.")
        body, cv = self._marker(one.integer("CV"), one)
        point = self._in_world(body, cv)
        scales = []
        for number in numbers:
            along = self._coordinate(number, one)
            frame = self._in_world(*self._marker(self.by["JOINT"][number].integer("J"), one))
            axis = frame.R[:, 2]
            lever = axis if along.endswith("translation") else np.cross(axis, point.r - frame.r) / self.length
            scales.append(float(lever @ point.R[:, 2]))
        if min(map(abs, scales)) < 1e-9:
            raise one.fail("the common velocity marker does not move with one of its joints; check its z axis.")
        return self._linear(one, [self._coordinate(k, one) for k in numbers], [scales[0], -scales[1]], "gear")

    def _in_world(self, body: str, at: Pose) -> Pose:
        number = next((k for k, name in self.bodies.items() if name == body and body != GROUND), None)
        return at if number is None else self._placed(self.by["PART"][number], "QG") @ at

    def _motions(self) -> tuple[ImportedMotion, ...]:
        made = []
        for one in self.by.get("MOTION", {}).values():
            if "JOINT" not in one.given:
                raise one.fail("a motion of two markers has no counterpart; give it on a joint.")
            along = self._coordinate(one.integer("JOINT"), one)
            if any(word in one.words for word in ("VELOCITY", "ACCELERATION")):
                raise one.fail("a motion by its velocity or acceleration has no counterpart; give the displacement.")
            if "FUNCTION" not in one.given:
                raise one.fail("gives no FUNCTION = … of time; routines of other programs are not read.")
            function = adams_expression(one.given["FUNCTION"][0], one)
            if along.endswith("translation") and self.length != 1.0:
                function = f"({function}) * {self.length!r}"
            made.append(
                ImportedMotion(self.names.new(readable(one.name or f"motion_{one.number}"), one.name), along, function)
            )
        return tuple(made)

    def _forces(self) -> tuple[Load, ...]:
        made: list[Load] = []
        for one in self.by.get("SFORCE", {}).values():
            made += self._single(one)
        for keyword in ("VFORCE", "VTORQUE", "GFORCE"):
            for one in self.by.get(keyword, {}).values():
                made += self._vector(one)
        for one in self.by.get("SPRINGDAMPER", {}).values():
            made += self._spring(one)
        made += [self._bushing(one) for one in self.by.get("BUSHING", {}).values()]
        return tuple(made)

    def _label(self, one: Statement) -> str:
        return self.names.new(readable(one.name or f"{one.keyword.lower()}_{one.number}"), one.name)

    def _skip(self, one: Statement, why: str) -> list[Load]:
        self.notes.append(Note("skipped", f"{one.keyword} '{readable(one.name or str(one.number))}'", why))
        return []

    def _single(self, one: Statement) -> list[Load]:
        text = one.given.get("FUNCTION", ["0"])[0]
        plain = "".join(text.split()).lower()
        turns = "ROTATION" in one.words or "ROTATIONAL" in one.words
        if "ACTIONONLY" not in one.words:
            if (found := (TORSION_FORMULA if turns else SPRING_FORMULA).fullmatch(plain)) is None:
                return self._skip(one, "between two markers only springs and dampers are read")
            numbers = {key: one.value(found[key]) if found[key] else 0.0 for key in ("k", "L", "c", "p")}
            if not turns:
                return self._between(one, **numbers)
            factor = {key: DEGREES_PER_RADIAN if found[f"{key}d"] else 1.0 for key in ("k", "c")}
            rest = numbers["L"] / DEGREES_PER_RADIAN if found["Ld"] else numbers["L"]
            return self._about(one, factor["k"] * numbers["k"], rest, factor["c"] * numbers["c"], numbers["p"])
        i, at = self._marker(one.integer("I"), one)
        z = self._in_world(*self._marker(one.integer("J"), one)).R[:, 2]
        unit = self.force * (self.length if turns else 1.0)
        return [_load(self._label(one), i, at, z, adams_expression(text, one), unit, turns)]

    def _between(self, one: Statement, k: float, L: float, c: float, p: float) -> list[Load]:
        """A spring and damper between two points: k (d − L) + c ḋ − p pulls."""
        if p and not k:
            return self._skip(one, "a constant force between two markers has no counterpart")
        unit = self.force / self.length
        i, j = self._ends(one)
        values = {"stiffness": unit * k, "length": self.length * (L + p / k if p else L), "damping": unit * c}
        ends = {"a": (j[0], Pose(j[1].r)), "b": (i[0], Pose(i[1].r))}
        return [Load(self._label(one), "spring-damper", values, ends)]

    def _about(self, one: Statement, k: float, rest: float, c: float, p: float) -> list[Load]:
        """A torsional spring and damper about the axis of the hinge between the two parts."""
        ends = self._ends(one)
        links = [x for x in self.links.values() if x.type in ("revolute", "cylindrical")
                 and {x.a, x.b} == {ends[0][0], ends[1][0]}]  # fmt: skip
        if len(links) != 1 or (p and not k):
            return self._skip(one, "a torque between two markers without a hinge has no counterpart")
        link, unit = links[0], self.force * self.length
        i, j = (self._in_world(*end) for end in ends)
        a, b = self._in_world(link.a, link.frame_a), self._in_world(link.b, link.frame_b)
        sense = 1.0 if j.R[:, 2] @ a.R[:, 2] * (1 if ends[0][0] == link.b else -1) > 0 else -1.0
        angle = _turn(a, b) + sense * (rest + (p / k if p else 0.0) - _turn(j, i))
        values = {"stiffness": unit * k, "angle": angle, "damping": unit * c}
        return [Load(self._label(one), "torsional-spring-damper", values, along={"joint": f"{link.name}.rotation"})]

    def _vector(self, one: Statement) -> list[Load]:
        """Components along the axes of RM on marker I, against ground."""
        i, at = self._marker(one.integer("I"), one)
        reaction = one.given.get("JFLOAT")
        body, rm = self._marker(one.integer("RM"), one) if "RM" in one.given else (GROUND, Pose())
        if body != GROUND:
            return self._skip(one, "its components are along axes that move")
        if reaction is not None and self._marker(int(one.value(reaction[0])), one)[0] != GROUND:
            return self._skip(one, "a force between two moving parts has no counterpart")
        made = []
        for letter, kind, unit in (("F", "force", self.force), ("T", "torque", self.force * self.length)):
            given = [one.given.get(f"{letter}{axis}", ["0"])[0] for axis in "XYZ"]
            texts = [adams_expression(text, one) for text in given]
            if any(text != "0" for text in texts):
                law = tuple(_sum(texts, unit * row) for row in rm.R)
                made.append(Load(self._label(one), kind, {kind: law}, {"at": (i, Pose(at.r))}))
        return made

    def _spring(self, one: Statement) -> list[Load]:
        if "ROTATION" in one.words:
            k, c, p, rest = (one.numbers(key, 1)[0] for key in ("KT", "CT", "TORQUE", "ANGLE"))
            return self._about(one, k, rest, c, p)
        k, c, p, rest = (one.numbers(key, 1)[0] for key in ("K", "C", "FORCE", "LENGTH"))
        return self._between(one, k, rest, c, p)

    def _bushing(self, one: Statement) -> Load:
        """Linear in the displacements of I against J along the axes of J."""
        i, j = self._ends(one)
        if any(one.numbers(key, 3) != [0.0] * 3 for key in ("FORCE", "TORQUE") if key in one.given):
            raise one.fail("a bushing with a preload has no counterpart; it is not approximated.")
        along, about = self.force / self.length, self.force * self.length
        K, KT, C, CT = (one.numbers(key, 3) for key in ("K", "KT", "C", "CT"))
        values = {
            "stiffness": _diagonal([along * x for x in K], [about * x for x in KT]),
            "damping": _diagonal([along * x for x in C], [about * x for x in CT]),
        }
        return Load(self._label(one), "bushing", values, {"a": j, "b": i})

    def _gravity(self) -> tuple[float, float, float]:
        given = next(iter(self.by.get("ACCGRAV", {}).values()), None)
        if given is None:
            return (0.0, 0.0, 0.0)
        x, y, z = (self.length * given.numbers(key, 1)[0] for key in ("IGRAV", "JGRAV", "KGRAV"))
        return (x, y, z)


def _load(name: str, body: str, at: Pose, z: Floats, function: str, unit: float, turns: bool) -> Load:
    components = tuple(Expression(f"({function}) * {float(c) * unit!r}") for c in z)
    key = "torque" if turns else "force"
    return Load(name, key, {key: components}, {"at": (body, at)})


def _turn(a: Pose, b: Pose) -> float:
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
