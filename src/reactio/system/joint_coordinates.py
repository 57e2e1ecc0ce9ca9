"""Joint coordinates at a state: crank angles, strokes, by the names of a model, with their rates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reactio import joints as joint_registry
from reactio.catalogue.places import CoordinateName
from reactio.model.coordinates import coordinate_names
from reactio.primitives import PRIMITIVES_BY_SPACE as PRIMITIVES
from reactio.primitives import Measure
from reactio.space.frames import planar_frame, spatial_frame
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.plan import MEASURE_A, MEASURE_B, MEASURE_K, MEASURE_L, Work
from reactio.system.types import State, System

MEASURE_IDENTITY = [MEASURE_A, MEASURE_B, MEASURE_K, MEASURE_L]  # columns by which measures of a primitive differ


class CoordinateValue(NamedTuple):
    """A joint coordinate at a state."""

    value: float  # s [m or rad]
    rate: float  # ṡ


class JointCoordinate(NamedTuple):
    """A joint coordinate with its name and unit, at a state."""

    name: str  # "A.rotation"
    unit: str  # m or rad
    value: float
    rate: float  # per second


def joint_coordinates(system: System, state: State | None = None) -> tuple[JointCoordinate, ...]:
    """All joint coordinates of a system at a state, at its given pose when left out.

    Spatial rotations that nothing in the model counts over full turns lie within ±π.

    >>> import reactio
    >>> [c.name for c in joint_coordinates(reactio.build(reactio.load("slider-crank")))][:2]
    ['A.rotation', 'B.rotation']
    """
    state = system.state() if state is None else state
    work = evaluate(system, state.t, state.q, state.v)
    names = coordinate_names(system.model)
    return tuple(
        JointCoordinate(name, unit_of(system, along), *coordinate_value(system, work, along))
        for name, along in names.items()
        if along.joint in system.group_index and system.group(along.joint).frames is not None
    )


def coordinate_value(system: System, work: Work, along: CoordinateName) -> CoordinateValue:
    """A joint coordinate: a measure of the system where it has one, else its formula on the frames of the joint."""
    i = measure_of(system, along)
    if i is not None:
        return CoordinateValue(float(work.value[i]), float(work.rate[i]))
    return on_frames(system, work, along)


def _measure(system: System, along: CoordinateName) -> tuple[Measure, float]:
    """The measure that is a joint coordinate, and its parameter."""
    joint = system.model.joint(along.joint)
    known = joint_registry.JOINTS_BY_SPACE[system.space].get(joint.type).coordinates
    (_, measure), *_ = known[along.name or next(iter(known))].terms
    return measure, float(joint.parameters[measure.parameter] or 0.0) if measure.parameter else 0.0


def unit_of(system: System, along: CoordinateName) -> str:
    """The unit of a joint coordinate, ``m`` or ``rad``."""
    return _measure(system, along)[0].primitive.unit


def measure_of(system: System, along: CoordinateName) -> int | None:
    """The place of a joint coordinate among the measures of a system, if it has one."""
    measure, parameter = _measure(system, along)
    if measure.primitive.name not in system.primitive_names:
        return None
    plan, number = system.plan.measures, system.primitive_names.index(measure.primitive.name)
    for i in range(plan.start[number], plan.start[number + 1]):
        same = tuple(plan.table[i, MEASURE_IDENTITY]) == (*_frames(system, along.joint), measure.k, measure.l)
        if same and plan.p[i] == parameter:
            return int(i)
    return None


def _frames(system: System, joint: str) -> tuple[int, int]:
    """The frames A and B of a joint, by their numbers."""
    frames = system.group(joint).frames
    assert frames is not None, "a joint has two frames"
    return frames


def on_frames(system: System, work: Work, along: CoordinateName) -> CoordinateValue:
    """s and ṡ = D_A V_A + D_B V_B of a joint coordinate."""
    measure, parameter = _measure(system, along)
    frame = (planar_frame if system.space == "planar" else spatial_frame).plain
    A, B = (frame(work.F, f) for f in _frames(system, along.joint))
    formula = PRIMITIVES[system.space].get(measure.primitive.name).formula.plain
    s, Av, Aw, Bv, Bw, _ = formula(A, B, measure.k, measure.l, parameter, 0.0)
    rate = float(sum(np.dot(D, V) for D, V in ((Av, A.v), (Aw, A.w), (Bv, B.v), (Bw, B.w))))
    return CoordinateValue(float(s), rate)
