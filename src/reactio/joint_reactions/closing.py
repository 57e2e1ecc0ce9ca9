"""Open contacts that close when bodies and joints give way: gaps that the sag of a machine takes up.

A contact that stands open in the rigid pose has no row in C.  With a spacer as wide as its gap it has one, and the gap
is one of those of the split by stiffness.  Only contacts that block no rigid motion can close by deformation alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from reactio.errors import ReactioError, listed
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joints import JOINTS_BY_SPACE
from reactio.model.contacts import joints_of, may_stand_open
from reactio.model.elastic import LARGE_MISFIT
from reactio.model.model import Model
from reactio.model.play import ONE_WAY
from reactio.model.specs import Joint
from reactio.sharing import by_compliance, problem
from reactio.system.compile.build import build
from reactio.system.compile.contacts import CLOSED_GAP, with_closed_contacts, with_other_gaps
from reactio.system.elasticity.compliance import elasticity, has_elastic_parts
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

if TYPE_CHECKING:
    from reactio.sharing.compliance import Relaxation

Source = TypeVar("Source", Model, Model | System | Equations)


def giving_way(source: Source, rule: str | None, state: State | None = None) -> Source:
    """A model with the parts that bear when others give way, where a rule knows of stiffness; all else as it is."""
    return with_closing_contacts(source, state) if by_compliance(rule) and isinstance(source, Model) else source


def with_closing_contacts(model: Model, state: State | None = None) -> Model:
    """The model with the open contacts that close by deformation as joints with a gap; the same where none does.

    Cables and struts that nearly fit the given pose bear, with their slack as a gap or with an interference.
    A ``state`` that is asked about is refused where gaps are other than those at the given pose.
    """
    if state is not None and may_stand_open(model) and (names := with_other_gaps(_rigid(model), state, build)):
        raise ReactioError(
            f"At this state the gaps of {listed(list(names))} are not those at the given pose of '{model.name}', on "
            "which the split by stiffness is based. Write the model at this pose, or ask for it without stiffness."
        )
    model = _with_fitting_members(model)
    redundant = _near_contacts(model)
    if not redundant:
        return _with_fitting_contacts(model)
    try:
        solution = _split(equations(build(_with(model, redundant), vibration=False))).solution
    except ReactioError:  # the load itself is not held, or undetermined: the model as given reports that
        return model
    idle = solution.idle if solution is not None else frozenset()
    bearing = [joint for joint in redundant if joint.name not in idle]
    return _with(model, bearing) if bearing else _with_fitting_contacts(model)


def with_near_contacts(model: Model) -> Model:
    """The model with all open contacts that some load may close by deformation as joints with a gap."""
    model = _with_fitting_members(model)
    redundant = _near_contacts(model)
    return _with(model, redundant) if redundant else _with_fitting_contacts(model)


def with_closed_as_joints(model: Model) -> Model:
    """The model with the contacts that bear as joints, which can have misfits, and without the others."""
    return _with(with_closing_contacts(model), ())


def _with_fitting_members(model: Model) -> Model:
    """The model whose cables and struts that nearly fit the given pose have their slack as a gap, or interference."""
    without = replace(model, contacts=())
    if not may_stand_open(without):
        return model
    return replace(with_closed_contacts(without, _rigid, deforming=True).model, contacts=model.contacts)


def _with_fitting_contacts(model: Model) -> Model:
    """The model whose contacts that bear are joints with their small gaps; the same where they touch exactly."""
    joints = _closed(model).joints if model.contacts else ()
    if not any(joint.elastic.play for joint in joints[len(model.joints) :]):
        return model
    return replace(model, joints=joints, contacts=())


def _closed(model: Model) -> Model:
    """The model with its closed contacts as joints, with their small gaps where stiffness decides which of them bear.

    Between rigid parts the rounding of a pose would decide that: there contacts touch, and their forces stay undecided.
    """
    from reactio.sharing.compliance import open_groups

    fitted = with_closed_contacts(model, _rigid, deforming=True).model
    small = {joint.name for joint in fitted.joints if joint.elastic.play} - set(model.joint_index)
    if not small:
        return fitted
    touching = with_closed_contacts(model, _rigid).model
    undecided = open_groups(_split(equations(_rigid(touching)))) if has_elastic_parts(model) else small
    joints = {joint.name: joint for joint in fitted.joints}
    joints |= {name: touching.joint(name) for name in small.intersection(undecided)}
    return replace(fitted, joints=tuple(joints.values()))


def _near_contacts(model: Model) -> list[Joint]:
    """The open contacts that block no rigid motion, as joints with a gap; none where no part gives way."""
    if not model.contacts or not has_elastic_parts(model):
        return []
    closed = build(model, vibration=False).model.joint_index
    return _blocking_nothing(model, [spaced for spaced in _spaced(model) if spaced.name not in closed])


def _rigid(model: Model) -> System:
    """The system of a model whose bodies do not vibrate."""
    return build(model, vibration=False)


def _split(eqs: Equations) -> Relaxation:
    """The split by stiffness at the pose of a model."""
    from reactio.sharing.compliance import relaxation

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
            yield replace(joint, parameters=wider, elastic=replace(joint.elastic, play={ONE_WAY: gap}), holds=True)


def _blocking_nothing(model: Model, joints: list[Joint]) -> list[Joint]:
    """The contacts that take no rigid motion away: their rows depend on the others."""
    rank = _rank(model) if joints else 0
    return [joint for joint in joints if _rank(_with(model, [joint])) == rank]


def _rank(model: Model) -> int:
    """rank C at the start of a model whose bodies do not vibrate."""
    return equations(build(model, vibration=False)).solvability.rank


def _with(model: Model, joints: Iterable[Joint]) -> Model:
    """The model with these contacts as joints; its other contacts are closed at this pose, or stay open."""
    return replace(model, joints=(*_closed(model).joints, *joints), contacts=())
