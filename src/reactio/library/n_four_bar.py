"""N four-bar loops in a row, planar or spatial, a chain of any length.

N + 1 cranks on ground and N couplers between them, all bars 1 m and 1 kg.  In the plane C has full rank away from the
flat pose; with real hinges in space three of the equations of each loop are redundant: p = 3 N.
"""

from __future__ import annotations

import math

from reactio.catalogue.places import GROUND, End
from reactio.library import whole
from reactio.model.model import Model
from reactio.model.placing import axis_angle
from reactio.model.specs import Body, Joint

CITE = "Masarati, Quro & Zanoni 2023, Sect. 3.2 (N = 2); González & Kövecses 2013"
PARAMETERS = {"N": 2.0, "spatial": 0.0, "theta": math.pi / 2, "omega": -1.0}


def build(N: float, spatial: float, theta: float, omega: float) -> Model:
    """Cranks turned by theta [rad], turning at omega [rad/s]."""
    count, in_space = whole(N, "N"), bool(spatial)
    c, s = math.cos(theta), math.sin(theta)
    flat = (0.0,) if in_space else ()
    inertia = (1e-4 / 2, 1 / 12, 1 / 12) if in_space else (1 / 12,)
    neutral = (1.0, 0.0, 0.0, 0.0) if in_space else (0.0,)
    turned = axis_angle((0.0, 0.0, 1.0), theta) if in_space else (theta,)
    back = axis_angle((0.0, 0.0, 1.0), -theta) if in_space else (-theta,)
    spin = (0.0, 0.0, omega) if in_space else (omega,)
    still = (0.0,) * len(spin)
    left, right, center = (-0.5, 0.0, *flat), (0.5, 0.0, *flat), (0.0, 0.0, *flat)

    def crank(i: int) -> Body:
        position, velocity = (i + c / 2, s / 2, *flat), (-omega * s / 2, omega * c / 2, *flat)
        return Body(f"crank{i}", 1.0, inertia, position, turned, velocity, spin, center)

    def coupler(i: int) -> Body:
        position, velocity = (i - 0.5 + c, s, *flat), (-omega * s, omega * c, *flat)
        return Body(f"coupler{i}", 1.0, inertia, position, neutral, velocity, still, center)

    bodies = [crank(0)]
    joints = [Joint("G0", "revolute", End(GROUND, center, neutral), End("crank0", left, back))]
    for i in range(1, count + 1):
        before, middle, after = f"crank{i - 1}", f"coupler{i}", f"crank{i}"
        ground = (float(i), 0.0, *flat)
        bodies += [coupler(i), crank(i)]
        joints += [
            Joint(f"L{i}", "revolute", End(before, right, back), End(middle, left, neutral)),
            Joint(f"R{i}", "revolute", End(middle, right, neutral), End(after, right, back)),
            Joint(f"G{i}", "revolute", End(GROUND, ground, neutral), End(after, left, back)),
        ]
    return Model(
        name="n-four-bar",
        space="spatial" if in_space else "planar",
        bodies=tuple(bodies),
        joints=tuple(joints),
        gravity=(0.0, -9.81, *flat),
        title=f"{count} four-bar loops in a row",
        cite=CITE,
        parameters={"N": count, "spatial": float(in_space), "theta": theta, "omega": omega},
    )
