"""Shaft on three bearings: its load sharing needs the stiffness of a beam."""

from __future__ import annotations

from dataclasses import replace

from reactio.catalogue.places import End
from reactio.model.model import Model
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Elastic, Flexible, Force
from reactio.structures.material import Material

CITE = "Timoshenko 1955, Strength of materials, part I, Sect. 44"
# Diameter and length of the steel shaft [m]; bearing: radial stiffness [N/m], 0 for rigid; load on the left span [N];
# misfit: how much the middle seat stands too high [m]; clearance of the middle bearing, on the radius [m].
PARAMETERS = {"length": 2.0, "diameter": 0.05, "bearing": 0.0, "load": 1000.0, "misfit": 0.0, "clearance": 0.0}


def build(length: float, diameter: float, bearing: float, load: float, misfit: float, clearance: float) -> Model:
    """Along x, on bearings at both ends and in the middle; the left one holds it along x too."""
    steel = Material(E=2.1e11, nu=0.3, density=7800.0, expansion=1.2e-5)
    ends = {"from": (0.0, 0.0, 0.0), "to": (length, 0.0, 0.0)}
    shaft = Body("shaft", flexible=Flexible("beam", {**ends, "section": {"rod": diameter}}, "steel"))
    joints = []
    for k, name in enumerate(("left", "middle", "right")):
        kind = "spherical" if k == 0 else "point-on-line"
        place = (k * length / 2, 0.0, 0.0)
        joint = joint_at(
            name,
            kind,
            "ground",
            replace(shaft, position=(0.0, 0.0, 0.0)),
            place,
            axis=(1.0, 0.0, 0.0),
            x=(0.0, 1.0, 0.0),
        )
        stiffness = (bearing,) * 3 + (0.0,) * 3 if bearing else ()
        elasticity = Elastic(
            stiffness,
            {"y": misfit} if misfit and k == 1 else {},
            play={"radial": clearance} if clearance and k == 1 else {},
        )
        joints.append(replace(joint, elastic=elasticity))
    push = Force("load", "force", {"at": End("shaft", (length / 4, 0.0, 0.0)), "force": (0.0, 0.0, -load)})
    return Model(
        name="shaft-three-bearings",
        space="spatial",
        bodies=(shaft,),
        joints=tuple(joints),
        forces=(push,),
        gravity=(0.0, 0.0, -9.81),
        materials={"steel": steel},
        title="Shaft on three bearings",
        cite=CITE,
        parameters={
            "length": length,
            "diameter": diameter,
            "bearing": bearing,
            "load": load,
            "misfit": misfit,
            "clearance": clearance,
        },
    )
