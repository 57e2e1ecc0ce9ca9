"""Sentences and numbers that every format of a report prints."""

from __future__ import annotations

import math
from functools import lru_cache

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import decimal
from reactio.drawing.style import STYLES
from reactio.joint_reactions.data import DETERMINED_BY_STIFFNESS
from reactio.joint_reactions.sums import ReactionSum
from reactio.linear.precision import DISPLAY
from reactio.reporting.data import ComponentLine, ReportData

BY_STIFFNESS = STYLES[DETERMINED_BY_STIFFNESS].mark


def time_words(report: ReportData) -> str:
    """The time of the report in words; empty at the start."""
    return f" · t = {report.t:g} s" if report.t else ""


def axes_words(report: ReportData) -> str:
    """The axes of the components, in words."""
    return (
        "in world axes"
        if report.axes == ReactionAxes.WORLD
        else "in joint axes (those of its first frame, z along its axis)"
    )


@lru_cache(maxsize=1)  # asked for with every number of a report
def largest(report: ReportData) -> float:
    """The largest component of any reaction, to which rounding is relative."""
    every = (abs(c.value) for joint in report.joints for c in joint.components)
    return max((size for size in every if math.isfinite(size)), default=0.0)


def shown(x: float, report: ReportData) -> str:
    """A number as text: 0 where it is rounding, – where it is not known."""
    if not math.isfinite(x):
        return "–"
    return "0" if abs(x) <= DISPLAY * largest(report) else decimal(x, 5).replace("-", "−")


def component_words(c: ComponentLine, report: ReportData, gap: str = " ") -> str:
    """A component with the mark of what it rests on: ``Fx 12 N``, ``Fx ◆ 12 N``, ``Fx ≈ 12 N``, ``Fx open``."""
    if report.is_open(c):
        return f"{c.name}{gap}{'?' if c.unique is None else 'open'}"
    mark = "" if c.unique else BY_STIFFNESS if c.by_stiffness else "?" if c.unique is None else "≈"
    return f"{c.name}{gap}{f'{mark}{gap}' if mark else ''}{shown(c.value, report)}{gap}{c.unit}"


def marks_words(report: ReportData) -> str:
    """The bodies with which axes turn, and the meaning of the marks of components, of those that are used."""
    words = [report.turning_axes] if report.turning_axes else []
    if report.anything_by_stiffness:
        words.append(f"A value marked {BY_STIFFNESS} is determined by the stiffness given.")
    if report.anything_open and report.asked:
        words.append(
            f"A value marked ≈ is not unique: it is the split by the rule {report.rule}, one of infinitely many."
        )
    elif report.anything_open:
        words.append("Reactions that a rigid model does not determine are shown as a dash.")
    return " ".join(words)


def sum_words(one: ReactionSum) -> str:
    """A sum with its value: ``weight = A.Fz + B.Fz = 245 N (unique)``."""
    return f"{sum_name(one)} = {sum_value(one)}"


def sum_name(one: ReactionSum) -> str:
    """The name of a sum and its expression."""
    return one.expression if one.name == one.expression else f"{one.name} = {one.expression}"


def sum_value(one: ReactionSum) -> str:
    """The value of a sum, and its verdict."""
    value = "open" if one.value is None else f"{decimal(one.value, 5)} {one.unit}".replace("-", "−")
    by = f", by the rule {one.rule}" if one.rule and not one.by_stiffness else ""
    return f"{value} ({one.state}{by})"


def rank_words(report: ReportData) -> str:
    """The rank and its margin, in words."""
    d = report.decision
    text = f"C is {report.m} × {report.n} and has rank {report.rank}. "
    text += f"The smallest singular value kept is {d.sigma_last_kept:.2g}"
    if report.rank < min(report.m, report.n):
        text += f", the largest dropped {d.sigma_first_dropped:.2g}: a gap of {d.gap:.1e}"
    text += "."
    if d.confident:
        return text + " No other rank is plausible."
    others = " or ".join(str(r) for r in d.alternatives)
    return text + f" Rank {others} is plausible too: the geometry is very close to one of another rank."
