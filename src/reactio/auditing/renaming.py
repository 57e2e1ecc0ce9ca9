"""What a program would print with the same joints in another order: the part of its numbers that is an accident."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.auditing import Reported
from reactio.auditing.judge import Line
from reactio.errors import ReactioError
from reactio.programs import PROGRAMS
from reactio.system.build import build
from reactio.system.constraints import components
from reactio.system.equations import equations

MOVED = 1e-3  # part of the largest number of its unit by which a component has changed


def renaming(reported: Reported, lines: tuple[Line, ...], axes: str) -> str:
    """The components that the program's own rule changes most when joints come in reverse order, in one sentence.

    Empty where the rule of the program is not known, or nothing changes.
    """
    if not reported.rule:
        return ""
    model = replace(reported.model, joints=tuple(reversed(reported.model.joints)))
    try:
        eqs = equations(build(model).in_axes(axes))
        lam = PROGRAMS.get(reported.rule).split(eqs)
    except ReactioError:
        return ""
    there: dict[tuple[str, str], float] = {}
    for group in eqs.system.reacting:
        table = components(eqs, group)
        values = table.P @ lam[group.start : group.stop]
        there |= {(group.name, label): float(x) for label, x in zip(table.labels, values, strict=True)}
    open_ones = [line for line in lines if line.verdict == "arbitrary" and line.theirs is not None]
    if not open_ones or not np.isfinite(list(there.values())).all():
        return ""
    changes = [(abs(there[x.joint, x.component] - (x.theirs or 0.0)), x) for x in open_ones if x.unit == "N"]
    largest = max((abs(x.theirs or 0.0) for x in open_ones if x.unit == "N"), default=0.0)
    moved = sorted((one for one in changes if one[0] > MOVED * largest), key=lambda one: -one[0])
    if not moved:
        return ""
    shown = ", ".join(
        f"{x.joint}.{x.component} {x.theirs:.6g} → {there[x.joint, x.component]:.6g} {x.unit}" for _, x in moved[:4]
    )
    return (
        f"With its joints renamed so that they come in reverse order, the same rule prints other numbers for the same "
        f"motion and loads: {shown}. Components that are determined stay as they are."
    )
