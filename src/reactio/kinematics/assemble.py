"""Assembly: from rough poses to a state that satisfies all constraints, or a verdict that none does."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity, unit_name
from reactio.constraint_matrix import GroupKind
from reactio.errors import AssemblyError, ModelError, ReactioError, did_you_mean, listed
from reactio.kinematics.body_state import body_state
from reactio.kinematics.close import (
    CLOSED_RESIDUAL,
    BodyCoordinates,
    ClosedPose,
    descend,
    displaced,
    largest_residual,
    least_norm_step,
    newton,
)
from reactio.kinematics.source import system_and_state
from reactio.kinematics.velocities import Violation, largest_change, largest_violation, nearest_admissible
from reactio.model.model import Model
from reactio.model.plausibility import MOST_TURNED
from reactio.system.equations import Equations, equations, given_equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.geometry.accuracy import LARGEST_CLOSURE_ERROR, SURELY_OUTSIDE, GeometryAccuracy, known_accuracy
from reactio.system.memo import memoised
from reactio.system.types import State, System, require_system

# Starts from other poses where the given one does not close; the k-th is displaced at random by some RESTART_SPREAD 2ᵏ
# characteristic lengths and radians.
RESTARTS, RESTART_SPREAD = 3, 0.1
KEPT_MOBILITY = 1e-3  # of a body that was to stay where it is, against that of the others, where none can stay
# Largest gap from which a geometry of finite accuracy is closed by Newton's steps alone, as part of the characteristic
# length: the pose that is meant lies near.
DIRECT_GAP = 0.1
DIRECT_STEPS = 12  # those steps at most: each leaves half of the gap or less, or steps of another kind are taken
TAKEN_BACK = 0.5  # part of a displacement that closing undoes where the mechanism has no finite motion along it


@dataclass(frozen=True, slots=True)
class Gap:
    """How far a joint, drive or coupling is from being satisfied."""

    name: str
    kind: GroupKind
    type: str
    size: float  # largest residual of its rows
    unit: str  # of that residual: m, rad, m/s or rad/s


class Displacement(NamedTuple):
    """How far a pose is from another."""

    moved: float  # largest displacement of a body origin [m]
    turned: float  # largest rotation of a body [rad]

    def scaled(self, length: float) -> float:
        """The larger of both, displacements in characteristic lengths."""
        return max(self.moved / length, self.turned)


@dataclass(frozen=True, slots=True, eq=False)
class AssemblyRecord:
    """An assembled state, and how far it is from the given one."""

    state: State
    steps: int  # of the position iteration
    gaps: tuple[Gap, ...]  # of the given pose, largest first
    moved: float  # largest displacement of a body origin [m]
    turned: float  # largest rotation of a body [rad]
    velocity_change: float  # of a centre of mass [m/s], or a rotation times the characteristic length, the largest
    violated: Violation | None  # the constraint that the given velocities violate most; None where they satisfy all


def assemble(
    system: Model | System | Equations,
    state: State | None = None,
    *,
    keep: Iterable[str] = (),
    t: float | None = None,
) -> State:
    """The nearest state that satisfies positions and velocities; bodies in ``keep`` do not move if that is possible.

    Poses are moved in small steps, each the shortest where a radian counts as the arc on the characteristic length;
    velocities are the nearest admissible ones in kinetic energy.

    >>> import reactio
    >>> state = reactio.assemble(reactio.load("slider-crank"))
    >>> round(float(state.v[2]), 6)
    100.0
    """
    system, state = system_and_state(system, state, is_guess=True)
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
    start = equations(system, State(given.t if t is None else t, given.q, given.v))
    return _assembled(start, _free_velocities(system, keep))


def _assembled(start: Equations, free: Floats) -> AssemblyRecord:
    """The record of an assembly from given equations; ``free`` (n,) says by how much each velocity may take part."""
    system, given = start.system, start.state
    pose = _closed_pose(start, free)
    q, steps = pose.eqs.state.q, pose.steps
    closed = start if np.array_equal(q, given.q) else equations(system, State(given.t, q, given.v))
    v = _velocities(closed, given.v, free)
    far = displacement(system, given.q, q)
    return AssemblyRecord(
        state=State(given.t, q, v),
        steps=steps,
        gaps=gaps(start),
        moved=far.moved,
        turned=far.turned,
        velocity_change=largest_change(system, q, given.v, v),
        violated=largest_violation(system, closed.matrix @ given.v - closed.nu),
    )


def closed_pose(system: System, t: float, q: Floats, free: Floats | None = None, *, restarts: int = RESTARTS) -> Floats:
    """The nearest pose that closes all joints, whatever the velocities.

    ``free`` (n,) says by how much each velocity may take part, from 0 to 1.  ``restarts`` is 0 where only a pose close
    to the given one is of use: other starts lead elsewhere, and take most of the time where no pose closes.

    >>> import reactio
    >>> system = reactio.build(reactio.load("slider-crank"))
    >>> bool(abs(closed_pose(system, 0.0, system.q0) - system.q0).max() < 1e-9)
    True
    """
    eqs = equations(system, State(t, q, np.zeros(system.n)))
    return _closed_pose(eqs, np.ones(system.n) if free is None else free, restarts).eqs.state.q


def displaced_pose(system: System, state: State, d: Floats) -> State | None:
    """The pose at a displacement d (n,) from a state, closed; None where closing undoes the displacement.

    Its time is that at which the motion of the state has gone as far.  Velocities are those of the state, and need not
    be admissible there.
    """
    speed = np.abs(state.v / system.column_scale).max(initial=0.0)
    size = np.abs(d / system.column_scale).max(initial=0.0)
    along = float(np.sign(d @ state.v)) * size / speed if speed else 0.0
    moved = advance(system, state.q, d)
    try:
        q = closed_pose(system, state.t + along, moved, restarts=0)
    except ReactioError:
        return None
    undone = displacement(system, moved, q).scaled(system.length)
    return None if undone > TAKEN_BACK * size else State(state.t + along, q, state.v)


def initial_state(system: System) -> State:
    """The state at which a model begins: as given, corrected in its last digits; open joints are an error.

    >>> import reactio
    >>> initial_state(reactio.build(reactio.load("table"))).t
    0.0
    """
    return initial_assembly(system).state


@memoised
def initial_assembly(system: System) -> AssemblyRecord:
    """The record of the assembly of the state at which a model begins; poses that do not meet are an error.

    >>> import reactio
    >>> initial_assembly(reactio.build(reactio.load("table"))).gaps
    ()
    """
    start = given_equations(system)
    refuse_wide_gaps(start)
    return _assembled(start, np.ones(system.n))


def initial_pose(system: System) -> State:
    """The pose at which a model begins, without its velocities, which may contradict each other where it is held.

    >>> import reactio
    >>> initial_pose(reactio.build(reactio.load("slider-crank"))).v.any()
    np.False_
    """
    start = given_equations(system)
    refuse_wide_gaps(start)
    return State(0.0, _closed_pose(start, np.ones(system.n)).eqs.state.q, np.zeros(system.n))


def refuse_wide_gaps(eqs: Equations) -> None:
    """An error where joints are open at the given pose by more than its digits explain."""
    system, known = eqs.system, known_accuracy(eqs.system)
    meet = max(LARGEST_CLOSURE_ERROR, SURELY_OUTSIDE * known.relative if known else 0.0)
    wide = [g for g in gaps(eqs) if _without_turns(g) > meet * (system.length if g.unit == "m" else 1.0)]
    if wide:
        raise _not_closing(system, wide[0], len(wide))


def _without_turns(gap: Gap) -> float:
    """The size of a gap; whole turns of an angle are none, for a body stands the same after them."""
    return abs(math.remainder(gap.size, math.tau)) if gap.unit == "rad" else gap.size


def gaps(eqs: Equations) -> tuple[Gap, ...]:
    """The open position residuals of all groups, largest first; radians count on the characteristic length."""
    return _gaps(eqs.system, eqs.Phi, "")


def _gaps(system: System, residual: Floats, per: str) -> tuple[Gap, ...]:
    """Residuals (m,) of positions, or of velocities with ``per`` "/s", beyond rounding, largest first."""
    scaled = np.abs(residual) / system.row_scale
    open_groups = []
    for group in system.groups:
        k = group.start + int(scaled[group.start : group.stop].argmax())
        if scaled[k] > CLOSED_RESIDUAL:
            gap = Gap(group.name, group.kind, group.type, abs(float(residual[k])), group.units[k - group.start] + per)
            open_groups.append((scaled[k], gap))
    return tuple(gap for _, gap in sorted(open_groups, key=lambda item: -item[0]))


def _not_closing(system: System, gap: Gap, count: int) -> ModelError:
    """The error about the widest of a number of gaps."""
    from reactio.model.files.read import place_of

    section = {GroupKind.DRIVE: "drives", GroupKind.COUPLING: "couplings"}.get(gap.kind, "joints")
    others = f" ({count - 1} more {'does' if count == 2 else 'do'} not close either)" if count > 1 else ""
    source = system.model.source or system.model.name
    if gap.kind == GroupKind.DRIVE:
        message = _drive_misses(system, gap, others)
        return ModelError(message, (section, gap.name), place_of(system.model, (section, gap.name)))
    message = (
        f"{gap.kind} '{gap.name}' ({gap.type}) does not close at the given pose: "
        f"it is off by {quantity(gap.size, gap.unit)}{others}. "
        f"Correct the poses, or let `reactio assemble {source} -o mended.yaml` find some."
    )
    path = (section, gap.name)
    return ModelError(message, path, place_of(system.model, path))


def _drive_misses(system: System, gap: Gap, others: str) -> str:
    """The error of a drive that does not start where its joint is, with the fitting value to all digits."""
    row = system.group(gap.name).start
    work, rows = evaluate(system, 0.0, system.q0, system.v0), system.plan.rows
    value = float(work.value[rows.measure[rows.start[row]]])
    start = value - float(work.Phi[row])
    along = next(drive.along for drive in system.model.drives if drive.name == gap.name)
    many = unit_name(gap.unit) == "rad" and abs(start) > MOST_TURNED
    degrees = f" ({math.degrees(value):.12g}°)" if unit_name(gap.unit) == "rad" else ""
    turns = f" {start:g} rad are {start / math.tau:.3g} turns; for degrees write radians({start:g})." if many else ""
    return (
        f"drive '{gap.name}' starts at {_all_digits(start, gap.unit)}, and {along} is at "
        f"{_all_digits(value, gap.unit)}{degrees} in the "
        f"given pose{others}.{turns} Let the function start there, write `function: hold` to keep that value, or let "
        f"`reactio assemble {system.model.source or system.model.name} -o mended.yaml` move the bodies."
    )


def _all_digits(x: float, unit: str) -> str:
    """A value that can be copied into the file."""
    return f"{x!r} {unit}" if unit_name(unit) == unit else quantity(x, unit, 15)


def _free_velocities(system: System, keep: Iterable[str]) -> Floats:
    """(n,) 0 for the velocities of bodies that stay where they are, else 1."""
    free = np.ones(system.n)
    for name in keep:
        if name not in system.model.body_index:
            raise ReactioError(f"There is no body '{name}' to keep.{did_you_mean(name, system.model.body_index)}")
        b = system.model.body_index[name]
        free[system.body_v[b] : system.body_v[b + 1]] = 0.0
    return free


def _closed_pose(eqs: Equations, free: Floats, restarts: int = RESTARTS) -> ClosedPose:
    """Coordinates that close all joints: with the kept bodies fixed, then with all free, then from other starts."""
    system, given, known = eqs.system, eqs, known_accuracy(eqs.system)
    if known is not None and (pose := _closed_within_accuracy(eqs, free, known)) is not None:
        return pose
    pose = descend(eqs, BodyCoordinates(free))
    if pose.is_closed:
        return pose
    best, steps = pose.residual, pose.steps
    random = np.random.default_rng(0)
    for attempt in range(0 if np.any(free < 1) else 1, restarts + 1):
        if attempt:
            eqs = displaced(given, RESTART_SPREAD * 2.0**attempt * random.standard_normal(system.n))
        pose = descend(eqs, BodyCoordinates(np.where(free > 0, 1.0, KEPT_MOBILITY)))
        steps += pose.steps
        if pose.is_closed:
            return pose._replace(steps=steps)
        if np.linalg.norm(pose.residual) < np.linalg.norm(best):
            best = pose.residual
    raise _contradiction(system, best * system.row_scale, "")


def _closed_within_accuracy(eqs: Equations, free: Floats, known: GeometryAccuracy) -> ClosedPose | None:
    """A pose near the given one whose joints close as well as the geometry is known; None where it is not near.

    Directions that are free within the accuracy are followed only where that closes all joints nearby.
    """
    system, first, cut = eqs.system, largest_residual(eqs), known.closing_cut
    if first > DIRECT_GAP:
        return None
    pose = newton(eqs, lambda at: displaced(at, least_norm_step(at, cut, free)), most=DIRECT_STEPS)
    if pose.is_closed:
        return pose
    exact = descend(pose.eqs, BodyCoordinates(free))
    moved = displacement(system, pose.eqs.state.q, exact.eqs.state.q).scaled(system.length)
    if exact.is_closed and moved <= first / cut:
        return exact._replace(steps=pose.steps + exact.steps)
    return pose if largest_residual(pose.eqs) <= SURELY_OUTSIDE * known.relative else None


def _contradiction(system: System, residual: Floats, per: str) -> AssemblyError:
    """The error about residuals (m,) of positions, or of velocities with ``per`` "/s", that stay."""
    open_groups = _gaps(system, residual, per)
    missed = listed(
        [f"{g.kind} '{g.name}' is off by {quantity(g.size, g.unit)}" for g in open_groups], most=8, between="; "
    )
    none, remedy = (
        ("no velocities satisfy", ". `reactio check` reports how far its dimensions are from ones that let it move.")
        if per
        else ("no pose nearby satisfies", ", or start from a pose closer to the wanted one.")
    )
    return AssemblyError(
        f"'{system.model.name}' cannot be assembled: {none} all constraints. At the best found "
        f"{missed}. Check the dimensions of these{remedy}"
    )


def _velocities(eqs: Equations, given: Floats, free: Floats) -> Floats:
    """The admissible velocities nearest to the given ones; an error where there are none."""
    v, residual = nearest_admissible(eqs, given, free)
    if np.any(residual):
        raise _contradiction(eqs.system, residual, "/s")
    return v


def displacement(system: System, before: Floats, after: Floats) -> Displacement:
    """How far a pose q (nq,) is from another."""
    moved = turned = 0.0
    still = np.zeros(system.n)
    for b in range(len(system.model.bodies)):
        part = slice(system.body_q[b], system.body_q[b + 1])
        if np.array_equal(before[part], after[part]):
            continue
        old, new = (body_state(system, b, q, still) for q in (before, after))
        moved = max(moved, float(np.linalg.norm(new.position - old.position)))
        if len(old.orientation) == 1:
            turned = max(turned, abs(float(new.orientation[0] - old.orientation[0])))
        elif len(old.orientation) == 4:
            x, y = new.orientation / np.linalg.norm(new.orientation), old.orientation / np.linalg.norm(old.orientation)
            turned = max(turned, 2 * float(np.arccos(min(1.0, abs(float(x @ y))))))
    return Displacement(moved, turned)
