"""Which contacts are closed at the pose of a model: those become joints with one row that can only push."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.errors import ModelError, ReactioError
from reactio.joints import JOINTS_BY_SPACE
from reactio.linear.precision import LAST_DIGIT, LOCATED
from reactio.model.contacts import joints_of, joints_with_slack, one_way_members, slack_of
from reactio.model.elastic import LARGE_MISFIT
from reactio.model.files.read import place_of
from reactio.model.frozen import FrozenMap
from reactio.model.model import Model
from reactio.model.play import FITS, ONE_WAY, one_way_gap
from reactio.model.specs import Joint
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System

CLOSED_GAP = LOCATED  # [characteristic lengths]: gaps and depths below are those of numbers written with six digits
# [characteristic lengths per s]: contacts that separate faster are open, those whose surfaces slip faster do not stick.
SEPARATION_SPEED = LOCATED


class PartsAtPose(NamedTuple):
    """A model with the parts that act one way and bear at its pose as joints; name → gap [m] of those that do not."""

    model: Model
    open_contacts: dict[str, float]
    slack_parts: dict[str, float]  # cables, struts, and contacts among the joints
    left_out: tuple[Joint, ...] = ()  # all these, as they would bear


def with_closed_contacts(model: Model, build: Callable[[Model], System], *, deforming: bool = False) -> PartsAtPose:
    """The model with its closed contacts as joints, and without the open ones and slack cables and struts.

    The gap of a part is that of the given pose and its slack, g = s − Φ: it bears where g = 0 and its sides do not
    part; a pose with g < 0 is refused.  ``deforming``: cables and struts that nearly fit bear too; they and contacts
    that bear have g as their gap or interference.
    """
    members = [replace(joint, holds=True) for joint in one_way_members(model) if not joint.holds]
    apart = [replace(joint, holds=True) for joint in joints_with_slack(model) if not joint.holds]
    model = _with_joints(model, [*members, *apart])
    measured = [joint for joint in members if joint.parameters.get("length") is not None or slack_of(joint) > 0.0]
    contacts = [joint for contact in model.contacts for joint in joints_of(contact, rough=True)]
    every = [*measured, *apart, *contacts]
    if not every:
        return PartsAtPose(model, {}, {})
    tested = {joint.name for joint in (*measured, *apart)}
    others = [joint for joint in model.joints if joint.name not in tested]
    trial = build(replace(model, joints=(*others, *every), contacts=()))
    eqs = equations(trial)
    rows = np.array([trial.group(joint.name).start for joint in every], dtype=np.int64)
    depth, closing = eqs.Phi[rows], (eqs.C @ eqs.state.v)[rows]
    depth[len(measured) : len(tested)] = 0.0  # joints, with which the loops of the model close
    slack, size = np.array([slack_of(joint) for joint in every]), trial.length
    listed = np.arange(len(every)) < len(tested)  # joints of the model, not points of contacts
    fits = listed & (np.abs(depth - slack) <= deforming * LARGE_MISFIT * size)
    refuse_deep(every, np.where(fits, 0.0, depth - np.maximum(slack, 0.0)), size, model)
    near = (fits | (depth - slack >= -CLOSED_GAP * size)) & (closing >= -SEPARATION_SPEED * size)
    gaps = {joint.name: float(gap) for joint, gap, bears in zip(every, slack - depth, near, strict=True) if not bears}
    held = zip(every, depth, near, strict=True)
    exact = (LAST_DIGIT if deforming else CLOSED_GAP) * size  # in stiff parts gaps of any size change forces
    fitting = (_fitted(joint, d, trial) if bears and abs(d) > exact else joint for joint, d, bears in held)
    bearing = [joint for joint in fitting if joint.name not in gaps]
    touching = [joint for joint in bearing if joint.name not in tested]
    _refuse_slip(eqs, touching)
    model = _with_joints(model, bearing)
    joints = (*(joint for joint in model.joints if joint.name not in gaps), *touching)
    slack_parts = {name: gap for name, gap in gaps.items() if name in tested}
    open_contacts = {name: gap for name, gap in gaps.items() if name not in tested}
    left_out = tuple(joint for joint in every if joint.name in gaps)
    return PartsAtPose(replace(model, joints=joints, contacts=()), open_contacts, slack_parts, left_out)


def with_parts_that_bear(
    system: System, state: State, build: Callable[..., System], *, is_guess: bool = False
) -> System:
    """The system with those parts that act one way and bear at a state: g = s − Φ ≤ 0, where sides do not part.

    Parts that are open at its given pose and bear there have Φ = 0; those that bear at the given pose and are open
    there have no row.  They keep it if the state ``is_guess``, a pose that is yet to be assembled.  Gaps no larger than
    the deepest overlap at the state are errors of it.
    """
    held, left_out = () if is_guess else _held_one_way(system), system.left_out
    if not (left_out or held):
        return system
    bearing, other = _gaps_at(system, held, _with_left_out(system, build), state)
    limits = _limits(system.length, bearing, other)
    apart = (bearing.gap > limits.gap) | (bearing.rate > limits.rate)
    if opened := {joint.name: float(g) for joint, g, is_open in zip(held, bearing.gap, apart, strict=True) if is_open}:
        system = _without(system, opened, build)
    touching = (other.gap <= limits.gap) & (other.rate <= limits.rate)
    joints = [joint for joint, bears in zip(left_out, touching, strict=True) if bears]
    if not joints:
        return system
    plain = (replace(joint, elastic=replace(joint.elastic, play={}, fit="")) for joint in joints)
    whole = _rebuilt(system, plain, build)
    target, names = np.array(whole.plan.rows.target), {joint.name for joint in joints}
    for joint, g, d in zip(left_out, other.gap, other.depth, strict=True):
        if joint.name in names and g >= -CLOSED_GAP * system.length:
            target[whole.group(joint.name).start] += d
    return replace(
        whole,
        plan=whole.plan._replace(rows=whole.plan.rows._replace(target=target)),
        axes=system.axes,
        open_contacts=FrozenMap({name: g for name, g in system.open_contacts.items() if name not in names}),
        slack_parts=FrozenMap({name: g for name, g in system.slack_parts.items() if name not in names}),
        left_out=tuple(joint for joint in system.left_out if joint.name not in names),
    )


def refuse_other_parts(system: System, states: Iterable[State], build: Callable[..., System]) -> None:
    """Refuse poses at which other parts bear than at the given pose: one system cannot judge both."""
    held = _held_one_way(system)
    if not (system.left_out or held):
        return
    whole = _with_left_out(system, build)
    for k, state in enumerate(states):
        lift, other = _gaps_at(system, held, whole, state)
        closed = _limits(system.length, lift, other).gap
        if bearing := [joint.name for joint, g in zip(system.left_out, other.gap, strict=True) if g <= closed]:
            what, there = f"'{bearing[0]}' bears at pose {k}, and stands open at", "bears"
        elif opened := [joint.name for joint, g in zip(held, lift.gap, strict=True) if g > closed]:
            what, there = f"'{opened[0]}' stands open at pose {k}, and bears at", "opens"
        else:
            continue
        raise ReactioError(
            f"{what} the given pose of '{system.model.name}': where it {there} the equations differ. Ask for such "
            "poses one by one, `reactio.check(model, State(t, q, v))`."
        )


def with_other_gaps(system: System, state: State, build: Callable[..., System]) -> tuple[str, ...]:
    """The parts whose gaps at a state are not those at the given pose, and small enough to close by deformation."""
    held = _held_one_way(system)
    if not (system.left_out or held):
        return ()
    given = [*_interference(held), *(system.open_parts[joint.name] for joint in system.left_out)]
    here = np.concatenate([part.gap for part in _gaps_at(system, held, _with_left_out(system, build), state)])
    near, same = LARGE_MISFIT * system.length, CLOSED_GAP * system.length
    return tuple(
        joint.name
        for joint, before, now in zip((*held, *system.left_out), given, here, strict=True)
        if min(before, now) <= near and abs(now - before) > same
    )


def _held_one_way(system: System) -> tuple[Joint, ...]:
    """The joints of a system that act one way, and bear at its given pose."""
    names = {group.name for group in system.tables[0].unilateral_groups}
    return tuple(joint for joint in system.model.joints if joint.name in names)


class _Gaps(NamedTuple):
    """Of parts that act one way, with a slack s: …"""

    gap: Floats  # g = s − Φ [m]
    rate: Floats  # ġ = −C v [m/s]
    depth: Floats  # Φ [m]
    overlap: Floats  # Φ − max(s, 0) [m]: without the interference of their fits


class _Limits(NamedTuple):
    """The largest gap [m], and the largest speed of parting [m/s], of a part that bears."""

    gap: float
    rate: float


def _limits(length: float, *parts: _Gaps) -> _Limits:
    """Limits at a state, which is no more exact than parts overlap, and than those in touch approach each other."""
    gap = CLOSED_GAP * length + max(float(part.overlap.max(initial=0.0)) for part in parts)
    approach = max(float(-part.rate[part.gap <= gap].min(initial=0.0)) for part in parts)
    return _Limits(gap, SEPARATION_SPEED * length + approach)


def _gaps(joints: Sequence[Joint], slack: Floats, eqs: Equations) -> _Gaps:
    """The gaps of joints with the slacks s (k,) [m]."""
    rows = np.array([eqs.system.group(joint.name).start for joint in joints], dtype=np.int64)
    depth = eqs.Phi[rows]
    return _Gaps(slack - depth, -(eqs.C @ eqs.state.v)[rows], depth, depth - np.maximum(slack, 0.0))


def _gaps_at(system: System, held: Sequence[Joint], whole: System, state: State) -> tuple[_Gaps, _Gaps]:
    """At a state the gaps of joints that bear at the given pose, and of those left out, which a whole system has."""
    eqs = equations(system, state)
    others = equations(whole, state) if system.left_out else eqs
    slack = np.array([slack_of(joint) for joint in system.left_out])
    return _gaps(held, _interference(held), eqs), _gaps(system.left_out, slack, others)


def _interference(joints: Sequence[Joint]) -> Floats:
    """min(s, 0) [m] of joints that bear at the given pose, where Φ = 0: it is let go before they open."""
    return np.array([min(slack_of(joint), 0.0) for joint in joints])


def _with_left_out(system: System, build: Callable[..., System]) -> System:
    """A system with the parts that are open at its given pose."""
    return _rebuilt(system, system.left_out, build) if system.left_out else system


def _without(system: System, opened: dict[str, float], build: Callable[..., System]) -> System:
    """A system without joints that stand open, with these gaps [m]."""
    kept = tuple(joint for joint in system.model.joints if joint.name not in opened)
    rest = _like(system, replace(system.model, joints=kept), build)
    return replace(
        rest,
        axes=system.axes,
        open_contacts=system.open_contacts,
        slack_parts=FrozenMap({**system.slack_parts, **opened}),
        left_out=(*system.left_out, *(joint for joint in system.model.joints if joint.name in opened)),
    )


def _rebuilt(system: System, joints: Iterable[Joint], build: Callable[..., System]) -> System:
    """A system with more joints, of the same coordinates."""
    return _like(system, replace(system.model, joints=(*system.model.joints, *joints)), build)


def _like(system: System, model: Model, build: Callable[..., System]) -> System:
    """The system of a model with other joints, compiled as another system was, of the same coordinates."""
    vibration = bool(system.vibrating)
    dropped = bool(system.model.drop) and system.m < build(system.model, vibration=vibration).m
    changed = build(model, vibration=vibration, dropped=dropped)
    if (changed.nq, changed.n) != (system.nq, system.n):
        raise ReactioError(
            f"Other parts of '{system.model.name}' may carry load at this state than at the given pose: write the "
            "model "
            "at that pose."
        )
    return changed


def _with_joints(model: Model, joints: Iterable[Joint]) -> Model:
    """The model with joints of its own in another form."""
    changed = {joint.name: joint for joint in joints}
    return replace(model, joints=tuple(changed.get(joint.name, joint) for joint in model.joints)) if changed else model


def _fitted(joint: Joint, depth: float, system: System) -> Joint:
    """A part that acts one way, of the length of the pose, with its depth Φ [m] there as slack or interference."""
    row = JOINTS_BY_SPACE[system.space].get(joint.type).rows[0]
    if not row.target:
        return joint
    length, slack = joint.parameters.get(row.target) or 0.0, one_way_gap(joint.elastic.play) - depth
    play = replace(joint.elastic, play={ONE_WAY: slack}, fit=FITS[0] if slack < 0.0 else "")
    return replace(joint, parameters={**joint.parameters, row.target: length + row.sign * depth}, elastic=play)


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


def refuse_deep(joints: Sequence[Joint], depth: Floats, length: float, model: Model) -> None:
    """Refuse contacts that overlap; ``depth`` (c,) [m] of each, with the characteristic length [m]."""
    k = int(np.argmax(depth)) if len(depth) else 0
    if len(depth) and depth[k] > CLOSED_GAP * length:
        deep, joint = int((depth > CLOSED_GAP * length).sum()), joints[k]
        more = f", the deepest of {deep} that overlap" if deep > 1 else ""
        kind = JOINTS_BY_SPACE[model.space].get(joint.type)
        listed = {point.name: contact.name for contact in model.contacts for point in joints_of(contact)}
        path = ("contacts", listed[joint.name]) if joint.name in listed else ("joints", joint.name)
        if kind.is_one_way:
            where = "farther apart than its length" if kind.pulls else "nearer than its length"
            raise ModelError(
                f"{joint.type} '{joint.name}': its ends are {quantity(depth[k], 'm', 6)} {where} at the start{more}. "
                "Correct its "
                "length or the poses, or let `reactio assemble` do it; `--rule compliance` takes the difference into "
                "account as a misfit.",
                path,
                place_of(model, path),
            )
        raise ModelError(
            f"contact '{joint.name}': '{joint.b.body}' stands {quantity(depth[k], 'm', 6)} deep in '{joint.a.body}' "
            f"at the start{more}. Move it out along the normal, or let `reactio assemble` do it.",
            path,
            place_of(model, path),
        )
