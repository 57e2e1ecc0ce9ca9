"""A report as one JSON object: reactio.report/1."""

from __future__ import annotations

import json
from typing import Any

from reactio.arrays import Floats
from reactio.as_data import picked, plain
from reactio.joint_reactions.sums import ReactionSum
from reactio.reporting.data import HistoryLine, JointLine, ReportData, RunLine
from reactio.simulation.peaks import peak_of


def to_data(report: ReportData) -> dict[str, Any]:
    """The content of a report as plain data; docs/json.md describes it."""
    return {
        "schema": "reactio.report/1",
        **picked(
            report,
            "version command model=name title space t m n rank redundancy mobility gruebler headline sentences rule "
            "axes counts sums self_stress=stresses motions references",
        ),
        "notes": [*report.notes, *report.scene.remarks],
        "joints": [_joint(joint) for joint in report.joints],
        "evidence": picked(report.decision, "sigma tol sigma_last_kept sigma_first_dropped gap confident alternatives"),
        "run": _run(report.run, report.sums) if report.run else None,
    }


def to_json(report: ReportData) -> str:
    """The object as text."""
    return json.dumps(to_data(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _joint(joint: JointLine) -> dict[str, Any]:
    limits = [{} if not c.limited else picked(c, "low high") for c in joint.components]
    components = [picked(c, "name unit unique value") | ends for c, ends in zip(joint.components, limits, strict=True)]
    keys = "name kind type bodies verdict determined rank known shares_with why remedies"
    return picked(joint, keys) | {"components": components}


def _run(run: RunLine, sums: tuple[ReactionSum, ...]) -> dict[str, Any]:
    return {
        **picked(run, "until steps t=times ranks events"),
        "sums": {one.name: plain(history) for one, history in zip(sums, run.sums, strict=True)},
        "histories": {history.name: _history(history, run.times) for history in run.histories},
    }


def _history(history: HistoryLine, times: Floats) -> dict[str, Any]:
    return {
        label: {
            "unit": history.units[c],
            "values": plain(history.values[:, c]),
            "unique": plain(history.unique[:, c]),
            **picked(peak_of(times, history.values[:, c]), "peak=value t_peak=t rms"),
        }
        for c, label in enumerate(history.labels)
    }
