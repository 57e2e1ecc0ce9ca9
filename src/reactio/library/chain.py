"""Chain of links that lies on a line, both ends of every link on it: more supports than equations of balance."""

from __future__ import annotations

from reactio.catalogue.places import GROUND, End
from reactio.library import whole
from reactio.model.model import Model
from reactio.model.specs import Body, Contact, Joint

CITE = "Callejo et al. 2017, Unique minimum norm solution to redundant reaction forces (introduction)"
PARAMETERS = {"links": 11.0, "length": 0.1, "mass": 0.2}  # links + 2 degrees of freedom without contacts


def build(links: float, length: float, mass: float) -> Model:
    """Links one after the other along x, pinned to each other: p = links − 1."""
    count = whole(links, "links")
    inertia, half = (mass * length**2 / 12,), length / 2
    bodies = tuple(Body(f"link{k}", mass, inertia, ((k - 0.5) * length, 0.0)) for k in range(1, count + 1))
    pins = tuple(
        Joint(f"pin{k}", "revolute", End(f"link{k}", (half, 0.0)), End(f"link{k + 1}", (-half, 0.0)))
        for k in range(1, count)
    )
    feet = tuple(End(body.name, (x, 0.0)) for body in bodies for x in (-half, half))
    return Model(
        name="chain",
        space="planar",
        bodies=bodies,
        joints=pins,
        contacts=(Contact("foot", "point-on-line", End(GROUND, (0.0, 0.0)), feet),),
        gravity=(0.0, -9.81),
        title=f"Chain of {count} links lying on a line",
        cite=CITE,
        parameters={"links": count, "length": length, "mass": mass},
    )
