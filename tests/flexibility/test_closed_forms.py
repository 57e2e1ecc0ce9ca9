"""The rule compliance against statics that can be written down: legs, bushings, misfits, heat, full matrices."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.flexibility.sensitivity import sensitivity
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joint_reactions.data import Basis
from reactio.model.files.write import to_yaml
from reactio.model.specs import Elastic

# Closed forms are evaluated in double precision on both sides; forces are of order 100 N.
TIGHT = 1e-10

LEGS = ((0.5, 0.5, 1e6), (-0.5, 0.5, 2e6), (-0.5, -0.5, 5e5), (0.5, -0.5, 3e6), (0.1, 0.2, 1.5e6))


def table(mass: float = 40.0, warm: int | None = None, misfit: dict[int, float] | None = None) -> reactio.Model:
    """A rigid top on five legs, each a point on a plane with a stiffness of its own; held in its plane."""
    legs = ""
    for k, (x, y, stiff) in enumerate(LEGS):
        off = f", misfit: {{z: {misfit[k]}}}" if misfit and k in misfit else ""
        legs += (
            f"  leg{k + 1}: {{type: point-on-plane, a: {{body: ground, point: [{x}, {y}, 0]}}, "
            f"b: {{body: top, point: [{x}, {y}, 0]}}, stiffness: {stiff}{off}}}\n"
        )
    return reactio.parse_model(
        "space: spatial\ngravity: [0, 0, -9.81]\n"
        f"bodies: {{top: {{mass: {mass}, inertia: [3, 3, 6], center: [0.05, 0.02, 0]}}}}\n"
        f"joints:\n{legs}"
    )


def forces(model: reactio.Model, rule: str = "compliance") -> dict[str, np.ndarray]:
    """(force, moment) on body b in joint axes, by joint."""
    eqs = reactio.equations(reactio.build(model))
    found = reactio.reactions(eqs, rule)
    return {name: np.concatenate([one.force_in_joint, one.moment_in_joint]) for name, one in found.items()}


def upwards(model: reactio.Model) -> dict[str, float]:
    """World y of the forces on body b, by joint: the axes of a rod turn with it."""
    found = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    return {name: float(one.force[1]) for name, one in found.items()}


def settled(load: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """Forces of springs under a rigid top: k (δ − w), w = z + α y − β x, by its three equations of equilibrium."""
    x, y, k = np.array(LEGS).T
    J = np.stack([np.ones(5), y, -x], axis=1)  # rise of each foot by (z, rotation about x, about y)
    q = np.linalg.solve(J.T * k @ J, load + J.T @ (k * delta))
    return np.asarray(k * (delta - J @ q))


@pytest.mark.parametrize("misfit", [None, {1: 1e-4}, {0: -2e-5, 3: 5e-5}])
def test_five_legs_of_unequal_stiffness(misfit: dict[int, float] | None) -> None:
    weight = 40.0 * 9.81
    load = np.array([-weight, -weight * 0.02, weight * 0.05])
    delta = np.array([(misfit or {}).get(k, 0.0) for k in range(5)])
    expected = settled(load, delta)
    assert expected.sum() == pytest.approx(weight, abs=TIGHT * weight)
    found = forces(table(misfit=misfit))
    assert [found[f"leg{k + 1}"][2] for k in range(5)] == pytest.approx(expected, abs=TIGHT * weight)


def rational(A: list[list[Fraction]], b: list[Fraction]) -> list[Fraction]:
    """x of A x = b, by elimination without rounding."""
    rows = [[*row, x] for row, x in zip(A, b, strict=True)]
    for i in range(len(rows)):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(len(rows)):
            if k != i:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def springs(decades: int, seed: int) -> tuple[reactio.Model, np.ndarray, np.ndarray, np.ndarray]:
    """A beam on six springs, with their places, stiffnesses and misfits."""
    rng = np.random.default_rng(100 * decades + seed)
    x, k = rng.normal(size=6).round(3), 10 ** rng.uniform(6 - decades, 6 + decades, 6)
    delta = np.where(rng.random(6) < 0.4, 1e-4 * rng.normal(size=6), 0.0)
    legs = "".join(
        f"  leg{i}: {{type: revolute-translational, a: {{body: ground, point: [{x[i]}, 0]}}, "
        f"b: {{body: top, point: [{x[i]}, 0]}}, stiffness: {float(k[i])!r}, misfit: {{y: {float(delta[i])!r}}}}}\n"
        for i in range(6)
    )
    bodies = "bodies: {top: {mass: 40, inertia: 3, center: [0.1, 0]}}"
    return reactio.parse_model(f"space: planar\ngravity: [0, -9.81]\n{bodies}\njoints:\n{legs}"), x, k, delta


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decades", [2, 9])
def test_a_sparse_split_is_right_or_refused(decades: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = springs(decades, seed)[0]
    expected = forces(model)
    monkeypatch.setattr("reactio.sharing.compliance.MOST_NULL_SPACE_ROWS", 0)
    try:
        found = forces(model)
    except ReactioError as error:
        assert decades == 9
        assert "differ by more than double precision resolves" in str(error)  # noqa: PT017
        return
    size = max(float(np.abs(one).max()) for one in expected.values())
    for name, one in expected.items():
        # A row may stay open by 1e-9 of its own compliance, which is as if its stiffness were off by that.
        assert found[name] == pytest.approx(one, abs=1e-8 * size)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("decades", [3, 9, 12])
def test_stiffnesses_may_differ_by_any_factor(decades: int, seed: int) -> None:
    """A beam on six springs from 10^(6−d) to 10^(6+d) N/m, some seats off: against exact arithmetic.

    Stiff springs carry the load and soft ones most of the compliance: NᵀFN alone would lose the former.
    """
    model, x, k, delta = springs(decades, seed)
    found = forces(model)
    zero, one, W = Fraction(0), Fraction(1), -40 * Fraction(9.81)
    at, stiff, off = ([Fraction(v) for v in values] for values in (x, k, delta))
    J = [(one, a) for a in at]
    A = [[sum((s * j[a] * j[b] for s, j in zip(stiff, J, strict=True)), zero) for b in (0, 1)] for a in (0, 1)]
    load = [
        w + sum((s * j[a] * d for s, j, d in zip(stiff, J, off, strict=True)), zero)
        for a, w in enumerate((W, W * Fraction(0.1)))
    ]
    rise = rational(A, load)
    expected = [float(s * (d - j[0] * rise[0] - j[1] * rise[1])) for s, j, d in zip(stiff, J, off, strict=True)]
    assert [found[f"leg{i}"][1] for i in range(6)] == pytest.approx(expected, abs=TIGHT * max(map(abs, expected)))


DOOR = """
space: spatial
gravity: [0, 0, -9.81]
bodies: {{door: {{mass: 25, inertia: [8, 10, 2], position: [0.45, 0, 1]}}}}
joints:
  low:
    {{type: revolute, bodies: [ground, door], at: [0, 0, 0.2], axis: [0, 0, 1],
      stiffness: [8e6, 8e6, 5e6, 2000, 2000, 0]}}
  high:
    {{type: revolute, bodies: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1],
      stiffness: [8e6, 8e6, {kz}, 2000, 2000, 0]{misfit}}}
"""


def door(kz: float = 3e6, misfit: str = "") -> reactio.Model:
    return reactio.parse_model(DOOR.format(kz=kz, misfit=f", misfit: {{{misfit}}}" if misfit else ""))


def door_by_hand(kz: float, dz: float) -> tuple[float, float, float, float, float]:
    """Vertical forces, horizontal ones and moments about y: parallel springs along z, a couple against tilt."""
    W, k1, k2 = 25 * 9.81, 5e6, kz
    sag = (k2 * dz - W) / (k1 + k2)  # the door rises by sag; the upper seat stands dz too high
    low, high = -k1 * sag, k2 * (dz - sag)
    kx, kr, h = 8e6, 2000.0, 1.6
    tilt = W * 0.45 / (2 * kx * (h / 2) ** 2 + 2 * kr)  # about y, symmetric about the middle
    return low, high, kx * tilt * h / 2, -kx * tilt * h / 2, -kr * tilt


@pytest.mark.parametrize("dz", [0.0, 1e-4])
def test_door_on_two_bushings(dz: float) -> None:
    found = forces(door(misfit=f"z: {dz}" if dz else ""))
    low, high, x_low, x_high, moment = door_by_hand(3e6, dz)
    assert found["low"][[2, 0, 4]] == pytest.approx([low, x_low, moment], abs=TIGHT * 300)
    assert found["high"][[2, 0, 4]] == pytest.approx([high, x_high, moment], abs=TIGHT * 300)


def test_a_seat_that_is_too_high_carries_more() -> None:
    level, raised = forces(door()), forces(door(misfit="z: 1e-4"))
    assert raised["high"][2] > level["high"][2]
    assert raised["low"][2] < level["low"][2]


def test_preload_is_what_the_unloaded_joint_does() -> None:
    base, tight = door(), reactio.parse_model(DOOR.format(kz=3e6, misfit=", preload: {z: 50}"))
    change = forces(tight)["high"] - forces(base)["high"]
    assert change[2] == pytest.approx(50.0, abs=1e-8)
    assert forces(tight)["low"][2] - forces(base)["low"][2] == pytest.approx(-50.0, abs=1e-8)


def test_a_matrix_is_the_list_of_its_diagonal_whatever_the_units_of_its_entries() -> None:
    """N/m beside N m/rad, 10¹³ times apart."""
    six = [1e12, 8e8, 5e6, 0.1, 2000.0, 3.0]
    listed, matrix = f"{six}", f"{np.diag(six).tolist()}"
    low = "[8e6, 8e6, 5e6, 2000, 2000, 0]"
    one, other = (forces(reactio.parse_model(DOOR.format(kz=3e6, misfit="").replace(low, s))) for s in (listed, matrix))
    for name in one:
        assert other[name] == pytest.approx(one[name], abs=TIGHT * 300)


def test_rows_of_the_inverse_not_the_inverse_of_a_block() -> None:
    """A bushing whose matrix couples rotation about its free axis z with bending: S = K⁻¹, and rows of it."""
    rng = np.random.default_rng(3)
    scale = np.diag([3e3, 3e3, 2e3, 60, 50, 40])
    R = rng.standard_normal((6, 6))
    K = scale @ (np.eye(6) + 0.2 * (R + R.T) / 2) @ scale
    rows = ", ".join("[" + ", ".join(f"{x:.17g}" for x in row) + "]" for row in K)
    text = DOOR.format(kz=3e6, misfit="").replace("[8e6, 8e6, 5e6, 2000, 2000, 0]", f"[{rows}]")
    found = forces(reactio.parse_model(text))
    # The same by displacements: door pose ξ at the lower hinge and the free rotation of the lower bushing unknown.
    S = np.linalg.inv(K)[:5, :5]
    k_high = np.diag([8e6, 8e6, 3e6, 2000, 2000])
    lever = np.eye(6)
    lever[0, 4], lever[1, 3] = 1.6, -1.6  # displacement 1.6 m above
    low, high = np.eye(6)[:5], lever[:5]
    weight = 25 * 9.81
    load = np.array([0, 0, -weight, 0, weight * 0.45, 0])
    stiff = low.T @ np.linalg.inv(S) @ low + high.T @ k_high @ high
    q = np.linalg.lstsq(stiff, load, rcond=1e-12)[0]
    expected = -np.linalg.inv(S) @ low @ q
    assert found["low"][:5] == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
    block = np.linalg.inv(np.linalg.inv(K[:5, :5]))
    wrong = -block @ low @ np.linalg.lstsq(low.T @ block @ low + high.T @ k_high @ high, load, rcond=1e-12)[0]
    assert np.abs(found["low"][:5] - wrong).max() > 0.01


def test_heated_rail() -> None:
    """A rail on three carriages, each with a stiffness along it: heat pushes the outer ones apart."""
    ks, xs = (2e6, 5e6, 1e6), (0.0, 0.7, 1.5)
    joints = "".join(
        f"  c{i}: {{type: prismatic, bodies: [ground, rail], at: [{x}, 0, 0], axis: [0, 0, 1], stiffness: "
        f"{{x: {k}, y: {k}, tilt: 1e5, torsion: 1e5}}}}\n"
        for i, (k, x) in enumerate(zip(ks, xs, strict=True))
    )
    text = (
        "space: spatial\nbodies: {rail: {mass: 5, inertia: [1, 1, 1], temperature: 30, expansion: 1.2e-5}}\njoints:\n"
        f"{joints}"
    )
    found = forces(reactio.parse_model(text))
    growth, k = 1.2e-5 * 30 * np.array(xs), np.array(ks)
    shift = -(k @ growth) / k.sum()
    expected = -k * (growth + shift)
    assert [found[f"c{i}"][0] for i in range(3)] == pytest.approx(expected, abs=TIGHT * 1e3)


@pytest.mark.parametrize("body", ["rigid", "flexible"])
def test_heat_lengthens_the_arms_to_joints_too(body: str) -> None:
    """Springs k hold a bar from both sides at arms h beside its axis: it grows by 2 h α ΔT, and each feels k h α ΔT."""
    k, h, strain = 2e6, 0.05, 1.2e-5 * 30
    how = {
        "rigid": "mass: 1, inertia: [1, 1, 1]",
        "flexible": "flexible: {beam: {from: [0, 0, 0], to: [1, 0, 0], section: {rod: 0.03}}, material: steel}",
    }[body]
    text = (
        "space: spatial\nmaterials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}\n"
        f"bodies: {{bar: {{{how}, temperature: 30, expansion: 1.2e-5}}}}\njoints:\n"
        f"  left: {{type: point-on-plane, bodies: [ground, bar], at: [0.5, {h}, 0], axis: y, stiffness: {k}}}\n"
        f"  right: {{type: point-on-plane, bodies: [ground, bar], at: [0.5, {-h}, 0], axis: y, stiffness: {k}}}\n"
    )
    found = forces(reactio.parse_model(text))
    assert [found[name][2] for name in ("left", "right")] == pytest.approx([-k * h * strain, k * h * strain], abs=1e-9)


def test_a_warm_rod_pushes() -> None:
    text = "space: planar\nbodies: {bar: {mass: 1, inertia: 1}}\njoints:\n"
    for k, x in enumerate((0.0, 1.0, 2.0)):
        heat = ", temperature: 20, expansion: 1.2e-5" if k == 1 else ""
        text += (
            f"  r{k}: {{type: distance, a: {{body: ground, point: [{x}, -1]}}, b: {{body: bar, point: [{x}, 0]}}, "
            f"stiffness: 1e6{heat}}}\n"
        )
    found = upwards(reactio.parse_model(text))
    # Three equal springs in line, the middle one too long by δ: forces k δ/3 · (−1, 2, −1) on the bar, upwards.
    pushed = 1e6 * 1.2e-5 * 20 / 3
    assert [found[f"r{k}"] for k in range(3)] == pytest.approx([-pushed, 2 * pushed, -pushed], abs=1e-8)


@pytest.mark.parametrize(
    ("misfit", "words"),
    [("about_z: 1e-3", "misfit of 'high' along about_z has no effect"), ("z: 1e-4", "")],
)
def test_what_has_no_effect_is_said(misfit: str, words: str) -> None:
    from reactio.system.elasticity.compliance import elastic_notes

    notes = elastic_notes(reactio.equations(reactio.build(door(misfit=misfit))))
    assert any(words in note for note in notes) if words else not notes


def test_infinitely_soft_joints_are_refused() -> None:
    with pytest.raises(ReactioError, match=r"joint 'high' has no stiffness along z of its own axes.*infinitely soft"):
        forces(door(kz=0))
    with pytest.raises(ReactioError, match=r":11: joint 'high' .*stiffness along z is -.*; it must be 0 or more"):
        door(kz=-3)


def test_all_rigid_leaves_everything_open() -> None:
    with pytest.raises(
        ReactioError, match=r"All parts are rigid and leave 10 of 10 self-stresses undecided, in hinge1"
    ):
        forces(reactio.load("door"))


def test_only_some_flexible_says_what_is_open() -> None:
    text = DOOR.format(kz=3e6, misfit="").replace("[8e6, 8e6, 5e6, 2000, 2000, 0]", "{axial: 1e6}")
    model = reactio.parse_model(text.replace("stiffness: [8e6, 8e6, 3000000.0, 2000, 2000, 0]", "stiffness: rigid"))
    eqs = reactio.equations(reactio.build(model))
    found = reactio.reactions(eqs, "compliance")
    # Only the axial split is decided: the soft hinge evades it, the rigid one bears the whole weight.
    assert found["low"].bases("joint")[2] == Basis.STIFFNESS
    assert found["low"].force_in_joint[2] == pytest.approx(0.0, abs=1e-9)
    assert [found["low"].bases("joint")[k] for k in (0, 1, 3, 4)] == [Basis.OPEN] * 4
    assert found["low"].state == "partly determined by stiffness"
    with pytest.raises(ReactioError, match=r"Flexible are low; they leave"):
        sensitivity(eqs)


def test_python_says_the_same_as_yaml() -> None:
    from dataclasses import replace

    model = door(misfit="z: 1e-4")
    bare = replace(model, joints=tuple(replace(j, elastic=Elastic()) for j in model.joints))
    given = {
        "low": Elastic((8e6, 8e6, 5e6, 2000, 2000, 0)),
        "high": Elastic((8e6, 8e6, 3e6, 2000, 2000, 0), {"z": 1e-4}),
    }
    again = replace(bare, joints=tuple(replace(j, elastic=given[j.name]) for j in bare.joints))
    assert again == model
    assert reactio.parse_model(to_yaml(model), name=model.name) == model


def test_the_sparse_solution_is_the_same_and_finds_open_self_stresses(monkeypatch: pytest.MonkeyPatch) -> None:
    from reactio.sharing import compliance

    model = door(misfit="z: 1e-4")
    dense = forces(model)
    monkeypatch.setattr(compliance, "MOST_NULL_SPACE_ROWS", 3)
    for name, force in forces(model).items():
        assert force == pytest.approx(dense[name], abs=1e-8)
    text = DOOR.format(kz=3e6, misfit="").replace("[8e6, 8e6, 5e6, 2000, 2000, 0]", "{axial: 1e6}")
    half = reactio.parse_model(text.replace("stiffness: [8e6, 8e6, 3000000.0, 2000, 2000, 0]", "stiffness: rigid"))
    with pytest.raises(ReactioError, match=r"self-stresses undecided, in low, high"):
        forces(half)


SLIDES = """
space: planar
gravity: [0, -9.81]
bodies: {block: {mass: 2, inertia: 0.1, velocity: [1, 0]}}
joints:
  s1: {type: translational, a: ground, b: block, stiffness: [0, 1e6, 1e4]}
  s2:
    {type: translational, a: {body: ground, point: [0, 0.1]}, b: {body: block, point: [0, 0.1]},
      stiffness: [0, 3e6, 1e4]}
forces: {rub: {type: joint-friction, joint: s1.translation, coefficient: 0.2, velocity: 0.001}}
"""


@pytest.mark.parametrize("second", range(1, 12))
def test_the_sparse_solution_misses_no_open_self_stress(second: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rigid legs in one place among ten soft ones: whatever the probe is there, one of the two may carry all."""
    from reactio.sharing import compliance

    monkeypatch.setattr(compliance, "MOST_NULL_SPACE_ROWS", 0)
    places = np.random.default_rng(second).uniform(-1, 1, (12, 2))
    for first in range(second):
        places[second] = places[first]
        text = "space: spatial\ngravity: [0, 0, -10]\nbodies: {top: {mass: 20, inertia: [1, 1, 1]}}\njoints:\n"
        for i, (x, y) in enumerate(places.tolist()):
            stiff = "" if i in (first, second) else ", stiffness: 1e6"
            text += f"  leg{i}: {{type: point-on-plane, bodies: [ground, top], at: [{x}, {y}, 0], axis: z{stiff}}}\n"
        with pytest.raises(ReactioError, match=f"undecided, in leg{first}, leg{second}\\."):
            forces(reactio.parse_model(text))


def test_friction_acts_on_what_stiffness_gives_a_slide() -> None:
    """Two slides share the weight 1 : 3; friction in the first brakes with a quarter of it, now and in the motion."""
    model = reactio.parse_model(SLIDES)
    braking = -0.2 * 9.81 / 4
    now = accelerations(reactio.equations(reactio.build(model)), rule="compliance")
    assert now.vdot[0] == pytest.approx(braking, rel=1e-9)
    run = reactio.simulate(model, 0.05, rule="compliance", output=2)
    assert run.vdot[-1, 0] == pytest.approx(braking, rel=1e-7)


RODS = ((0.0, 2.5, 1e6), (1.0, 1.0, 2e6), (2.0, 0.4, 5e5))  # x, length, stiffness


def hanging(kind: str, more: str = "") -> np.ndarray:
    """What three rods of different lengths do to a bar of 1 kg whose centre is at 0.8 m, upwards; g = 10 m/s²."""
    rods = "".join(
        f"  r{k}: {{type: {kind}, a: {{body: ground, point: [{x}, {L}]}}, b: {{body: bar, point: [{x} - 0.8, 0]}}, "
        f"length: {L}, stiffness: {s}{more if k == 1 else ''}}}\n"
        for k, (x, L, s) in enumerate(RODS)
    )
    found = upwards(
        reactio.parse_model(
            "space: planar\ngravity: [0, -10]\nbodies: {bar: {mass: 1, inertia: 1, position: [0.8, 0]}}\njoints:\n"
            f"{rods}"
            "  guide: {type: revolute-translational, a: {body: ground, axis: [0, 1], point: [0.8, 0]}, b: bar}\n"
        )
    )
    return np.array([found[f"r{k}"] for k in range(3)])


def stretched(longer: float) -> np.ndarray:
    """The same by the two equations of equilibrium, with the middle rod too long."""
    x, _, k = np.array(RODS).T
    J, delta = np.stack([np.ones(3), x], axis=1), np.array([0.0, longer, 0.0])
    q = np.linalg.solve(J.T * k @ J, np.array([-10.0, -8.0]) - J.T @ (k * delta))
    return np.asarray(k * (-J @ q - delta))


@pytest.mark.parametrize("kind", ["distance", "squared-distance"])
@pytest.mark.parametrize(
    ("more", "longer"),
    [
        ("", 0.0),
        (", misfit: 1e-4", 1e-4),
        (", temperature: 10, expansion: 2e-5", 2e-4),
        (", preload: -70", None),
        (", preload: {N: 70}", None),
    ],
)
def test_rods_are_the_same_however_their_length_is_written(kind: str, more: str, longer: float | None) -> None:
    """d − l = 0 and d·d − l² = 0 have rows of different units; stiffness, misfit and heat are those of the rod."""
    if longer is None:  # tightened until it pulls 70 N when nothing else is loaded
        alone = stretched(1e-4) - stretched(0.0)
        longer = 1e-4 * -70.0 / -alone[1] if alone[1] else 0.0
    assert hanging(kind, more) == pytest.approx(stretched(longer), abs=TIGHT * 100)


def test_heat_needs_a_length() -> None:
    text = DOOR.format(kz=3e6, misfit=", temperature: 20, expansion: 1e-5")
    with pytest.raises(ReactioError, match="keeps no length that heat could change"):
        reactio.parse_model(text)


def propped_bar(raised: float) -> reactio.Model:
    """A bar on three feet that only push, 1 m apart, with its weight of 100 N over x = 0.9 m; the middle one raised."""
    feet = "".join(
        f"  f{k}: {{type: contact-line, a: {{body: ground, point: [{k}, 0]}}, b: {{body: bar, point: [{k} - 0.9, 0]}}, "
        f"stiffness: {s}{f', misfit: {raised}' if k == 1 else ''}}}\n"
        for k, s in enumerate((1e6, 2e6, 5e5))
    )
    return reactio.parse_model(
        "space: planar\ngravity: [0, -10]\nbodies: {bar: {mass: 10, inertia: 1, position: [0.9, 0]}}\njoints:\n"
        f"{feet}  guide: {{type: revolute-translational, a: {{body: ground, axis: [0, 1], point: [0.9, 0]}}, "
        "b: bar}\n"
    )


def propped(raised: float) -> np.ndarray:
    """What the feet do to the bar, upwards."""
    found = forces(propped_bar(raised))
    return np.array([found[f"f{k}"][1] for k in range(3)])


def test_contacts_that_would_pull_lift_off() -> None:
    """A little raised, all three push by their stiffness; raised more, the far foot lifts off and two carry all."""
    x, k, J = np.arange(3.0), np.array([1e6, 2e6, 5e5]), np.stack([np.ones(3), np.arange(3.0)], axis=1)
    delta = np.array([0.0, 1e-6, 0.0])
    q = np.linalg.solve(J.T * k @ J, np.array([-100.0, -90.0]) + J.T @ (k * delta))
    expected = k * (delta - J @ q)
    assert expected.min() > 0
    assert x @ expected == pytest.approx(90.0)
    assert propped(1e-6) == pytest.approx(expected, abs=TIGHT * 100)
    assert propped(1e-3) == pytest.approx([10.0, 90.0, 0.0], abs=TIGHT * 100)


def standing(feet: np.ndarray, k: np.ndarray, delta: np.ndarray, load: np.ndarray) -> np.ndarray | None:
    """Forces of springs that only push, by trying every set of feet that touch; None where no set holds the load."""
    J = np.stack([np.ones(len(k)), feet[:, 1], -feet[:, 0]], axis=1)
    for count in range(3, len(k) + 1):
        for chosen in itertools.combinations(range(len(k)), count):
            own = list(chosen)
            q = np.linalg.solve(J[own].T * k[own] @ J[own], load + J[own].T @ (k[own] * delta[own]))
            pressed = k * (delta - J @ q)
            if pressed[own].min() >= 0 and np.delete(pressed, own).max(initial=-1.0) <= 0:
                return np.asarray(np.maximum(pressed, 0.0))
    return None


@pytest.mark.parametrize("seed", [0, 3, 20, 33])
def test_any_number_of_contacts_may_lift_off(seed: int) -> None:
    """A table on four to seven feet of unequal height: refused exactly where no set of feet can hold it."""
    random = np.random.default_rng(seed)
    count = int(random.integers(4, 8))
    feet, k = random.uniform(-1, 1, (count, 2)), 10 ** random.uniform(4, 7, count)
    delta = random.uniform(-1, 1, count) * 10 ** random.uniform(-5, -2.5)
    x, y = random.uniform(-0.5, 0.5, 2)
    text = f"space: spatial\ngravity: [0, 0, -10]\nbodies: {{top: {{mass: 20, position: [{x}, {y}, 0]}}}}\njoints:\n"
    text = text.replace("mass: 20", "mass: 20, inertia: [1, 1, 1]")
    for i, (a, b) in enumerate(feet.tolist()):
        text += (
            f"  c{i}: {{type: contact-plane, bodies: [ground, top], at: [{a}, {b}, 0], axis: z, "
            f"stiffness: {k[i]}, misfit: {{z: {delta[i]}}}}}\n"
        )
    expected = standing(feet, k, delta, np.array([-200.0, -200.0 * y, 200.0 * x]))
    if expected is None:
        with pytest.raises(ReactioError, match="No contact can hold this load"):
            forces(reactio.parse_model(text))
        return
    found = forces(reactio.parse_model(text))
    assert [found[f"c{i}"][2] for i in range(count)] == pytest.approx(expected, abs=1e-9 * 200)
