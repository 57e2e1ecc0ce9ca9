"""Joints and primitives from outside the package: registered, they work like those inside."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio import joints, primitives
from reactio.catalogue.fields import Number
from reactio.errors import ModelError
from reactio.joints import Freedom, JointType, Row
from reactio.kernels import Kernel
from reactio.model.files.read import parse_model
from reactio.primitives import primitive
from reactio.primitives.planar_row import PlanarRow
from reactio.space.algebra import cross2, dot2, mul2, sub2, turned
from reactio.space.frames import PlanarFrame
from reactio.system.compile.build import build
from reactio.system.equations import equations

from .derivatives import check
from .scenes import joint_scene

WIRE = """
space: planar
gravity: [0, -9.81]
bodies:
  bead: {mass: 2, inertia: 0.1, position: [0.5, 0.125], points: {hole: [0, 0]}}
joints:
  wire: {type: point-on-parabola, a: ground, b: bead.hole, curvature: 0.5}
drives:
  spin: {joint: wire.rotation, function: {polynomial: [0, 1]}}
"""


def parabola(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """Height of B above the parabola y = p x² of A.

    s = η − p ξ²     ξ = x_A·d,  η = y_A·d,  d = r_B − r_A          [m]
    D = [−n, n×d | n, 0],   n = y_A − 2 p ξ x_A
    σ = σ_η − 2 p ξ σ_ξ − 2 p ξ̇²                                    [m/s²]
    """
    d, d_dot = sub2(B.r, A.r), sub2(B.v, A.v)
    xi, eta = dot2(A.x, d), dot2(A.y, d)
    n = sub2(A.y, mul2(2 * p * xi, A.x))
    xi_dot = dot2(A.x, d_dot) + dot2(turned(A.w, A.x), d)
    sigma_xi = 2 * dot2(turned(A.w, A.x), d_dot) - A.w * A.w * xi
    sigma_eta = 2 * dot2(turned(A.w, A.y), d_dot) - A.w * A.w * eta
    sigma = sigma_eta - 2 * p * xi * sigma_xi - 2 * p * xi_dot * xi_dot
    return eta - p * xi * xi, mul2(-1.0, n), cross2(n, d), n, 0.0, sigma


@pytest.fixture
def registered() -> Iterator[None]:
    """The primitive and the joint, for one test; they leave no trace."""
    measure = primitive(space="planar", unit="m", label="height", turns="A")(parabola)
    joints.register(
        JointType(
            name="point-on-parabola",
            space="planar",
            rows=(Row(measure(parameter="curvature")),),
            free=(
                Freedom("rotation", primitives.PLANAR_PRIMITIVES.get("turn")(), axis="z"),
                Freedom("along"),
            ),
            parameters=(Number("curvature", "Half the curvature at the vertex.", dimension="number"),),
            doc="The origin of B stays on a parabola of A.",
        )
    )
    yield
    joints.PLANAR_JOINTS.remove("point-on-parabola")
    primitives.PLANAR_PRIMITIVES.remove("parabola")


@pytest.mark.usefixtures("registered")
def test_derivatives() -> None:
    for kinds in (("rigid", "rigid"), ("ground", "rigid"), ("rigid", "point")):
        check(joint_scene("planar", "point-on-parabola", kinds, 1))


@pytest.mark.usefixtures("registered")
def test_bead_on_a_wire() -> None:
    """From a text to the acceleration of a bead that starts at rest: g along the slope."""
    system = build(parse_model(WIRE))
    e = equations(system)
    np.testing.assert_allclose(e.Phi, 0, atol=1e-16)
    assert system.group("wire").labels == ("height",)
    K = np.block([[e.M.toarray(), e.C.toarray().T], [e.C.toarray(), np.zeros((2, 2))]])
    acceleration = np.linalg.solve(K, np.concatenate([e.Q, e.Gamma]))[:3]
    slope = 2 * 0.5 * 0.5
    tangent = np.array([1.0, slope]) / np.hypot(1.0, slope)
    # Five equations with numbers of size 10: rounding.
    np.testing.assert_allclose(acceleration[:2], -9.81 * tangent[1] * tangent, atol=1e-13)
    assert acceleration[2] == pytest.approx(0, abs=1e-14)


def test_gone_when_removed() -> None:
    """Without the registration the same text is refused."""
    with pytest.raises(ModelError, match="there is no planar joint 'point-on-parabola'"):
        parse_model(WIRE)
    assert "parabola" not in primitives.PLANAR_PRIMITIVES


height = Kernel(parabola)


def steep(A: PlanarFrame, B: PlanarFrame, k: int, l: int, p: float, memory: float) -> PlanarRow:
    """The parabola by a formula with a tangent, of which nothing says that it is a fraction."""
    return height(A, B, k, l, p + math.tan(0.0), memory)


@pytest.mark.usefixtures("registered")
def test_only_a_primitive_that_says_so_is_exact_in_rational_numbers() -> None:
    """Ranks of formulas that may hold rounded constants certify nothing."""
    unsure = reactio.check(parse_model(WIRE), exact=True)
    assert "which does not declare its formulas exact in rational numbers" in unsure.notes[-1]
    known = primitives.PLANAR_PRIMITIVES.get("parabola")
    certified, refused = "Certified: the configuration is rational", "tan of a number is not rational"
    for formula, words in ((known.formula, certified), (Kernel(steep), refused)):
        primitives.PLANAR_PRIMITIVES.remove("parabola")
        primitives.PLANAR_PRIMITIVES.add("parabola", replace(known, exact=True, formula=formula))
        assert words in " ".join(reactio.check(parse_model(WIRE), exact=True).notes)
