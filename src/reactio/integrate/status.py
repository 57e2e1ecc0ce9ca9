"""Statuses of runs, and reasons for which single states or steps are refused."""

from __future__ import annotations

from enum import Enum, IntEnum


class Status(Enum):
    """How a run ended."""

    DONE = "The end was reached."
    DRIFTED = (
        "The end was reached, but joints are open, or velocities violate constraints, by more than the tolerance of "
        "a run."
    )
    PAUSED = "The run was stopped before its end; it can be resumed from its checkpoint."
    NOT_FINITE = "A load, drive or joint gave a number that is not finite: check its functions, tables and poses."
    NOT_CLOSED = (
        "The joints cannot be closed any more: the mechanism is at the end of its reach, or a drive asks for too much."
    )
    NOT_MOVING = "No velocity satisfies all constraints: drives contradict each other or the mechanism locks."
    NOT_ACCELERATING = (
        "No acceleration satisfies all constraints: a singular pose, or drives that contradict each other."
    )
    JUMP_OR_BRANCH = (
        "A singular pose at which several motions are possible and the branches cannot be separated, or a drive that "
        "jumps. Make drives smooth, or start on the branch you want."
    )
    NEAR_SINGULAR = "A singular pose that steps cannot cross: the motion stays close to it, or steps are too short."
    INACCURATE = "The tolerance cannot be met: the motion is not smooth here, or the tolerance is below rounding."
    STIFF = "The motion is too stiff for explicit steps: use the method radau5 or auto."
    EVENT = "An event ended the run."
    RESTING = "A coordinate has come to rest on its end stop; lasting contact is not simulated."
    UNDETERMINED_MOTION = "Nothing holds a body without mass: its motion is not determined. Give it mass, or hold it."
    JAMMED = (
        "Friction is too large for its joint: friction and the reactions that it depends on have no solution, or "
        "several (Painlevé). Lower the coefficient or the radius, or let a body be flexible."
    )
    UNBALANCED = (
        "The sharing rule cannot balance the loads here: the equations it drops are needed. Drop others, or choose "
        "another rule."
    )
    FRICTION_NOT_UNIQUE = (
        "From here on friction acts on reactions that are not unique, and so the motion is not. Name a sharing rule."
    )


class Refusal(IntEnum):
    """Why a state, or a step, is refused; all but FINE and NO_ROOM are statuses of the runs that they end."""

    FINE = 0  # it is not refused
    NOT_FINITE = 1  # a number is not finite
    NOT_CLOSED = 2  # Φ = 0 cannot be satisfied
    NOT_MOVING = 3  # C v = ν cannot be satisfied
    NOT_ACCELERATING = 4  # C v̇ = Γ cannot be satisfied
    JUMP_OR_BRANCH = 5  # the projection corrects more than a step may be wrong
    INACCURATE = 6  # the error estimate exceeds the tolerance
    NEAR_SINGULAR = 7  # a stage or the end is near a singular configuration
    UNDETERMINED_MOTION = 8  # nothing determines the motion of a massless body
    JAMMED = 9  # friction efforts have no solution, or several
    UNBALANCED = 10  # the rows that a sharing rule keeps do not balance the loads
    NO_ROOM = 100  # the arrays of the implicit method have too few rows for all free directions; it takes larger ones


# The status of a run that ends because steps are refused.
STATUS_OF_REFUSAL: dict[int, Status] = {
    Refusal.FINE: Status.DONE,
    **{reason: Status[reason.name] for reason in Refusal if reason not in (Refusal.FINE, Refusal.NO_ROOM)},
}
