"""The ways a mechanism can go from a pose: true branches, told from motions that are only infinitesimal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.dynamics.assemble import start
from reactio.errors import ReactioError
from reactio.linear.continuation import polar
from reactio.linear.quadrics import ZERO, Part, Solutions, common_zeros
from reactio.singular.follow import REACH, is_tangent, step
from reactio.singular.forms import forms
from reactio.singular.spaces import Spaces, at_rest, polished, spaces, weights
from reactio.system.equations import equations
from reactio.system.types import State, System, needed

REAL, INFINITESIMAL, UNDECIDED = "real", "infinitesimal", "undecided"
SAMPLES = 3  # random directions of a branch of several freedoms that are followed besides its basis
MANY = 4  # directions of its basis that are followed
WITHIN = 1e-3  # a motion lies on a branch if no more than this part of it sticks out
MOST = 12  # variables of the second-order system that are solved for
DOUBT = (1e-8, 1e-5)  # forms of this size may be rounding or may be geometry
LEAST = 1e-3  # of the characteristic length: the shortest step onto a branch


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A way to go on: real where following it succeeded, undecided where neither second order nor following tells."""

    direction: Floats  # (n,) velocity [m/s, rad/s] of unit size in metres per second
    basis: Floats  # (n, k) all velocities along the branch, orthonormal in metres per second
    status: str  # "real", "infinitesimal" or "undecided"
    both_ways: bool  # it goes on in the direction and against it
    shaky: bool  # even along the branch more motions are admissible than real
    curved: bool  # one direction of a cone of many

    @property
    def dimension(self) -> int:
        """Freedoms on the branch."""
        return int(self.basis.shape[1])


@dataclass(frozen=True, eq=False)
class Study:
    """A pose to second order."""

    at: Spaces
    forms: Floats  # (p, δ, δ)
    found: tuple[Branch, ...]  # every direction that second order allows, with its status
    complete: bool  # no real branch can have been missed

    @cached_property
    def real(self) -> tuple[Branch, ...]:
        """The branches that were followed."""
        return tuple(b for b in self.found if b.status == REAL)

    @cached_property
    def decided(self) -> bool:
        """Is the number of real branches beyond doubt?"""
        return self.complete and not any(b.status == UNDECIDED or b.curved for b in self.found)

    @property
    def finite(self) -> int | None:
        """The largest number of freedoms among the real branches, None where undecided."""
        return max((b.dimension for b in self.real), default=0) if self.decided else None

    @property
    def spanned(self) -> int:
        """Dimension of the span of all real branches."""
        if not self.real:
            return 0
        _, columns = weights(self.at.system)
        return int(np.linalg.matrix_rank(np.hstack([b.basis for b in self.real]) / columns[:, None], tol=1e-6))


def branches(system: System, state: State | None = None) -> tuple[Branch, ...]:
    """The ways to go from a pose (as the model starts, when left out): real ones, and those that stay undecided.

    >>> import reactio
    >>> flat = reactio.build(reactio.load("double-four-bar", theta=0))
    >>> [branch.status for branch in reactio.branches(flat)]
    ['real', 'real', 'real']
    """
    needed(system)
    return tuple(b for b in study(system, start(system) if state is None else state).found if b.status != INFINITESIMAL)


def study(system: System, state: State) -> Study:
    """Solve the second-order conditions at a pose and follow every direction they allow."""
    at = spaces(system, polished(system, state))
    A = forms(at)
    cone = _cone(A, at.differential)
    found = [_judged(at, part, state.v) for part in cone.parts]
    found.sort(key=lambda branch: -_share(branch, state.v, weights(system)[1]))
    return Study(at, A, tuple(found), cone.complete)


def _share(branch: Branch, v: Floats, columns: Floats) -> float:
    """How much of a velocity lies on a branch, so that the one a motion is on comes first."""
    return round(float(np.linalg.norm((branch.basis / columns[:, None]).T @ (v / columns))), 9)


def _cone(A: Floats, differential: int) -> Solutions:
    """The directions that second order allows; none are sought where the system is too large, or hardly there."""
    if not differential:
        return Solutions(())
    s = np.linalg.svd(A.reshape(-1, differential), compute_uv=False) if A.size else np.zeros(0)
    seen, clear = int((s > ZERO).sum()), not np.any((s > DOUBT[0]) & (s < DOUBT[1]))
    if not seen:
        return Solutions((Part(np.eye(differential)),), clear)
    if seen > MOST:
        return Solutions((), complete=False)
    found = common_zeros(A)
    return Solutions(found.parts, found.complete and clear)


def _judged(at: Spaces, part: Part, v: Floats) -> Branch:
    """A piece of the second-order cone, followed both ways."""
    system, pose = at.system, at_rest(at.system, at.state)
    _, columns = weights(system)
    B = at.V @ part.basis
    x = _leading(B, v / columns, part.curved)
    ahead, back = is_tangent(system, pose, x), is_tangent(system, pose, -x)
    others = [] if part.curved else [is_tangent(system, pose, y) for y in _samples(B)]
    answers = [True if ahead or back else ahead if ahead is None else back, *others]
    status = REAL if all(answers) else INFINITESIMAL if not any(a is not False for a in answers) else UNDECIDED
    sign = 1.0 if ahead or not back else -1.0
    there = step(system, pose, sign * x, REACH[-1] * system.length)
    wider = there.closed and spaces(system, there.state).differential > B.shape[1]
    return Branch(
        direction=columns * (sign * x),
        basis=columns[:, None] * B,
        status=status,
        both_ways=bool(ahead and back),
        shaky=wider and not part.curved,
        curved=part.curved,
    )


def _leading(B: Floats, v: Floats, curved: bool) -> Floats:
    """The direction of a branch nearest to the velocity, or the first of its basis, largest entry positive."""
    along = B @ (B.T @ v)
    size = float(np.linalg.norm(along))
    if size > 1e-3 * np.linalg.norm(v) and size > 0 and not curved:
        return np.asarray(along / size)
    x = B[:, 0]
    return np.asarray(x * np.sign(x[int(np.argmax(np.abs(x) > 0.99 * np.abs(x).max()))]))


def _samples(B: Floats) -> list[Floats]:
    """Directions of a branch of several freedoms: some of the basis, some at random."""
    if B.shape[1] == 1:
        return []
    random = np.random.default_rng(7).standard_normal((B.shape[1], SAMPLES))
    return [x / np.linalg.norm(x) for x in np.hstack([B[:, :MANY], B @ random]).T]


def tangent(at: Spaces, wanted: Floats) -> Floats:
    """T (n, f) [metres] at a pose on a branch: the admissible motions nearest to ``wanted`` (n, f).

    Where more are admissible than f, those that the self-stresses leave free at second order come first.
    """
    V, f = at.V, wanted.shape[1]
    if V.shape[1] < f:
        raise ReactioError(f"At t = {at.state.t:g} s only {V.shape[1]} of {f} freedoms are left: the branch ends here.")
    if V.shape[1] > f:
        _, s, Wt = np.linalg.svd(forms(at).reshape(-1, V.shape[1]), full_matrices=True)
        unseen = Wt[int((s > ZERO).sum()) :].T
        V = V @ unseen if unseen.shape[1] == f else V
    return polar(V, wanted)


def on_branch(
    system: System,
    state: State,
    branch: Branch,
    speed: float | None = None,
    *,
    energy: float | None = None,
    reach: float = 0.01,
) -> State:
    """A state a little way along a branch, moving along it.

    ``speed`` [m/s] is that of the quickest body, rotations counted on the characteristic length; a negative one goes
    the other way.  ``energy`` [J] gives the kinetic energy instead.  ``reach``: how far to go [characteristic lengths].

    >>> import reactio
    >>> flat = reactio.build(reactio.load("double-four-bar", theta=0))
    >>> there = on_branch(flat, reactio.assemble(flat), branches(flat)[0], speed=2.0)
    >>> run = reactio.simulate(flat, 0.5, state=there)
    >>> run.status.name, run.energy_error < 1e-8
    ('DONE', True)
    """
    needed(system)
    if (speed is None) == (energy is None):
        raise ReactioError("Give either a speed or an energy to start with.")
    if branch.status != REAL:
        raise ReactioError(f"This branch is {branch.status}: no motion was found to start on it.")
    if (
        (energy is not None and not energy > 0)
        or (speed is not None and not abs(speed) > 0)
        or not LEAST <= reach <= 0.2
    ):
        raise ReactioError(f"A start needs a speed or energy that is not zero and a reach from {LEAST:g} to 0.2.")
    _, columns = weights(system)
    sign = -1.0 if speed is not None and speed < 0 else 1.0
    x = sign * branch.direction / columns
    made = step(system, polished(system, state), x, reach * system.length)
    if not made.closed:
        way = "backwards " if sign < 0 else ""
        raise ReactioError(
            f"The branch cannot be followed {way}for {reach:g} characteristic lengths; take a shorter reach."
        )
    T = tangent(spaces(system, made.state), np.hstack([x[:, None], _rest(branch.basis / columns[:, None], x)]))
    v = columns * (T @ (T.T @ x))
    if energy is not None:
        size = float(np.sqrt(energy / (0.5 * v @ (equations(system, made.state).M @ v))))
    else:
        size = abs(float(speed or 0.0)) / float(np.abs(v / columns).max())
    return State(state.t, made.state.q, size * v)


def _rest(B: Floats, x: Floats) -> Floats:
    """The other directions of a branch, orthonormal and at right angles to x."""
    if B.shape[1] == 1:
        return np.zeros((len(x), 0))
    U, _, _ = np.linalg.svd(B - np.outer(x, x @ B), full_matrices=False)
    return np.asarray(U[:, : B.shape[1] - 1])
