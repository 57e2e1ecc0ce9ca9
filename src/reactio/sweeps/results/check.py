"""Verdicts: ``redundancy``, ``B.verdict``, ``B.Fz.unique``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from reactio.errors import ReactioError
from reactio.sweeps.case import Case
from reactio.sweeps.results import OutputValue, Results, components_of, register
from reactio.uniqueness import Verdict

MODEL_RESULTS = ("rank", "redundancy", "mobility", "confident")
SIGMAS = ("sigma_last_kept", "sigma_first_dropped")


def available(case: Case) -> dict[str, Callable[[Case], OutputValue]]:
    """Numbers of the whole, verdicts on joints, and whether a component is unique."""
    results: dict[str, Callable[[Case], OutputValue]] = {name: partial(_whole, name) for name in MODEL_RESULTS}
    results |= {name: partial(_sigma, name) for name in SIGMAS} | {"unique_joints": _unique_joints}
    for name, labels in components_of(case):
        results[f"{name}.verdict"] = partial(_verdict, name)
        results |= {f"{name}.{label}.unique": partial(_unique, name, label) for label in labels}
    return results


def _whole(name: str, case: Case) -> OutputValue:
    value: int | bool = getattr(case.check, name)
    return value


def _sigma(name: str, case: Case) -> OutputValue:
    return float(getattr(case.check.decision, name))


def _unique_joints(case: Case) -> OutputValue:
    return sum(verdict.verdict is Verdict.UNIQUE for verdict in case.check)


def _verdict(name: str, case: Case) -> OutputValue:
    return str(case.check[name].verdict)


def _unique(name: str, label: str, case: Case) -> OutputValue:
    for component in case.check[name].components:
        if component.name == label:
            return {True: "unique", False: "not unique", None: "ambiguous"}[component.unique]
    raise ReactioError(f"'{name}' does not transmit {label} here.")


register(
    Results(
        "check",
        "rank, redundancy, mobility, confident, sigma_last_kept, sigma_first_dropped, unique_joints, JOINT.verdict, "
        "JOINT.COMPONENT.unique",
        available,
    )
)
