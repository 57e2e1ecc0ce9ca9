"""Time stepping of Moreau and Jean: impulses of contacts with friction over a step; no event is located."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.contact_motion.contact_system import ContactSystem
from reactio.errors import ReactioError
from reactio.events.event_functions import EventAction, EventKind, Occurrence
from reactio.kinematics.assemble import assemble
from reactio.linear.block_root import inverse_root
from reactio.linear.connected import connected
from reactio.linear.friction_cones import CONVERGED_RESIDUAL, ConeSolution, solve_cones
from reactio.linear.least_distance import DEPENDENT, across
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
    touches: Bools  # (c,) contacts that push
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
    whole, v = contacts.whole, state.v
    q_m = advance(whole, state.q, 0.5 * h * v)
    eqs = equations(whole, State(state.t + 0.5 * h, q_m, v))
    active = -contacts.scale * eqs.Phi[contacts.rows] <= CLOSED_GAP * contacts.length
    G = _directions(contacts, eqs, active)
    half = inverse_root(eqs.M, whole.body_v)
    assert half is not None, "every body has mass"
    joints = _Joints.of(contacts, eqs, half)
    v_m = np.asarray(half @ joints.allowed(half.T @ (eqs.M @ v)))
    rate = eqs.C[contacts.rows[active]] @ v_m * -1.0
    rebound = contacts.restitution[active] * np.minimum(rate, 0.0)
    fall = h * (eqs.C[contacts.rows[active]] @ (half @ (half.T @ eqs.Q)))
    # A contact that falls back within the step does not rebound; one that opens must not close over the whole step.
    least = np.where(-rebound > np.maximum(fall, 0.0), rebound, np.maximum(rate, 0.0))
    added = np.zeros(before[active].shape)  # to the velocities that the laws of contact and friction hold for
    added[:, 0] = least
    mean, after, loaded = v, v, eqs
    component = _contact_components(joints.free(G[active].reshape(-1, whole.n) @ half), len(added))
    driven, by_mean = (np.zeros(len(added), dtype=bool) for _ in range(2))
    # In each iteration but the last MOST_MEAN_ITERATIONS, the law of friction of a further contact takes its mean slip.
    for k in range(MOST_MEAN_ITERATIONS + len(added)):
        known, loaded = loaded.Q, loaded if not k else equations(whole, State(state.t + 0.5 * h, q_m, mean))
        # Loads that do not change with the velocity leave the step as it is.
        if k and not driven.any() and np.abs(loaded.Q - known).max() <= MEAN_VELOCITY_ROUNDING * np.abs(loaded.Q).max():
            break
        solved, after, p = _velocities(
            contacts, eqs, joints, G[active], (v, v_m), h * loaded.Q, added, contacts.friction[active], before[active]
        )
        change = float(np.abs(0.5 * (v + after) - mean).max(initial=0.0))
        mean = 0.5 * (v + after)
        driven = _driven_by_friction(solved.P.reshape(added.shape), G[active], mean, component) & ~by_mean
        by_mean |= driven
        added[driven, 1:] = G[active][driven, 1:] @ v_m
        converged = change <= MEAN_VELOCITY_ROUNDING * (1.0 + float(np.abs(mean).max(initial=0.0)))
        if not driven.any() and (converged or k + 1 >= MOST_MEAN_ITERATIONS):
            break
    new = State(state.t + h, advance(whole, q_m, 0.5 * h * after), after)
    P = np.zeros(before.shape)
    P[active] = solved.P.reshape(-1, before.shape[1])
    work = float(np.einsum("ci,cij,j->", P, G, mean)) - float(p @ (eqs.C[contacts.held] @ mean))
    closed = active.copy()
    closed[active] = G[active, 0] @ after + least <= SLIP_ROUNDING * float(np.abs(G[active] @ v).max(initial=0.0))
    undecided = _undecided(joints, G, P, contacts.friction, mean, closed)
    loads = h * power_of_loads(whole.plan.pushes, loaded.work)
    lam = _multipliers(contacts, P, p) / h
    return MoreauStep(_closed(contacts, new), active, undecided, P, lam, work, loads, solved)


def _driven_by_friction(P: Floats, G: Floats, mean: Floats, component: Ints) -> Bools:
    """(c,) contacts whose friction does positive work along the mean velocity (n,), as that of their component does.

    P (c, 1 + s): impulses; component (c,): contacts that act on the same bodies.  Feet that stick push against each
    other, one along the motion and one against it: the sum of their work counts.
    """
    slip = G[:, 1:] @ mean
    work, most = (P[:, 1:] * slip).sum(axis=1), np.linalg.norm(P[:, 1:], axis=1) * np.linalg.norm(slip, axis=1)
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
    lam[contacts.rows], lam[contacts.held] = P[:, 0], p
    for rows, tangential in zip(contacts.slips, P[:, 1:], strict=True):
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
        B = (eqs.C[contacts.held] @ half).toarray()
        U, s, Vt = np.linalg.svd(B, full_matrices=False)
        kept = s > DEPENDENT * s.max(initial=0.0)
        inverse = (Vt[kept].T / s[kept]) @ U[:, kept].T
        return cls(half, eqs.nu[contacts.held], B, inverse, Vt[kept])

    def allowed(self, x: Floats) -> Floats:
        """The nearest velocity to x (n,) that joints and drives admit."""
        return np.asarray(x + self.inverse @ (self.nu - self.B @ x))

    def free(self, A: Floats) -> Floats:
        """Rows A (k, n) less their projections on the rows of joints and drives."""
        return across(A, self.V)


def _velocities(
    contacts: ContactSystem,
    eqs: Equations,
    joints: _Joints,
    G: Floats,
    velocity: tuple[Floats, Floats],
    impulse: Floats,
    added: Floats,
    mu: Floats,
    before: Floats,
) -> tuple[ConeSolution, Floats, Floats]:
    """Impulses of contacts, velocities after the step, and impulses of joints, for an impulse (n,) of the loads.

    velocity: v and v_m (n,); added (c, 1 + s): terms that the laws of contact and friction add to gap rates and slips
    after the step [m/s].
    """
    v, v_m = velocity
    x = joints.half.T @ (eqs.M @ v + impulse)
    A = np.asarray(G.reshape(-1, G.shape[2]) @ joints.half)
    x_b, free = joints.allowed(x), joints.free(A)
    u = A @ x_b + added.ravel()
    speed = float(np.abs(A @ x).max(initial=0.0)) + float(np.abs(u).max(initial=0.0)) + 1e-9 * contacts.length
    solved = solve_cones(free @ free.T, u, mu, before.ravel(), speed)
    if not solved.converged:
        raise ReactioError(
            f"The contact problem at t = {eqs.state.t:.6g} s does not converge: {solved.iterations:,} iterations of "
            f"projected Gauss–Seidel and convex programmes leave a residual of {solved.residual:.2g} m/s, not "
            f"{CONVERGED_RESIDUAL * speed:.2g} m/s. Contacts may jam: try another friction, restitution or --step."
        )
    y = x_b + free.T @ solved.P
    after = np.asarray(joints.half @ y - (v - v_m))
    balance = x + A.T @ solved.P - joints.half.T @ (eqs.M @ after)  # left to the joints
    return solved, after, np.asarray(joints.inverse.T @ balance)


def _closed(contacts: ContactSystem, state: State) -> State:
    """The state with its joints closed again."""
    open_system = contacts.with_closed(())
    return assemble(open_system, state) if open_system.m else state


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
    count = max(1, int(np.ceil((until - state.t) / step * (1 - 1e-12))))
    times = np.minimum(state.t + step * np.arange(count + 1), until)
    kept = _output_steps(times, output)
    P = np.zeros((len(contacts.names), 1 + _most_slips(contacts)))
    rows, done, loads = [_start_row(contacts, state)], 0.0, 0.0
    undecided: dict[str, None] = {}
    pushing, events = rows[0].touches, list[Occurrence]()
    residual, most, since, steps = 0.0, 0, np.inf, 0
    for k in range(1, count + 1):
        h = float(times[k] - times[k - 1])
        try:
            found = time_step(contacts, state, h, P)
            done, loads = done + found.work, loads + found.loads
            residual, most = max(residual, found.solved.residual), max(most, found.solved.iterations)
            for at in np.flatnonzero(found.undecided):
                undecided.setdefault(contacts.names[at], None)
                since = min(since, state.t)
            now = _end_row(state, found, h, (done, loads))
            if k == 1:  # the first step shows which of the contacts that touch at the start push
                pushing = pushing & now.touches
                rows[0] = rows[0]._replace(touches=pushing)
            events += _changes(contacts, pushing, now, len(rows))
            pushing = now.touches
            if k in kept:
                rows.append(now)
            state, P, steps = found.state, found.P, k
            if on_step is not None and on_step(state.t, k):
                break
        except KeyboardInterrupt:  # the rows that are done are a motion
            if on_step is None or len(rows) < 2:
                raise
            break
    first = 0 if 0 in kept else 1
    t, q, v, vdot, active, lam, work, by_loads = (np.array(part) for part in zip(*rows[first:], strict=True))
    return SteppedMotion(
        contacts,
        *(t, q, v, vdot, active, lam, work, by_loads),
        steps=steps,
        residual=residual,
        iterations=most,
        events=tuple(replace(event, row=min(event.row - first, len(t) - 1)) for event in events),
        undecided=tuple(undecided),
        first_undecided=float(since),
        ended=steps == count,
    )


def _changes(contacts: ContactSystem, before: Bools, now: StepRow, row: int) -> list[Occurrence]:
    """The contacts that begin or cease to push in a step; ``before`` (c,): those that did; row: the next one kept."""
    changes = []
    for k in np.flatnonzero(before != now.touches):
        closes = (CrossingDirection.FALLING, EventAction.CLOSE)
        opens = (CrossingDirection.RISING, EventAction.OPEN)
        what = closes if now.touches[k] else opens
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


def _end_row(before: State, found: MoreauStep, h: float, done: tuple[float, float]) -> StepRow:
    """The end of a step as a row, with mean forces over the step; done: work of contacts and of loads so far [J]."""
    now, pushes = found.state, found.P[:, 0] > 0.0
    return StepRow(now.t, now.q, now.v, (now.v - before.v) / h, pushes, found.lam, *done)


def _undecided(joints: _Joints, G: Floats, P: Floats, mu: Floats, mean: Floats, closed: Bools) -> Bools:
    """(c,) contacts that slip while their normal impulses are not unique, on which their friction depends.

    Normal impulses are not unique where a combination of their rows is a combination of rows of joints.
    G (c, 1 + s, n), P (c, 1 + s), mu (c,), mean velocity (n,); closed (c,): contacts that do not open.
    """
    found, rough = np.zeros(len(mu), dtype=bool), np.flatnonzero(closed & (mu > 0.0))
    if not len(rough):
        return found
    N = G[rough, 0] @ joints.half
    _, s, Vt = np.linalg.svd(joints.free(N).T)
    null = Vt[(s > SELF_STRESS_ROUNDING * np.linalg.norm(N)).sum() :]
    shared = rough[np.abs(null).max(axis=0, initial=0.0) > SELF_STRESS_ROUNDING]
    at_limit = np.linalg.norm(P[shared, 1:], axis=1) >= mu[shared] * P[shared, 0] * (1 - SLIP_ROUNDING)
    slip = np.linalg.norm(G[shared, 1:] @ mean, axis=1)
    slips = slip > SLIP_ROUNDING * float(np.abs(G @ mean).max(initial=0.0))
    found[shared] = at_limit & ((P[shared, 0] > 0.0) | slips)
    return found
