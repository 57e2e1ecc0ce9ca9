"""What tolerances of joints do to the reactions of an overconstrained mechanism: λ = λ_nominal + S δ.

For seats that stand off by δ within ±tolerance each, and stiffnesses of the model: nominal, worst case Σ|S_i| δ_i, and
root sum of squares √Σ(S_i δ_i)² of every component, with the tolerances that dominate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reactio.errors import ReactioError
from reactio.flexibility.instant import instant
from reactio.flexibility.sensitivity import tolerance
from reactio.model.accuracy import parse_accuracy
from reactio.model.elastic import COMPONENTS
from reactio.model.specs import Model
from reactio.system.build import build
from reactio.system.constraints import LABELS, UNITS
from reactio.system.length import characteristic_length
from reactio.system.types import State

DOMINANT = 3  # tolerances that are named for each component


@dataclass(frozen=True, slots=True)
class ErrorBar:
    """One component of a joint in world axes, with what tolerances add to it."""

    joint: str
    component: str
    unit: str
    nominal: float
    worst: float  # ± in the worst case
    rss: float  # ± as root sum of squares
    dominant: tuple[tuple[str, float], ...]  # tolerance → its part of the root sum of squares, squared: they sum to 1


@dataclass(frozen=True, eq=False)
class ErrorBars:
    """Error bars of all joints."""

    model: Model
    tolerances: Mapping[str, float]  # component of a seat → ± [m, rad]
    bars: tuple[ErrorBar, ...]

    def __getitem__(self, name: str) -> ErrorBar:
        """``B.Fz``."""
        for bar in self.bars:
            if f"{bar.joint}.{bar.component}" == name:
                return bar
        raise ReactioError(f"There is no component '{name}'.")

    def as_data(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "schema": "reactio.error_bars/1",
            "model": self.model.name,
            "tolerances": dict(self.tolerances),
            "bars": [
                {
                    "joint": bar.joint,
                    "component": bar.component,
                    "unit": bar.unit,
                    "nominal": bar.nominal,
                    "worst": bar.worst,
                    "rss": bar.rss,
                    "dominant": [{"tolerance": name, "share": share} for name, share in bar.dominant],
                }
                for bar in self.bars
            ],
        }


def error_bars(
    model: Model,
    tolerances: Mapping[str, float] | None = None,
    *,
    default: str | None = None,
    state: State | None = None,
) -> ErrorBars:
    """Nominal, worst case and root sum of squares of every reaction, for seats that are off within tolerances.

    ``tolerances`` [m, rad] by component, {"hinge2.z": 1e-4}; ``default`` for all others, "0.05 mm, 0.1 mrad".

    >>> import reactio
    >>> found = error_bars(reactio.load("door", hinges=2, bushings=1), {"hinge2.z": 1e-4})
    >>> round(found["hinge1.Fz"].worst, 6), found["hinge1.Fz"].dominant
    (250.0, (('hinge2.z', 1.0),))
    """
    every = _tolerances(model, dict(tolerances or {}), default)
    system = build(model, halves=False)
    if not any(joint.elastic.stiffness for joint in model.joints) and not any(body.flexible for body in model.bodies):
        raise ReactioError(
            f"'{model.name}' has no stiffness: a rigid mechanism that does not fit cannot be assembled at all. Give "
            "joints a `stiffness`, or make bodies `flexible`."
        )
    here = instant(system, state)
    nominal = here.forces(here.whole.lam)
    found = tolerance(system, every, state)
    bars = []
    for joint, table in found.each.items():
        for k, (label, unit) in enumerate(zip(LABELS[model.space], UNITS[model.space], strict=True)):
            square = table[k] ** 2
            share = square / (square.sum() or 1.0)
            first = [i for i in np.argsort(-share, kind="stable")[:DOMINANT] if share[i] > 0]
            dominant = tuple((found.names[i], float(share[i])) for i in first)
            worst, rss = float(found.worst[joint][k]), float(found.likely[joint][k])
            bars.append(ErrorBar(joint, label, unit, float(nominal[joint][k]), worst, rss, dominant))
    return ErrorBars(model, every, tuple(bars))


def _tolerances(model: Model, given: dict[str, float], default: str | None) -> dict[str, float]:
    """Every tolerance that counts, those that are given before the default."""
    for name, value in given.items():
        if not value >= 0 or not np.isfinite(value):
            raise ReactioError(f"The tolerance of '{name}' is {value:g}; a tolerance is a finite number, 0 or more.")
    if default is not None:
        accuracy = parse_accuracy(default)
        angle = accuracy.length / characteristic_length(model) if accuracy.angle is None else accuracy.angle
        for joint in model.joints:
            for component in COMPONENTS[model.space]:
                turning = component.startswith("about_")
                size = angle if turning else accuracy.length
                given.setdefault(f"{joint.name}.{component}", size)
    if not given:
        raise ReactioError('No tolerance is given: name some, {"hinge2.z": 1e-4}, or a default, "0.05 mm, 0.1 mrad".')
    return given
