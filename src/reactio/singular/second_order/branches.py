"""Branches of the motion at a pose: finite motions, told from velocities that are only infinitesimal."""

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
from reactio.singular.second_order.drive_path import drive_path
from reactio.singular.second_order.null_spaces import (
    LARGEST_PART_OUTSIDE,
    NullSpaces,
    along_axes,
    null_spaces,
    polished,
)
from reactio.singular.second_order.quadratic_forms import forms, local_forms
from reactio.singular.second_order.tangency import STEP_LENGTHS, is_tangent, order_seen, step
from reactio.system.geometry.accuracy import PER_ACCURACY, known_accuracy
from reactio.system.types import State, System, require_system

# Directions of a branch of several freedoms that are followed: at most so many of its basis, and random ones, which an
# obstruction of any order excludes with probability one.
MOST_BASIS_DIRECTIONS, RANDOM_DIRECTIONS = 4, 3
UNCLEAR_FORMS = (1e-8, 1e-5)  # sizes of forms that may be rounding of a located pose or may be geometry
LEAST_DRIVE_MOTION = 1e-7  # part of a unit motion below which drives rest: null(C) is known to ZERO_PIVOT


class BranchStatus(StrEnum):
    """Whether a direction that second order allows is the beginning of a motion."""

    REAL = "real"  # it was followed
    INFINITESIMAL = "infinitesimal"  # higher order, or following it, shows that nothing moves
    UNDECIDED = "undecided"  # neither tells


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A branch of the motion: real where it could be followed, undecided where that decided nothing either."""

    direction: Floats  # (n,) velocity [m/s, rad/s], of unit size in metres per second; that of drives where they move
    basis: Floats  # (n, k) velocities along the branch with drives at rest, orthonormal in metres per second
    status: BranchStatus
    both_ways: bool  # it exists in the direction and in the opposite one
    shaky: bool  # at other poses of the branch, too, more velocities are admissible than finite motions have
    curved: bool  # one direction of a curved cone whose directions all satisfy the second-order conditions
    driven: bool | None = None  # do drives move along it, or rest; None where they are held or there are none
    order: int | None = None  # of an undecided one: the highest order up to which no term obstructs it

    @property
    def dimension(self) -> int:
        """Freedoms on the branch, the motion of drives not counted."""
        return int(self.basis.shape[1])


@dataclass(frozen=True, eq=False)
class BranchStudy:
    """The branches at a pose, from its quadratic forms and from following each."""

    at: NullSpaces
    forms: Floats  # (p, δ, δ)
    found: tuple[Branch, ...]  # every part of the zero set of the forms, with its status
    complete: bool  # no real branch can have been missed

    @cached_property
    def real(self) -> tuple[Branch, ...]:
        """The finite motions among them."""
        return tuple(b for b in self.found if b.status is BranchStatus.REAL)

    @cached_property
    def decided(self) -> bool:
        """Is the number of real branches beyond doubt?"""
        return self.complete and not any(b.status is BranchStatus.UNDECIDED or b.curved for b in self.found)

    @property
    def undecided_beyond(self) -> int | None:
        """The order of the conditions that are known to hold for what was found; None where everything is decided.

        First order is always known, second where all of its solutions were found, higher orders as far as branches
        were followed.
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

    def in_every_branch(self, v: Floats) -> bool:
        """Does a velocity belong to every real branch?"""
        columns = self.at.system.column_scale / self.at.system.length
        x = v / columns / np.linalg.norm(v / columns)
        bases = [b.basis / columns[:, None] for b in self.real]
        return all(np.linalg.norm(x - B @ (B.T @ x)) < LARGEST_PART_OUTSIDE for B in bases)

    @property
    def span_dimension(self) -> int:
        """Dimension of the span of all real branches."""
        if not self.real:
            return 0
        columns = self.at.system.column_scale / self.at.system.length
        return int(np.linalg.matrix_rank(np.hstack([b.basis for b in self.real]) / columns[:, None], tol=1e-6))


def branches(system: System, state: State | None = None) -> tuple[Branch, ...]:
    """The branches of the motion at a pose (the start of the model, when left out): real and undecided ones.

    Drives move on as they are given, or rest.

    >>> import reactio
    >>> flat = reactio.build(reactio.load("double-four-bar", theta=0))
    >>> [str(branch.status) for branch in reactio.branches(flat)]
    ['real', 'real', 'real']
    """
    require_system(system)
    found = study(system, initial_state(system) if state is None else state, driven=True).found
    return tuple(b for b in found if b.status is not BranchStatus.INFINITESIMAL)


def study(system: System, state: State, *, driven: bool = False) -> BranchStudy:
    """Solve the second-order conditions at a pose and follow every solution, to tell finite motions from others.

    Drives are held or, where ``driven``, one more variable: the arc length of their path.
    """
    pose = polished(system, state)
    at = null_spaces(system, pose, path=drive_path(system, pose) if driven else None)
    A = forms(at)
    cone = _cone(at, A)
    v = _velocity_in_metres(at, state.v)
    found = [_followed_branch(at, part, v) for part in cone.parts]
    found.sort(key=lambda branch: -_part_on_branch(at, branch, v))
    return BranchStudy(at, A, tuple(found), cone.complete)


def _velocity_in_metres(at: NullSpaces, v: Floats) -> Floats:
    """A velocity in metres per second, that of the drives along their path appended."""
    columns = at.system.column_scale / at.system.length
    return v / columns if at.path is None else np.append(v / columns, at.path.rate)


def _part_on_branch(at: NullSpaces, branch: Branch, v: Floats) -> float:
    """The length [m/s] of the projection of a velocity on a branch, by which branches are sorted."""
    columns = at.system.column_scale / at.system.length
    n, own = at.system.n, branch.basis / columns[:, None]
    if branch.driven:
        own = np.linalg.qr(np.column_stack([branch.direction / columns, own]))[0]
    return round(float(np.linalg.norm(own.T @ v[:n])), 9)


def _cone(at: NullSpaces, A: Floats) -> Solutions:
    """The solutions of the second-order conditions; not known to be complete where forms may be rounding."""
    if not at.differential:
        return Solutions(())
    s = np.linalg.svd(A.reshape(-1, at.differential), compute_uv=False) if A.size else np.zeros(0)
    known = known_accuracy(at.system)
    zero, _, sure = (0.0, 0.0, 0.0) if known is None else (band * known.relative for band in PER_ACCURACY)
    clear = not np.any((s > max(UNCLEAR_FORMS[0], zero)) & (s < max(UNCLEAR_FORMS[1], sure)))
    if not np.any(s > max(VANISHING_FORM, zero)):
        return Solutions((QuadricPart(np.eye(at.differential)),), clear)
    found = common_zeros(local_forms(at))
    return Solutions(found.parts, found.complete and clear)


def _followed_branch(at: NullSpaces, part: QuadricPart, v: Floats) -> Branch:
    """The branch of a part of the second-order cone, followed in both directions."""
    system, B = at.system, at.V @ part.basis
    B = B if part.curved or B.shape[1] == 1 else along_axes(B, B.shape[1])
    x = _direction_of(at, B, v, part.curved)
    drives_move = at.path is not None and abs(x[-1]) > LEAST_DRIVE_MOTION
    one_way = drives_move and at.path is not None and at.path.rate == 0.0  # drives at their turning point
    ahead, back = is_tangent(at, x), False if one_way else is_tangent(at, -x)
    tried = [] if part.curved else _samples(B)[::-1]
    others = [is_tangent(at, y, far=k == 0) for k, y in enumerate(tried)]
    answers = [_in_some_direction(ahead, back), *others]
    status = _status(answers)
    sign = 1.0 if ahead or not back else -1.0
    there = step(at, sign * x, STEP_LENGTHS[-1] * system.length)
    onward = None if at.path is None else at.path.at(there.s)
    wider = there.closed and null_spaces(system, there.state, path=onward).differential > B.shape[1]
    direction, basis, driven = _without_drives(at, sign * x, B)
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


def _in_some_direction(ahead: bool | None, back: bool | None) -> bool | None:
    """Is x or −x the tangent of a finite motion?  None where that is not decided of one, and the other is none."""
    if ahead or back:
        return True
    return None if ahead is None or back is None else False


def _status(answers: list[bool | None]) -> BranchStatus:
    """Of a branch, by whether each of some directions is a tangent: real if all are, infinitesimal if none is."""
    if all(answers):
        return BranchStatus.REAL
    return BranchStatus.INFINITESIMAL if all(answer is False for answer in answers) else BranchStatus.UNDECIDED


def _order(at: NullSpaces, directions: list[Floats], answers: list[bool | None]) -> int:
    """The highest order that obstructs no direction of an undecided branch: two, where some are obstructed."""
    if False in answers:
        return 2
    return min(order_seen(at, x) for x, answer in zip(directions, answers, strict=True) if answer is None)


def _without_drives(at: NullSpaces, x: Floats, B: Floats) -> tuple[Floats, Floats, bool | None]:
    """A direction scaled to the speed of the drives, the motions of B with drives at rest, and whether drives move."""
    if at.path is None:
        return x, B, None
    drives = B[-1]
    if np.linalg.norm(drives) < LEAST_DRIVE_MOTION:
        return x, B, False
    across = np.linalg.svd(drives[None])[2][1:].T  # combinations along which drives rest
    return x * (at.path.rate / x[-1] if at.path.rate else 1.0), B @ across, True


def _direction_of(at: NullSpaces, B: Floats, v: Floats, curved: bool) -> Floats:
    """The direction of a branch nearest to the velocity, or the first of its basis, largest entry positive.

    Where drives move along the branch they move forward.
    """
    c = B.T @ v
    if at.path is not None and np.linalg.norm(B[-1]) > LEAST_DRIVE_MOTION and not curved:
        drives, rate = B[-1], at.path.rate
        c = c + drives * (rate - drives @ c) / (drives @ drives) if rate else drives
    size = float(np.linalg.norm(c))
    if size > LARGEST_PART_OUTSIDE * np.linalg.norm(v) and size > 0 and not curved:
        return np.asarray(B @ c / size)
    x = B[:, 0]
    return np.asarray(x * np.sign(x[int(np.argmax(np.abs(x) > 0.99 * np.abs(x).max()))]))


def _samples(B: Floats) -> list[Floats]:
    """Unit directions of a branch of several freedoms: some of its basis, some random."""
    if B.shape[1] == 1:
        return []
    random = np.random.default_rng(7).standard_normal((B.shape[1], RANDOM_DIRECTIONS))
    return [x / np.linalg.norm(x) for x in np.hstack([B[:, :MOST_BASIS_DIRECTIONS], B @ random]).T]


def tangent(at: NullSpaces, wanted: Floats) -> Floats:
    """T (n, f) [metres] at a pose on a branch: the admissible motions nearest to ``wanted`` (n, f).

    Where more than f are admissible, only those are taken that second-order conditions do not exclude.
    """
    V, f = at.V, wanted.shape[1]
    if V.shape[1] < f:
        raise ReactioError(f"At t = {at.state.t:g} s only {V.shape[1]} of {f} freedoms are left: the branch ends here.")
    if V.shape[1] > f:
        _, s, Wt = np.linalg.svd(forms(at).reshape(-1, V.shape[1]), full_matrices=True)
        free = Wt[int((s > VANISHING_FORM).sum()) :].T  # motions on which all forms vanish
        V = V @ free if free.shape[1] == f else V
    return polar(V, wanted)
