"""A state of a run as the argument of event functions: joint coordinates and positions of bodies by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.catalogue.places import CoordinateName
from reactio.errors import ReactioError, did_you_mean
from reactio.kinematics.body_state import body_state
from reactio.model.events import BODY, RATE_SUFFIX, coordinate_names, variable_names
from reactio.primitives import PRIMITIVES_BY_SPACE as PRIMITIVES
from reactio.primitives import Measure
from reactio.space.frames import planar_frame, spatial_frame
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.plan import MEASURE_A, MEASURE_B, MEASURE_K, MEASURE_L, Work
from reactio.system.types import State, System

MEASURE_IDENTITY = [MEASURE_A, MEASURE_B, MEASURE_K, MEASURE_L]  # columns by which measures of a primitive differ

Reader = Callable[["EventState"], float]


@dataclass(frozen=True, eq=False)
class EventState:
    """One instant of a run, the argument of event functions.

    ``now["A.rotation"]`` is a joint coordinate [m or rad], ``now["A.rotation.rate"]`` its rate, ``now["rod.x"]`` the
    position of a body origin in world axes, ``now["rod.angle"]`` its angle in the plane.  Spatial rotations that
    nothing in the model counts over full turns (a drive, a coupling, an effort, an event, a stop) lie within ±π.
    """

    system: System
    t: float  # [s]
    q: Floats  # (nq,)
    v: Floats  # (n,)
    readers: dict[str, Reader] = field(default_factory=dict, repr=False)  # by name, shared by all states of a run

    @cached_property
    def work(self) -> Work:
        """The evaluated equations at this state."""
        return evaluate(self.system, self.t, self.q, self.v)

    @property
    def state(self) -> State:
        """Time, coordinates and velocities."""
        return State(self.t, self.q, self.v)

    def __getitem__(self, name: str) -> float:
        if name not in self.readers:
            self.readers[name] = reader(self.system, name)
        return self.readers[name](self)


def reader(system: System, name: str) -> Reader:
    """A function that gives a named coordinate, or its rate, at a state."""
    model = system.model
    base, rate = name.removesuffix(RATE_SUFFIX), name.endswith(RATE_SUFFIX)
    if name == "t":
        return lambda now: now.t
    if base in (joints := coordinate_names(model)):
        return joint_reader(system, joints[base], rate)
    if name not in variable_names(model):
        raise ReactioError(f"There is no coordinate '{name}'.{did_you_mean(name, variable_names(model))}")
    body, _, axis = base.rpartition(".")
    b, k = model.body_index[body], BODY[model.space].index(axis)
    if axis == "angle" and not body_state(system, b, system.q0, system.v0).orientation.size:
        raise ReactioError(f"'{body}' is a point mass and has no angle.")

    def read(now: EventState) -> float:
        one = body_state(system, b, now.q, now.v)
        parts = (one.velocity, one.angular_velocity) if rate else (one.position, one.orientation)
        return float(np.concatenate(parts)[k])

    return read


def joint_reader(system: System, along: CoordinateName, rate: bool) -> Reader:
    """A joint coordinate: a measure of the system where it has one, else its formula on the frames of the joint."""
    i = measure_of(system, along)
    if i is None:
        return (lambda now: _on_frames(now, along).rate) if rate else (lambda now: _on_frames(now, along).value)
    return (lambda now: float(now.work.rate[i])) if rate else (lambda now: float(now.work.value[i]))


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


class CoordinateValue(NamedTuple):
    """A joint coordinate at a state."""

    value: float  # s [m or rad]
    rate: float  # ṡ


def _on_frames(now: EventState, along: CoordinateName) -> CoordinateValue:
    """s and ṡ = D_A V_A + D_B V_B of a joint coordinate."""
    measure, parameter = _measure(now.system, along)
    frame = (planar_frame if now.system.space == "planar" else spatial_frame).plain
    A, B = (frame(now.work.F, f) for f in _frames(now.system, along.joint))
    formula = PRIMITIVES[now.system.space].get(measure.primitive.name).formula.plain
    s, Av, Aw, Bv, Bw, _ = formula(A, B, measure.k, measure.l, parameter, 0.0)
    rate = float(sum(np.dot(D, V) for D, V in ((Av, A.v), (Aw, A.w), (Bv, B.v), (Bw, B.w))))
    return CoordinateValue(float(s), rate)
