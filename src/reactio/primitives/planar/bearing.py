"""Direction in which B is seen from A."""

from __future__ import annotations

import math

from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow
from reactio.space.algebra import cross2, dot2, mul2, sub2, unwrapped
from reactio.space.frames import PlanarFrame


@primitive(space="planar", unit="rad", label="bearing", remembers=True, turns="A", exact=True)
def bearing(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """Angle from x_A to the line of centres, counted over full turns with the help of a memory.

    s = atan2(y_A·d, x_A·d)          d = r_B − r_A                  [rad]
    D = [−g, −1 | g, 0],   g = (−d_y, d_x)/|d|²
    σ = −2 (d×ḋ)(d·ḋ)/|d|⁴                                          [rad/s²]
    """
    d, d_dot = sub2(B.r, A.r), sub2(B.v, A.v)
    square = dot2(d, d)
    g = mul2(1 / square, (-d[1], d[0]))
    sigma = -2 * cross2(d, d_dot) * dot2(d, d_dot) / (square * square)
    s = unwrapped(math.atan2(dot2(A.y, d), dot2(A.x, d)), memory)
    return s, mul2(-1.0, g), -1.0, g, 0.0, sigma
