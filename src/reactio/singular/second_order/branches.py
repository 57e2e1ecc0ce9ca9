"""The ways a mechanism can go from a pose: true branches, told from motions that are only infinitesimal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.assemble import initial_state
from reactio.linear.continuation import polar
from reactio.linear.quadric_roots import VANISHING_FORM, QuadricPart, Solutions
from reactio.linear.quadrics import common_zeros
from reactio.singular.scaled_matrix import weights
from reactio.singular.second_order.drive_path import path
from reactio.singular.second_order.null_spaces import NullSpaces, along_axes, null_spaces, polished
from reactio.singular.second_order.quadratic_forms import forms, local_forms
from reactio.singular.second_order.tangency import REACH, is_tangent, order_seen, step
from reactio.system.geometry.accuracy import BANDS, known_accuracy
from reactio.system.types import State, System, needed

SAMPLES = 3  # random directions of a branch of several freedoms that are followed besides its basis
MANY = 4  # directions of its basis that are followed
WITHIN = 1e-3  # a motion lies on a branch if no more than this part of it sticks out
DOUBT = (1e-8, 1e-5)  # forms of this size may be rounding or may be geometry
STANDS = 1e-7  # of a unit motion: drives that do less stand still


class BranchStatus(StrEnum):
    """Whether a direction that second order allows is the beginning of a motion."""

    REAL = "real"  # it was followed
    INFINITESIMAL = "infinitesimal"  # higher order, or following it, shows that nothing moves
    UNDECIDED = "undecided"  # neither tells


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A way to go on: real where following it succeeded, undecided where neither second order nor following tells."""

    direction: Floats  # (n,) velocity [m/s, rad/s] of unit size in metres per second; where drives run, as they run
    basis: Floats  # (n, k) velocities along the branch, orthonormal in metres per second; where drives run, in addition
    status: BranchStatus
    both_ways: bool  # it goes on in the direction and against it
    shaky: bool  # even along the branch more motions are admissible than real
    curved: bool  # one direction of a cone of many
    driven: bool | None = None  # do drives run along it, or stand; None where they are held or there are none
    order: int | None = None  # of an undecided one: up to which nothing holds it

    @property
    def dimension(self) -> int:
        """Freedoms on the branch, besides what drives do."""
        return int(self.basis.shape[1])


@dataclass(frozen=True, eq=False)
class BranchStudy:
    """A pose to second order."""

    at: NullSpaces
    forms: Floats  # (p, δ, δ)
    found: tuple[Branch, ...]  # every direction that second order allows, with its status
    complete: bool  # no real branch can have been missed

    @cached_property
    def real(self) -> tuple[Branch, ...]:
        """The branches that were followed."""
        return tuple(b for b in self.found if b.status is BranchStatus.REAL)

    @cached_property
    def decided(self) -> bool:
        """Is the number of real branches beyond doubt?"""
        return self.complete and not any(b.status is BranchStatus.UNDECIDED or b.curved for b in self.found)

    @property
    def undecided_beyond(self) -> int | None:
        """The order up to which it is known what is real; None where all is.

        First order is known always, second where its conditions are solved, higher ones as far as branches were
        followed.
        """
        if self.decided:
            return None
        if not self.complete:
            return 1
        orders = [b.order for b in self.found if b.order is not None]
        return min([2] * any(b.curved for b in self.found) + orders)

    @property
    def finite(self) -> int | None:
        """The largest number of freedoms among the real branches, None where undecided."""
        return max((b.dimension for b in self.real), default=0) if self.decided else None

    def everywhere(self, v: Floats) -> bool:
        """Does a velocity belong to every real branch, whatever else moves?"""
        _, columns = weights(self.at.system)
        x = v / columns / np.linalg.norm(v / columns)
        bases = [b.basis / columns[:, None] for b in self.real]
        return all(np.linalg.norm(x - B @ (B.T @ x)) < WITHIN for B in bases)

    @property
    def spanned(self) -> int:
        """Dimension of the span of all real branches."""
        if not self.real:
            return 0
        _, columns = weights(self.at.system)
        return int(np.linalg.matrix_rank(np.hstack([b.basis for b in self.real]) / columns[:, None], tol=1e-6))


def branches(system: System, state: State | None = None) -> tuple[Branch, ...]:
    """The ways to go from a pose (as the model starts, when left out): real ones, and those that stay undecided.

    Drives go on as they do, or stand.

    >>> import reactio
    >>> flat = reactio.build(reactio.load("double-four-bar", theta=0))
    >>> [str(branch.status) for branch in reactio.branches(flat)]
    ['real', 'real', 'real']
    """
    needed(system)
    found = study(system, initial_state(system) if state is None else state, driven=True).found
    return tuple(b for b in found if b.status is not BranchStatus.INFINITESIMAL)


def study(system: System, state: State, *, driven: bool = False) -> BranchStudy:
    """Solve the second-order conditions at a pose and follow every direction they allow.

    Drives are held where they are or, where ``driven``, one more variable: how far they go.
    """
    pose = polished(system, state)
    at = null_spaces(system, pose, path=path(system, pose) if driven else None)
    A = forms(at)
    cone = _cone(at, A)
    v = _course(at, state.v)
    found = [_judged(at, part, v) for part in cone.parts]
    found.sort(key=lambda branch: -_share(at, branch, v))
    return BranchStudy(at, A, tuple(found), cone.complete)


def _course(at: NullSpaces, v: Floats) -> Floats:
    """The velocity a motion has, in metres per second, with that of the drives."""
    _, columns = weights(at.system)
    return v / columns if at.path is None else np.append(v / columns, at.path.rate)


def _share(at: NullSpaces, branch: Branch, v: Floats) -> float:
    """How much of a velocity lies on a branch, so that the one a motion is on comes first."""
    _, columns = weights(at.system)
    n, own = at.system.n, branch.basis / columns[:, None]
    if branch.driven:
        own = np.linalg.qr(np.column_stack([branch.direction / columns, own]))[0]
    return round(float(np.linalg.norm(own.T @ v[:n])), 9)


def _cone(at: NullSpaces, A: Floats) -> Solutions:
    """The directions that second order allows; incomplete where forms are hardly there."""
    if not at.differential:
        return Solutions(())
    s = np.linalg.svd(A.reshape(-1, at.differential), compute_uv=False) if A.size else np.zeros(0)
    known = known_accuracy(at.system)
    zero, _, sure = (0.0, 0.0, 0.0) if known is None else (band * known.relative for band in BANDS)
    clear = not np.any((s > max(DOUBT[0], zero)) & (s < max(DOUBT[1], sure)))
    if not np.any(s > max(VANISHING_FORM, zero)):
        return Solutions((QuadricPart(np.eye(at.differential)),), clear)
    found = common_zeros(local_forms(at))
    return Solutions(found.parts, found.complete and clear)


def _judged(at: NullSpaces, part: QuadricPart, v: Floats) -> Branch:
    """A piece of the second-order cone, followed both ways."""
    system, B = at.system, at.V @ part.basis
    B = B if part.curved or B.shape[1] == 1 else along_axes(B, B.shape[1])
    x = _leading(at, B, v, part.curved)
    turning = at.path is not None and at.path.rate == 0.0 and abs(x[-1]) > STANDS  # drives leave by one side only
    ahead, back = is_tangent(at, x), False if turning else is_tangent(at, -x)
    tried = [] if part.curved else _samples(B)[::-1]
    others = [is_tangent(at, y, far=k == 0) for k, y in enumerate(tried)]
    answers = [True if ahead or back else ahead if ahead is None else back, *others]
    status = _status(answers)
    sign = 1.0 if ahead or not back else -1.0
    there = step(at, sign * x, REACH[-1] * system.length)
    way = None if at.path is None else at.path.at(there.s)
    wider = there.closed and null_spaces(system, there.state, path=way).differential > B.shape[1]
    direction, basis, driven = _split(at, sign * x, B)
    return Branch(
        direction=at.velocities(direction),
        basis=at.velocities(basis),
        status=status,
        both_ways=bool(ahead and back),
        shaky=wider and not part.curved,
        curved=part.curved,
        driven=driven,
        order=_order(at, [x, *tried], answers) if status is BranchStatus.UNDECIDED else None,
    )


def _status(answers: list[bool | None]) -> BranchStatus:
    """Of a piece of which some directions were followed: could they all be, none, or is it not known of some?"""
    if all(answers):
        return BranchStatus.REAL
    return BranchStatus.INFINITESIMAL if all(answer is False for answer in answers) else BranchStatus.UNDECIDED


def _order(at: NullSpaces, directions: list[Floats], answers: list[bool | None]) -> int:
    """The order up to which all directions of an undecided piece are known to be free: second, where some are held."""
    if False in answers:
        return 2
    return min(order_seen(at, x) for x, answer in zip(directions, answers, strict=True) if answer is None)


def _split(at: NullSpaces, x: Floats, B: Floats) -> tuple[Floats, Floats, bool | None]:
    """A direction, the freedoms of a piece, and whether drives run along it: at their own speed, and without it."""
    if at.path is None:
        return x, B, None
    ran = B[-1]
    if np.linalg.norm(ran) < STANDS:
        return x, B, False
    across = np.linalg.svd(ran[None])[2][1:].T  # combinations along which drives stand
    return x * (at.path.rate / x[-1] if at.path.rate else 1.0), B @ across, True


def _leading(at: NullSpaces, B: Floats, v: Floats, curved: bool) -> Floats:
    """The direction of a branch nearest to the velocity, or the first of its basis, largest entry positive.

    Where drives run along the branch they run forward.
    """
    c = B.T @ v
    if at.path is not None and np.linalg.norm(B[-1]) > STANDS and not curved:
        ran, rate = B[-1], at.path.rate
        c = c + ran * (rate - ran @ c) / (ran @ ran) if rate else ran
    size = float(np.linalg.norm(c))
    if size > 1e-3 * np.linalg.norm(v) and size > 0 and not curved:
        return np.asarray(B @ c / size)
    x = B[:, 0]
    return np.asarray(x * np.sign(x[int(np.argmax(np.abs(x) > 0.99 * np.abs(x).max()))]))


def _samples(B: Floats) -> list[Floats]:
    """Directions of a branch of several freedoms: some of the basis, some at random."""
    if B.shape[1] == 1:
        return []
    random = np.random.default_rng(7).standard_normal((B.shape[1], SAMPLES))
    return [x / np.linalg.norm(x) for x in np.hstack([B[:, :MANY], B @ random]).T]


def tangent(at: NullSpaces, wanted: Floats) -> Floats:
    """T (n, f) [metres] at a pose on a branch: the admissible motions nearest to ``wanted`` (n, f).

    Where more are admissible than f, those that the self-stresses leave free at second order come first.
    """
    V, f = at.V, wanted.shape[1]
    if V.shape[1] < f:
        raise ReactioError(f"At t = {at.state.t:g} s only {V.shape[1]} of {f} freedoms are left: the branch ends here.")
    if V.shape[1] > f:
        _, s, Wt = np.linalg.svd(forms(at).reshape(-1, V.shape[1]), full_matrices=True)
        unseen = Wt[int((s > VANISHING_FORM).sum()) :].T
        V = V @ unseen if unseen.shape[1] == f else V
    return polar(V, wanted)
