"""Closed loops in programs that work in joint coordinates: loops are cut at joints, which forces at points replace.

Such a program keeps a spanning tree of joints, here the first ones in the order of the model, and replaces every other
joint X by point constraints with forces f_X,

    W_X λ_X = S_X f_X,    min Σ_p w_p |f_p|²   over all points p,

W_X λ_X the wrench of the joint and S_X f_X that of its points.  A ball joint is one point, and so is a hinge in the
plane; a hinge in space is two points on its axis, one characteristic length apart.  Other joints keep their own rows.
The programs differ in the weights w_p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import GroupKind
from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.kinematics.body_state import body_state, centre
from reactio.linear.precision import ROUNDOFF, SINGULAR
from reactio.model.transform.rotors import ROTOR
from reactio.sharing import problem
from reactio.sharing.cut import closing
from reactio.sharing.problem import least_weighted
from reactio.space.frames import origins_of_frames
from reactio.space.twists import skew, twist_at
from reactio.system.constraints import wrench_map, wrench_rotation
from reactio.system.equations import Equations
from reactio.system.reaction_axes import frame_axes
from reactio.system.types import RowGroup

JACOBIAN_ROUNDING = ROUNDOFF  # of velocities of points by unit joint rates [m/s, or characteristic lengths per second]
POINTS_OF_JOINT = {"spherical": 1, "revolute": 2}  # of a joint in space
SINGULAR_VALUE_ROUNDING = SINGULAR  # part of the largest below which one is rounding: rows of joints are unit vectors


@dataclass(frozen=True, slots=True, eq=False)
class CutJoint:
    """A joint at which a loop is cut: S (wrench, 3 or 2 for each point), and W (wrench, rows) with S f = W λ."""

    group: RowGroup
    S: Floats
    W: Floats
    points: int  # 0 where the joint keeps its own rows

    @property
    def size(self) -> int:
        """Force components of one point, or the number of rows where the joint keeps them."""
        return int(self.S.shape[1]) // max(self.points, 1)


@dataclass(frozen=True, slots=True, eq=False)
class ClosedLoops:
    """The data from which programs compute their weights: the equations, the cut joints, and the motions of the tree.

    ``T`` (n, coordinates of the tree): the velocities of all bodies by joint coordinates, v = T q̇.
    """

    eqs: Equations
    loops: list[CutJoint]
    T: Floats

    @property
    def inertia(self) -> Floats:
        """The mass matrix of the tree in joint coordinates, Tᵀ M T."""
        return np.asarray(self.T.T @ (self.eqs.M @ self.T))

    def jacobian(self, loop: CutJoint) -> Floats:
        """Relative velocities of the points of a loop by joint coordinates, J (forces, coordinates)."""
        rows = self.eqs.C[loop.group.start : loop.group.stop] @ self.T
        J = loop.S.T @ np.linalg.pinv(loop.W.T) @ rows
        return np.where(np.abs(J) > JACOBIAN_ROUNDING * max(1.0, self.eqs.system.length), J, 0.0)

    def centre_jacobian(self, b: int) -> Floats:
        """Velocity of the centre of mass of body number b by joint coordinates, (2 or 3, coordinates)."""
        system, q = self.eqs.system, self.eqs.state.q
        moved = twist_at(centre(system, b, q) - _origin(self.eqs, b)) @ self.T[_columns(self.eqs, b)]
        return np.asarray(moved[: system.dimension])


def least_on_points(eqs: Equations, weigh: Callable[[ClosedLoops], list[Floats]] | None = None) -> Floats:
    """λ (m,) with the smallest Σ w_p |f_p|² at the points of cut joints; ``weigh`` gives (points,) for every loop."""
    share = problem(eqs.constraints, accelerations(eqs).f, eqs.M, eqs.solvability)
    system = eqs.system
    cut = closing(share)
    loops = [_cut_joint(eqs, system.group(name)) for name in cut]
    weights = [np.ones(max(loop.points, 1)) for loop in loops]
    if weigh is not None and loops:
        weights = weigh(ClosedLoops(eqs, loops, tree_motions(eqs, cut)))
    B = np.zeros((sum(loop.S.shape[1] for loop in loops), system.m))
    row = 0
    for loop, w in zip(loops, weights, strict=True):
        # A point that no motion of the tree moves has weight zero.  Its force does no work and is zero in these
        # programs, as it is here with any other weight.
        root = np.repeat(np.sqrt(np.where(w > 0.0, w, 1.0)), loop.size)
        B[row : row + len(root), loop.group.start : loop.group.stop] = np.linalg.pinv(loop.S / root) @ loop.W
        row += len(root)
    lam = least_weighted(share, share.Dr**-2)
    for block in share.answer.evidence.blocks():
        N = share.Dr[block.rows, None] * block.N
        y = np.linalg.lstsq(B[:, block.rows] @ N, B[:, block.rows] @ lam[block.rows], rcond=None)[0]
        lam[block.rows] -= N @ y
    return lam


def _cut_joint(eqs: Equations, group: RowGroup) -> CutJoint:
    """A joint replaced by points."""
    system, rows = eqs.system, group.stop - group.start
    if group.frames is None or group.type not in POINTS_OF_JOINT:
        return CutJoint(group, np.eye(rows), np.eye(rows), 0)
    W = wrench_map(eqs, group)
    if system.space == "planar":
        return CutJoint(group, np.eye(3)[:, :2], W, 1)
    points = POINTS_OF_JOINT[group.type]
    axis = frame_axes(eqs, group)[2]
    places = [np.zeros(3)] if points == 1 else [0.5 * side * system.length * axis for side in (-1.0, 1.0)]
    S = np.hstack([np.vstack([np.eye(3), skew(place)]) for place in places])
    return CutJoint(group, S, W, points)


def tree_motions(eqs: Equations, cut: list[str]) -> Floats:
    """T (n, coordinates): the velocities of all bodies by the joint coordinates of the tree.

        V_b = V_parent + S_j q̇_j,   S_j the relative twists that joint j admits, along its axes

    Bodies without a joint move freely, along world axes.
    """
    system = eqs.system
    size = system.sizes.twist
    joined: dict[int, list[RowGroup]] = {}
    for group in system.groups:
        if group.kind == GroupKind.JOINT and group.frames is not None and group.name not in cut:
            for b in group.bodies:
                joined.setdefault(b, []).append(group)
    motion: dict[int, Floats] = {-1: np.zeros((size, 0))}
    count = 0
    bodies = range(len(system.listed_bodies))  # rotors come last
    for root in (-1, *bodies):
        if root not in motion:
            motion[root] = np.hstack([np.zeros((size, count)), np.eye(size)])
            count += size
        queue = [root] if root == -1 or motion[root].shape[1] == count else []
        while queue:
            body = queue.pop(0)
            for group in joined.get(body, ()):
                neighbour = group.bodies[1] if group.bodies[0] == body else group.bodies[0]
                if neighbour not in motion:
                    S = _relative_twists(eqs, group, neighbour)
                    carried = twist_at(_origin(eqs, neighbour) - _origin(eqs, body)) @ motion[body]
                    gap = np.zeros((size, count - carried.shape[1]))
                    motion[neighbour] = np.hstack([carried, gap, S])
                    count += S.shape[1]
                    queue.append(neighbour)
    T = np.zeros((system.n, count))
    for b in bodies:
        T[_columns(eqs, b), : motion[b].shape[1]] = motion[b]
    for group in system.groups:
        if group.type == ROTOR:  # D v − ż = 0
            T[system.body_v[group.bodies[0]]] = eqs.matrix[group.start] @ T
    return T


def _relative_twists(eqs: Equations, group: RowGroup, b: int) -> Floats:
    """S_j (3 or 6, freedoms): twists of the origin of body number b relative to the other body that a joint admits."""
    assert group.frames is not None
    turn = wrench_rotation(frame_axes(eqs, group))
    _, s, Vt = np.linalg.svd((turn @ wrench_map(eqs, group)).T)
    free = Vt[int((s > SINGULAR_VALUE_ROUNDING * s.max(initial=0.0)).sum()) :]
    chosen, P = [], free.T @ free
    for _ in range(len(free)):  # along the axes of the joint where they span the space
        k = int(np.argmax(np.linalg.norm(P, axis=0)))
        e = P[:, k] / np.linalg.norm(P[:, k])
        chosen.append(e)
        P = P - np.outer(e, e @ P)
    S = turn.T @ np.array(chosen).reshape(len(free), len(turn)).T
    return np.asarray(twist_at(_origin(eqs, b) - origins_of_frames(eqs.work.F[group.frames[1]])) @ S)


def _columns(eqs: Equations, b: int) -> slice:
    """The velocities of body number b: those of its origin and its rotation."""
    system = eqs.system
    columns = slice(int(system.body_v[b]), int(system.body_v[b + 1]))
    if columns.stop - columns.start != system.sizes.twist:
        raise ReactioError(
            f"Body '{system.model.bodies[b].name}' is not rigid: other programs can be predicted for rigid bodies only."
        )
    return columns


def _origin(eqs: Equations, b: int) -> Floats:
    """The position of the origin of body number b, or of ground, −1."""
    if b < 0:
        return np.zeros(eqs.system.dimension)
    return np.asarray(body_state(eqs.system, b, eqs.state.q, np.zeros(eqs.system.n)).position)
