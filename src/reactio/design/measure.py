"""All reactions from sensor readings and the motion, with standard deviations, and contradictions between readings."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import in_si, in_units, names_of_unit, reaction_unit, unit_name
from reactio.design.sensors import ComponentsInSelfStresses, components_in_self_stresses
from reactio.errors import ReactioError, did_you_mean
from reactio.joint_reactions.at_state import reactions
from reactio.joint_reactions.data import Reactions
from reactio.kinematics.assemble import initial_state
from reactio.kinematics.source import system_and_state
from reactio.linear.precision import LOCATED, SUBSPACE
from reactio.model.checks import LARGEST
from reactio.model.model import Model
from reactio.operating_system.files import read_csv
from reactio.results.as_data import Result, plain
from reactio.results.table import ResultTable, Tabular
from reactio.simulation.simulate import simulate
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

LEAST_CHANCE = 0.001  # probability of residuals as large by noise alone, below which readings contradict each other
DEFAULT_ACCURACY = 0.01  # part of its largest reading: standard deviation of a sensor where none is given


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """Readings in time in N and N m; NaN where one is missing."""

    t: Floats  # (k,) [s]
    values: Mapping[str, Floats]  # component → (k,)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An instant whose readings contradict each other, and those that stand out."""

    t: float
    suspects: tuple[str, ...]
    chi2: float  # Σ of squared residuals, each over the standard deviation of its reading
    freedom: int  # readings in excess of the unknowns


@dataclass(frozen=True, eq=False, repr=False)
class Measured(Result, Tabular):
    """Every component in time with its standard deviation."""

    SCHEMA = "reactio.measure/1"
    KEYS = "model=model.name t contradictions"

    model: Model
    t: Floats  # (k,) [s]
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats  # (k, components) [N, N m]
    sigma: Floats  # (k, components) standard deviations
    contradictions: tuple[Contradiction, ...]

    def __getitem__(self, name: str) -> tuple[Floats, Floats]:
        """Values and standard deviations (k,) of a component."""
        if name not in self.names:
            raise ReactioError(f"There is no component '{name}'.{did_you_mean(name, self.names)}")
        k = self.names.index(name)
        return self.values[:, k], self.sigma[:, k]

    def as_data(self) -> dict[str, Any]:
        """The result as data, for JSON."""
        rows = zip(self.names, self.units, self.values.T, self.sigma.T, strict=True)
        components = {name: plain({"unit": unit, "values": x, "sigma": s}) for name, unit, x, s in rows}
        return super().as_data() | {"components": components}

    def to_csv(self) -> str:
        """Time, and for each component its value and standard deviation."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        heads = [f"{name} [{unit_name(unit)}]" for name, unit in zip(self.names, self.units, strict=True)]
        writer.writerow(["t [s]", *(text for head in heads for text in (head, f"sigma {head}"))])
        per_si = np.array([in_units(1.0, unit) for unit in self.units])
        for t, row, sigma in zip(self.t, self.values * per_si, self.sigma * per_si, strict=True):
            writer.writerow([repr(float(t)), *(f"{x:.9g}" for pair in zip(row, sigma, strict=True) for x in pair)])
        return out.getvalue()

    def table(self) -> ResultTable:
        """Values and standard deviations in time."""
        columns: dict[str, Floats] = {"t": self.t}
        units = {"t": "s"}
        for k, (name, unit) in enumerate(zip(self.names, self.units, strict=True)):
            columns |= {name: self.values[:, k], f"sigma {name}": self.sigma[:, k]}
            units |= {name: unit, f"sigma {name}": unit}
        title = f"Reactions of {self.model.name} from readings"
        return ResultTable(title, columns, ("t",), self.names, units)


def read_readings(path: str | Path) -> Readings:
    """Readings from CSV: a column ``t [s]`` and one for each sensor, ``B.Fz [N]``; units are converted.

    A column without a unit is in the units in which answers are written.
    """
    rows = read_csv(Path(path))
    if len(rows) < 2:
        raise ReactioError(f"{path}: there are no readings; give a line of names and a line for each instant.")
    heads = [_head(cell, path) for cell in rows[0].cells]
    names = [name for name, _ in heads]
    if "t" not in names:
        raise ReactioError(
            f"{path}:1: there is no column 't' with the times of the readings; found {', '.join(names)}."
        )
    if len(set(names)) < len(names):
        raise ReactioError(f"{path}:1: a column appears twice: {', '.join(names)}.")
    table = np.array([_row(row.cells, heads, path, row.number) for row in rows[1:]])
    t, lines = table[:, names.index("t")], [row.number for row in rows[1:]]
    if not np.isfinite(t).all():
        raise ReactioError(f"{path}:{lines[int(np.argmin(np.isfinite(t)))]}: the time of these readings is missing.")
    if (np.diff(t) <= 0).any():
        later = lines[int(np.argmax(np.diff(t) <= 0)) + 1]
        raise ReactioError(f"{path}:{later}: times must increase from line to line.")
    return Readings(t, {name: table[:, k] for k, name in enumerate(names) if name != "t"})


def _head(cell: str, path: Any) -> tuple[str, float]:
    """The name of a column, and the factor that converts its unit to s, N or N m."""
    match = re.fullmatch(r"\s*(.+?)\s*(?:\[(.*)\])?\s*", cell)
    if match is None:
        raise ReactioError(f"{path}:1: a column has no name.")
    name, unit = match[1], (match[2] or "").replace("·", " ").strip()
    in_file = "s" if name == "t" else reaction_unit(name)
    factors = names_of_unit(in_file)
    if unit and unit not in factors:
        raise ReactioError(f"{path}:1: '{unit}' is not a unit of {name}.{did_you_mean(unit, factors)}")
    return name, factors[unit] if unit else in_si(1.0, in_file)


def _row(row: Sequence[str], heads: Sequence[tuple[str, float]], path: Any, line: int) -> list[float]:
    """The numbers of a line in s, N and N m; an empty cell is a missing reading, NaN."""
    if len(row) != len(heads):
        raise ReactioError(f"{path}:{line}: {len(row)} values for {len(heads)} columns.")
    values = []
    for cell, (name, factor) in zip(row, heads, strict=True):
        try:
            value = float(cell) * factor if cell.strip() else math.nan
        except ValueError:
            raise ReactioError(f"{path}:{line}: '{cell}' in column '{name}' is not a number.") from None
        if abs(value) > LARGEST:
            raise ReactioError(f"{path}:{line}: '{cell}' in column '{name}' is too large a number; check its unit.")
        values.append(value)
    return values


def measure(
    model: Model | System | Equations,
    readings: Readings,
    accuracy: float | Mapping[str, float] | None = None,
    *,
    state: State | None = None,
) -> Measured:
    """Every reaction from readings and the motion: λ = λ_0 + N z with z by weighted least squares.

    ``accuracy``: standard deviation of all sensors [N, N m] or by name; 1 % of the largest reading of each when left
    out.  The motion starts as the model does, or at ``state``.

    >>> import numpy as np, reactio
    >>> found = measure(reactio.load("table"), Readings(np.zeros(1), {"leg1.Fz": np.array([100.0])}), 1.0)
    >>> [float(x.round(6)) for x in found["leg1.Fz"][1]]
    [1.0]
    """
    system, begin = system_and_state(model, state)
    states = _reactions(system, initial_state(system) if begin is None else begin, readings.t)
    tables = [components_in_self_stresses(reactions.eqs) for reactions in states]
    sigma = _sigmas(readings, accuracy)
    readings, sigma = _by_known_names(readings, sigma, tables[0])
    estimates = [
        _estimated(reactions, table, _at(readings, k, table), sigma)
        for k, (reactions, table) in enumerate(zip(states, tables, strict=True))
    ]
    return Measured(
        model=model if isinstance(model, Model) else system.model,
        t=readings.t,
        names=tables[0].names,
        units=tables[0].units,
        values=np.array([estimate.values for estimate in estimates]),
        sigma=np.array([estimate.sigma for estimate in estimates]),
        contradictions=tuple(estimate.contradiction for estimate in estimates if estimate.contradiction is not None),
    )


def _by_known_names(
    readings: Readings, sigma: Mapping[str, float], table: ComponentsInSelfStresses
) -> tuple[Readings, dict[str, float]]:
    """Readings and standard deviations by the names that components have: those of a rod's Fx are of its N."""
    known = {given: table.known_name(given) for given in readings.values}
    values = {name: sign * readings.values[given] for given, (name, sign) in known.items()}
    return Readings(readings.t, values), {name: sigma[given] for given, (name, _) in known.items()}


def _reactions(system: System, begin: State, t: Floats) -> list[Reactions]:
    """The reactions at each time of the motion of the model."""
    if t[0] < begin.t:
        raise ReactioError(f"The readings begin at t = {t[0]:g} s, before the motion, which starts at {begin.t:g} s.")
    if t[-1] == begin.t:
        return [reactions(equations(system, begin))]
    run = simulate(system, float(t[-1]), output=t, state=begin)
    if len(run.t) < len(t):
        raise ReactioError(
            f"The motion ends at t = {run.checkpoint.t:g} s, before the last reading: {run.status.value}"
        )
    return list(run.reactions)


def _sigmas(readings: Readings, accuracy: float | Mapping[str, float] | None) -> dict[str, float]:
    """The standard deviation of every sensor [N, N m]."""
    sigmas = {}
    for name, values in readings.values.items():
        largest = float(np.nanmax(np.abs(values), initial=0.0))
        given = accuracy.get(name) if isinstance(accuracy, Mapping) else accuracy
        sigma = DEFAULT_ACCURACY * largest if given is None else float(given)
        if given is not None and not (sigma > 0 and math.isfinite(sigma)):
            raise ReactioError(f"The accuracy of '{name}' is {sigma:g}; it must be positive.")
        sigmas[name] = sigma or 1.0
    return sigmas


def _at(readings: Readings, row: int, table: ComponentsInSelfStresses) -> dict[int, float]:
    """The readings of one instant by number of component."""
    at_instant = {}
    for name, values in readings.values.items():
        if name not in table.names:
            raise ReactioError(
                f"'{name}' is read, but the model has no such component.{did_you_mean(name, table.names)}"
            )
        if math.isfinite(values[row]):
            at_instant[table.names.index(name)] = float(values[row])
    return at_instant


class Estimate(NamedTuple):
    """Every component at one instant from its readings."""

    values: Floats  # (components,) [N, N m]
    sigma: Floats  # (components,) standard deviations
    contradiction: Contradiction | None  # of the readings


def _estimated(
    reactions: Reactions, table: ComponentsInSelfStresses, read: Mapping[int, float], sigma: Mapping[str, float]
) -> Estimate:
    """z by weighted least squares from the readings of one instant, and the components that follow.

    G z ≈ r,   G = P_S N/σ_S,   r = (readings − P_S λ_0)/σ_S,   cov z = (GᵀG)⁻¹
    """
    chosen = list(read)
    s = np.array([sigma[table.names[k]] for k in chosen])
    known = table.P @ reactions.balanced
    p = table.N.shape[1]
    G = (table.P[chosen] @ table.N) / s[:, None]
    r = (np.array(list(read.values())) - known[chosen]) / s
    if p and (len(chosen) < p or np.linalg.svd(table.Y[chosen], compute_uv=False)[-1] <= SUBSPACE):
        names = ", ".join(table.names[k] for k in chosen) or "no sensor"
        raise ReactioError(
            f"t = {reactions.eqs.state.t:g} s: {names} do not determine all {p} self-stresses. `reactio advise "
            f"--sensors` proposes what to measure."
        )
    covariance = np.linalg.inv(G.T @ G) if p else np.zeros((0, 0))
    z = covariance @ (G.T @ r)
    PN = table.P @ table.N
    spread = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", PN, covariance, PN), 0.0))
    contradiction = _contradiction(reactions.eqs.state.t, [table.names[k] for k in chosen], r - G @ z, G, covariance)
    return Estimate(known + PN @ z, spread, contradiction)


def _contradiction(
    t: float, sensors: Sequence[str], residuals: Floats, G: Floats, covariance: Floats
) -> Contradiction | None:
    """The contradiction between readings where their residuals are too large for noise; None where they are not.

    Residuals are in standard deviations of the readings; those of the residuals themselves are √(1 − (G cov z Gᵀ)_ii).
    """
    from scipy.stats import chi2

    freedom, size = len(sensors) - len(covariance), float(residuals @ residuals)
    if freedom <= 0 or size <= chi2.isf(LEAST_CHANCE, freedom):
        return None
    spread = np.sqrt(np.maximum(1.0 - np.einsum("ij,jk,ik->i", G, covariance, G), 0.0))
    w = np.where(spread > SUBSPACE, np.abs(residuals) / np.maximum(spread, SUBSPACE), 0.0)
    suspects = tuple(name for name, x in zip(sensors, w, strict=True) if x >= w.max() * (1 - LOCATED))
    return Contradiction(t, suspects, size, freedom)
