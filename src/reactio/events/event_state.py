"""A state of a run as the argument of event functions: joint coordinates and positions of bodies by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import CoordinateName
from reactio.errors import ReactioError, did_you_mean
from reactio.functions.program import RATE_SUFFIX
from reactio.kinematics.body_state import body_state
from reactio.model.coordinates import BODY_COORDINATES, coordinate_names, variable_names
from reactio.system.evaluate.evaluation import evaluate
from reactio.system.joint_coordinates import measure_of, on_frames
from reactio.system.plan import Work
from reactio.system.types import State, System

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
    if (i := system.named_measures.get(base)) is not None:
        return (lambda now: float(now.work.rate[i])) if rate else (lambda now: float(now.work.value[i]))
    body, _, axis = base.rpartition(".")
    if "." in body:
        raise ReactioError(
            f"'{base}' belongs to a point, and is known only if an event or a force of the model names it."
        )
    b, k = model.body_index[body], BODY_COORDINATES[model.space].index(axis)

    def read(now: EventState) -> float:
        body = body_state(system, b, now.q, now.v)
        parts = (body.velocity, body.angular_velocity) if rate else (body.position, body.orientation)
        return float(np.concatenate(parts)[k])

    return read


def joint_reader(system: System, along: CoordinateName, rate: bool) -> Reader:
    """A joint coordinate: a measure of the system where it has one, else its formula on the frames of the joint."""
    i = measure_of(system, along)
    if i is None:
        k = 1 if rate else 0
        return lambda now: on_frames(now.system, now.work, along)[k]
    return (lambda now: float(now.work.rate[i])) if rate else (lambda now: float(now.work.value[i]))
