"""Clearer words for wrong usage: a parameter given as an option, an option of another verb, a decimal comma."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from reactio.catalogue.units import UNITS
from reactio.errors import ReactioError, did_you_mean

# Of click, of which some releases of typer hold a copy.
UsageError = cast(type[Exception], typer.BadParameter.__bases__[0])
MISSPELT = 0.85  # likeness of an option to one of the same verb: a letter or two of six
_SETTING = re.compile(r"[^\W\d]\w*=\S+")
_INVALID_NUMBER = re.compile(r"'(?P<text>[^']*)' is not a valid (?P<kind>float|integer)( range)?\.")
_NUMBER_WORDS = {"float": "number", "integer": "whole number"}


class Verbs(TyperGroup):
    """A command with verbs, whose usage errors suggest the probable intention."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; where the parser refuses its arguments, add a hint to the message."""
        words = [*getattr(ctx, "_protected_args", getattr(ctx, "protected_args", ())), *ctx.args]
        try:
            return super().invoke(ctx)
        except UsageError as error:
            clarify(error, words, self.all_verbs)
            raise

    @staticmethod
    def all_verbs() -> typer.Typer:
        """The command with every verb; while one runs, only that one is imported."""
        raise NotImplementedError


def clarify(error: Any, words: list[str], all_verbs: Callable[[], typer.Typer]) -> None:
    """Rewrite the message of an error of usage; ``words`` are the verb and its arguments as typed."""
    verb = words[0] if words else ""
    if option := getattr(error, "option_name", "") * hasattr(error, "possibilities"):
        if (
            hint := _parameter(option, words)
            or _misspelt(option, error.possibilities)
            or _other_verbs(option, all_verbs())
        ):
            error.message, error.possibilities = f"There is no option {option} of `reactio {verb}`: {hint}", None
    elif error.message.startswith("No such command"):
        error.message = _no_verb(error.message, words, error.ctx)
    elif error.message.startswith("Got unexpected extra argument"):
        if settings := [word for word in words[1:] if _SETTING.fullmatch(word) and word in error.message]:
            error.message = f"{error.message}: parameters follow --set, as in --set {settings[0]}."
    elif match := _INVALID_NUMBER.search(error.message):
        error.message = error.message.replace(match[0], _no_number(match))


def _no_number(match: re.Match[str]) -> str:
    text, kind = match["text"], _NUMBER_WORDS[match["kind"]]
    if re.fullmatch(r"[-+]?\d+,\d+", text):
        return f"'{text}' has a comma; write a decimal point, {text.replace(',', '.')}."
    quantity = re.fullmatch(r"([-+.\de]*\d)\s*([^\W\d]+)", text)
    return f"'{text}' is not a {kind}" + (f"; {_without_unit(*quantity.groups())}" if quantity else ".")


def _without_unit(digits: str, unit: str) -> str:
    """How to write a number that was given with a unit: options of time are in seconds."""
    if unit in UNITS["time"]:
        return f"write {float(digits) * UNITS['time'][unit]:.12g}, in seconds."
    return "write a number alone, in the unit that `--help` names."


def _parameter(option: str, words: list[str]) -> str:
    """The right way to set a parameter of the source that was given as an option of its own."""
    from reactio.library import load

    name, _, value = option.lstrip("-").partition("=")
    given = next((k for k, word in enumerate(words) if word.partition("=")[0] == option), len(words))
    value = words[given].partition("=")[2] or (words[given + 1] if given + 1 < len(words) else "") or "VALUE"
    for source in words[1:]:
        try:
            parameters = load(source).parameters
        except (ReactioError, OSError):
            continue
        if name in parameters:
            return f"{name} is a parameter of {source}, write --set {name}={value}."
    return ""


def _misspelt(option: str, near: Sequence[str] | None) -> str:
    """The option of this verb that differs by a letter or two: ``--rules`` of ``--rule``."""
    meant = get_close_matches(option, near or (), n=1, cutoff=MISSPELT)
    return f"did you mean {meant[0]}?" if meant else ""


def _other_verbs(option: str, app: typer.Typer) -> str:
    """The verbs that have an option which this one does not have."""
    verbs: dict[str, Any] = getattr(get_command(app), "commands", {})
    options = {name: {word for p in command.params for word in p.opts} for name, command in verbs.items()}
    owners = [f"`reactio {name}`" for name, known in options.items() if option in known]
    if not owners:
        return ""
    return f"it belongs to {', '.join(owners[:3])}{' and others' if len(owners) > 3 else ''}."


def _no_verb(message: str, words: list[str], context: Any) -> str:
    """A command that does not exist: help, a word of the same meaning, or a name behind a family of verbs."""
    path = context.command_path if context is not None else "reactio"
    word = message.partition("'")[2].partition("'")[0]
    if word == "help":
        verb = f" {words[1]}" if len(words) > 1 else ""
        return f"No such command 'help'. Write `reactio{verb} --help`."
    known = getattr(context.command, "commands", {}) if context is not None else {}
    if path.endswith("library") and word not in known:
        return f"No such command 'library {word}'. Write `reactio library show {word}` to print a mechanism."
    return f"No such command '{word}'.{did_you_mean(word, known)}"
