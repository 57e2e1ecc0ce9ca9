"""The pose of rest: where loads and springs have no work left to do along the constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.assemble import assembly, start
from reactio.model.specs import Model
from reactio.system.build import build
from reactio.system.equations import Equations, advance, equations
from reactio.system.types import State, System
from reactio.uniqueness import Solvability

MOST = 200  # steps to a pose of rest
REST = 1e-10  # part of the loads that may be left along the freedoms
LARGEST = 0.3  # of a step [characteristic lengths, rad]: farther off a second-order model says little
SMALL = 1e-5  # of differences for the stiffness along the freedoms [characteristic lengths, rad]
NEUTRAL = 1e-6  # part of the largest stiffness below which a freedom meets none
SCATTER = (-0.5, 1.5)  # powers of ten of random displacements [characteristic lengths, rad]
SAME = 1e-5  # poses nearer than this are one [characteristic lengths, rad]


class NoRest(ReactioError):
    """A mechanism that finds no pose of rest."""


@dataclass(frozen=True, eq=False)
class Rest:
    """A pose of rest, and what holds it there."""

    eqs: Equations
    stiffness: Floats  # (d,) along the freedoms, smallest first [per characteristic length, in J]
    residual: float  # load left along the freedoms, as part of all loads
    steps: int

    @property
    def state(self) -> State:
        """The pose, without velocities."""
        return self.eqs.state

    @property
    def stability(self) -> str:
        """``stable``, ``neutral`` where some motion meets no stiffness, or ``unstable``."""
        largest = float(np.abs(self.stiffness).max(initial=0.0))
        if not largest:
            return "neutral" if len(self.stiffness) else "stable"
        low = float(self.stiffness[0]) / largest
        return "unstable" if low < -NEUTRAL else "neutral" if low < NEUTRAL else "stable"


def equilibrium(source: Model | System, state: State | None = None) -> Rest:
    """The pose of rest nearest to the start: Newton's method along the constraints, downhill in potential.

        Tᵀ Q(q, v = 0) = 0,  Φ(q) = 0,      T = null(C)

    >>> import reactio
    >>> rest = equilibrium(reactio.load("pendulum-twice"))
    >>> rest.stability
    'stable'
    """
    system = source if isinstance(source, System) else build(source)
    given = state if state is not None else start(system)
    eqs = _at(system, given.t, given.q)
    for step in range(MOST):
        T, g = _along(eqs)
        if not T.shape[1] or np.abs(g).max(initial=0.0) <= REST * _loads(eqs):
            along = np.asarray(np.linalg.eigvalsh(_stiffness(eqs, T, g)), dtype=float)
            return Rest(eqs, along, _left(eqs, g), step)
        H = _stiffness(eqs, T, g)
        eqs = _downhill(eqs, T, g, H)
    raise NoRest(
        f"'{system.model.name}' finds no pose of rest within {MOST} steps: {_left(eqs, _along(eqs)[1]):.2g} of the "
        "loads are "
        "left. Are there loads that push for ever, or no spring or weight that pulls back?"
    )


def equilibria(source: Model | System, starts: int, seed: int = 0) -> tuple[Rest, ...]:
    """All poses of rest that are reached from the start and from random poses, each once; stable ones first."""
    system = source if isinstance(source, System) else build(source)
    first = start(system)
    eqs = _at(system, first.t, first.q)
    rng, found = np.random.default_rng(seed), list[Rest]()
    for k in range(max(1, starts)):
        state = first
        if k:
            T = _along(eqs)[0]
            push = T @ rng.standard_normal(T.shape[1]) * 10 ** rng.uniform(*SCATTER)
            try:
                state = assembly(system, State(first.t, advance(system, first.q, push), 0 * first.v)).state
            except ReactioError:
                continue
        try:
            rest = equilibrium(system, state)
        except NoRest:
            continue
        if not any(_apart(system, rest, one) < SAME for one in found):
            found.append(rest)
    if not found:
        raise NoRest(f"'{system.model.name}' finds no pose of rest from {starts} starts.")
    return tuple(sorted(found, key=lambda rest: rest.stability != "stable"))


def _at(system: System, t: float, q: Floats) -> Equations:
    return equations(system, State(t, q, np.zeros(system.n)))


def _scale(system: System) -> Floats:
    return np.where(np.array(system.column_units) == "rad/s", 1.0, system.length)


def _along(eqs: Equations) -> tuple[Floats, Floats]:
    """T (n, d) orthonormal in characteristic lengths and radians, and the loads along it, minus the gradient."""
    scale = _scale(eqs.system)
    answer: Solvability | None = eqs.solvability if eqs.system.m else None
    T = np.linalg.qr(answer.T / scale[:, None])[0] if answer is not None else np.eye(eqs.system.n)
    T = T * scale[:, None]
    return T, T.T @ eqs.Q


def _loads(eqs: Equations) -> float:
    return float(np.abs(_scale(eqs.system) * eqs.Q).max(initial=0.0))


def _left(eqs: Equations, g: Floats) -> float:
    loads = _loads(eqs)
    return float(np.abs(g).max(initial=0.0)) / loads if loads else 0.0


def _moved(eqs: Equations, d: Floats) -> Equations:
    """The pose displaced by d, closed again."""
    system, state = eqs.system, eqs.state
    closed = assembly(system, State(state.t, advance(system, state.q, d), np.zeros(system.n))).state
    return _at(system, state.t, closed.q)


def _tangent(eqs: Equations, T: Floats) -> Floats:
    """T (n, d) of a pose nearby made admissible here: the nearest admissible displacements."""
    own, _ = _along(eqs)
    scale = _scale(eqs.system)
    return np.asarray(own @ ((own / scale[:, None]).T @ (T / scale[:, None])))


def _stiffness(eqs: Equations, T: Floats, g: Floats) -> Floats:
    """H (d, d) = −∂(TᵀQ)/∂s by differences along every freedom, with what constraint forces add on curved ways."""
    H = np.zeros((T.shape[1], T.shape[1]))
    for k in range(T.shape[1]):
        ends = []
        for sign in (1.0, -1.0):
            there = _moved(eqs, sign * SMALL * T[:, k])
            ends.append(_tangent(there, T).T @ there.Q)
        H[:, k] = -(ends[0] - ends[1]) / (2 * SMALL)
    return np.asarray(H + H.T) / 2


def _downhill(eqs: Equations, T: Floats, g: Floats, H: Floats) -> Equations:
    """A step along −|H|⁻¹ gradient, halved until the loads have done work on the way."""
    values, vectors = np.linalg.eigh(H)
    floor = max(1e-8 * float(np.abs(values).max(initial=0.0)), float(np.abs(g).max()) * 1e-3)
    s = vectors @ ((vectors.T @ g) / np.maximum(np.abs(values), floor))
    s *= min(1.0, LARGEST / float(np.abs(s).max()))
    for _ in range(40):
        try:
            there = _moved(eqs, T @ s)
        except ReactioError:
            s = s / 2
            continue
        after = _tangent(there, T).T @ there.Q
        if (g + after) @ s > 0 or np.linalg.norm(after) < 0.5 * np.linalg.norm(g):
            return there
        s = s / 2
    raise NoRest(
        f"'{eqs.system.model.name}' is stuck on its way to rest: {_left(eqs, g):.2g} of the loads are left, and no "
        "step along "
        "them goes downhill."
    )


def _apart(system: System, one: Rest, other: Rest) -> float:
    """How far two poses are apart [characteristic lengths, rad], by the frames of their joints."""
    size = 2 if system.space == "planar" else 3
    far = np.abs(one.eqs.work.F[:, :size] - other.eqs.work.F[:, :size]).max(initial=0.0)
    return float(far) / system.length
