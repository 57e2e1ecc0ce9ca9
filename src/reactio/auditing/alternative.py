"""Other numbers that a program might have printed, where the order of names or rounding decides between equations."""

from __future__ import annotations

import numpy as np

from reactio.auditing.data import AuditedComponent, Finding
from reactio.auditing.loads import loads
from reactio.auditing.programs import PROGRAMS
from reactio.auditing.programs.reported import Reported
from reactio.errors import ReactioError
from reactio.system.compile.build import build
from reactio.system.constraints import components
from reactio.system.equations import equations

LEAST_CHANGE = 1e-3  # part of the largest force by which a force must differ to be mentioned

MOST_CHANGES_SHOWN = 4  # forces in the sentence, those that change most


def alternative_numbers(reported: Reported, every: tuple[AuditedComponent, ...], axes: str) -> str:
    """The forces that another choice by the program's own rule changes most, in one sentence.

    Empty where the program has no such choice, or nothing changes.
    """
    alternative = PROGRAMS.get(reported.rule).alternative if reported.rule else None
    if alternative is None:
        return ""
    try:
        eqs = equations(build(reported.model).in_axes(axes))
        start = eqs if reported.start_model is None else equations(build(reported.start_model).in_axes(axes))
        lam = alternative(start, eqs, loads(eqs, reported))
    except ReactioError:
        return ""
    alternatives: dict[tuple[str, str], float] = {}
    for group in eqs.system.reacting:
        table = components(eqs, group)
        values = table.P @ lam[group.start : group.stop]
        alternatives |= {(group.name, label): float(x) for label, x in zip(table.labels, values, strict=True)}
    open_ones = [
        component for component in every if component.verdict is Finding.ARBITRARY and component.theirs is not None
    ]
    if not open_ones or not np.isfinite(list(alternatives.values())).all():
        return ""
    changes = [(abs(alternatives[x.joint, x.component] - (x.theirs or 0.0)), x) for x in open_ones if x.unit == "N"]
    largest = max((abs(x.theirs or 0.0) for x in open_ones if x.unit == "N"), default=0.0)
    changed = sorted(
        (component for component in changes if component[0] > LEAST_CHANGE * largest),
        key=lambda component: -component[0],
    )
    if not changed:
        return ""
    shown = ", ".join(
        f"{x.joint}.{x.component} {x.theirs:.6g} → {alternatives[x.joint, x.component]:.6g} {x.unit}"
        for _, x in changed[:MOST_CHANGES_SHOWN]
    )
    return (
        f"{reported.program} leaves out redundant equations, and the names of joints or rounding decide which. "
        f"For the same motion and loads it could equally well have printed {shown}. Components that are "
        f"determined stay the same."
    )
