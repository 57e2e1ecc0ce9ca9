"""Which components to measure so that every reaction is known.

Reactions are λ = λ_0 + N z with p unknown z.  Let Y (components, p) be the components of all joints in the
self-stresses, moments divided by the characteristic length.  Sensors S determine z iff rank Y_S = p; then an error
ε of the readings is an error A ε of the components with A = Y Y_S⁺.  Its worst case, max_c Σ_s |A_cs|, is the
amplification: 1 where no component has a larger error than the readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.design.sensor_budget import MOST_SENSOR_SETS, SETS_AT_ONCE, settling_most
from reactio.diagnosis.check import state_of
from reactio.errors import ReactioError, did_you_mean, listed
from reactio.joints import ALONG_MEMBER, TENSION
from reactio.kinematics.source import system_and_state
from reactio.linear.precision import SUBSPACE
from reactio.model.model import Model
from reactio.results.as_data import Result
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.simulation.state_at import states_at
from reactio.system.constraints import components, effort_scale
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

LEAST_NAMED_COMPONENT = 0.05  # part of the largest above which a message proposes a component: it is measured well
EXCHANGE_STARTS = 24  # random sets that exchanges improve: most end at the same best one
SENSOR_INSTANTS = 7  # of a motion at which amplifications are computed


@dataclass(frozen=True, slots=True)
class SensorSet(Result):
    """Components to measure, with the largest amplification of their errors, also after failures of sensors."""

    KEYS = "sensors=names amplification worst_component=worst amplification_with_faults=with_faults settles"

    names: tuple[str, ...]
    amplification: float
    worst: str  # the component with the largest error
    with_faults: float | None = None  # the amplification after failures; None where none were asked for
    settles: tuple[str, ...] = ()  # components that it determines, measured ones included


@dataclass(frozen=True, eq=False)
class SensorAdvice(Result, Tabular):
    """Sets of sensors, the best first."""

    SCHEMA = "reactio.sensors/1"
    KEYS = "model=model.name redundancy exhaustive candidates=considered undetermined sets notes"

    model: Model
    redundancy: int
    sets: tuple[SensorSet, ...]
    exhaustive: bool  # all sets were tried
    considered: int  # candidates that depend on a self-stress
    notes: tuple[str, ...]
    undetermined: int = 0  # components that depend on a self-stress

    def __repr__(self) -> str:
        return f"<SensorAdvice on {self.model.name}: {len(self.sets)} sets for {self.redundancy} redundancies>"

    def table(self) -> ResultTable:
        """The sets of sensors, the best first."""
        heads = ("sensors", "amplification", "worst", "with_faults")
        rows = [(" ".join(s.names), s.amplification, s.worst, s.with_faults) for s in self.sets]
        return table_of(f"{self!r}"[1:-1], heads, rows, 1, ("amplification",), " ".join(self.notes))


@dataclass(frozen=True, slots=True, eq=False)
class ComponentsInSelfStresses:
    """The components of all joints at one instant, by name, and their values in each self-stress."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    P: Floats  # (components, m): components P λ [N, N m]
    N: Floats  # (m, p) self-stresses such that Y has orthonormal columns
    Y: Floats  # (components, p), moments divided by the length
    scale: Floats  # (components,) that length, or 1

    def known_name(self, name: str) -> tuple[str, float]:
        """The name of a component in this table, and its sign: ``rod.Fx`` of a member is −``rod.N``."""
        joint, _, label = name.rpartition(".")
        tension = f"{joint}.{TENSION}"
        old = label == ALONG_MEMBER and name not in self.names and tension in self.names
        return (tension, -1.0) if old else (name, 1.0)


def components_in_self_stresses(eqs: Equations) -> ComponentsInSelfStresses:
    """Every component of every joint, drive and coupling."""
    names, units, rows = [], [], []
    for group in eqs.system.reacting:
        part = components(eqs, group)
        for label, unit, P in zip(part.labels, part.units, part.P, strict=True):
            row = np.zeros(eqs.system.m)
            row[group.start : group.stop] = P
            names.append(f"{group.name}.{label}")
            units.append(unit)
            rows.append(row)
    P = np.array(rows)
    scale = effort_scale(eqs.system, units)
    N = eqs.solvability.N
    _, R = np.linalg.qr((P @ N) / scale[:, None])
    N = np.linalg.solve(R.T, N.T).T if N.size else N
    return ComponentsInSelfStresses(tuple(names), tuple(units), P, N, (P @ N) / scale[:, None], scale)


def sensors(
    model: Model | System | Equations,
    candidates: Iterable[str] = (),
    *,
    faults: int = 0,
    until: float | None = None,
    budget: int | None = None,
    state: State | None = None,
    most: int = 10,
) -> SensorAdvice:
    """Sets of components to measure so that every reaction is known, the smallest amplification first.

    ``candidates``: components ``B.Fz``, or joints for all their components; all when left out.  ``faults``: number of
    sensors that may fail without loss of any reaction.  ``until`` [s]: the largest value along the motion counts.
    ``budget``: the largest number of sensors; if it is too small for all, the sets that determine most components.

    >>> import reactio
    >>> best = sensors(reactio.load("table")).sets[0]
    >>> len(best.names), round(best.amplification, 6)
    (1, 1.0)
    """
    if faults < 0:
        raise ReactioError(f"{faults} faults: give 0, 1 or 2.")
    system, state = system_and_state(model, state)
    model = model if isinstance(model, Model) else system.model
    pose = state_of(system) if state is None else state
    tables = [components_in_self_stresses(eqs) for eqs in _instants(system, pose, until)]
    p, allowed = tables[0].Y.shape[1], _allowed(tables[0], tuple(candidates))
    if not p:
        return SensorAdvice(
            model, 0, (), True, 0, ("Nothing is redundant: every reaction is unique without a sensor.",)
        )
    notes: tuple[str, ...] = ()
    if any(table.Y.shape[1] != p or table.names != tables[0].names for table in tables):
        notes = ("The redundancy changes along the motion: only its beginning is examined.",)
        tables = tables[:1]
    undetermined = int((np.linalg.norm(tables[0].Y, axis=1) > SUBSPACE).sum())
    if budget is not None and budget < p + faults:
        return _within_budget(model, tables, allowed, budget, faults, most, undetermined, notes)
    _refuse_insufficient(tables[0], allowed)
    Ys = np.array([table.Y for table in tables])
    exhaustive = comb(len(allowed), p) <= MOST_SENSOR_SETS
    ranked = _all_sets(Ys, allowed, p, most) if exhaustive else _exchanged(Ys, allowed, p)
    if not ranked:
        raise ReactioError("No set of these sensors detects every self-stress in all poses of the motion.")
    if faults:
        ranked = [_with_spares(Ys, allowed, chosen, faults) for chosen in ranked[:3]]
        notes += (
            f"Spare sensors are added one by one, so that any {faults} may fail: other sets may be equally good.",
        )
    if not exhaustive:
        notes += (
            f"There are {comb(len(allowed), p):,} sets: these are the best of {EXCHANGE_STARTS} searches by exchange.",
        )
    sets = sorted((_named(tables[0], Ys, chosen, faults) for chosen in ranked), key=_order)
    if budget is not None:
        sets = [choice for choice in sets if len(choice.names) <= budget]
        notes += (f"{p} of the {budget} sensors are enough for every reaction.",) if budget > p + faults else ()
        if not sets:
            raise ReactioError(f"{budget} sensors are too few if {faults} of them may fail; allow more.")
    return SensorAdvice(model, p, tuple(sets[:most]), exhaustive, len(allowed), notes, undetermined)


def _within_budget(
    model: Model,
    tables: Sequence[ComponentsInSelfStresses],
    allowed: Sequence[int],
    budget: int,
    faults: int,
    most: int,
    undetermined: int,
    notes: tuple[str, ...],
) -> SensorAdvice:
    """The advice where sensors are too few for all reactions: those that settle most of them."""
    table = tables[0]
    p = table.Y.shape[1]
    if faults:
        raise ReactioError(f"{p} sensors and {faults} spare ones are needed; --budget {budget} leaves no spare sensor.")
    ranked, exhaustive = settling_most([table.Y for table in tables], allowed, budget, most)
    if not ranked:
        raise ReactioError("None of these components detects a self-stress: measuring them determines nothing.")
    sets = tuple(
        SensorSet(
            names=tuple(table.names[k] for k in choice.sensors),
            amplification=choice.amplification,
            worst=table.names[choice.worst],
            settles=tuple(table.names[k] for k in choice.settles),
        )
        for choice in ranked
    )
    remaining = p - len(sets[0].names)
    notes += (f"{p} sensors would determine everything; {remaining} of {p} self-stresses stay undetermined.",)
    if not exhaustive:
        notes += ("There are too many sets to try all: these were improved by exchanges of one sensor.",)
    return SensorAdvice(model, p, sets, exhaustive, len(allowed), notes, undetermined)


def _order(sensors: SensorSet) -> tuple[float, float]:
    """Sorting: by the amplification after failures, then by that with all sensors."""
    return sensors.with_faults or 0.0, sensors.amplification


def _instants(system: System, pose: State, until: float | None) -> list[Equations]:
    """The equations at a state, or at instants of the motion from it until a time [s]."""
    if until is None:
        return [equations(system, pose)]
    return [equations(system, state) for state in states_at(system, np.linspace(pose.t, until, SENSOR_INSTANTS), pose)]


def _allowed(table: ComponentsInSelfStresses, candidates: Sequence[str]) -> list[int]:
    """The candidates that depend on a self-stress."""
    joints = {name.rpartition(".")[0] for name in table.names}
    chosen: list[int] = []
    for given in candidates:
        name, _ = table.known_name(given)
        matching = [k for k, known in enumerate(table.names) if name in (known, known.rpartition(".")[0])]
        if not matching:
            raise ReactioError(f"There is no component or joint '{name}'.{did_you_mean(name, {*table.names, *joints})}")
        chosen += [k for k in matching if k not in chosen]
    sees = np.linalg.norm(table.Y, axis=1) > SUBSPACE
    return [k for k in (chosen if candidates else range(len(table.names))) if sees[k]]


def _refuse_insufficient(table: ComponentsInSelfStresses, allowed: Sequence[int]) -> None:
    """Refuse candidates that do not determine all self-stresses, and name components that would."""
    Y = table.Y[list(allowed)]
    s, Vt = np.linalg.svd(np.vstack([Y, np.zeros((Y.shape[1], Y.shape[1]))]))[1:]
    blind = Vt[s <= SUBSPACE]
    if not len(blind):
        return
    # The norm over all self-stresses that they do not determine does not depend on the basis of these.
    stress = np.linalg.norm(table.Y @ blind.T, axis=1)
    size = np.round(stress / stress.max(), 6)  # rounded, so that equal ones stay in the order of the model
    strong = [k for k in np.argsort(-size, kind="stable") if size[k] > LEAST_NAMED_COMPONENT]
    joints = list(dict.fromkeys(table.names[k].rpartition(".")[0] for k in strong))
    would = ", ".join(table.names[k] for k in strong[:6])
    raise ReactioError(
        f"These sensors do not detect {len(blind)} of {table.Y.shape[1]} self-stresses, among them one of "
        f"{listed(joints, most=6)}. Measure also one of {would}."
    )


def amplifications(Y: Floats, sets: Floats) -> Floats:
    """max_c Σ_s |Y Y_S⁻¹| for many sets (k, p) of rows of Y at once; inf where a set does not determine z."""
    Y_S = Y[sets]
    U, s, Vt = np.linalg.svd(Y_S)
    blind = s[:, -1] <= SUBSPACE
    s = np.where(blind[:, None], 1.0, s)
    inverse = np.swapaxes(Vt, 1, 2) @ (np.swapaxes(U, 1, 2) / s[:, :, None])
    amplification = np.abs(Y @ inverse).sum(axis=2).max(axis=1)
    return np.where(blind, np.inf, amplification)


def _worst(Ys: Floats, sets: Any) -> Floats:
    """The largest amplification of each set over the instants with components Ys (instants, components, p)."""
    return np.asarray(np.max([amplifications(Y, np.asarray(sets)) for Y in Ys], axis=0))


def _all_sets(Ys: Floats, allowed: Sequence[int], p: int, most: int) -> list[tuple[int, ...]]:
    """The best of all sets of p sensors, those of the smallest amplification first."""
    sets = np.array(list(combinations(allowed, p)))
    worst = np.concatenate([_worst(Ys, sets[k : k + SETS_AT_ONCE]) for k in range(0, len(sets), SETS_AT_ONCE)])
    order = np.argsort(np.round(worst, 9), kind="stable")[:most]
    return [tuple(sets[k].tolist()) for k in order if np.isfinite(worst[k])]


def _exchanged(Ys: Floats, allowed: Sequence[int], p: int) -> list[tuple[int, ...]]:
    """Sets that no exchange of one sensor improves."""
    from scipy.linalg import qr

    random = np.random.default_rng(3)  # a fixed seed, so that results repeat
    sets: dict[tuple[int, ...], float] = {}
    for start in range(EXCHANGE_STARTS):
        weight = np.exp(random.normal(scale=0.7, size=len(allowed))) if start else np.ones(len(allowed))
        chosen = np.array(allowed)[qr((Ys[0][allowed] * weight[:, None]).T, pivoting=True)[2][:p]]
        best = float(_worst(Ys, chosen[None])[0])
        while True:
            others = [k for k in allowed if k not in chosen]
            trials = np.array([[*chosen[:i], k, *chosen[i + 1 :]] for i in range(p) for k in others])
            if not len(trials):
                break
            worst = _worst(Ys, trials)
            if not worst.min() < best * (1 - 1e-9):
                break
            best, chosen = float(worst.min()), trials[int(worst.argmin())]
        if np.isfinite(best):
            sets[tuple(sorted(chosen.tolist()))] = best
    return sorted(sets, key=lambda chosen_set: sets[chosen_set])


class AfterFaults(NamedTuple):
    """The quality of sensors after any failure of some of them; fewer undetermined cases sort first."""

    undetermined: int  # cases in which z is not determined
    amplification: float  # the largest of the other cases


def _after_faults(Ys: Floats, chosen: Sequence[int], faults: int) -> AfterFaults:
    """All cases in which ``faults`` of the chosen sensors fail."""
    undetermined, worst = 0, 1.0
    for kept in combinations(chosen, len(chosen) - faults):
        for Y in Ys:
            s = np.linalg.svd(Y[list(kept)], compute_uv=False)
            if len(kept) < Y.shape[1] or s[-1] <= SUBSPACE:
                undetermined += 1
            else:
                worst = max(worst, float(np.abs(Y @ np.linalg.pinv(Y[list(kept)])).sum(axis=1).max()))
    return AfterFaults(undetermined, worst)


def _with_spares(Ys: Floats, allowed: Sequence[int], chosen: tuple[int, ...], faults: int) -> tuple[int, ...]:
    """A set with sensors added until any ``faults`` of them may fail."""
    while _after_faults(Ys, chosen, min(faults, len(chosen))).undetermined:
        others = [k for k in allowed if k not in chosen]
        if not others:
            raise ReactioError(f"These sensors are too few if {faults} of them may fail; allow more components.")
        chosen = min(((*chosen, k) for k in others), key=lambda candidate: _after_faults(Ys, candidate, faults))
    return chosen


def _named(table: ComponentsInSelfStresses, Ys: Floats, chosen: tuple[int, ...], faults: int) -> SensorSet:
    """A set of sensors by name, with its amplifications."""
    gains = np.array([np.abs(Y @ np.linalg.pinv(Y[list(chosen)])).sum(axis=1) for Y in Ys]).max(axis=0)
    after = _after_faults(Ys, chosen, faults).amplification if faults else None
    names = tuple(table.names[k] for k in chosen)
    settles = tuple(table.names[k] for k in np.flatnonzero(np.linalg.norm(table.Y, axis=1) > SUBSPACE))
    return SensorSet(names, float(gains.max()), table.names[int(gains.argmax())], after, settles)
