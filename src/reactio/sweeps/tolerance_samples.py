"""Tolerances by samples: machines with random deviations, each solved by itself, compared with the linear answer.

Every deviation is uniform within ± its tolerance.  The linear answer is λ_nominal + S δ; a sample is a model with these
misfits and lengths, in equilibrium in its displaced pose.  Both are compared sample by sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from reactio.catalogue.places import ReactionAxes
from reactio.design.error_bars import ErrorBars, span_of
from reactio.errors import ReactioError
from reactio.joint_reactions.closing import with_closed_as_joints
from reactio.model.coordinates import units_of_misfits
from reactio.model.model import Model
from reactio.model.play import ALONG
from reactio.model.specs import Coupling, Drive, Joint
from reactio.model.tolerances import OF_BODY
from reactio.results.as_data import Result
from reactio.sweeps.axes import Range, sample
from reactio.sweeps.sweep import Progress, sweep
from reactio.system.compile.length import characteristic_length
from reactio.system.elasticity.compliance import has_elastic_parts
from reactio.system.elasticity.interfaces import expansion_of

Connection = TypeVar("Connection", Joint, Drive, Coupling)

SEED = 1
UNIFORM_SIGMA = 3**-0.5  # standard deviation of a number that is uniform within ±1


@dataclass(frozen=True, slots=True)
class SampledBar:
    """One component over all samples, next to the linear answer for the same deviations."""

    joint: str
    component: str
    unit: str
    mean: float
    sigma: float  # standard deviation of the samples
    sigma_linear: float  # of the linear answer for uniform deviations: rss / √3
    largest: float  # largest distance from the nominal value over all samples
    worst: float  # the linear worst case, which bounds it where the linear answer holds
    disagreement: float  # largest |sample − linear answer to the same deviations|


@dataclass(frozen=True, eq=False)
class SampledBars(Result):
    """Sampled error bars."""

    KEYS = "samples failed disagreement bars"

    samples: int
    failed: int
    bars: tuple[SampledBar, ...]
    length: float  # characteristic length of the mechanism [m]

    @property
    def disagreement(self) -> float:
        """The largest difference of a sample from the linear answer, as part of the largest worst case of all.

        Moments count by the characteristic length of the mechanism.
        """
        scale = {"N": 1.0, "N m": 1.0 / self.length}
        worst = max((bar.worst * scale[bar.unit] for bar in self.bars), default=0.0)
        return max((bar.disagreement * scale[bar.unit] / worst for bar in self.bars), default=0.0) if worst else 0.0

    def __getitem__(self, name: str) -> SampledBar:
        """``B.Fz``."""
        return next(bar for bar in self.bars if f"{bar.joint}.{bar.component}" == name)


@dataclass(frozen=True)
class DeviatingModel:
    """The model as a function of the deviations of its joints and bodies, which can be sent to other processes."""

    model: Model

    def __call__(self, **deviations: float) -> Model:
        """The model with these misfits, lengths and temperatures added to its own."""
        model, strains, misfits = self.model, dict[str, float](), dict[str, dict[str, float]]()
        coordinates = units_of_misfits(model.space, model.joints, model.drives, model.couplings)
        for name, value in deviations.items():
            owner, _, kind = name.rpartition(".")
            if name in coordinates:
                misfits[name] = {ALONG: value}
            elif kind in OF_BODY and owner in model.body_index:
                strains[owner] = strains.get(owner, 0.0) + value * self._strain(owner, kind)
            else:
                misfits.setdefault(owner, {})[kind] = value
        return replace(
            model,
            bodies=tuple(self._strained(body.name, strains.get(body.name, 0.0)) for body in model.bodies),
            joints=tuple(_displaced(joint, misfits) for joint in model.joints),
            drives=tuple(_displaced(drive, misfits) for drive in model.drives),
            couplings=tuple(_displaced(coupling, misfits) for coupling in model.couplings),
        )

    def _strain(self, body: str, kind: str) -> float:
        if kind == "length":
            return 1.0 / span_of(self.model, body)
        expansion = expansion_of(self.model, self.model.body(body))
        assert expansion is not None, "tolerances of temperature are refused without it"
        return expansion

    def _strained(self, name: str, strain: float) -> Any:
        """A body with a strain added to that of its own heat, as the expansion of one kelvin."""
        body = self.model.body(name)
        if not strain:
            return body
        thermal = body.temperature * (expansion_of(self.model, body) or 0.0)
        return replace(body, temperature=1.0, expansion=thermal + strain)


def _displaced(part: Connection, misfits: Mapping[str, Mapping[str, float]]) -> Connection:
    """A joint, drive or coupling with its misfits added to those that it has."""
    if part.name not in misfits:
        return part
    own = part.elastic.misfit
    added = {kind: own.get(kind, 0.0) + value for kind, value in misfits[part.name].items()}
    return replace(part, elastic=replace(part.elastic, misfit={**own, **added}))


def sampled_error_bars(
    bars: ErrorBars,
    samples: int = 200,
    *,
    folder: str | Path | None = None,
    processes: int | None = None,
    client: Any = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> SampledBars:
    """Sampled machines next to linear error bars, by a sweep over random deviations.

    >>> import reactio
    >>> door = reactio.load("door", hinges=2, bushings=1)
    >>> found = sampled_error_bars(reactio.error_bars(door, {"hinge2.z": 1e-4}), 4, processes=0)
    >>> found.failed, found.disagreement < 1e-3
    (0, True)
    """
    if not isinstance(bars, ErrorBars):
        raise ReactioError(f"Error bars are needed, not {type(bars).__name__}: reactio.error_bars(model) makes them.")
    if bars.axes != ReactionAxes.JOINT:
        raise ReactioError("Machines are sampled in joint axes: ask for error bars in joint axes too.")
    if bars.t:
        raise ReactioError(f"Machines are sampled at the start, and these error bars are those at t = {bars.t:g} s.")
    if not has_elastic_parts(bars.model):
        raise ReactioError(
            f"Without redundant equations tolerances cause no reactions, and '{bars.model.name}' has no stiffness: "
            "there are no deviations to sample."
        )
    model = with_closed_as_joints(bars.model)
    known = [name for name, size in bars.tolerances.items() if size > 0]
    cases = sample(
        [Range(name, -bars.tolerances[name], bars.tolerances[name]) for name in known], "latin", samples, SEED
    )
    swept = sweep(
        DeviatingModel(model),
        want=[f"{bar.joint}.{bar.component}.flexible" for bar in bars.bars],
        cases={axis.name: axis.values for axis in cases.axes},
        folder=folder, processes=processes, client=client, on_progress=on_progress, yes=True,
    )  # fmt: skip
    answered = [row for row in swept.rows if not row.reason]
    deviations = np.array([[cases[row.number][name] for name in known] for row in answered], dtype=float)
    values = np.array([row.values for row in answered], dtype=float)
    units = np.array([bars.tolerances[name] for name in known])
    place = [list(bars.tolerances).index(name) for name in known]
    sampled = []
    for k, bar in enumerate(bars.bars):
        row = bars.linear.each[bar.joint][bars.row(bar)][place]
        linear = bar.nominal + (deviations / units) @ row if len(answered) else np.zeros(0)
        sampled_loads = values[:, k] if len(answered) else np.zeros(0)
        sampled.append(_bar(bar, sampled_loads, linear))
    return SampledBars(len(answered), len(swept.failed), tuple(sampled), characteristic_length(bars.model))


def _bar(bar: Any, sample: Any, linear: Any) -> SampledBar:
    if not len(sample):
        return SampledBar(
            bar.joint, bar.component, bar.unit, bar.nominal, 0.0, UNIFORM_SIGMA * bar.rss, 0.0, bar.worst, 0.0
        )
    return SampledBar(
        bar.joint, bar.component, bar.unit, float(sample.mean()), float(sample.std()), UNIFORM_SIGMA * bar.rss,
        float(np.abs(sample - bar.nominal).max()), bar.worst, float(np.abs(sample - linear).max()),
    )  # fmt: skip
