"""Platform on four parallel and two inclined links with ball joints."""

from __future__ import annotations

import math
from dataclasses import replace

from reactio.errors import ReactioError
from reactio.library import FOLDER
from reactio.model.files.read import read_model
from reactio.model.model import Model
from reactio.model.specs import Body, Flexible
from reactio.structures.material import Material

CITE = "Wojtyra & Frączek 2012, Joint reactions in rigid or flexible body mechanisms with redundant constraints"
# Pose of the paper: f = π/2 [rad].  k1 … k4: stiffnesses of the lower links as multiples of the printed one.
PARAMETERS = {"f": math.pi / 2, "k1": 1.0, "k2": 1.0, "k3": 1.0, "k4": 1.0}
CHOICES = {"links": ("rigid", "split", "beam"), "platform": ("rigid", "plate")}

# Length, outer and inner diameter of links [m]; the inner one is that of the printed mass and stiffness.
ROD_LENGTH, OUTER, INNER = math.sqrt(2) / 2, 0.03, 0.026
STIFFNESS = 17e6  # axial, as printed, Eq. 11 [N/m]
DAMPING = 3e3  # [N s/m]: β K with β = 1.765e-4 s; the paper says "small" and no number
ALUMINIUM = Material(E=6.9e10, nu=0.33, density=2700.0, expansion=2.3e-5)
STEEL = Material(E=2.1e11, nu=0.3, density=7800.0, expansion=1.2e-5)
SIDE, THICKNESS, INSERT = 0.5, 0.02, 0.03  # of the platform [m]; the inserts of the joints are not printed


def build(f: float, k1: float, k2: float, k3: float, k4: float, links: str, platform: str) -> Model:
    """Masses and inertias as printed where parts are rigid or split; they follow from beams and plates elsewhere."""
    model = read_model(FOLDER / "_spatial_parallelogram.yaml", f=f)
    ratios = {"link1": k1, "link2": k2, "link3": k3, "link4": k4, "link5": 1.0, "link6": 1.0}
    if min(ratios.values()) <= 0:
        raise ReactioError(
            "k1 … k4 are stiffnesses of the lower links as multiples of the printed one: positive numbers."
        )
    bodies = []
    for body in model.bodies:
        if body.name in ratios and links != "rigid":
            body = _link(body, links, ratios[body.name])
        if body.name == "platform" and platform == "plate":
            body = _plate(body)
        bodies.append(body)
    materials = {}
    if links == "beam":
        materials = {_aluminium(r): replace(ALUMINIUM, E=r * ALUMINIUM.E) for r in ratios.values()}
    if platform == "plate":
        materials["steel"] = STEEL
    given = {"f": f, "k1": k1, "k2": k2, "k3": k3, "k4": k4}
    return replace(model, bodies=tuple(bodies), materials=materials, parameters=given, source="")


def _aluminium(ratio: float) -> str:
    return "aluminium" if ratio == 1.0 else f"aluminium x {ratio:g}".replace(".", ",")


def _link(body: Body, links: str, ratio: float) -> Body:
    if links == "split":
        split = {"stiffness": ratio * STIFFNESS, "damping": ratio * DAMPING, "axis": (0.0, 0.0, 1.0)}
        return replace(body, flexible=Flexible("split", split))
    ends = {"from": (0.0, 0.0, -ROD_LENGTH / 2), "to": (0.0, 0.0, ROD_LENGTH / 2)}
    beam = Flexible("beam", {**ends, "section": {"tube": (OUTER, INNER)}}, _aluminium(ratio))
    return replace(body, mass=None, inertia=(), flexible=beam)


def _plate(body: Body) -> Body:
    h = SIDE / 2
    outline = ((-h, -h), (h, -h), (h, h), (-h, h))
    plate = Flexible("plate", {"outline": outline, "thickness": THICKNESS, "insert": INSERT}, "steel")
    return replace(body, mass=None, inertia=(), flexible=plate)
