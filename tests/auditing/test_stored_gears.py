"""A rack on a pinion at rest, as OndselSolver and the program before it store their reactions: all by hand.

The pinion (1 kg, radius 2 m) is held by its motion; the rack (3 kg, centre 0.4 m beside its slide along y) hangs on its
teeth, 0.5 m up its slide.  With g = (−2, −10) m/s² the teeth carry 30 N, which the bearing of the pinion feels too.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.errors import ModelError
from reactio.importers import Options
from reactio.importers.pipeline import import_file

Rows = tuple[tuple[float, float, float], ...]
EYE: Rows = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
Z_ALONG_Y: Rows = ((1, 0, 0), (0, 0, 1), (0, -1, 0))
X_ALONG_Y: Rows = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
UP = 0.5


def numbers(values: object) -> str:
    return " ".join(str(x) for x in np.ravel(np.array(values, dtype=float)))


def block(level: int, **entries: object) -> list[str]:
    """Entries with their values below them, by tabs; a matrix takes a line for each row."""
    lines = []
    for key, value in entries.items():
        rows = value if isinstance(value, tuple) and isinstance(value[0], tuple) else (value,)
        lines.append("\t" * level + key)
        lines += ["\t" * (level + 1) + (row if isinstance(row, str) else numbers(row)) for row in rows]
    return lines


def points(level: int, **markers: tuple[tuple[float, float, float], Rows]) -> list[str]:
    lines = ["\t" * level + "RefPoints"]
    for name, (at, R) in markers.items():
        lines += ["\t" * (level + 1) + "RefPoint", *block(level + 2, Position3D=(0, 0, 0), RotationMatrix=EYE)]
        lines += ["\t" * (level + 2) + "Markers", "\t" * (level + 3) + "Marker"]
        lines += block(level + 4, Name=name, Position3D=at, RotationMatrix=R)
    return lines


def part(name: str, at: tuple[float, float, float], mass: float, center: tuple[float, float, float],
         **markers: tuple[tuple[float, float, float], Rows]) -> list[str]:  # fmt: skip
    lines = ["\t\tPart", *block(3, Name=name, Position3D=at, RotationMatrix=EYE), "\t\t\tPrincipalMassMarker"]
    lines += block(4, Position3D=center, RotationMatrix=EYE, Mass=mass, MomentOfInertias=(1, 1, 1))
    return lines + points(3, **markers)


def joint(kind: str, name: str, i: str, j: str, **more: float) -> list[str]:
    return [f"\t\t\t{kind}", *block(4, Name=name, MarkerI=f"/rig/{i}", MarkerJ=f"/rig/{j}", **more)]


def series(kind: str, path: str, gap: str, **values: float) -> list[str]:
    return [f"{kind}Series{gap}{path}", *(f"{key}\t0\t{value}" for key, value in values.items())]


def moving(path: str, gap: str, x: float, y: float) -> list[str]:
    rates = {f"{word}{axis}": 0.0 for word in ("V", "Omega", "A", "Alpha") for axis in "XYZ"}
    return series("Part", path, gap, X=x, Y=y, Z=0, Bryantx=0, Bryanty=0, Bryantz=0, **rates)


def reaction(kind: str, path: str, gap: str, x: float, y: float, turning: float) -> list[str]:
    return series(kind, path, gap, FXonI=x, FYonI=y, FZonI=0, TXonI=0, TYonI=0, TZonI=turning)


def rig(gap: str, guide: float, rack_at: float = 2.0, pinion_class: str = "RevoluteJoint") -> str:
    """The file; ``gap`` stands before the paths of series, ``guide`` is the torque that the slide prints."""
    origin, here = (0.0, 0.0, 0.0), (2.0, UP, 0.0)
    lines = ["OndselSolver", "Assembly", *block(1, Name="rig", Position3D=origin, RotationMatrix=EYE)]
    lines += [*points(1, g1=(origin, EYE), g2=((2, 0, 0), Z_ALONG_Y)), "\tParts"]
    lines += part("pinion", origin, 1, origin, hub=(origin, EYE))
    lines += part("rack", here, 3, (0.4, 0, 0), slide=(origin, Z_ALONG_Y), teeth=(origin, X_ALONG_Y))
    lines += ["\tConstraintSets", "\t\tJoints", *joint(pinion_class, "bearing", "g1", "pinion/hub")]
    lines += joint("TranslationalJoint", "guide", "g2", "rack/slide")
    lines += joint("RackPinionJoint", "mesh", "rack/teeth", "pinion/hub", pitchRadius=2)
    lines += ["\t\tMotions", "\t\t\tRotationalMotion"]
    lines += block(4, Name="hold", MotionJoint="/rig/bearing", RotationZ="0")
    lines += block(1, ConstantGravity=(-2, -10, 0))
    lines += ["TimeSeries", "Time\t0\t0.0", *series("Assembly", "/rig", gap)]
    lines += [*moving("/rig/pinion", gap, 0, 0), *moving("/rig/rack", gap, rack_at, UP)]
    lines += reaction(pinion_class, "/rig/bearing", gap, -2, -40, 0)  # on ground: 10 N of weight and 30 N of the teeth
    lines += reaction("TranslationalJoint", "/rig/guide", gap, -6, 0, guide)
    lines += reaction("RackPinionJoint", "/rig/mesh", gap, 0, 30, 0)  # on the rack
    return "\n".join(lines) + "\n"


# On ground the rack presses with −6 N along x and −12 N m about its slide; about the marker on ground, 0.5 m below,
# that is −12 + 0.5 · 6 N m.
STORED = {"OndselSolver": ("\t", -9.0), "before": (" ", -12.0)}


@pytest.mark.parametrize("program", STORED)
def test_bearings_feel_the_teeth(program: str, tmp_path: Path) -> None:
    path = tmp_path / "rig.asmt"
    path.write_text(rig(*STORED[program]), encoding="utf-8")
    answer = ro.audit(path)
    assert [line.verdict for line in answer.components] == ["confirmed"] * 10
    assert answer.balance < 1e-12
    assert any("teeth" in note for note in answer.notes)


def test_a_force_that_is_wrong_is_called_wrong(tmp_path: Path) -> None:
    path = tmp_path / "rig.asmt"
    path.write_text(rig(*STORED["OndselSolver"]).replace("FYonI\t0\t-40", "FYonI\t0\t-10"), encoding="utf-8")
    (line,) = ro.audit(path).of("wrong")
    assert (line.joint, line.component) == ("bearing", "Fy")
    assert line.ours == pytest.approx(40)


def test_a_motion_of_another_mechanism_is_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "rig.asmt"
    path.write_text(rig(*STORED["OndselSolver"], rack_at=2.5), encoding="utf-8")
    with pytest.raises(ModelError, match=r"leaves joint 'guide' open by 0\.5 m.*cannot be judged"):
        ro.audit(path)


def moved_by_markers(i: str, j: str) -> str:
    """The rig with its motion as OndselSolver writes one along a slide: by markers alone, without its law."""
    text = rig(*STORED["OndselSolver"])
    named = "\n".join(block(4, Name="hold", MotionJoint="/rig/bearing", RotationZ="0"))
    assert named in text
    marked = "\n".join(block(4, Name="push", MarkerI=f"/rig/{i}", MarkerJ=f"/rig/{j}"))
    return text.replace("RotationalMotion", "TranslationalMotion").replace(named, marked)


def test_motions_whose_law_was_not_written(tmp_path: Path) -> None:
    """Enough to audit, not to drive."""
    path = tmp_path / "rig.asmt"
    path.write_text(moved_by_markers("g2", "rack/slide"), encoding="utf-8")
    assert not ro.audit(path).of("wrong")
    with pytest.raises(ModelError, match="the motion 'push' has no TranslationZ"):
        import_file(path, Options(drives=True))
    path.write_text(moved_by_markers("g1", "rack/slide"), encoding="utf-8")
    with pytest.raises(ModelError, match="between which there is no joint"):
        ro.load(path)


def test_names_of_joints_that_were_cut(tmp_path: Path) -> None:
    """Built by GCC the solver leaves out the first letters of its classes, in joints as in series."""
    path = tmp_path / "rig.asmt"
    path.write_text(rig(*STORED["OndselSolver"], pinion_class="luteJointE"), encoding="utf-8")
    assert len(ro.audit(path).of("confirmed")) == 10
    path.write_text(rig(*STORED["OndselSolver"], pinion_class="phJointE"), encoding="utf-8")
    with pytest.raises(ModelError, match="may be SphSphJoint or CylSphJoint"):
        ro.load(path)


@pytest.mark.parametrize(("old", "new", "words"), [
    ("pitchRadius\n\t\t\t\t\t2.0", "pitchRadius\n\t\t\t\t\t0", "the radius of 'pinion' is 0"),
    (numbers(X_ALONG_Y[0]) + "\n\t\t\t\t\t\t\t\t" + numbers(X_ALONG_Y[1]),
     numbers(EYE[0]) + "\n\t\t\t\t\t\t\t\t" + numbers(EYE[1]), "the axis of joint 'guide' makes an angle of 90°"),
])  # fmt: skip
def test_racks_that_cannot_roll_are_refused_by_their_line(old: str, new: str, words: str, tmp_path: Path) -> None:
    path, text = tmp_path / "rig.asmt", rig(*STORED["OndselSolver"])
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ModelError, match=f"RackPinionJoint 'mesh': {words}"):
        ro.load(path)
