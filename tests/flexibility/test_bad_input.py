"""What cannot be is refused in a sentence that names the part and says what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible
from reactio.flexibility.sensitivity import sensitivity
from reactio.model.files.write import to_yaml
from reactio.model.specs import Elastic

MODEL = """
space: spatial
gravity: [0, 0, -9.81]
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}}}
bodies: {{arm: {{{body}}}}}
joints:
  low: {{type: revolute, bodies: [ground, arm], at: [0, 0, 0.2], axis: [0, 0, 1], {low}}}
  high: {{type: revolute, bodies: [ground, arm], at: [0, 0, 1.8], axis: [0, 0, 1],
          stiffness: [8e6, 8e6, 5e6, 2e3, 2e3, 0]}}
"""
RIGID = "mass: 25, inertia: [8, 10, 2]"
BUSHING = "stiffness: [8e6, 8e6, 5e6, 2e3, 2e3, 0]"


def asked(body: str = RIGID, low: str = BUSHING, folder: Path | None = None) -> None:
    flexible(reactio.parse_model(MODEL.format(body=body, low=low), folder=folder))


@pytest.mark.parametrize(
    ("low", "words"),
    [
        ("stiffness: 5", "one stiffness is given, and the joint has several components; give 6 numbers"),
        ("stiffness: [1, 2, 3]", "has 3 numbers; 6 are needed"),
        ("stiffness: {radail: 3}", "has no field 'radail'. Did you mean 'radial'"),
        ("stiffness: {radial: -3}", "along x is -3 N/m; it must be 0 or more"),
        ("stiffness: [[1, 2], [3, 4]]", r"not a 6 × 6 matrix: its rows have \[2, 2\] numbers"),
        ("stiffness: [1e-300, 1, 1, 1, 1, 0]", "stiffness along x is 1e-300; check its unit"),
        (
            "stiffness: {axial: 0, radial: 1e6, tilt: 1}",
            "no stiffness along z of its own axes, where it carries load: it is infinitely",
        ),
        ("stiffness: missing.csv", "missing.csv: cannot be read"),
        (BUSHING + ", misfit: {q: 1}", "misfit has no field 'q'"),
        (BUSHING + ", misfit: 1e-3", "misfit is one number"),
        (BUSHING + ", preload: {N: 3}", "preload has no field 'N'"),
        (BUSHING + ", preload: {about_z: 3}", "preload along about_z, where the joint is free"),
        (BUSHING + ", temperature: 20", "temperature without a coefficient of thermal expansion"),
        (BUSHING + ", temperature: 20, expansion: 1e-5", "keeps no length that heat could change"),
        (
            BUSHING + ", temperature: 20, expansion: 12",
            r"was it in 1e-6/K\? Then write 1.2e-05",
        ),
    ],
)
def test_bad_fields_of_flexible_joints_are_refused(low: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match=words):
        asked(low=low, folder=tmp_path)


@pytest.mark.parametrize("stiffness", ["[1, 2, 3, 4, 5, 6]", "{z: 100}"])
def test_a_drive_has_one_stiffness(stiffness: str) -> None:
    text = MODEL.format(body=RIGID, low=BUSHING) + f"drives: {{m: {{joint: low, function: 0, stiffness: {stiffness}}}}}"
    with pytest.raises(ReactioError, match="a drive or coupling has one, along its coordinate"):
        reactio.parse_model(text)
    model = reactio.parse_model(text.replace(stiffness, "100"))
    six = Elastic(stiffness=(1.0,) * 6)
    with pytest.raises(ReactioError, match="drive 'm': stiffness has 6 numbers; it has one"):
        reactio.build(replace(model, drives=(replace(model.drives[0], elastic=six),)))


@pytest.mark.parametrize(
    ("kind", "preload", "words"),
    [
        ("cable", "500", r"it only pulls, .*`preload: \{N: …\}` is positive for tension, and positive here"),
        ("cable", "{N: -500}", "it only pulls"),
        ("strut", "{N: 500}", "it only pushes, .* is positive for tension, and negative here"),
        ("distance", "{N: 500, along: 3}", "'along' is the same component as another one"),
    ],
)
def test_a_preload_that_acts_the_other_way_is_refused_with_its_sign(kind: str, preload: str, words: str) -> None:
    text = f"""
space: planar
bodies: {{plate: {{mass: 1, inertia: 1, position: [0, 0]}}}}
joints:
  guide: {{type: translational, a: ground, b: plate}}
  tight: {{type: {kind}, a: {{body: ground, point: [-1, 0]}}, b: plate, stiffness: 1e5, preload: {preload}}}
  other: {{type: distance, a: {{body: ground, point: [-1, 0]}}, b: plate, stiffness: 3e5}}
"""
    with pytest.raises(ReactioError, match=words):
        reactio.parse_model(text)
    tension = {"cable": 500, "strut": -500, "distance": 500}[kind]
    model = reactio.parse_model(text.replace(f"preload: {preload}", f"preload: {{N: {tension}}}"))
    assert reactio.reactions(model, "compliance")["tight"].axial == pytest.approx(tension, rel=1e-9)
    assert reactio.parse_model(to_yaml(model)).joints == model.joints


def test_a_misfit_beside_a_preload_is_said_to_have_no_effect() -> None:
    from reactio.system.elasticity.compliance import elastic_notes

    model = reactio.parse_model(MODEL.format(body=RIGID, low=BUSHING + ", misfit: {z: 1e-4}, preload: {z: 50}"))
    (note,) = elastic_notes(reactio.equations(reactio.build(model)))
    assert "misfit of 'low' along z has no effect: its preload" in note


def test_a_matrix_that_is_not_symmetric_or_pushes_away() -> None:
    K = np.diag([1e6, 1e6, 1e6, 1e3, 1e3, 1e3])
    K[0, 1] = 5e3
    with pytest.raises(ReactioError, match=r"not symmetric: entry \(x, y\) is 5000, its mirror 0"):
        asked(low=f"stiffness: {K.tolist()}")
    K[0, 1] = K[1, 0] = 2e6
    with pytest.raises(ReactioError, match="negative eigenvalue"):
        asked(low=f"stiffness: {K.tolist()}")


BEAM = "{beam: {from: [0, 0, 0.2], to: [0, 0, 1.8], section: %s}, material: steel}"
PLATE = "{plate: {outline: %s, thickness: %s%s}, material: steel}"
SQUARE = "[[0, 0], [1, 0], [1, 1], [0, 1]]"


@pytest.mark.parametrize(
    ("structure", "words"),
    [
        ("{}", "flexible needs one of beam, .* none given"),
        ("{beam: {}}", "needs `from` and `to`"),
        ("{beam: [3], material: steel}", "a segment of its beam is 3.0"),
        ("{beam: {from: a, to: [0, 0, 1], section: {rod: 0.02}}, material: steel}", "has no point 'a' for its beam"),
        ("{beam: {from: [0, 0, 0], to: [0, 0, 0], section: {rod: 0.02}}, material: steel}", "segment of no length"),
        (BEAM % "3", "section is 3.0; write"),
        (BEAM % "{rod: -1}", "takes 1 positive lengths"),
        (BEAM % "{tube: [1, 2]}", "the outer diameter comes first"),
        (BEAM % "{box: [0.02, 0.02, 0.02]}", "a box of 0.02 m × 0.02 m has no room for two walls of 0.02 m"),
        (BEAM % "{I: [0.1, 0.05, 0.06, 0.01]}", "no room for a web of 0.06 m and flanges of 0.01 m"),
        (BEAM % "{rod: 0.02}, up: z", "`up` is 'z'; give the direction of the height"),
        (BEAM % "{tubo: [1, 2]}", "has no field 'tubo'. Did you mean 'tube'"),
        (BEAM % "{A: 1, Iy: 1, Iz: -1, J: 1}", "section: Iz must be positive"),
        ((BEAM % "{rod: 0.02}").replace("steel", "stel"), "no material 'stel'. Did you mean 'steel'"),
        (BEAM % "{rod: 0.02}", "its mass is given as 25 and follows as"),
        (PLATE % ("3", "0.01", ""), "`outline` is a list of corners"),
        (PLATE % ("[[0, 0], [1, 0], [1, 1]]", "0.01", ""), "has 3 corners; 4 are meshed"),
        (PLATE % ("[[0, 0], [1, 1], [1, 0], [0, 1]]", "0.01", ""), "in no convex order"),
        (PLATE % (SQUARE, "-1", ""), "the thickness is -1 m"),
        (PLATE % ("[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.3]]", "0.01", ""), "corners are x, y of the plane z = 0"),
        (PLATE % (SQUARE, "0.01", ", divisions: 1000"), "1000 divisions of a side; 1 to 60"),
        ("{mesh: {}, material: steel}", "needs its `file`"),
        ("{matrices: {K: a.npz}}", "matrices need M, nodes"),
        ("{stiffness: [[1, 2], [3]], interfaces: {a: [0, 0, 0]}}", "stiffness is not a matrix"),
        ("{stiffness: [[1]]}", "give `interfaces`"),
        ("{split: {}}", "needs a positive `stiffness`"),
        ("{split: {stiffness: -1}}", "needs a positive `stiffness`"),
        ("{split: {stiffness: 1e5, damping: -1}}", "its damping is -1.0 N s/m"),
        ("{split: {stifness: 1e5}}", "split has no field 'stifness'. Did you mean 'stiffness'"),
    ],
)
def test_structures(structure: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ReactioError, match=words):
        asked(body=f"{RIGID}, flexible: {structure}", folder=tmp_path)


def free_bar(points: list[float]) -> np.ndarray:
    """K of a straight steel rod on frames along z, free."""
    from reactio.model.structure import structure

    ends = ", ".join(f"p{k}: [0, 0, {z}]" for k, z in enumerate(points))
    joints = "".join(
        f"  j{k}: {{type: fixed, a: {{body: ground, point: [0, 0, {z}]}}, b: arm.p{k}}}\n" for k, z in enumerate(points)
    )
    model = reactio.parse_model(
        "space: spatial\nmaterials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}\n"
        f"bodies: {{arm: {{points: {{{ends}}}, flexible: {{beam: {{from: p0, to: p{len(points) - 1}, "
        f"section: {{rod: 0.05}}}}, material: steel}}}}}}\njoints:\n{joints}"
    )
    made = structure(model, model.bodies[0])
    assert made is not None
    assert made.K is not None
    return made.K


def superelement(folder: Path, K: np.ndarray, points: str) -> None:
    np.save(folder / "K.npy", K)
    asked(
        body=f"{RIGID}, points: {{{points}}}, flexible: {{stiffness: K.npy, interfaces: [a, b, c]}}",
        folder=folder,
    )


def test_frames_that_are_not_those_of_the_matrix_are_named(tmp_path: Path) -> None:
    K = free_bar([0.2, 1.0, 1.8])
    superelement(tmp_path, K, "a: [0, 0, 0.2], b: [0, 0, 1.0], c: [0, 0, 1.8]")
    with pytest.raises(ReactioError, match=r"rigid motions meet stiffness .* worst at 'b'"):
        superelement(tmp_path, K, "a: [0, 0, 0.2], b: [0, 0, 1.1], c: [0, 0, 1.8]")


def test_a_joint_at_no_interface_is_told_the_nearest(tmp_path: Path) -> None:
    K = free_bar([0.3, 1.0, 1.8])
    with pytest.raises(
        ReactioError, match=r"'low' is at no interface .* nearest is 0\.1 m away, at \[0\.0, 0\.0, 0\.3\]"
    ):
        superelement(tmp_path, K, "a: [0, 0, 0.3], b: [0, 0, 1.0], c: [0, 0, 1.8]")


def test_what_stays_open_is_named_with_what_could_decide_it() -> None:
    model = reactio.parse_model(MODEL.format(body=RIGID, low="stiffness: rigid"))
    found = flexible(model, only=["high"])
    assert len(found.open) == 0  # one bushing sees all five self-stresses, and then carries none of them
    assert found.advice.startswith("an elimination in disguise")
    stiff = reactio.parse_model(
        MODEL.format(body=RIGID, low="stiffness: rigid").replace(
            "stiffness: [8e6, 8e6, 5e6, 2e3, 2e3, 0]", "stiffness: {axial: 1e6}"
        )
    )
    found = flexible(stiff)
    assert len(found.open) == 4
    assert set(found.could_decide) >= {"low", "high", "arm"}
    with pytest.raises(ReactioError, match="leave 4 of 5 self-stresses undecided, in low, high"):
        sensitivity(stiff)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("stiffness: [8e6, 8e6, 0, 2000, 2000, 0]", r"door\.yaml:5: joint 'low' has no stiffness along z"),
        (
            "stiffness: [8e6, 8e6, 1e6, 2e3, 2e3, 0], preload: {about_z: 1}",
            r"door\.yaml:5: 'low': preload along about_z",
        ),
        (
            "stiffness: [8e6, 8e6, 1e6, 2e3, 2e3, 0], misfit: 1e-4",
            r"door\.yaml:5: .*name components, as in {x: 0.0001}",
        ),
    ],
)
def test_what_only_the_equations_show_is_told_with_its_line(more: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "door.yaml").write_text(
        "space: spatial\ngravity: [0, 0, -9.81]\nbodies: {door: {mass: 25, inertia: [8, 10, 2]}}\njoints:\n"
        f"  low: {{type: revolute, bodies: [ground, door], at: [0, 0, 0], axis: z, {more}}}\n"
        "  high: {type: revolute, bodies: [ground, door], at: [0, 0, 2], axis: z, stiffness: [9, 9, 9, 9, 9, 0]}\n"
    )
    with pytest.raises(ReactioError, match=words):
        flexible(reactio.load(tmp_path / "door.yaml"))


def test_a_misfit_that_is_no_small_displacement_is_noted() -> None:
    """Degrees written as radians, millimetres as metres."""
    model = reactio.parse_model(
        MODEL.format(body=RIGID, low="stiffness: [8e6, 8e6, 5e6, 2e3, 2e3, 0], misfit: {about_x: 2}")
    )
    assert any("is 2 rad: linear elasticity" in note for note in flexible(model).notes)
