"""What the verbs share: their options, reading a source, and printing."""

from __future__ import annotations

import atexit
import json
import math
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.cli.process import in_json
from reactio.cli.verbosity import say, silent, telling
from reactio.errors import ReactioError

if TYPE_CHECKING:
    import subprocess

    from rich.console import Console
    from rich.table import Table

    from reactio.model.specs import Model
    from reactio.system.types import System


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
    """A finite number given on the command line."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number.")
    return value


def named(rule: str | None) -> str | None:
    """A rule, if one is asked for at all."""
    if rule is not None and not rule.strip():
        raise typer.BadParameter("it names no rule; name one, or leave it out.")
    return rule


At = Annotated[float | None, typer.Option(callback=finite, help="Follow the motion to this time first, in seconds.")]
Rule = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=named,
        help="Sharing rule for reactions that are not unique: augmented-lagrangian, compliance (the stiffnesses of the "
        "model), cut, elimination, inertia, mass-rows, null-space, penalty, pseudoinverse, unit-rows or wrench-norm.",
        autocompletion=complete_rule,
    ),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter of the model; may be repeated.")
]


def accurate(text: str | None) -> str | None:
    """An accuracy given on the command line, checked."""
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
        help="Accuracy of the geometry, as in 0.1mm or 0.1mm,1mrad: what is closer than that counts as aligned.",
    ),
]


class CoordinateChoice(StrEnum):
    """How bodies are described."""

    absolute = "absolute"
    natural = "natural"
    shared = "shared"  # the classical form, which is refused with the reason


InCoordinates = Annotated[
    CoordinateChoice | None,
    typer.Option(
        "--coordinates",
        help="Describe all rigid bodies in these coordinates; as the model says when left out. `shared` is refused: "
        "bodies that share points have no reactions.",
    ),
]


class Axes(StrEnum):
    """Whose axes components are in."""

    joint = "joint"
    world = "world"


InAxes = Annotated[
    Axes,
    typer.Option("--axes", help="Name and judge components in the axes of each joint (default) or of the world."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object for scripts.")]


def read_source(source: str, settings: Sequence[str] | None) -> Model:
    """The model of a source with its parameters set."""
    from reactio.loading import load

    with telling(f"reading {source}"):
        return load(source, **parameters_of(settings or ()))


def parameters_of(settings: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` texts as a mapping."""
    given = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ReactioError(f"--set {setting}: write NAME=VALUE, as in --set hinges=4.")
        given[name.strip()] = value.strip()
    return given


def compile_source(
    source: str,
    settings: Sequence[str] | None,
    coordinates: CoordinateChoice | None = None,
    accuracy: str | None = None,
    rule: str | None = None,
    axes: Axes = Axes.joint,
) -> System:
    """The system of a source (see ``compile_model``)."""
    return compile_model(read_source(source, settings), coordinates, accuracy, rule, axes)


def compile_model(
    model: Model,
    coordinates: CoordinateChoice | None = None,
    accuracy: str | None = None,
    rule: str | None = None,
    axes: Axes = Axes.joint,
) -> System:
    """The system of a model, with bodies that vibrate unless a rule splits by compliance."""
    from reactio.model.transform import natural
    from reactio.sharing import by_compliance
    from reactio.system.compile.build import build
    from reactio.system.geometry.accuracy import read_to

    if coordinates is CoordinateChoice.shared:
        raise ReactioError(
            "--coordinates shared: where a point belongs to both bodies no equation is left, and with it the reaction "
            "is gone. Use the joint-augmented form, --coordinates natural or absolute, which moves in the same way."
        )
    if coordinates is not None:
        forms = {CoordinateChoice.natural: natural.natural, CoordinateChoice.absolute: natural.absolute}
        model = forms[coordinates](model)
    with telling("building its equations"):
        return read_to(build(model, modes=not by_compliance(rule)), accuracy).in_axes(axes)


def compiling_begins(part: str) -> None:
    """Say once that kernels are being compiled; a second process compiles what a motion needs besides.

    Kernels are shared by their files: where a process needs one that another is compiling, it waits for it.
    """
    from reactio.integrate.warm import COMPILED_MEANWHILE

    _say_compiling()
    if part in COMPILED_MEANWHILE:
        _compile_beside(COMPILED_MEANWHILE[part])


@cache
def _say_compiling() -> None:
    say("Compiling kernels, once on this machine …")


@cache
def _compile_beside(part: str) -> None:
    """Have another process compile a part, where there is a processor for it; it ends with this one."""
    import subprocess

    from reactio.kernels import cache_directory

    if (os.cpu_count() or 1) < 2 or cache_directory() is None:
        return
    command = [sys.executable, "-m", "reactio", "warmup", part]
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(_end, child)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    child.wait()


def print_json(data: dict[str, Any]) -> None:
    """One JSON object; NaN and infinities become null."""
    sys.stdout.write(in_json(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)) + "\n")


def console() -> Console:
    """Where people read: colours on a terminal only."""
    from rich.console import Console

    # Where nobody sets the width (a pipe, a file) nothing is cut.
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else 160
    return Console(highlight=False, soft_wrap=False, width=width)


def remark(text: str) -> None:
    """A hint beside the result, below it; not with ``--quiet``."""
    if not silent():
        console().print(text)


def wrote(*paths: Path) -> None:
    """Say which files there are now; not with ``--quiet``."""
    for path in paths:
        remark(f"Written to {escape(str(path))}.")


NARROW = 100  # columns of a terminal below which texts in a table may be broken between words
NAMES = 3  # first columns of a table, which hold marks, names and types: these stay in one piece


def table(title: str, *columns: str) -> Table:
    """A plain table with a heading."""
    from rich import box
    from rich.table import Table

    narrow = console().width < NARROW
    made = Table(
        title=title,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        collapse_padding=narrow,
    )
    for place, name in enumerate(columns):  # only the last column may wrap; where space is scarce, all words may
        right, last = name.startswith(">"), name is columns[-1]
        made.add_column(
            name.removeprefix(">"),
            justify="right" if right else "left",
            overflow="fold",
            no_wrap=not last and (right or place < NAMES or not narrow),
            min_width=12 if last else None,
        )
    return made


TABLE_ROWS = 40  # of one joint each, before the rest is only counted: what a screen shows
COMPONENT_ROWS = 60  # of one component each: those of ten joints in space


def print_rest(out: Console, count: int, where: str, what: str = "more", then: str = "") -> None:
    """Below a table of the first rows: how many there are besides, and which option lists them."""
    if count > 0:
        out.print(f"  … and {count:,} {what} ({where}).{then and f' {then}'}")


def escape(text: str) -> str:
    """A name printed literally, without markup."""
    from rich.markup import escape as escaped

    return escaped(text)


def plural(count: int, word: str, words: str | None = None) -> str:
    """``1 joint``, ``2 joints``."""
    return f"{count:,} {word if count == 1 else words or word + 's'}"
