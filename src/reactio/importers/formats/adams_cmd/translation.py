"""From commands of Adams View to statements of an Adams deck, which has numbers in place of names."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError, ReactioError
from reactio.expressions.number import evaluate
from reactio.importers.formats.adams import ADAMS_LENGTH_UNITS, MASS_UNITS, UNKNOWN_MASS
from reactio.importers.formats.adams.statements import Statement
from reactio.importers.formats.adams_cmd.commands import AdamsCommand
from reactio.importers.pose import Pose, frame_along, rotation
from reactio.model.notes import Note, NoteKind, NoteTopic

ADAMS_UNITS = {
    "length": {"mm": "MILLIMETER", "cm": "CENTIMETER", "meter": "METER", "m": "METER", "km": "KILOMETER",
               "inch": "INCH", "foot": "FOOT"},
    "mass": {"kg": "KILOGRAM", "gram": "GRAM", "tonne": "MEGAGRAM", "pound_mass": "POUND_MASS", "slug": "SLUG",
             "megagram": "MEGAGRAM"},
    "force": {"newton": "NEWTON", "knewton": "KNEWTON", "kg_force": "KILOGRAM_FORCE", "pound_force": "POUND_FORCE",
              "dyne": "DYNE"},
}  # fmt: skip
ADAMS_CMD_JOINTS = {
    "revolute": "REVOLUTE", "translational": "TRANSLATIONAL", "cylindrical": "CYLINDRICAL", "spherical": "SPHERICAL",
    "planar": "PLANAR", "universal": "UNIVERSAL", "hooke": "HOOKE", "fixed": "FIXED", "screw": "SCREW",
    "constant_velocity": "CONVEL", "convel": "CONVEL", "rack_and_pinion": "RACKPIN", "rackpin": "RACKPIN",
}  # fmt: skip
PRIMITIVES = {
    "inline": "INLINE", "inplane": "INPLANE", "in_line": "INLINE", "in_plane": "INPLANE", "orientation": "ORIENTATION",
    "parallel_axis": "PARALLEL_AXES", "parallel_axes": "PARALLEL_AXES", "perpendicular": "PERPENDICULAR",
    "atpoint": "ATPOINT", "at_point": "ATPOINT",
}  # fmt: skip
SEQUENCES = {
    f"body{digits}": digits for digits in ("313", "123", "321", "323", "121", "131", "212", "213", "231", "312")
}
NUMBERED_AXES = {"1": (1.0, 0.0, 0.0), "2": (0.0, 1.0, 0.0), "3": (0.0, 0.0, 1.0)}
# Commands by their first words that create nothing that moves, or show it.
UNREAD_COMMANDS = (
    "view", "material", "geometry", "group", "graphics", "interface", "color", "plugin", "undo", "simulation",
    "executive_control", "output_control", "measure", "optimize", "analysis", "xy_plots", "panel", "entity",
    "list_info", "library", "hardcopy", "plot", "animation", "variable", "data_element", "point",
    "numeric_results", "macro", "file",
    "return", "system", "else", "elseif", "floating_marker", "equation", "information", "var", "mdi", "tool", "display",
    "if", "for", "while", "interact", "window", "model", "section", "results", "ude_definition", "request",
)  # fmt: skip
RELEVANT = ("part", "marker", "constraint", "force", "ude", "contact", "flexible_body")
WITH_UNIT = re.compile(r"^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z_]+)$")
LENGTHS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "meter": 1.0, "km": 1e3, "in": 0.0254, "inch": 0.0254, "ft": 0.3048}  # [m]
MASSES = {"g": 1e-3, "gram": 1e-3, "kg": 1.0, "lbm": 0.45359237, "tonne": 1e3}  # [kg]
ADAMS_NUMBER = re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*[dDrR]?$")
OFF = ("off", "no", "false")
ON = ("on", "yes", "true")


class AdamsTranslation:
    """The objects that commands create, by their names, and their statements."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.notes: list[Note] = []
        self.units: dict[str, str] = {}
        self.degrees = True
        self.sequence = "313"
        self.model = ""
        self.part = "ground"
        self.system = ""  # the coordinate system in which locations are given
        self.parts: dict[str, Pose] = {}
        self.markers: dict[str, tuple[str, Pose]] = {}  # part and pose in the world
        self.unplaced: dict[str, str] = {}  # objects whose places are expressions, with these
        self.by_name: dict[tuple[str, str], Statement] = {}  # keyword and name → statement
        self.inactive: dict[str, AdamsCommand] = {}  # objects that are switched off → the command that does
        self.expressions = 0
        self.written: dict[str, str] = {}  # names as they were first written

    # Names

    def _full(self, name: str, part: bool = False) -> str:
        """The full name, below the model, or the current part, in small letters: their size means nothing."""
        written = name.strip().strip('"')
        name = written.lower()
        self.written.setdefault(name.rpartition(".")[2], written.rpartition(".")[2])
        if name.startswith("."):
            return name
        if not part and name.count(".") == 0:
            return f"{self.model}.{self.part}.{name}"
        return f"{self.model}.{name}"

    def _part_name(self, name: str) -> str:
        full = self._full(name, part=True)
        return f"{self.model}.ground" if full.rpartition(".")[2] == "ground" else full

    def _marker_number(self, command: AdamsCommand, *keys: str) -> str:
        name = command.text(*keys)
        if not name:
            raise command.fail(f"{keys[0]} is missing.")
        full = self._full(name)
        if full not in self.markers:
            ends = [marker for marker in self.markers if marker.endswith("." + name.lower().lstrip("."))]
            if len(ends) != 1:
                raise command.fail(f"there is no marker '{name}' before this line.")
            full = ends[0]
        if full in self.unplaced:
            raise command.fail(f"the place of marker '{name}' is the expression {self.unplaced[full][:60]}, "
                               "which is not read; write its numbers.")  # fmt: skip
        return str(list(self.markers).index(full) + 1)

    def _frame(self, command: AdamsCommand, name: str) -> Pose:
        """The pose in the world of a part, a marker, or of the ground or the model."""
        if not name:
            return Pose()
        full = self._full(name, part=True)
        if full in self.parts:
            return self.parts[full]
        for known in (full, self._full(name)):
            if known in self.markers:
                return self.markers[known][1]
        if full.rpartition(".")[2] in ("ground", self.model.lstrip(".")) or full == self.model:
            return Pose()
        raise command.fail(f"there is no part or marker '{name}' before this line.")

    # Commands

    def read(self, command: AdamsCommand) -> None:
        """One command; those that may matter and are not known are refused or named."""
        words = command.words
        if words[0] in UNREAD_COMMANDS and words[:2] not in COMMAND_READERS:
            return
        for length in (3, 2, 1):
            if reader := COMMAND_READERS.get(words[:length]):
                if command.blocks and (words[0] in RELEVANT or "active" in command.values):
                    raise command.fail(
                        f"it stands inside `{command.blocks[-1]}`, and programs are not run; export the model from "
                        "Adams View, where such commands have been carried out."
                    )
                try:
                    reader(self, command)
                except ModelError:
                    raise
                except _NotNumbers as error:
                    raise command.fail(f"the expression {error} is not read; write its numbers.") from None
                except ReactioError as error:
                    raise command.fail(str(error)) from None
                return
        if words[0] in RELEVANT:
            raise command.fail("this has no counterpart here; it is not approximated.")
        if any(word.startswith(words[0]) for word in RELEVANT):
            raise command.fail(f"'{words[0]}' is an abbreviation; write the words of commands in full.")
        why = "it is not known; if it creates joints, this is a different mechanism"
        self._unread(f"command '{' '.join(words)}'", why)

    def _unread(self, what: str, why: str) -> None:
        self.notes.append(Note(NoteKind.UNREAD, what, why, NoteTopic.ELEMENT))

    def _file(self, command: AdamsCommand) -> None:
        if "read" not in command.words:
            return
        name = command.text("file_name")
        self._unread(f"file '{name}'", "it is not read; if it creates joints, this is a different mechanism")

    def _deleted(self, command: AdamsCommand) -> None:
        """Objects that a command deletes would have to be unread; before there is a model, none has been read."""
        if self.parts and command.text("model_name").lower().lstrip(".") in ("", self.model.lstrip(".")):
            raise command.fail("it deletes objects that were read; export the model from Adams View as it is.")

    def _group(self, command: AdamsCommand) -> None:
        if "active" in command.values:
            raise command.fail("groups are not read; switch their objects one by one.")

    def _defaults(self, command: AdamsCommand) -> None:
        kind = command.words[1] if len(command.words) > 1 else ""
        if kind == "units":
            self._set_units(command)
        elif kind == "coordinate_system":
            self.system = command.text("default_coordinate_system")
        elif kind == "model" and (part := command.text("part_name")):
            self.part = part.lower()

    def _set_units(self, command: AdamsCommand) -> None:
        for key, known in ADAMS_UNITS.items():
            if unit := command.text(key).lower():
                if unit not in known:
                    raise command.fail(f"{key} = {unit} is not a known unit; known are {', '.join(known)}.")
                if self.markers and self.units.get(key) != known[unit]:
                    raise command.fail(f"{key} = {unit} differs from the unit of the objects created before this line.")
                self.units[key] = known[unit]
        if (time := command.text("time").lower()) and time not in ("sec", "second"):
            raise command.fail(f"time = {time} is not read; export the model in seconds.")
        if angle := command.text("angle").lower():
            self.degrees = angle.startswith("deg")
        if (kind := command.text("coordinate_system_type").lower()) and kind != "cartesian":
            raise command.fail(f"{kind} coordinates are not read; export the model in Cartesian ones.")
        if order := command.text("orientation_type").lower():
            if order not in SEQUENCES:
                raise command.fail(f"orientation_type = {order} is not read; known are {', '.join(SEQUENCES)}.")
            self.sequence = SEQUENCES[order]

    def _model(self, command: AdamsCommand) -> None:
        name = f".{command.text('model_name').lower().lstrip('.')}"
        if self.model and self.parts:
            raise command.fail("the file creates a second model; give one model a file.")
        self.model = name
        self.parts[f"{name}.ground"] = Pose()

    def _rigid_body(self, command: AdamsCommand) -> None:
        """A part, its mass, or its velocity at the start, which nothing here depends on."""
        if "mass_properties" in command.words:
            self._mass(command)
        elif "initial_velocity" not in command.words:
            self._rigid_part(command)

    def _rigid_part(self, command: AdamsCommand) -> None:
        name = self._part_name(command.text("part_name"))
        if name == f"{self.model}.ground":  # which is there before any command
            self.part = "ground"
            return
        if command.text("ground_part").lower() in ON:
            raise command.fail("a ground part of another name than 'ground' is not read; name it 'ground'.")
        known = self.parts.get(name)
        pose = self._pose(command, name, known)
        if pose is not None:
            self.parts[name] = pose
        self.part = name.rpartition(".")[2]
        self._statement(command, "PART", name)

    def _mass(self, command: AdamsCommand) -> None:
        name = self._part_name(command.text("part_name"))
        if ("PART", name) not in self.by_name:
            if name.endswith(".ground"):
                return
            raise command.fail(f"there is no part '{command.text('part_name')}' before this line.")
        part = self.by_name["PART", name]
        if "mass" in command.values:
            part.given["MASS"] = [repr(self._number(command, command.text("mass")))]
            part.words = [word for word in part.words if word != UNKNOWN_MASS]
        elif "material_type" in command.values or "density" in command.values:
            part.words.append(UNKNOWN_MASS)
        for key, target in (("center_of_mass_marker", "CM"), ("inertia_marker", "IM")):
            if command.text(key):
                part.given[target] = [self._marker_number(command, key)]
        keys = ("ixx", "iyy", "izz", "ixy", "izx", "iyz")
        if any(key in command.values for key in keys):
            part.given["IP"] = [repr(self._number(command, command.text(key) or "0")) for key in keys]

    def _marker(self, command: AdamsCommand) -> None:
        name = self._full(command.text("marker_name"))
        part = name.rpartition(".")[0]
        if part.rpartition(".")[2] == "ground":
            part = f"{self.model}.ground"
        known = self.markers.get(name)
        if part not in self.parts and known is None:
            return  # on a flexible part or another object; refused where it is used
        pose = self._pose(command, name, known[1] if known else None)
        self.markers[name] = (part, Pose() if pose is None else pose)

    def _pose(self, command: AdamsCommand, name: str, known: Pose | None) -> Pose | None:
        """The pose in the world that a command gives; the parts it leaves out, or gives by expressions alone, stay."""
        outer = self._frame(command, command.text("relative_to") or self.system)
        inside = outer.inverse @ known if known is not None else Pose()
        try:
            r = self._numbers(command, "location")
            angles = self._numbers(command, "orientation")
            along = self._numbers(command, "along_axis_orientation")
        except _NotNumbers as error:
            if known is None:
                self.unplaced[name] = str(error)
            self.expressions += 1
            return known
        r_new = inside.r if r is None else np.array(r[:3])
        R_new = inside.R if angles is None else self._axes(angles)
        if along is not None:
            points = np.array(along).reshape(-1, 3)
            R_new = frame_along(points[0] if len(points) == 1 else points[1] - points[0], "along_axis_orientation")
        elif any(key.endswith("_orientation") for key in command.values) and angles is None:
            self.unplaced[name] = "of its orientation"
            return known
        self.unplaced.pop(name, None)
        return outer @ Pose(r_new, R_new)

    def _axes(self, angles: list[float]) -> Floats:
        R = np.eye(3)
        for digit, angle in zip(self.sequence, angles, strict=True):
            R = R @ rotation(NUMBERED_AXES[digit], angle)
        return R

    def _numbers(self, command: AdamsCommand, key: str) -> list[float] | None:
        """The numbers of a value, angles in radians; expressions of other objects are not evaluated."""
        if key not in command.values:
            return None
        is_angle = key == "orientation"
        listed = command.listed(key)
        if len(listed) == 1 and not ADAMS_NUMBER.match(listed[0]):
            raise _NotNumbers(listed[0])
        if len(listed) not in ((3, 6) if key == "along_axis_orientation" else (3,)):
            raise command.fail(f"{key} needs three numbers, not {len(listed)}.")
        numbers = [self._number(command, text, is_angle) for text in listed]
        if not np.isfinite(numbers).all():
            raise command.fail(f"{key} holds a number that is not finite.")
        return numbers

    def _number(self, command: AdamsCommand, text: str, is_angle: bool = False) -> float:
        unit = np.pi / 180 if is_angle and self.degrees else 1.0
        text = text.strip().strip("()") if "(" in text else text.strip()
        if ADAMS_NUMBER.match(text):
            if text[-1] in "dD":
                return float(text[:-1]) * np.pi / 180
            return float(text[:-1]) if text[-1] in "rR" else float(text) * unit
        if match := WITH_UNIT.match(text):
            for known, file_unit in ((LENGTHS, self._si("length")), (MASSES, self._si("mass"))):
                if match[2].lower() in known:
                    return float(match[1]) * known[match[2].lower()] / file_unit
        try:
            return unit * evaluate(text, {})
        except ReactioError:
            raise _NotNumbers(text) from None

    def _si(self, key: str) -> float:
        """The unit of the file in SI."""
        units = ADAMS_LENGTH_UNITS if key == "length" else MASS_UNITS
        return units[self.units[key]] if key in self.units else 1.0

    def _statement(self, command: AdamsCommand, keyword: str, name: str) -> Statement:
        """The statement of an object, new or known."""
        key = (keyword, name)
        if key not in self.by_name:
            number = 1 + sum(1 for known, _ in self.by_name if known == keyword)
            short = self.written.get(name.rpartition(".")[2], name)
            self.by_name[key] = Statement(keyword, number, short, command.file, command.line, is_numbered=False)
        return self.by_name[key]

    # Constraints

    def _attributes(self, command: AdamsCommand) -> None:
        """Objects that are switched off are left out, unless they are switched on again."""
        for key in ("constraint_name", "force_name", "part_name", "entity_name"):
            for name in command.listed(key):
                self._switch(command, self._full(name, part=True))

    def _switch(self, command: AdamsCommand, name: str) -> None:
        state = command.text("active").lower()
        if state in OFF:
            self.inactive[name] = command
        elif state in ON:
            self.inactive.pop(name, None)

    def _joint(self, command: AdamsCommand) -> None:
        words = {"joint": ADAMS_CMD_JOINTS, "primitive_joint": PRIMITIVES}[command.words[2]]
        kind = command.words[3] if len(command.words) > 3 else ""
        if kind not in words:
            raise command.fail(f"joints of kind '{kind}' have no counterpart here; they are not approximated.")
        keyword = "JOINT" if words is ADAMS_CMD_JOINTS else "JPRIM"
        name = self._full(command.text("joint_name", "jprim_name", "primitive_joint_name"), part=True)
        statement = self._statement(command, keyword, name)
        statement.words = [words[kind]]
        if command.words[1] == "create" or "i_marker_name" in command.values:
            self._ends(command, statement)
        for key, target in (("pitch", "PITCH"), ("diameter_of_pitch", "PD"), ("pitch_diameter", "PD")):
            if command.text(key):
                statement.given[target] = [repr(self._number(command, command.text(key)))]
        self._switch(command, name)

    def _ends(self, command: AdamsCommand, statement: Statement) -> None:
        """The markers of a statement, or two that are made where it gives parts, a location and an orientation."""
        if command.text("i_part_name"):
            for letter in "ij":
                part = self._part_name(command.text(f"{letter}_part_name"))
                if part not in self.parts:
                    raise command.fail(f"there is no part '{command.text(f'{letter}_part_name')}' before this line.")
                name = f"{part}.{statement.name}_{letter}".lower()
                pose = self._pose(command, name, None)
                self.markers[name] = (part, Pose() if pose is None else pose)
                command.values[f"{letter}_marker_name"] = name
        for letter in "ij":
            statement.given[letter.upper()] = [self._marker_number(command, f"{letter}_marker_name")]

    def _motion(self, command: AdamsCommand) -> None:
        name = self._full(command.text("motion_name"), part=True)
        statement = self._statement(command, "MOTION", name)
        if joint := command.text("joint_name"):
            statement.given["JOINT"] = [self._joint_number(command, joint)]
        elif "i_marker_name" in command.values:
            self._ends(command, statement)
            statement.words.append(command.text("axis").upper() or "Z")
        statement.given["FUNCTION"] = [command.text("function")]
        if (rate := command.text("time_derivative").upper()) in ("VELOCITY", "ACCELERATION"):
            statement.words.append(rate)

    def _joint_number(self, command: AdamsCommand, name: str) -> str:
        full = self._full(name, part=True)
        if ("JOINT", full) not in self.by_name:
            raise command.fail(f"there is no joint '{name}' before this line.")
        return str(self.by_name["JOINT", full].number)

    def _complex_joint(self, command: AdamsCommand) -> None:
        """Couplers and gears between joints."""
        kind = command.words[3] if len(command.words) > 3 else ""
        if kind not in ("coupler", "gear"):
            raise command.fail(f"'{kind}' has no counterpart here; it is not approximated.")
        name = self._full(command.text(f"{kind}_name"), part=True)
        statement = self._statement(command, kind.upper(), name)
        joints = command.listed("joint_name")
        if joints:
            statement.given["JOINTS"] = [self._joint_number(command, joint) for joint in joints]
        keys = ("common_velocity_marker_name", "common_velocity_marker")
        if kind == "gear" and command.text(*keys):
            statement.given["CV"] = [self._marker_number(command, *keys)]
        if scales := command.listed("motion_multipliers"):
            statement.given["SCALES"] = [repr(self._number(command, scale)) for scale in scales]

    # Forces

    def _gravity(self, command: AdamsCommand) -> None:
        name = self._full(command.text("gravity_field_name") or "gravity", part=True)
        statement = self._statement(command, "ACCGRAV", name)
        for axis, key in (("x", "IGRAV"), ("y", "JGRAV"), ("z", "KGRAV")):
            text = command.text(f"{axis}_component_gravity")
            if text:
                statement.given[key] = [repr(self._number(command, text))]

    def _single_force(self, command: AdamsCommand) -> None:
        name = self._full(command.text("single_component_force_name"), part=True)
        statement = self._statement(command, "SFORCE", name)
        if command.words[1] == "create":
            self._ends(command, statement)
        if command.text("action_only").lower() in ON:
            statement.words.append("ACTIONONLY")
        if command.text("type_of_freedom").lower().startswith("rot"):
            statement.words.append("ROTATION")
        if text := command.text("function"):
            statement.given["FUNCTION"] = [text]

    def _element_like(self, command: AdamsCommand) -> None:
        springs = (("translational_spring_damper",), ("rotational_spring_damper",))
        (self._spring if command.words[3:4] in springs else self._named_force)(command)

    def _spring(self, command: AdamsCommand) -> None:
        """Springs with dampers between two markers, along their line or about their axis."""
        turns = command.words[3].startswith("rot")
        name = self._full(command.text("spring_damper_name"), part=True)
        statement = self._statement(command, "SPRINGDAMPER", name)
        statement.words = ["ROTATION"] if turns else ["TRANSLATION"]
        if command.words[1] == "create" or "i_marker_name" in command.values:
            self._ends(command, statement)
        keys = (
            {"stiffness": "KT", "damping": "CT", "preload": "TORQUE", "displacement_at_preload": "ANGLE"}
            if turns
            else {"stiffness": "K", "damping": "C", "preload": "FORCE", "displacement_at_preload": "LENGTH"}
        )
        for key, target in keys.items():
            if not command.text(key):
                continue
            try:
                number = self._number(command, command.text(key), is_angle=key == "displacement_at_preload" and turns)
            except _NotNumbers as error:
                if target not in statement.given:
                    raise
                why = f"its {key} is changed to the expression {error}, which is not read: the number before it stays"
                self.notes.append(Note(NoteKind.WARNING, f"spring '{statement.name}'", why))
                continue
            statement.given[target] = [repr(number)]

    def _named_force(self, command: AdamsCommand) -> None:
        """A force that is not read, named."""
        name = next((command.text(key) for key in command.values if key.endswith("_name")), "")
        why = "a force that is not read; verdicts do not depend on it, reactions and motion do"
        note = Note(NoteKind.WARNING, f"{' '.join(command.words[2:])} '{name}'", why, NoteTopic.ELEMENT)
        if note not in self.notes:
            self.notes.append(note)

    def _ude(self, command: AdamsCommand) -> None:
        if command.words[1] == "create":
            name, kind = command.text("instance_name"), command.text("definition_name")
            why = f"an element of the kind {kind} that is not read; if it connects parts, this is a different mechanism"
            self._unread(f"instance '{name}'", why)

    def _contact(self, command: AdamsCommand) -> None:
        if command.words[1] == "create":
            self._statement(command, "CONTACT", command.text("contact_name"))

    def _nothing(self, command: AdamsCommand) -> None:
        """A command that changes nothing that is read."""

    # The deck

    def statements(self) -> list[Statement]:
        """The statements of an Adams deck, in its order: units, parts, markers, the rest."""
        if not any(keyword == "PART" for keyword, _ in self.by_name):
            raise ModelError("creates no rigid parts; is it an Adams View command file of a model?", place=self.file)
        if self.expressions:
            why = "the numbers written before them are taken"
            self.notes.append(Note(NoteKind.REMARK, f"{self.expressions} places as expressions", why))
        units = Statement("UNITS", 0, "", self.file, 1, given={key.upper(): [word] for key, word in self.units.items()})
        statements = [units] if self.units else []
        numbers = {f"{self.model}.ground": 0}
        ground = Statement("PART", 0, "ground", self.file, 1, ["GROUND"], is_numbered=False)
        for (keyword, name), statement in self.by_name.items():
            if keyword == "PART":
                numbers[name] = statement.number
                statement.given |= _placed("QG", self.parts.get(name, Pose()))
        active = [s for (keyword, name), s in self.by_name.items() if keyword == "PART" and name not in self.inactive]
        statements += [ground, *active]
        for number, (name, (part, pose)) in enumerate(self.markers.items(), 1):
            if part in self.inactive:
                continue
            inside = self.parts[part].inverse @ pose
            given = {"PART": [str(numbers[part])]} | _placed("QP", inside)
            short = self.written.get(name.rpartition(".")[2], name)
            statements.append(Statement("MARKER", number, short, self.file, 1, given=given, is_numbered=False))
        statements += [
            s for (keyword, name), s in self.by_name.items() if keyword != "PART" and name not in self.inactive
        ]
        self._note_inactive(statements)
        return statements

    def _note_inactive(self, statements: list[Statement]) -> None:
        """Name the objects that are switched off; a part to which others are attached cannot be left out alone."""
        places = [part for part, _ in self.markers.values()]
        for name, command in self.inactive.items():
            switched = [(keyword, s) for (keyword, known), s in self.by_name.items() if known == name]
            for keyword, statement in switched:
                why = "switched off in the file, and not read"
                self.notes.append(Note(NoteKind.WARNING, f"{keyword.lower()} '{statement.name}'", why))
            if not switched and name not in self.markers:
                why = "switched off in the file; no object that is read has this name"
                self.notes.append(Note(NoteKind.WARNING, f"object '{name}'", why))
            for statement in statements if name in self.parts else []:
                markers = [number for key in ("I", "J", "CV") for number in statement.given.get(key, [])]
                if any(places[int(number) - 1] == name for number in markers):
                    raise command.fail(
                        f"the part is switched off while {statement.keyword.lower()} '{statement.name}' is attached to "
                        "it; switch that off as well, or delete both."
                    )


class _NotNumbers(ReactioError):
    """A value that is an expression of other objects."""


def _placed(position: str, pose: Pose) -> dict[str, list[str]]:
    """The arguments of a statement that give a pose: its place, and its 3-1-3 angles."""
    R = pose.R
    b = float(np.arctan2(np.hypot(R[0, 2], R[1, 2]), R[2, 2]))
    if np.hypot(R[0, 2], R[1, 2]) > 1e-12:
        a, c = float(np.arctan2(R[0, 2], -R[1, 2])), float(np.arctan2(R[2, 0], R[2, 1]))
    else:
        b = 0.0 if R[2, 2] > 0 else float(np.pi)
        a, c = float(np.arctan2(R[1, 0], R[0, 0])), 0.0
    return {position: [repr(float(x)) for x in pose.r], "REULER": [repr(a), repr(b), repr(c)]}


COMMAND_READERS: dict[tuple[str, ...], Callable[[AdamsTranslation, AdamsCommand], None]] = {
    **dict.fromkeys((("defaults",), ("default",)), AdamsTranslation._defaults),
    **dict.fromkeys(((kind, "delete") for kind in ("model", "entity", "group")), AdamsTranslation._deleted),
    **dict.fromkeys((("group", "attributes"), ("group", "modify")), AdamsTranslation._group),
    **dict.fromkeys((("file", "command"), ("file", "adams_data_set")), AdamsTranslation._file),
    ("model", "create"): AdamsTranslation._model,
    ("part", "create", "rigid_body"): AdamsTranslation._rigid_body,
    ("part", "modify", "rigid_body"): AdamsTranslation._rigid_body,
    ("part", "attributes"): AdamsTranslation._attributes,
    ("entity", "attributes"): AdamsTranslation._attributes,
    ("part", "create", "equation"): AdamsTranslation._nothing,
    ("part", "modify", "equation"): AdamsTranslation._nothing,
    ("part", "create", "ground"): AdamsTranslation._nothing,
    ("marker", "create"): AdamsTranslation._marker,
    ("marker", "modify"): AdamsTranslation._marker,
    ("marker", "attributes"): AdamsTranslation._nothing,
    ("constraint", "attributes"): AdamsTranslation._attributes,
    ("constraint", "create", "joint"): AdamsTranslation._joint,
    ("constraint", "modify", "joint"): AdamsTranslation._joint,
    ("constraint", "create", "primitive_joint"): AdamsTranslation._joint,
    ("constraint", "create", "motion_generator"): AdamsTranslation._motion,
    ("constraint", "modify", "motion_generator"): AdamsTranslation._motion,
    ("constraint", "create", "complex_joint"): AdamsTranslation._complex_joint,
    ("constraint", "modify", "complex_joint"): AdamsTranslation._complex_joint,
    ("force", "attributes"): AdamsTranslation._attributes,
    ("force", "create", "body"): AdamsTranslation._gravity,
    ("force", "modify", "body"): AdamsTranslation._gravity,
    ("force", "create", "direct"): lambda self, command: (
        self._single_force if "single_component_force" in command.words else self._named_force
    )(command),
    ("force", "modify", "direct"): lambda self, command: (
        self._single_force if "single_component_force" in command.words else self._named_force
    )(command),
    ("force", "create", "element_like"): AdamsTranslation._element_like,
    ("force", "modify", "element_like"): AdamsTranslation._element_like,
    ("ude",): AdamsTranslation._ude,
    ("contact",): AdamsTranslation._contact,
    ("flexible_body", "attributes"): AdamsTranslation._nothing,
}
