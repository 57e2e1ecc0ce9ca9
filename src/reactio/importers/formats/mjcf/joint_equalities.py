"""Equalities of MuJoCo between joints or fixed tendons: sums of joint coordinates that are constant.

Σ k_j x_j = c,   x_j the coordinate of joint j, zero in the pose of the file [rad or m]

A joint equality is x₁ = P(x₂); one of tendons is ℓ₁ = P(ℓ₂) with ℓ = Σ k_j x_j, the change of length of a tendon.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.linear.precision import GEOMETRY

CONNECT, WELD, JOINT, TENDON, *FLEXES = range(7)  # types of equalities, MuJoCo's mjtEq


@dataclass(frozen=True, slots=True)
class JointSum:
    """Σ k_j x_j of a joint or of a fixed tendon, by the number of the joint."""

    factors: dict[int, float]

    def at(self, x: dict[int, float]) -> float:
        """Its value for joint coordinates x."""
        return sum(k * x[j] for j, k in self.factors.items())


@dataclass(frozen=True, slots=True, eq=False)
class JointEquality:
    """y₁ = c₀ + c₁ y₂ + … + c₄ y₂⁴ of two sums of joint coordinates; y₂ may be missing."""

    name: str
    first: JointSum
    second: JointSum | None
    polynomial: Floats  # (5,) c₀ … c₄

    @property
    def joints(self) -> tuple[int, ...]:
        """The joints of both sums, each once, in the order of the file."""
        second = self.second.factors if self.second is not None else {}
        return tuple(dict.fromkeys([*self.first.factors, *second]))

    @property
    def degree(self) -> int:
        """The degree of the polynomial; the equality is linear where it is 1 or 0."""
        return int(np.flatnonzero(self.polynomial).max(initial=0)) if self.second is not None else 0

    def is_nonlinear(self, held: Mapping[int, float]) -> bool:
        """Is it a nonlinear polynomial of joints of which some can move?"""
        return self.second is not None and self.degree > 1 and not self.second.factors.keys() <= held.keys()

    def linear(self, x: dict[int, float]) -> tuple[dict[int, float], float]:
        """Factors k_j, without those that cancel, and the constant c of the tangent at x."""
        factors = dict(self.first.factors)
        if self.second is None:
            return factors, float(self.polynomial[0])
        y, c = self.second.at(x), self.polynomial[::-1]
        slope = float(np.polyval(np.polyder(c), y))
        for j, k in self.second.factors.items():
            factors[j] = factors.get(j, 0.0) - slope * k
        return {j: k for j, k in factors.items() if k}, float(np.polyval(c, y)) - slope * y


@dataclass(frozen=True, slots=True)
class HeldJoints:
    """Joints that equalities hold at constant coordinates."""

    values: dict[int, float]  # joint → its coordinate
    holding: tuple[JointEquality, ...]  # equalities that hold a joint each
    redundant: tuple[JointEquality, ...]  # equalities of joints that others hold already


def held_joints(equalities: Iterable[JointEquality]) -> HeldJoints:
    """The joints that cannot move: an equality whose joints are held but for one holds that one too."""
    values: dict[int, float] = {}
    holding: list[JointEquality] = []
    redundant: list[JointEquality] = []
    waiting, before = list(equalities), -1
    while len(waiting) != before:
        before = len(waiting)
        for equality in list(waiting):
            if equality.is_nonlinear(values):
                continue
            factors, constant = equality.linear({j: values.get(j, 0.0) for j in equality.joints})
            free = [j for j in factors if j not in values]
            rest = constant - sum(k * values[j] for j, k in factors.items() if j in values)
            if len(free) > 1:
                continue
            waiting.remove(equality)
            if free:
                values[free[0]] = rest / factors[free[0]]
            elif abs(rest) > GEOMETRY:
                raise ReactioError(f"equality '{equality.name}' contradicts those that hold the joints it couples.")
            (holding if free else redundant).append(equality)
    return HeldJoints(values, tuple(holding), tuple(redundant))
