"""Rational geometry: certified ranks, and a plain word where there is none."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import reactio
from reactio.diagnosis.certify import aligned
from reactio.model.transform.natural import natural
from reactio.system.exact.matrix import exact_matrix
from reactio.system.exact.rational import Angle, Exact, ExactMath, Unknown, nearby_fraction, recognised

# sin α = 3/5, sin β = 5/13, b/a = sin β / sin α: every point and axis of this Bennett linkage is rational.
RATIONAL: dict[str, float | str] = {"a": 1, "b": "25/39", "alpha": "2*atan(1/3)", "theta": "2*atan(2)"}


def test_rational_bennett_is_certified() -> None:
    """Three redundancies and two of five components in each hinge, without a tolerance."""
    answer = reactio.check(natural(reactio.load("bennett", **RATIONAL)), exact=True)
    assert answer.exact is not None
    assert (answer.exact.rank, answer.exact.agrees) == (35, True)
    assert answer.exact.ranks.determined[:4].tolist() == [2, 2, 2, 2]
    assert "fulfils every constraint exactly" in answer.exact.statement


@pytest.mark.parametrize(
    ("name", "rank"), [("bricard", 59), ("sharma-ghosal", 15), ("door", 11), ("table", 9), ("double-four-bar", 19)]
)
def test_rational_mechanisms_of_the_library(name: str, rank: int) -> None:
    answer = reactio.check(natural(reactio.load(name)), exact=True)
    assert answer.exact is not None
    assert (answer.exact.rank, answer.exact.agrees) == (rank, True)


def test_exact_matrix_is_the_floating_one() -> None:
    """The same loops on other numbers: entries agree to rounding, and all are fractions."""
    system = reactio.build(aligned(reactio.load("bricard")))
    eqs = reactio.equations(system)
    found = exact_matrix(eqs)
    assert all(isinstance(x, Fraction) for x in found.C.ravel())
    # Sums of a few products of numbers of size 1.
    np.testing.assert_allclose(found.C.astype(float), eqs.C.toarray(), atol=1e-14)


def test_irrational_geometry_is_said_plainly() -> None:
    answer = reactio.check(natural(reactio.load("bennett")), exact=True)
    assert answer.exact is None
    assert "is 0.5076" in answer.notes[-1]
    assert "no fraction" in answer.notes[-1]
    assert "Certified: 2 of the 3 redundancies." in answer.notes[-1]
    assert "Not certified: the other 1 and all verdicts on joints" in answer.notes[-1]
    assert answer.redundancy == 3


def test_absolute_coordinates_are_certified_alike() -> None:
    """The rank is that of C as it is; where nothing is rational the same is said, and it is no error."""
    answer = reactio.check(reactio.load("bennett", **RATIONAL), exact=True)
    assert answer.exact is not None
    assert (answer.exact.rank, answer.rank, answer.exact.agrees) == (17, 17, True)
    assert "numbers from sums, products or functions" in answer.exact.statement
    other = reactio.check(reactio.load("bennett"), exact=True)
    assert other.exact is None
    assert "Certified: 2 of the 3 redundancies." in other.notes[-1]


def test_a_decimal_near_a_fraction_is_not_that_fraction() -> None:
    """0.333333333333333 differs from 1/3 by 3e-16, which rounding might; with 15 digits it was written so."""
    text = """
space: planar
bodies: {rod: {position: [0, 0]}}
joints:
  A: {type: revolute, a: ground, b: rod}
  B: {type: revolute, a: {body: ground, point: [THIRD, 0]}, b: {body: rod, point: [THIRD, 0]}}
"""
    good = reactio.check(reactio.parse_model(text.replace("THIRD", "1/3")), exact=True)
    assert good.exact is not None
    assert "Certified: the configuration is rational" in good.exact.statement
    near = reactio.check(reactio.parse_model(text.replace("THIRD", "0.333333333333333")), exact=True)
    words = near.exact.statement if near.exact else near.notes[-1]
    assert "0.333333333333333, which is close but not equal to 1/3" in words
    assert [nearby_fraction(x) for x in (0.1, 1 / 3, 0.1 + 0.2, 2**0.5)] == [None] * 4
    assert nearby_fraction(1e-17) == 0


@pytest.mark.parametrize(
    ("x", "fraction"),
    [
        (2.0**-51, Fraction(1, 2**51)),  # a power of two is itself, however small
        (math.cos(math.pi / 2), None),  # a factor of 6e-17 is not 0
        (1e-6, Fraction(1, 10**6)),
        (1.0000000001e-6, None),  # 1e-16 off in metres, 1e-10 of its own size: not 1e-6
        (0.3 - 0.2, Fraction(1, 10)),
        (3e-8, None),
    ],
)
def test_small_numbers_are_rounded_by_their_own_size(x: float, fraction: Fraction | None) -> None:
    read = recognised(x, "x")
    assert isinstance(read, Unknown) if fraction is None else read == fraction
    assert recognised(math.cos(math.pi / 2), "a coordinate", terms=1.0) == 0


def test_an_open_joint_is_no_exact_configuration() -> None:
    """A gap of 1e-12 escapes floating point, not the fractions."""
    text = """
space: planar
bodies: {rod: {kind: natural, position: [0, 0]}}
joints:
  A: {type: revolute, a: ground, b: {body: rod, point: [0.1, 0]}}
  B: {type: revolute, a: {body: ground, point: [0.9, 0]}, b: {body: rod, point: [1, 0]}}
"""
    good = reactio.parse_model(text.replace("position: [0, 0]", "position: [-0.1, 0]"))
    answer = reactio.check(good, exact=True)
    assert answer.exact is not None
    assert answer.exact.rank == 4
    bad = reactio.parse_model(text.replace("position: [0, 0]", "position: [-0.1, 0]").replace("0.9", "0.900000000001"))
    system = reactio.build(bad)
    assert "does not apply" in reactio.check(system, system.state(), exact=True).notes[-1]


def test_numbers_that_formulas_run_on() -> None:
    third = Exact(1, 3)
    assert 0.5 * third - 1.0 == Fraction(-5, 6)
    assert isinstance(-third * 2 / 3 + 1, Exact)
    assert ExactMath.sqrt(Fraction(9, 4)) == Fraction(3, 2)
    assert isinstance(ExactMath.sqrt(Fraction(2)), Unknown)
    unknown = recognised(2**0.5, "a length")
    assert isinstance(unknown * third, Unknown)
    assert unknown * Exact(0) == 0
    assert recognised(0.1 + 0.2, "a sum") == Fraction(3, 10)
    assert (Angle(Exact(3), Exact(4)) - Angle(Exact(6), Exact(8))).zero
    assert not (Angle(Exact(3), Exact(4)) - Angle(Exact(-3), Exact(-4))).zero
