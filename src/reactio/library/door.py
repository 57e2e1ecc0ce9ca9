"""Door on any number of hinges, the everyday overconstrained mechanism."""

from __future__ import annotations

from dataclasses import replace

from reactio.library import whole
from reactio.model.model import Model
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Elastic

CITE = "Blanding 1999, Exact constraint: machine design using kinematic principles"
# bushings: 1 gives every hinge the stiffness of a bushing; misfit: how much the top seat stands too high [m]; play of
# every hinge: clearance across its axis, on the radius, and along it [m].
PARAMETERS = {"hinges": 3.0, "height": 2.0, "width": 0.9, "mass": 25.0, "bushings": 0.0, "misfit": 0.0, "play": 0.0}
BUSHING_STIFFNESS = (8e6, 8e6, 5e6, 2000.0, 2000.0, 0.0)  # of a bushing: N/m and N m/rad in hinge axes, free about z


def build(
    hinges: float, height: float, width: float, mass: float, bushings: float, misfit: float, play: float
) -> Model:
    """A uniform door, hinges evenly spaced along the vertical z axis: p = 5 (hinges − 1)."""
    count = whole(hinges, "hinges")
    inertia = (mass * height**2 / 12, mass * (height**2 + width**2) / 12, mass * width**2 / 12)
    leaf = Body("door", mass, inertia, (width / 2, 0.0, height / 2))
    heights = [height * (k + 0.5) / count for k in range(count)]
    return Model(
        name="door",
        space="spatial",
        bodies=(leaf,),
        joints=tuple(
            replace(
                joint_at(f"hinge{k}", "revolute", "ground", leaf, (0.0, 0.0, z), axis=(0.0, 0.0, 1.0)),
                elastic=_elastic(bushings, misfit if k == count else 0.0, play),
            )
            for k, z in enumerate(heights, start=1)
        ),
        gravity=(0.0, 0.0, -9.81),
        title=f"Door on {count} hinge{'s' if count > 1 else ''}",
        cite=CITE,
        parameters={
            "hinges": count,
            "height": height,
            "width": width,
            "mass": mass,
            "bushings": bushings,
            "misfit": misfit,
            "play": play,
        },
    )


def _elastic(bushings: float, misfit: float, play: float) -> Elastic:
    """A hinge as a bushing, or rigid; seats may stand off, and pins be loose, in both."""
    gap = {"radial": play, "axial": play} if play else {}
    return Elastic(BUSHING_STIFFNESS if bushings else (), {"z": misfit} if misfit else {}, play=gap)
