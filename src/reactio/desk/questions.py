"""Questions that the page asks of the commands, each with its options, its command and its Python."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reactio.errors import ReactioError, did_you_mean

SOURCE = "SOURCE"  # stands for the model in the words of a command


@dataclass(frozen=True, slots=True)
class Question:
    """A command that answers a question about the model."""

    name: str
    title: str
    hint: str
    words: tuple[str, ...]  # of the command
    python: str
    timed: bool = False  # does it need the time until which the motion is followed?
    json: bool = False  # does the page make a table of its answer?

    def as_data(self) -> dict[str, Any]:
        """For the page."""
        return {
            "name": self.name,
            "title": self.title,
            "hint": self.hint,
            "words": list(self.words),
            "python": self.python,
            "timed": self.timed,
            "json": self.json,
        }


QUESTIONS = {
    question.name: question
    for question in (
        Question(
            "advise", "Which joint can be released?", "Proposals that make every reaction unique; click one to apply it.",
            ("advise", SOURCE), "ro.releases(model).proposals", json=True,
        ),
        Question("sensors", "What must be measured?", "Components whose readings make all reactions known.",
                 ("advise", SOURCE, "--sensors"), "ro.sensors(model)"),
        Question("bounds", "How large can reactions be?", "The range of every component over all load distributions.",
                 ("bounds", SOURCE), "ro.bounds(model)"),
        Question("rules", "How do sharing rules differ?", "Every rule side by side.",
                 ("reactions", SOURCE, "--compare"), "ro.reactions(ro.equations(ro.build(model)), rule='inertia')"),
        Question("flexible", "Which parts must be flexible?", "And what each of them decides.",
                 ("flexible", SOURCE), "import reactio.flexibility"),
        Question("tolerances", "What do tolerances do?", "Reactions caused by misfits within tolerances.",
                 ("tolerances", SOURCE), "ro.error_bars(model)"),
        Question("sensitivity", "Which stiffness matters?", "How much every reaction depends on every stiffness.",
                 ("sensitivity", SOURCE), "import reactio.flexibility"),
        Question("mobility", "How does it move?", "Freedoms by counting, at first order and of finite motions.",
                 ("mobility", SOURCE), "ro.mobility(model)"),
        Question("equilibrium", "Where does it rest?", "The pose of rest, whether it is stable, and the reactions there.",
                 ("equilibrium", SOURCE), "import reactio.statics"),
        Question("envelope", "What are the extreme loads?", "Of every joint over a motion.",
                 ("envelope", SOURCE), "ro.envelope(model, until={until})", timed=True),
        Question("singular", "Does it pass singular poses?", "Located between the steps of a motion.",
                 ("singular", SOURCE), "ro.singularities(ro.build(model), {until})", timed=True),
        Question("lint", "Is anything wrong with the file?", "Defects as codes with lines.",
                 ("lint", SOURCE), "import reactio.linting"),
    )
}  # fmt: skip


def command_words(question: Question, source: str, until: object) -> list[str]:
    """The words of the command, without ``reactio``."""
    words = [source if word == SOURCE else word for word in question.words]
    if question.timed:
        words += ["--until", f"{time_of(until):g}"]
    return [*words, "--json"] if question.json else words


def time_of(until: object) -> float:
    """The end of a motion."""
    if isinstance(until, bool) or not isinstance(until, int | float) or not math.isfinite(until) or until <= 0:
        raise ReactioError("Give the time until which the motion is followed, in seconds.")
    return float(until)


def question_of(fields: Mapping[str, Any]) -> Question:
    """The question that the page names."""
    name = fields.get("question")
    if not isinstance(name, str) or name not in QUESTIONS:
        raise ReactioError(f"There is no question '{str(name)[:40]}'.{did_you_mean(str(name)[:40], QUESTIONS)}")
    return QUESTIONS[name]
