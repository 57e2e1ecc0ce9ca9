"""Reactions: ``B.Fz`` in joint axes, and the sizes ``B.force`` and ``B.moment``."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from reactio.errors import ReactioError
from reactio.joints import ALONG_MEMBER, TENSION
from reactio.sweeps.case import Case
from reactio.sweeps.results import OutputValue, Results, components_of, register
from reactio.system.constraints import LABELS


def available(case: Case) -> dict[str, Callable[[Case], OutputValue]]:
    """Every component of every joint, drive and coupling."""
    results: dict[str, Callable[[Case], OutputValue]] = {}
    for name, labels in components_of(case):
        both = (*labels, ALONG_MEMBER) if labels == (TENSION,) else labels
        results |= {f"{name}.{label}": partial(_component, name, label) for label in both}
        results |= {f"{name}.{size}": partial(_size, name, size) for size in ("force", "moment")}
    return results


def _component(name: str, label: str, case: Case) -> OutputValue:
    reaction = case.reactions[name]
    if label in reaction.line:
        return _known(reaction.line[label])
    values = np.concatenate([reaction.force_in_joint, reaction.moment_in_joint])
    labels = LABELS[case.model.space] if len(values) > 1 else (label,)
    if label not in labels:
        raise ReactioError(f"'{name}' has no component {label} here.")
    return _known(float(values[labels.index(label)]))


def _size(name: str, size: str, case: Case) -> OutputValue:
    return _known(float(np.linalg.norm(getattr(case.reactions[name], size))))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


register(Results("reactions", "JOINT.COMPONENT as B.Fz [N, N m], JOINT.force, JOINT.moment", available))
