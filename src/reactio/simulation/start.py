"""Notes on the state at which a model starts: velocities, vibrating bodies, loads, and geometry near another rank."""

from __future__ import annotations

import math

import numpy as np

from reactio.catalogue.units import quantity
from reactio.errors import listed
from reactio.kinematics.assemble import AssemblyRecord, assembly_record
from reactio.kinematics.body_state import elastic_state
from reactio.linear.precision import SOLUTION
from reactio.model.plausibility import unheld, unloaded
from reactio.system.equations import equations
from reactio.system.geometry.accuracy import known_accuracy
from reactio.system.types import State, System
from reactio.uniqueness import solvability

# Ratio of the frequencies of a mode and of a load above which the mode follows statically: 1/(1 − 1/3²) is 12 % more.
STATIC_FREQUENCY_RATIO = 3.0


def start_notes(system: System, start: AssemblyRecord | None = None) -> tuple[str, ...]:
    """Notes on the state at which a model starts; ``start`` is its assembly where that is known."""
    vibrating = vibration_notes(system)
    elastic = (elastic_state(system, b, system.q0, system.v0).coordinates for b in range(len(system.model.bodies)))
    if vibrating and not any(part.any() for part in elastic):
        vibrating += (
            "Flexible bodies are not bent yet: joints that take up load only as a body bends do not carry it at this "
            "instant.",
        )
    halves = [f"'{name}'" for name in system.vibrating if name not in system.model.body_index]
    if halves:
        vibrating += (
            f"Split rods begin without strain, and vibrate: {listed(halves, most=6)}. `--rule compliance` shows the "
            "loads once that has died out.",
        )
    hints = unloaded(system.model) + unheld(system.model)
    return changed_velocities(system.state(), start or assembly_record(system)) + vibrating + hints


def changed_velocities(given: State, record: AssemblyRecord) -> tuple[str, ...]:
    """A note where given velocities had to be changed, with the constraint that they violate most.

    Where none were given, a mechanism starts with those of its drives: that is not a change, and there is no note.
    """
    if not given.v.any():
        return ()
    if (
        record.velocity_change <= SOLUTION * max(1.0, float(np.abs(given.v).max(initial=0.0)))
        or record.violated is None
    ):
        return ()
    most = record.violated
    return (
        f"Initial velocities violate the constraints, most of all {most.constraint} by "
        f"{quantity(most.size, most.unit, 3)}; the nearest admissible ones in kinetic energy were taken, up to "
        f"{quantity(record.velocity_change, 'm/s', 3)} away.",
    )


def vibration_notes(system: System) -> tuple[str, ...]:
    """Notes on the bodies that vibrate, their modes and damping, on which every number of the run depends."""
    names: dict[str, list[str]] = {}
    for body in system.model.bodies:
        if body.flexible is not None and body.flexible.modal is not None:
            names.setdefault(body.flexible.modal.words, []).append(f"'{body.name}'")
    notes = tuple(f"Flexible, in a floating frame: {', '.join(bodies)}: {words}." for words, bodies in names.items())
    return notes + _cut_off_too_low(system)


def _cut_off_too_low(system: System) -> tuple[str, ...]:
    """A note where a harmonic drive or load is so fast that modes taken as static would resonate."""
    modal = {body.name: body.flexible.modal for body in system.model.bodies if body.flexible is not None}
    cut_off = {  # the lowest frequency of a static mode [Hz]
        name: float(modes.frequency[modes.vibrating :].min()) / math.tau
        for name, modes in modal.items()
        if modes is not None and modes.vibrating < len(modes.frequency)
    }
    if not cut_off:
        return ()
    from reactio.functions.harmonic import Harmonic

    harmonics = ((owner, function.frequency) for owner, function in system.functions if isinstance(function, Harmonic))
    owner, hertz = max(harmonics, key=lambda pair: pair[1], default=("", 0.0))
    low = [f"'{name}' ({cut:.4g} Hz)" for name, cut in cut_off.items() if cut < STATIC_FREQUENCY_RATIO * hertz]
    if not low:
        return ()
    return (
        f"{owner} oscillates at {hertz:g} Hz, and modes taken as static would resonate: {', '.join(low)}. Let "
        f"more of them vibrate: `modes: {{up_to: {STATIC_FREQUENCY_RATIO * hertz:g}, …}}`.",
    )


def last_digit(system: System, state: State) -> tuple[str, ...]:
    """A note where a geometry within the given accuracy has another mobility than the numbers of the model."""
    if known_accuracy(system) is None or not system.m:
        return ()
    from reactio.system.geometry.rank_distance import geometry

    eqs = equations(system, state)
    answer = solvability(eqs.constraints)
    near = geometry(eqs, answer)
    if near is None or near.as_written is None:
        return ()
    return (
        f"A run follows the numbers of the model to the last digit: {near.as_written}. The aligned geometry within "
        f"{near.accuracy}, {near.as_written.distance} away, has mobility {answer.mobility} and moves differently; "
        f"align the joints to simulate it.",
    )
