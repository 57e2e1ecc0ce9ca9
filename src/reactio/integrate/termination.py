"""Why a run ended early: the object, the numbers, the remedy; one sentence for each status.

The cause lies just after the last state of a run, so that a state extrapolated by 1e-8 s is examined too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.errors import ReactioError, listed
from reactio.forward_dynamics.accelerate import accelerations, determined_accelerations
from reactio.forward_dynamics.friction_check import undecided
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.dop853.run import STABILITY_LIMIT
from reactio.integrate.dop853.workspace import step_workspace
from reactio.integrate.nearness import MOST_DENSE_ENTRIES
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.status import Status
from reactio.integrate.stiffness import fastest_motion_at
from reactio.kinematics.assemble import assemble
from reactio.linear.precision import LOCATED
from reactio.sharing import problem, weights
from reactio.system.elasticity.compliance import elasticity
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

EXTRAPOLATION_TIME = 1e-8  # [s], as part of the time that is reached where that is more
LEAST_JUMP = LOCATED  # [m, rad]: larger residuals at the extrapolated state are jumps; a motion changes less in 1e-8 s
LEAST_NAMED_ENTRY = 0.1  # part of the largest entry of a singular vector above which joints are named


@dataclass(frozen=True, slots=True, eq=False)
class RunEnd:
    """The end of a run, with the options of its integration."""

    system: System
    at: Checkpoint
    options: IntegrationOptions

    @property
    def state(self) -> State:
        """Its last state."""
        return State(self.at.t, self.at.q, self.at.v)

    @property
    def ahead(self) -> State:
        """The state extrapolated by EXTRAPOLATION_TIME, not projected."""
        dt = EXTRAPOLATION_TIME * max(1.0, abs(self.at.t))
        return State(self.at.t + dt, advance(self.system, self.at.q, dt * self.at.v), self.at.v)


def reason_in_words(system: System, at: Checkpoint, options: IntegrationOptions, status: Status) -> tuple[str, ...]:
    """The sentence about a run that ended with a status, none for one that reached its end."""
    say = SENTENCES.get(status)
    if say is None:
        return ()
    with np.errstate(all="ignore"):
        return tuple(text for text in (say(RunEnd(system, at, options)),) if text)


def _refused(asked: Callable[[], object]) -> str:
    """The message of the error that a call raises, empty where it raises none."""
    try:
        asked()
    except ReactioError as error:
        return str(error)
    return ""


def _not_finite(end: RunEnd) -> str:
    """Numbers that are not finite, where ``undefined_functions`` has found no function that causes them."""
    return (
        f"After t = {end.at.t:.9g} s steps down to {end.at.h:.3g} s met a number that is not finite. Correct the "
        "function or table of a load, drive or joint there, or end the run earlier."
    )


def _body_of(system: System, column: int) -> str:
    """The body to which a velocity belongs."""
    return system.bodies_of(np.array([column]))[0]


def _not_closing(end: RunEnd) -> str:
    """The joints that no nearby pose closes, or the velocities that contradict each other."""
    return _refused(lambda: assemble(end.system, end.ahead))


def _not_accelerating(end: RunEnd) -> str:
    """The constraints that demand different accelerations, or the singular pose that makes them do so."""

    def ask() -> None:
        state = assemble(end.system, end.ahead)
        accelerations(equations(end.system, state), rule=end.options.rule)

    return _refused(ask) or _singular(end)


def _jump_or_branch(end: RunEnd) -> str:
    """The drives that jump, or the singular pose at which branches meet."""
    eqs = equations(end.system, end.ahead)
    jumps = []
    for group in end.system.groups:
        off = np.abs(eqs.Phi[group.start : group.stop])
        if off.max(initial=0.0) > LEAST_JUMP:
            jumps.append(f"{group.kind} '{group.name}' by {off.max():.4g} {group.units[int(off.argmax())]}")
    if jumps:
        return f"At t = {end.at.t:.6g} s there is a jump: {listed(jumps)}. Make the function smooth there."
    return _singular(end)


def _rows_of_unit_length(eqs: Equations) -> Floats:
    """C (m, n) on velocities in metres per second, each row of length one."""
    C = eqs.C.toarray() * eqs.system.column_scale
    return np.asarray(C / np.maximum(np.linalg.norm(C, axis=1, keepdims=True), 1e-300))


def _singular(end: RunEnd) -> str:
    """The smallest singular value of C that is not redundant, and the joints involved."""
    eqs = equations(end.system, end.state)
    if not 0 < end.system.m * end.system.n <= MOST_DENSE_ENTRIES:
        return ""
    U, sigma, _ = np.linalg.svd(_rows_of_unit_length(eqs))
    rank = eqs.solvability.rank
    least = max(min(rank, len(sigma)) - 1, 0)
    part = {g.name: float(np.abs(U[g.start : g.stop, least]).max()) for g in end.system.groups}
    names = sorted(
        (name for name in part if part[name] > LEAST_NAMED_ENTRY * max(part.values())), key=lambda name: -part[name]
    )
    return (
        f"At t = {end.at.t:.6g} s C has the rank {rank} and its smallest singular value, with rows of length one, is "
        f"{sigma[least]:.3g}: those of {listed(names)} are nearly dependent. {_remedy(end)}"
        "`reactio singular` shows the pose."
    )


def _remedy(end: RunEnd) -> str:
    """What helps near a singular pose: a state δ off the constraints has accelerations off by δ/s at the distance s."""
    if end.options.by.projects:
        return "Use a larger tolerance, another start or other dimensions; "
    return (
        f"The formulation {end.options.by.name} lets the state drift off the constraints, and errors of accelerations "
        "from that drift grow without bound towards the pose. A formulation that projects, as `projection`, passes it; "
    )


def _inaccurate(end: RunEnd) -> str:
    """The body with the largest acceleration, and the largest effort."""
    eqs, size = equations(end.system, end.state), np.abs(end.at.vdot)
    most = int(np.argmax(size / step_workspace(end.system).projection.metric.scale))
    unit = "rad/s²" if end.system.angular[most] else "m/s²"
    laws = zip(end.system.effort_owners, eqs.work.law.tolist(), strict=True)
    owner, effort = max(laws, key=lambda pair: abs(pair[1]), default=("", 0.0))
    force = f", and the largest effort is {effort:.3g}, of {owner}" if owner else ""
    return (
        f"At t = {end.at.t:.6g} s the step size fell to {end.at.h:.3g} s with tol = {end.options.tol:g}: body "
        f"'{_body_of(end.system, most)}' has the largest acceleration, {quantity(size[most], unit, 3)}{force}. "
        "Make functions smooth there, or enlarge tol."
    )


def _stiff(end: RunEnd) -> str:
    """The body whose motion is the fastest, and the steps that it would allow."""
    workspace = step_workspace(end.system)
    fastest = fastest_motion_at(end.system, workspace, end.at)
    most = int(np.argmax(np.abs(fastest.velocity) / workspace.projection.metric.scale))
    shortest = STABILITY_LIMIT / max(fastest.eigenvalue, 1e-300)
    return (
        f"At t = {end.at.t:.6g} s the fastest part of the motion, that of body '{_body_of(end.system, most)}', has "
        f"|λ| = {fastest.eigenvalue:.3g} 1/s: explicit steps would be shorter than {shortest:.1g} s. Use the method "
        "radau5 or auto."
    )


def _undetermined_motion(end: RunEnd) -> str:
    """The massless bodies that nothing holds."""
    for state in (end.state, end.ahead):
        text = _refused(partial(determined_accelerations, equations(end.system, state)))
        if text:
            return text
    massless = [f"'{body.name}'" for body in end.system.model.bodies if not body.mass or not any(body.inertia or (1,))]
    return (
        f"At t = {end.at.t:.6g} s nothing holds {listed(massless)} in a direction without mass. Give mass and "
        "inertia, or hold it."
    )


def _jammed(end: RunEnd) -> str:
    """The joints whose friction jams."""
    state = assemble(end.system, end.ahead)
    return _refused(lambda: accelerations(equations(end.system, state), rule=end.options.rule))


def _unbalanced(end: RunEnd) -> str:
    """The rows that the sharing rule drops, and the smallest singular value of C with and without them."""
    eqs = equations(end.system, end.state)
    answer = eqs.solvability
    by = weights(
        problem(eqs.constraints, np.zeros(end.system.n), eqs.M, answer, None, lambda: elasticity(eqs)),
        end.options.rule or "",
    )
    labels = [f"{group.name}.{label}" for group in end.system.groups for label in group.labels]
    dropped = [label for label, kept in zip(labels, by.kept, strict=True) if not kept]
    C = _rows_of_unit_length(eqs)
    of_all, of_kept = (np.linalg.svd(part, compute_uv=False)[answer.rank - 1] for part in (C, C[by.kept > 0]))
    return (
        f"At t = {end.at.t:.6g} s the rule '{by.rule}' drops {listed(dropped)}: without, the smallest singular "
        f"value falls from {of_all:.3g} to {of_kept:.3g}. Drop others, or choose another rule."
    )


def _friction_not_unique(end: RunEnd) -> str:
    """The joints whose friction depends on reactions that are not unique."""
    joints = undecided(equations(end.system, end.state))
    texts = [f"Friction in joint '{name}' at t = {end.at.t:.6g} s: {why}" for name, why in joints[:6]]
    return " ".join([*texts, "Name a sharing rule, or keep friction to joints with unique reactions."])


SENTENCES: dict[Status, Callable[[RunEnd], str]] = {
    Status.NOT_FINITE: _not_finite,
    Status.NOT_CLOSED: _not_closing,
    Status.NOT_MOVING: _not_closing,
    Status.NOT_ACCELERATING: _not_accelerating,
    Status.JUMP_OR_BRANCH: _jump_or_branch,
    Status.NEAR_SINGULAR: _singular,
    Status.INACCURATE: _inaccurate,
    Status.STIFF: _stiff,
    Status.UNDETERMINED_MOTION: _undetermined_motion,
    Status.JAMMED: _jammed,
    Status.UNBALANCED: _unbalanced,
    Status.FRICTION_NOT_UNIQUE: _friction_not_unique,
}
