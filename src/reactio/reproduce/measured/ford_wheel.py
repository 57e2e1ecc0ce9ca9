"""The wheel of a dissertation: a rim of known bending and torsion on 36 radial spokes, which only pull.

M. Ford, The Bicycle Wheel, dissertation, Northwestern University, 2018; text, tables and data files at
github.com/dashdotrobot/phd-thesis.  The numbers of this file are those of its appendix on wheels.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from reactio.arrays import Floats
from reactio.model.files.read import parse_model
from reactio.model.model import Model
from reactio.reproduce.measured.measurement import joint_forces

THESIS = "M. Ford, 'The Bicycle Wheel', dissertation, Northwestern University, 2018, github.com/dashdotrobot/phd-thesis"
SPOKES = 36
RIM_RADIUS, HUB_RADIUS = 0.304, 0.029  # [m]
RIM_AREA = 104e-6  # [m²]
E_RIM, G_RIM = 69e9, 26e9  # [Pa]
FIRST_SPOKE = "spoke0"  # at the point of the load, on the flange of positive z
IN_PLANE_BENDING = (111.0 - 9.2, 111.0 + 9.2)  # EI of the rim in the plane of the wheel [N m²], from its sound
LATERAL_BENDING = (219.0 - 40.0, 219.0 + 40.0)  # [N m²]
TORSION = (26.3 - 1.2, 26.3 + 1.2)  # GJ [N m²]
SPOKE_EA = (496_178.4, 522e3)  # [N]: of the data file, and of the table
LOAD_ERROR = 0.01  # part of a load or stiffness
FLANGE_DISTANCE = (0.048, 0.053)  # [m]: effective, with the elbows of the spokes outside and inside

WHEEL = """
space: spatial
gravity: [0, 0, 0]
materials: {{aluminium: {{E: {E}, nu: {nu}, density: 2700}}}}
bodies:
  rim: {{flexible: {{beam: {{path: [{path}], section: {{A: {A}, Iy: {Iy}, Iz: {Iz}, J: {J}}}}}, material: aluminium}}}}
joints:
{joints}
forces: {{side: {{type: force, at: {{body: rim, point: [{radius}, 0, 0]}}, force: [0, 0, {side}]}}}}
"""
CABLE = (
    "  spoke{k}: {{type: cable, a: {{body: ground, point: [{hub}]}}, b: {{body: rim, point: [{rim}]}}, "
    "stiffness: {stiffness}, misfit: {{length: {misfit}}}}}"
)


def wheel(
    loading: str,
    shortening: float,
    EA: float,
    in_plane: float = 111.0,
    lateral: float = 219.0,
    torsion: float = 26.3,
    flanges: float = 0.050,
    side: float = 0.0,
) -> Model:
    """The wheel on its clamped hub; ``loading``: a further joint at the rim; spokes too short by ``shortening`` [m]."""
    angles = 2.0 * np.pi * np.arange(SPOKES) / SPOKES
    radial = np.stack([np.cos(angles), np.sin(angles), np.zeros(SPOKES)], axis=1)
    rim = RIM_RADIUS * radial
    hub = HUB_RADIUS * radial
    hub[0::2, 2], hub[1::2, 2] = flanges / 2.0, -flanges / 2.0
    cables = [
        CABLE.format(k=k, hub=_point(hub[k]), rim=_point(rim[k]), stiffness=EA / length, misfit=-shortening)
        for k, length in enumerate(np.linalg.norm(rim - hub, axis=1))
    ]
    text = WHEEL.format(
        E=E_RIM,
        nu=E_RIM / (2.0 * G_RIM) - 1.0,
        path=", ".join(f"[{_point(point)}]" for point in (*rim, rim[0])),
        A=RIM_AREA,
        Iy=lateral / E_RIM,
        Iz=in_plane / E_RIM,
        J=torsion / G_RIM,
        joints="\n".join((*cables, f"  {loading}")),
        radius=RIM_RADIUS,
        side=side,
    )
    return parse_model(text)


@cache
def tension_per_shortening(EA: float, in_plane: float) -> float:
    """Tension of every spoke over the length by which all are too short [N/m], without other loads.

    A strut far from the rim stands for the road, which does not touch.
    """
    return joint_forces(wheel(road(slack=1.0), 1e-3, EA, in_plane), "compliance")[FIRST_SPOKE] / 1e-3


def road(slack: float) -> str:
    """A road that pushes the rim at its first spoke, and stands off by ``slack`` [m]."""
    return (
        f"road: {{type: strut, a: {{body: ground, point: [{2.0 * RIM_RADIUS}, 0, 0]}}, "
        f"b: {{body: rim, point: [{RIM_RADIUS}, 0, 0]}}, slack: {slack}}}"
    )


def _point(point: Floats) -> str:
    return ", ".join(f"{x:.12g}" for x in point)
