"""Joints of Ondsel and FreeCAD that are massless links, and angles of axes: rows as the solver writes them."""

from __future__ import annotations

import numpy as np
import pytest

import reactio as ro
from reactio.catalogue.places import End
from reactio.importers.formats.asmt import ASMT_JOINTS, ZERO_LENGTH_JOINTS
from reactio.joints import SPATIAL_JOINTS
from reactio.model.model import Model
from reactio.model.specs import Body, Joint

ROWS = {"AngleJoint": 1, "CylSphJoint": 1, "RevCylJoint": 3, "RevRevJoint": 4}  # OndselSolver, initializeGlobally


@pytest.mark.parametrize(("name", "rows"), ROWS.items())
def test_as_many_rows_as_the_solver_has(name: str, rows: int) -> None:
    assert len(SPATIAL_JOINTS.get(ASMT_JOINTS[name]).rows) == rows


@pytest.mark.parametrize(
    ("link", "on_a", "on_b"),
    [
        ("cylindrical-spherical", "cylindrical", "spherical"),
        ("revolute-cylindrical", "cylindrical", "revolute"),
        ("revolute-revolute", "revolute", "revolute"),
    ],
)
def test_a_link_frees_what_a_body_with_two_joints_frees(link: str, on_a: str, on_b: str) -> None:
    """Mobility of B: by the composite joint, and through a body of its own; a ball lets that spin idly, no hinge does.

    The body between is on a turning and sliding joint at A and holds B at the distance; its mobility is that of B
    because every freedom of the pair moves B, and the rows of the link are those that elimination leaves.
    """
    at = [0.3, 0.4, 0.0]
    composite = Model(
        "composite",
        "spatial",
        (Body("b", position=tuple(at)),),
        (Joint("link", link, End("ground"), End("b"), {"length": 0.5}),),
    )
    through = Model(
        "through",
        "spatial",
        (Body("m"), Body("b", position=tuple(at))),
        (
            Joint("a", on_a, End("ground"), End("m")),
            Joint("b", on_b, End("m", tuple(at)), End("b")),
        ),
    )
    one, two = (ro.equations(ro.build(model)) for model in (composite, through))
    assert one.solvability.mobility == two.solvability.mobility
    assert np.abs(one.Phi).max() < 1e-15
    # every admissible velocity of b through the body is one of the composite joint
    basis = np.linalg.svd(two.C.toarray())[2][two.solvability.rank :]
    assert np.abs(one.C @ basis[:, 6:].T).max() < 1e-12


def test_without_length_they_are_joints_on_one_axis() -> None:
    assert set(ZERO_LENGTH_JOINTS.values()) == {"point-on-line", "cylindrical", "revolute"}
