"""Planetary gear with any number of planets: pin errors decide which planets carry load, unless the sun floats."""

from __future__ import annotations

import math

from reactio.catalogue.places import GROUND, End
from reactio.errors import ReactioError
from reactio.library import whole
from reactio.model.model import Model
from reactio.model.specs import Body, Elastic, Force, Joint

CITE = "Singh 2010, Load sharing behavior in epicyclic gears, Mechanism and Machine Theory 45, 511"
# floating: 1 leaves the centre of the sun free; sun and planet: pitch radii [m]; torque on the sun [N m]; mesh:
# stiffness of each mesh [N/m]; error: how far the pin of planet1 stands off along the pitch circle, against the load
# [m]; backlash of each mesh [m].
PARAMETERS = {
    "planets": 4.0,
    "floating": 0.0,
    "sun": 0.05,
    "planet": 0.04,
    "torque": 500.0,
    "mesh": 2e8,
    "error": 2e-5,
    "backlash": 0.0,
}


def build(
    planets: float,
    floating: float,
    sun: float,
    planet: float,
    torque: float,
    mesh: float,
    error: float,
    backlash: float,
) -> Model:
    """Ring and carrier are held, the sun is turned: p = planets − 1, and 2 less where the sun floats."""
    count = whole(planets, "planets")
    if floating and count < 3:
        raise ReactioError(f"planetary: a floating sun needs 3 planets or more to hold it, not {count}.")
    arm, ring = sun + planet, sun + 2 * planet
    give = Elastic((mesh,), play={"along": 0.5 * backlash} if backlash else {})
    bodies, joints = [Body("sun", 1.0, (1e-3,))], []
    if not floating:
        joints.append(Joint("shaft", "revolute", End(GROUND), End("sun")))
    for k in range(1, count + 1):
        phi = math.tau * (k - 1) / count
        place = (arm * math.cos(phi), arm * math.sin(phi))
        bodies.append(Body(f"planet{k}", 1.0, (1e-3,), place))
        off = {"x": error * math.sin(phi), "y": -error * math.cos(phi)} if k == 1 and error else {}
        joints += [
            Joint(f"pin{k}", "revolute", End(GROUND, place), End(f"planet{k}"), elastic=Elastic(misfit=off)),
            Joint(f"inner{k}", "gear", End("sun"), End(f"planet{k}"), {"radius_a": sun, "radius_b": planet}, give),
            Joint(f"outer{k}", "gear", End(f"planet{k}"), End(GROUND), {"radius_a": planet, "radius_b": -ring}, give),
        ]
    return Model(
        name="planetary",
        space="planar",
        bodies=tuple(bodies),
        joints=tuple(joints),
        forces=(Force("drive", "torque", {"at": End("sun"), "torque": (torque,)}),),
        gravity=(0.0, 0.0),
        title=f"Planetary gear with {count} planets{', the sun floating' if floating else ''}",
        cite=CITE,
        parameters={
            "planets": count,
            "floating": floating,
            "sun": sun,
            "planet": planet,
            "torque": torque,
            "mesh": mesh,
            "error": error,
            "backlash": backlash,
        },
    )
