"""A report in the units of its file: the numbers that every format prints, and their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import in_units, unit_name, writing_in
from reactio.joint_reactions.sums import ReactionSum
from reactio.reporting.data import ComponentLine, HistoryLine, JointLine, ReportData, RunLine, StressLine
from reactio.simulation.peaks import Peaks


def written(report: ReportData) -> ReportData:
    """The report with forces and moments in its units; the picture, its frames and wrenches, stays in SI."""
    with writing_in(report.units):
        if unit_name("N") == "N" and unit_name("N m") == "N m":
            return report
        return replace(
            report,
            joints=tuple(_joint(joint) for joint in report.joints),
            sums=tuple(_sum(total) for total in report.sums),
            stresses=tuple(_stress(stress, report) for stress in report.stresses),
            run=_run(report.run, report) if report.run else None,
        )


def _joint(joint: JointLine) -> JointLine:
    return replace(joint, components=tuple(_component(c) for c in joint.components))


def _component(c: ComponentLine) -> ComponentLine:
    value, low, high = (in_units(x, c.unit) for x in (c.value, c.low, c.high))
    return replace(c, value=value, low=low, high=high, unit=unit_name(c.unit))


def _sum(total: ReactionSum) -> ReactionSum:
    return replace(total, value=in_units(total.value, total.unit), unit=unit_name(total.unit))


def _stress(stress: StressLine, report: ReportData) -> StressLine:
    """A self-stress by amounts s in the units of the file: changes per unit of s are those of another s."""
    per_amount = in_units(1.0, stress.unit)
    units = {joint.name: [c.unit for c in joint.components] for joint in report.joints}
    changes = {
        name: np.array([in_units(x, unit) for x, unit in zip(change, units[name], strict=True)]) / per_amount
        for name, change in stress.components.items()
    }
    wrenches = {name: wrench / per_amount for name, wrench in stress.wrenches.items()}
    reach = in_units(stress.reach, stress.unit)
    return replace(stress, unit=unit_name(stress.unit), reach=reach, components=changes, wrenches=wrenches)


def _run(run: RunLine, report: ReportData) -> RunLine:
    sums = zip(report.sums, run.sums, strict=True)
    stresses = tuple(
        replace(
            history,
            components=history.components * _per_si(history.joints, report) / in_units(1.0, stress.unit),
            wrenches=history.wrenches / in_units(1.0, stress.unit),
        )
        for stress, history in zip(report.stresses, run.stresses, strict=False)
    )
    return replace(
        run,
        histories=tuple(_history(history) for history in run.histories),
        sums=tuple(replace(history, values=in_units(history.values, total.unit)) for total, history in sums),
        stresses=stresses,
        peaks=_peaks(run.peaks),
    )


def _per_si(joints: Sequence[str], report: ReportData) -> Floats:
    """(joints, labels) the factors of forces, then of moments; the effort of a drive, rod or coupling comes first."""
    forces, moments = (2, 1) if report.space == "planar" else (3, 3)
    of_vectors = np.repeat([in_units(1.0, "N"), in_units(1.0, "N m")], [forces, moments])
    units = {joint.name: {c.unit for c in joint.components} for joint in report.joints}
    single = {name: in_units(1.0, next(iter(unit_names))) for name, unit_names in units.items() if len(unit_names) == 1}
    return np.array([np.full_like(of_vectors, single[name]) if name in single else of_vectors for name in joints])


def _history(history: HistoryLine) -> HistoryLine:
    per_si = np.array([in_units(1.0, unit) for unit in history.units])
    units = tuple(unit_name(unit) for unit in history.units)
    return replace(history, values=history.values * per_si, units=units)


def _peaks(peaks: Peaks) -> Peaks:
    lines = (
        replace(line, peak=in_units(line.peak, line.unit), rms=in_units(line.rms, line.unit), unit=unit_name(line.unit))
        for line in peaks.found
    )
    return replace(peaks, found=tuple(lines))
