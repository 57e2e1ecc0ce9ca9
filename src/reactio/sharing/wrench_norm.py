"""Wrench norm with a stated length: the smallest forces, moments counted as forces on that arm."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import components
from reactio.errors import ReactioError
from reactio.sharing import Problem, Rule, register
from reactio.sharing.length_units import METRES
from reactio.sharing.problem import jointwise_root, least

LENGTH_TEXT = re.compile(r"\s*([0-9.eE+-]+)\s*([a-zµ]*)\s*")


def _share(problem: Problem, argument: str) -> Floats:
    """min Σ_X |F_X|² + |M_X|²/L², F_X and M_X the force and moment of joint X at the origin of its frame.

    With P_X λ_X = (F_X, M_X) and its moments divided by L, W = blockdiag(P_Xᵀ P_X).
    """
    return least(problem, jointwise_root(problem, _blocks(problem, _length(problem, argument))))


def _length(problem: Problem, argument: str) -> float:
    """L [m] from ``0.2``, ``200mm``; the characteristic length of the mechanism by default."""
    if not argument:
        return problem.matrix.length
    no_length = ReactioError(
        "The rule wrench-norm takes a positive length after its name, as wrench-norm:0.2 or wrench-norm:200mm; "
        f"'{argument}' is not one."
    )
    match = LENGTH_TEXT.fullmatch(argument)
    if not match or match[2] not in METRES:
        raise no_length
    try:
        length = float(match[1]) * METRES[match[2]]
    except ValueError:
        raise no_length from None
    if not (math.isfinite(length) and length > 0.0):
        raise no_length
    return length


def _blocks(problem: Problem, L: float) -> Iterator[Floats]:
    """P_Xᵀ with moments divided by L, joint by joint."""
    for group in problem.matrix.rows.groups:
        known = components(problem.matrix, group)
        arm = np.array([L if unit == "N m" else 1.0 for unit in known.units])
        yield (known.P / arm[:, None]).T


WRENCH_NORM = register(
    Rule(
        name="wrench-norm",
        doc="Smallest forces and moments, a moment counted as a force on the arm L: wrench-norm:200mm; the "
        "characteristic length of the mechanism if no L is stated. The result depends on the points about which "
        "moments are taken.",
        W="min Σ_X |F_X|² + |M_X|²/L²",
        cite="Callejo et al. 2017, Sect. 1, for norms that mix forces and moments",
        share=_share,
        argument="the length L that makes moments comparable with forces, in m or with a unit: 0.2, 200mm",
        invariant=frozenset({"row scaling", "recombination", "axes", "units", "order", "world"}),
    )
)
