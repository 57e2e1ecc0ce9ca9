"""From a source on the command line to its model and system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import WRITTEN_IN
from reactio.cli.arguments.import_options import import_options, units_asked_for
from reactio.cli.arguments.options import CoordinateChoice
from reactio.cli.output.printing import console, escape
from reactio.cli.output.source_notes import NOTES, PRINTS_JSON
from reactio.cli.verbosity import silent, timed
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.model.model import Model
    from reactio.system.types import System


def read_source(source: str, settings: Sequence[str] | None) -> Model:
    """The model of a source with its parameters set."""
    from reactio.library import load

    with timed(f"reading {source}"):
        model = load(source, **parameters_of(settings or ()), **import_options())
    WRITTEN_IN.set(units_asked_for() or model.units)
    _show_notes(model)
    return model


def _show_notes(model: Model) -> None:
    """Print the notes that every answer on a model begins with, unless the command prints JSON, which has them."""
    from reactio.model.notes import NoteKind, head_lines
    from reactio.model.plausibility import implausible

    notes = (*model.notes, *implausible(model))
    if set(notes) <= set(NOTES.get()):
        return
    NOTES.set((*NOTES.get(), *notes))
    if PRINTS_JSON.get():
        return
    grave = (NoteKind.UNREAD, NoteKind.WARNING, NoteKind.IMPLAUSIBLE)
    shown = [note for note in notes if note.kind in grave] if silent() else notes
    for line in head_lines(shown):
        console().print(escape(line), style="yellow" if line.startswith(("Warning", "Implausible")) else "dim")


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
    axes: ReactionAxes = ReactionAxes.JOINT,
) -> System:
    """The system of a source (see ``compile_model``)."""
    return compile_model(read_source(source, settings), coordinates, accuracy, rule, axes)


def compile_model(
    model: Model,
    coordinates: CoordinateChoice | None = None,
    accuracy: str | None = None,
    rule: str | None = None,
    axes: ReactionAxes = ReactionAxes.JOINT,
    vibration: bool = True,
) -> System:
    """The system of a model; bodies vibrate unless the rule is compliance, or the caller decides otherwise."""
    from reactio.system.compile.build import build
    from reactio.system.geometry.accuracy import with_accuracy

    model = in_coordinates(model, coordinates)
    if rule is not None:  # verdicts need none
        from reactio.joint_reactions.closing import giving_way
        from reactio.sharing import by_compliance

        model, vibration = giving_way(model, rule), vibration and not by_compliance(rule)
    with timed("building its equations"):
        return with_accuracy(build(model, vibration=vibration), accuracy).in_axes(axes)


def in_coordinates(model: Model, coordinates: CoordinateChoice | None) -> Model:
    """A model with its rigid bodies described in the given coordinates; as it is, when None."""
    from reactio.model.transform import natural

    if coordinates is CoordinateChoice.shared:
        raise ReactioError(
            "--coordinates shared: a point that belongs to both bodies needs no equation, and without an equation "
            "there is no reaction. Use the joint-augmented form, --coordinates natural or absolute; the motion is "
            "the same."
        )
    if coordinates is None:
        return model
    forms = {CoordinateChoice.natural: natural.natural, CoordinateChoice.absolute: natural.absolute}
    return forms[coordinates](model)
