"""From the text of a model to all that the page shows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.catalogue.units import Units
from reactio.desk.edits import offered_types
from reactio.desk.sketching import LinkageSketch, sketch_of
from reactio.desk.text_edits import content
from reactio.drawing.frames import placed
from reactio.drawing.scene import scene
from reactio.errors import ModelError, ReactioError
from reactio.kinematics.assemble import initial_state
from reactio.kinematics.cycle import cycle
from reactio.model.files.read import parse_model
from reactio.model.model import Model
from reactio.reporting.drawing import drawing_data, scene_data
from reactio.reporting.gather import report
from reactio.reporting.html import fragments
from reactio.reporting.report import Report
from reactio.reporting.written import written
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.build import build
from reactio.system.equations import equations
from reactio.system.types import State, System

CONTEXT_LINES = 2  # shown around the line of an error
MOST_DETAILED_JOINTS = 600  # beyond which reasons, sums and motions are left out: they would take minutes
MOST_CYCLE_ROWS = 120  # rows of C up to which a mechanism of one freedom is moved around its cycle: a second or two
# Of the data of the page: a model without reactions.
NO_REACTIONS: Mapping[str, Any] = {
    "axes": "joint", "t": 0.0, "loads": [], "loads_known": True, "free": [], "joints": [], "stresses": [],
    "motions": [],
    "rank": {"sigma": [], "rank": 0, "decide": 1e-9, "sure": 1e-6, "zero": 1e-11, "gap": None},
    "rule": "inertia", "scales": {"force": 0.0, "moment": 0.0}, "run": None,
}  # fmt: skip
CYCLE_STEPS = 60  # poses of a full turn, six degrees apart


@dataclass(frozen=True, slots=True, eq=False)
class OpenedModel:
    """A text that was read: its model, equations, and the points it can be drawn with."""

    text: str
    model: Model
    system: System
    sketch: LinkageSketch


def read_subject(text: str, name: str, folder: Path | None, units: Units | None = None) -> OpenedModel:
    """The model of a text; files that it names are read from its folder only.  ``units``: in which it is shown."""
    model = parse_model(text, name, folder)
    shown = replace(model, units=units) if units else model
    return OpenedModel(text, model, build(shown), sketch_of(text, model, model.units.factor("length")))


def picture(subject: OpenedModel, *, t: float | None, state: State | None, details: bool) -> dict[str, Any]:
    """Drawing, words and tables of a model at a time or at a pose."""
    if not subject.system.m:
        return _bare(subject)
    known = details and len(subject.model.joints) <= MOST_DETAILED_JOINTS
    return page_data(report(subject.system, state, t=t, details=known), subject)


def picture_of_run(subject: OpenedModel, until: float) -> dict[str, Any]:
    """The same with the motion until a time, its events and the singular poses it passes."""
    from reactio.simulation.simulate import checked, simulate

    run = checked(simulate(subject.system, until, tol=1e-8, output=200))
    return page_data(report(subject.system, run=run, events=_passed(run)), subject)


def _passed(run: Trajectory) -> list[tuple[float, str]]:
    """Events of a run, and singular configurations where they can be sought."""
    from reactio.singular.passages.singularities import singularities

    events = [(event.t, f"{event.name} ({event.action})") for event in run.events]
    try:
        passed = singularities(run.system, run.checkpoint.t, state=run.state(0)).events
    except ReactioError:
        return sorted(events)
    return sorted([*events, *((passage.t, f"singular configuration ({passage.verdict})") for passage in passed)])


def page_data(report: Report, subject: OpenedModel) -> dict[str, Any]:
    """A report as the page takes it."""
    shown = written(report)
    return {
        "data": drawing_data(shown),
        "html": fragments(shown),
        "summary": {
            "mobility": report.mobility,
            "redundancy": report.redundancy,
            "margin": float(report.decision.sigma_last_kept) if np.isfinite(report.decision.sigma_last_kept) else None,
            "joints": {joint.name: [joint.type, joint.verdict, joint.known] for joint in report.joints},
        },
        "left_out": _left_out(report, subject),
    }


def _left_out(report: Report, subject: OpenedModel) -> str:
    """A sentence on the parts of a large model that the page leaves out."""
    count = len(subject.model.joints)
    if count <= MOST_DETAILED_JOINTS:
        return report.left_out
    words = f"With {count:,} joints, reasons, sums, sliders of self-stresses and motions are left out."
    return f"{words} {report.left_out}".strip()


def _bare(subject: OpenedModel) -> dict[str, Any]:
    """A model without constraints: its bodies alone."""
    system, model = subject.system, subject.model
    eqs = equations(system, initial_state(system))
    names = [body.name for body in model.bodies]
    data = scene_data(scene(eqs), placed(eqs), names, model.gravity, {})
    words = "Nothing is drawn yet." if not model.bodies else "Nothing is joined yet: there is no reaction."
    html = dict.fromkeys(
        ("at", "tally", "tally_words", "facts", "source", "sentences", "legend", "timeline", "stresses", "motions",
         "marked", "rule_words", "rows", "more", "sums", "intervals", "histories", "rank_words", "notes"), "",
    )  # fmt: skip
    return {
        "data": {**data, **NO_REACTIONS},
        "html": {**html, "headline": words, "axes": "in joint axes"},
        "summary": {"mobility": system.n, "redundancy": 0, "margin": None, "joints": {}},
        "left_out": "",
    }


def parameters(subject: OpenedModel, saved: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parameters of a file: numbers with the range of their slider, and expressions with their values.

    The range is about the number in the file as it was ``saved``, so that it stays while the slider moves.
    """
    given = content(subject.text).get("parameters") or {}
    values = subject.model.parameters
    largest = max((abs(x) for x in values.values()), default=1.0) or 1.0
    lines = []
    for name, text in given.items():
        line: dict[str, Any] = {"name": name, "text": text, "value": values.get(name)}
        if _is_number(text):
            about = float(saved[name]) if _is_number(saved.get(name)) else float(text)
            is_coordinate = name[1:] in subject.sketch.points and name[0] in "xy"
            reach = largest if is_coordinate or not about else 0.9 * abs(about)
            line |= {"low": min(about - reach, float(text)), "high": max(about + reach, float(text))}
        lines.append(line)
    return lines


def _is_number(text: object) -> bool:
    try:
        return bool(np.isfinite(float(str(text))))
    except ValueError:
        return False


def joint_types(space: str) -> list[dict[str, Any]]:
    """The types that a joint can be changed to."""
    return [{"name": kind.name, "rows": len(kind.rows), "doc": kind.doc} for kind in offered_types(space)]


def joint_fields(text: str) -> dict[str, dict[str, str]]:
    """Stiffness, misfit and the like of every joint, as the file writes them."""
    from reactio.desk.edits import JOINT_FIELDS
    from reactio.desk.text_edits import flow_text

    joints = content(text).get("joints") or {}
    return {
        str(name): {key: flow_text(entry[key]) for key in JOINT_FIELDS if key in entry}
        for name, entry in joints.items()
        if isinstance(entry, dict)
    }


def joint_releases(subject: OpenedModel, joint: str) -> list[dict[str, Any]]:
    """The releases of a joint, one for each set of components that it can release, the fewest first."""
    from reactio.design.catalogue import candidates, released_wrenches

    tried = [release for release in candidates(subject.model) if release.joint == joint]
    by_components: dict[tuple[str, ...], dict[str, Any]] = {}
    for release in released_wrenches(subject.model, tried) if tried else ():
        if release.lets_go and release.lets_go not in by_components:
            by_components[release.lets_go] = {
                "type": release.after,
                "turned": list(release.turned),
                "components": list(release.lets_go),
                "axes": release.axes,
            }
    return sorted(by_components.values(), key=lambda entry: len(entry["components"]))


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[list[str]]:
    """What differs from the file as it was saved: name, before, now."""
    lines = [
        [word, str(before[key]), str(now[key])]
        for key, word in (("mobility", "mobility"), ("redundancy", "redundant equations"))
        if before[key] != now[key]
    ]
    for name in dict.fromkeys([*before["joints"], *now["joints"]]):
        a, b = before["joints"].get(name), now["joints"].get(name)
        if a != b:
            lines.append([name, _words(a, a, b), _words(b, a, b)])
    return lines


def _words(words: Sequence[str] | None, a: Sequence[str] | None, b: Sequence[str] | None) -> str:
    """A joint in words, without what both sides have in common."""
    if words is None:
        return "–"
    kind, verdict, known = words
    same_kind = a is not None and b is not None and a[0] == b[0]
    return f"{verdict}, {known}" if same_kind else f"{kind}: {verdict}, {known}"


def cycle_of(subject: OpenedModel, wanted: Callable[[], bool]) -> tuple[list[State], list[float]]:
    """Poses around the cycle of a mechanism of one freedom, with the smallest singular value kept at each.

    ``wanted`` is asked between the steps: nobody waits for the cycle of a text that has changed.  No poses where the
    mechanism has drives, more freedoms or none, or is large.
    """
    system = subject.system
    if subject.model.drives or not 0 < system.m <= MOST_CYCLE_ROWS:
        return [], []
    states, margins = [], []
    try:
        for state in cycle(system, CYCLE_STEPS):
            if not wanted():
                return [], []
            states.append(state)
            margins.append(float(equations(system, state).solvability.decision.sigma_last_kept))
    except ReactioError:
        return [], []
    return states, margins


def error_data(error: ReactioError, text: str) -> dict[str, Any]:
    """An error with its line and the lines around it."""
    place = error.place if isinstance(error, ModelError) else ""
    _, _, number = place.rpartition(":")
    line = int(number) if number.isdigit() else None
    lines = text.splitlines()
    around: list[list[Any]] = []
    if line is not None:
        first = max(1, line - CONTEXT_LINES)
        around = [[k, lines[k - 1][:200]] for k in range(first, min(len(lines), line + CONTEXT_LINES) + 1)]
    message = error.message if isinstance(error, ModelError) else str(error)
    return {"message": message, "line": line, "around": around}
