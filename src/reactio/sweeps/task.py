"""The work of a sweep as data that goes to other processes: cases in, rows out."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from reactio.errors import ReactioError
from reactio.kernels import expected_work
from reactio.sweeps.axes import Value
from reactio.sweeps.case import Case, Question
from reactio.sweeps.outputs import SweepOutput
from reactio.sweeps.results import OutputValue
from reactio.sweeps.sources import Source


class NumberedCase(NamedTuple):
    """A case: its number and its parameters."""

    number: int
    parameters: dict[str, Value]


@dataclass(frozen=True, slots=True)
class CaseRow:
    """The answer to one case; what failed has a reason and no value."""

    number: int
    values: tuple[OutputValue, ...]
    reason: str  # why something failed; empty where nothing did
    seconds: float


@dataclass(frozen=True, slots=True)
class SweepTask:
    """The question for every case, its models, and the work of all cases."""

    source: Source
    outputs: tuple[SweepOutput, ...]
    question: Question
    timed: bool  # is the axis ``t`` time?
    work: float  # rows of C times evaluations of all cases, by which kernels run plain or compiled

    def case(self, parameters: Mapping[str, Value]) -> Case:
        """The model at its parameters."""
        return Case(self.source, parameters, self.question, self.timed)

    def answer(self, number: int, parameters: Mapping[str, Value]) -> CaseRow:
        """The row of a case; an error in it becomes the reason of the row, and does not end the sweep."""
        begun = time.perf_counter()
        values: list[OutputValue] = [None] * len(self.outputs)
        reasons: dict[str, list[str]] = {}  # reason → outputs
        with expected_work(self.work):
            try:
                case = self.case(parameters)
            except Exception as error:
                return CaseRow(number, tuple(values), _words(error), time.perf_counter() - begun)
            for k, output in enumerate(self.outputs):
                try:
                    values[k] = output.value(case)
                except Exception as error:
                    reasons.setdefault(_words(error), []).append(output.name)
        reason = "; ".join(f"{', '.join(names)}: {words}" for words, names in reasons.items())
        return CaseRow(number, tuple(values), reason, time.perf_counter() - begun)

    def answers(self, batch: Iterable[NumberedCase]) -> Iterator[CaseRow]:
        """The rows of some cases, one after the other."""
        return (self.answer(number, parameters) for number, parameters in batch)


def _words(error: Exception) -> str:
    """The message of an error; its kind too where it is none of ours."""
    return str(error) if isinstance(error, ReactioError) else f"{type(error).__name__}: {error}"


def packed(task: SweepTask) -> bytes:
    """A task for another process; functions that cannot be imported there need cloudpickle."""
    functions = [output.function for output in task.outputs if output.function is not None]
    functions += [task.source.function] if hasattr(task.source, "function") else []
    if all(_importable(function) for function in functions):
        return pickle.dumps(task)
    try:
        import cloudpickle
    except ImportError:
        raise ReactioError(
            "Functions that are written in a script or notebook cannot go to other processes without cloudpickle: pip "
            "install 'reactio[cluster]', put them into a module, or work in this process (processes=0)."
        ) from None
    data: bytes = cloudpickle.dumps(task)
    return data


def _importable(function: Any) -> bool:
    """Can another process import this function, or the class of an object that is called like one?"""
    named = function if hasattr(function, "__qualname__") else type(function)
    return named.__module__ != "__main__" and "<" not in named.__qualname__


@lru_cache(maxsize=8)
def unpacked(content: bytes) -> SweepTask:
    """The task, which a worker keeps from batch to batch."""
    task = pickle.loads(content)
    assert isinstance(task, SweepTask)
    return task


def answered(content: bytes, batch: list[NumberedCase]) -> list[CaseRow]:
    """The rows of some cases, for workers of a cluster."""
    return list(unpacked(content).answers(batch))
