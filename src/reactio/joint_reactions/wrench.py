"""The force and moment of a joint from its multipliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, did_you_mean
from reactio.space.frames import origins_of_frames
from reactio.system.constraints import joint_axes, wrench_map
from reactio.system.equations import Equations


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
    force_in_joint: Floats  # axes of frame A of the joint [N]
    moment_in_joint: Floats  # [N m]


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
    wrench = wrench_map(eqs, group) @ np.asarray(lam, dtype=float)[group.start : group.stop]
    turned = joint_axes(eqs, group) @ wrench
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
