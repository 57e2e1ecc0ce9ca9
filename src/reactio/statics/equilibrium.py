"""The pose of rest: where loads and springs have no work left to do along the constraints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.assemble import closed_pose, initial_state
from reactio.kinematics.body_state import centre, elastic_parts
from reactio.model.specs import Contact, Model
from reactio.statics.loads import standing
from reactio.statics.stiffness import STEP, Along, Stability, Stiffness, along, differences, stability, stiffness
from reactio.system.compile.build import build
from reactio.system.evaluate.equations import Equations, advance
from reactio.system.types import State, System

MOST_REST_STEPS = 200  # steps to a pose of rest
REST = 1e-10  # part of the loads that may be left along the freedoms
ROUNDED = 1e-14  # [characteristic lengths, rad]: what a stiff spring makes of a smaller displacement is rounding
# Of a first step [characteristic lengths, rad]: farther off a second-order model may say little.
LARGEST_FIRST_STEP = 0.3
LONGEST_STEP = 30.0  # of any step
FAR_FROM_REST = 1e3  # [characteristic lengths, rad]: who has come so far does not come to rest
TRUE = 0.25  # part of the loads by which a second-order model may be wrong after a step, for a longer one to be next
HALVINGS = 40  # of a step that goes uphill
STIFF = 1e2  # times the loads, per length or radian: springs that hardly give way
LEAST_STIFFNESS = 1e-8  # part of the loads: no smaller stiffness is divided by
SCATTER = (-0.5, 1.5)  # powers of ten of random displacements [characteristic lengths, rad]
SAME_POSE = 1e-5  # poses nearer than this are one [characteristic lengths, rad]


class NoRest(ReactioError):
    """A mechanism that finds no pose of rest."""


@dataclass(frozen=True, eq=False)
class Rest:
    """A pose of rest, and what holds it there."""

    at: Along
    found: Stiffness
    steps: int
    touching: tuple[str, ...] = ()  # contacts that are closed
    weak: Along | None = None  # without closed contacts that carry nothing, where there are such
    contacts: tuple[Contact, ...] = ()  # all of the model

    @property
    def eqs(self) -> Equations:
        """The equations of the pose that is held: C v̇ = 0."""
        return self.at.eqs

    @property
    def state(self) -> State:
        """The pose, without velocities."""
        return self.eqs.state

    @property
    def stiffness(self) -> Floats:
        """(d,) along the freedoms, smallest first [J per characteristic length or radian, squared]."""
        return self.found.principal()[0]

    @property
    def residual(self) -> float:
        """Load left along the freedoms, as part of the largest load."""
        return float(np.abs(self.at.g).max(initial=0.0)) / (self.at.loads or 1.0)

    @cached_property
    def judged(self) -> Stability:
        """Stable or not, with a reason."""
        own = stability(self.at, self.found)
        if self.weak is None or own.word != "stable":
            return own
        wider = stability(self.weak, stiffness(self.weak))
        if wider.word == "stable":
            return own
        return Stability("undecided", "A closed contact carries nothing: what it does when it opens decides.", ())

    @property
    def stability(self) -> str:
        """``stable``, ``neutral`` where some motion meets no stiffness, ``unstable``, or ``undecided``."""
        return self.judged.word


@dataclass(frozen=True, eq=False)
class NewtonStep:
    """A displacement of a pose along its freedoms."""

    at: Along
    s: Floats  # (d,) along its freedoms
    free: Floats  # (n,) how much each velocity takes part where joints are closed again
    reach: float = LARGEST_FIRST_STEP  # of the next step: longer where K has said well what loads are left

    def part(self, share: float) -> Equations:
        """The pose after a share of the way, closed again."""
        eqs = self.at.eqs
        q = advance(eqs.system, eqs.state.q, share * self.at.T @ self.s)
        return standing(eqs.system, eqs.state.t, closed_pose(eqs.system, eqs.state.t, q, self.free))


def equilibrium(source: Model | System, state: State | None = None, *, t: float = 0.0) -> Rest:
    """The pose of rest that is reached downhill from the start: Newton's method along the constraints.

        Tᵀ Q(q, v = 0) = 0,  Φ(q) = 0,      T = null(C)

    Drives are where they are at time ``t``.  Of a model with contacts, that where none overlaps and none pulls.
    Friction has no part: it may hold other poses.

    >>> import reactio
    >>> rest = equilibrium(reactio.load("pendulum-twice"))
    >>> rest.stability
    'stable'
    """
    system, rest = _search(source)
    given = state if state is not None else _start(system, t)
    return rest(given.t, given.q)


def equilibria(source: Model | System, starts: int, seed: int = 0, *, t: float = 0.0) -> tuple[Rest, ...]:
    """All poses of rest that are reached from the start and from random poses, each once; stable ones first.

    Random poses go downhill, and by Newton's method to the pose nearby where nothing moves, which need not be stable.
    Of a model with contacts only those downhill are looked for.
    """
    system, rest = _search(source)
    first = _start(system, t)
    freedoms = along(standing(system, first.t, first.q)).T
    rng, found = np.random.default_rng(seed), list[Rest]()
    ways = [rest] if isinstance(source, Model) and source.contacts else [rest, _nearby(system)]
    for k in range(max(1, starts)):
        push = _push(rng, freedoms) if k else np.zeros(system.n)
        for way in ways if k else ways[:1]:
            try:
                one = way(first.t, closed_pose(system, first.t, advance(system, first.q, push)))
            except ReactioError:  # not every random pose closes, or comes to rest
                continue
            if not any(_apart(one, other) < SAME_POSE for other in found):
                found.append(one)
    if not found:
        raise NoRest(f"'{system.model.name}' finds no pose of rest from {starts} start{'s' * (starts > 1)}.")
    return tuple(sorted(found, key=lambda one: one.stability != "stable"))


def _start(system: System, t: float) -> State:
    """The given pose with drives where they are at a time."""
    first = initial_state(system)
    return first if t == first.t else State(t, closed_pose(system, t, first.q), first.v)


def _push(rng: np.random.Generator, freedoms: Floats) -> Floats:
    return np.asarray(freedoms @ rng.standard_normal(freedoms.shape[1]) * 10 ** rng.uniform(*SCATTER))


def _search(source: Model | System) -> tuple[System, Callable[[float, Floats], Rest]]:
    """The system of the start, and the way from a pose (t, q) to rest."""
    if isinstance(source, Model) and source.contacts:
        from reactio.contact_motion.contact_system import contact_system
        from reactio.statics.on_contacts import descend_on_contacts

        contacts = contact_system(source)
        return contacts.with_closed(()), lambda t, q: descend_on_contacts(contacts, t, q)
    system = source if isinstance(source, System) else build(source)
    return system, lambda t, q: descend(standing(system, t, q))


def descend(eqs: Equations) -> Rest:
    """From a pose downhill to rest."""
    reach, way = LARGEST_FIRST_STEP, 0.0
    for count in range(MOST_REST_STEPS):
        at = along(eqs)
        found = stiffness(at)
        if resting(at, found):
            return Rest(at, found, count)
        step = downhill(at, found, reach)
        eqs, reach, way = step.part(1.0), step.reach, way + float(np.abs(step.s).max())
        if way > FAR_FROM_REST:
            break
    raise no_rest(along(eqs))


def _nearby(system: System) -> Callable[[float, Floats], Rest]:
    """The way from a pose (t, q) to one of rest, stable or not."""
    return lambda t, q: approach(standing(system, t, q))


def approach(eqs: Equations) -> Rest:
    """From a pose to one of rest, stable or not: Newton's method, its steps halved until fewer loads are left."""
    for count in range(MOST_REST_STEPS):
        at = along(eqs)
        found = stiffness(at)
        if resting(at, found):
            return Rest(at, found, count)
        eqs = _with_fewer_loads(at, found)
    raise no_rest(along(eqs))


def _with_fewer_loads(at: Along, found: Stiffness) -> Equations:
    """The pose after a step along K⁻¹g."""
    values, V, _ = found.principal()
    floor = LEAST_STIFFNESS * (found.loads or float(np.abs(values).max()))
    held = np.copysign(np.maximum(np.abs(values), floor), values)
    s: Floats = V @ ((V.T @ at.g) / held)
    if not found.symmetric:
        s = np.asarray(np.linalg.lstsq(found.K, at.g, rcond=None)[0], float)
    s = s * min(1.0, LARGEST_FIRST_STEP / float(np.abs(s).max()))
    for _ in range(HALVINGS):
        try:
            there = NewtonStep(at, s, np.ones(at.eqs.system.n)).part(1.0)
        except ReactioError:  # beyond what the joints allow
            s = s / 2
            continue
        if np.linalg.norm(_transported(there, at.T).T @ there.Q) < np.linalg.norm(at.g):
            return there
        s = s / 2
    raise no_rest(at)


def no_rest(at: Along) -> NoRest:
    """What is left after all steps."""
    left = float(np.abs(at.g).max(initial=0.0)) / (at.loads or 1.0)
    return NoRest(
        f"'{at.eqs.system.model.name}' finds no pose of rest: {left:.2g} of the loads are left. Are "
        "there loads that push for ever, or no spring or weight that pulls back?"
    )


def resting(at: Along, found: Stiffness) -> bool:
    """Is what the loads do along every freedom rounding beside their size, or beside its stiffness?"""
    values, V, _ = found.principal()
    return bool((np.abs(V.T @ at.g) <= REST * found.loads + ROUNDED * np.abs(values)).all())


def downhill(at: Along, found: Stiffness, reach: float) -> NewtonStep:
    """A step along |K|⁻¹g, halved until the loads have done work on the way or less than half of them is left."""
    s = _direction(at, found)
    s = s * min(1.0, reach / float(np.abs(s).max()))
    free = _yielding(at, found)
    for _ in range(HALVINGS):
        step = NewtonStep(at, s, free)
        try:
            there = step.part(1.0)
        except ReactioError:  # beyond what the joints allow
            s = s / 2
            continue
        after = _transported(there, at.T).T @ there.Q
        if (at.g + after) @ s > 0 or np.linalg.norm(after) < 0.5 * np.linalg.norm(at.g):
            wrong = float(np.linalg.norm(after - at.g + found.K @ s) / np.linalg.norm(at.g))
            return replace(step, reach=_next(float(np.abs(s).max()), wrong))
        s = s / 2
    raise NoRest(
        f"'{at.eqs.system.model.name}' is stuck on its way to rest: {np.abs(at.g).max() / (at.loads or 1.0):.2g} of "
        "the loads are left, and no step along them goes downhill."
    )


def _next(length: float, wrong: float) -> float:
    """The reach after a step of some length whose second-order model was wrong by a part of the loads."""
    return min(LONGEST_STEP, max(LARGEST_FIRST_STEP, 2.0 * length)) if wrong < TRUE else LARGEST_FIRST_STEP


def _direction(at: Along, found: Stiffness) -> Floats:
    """|K|⁻¹g with the absolute values of K's principal values: downhill, also where K is not positive.

    Loads without a potential have K⁻¹g, with which the loads go as long as the symmetric part of K is positive.
    """
    values, V, off = found.principal()
    if not found.symmetric and values[0] > off[0]:
        return np.asarray(np.linalg.solve(found.K, at.g))
    floor = LEAST_STIFFNESS * (found.loads or float(np.abs(values).max()))
    return np.asarray(V @ ((V.T @ at.g) / np.maximum(np.abs(values), floor)))


def _yielding(at: Along, found: Stiffness) -> Floats:
    """(n,) 1/√(1 + k/loads) with the stiffness k of each velocity alone, where there is a stiff one.

    Joints that a step has opened are then closed without straining stiff springs, which would look like going uphill.
    """
    if np.abs(found.principal()[0]).max() <= STIFF * found.loads:
        return np.ones(at.eqs.system.n)
    alone = np.diag(at.eqs.system.column_scale)
    K = differences(at.eqs, alone, np.zeros(at.eqs.system.m), STEP)
    return np.asarray(1.0 / np.sqrt(1.0 + np.maximum(np.diagonal(K), 0.0) / (found.loads or 1.0)))


def _transported(eqs: Equations, T: Floats) -> Floats:
    """T (n, d) of a pose nearby made admissible here: the nearest admissible displacements."""
    own, scale = along(eqs).T, eqs.system.column_scale
    return np.asarray(own @ ((own / scale[:, None]).T @ (T / scale[:, None])))


def _apart(one: Rest, other: Rest) -> float:
    """How far two poses are apart [characteristic lengths, rad].

    Frames, centres of mass, elastic coordinates, and what springs measure.
    """
    system = one.eqs.system
    size = system.dimension
    q, p = one.state.q, other.state.q
    far = [np.abs(centre(system, b, q) - centre(system, b, p)).max() for b in range(len(system.model.bodies))]
    for b in range(len(system.model.bodies)):
        bent, like = (elastic_parts(system, b, x, np.zeros(system.n))[0] for x in (q, p))
        far.append(np.abs(bent - like).max(initial=0.0))
    if one.touching == other.touching:
        far.append(np.abs(one.eqs.work.F[:, :size] - other.eqs.work.F[:, :size]).max(initial=0.0))
        sprung = system.plan.pushes.effort[:, 0].astype(int)
        far.append(np.abs(one.eqs.work.value[sprung] - other.eqs.work.value[sprung]).max(initial=0.0))
    return float(max(far)) / max(1.0, system.length)
