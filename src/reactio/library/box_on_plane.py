"""Box standing on its four corners: four contacts, three equations of balance."""

from __future__ import annotations

from reactio.catalogue.places import GROUND, End
from reactio.model.model import Model
from reactio.model.specs import Body, Contact

CITE = "Callejo et al. 2017, Unique minimum norm solution to redundant reaction forces (introduction)"
# a, b: half lengths of the rectangle of corners; cx, cy: centre of mass; all from the middle of the box [m].
PARAMETERS = {"a": 1.0, "b": 1.0, "cx": 0.0, "cy": 0.0, "mass": 1.0, "height": 1.0}


def build(a: float, b: float, cx: float, cy: float, mass: float, height: float) -> Model:
    """Corners (a, b), (−a, b), (−a, −b), (a, −b) on the plane z = 0, weight at (cx, cy)."""
    inertia = (mass * (b**2 / 3 + height**2 / 12), mass * (a**2 / 3 + height**2 / 12), mass * (a**2 + b**2) / 3)
    half = height / 2
    box = Body("box", mass, inertia, (0.0, 0.0, half), center=(cx, cy, 0.0))
    corners = tuple(End("box", (x, y, -half)) for x, y in ((a, b), (-a, b), (-a, -b), (a, -b)))
    return Model(
        name="box-on-plane",
        space="spatial",
        bodies=(box,),
        contacts=(Contact("corner", "point-on-plane", End(GROUND, (0.0, 0.0, 0.0)), corners),),
        gravity=(0.0, 0.0, -9.81),
        title="Box standing on its four corners",
        cite=CITE,
        parameters={"a": a, "b": b, "cx": cx, "cy": cy, "mass": mass, "height": height},
    )
