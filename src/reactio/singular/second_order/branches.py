"""Branches of the motion at a pose: finite motions, and velocities that are only infinitesimal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.errors import ReactioError
from reactio.kernels import expected_work
from reactio.kinematics.assemble import initial_state
from reactio.kinematics.source import system_and_state
from reactio.linear.continuation import polar
from reactio.linear.precision import LOCATED
from reactio.linear.quadric_roots import VANISHING_FORM, QuadricPart, Solutions
from reactio.linear.quadrics import common_zeros
from reactio.model.model import Model
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.singular.second_order.drive_path import drive_path
from reactio.singular.second_order.null_spaces import (
    LARGEST_PART_OUTSIDE,
    NullSpaces,
    along_axes,
    null_spaces,
    polished,
)
from reactio.singular.second_order.quadratic_forms import forms, local_forms
from reactio.singular.second_order.reduction import ReducedPoint, Reduction, reduction
from reactio.singular.second_order.spheres import (
    LARGEST_RADIUS,
    POINT_RATIO,
    SHRINKING_RADIUS,
    Arc,
    BranchStatus,
    HalfBranch,
    contact_order,
    point_on_circle,
    radii,
    scan_circles,
    turn,
    verdict,
)
from reactio.singular.second_order.tangency import is_followed
from reactio.system.equations import Equations
from reactio.system.geometry.accuracy import PER_ACCURACY, known_accuracy
from reactio.system.types import State, System

# Directions of a branch of several freedoms that are examined besides the one that is followed: random ones, which an
# obstruction of any order excludes with probability one.
RANDOM_DIRECTIONS = 3
UNCLEAR_FORMS = (1e-8, 1e-5)  # sizes of forms that may be rounding of a located pose or may be geometry
LEAST_DRIVE_MOTION = LOCATED / 10  # part of a unit motion below which drives rest: null(C) is known to ZERO_PIVOT
# Part of the forms along a direction below which they leave another direction free: forms are of order 1, or zero.
FREE_DIRECTION = 1e-5
# [rad] Between a tangent that second order gives and the one extrapolated from zeros on small circles.
SAME_TANGENT = 0.05
NEIGHBOURING_DIRECTIONS = 0.4  # [rad] on both sides of a tangent line, near which others of the same tangent begin
NEIGHBOUR_RADIUS = 0.05  # [characteristic lengths] of the pose on a branch whose rank is compared with its freedoms
# Of a line, by the statuses of its two directions: the first that one of them has.
BY_PRECEDENCE = (BranchStatus.REAL, BranchStatus.UNDECIDED, BranchStatus.INFINITESIMAL)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Branch(Tabular):
    """A branch of the motion: real if it could be followed, otherwise undecided."""

    direction: Floats  # (n,) velocity [m/s, rad/s], of unit size in metres per second; that of drives where they move
    basis: Floats  # (n, k) velocities along the branch with drives at rest, orthonormal in metres per second
    status: BranchStatus
    both_ways: bool  # it exists in the direction and in the opposite one
    shaky: bool  # at other poses of the branch, too, more velocities are admissible than finite motions have
    curved: bool  # one direction of a curved cone whose directions all satisfy the second-order conditions
    driven: bool | None = None  # do drives move along it, or rest; None where they are held or there are none
    contact: float | None = None  # q, where another branch has the same tangent: they part like the power q of the way
    chords: tuple[Floats, ...] = ()  # displacements (n,) [m] to poses on it, the nearest last, where tangents are equal

    @property
    def dimension(self) -> int:
        """Freedoms on the branch, the motion of drives not counted."""
        return int(self.basis.shape[1])

    def table(self) -> ResultTable:
        """The velocity along the branch, by the columns of C."""
        heads = ("column", "velocity")
        rows = [(f"{k}", float(x)) for k, x in enumerate(self.direction)]
        return table_of(f"Branch: {self.status}, freedoms: {self.dimension}", heads, rows, 1, ("velocity",))


@dataclass(frozen=True, eq=False)
class BranchStudy:
    """The branches at a pose: the real zeros of its reduced equations on falling spheres."""

    at: NullSpaces
    forms: Floats  # (p, δ, δ)
    found: tuple[Branch, ...]  # every direction that second order allows, with its status
    complete: bool  # no real branch can have been missed
    examined: float | None = None  # [m] radius of the smallest sphere; None where no equation is left to examine
    not_examined: str = ""  # a sentence on directions that were not searched

    @cached_property
    def real(self) -> tuple[Branch, ...]:
        """The finite motions among them."""
        return tuple(b for b in self.found if b.status is BranchStatus.REAL)

    @cached_property
    def decided(self) -> bool:
        """Is the largest number of freedoms beyond doubt?

        More branches with a tangent that was found may exist (``not_examined``), but none of more freedoms: a set of
        motions has as many as its tangents.
        """
        return self.complete and not any(b.status is BranchStatus.UNDECIDED or b.curved for b in self.found)

    @property
    def words(self) -> str:
        """The examined directions, and those that were not, where something is undecided."""
        spheres = (
            ""
            if self.examined is None or self.decided
            else "Motions were sought on spheres around the pose, down to a radius of "
            f"{quantity(self.examined, 'm', 2)}."
        )
        return " ".join(part for part in (spheres, self.not_examined) if part)

    @property
    def finite(self) -> int | None:
        """The largest number of freedoms among the real branches, None where undecided."""
        return max((b.dimension for b in self.real), default=0) if self.decided else None

    def in_every_branch(self, v: Floats) -> bool:
        """Does a velocity belong to every real branch, of which there is one?"""
        columns = self.at.system.column_scale / self.at.system.length
        x = v / columns / np.linalg.norm(v / columns)
        bases = [b.basis / columns[:, None] for b in self.real]
        return bool(bases) and all(np.linalg.norm(x - B @ (B.T @ x)) < LARGEST_PART_OUTSIDE for B in bases)

    @property
    def span_dimension(self) -> int:
        """Dimension of the span of all real branches."""
        if not self.real:
            return 0
        columns = self.at.system.column_scale / self.at.system.length
        return int(np.linalg.matrix_rank(np.hstack([b.basis for b in self.real]) / columns[:, None], tol=1e-6))


@dataclass(frozen=True, slots=True, eq=False)
class _Direction:
    """A part of the zero set with its verdict: the motions B (n, f) [metres] with one of them, x."""

    B: Floats
    x: Floats
    status: BranchStatus
    both_ways: bool
    curved: bool = False
    near: ReducedPoint | None = None  # a pose on it, next to the singular one
    contact: float | None = None
    chords: tuple[Floats, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Zeros:
    """The result of a search on spheres."""

    parts: tuple[_Direction, ...]
    complete: bool = True
    examined: float | None = None
    not_examined: str = ""


def branches(system: Model | System | Equations, state: State | None = None) -> tuple[Branch, ...]:
    """The branches of the motion at a pose (default: the start of the model), real and undecided ones.

    Drives move as given, or rest.

    >>> import reactio
    >>> flat = reactio.load("double-four-bar", theta=0)
    >>> [str(branch.status) for branch in reactio.branches(flat)]
    ['real', 'real', 'real']
    """
    system, state = system_and_state(system, state)
    studied = study(system, initial_state(system) if state is None else state, driven=True).found
    return tuple(b for b in studied if b.status is not BranchStatus.INFINITESIMAL)


def study(system: System, state: State, *, driven: bool = False) -> BranchStudy:
    """Find the real zeros of the reduced equations of a pose on small spheres: finite motions meet all of them.

    Drives are held or, where ``driven``, one more variable: the arc length of their path.
    """
    pose = polished(system, state)
    at = null_spaces(system, pose, path=drive_path(system, pose) if driven else None)
    v = _velocity_in_metres(at, state.v)
    # A study evaluates the constraints a few times at each of hundreds of points.
    with expected_work(system.m, 1_500 if at.N.shape[1] and at.differential > 1 else 1):
        A = forms(at)
        zeros = _zeros(at, A, v)
        directions = [_branch(at, part) for part in zeros.parts]
    directions.sort(key=lambda branch: -_part_on_branch(at, branch, v))
    return BranchStudy(at, A, tuple(directions), zeros.complete, zeros.examined, zeros.not_examined)


def _velocity_in_metres(at: NullSpaces, v: Floats) -> Floats:
    """A velocity in metres per second, that of the drives along their path appended."""
    columns = at.system.column_scale / at.system.length
    return v / columns if at.path is None else np.append(v / columns, at.path.rate)


def _part_on_branch(at: NullSpaces, branch: Branch, v: Floats) -> float:
    """The length [m/s] of the projection of a velocity on a branch, by which branches are sorted."""
    columns = at.system.column_scale / at.system.length
    n, basis = at.system.n, branch.basis / columns[:, None]
    if branch.driven:
        basis = np.linalg.qr(np.column_stack([branch.direction / columns, basis]))[0]
    return round(float(np.linalg.norm(basis.T @ v[:n])), 9)


def _zeros(at: NullSpaces, A: Floats, v: Floats) -> _Zeros:
    """The directions of all motions from a pose.

    Without redundant equations every admissible motion is real.  In one or two slow coordinates all directions are
    examined; in more, those that second order allows.
    """
    if not at.differential:
        return _Zeros(())
    if not at.N.shape[1]:
        B = along_axes(at.V, at.differential)
        x = _direction_of(at, B, v, curved=False)
        return _Zeros((_Direction(B, x, BranchStatus.REAL, not _one_way(at, x)),))
    if at.differential == 2:
        zeros = _on_circles(at, A, v)
        if zeros is not None:
            return zeros
    cone = _cone(at, A)
    parts = [_on_part(at, A, part, v) for part in cone.parts]
    flat = [part for zeros in parts for part in zeros.parts]
    radius = min((zeros.examined for zeros in parts if zeros.examined is not None), default=None)
    notes = [] if cone.complete else ["Not all directions that satisfy the second-order conditions are known."]
    notes += [zeros.not_examined for zeros in parts if zeros.not_examined]
    complete = cone.complete and all(zeros.complete for zeros in parts)
    return _Zeros(tuple(flat), complete, radius, " ".join(dict.fromkeys(notes)))


def _cone(at: NullSpaces, A: Floats) -> Solutions:
    """The solutions of the second-order conditions; not known to be complete where forms may be rounding."""
    s = np.linalg.svd(A.reshape(-1, at.differential), compute_uv=False) if A.size else np.zeros(0)
    zero, sure = _doubtful_forms(at.system)
    clear = not np.any((s > max(UNCLEAR_FORMS[0], zero)) & (s < max(UNCLEAR_FORMS[1], sure)))
    if not np.any(s > max(VANISHING_FORM, zero)):
        return Solutions((QuadricPart(np.eye(at.differential)),), clear)
    solutions = common_zeros(local_forms(at))
    return Solutions(solutions.parts, solutions.complete and clear)


def _doubtful_forms(system: System) -> tuple[float, float]:
    """Sizes of forms that the accuracy of the geometry makes zero up to the first, and leaves from the second on."""
    known = known_accuracy(system)
    return (0.0, 0.0) if known is None else (PER_ACCURACY.zero * known.relative, PER_ACCURACY.sure * known.relative)


def _on_circles(at: NullSpaces, A: Floats, v: Floats) -> _Zeros | None:
    """All directions of two slow coordinates; None where circles around the pose leave the domain of the reduction."""
    reduced = reduction(at)
    scan = scan_circles(reduced)
    if not scan.radii:
        return None
    if scan.everywhere:
        return _on_part(at, A, QuadricPart(np.eye(2)), v)
    sure = len(reduced.N.T) == 1
    halves = [half for half in scan.halves if half.status is not BranchStatus.INFINITESIMAL]
    tangents = [part.basis[:, 0] for part in _cone(at, A).parts if part.basis.shape[1] == 1]
    groups = _by_tangent(halves, tangents)
    parts = [part for tangent, members in groups for part in _of_tangent(reduced, tangent, members, v, sure)]
    parts += [
        _Direction(
            at.V @ c[:, None],
            _direction_of(at, at.V @ c[:, None], v, curved=False),
            BranchStatus.INFINITESIMAL,
            both_ways=False,
        )
        for c in tangents
        if not any(_between(c, tangent) < SAME_TANGENT for tangent, _ in groups)
    ]
    return _Zeros(tuple(parts), True, scan.radii[-1])


def _by_tangent(halves: list[HalfBranch], known: list[Floats]) -> list[tuple[Floats, list[HalfBranch]]]:
    """Half-branches in groups with one tangent line, a unit vector (2,), which second order gives where it can."""
    lines = [np.array([np.cos(half.tangent), np.sin(half.tangent)]) for half in halves]
    groups: list[tuple[Floats, list[HalfBranch]]] = []
    for line, half in zip(lines, halves, strict=True):
        near = [c for c in known if _between(c, line) < SAME_TANGENT]
        tangent = min(near, key=lambda c: _between(c, line)) if near else line
        for line_of_group, members in groups:
            if _between(line_of_group, tangent) < (1e-9 if near else SAME_TANGENT):
                members.append(half)
                break
        else:
            groups.append((tangent, [half]))
    return groups


def _between(c: Floats, d: Floats) -> float:
    """The angle between two lines in the plane [rad]."""
    return float(np.arcsin(min(1.0, abs(c[0] * d[1] - c[1] * d[0]))))


def _angle(c: Floats) -> float:
    return float(np.arctan2(c[1], c[0]))


def _of_tangent(reduced: Reduction, c: Floats, members: list[HalfBranch], v: Floats, sure: bool) -> list[_Direction]:
    """The branches of one tangent: those that go both ways, and arms that leave to one side only."""
    at = reduced.at
    x = _direction_of(at, (reduced.S @ c)[:, None], v, curved=False)
    ahead = _angle(reduced.S.T @ x)
    sides = [[half for half in members if abs(turn(ahead + side, half.tangent)) < 1.0] for side in (0.0, np.pi)]
    if _one_way(at, x):
        sides[1] = []
    directions = []
    for k in range(max(map(len, sides))):
        pair = [(side[k], sign) for side, sign in zip(sides, (1.0, -1.0), strict=True) if k < len(side)]
        statuses = [_followed(reduced, half, sure) for half, _ in pair]
        status = BranchStatus.REAL if BranchStatus.REAL in statuses else BranchStatus.UNDECIDED
        half, sign = pair[statuses.index(status)]
        contacts = [contact_order(half, member) for member in members if member is not half]
        contact = min((q for q in contacts if q is not None), default=None)
        directions.append(
            _Direction(
                B=x[:, None],
                x=sign * x,
                status=status,
                both_ways=statuses.count(BranchStatus.REAL) == 2,
                near=_point_near(reduced, half),
                contact=contact,
                chords=() if contact is None else _chords(reduced, half),
            )
        )
    return directions


def _followed(reduced: Reduction, half: HalfBranch, sure: bool) -> BranchStatus:
    """The status of a half-branch, which one equation that changes sign proves, and following it confirms."""
    if half.status is not BranchStatus.REAL or (sure and any(half.crosses)):
        return half.status
    point = point_on_circle(reduced, half.radii[0], half.angles[0])
    real = point is not None and is_followed(reduced.at, point.state, point.s, point.d)
    return BranchStatus.REAL if real else BranchStatus.UNDECIDED


def _point_near(reduced: Reduction, half: HalfBranch) -> ReducedPoint | None:
    """The pose of a half-branch next to the singular one."""
    k = int(np.argmin(np.abs(np.array(half.radii) - NEIGHBOUR_RADIUS * reduced.at.system.length)))
    return point_on_circle(reduced, half.radii[k], half.angles[k])


def _chords(reduced: Reduction, half: HalfBranch) -> tuple[Floats, ...]:
    """Displacements to poses of a half-branch on all circles that take it apart from others."""
    circles = list(zip(half.radii, half.angles, strict=True))[: half.resolved + 1]
    points = (point_on_circle(reduced, r, angle) for r, angle in circles)
    return tuple(point.d for point in points if point is not None)


def _on_part(at: NullSpaces, A: Floats, part: QuadricPart, v: Floats) -> _Zeros:
    """The motions among the directions of one part of the second-order cone.

    Slow are the directions that the forms leave free next to one of the part; all others are solved for.  Where no more
    are slow than the part has, it is one smooth set of motions or none; where two are, all of them are examined.
    """
    f = part.basis.shape[1]
    c = part.basis[:, 0] if part.curved else part.basis @ _generic(f)
    free = _free_directions(at, A, c)
    slow = free.shape[1]
    reduced = reduction(at) if slow == at.differential else reduction(at, at.V @ free, A, c)
    B = at.V @ part.basis if part.curved or f == 1 else along_axes(at.V @ part.basis, f)
    x = _direction_of(at, B, v, part.curved)
    probe = x if part.curved or f == 1 else _forwards(at, B @ _generic(f))  # the motions of its axes may be special
    ahead = _examined(reduced, probe)
    back = _Examined(BranchStatus.INFINITESIMAL) if _one_way(at, probe) else _examined(reduced, -probe)
    either = next(status for status in BY_PRECEDENCE if status in (ahead.status, back.status))
    others = [] if part.curved else [_examined(reduced, y, far=False).status for y in _samples(B)]
    status = either if all(sample is either for sample in others) else BranchStatus.UNDECIDED
    if slow == 2 and at.differential > 2 and (f == 1 or status is not BranchStatus.REAL):
        scanned = _in_plane(reduced, v, None if f == 2 else reduced.S.T @ B[:, 0])
        if scanned is not None:
            return scanned
    note = ""
    if f < slow or (status is BranchStatus.INFINITESIMAL and slow > 1):
        status = status if status is BranchStatus.REAL else BranchStatus.UNDECIDED
        note = "Where more than two directions are slow, motions were sought along some of them only."
    sign = 1.0 if ahead.status is BranchStatus.REAL or back.status is not BranchStatus.REAL else -1.0
    both = ahead.status is BranchStatus.REAL and back.status is BranchStatus.REAL
    near = ahead.near if sign > 0 else back.near
    direction = _Direction(B, (sign if f == 1 else 1.0) * x, status, both, part.curved, near)
    radius = min((side.radius for side in (ahead, back) if side.radius is not None), default=None)
    return _Zeros((direction,), True, radius, note)


def _in_plane(reduced: Reduction, v: Floats, line: Floats | None) -> _Zeros | None:
    """All directions of two slow coordinates among more, or those near a line c (2,), a tangent that is known.

    None where circles leave the domain of the reduction.
    """
    centres = [] if line is None else [_angle(line), _angle(-line)]
    arcs = [Arc()] if line is None else [Arc(centre, NEIGHBOURING_DIRECTIONS) for centre in centres]
    scans = [scan_circles(reduced, arc) for arc in arcs]
    if any(not scan.radii or scan.everywhere for scan in scans):
        return None
    halves = [half for scan in scans for half in scan.halves if half.status is not BranchStatus.INFINITESIMAL]
    groups = _by_tangent(halves, [] if line is None else [line])
    parts = [part for tangent, members in groups for part in _of_tangent(reduced, tangent, members, v, sure=False)]
    if line is not None and not parts:
        x = _direction_of(reduced.at, (reduced.S @ line)[:, None], v, curved=False)
        parts = [_Direction(x[:, None], x, BranchStatus.INFINITESIMAL, both_ways=False)]
    return _Zeros(tuple(parts), True, max(scan.radii[-1] for scan in scans))


@dataclass(frozen=True, slots=True, eq=False)
class _Examined:
    """A direction examined on falling spheres."""

    status: BranchStatus
    radius: float | None = None  # [m] of the smallest sphere
    near: ReducedPoint | None = None


def _examined(reduced: Reduction, x: Floats, far: bool = True) -> _Examined:
    """The status of a unit direction x (n,) [metres] of the slow ones; with ``far`` a motion is followed, too."""
    at, length, c = reduced.at, reduced.at.system.length, reduced.S.T @ x
    largest, first = LARGEST_RADIUS, None
    while first is None and largest > SHRINKING_RADIUS:
        first = reduced.solved(largest * length * c)
        largest *= 1.0 if first is not None else POINT_RATIO
    if first is None:
        return _Examined(BranchStatus.UNDECIDED)
    points = [(r * length, reduced.solved(r * length * c)) for r in radii(largest, POINT_RATIO)]
    closed = [(r, point) for r, point in points if point is not None]
    status = verdict([point.residual for _, point in closed], [reduced.rounding(r) for r, _ in closed])
    if status is BranchStatus.REAL and far and not is_followed(at, first.state, first.s, first.d):
        status = BranchStatus.UNDECIDED
    near = min(closed, key=lambda pair: abs(pair[0] - NEIGHBOUR_RADIUS * length))[1]
    return _Examined(status, closed[-1][0], near)


def _free_directions(at: NullSpaces, A: Floats, c: Floats) -> Floats:
    """The directions (δ, k) that forms A leave free next to a direction c on which they vanish: A_k(c, ·) = 0."""
    _, s, Wt = np.linalg.svd(np.einsum("i,kij->kj", c, A), full_matrices=True)
    zero = max(FREE_DIRECTION, _doubtful_forms(at.system)[0])
    return np.asarray(Wt[int((s > zero).sum()) :].T)


def _generic(size: int) -> Floats:
    """A unit vector without special directions."""
    c = np.random.default_rng(11).standard_normal(size)
    return np.asarray(c / np.linalg.norm(c))


def _forwards(at: NullSpaces, x: Floats) -> Floats:
    """A direction, or the opposite one: that along which drives move forward."""
    return -x if at.path is not None and x[-1] < 0 else x


def _one_way(at: NullSpaces, x: Floats) -> bool:
    """Do drives move along a direction, at their turning point, so that they cannot go back?"""
    return at.path is not None and at.path.rate == 0.0 and abs(x[-1]) > LEAST_DRIVE_MOTION


def _branch(at: NullSpaces, part: _Direction) -> Branch:
    """A direction with its verdict as a branch, its motions in velocities of the bodies."""
    wider = False
    if part.near is not None:
        onward = None if at.path is None else at.path.at(part.near.s)
        wider = null_spaces(at.system, part.near.state, path=onward).differential > part.B.shape[1]
    direction, basis, driven = _without_drives(at, part.x, part.B)
    return Branch(
        direction=at.velocities(direction),
        basis=at.velocities(basis),
        status=part.status,
        both_ways=part.both_ways,
        shaky=wider and not part.curved,
        curved=part.curved,
        driven=driven,
        contact=part.contact,
        chords=part.chords,
    )


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
    """Random unit directions of a branch of several freedoms."""
    if B.shape[1] == 1:
        return []
    random = np.random.default_rng(7).standard_normal((B.shape[1], RANDOM_DIRECTIONS))
    return [x / np.linalg.norm(x) for x in (B @ random).T]


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
