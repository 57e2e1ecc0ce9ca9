"""Sentences and numbers that every format of a report prints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import decimal, quantity
from reactio.design.envelope import Life
from reactio.drawing.style import STYLES
from reactio.errors import listed
from reactio.joint_reactions.data import DETERMINED_BY_STIFFNESS
from reactio.joint_reactions.sums import ReactionSum
from reactio.linear.precision import DISPLAY
from reactio.reporting.data import ComponentLine, JointLine, ReportData

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
    """A component with the mark of its basis: ``Fx 12 N``, ``Fx ◆ 12 N``, ``Fx ≈ 12 N``, ``Fx –``."""
    if report.is_open(c) or not report.loads_known:
        return f"{c.name}{gap}{'?' if c.unique is None else '–'}"
    mark = "" if c.unique else BY_STIFFNESS if c.by_stiffness else "?" if c.unique is None else "≈"
    return f"{c.name}{gap}{f'{mark}{gap}' if mark else ''}{shown(c.value, report)}{gap}{c.unit}"


def load_words(joint: JointLine) -> str:
    """Does a joint bear load by stiffness, or is it idle?  Empty where that is not known."""
    return {True: "bears", False: "idle", None: ""}[joint.bears]


def marks_words(report: ReportData) -> str:
    """The bodies with which axes turn, and the meaning of the marks of components, of those that are used."""
    words = [report.turning_axes] if report.turning_axes else []
    if not report.loads_known:
        return " ".join([*words, "Masses are not known: verdicts hold for all loads, and no reaction has a value."])
    if report.anything_by_stiffness:
        words.append(f"A value marked {BY_STIFFNESS} is determined by the stiffness given.")
    if report.anything_by_rule:
        words.append(
            f"A value marked ≈ is not unique: it is the value by the rule {report.rule}, one of infinitely many."
        )
    elif report.anything_open:
        who = (
            "neither a rigid model nor the stiffness given determines"
            if report.asked
            else "a rigid model does not determine"
        )
        words.append(f"Reactions that {who} are shown as a dash.")
    return " ".join(words)


def sum_words(total: ReactionSum) -> str:
    """A sum with its value: ``weight = A.Fz + B.Fz = 245 N (unique), in world axes``."""
    return f"{sum_name(total)} = {sum_value(total)}{sum_axes(total)}"


def sum_axes(total: ReactionSum) -> str:
    """The axes of a sum, and the remark on joints whose own axes are others."""
    return f", in {total.axes} axes{f'. {total.remark}' if total.remark else ''}"


def sum_name(total: ReactionSum) -> str:
    """The name of a sum and its expression."""
    return total.expression if total.name == total.expression else f"{total.name} = {total.expression}"


def sum_value(total: ReactionSum) -> str:
    """The value of a sum, and its verdict."""
    value = "–" if total.value is None else f"{decimal(total.value, 5)} {total.unit}".replace("-", "−")
    by = f", by the rule {total.rule}" if total.rule and not total.by_stiffness else ""
    return f"{value} ({total.state}{by})"


def life_words(life: Life) -> str:
    """L10 and static safety of a bearing, in words."""
    safety = "" if life.static_safety is None else f"; static safety C0/P0 = {life.static_safety:.4g}"
    if life.millions is None or life.mean_load is None:
        return f"not known: its load is {life.by}{safety}"
    return (
        f"L10 = {life.millions:.4g} million revolutions, {life.hours:.4g} h of this motion, at a mean load of "
        f"{quantity(life.mean_load, 'N')} ({life.by}){safety}"
    )


def folded(names: Sequence[str]) -> list[str]:
    """Names that count on, three or more in a row, as their first and last: ``bolt1 … bolt8``.

    >>> folded(["A", "bolt1", "bolt2", "bolt3", "bolt5"])
    ['A', 'bolt1 … bolt3', 'bolt5']
    """
    rows: list[list[str]] = []
    for name in names:
        if rows and _next(rows[-1][-1]) == name:
            rows[-1].append(name)
        else:
            rows.append([name])
    return [text for row in rows for text in ([f"{row[0]} … {row[-1]}"] if len(row) > 2 else row)]


def _next(name: str) -> str:
    """The name that counts on: ``bolt10`` after ``bolt9``."""
    stem = name.rstrip("0123456789")
    return f"{stem}{int(name[len(stem) :]) + 1}" if stem != name else ""


def partners_words(names: Sequence[str]) -> str:
    """The joints that share load with one, in a cell of a table."""
    return listed(folded(names), most=8) or "–"


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
