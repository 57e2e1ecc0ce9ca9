"""Which contacts are closed at the pose of a model: those become joints with one row that can only push."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.errors import ModelError
from reactio.joints import JOINTS_BY_SPACE
from reactio.linear.precision import LOCATED
from reactio.model.contacts import joints_of, one_way_members
from reactio.model.model import Model
from reactio.model.specs import Joint
from reactio.system.equations import Equations, equations
from reactio.system.types import System

CLOSED_GAP = LOCATED  # [characteristic lengths]: gaps and depths below are those of numbers written with six digits
# [characteristic lengths per s]: contacts that separate faster are open, those whose surfaces slip faster do not stick.
SEPARATION_SPEED = LOCATED


def with_closed_contacts(model: Model, build: Callable[[Model], System]) -> Model:
    """The model with its closed contacts as joints, and without the open ones and slack cables and struts.

    A gap g is measured at the given pose: closed where g = 0 and the sides do not part; a pose with g < 0 is refused.
    """
    bearing = {joint.name: replace(joint, holds=True) for joint in one_way_members(model) if not joint.holds}
    model = replace(model, joints=tuple(bearing.get(joint.name, joint) for joint in model.joints)) if bearing else model
    members = [joint for joint in bearing.values() if joint.parameters.get("length") is not None]
    every = [*members, *(joint for contact in model.contacts for joint in joints_of(contact, rough=True))]
    if not every:
        return model
    tested = {joint.name for joint in members}
    others = [joint for joint in model.joints if joint.name not in tested]
    trial = build(replace(model, joints=(*others, *every), contacts=()))
    eqs = equations(trial)
    rows = np.array([trial.group(joint.name).start for joint in every], dtype=np.int64)
    depth, closing = eqs.Phi[rows], (eqs.C @ eqs.state.v)[rows]
    refuse_deep(every, depth, trial.length, trial.space)
    near = (depth >= -CLOSED_GAP * trial.length) & (closing >= -SEPARATION_SPEED * trial.length)
    closed = {joint.name: joint for joint, touches in zip(every, near, strict=True) if touches}
    joints = [joint for joint in model.joints if joint.name not in tested or joint.name in closed]
    touching = [joint for name, joint in closed.items() if name not in tested]
    _refuse_slip(eqs, touching)
    return replace(model, joints=(*joints, *touching), contacts=())


def _refuse_slip(eqs: Equations, closed: Sequence[Joint]) -> None:
    """Refuse rough contacts whose surfaces slip: sliding friction is a force, not a constraint as sticking is."""
    rates = np.abs(eqs.C @ eqs.state.v)
    for joint in closed:
        group = eqs.system.group(joint.name)
        slip = float(rates[group.start + 1 : group.stop].max(initial=0.0))
        if slip > SEPARATION_SPEED * eqs.system.length:
            raise ModelError(
                f"contact '{joint.name}' slips, at {quantity(slip, 'm/s')}: friction and normal force then depend "
                f"on each other. `reactio simulate --method moreau` simulates this; reactions at an instant are "
                "those of contacts that stick.",
                ("contacts",),
            )


def refuse_deep(joints: Sequence[Joint], depth: Floats, length: float, space: str) -> None:
    """Refuse contacts that overlap; ``depth`` (c,) [m] of each, with the characteristic length [m]."""
    k = int(np.argmax(depth)) if len(depth) else 0
    if len(depth) and depth[k] > CLOSED_GAP * length:
        deep, joint = int((depth > CLOSED_GAP * length).sum()), joints[k]
        more = f", the deepest of {deep} that overlap" if deep > 1 else ""
        kind = JOINTS_BY_SPACE[space].get(joint.type)
        if kind.is_one_way:
            where = "farther apart than its length" if kind.pulls else "nearer than its length"
            raise ModelError(
                f"{joint.type} '{joint.name}': its ends are {quantity(depth[k], 'm', 6)} {where} at the start{more}. "
                "Correct its "
                "length or the poses, or let `reactio assemble` do it; as a misfit it counts by `--rule compliance`.",
                ("joints", joint.name),
            )
        raise ModelError(
            f"contact '{joint.name}': '{joint.b.body}' stands {quantity(depth[k], 'm', 6)} deep in '{joint.a.body}' "
            f"at the start{more}. Move it out along the normal, or let `reactio assemble` do it.",
            ("contacts",),
        )
