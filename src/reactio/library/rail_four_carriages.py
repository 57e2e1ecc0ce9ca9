"""Table on two rails and four carriages, each with a stiffness: the linear guide of a machine tool."""

from __future__ import annotations

from dataclasses import replace

from reactio.catalogue.places import End
from reactio.model.model import Model
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Elastic, Force

CITE = "Blanding 1999, Exact constraint: machine design using kinematic principles"
# heat: rise of the table's temperature [K]; load off the centre [N]; misfit: one carriage too high [m].
PARAMETERS = {"heat": 0.0, "load": 2000.0, "misfit": 0.0}
# Of a carriage along x (across), y (up) and the free z [N/m], and about these axes [N m/rad].
CARRIAGE_STIFFNESS = (2.5e8, 3e8, 0.0, 8e3, 6e3, 6e3)


def build(heat: float, load: float, misfit: float) -> Model:
    """Carriages at the corners of 0.4 m × 0.6 m, free along y of the world: p = 15."""
    top = Body("table", 60.0, (2.0, 1.2, 3.0), temperature=heat, expansion=1.2e-5)
    joints = []
    for k, (x, y) in enumerate(((-0.2, -0.3), (0.2, -0.3), (-0.2, 0.3), (0.2, 0.3)), start=1):
        joint = joint_at(
            f"carriage{k}", "prismatic", "ground", top, (x, y, 0.0), axis=(0.0, 1.0, 0.0), x=(1.0, 0.0, 0.0)
        )
        off = {"y": -misfit} if misfit and k == 4 else {}  # y of the joint points down: z × x with z along the rail
        joints.append(replace(joint, elastic=Elastic(CARRIAGE_STIFFNESS, off)))
    push = Force("load", "force", {"at": End("table", (0.1, 0.2, 0.1)), "force": (0.0, 0.0, -load)})
    return Model(
        name="rail-four-carriages",
        space="spatial",
        bodies=(top,),
        joints=tuple(joints),
        forces=(push,),
        gravity=(0.0, 0.0, -9.81),
        title="Table on two rails and four carriages",
        cite=CITE,
        parameters={"heat": heat, "load": load, "misfit": misfit},
    )
