"""A report as one JSON object: reactio.report/1."""

from __future__ import annotations

import json
from typing import Any

from reactio.arrays import Floats
from reactio.reporting.data import HistoryLine, JointLine, ReportData, RunLine
from reactio.results.as_data import picked, plain
from reactio.simulation.peaks import peak_of


def to_data(report: ReportData) -> dict[str, Any]:
    """The content of a report as plain data; docs/json.md describes it."""
    return {
        "schema": "reactio.report/1",
        **picked(
            report,
            "version command model=name title space t m n rank redundancy mobility gruebler headline sentences=words "
            "axes counts sums self_stress=stresses motions references",
        ),
        "notes": [*report.notes, *report.scene.remarks],
        "rule": report.rule if report.asked else None,
        "stiffness": report.rests_on.as_data() if report.rests_on else None,
        "joints": [_joint(joint, report) for joint in report.joints],
        "evidence": picked(report.decision, "sigma tol sigma_last_kept sigma_first_dropped gap confident alternatives"),
        "coordinates": {coordinate.name: coordinate.as_data() for coordinate in report.coordinates},
        "run": _run(report.run, report) if report.run else None,
        "lives": plain(report.lives),
        "error_bars": report.error_bars.as_data() if report.error_bars else None,
    }


def to_json(report: ReportData) -> str:
    """The object as text."""
    return json.dumps(to_data(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _joint(joint: JointLine, report: ReportData) -> dict[str, Any]:
    components = []
    for c in joint.components:
        value = {"value": None if report.is_open(c) else plain(c.value)}
        components.append(
            picked(c, "name unit unique by_stiffness") | value | (picked(c, "low high") if c.limited else {})
        )
    keys = "name kind type bodies verdict state determined rank known shares_with why remedies most_sensitive=sensitive"
    return picked(joint, keys) | {"components": components}


def _run(run: RunLine, report: ReportData) -> dict[str, Any]:
    return {
        **picked(run, "until steps t=times ranks events"),
        "sums": {
            total.name: picked(history, "unique by_stiffness") | {"values": plain(history.shown(report.asked))}
            for total, history in zip(report.sums, run.sums, strict=True)
        },
        "histories": {history.name: _history(history, run.times, report.asked) for history in run.histories},
    }


def _history(history: HistoryLine, times: Floats, asked: bool) -> dict[str, Any]:
    values = history.shown(asked)
    return {
        label: {
            "unit": history.units[c],
            "values": plain(values[:, c]),
            "unique": plain(history.unique[:, c]),
            "by_stiffness": plain(history.by_stiffness[:, c]),
            **picked(peak_of(times, values[:, c]), "peak=value t_peak=t rms"),
        }
        for c, label in enumerate(history.labels)
    }
