"""The force and moment of a joint from its multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.errors import ReactioError, did_you_mean
from reactio.space.frames import axes_of_frames, origins_of_frames
from reactio.system.equations import Equations
from reactio.system.memo import memoised
from reactio.system.reaction_axes import reaction_axes
from reactio.system.types import System


@dataclass(frozen=True, slots=True, eq=False)
class JointWrench:
    """The force and moment of a joint on body b, at the origin of its frame there; on body a they are opposite.

    In the plane forces have two components and moments one.
    """

    name: str
    body: str  # the body it acts on
    point: Floats  # where, in world axes [m]
    force: Floats  # world axes [N]
    moment: Floats  # world axes, about the point [N m]
    force_in_joint: Floats  # axes of the joint [N]
    moment_in_joint: Floats  # [N m]


class JointWrenches(NamedTuple):
    """Forces and moments of all joints, (g, 3) in the plane and (g, 6) in space, a row for each group of the system.

    Rows of drives, couplings and bodies, which have no frames, mean nothing.
    """

    world: Floats  # world axes
    joint: Floats  # axes of each joint


def joint_wrenches(eqs: Equations, lam: Floats) -> JointWrenches:
    """The reactions −D_Bᵀλ of all joints for multipliers λ (m,), on bodies b at the origins of their frames there."""
    size, (first, A, in_world, others) = eqs.system.dimension, _rows_and_frames(eqs.system)
    world = -np.add.reduceat(eqs.D_B * lam[:, None], first, axis=0)
    axes, joint = np.array(axes_of_frames(eqs.work.F[A])), world.copy()
    axes[in_world] = np.eye(size)
    for k in others:
        axes[k] = reaction_axes(eqs, eqs.system.groups[k])
    for part in range(0, world.shape[1] - 1, size):  # in the plane the moment is about the same axis
        joint[:, part : part + size] = (axes @ world[:, part : part + size, None])[..., 0]
    return JointWrenches(world, joint)


class RowsAndFrames(NamedTuple):
    """Of each group of a system (g,)."""

    first: Ints  # row
    A: Ints  # frame of a joint, 0 where there is none
    in_world: Bools  # is its reaction given in the axes of the world?
    others: tuple[int, ...]  # places of the joints whose reactions have axes of their own


@memoised
def _rows_and_frames(system: System) -> RowsAndFrames:
    frames = [0 if group.frames is None else group.frames[0] for group in system.groups]
    world = np.array([group.in_world for group in system.groups], dtype=bool)
    others = tuple(k for k, group in enumerate(system.groups) if not world[k] and (group.axes or group.line_labels))
    return RowsAndFrames(np.array([group.start for group in system.groups]), np.array(frames), world, others)


def joint_wrench(eqs: Equations, name: str, lam: Floats) -> JointWrench:
    """The reaction −Dᵀλ of a joint for multipliers λ (m,).

    >>> import numpy as np, reactio
    >>> eqs = reactio.equations(reactio.build(reactio.load("door", hinges=1)))
    >>> float(joint_wrench(eqs, "hinge1", np.array([0, 0, -245.25, 0, 0])).force[2])
    245.25
    """
    system = eqs.system
    if name not in system.group_index or system.group(name).frames is None:
        joints = [g.name for g in system.groups if g.frames is not None]
        raise ReactioError(f"There is no joint '{name}'.{did_you_mean(name, joints)}")
    group = system.group(name)
    assert group.frames is not None
    wrench, turned = (x[system.group_index[name]] for x in joint_wrenches(eqs, np.asarray(lam, dtype=float)))
    size = system.dimension
    return JointWrench(
        name=name,
        body=system.model.joint(name).b.body,
        point=origins_of_frames(eqs.work.F[group.frames[1]]).copy(),
        force=wrench[:size],
        moment=wrench[size:],
        force_in_joint=turned[:size],
        moment_in_joint=turned[size:],
    )
