"""Outputs of a sweep: results by their names, and functions of the user."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from reactio.errors import ReactioError, did_you_mean
from reactio.model.model import Model
from reactio.sweeps.case import Case, Question
from reactio.sweeps.results import RESULTS, OutputValue, Results

Asked: TypeAlias = str | Callable[[Model], Any]


@dataclass(frozen=True, slots=True)
class SweepOutput:
    """One column of the results."""

    name: str
    result: Callable[[Case], OutputValue] | None = None  # of a case, once it is known (see ``resolved``)
    function: Callable[[Model], Any] | None = None  # of the user, of the model
    place: str = ""  # of that function, ``file.py:name`` or ``module:name``

    @property
    def own(self) -> bool:
        """Is it a function of the user?"""
        return self.function is not None or bool(self.place)

    def value(self, case: Case) -> OutputValue:
        """Its value in a case."""
        if self.own:
            function = self.function or function_at(self.place)
            return _plain(function(case.model), self.name)
        assert self.result is not None, "outputs are resolved before cases are answered"
        return self.result(case)


def parse_outputs(want: str | Asked | Iterable[Asked]) -> tuple[SweepOutput, ...]:
    """Outputs from names with commas between them, or functions.

    >>> [output.name for output in parse_outputs("B.Fz.max, redundancy")]
    ['B.Fz.max', 'redundancy']
    """
    every: Sequence[Asked] = [want] if isinstance(want, str) or callable(want) else list(want)
    outputs = []
    for asked in every:
        if callable(asked):
            outputs.append(SweepOutput(getattr(asked, "__name__", type(asked).__name__), function=asked))
            continue
        for name in (part.strip() for part in asked.split(",")):
            if name:
                outputs.append(SweepOutput(name.rpartition(":")[2], place=name) if ":" in name else SweepOutput(name))
    names = [output.name for output in outputs]
    if not names:
        raise ReactioError('No result is requested: name some, as in --want "redundancy, B.verdict, B.Fz".')
    for name in names:
        if names.count(name) > 1:
            raise ReactioError(f"'{name}' is requested twice.")
    return tuple(outputs)


def resolved(outputs: Sequence[SweepOutput], cases: Iterable[Case]) -> tuple[tuple[SweepOutput, ...], Case]:
    """The outputs with the function of each, and the first of some cases.

    Names that are not a result of any case are refused, and results of a motion where no end time is given.
    Joints may depend on parameters: further cases are built only where an output is not known yet.
    """
    available: dict[str, tuple[Callable[[Case], OutputValue], Results]] = {}
    first: Case | None = None
    for case in cases:
        first = first or case
        for results in RESULTS.values():
            available |= {name: (find, results) for name, find in results.available(case).items()}
        if all(output.own or output.name in available for output in outputs):
            break
    assert first is not None
    return tuple(_resolved(output, available, first.question) for output in outputs), first


def _resolved(
    output: SweepOutput, available: Mapping[str, tuple[Callable[[Case], OutputValue], Results]], question: Question
) -> SweepOutput:
    if output.own:
        if output.place:
            function_at(output.place)
        return output
    if output.name not in available:
        kinds = "; ".join(results.doc for results in RESULTS.values())
        raise ReactioError(f"There is no result '{output.name}'.{_nearest(output.name, available)} There are: {kinds}.")
    find, results = available[output.name]
    if results.motion and question.until is None:
        raise ReactioError(f"'{output.name}' needs a motion: give its end time (--until T).")
    return replace(output, result=find)


def _nearest(name: str, known: Iterable[str]) -> str:
    hint = did_you_mean(name, known)
    return hint if "Did you mean" in hint else ""


@lru_cache(maxsize=64)
def function_at(place: str) -> Callable[[Model], Any]:
    """The function ``name`` of a file, ``file.py:name``, or of a module that can be imported, ``module:name``."""
    where, _, name = place.rpartition(":")
    try:
        if where.endswith(".py"):
            spec = importlib.util.spec_from_file_location(f"reactio_user_{Path(where).stem}", Path(where).resolve())
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(where)
    except Exception as error:  # whatever the user's own file raises
        raise ReactioError(f"'{where}' cannot be imported: {type(error).__name__}: {error}") from None
    function = getattr(module, name, None)
    if not callable(function):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise ReactioError(f"'{where}' has no function '{name}'.{did_you_mean(name, known)}")
    return function  # type: ignore[no-any-return]


def _plain(value: Any, name: str) -> OutputValue:
    """The value of a user's function, as a number, a word or nothing."""
    import numpy as np

    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ReactioError(f"{name}() returned {type(value).__name__}; it must return a number, a text or None.")
