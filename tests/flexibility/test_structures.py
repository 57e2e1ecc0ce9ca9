"""Flexible bodies: against beam theory, against one monolithic finite-element solve, and independent of supports."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.model.files.write import to_yaml
from reactio.model.specs import Elastic
from reactio.model.structure import structure
from reactio.structures.condense import _holding, floating_root, rigid_modes
from reactio.structures.material import Material
from reactio.structures.sections import section
from reactio.structures.solids import assemble_solids, brick, shapes

STEEL = "materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800, expansion: 1.2e-5}}\n"
NUMBERS = "{A: 1e-3, Iy: 8e-8, Iz: 8e-8, J: 1.6e-7}"


def shaft(xs: tuple[float, ...], L: float = 2.0, inner: str = "", extra: str = "") -> reactio.Model:
    """A shaft along x on bearings that hold y and z; the first holds x and the rotation about it too."""
    joints = "".join(
        f"  b{k}: {{type: {'universal' if k == 0 else 'point-on-line'}, bodies: [ground, shaft], at: [{x}, 0, 0], "
        f"axis: [1, 0, 0]{', axis_b: [0, 1, 0]' if k == 0 else ''}{inner}}}\n"
        for k, x in enumerate(xs)
    )
    beam = f"{{from: [0, 0, 0], to: [{L}, 0, 0], section: {NUMBERS}}}"
    body = f"bodies: {{shaft: {{flexible: {{beam: {beam}, material: steel}}}}}}\n"
    return reactio.parse_model(f"space: spatial\ngravity: [0, 0, -9.81]\n{STEEL}{body}joints:\n{joints}{extra}")


def vertical(model: reactio.Model) -> list[float]:
    found = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    return [float(found[f"b{k}"].force[2]) for k in range(len(found))]


def test_shaft_on_three_bearings_is_the_beam_of_the_handbook() -> None:
    """Two equal spans under their own weight: 3/8, 10/8 and 3/8 of w l (Euler–Bernoulli; shear is left out by κ)."""
    w = 7800 * 1e-3 * 9.81
    assert vertical(shaft((0.0, 1.0, 2.0))) == pytest.approx([3 / 8 * w, 10 / 8 * w, 3 / 8 * w], rel=1e-12)


def test_shaft_on_four_bearings_under_three_moments() -> None:
    """Three equal spans: 0.4, 1.1, 1.1, 0.4 of w l (Clapeyron)."""
    w = 7800 * 1e-3 * 9.81
    assert vertical(shaft((0.0, 1.0, 2.0, 3.0), 3.0)) == pytest.approx([0.4 * w, 1.1 * w, 1.1 * w, 0.4 * w], rel=1e-12)


def test_a_point_load_at_midspan() -> None:
    """P in the middle of the left of two spans: 13/32, 22/32, −3/32 of P beside the own weight."""
    force = "forces: {P: {type: force, at: {body: shaft, point: [0.5, 0, 0]}, force: [0, 0, -1000]}}\n"
    own, loaded = vertical(shaft((0.0, 1.0, 2.0))), vertical(shaft((0.0, 1.0, 2.0), extra=force))
    change = [b - a for a, b in zip(own, loaded, strict=True)]
    assert change == pytest.approx([1000 * 13 / 32, 1000 * 22 / 32, -1000 * 3 / 32], abs=1e-9)


def simply_supported(
    x: np.ndarray, ends: tuple[float, float], forces: list[tuple[float, float]], w: float, L: float
) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Shear and moment at x of a beam of length L on two supports, forces up, weight w per length; both reactions."""
    a, b = ends
    right = -(sum(f * (p - a) for p, f in forces) - w * L * (L / 2 - a)) / (b - a)
    left = w * L - sum(f for _, f in forces) - right
    acting = [*forces, (a, left), (b, right)]
    shear = sum(np.where(x > p, f, 0.0) for p, f in acting) - w * x
    moment = sum(np.where(x > p, f * (x - p), 0.0) for p, f in acting) - w * x**2 / 2
    return shear, moment, left, right


@pytest.mark.parametrize("close", [0.7, 0.05, 0.001])
def test_timoshenko_shaft_on_four_bearings_at_unequal_distances(close: float) -> None:
    """Overhanging ends, loads between, bearings that are close: against the method of forces, by Gauss points."""
    L, at, loads = 2.3, [0.2, 0.9, 0.9 + close, 2.1], [(0.5, 700.0), (1.3, -400.0), (2.2, 900.0)]
    EI, kGA, w = 2.1e11 * 8e-8, 0.6 * 2.1e11 / 2.6 * 1e-3, 7800 * 1e-3 * 9.81
    cuts = np.unique([0.0, L, *at, *(p for p, _ in loads)])
    points, weights = np.polynomial.legendre.leggauss(4)
    x = np.concatenate([(a + b) / 2 + (b - a) / 2 * points for a, b in itertools.pairwise(cuts)])
    dx = np.concatenate([(b - a) / 2 * weights for a, b in itertools.pairwise(cuts)])
    base = simply_supported(x, (at[0], at[-1]), [(p, -f) for p, f in loads], w, L)
    units = [simply_supported(x, (at[0], at[-1]), [(p, 1.0)], 0.0, L) for p in at[1:-1]]

    def work(one: Any, other: Any) -> float:
        return float(dx @ (one[1] * other[1] / EI + one[0] * other[0] / kGA))

    R = -np.linalg.solve([[work(p, q) for q in units] for p in units], [work(p, base) for p in units])
    expected = [base[2] + R @ [u[2] for u in units], *R, base[3] + R @ [u[3] for u in units]]
    joints = "".join(
        f"  b{k}: {{type: {'spherical' if k == 0 else 'point-on-line'}, bodies: [ground, shaft], at: [{p}, 0, 0], "
        "axis: [1, 0, 0]}\n"
        for k, p in enumerate(at)
    )
    forces = "".join(
        f"  p{k}: {{type: force, at: {{body: shaft, point: [{p}, 0, 0]}}, force: [0, 0, {-f}]}}\n"
        for k, (p, f) in enumerate(loads)
    )
    section = "{A: 1e-3, Iy: 8e-8, Iz: 8e-8, J: 1.6e-7, kappa: 0.6}"
    beam = f"{{from: [0, 0, 0], to: [{L}, 0, 0], section: {section}}}"
    body = f"bodies: {{shaft: {{flexible: {{beam: {beam}, material: steel}}}}}}\n"
    text = f"space: spatial\ngravity: [0, 0, -9.81]\n{STEEL}{body}joints:\n{joints}forces:\n{forces}"
    size = float(np.abs(expected).max())
    # Two bearings 1 mm apart clamp the shaft: the oracle's own 2 × 2 system then has a condition of 1e6.
    assert vertical(reactio.parse_model(text)) == pytest.approx(expected, abs=1e-10 * size)


def test_a_shaft_that_is_left_rigid_is_not_bent_by_its_load() -> None:
    """On three springs under a load off the middle: k (z + φ x) of a rigid bar."""
    force = "forces: {P: {type: force, at: {body: shaft, point: [0.5, 0, 0]}, force: [0, 0, -1000]}}\n"
    model = shaft((0.0, 1.0, 2.0), inner=", stiffness: [1e6, 1e6, 1e6, 0, 0, 1e4]", extra=force)
    found = reactio.reactions(reactio.equations(reactio.build(model)), "compliance:rigid:shaft")
    own = 7800 * 1e-3 * 2 * 9.81
    weight, moment = own + 1000, own + 500  # about x = 0
    mean, slope = weight / 3, (moment - weight) / 2  # forces are mean + slope (x − 1): Σ (x − 1)² = 2
    expected = [mean - slope, mean, mean + slope]
    assert [found[f"b{k}"].force[2] for k in range(3)] == pytest.approx(expected, rel=1e-12)


def test_a_bearing_that_stands_too_high() -> None:
    """The middle seat raised by h lifts 48 EI h / L³ over the whole length L = 2 l."""
    raised = shaft((0.0, 1.0, 2.0))
    joints = tuple(
        replace(j, elastic=Elastic(misfit={_component(j): 1e-4})) if j.name == "b1" else j for j in raised.joints
    )
    change = np.array(vertical(replace(raised, joints=joints))) - vertical(raised)
    lift = 48 * 2.1e11 * 8e-8 * 1e-4 / 8
    assert change == pytest.approx([-lift / 2, lift, -lift / 2], rel=1e-8)


def _component(joint: Any) -> str:
    """The axis of frame A that points up in the world."""
    from reactio.space.rotations import axes_of

    axes = np.array(axes_of(joint.a.orientation))
    up = axes @ np.array([0.0, 0.0, 1.0])
    assert up.max() == pytest.approx(1.0)
    return "xyz"[int(up.argmax())]


def test_mass_follows_from_the_structure() -> None:
    body = shaft((0.0, 1.0, 2.0)).bodies[0]
    assert body.mass == pytest.approx(7800 * 1e-3 * 2, rel=1e-12)
    assert body.center == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert body.mass is not None
    assert body.inertia[1] == pytest.approx(body.mass * 4 / 12 + 7800 * 8e-8 * 2, rel=1e-9)


def random_body(points: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K, M and frames of some free elastic body: any K with K J = 0, any M."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((points, 3))
    J = rigid_modes(x)
    Q = np.linalg.qr(J, mode="complete")[0][:, 6:]
    A = rng.standard_normal((Q.shape[1], Q.shape[1]))
    B = rng.standard_normal((6 * points, 6 * points))
    return Q @ (A @ A.T + np.eye(len(A))) @ Q.T, B @ B.T + np.eye(6 * points), x


def compliance(K: np.ndarray, M: np.ndarray, points: np.ndarray) -> np.ndarray:
    L = floating_root(K, M, points)
    return L @ L.T


@pytest.mark.parametrize("points", [2, 3, 7])
def test_the_floating_body_does_not_know_its_supports(points: int) -> None:
    """F of the body is the same with its frames in another order, so with another one held, and from another origin."""
    K, M, x = random_body(points, points)
    F = compliance(K, M, x)
    order = np.random.default_rng(0).permutation(points)
    at = (6 * order[:, None] + np.arange(6)).ravel()
    again = compliance(K[np.ix_(at, at)], M[np.ix_(at, at)], x[order] + np.array([3.0, -2.0, 1.0]))
    assert again == pytest.approx(F[np.ix_(at, at)], abs=1e-9 * np.abs(F).max())
    J = rigid_modes(x)
    # Inertia loads of rigid accelerations do not deform it, and it displaces with no mean motion.
    assert np.abs(F @ M @ J).max() < 1e-9 * np.abs(F).max() * np.abs(M).max()


@pytest.mark.parametrize("name", ["hex20", "hex27", "tet10"])
def test_quadratic_solids_are_exact_in_pure_bending(name: str) -> None:
    """u = x z, −ν-terms: a quadratic field of constant curvature has the energy E κ² I L / 2 whatever the mesh."""
    E, nu, kappa = 2.0e11, 0.3, 1e-3
    steel = Material(E, nu, 7800)
    nodes = shapes()[name].nodes * (np.array([1.0, 0.2, 0.1]) if name != "tet10" else np.array([2.0, 0.3, 0.2]))
    whole = assemble_solids(nodes, [(name, np.arange(len(nodes))[None], steel)])
    x, y, z = nodes.T
    u = kappa * np.stack([x * z, -nu * y * z, -(x * x - nu * y * y + nu * z * z) / 2], axis=1).ravel()
    second = {"tet10": 2 * 0.3 * 0.2 / 6 * 0.1 * 0.2**2}.get(name, 2 * 0.4 * 0.2**3 / 12)
    assert u @ (whole.K @ u) == pytest.approx(E * kappa**2 * second, rel=1e-9)


PLATES = (
    "space: spatial\ngravity: [1, 2, -9.81]\n" + STEEL + "bodies:\n"
    "  low: {flexible: {plate: {outline: [[0, 0], [0.5, 0], [0.5, 0.4], [0, 0.4]], thickness: 0.01, insert: 0.06, "
    "divisions: 4}, material: steel}}\n"
    "  top: {position: [0.1, 0.05, 0], flexible: {plate: {outline: [[0, 0], [0.3, 0], [0.3, 0.3], [0, 0.2]], "
    "thickness: 0.008, insert: 0.06, divisions: 4}, material: steel}}\n"
    "joints:\n"
    "  a: {type: fixed, a: {body: ground, point: [0, 0, 0]}, b: {body: low, point: [0, 0, 0]}}\n"
    "  b: {type: spherical, a: {body: ground, point: [0.5, 0, 0]}, b: {body: low, point: [0.5, 0, 0]}}\n"
    "  c: {type: spherical, a: {body: ground, point: [0.5, 0.4, 0]}, b: {body: low, point: [0.5, 0.4, 0]}}\n"
    "  d: {type: spherical, a: {body: low, point: [0.25, 0.2, 0]}, b: {body: top, point: [0.15, 0.15, 0]}}\n"
    "  e: {type: fixed, a: {body: ground, point: [0.1, 0.05, 0]}, b: {body: top, point: [0, 0, 0]}}\n"
    "  f: {type: fixed, a: {body: ground, point: [0.4, 0.35, 0]}, b: {body: top, point: [0.3, 0.3, 0]}}\n"
)


# A tree of three beams of two materials and four sections, joints and a load beside its axis, and a plate on it.
TREE = (
    "space: spatial\ngravity: [1, 2, -9.81]\n"
    "materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}, alloy: {E: 7e10, nu: 0.33, density: 2700}}\n"
    "bodies:\n"
    "  tree: {flexible: {beam: ["
    "{path: [[0, 0, 0], [0.4, 0, 0], [0.7, 0.1, 0]], section: {box: [0.03, 0.05, 0.003]}, material: steel}, "
    "{from: [0.4, 0, 0], to: [0.4, 0.5, 0], section: {tube: [0.04, 0.03]}, material: alloy}, "
    "{from: [0.4, 0.5, 0], to: [0.2, 0.6, 0.1], section: {I: [0.06, 0.03, 0.003, 0.004]}, up: [0, 0, 1], "
    "material: steel}, "
    "{from: [0.7, 0.1, 0], to: [0.7, 0.4, 0], section: {A: 4e-4, Iy: 3e-8, Iz: 2e-8, J: 4e-8}, material: alloy}]}}\n"
    "  top: {position: [0.4, 0.1, 0.05], flexible: {plate: {outline: [[0, 0], [0.3, 0], [0.3, 0.3], [0, 0.3]], "
    "thickness: 0.008, insert: 0.06, divisions: 4}, material: steel}}\n"
    "joints:\n"
    "  a: {type: fixed, bodies: [ground, tree], at: [0, 0, -0.02]}\n"
    "  b: {type: spherical, bodies: [ground, tree], at: [0.2, 0.6, 0.1]}\n"
    "  c: {type: revolute, bodies: [ground, tree], at: [0.72, 0.1, 0.03], axis: [0, 1, 0], "
    "stiffness: [2e6, 3e6, 1e6, 4e3, 5e3, 0], misfit: {z: 1e-4, about_y: 1e-3}}\n"
    "  d: {type: spherical, bodies: [tree, top], at: [0.4, 0.1, 0.05]}\n"
    "  e: {type: spherical, bodies: [tree, top], at: [0.4, 0.4, 0.05], stiffness: [1e6, 2e6, 3e6, 0, 0, 0]}\n"
    "  f: {type: spherical, bodies: [tree, top], at: [0.7, 0.4, 0.05]}\n"
    "forces: {push: {type: force, at: {body: tree, point: [0.4, 0.25, 0.03]}, force: [100, -50, 300]}, "
    "turn: {type: torque, at: {body: top, point: [0.15, 0.15, 0]}, torque: [5, 6, 7]}}\n"
)


def held_nodes(nodes: np.ndarray, point: np.ndarray, freedoms: int) -> np.ndarray:
    """The node of a beam, or the nodes of a rigid insert of 0.06 m in a plate."""
    if freedoms == 6:
        return np.flatnonzero(np.linalg.norm(nodes - point, axis=1) < 1e-9)
    return np.flatnonzero(np.hypot(*(nodes - point).T[:2]) <= 0.06)


def monolithic(model: reactio.Model, eqs: reactio.Equations) -> np.ndarray:
    """λ (m,) of all finite elements of all bodies and all joint rows in one sparse system, at rest under its loads.

    K u + Aᵀμ = M g,   −Gᵀμ + Dᵀλ = w,   A u = G q,   D q = W λ + δ
    """
    from scipy.sparse import block_array, block_diag, csr_array
    from scipy.sparse.linalg import splu

    from reactio.structures import Interface
    from reactio.system.elasticity import interfaces as rows

    parts: dict[str, list[Any]] = {key: [] for key in "KAGDfw"}
    for b, body in enumerate(model.bodies):
        made = structure(model, body)
        assert made is not None
        assert made.elements is not None
        fe = made.elements
        held = [Interface("", point, held_nodes(fe.nodes, point, fe.freedoms)) for point in made.points]
        A_b, G_b = _holding(fe, held)
        turn = rows.body_axes(eqs, b)
        seat = rows.interface_rows(eqs.system, b)
        D_b = seat.on(eqs, turn)
        parts["w"].append(rows._loads_on(eqs, seat.attachment, turn, True))
        whole = np.zeros((eqs.system.m, D_b.shape[1]))
        whole[seat.rows] = D_b
        parts["K"].append(fe.K / 1e9)
        parts["A"].append(A_b)
        parts["G"].append(csr_array(G_b))
        parts["D"].append(csr_array(whole))
        parts["f"].append(fe.M @ (fe.rigid()[:, :3] @ (turn.T @ np.array(model.gravity))))
    K, A, G = (block_diag(parts[key]) for key in "KAG")
    D: Any = block_array([parts["D"]])
    W, delta = _joint_compliance(eqs)
    system = block_array(
        [[K, None, A.T, None], [None, None, -G.T, D.T], [A, -G, None, None], [None, D, None, -1e9 * W]]
    ).tocsc()
    loads = np.concatenate([*parts["f"], *parts["w"]]) / 1e9
    right = np.concatenate([loads, np.zeros(A.shape[0]), delta])
    solver = splu(system)
    x = solver.solve(right)
    for _ in range(3):
        x += solver.solve(right - system @ x)
    return np.asarray(1e9 * x[-eqs.system.m :])


def _joint_compliance(eqs: reactio.Equations) -> tuple[Any, np.ndarray]:
    """W (m, m) and δ (m,) of the joints alone."""
    from reactio.sharing.elasticity import assembled
    from reactio.system.elasticity.compliance import elasticity

    joints = [part for part in elasticity(eqs).parts if part.kind == "joint"]
    delta = np.zeros(eqs.system.m)
    for part in joints:
        delta[part.rows] += part.delta
    return assembled(eqs.system.m, joints), delta


@pytest.mark.parametrize("text", [PLATES, TREE], ids=["plates", "tree"])
def test_level_one_is_the_monolithic_solve_of_all_elements(text: str) -> None:
    model = reactio.parse_model(text)
    eqs = reactio.equations(reactio.build(model))
    lam = reactio.reactions(eqs, "compliance").lam
    expected = monolithic(model, eqs)
    assert lam == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


def test_superelement_is_the_structure_it_was_condensed_from(tmp_path: Path) -> None:
    model = shaft((0.0, 1.0, 2.0))
    made = structure(model, model.bodies[0])
    assert made is not None
    assert made.K is not None
    assert made.M is not None
    np.savez(tmp_path / "K.npz", made.K)
    np.savez(tmp_path / "M.npz", made.M)
    text = (
        "space: spatial\ngravity: [0, 0, -9.81]\n"
        "bodies: {shaft: {points: {p0: [0, 0, 0], p1: [1, 0, 0], p2: [2, 0, 0]}, "
        "flexible: {stiffness: K.npz, mass: M.npz, interfaces: [p0, p1, p2]}}}\n"
    )
    joints = to_yaml(model)
    again = reactio.parse_model(text + joints[joints.index("joints:") :], folder=tmp_path)
    assert vertical(again) == pytest.approx(vertical(model), rel=1e-8)


def _weakened(K: np.ndarray) -> np.ndarray:
    """K without the stiffness of one of its elastic shapes: a mechanism inside."""
    values, vectors = np.linalg.eigh(K)
    return np.asarray(K - values[6] * np.outer(vectors[:, 6], vectors[:, 6]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda K: K + 1e-3 * np.triu(K, 1), "not symmetric"),
        (lambda K: K + np.diag(np.diagonal(K)), "0 motions without stiffness; a free body has 6. It is grounded"),
        (lambda K: _weakened(K), "7 motions without stiffness; a free body has 6. There is a mechanism"),
    ],
)
def test_wrong_matrices_are_refused(change: Any, words: str, tmp_path: Path) -> None:
    made = structure(whole := shaft((0.0, 1.0, 2.0)), whole.bodies[0])
    assert made is not None
    assert made.K is not None
    np.save(tmp_path / "K.npy", change(made.K))
    text = (
        "space: spatial\nbodies: {arm: {mass: 1, inertia: [1, 1, 1], "
        "points: {p: [0, 0, 0], q: [1, 0, 0], r: [2, 0, 0]}, "
        "flexible: {stiffness: K.npy, interfaces: [p, q, r]}}}\njoints: {a: {type: fixed, a: ground, b: arm.p}, "
        "b: {type: spherical, a: {body: ground, point: [1, 0, 0]}, b: arm.q}}\n"
    )
    with pytest.raises(ReactioError, match=words):
        vertical(reactio.parse_model(text, folder=tmp_path))


def test_millimetres_in_a_metre_model_are_told_with_the_factor(tmp_path: Path) -> None:
    made = structure(whole := shaft((0.0, 1.0, 2.0)), whole.bodies[0])
    assert made is not None
    assert made.K is not None
    unit = np.tile([1e-3, 1e-3, 1e-3, 1.0, 1.0, 1.0], 3)  # newtons and millimetres
    np.save(tmp_path / "K.npy", made.K * np.outer(unit, unit) * 1e3)
    text = (
        "space: spatial\nbodies: {arm: {mass: 1, inertia: [1, 1, 1], "
        "points: {p: [0, 0, 0], q: [1, 0, 0], r: [2, 0, 0]}, "
        "flexible: {stiffness: K.npy, interfaces: [p, q, r]}}}\njoints: {a: {type: fixed, a: ground, b: arm.p}, "
        "b: {type: spherical, a: {body: ground, point: [1, 0, 0]}, b: arm.q}}\n"
    )
    with pytest.raises(ReactioError, match=r"matrix is in mm.*times 1000 would fit"):
        vertical(reactio.parse_model(text, folder=tmp_path))


def test_megapascals_are_noticed() -> None:
    with pytest.raises(ReactioError, match=r"E is 210000 Pa.*was it in MPa.*2.1e\+11"):
        reactio.parse_model("space: spatial\nmaterials: {steel: {E: 2.1e5}}\nbodies: {b: {mass: 1}}\n")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("material: steel", "material: stele"), r"there is no material 'stele'\. Did you mean 'steel'"),
        ((", density: 7800", ""), "or its material a `density`"),
        (("density: 7800", "density: 7.8e-9"), r"lighter than any solid; was it in t/mm³\? Then write 7800"),
    ],
)
def test_materials_that_cannot_be(change: tuple[str, str], words: str) -> None:
    text = (
        "space: spatial\ngravity: [0, 0, -9.81]\nmaterials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}\n"
        "bodies: {b: {flexible: {beam: {from: [0, 0, 0], to: [1, 0, 0], section: {rod: 0.02}}, material: steel}}}\n"
        "joints: {a: {type: fixed, bodies: [ground, b], at: [0, 0, 0]}}\n"
    )
    with pytest.raises(ReactioError, match=words):
        reactio.parse_model(text.replace(*change))


def test_shear_of_round_sections_depends_on_the_material() -> None:
    """κ of Cowper 1966: 6 (1 + ν) / (7 + 6 ν) of a rod, 2 (1 + ν) / (4 + 3 ν) of a thin tube."""
    for nu in (0.0, 0.3, 0.45):
        assert section({"rod": 0.02}, "", nu).ky == pytest.approx(6 * (1 + nu) / (7 + 6 * nu), rel=1e-14)
        thin = section({"tube": (1.0, 1.0 - 1e-6)}, "", nu)  # right to the square of the wall
        assert thin.kz == pytest.approx(2 * (1 + nu) / (4 + 3 * nu), rel=1e-11)


def test_what_is_left_out_of_mass_centre_and_inertia_follows() -> None:
    """The mass alone may be given, for comparison: the rest is that of the structure."""
    beam = "flexible: {beam: {from: [0, 0, 0], to: [1, 0, 0], section: {rod: 0.02}}, material: steel}"
    text = f"space: spatial\n{STEEL}bodies: {{a: {{{beam}}}, b: {{mass: 2.46, {beam}}}}}\n"
    follows, given = reactio.parse_model(text).bodies
    assert given.mass == 2.46
    assert (given.center, given.inertia) == (follows.center, follows.inertia)
    with pytest.raises(ReactioError, match=r"its mass is given as 3 and follows as 2\.45044"):
        reactio.parse_model(text.replace("2.46", "3"))


def test_sections_by_name_and_by_numbers() -> None:
    tube = section({"tube": (0.03, 0.026)}, "")
    assert pytest.approx(17.2e6, rel=1e-2) == tube.A * 6.9e10 / 0.5**0.5  # the paper's 17e6 N/m
    with pytest.raises(ReactioError, match="outer diameter comes first"):
        section({"tube": (0.026, 0.03)}, "beam")


def test_a_mesh_from_a_file_bends_like_the_plate(tmp_path: Path) -> None:
    """The same block of hex8 … hex20 elements through an Abaqus file: K has six rigid motions, the mass is right."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 0.1, 0], [0, 0.1, 0]])
    block = np.vstack([corners, corners + np.array([0, 0, 0.1])])
    nodes, table = brick(block, (6, 1, 1))
    lines = ["*NODE"] + [f"{k + 1}, {x:.12g}, {y:.12g}, {z:.12g}" for k, (x, y, z) in enumerate(nodes)]
    lines += ["*ELEMENT, TYPE=C3D20, ELSET=all"]
    for k, row in enumerate(table):
        own = [k + 1, *(row[:20] + 1)]
        lines += [", ".join(map(str, own[:16])) + ",", ", ".join(map(str, own[16:]))]
    for name, x in (("left", 0.0), ("right", 1.0)):
        held = np.flatnonzero(np.abs(nodes[:, 0] - x) < 1e-9) + 1
        lines += [f"*NSET, NSET={name}", *(", ".join(map(str, held[i : i + 12])) for i in range(0, len(held), 12))]
    (tmp_path / "bar.inp").write_text("\n".join(lines))
    text = (
        "space: spatial\n"
        + STEEL
        + "bodies: {bar: {points: {l: [0, 0.05, 0.05], r: [1, 0.05, 0.05]}, flexible: {mesh: bar.inp, "
        "material: steel, interfaces: {l: left, r: right}}}}\n"
        "joints: {a: {type: fixed, a: {body: ground, point: [0, 0.05, 0.05]}, b: bar.l}, "
        "b: {type: fixed, a: {body: ground, point: [1, 0.05, 0.05]}, b: bar.r}}\n"
    )
    model = reactio.parse_model(text, folder=tmp_path)
    assert model.bodies[0].mass == pytest.approx(78.0, rel=1e-9)
    made = structure(model, model.bodies[0])
    assert made is not None
    assert made.K is not None
    # EA/L of a bar whose ends cannot contract: the layers that cannot add two hundredths.
    assert made.K[6, 6] == pytest.approx(2.1e11 * 0.01, rel=2e-2)


@pytest.mark.parametrize("seed", range(3))
def test_rings_of_beams_by_section_forces_and_by_stiffness(seed: int) -> None:
    """Two rings that share a beam: F of least energy in the cuts against the condensed stiffness of the elements."""
    x = np.random.default_rng(seed).normal(size=(5, 3)).round(3).tolist()
    pairs = ((0, 1), (1, 2), (2, 3), (3, 0), (1, 4), (4, 3))
    bars = ", ".join(f"{{from: {x[a]}, to: {x[b]}, section: {{box: [0.03, 0.02]}}}}" for a, b in pairs)
    joints = ", ".join(f"j{k}: {{type: fixed, bodies: [ground, ring], at: {x[k]}}}" for k in (0, 2, 4))
    model = reactio.parse_model(
        "space: spatial\nmaterials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}\n"
        f"bodies: {{ring: {{flexible: {{beam: [{bars}], material: steel}}}}}}\njoints: {{{joints}}}\n"
    )
    found = structure(model, model.bodies[0])
    assert found is not None
    assert found.K is not None
    assert found.M is not None
    theirs = compliance(found.K, found.M, found.points)
    Z = np.linalg.qr(rigid_modes(found.points), mode="complete")[0][:, 6:]  # loads that balance each other
    ours, expected = Z.T @ found.F @ Z, Z.T @ theirs @ Z
    # The stiffness of thin beams is inverted on the other side: eight digits are left of its small compliances.
    assert ours == pytest.approx(expected, abs=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize(("up", "second"), [("", 0.04 * 0.08**3 / 12), (", up: [0, 0, 1]", 0.08 * 0.04**3 / 12)])
def test_the_height_of_a_section_lies_in_the_plane_of_a_planar_model(up: str, second: float) -> None:
    """A rail on three supports whose middle one is 1 mm low takes 48 EI δ/(2L)³ less there, and shear a little."""
    model = reactio.parse_model(f"""
space: planar
gravity: [0, 0]
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7850}}}}
bodies:
  rail:
    position: [0, 0]
    flexible: {{beam: {{from: [-2, 0], to: [2, 0], section: {{box: [0.04, 0.08]}}{up}}}, material: steel}}
joints:
  left: {{type: revolute, bodies: [ground, rail], at: [-2, 0]}}
  middle: {{type: revolute-translational, bodies: [ground, rail], at: [0, 0], axis: [1, 0], misfit: {{y: -1e-3}}}}
  right: {{type: revolute-translational, bodies: [ground, rail], at: [2, 0], axis: [1, 0]}}
""")
    pull = reactio.reactions(model, "compliance")["middle"].force[1]
    assert pull == pytest.approx(-48 * 2.1e11 * second / 4**3 * 1e-3, rel=2e-3)  # shear gives 0.1 % of the deflection
