"""Precision: how far numbers may be off that should be zero, or equal.

A computed number is off by the unit roundoff u = 2e-16, times the size of the terms it is made of, times the condition
of the problem that it solves.  Thresholds are parts of the largest such term, and differ by the origin of the number:

    level      part    what it bounds
    LAST_DIGIT 1e-15   single numbers, and residuals refined until they stall: u times a few operations
    REFINED    1e-13   residuals that refinement leaves, and single products of vectors: u times some hundred terms
    ROUNDOFF   1e-12   sums over all bodies: u times some thousand terms
    SINGULAR   1e-10   singular values and pivots that rounding makes: u times some hundred thousand entries
    SOLUTION   1e-9    solutions of linear systems: u times a condition of 1e6 to 1e7, up to which ranks are decided
    GEOMETRY   1e-9    places and directions that follow from such solutions, or from files that close to rounding
    SUBSPACE   1e-8    parts of unit vectors inside or outside a null space or span, which are known to 4e-9 or better
    BALANCE    1e-8    loads that forces leave over which should balance them: ten times a solution
    DISPLAY    1e-9    numbers in texts and tables, which show fewer digits
    LOCATED    1e-6    motions and stresses at poses that were located to 1e-9, or written with six digits

``NEAR_ZERO`` stands in for zero where a ratio is formed: those of numbers up to 1e8 stay finite.

A threshold defined elsewhere says why none of these fits.  Ranks have their own: ``linear.rank.Tolerances``.
"""

from __future__ import annotations

LAST_DIGIT = 1e-15
REFINED = 1e-13
ROUNDOFF = 1e-12
SINGULAR = 1e-10
SOLUTION = 1e-9
GEOMETRY = 1e-9
SUBSPACE = 1e-8
BALANCE = 1e-8
DISPLAY = 1e-9
LOCATED = 1e-6
NEAR_ZERO = 1e-300
