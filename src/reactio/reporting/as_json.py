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
    content = {
        "schema": "reactio.report/1",
        **picked(
            report,
            "version command model=name title space t m n rank redundancy mobility gruebler headline sentences=words "
            "axes counts sums self_stress=stresses motions references",
        ),
        "notes": [*report.notes, *report.scene.remarks],
        "rule": report.rule if report.asked else None,
        "stiffness": report.rests_on,
        "joints": [_joint(joint, report) for joint in report.joints],
        "evidence": picked(report.decision, "sigma tol sigma_last_kept sigma_first_dropped gap confident alternatives"),
        "coordinates": {coordinate.name: coordinate for coordinate in report.coordinates},
        "run": _run(report.run, report) if report.run else None,
        **picked(report, "lives error_bars"),
    }
    return {key: plain(value) for key, value in content.items()}


def to_json(report: ReportData) -> str:
    """The object as text."""
    return json.dumps(to_data(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _joint(joint: JointLine, report: ReportData) -> dict[str, Any]:
    components = [
        picked(c, "name unit unique by_stiffness")
        | {"value": None if report.is_open(c) else c.value}
        | (picked(c, "low high") if c.limited else {})
        for c in joint.components
    ]
    keys = "name kind type bodies verdict state determined rank known shares_with why remedies bears"
    keys += " most_sensitive=sensitive"
    return picked(joint, keys) | {"components": components}


def _run(run: RunLine, report: ReportData) -> dict[str, Any]:
    return {
        **picked(run, "until steps t=times ranks events"),
        "sums": {
            total.name: picked(history, "unique by_stiffness") | {"values": history.shown(report.asked)}
            for total, history in zip(report.sums, run.sums, strict=True)
        },
        "histories": {history.name: _history(history, run.times, report.asked) for history in run.histories},
    }


def _history(history: HistoryLine, times: Floats, asked: bool) -> dict[str, Any]:
    values = history.shown(asked)
    return {
        label: {
            "unit": history.units[c],
            "values": values[:, c],
            "unique": history.unique[:, c],
            "by_stiffness": history.by_stiffness[:, c],
            **picked(peak_of(times, values[:, c]), "peak=value t_peak=t rms"),
        }
        for c, label in enumerate(history.labels)
    }
