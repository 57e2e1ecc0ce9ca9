"""The longest step whose stages miss no change of a function of time.

Where nothing moves, the error estimate allows any step: a load that acts for a moment could lie between the stages of
a step that spans the run.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from reactio.arrays import Floats
from reactio.functions import machine
from reactio.system.types import System

SAMPLED_INSTANTS = 512  # of a run: a change shorter than two of their intervals may be missed
# Length of a step over the duration of the shortest change: stages of DOP853 are up to 0.27 of a step apart, those of
# Radau IIA up to 0.49, so that one of them meets a change of the duration T in a step of 3 T.
CHANGES_PER_STEP = 3.0
# Instructions of a function (``machine.jet``): their number of columns, those of the operation and of a place.
INSTRUCTION_WIDTH, OPERATION, PLACE = 4, 0, 2
# Sums and products of time alone are polynomials, which do not change for a moment only.
POLYNOMIAL_OPERATIONS = (machine.CONSTANT, machine.LOAD_TIME, machine.NEG, machine.ADD, machine.SUB, machine.MUL)


def longest_step(system: System, begin: float, until: float) -> float:
    """3 T [s], T the shortest time R / max|ḟ| in which a function of time f would cross its range R at its fastest.

    f is each function of a drive or a load, at samples from the beginning to the end of a run [s]; infinity where none
    changes.
    """
    programs, shortest = system.plan.programs, np.inf
    data = programs.data.tobytes()
    for a, b in zip(programs.start[:-1].tolist(), programs.start[1:].tolist(), strict=True):
        code = programs.code[a:b]
        operations = code[:, OPERATION]
        changes = (operations == machine.LOAD_TIME).any() and not np.isin(operations, POLYNOMIAL_OPERATIONS).all()
        if changes and until != begin:
            shortest = min(shortest, _time_of_change(code.tobytes(), data, system.depth, begin, until))
    return CHANGES_PER_STEP * shortest


@lru_cache(maxsize=4096)  # functions of a model, asked for by every piece of its run
def _time_of_change(code: bytes, data: bytes, depth: int, begin: float, until: float) -> float:
    """T [s] of one function, given by its instructions and the numbers they use; infinity where it does not change."""
    values = _sampled(code, data, depth, np.linspace(begin, until, SAMPLED_INSTANTS))
    values = values[np.isfinite(values)]
    size = float(np.abs(values).max(initial=0.0))
    if not size:
        return np.inf
    steepest = float(np.abs(np.diff(values / size)).max(initial=0.0)) / (abs(until - begin) / (SAMPLED_INSTANTS - 1))
    return float(np.ptp(values / size)) / steepest if steepest > 0.0 else np.inf


def _sampled(code: bytes, data: bytes, depth: int, times: Floats) -> Floats:
    """Values at times (k,), not finite where the function is not defined: a run that reaches such a time says so."""
    instructions = np.frombuffer(code, dtype=np.int64).reshape(-1, INSTRUCTION_WIDTH)
    numbers, start = np.frombuffer(data), np.array([0, len(instructions)])
    stack, out, values = np.empty((max(1, depth), 3)), np.empty(3), np.empty(len(times))
    still = np.zeros(1 + int(instructions[:, PLACE].max(initial=0)))  # coordinates, by their places among the measures
    with np.errstate(all="ignore"):
        for i, t in enumerate(times.tolist()):
            machine.jet.plain(instructions, numbers, start, 0, t, still, still, stack, out)
            values[i] = out[0]
    return values
