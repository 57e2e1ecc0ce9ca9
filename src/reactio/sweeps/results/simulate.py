"""Motion: ``energy_error``, drift, how the run ended, and the singular poses that it passed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reactio.sweeps.case import Case
from reactio.sweeps.results import OutputValue, Results, register

RUN_NUMBERS = ("energy_error", "position_drift", "velocity_drift", "steps")


def available(_: Case) -> dict[str, Callable[[Case], OutputValue]]:
    """Checks and counts of a run."""
    return {
        **{name: partial(_number, name) for name in RUN_NUMBERS},
        "t_end": _end,
        "status": _status,
        "singular_passages": _passages,
    }


def _number(name: str, case: Case) -> OutputValue:
    value: OutputValue = getattr(case.run, name)
    return value


def _end(case: Case) -> OutputValue:
    return case.run.checkpoint.t


def _status(case: Case) -> OutputValue:
    return case.run.status.name.lower()


def _passages(case: Case) -> OutputValue:
    passages = case.run.singular_passages
    return None if passages.note else len(passages.found)


register(Results("simulate", ", ".join((*RUN_NUMBERS, "t_end", "status", "singular_passages")), available, motion=True))
