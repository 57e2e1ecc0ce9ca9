"""A kind of contact from outside the package, with a number of its own: a point that may rest on a parabola.

It needs a joint that it is when closed, with a row that can only push, whose parameter has the name of that number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio import joints, primitives
from reactio.catalogue.fields import Number
from reactio.contacts import CONTACTS, ContactType, register
from reactio.errors import ModelError
from reactio.joints import Freedom, JointType, Row
from reactio.model.files.read import parse_model
from reactio.model.files.schema import schema
from reactio.model.files.write import to_yaml
from reactio.primitives import primitive
from reactio.statics.equilibrium import equilibrium

from .test_contacts import test_rates_of_gaps as rates_of_gaps
from .test_extension import parabola

CURVATURE = Number("curvature", "Half the curvature at the vertex [1/m].", 0.5)
BOWL = """
space: planar
gravity: [0, -9.81]
bodies:
  bead: {mass: 2, inertia: 0.1, position: [0.6, 0.288]}
contacts:
  bowl: {type: point-in-bowl, bowl: ground, point: bead, curvature: 0.8}
"""


@pytest.fixture(autouse=True)
def bowl() -> Iterator[None]:
    """The primitive, the joint and the contact, for one test; they leave no trace."""
    height = primitive(space="planar", unit="m", label="height", turns="A")(parabola)
    joints.register(
        JointType(
            name="contact-bowl",
            space="planar",
            rows=(Row(-1.0 * height(parameter="curvature"), label="depth", unilateral=True),),
            free=(Freedom("rotation", primitives.PLANAR_PRIMITIVES.get("turn")(), axis="z"), Freedom("along")),
            parameters=(CURVATURE,),
            doc="A closed contact: the origin of B rests on a parabola of A, which only pushes.",
        )
    )
    register(
        ContactType(
            name="point-in-bowl",
            space="planar",
            joint="contact-bowl",
            surface="bowl",
            body="point",
            radii=(),
            doc="A point that may rest in a bowl, a parabola around y of its frame.",
            numbers=(CURVATURE,),
        )
    )
    yield
    CONTACTS.remove("point-in-bowl")
    joints.PLANAR_JOINTS.remove("contact-bowl")
    primitives.PLANAR_PRIMITIVES.remove("parabola")


def test_files_and_schema_know_its_number() -> None:
    model = parse_model(BOWL)
    assert model.contacts[0].parameters["curvature"] == 0.8
    assert parse_model(to_yaml(model)).contacts == model.contacts
    entry = next(
        one
        for one in schema()["properties"]["contacts"]["additionalProperties"]["oneOf"]
        if "bowl" in one["properties"]
    )
    assert "curvature" in entry["properties"]
    with pytest.raises(ModelError, match=r"has no field 'curvatur'. Did you mean 'curvature'"):
        parse_model(BOWL.replace("curvature", "curvatur"))


def test_gap_and_its_derivatives() -> None:
    rates_of_gaps("point-in-bowl")


def test_a_bead_slides_down_and_presses_as_newton_says() -> None:
    """From rest at x₀ it passes the vertex with v² = 2 g p x₀², and presses with m (g + 2 p v²) there."""
    run = reactio.simulate(parse_model(BOWL), until=2.0, tol=1e-9, output=400)
    k = int(np.abs(run.q[:, 0]).argmin())
    x, speed = run.q[k, 0], float(np.hypot(*run.v[k, :2]))
    g, p, drop = 9.81, 0.8, 0.288 - 0.8 * x**2
    assert speed**2 == pytest.approx(2 * g * drop, rel=1e-6)
    slope = 2 * p * x
    curved = 2 * p / (1 + slope**2) ** 1.5
    force = float(np.hypot(*run.reactions_at(k)["bowl"].force))
    assert force == pytest.approx(2 * (g / np.sqrt(1 + slope**2) + curved * speed**2), rel=1e-5)


def test_its_number_may_be_left_out_and_is_that_of_the_contact() -> None:
    """The surface is then ½ x²: the bead lies on it, and would stand deep in a narrower bowl."""
    text = BOWL.replace(", curvature: 0.8", "").replace("0.288", "0.18")
    assert reactio.check(parse_model(text))["bowl"].verdict.value == "unique"
    with pytest.raises(ModelError, match=r"stands 0\.108 m deep"):
        reactio.build(parse_model(text.replace("point: bead", "point: bead, curvature: 0.8")))
    assert equilibrium(parse_model(text)).state.q[:2] == pytest.approx([0.0, 0.0], abs=1e-6)


def test_radii_that_the_joint_does_not_take_are_refused() -> None:
    kind = CONTACTS.get("point-in-bowl")
    CONTACTS.remove("point-in-bowl")
    register(replace(kind, radii=(Number("radius", "Of the bead.", dimension="length"),)))
    model = parse_model(BOWL.replace("point: bead", "point: bead, radius: 0.1"))
    with pytest.raises(
        ModelError, match=r"'point-in-bowl' has radii, and its joint 'contact-bowl' no parameter `radius`"
    ):
        reactio.build(model)
