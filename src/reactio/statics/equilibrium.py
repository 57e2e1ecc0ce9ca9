"""Poses of rest: where loads and springs do no work along the motions that the constraints admit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.forward_dynamics.multipliers import splitter
from reactio.integrate.contact_rows import refuse_slack_parts
from reactio.kinematics.assemble import closed_pose, initial_state
from reactio.kinematics.body_state import centre, elastic_state
from reactio.kinematics.source import system_and_state
from reactio.model.contacts import acts_one_way
from reactio.model.model import Model
from reactio.model.transform.compliant_contacts import with_compliant_contacts
from reactio.space.frames import origins_of_frames
from reactio.statics.equilibrium_pose import EquilibriumPose, NoEquilibrium
from reactio.statics.loads import equations_at_rest
from reactio.statics.nearest import nearest_to_start
from reactio.statics.newton import approach, descend
from reactio.statics.stiffness import (
    StabilityWord,
    freedoms_of,
)
from reactio.system.compile.build import build
from reactio.system.equations import Equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.plan import EFFORT_MEASURE
from reactio.system.types import State, System

SPREAD_EXPONENTS = (-0.5, 1.5)  # powers of ten of random displacements [characteristic lengths, rad]
SAME_POSE = 1e-5  # poses nearer than this are one [characteristic lengths, rad]


def equilibrium(source: Model | System | Equations, state: State | None = None, *, t: float = 0.0) -> EquilibriumPose:
    """The equilibrium pose that is reached downhill from the start, by Newton's method along the constraints.

        Tᵀ Q(q, v = 0) = 0,  Φ(q) = 0,      T = null(C)

    Drives are where they are at time ``t``.  In a model with contacts none of them overlaps or pulls there.  Where
    motions meet no stiffness, it is the pose of rest nearest to the start.
    Friction is left out: it may hold other poses too.

    >>> import reactio
    >>> rest = equilibrium(reactio.load("pendulum-twice"))
    >>> print(rest.stability)
    stable
    """
    if isinstance(source, Equations):
        start = system_and_state(source, state)
        return equilibrium(start.system, start.state)
    source = with_compliant_contacts(source) if isinstance(source, Model) else source
    system, rest = _search(source)
    given = state if state is not None else _start(system, t)
    return nearest_to_start(rest(given.t, given.q), given.q, rest)


def equilibria(source: Model | System, starts: int, seed: int = 0, *, t: float = 0.0) -> tuple[EquilibriumPose, ...]:
    """All poses of rest that are reached from the start and from random poses, each once; stable ones first.

    From random poses the search goes downhill, and by Newton's method to the nearest pose of rest, stable or not; in a
    model with contacts downhill only.
    """
    source = with_compliant_contacts(source) if isinstance(source, Model) else source
    system, rest = _search(source)
    first = _start(system, t)
    T = freedoms_of(equations_at_rest(system, first.t, first.q)).T
    rng, poses = np.random.default_rng(seed), list[EquilibriumPose]()
    searches = [rest] if isinstance(source, Model) and acts_one_way(source) else [rest, _nearby(system)]
    for k in range(max(1, starts)):
        displacement = _random_displacement(rng, T) if k else np.zeros(system.n)
        for search in searches if k else searches[:1]:
            try:
                pose = search(first.t, closed_pose(system, first.t, advance(system, first.q, displacement)))
            except ReactioError:  # not every random pose closes, or comes to rest
                continue
            if not any(_pose_distance(pose, known) < SAME_POSE for known in poses):
                poses.append(pose)
    if not poses:
        raise NoEquilibrium(
            f"No equilibrium of '{system.model.name}' was found from {starts} start{'s' * (starts > 1)}."
        )
    return tuple(sorted(poses, key=lambda pose: pose.stability is not StabilityWord.STABLE))


def _start(system: System, t: float) -> State:
    """The given pose with drives where they are at a time."""
    first = initial_state(system)
    return first if t == first.t else State(t, closed_pose(system, t, first.q), first.v)


def _random_displacement(rng: np.random.Generator, T: Floats) -> Floats:
    """A displacement (n,) along freedoms T (n, d), its size evenly spread over powers of ten."""
    return np.asarray(T @ rng.standard_normal(T.shape[1]) * 10 ** rng.uniform(*SPREAD_EXPONENTS))


def _search(source: Model | System) -> tuple[System, Callable[[float, Floats], EquilibriumPose]]:
    """The system of the start, and the search downhill from a pose (t, q)."""
    if isinstance(source, Model) and acts_one_way(source):
        from reactio.contact_motion.contact_system import contact_system
        from reactio.statics.on_contacts import descend_on_contacts

        contacts = contact_system(source)
        refuse_slack_parts(contacts.with_closed(()))
        return contacts.with_closed(()), lambda t, q: descend_on_contacts(contacts, t, q)
    system = source if isinstance(source, System) else build(source)
    refuse_slack_parts(system)
    return system, lambda t, q: _held_by_pushing(descend(equations_at_rest(system, t, q)))


def _nearby(system: System) -> Callable[[float, Floats], EquilibriumPose]:
    """The search from a pose (t, q) to the nearest one of rest, stable or not."""
    return lambda t, q: _held_by_pushing(approach(equations_at_rest(system, t, q)))


def _held_by_pushing(pose: EquilibriumPose) -> EquilibriumPose:
    """The pose; an error where rows of joints that can only push would have to pull to hold it."""
    eqs = pose.eqs
    if eqs.constraints.rows.unilateral:
        splitter(eqs, accelerations(eqs), eqs.solvability)
    return pose


def _pose_distance(first: EquilibriumPose, second: EquilibriumPose) -> float:
    """The distance of two poses, over frames, centres of mass, elastic coordinates and coordinates of springs.

    In characteristic lengths and radians.
    """
    system = first.eqs.system
    q, p = first.state.q, second.state.q
    far = [np.abs(centre(system, b, q) - centre(system, b, p)).max() for b in range(len(system.model.bodies))]
    for b in range(len(system.model.bodies)):
        bent, like = (elastic_state(system, b, x, np.zeros(system.n)).coordinates for x in (q, p))
        far.append(np.abs(bent - like).max(initial=0.0))
    if first.touching == second.touching:
        ends, starts = (origins_of_frames(pose.eqs.work.F) for pose in (first, second))
        far.append(np.abs(ends - starts).max(initial=0.0))
        sprung = system.plan.efforts.effort[:, EFFORT_MEASURE]
        far.append(np.abs(first.eqs.work.value[sprung] - second.eqs.work.value[sprung]).max(initial=0.0))
    return float(max(far)) / max(1.0, system.length)
