"""Files of flexible bodies are in the units of the model that names them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.model.files.write import to_yaml
from reactio.model.structure import structure
from reactio.structures.condense import rigid_modes

XS = (0.0, 0.5, 1.0)  # bearings along a rod of 1 m
MILLIMETRES = "units: {length: mm, mass: t, force: N}\n"
NODES = {f"p{k}": k + 1 for k in range(3)}
HELD = ", ".join(f"{name}: {{nodes: [{node}]}}" for name, node in NODES.items())
KINDS = {
    "matrices": f"matrices: {{K: K.npy, M: M.npy, nodes: nodes.csv}}, interfaces: {{{HELD}}}",
    "superelement": "stiffness: K.npy, mass: M.npy, interfaces: [p0, p1, p2]",
}


def rod(
    flexible: str, length: float = 1.0, head: str = "", folder: Path | None = None, body: str = ""
) -> reactio.Model:
    """A rod on three bearings in units of ``length`` metres under its weight."""
    at = [x / length for x in XS]
    points = ", ".join(f"p{k}: [{x}, 0, 0]" for k, x in enumerate(at))
    joints = "".join(
        f"  b{k}: {{type: {'spherical' if k == 0 else 'point-on-line'}, bodies: [ground, rod], at: [{x}, 0, 0], "
        "axis: [1, 0, 0]}\n"
        for k, x in enumerate(at)
    )
    text = (
        f"space: spatial\ngravity: [0, 0, {-9.81 / length}]\n"
        f"bodies: {{rod: {{{body}points: {{{points}}}, flexible: {{{flexible}}}}}}}\njoints:\n{joints}"
    )
    return reactio.parse_model(head + text, folder=folder)


def vertical(model: reactio.Model) -> list[float]:
    found = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    return [float(found[f"b{k}"].force[2]) for k in range(3)]


def beam() -> reactio.Model:
    """The rod that the files hold, condensed on its bearings."""
    steel = "materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}\n"
    return rod("beam: {from: p0, to: p2, section: {rod: 0.03}}, material: steel", head=steel)


def written(folder: Path, length: float, mass: float) -> None:
    """K, M and nodes of the rod in other units of length [m] and mass [kg]; forces in N."""
    made = structure(model := beam(), model.bodies[0])
    assert made is not None
    assert made.K is not None
    assert made.M is not None
    arm = np.tile(np.repeat([length, 1.0], 3), 3)  # a displacement is so many metres, a rotation one radian
    np.save(folder / "K.npy", made.K * np.outer(arm, arm) / length)
    np.save(folder / "M.npy", made.M * np.outer(arm, arm) / (mass * length**2))
    np.savetxt(folder / "nodes.csv", made.points / length, delimiter=",")


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_in_millimetres_has_files_in_millimetres(kind: str, tmp_path: Path) -> None:
    written(tmp_path, 1e-3, 1e3)
    model = rod(KINDS[kind], 1e-3, MILLIMETRES, tmp_path)
    assert model.bodies[0].mass == pytest.approx(beam().bodies[0].mass, rel=1e-12)
    assert vertical(model) == pytest.approx(vertical(beam()), rel=1e-8)  # F from matrices is known to 1e-8
    again = reactio.parse_model(to_yaml(model), folder=tmp_path)
    assert vertical(again) == pytest.approx(vertical(model), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("length", "mass", "told"), [(1e-3, 1e3, "in mm"), (1.0, 1.0, "in m[,.]")])
def test_files_in_other_units_are_told(kind: str, length: float, mass: float, told: str, tmp_path: Path) -> None:
    """Files in mm beside a model in m, and the other way round."""
    written(tmp_path, length, mass)
    beside = (1e-3, MILLIMETRES) if length == 1.0 else (1.0, "")
    with pytest.raises(ReactioError, match=told):
        vertical(rod(KINDS[kind], *beside, tmp_path))


def test_units_of_matrices_may_be_said(tmp_path: Path) -> None:
    written(tmp_path, 1e-3, 1e3)
    said = KINDS["matrices"].replace("nodes.csv", "nodes.csv, units: {length: 0.001, mass: 1000}")
    assert vertical(rod(said, folder=tmp_path)) == pytest.approx(vertical(beam()), rel=1e-8)
    with pytest.raises(ReactioError, match="the unit of length is 'mm'; it is a positive factor to SI"):
        rod(said.replace("0.001", "mm"), folder=tmp_path)


def test_a_mass_on_an_interface_loads_that_interface_alone(tmp_path: Path) -> None:
    """Without a mass matrix the mass sits on the frame that is its centre: over a bearing, it bends nothing."""
    written(tmp_path, 1.0, 1.0)
    model = rod("stiffness: K.npy, interfaces: [p0, p1, p2]", folder=tmp_path, body="mass: 5, inertia: [1, 1, 1], ")
    assert vertical(model) == pytest.approx([5 * 9.81, 0.0, 0.0], abs=1e-10)


def test_a_mass_between_interfaces_is_spread_over_them(tmp_path: Path) -> None:
    written(tmp_path, 1.0, 1.0)
    aside = "mass: 5, inertia: [1, 2, 3], center: [0.3, 0.1, 0], "
    made = structure(m := rod("stiffness: K.npy, interfaces: [p0, p1, p2]", folder=tmp_path, body=aside), m.bodies[0])
    assert made is not None
    assert made.M is not None
    whole = rigid_modes(made.points).T @ made.M @ rigid_modes(made.points)
    assert whole[:3, :3] == pytest.approx(5 * np.eye(3), abs=1e-12)
    assert whole[5, :2] / 5 == pytest.approx([-0.1, 0.3], abs=1e-12)  # m c× of the centre


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [("K.npy", b"no matrix", "no file of NumPy's"), ("K.mtx", b"\n", "it is empty")],
)
def test_files_that_hold_nothing(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    written(tmp_path, 1.0, 1.0)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ReactioError, match=words):
        rod(KINDS["superelement"].replace("K.npy", name), folder=tmp_path)


def test_entries_that_are_no_numbers(tmp_path: Path) -> None:
    written(tmp_path, 1.0, 1.0)
    K = np.load(tmp_path / "K.npy")
    K[3, 3] = np.nan
    np.save(tmp_path / "K.npy", K)
    with pytest.raises(ReactioError, match="K holds entries that are not finite numbers"):
        rod(KINDS["matrices"], folder=tmp_path)


def test_the_mean_of_one_node_does_not_turn(tmp_path: Path) -> None:
    written(tmp_path, 1.0, 1.0)
    mean = KINDS["matrices"].replace("nodes: [1]", "nodes: [1], as: mean")
    with pytest.raises(ReactioError, match="interface 'p0' holds 1 node in a line"):
        vertical(rod(mean, folder=tmp_path))
