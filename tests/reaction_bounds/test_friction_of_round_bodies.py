"""Bounds within the friction cones of discs, balls and cylinders, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError

pytest.importorskip("clarabel")
W = 30.0  # weight of a log or ball [N]
# Interior points come to 1e-8 of an end.
EXACT = 1e-7

LOGS = """
space: planar
gravity: [0, -10]
bodies:
  left: {mass: 3, inertia: 0.1, position: [-1, 1]}
  right: {mass: 3, inertia: 0.1, position: [1, 1], angle: 0.3}
  top: {mass: 3, inertia: 0.1, position: [0, 1 + sqrt(3)], angle: 2}
contacts:
  floor: {type: disc-on-line, line: ground, centers: [left, right], radius: 1, friction: MU}
  pile: {type: disc-on-disc, other: top, centers: [left, right], radius: 1, other_radius: 1, friction: MU}
"""


def test_a_pile_of_three_logs() -> None:
    """By hand: the top one rests with N = W/2 along lines of centres 30° from the vertical, and N tan 15° across."""
    found = reactio.bounds(reactio.parse_model(LOGS.replace("MU", "0.27")))
    across = W / 2 * math.tan(math.pi / 12)
    for k in (1, 2):
        floor = found[f"floor{k}"]
        assert floor["Fy"].low == pytest.approx(1.5 * W, rel=EXACT)
        assert floor["Fy"].unique
        assert abs(floor["Fx"].low) == pytest.approx(across, rel=EXACT)
        pile = found[f"pile{k}"]  # x is the line of centres, however the log on top is turned
        assert pile["Fx"].low == pytest.approx(W / 2, rel=EXACT)
        assert abs(pile["Fy"].low) == pytest.approx(across, rel=EXACT)
    with pytest.raises(ReactioError, match="friction cones"):
        reactio.bounds(reactio.parse_model(LOGS.replace("MU", "0.267")))  # tan 15° = 0.268


def test_a_pile_of_four_balls() -> None:
    """By hand: on three balls a line of centres is α from the vertical, sin α = 1/√3; N = W/3, F = N tan α/2."""
    alpha = math.asin(1 / math.sqrt(3))
    spots = [
        (2 / math.sqrt(3) * math.cos(a), 2 / math.sqrt(3) * math.sin(a))
        for a in (0.1, 0.1 + math.tau / 3, 0.1 - math.tau / 3)
    ]
    bodies = "".join(
        f"  b{k}: {{mass: 3, inertia: [1, 1, 1], position: [{x!r}, {y!r}, 1],\n"
        f"       orientation: {{axis: [1, {k}, 2], angle: {k}}}}}\n"
        for k, (x, y) in enumerate(spots, start=1)
    )
    text = f"""
name: pile of balls
space: spatial
gravity: [0, 0, -10]
bodies:
{bodies}  top: {{mass: 3, inertia: [1, 1, 1], position: [0, 0, {1 + 2 * math.cos(alpha)!r}]}}
contacts:
  floor: {{type: sphere-on-plane, plane: ground, centers: [b1, b2, b3], radius: 1, friction: MU}}
  pile: {{type: sphere-on-sphere, other: top, centers: [b1, b2, b3], radius: 1, other_radius: 1, friction: MU}}
"""
    need = math.tan(alpha / 2)
    found = reactio.bounds(reactio.parse_model(text.replace("MU", str(1.01 * need))))
    for k in range(1, 1 + len(spots)):
        force = np.array([found[f"pile{k}"][label].low for label in ("Fx", "Fy", "Fz")])
        ends = np.array([found[f"pile{k}"][label].high for label in ("Fx", "Fy", "Fz")])
        # Three balls may brace each other about the vertical: only forces in the plane of the axis are unique.
        middle = (force + ends) / 2
        assert middle[0] == pytest.approx(W / 3, rel=1e-6)  # along the line of centres
        assert np.linalg.norm(middle[1:]) == pytest.approx(W / 3 * need, rel=1e-6)
    with pytest.raises(ReactioError, match="friction cones"):
        reactio.bounds(reactio.parse_model(text.replace("MU", str(0.99 * need))))


def test_a_cylinder_along_the_slope() -> None:
    """Its rims share what keeps it from sliding down in any way that their cones allow: F₁ in [F − μ N₂, μ N₁]."""
    tilt, mu, r, length = math.radians(15), 0.4, 0.2, 1.0
    text = f"""
space: spatial
gravity: [{10 * math.sin(tilt)!r}, 0, {-10 * math.cos(tilt)!r}]
bodies: {{log: {{mass: 3, inertia: [1, 1, 1], position: [0, 0, {r}]}}}}
contacts:
  rim: {{type: cylinder-on-plane, plane: ground, center: {{body: log, axis: [1, 0, 0]}}, radius: {r}, length: {length},
        friction: MU}}
"""
    found = reactio.bounds(reactio.parse_model(text.replace("MU", str(mu))))
    F, N = W * math.sin(tilt), W * math.cos(tilt)
    lower, upper = (N / 2 + sign * F * r / length for sign in (1, -1))  # rim1 is the one downhill
    assert found["rim1"]["Fz"].low == pytest.approx(lower, rel=EXACT)
    assert found["rim2"]["Fz"].high == pytest.approx(upper, rel=EXACT)
    one = found["rim1"]["Fy"]  # along the axis of the disc; x is the direction in which it rolls
    assert [-one.high, -one.low] == pytest.approx([F - mu * upper, mu * lower], rel=1e-6)
    with pytest.raises(ReactioError, match="'log' along"):
        reactio.bounds(reactio.parse_model(text.replace("MU", str(0.99 * math.tan(tilt)))))
