"""Which reactions of a model are unique."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.catalogue.units import quantity
from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import AssemblyError, ReactioError, listed
from reactio.joint_reactions.judge import JudgedState, judge
from reactio.joints import JOINTS_BY_SPACE
from reactio.kernels import CodeUse, expected_work, machine_code_use
from reactio.kinematics.assemble import initial_pose, initial_state
from reactio.kinematics.close import CLOSED_RESIDUAL, largest_residual
from reactio.kinematics.source import system_and_state
from reactio.model.accuracy import Accuracy
from reactio.model.contacts import slack_of
from reactio.model.model import Model
from reactio.model.plausibility import unheld
from reactio.results.deferred import deferred, deferring
from reactio.simulation.state_at import judge_at, state_at
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations, given_equations
from reactio.system.geometry.accuracy import with_accuracy
from reactio.system.geometry.rank_distance import geometry
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision, Solvability, Tolerances, solvability
from reactio.uniqueness.functional import SomeMultipliers
from reactio.uniqueness.scores import Verdicts

if TYPE_CHECKING:
    from reactio.joint_reactions.component_batches import ClearState

START_EVALUATIONS = 5  # work of a first question, in evaluations: the pose, its velocities, and verdicts there


def check(
    model: Model | System | Equations,
    state: State | None = None,
    *,
    t: float | None = None,
    method: str = "nullspace",
    exact: bool = False,
    tolerances: Tolerances | None = None,
    accuracy: Accuracy | str | float | tuple[float, float] | None = None,
    axes: str | None = None,
) -> Solvability:
    """The verdict on every joint, drive and coupling of a model at a state (default: its start).

    ``t`` follows the motion to that time [s] first.  ``accuracy`` of positions and axes of joints, "0.1 mm, 1 mrad":
    a geometry closer than that to an aligned one counts as aligned, and the answer says how close it is.
    ``axes`` of the components: "joint" (the default) or "world".

    >>> import reactio
    >>> answer = reactio.check(reactio.load("mobile-robot"))
    >>> answer.redundancy, answer["B"].verdict.value, answer["A"].verdict.value
    (2, 'partly unique', 'unique')
    """
    system, state = system_and_state(model, state)
    system = with_accuracy(system, accuracy)
    system = system.in_axes(axes or system.axes)
    if not system.m:
        raise ReactioError(f"'{system.model.name}' has no constraints: there is no reaction to judge.")
    if state is not None:
        eqs = equations(system, state)
        return deferring(
            verdicts(eqs, method, exact, tolerances), {"multipliers": lambda: _multipliers(lambda: judge(eqs))}
        )
    if not t and _usual(method, tolerances) and not exact and (answer := _clear_start(system)) is not None:
        return answer
    return verdicts_at(system, t, method, exact, tolerances)[1]


def _clear_start(system: System) -> Solvability | None:
    """The verdicts at the given pose, if its joints are closed and bounds leave no doubt; C depends on the pose alone.

    The velocities at the start, and whether reactions exist there, are worked out when notes or numbers are asked for.
    """
    with expected_work(system.m, START_EVALUATIONS, system.space):
        start = given_equations(system)
    if largest_residual(start) > CLOSED_RESIDUAL or (clear := _clear(start)) is None:
        return None

    @cache
    def whole() -> Solvability:
        return verdicts_at(system)[1]

    further = ("notes", "multipliers", "geometry")
    return deferring(_settled(start.constraints, clear, whole), _fields(whole, *further))


def _fields(whole: Callable[[], Any], *names: str) -> dict[str, Callable[[], Any]]:
    """Fields that are taken from a whole answer when they are needed."""
    return {name: partial(lambda name: getattr(whole(), name), name) for name in names}


def verdicts_at(
    system: System,
    t: float | None = None,
    method: str = "nullspace",
    exact: bool = False,
    tolerances: Tolerances | None = None,
) -> tuple[Equations, Solvability]:
    """The verdicts at the start, or at time t [s] of the motion, with a note where there are no reactions."""
    try:
        eqs, judged = _asked(system, t)
    except AssemblyError:
        if t:
            raise
        return _verdicts_of_pose(system, method, exact, tolerances)
    answer = verdicts(eqs, method, exact, tolerances)
    later = {
        "notes": lambda: (*answer.notes, *judged().notes, *lengths_from_pose(system), *unheld(system.model)),
        "multipliers": lambda: _multipliers(judged),
    }
    return eqs, deferring(answer, later)


def _asked(system: System, t: float | None) -> tuple[Equations, Callable[[], JudgedState]]:
    """The equations at the start, or at time t [s] of the motion; and whether reactions exist there, when asked."""
    if t:
        judged = judge_at(system, t)
        return judged.eqs, lambda: judged
    with expected_work(system.m, START_EVALUATIONS, system.space):
        eqs = equations(system, initial_state(system))
    return eqs, cache(lambda: judge(eqs))


def _verdicts_of_pose(
    system: System, method: str, exact: bool, tolerances: Tolerances | None
) -> tuple[Equations, Solvability]:
    """The verdicts at a pose in which no velocities satisfy the constraints: C depends on the pose alone."""
    eqs = equations(system, initial_pose(system))
    answer = verdicts(eqs, method, exact, tolerances)
    none = "No velocities satisfy all constraints: verdicts are those of the pose alone, and reactions have no values."
    notes = (*answer.notes, none, *_note_on_alignment(system), *lengths_from_pose(system), *unheld(system.model))
    return eqs, replace(answer, notes=notes)


def lengths_from_pose(system: System) -> tuple[str, ...]:
    """Notes on contacts, cables and struts without a length: they touch, or bear, at the given pose."""
    kinds = JOINTS_BY_SPACE[system.space]
    targets = system.plan.rows.target
    taken: dict[bool, list[str]] = {False: [], True: []}
    for joint in system.model.joints:
        kind, start = kinds.get(joint.type), system.group(joint.name).start
        taken[kind.is_one_way] += [
            f"{joint.name}.{row.target} = {quantity(row.sign * float(targets[start + k]) + 0.0, 'm', 6)}"
            for k, row in enumerate(kind.rows)
            if row.unilateral and row.target and joint.parameters.get(row.target) is None and not slack_of(joint) > 0.0
        ]
    words = {
        False: "Taken from the given pose, where these contacts are assumed to touch: {}. Give these lengths in the "
        "model to have a gap or an overlap of the pose reported.",
        True: "Taken from the given pose, where these cables and struts are assumed to be loaded: {}. Give these "
        "lengths in the model to have slack reported.",
    }
    return tuple(words[is_member].format(listed(names, most=6)) for is_member, names in taken.items() if names)


def _note_on_alignment(system: System) -> tuple[str, ...]:
    """A note on a driven mechanism that cannot move: an aligned geometry near its own, without the drives, that can."""
    free = build(replace(system.model, drives=()))
    if not free.m:
        return ()
    eqs = equations(free, initial_pose(free))
    aligned = geometry(eqs, eqs.solvability)
    if aligned is None or aligned.nearest is None:
        return ()
    near = aligned.nearest
    return (
        f"Without its drives it is {near.distance} from {near}: {listed(near.joints, most=3)}. State the accuracy of "
        "its dimensions (`accuracy:` in the model, --tolerance) to have it read as aligned.",
    )


def _multipliers(judged: Callable[[], JudgedState]) -> Callable[[], SomeMultipliers]:
    """Multipliers that balance the loads, computed when a value is needed."""

    @cache
    def found() -> SomeMultipliers:
        every = judged().reactions(None)
        exist = np.ones(every.eqs.system.m, dtype=bool)
        for name in every.motion.absent:
            group = every.eqs.system.group(name)
            exist[group.start : group.stop] = False
        return SomeMultipliers(every.balanced, exist)

    return found


def verdicts(
    eqs: Equations, method: str = "nullspace", exact: bool = False, tolerances: Tolerances | None = None
) -> Solvability:
    """The verdicts at one state; exact ones are those of the configuration, not of rounded numbers."""
    usual = _usual(method, tolerances)
    if usual and not exact and "solvability" not in vars(eqs) and (clear := _clear(eqs)) is not None:
        answer = _settled(eqs.constraints, clear, lambda: eqs.solvability)
        return deferring(answer, {"geometry": lambda: geometry(eqs, eqs.solvability)})
    answer = eqs.solvability if usual else solvability(eqs.constraints, method=method, tolerances=tolerances)
    if tolerances is None:
        answer = replace(answer, geometry=geometry(eqs, answer))
    if not exact:
        return answer
    from reactio.diagnosis.certify import certify

    return certify(answer, eqs)


def _usual(method: str, tolerances: Tolerances | None) -> bool:
    """Is a question asked with the default method and tolerances?"""
    return method == "nullspace" and tolerances is None


def _clear(eqs: Equations) -> ClearState | None:
    """The answer of bounds at a state, where there are kernels for them and they leave no doubt."""
    if machine_code_use() is CodeUse.PLAIN:
        return None
    from reactio.joint_reactions.component_batches import clear_state  # kernels that plain Python does not need

    return clear_state(eqs)


def _settled(matrix: ConstraintMatrix, clear: ClearState, whole: Callable[[], Solvability]) -> Solvability:
    """The answer of ``solvability`` at a state that bounds settle; numbers are those of the whole answer, when needed.

    In such a state the rows of every joint are independent, and nothing is in doubt.
    """
    sizes = matrix.rows.spans.sizes
    known = sizes - clear.free
    singular_values = ("sigma", "tol", "sigma_last_kept", "sigma_first_dropped", "scale")
    return deferred(
        Solvability,
        _fields(whole, "evidence", "tolerances"),
        matrix=matrix,
        notes=(),
        decision=deferred(
            RankDecision,
            _fields(lambda: whole().decision, *singular_values),
            rank=clear.rank,
            confident=True,
            alternatives=(),
        ),
        verdicts=deferred(
            Verdicts,
            _fields(lambda: whole().verdicts, "margin"),
            own=sizes,
            determined=known,
            low=known,
            high=known,
            multipliers_unique=clear.free == 0,
            doubt=np.zeros(len(sizes), dtype=np.int8),
        ),
    )


def state_of(system: System, t: float | None = None) -> State:
    """The state at which a model starts, or that at time t [s] of its motion."""
    return initial_state(system) if t is None or t == 0 else state_at(system, t)
