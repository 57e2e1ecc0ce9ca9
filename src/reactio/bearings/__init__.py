"""Rolling and plain bearings: kinds with their stiffness, clearance and load rules, one file each; a registry.

Geometry in, stiffness out: Z rolling elements of diameter D_w (and effective length l) under the contact angle α in i
rows.  The element that bears most carries Q, and the rings approach each other by

    Q = 5 F_r / (i Z cos α),   δ_r = K Q^p / cos α;      Q = F_a / (i Z sin α),   δ_a = K Q^p / sin α

K and p are those of the contact: Palmgren's formulas for Hertzian contacts of steel with the usual osculation (Palmgren
1959, Grundlagen der Wälzlagertechnik; Harris 2001, Rolling Bearing Analysis).  5 is Stribeck's number with a usual
clearance; without one it is 4.37 for balls and 4.08 for rollers.  Life is ISO 281, static safety ISO 76, clearance
classes are ISO 5753-1.

A test holds the constant of balls against Hertz's integrals (3 % for osculations of 0.515 and 0.52), that of rollers
against the 35948 N/mm^(10/9) of ISO/TS 16281 (4 %).  Y₀ of 15°, 25°, 40° and of two rows agree with tables of makers;
the constant of barrels and Y₀ of other angles were not at hand to compare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from reactio.bearings.clearance import ClearanceTable
from reactio.catalogue.registry import Registry

STRIBECK = 5.0  # load of the most loaded element times Z over the radial load, with a usual clearance
PALMGREN_LENGTH = 1e-3  # Palmgren's constants are in millimetres and newtons

# Fields of a bearing in a model, with their dimensions; ``type`` and ``clearance`` are words or numbers.
BEARING_NUMBERS = {
    "C": "force",
    "C0": "force",
    "p": "number",
    "X": "number",
    "Y": "number",
    "X0": "number",
    "Y0": "number",
    "Z": "number",
    "rows": "number",
    "Dw": "length",
    "length": "length",
    "angle": "angle",
    "bore": "length",
}


class PowerLaw(NamedTuple):
    """Approach of the rings by a load: δ = a F^p [m], F in newtons."""

    a: float  # [m/N^p]
    p: float


@dataclass(frozen=True, slots=True)
class RollingContact:
    """Approach of both rings at the rolling element that bears Q: δ = constant · Q^p · size^−q  [mm, N]."""

    constant: float
    p: float
    q: float
    size: str  # the number that it depends on: Dw, or the effective length
    formula: str

    def at(self, numbers: Mapping[str, float]) -> float:
        """K [m/N^p]."""
        return float(PALMGREN_LENGTH * self.constant * (numbers[self.size] / PALMGREN_LENGTH) ** -self.q)


POINT = RollingContact(4.36e-4, 2 / 3, 1 / 3, "Dw", "4.36e-4 Q^(2/3) / Dw^(1/3)")  # ball between two grooves
POINT_AND_LINE = RollingContact(1.81e-4, 3 / 4, 1 / 2, "length", "1.81e-4 Q^(3/4) / l^(1/2)")  # barrel: point and line
LINE = RollingContact(7.68e-5, 0.9, 0.8, "length", "7.68e-5 Q^0.9 / l^0.8")  # cylinder or cone between two raceways


@dataclass(frozen=True, slots=True)
class BearingKind:
    """A kind of bearing."""

    name: str
    doc: str
    contact: RollingContact | None  # None for a plain bearing
    life_exponent: float | None  # p of L10 = (C/P)^p million revolutions; None where there is no such life
    static_factors: Callable[[float], tuple[float, float]]  # X₀ and Y₀ of P₀ = max(F_r, X₀F_r + Y₀F_a), by α [rad]
    clearance: ClearanceTable | None = None  # radial clearance by class and bore
    needs_angle: bool = False
    cite: str = "Palmgren 1959; Harris 2001; ISO 76; ISO 281"

    @property
    def geometry(self) -> tuple[str, ...]:
        """The numbers that its stiffness follows from."""
        if self.contact is None:
            return ()
        return ("Z", self.contact.size, *(["angle"] if self.needs_angle else []))

    def laws(self, numbers: Mapping[str, float]) -> dict[str, PowerLaw]:
        """The power laws along ``radial`` and ``axial``; those that its geometry does not give are left out."""
        if self.contact is None or any(name not in numbers for name in self.geometry):
            return {}
        K, p = self.contact.at(numbers), self.contact.p
        count, angle = numbers["Z"] * numbers.get("rows", 1.0), numbers.get("angle", 0.0)
        laws = {}
        if math.cos(angle) > STEEPEST:
            laws["radial"] = PowerLaw(K * (STRIBECK / (count * math.cos(angle))) ** p / math.cos(angle), p)
        if math.sin(angle) > STEEPEST:
            laws["axial"] = PowerLaw(K * (1.0 / (count * math.sin(angle))) ** p / math.sin(angle), p)
        return laws


STEEPEST = 0.02  # sine or cosine of a contact angle, one degree, below which an element bears nothing that way


def steep_factors(angle: float) -> tuple[float, float]:
    """X₀ = 0.5, Y₀ = 0.22 cot α of one row of rollers under a contact angle; F_r alone without one (ISO 76)."""
    return (0.5, 0.22 / math.tan(angle)) if angle > 0.0 else (1.0, 0.0)


BEARINGS: Registry[BearingKind] = Registry("bearing", "reactio.bearings.kinds")
register = BEARINGS.register


def equivalent_static_load(kind: BearingKind, numbers: Mapping[str, float], radial: float, axial: float) -> float:
    """P₀ = max(F_r, X₀ F_r + Y₀ F_a) [N] of loads F_r, F_a ≥ 0 [N]; X0 and Y0 of the bearing itself count first."""
    X0, Y0 = kind.static_factors(numbers.get("angle", 0.0))
    return max(radial, numbers.get("X0", X0) * radial + numbers.get("Y0", Y0) * axial)
