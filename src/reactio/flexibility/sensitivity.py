"""How reactions depend on stiffnesses and tolerances, and their correction by equilibrium on the displaced pose."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, did_you_mean
from reactio.flexibility.instant import Instant, instant
from reactio.flexibility.validity import elastic_acceleration
from reactio.linear.column_space import column_space
from reactio.linear.precision import ROUNDOFF
from reactio.model.elastic import COMPONENTS
from reactio.model.model import Model
from reactio.model.play import ALONG
from reactio.results.as_data import Result
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.sharing.compliance import Relaxation, refuse_open
from reactio.sharing.elasticity import Elasticity, ElasticPart
from reactio.system.elasticity.compliance import column, rows_of
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

PLACES_WITH_GAPS = 65  # of ln k, where kinks are possible: both ends and 63 between them
SELF_STRESS_CUT = 1e-7  # singular values of a displaced C below this part of the largest belong to its self-stresses


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Result, Tabular):
    """∂λ/∂ln k of every part that gives way, and the forces λ itself."""

    SCHEMA = "reactio.sensitivity/1"
    KEYS = "parts axes reactions=now by_stiffness=forces on_the_verge"

    parts: tuple[str, ...]
    lam: Floats  # (m,) multipliers by the rule compliance
    by_stiffness: Floats  # (m, parts) ∂λ/∂ln k_e [N, N m]: rows sum to −N H⁻¹Nᵀδ, to zero where all parts fit
    forces: Mapping[str, Floats]  # joint → (6, parts) or (3, parts): changes of force and moment in ``axes``
    now: Mapping[str, Floats]  # joint → (6,) or (3,) force and moment themselves
    labels: Mapping[str, tuple[tuple[str, str], ...]]  # joint → component and unit of each of its rows
    axes: str  # joint or world
    on_the_verge: tuple[str, ...] = ()  # parts that are about to bear or to separate: slopes hold to one side only

    def table(self) -> ResultTable:
        """Every component and its change with the logarithm of every stiffness."""
        rows = []
        for joint, now in self.now.items():
            for (label, unit), value, changes in zip(self.labels[joint], now, self.forces[joint], strict=True):
                rows.append((joint, label, float(value), unit, *changes.tolist()))
        heads = ("joint", "component", "now", "unit", *self.parts)
        return table_of(f"Change with the logarithm of each stiffness ({self.axes} axes)", heads, rows, 2, self.parts)


def sensitivity(source: Model | System | Equations, state: State | None = None) -> Sensitivity:
    """How every reaction changes with every stiffness: ∂λ/∂ln k_e = N H⁻¹ Nᵀ (F_e λ − d_e).

    Parts that carry load now continue to, and idle ones stay idle.  Preloads stay the same: with λ_u the multipliers of
    the machine without load, their misfits change with F_e λ_u.

    >>> import reactio
    >>> found = sensitivity(reactio.load("door", hinges=2, bushings=1))
    >>> found.parts, bool(abs(found.by_stiffness.sum(axis=1)).max() < 1e-9)
    (('hinge1', 'hinge2'), True)
    """
    now = instant(source, state)
    refuse_open(now.whole)
    return stiffness_slopes(now)


def stiffness_slopes(now: Instant) -> Sensitivity:
    """The slopes of ``sensitivity`` at an instant, along the self-stresses that some part decides."""
    relaxation = now.whole
    lam, parts = relaxation.lam, [part for part in now.elastic.parts if part.is_flexible]
    r, unloaded = np.zeros((2, now.elastic.m, len(parts)))
    alone = relaxation.unloaded.lam if now.elastic.preloads else np.zeros(now.elastic.m)
    for k, part in enumerate(parts):
        r[part.rows, k] = part.L @ (part.L.T @ lam[part.rows] - part.e)
        unloaded[part.rows, k] = part.L @ (part.L.T @ alone[part.rows])
    change = relaxation.respond(r - relaxation.tightened(-unloaded))
    columns = [now.components(column) for column in change.T]
    loads = now.components(lam)
    forces = {
        name: np.array([column[name] for column in columns]).reshape(len(parts), len(loads[name])).T for name in loads
    }
    verge = relaxation.solution.on_the_verge if relaxation.solution else ()
    names, labels = tuple(part.name for part in parts), {name: now.labels(name) for name in loads}
    return Sensitivity(names, lam, change, forces, loads, labels, now.eqs.system.axes, verge)


def bounds(
    source: Model | System | Equations, factor: float, state: State | None = None
) -> dict[str, dict[str, Floats]]:
    """Smallest and largest force of every joint when one stiffness at a time is known within a factor only.

    λ is a linear-fractional, hence monotone, function of one compliance of rank one: its two ends bound it.  With a
    part of higher rank it is a sum of such functions, which may have extrema in between: it is smooth in ln k,
    so that a Chebyshev series through few values represents it, with its extrema.  Where parts begin or cease to bear
    it has kinks: values at many places bound it then.

    joint → part → (2, 6): least and largest.
    """
    if not factor > 1:
        raise ReactioError(f"The factor is {factor:g}; a stiffness is known within a factor of more than 1.")
    now = instant(source, state)
    refuse_open(now.whole)
    intervals: dict[str, dict[str, Floats]] = {}
    for part in now.elastic.parts:
        if not part.is_flexible:
            continue
        x = _places(part, factor) if now.whole.solution is None else np.linspace(-1.0, 1.0, PLACES_WITH_GAPS)
        values = [now.components(now.relaxed(_scaled(now.elastic, part.name, factor**at)).lam) for at in x.tolist()]
        for name in values[0]:
            table = np.array([forces[name] for forces in values])
            smooth = now.whole.solution is None
            ends = [_extremes(x, column) if smooth else (column.min(), column.max()) for column in table.T]
            intervals.setdefault(name, {})[part.name] = np.array(ends).reshape(-1, 2).T
    return intervals


def _places(part: ElasticPart, factor: float) -> Floats:
    """Where on [−1, 1], of ln k over ln ``factor``, values are taken: the ends, and Chebyshev's points between them.

    Every term is analytic in a strip of height 2π about real ln k, so that a series of n terms on a half-width w errs
    by ρ⁻ⁿ, ρ = π/w + √(1 + π²/w²): 1e-8 and less.
    """
    if column_space(part.directions).shape[1] <= 1:
        return np.array([-1.0, 0.0, 1.0])
    w = math.pi / math.log(factor)
    count = 2 + math.ceil(8 * math.log(10) / math.log(w + math.hypot(1.0, w)))
    return -np.cos(np.linspace(0.0, math.pi, max(5, count)))


def _extremes(x: Floats, values: Floats) -> tuple[float, float]:
    """Least and largest value of a smooth function on [−1, 1], from values at Chebyshev's points with both ends."""
    least, largest = float(values.min()), float(values.max())
    if len(x) < 5 or largest - least <= ROUNDOFF * max(abs(least), abs(largest)):
        return least, largest
    series = np.polynomial.Chebyshev.fit(x, values, len(x) - 1, domain=(-1, 1))
    roots = series.deriv().roots()
    inside = roots[(np.abs(roots.imag) < 1e-6) & (np.abs(roots.real) <= 1)].real
    turned = series(inside)
    return min(least, float(turned.min(initial=least))), max(largest, float(turned.max(initial=largest)))


def _scaled(elastic: Elasticity, name: str, factor: float) -> Elasticity:
    """One part softer by a factor."""
    parts = (p.softer(factor) if p.name == name else p for p in elastic.parts)
    return replace(elastic, parts=tuple(parts))


@dataclass(frozen=True, eq=False)
class ToleranceEffects:
    """Joint loads from misfits within tolerances: each alone, all at their worst, and as independent deviations."""

    names: tuple[str, ...]
    each: Mapping[str, Floats]  # joint → (6, tolerances): change of force and moment for the full tolerance
    worst: Mapping[str, Floats]  # joint → (6,) Σ |change|
    likely: Mapping[str, Floats]  # joint → (6,) √Σ change²: tolerances as standard deviations
    sizes: Mapping[str, float]  # the tolerances themselves [m, rad, K]


def tolerance(
    source: Model | System | Equations, tolerances: Mapping[str, float], state: State | None = None
) -> ToleranceEffects:
    """The loads that misfits cause: Δλ = −N H⁻¹Nᵀ δ for seats that stand off by a tolerance, ``{"hinge2.z": 1e-4}``.

    >>> import reactio
    >>> found = tolerance(reactio.load("door", hinges=2, bushings=1), {"hinge2.z": 1e-4})
    >>> found.worst["hinge1"].round(3).tolist()[2]
    250.0
    """
    now = instant(source, state)
    return caused_by(now, tolerances, seat)


def caused_by(
    now: Instant, tolerances: Mapping[str, float], misfit: Callable[[Instant, str], Floats]
) -> ToleranceEffects:
    """The loads that tolerances cause, ``misfit`` being the δ (m,) of the rows for one unit of each."""
    refuse_open(now.whole)
    changes = [now.components(change) for change in misfit_changes(now, tolerances, misfit, now.whole.respond).T]
    joints = now.components(now.whole.lam)
    each = {joint: np.array([change[joint] for change in changes]).T for joint in joints}
    return ToleranceEffects(
        tuple(tolerances),
        each,
        {joint: np.abs(table).sum(axis=1) for joint, table in each.items()},
        {joint: np.sqrt((table**2).sum(axis=1)) for joint, table in each.items()},
        dict(tolerances),
    )


def misfit_changes(
    now: Instant,
    tolerances: Mapping[str, float],
    misfit: Callable[[Instant, str], Floats],
    close: Callable[[Floats], Floats],
) -> Floats:
    """(m, k) −close(δ): changes of λ by every tolerance alone, preloads tightened again; ``close`` closes gaps."""
    delta = np.array([size * misfit(now, name) for name, size in tolerances.items()]).T
    changes, alone = -close(delta + now.whole.tightened(delta)), now.whole.relax(delta)
    return np.where(np.abs(changes) > ROUNDOFF * np.abs(alone).max(axis=0, initial=0.0), changes, 0.0)


def seat(now: Instant, name: str) -> Floats:
    """The change of the rows (m,) by one unit of a component of a seat, ``hinge2.z``, or of a drive by its name."""
    joint, _, component = name.rpartition(".")
    system = now.eqs.system
    if name in system.group_index:
        joint, component = name, ""
    if joint not in system.group_index:
        raise ReactioError(f"There is no joint '{joint}'.{did_you_mean(joint, system.group_index)}")
    group = system.group(joint)
    D, rows = rows_of(now.eqs, group), np.arange(group.start, group.stop)
    if D is None and component not in ("", ALONG):
        raise ReactioError(f"'{joint}' has one misfit, along its own coordinate: write {joint}, not {name}.")
    if D is None or component in ("", ALONG):
        if len(rows) > 1:
            raise ReactioError(f"'{joint}' has {len(rows)} rows: name a component, as in {joint}.z.")
        return _placed(now, rows, column(now.eqs, group, ALONG, D))
    names = COMPONENTS[system.space]
    if component not in names:
        raise ReactioError(f"'{joint}' has no component '{component}'.{did_you_mean(component, names)}")
    return _placed(now, rows, column(now.eqs, group, component, D))


def _placed(now: Instant, rows: Any, values: Floats) -> Floats:
    delta = np.zeros(now.elastic.m)
    delta[rows] = values
    return delta


def corrected(source: Model | System | Equations | Instant, state: State | None = None) -> Floats:
    """λ (m,) with equilibrium on the displaced pose and the inertia of elastic motion: C(q ⊕ ξ)ᵀ λ = f′ − M ξ̈.

    Self-stresses and compliances are those of the rigid pose, where the rank is decided.
    """
    now = source if isinstance(source, Instant) else instant(source, state)
    relaxation = now.whole
    refuse_open(relaxation)
    system, before = now.eqs.system, now.eqs.state
    xi = now.displacements(relaxation)
    moved = equations(system, State(before.t, advance(system, before.q, xi), before.v))
    f = moved.Q - moved.M @ now.motion.solution - now.eqs.M @ elastic_acceleration(now, relaxation, xi)
    Ct = moved.C.T.toarray()
    N = _self_stresses(relaxation)
    lam = relaxation.lam
    across = np.eye(len(N)) - N @ np.linalg.pinv(N)
    for _ in range(3):  # the residual of self-stresses on the displaced pose is small, of the order of ξ
        along = N @ (np.linalg.pinv(N) @ lam)
        y = np.linalg.lstsq(Ct @ across, f - Ct @ along, rcond=SELF_STRESS_CUT)[0]
        lam = relaxation.settled(across @ y + along)
    return np.asarray(lam)


def _self_stresses(relaxation: Relaxation) -> Floats:
    """N (m, p) in the rows of C."""
    N = np.zeros((relaxation.elastic.m, sum(block.N.shape[1] for block in relaxation.pieces)))
    column = 0
    for block in relaxation.pieces:
        N[block.rows, column : column + block.N.shape[1]] = relaxation.problem.Dr[block.rows][:, None] * block.N
        column += block.N.shape[1]
    return N
