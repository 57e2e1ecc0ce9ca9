"""Questions that the page asks of the commands, each with its options, its command and its Python."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reactio.errors import ReactioError, did_you_mean
from reactio.results.as_data import Result

THE_MODEL = "SOURCE"  # stands for the model in the words of a command


@dataclass(frozen=True, slots=True)
class DeskQuestion(Result):
    """A command that answers a question about the model."""

    name: str
    title: str
    hint: str
    words: tuple[str, ...]  # of the command
    python: str
    timed: bool = False  # does it need the time until which the motion is followed?
    json: bool = False  # does the page make a table of its answer?


QUESTIONS = {
    question.name: question
    for question in (
        DeskQuestion(
            "advise",
            "Which joint can be released?",
            "Proposals that make every reaction unique.",
            ("advise", THE_MODEL),
            "ro.releases(model).proposals",
            json=True,
        ),
        DeskQuestion(
            "sensors",
            "What must be measured?",
            "Components whose readings determine all reactions.",
            ("advise", THE_MODEL, "--sensors"),
            "ro.sensors(model)",
        ),
        DeskQuestion(
            "bounds",
            "How large can reactions be?",
            "The range of every component over all load distributions.",
            ("bounds", THE_MODEL),
            "ro.bounds(model)",
        ),
        DeskQuestion(
            "rules",
            "How do sharing rules differ?",
            "Every rule side by side.",
            ("reactions", THE_MODEL, "--compare"),
            "ro.compare(model)",
        ),
        DeskQuestion(
            "flexible",
            "Which parts must be flexible?",
            "And which reactions each determines.",
            ("flexible", THE_MODEL),
            "from reactio.flexibility.certificate import flexible\n\nflexible(model)",
        ),
        DeskQuestion(
            "tolerances",
            "What do tolerances do?",
            "Reactions caused by misfits within tolerances.",
            ("tolerances", THE_MODEL, "--tolerance", "0.05 mm, 0.1 mrad"),
            'ro.error_bars(model, default="0.05 mm, 0.1 mrad")',
        ),
        DeskQuestion(
            "sensitivity",
            "Which stiffness matters?",
            "How much every reaction depends on every stiffness.",
            ("sensitivity", THE_MODEL),
            "from reactio.flexibility.sensitivity import sensitivity\n\nsensitivity(model)",
        ),
        DeskQuestion(
            "mobility",
            "How does it move?",
            "Freedoms by counting, at first order and in finite motion.",
            ("mobility", THE_MODEL),
            "ro.mobility(model)",
        ),
        DeskQuestion(
            "equilibrium",
            "Where does it rest?",
            "The equilibrium, stable or not, and the reactions there.",
            ("equilibrium", THE_MODEL),
            "from reactio.statics.equilibrium import equilibrium\n\nequilibrium(ro.build(model))",
        ),
        DeskQuestion(
            "envelope",
            "What are the extreme loads?",
            "Of every joint over a motion.",
            ("envelope", THE_MODEL),
            "ro.envelope(model, until={until})",
            timed=True,
        ),
        DeskQuestion(
            "singular",
            "Does it pass singular poses?",
            "Located between the steps of a motion.",
            ("singular", THE_MODEL),
            "ro.singularities(ro.build(model), {until})",
            timed=True,
        ),
        DeskQuestion(
            "lint",
            "Is anything wrong with the file?",
            "Defects as codes with lines.",
            ("lint", THE_MODEL),
            "from pathlib import Path\nfrom reactio.linting.review import review\n\nlist(review([Path(model.source)]))",
        ),
    )
}


def command_words(question: DeskQuestion, source: str, until: object) -> list[str]:
    """The words of the command, without ``reactio``."""
    words = [source if word == THE_MODEL else word for word in question.words]
    if question.timed:
        words += ["--until", f"{time_of(until):g}"]
    return [*words, "--json"] if question.json else words


def time_of(until: object) -> float:
    """The end of a motion."""
    if isinstance(until, bool) or not isinstance(until, int | float) or not math.isfinite(until) or until <= 0:
        raise ReactioError("Give the end time of the motion, in seconds.")
    return float(until)


def question_of(fields: Mapping[str, Any]) -> DeskQuestion:
    """The question that the page names."""
    name = fields.get("question")
    if not isinstance(name, str) or name not in QUESTIONS:
        raise ReactioError(f"There is no question '{str(name)[:40]}'.{did_you_mean(str(name)[:40], QUESTIONS)}")
    return QUESTIONS[name]
