"""Sources of a question: a model, a system, or the equations of a system at a state."""

from __future__ import annotations

from typing import NamedTuple

from reactio.errors import ReactioError
from reactio.model.model import Model, require_model
from reactio.system import equations as system_equations
from reactio.system.compile.build import build
from reactio.system.compile.contacts import with_parts_that_bear
from reactio.system.equations import Equations
from reactio.system.types import State, System

STATE_ALONE = "A state does not know its mechanism: give the model or the system first, and `state=` with it."


class SystemAtState(NamedTuple):
    """A system with the state that was asked about; None for its start."""

    system: System
    state: State | None


def system_and_state(
    source: Model | System | Equations, state: State | None = None, *, vibration: bool = True, is_guess: bool = False
) -> SystemAtState:
    """The system of a question, and its state where one was given; a model is compiled, with or without vibration.

    Parts that bear at the given pose and are open at the state have no row, unless the state ``is_guess``.
    """
    if isinstance(source, Equations):
        if state is not None:
            raise ReactioError("Equations are those of one state: give the model or the system with another state.")
        return SystemAtState(source.system, source.state)
    if isinstance(source, System):
        return _at(source, state, is_guess)
    if isinstance(source, State):
        raise ReactioError(STATE_ALONE)
    require_model(source)
    return _at(build(source, vibration=vibration), state, is_guess)


def _at(system: System, state: State | None, is_guess: bool) -> SystemAtState:
    """A system at a state, with the parts that act one way and bear there."""
    at_state = system if state is None else with_parts_that_bear(system, state, build, is_guess=is_guess)
    return SystemAtState(at_state, state)


def equations(source: Model | System, state: State | None = None) -> Equations:
    """All equations of a model or system at a state (default: the given pose).

    >>> import reactio
    >>> reactio.equations(reactio.load("four-bar-planar")).C.shape
    (8, 9)
    """
    return system_equations.equations(*system_and_state(source, state))
