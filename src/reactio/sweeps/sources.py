"""Sources of the models of a sweep: the text of a file, a mechanism of the library, or a function.

A source is sent to other processes and machines with all it needs: a change of its file during a sweep has no effect.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from reactio import library
from reactio.catalogue.units import Units
from reactio.errors import ReactioError
from reactio.library import MODEL_SUFFIXES, load
from reactio.model.files.read import parse_model, units_of_text
from reactio.model.files.write import to_yaml
from reactio.model.model import Model, require_model
from reactio.operating_system.files import read_text


@dataclass(frozen=True, slots=True)
class FromText:
    """A YAML model; tables that it names are read from its folder."""

    name: str
    text: str
    folder: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def model(self, parameters: Mapping[str, Any]) -> Model:
        """The model with its parameters set."""
        return parse_model(self.text, self.name, Path(self.folder), **{**self.settings, **parameters})

    def known(self) -> set[str] | None:
        """Names of its parameters."""
        return set(self.model({}).parameters)

    @property
    def units(self) -> Units:
        """The units of the file."""
        return units_of_text(self.text)

    @property
    def digest(self) -> str:
        """A digest of all that its models depend on."""
        return _digest(self.text, sorted(self.settings.items()))


@dataclass(frozen=True, slots=True)
class FromLibrary:
    """A mechanism of the library, or a file of another program."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def model(self, parameters: Mapping[str, Any]) -> Model:
        """The model with its parameters set."""
        return load(self.name, **{**self.settings, **parameters})

    @property
    def units(self) -> Units:
        """The units of the file; those of the library are SI."""
        return Units() if self.name in library.names() else self.model({}).units

    def known(self) -> set[str] | None:
        """Names of its parameters; None where they are not listed anywhere."""
        if self.name not in library.names():
            return None
        entry = library.entry(self.name)
        return {*entry.parameters, *entry.choices}

    @property
    def digest(self) -> str:
        """A digest of all that its models depend on."""
        file = Path(self.name)
        content = file.read_bytes().hex() if file.is_file() else to_yaml(self.model({}))
        return _digest(content, sorted(self.settings.items()))


@dataclass(frozen=True, slots=True)
class FromFunction:
    """A function of the parameters that returns a model."""

    function: Callable[..., Model]
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the function."""
        return getattr(self.function, "__name__", type(self.function).__name__)

    def model(self, parameters: Mapping[str, Any]) -> Model:
        """The model that it returns for these parameters."""
        model = self.function(**{**self.settings, **parameters})
        if not isinstance(model, Model):
            raise ReactioError(f"{self.name}() returned {type(model).__name__}; it must return a Model.")
        return model

    @property
    def units(self) -> Units:
        """SI, as everything in Python."""
        return Units()

    def known(self) -> set[str] | None:
        """Names of its arguments; None where it takes any."""
        arguments = inspect.signature(self.function).parameters.values()
        if any(argument.kind is inspect.Parameter.VAR_KEYWORD for argument in arguments):
            return None
        return {argument.name for argument in arguments}

    @property
    def digest(self) -> str:
        """A digest of its code where that can be read, of its data where it is an object."""
        if not inspect.isroutine(self.function):
            return _digest(pickle.dumps(self.function), sorted(self.settings.items()))
        try:
            return _digest(inspect.getsource(self.function), sorted(self.settings.items()))
        except (OSError, TypeError):
            return _digest(self.name, sorted(self.settings.items()))


Source: TypeAlias = FromText | FromLibrary | FromFunction


def source_of(given: str | Path | Model | Callable[..., Model], settings: Mapping[str, Any] | None = None) -> Source:
    """The source of a file, a name of the library, a model that came from one of them, or a function."""
    chosen = dict(settings or {})
    if isinstance(given, Model):
        return _source_of_model(given, chosen)
    if callable(given):
        return FromFunction(given, chosen)
    if not isinstance(given, str | Path):
        require_model(given)
    name = str(given)
    if name in library.names() and not os.path.isfile(name):
        return FromLibrary(name, chosen)
    path = Path(given)
    if path.suffix.lower() in MODEL_SUFFIXES:
        return FromText(path.stem, read_text(path), str(path.resolve().parent), chosen)
    return FromLibrary(name, chosen)


def _source_of_model(model: Model, settings: dict[str, Any]) -> Source:
    """The source of a loaded model, with the parameters by which it was loaded."""
    name = model.source or model.name
    if not model.source and model.name not in library.names():
        raise ReactioError(
            f"'{model.name}' was made in Python: how it follows from parameters is not known. Give a function that "
            "returns the model for them, a model file, or a name of the library."
        )
    base = load(name)
    differ = {key: value for key, value in model.parameters.items() if base.parameters.get(key) != value}
    for key in reversed(list(differ)):  # those that follow from others stand behind them
        fewer = {parameter: value for parameter, value in differ.items() if parameter != key}
        if load(name, **fewer).parameters == model.parameters:
            differ = fewer
    if load(name, **differ) != model:
        raise ReactioError(
            f"'{model.name}' was changed after it was loaded from {name}. Give a function that returns the model for "
            "parameters, or write it to a file of its own (reactio.save) and give that."
        )
    return source_of(name, {**differ, **settings})


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
