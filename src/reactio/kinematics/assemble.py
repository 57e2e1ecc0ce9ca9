"""Assembly: from rough poses to a state that satisfies all constraints, or a verdict that none does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import GroupKind
from reactio.errors import AssemblyError, ModelError, ReactioError, did_you_mean, listed
from reactio.kinematics.body_state import body_state
from reactio.kinematics.velocities import admissible, change, weights, worst
from reactio.linear.least_norm import damped, least_norm
from reactio.linear.scaling import apply
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.geometry.accuracy import LARGEST_CLOSURE_ERROR, SURELY_OUTSIDE, GeometryAccuracy, known_accuracy
from reactio.system.types import State, System, require_system

CLOSED_RESIDUAL = 1e-12  # residuals below this part of the characteristic length, or of a radian, count as closed
# Where progress ends above CLOSED_RESIDUAL but below this, rounding is to blame and the state is accepted.
ACCEPTED_RESIDUAL = 1e-9
MOST_NEWTON_STEPS = 100
RESTARTS = 3
# Largest gap from which a geometry of finite accuracy is closed by Newton's steps alone, as part of the characteristic
# length: the pose that is meant lies near.
DIRECT_GAP = 0.1
TAKEN_BACK = 0.5  # part of a displacement that closing undoes where the displacement is no real motion
# Those steps at most, and the part of the gap that each may leave: in all 2⁻¹² of it, or the steps do not converge.
DIRECT_STEPS, GAP_LEFT = 12, 0.5


@dataclass(frozen=True, slots=True)
class Gap:
    """How far a joint, drive or coupling is from being satisfied."""

    name: str
    kind: GroupKind
    type: str
    size: float  # largest residual of its rows
    unit: str  # of that residual: m, rad, m/s or rad/s


@dataclass(frozen=True, slots=True, eq=False)
class AssemblyRecord:
    """An assembled state, and how far it is from the given one."""

    state: State
    steps: int  # of the position iteration
    gaps: tuple[Gap, ...]  # of the given pose, largest first
    moved: float  # largest displacement of a body origin [m]
    turned: float  # largest rotation of a body [rad]
    velocity_change: float  # of a centre of mass [m/s], or a rotation times the characteristic length, the largest
    violated: tuple[str, float, str] | None  # what the given velocities violate most, by how much, in which unit


def assemble(system: System, state: State | None = None, *, keep: Iterable[str] = (), t: float | None = None) -> State:
    """The nearest state that satisfies positions and velocities; bodies in ``keep`` stay put where that is possible.

    Poses are moved in small steps, each the shortest where a radian counts as the arc on the characteristic length;
    velocities are the nearest admissible ones in kinetic energy.

    >>> import reactio
    >>> state = reactio.assemble(reactio.build(reactio.load("slider-crank")))
    >>> round(float(state.v[2]), 6)
    100.0
    """
    return assembly_record(system, state, keep=keep, t=t).state


def assembly_record(
    system: System, state: State | None = None, *, keep: Iterable[str] = (), t: float | None = None
) -> AssemblyRecord:
    """The state of ``assemble`` with a record: steps, gaps of the given pose, displacements, changes of velocity.

    >>> import reactio
    >>> found = assembly_record(reactio.build(reactio.load("slider-crank")))
    >>> found.moved < 1e-12, found.velocity_change > 1.0
    (True, True)
    """
    require_system(system)
    given = state or system.state()
    time = given.t if t is None else t
    kept = _columns(system, keep)
    start = equations(system, State(time, given.q, given.v))
    q, steps = _positions(system, start, kept)
    closed = start if np.array_equal(q, given.q) else equations(system, State(time, q, given.v))
    v = _velocities(closed, given.v, kept)
    return AssemblyRecord(
        State(time, q, v),
        steps,
        gaps(start),
        *displacement(system, given.q, q),
        change(system, q, given.v, v),
        worst(system, closed.matrix @ given.v - closed.nu),
    )


def closed_pose(system: System, t: float, q: Floats, free: Floats | None = None) -> Floats:
    """The nearest pose that closes all joints; velocities have no part in it.

    ``free`` (n,) says by how much each velocity may take part, from 0 to 1.

    >>> import reactio
    >>> system = reactio.build(reactio.load("slider-crank"))
    >>> bool(abs(closed_pose(system, 0.0, system.q0) - system.q0).max() < 1e-9)
    True
    """
    eqs = equations(system, State(t, q, np.zeros(system.n)))
    return _positions(system, eqs, np.ones(system.n) if free is None else free)[0]


def displaced_pose(system: System, state: State, d: Floats) -> State | None:
    """The pose at a displacement d (n,), closed, at the time the motion has it; None where closing takes it back.

    Velocities are those of the state, and need not be admissible there.
    """
    speed = np.abs(state.v / system.column_scale).max(initial=0.0)
    size = np.abs(d / system.column_scale).max(initial=0.0)
    along = float(np.sign(d @ state.v)) * size / speed if speed else 0.0
    displaced = advance(system, state.q, d)
    try:
        q = closed_pose(system, state.t + along, displaced)
    except ReactioError:
        return None
    moved, turned = displacement(system, displaced, q)
    return None if max(moved / system.length, turned) > TAKEN_BACK * size else State(state.t + along, q, state.v)


def initial_state(system: System) -> State:
    """The state at which a model begins: as given, its last digits polished; poses that do not meet are an error.

    >>> import reactio
    >>> initial_state(reactio.build(reactio.load("table"))).t
    0.0
    """
    _refuse_wide_gaps(system)
    return assemble(system)


def initial_pose(system: System) -> State:
    """The pose at which a model begins, without its velocities, which may contradict each other where it is held.

    >>> import reactio
    >>> initial_pose(reactio.build(reactio.load("slider-crank"))).v.any()
    np.False_
    """
    _refuse_wide_gaps(system)
    q, _ = _positions(system, equations(system), np.ones(system.n))
    return State(0.0, q, np.zeros(system.n))


def _refuse_wide_gaps(system: System) -> None:
    eqs, known = equations(system), known_accuracy(system)
    meet = max(LARGEST_CLOSURE_ERROR, SURELY_OUTSIDE * known.relative if known else 0.0)
    wide = [g for g in gaps(eqs) if g.size > meet * (system.length if g.unit == "m" else 1.0)]
    if wide:
        raise _not_meeting(system, wide[0], len(wide))


def gaps(eqs: Equations) -> tuple[Gap, ...]:
    """The open position residuals of all groups, largest first; radians count on the characteristic length."""
    return _gaps(eqs.system, eqs.Phi, "")


def _gaps(system: System, residual: Floats, per: str) -> tuple[Gap, ...]:
    scaled = weights(system)[0] * np.abs(residual)
    found = []
    for group in system.groups:
        k = group.start + int(scaled[group.start : group.stop].argmax())
        if scaled[k] > CLOSED_RESIDUAL * system.length:
            gap = Gap(group.name, group.kind, group.type, abs(float(residual[k])), group.units[k - group.start] + per)
            found.append((scaled[k], gap))
    return tuple(gap for _, gap in sorted(found, key=lambda item: -item[0]))


def _not_meeting(system: System, gap: Gap, count: int) -> ModelError:
    from reactio.model.files.read import place_of

    section = {GroupKind.DRIVE: "drives", GroupKind.COUPLING: "couplings"}.get(gap.kind, "joints")
    others = f" ({count - 1} more {'does' if count == 2 else 'do'} not close either)" if count > 1 else ""
    source = system.model.source or system.model.name
    message = (
        f"{gap.kind} '{gap.name}' ({gap.type}) does not close at the given pose: "
        f"it is off by {gap.size:.4g} {gap.unit}{others}. "
        f"Correct the poses, or let `reactio assemble {source} -o mended.yaml` find some."
    )
    path = (section, gap.name)
    return ModelError(message, path, place_of(system.model, path))


def _columns(system: System, keep: Iterable[str]) -> Floats:
    """(n,) 0 for the velocities of bodies that stay put, else 1."""
    free = np.ones(system.n)
    for name in keep:
        if name not in system.model.body_index:
            raise ReactioError(f"There is no body '{name}' to keep.{did_you_mean(name, system.model.body_index)}")
        b = system.model.body_index[name]
        free[system.body_v[b] : system.body_v[b + 1]] = 0.0
    return free


def _positions(system: System, eqs: Equations, kept: Floats) -> tuple[Floats, int]:
    """Coordinates that close all joints: with the kept bodies fixed, then with all free, then from other starts."""
    q, t, known = eqs.state.q, eqs.state.t, known_accuracy(system)
    if known is not None and (firm := _firmly(system, eqs, kept, known)) is not None:
        return firm
    best, residual, steps = _descend(system, q, t, kept)
    if _closed(system, residual):
        return best, steps
    random = np.random.default_rng(0)
    rows, columns = weights(system)
    for attempt in range(RESTARTS + 1):
        nudge = 0.0 if attempt == 0 else 0.1 * 2.0**attempt * system.length
        begin = advance(system, q, nudge * columns * random.standard_normal(system.n)) if attempt else q
        found, new, more = _descend(system, begin, t, np.where(kept > 0, 1.0, 1e-3))
        steps += more
        if _closed(system, new):
            return found, steps
        if np.linalg.norm(new) < np.linalg.norm(residual):
            residual = new
    raise _contradiction(system, residual / rows, "")


def _firmly(system: System, eqs: Equations, kept: Floats, known: GeometryAccuracy) -> tuple[Floats, int] | None:
    """A pose near the given one whose joints close as well as the geometry is known; None where it is not near.

    Directions that the accuracy cannot tell from free ones are followed only where that closes all joints nearby.
    """
    rows, columns = weights(system)
    columns, t, q = columns * kept, eqs.state.t, eqs.state.q
    residual, before, steps = rows * eqs.Phi, np.inf, 0
    first = float(np.abs(residual).max(initial=0.0))
    while steps < DIRECT_STEPS:
        size = float(np.abs(residual).max(initial=0.0))
        if not CLOSED_RESIDUAL * system.length < size < GAP_LEFT * before:
            break
        if size > DIRECT_GAP * system.length:
            return None
        before, steps = size, steps + 1
        d = columns * least_norm(apply(eqs.matrix, rows, columns), -residual, known.closing_cut)
        eqs = equations(system, State(t, advance(system, eqs.state.q, d), np.zeros(system.n)))
        residual = rows * eqs.Phi
    q = eqs.state.q
    if _closed(system, residual):
        return q, steps
    exact, rest, more = _descend(system, q, t, kept)
    moved = max(displacement(system, q, exact)[0] / system.length, displacement(system, q, exact)[1])
    if _closed(system, rest) and moved <= first / system.length / known.closing_cut:
        return exact, steps + more
    return (q, steps) if np.abs(residual).max() <= SURELY_OUTSIDE * known.relative * system.length else None


def _closed(system: System, residual: Floats) -> bool:
    """Is what remains of Φ, in metres, rounding?"""
    return bool(np.abs(residual).max(initial=0.0) <= ACCEPTED_RESIDUAL * system.length)


def _contradiction(system: System, residual: Floats, per: str) -> AssemblyError:
    found = _gaps(system, residual, per)
    missed = listed([f"{g.kind} '{g.name}' is off by {g.size:.4g} {g.unit}" for g in found], most=8, between="; ")
    none, remedy = (
        ("no velocities satisfy", ". `reactio check` tells how far its dimensions are from ones that let it move.")
        if per
        else ("no pose nearby satisfies", ", or start from a pose closer to the wanted one.")
    )
    return AssemblyError(
        f"'{system.model.name}' cannot be assembled: {none} all constraints. At the best found "
        f"{missed}. Check the dimensions of these{remedy}"
    )


def _descend(system: System, q: Floats, t: float, free: Floats) -> tuple[Floats, Floats, int]:
    """Levenberg–Marquardt on the position constraints, C of any rank: q, what remains of Φ in metres, and steps."""
    rows, columns = weights(system)
    columns = columns * free
    still = np.zeros(system.n)
    eqs = equations(system, State(t, q, still))
    residual, mu = rows * eqs.Phi, 1e-4
    step = 0
    while step < MOST_NEWTON_STEPS and np.abs(residual).max(initial=0.0) > CLOSED_RESIDUAL * system.length:
        step += 1
        A = apply(eqs.matrix, rows, columns)
        # Near the solution the plain least-norm step is quadratic; damping is for the way there.
        near = np.linalg.norm(residual) < 1e-2 * system.length
        d = least_norm(A, -residual) if near else damped(A, -residual, mu)
        try:
            trial = equations(system, State(t, advance(system, q, columns * d), still))
        except ReactioError:
            mu *= 10
            continue
        new = rows * trial.Phi
        if np.linalg.norm(new) < np.linalg.norm(residual):
            small = np.linalg.norm(new) > 0.999 * np.linalg.norm(residual)
            q, eqs, residual, mu = trial.state.q, trial, new, max(mu / 10, 1e-12)
            if small and step > 20:
                break
            continue
        if near and not _closed(system, residual):
            d = damped(A, -residual, mu := max(mu, 1e-6) * 10)
            trial = equations(system, State(t, advance(system, q, columns * d), still))
            new = rows * trial.Phi
            if np.linalg.norm(new) < np.linalg.norm(residual):
                q, eqs, residual = trial.state.q, trial, new
                continue
        mu *= 10
        if mu > 1e8 or _closed(system, residual):
            break
    return q, residual, step


def _velocities(eqs: Equations, given: Floats, kept: Floats) -> Floats:
    v, wrong = admissible(eqs, given, kept)
    if np.any(wrong):
        raise _contradiction(eqs.system, wrong, "/s")
    return v


def displacement(system: System, before: Floats, after: Floats) -> tuple[float, float]:
    """Largest move [m] and turn [rad] of a body."""
    moved = turned = 0.0
    still = np.zeros(system.n)
    for b in range(len(system.model.bodies)):
        own = slice(system.body_q[b], system.body_q[b + 1])
        if np.array_equal(before[own], after[own]):
            continue
        old, new = (body_state(system, b, q, still) for q in (before, after))
        moved = max(moved, float(np.linalg.norm(new.position - old.position)))
        if len(old.orientation) == 1:
            turned = max(turned, abs(float(new.orientation[0] - old.orientation[0])))
        elif len(old.orientation) == 4:
            x, y = new.orientation / np.linalg.norm(new.orientation), old.orientation / np.linalg.norm(old.orientation)
            turned = max(turned, 2 * float(np.arccos(min(1.0, abs(float(x @ y))))))
    return moved, turned
