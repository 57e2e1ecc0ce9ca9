"""Assembly of imported mechanisms: poses that close every joint as well as the digits of the file allow."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.errors import AssemblyError, ReactioError
from reactio.importers import as_drawn
from reactio.importers.convert import draft_model
from reactio.importers.mechanism import Link, Mechanism
from reactio.importers.pose import Pose, from_quaternion, rotation
from reactio.kinematics.unit_scaling import weights
from reactio.places import GROUND
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State, System

EXACT = 1e-12  # misfit, as part of the characteristic length, below which nothing but rounding is left
ACCEPTED = 1e-5  # largest misfit that counts as the digits of a file; above it a loop is open
WEAK = 1e-5  # directions that change the closure by less than this part of the strongest are not followed:
# where a file has 8 decimals they would move coordinates by much for gaps that no coordinate closes
MOST_STEPS = 60
RANDOM_STARTS = 40  # poses of a tree from which loops that stay open are tried again
ALIKE = 5  # starts that end at the same smallest gap: it is no accident of the start
LARGE = 1500  # velocities beyond which steps come from a sparse factor instead of singular values


@dataclass(frozen=True, slots=True)
class ClosureGap:
    """How far a joint stood open in the file and after assembly, as the largest of its rows [m, radians on L]."""

    name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """The assembled mechanism, the gaps of its joints, and the misfit as part of its size."""

    mechanism: Mechanism
    gaps: tuple[ClosureGap, ...]
    precision: float  # largest gap after assembly over the characteristic length
    length: float  # characteristic length [m]
    starts: int  # random starts that were needed


def closed(mechanism: Mechanism) -> Closure:
    """Move the parts until all joints close; loops that stay open are refused by name, with the gap of each alone."""
    length = as_drawn.length(mechanism)
    if as_drawn.closes(mechanism, EXACT * length):
        return Closure(mechanism, (), 0.0, length, 0)
    system, begun, found, starts = _assembled(mechanism)
    after = _gaps(mechanism, found)
    if max(after.values(), default=0.0) > ACCEPTED * system.length:
        raise AssemblyError(_refusal(mechanism, after, system.length))
    before = _gaps(mechanism, begun)
    gaps = tuple(ClosureGap(name, before[name], size) for name, size in after.items())
    precision = max(after.values(), default=0.0) / system.length
    return Closure(_posed(mechanism, system, found.state.q), gaps, precision, system.length, starts)


def _assembled(mechanism: Mechanism) -> tuple[System, Equations, Equations, int]:
    arm = _arm(mechanism)
    system = build(draft_model(mechanism, arm))
    begun = equations(system)
    found = _descend(system, begun)
    starts = alike = 0
    random = np.random.default_rng(0)
    while starts < RANDOM_STARTS and alike < ALIKE and _size(found) > ACCEPTED * system.length:
        starts += 1
        moved = build(draft_model(_shaken(mechanism, arm, random), arm))
        other = _descend(system, equations(system, State(0.0, moved.q0, np.zeros(system.n))))
        alike += 0.99 < _size(other) / _size(found) < 1.01
        if _size(other) < 0.99 * _size(found):
            found, alike = other, 0
    return system, begun, found, starts


def _residual(eqs: Equations) -> Floats:
    return np.asarray(weights(eqs.system)[0] * eqs.Phi)


def _size(eqs: Equations) -> float:
    return float(np.abs(_residual(eqs)).max(initial=0.0))


def _gaps(mechanism: Mechanism, eqs: Equations) -> dict[str, float]:
    """The largest residual of each joint and coupling, those of the points of a closure together."""
    sizes, found = np.abs(_residual(eqs)), dict[str, float]()
    owner = {f"{link.name} {k}": link.name for link in mechanism.links if link.closes for k in (1, 2)}
    for group in eqs.system.groups:
        name, size = owner.get(group.name, group.name), float(sizes[group.start : group.stop].max(initial=0.0))
        found[name] = max(found.get(name, 0.0), size)
    return found


def _arm(mechanism: Mechanism) -> float:
    """A length of the size of the parts [m]."""
    sizes = [float(np.linalg.norm(frame.r)) for link in mechanism.links for frame in (link.frame_a, link.frame_b)]
    return float(np.median([size for size in sizes if size > 0] or [1.0]))


def _descend(system: System, eqs: Equations) -> Equations:
    """Levenberg–Marquardt far from a solution; near it least-norm steps without the weak directions."""
    mu = 1e-3
    best, size = eqs, float(np.linalg.norm(_residual(eqs)))
    stalled = 0
    for _ in range(MOST_STEPS):
        if _size(best) <= EXACT * system.length or stalled >= 3:
            break
        near = size < 1e-2 * system.length and not stalled
        step = _step(best, None if near else mu)
        try:
            trial = equations(system, State(0.0, advance(system, best.state.q, step), np.zeros(system.n)))
        except ReactioError:
            mu *= 10
            continue
        new = float(np.linalg.norm(_residual(trial)))
        if new < size:
            stalled = 0 if new < 0.9 * size else stalled + 1
            best, size, mu = trial, new, max(mu / 10, 1e-9)
        else:
            stalled, mu = stalled + (near or mu > 1e4), 10 * mu
    return best


def _step(eqs: Equations, mu: float | None) -> Floats:
    """A step of all velocities: damped by μ, or of least norm in the strong directions."""
    rows, columns = weights(eqs.system)
    b = -rows * eqs.Phi
    if eqs.system.n > LARGE:
        from scipy.sparse import diags_array

        from reactio.linear.least_norm import damped

        A = (diags_array(rows) @ eqs.C @ diags_array(columns)).tocsr()
        return np.asarray(columns * damped(A, b, 1e-8 if mu is None else mu))
    dense = rows[:, None] * eqs.C.toarray() * columns
    U, s, Vt = np.linalg.svd(dense, full_matrices=False)
    if not s.size:
        return np.zeros(eqs.system.n)
    gains = np.where(s > WEAK * s[0], 1 / np.where(s > 0, s, 1.0), 0.0) if mu is None else s / (s * s + mu)
    return np.asarray(columns * (Vt.T @ (gains * (U.T @ b))))


def _posed(mechanism: Mechanism, system: System, q: Floats) -> Mechanism:
    parts = []
    for b, part in enumerate(mechanism.parts):
        own = q[system.body_q[b] : system.body_q[b + 1]]
        parts.append(replace(part, pose=from_quaternion(own[:3], own[3:7], part.name)))
    return replace(mechanism, parts=tuple(parts))


def _shaken(mechanism: Mechanism, size: float, random: np.random.Generator) -> Mechanism:
    """Another pose of a spanning tree of the joints: every freedom of each joint is moved at random."""
    beside: dict[str, list[tuple[str, Pose]]] = {}
    stands = {part.name: part.pose for part in mechanism.parts} | {GROUND: Pose()}
    for link in sorted(mechanism.links, key=lambda one: one.closes):
        between = _relative(stands, link) @ _random_motion(link, size, random)
        step = link.frame_a @ between @ link.frame_b.inverse
        beside.setdefault(link.a, []).append((link.b, step))
        beside.setdefault(link.b, []).append((link.a, step.inverse))
    pose = {GROUND: Pose()}
    for root in (GROUND, *(part.name for part in mechanism.parts)):
        if root not in pose:
            pose[root] = stands[root]
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there, step in beside.get(here, ()):
                if there not in pose:
                    pose[there] = pose[here] @ step
                    queue.append(there)
    return replace(mechanism, parts=tuple(replace(part, pose=pose[part.name]) for part in mechanism.parts))


def _relative(stands: dict[str, Pose], link: Link) -> Pose:
    a = stands[link.a] @ link.frame_a
    return a.inverse @ (stands[link.b] @ link.frame_b)


def _random_motion(link: Link, size: float, random: np.random.Generator) -> Pose:
    motion = Pose()
    for freedom in joint_registry.SPATIAL.get(link.type).free:
        if not freedom.axis:
            continue
        axis = np.eye(3)["xyz".index(freedom.axis)]
        amount = float(random.uniform(-1, 1))
        turn = Pose(np.zeros(3), rotation(axis, np.pi * amount))
        motion = motion @ (turn if freedom.rotates else Pose(size * amount * axis))
    return motion


def _refusal(mechanism: Mechanism, after: dict[str, float], length: float) -> str:
    """Which loops stay open, by how much with all others closed, and by how much each alone."""
    loops = [link.name for link in mechanism.links if link.closes]
    names = loops or [name for name, size in after.items() if size > ACCEPTED * length]
    listing = [f"'{name}' by {_length(after[name])}{_alone(mechanism, name, names)}" for name in names[:12]]
    more = f"; and {len(names) - 12} more" if len(names) > 12 else ""
    return (
        f"'{mechanism.name}' cannot be assembled: at the best pose found loops stay open, {'; '.join(listing)}{more}. "
        "Check the frames of these joints in the file, or start from a pose that closes them."
    )


def _alone(mechanism: Mechanism, name: str, names: Sequence[str]) -> str:
    if len(names) < 2:
        return ""
    links = tuple(link for link in mechanism.links if link.name == name or link.name not in names)
    left = {link.name for link in links}
    ratios = tuple(r for r in mechanism.ratios if all(along.split(".")[0] in left for along in r.along))
    alone = replace(mechanism, links=links, ratios=ratios)
    _, _, found, _ = _assembled(alone)
    size = _gaps(alone, found)[name]
    return f" (alone {_length(size)})" if size > ACCEPTED * found.system.length else " (alone it closes)"


def _length(size: float) -> str:
    return f"{1e3 * size:.3g} mm"
