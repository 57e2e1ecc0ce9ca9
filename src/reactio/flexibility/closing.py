"""Open contacts that close when bodies and joints give way: gaps that the sag of a machine takes up.

A contact that stands open in the rigid pose has no row in C.  With a spacer as wide as its gap it has one, and the gap
is one of those of the split by stiffness.  Only contacts that block no rigid motion can close by deformation alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reactio.errors import ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joints import JOINTS_BY_SPACE
from reactio.model.contacts import joints_of, one_way_members
from reactio.model.model import Model
from reactio.model.play import FITS, ONE_WAY, one_way_gap
from reactio.model.specs import Joint
from reactio.sharing import problem
from reactio.sharing.compliance import Relaxation, relaxation
from reactio.system.compile.build import build
from reactio.system.compile.contacts import CLOSED_GAP
from reactio.system.elasticity.compliance import LARGE_MISFIT, elasticity, has_elastic_parts
from reactio.system.equations import Equations, equations


def with_closing_contacts(model: Model) -> Model:
    """The model with the open contacts that close by deformation as joints with a gap; the same where none does.

    Cables and struts that nearly fit the given pose have their slack as a gap too, or an interference.
    """
    model = _with_fitted_members(model)
    if not model.contacts or not has_elastic_parts(model):
        return model
    closed = build(model, vibration=False).model.joint_index
    near = [spaced for spaced in _spaced(model) if spaced.name not in closed]
    redundant = _blocking_nothing(model, near)
    if not redundant:
        return model
    every = _with(model, redundant)
    try:
        solution = _split(equations(build(every, vibration=False))).solution
    except ReactioError:  # the load itself is not held, or undetermined: the model as given reports that
        return model
    idle = solution.idle if solution is not None else frozenset()
    bearing = [joint for joint in redundant if joint.name not in idle]
    return _with(model, bearing) if bearing else model


def _with_fitted_members(model: Model) -> Model:
    """The model with cables and struts of the length of the pose, and their excess or lack of length as their gap."""
    members = {joint.name: joint for joint in one_way_members(model) if joint.parameters.get("length") is not None}
    if not members:
        return model
    taut = tuple(replace(joint, holds=True) if joint.name in members else joint for joint in model.joints)
    system = build(replace(model, joints=taut, contacts=()), vibration=False)
    eqs = equations(system)
    depth = {name: float(eqs.Phi[system.group(name).start]) for name in members}
    return replace(
        model,
        joints=tuple(
            _fitted(model, joint, -depth[joint.name], system.length) if joint.name in members else joint
            for joint in model.joints
        ),
    )


def _fitted(model: Model, joint: Joint, gap: float, size: float) -> Joint:
    """A cable or strut with its gap [m] at the given pose as slack; as it is where it fits, or is far from fitting."""
    if not CLOSED_GAP * size < abs(gap) <= LARGE_MISFIT * size:
        return joint
    (row,) = JOINTS_BY_SPACE[model.space].get(joint.type).rows
    length, slack = joint.parameters["length"], gap + one_way_gap(joint.elastic.play)
    assert length is not None
    play = replace(joint.elastic, play={ONE_WAY: slack}, fit=FITS[0] if slack < 0.0 else "")
    return replace(joint, parameters={**joint.parameters, "length": length - row.sign * gap}, elastic=play)


def _split(eqs: Equations) -> Relaxation:
    """The split by stiffness at the pose of a model."""
    motion = accelerations(eqs)
    task = problem(eqs.constraints, motion.f, eqs.M, eqs.solvability, motion.rounding)
    return relaxation(task, elasticity(eqs))


def _spaced(model: Model) -> Iterable[Joint]:
    """Every contact that is open but near, as a joint with a spacer as wide as its gap."""
    joints = [joint for contact in model.contacts for joint in joints_of(contact, rough=True)]
    system = build(replace(model, joints=(*model.joints, *joints), contacts=()), vibration=False)
    eqs = equations(system)
    for joint in joints:
        row = JOINTS_BY_SPACE[model.space].get(joint.type).rows[0]
        gap = -float(eqs.Phi[system.group(joint.name).start])
        if row.target and CLOSED_GAP * system.length < gap <= LARGE_MISFIT * system.length:
            wider = {**joint.parameters, row.target: (joint.parameters.get(row.target) or 0.0) + gap}
            yield replace(joint, parameters=wider, elastic=replace(joint.elastic, play={ONE_WAY: gap}))


def _blocking_nothing(model: Model, joints: list[Joint]) -> list[Joint]:
    """The contacts that take no rigid motion away: their rows depend on the others."""
    rank = _rank(model) if joints else 0
    return [joint for joint in joints if _rank(_with(model, [joint])) == rank]


def _rank(model: Model) -> int:
    """rank C at the start of a model whose bodies do not vibrate."""
    return equations(build(model, vibration=False)).solvability.rank


def _with(model: Model, joints: Iterable[Joint]) -> Model:
    """The model with these contacts as joints; its other contacts are closed at this pose, or stay open."""
    closed = build(model, vibration=False).model
    return replace(model, joints=(*closed.joints, *joints), contacts=())
