"""Stool of three legs, which is determined, or of four and more, which is not."""

from __future__ import annotations

import math

from reactio.catalogue.places import GROUND, End
from reactio.library import whole
from reactio.model.model import Model
from reactio.model.specs import Body, Contact

CITE = "Callejo et al. 2017, Unique minimum norm solution to redundant reaction forces (introduction)"
# legs on a circle of this radius; the sitter's weight acts at (x, y) above the floor.
PARAMETERS = {"legs": 4.0, "radius": 0.2, "height": 0.45, "mass": 60.0, "x": 0.05, "y": 0.0}


def build(legs: float, radius: float, height: float, mass: float, x: float, y: float) -> Model:
    """Legs evenly around, the first along x."""
    count = whole(legs, "legs", 3)
    inertia = (mass * height**2 / 12, mass * height**2 / 12, mass * radius**2 / 2)
    turns = [2 * math.pi * k / count for k in range(count)]
    feet = tuple(End("stool", (radius * math.cos(t), radius * math.sin(t), -height)) for t in turns)
    return Model(
        name="stool",
        space="spatial",
        bodies=(Body("stool", mass, inertia, (0.0, 0.0, height), center=(x, y, 0.0)),),
        contacts=(Contact("leg", "point-on-plane", End(GROUND, (0.0, 0.0, 0.0)), feet),),
        gravity=(0.0, 0.0, -9.81),
        title=f"Stool of {count} legs",
        cite=CITE,
        parameters={"legs": count, "radius": radius, "height": height, "mass": mass, "x": x, "y": y},
    )
