"""Adams decks (.adm), a stated subset: UNITS PART MARKER JOINT JPRIM MOTION COUPLER GEAR ACCGRAV SFORCE."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError, did_you_mean
from reactio.files import read_text
from reactio.importers import Format, Options, register
from reactio.importers.inertia import checked_inertia
from reactio.importers.mechanism import Inertia, Link, Load, Mechanism, Motion, Note, Part, Ratio
from reactio.importers.names import Names, readable
from reactio.importers.pose import Pose, frame_along, rotation
from reactio.importers.turns import TURN_TO_X, TURN_TO_Y
from reactio.places import GROUND

JOINTS = {
    "REVOLUTE": "revolute",
    "TRANSLATIONAL": "prismatic",
    "CYLINDRICAL": "cylindrical",
    "SPHERICAL": "spherical",
    "UNIVERSAL": "universal",
    "HOOKE": "universal",
    "SCREW": "screw",
    "PLANAR": "planar",
    "FIXED": "fixed",
    "CONVEL": "constant-velocity",
}
PRIMITIVES = {"INPLANE": "point-on-plane", "INLINE": "point-on-line", "ATPOINT": "spherical"}
READ = ("UNITS", "PART", "MARKER", "JOINT", "JPRIM", "MOTION", "COUPLER", "GEAR", "ACCGRAV", "SFORCE")
SILENT = ("END", "OUTPUT", "RESULTS", "GRAPHICS", "REQUEST", "INTEGRATOR", "KINEMATICS", "DEBUG", "PREFERENCES", "LIST",
          "ARRAY", "STRING", "VARIABLE", "ICS", "IC", "EQUILIBRIUM", "TOLERANCES", "DIFF")  # fmt: skip
LENGTH = {"METER": 1.0, "MILLIMETER": 1e-3, "CENTIMETER": 1e-2, "KILOMETER": 1e3, "INCH": 0.0254, "FOOT": 0.3048}
MASS = {"KILOGRAM": 1.0, "GRAM": 1e-3, "MEGAGRAM": 1e3, "POUND_MASS": 0.45359237, "SLUG": 14.59390294, "NONE": 1.0}
FORCE = {"NEWTON": 1.0, "KNEWTON": 1e3, "KILOGRAM_FORCE": 9.80665, "POUND_FORCE": 4.4482216152605, "DYNE": 1e-5}
NAME = re.compile(r"adams_view_name\s*=\s*'([^']*)'", re.I)


@dataclass(slots=True, eq=False)
class Statement:
    """One statement: its keyword, number, bare words and named arguments."""

    keyword: str
    number: int
    name: str
    file: str
    line: int
    words: list[str] = field(default_factory=list)
    given: dict[str, list[str]] = field(default_factory=dict)

    def fail(self, message: str) -> ModelError:
        """An error at this statement."""
        return ModelError(f"{self.keyword}/{self.number}: {message}", place=f"{self.file}:{self.line}")

    def numbers(self, key: str, count: int, default: float | None = 0.0) -> list[float]:
        """Arguments that are numbers; ``D`` behind one means degrees."""
        texts = self.given.get(key)
        if texts is None:
            if default is None:
                raise self.fail(f"{key} is missing.")
            return [default] * count
        try:
            found = [_number(text) for text in texts]
        except ValueError:
            raise self.fail(f"{key} = {', '.join(texts)} is not a list of numbers.") from None
        if len(found) != count or not np.isfinite(found).all():
            raise self.fail(f"{key} needs {count} finite numbers, not {len(found)}.")
        return found

    def integer(self, key: str) -> int:
        """An argument that is the number of another statement."""
        return int(self.numbers(key, 1, None)[0])


def _number(text: str) -> float:
    text = text.strip()
    if text[-1:].upper() == "D":
        return float(text[:-1]) * np.pi / 180
    return float(text)


def statements(text: str, file: str) -> list[Statement]:
    """The statements of a deck; lines that begin with a comma continue, names stand in comments before."""
    found: list[tuple[str, int, str]] = []
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        if number == 1 or not line.strip():
            continue  # the first line is the title
        if line.lstrip().startswith("!"):
            if match := NAME.search(line):
                name = match[1]
            continue
        bare = line.split("!")[0].strip()
        if bare.startswith(",") and found:
            found[-1] = (f"{found[-1][0]} {bare}", *found[-1][1:])
        else:
            found.append((bare, number, name))
            name = ""
    return [_statement(bare, number, name, file) for bare, number, name in found]


def _statement(text: str, line: int, name: str, file: str) -> Statement:
    match = re.match(r"\s*([A-Za-z_]+)\s*(?:/\s*(\d+)?)?\s*(.*)$", text, re.S)
    if match is None:
        raise ModelError(f"'{text[:40]}' is no statement of Adams.", place=f"{file}:{line}")
    made = Statement(match[1].upper(), int(match[2] or 0), name, file, line)
    key: str | None = None
    if "FUNCTION" in match[3].upper():
        rest, _, function = re.split(r"(FUNCTION\s*=)", match[3], maxsplit=1, flags=re.I)
        made.given["FUNCTION"] = [function.replace("\\", " ").strip()]
    else:
        rest = match[3]
    for item in rest.split(","):
        item = item.strip()
        if "=" in item:
            left, _, value = item.partition("=")
            key = left.strip().upper()
            made.given[key] = [value.strip()]
        elif item and key is not None and re.match(r"^[-+.\d]", item):
            made.given[key].append(item)
        elif item:
            key = None
            made.words.append(item.upper())
    return made


def read(path: Path, options: Options) -> Mechanism:
    """The deck as its parts are placed."""
    found = statements(read_text(path), str(path))
    if not any(one.keyword == "PART" for one in found):
        raise ModelError("holds no PART statement; is it an Adams .adm deck?", place=str(path))
    return _Deck(found, str(path)).mechanism(readable(path.stem))


class _Deck:
    """A deck on its way to a mechanism."""

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
        self.length = self._unit(units, "LENGTH", LENGTH)
        self.mass = self._unit(units, "MASS", MASS)
        self.force = self._unit(units, "FORCE", FORCE)
        if units is None:
            self.notes.append(Note("said", "units", "the deck has no UNITS statement: taken as SI"))
        self.body_names, self.names = Names(), Names()
        self.bodies: dict[int, str] = {}
        self.coordinates: dict[int, str] = {}

    def _unit(self, units: Statement | None, key: str, known: dict[str, float]) -> float:
        if units is None or key not in units.given:
            return 1.0
        name = units.given[key][0].upper()
        full = [unit for unit in known if unit.startswith(name)] if name else []
        if not full:
            raise units.fail(f"{key} = {name} is no unit that is known.{did_you_mean(name, known)}")
        return known[full[0]]

    def mechanism(self, name: str) -> Mechanism:
        for keyword, table in self.by.items():
            if keyword not in (*READ, *SILENT):
                raise next(iter(table.values())).fail(
                    f"{keyword} has no counterpart here; it is not approximated. Take it out of the deck, or write the "
                    "mechanism as YAML."
                )
        for number, part in self.by["PART"].items():
            ground, label = "GROUND" in part.words, readable(part.name or f"part_{number}")
            self.bodies[number] = GROUND if ground else self.body_names.new(label, part.name)
        parts = tuple(self._part(k, p) for k, p in self.by["PART"].items() if self.bodies[k] != GROUND)
        links = [self._joint(j) for j in self.by.get("JOINT", {}).values()]
        links += [self._primitive(j) for j in self.by.get("JPRIM", {}).values()]
        ratios = [self._coupler(c) for c in self.by.get("COUPLER", {}).values()]
        ratios += [self._gear(c) for c in self.by.get("GEAR", {}).values()]
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
        values = [self.mass * self.length**2 * _number(text) for text in part.given.get("IP", ["0", "0", "0"])]
        xx, yy, zz, xy, xz, yz = [*values, 0.0, 0.0, 0.0][:6]
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return checked_inertia(mass, center.r, frame.R @ J @ frame.R.T, f"part '{part.name or part.number}'", part.fail)

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
        word = next((w for w in one.words if w in JOINTS), None)
        if word is None:
            raise one.fail(
                f"{', '.join(one.words) or 'this'} has no counterpart.{did_you_mean(' '.join(one.words), JOINTS)}"
            )
        (i, at_i), (j, at_j) = self._ends(one)
        name = self.names.new(readable(one.name or f"joint_{one.number}"), one.name)
        kind, parameters = JOINTS[word], {}
        if word == "SCREW":
            parameters["pitch"] = self.length * one.numbers("PITCH", 1, None)[0]
        if word == "UNIVERSAL":
            return Link(name, kind, i, j, Pose(at_i.r, at_i.R @ TURN_TO_X), Pose(at_j.r, at_j.R @ TURN_TO_Y))
        if word == "HOOKE":
            return Link(name, kind, i, j, at_i, at_j)
        if kind in ("revolute", "cylindrical", "screw"):
            self.coordinates[one.number] = f"{name}.rotation"
        if kind == "prismatic":
            self.coordinates[one.number] = f"{name}.translation"
        return Link(name, kind, j, i, at_j, at_i, parameters)  # Adams measures I against J

    def _primitive(self, one: Statement) -> Link:
        word = next((w for w in one.words if w in PRIMITIVES), None)
        if word is None:
            raise one.fail(f"the primitive {', '.join(one.words)} has no counterpart; it is not approximated.")
        (i, at_i), (j, at_j) = self._ends(one)
        name = self.names.new(readable(one.name or f"jprim_{one.number}"), one.name)
        return Link(name, PRIMITIVES[word], j, i, at_j, at_i)

    def _coordinate(self, number: int, where: Statement) -> str:
        if number not in self.coordinates:
            raise where.fail(f"JOINT/{number} is not there, or neither turns nor slides.")
        return self.coordinates[number]

    def _coupler(self, one: Statement) -> Ratio:
        numbers = [int(_number(text)) for text in one.given.get("JOINTS", [])]
        scales = [_number(text) for text in one.given.get("SCALES", ["1", "-1"])]
        if len(numbers) != len(scales) or len(numbers) < 2:
            raise one.fail("JOINTS and SCALES must name two or three joints.")
        along = [self._coordinate(k, one) for k in numbers]
        return self._linear(one, along, scales, "coupler")

    def _linear(self, one: Statement, along: list[str], scales: list[float], word: str) -> Ratio:
        """Σ k_i s_i = const; lengths of the deck are turned into metres."""
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
        """The two bodies have one velocity at the marker CV along its z axis."""
        numbers = [int(_number(text)) for text in one.given.get("JOINTS", [])]
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

    def _motions(self) -> tuple[Motion, ...]:
        made = []
        for one in self.by.get("MOTION", {}).values():
            if "JOINT" not in one.given:
                raise one.fail("a motion of two markers has no counterpart; give it on a joint.")
            along = self._coordinate(one.integer("JOINT"), one)
            if any(word in one.words for word in ("VELOCITY", "ACCELERATION")):
                raise one.fail("a motion by its velocity or acceleration has no counterpart; give the displacement.")
            function = adams_expression(one.given.get("FUNCTION", ["0"])[0], one)
            if along.endswith("translation") and self.length != 1.0:
                function = f"({function}) * {self.length!r}"
            made.append(Motion(self.names.new(readable(one.name or f"motion_{one.number}"), one.name), along, function))
        return tuple(made)

    def _forces(self) -> tuple[Load, ...]:
        made = []
        for one in self.by.get("SFORCE", {}).values():
            name = readable(one.name or f"sforce_{one.number}")
            if "ACTIONONLY" not in one.words:
                self.notes.append(Note("skipped", f"SFORCE '{name}'", "only ACTIONONLY forces are read"))
                continue
            i, at = self._marker(one.integer("I"), one)
            z = self._in_world(*self._marker(one.integer("J"), one)).R[:, 2]
            turns = "ROTATION" in one.words or "ROTATIONAL" in one.words
            unit = self.force * (self.length if turns else 1.0)
            function = adams_expression(one.given.get("FUNCTION", ["0"])[0], one)
            made.append(_load(name, i, at, z, function, unit, turns))
        return tuple(made)

    def _gravity(self) -> tuple[float, float, float]:
        given = next(iter(self.by.get("ACCGRAV", {}).values()), None)
        if given is None:
            return (0.0, 0.0, 0.0)
        x, y, z = (self.length * given.numbers(key, 1)[0] for key in ("IGRAV", "JGRAV", "KGRAV"))
        return (x, y, z)


def _load(name: str, body: str, at: Pose, z: Floats, function: str, unit: float, turns: bool) -> Load:
    from reactio.functions.expression import Expression

    components = tuple(Expression(f"({function}) * {float(c) * unit!r}") for c in z)
    key = "torque" if turns else "force"
    return Load(name, key, {key: components}, {"at": (body, at)})


def adams_expression(text: str, where: Statement) -> str:
    """A function of time as our own parser reads it: ``30.0d * time`` is ``(30.0*pi/180) * t``; others are refused."""
    plain = re.sub(r"(\d+\.?\d*(?:[eE][+-]?\d+)?)[dD]\b", r"(\1*pi/180)", text)
    plain = re.sub(r"\btime\b", "t", plain, flags=re.I)
    plain = re.sub(r"\b(sin|cos|tan|exp|sqrt|abs|PI)\b", lambda m: m[1].lower(), plain, flags=re.I)
    words = set(re.findall(r"[A-Za-z_]\w*", plain)) - {"t", "pi", "sin", "cos", "tan", "exp", "sqrt", "abs", "e", "E"}
    if words:
        raise where.fail(f"the function uses {', '.join(sorted(words))}, which is not read.")
    return plain


ADAMS = register(Format("adams", (".adm",), (), read, "Adams decks, a stated subset of statements."))
