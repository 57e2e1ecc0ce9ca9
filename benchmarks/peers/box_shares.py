"""A box at rest on its four corners: the share of weight at each in MuJoCo and Drake beside ours.

    pip install -e '.[peers]'
    python benchmarks/peers/box_shares.py

Rigid bodies do not determine the shares.  An engine prints some split all the same, by the softness it gives its
contacts; the split of minimum norm with pushing contacts is the one that equal springs under the corners would make.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

import reactio
from reactio.arrays import Floats

CENTRES = ((0.0, 0.0), (0.3, 0.1), (0.6, 0.6))  # of mass, from the middle of a box with corners (±1, ±1) [m]
TIP = 1e-3  # radius of the ball that stands for a corner in the engines [m]
PLACES = ((1, 1), (-1, 1), (-1, -1), (1, -1))  # of corners 1 … 4 [m]
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
        for k, (x, y) in enumerate(PLACES, start=1)
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


def drake_shares(cx: float, cy: float) -> Floats:
    """The same box in Drake, contacts of points by its solver SAP."""
    from pydrake.geometry import HalfSpace, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
    from pydrake.multibody.tree import RotationalInertia, SpatialInertia
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    mass, half = 1 / 9.81, 0.5
    builder: Any = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, 1e-3)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    moments = (mass * (1 / 3 + 1 / 12), mass * (1 / 3 + 1 / 12), mass * 2 / 3)
    inertia = SpatialInertia.MakeFromCentralInertia(mass, [cx, cy, 0.0], RotationalInertia(*moments))
    box, smooth = plant.AddRigidBody("box", inertia), CoulombFriction(0.0, 0.0)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", smooth)
    for k, (x, y) in enumerate(PLACES):
        plant.RegisterCollisionGeometry(box, RigidTransform([x, y, TIP - half]), Sphere(TIP), f"c{k}", smooth)
    plant.Finalize()
    diagram: Any = builder.Build()
    simulator: Any = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.SetFreeBodyPose(context, box, RigidTransform([0.0, 0.0, half]))
    simulator.AdvanceTo(SECONDS)
    found, shares = plant.get_contact_results_output_port().Eval(context), np.zeros(4)
    for k in range(found.num_point_pair_contacts()):
        one = found.point_pair_contact_info(k)
        at = one.contact_point()
        corner = min(range(4), key=lambda c: np.hypot(at[0] - PLACES[c][0], at[1] - PLACES[c][1]))
        shares[corner] += abs(one.contact_force()[2])
    return shares


ENGINES = {"MuJoCo": ("mujoco", mujoco_shares), "Drake": ("pydrake", drake_shares)}


def main() -> None:
    """Print the shares, and how far each engine is from the minimum norm with signs."""
    engines = {name: shares for name, (package, shares) in ENGINES.items() if find_spec(package)}
    print(*(f"{name} is not installed (extra `peers`)." for name in ENGINES if name not in engines), sep="\n")
    heads = "  ".join(f"{name:>9}" for name in engines)
    print(f"{'centre':>12}  {'corner':>6}  {'interval':>15}  {'minimum norm':>12}  {heads}")
    for cx, cy in CENTRES:
        least, ends = ours(cx, cy)
        theirs = {name: shares(cx, cy) for name, shares in engines.items()}
        for k in range(4):
            low, high = ends[k]
            print(f"({cx:.1f}, {cy:.1f})".rjust(12), f"{k + 1:>7}", f" {low:6.3f} …{high:6.3f}", end="  ")
            print(f"{least[k]:>13.6f}  " + "  ".join(f"{one[k]:>9.6f}" for one in theirs.values()))
        off = ", ".join(f"{name} {np.abs(one - least).max():.1e}" for name, one in theirs.items())
        print(f"{'':>12}  largest difference, of the weight: {off}")


if __name__ == "__main__":
    main()
