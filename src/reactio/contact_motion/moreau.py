"""Time stepping of Moreau and Jean: impulses of contacts with friction over a step; no event is located."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.contact_motion.contact_system import ContactSystem
from reactio.errors import ReactioError
from reactio.events.event_functions import EventAction, EventKind, Occurrence
from reactio.kinematics.assemble import assemble
from reactio.linear.block_root import inverse_root
from reactio.linear.connected import connected
from reactio.linear.convex.friction_cones import CONVERGED_RESIDUAL, ConeSolution, solve_cones
from reactio.linear.convex.least_distance import DEPENDENT, across
from reactio.model.events import CrossingDirection
from reactio.system.compile.contacts import CLOSED_GAP
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.evaluate.power import power_of_loads
from reactio.system.types import State

# Relative change of the mean velocity of a step, which loads depend on, at which its iteration ends, and the most
# iterations: loads change little within a step, so that two or three suffice.
MEAN_VELOCITY_ROUNDING, MOST_MEAN_ITERATIONS = 1e-12, 5
# Iterations of the contact problem end at some 1e-10.  Below these parts are rounding: the cosine between friction and
# mean slip; entries of a self-stress and of rows on motions that joints admit; slips, relative to velocities at
# contacts, and distances from the limit of friction.
FRICTION_WORK_ROUNDING = 1e-9
SELF_STRESS_ROUNDING = 1e-9
SLIP_ROUNDING = 1e-9
TIME_ROUNDING = 1e-12  # of the number of steps until the end: one more for so little would have no length
LEAST_CONTACT_SPEED = 1e-9  # [characteristic lengths per second]: velocities at contacts below it are rounding
NORMAL, TANGENTIAL = 0, slice(1, None)  # components of the impulse and of the velocity of a contact, 1 + s in all


@dataclass(frozen=True, slots=True, eq=False)
class MoreauStep:
    """One time step: the state at its end, impulses and work."""

    state: State
    active: Bools  # (c,) contacts that touch in the middle of the step
    undecided: Bools  # (c,) contacts that slip while their normal forces are not unique
    P: Floats  # (c, 1 + s) normal and tangential impulses [N s]
    lam: Floats  # (m,) of all rows of the whole system, means over the step [N, N m]
    work: float  # of contacts and drives [J]
    loads: float  # work of the loads without a potential along the mean velocity [J]
    solved: ConeSolution


@dataclass(frozen=True, slots=True, eq=False)
class SteppedMotion:
    """Rows of a motion in time steps; forces are means over the step that ends in a row."""

    contacts: ContactSystem
    t: Floats  # (k,)
    q: Floats  # (k, nq)
    v: Floats  # (k, n)
    vdot: Floats  # (k, n) mean accelerations
    active: Bools  # (k, c)
    lam: Floats  # (k, m) of all rows of the whole system
    work: Floats  # (k,) of contacts and drives since the start [J]
    loads: Floats  # (k,) work of the loads without a potential since the start [J]
    steps: int
    residual: float  # largest residual of the contact problem [m/s]
    iterations: int  # most iterations of a step
    events: tuple[Occurrence, ...]  # contacts that begin or cease to push, by the end of the step in which they do
    undecided: tuple[str, ...]  # contacts that slipped while their normal forces were not unique
    first_undecided: float  # when that was first [s]
    ended: bool  # was the end reached?


class StepRow(NamedTuple):
    """The end of a step as a row of a motion, with mean forces over the step."""

    t: float
    q: Floats
    v: Floats
    vdot: Floats  # mean accelerations
    active: Bools  # (c,) contacts that push
    lam: Floats
    work: float  # of contacts and drives since the start [J]
    loads: float  # of the loads without a potential since the start [J]


def time_step(contacts: ContactSystem, state: State, h: float, before: Floats) -> MoreauStep:
    """One step of Moreau and Jean with the midpoint rule.

        q_m = q + h/2 v,   M (v⁺ − v) = h Q(q_m, v̄) + Gᵀ P − C_bᵀ p,   C_b v̄ = ν,   v̄ = (v + v⁺)/2,   q⁺ = q + h v̄
        0 ≤ P_n ⊥ ġ⁺ + e ġ⁻ ≥ 0,   |P_t| ≤ μ P_n,   P_t = −μ P_n U_t/|U_t| where the surfaces slip

    for all contacts that touch in q_m.  Joints closed at q are slightly open at q_m: v = v_m + w with v_m the nearest
    velocity that they admit there, and as they admit v̄, v⁺ = v_m⁺ − w.  Rates ġ⁻ and ġ⁺ are those of v_m and v_m⁺, for
    which two contacts of one pin have the same rate.  Joints at rest do no work then.
    ġ⁺ + ġ⁻ ≥ 0 for contacts that open (ġ⁻ > 0), so that no normal impulse does positive work.  Where friction would, as
    it may where a slip changes its sign within the step, its law holds for the mean of the slips U_t⁻ and U_t⁺.
    ``before`` (c, 1 + s): impulses to start the iterations with.
    Jean 1999, Comput. Methods Appl. Mech. Eng. 177, 235–257; Acary & Brogliato 2008, Sect. 10.1.
    """
    middle = _middle_of_step(contacts, state, h)
    found = _solved_step(middle, h, before)
    return _end_of_step(middle, found, h, before.shape)


@dataclass(frozen=True, slots=True, eq=False)
class _MiddleOfStep:
    """A step at the pose in its middle, before its impulses are known; a of the c contacts touch there."""

    start: float  # of the step [s]
    contacts: ContactSystem
    eqs: Equations  # with every contact as a row
    joints: _Joints
    active: Bools  # (c,) contacts that touch
    G: Floats  # (c, 1 + s, n) rows of gap rates and slips; zero for contacts that do not touch
    v: Floats  # (n,) velocities before the step
    v_m: Floats  # (n,) the nearest ones that joints admit in the middle
    least: Floats  # (a,) what the law of contact adds to gap rates after the step [m/s]

    @property
    def directions(self) -> Floats:
        """G (a, 1 + s, n) of the contacts that touch."""
        return np.asarray(self.G[self.active])

    def at_velocity(self, v: Floats) -> Equations:
        """The equations in the middle with other velocities (n,), on which loads may depend."""
        return equations(self.contacts.whole, State(self.eqs.state.t, self.eqs.state.q, v))


def _middle_of_step(contacts: ContactSystem, state: State, h: float) -> _MiddleOfStep:
    """The contact problem of a step of the size h from a state."""
    whole, v = contacts.whole, state.v
    eqs = equations(whole, State(state.t + 0.5 * h, advance(whole, state.q, 0.5 * h * v), v))
    active = -contacts.scale * eqs.Phi[contacts.rows] <= CLOSED_GAP * contacts.length
    half = inverse_root(eqs.M, whole.body_v)
    assert half is not None, "every body has mass"
    joints = _Joints.of(contacts, eqs, half)
    v_m = np.asarray(half @ joints.allowed(half.T @ (eqs.M @ v)))
    rate = eqs.C[contacts.rows[active]] @ v_m * -1.0
    rebound = contacts.restitution[active] * np.minimum(rate, 0.0)
    fall = h * (eqs.C[contacts.rows[active]] @ (half @ (half.T @ eqs.Q)))
    # A contact that falls back within the step does not rebound; one that opens must not close over the whole step.
    least = np.where(-rebound > np.maximum(fall, 0.0), rebound, np.maximum(rate, 0.0))
    return _MiddleOfStep(state.t, contacts, eqs, joints, active, _directions(contacts, eqs, active), v, v_m, least)


class _SolvedStep(NamedTuple):
    """The solution of the contact problem of a step."""

    cones: ConeSolution  # impulses of the contacts
    after: Floats  # (n,) velocities after the step
    mean: Floats  # (n,) mean velocities
    p: Floats  # (m_b,) impulses of joints and drives
    loaded: Equations  # with the loads at the mean velocities


def _solved_step(middle: _MiddleOfStep, h: float, before: Floats) -> _SolvedStep:
    """Impulses and velocities of a step, by iterations on the mean velocities, with which loads change."""
    G, v = middle.directions, middle.v
    added = np.zeros(before[middle.active].shape)  # to the velocities that the laws of contact and friction hold for
    added[:, NORMAL] = middle.least
    mean, loaded = v, middle.eqs
    component = _contact_components(middle.joints.free(G.reshape(-1, len(v)) @ middle.joints.half), len(added))
    driven, by_mean = (np.zeros(len(added), dtype=bool) for _ in range(2))
    # In each iteration but the last MOST_MEAN_ITERATIONS, the law of friction of a further contact takes its mean slip.
    for k in range(MOST_MEAN_ITERATIONS + len(added)):
        known, loaded = loaded.Q, middle.at_velocity(mean) if k else loaded
        # Loads that do not change with the velocity leave the step as it is.
        if k and not driven.any() and np.abs(loaded.Q - known).max() <= MEAN_VELOCITY_ROUNDING * np.abs(loaded.Q).max():
            break
        cones, after, p = _velocities(middle, G, h * loaded.Q, added, before[middle.active])
        change = float(np.abs(0.5 * (v + after) - mean).max(initial=0.0))
        mean = 0.5 * (v + after)
        driven = _driven_by_friction(cones.P.reshape(added.shape), G, mean, component) & ~by_mean
        by_mean |= driven
        added[driven, TANGENTIAL] = G[driven, TANGENTIAL] @ middle.v_m
        converged = change <= MEAN_VELOCITY_ROUNDING * (1.0 + float(np.abs(mean).max(initial=0.0)))
        if not driven.any() and (converged or k + 1 >= MOST_MEAN_ITERATIONS):
            break
    return _SolvedStep(cones, after, mean, p, loaded)


def _end_of_step(middle: _MiddleOfStep, found: _SolvedStep, h: float, shape: tuple[int, ...]) -> MoreauStep:
    """The state at the end of a step, with its impulses P of a shape (c, 1 + s) and its work."""
    contacts, eqs, G, active = middle.contacts, middle.eqs, middle.G, middle.active
    whole, P = contacts.whole, np.zeros(shape)
    q = advance(whole, eqs.state.q, 0.5 * h * found.after)
    P[active] = found.cones.P.reshape(-1, shape[1])
    work = float(np.einsum("ci,cij,j->", P, G, found.mean)) - float(found.p @ (eqs.C[contacts.joint_rows] @ found.mean))
    speed = float(np.abs(middle.directions @ middle.v).max(initial=0.0))
    closed = active.copy()
    closed[active] = G[active, NORMAL] @ found.after + middle.least <= SLIP_ROUNDING * speed
    return MoreauStep(
        state=_closed(contacts, State(middle.start + h, q, found.after)),
        active=active,
        undecided=_undecided(middle.joints, G, P, contacts.friction, found.mean, closed),
        P=P,
        lam=_multipliers(contacts, P, found.p) / h,
        work=work,
        loads=h * power_of_loads(whole.plan.efforts, found.loaded.work),
        solved=found.cones,
    )


def _driven_by_friction(P: Floats, G: Floats, mean: Floats, component: Ints) -> Bools:
    """(c,) contacts whose friction does positive work along the mean velocity (n,), as that of their component does.

    P (c, 1 + s): impulses; component (c,): contacts that act on the same bodies.  Feet that stick push against each
    other, one along the motion and one against it: the sum of their work counts.
    """
    slip = G[:, TANGENTIAL] @ mean
    tangential = P[:, TANGENTIAL]
    work, most = (tangential * slip).sum(axis=1), np.linalg.norm(tangential, axis=1) * np.linalg.norm(slip, axis=1)
    gains = np.bincount(component, work) > FRICTION_WORK_ROUNDING * np.bincount(component, most)
    return np.asarray(gains[component] & (work > 0.0))


def _contact_components(free: Floats, c: int) -> Ints:
    """The connected component (c,) of each contact; rows free (c (1 + s), n) of connected ones share columns."""
    moves = np.abs(free).reshape(c, -1, free.shape[1]).max(axis=1, initial=0.0) if c else np.zeros((0, 0))
    first, second = np.nonzero(moves @ moves.T)
    return connected(c, first, second)


def _directions(contacts: ContactSystem, eqs: Equations, active: Bools) -> Floats:
    """(c, 1 + s, n) rows of the gap rate and of the slip of active contacts: those of −C, so that impulses are λ h."""
    G = np.zeros((len(active), 1 + _most_slips(contacts), contacts.whole.n))
    for k in np.flatnonzero(active):
        own = [contacts.rows[k], *contacts.slips[k]]
        G[k, : len(own)] = -eqs.C[own].toarray()
    return G


def _most_slips(contacts: ContactSystem) -> int:
    """s, the directions in which a contact may slip: none where all are smooth, one in the plane, two in space."""
    return max((len(rows) for rows in contacts.slips), default=0)


def _multipliers(contacts: ContactSystem, P: Floats, p: Floats) -> Floats:
    """λ h (m,) of all rows, from the impulses of contacts P (c, 1 + s) and of joints p (m_b,)."""
    lam = np.zeros(contacts.whole.m)
    lam[contacts.rows], lam[contacts.joint_rows] = P[:, NORMAL], p
    for rows, tangential in zip(contacts.slips, P[:, TANGENTIAL], strict=True):
        lam[rows] = tangential[: len(rows)]
    return lam


@dataclass(frozen=True, slots=True, eq=False)
class _Joints:
    """Joints and drives at the midpoint of a step, for velocities x = Lᵀv with M = L Lᵀ: B x = ν, B = C_b L⁻ᵀ."""

    half: Any  # L⁻ᵀ (n, n)
    nu: Floats  # (m_b,)
    B: Floats  # (m_b, n)
    inverse: Floats  # B⁺ (n, m_b)
    V: Floats  # (rank, n) unit vectors that span the rows of B

    @classmethod
    def of(cls, contacts: ContactSystem, eqs: Equations, half: Any) -> _Joints:
        """The joints and drives of a system at its state; dependent rows count once."""
        B = (eqs.C[contacts.joint_rows] @ half).toarray()
        U, s, Vt = np.linalg.svd(B, full_matrices=False)
        kept = s > DEPENDENT * s.max(initial=0.0)
        inverse = (Vt[kept].T / s[kept]) @ U[:, kept].T
        return cls(half, eqs.nu[contacts.joint_rows], B, inverse, Vt[kept])

    def allowed(self, x: Floats) -> Floats:
        """The nearest velocity to x (n,) that joints and drives admit."""
        return np.asarray(x + self.inverse @ (self.nu - self.B @ x))

    def free(self, A: Floats) -> Floats:
        """Rows A (k, n) less their projections on the rows of joints and drives."""
        return across(A, self.V)


def _velocities(
    middle: _MiddleOfStep, G: Floats, impulse: Floats, added: Floats, before: Floats
) -> tuple[ConeSolution, Floats, Floats]:
    """Impulses of contacts, velocities (n,) after the step, and impulses of joints, for an impulse (n,) of the loads.

    G (a, 1 + s, n): directions of the contacts that touch.  added (a, 1 + s): terms that the laws of contact and
    friction add to gap rates and slips after the step [m/s].  before (a, 1 + s): impulses to start iterations with.
    """
    eqs, joints, contacts = middle.eqs, middle.joints, middle.contacts
    x = joints.half.T @ (eqs.M @ middle.v + impulse)
    A = np.asarray(G.reshape(-1, G.shape[2]) @ joints.half)
    x_b, free = joints.allowed(x), joints.free(A)
    u = A @ x_b + added.ravel()
    speed = (
        float(np.abs(A @ x).max(initial=0.0))
        + float(np.abs(u).max(initial=0.0))
        + LEAST_CONTACT_SPEED * contacts.length
    )
    solved = solve_cones(free @ free.T, u, contacts.friction[middle.active], before.ravel(), speed)
    if not solved.converged:
        raise ReactioError(
            f"The contact problem at t = {eqs.state.t:.6g} s does not converge: {solved.iterations:,} iterations of "
            f"projected Gauss–Seidel and convex programmes leave a residual of {solved.residual:.2g} m/s, not "
            f"{CONVERGED_RESIDUAL * speed:.2g} m/s. Contacts may jam: try another friction, restitution or --step."
        )
    y = x_b + free.T @ solved.P
    after = np.asarray(joints.half @ y - (middle.v - middle.v_m))
    balance = x + A.T @ solved.P - joints.half.T @ (eqs.M @ after)  # left to the joints
    return solved, after, np.asarray(joints.inverse.T @ balance)


def _closed(contacts: ContactSystem, state: State) -> State:
    """The state with its joints closed again."""
    open_system = contacts.with_closed(())
    return assemble(open_system, state) if open_system.m else state


@dataclass(eq=False)
class _SteppedRun:
    """The rows and events of a run in time steps so far."""

    contacts: ContactSystem
    state: State
    P: Floats  # (c, 1 + s) impulses of the last step [N s]
    rows: list[StepRow]
    events: list[Occurrence] = field(default_factory=list)
    undecided: dict[str, None] = field(default_factory=dict)  # contacts that slipped, in order of time
    first_undecided: float = np.inf  # [s]
    work: float = 0.0  # of contacts and drives [J]
    loads: float = 0.0  # work of the loads without a potential [J]
    residual: float = 0.0  # largest of the contact problems [m/s]
    iterations: int = 0  # most of a step
    steps: int = 0

    def advance(self, h: float, pushing: Bools, keep: bool) -> Bools:
        """One more step of the size h, kept as a row or not, after ``pushing`` (c,) contacts; those that push then."""
        found = time_step(self.contacts, self.state, h, self.P)
        self.work, self.loads = self.work + found.work, self.loads + found.loads
        self.residual = max(self.residual, found.solved.residual)
        self.iterations = max(self.iterations, found.solved.iterations)
        for k in np.flatnonzero(found.undecided):
            self.undecided.setdefault(self.contacts.names[k], None)
            self.first_undecided = min(self.first_undecided, self.state.t)
        now = _end_row(self.state, found, h, self.work, self.loads)
        if not self.steps:  # the first step shows which of the contacts that touch at the start push
            pushing = pushing & now.active
            self.rows[0] = self.rows[0]._replace(active=pushing)
        self.events += _changes(self.contacts, pushing, now, len(self.rows))
        if keep:
            self.rows.append(now)
        self.state, self.P, self.steps = found.state, found.P, self.steps + 1
        return now.active

    def motion(self, first: int, ended: bool) -> SteppedMotion:
        """The rows from the first that is wanted on as a motion."""
        t, q, v, vdot, active, lam, work, loads = (np.array(part) for part in zip(*self.rows[first:], strict=True))
        return SteppedMotion(
            contacts=self.contacts,
            t=t,
            q=q,
            v=v,
            vdot=vdot,
            active=active,
            lam=lam,
            work=work,
            loads=loads,
            steps=self.steps,
            residual=self.residual,
            iterations=self.iterations,
            events=tuple(replace(event, row=min(event.row - first, len(t) - 1)) for event in self.events),
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
    count = max(1, int(np.ceil((until - state.t) / step * (1 - TIME_ROUNDING))))
    times = np.minimum(state.t + step * np.arange(count + 1), until)
    kept = _output_steps(times, output)
    impulses = np.zeros((len(contacts.names), 1 + _most_slips(contacts)))
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
        what = closes if now.active[k] else opens
        changes.append(Occurrence(contacts.names[k], EventKind.CONTACT, now.t, *what, row, now.q, now.v, now.v))
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
    return StepRow(state.t, state.q, state.v, np.zeros(whole.n), touches, np.zeros(whole.m), 0.0, 0.0)


def _end_row(before: State, found: MoreauStep, h: float, work: float, loads: float) -> StepRow:
    """The end of a step as a row, with mean forces over the step; work of contacts and of loads so far [J]."""
    now, active = found.state, found.P[:, NORMAL] > 0.0
    return StepRow(now.t, now.q, now.v, (now.v - before.v) / h, active, found.lam, work, loads)


def _undecided(joints: _Joints, G: Floats, P: Floats, mu: Floats, mean: Floats, closed: Bools) -> Bools:
    """(c,) contacts that slip while their normal impulses are not unique, on which their friction depends.

    Normal impulses are not unique where a combination of their rows is a combination of rows of joints.
    G (c, 1 + s, n), P (c, 1 + s), mu (c,), mean velocity (n,); closed (c,): contacts that do not open.
    """
    found, rough = np.zeros(len(mu), dtype=bool), np.flatnonzero(closed & (mu > 0.0))
    if not len(rough):
        return found
    N = G[rough, NORMAL] @ joints.half
    _, s, Vt = np.linalg.svd(joints.free(N).T)
    null = Vt[(s > SELF_STRESS_ROUNDING * np.linalg.norm(N)).sum() :]
    shared = rough[np.abs(null).max(axis=0, initial=0.0) > SELF_STRESS_ROUNDING]
    normal, tangential = P[shared, NORMAL], np.linalg.norm(P[shared, TANGENTIAL], axis=1)
    at_limit = tangential >= mu[shared] * normal * (1 - SLIP_ROUNDING)
    slip = np.linalg.norm(G[shared, TANGENTIAL] @ mean, axis=1)
    slips = slip > SLIP_ROUNDING * float(np.abs(G @ mean).max(initial=0.0))
    found[shared] = at_limit & ((normal > 0.0) | slips)
    return found
