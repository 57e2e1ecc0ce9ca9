"""Capacities and known ranges of some joints only: what they do not limit has no end, by other programmes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

import reactio
from reactio.arrays import Floats
from reactio.reaction_bounds import cones

pytest.importorskip("clarabel")
SIDES = 720  # of the polygons around and inside a circle: they differ by 1 − cos(π/720) = 1e-5 of its radius


@pytest.mark.parametrize("most", [cones.MOST_DENSE_ROWS, 0], ids=["by null spaces", "by the solver"])
def test_a_range_of_one_force_limits_no_moment(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three hinges of a door: beside hinge1.Fz everything may be shifted between them without end."""
    monkeypatch.setattr(cones, "MOST_DENSE_ROWS", most)
    found = reactio.bounds(reactio.load("door"), known={"hinge1.Fz": (0.0, 50.0)})
    for joint, parts in found.items():
        for label, one in parts.items():
            ends = (0.0, 50.0) if (joint, label) == ("hinge1", "Fz") else (-np.inf, np.inf)
            assert (one.low, one.high) == pytest.approx(ends, abs=1e-6)


def test_a_capacity_of_one_hinge() -> None:
    found = reactio.bounds(reactio.load("door"), capacity={"hinge1": {"force": 100.0}})
    assert found.feasible
    assert found.load_factor == np.inf  # the other hinges bear whatever comes
    assert (found["hinge1"]["Fx"].low, found["hinge1"]["Fx"].high) == pytest.approx((-100.0, 100.0))
    assert (found["hinge1"]["Mx"].low, found["hinge2"]["Fz"].high) == (-np.inf, np.inf)


def pins(rng: np.random.Generator) -> tuple[str, Floats, list[float | None]]:
    """A plate on three pins in the plane, some with a capacity; places (3, 2)."""
    places = rng.integers(-4, 5, (3, 2)) / 2.0
    while len({tuple(p) for p in places.tolist()}) < 3:
        places = rng.integers(-4, 5, (3, 2)) / 2.0
    capacity = [float(rng.uniform(15, 60)) if rng.random() < 0.6 else None for _ in range(3)]
    joints = "".join(
        f"  p{k}: {{type: revolute, bodies: [ground, b], at: [{x}, {y}]"
        + (f", capacity: {{force: {most}}}}}\n" if most else "}\n")
        for k, ((x, y), most) in enumerate(zip(places.tolist(), capacity, strict=True))
    )
    text = "space: planar\ngravity: [0, -10]\nbodies: {b: {mass: 2, inertia: 0.1, position: [0, 0]}}\njoints:\n"
    return text + joints, places, capacity


def truth(places: Floats, capacity: list[float | None], known: tuple[float, float], *, outside: bool) -> Floats:
    """Ends (6, 2) of the forces of the pins, disks as polygons around or inside them; NaN where no split is within."""
    A = np.zeros((3, 6))
    for k, (x, y) in enumerate(places):
        A[:, 2 * k] = 1.0, 0.0, -y
        A[:, 2 * k + 1] = 0.0, 1.0, x
    rows, most = [np.zeros((0, 6))], [np.zeros(0)]
    for k, radius in enumerate(capacity):
        if radius is not None:
            turn = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)
            rows.append(np.zeros((SIDES, 6)))
            rows[-1][:, 2 * k], rows[-1][:, 2 * k + 1] = np.cos(turn), np.sin(turn)
            most.append(np.full(SIDES, radius * (1.0 if outside else np.cos(np.pi / SIDES))))
    limits: list[tuple[float | None, float | None]] = [(None, None)] * 6
    limits[1] = known
    ends = np.zeros((6, 2))
    for i in range(6):
        for side, sign in enumerate((1.0, -1.0)):
            found = linprog(
                sign * np.eye(6)[i], np.vstack(rows), np.concatenate(most), A, np.array([0.0, 20.0, 0.0]), limits
            )
            ends[i, side] = {0: sign * (found.fun or 0.0), 2: np.nan}.get(found.status, -sign * np.inf)
    return ends


@pytest.mark.parametrize("seed", range(12))
def test_plates_on_three_pins(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text, places, capacity = pins(rng)
    low = float(rng.uniform(-20, 5))
    known = (low, low + float(rng.uniform(5, 30)))
    outer, inner = (truth(places, capacity, known, outside=side) for side in (True, False))
    if np.isnan(outer).any():
        capacity, text = [None] * 3, text.replace("capacity", "# capacity")
        text = "\n".join(line.split(", # capacity")[0] + "}" * ("# capacity" in line) for line in text.split("\n"))
        outer = inner = truth(places, capacity, known, outside=True)
    found = reactio.bounds(reactio.parse_model(text), known={"p0.Fy": known})
    ends = np.array(
        [[found[f"p{k}"][f"F{axis}"].low, found[f"p{k}"][f"F{axis}"].high] for k in range(3) for axis in "xy"]
    )
    np.testing.assert_array_equal(np.isinf(ends), np.isinf(outer))
    finite = np.isfinite(outer)
    # Between the polygons inside and around, and to what an interior point comes near an end.
    slack = 1e-6 * (1 + np.abs(outer[finite])) + np.abs(outer[finite] - inner[finite])
    assert (np.abs(ends[finite] - outer[finite]) <= slack).all()
