"""Time stepping of Moreau and Jean: impulses of contacts with friction over a step; no event is located."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.catalogue.units import quantity
from reactio.contact_motion.contact_system import ContactSystem
from reactio.contact_motion.impact import JUMP_ROUNDING, ImpactRecord
from reactio.errors import ReactioError
from reactio.events.event_functions import CABLE_ACTIONS, EventAction, EventKind, Occurrence
from reactio.integrate.rows import OutputRows
from reactio.kinematics.assemble import assemble
from reactio.linear.block_root import BlockRoots
from reactio.linear.convex.friction_cones import CONVERGED_RESIDUAL, ConeSolution, solve_cones
from reactio.linear.convex.least_distance import across
from reactio.linear.precision import ROUNDOFF, SINGULAR, SOLUTION
from reactio.model.events import CrossingDirection
from reactio.system.compile.contacts import CLOSED_GAP
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.evaluate.power import power_of_loads
from reactio.system.types import State
from reactio.topology.components import connected

# Relative change of the mean velocity of a step, which loads depend on, at which its iteration ends, and the most
# iterations: loads change little within a step, so that two or three suffice.
MEAN_VELOCITY_ROUNDING, MOST_MEAN_ITERATIONS = 1e-12, 5
# Iterations of the contact problem end at some 1e-10.  Below these parts are rounding: the cosine between friction and
# mean slip; entries of a self-stress and of rows on motions that joints admit; slips, relative to velocities at
# contacts, and distances from the limit of friction.
FRICTION_WORK_ROUNDING = SOLUTION
SELF_STRESS_ROUNDING = SOLUTION
SLIP_ROUNDING = SOLUTION
NORMAL, TANGENTIAL = 0, slice(1, None)  # components of the impulse and of the velocity of a contact, 1 + s in all


@dataclass(frozen=True, slots=True, eq=False)
class MoreauStep:
    """One time step: the state at its end, impulses and work."""

    state: State
    closed: Bools  # (c,) contacts that touch and do not open: they may bear, whether a rule gives them a share or not
    undecided: Bools  # (c,) contacts that slip while their normal forces are not unique
    first: Floats  # (c, 1 + s) impulses from which the next step starts [N s]
    lam: Floats  # (m,) of all rows of the whole system, means over the step [N, N m]
    work: float  # of contacts and drives [J]
    loads: float  # work of the loads without a potential along the mean velocity [J]
    solved: ConeSolution


@dataclass(frozen=True, slots=True, eq=False)
class SteppedMotion(OutputRows):
    """A motion in time steps; v̇ and λ, of all rows of the whole system, are means over the step that ends in a row."""

    contacts: ContactSystem
    active: Bools  # (k, c) contacts that are closed
    contact_work: Floats  # (k,) of contacts and drives since the start [J]
    steps: int
    residual: float  # largest residual of the contact problem [m/s]
    iterations: int  # most iterations of a step
    events: tuple[Occurrence, ...]  # contacts that close or open, by the end of the step in which they do
    impacts: tuple[ImpactRecord, ...]  # steps in which contacts closed
    undecided: tuple[str, ...]  # contacts that slipped while their normal forces were not unique
    first_undecided: float  # when that was first [s]
    ended: bool  # was the end reached?


class StepRow(NamedTuple):
    """The end of a step as a row of a motion, with mean forces over the step."""

    t: float
    q: Floats
    v: Floats
    vdot: Floats  # mean accelerations
    lam: Floats
    work: float  # of the loads without a potential since the start [J]
    active: Bools  # (c,) contacts that are closed
    contact_work: float  # of contacts and drives since the start [J]


def time_step(contacts: ContactSystem, state: State, h: float, before: Floats, undecided: Bools) -> MoreauStep:
    """One step of Moreau and Jean with the midpoint rule.

        q_m = q + h/2 v,   M (v⁺ − v) = h Q(q_m, v̄) + Gᵀ P − C_bᵀ p,   C_b v̄ = ν,   v̄ = (v + v⁺)/2,   q⁺ = q + h v̄
        0 ≤ P_n ⊥ ġ⁺ + e ġ⁻ ≥ 0,   |P_t| ≤ μ P_n,   P_t = −μ P_n U_t/|U_t| where the surfaces slip

    for all contacts that touch in q_m.  Joints closed at q are slightly open at q_m: v = v_m + w with v_m the nearest
    velocity that they admit there, and as they admit v̄, v⁺ = v_m⁺ − w.  Rates ġ⁻ and ġ⁺ are those of v_m and v_m⁺, for
    which two contacts of one pin have the same rate.  Joints at rest do no work then.
    ġ⁺ + ġ⁻ ≥ 0 for contacts that open (ġ⁻ > 0), so that no normal impulse does positive work.  Where friction would, as
    it may where a slip changes its sign within the step, its law holds for the mean of the slips U_t⁻ and U_t⁺.
    ``before`` (c, 1 + s): impulses of the step before; undecided (c,): contacts that are known to be undecided.
    Jean 1999, Comput. Methods Appl. Mech. Eng. 177, 235–257; Acary & Brogliato 2008, Sect. 10.1.
    """
    middle = _middle_of_step(contacts, state, h)
    return _end_of_step(middle, _solved_step(middle, h, before), h, undecided)


@dataclass(frozen=True, slots=True, eq=False)
class _MiddleOfStep:
    """A step at the pose in its middle, before its impulses are known; a of the c contacts touch there.

    Velocities are x = Lᵀv with M = L Lᵀ, in which kinetic energy is ½|x|².
    """

    start: float  # of the step [s]
    contacts: ContactSystem
    eqs: Equations  # with every contact as a row
    roots: BlockRoots  # L
    joints: _Joints
    active: Bools  # (c,) contacts that touch
    A: Floats  # (a, 1 + s, n) gap rates and slips of those that touch, on x
    free: Floats  # (a, 1 + s, n) the same less their projections on the rows of joints and drives
    x: Floats  # (n,) velocities before the step
    x_m: Floats  # (n,) the nearest ones that joints admit in the middle
    least: Floats  # (a,) terms that the law of contact adds to gap rates after the step [m/s]

    def loaded(self, x: Floats) -> Equations:
        """The equations in the middle with other velocities x (n,), on which loads may depend."""
        state = self.eqs.state
        return equations(self.contacts.whole, State(state.t, state.q, self.roots.velocities(x)))


def _middle_of_step(contacts: ContactSystem, state: State, h: float) -> _MiddleOfStep:
    """The contact problem of a step of the size h from a state."""
    whole, v = contacts.whole, state.v
    eqs = equations(whole, State(state.t + 0.5 * h, advance(whole, state.q, 0.5 * h * v), v))
    active = -contacts.scale * eqs.Phi[contacts.rows] <= CLOSED_GAP * contacts.length
    roots = BlockRoots.of(eqs.M, whole.body_v)
    assert roots is not None, "every body has mass"
    rows = roots.rows(eqs.work.C, whole.C_pattern, whole.m + 1)  # the last for slips that contacts do not have
    A = -rows[contacts.contact_rows[active]]
    joints = _Joints.of(rows[contacts.joint_rows], eqs.nu[contacts.joint_rows])
    x = roots.scaled(v)
    x_m = joints.allowed(x)
    rate = A[:, NORMAL] @ x_m
    rebound = contacts.restitution[active] * np.minimum(rate, 0.0)
    fall = -h * (A[:, NORMAL] @ roots.impulses(eqs.Q))
    # A contact that falls back within the step does not rebound; one that opens must not close over the whole step.
    least = np.where(-rebound > np.maximum(fall, 0.0), rebound, np.maximum(rate, 0.0))
    free = joints.free(A.reshape(-1, whole.n)).reshape(A.shape)
    return _MiddleOfStep(state.t, contacts, eqs, roots, joints, active, A, free, x, x_m, least)


class _SolvedStep(NamedTuple):
    """The solution of the contact problem of a step, with velocities x = Lᵀv."""

    cones: ConeSolution  # impulses of the contacts
    after: Floats  # (n,) velocities after the step
    mean: Floats  # (n,) mean velocities
    p: Floats  # (m_b,) impulses of joints and drives
    speed: float  # size of the velocities in the problem [m/s]
    loaded: Equations  # with the loads at the mean velocities


def _solved_step(middle: _MiddleOfStep, h: float, before: Floats) -> _SolvedStep:
    """Impulses and velocities of a step, by iterations on the mean velocities, with which loads change."""
    A, x = middle.A, middle.x
    added = np.zeros(A.shape[:2])  # to the velocities that the laws of contact and friction hold for
    added[:, NORMAL] = middle.least
    mean, loaded, before = x, middle.eqs, before[middle.active]
    driven, by_mean = (np.zeros(len(added), dtype=bool) for _ in range(2))
    # In each iteration but the last MOST_MEAN_ITERATIONS, the law of friction of a further contact takes its mean slip.
    for k in range(MOST_MEAN_ITERATIONS + len(added)):
        known, loaded = loaded.Q, middle.loaded(mean) if k else loaded
        # Loads that do not change with the velocity leave the step as it is.
        if k and not driven.any() and np.abs(loaded.Q - known).max() <= MEAN_VELOCITY_ROUNDING * np.abs(loaded.Q).max():
            break
        cones, after, p, speed = _velocities(middle, h * loaded.Q, added, before)
        change = float(np.abs(0.5 * (x + after) - mean).max(initial=0.0))
        mean, before = 0.5 * (x + after), cones.first
        driven = _driven_by_friction(cones.P, A @ mean, middle.free, CONVERGED_RESIDUAL * speed) & ~by_mean
        by_mean |= driven
        added[driven, TANGENTIAL] = A[driven, TANGENTIAL] @ middle.x_m
        converged = change <= MEAN_VELOCITY_ROUNDING * (1.0 + float(np.abs(mean).max(initial=0.0)))
        if not driven.any() and (converged or k + 1 >= MOST_MEAN_ITERATIONS):
            break
    return _SolvedStep(cones, after, mean, p, speed, loaded)


def _end_of_step(middle: _MiddleOfStep, solved: _SolvedStep, h: float, known: Bools) -> MoreauStep:
    """The state at the end of a step, with its impulses and work; known (c,): contacts found undecided before."""
    contacts, A, active = middle.contacts, middle.A, middle.active
    whole, shape = contacts.whole, contacts.contact_rows.shape
    P, first = np.zeros(shape), np.zeros(shape)
    v = middle.roots.velocities(solved.after)
    q = advance(whole, middle.eqs.state.q, 0.5 * h * v)
    P[active], first[active] = solved.cones.P, solved.cones.first
    velocities = A @ solved.mean
    work = float((solved.cones.P * velocities).sum()) - float(solved.p @ (middle.joints.B @ solved.mean))
    rising = A[:, NORMAL] @ (solved.after + middle.x - middle.x_m) + middle.least > SLIP_ROUNDING * solved.speed
    closed, undecided = (np.zeros(len(active), dtype=bool) for _ in range(2))
    closed[active] = ~rising | (solved.cones.P[:, NORMAL] > 0.0)
    asked = closed[active] & (contacts.friction[active] > 0.0)
    undecided[active] = _undecided(middle, solved.cones.P, velocities, asked, known[active])
    return MoreauStep(
        state=_closed(contacts, State(middle.start + h, q, v)),
        closed=closed,
        undecided=undecided,
        first=first,
        lam=_multipliers(contacts, P, solved.p) / h,
        work=work,
        loads=h * power_of_loads(whole.plan.efforts, solved.loaded.work),
        solved=solved.cones,
    )


def _driven_by_friction(P: Floats, velocities: Floats, free: Floats, rounding: float) -> Bools:
    """(a,) contacts whose friction does positive work along the mean velocities, as that of their component does.

    P (a, 1 + s): impulses; velocities (a, 1 + s); free (a, 1 + s, n): contacts that act on the same bodies share
    columns; rounding [m/s] of the velocities.  Feet that stick push against each other, one along the motion and one
    against it: the sum of their work counts.
    """
    tangential, slip = P[:, TANGENTIAL], velocities[:, TANGENTIAL]
    speed = np.linalg.norm(slip, axis=1)
    work, most = (tangential * slip).sum(axis=1), np.linalg.norm(tangential, axis=1) * speed
    gaining = (work > FRICTION_WORK_ROUNDING * most) & (speed > rounding)
    if not gaining.any():
        return np.asarray(gaining)
    contact, column = np.nonzero(free.any(axis=1))
    component = connected(len(P) + free.shape[2], contact, len(P) + column)[: len(P)]
    gains = np.bincount(component, work) > FRICTION_WORK_ROUNDING * np.bincount(component, most)
    return np.asarray(gains[component] & (work > 0.0))


def _multipliers(contacts: ContactSystem, P: Floats, p: Floats) -> Floats:
    """λ h (m,) of all rows, from the impulses of contacts P (c, 1 + s) and of joints p (m_b,)."""
    lam = np.zeros(contacts.whole.m + 1)  # and of the row that contacts have where they do not slip
    lam[contacts.contact_rows], lam[contacts.joint_rows] = P, p
    return lam[:-1]


@dataclass(frozen=True, slots=True, eq=False)
class _Joints:
    """Joints and drives at the midpoint of a step, for velocities x = Lᵀv with M = L Lᵀ: B x = ν, B = C_b L⁻ᵀ."""

    nu: Floats  # (m_b,)
    B: Floats  # (m_b, n)
    inverse: Floats  # B⁺ (n, m_b)
    V: Floats  # (rank, n) unit vectors that span the rows of B

    @classmethod
    def of(cls, B: Floats, nu: Floats) -> _Joints:
        """The joints and drives with rows B; dependent rows count once."""
        U, s, Vt = np.linalg.svd(B, full_matrices=False)
        kept = s > SINGULAR * s.max(initial=0.0)
        inverse = (Vt[kept].T / s[kept]) @ U[:, kept].T
        return cls(nu, B, inverse, Vt[kept])

    def allowed(self, x: Floats) -> Floats:
        """The nearest velocity to x (n,) that joints and drives admit."""
        return np.asarray(x + self.inverse @ (self.nu - self.B @ x))

    def free(self, A: Floats) -> Floats:
        """Rows A (k, n) less their projections on the rows of joints and drives."""
        return across(A, self.V) if len(self.V) else A


def _velocities(
    middle: _MiddleOfStep, impulse: Floats, added: Floats, before: Floats
) -> tuple[ConeSolution, Floats, Floats, float]:
    """Impulses of contacts, velocities x (n,) after the step, impulses of joints, and the size of velocities [m/s].

    impulse (n,) of the loads.  added (a, 1 + s): terms that the laws of contact and friction add to gap rates and slips
    after the step [m/s].
    before (a, 1 + s): impulses of the step before, whose contacts are tried first.
    """
    joints, contacts, A = middle.joints, middle.contacts, middle.A
    x = middle.x + middle.roots.impulses(impulse)
    x_b = joints.allowed(x)
    u = A @ x_b + added
    speed = float(np.abs(A @ x).max(initial=0.0)) + float(np.abs(u).max(initial=0.0)) + SOLUTION * contacts.length
    solved = solve_cones(middle.free, u, contacts.friction[middle.active], before, speed)
    if not solved.converged:
        raise ReactioError(
            f"The contact problem at t = {middle.eqs.state.t:.6g} s does not converge: {solved.iterations:,} steps of "
            f"Newton's method leave a residual of {quantity(solved.residual, 'm/s', 2)}, not "
            f"{quantity(CONVERGED_RESIDUAL * speed, 'm/s', 2)}. "
            "Contacts may jam: try another friction, restitution or --step."
        )
    after = x_b + np.einsum("ci,cij->j", solved.P, middle.free) - (middle.x - middle.x_m)
    balance = x + np.einsum("ci,cij->j", solved.P, A) - after  # left to the joints
    return solved, after, np.asarray(joints.inverse.T @ balance), speed


def _closed(contacts: ContactSystem, state: State) -> State:
    """The state with its joints closed again."""
    open_system = contacts.with_closed(())
    return assemble(open_system, state) if open_system.m else state


@dataclass(eq=False)
class _SteppedRun:
    """The rows and events of a run in time steps so far."""

    contacts: ContactSystem
    state: State
    first: Floats  # (c, 1 + s) impulses from which the next step starts [N s]
    rows: list[StepRow]
    events: list[Occurrence] = field(default_factory=list)
    impacts: list[ImpactRecord] = field(default_factory=list)
    undecided: dict[str, None] = field(default_factory=dict)  # contacts that slipped, in order of time
    first_undecided: float = np.inf  # [s]
    work: float = 0.0  # of contacts and drives [J]
    loads: float = 0.0  # work of the loads without a potential [J]
    residual: float = 0.0  # largest of the contact problems [m/s]
    iterations: int = 0  # most of a step
    steps: int = 0

    def advance(self, h: float, pushing: Bools, keep: bool) -> Bools:
        """One more step of the size h, kept as a row or not, after ``pushing`` (c,) contacts; those closed then."""
        known = np.array([name in self.undecided for name in self.contacts.names], dtype=bool)
        step = time_step(self.contacts, self.state, h, self.first, known)
        self.work, self.loads = self.work + step.work, self.loads + step.loads
        self.residual = max(self.residual, step.solved.residual)
        self.iterations = max(self.iterations, step.solved.iterations)
        for k in np.flatnonzero(step.undecided):
            self.undecided.setdefault(self.contacts.names[k], None)
            self.first_undecided = min(self.first_undecided, self.state.t)
        now = _end_row(self.state, step, h, self.work, self.loads)
        if not self.steps:  # the first step shows which of the contacts that touch at the start stay closed
            pushing = pushing & now.active
            self.rows[0] = self.rows[0]._replace(active=pushing)
        changes = _changes(self.contacts, pushing, now, len(self.rows))
        self.events += changes
        struck = tuple(event.name for event in changes if event.action in (EventAction.CLOSE, EventAction.TAUT))
        if struck:
            self.impacts.append(self._impact(step, struck, h))
        if keep:
            self.rows.append(now)
        self.state, self.first, self.steps = step.state, step.first, self.steps + 1
        return now.active

    def _impact(self, step: MoreauStep, struck: tuple[str, ...], h: float) -> ImpactRecord:
        """The record of a step in which contacts closed, with the impulses over the step."""
        before, after = self.state, step.state
        eqs, Lam = equations(self.contacts.whole, after), h * step.lam
        return ImpactRecord(
            t=after.t,
            q=after.q,
            v=before.v,
            v_after=after.v,
            struck=struck,
            closed=tuple(np.array(self.contacts.names)[step.closed].tolist()),
            f=np.asarray(eqs.C.T @ Lam),
            rounding=JUMP_ROUNDING * np.asarray(abs(eqs.C.T) @ np.abs(Lam)),
            work=step.work,
            row=len(self.rows),
            shares=Lam,
        )

    def motion(self, first: int, ended: bool) -> SteppedMotion:
        """The rows from the first that is wanted on as a motion."""
        columns = (np.array(part) for part in zip(*self.rows[first:], strict=True))
        rows: dict[str, Any] = dict(zip(StepRow._fields, columns, strict=True))
        last = len(rows["t"]) - 1
        return SteppedMotion(
            **rows,
            contacts=self.contacts,
            steps=self.steps,
            residual=self.residual,
            iterations=self.iterations,
            events=tuple(replace(event, row=min(event.row - first, last)) for event in self.events),
            impacts=tuple(replace(impact, row=min(impact.row - first, last)) for impact in self.impacts),
            undecided=tuple(self.undecided),
            first_undecided=float(self.first_undecided),
            ended=ended,
        )


def step_motion(
    contacts: ContactSystem,
    state: State,
    until: float,
    step: float,
    *,
    output: Floats | None = None,
    on_step: Callable[[float, int], object] | None = None,
) -> SteppedMotion:
    """The motion in time steps until a time [s]; rows at every step, or at those nearest to the times of output."""
    count = max(1, int(np.ceil((until - state.t) / step * (1 - ROUNDOFF))))
    times = np.minimum(state.t + step * np.arange(count + 1), until)
    kept = _output_steps(times, output)
    impulses = np.zeros(contacts.contact_rows.shape)
    run = _SteppedRun(contacts, state, impulses, [_start_row(contacts, state)])
    pushing = run.rows[0].active
    for k in range(1, count + 1):
        try:
            pushing = run.advance(float(times[k] - times[k - 1]), pushing, k in kept)
            if on_step is not None and on_step(run.state.t, k):
                break
        except KeyboardInterrupt:  # the rows that are done are a motion
            if on_step is None or len(run.rows) < 2:
                raise
            break
    return run.motion(0 if 0 in kept else 1, ended=run.steps == count)


def _changes(contacts: ContactSystem, before: Bools, now: StepRow, row: int) -> list[Occurrence]:
    """The contacts that begin or cease to push in a step; ``before`` (c,): those that did; row: the next one kept."""
    changes = []
    for k in np.flatnonzero(before != now.active):
        closes = (CrossingDirection.FALLING, EventAction.CLOSE)
        opens = (CrossingDirection.RISING, EventAction.OPEN)
        direction, action = closes if now.active[k] else opens
        name, kind = contacts.names[k], EventKind.CONTACT
        if name in contacts.cables:
            kind, action = EventKind.CABLE, CABLE_ACTIONS[action]
        changes.append(Occurrence(name, kind, now.t, direction, action, row, now.q, now.v, now.v))
    return changes


def _output_steps(times: Floats, output: Floats | None) -> set[int]:
    """The steps whose end is a row."""
    if output is None:
        return set(range(len(times)))
    nearest: Ints = np.abs(np.searchsorted(0.5 * (times[1:] + times[:-1]), output))
    return {int(k) for k in nearest}


def _start_row(contacts: ContactSystem, state: State) -> StepRow:
    """The start as a row, with forces and work zero."""
    whole, touches = contacts.whole, contacts.at(state).gap <= CLOSED_GAP * contacts.length
    return StepRow(state.t, state.q, state.v, np.zeros(whole.n), np.zeros(whole.m), 0.0, touches, 0.0)


def _end_row(before: State, step: MoreauStep, h: float, work: float, loads: float) -> StepRow:
    """The end of a step as a row, with mean forces over the step; work of contacts and of loads so far [J]."""
    now = step.state
    return StepRow(now.t, now.q, now.v, (now.v - before.v) / h, step.lam, loads, step.closed, work)


def _undecided(middle: _MiddleOfStep, P: Floats, velocities: Floats, closed: Bools, known: Bools) -> Bools:
    """(a,) contacts that slip while their normal impulses are not unique, on which their friction depends.

    Normal impulses are not unique where a combination of their rows is a combination of rows of joints.
    P (a, 1 + s); mean velocities (a, 1 + s); closed (a,): rough contacts that do not open; known (a,): those that are
    known to be undecided, which are not asked for again.
    """
    mu, normal = middle.contacts.friction[middle.active], P[:, NORMAL]
    at_limit = np.linalg.norm(P[:, TANGENTIAL], axis=1) >= mu * normal * (1 - SLIP_ROUNDING)
    slip = np.linalg.norm(velocities[:, TANGENTIAL], axis=1)
    slips = slip > SLIP_ROUNDING * float(np.abs(velocities).max(initial=0.0))
    asked = closed & at_limit & ((normal > 0.0) | slips)
    if not (asked & ~known).any():
        return np.zeros(len(P), dtype=bool)
    rough = np.flatnonzero(closed)
    _, s, Vt = np.linalg.svd(middle.free[rough, NORMAL].T)
    size = float(np.linalg.norm(middle.A[rough, NORMAL]))
    null = Vt[(s > SELF_STRESS_ROUNDING * size).sum() :]
    shared = rough[np.abs(null).max(axis=0, initial=0.0) > SELF_STRESS_ROUNDING]
    return np.asarray(asked & np.isin(np.arange(len(P)), shared))
