"""Options that several verbs have, with their checks and completions."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Annotated

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.errors import ReactioError


def complete_source(incomplete: str) -> list[str]:
    """Library names and model files that begin like this."""
    from glob import escape as literally
    from glob import glob

    from reactio import library

    files = [path for end in ("yaml", "yml") for path in glob(f"{literally(incomplete)}*.{end}")]
    folders = [f"{path}" for path in glob(f"{literally(incomplete)}*/")]
    return [name for name in library.names() if name.startswith(incomplete)] + sorted(files) + sorted(folders)


def complete_rule(incomplete: str) -> list[str]:
    """Sharing rules that begin like this."""
    from reactio.sharing import RULES

    return [rule.name for rule in RULES.values() if rule.name.startswith(incomplete)]


SOURCE = typer.Argument(
    help="A model file (YAML) or a name from `reactio library`.", autocompletion=complete_source, show_default=False
)
Source = Annotated[str, SOURCE]


def finite(value: float | None) -> float | None:
    """A number of the command line; refused where it is not finite."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number.")
    return value


def named(rule: str | None) -> str | None:
    """A sharing rule of the command line; refused where it is empty."""
    if rule is not None and not rule.strip():
        raise typer.BadParameter("it is empty; name a rule, or leave it out.")
    return rule


At = Annotated[float | None, typer.Option(callback=finite, help="Follow the motion to this time first, in seconds.")]
Rule = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=named,
        help="Sharing rule for reactions that are not unique: augmented-lagrangian, compliance (the stiffnesses of the "
        "model), cut, elimination, inertia, mass-rows, null-space, penalty, pseudoinverse, unit-rows, "
        "weighted (weights of your own) or wrench-norm.",
        autocompletion=complete_rule,
    ),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter of the model; may be repeated.")
]


def accurate(text: str | None) -> str | None:
    """An accuracy of the command line; refused where it cannot be read."""
    if text is not None:
        from reactio.model.accuracy import parse_accuracy

        try:
            parse_accuracy(text)
        except ReactioError as error:
            raise typer.BadParameter(str(error)) from None
    return text


ReadTo = Annotated[
    str | None,
    typer.Option(
        "--tolerance",
        metavar="LENGTH[,ANGLE]",
        callback=accurate,
        help="Accuracy of the geometry, 0.1mm or 0.1mm,1mrad: anything aligned to within it counts as aligned.",
    ),
]


class CoordinateChoice(StrEnum):
    """Coordinates of bodies."""

    absolute = "absolute"
    natural = "natural"
    shared = "shared"  # the classical form, which is refused with the reason


InCoordinates = Annotated[
    CoordinateChoice | None,
    typer.Option(
        "--coordinates",
        help=(
            "Coordinates of all rigid bodies (default: those of the model). `shared` is refused: bodies "
            "that share points have no reactions."
        ),
    ),
]


InAxes = Annotated[
    ReactionAxes,
    typer.Option("--axes", help="Name and judge components in the axes of each joint (default) or of the world."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object for scripts.")]
