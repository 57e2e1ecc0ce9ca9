"""Audits of what OndselSolver writes itself: determined numbers are confirmed, and hand calculations agree.

All mechanisms move in the plane z = 0 and are heavy along y and z; centres of mass lie beside that plane.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import reactio as ro
from reactio.arrays import Floats
from reactio.auditing.data import Audit
from reactio.auditing.judge import judge
from reactio.auditing.programs.ondsel import depends_on_rounding, dropped, read
from reactio.errors import ModelError
from reactio.importers import Options
from reactio.importers.formats.asmt.series import read_series
from reactio.importers.pipeline import import_file

from .ondsel_file import GROUND, OndselAssembly, OndselJoint, OndselPart, Placement

GRAVITY = (0.0, -9.81, -2.0)
Z_ALONG_X = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
Z_ALONG_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
X_ALONG_Y = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def at(x: float, y: float, R: Floats | None = None) -> Placement:
    return Placement(np.array([x, y, 0.0]), np.eye(3) if R is None else R)


def bar(name: str, a: tuple[float, float], b: tuple[float, float], mass: float) -> OndselPart:
    along = np.array([b[0] - a[0], b[1] - a[1], 0.0])
    length = float(np.linalg.norm(along))
    x, z = along / length, np.array([0.0, 0.0, 1.0])
    moments = mass * np.array([1e-3, length**2 / 12, length**2 / 12 + 1e-3])
    centre = Placement(np.array([length / 2, 0.02, 0.01]))
    return OndselPart(name, mass, moments, at(*a, np.column_stack([x, np.cross(z, x), z])), centre)


def hinge(name: str, i: str, j: str, x: float, y: float) -> OndselJoint:
    return OndselJoint(name, "RevoluteJoint", i, j, at(x, y), at(x, y))


FOUR_BAR = OndselAssembly(
    (bar("crank", (0, 0), (0, 0.4), 1.0), bar("coupler", (0, 0.4), (1, 0.9), 2.0),
     bar("rocker", (1.2, 0), (1, 0.9), 1.5)),
    (hinge("A", GROUND, "crank", 0, 0), hinge("B", "crank", "coupler", 0, 0.4), hinge("C", "coupler", "rocker", 1, 0.9),
     hinge("D", "rocker", GROUND, 1.2, 0)),
    GRAVITY,
)  # fmt: skip
REACH = float(np.sqrt(1 - 0.4**2))
SLIDER_CRANK = OndselAssembly(
    (bar("crank", (0, 0), (0, 0.4), 1.0), bar("rod", (0, 0.4), (REACH, 0), 2.0),
     OndselPart("slider", 0.7, np.array([0.01, 0.02, 0.03]), at(REACH, 0), at(0.05, 0.1))),
    (hinge("A", GROUND, "crank", 0, 0), hinge("B", "crank", "rod", 0, 0.4), hinge("C", "rod", "slider", REACH, 0),
     OndselJoint("D", "TranslationalJoint", GROUND, "slider", at(0, 0, Z_ALONG_X), at(REACH, 0, Z_ALONG_X))),
    GRAVITY,
)  # fmt: skip
DOUBLE_FOUR_BAR = OndselAssembly(
    (*(bar(f"bar{k}", (k, 0), (k, 1), 1.0) for k in range(3)), bar("top", (0, 1), (2, 1), 3.0)),
    (*(hinge("ABC"[k], GROUND, f"bar{k}", k, 0) for k in range(3)),
     *(hinge("DEF"[k], f"bar{k}", "top", k, 1) for k in range(3))),
    GRAVITY,
)  # fmt: skip
GEARS = OndselAssembly(
    (OndselPart("small", 1.0, np.array([0.1, 0.1, 0.2]), at(0, 0), Placement(np.array([0.03, 0.02, 0.01]))),
     OndselPart("large", 2.0, np.array([0.2, 0.2, 0.4]), at(0.9, 0), Placement(np.array([0.0, 0.05, 0.02])))),
    (hinge("A", GROUND, "small", 0, 0), hinge("B", GROUND, "large", 0.9, 0),
     OndselJoint("G", "GearJoint", "small", "large", at(0, 0), at(0.9, 0), (("radiusI", 0.3), ("radiusJ", 0.6)))),
    GRAVITY,
)  # fmt: skip
RACK = OndselAssembly(
    (OndselPart("pinion", 1.0, np.array([0.1, 0.1, 0.2]), at(0, 0), at(0.03, 0.02)),
     OndselPart("rack", 3.0, np.array([0.2, 0.3, 0.4]), at(2, 0.5), at(0.4, 0.1))),
    (hinge("A", GROUND, "pinion", 0, 0),
     OndselJoint("S", "TranslationalJoint", GROUND, "rack", at(2, 0, Z_ALONG_Y), at(2, 0.5, Z_ALONG_Y)),
     OndselJoint("R", "RackPinionJoint", "rack", "pinion", at(2, 0.5, X_ALONG_Y), at(0, 0), (("pitchRadius", 2.0),))),
    GRAVITY,
)  # fmt: skip


def driven(one: OndselAssembly, joint: str, function: str) -> OndselAssembly:
    return replace(one, drives=((joint, function),))


RUNS = {
    "four-bar, free": FOUR_BAR,
    "four-bar": driven(FOUR_BAR, "A", "time + 0.7*time*time"),
    "slider-crank, free": SLIDER_CRANK,
    "slider-crank by its crank": driven(SLIDER_CRANK, "A", "2.0*time"),
    "slider-crank by its slider": driven(SLIDER_CRANK, "D", f"{REACH!r} + 0.1*sin(2.0*time)"),
    "double four-bar": driven(DOUBLE_FOUR_BAR, "A", "1.5*time"),
    "gears": driven(GEARS, "A", "3.0*time + 2.0*time*time"),
    "rack": driven(RACK, "A", "time + 0.5*time*time"),
}
IN_PLANE = {(joint, part) for joint in "ABCD" for part in ("Fx", "Fy")}
# The slide has its x axis along y of the world, and its y axis across the plane.
SLIDING = {(joint, part) for joint in "ABC" for part in ("Fx", "Fy")} | {("D", "Fx"), ("D", "My")}
DETERMINED = {
    "four-bar, free": IN_PLANE,
    "four-bar": IN_PLANE,
    "slider-crank, free": SLIDING,
    "slider-crank by its crank": SLIDING,
    "slider-crank by its slider": SLIDING,
    "gears": {(joint, part) for joint in "AB" for part in ("Fx", "Fy", "Fz", "Mx", "My")},
}


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    path = tmp_path_factory.mktemp("run") / "run.asmt"
    path.write_text(RUNS[request.param].run(), encoding="utf-8")
    return request.param, path


def audits(path: Path) -> list[Audit]:
    return [ro.audit(path, t=t) for t in read_series(path.read_text(encoding="utf-8"), str(path)).times]


def test_determined_numbers_are_confirmed_and_no_number_is_wrong(run: tuple[str, Path]) -> None:
    name, path = run
    for answer in audits(path):
        assert not answer.of("wrong")
        assert answer.balance < 1e-9  # Ondsel converges to 1e-12 of accelerations
        assert len(answer.zeros) == answer.solvability.redundancy
        if name in DETERMINED:
            assert {(line.joint, line.component) for line in answer.of("confirmed")} == DETERMINED[name]


def test_what_is_left_out_is_predicted_unless_rounding_decides(run: tuple[str, Path]) -> None:
    """The zeros of all states are those chosen where the run starts."""
    _, path = run
    reported = read(path)
    eqs = ro.equations(ro.build(reported.model))
    labels = [f"{group.name}.{label}" for group in eqs.system.groups for label in group.labels]
    zeros = {tuple(sorted(answer.zeros)) for answer in audits(path)}
    assert zeros == {tuple(sorted(judge(reported).zeros))}
    assert depends_on_rounding(eqs) or {tuple(sorted(labels[i] for i in dropped(eqs)))} == zeros


def test_bearings_of_gears_by_hand(tmp_path: Path) -> None:
    """Both bearings together carry Σ m (a − g): from rest the small wheel has α = 4, the large −2 rad/s²."""
    path = tmp_path / "gears.asmt"
    path.write_text(driven(GEARS, "A", "2.0*time*time").run(), encoding="utf-8")
    answer = ro.audit(path, axes="world")
    theirs = {(line.joint, line.component): line.theirs or 0.0 for line in answer.components}
    wheels = ((1.0, (0.03, 0.02), 4.0), (2.0, (0.0, 0.05), -2.0))
    x = sum(-m * alpha * c[1] for m, c, alpha in wheels)
    y = sum(m * (alpha * c[0] + 9.81) for m, c, alpha in wheels)
    found = [theirs["A", part] + theirs["B", part] for part in ("Fx", "Fy", "Fz")]
    np.testing.assert_allclose(found, [x, y, 3.0 * 2.0], atol=1e-9)
    assert not any("violate" in note for note in answer.notes)


def test_gears_that_turn_are_accelerated_wrongly_by_ondsel(tmp_path: Path) -> None:
    """At 3 rad/s and 4 rad/s² the large wheel, of twice the radius, has −2 rad/s²; OndselSolver says −1.95.

    Its bearings balance that, so that they are confirmed beside it: the audit says what it is worth.
    """
    path = tmp_path / "gears.asmt"
    path.write_text(RUNS["gears"].run(), encoding="utf-8")
    stored = read_series(path.read_text(encoding="utf-8"), str(path)).parts["/rig/large"]["AlphaZ"][0]
    assert stored == pytest.approx(-1.95, abs=1e-6)
    (said,) = [note for note in ro.audit(path).notes if "violate 'G'" in note]
    assert "by 0.05" in said or "by 0.1" in said


def test_laws_that_ondsel_leaves_out_of_its_files_are_not_invented(tmp_path: Path) -> None:
    """OndselSolver writes a motion along a slide without its law: audits need none, drives do."""
    path = tmp_path / "run.asmt"
    path.write_text(RUNS["slider-crank by its slider"].run(), encoding="utf-8")
    assert not import_file(path, Options()).model.drives
    with pytest.raises(ModelError, match=r"'driveD' has no TranslationZ: OndselSolver leaves it out"):
        import_file(path, Options(drives=True))
