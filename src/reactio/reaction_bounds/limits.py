"""Limits of a reaction: the largest force and moment a joint bears, friction, and ranges known of a component."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.catalogue.units import in_units, quantity
from reactio.errors import ReactioError, did_you_mean
from reactio.joints import ALONG_MEMBER, TENSION
from reactio.system.constraints import components
from reactio.system.equations import Equations


class LimitKind(StrEnum):
    """What limits components of a reaction."""

    FORCE = "force"  # the largest force that a joint bears
    MOMENT = "moment"  # the largest moment that it bears
    FRICTION = "friction"  # the cone around the normal force
    RANGE = "range"  # an interval in which a component is known to lie


CAPACITY_UNITS = {LimitKind.FORCE: "N", LimitKind.MOMENT: "N m"}
ALL_JOINTS = "all"  # in place of a name: every joint that is not named itself


@dataclass(frozen=True, slots=True, eq=False)
class ComponentLimit:
    """|P λ_rows − middle| ≤ most + lift λ_rows: a cone around the wrench of a joint, by components in joint axes."""

    joint: str
    kind: LimitKind
    rows: Ints
    P: Floats  # (components, rows)
    most: float  # [N, N m]
    lift: Floats | None = None  # (rows,) factors by which the reaction widens the cone, as μ times a normal force does
    middle: float = 0.0  # of a range [N, N m]
    text: str = ""  # a range in words

    @property
    def words(self) -> str:
        """``capacity of A: 200 N m``, ``friction of finger1``, ``known: bolt1.Fz = 500…800 N``."""
        if self.kind is LimitKind.FRICTION:
            return f"friction of {self.joint}"
        return self.text or f"capacity of {self.joint}: {quantity(self.most, CAPACITY_UNITS[self.kind])}"

    @property
    def scales(self) -> bool:
        """Is it a capacity, which is multiplied where capacities are widened?"""
        return self.kind in CAPACITY_UNITS

    def reached(self, lam: Floats, part: float) -> bool:
        """Do multipliers λ (m,) reach this limit, up to a part of it?"""
        size = float(np.linalg.norm(self.P @ lam[self.rows] - self.middle))
        limit = self.most + (0.0 if self.lift is None else float(self.lift @ lam[self.rows]))
        return size > (1.0 - part) * limit


def capacities(eqs: Equations, given: Mapping[str, Mapping[str, float]]) -> tuple[ComponentLimit, ...]:
    """The limits of a model, those ``given`` here in place of its own; one for each force or moment a joint has.

    ``all`` stands for every joint that is not named itself.
    """
    names = [group.name for group in eqs.system.reacting]
    for name, capacities in given.items():
        if name not in names and name != ALL_JOINTS:
            raise ReactioError(f"Capacity of '{name}': there is no such joint.{did_you_mean(name, names)}")
        for kind, most in capacities.items():
            if kind not in CAPACITY_UNITS:
                raise ReactioError(f"Capacity of '{name}': '{kind}' is neither force nor moment.")
            if not most > 0.0 or not np.isfinite(most):
                raise ReactioError(f"Capacity of '{name}': the {kind} must be a positive number, not {most:g}.")
    limits = []
    for group in eqs.system.reacting:
        table, rows = components(eqs, group), np.arange(group.start, group.stop)
        for kind, most in {
            **_capacity_of_model(eqs, group.name),
            **given.get(group.name, given.get(ALL_JOINTS, {})),
        }.items():
            P = table.P[[unit == CAPACITY_UNITS[LimitKind(kind)] for unit in table.units]]
            if len(P):
                limits.append(ComponentLimit(group.name, LimitKind(kind), rows, P, float(most)))
    return tuple(limits)


def _capacity_of_model(eqs: Equations, name: str) -> Mapping[str, float]:
    """The capacity that the model gives to a joint."""
    model = eqs.system.model
    return model.joint(name).capacity if name in model.joint_index else {}


def ranges(eqs: Equations, given: Mapping[str, tuple[float, float]]) -> tuple[ComponentLimit, ...]:
    """Components known within a range, {"bolt1.Fz": (5e3, 8e3)} in N or N m: a preload that was measured or set."""
    names, limits = [group.name for group in eqs.system.reacting], []
    for text, (low, high) in given.items():
        joint, _, label = text.rpartition(".")
        if joint not in names:
            raise ReactioError(f"Known range of '{text}': there is no joint '{joint}'.{did_you_mean(joint, names)}")
        group = eqs.system.group(joint)
        table = components(eqs, group)
        sign = 1.0
        if table.labels == (TENSION,) and label == ALONG_MEMBER:
            label, sign = TENSION, -1.0
        if label not in table.labels:
            raise ReactioError(f"Known range of '{text}': '{joint}' has {', '.join(table.labels)}, no {label}.")
        k = table.labels.index(label)
        interval = f"{in_units(low, table.units[k]):g}…{quantity(high, table.units[k])}"
        if not (np.isfinite(low) and np.isfinite(high) and low <= high):
            raise ReactioError(f"Known range of '{text}': {interval} is not a range of numbers, low to high.")
        rows, words = np.arange(group.start, group.stop), f"known: {text} = {interval}"
        limits.append(
            ComponentLimit(
                joint, LimitKind.RANGE, rows, sign * table.P[[k]], 0.5 * (high - low), None, 0.5 * (low + high), words
            )
        )
    return tuple(limits)
