"""One model at the desk: the text of its file, the edits made at the page, and the newest answer to them.

Pages only look: the state is here, so that a reload loses nothing and two windows agree.  One thread answers.  It
always takes the newest text, so that answers to texts that nobody waits for are never begun, and there is no backlog.
"""

from __future__ import annotations

import difflib
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from reactio.catalogue.units import Units
from reactio.desk.answer import (
    MOST_DETAILED_JOINTS,
    OpenedModel,
    changes,
    cycle_of,
    error_data,
    joint_fields,
    joint_releases,
    joint_types,
    parameters,
    picture,
    read_subject,
)
from reactio.desk.edits import Order, edited
from reactio.desk.sketching import LinkageSketch
from reactio.desk.source import ModelSource, file_to_write, missing
from reactio.desk.text_edits import content
from reactio.errors import ReactioError
from reactio.operating_system.files import write_text
from reactio.system.types import State

WATCH_PERIOD = 0.08  # [s] between looks at the file: a small part of the half second in which the page follows
SETTLING = 0.05  # [s] after which a file that is being written is read again
QUIET = 0.12  # [s] without a change before reasons are sought: a hand on a slider moves it again sooner
MOST_STEPS = 500  # of undo
LONGEST_END = 2.0  # [s] in which an answer under way may come to its end when the desk is closed
LONGEST_TIME = 1e6  # [s] of a motion that can be asked for


@dataclass(frozen=True, slots=True)
class EditStep:
    """A text in the history of edits."""

    text: str
    words: str
    order: Mapping[str, Any] | None = None  # the edit that led to it; None for a text that was read
    gesture: str = ""  # edits of one gesture, as the moves of a slider, are one step


@dataclass(slots=True)
class _Shown:
    """What the pages show, besides the text: a time or a pose."""

    t: float | None = None
    pose: int | None = None


@dataclass(slots=True)
class _Cycle:
    """Poses around the cycle of a text."""

    text: str = ""
    states: list[State] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)


class Desk:
    """A model that is watched, edited and answered."""

    def __init__(self, source: ModelSource, units: Units | None = None) -> None:
        """Read the source; ``start`` begins to watch and to answer, in ``units`` or in those of the file."""
        self.source, self.units = source, units
        self.changed = threading.Condition()
        self.version = 0  # of the text and the pose
        self.serial = 0  # of the answer
        self.answered: dict[str, Any] = {}
        self._disk = source.text()
        self._stamp = source.stamp()
        self._trouble: ReactioError | None = None  # with the file itself
        self._steps = [EditStep(self._disk, "opened")]
        self._at = 0
        self._saved = 0  # the step that is on the disk
        self._shown = _Shown()
        self._cycle = _Cycle()
        self._good: dict[str, Any] = {}  # the last picture without an error
        self._base: tuple[str, dict[str, Any] | None] = ("", None)  # summary of the saved text
        self._subject: OpenedModel | None = None
        self._notes: list[str] = []
        self._end = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Watch the file and answer, each in a thread of its own."""
        self._threads = [threading.Thread(target=task, daemon=True) for task in (self._watch, self._answer_for_ever)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End both threads."""
        self._end.set()
        with self.changed:
            self.changed.notify_all()
        for thread in self._threads:
            thread.join(LONGEST_END)

    @property
    def ended(self) -> bool:
        """Has the desk been closed?"""
        return self._end.is_set()

    # ---- the text and its history

    @property
    def text(self) -> str:
        """The text as it is now, edits included."""
        return self._steps[self._at].text

    def edit(self, fields: Mapping[str, Any]) -> None:
        """Change the text by an edit of the page; one that leaves no readable model is refused."""
        with self.changed:
            subject = self._read()
            step = self._edited(subject.text, fields, subject)
            self._put(step)

    def _edited(self, text: str, fields: Mapping[str, Any], subject: OpenedModel) -> EditStep:
        result = edited(text, Order(fields, subject.model, subject.sketch))
        self._subject = read_subject(result.text, self.source.name, self.source.folder, self.units)
        gesture = fields.get("gesture")
        return EditStep(result.text, result.words, fields, gesture if isinstance(gesture, str) else "")

    def _put(self, step: EditStep) -> None:
        last = self._steps[self._at]
        same = bool(step.gesture) and step.gesture == last.gesture and self._at > self._saved
        keep = self._at if same else self._at + 1
        self._steps = [*self._steps[:keep], step][-MOST_STEPS:]
        self._at = len(self._steps) - 1
        self._saved = min(self._saved, self._at)
        self._shown = replace(self._shown, pose=None)
        self._touch()

    def _read(self) -> OpenedModel:
        """The model of the text as it is now."""
        if self._subject is None or self._subject.text != self.text:
            self._subject = read_subject(self.text, self.source.name, self.source.folder, self.units)
        return self._subject

    def undo(self) -> None:
        """Go one step back."""
        self._go(-1, "There is nothing to undo.")

    def redo(self) -> None:
        """Go one step forward again."""
        self._go(1, "There is nothing to redo.")

    def _go(self, by: int, nothing: str) -> None:
        with self.changed:
            if not 0 <= self._at + by < len(self._steps):
                raise ReactioError(nothing)
            self._at += by
            self._touch()

    def revert(self) -> None:
        """Take the text of the file again, as a step that can be undone."""
        with self.changed:
            self._put(EditStep(self._disk, "back to the file"))
            self._saved = self._at

    def show(self, t: float | None, pose: int | None) -> None:
        """Show the model at a time or at a pose of its cycle."""
        if t is not None and not 0.0 <= t <= LONGEST_TIME:
            raise ReactioError("Give a time of zero or more, in seconds.")
        with self.changed:
            self._shown = _Shown(t, pose)
            self._touch()

    def _touch(self) -> None:
        self.version += 1
        self.changed.notify_all()

    def releases(self, joint: str) -> list[dict[str, Any]]:
        """The releases of a joint: the released components and the other type."""
        with self.changed:
            subject = self._read()
        return joint_releases(subject, joint)

    # ---- files

    def difference(self) -> str:
        """The unsaved changes as a unified diff."""
        lines = difflib.unified_diff(
            self._disk.splitlines(), self.text.splitlines(), self.source.file, "unsaved", lineterm="", n=2
        )
        return "\n".join(lines)

    def save(self, name: str, overwrite: bool) -> str:
        """Write the text into a file of the folder; returns its name.

        The watched file is not overwritten where it has changed since it was read, another one only when asked to.
        """
        with self.changed:
            path = file_to_write(self.source, name)
            is_source = self.source.writable and self.source.path == path
            if is_source and self.source.stamp() not in (self._stamp, None):
                raise ReactioError("The file has changed on the disk; look at the new picture first.")
            if not is_source and path.exists() and not overwrite:
                raise ReactioError(f"{name} exists. Save again to overwrite it.")
            write_text(path, self.text)
            if not self.source.writable:  # from now on the desk follows the new file
                self.source = ModelSource(path.stem, path, True)
                is_source = True
            if is_source:
                self._disk, self._stamp, self._saved = self.text, self.source.stamp(), self._at
                self._trouble = None
            self._touch()
            return path.name

    def _watch(self) -> None:
        while not self._end.wait(WATCH_PERIOD):
            stamp = self.source.stamp()
            if stamp == self._stamp:
                continue
            time.sleep(SETTLING)
            if stamp is not None and self.source.stamp() != stamp:
                continue  # it is still being written
            self._take_file(stamp)

    def _take_file(self, stamp: tuple[int, int, int] | None) -> None:
        """Take the text of the file as it is on the disk now, and make the unsaved edits again on it."""
        trouble: ReactioError | None = None
        text = self._disk
        try:
            text = self.source.text() if stamp is not None else text
            trouble = missing(self.source) if stamp is None else None
        except ReactioError as error:
            trouble = error
        with self.changed:
            if stamp is not None and self.source.stamp() != stamp:
                return
            self._stamp, self._trouble = stamp, trouble
            if trouble is None and text != self._disk:
                unsaved = [step.order for step in self._steps[self._saved + 1 : self._at + 1] if step.order]
                self._disk = text
                self._put(EditStep(text, f"{self.source.file} changed on the disk"))
                self._saved = self._at
                self._repeat(unsaved)
            self._touch()

    def _repeat(self, orders: list[Mapping[str, Any]]) -> None:
        self._notes = []
        for order in orders:
            try:
                subject = self._read()
                self._put(self._edited(subject.text, order, subject))
            except ReactioError as error:
                self._notes.append(f"An unsaved edit no longer fits the file and was dropped: {error}")

    # ---- answers

    def _answer_for_ever(self) -> None:
        done = -1
        while not self._end.is_set():
            with self.changed:
                self.changed.wait_for(partial(self._is_asked_since, done))
                done = self.version
            if self._end.is_set():
                return
            self._answer(done)

    def _is_asked_since(self, version: int) -> bool:
        return self.ended or self.version != version

    def is_answered_since(self, serial: int) -> bool:
        """Is there an answer after that of a serial number, or none to come?"""
        return self.ended or self.serial != serial

    def _answer(self, version: int) -> None:
        """A quick answer first, then the reasons, then the poses of the cycle, as long as nothing newer is asked."""
        self._publish(version, details=False)
        with self.changed:
            self.changed.wait_for(partial(self._is_asked_since, version), timeout=QUIET)
        if self.version == version and not self.answered.get("complete"):
            self._publish(version, details=True)
        if self.version == version and self._subject is not None and self._cycle.text != self._subject.text:
            subject = self._subject
            states, margins = cycle_of(subject, lambda: not self._is_asked_since(version))
            if self.version == version:
                self._cycle = _Cycle(subject.text, states, margins)
                if states:
                    self._tell({**self.answered, "poses": self._poses()})

    def _publish(self, version: int, details: bool) -> None:
        with self.changed:
            text, shown, trouble = self.text, self._shown, self._trouble
        error: ReactioError | None = trouble
        fresh: dict[str, Any] = {}
        try:
            subject = self._read_text(text)
            state = self._pose(subject, shown)
            fresh = picture(subject, t=None if state is not None else shown.t, state=state, details=details)
            self._good = {**fresh, **self._of_subject(subject), "text_shown": text}
            self._remember_base(text, fresh["summary"])
        except ReactioError as problem:
            error = error or problem
        except Exception as problem:  # the page lives on; the message is the report of a bug
            error = error or ReactioError(f"internal error: {type(problem).__name__}: {problem}. This is a bug.")
        answer = {
            **self._good,
            **self._of_history(version, details),
            "error": error_data(error, text) if error is not None else None,
            "changes": self._changes(),
            "poses": self._poses(),
        }
        self._tell(answer)

    def _read_text(self, text: str) -> OpenedModel:
        with self.changed:
            if text == self.text:
                return self._read()
        return read_subject(text, self.source.name, self.source.folder, self.units)

    def _pose(self, subject: OpenedModel, shown: _Shown) -> State | None:
        states = self._cycle.states if self._cycle.text == subject.text else []
        if shown.pose is None or not states:
            return None
        state = states[shown.pose % len(states)]
        return replace(state, t=0.0)

    def _of_subject(self, subject: OpenedModel) -> dict[str, Any]:
        return {
            "parameters": parameters(subject, self._saved_parameters()),
            "types": joint_types(subject.model.space),
            "fields": joint_fields(subject.text),
            "sketch": subject.sketch.as_data()
            if subject.model.space == "planar"
            else LinkageSketch({}, {}, 1.0).as_data(),
            "driven": bool(subject.model.drives),
            "title": subject.model.title or subject.model.name,
        }

    def _saved_parameters(self) -> dict[str, Any]:
        """The parameters of the file as it was last saved; none while it is broken."""
        try:
            saved = content(self._disk).get("parameters")
        except ReactioError:
            return {}
        return saved if isinstance(saved, dict) else {}

    def _of_history(self, version: int, details: bool) -> dict[str, Any]:
        with self.changed:
            return {
                "version": version,
                "complete": details or self._is_large(),
                "file": self.source.file,
                "writable": self.source.writable,
                "dirty": self.text != self._disk or not self.source.writable,
                "edited": self.text != self._disk,
                "undo": self._steps[self._at].words if self._at else "",
                "redo": self._steps[self._at + 1].words if self._at + 1 < len(self._steps) else "",
                "t": self._shown.t,
                "pose": self._shown.pose,
                "notes": list(self._notes),
            }

    def _is_large(self) -> bool:
        """Does the model get the quick answer only?"""
        return self._subject is not None and len(self._subject.model.joints) > MOST_DETAILED_JOINTS

    def _remember_base(self, text: str, summary: dict[str, Any]) -> None:
        if text == self._disk and self._shown == _Shown():
            self._base = (text, summary)

    def _changes(self) -> list[list[str]]:
        text, summary = self._base
        now = self._good.get("summary")
        if summary is None or now is None or text != self._disk or self._good.get("text_shown") == self._disk:
            return []
        return changes(summary, now)

    def _poses(self) -> dict[str, Any]:
        known = self._cycle.text == self.text
        return {"count": len(self._cycle.states) if known else 0, "margins": self._cycle.margins if known else []}

    def _tell(self, answer: dict[str, Any]) -> None:
        with self.changed:
            self.serial += 1
            shown = {key: value for key, value in answer.items() if key != "text_shown"}
            self.answered = {**shown, "serial": self.serial}  # at once: pages look at it without waiting for an edit
            self.changed.notify_all()
