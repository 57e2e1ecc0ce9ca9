"""Simulation of contacts with friction in time steps, with its momentum and energy."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.catalogue.units import in_units, quantity, unit_name
from reactio.contact_motion.contact_system import ContactSystem, contact_system, rebounds, require_mass
from reactio.contact_motion.impact import JUMP_ROUNDING
from reactio.contact_motion.moreau import SteppedMotion, step_motion
from reactio.contact_motion.stiff_modes import refuse_stiff_modes
from reactio.errors import ReactioError, listed
from reactio.forward_dynamics.accelerate import Accelerations
from reactio.integrate.checkpoint import Checkpoint, Chunk, chunk_of
from reactio.integrate.integrator import checked_times
from reactio.integrate.options import RunRequest
from reactio.integrate.rows import rows_of
from reactio.integrate.status import Status
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.judge import JudgedState
from reactio.kernels import clock, expected_work
from reactio.linear.precision import ROUNDOFF
from reactio.model.model import Model
from reactio.simulation.contact_trajectory import ContactReactions, ContactTrajectory
from reactio.simulation.energy import energies
from reactio.simulation.energy_balance import ENERGY_ROUNDING, EnergyHistory
from reactio.simulation.with_contacts import start_with_contacts
from reactio.system.equations import equations
from reactio.system.evaluate.evaluation import evaluator_in_place
from reactio.system.types import State

DEFAULT_STEP = 1e-3  # [s] where none is given
LARGEST_ENERGY_IMBALANCE = 0.05  # part of the energy above which a note says that steps are too long
LEAST_ENERGY = ROUNDOFF  # [J] relative to which the energy error of a run at rest is given
SOLVER = "proximal Newton steps"  # for the contact problems
LEAST_IMPULSES = "minimum norm"  # the rule by which impulses that are not unique are shared


@dataclass(frozen=True, eq=False, repr=False)
class MeanReactions(ContactReactions):
    """Mean reactions over the step that ends in a row of a run in time steps; contacts that slip count as sticking."""

    depends_on_rule: bool = field(kw_only=True)  # does the motion depend on the rule?

    @cached_property
    def given(self) -> str | None:
        """The rule on which the motion itself depends."""
        return self.rule if self.depends_on_rule else None


@dataclass(frozen=True, eq=False, repr=False)
class SteppedTrajectory(ContactTrajectory):
    """A run in time steps; forces are means over a step."""

    step: float = field(kw_only=True)  # [s]
    active: Bools = field(kw_only=True)  # (k, c) contacts that are closed
    contact_work: Floats = field(kw_only=True)  # (k,) of contacts and drives since the start [J]
    residual: float = field(kw_only=True)  # largest residual of the contact problem [m/s]
    iterations: int = field(kw_only=True)  # most iterations of a step

    def closed(self, row: int) -> tuple[str, ...]:
        """The contacts that are closed in a row."""
        return tuple(name for name, on in zip(self.contacts.names, self.active[row], strict=True) if on)

    @property
    def closed_at_end(self) -> tuple[str, ...]:
        """The contacts that are closed at the end."""
        return self.closed(-1)

    def reactions_at(self, row: int) -> Reactions:
        """The mean reactions over the step that ends in a row."""
        row = range(len(self.t))[row]
        state, vdot, n = self.state(row), self.vdot[row], self.system.n
        eqs = equations(self.contacts.with_closed(self.closed(row)), state)
        parts = [self.lam[row, group.start : group.stop] for group in map(self.system.group, eqs.system.group_index)]
        lam = np.concatenate([*parts, np.zeros(0)])
        rounding = JUMP_ROUNDING * (abs(eqs.C.T) @ np.abs(lam))
        motion = Accelerations(vdot, eqs.C.T @ lam, rounding, np.zeros((n, 0)), ())
        # Without closed contacts and joints there are no multipliers to judge.
        answer = eqs.solvability if eqs.system.m else equations(self.system, state).solvability
        if eqs.system.m and not self.shares_by_steps:
            lam = JudgedState(eqs, answer, motion).reactions(self.rule).balanced
        return MeanReactions(
            eqs, motion, answer, self.rule, lam, whole=self.system, depends_on_rule=self.depends_on_rule
        )

    @property
    def shares_by_steps(self) -> bool:
        """Are reactions that are not unique shared as the time steps share them?"""
        return self.rule == LEAST_IMPULSES

    @property
    def last_reactions(self) -> Reactions:
        """The mean reactions over the last step."""
        return self.reactions_at(-1)

    @property
    def solver_words(self) -> tuple[str, ...]:
        """How the contact problems were solved, and the momentum."""
        p = ", ".join(f"{x:.5g}" for x in in_units(self.momentum(-1), "kg m/s"))
        return (
            f"Time steps of {self.step:g} s (Moreau and Jean); contact problems by {SOLVER}, residual at most "
            f"{quantity(self.residual, 'm/s', 2)} in at most {self.iterations:,} iterations. Forces are means over a "
            "step; where a contact strikes, that is its impulse divided by the step.",
            f"Forces and impulses that are not unique are shared by the rule '{self.rule}'{self._default_words}.",
            f"Momentum at the end: {p} {unit_name('kg m/s')}.",
        )

    @property
    def _default_words(self) -> str:
        """The effect of the default rule of time steps; empty where another one was named."""
        if not self.shares_by_steps:
            return ""
        return ", the default: smallest impulses of contacts, in their cones of friction, then of joints"

    @property
    def solver_data(self) -> dict[str, Any]:
        """The same as data, for JSON."""
        return {
            "step": self.step,
            "solver": SOLVER,
            "residual": self.residual,
            "iterations": self.iterations,
            "momentum": [self.momentum(row).tolist() for row in (0, -1)],
        }

    def momentum(self, row: int) -> Floats:
        """Linear momentum of all bodies in world axes [kg m/s]."""
        eqs, width = equations(self.system, self.state(row)), len(self.system.model.gravity)
        Mv = eqs.M @ self.v[row]
        return np.asarray(np.sum([Mv[i : i + width] for i in self.system.body_v[:-1]], axis=0), dtype=float)

    @cached_property
    def energy(self) -> EnergyHistory:
        """Energy at every row; the work is that of contacts, drives and loads, the rest is the error of the steps."""
        states = energies(self.system, self.t, self.q, self.v, np.zeros((len(self.t), self.system.m)))
        kinetic, potential, power = (
            np.array([getattr(e, k) for e in states]) for k in ("kinetic", "potential", "power")
        )
        rounding = ENERGY_ROUNDING * float(np.abs(potential).max(initial=0.0))
        return EnergyHistory(
            self.t, kinetic, potential, power, self.contact_work + self.work, self.contact_work, rounding, LEAST_ENERGY
        )


def simulate_in_steps(
    model: Model, request: RunRequest, step: float | None = None, *, state: State | None = None
) -> SteppedTrajectory:
    """The motion of a model with contacts and friction in time steps [s]."""
    h = DEFAULT_STEP if step is None else step
    if not (np.isfinite(h) and h > 0.0):
        raise ReactioError(f"step = {h:g} s: a time step is a positive number of seconds.")
    contacts = contact_system(model, stops=True, rough=True)
    require_mass(contacts)
    _refuse(contacts, request.options.rule)
    refuse_stiff_modes(contacts.model, h)
    start, notes = start_with_contacts(contacts, state)
    until, on_chunk = request.until, request.on_chunk
    times = None if request.output is None else checked_times(start, until, request.output)
    begun = clock()
    on_step = None if on_chunk is None else lambda t, k: on_chunk(_progress(contacts, t, k))
    # Four evaluations a step: its middle, loads at mean velocities, energy, and drift with gaps.
    with expected_work(contacts.whole.m, 4 * max(0.0, until - start.t) / h, contacts.whole.space):
        done = step_motion(contacts, start, until, h, output=times, on_step=on_step)
        run = _trajectory(done, request, h, clock() - begun, notes + contacts.member_words)
        error = run.energy.error
        return replace(run, energy_error=error, notes=run.notes + _coarse_words(error, h))


def _refuse(contacts: ContactSystem, rule: str | None) -> None:
    """Errors where a model has no bodies, events, final stops, joint friction, or a rule for rough contacts."""
    if not contacts.model.bodies:
        raise ReactioError(f"'{contacts.model.name}' has no bodies: nothing moves.")
    rough = np.flatnonzero(contacts.friction > 0.0)
    if rule is not None and len(rough):
        raise ReactioError(
            f"contact '{contacts.names[rough[0]]}' has friction, and the rule '{rule}' does not keep forces within its "
            f"cone: leave out the rule; time steps share by '{LEAST_IMPULSES}', within the cones."
        )
    if contacts.model.events or not all(map(rebounds, contacts.model.stops)):
        raise ReactioError(
            "The method moreau follows neither events nor end stops that end a run; leave them out, or give stops a "
            "`restitution`."
        )
    if len(contacts.whole.plan.friction.table):
        raise ReactioError("Friction in joints is not followed by the method moreau; leave it out, or use dop853.")


def _progress(contacts: ContactSystem, t: float, k: int) -> Chunk:
    """A step as a chunk without rows, for the progress bar."""
    at = Checkpoint(t, np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0), 0.0, steps=k)
    return chunk_of(Status.PAUSED, [], at)


def _trajectory(
    done: SteppedMotion, request: RunRequest, h: float, wall: float, notes: tuple[str, ...]
) -> SteppedTrajectory:
    """The run of a motion in time steps, with its drift and deepest overlap."""
    contacts = done.contacts
    end = Checkpoint(float(done.t[-1]), done.q[-1], done.v[-1], done.vdot[-1], done.lam[-1], h, steps=done.steps)
    checks = _row_checks(done)
    undecided = _undecided_words(done)
    return SteppedTrajectory(
        **rows_of(done),
        system=contacts.whole,
        until=request.until,
        status=Status.DONE if done.ended else Status.PAUSED,
        position_drift=checks.position_drift,
        velocity_drift=checks.velocity_drift,
        energy_error=None,
        wall_s=wall,
        checkpoint=end,
        notes=notes + undecided,
        events=done.events,
        impacts=done.impacts,
        depends_on_rule=bool(undecided),
        phases=(),
        penetration=checks.penetration,
        contacts=contacts,
        step=h,
        active=done.active,
        contact_work=done.contact_work,
        residual=done.residual,
        iterations=done.iterations,
        **{**asdict(request.options), "rule": request.options.rule or LEAST_IMPULSES},
    )


class _RowChecks(NamedTuple):
    """The largest errors over all rows of a run."""

    position_drift: float  # of joints and drives [m, rad]
    velocity_drift: float  # [m/s, rad/s]
    penetration: float  # deepest overlap of a contact [m]


def _row_checks(done: SteppedMotion) -> _RowChecks:
    """Drift of joints and overlap of contacts, evaluated at every row."""
    contacts, with_contacts = done.contacts, done.contacts.whole
    at, held = evaluator_in_place(with_contacts), contacts.joint_rows
    indptr, columns = with_contacts.C_pattern
    rows = np.repeat(np.arange(with_contacts.m), np.diff(indptr))
    worst = np.array([[0.0, 0.0, -np.inf]])
    for t, q, v in zip(done.t.tolist(), done.q, done.v, strict=True):
        work = at(t, q, v)
        rate = np.bincount(rows, work.C * v[columns], with_contacts.m) - work.nu
        depth = contacts.scale * work.Phi[contacts.rows]
        errors = [np.abs(part).max(initial=0.0) for part in (work.Phi[held], rate[held])]
        worst = np.maximum(worst, [*errors, depth.max(initial=-np.inf)])
    return _RowChecks(*worst[0].tolist())


def _coarse_words(error: float, h: float) -> tuple[str, ...]:
    """A note where the balance of energy shows that steps of h [s] are too long."""
    if error <= LARGEST_ENERGY_IMBALANCE:
        return ()
    return (f"The balance of energy is missed by {error:.0%}: steps of {h:g} s are too long. Take a smaller --step.",)


def _undecided_words(done: SteppedMotion) -> tuple[str, ...]:
    """A note where friction acts on normal forces that are not unique."""
    if not done.undecided:
        return ()
    names = listed(done.undecided)
    return (
        f"From t = {done.first_undecided:.6g} s on friction acts on normal forces that are not unique ({names}): the "
        f"motion may depend on how they share the load, which is by the rule '{LEAST_IMPULSES}' of impulses.",
    )
