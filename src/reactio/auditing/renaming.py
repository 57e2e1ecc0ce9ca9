"""What a program might as well have printed: the part of its numbers that hangs on names or on rounding."""

from __future__ import annotations

import numpy as np

from reactio.auditing import Reported
from reactio.auditing.data import Finding, Line
from reactio.auditing.loads import loads
from reactio.errors import ReactioError
from reactio.programs import PROGRAMS
from reactio.system.compile.build import build
from reactio.system.constraints import components
from reactio.system.equations import equations

MOVED = 1e-3  # part of the largest number of its unit by which a component has changed


def renaming(reported: Reported, lines: tuple[Line, ...], axes: str) -> str:
    """The forces that another choice by the program's own rule changes most, in one sentence.

    Empty where the program has no such choice, or nothing changes.
    """
    another = PROGRAMS.get(reported.rule).another if reported.rule else None
    if another is None:
        return ""
    try:
        eqs = equations(build(reported.model).in_axes(axes))
        begun = eqs if reported.begun is None else equations(build(reported.begun).in_axes(axes))
        lam = another(begun, eqs, loads(eqs, reported))
    except ReactioError:
        return ""
    there: dict[tuple[str, str], float] = {}
    for group in eqs.system.reacting:
        table = components(eqs, group)
        values = table.P @ lam[group.start : group.stop]
        there |= {(group.name, label): float(x) for label, x in zip(table.labels, values, strict=True)}
    open_ones = [line for line in lines if line.verdict is Finding.ARBITRARY and line.theirs is not None]
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
        f"Some equations are as good as each other for {reported.program}, and the names of joints or rounding decide "
        f"which are left out. For the same motion and loads it might as well have printed {shown}. Components that are "
        "determined stay as they are."
    )
