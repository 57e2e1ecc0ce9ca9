"""Impossible models in files: one message each, with file, line, the object's name and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import reactio
from reactio.errors import ModelError, ReactioError
from reactio.model.files.read import parse_model, read_model

PLANAR = """\
reactio: 1
space: planar
parameters: {a: 0.5, b: 2*a}
gravity: [0, -9.81]
ground: {points: {origin: [0, 0]}}
bodies:
  rod: {mass: 1, inertia: 0.1, position: [a, 0], points: {tip: [a, 0]}}
  slider: {mass: 2, inertia: 0.2, position: [b, 0]}
joints:
  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}
  B: {type: revolute, bodies: [rod, slider], at: [b, 0]}
  S: {type: translational, a: ground, b: slider, axis: [1, 0]}
drives:
  motor: {joint: A, function: 2*t}
couplings:
  pinion: {type: rack, joints: [S, A], radius: 0.1}
forces:
  push: {type: force, at: rod.tip, force: [0, 1]}
  coil: {type: spring, a: ground, b: rod.tip, stiffness: 10, length: 0.2}
  act: {type: actuator, joint: S, effort: -3*s}
"""

SPATIAL = """\
space: spatial
ground: {axes: {up: [0, 0, 1]}}
bodies:
  arm:
    mass: 1
    inertia: [1, 1, 1]
    orientation: [1, 0, 0, 0]
    frames: {hand: {point: [1, 0, 0], axis: [0, 1, 0]}}
  ball: {mass: 1, kind: point, position: [1, 0, 0]}
joints:
  A: {type: revolute, a: {body: ground, axis: up}, b: {body: arm, axis: [0, 0, 1]}}
  L: {type: spherical, a: arm.hand, b: ball}
  C: {type: cylindrical, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  twist: {type: torque, at: arm, torque: [0, 0, 1]}
"""

# What is replaced, by what, the line of the message and words of it.
CASES: dict[str, tuple[str, str, int, tuple[str, ...]]] = {
    "format": ("reactio: 1", "reactio: 7", 1, ("format 7", "format 1")),
    "space": ("space: planar", "space: planer", 2, ("planer", "Did you mean 'planar'")),
    "key of the model": ("joints:", "jionts:", 9, ("jionts", "Did you mean 'joints'")),
    "key of a body": ("{mass: 2,", "{mas: 2,", 8, ("body 'slider'", "'mas'", "Did you mean 'mass'")),
    "key of ground": ("{points: {origin", "{point: {origin", 5, ("ground", "Did you mean 'points'")),
    "key of a joint": ("rod], at:", "rod], att:", 10, ("joint 'A'", "Did you mean 'at'")),
    "key of an end": ("a: ground, b: slider", "a: {bdy: ground}, b: slider", 12, ("joint 'S'", "Did you mean 'body'")),
    "key of a drive": ("function: 2*t", "funktion: 2*t", 14, ("drive 'motor'", "Did you mean 'function'")),
    "key of a coupling": ("radius:", "radios:", 16, ("coupling 'pinion'", "Did you mean 'radius'")),
    "key of a force": ("stiffness:", "stifness:", 19, ("force 'coil'", "Did you mean 'stiffness'")),
    "key of a function": ("2*t", "{step: {strat: 0, end: 1}}", 14, ("'motor'", "step", "Did you mean 'start'")),
    "kind of function": ("2*t", "{stepp: {}}", 14, ("'motor'", "Did you mean 'step'")),
    "two functions": ("2*t", "{constant: 1, step: {}}", 14, ("'motor'", "one function", "2 names")),
    "unknown body": ("[rod, slider]", "[rodd, slider]", 11, ("joint 'B'", "'rodd'", "Did you mean 'rod'")),
    "unknown body of a force": ("at: rod.tip", "at: rud.tip", 18, ("force 'push'", "Did you mean 'rod'")),
    "unknown point": ("at: rod.tip", "at: rod.top", 18, ("force 'push'", "body 'rod'", "Did you mean 'tip'")),
    "unknown joint": ("joint: A,", "joint: Z,", 14, ("drive 'motor'", "no joint 'Z'", "Known: A, B, S")),
    "unknown coordinate": ("joint: A,", "joint: A.rotaton,", 14, ("'motor'", "Did you mean 'rotation'")),
    "unknown joint type": ("A: {type: revolute", "A: {type: revolut", 10, ("'A'", "Did you mean 'revolute'")),
    "joint type of space": ("A: {type: revolute", "A: {type: spherical", 10, ("'A'", "spherical", "a joint of space")),
    "unknown coupling type": ("type: rack", "type: rak", 16, ("'pinion'", "Did you mean 'rack'")),
    "unknown force type": ("type: spring", "type: spirng", 19, ("'coil'", "Did you mean 'spring'")),
    "missing type": ("{type: spring, ", "{", 19, ("'coil'", "needs 'type'")),
    "missing field": (", length: 0.2", "", 19, ("'coil'", "needs 'length'")),
    "body twice": ("  slider:", "  rod:", 8, ("'rod'", "twice", "line 7")),
    "joint and drive": ("  motor:", "  B:", 14, ("'B'", "twice", "joints", "drives")),
    "drive and coupling": ("  pinion:", "  motor:", 16, ("'motor'", "twice")),
    "parameter twice": ("b: 2*a", "a: 2*a", 3, ("'a'", "twice")),
    "body called ground": ("  slider:", "  ground:", 8, ("'ground' is reserved", "choose another")),
    "joint called ground": ("  B: {", "  ground: {", 11, ("'ground'", "choose another")),
    "dot in a name": ("  slider:", "  slider.1:", 8, ("'slider.1'", "dot")),
    "long name": ("  motor:", f"  {'m' * 201}:", 14, ("201 letters", "200")),
    "name that prints nothing": ("  motor:", '  "\\u200b":', 14, ("\\u200b", "printed")),
    "blank name": ("  motor:", "  '  ':", 14, ("choose another",)),
    "list as a name": ("  motor:", "  [a, b]:", 14, ("a name must be a text",)),
    "no mass": ("mass: 2, inertia: 0.2, ", "", 8, ("body 'slider'", "mass", "0 for a massless body")),
    "negative mass": ("mass: 2", "mass: -2", 8, ("body 'slider'", "-2 kg", "not negative")),
    "negative inertia": ("inertia: 0.2", "inertia: -a", 8, ("body 'slider'", "-0.5", "positive")),
    "inertia of space": ("inertia: 0.2", "inertia: [1, 1, 1]", 8, ("body 'slider'", "one number")),
    "zero axis": ("axis: [1, 0]", "axis: [0, 0]", 12, ("joint 'S'", "no direction", "non-zero")),
    "unit": ("gravity:", "units: mmm\ngravity:", 4, ("'mmm'", "Did you mean 'mm'")),
    "unit of a quantity": ("gravity:", "units: {length: kg}\ngravity:", 4, ("'kg'", "length", "Known")),
    "quantity": ("gravity:", "units: {lenght: mm}\ngravity:", 4, ("lenght", "Did you mean 'length'")),
    "two lengths": ("gravity:", "units: [mm, cm]\ngravity:", 4, ("two units of one quantity",)),
    "import": ("mass: 2", "mass: \"__import__('os').system('x')\"", 8, ("body 'slider': mass", "no meaning")),
    "attribute": ("mass: 2", "mass: a.real", 8, ("body 'slider': mass", "a.real", "allowed are")),
    "lambda": ("mass: 2", "mass: '(lambda: 2)()'", 8, ("body 'slider': mass", "allowed are")),
    "forbidden call": ("mass: 2", "mass: open(a)", 8, ("body 'slider': mass", "open", "is not a function")),
    "unknown name": ("mass: 2", "mass: 2*aa", 8, ("body 'slider': mass", "aa", "Did you mean 'a'")),
    "division by zero": ("mass: 2", "mass: 2/(b - 2*a)", 8, ("body 'slider': mass", "divides by zero")),
    "root of less than nothing": ("mass: 2", "mass: sqrt(-a)", 8, ("body 'slider': mass", "no real value")),
    "circle": ("a: 0.5, b: 2*a", "a: b, b: 2*a", 3, ("circle", "a → b", "give one of them a number")),
    "own circle": ("a: 0.5", "a: a + 1", 3, ("circle", "a → a")),
    "bad parameter": ("b: 2*a", "b: 2*c", 3, ("parameter 'b'", "'c'")),
    "reserved parameter": ("b: 2*a", "b: 2*a, pi: 3", 3, ("parameter 'pi'", "choose another")),
    "text for a number": ("mass: 2", "mass: heavy", 8, ("body 'slider': mass", "heavy")),
    "list for a number": ("mass: 2", "mass: [2]", 8, ("body 'slider': mass", "a list")),
    "nothing for a number": ("mass: 2", "mass: ''", 8, ("body 'slider': mass", "nothing")),
    "number for a list": ("position: [b, 0]", "position: b", 8, ("body 'slider': position", "is a vector")),
    "list for a mapping": ("{joint: A, function: 2*t}", "[A, 2*t]", 14, ("drive 'motor'", "must be a mapping")),
    "three numbers in the plane": ("[b, 0]}", "[b, 0, 0]}", 8, ("body 'slider': position", "3 numbers; 2")),
    "gravity of space": ("[0, -9.81]", "[0, 0, -9.81]", 4, ("gravity", "3 numbers; 2")),
    "quaternion in the plane": ("mass: 2", "orientation: [1, 0, 0, 0], mass: 2",
        8, ("'slider': orientation", "a number")),
    "x in the plane": ("axis: [1, 0]", "axis: [1, 0], x: [0, 1]", 12, ("joint 'S'", "x", "in space")),
    "joint with itself": ("[rod, slider]", "[rod, rod]", 11, ("joint 'B'", "'rod' with itself")),
    "three bodies": ("[rod, slider]", "[rod, slider, ground]", 11, ("joint 'B'", "names 3", "connects two")),
    "bodies without at": ("[ground, rod], at: [0, 0]", "[ground, rod]", 10, ("joint 'A'", "needs 'at'")),
    "at without bodies": ("b: slider, axis", "b: slider, at: [0, 0], axis", 12, ("joint 'S'", "`bodies` and `at`")),
    "bodies and ends": ("rod], at", "rod], a: ground, at", 10, ("joint 'A'", "`a` and `b`")),
    "drive without coordinate": ("A: {type: revolute", "A: {type: fixed",
        14, ("drive 'motor'", "'A' (fixed)", "no coordinate")),
    "coupling of a wrong kind": ("[S, A]", "[A, S]", 16, ("coupling 'pinion'", "'A' (revolute)", "no translation")),
    "coupling of one": ("[S, A]", "[S]", 16, ("coupling 'pinion'", "names 1", "2 are needed")),
    "coupling of one twice": ("type: rack, joints: [S, A], radius: 0.1", "type: gear, joints: [A, A], ratio: 2",
        16, ("twice",)),
    "lengths and angles": (
        "type: rack, joints: [S, A], radius: 0.1",
        "type: linear, joints: [S, A], coefficients: [1, 2]",
        16,
        ("coupling 'pinion'", "lengths to angles", "rack"),
    ),
    "factors": (
        "type: rack, joints: [S, A], radius: 0.1",
        "type: linear, joints: [B, A], coefficients: [1, 2, 3]",
        16,
        ("coupling 'pinion'", "2 coordinates; 3"),
    ),
    "zero factor": (
        "type: rack, joints: [S, A], radius: 0.1",
        "type: linear, joints: [B, A], coefficients: [1, 0]",
        16,
        ("coupling 'pinion'", "zero"),
    ),
    "zero radius": ("radius: 0.1", "radius: 0", 16, ("coupling 'pinion'", "radius is 0", "different from zero")),
    "drive by its own coordinate": ("2*t", "2*s", 14, ("drive 'motor'", "'s'")),
    "drive by a spring": ("2*t", "{linear-law: {stiffness: 1}}", 14, ("drive 'motor'", "joint coordinate")),
    "drive by a hidden coordinate": ("2*t", "{expression: {text: s*t}}", 14, ("drive 'motor'", "depends on s")),
    "load by a hidden coordinate": ("force: [0, 1]", "force: [0, {expression: {text: rate}}]",
        18, ("'push'", "on rate")),
    "torque of space": ("type: force, at: rod.tip, force: [0, 1]", "type: torque, at: rod, torque: [0, 0, 1]",
        18, ("'push'", "3 components; 1")),
    "choice": ("force: [0, 1]", "force: [0, 1], axes: wrold", 18, ("force 'push'", "wrold", "world or body")),
    "step with a list": ("2*t", "{step: {start: [0, 1], end: 2}}", 14, ("drive 'motor'", "start must be", "a list")),
    "polynomial with a number": ("2*t", "{polynomial: 3}", 14, ("drive 'motor'", "coefficients must be a list")),
    "step backwards": ("2*t", "{step: {start: 2, end: 1}}", 14, ("drive 'motor'", "not after start")),
    "spline of one": ("2*t", "{spline: {times: [0], values: [1]}}", 14, ("drive 'motor'", "at least two")),
    "spline uneven": ("2*t", "{spline: {times: [0, 1], values: [1]}}", 14, ("drive 'motor'", "2 times and 1 values")),
    "spline twice": ("2*t", "{spline: {times: [0, 1], values: [1, 2], file: a.csv}}",
        14, ("drive 'motor'", "one of times, file")),
    "spline ends": ("2*t", "{spline: {table: [[0, 1], [1, 2]], ends: clampd}}",
        14, ("'motor'", "Did you mean 'clamped'")),
    "table row": ("2*t", "{spline: {table: [[0, 1], [1, 2, 3]]}}", 14, ("'motor'", "3 numbers; 2")),
    "empty sum": ("2*t", "{sum: []}", 14, ("drive 'motor'", "no terms")),
    "point and frame": ("points: {tip: [a, 0]}", "points: {tip: [a, 0]}, frames: {tip: {}}",
        7, ("body 'rod'", "'tip'")),
    "merge of a text": ("mass: 2", "<<: rod, mass: 2", 8, ("<<", "mapping")),
    "tag": ("mass: 2", "mass: !!python/object/apply:os.getcwd []", 8, ("python", "leave it out")),
    "plain tag": ("mass: 2", "mass: !metres 2", 8, ("!metres", "leave it out")),
    "long text": ("reactio: 1", f"title: {'x' * 10001}", 1, ("title", "10,001")),
}  # fmt: skip
NO_NUMBERS = (".nan", ".inf", "nan", "-inf", "Infinity", "1e999", "1e308*10")
NUMBERS = ("mass: 2", "inertia: 0.2", "[b, 0]}", "[0, -9.81]", "b: 2*a", "radius: 0.1", "length: 0.2", "2*t")

SPATIAL_CASES: dict[str, tuple[str, str, int, tuple[str, ...]]] = {
    "triangle": ("inertia: [1, 1, 1]", "inertia: [1, 1, 2.5]", 6, ("body 'arm'", "triangle inequality", "0.5")),
    "products of inertia": ("inertia: [1, 1, 1]", "inertia: [1, 1, 1, 2, 0, 0]", 6, ("body 'arm'", "positive")),
    "two moments": ("inertia: [1, 1, 1]", "inertia: [1, 1]", 6, ("body 'arm'", "3 or 6 numbers", "2 given")),
    "two numbers in space": ("position: [1, 0, 0]", "position: [1, 0]", 9, ("body 'ball': position", "2 numbers; 3")),
    "zero quaternion": ("[1, 0, 0, 0]", "[0, 0, 0, 0]", 7, ("body 'arm': orientation", "length 0")),
    "three of a quaternion": ("[1, 0, 0, 0]", "[1, 0, 0]", 7, ("body 'arm': orientation", "3 numbers; 4")),
    "angle in space": ("orientation: [1, 0, 0, 0]", "angle: 1", 7, ("body 'arm': angle", "plane")),
    "orientation twice": ("axis: up}", "axis: up, orientation: [1, 0, 0, 0]}", 11, ("'A'", "one of orientation, axis")),
    "two ways to turn": ("[1, 0, 0, 0]", "{axis: [0, 0, 1], euler: zxz}", 7, ("body 'arm'", "not axis, euler")),
    "euler": ("[1, 0, 0, 0]", "{euler: zxw, angles: [0, 0, 0]}", 7, ("body 'arm'", "'zxw'", "zxz")),
    "zero axis of a turn": ("[1, 0, 0, 0]", "{axis: [0, 0, 0], angle: 1}", 7, ("body 'arm'", "no direction")),
    "parallel x": ("axis: [0, 1, 0]}", "axis: [0, 1, 0], x: [0, 2, 0]}", 8, ("frame 'hand'", "parallel")),
    "x alone": ("axis: [0, 1, 0]}", "x: [0, 2, 0]}", 8, ("frame 'hand'", "in addition to `axis`")),
    "frame and axis": ("arm.hand", "{body: arm, frame: hand, axis: [1, 0, 0]}",
        12, ("joint 'L'", "'hand'", "no second")),
    "axis of joint and ends": ("axis: [0, 0, 1]}}", "axis: [0, 0, 1]}, axis: [1, 0, 0]}",
        11, ("joint 'A'", "own orient")),
    "zero named axis": ("up: [0, 0, 1]", "up: [0, 0, 1], no: [0, 0, 0]", 2, ("axis 'no'", "no direction")),
    "unknown axis": ("axis: up", "axis: upp", 11, ("joint 'A'", "Did you mean 'up'")),
    "key of a frame": ("point: [1, 0, 0], axis", "pnt: [1, 0, 0], axis", 8, ("frame 'hand'", "Did you mean 'point'")),
    "kind of body": ("kind: point", "kind: pont", 9, ("body 'ball'", "Did you mean 'point'")),
    "inertia of a point": ("kind: point,", "kind: point, inertia: [1, 1, 1],", 9, ("body 'ball'", "leave it out")),
    "turned point": ("type: spherical, a: arm.hand, b: ball", "type: fixed, a: arm.hand, b: ball",
        12, ("'ball'", "point mass")),
    "number for a torque": ("torque: [0, 0, 1]", "torque: 1", 15, ("force 'twist'", "1 component; 3")),
    "joint of the plane": ("type: cylindrical", "type: revolute-translational",
        13, ("joint 'C'", "joint of the plane")),
    "choice of coordinates": ("forces:", "drives: {d: {joint: C, function: t}}\nforces:",
        14, ("'d'", "C.rotation", "C.translation")),
}  # fmt: skip


def message_of(text: str, folder: Path) -> str:
    file = folder / "model.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        read_model(file)
    return str(caught.value)


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize("text", [PLANAR, SPATIAL])
def test_what_is_changed_below_is_in_order(text: str, tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(text)
    assert read_model(tmp_path / "model.yaml").bodies


@pytest.mark.parametrize("case", CASES)
def test_planar_mistakes_are_named_with_their_line(case: str, tmp_path: Path) -> None:
    old, new, line, words = CASES[case]
    check(message_of(changed(PLANAR, old, new), tmp_path), line, words)


@pytest.mark.parametrize("case", SPATIAL_CASES)
def test_spatial_mistakes_are_named_with_their_line(case: str, tmp_path: Path) -> None:
    old, new, line, words = SPATIAL_CASES[case]
    check(message_of(changed(SPATIAL, old, new), tmp_path), line, words)


def check(message: str, line: int, words: tuple[str, ...]) -> None:
    assert f"model.yaml:{line}: " in message
    for word in words:
        assert word in message
    assert len(message) < 1000, "one clear message, not a listing of the file"


@pytest.mark.parametrize("no_number", NO_NUMBERS)
@pytest.mark.parametrize("place", NUMBERS)
def test_numbers_are_finite(place: str, no_number: str, tmp_path: Path) -> None:
    number = place.rpartition(" ")[2].strip("[]},") if ":" not in place else place.partition(": ")[2]
    message = message_of(changed(PLANAR, place, place.replace(number, no_number)), tmp_path)
    assert "model.yaml:" in message
    assert any(word in message for word in ("finite", "not a known name", "beyond", "no meaning", "column"))


def test_a_long_unknown_word_is_cut(tmp_path: Path) -> None:
    message = message_of(changed(PLANAR, "A: {type: revolute", f"A: {{type: {'r' * 9000}"), tmp_path)
    assert "joint 'A'" in message


POINT = """\
space: planar
bodies:
  p: {kind: point, mass: 1, position: [1, 0]}
joints:
  R: {type: distance, a: ground, b: p}
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (POINT.replace("b: p}", "b: {body: p, point: [0.1, 0]}}"), "has no other points"),
        (POINT + "drives: {d: {joint: R.rotation, function: t}}\n", "needs the orientation of 'p'"),
        (POINT + "forces: {f: {type: torque, at: p, torque: 1}}\n", "cannot turn"),
        (POINT + "forces: {f: {type: torsional-spring-damper, joint: R, stiffness: 1}}\n", "needs the orientation"),
    ],
)
def test_point_masses_have_no_orientation(text: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        parse_model(text)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (
            "joints: {A: {type: revolute, bodies: [ground, bar], at: [0, 0]},\n"
            "  rod: {type: distance, a: {body: ground, point: [200, 0]}, b: {body: bar, point: [100, 0]}}}",
            "model.yaml:6: joint 'rod' (distance) has no finite value at t = 0 s: its ends coincide, at [0.2, 0] m",
        ),
        (
            "joints: {A: {type: revolute, bodies: [ground, bar], at: [0, 0]}}\nforces:\n  s: {type: spring, "
            "a: {body: ground, point: [200, 0]}, b: {body: bar, point: [100, 0]}, stiffness: 1, length: 20}",
            "model.yaml:7: force 's' (spring) has no finite value",
        ),
    ],
)
def test_ends_that_coincide_are_named_with_their_line(part: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "model.yaml"
    file.write_text(
        f"space: planar\nunits: mm\nbodies:\n  bar: {{mass: 1, inertia: 100, position: [100, 0]}}\n{part}\n"
    )
    with pytest.raises(ReactioError) as caught:
        reactio.check(reactio.load(str(file)))
    assert words in str(caught.value)
