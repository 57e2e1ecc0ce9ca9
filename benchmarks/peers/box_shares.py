"""A box at rest on its four corners: the share of weight at each in MuJoCo beside ours.

    pip install -e '.[peers]'
    python benchmarks/peers/box_shares.py

Rigid bodies do not determine the shares.  An engine prints some split all the same, by the softness it gives its
contacts; the split of minimum norm with pushing contacts is the one that equal springs under the corners would make.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import reactio
from reactio.arrays import Floats

CENTRES = ((0.0, 0.0), (0.3, 0.1), (0.6, 0.6))  # of mass, from the middle of a box with corners (±1, ±1) [m]
TIP = 1e-3  # radius of the ball that stands for a corner in MuJoCo [m]
SECONDS = 2.0  # until the softened contacts are at rest


def ours(cx: float, cy: float) -> tuple[Floats, list[tuple[float, float]]]:
    """Shares of minimum norm with signs, and the interval of each over all splits; weight 1 N."""
    model = reactio.load("box-on-plane", cx=cx, cy=cy, mass=1 / 9.81)
    eqs = reactio.equations(reactio.build(model))
    found, bounds = reactio.reactions(eqs, "pseudoinverse"), reactio.bounds(model)
    corners = [f"corner{k}" for k in (1, 2, 3, 4)]
    ends = [(bounds[name]["Fz"].low, bounds[name]["Fz"].high) for name in corners]
    return np.array([found[name].force[2] for name in corners]), ends


def mujoco_shares(cx: float, cy: float) -> Floats:
    """The same box on balls of 1 mm at its corners, after two seconds."""
    import mujoco

    mass, half = 1 / 9.81, 0.5
    inertia = f"{mass * (1 / 3 + 1 / 12)} {mass * (1 / 3 + 1 / 12)} {mass * 2 / 3}"
    tips = "".join(
        f'<geom name="c{k}" type="sphere" size="{TIP}" pos="{x} {y} {TIP - half}" mass="0"/>'
        for k, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1)), start=1)
    )
    engine: Any = mujoco.MjModel.from_xml_string(f"""<mujoco>
<option timestep="0.001" gravity="0 0 -9.81" cone="elliptic" solver="Newton" iterations="200" tolerance="0"/>
<compiler inertiafromgeom="false"/>
<worldbody><geom name="floor" type="plane" size="5 5 1"/>
<body pos="0 0 {half}"><freejoint/><inertial pos="{cx} {cy} 0" mass="{mass}" diaginertia="{inertia}"/>{tips}</body>
</worldbody></mujoco>""")
    data: Any = mujoco.MjData(engine)
    for _ in range(int(SECONDS / 0.001)):
        mujoco.mj_step(engine, data)
    shares, force = np.zeros(4), np.zeros(6)
    for k in range(data.ncon):
        geoms = [int(g) for g in data.contact[k].geom]
        mujoco.mj_contactForce(engine, data, k, force)
        shares[max(geoms) - 1] += force[0]
    return shares


def main() -> None:
    """Print the shares, and how far MuJoCo is from the minimum norm with signs."""
    print(f"{'centre':>12}  {'corner':>6}  {'interval':>15}  {'minimum norm':>12}  {'MuJoCo':>9}")
    for cx, cy in CENTRES:
        least, ends = ours(cx, cy)
        theirs = mujoco_shares(cx, cy)
        for k in range(4):
            low, high = ends[k]
            print(f"({cx:.1f}, {cy:.1f})".rjust(12), f"{k + 1:>7}", f" {low:6.3f} …{high:6.3f}", end="  ")
            print(f"{least[k]:>13.6f}  {theirs[k]:>9.6f}")
        print(f"{'':>12}  largest difference {np.abs(theirs - least).max():.1e} of the weight")


if __name__ == "__main__":
    main()
