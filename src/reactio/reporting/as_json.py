"""A report as one JSON object: reactio.report/1."""

from __future__ import annotations

import json
import math
from typing import Any

from reactio.arrays import Floats
from reactio.reporting.data import HistoryLine, JointLine, ReportData, RunLine, StressLine
from reactio.simulation.peaks import peak_of


def to_data(report: ReportData) -> dict[str, Any]:
    """The content of a report as plain data; docs/json.md describes it."""
    d = report.decision
    return {
        "schema": "reactio.report/1",
        "version": report.version,
        "command": report.command,
        "model": report.name,
        "title": report.title,
        "space": report.space,
        "t": report.t,
        "m": report.m,
        "n": report.n,
        "rank": report.rank,
        "redundancy": report.redundancy,
        "mobility": report.mobility,
        "gruebler": report.gruebler,
        "headline": report.headline,
        "sentences": list(report.sentences),
        "notes": [*report.notes, *report.scene.remarks],
        "rule": report.rule if report.asked else None,
        "stiffness": report.rests_on.as_data() if report.rests_on else None,
        "axes": report.axes,
        "joints": [_joint(joint, report) for joint in report.joints],
        "counts": dict(report.counts),
        "sums": [one.as_data() for one in report.sums],
        "self_stress": [_stress(stress) for stress in report.stresses],
        "motions": [
            {"bodies": list(motion.bodies), "real": motion.real, "words": motion.words} for motion in report.motions
        ],
        "evidence": {
            "sigma": [number(s) for s in d.sigma],
            "tol": number(d.tol),
            "sigma_last_kept": number(d.sigma_last_kept),
            "sigma_first_dropped": number(d.sigma_first_dropped),
            "gap": number(d.gap),
            "confident": d.confident,
            "alternatives": list(d.alternatives),
        },
        "run": _run(report.run, report) if report.run else None,
        "references": [{"what": what, "source": source} for what, source in report.references],
    }


def to_json(report: ReportData) -> str:
    """The object as text."""
    return json.dumps(to_data(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def number(x: float) -> float | None:
    """A number, or None where it is NaN or infinite."""
    return float(x) if math.isfinite(x) else None


def _joint(joint: JointLine, report: ReportData) -> dict[str, Any]:
    return {
        "name": joint.name,
        "kind": joint.kind,
        "type": joint.type,
        "bodies": list(joint.bodies),
        "verdict": joint.verdict,
        "state": joint.state,
        "determined": joint.determined,
        "rank": joint.rank,
        "known": joint.known,
        "components": [
            {
                "name": c.name,
                "unit": c.unit,
                "unique": c.unique,
                "by_stiffness": c.by_stiffness,
                "value": None if report.is_open(c) else number(c.value),
                **({"low": number(c.low), "high": number(c.high)} if c.limited else {}),
            }
            for c in joint.components
        ],
        "shares_with": list(joint.shares_with),
        "why": list(joint.why),
        "remedies": list(joint.remedies),
        "most_sensitive": joint.sensitive,
    }


def _stress(stress: StressLine) -> dict[str, Any]:
    return {
        "words": stress.words,
        "joints": list(stress.joints),
        "unit": stress.unit,
        "components": {name: [number(x) for x in change] for name, change in stress.components.items()},
    }


def _run(run: RunLine, report: ReportData) -> dict[str, Any]:
    return {
        "until": run.until,
        "steps": run.steps,
        "t": [number(t) for t in run.times],
        "ranks": list(run.ranks),
        "events": [{"t": event.t, "words": event.words} for event in run.events],
        "sums": {
            one.name: {
                "values": [number(x) for x in history.shown(report.asked)],
                "unique": [bool(x) for x in history.unique],
                "by_stiffness": [bool(x) for x in history.by_stiffness],
            }
            for one, history in zip(report.sums, run.sums, strict=True)
        },
        "histories": {history.name: _history(history, run.times, report.asked) for history in run.histories},
    }


def _history(history: HistoryLine, times: Floats, asked: bool) -> dict[str, Any]:
    values = history.shown(asked)
    return {
        label: {
            "unit": history.units[c],
            "values": [number(x) for x in values[:, c]],
            "unique": [bool(x) for x in history.unique[:, c]],
            "by_stiffness": [bool(x) for x in history.by_stiffness[:, c]],
            **dict(zip(("peak", "t_peak", "rms"), peak_of(times, values[:, c]), strict=True)),
        }
        for c, label in enumerate(history.labels)
    }
