"""Mistakes of newcomers, each with the words of the message that lead out of it.

Every message is read as someone would who meets it for the first time: it names the place, the mistake and the cure.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., tuple[int, str, str]]

PLANE = """\
space: planar
gravity: [0, -9.81]
bodies:
  bar: {mass: 1, inertia: 1}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [0, 0]}
"""
ROD = "  R: {type: rod, a: ground, b: {body: bar, point: [1, 1]}}\n"
SPACE = """\
space: spatial
gravity: [0, 0, -9.81]
bodies:
  bar: {mass: 1, inertia: [1, 1, 1]}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}
"""

MILLIMETRES = """\
space: planar
units: mm
gravity: [0, -9810]
materials: {steel: {E: 210000, nu: 0.3, density: 7.85e-6}}
bodies:
  bar: {mass: 1, inertia: 1000, points: {tip: [100, 0]}}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [0, 0]}
"""
TUBE = "flexible: {beam: {from: [0, 0], to: [100, 0], section: {tube: [10, 20]}}, material: steel}"
NO_BEAM = "flexible: {beam: {from: [5, 0], to: [5, 0], section: {rod: 20}}, material: steel}"
FOOT = "contacts:\n  foot: {type: point-on-line, line: {body: ground, point: [0, 50]}, point: bar.tip}\n"

# Model, text, its replacement (an empty text: added at the end), line of the message, its words.
FILES: tuple[tuple[str, str, str, int, str], ...] = (
    # Words of the workshop and of other programs
    (PLANE, "revolute", "ball", 6, "no planar joint 'ball'. Did you mean 'revolute'?"),
    (SPACE, "revolute", "socket", 6, "no spatial joint 'socket'. Did you mean 'spherical'?"),
    (SPACE, "type: revolute, ", "", 6, "joint 'A' needs 'type'. Known: axes-angle"),
    (PLANE, "", "contacts:\n  feet: {points: [bar]}\n", 8, "contact 'feet' needs 'type'. Known: disc-on-disc"),
    (PLANE, "", "contacts:\n  foot: {type: point-on-line, surface: ground, point: bar}\n", 8, "Did you mean 'line'?"),
    (PLANE, "", "drives:\n  motor: {along: A, function: t}\n", 8, "Did you mean 'joint'?"),
    (SPACE, "revolute", "Revolute", 6, "Did you mean 'revolute'?"),
    (PLANE, "[ground, bar]", "[world, bar]", 6, "no body 'world'. Did you mean 'ground'?"),
    (PLANE, "planar", "2D", 1, "Did you mean 'planar'?"),
    (PLANE, "", "springs: {}\n", 7, "Did you mean 'forces'?"),
    (PLANE, PLANE, "closed_loop: [[a, b]]\n", 1, "lists the loops of a robot description: give the .urdf file"),
    (PLANE, "joints:", "joint:", 5, "Did you mean 'joints'?"),
    (PLANE, "bodies:\n", "body:\n", 3, "Did you mean 'bodies'?"),
    (PLANE, "space: planar", "space: planar\nunits: millimeters", 2, "Did you mean 'mm'?"),
    (SPACE, "axis: z", "axis: z, bearing: {type: ball}", 6, "Did you mean 'deep-groove'?"),
    # Numbers
    (PLANE, "mass: 1", "mass: 1,5", 4, "a number has a decimal point, as in 1.5"),
    (PLANE, "mass: 1", "mass: '1,5'", 4, "write a decimal point, 1.5"),
    (PLANE, "at: [0, 0]", "at: [0,5, 0,2]", 6, "Numbers have a decimal point, not a comma."),
    (PLANE, "mass: 1", "mass: 1 kg", 4, "leave 'kg' out"),
    (PLANE, "at: [0, 0]", "at: [10mm, 0]", 6, "numbers have the units of the file"),
    (PLANE, "space: planar", "space: planar\nparameters: {a: 2, b: 3a}", 2, "write * for a product, 3*a"),
    (PLANE, "mass: 1", "mass: 2^3", 4, "write ** for powers"),
    (PLANE, "[0, -9.81]", "[0, −9.81]", 2, "write the minus sign of the keyboard, -"),
    (PLANE, "[0, -9.81]", "[0, -9,81]", 2, "Numbers have a decimal point, not a comma."),
    (PLANE, "[0, -9.81]", "9.81", 2, "for example [0, -9.81]"),
    (PLANE, "mass: 1", "mass: 1, angle: 90 deg", 4, "leave the unit out in a file with `units: deg`"),
    (PLANE, "mass: 1", "mass: 1, angle: 90°", 4, "in any other write radians(90), or put that at its top"),
    (PLANE, "space: planar\n", "", 1, "needs 'space'. Known: planar, spatial."),
    (PLANE, "at: [0, 0]", "at: [0, 0], play: 0.02 mmm", 6, "'mmm' is not a unit of length. Did you mean 'mm'?"),
    (PLANE, "at: [0, 0]", "at: [0, 0], capacity: much", 6, "for example {force: 1000}"),
    (PLANE, "mass: 1", "mass: ln(8)", 4, "'ln' is not a function. Did you mean 'log'?"),
    (PLANE, "mass: 1", "mass: math.sqrt(8)", 4, "write sqrt(…)"),
    (PLANE, "mass: 1", "mass: -1", 4, "mass is -1 kg"),
    (PLANE, "mass: 1", "mass:1", 4, "Write a colon and a space: `mass: 1`."),
    (PLANE, "mass: 1", "mass 1", 4, "Write a colon and a space: `mass: 1`."),
    # Vectors
    (PLANE, "[0, -9.81]", "-9.81", 2, "gravity is a vector: give its 2 numbers [x, y] in the plane"),
    (SPACE, "[0, 0, -9.81]", "-9.81", 2, "for example [0, 0, -9.81]"),
    (PLANE, "[0, -9.81]", "[0, 0, -9.81]", 2, "gravity has 3 numbers; 2 are needed, [x, y] in the plane"),
    (SPACE, "inertia: [1, 1, 1]", "inertia: 1", 4, "inertia needs 3 or 6 numbers"),
    (SPACE, "mass: 1", "mass: 1, orientation: [10, 20, 30]", 4, "For three angles write {euler: xyz"),
    (SPACE, "mass: 1", "mass: 1, angle: 30", 4, "in space give `orientation`"),
    (SPACE, ", inertia: [1, 1, 1]", "", 4, "'bar' has mass but no `inertia`; give it about"),
    (SPACE, "inertia: [1, 1, 1]", "inertia: [1, 1, 3]", 4, "the unit of inertia in this file is kg m²"),
    (PLANE, "{mass: 1, inertia: 1}", "mass: 1, inertia: 1", 4, "several fields on one line need braces"),
    (PLANE, "", "parameters: {e: 3}\n", 7, "fixed meaning in expressions (Euler's number)"),
    (PLANE, "type: revolute", "type: hing", 6, "Did you mean 'hinge'?"),
    (PLANE, "type: revolute", "type: sling", 6, "Did you mean 'cable'?"),
    (PLANE, "0]}", "0], stiffness: {x: -1e3}}", 6, "stiffness along x is -1000 N/m; it must be 0 or more"),
    (PLANE, "", f"{ROD}drives: {{m: {{joint: R.length, function: t}}}}\n", 8,
        "A rod cannot be driven: build the cylinder from two bodies and a prismatic joint"),
    # Joints, drives and what they hold
    (PLANE, "[ground, bar]", "[bar]", 6, "a joint connects two"),
    (PLANE, "[ground, bar]", "[bar, bar]", 6, "connects 'bar' with itself"),
    (PLANE, ", at: [0, 0]", "", 6, "joint 'A' needs 'at'"),
    (PLANE, "", "drives: {m: {joint: Q, function: t}}\n", 7, "there is no joint 'Q'. Known: A."),
    (PLANE, "", "drives: {m: {joint: A, speed: 3}}\n", 7, "a constant speed is `function: 3*t`"),
    (PLANE, "", "hold: [Q]\n", 7, "there is no joint 'Q'"),
    (PLANE, "0]}", "0], stiffness: 1e3}", 6, "give 3 numbers (x, y, about_z)"),
    (PLANE, "0]}", "0], stiffness: {Fx: 1e3}}", 6, "Did you mean 'x'?"),
    (PLANE, "0]}", "0], misfit: 0.1}", 6, "name components, as in {x: 0.1}; known: x, y, about_z"),
    (PLANE, "0]}", "0], capacity: 100}", 6, "for example {force: 100}; known: force, moment"),
    (PLANE, "0]}", "0], capacity: {Fx: 100}}", 6, "Did you mean 'force'?"),
    (SPACE, "axis: z", "axis: z, bearing: 6204", 6, "{type: deep-groove, C: 14e3}"),
    (PLANE, "", "tolerances: {A: 0.1}\n", 7, "for example {position: 0.1}"),
    (PLANE, "", "forces: {s: {type: spring, a: ground, b: bar}}\n", 7, "needs 'stiffness'"),
    (PLANE, "", "forces: {f: {type: force, at: bar, force: -10}}\n", 7, "force has 1 component; 2 are needed, [x, y]"),
    (PLANE, "", "forces: {f: {type: torque, at: bar, torque: [1, 2]}}\n", 7, "2 components; 1 is needed, [z]"),
    (MILLIMETRES, "", "forces: {f: {type: force, at: tip, force: [0, 1]}}\n", 9, "'tip'. Did you mean 'bar.tip'?"),
    (MILLIMETRES, "points: {tip", "point: {tip", 6, "has no field 'point'. Did you mean 'points'?"),
    (PLANE, "", "couplings: {g: {type: gear, joints: [A], ratio: 2}}\n", 7, "names 1 coordinate; 2 are needed"),
    (PLANE, "", "drives: {m: {joint: A, function: 90}}\n", 7, "90 rad are 14.3 turns; for degrees write radians(90)"),
    # Numbers in the units of the file
    (MILLIMETRES, "E: 210000", "E: -210000", 4, "E is -210000 N/mm²; it must be positive"),
    (MILLIMETRES, "at: [0, 0]}", "at: [0, 0], misfit: 0.1}", 8, "name components, as in {x: 0.1}"),
    (MILLIMETRES, "", "tolerances: {A: {x: -0.1}}\n", 9, "the tolerance of 'A.x' is -0.1 mm; it must be 0 or more"),
    (MILLIMETRES, "mass: 1, inertia: 1000", TUBE, 6, "a tube of 10 mm has no room for a bore of 20 mm"),
    (MILLIMETRES, "mass: 1, inertia: 1000", NO_BEAM, 6, "a segment of no length at (5 mm, 0 mm, 0 mm)"),
    (MILLIMETRES, "", FOOT, 10, "'bar' stands 50 mm deep in 'ground' at the start"),
)  # fmt: skip

COMMANDS: tuple[tuple[str, str], ...] = (
    ("check door --hinges 3", "hinges is a parameter of door, write --set hinges=3."),
    ("check door --hinges=3", "write --set hinges=3."),
    ("check door hinges=3", "parameters follow --set, as in --set hinges=3."),
    ("check door --set hinges=3,5", "parameter 'hinges': expression '3,5', column 1: '3,5' has a comma"),
    ("check door --why Q", "There is no joint or group 'Q'. Known: hinge1"),
    ("check door --why hinge1.Fz", "Did you mean 'hinge1'?"),
    ("check door --group w=hinge1+hinge2", "'hinge1' has 5 components; name one of hinge1.Fx"),
    ("check door --tolerance=-0.1mm", "'-0.1mm' must be positive"),
    ("joints hingee", "Did you mean 'hinge' or 'bushing'?"),
    ("compare door --rules inertia", "There is no option --rules of `reactio compare`: did you mean --rule?"),
    ("check", "Give a SOURCE, for example `reactio check door`"),
    ("check https://example.org/door.yaml", "download the file"),
    ("reactions door --why hinge1", "it belongs to `reactio check`."),
    ("reactions door --at 1,5", "write a decimal point, 1.5."),
    ("simulate door --until 2s", "'2s' is not a number; write 2, in seconds."),
    ("simulate door --until 100ms", "'100ms' is not a number; write 0.1, in seconds."),
    ("reactions door --at 5mm", "write a number alone, in the unit that `--help` names."),
    ("check door --group w=hinge1.Fx+hinge2.Mx", "adds hinge1.Fx in N and hinge2.Mx in N m, which have no sum"),
    ("reactions slider-crank --group w=A.Fx-motor", "adds A.Fx in N and motor in N m, which have no sum"),
    ("simulate door --until 0.01 --group w=hinge1.Fx+hinge2.Mx", "which have no sum; ask for a sum of each unit"),
    ("report door --group w=hinge1.Fx+hinge2.Mx -o unwritten.html", "in N m, which have no sum"),
    ("run door", "Did you mean 'simulate'?"),
    ("forces door", "Did you mean 'reactions'?"),
    ("help check", "Write `reactio check --help`."),
    ("library door", "Write `reactio library show door`"),
    ("joints hinges", "Did you mean 'revolute'?"),
    ("import none.FCStd -o new.yaml", "none.FCStd: there is no such file."),
    ("import m.yaml -o new.yaml", "is a Reactio model file"),
    ("sweep door --over hinges=1..5", "a range is FROM:TO:COUNT"),
    ("tolerances door --tolerance 0,05mm", "a decimal point, not a comma"),
    ("tolerances door --set hinges=2 --set bushings=1 --of hinge2.z=0,1mm", "a decimal point, not a comma"),
    ("tolerances door --set hinges=2 --set bushings=1 --of hinge2.z=5N", "'N' is not a unit of this"),
    ("advise m.yaml --sensors --candidates Q", "There is no component or joint 'Q'. Known: A"),
    ("bounds door --capacity hinge1=5Nm", "'Nm' is not a unit of this; it is measured in N."),
)  # fmt: skip

# What can be computed but hardly be meant: the answer begins with a remark.
LOOSE = PLANE.replace("[ground, bar]", "[rod, bar]").replace("joints:", "  rod: {mass: 1, inertia: 1}\njoints:")
RING = """\
space: planar
gravity: [0, -9.81]
bodies: {planet: {mass: 1, inertia: 0.01, position: [0.06, 0]}, carrier: {mass: 1, inertia: 0.01}}
joints:
  C: {type: revolute, bodies: [ground, carrier], at: [0, 0]}
  P: {type: revolute, bodies: [carrier, planet], at: [0.06, 0]}
  ring: {type: gear, a: ground, b: planet, radius_a: 0.1, radius_b: 0.04}
"""
SILENT: tuple[tuple[str, str, str, str], ...] = (
    (PLANE, "space: planar", "space: planar\nunits: mm", "in a file with `units: mm` write 9810"),
    (PLANE, "gravity: [0, -9.81]\n", "", "Nothing loads it: no gravity, force or drive."),
    (PLANE, "gravity: [0, -9.81]\nbodies:\n  bar: {mass: 1, inertia: 1}", "bodies: {bar: {}}", "has no mass and"),
    (LOOSE, "", "\n", "Implausible: ground: nothing is attached to it"),
    (RING, "", "\n", "touch at 0.14 m; they touch inside each other, as a ring gear and its planet do"),
    (RING, "0.1, radius_b: 0.04", "0.05, radius_b: 0.04", "and the pitch circles touch at 0.09 m."),
)  # fmt: skip


def _changed(model: str, text: str, replacement: str) -> str:
    assert text in model
    return model.replace(text, replacement, 1) if text else model + replacement


@pytest.mark.parametrize("case", FILES, ids=lambda case: case[2].strip() or case[1])
def test_mistakes_in_model_files(call: Call, tmp_path: Path, case: tuple[str, str, str, int, str]) -> None:
    model, text, replacement, line, words = case
    (tmp_path / "m.yaml").write_text(_changed(model, text, replacement), encoding="utf-8")
    code, out, err = call("check", "m.yaml")
    assert (code, out) == (2, "")
    assert err.startswith(f"error: m.yaml:{line}: ")
    assert words in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("case", COMMANDS, ids=lambda case: case[0])
def test_mistakes_on_the_command_line(call: Call, tmp_path: Path, case: tuple[str, str]) -> None:
    line, words = case
    (tmp_path / "m.yaml").write_text(PLANE, encoding="utf-8")
    code, out, err = call(*line.split())
    assert (code, out) == (2, "")
    assert words in re.sub(r"[\s│]+", " ", err)  # the frame around errors of usage breaks lines
    assert sorted(file.name for file in tmp_path.iterdir()) == ["m.yaml"]


@pytest.mark.parametrize("case", SILENT, ids=lambda case: case[2] or case[1])
def test_what_is_hardly_meant_is_remarked_on(call: Call, tmp_path: Path, case: tuple[str, str, str, str]) -> None:
    model, text, replacement, words = case
    (tmp_path / "m.yaml").write_text(_changed(model, text, replacement), encoding="utf-8")
    code, out, _ = call("reactions", "m.yaml")
    assert code == 0
    assert words in " ".join(out.split())


def test_the_table_holds_what_it_promises() -> None:
    assert len(FILES) + len(COMMANDS) + len(SILENT) >= 60
