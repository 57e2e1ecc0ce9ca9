"""The library: published mechanisms, one file each, a YAML model or a builder for those of any size.

``load`` reads any model: by its name in the library, or by its file, ours or another program's.

A builder module has a docstring (its first line is the title), ``CITE``, ``PARAMETERS`` with defaults, and
``build(**parameters) -> Model``; parameters that are words stand in ``CHOICES`` with their options.
"""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from reactio.errors import ReactioError, did_you_mean
from reactio.model.model import Model

FOLDER = Path(__file__).parent
MODEL_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Entry:
    """A mechanism of the library."""

    name: str
    title: str
    cite: str
    parameters: Mapping[str, float]
    file: Path
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # parameters that are words, the default first


@cache
def names() -> tuple[str, ...]:
    """All mechanisms by name."""
    files = [f for f in FOLDER.iterdir() if f.suffix in (".yaml", ".py") and not f.name.startswith("_")]
    return tuple(sorted(f.stem.replace("_", "-") for f in files))


def entry(name: str) -> Entry:
    """What the library knows of a mechanism."""
    file = _file(name)
    if file.suffix == ".py":
        module = _module(file)
        title = (module.__doc__ or "").strip().splitlines()[0]
        return Entry(name, title, module.CITE, module.PARAMETERS, file, getattr(module, "CHOICES", {}))
    model = _mechanism(name)
    return Entry(name, model.title, model.cite, model.parameters, file)


def load(source: str | Path, /, **parameters: Any) -> Model:
    """The model in a file, or the mechanism of that name in the library; parameters as keywords.

    Files are our own YAML, or those of other programs: MJCF, URDF, SDF, FreeCAD, Ondsel, Adams.  For these, keywords
    are options of the import: ``load("arm.urdf", loops="loops.yaml")``; ``import_file`` also gives its report.

    >>> import reactio
    >>> len(reactio.load("n-four-bar", N=40).bodies)
    81
    """
    if not isinstance(source, str | os.PathLike):
        raise ReactioError(
            f"The name of a file or of a mechanism of the library is needed, not {type(source).__name__}."
        )
    name = str(source)
    if "://" in name:
        raise ReactioError(f"'{name[:200]}': addresses are not read; download the file and give its path.")
    if name in names() and not os.path.isfile(name):
        return _mechanism(name, **parameters)
    path = Path(source)
    if path.suffix.lower() not in MODEL_SUFFIXES and os.path.exists(path):
        from reactio.importers.options import options_from
        from reactio.importers.pipeline import import_file
        from reactio.importers.recognise import is_foreign

        if is_foreign(path):
            return import_file(path, options_from(parameters)).model
    if path.suffix.lower() in MODEL_SUFFIXES or os.path.exists(path):
        from reactio.model.files.read import read_model

        return read_model(path, **parameters)
    raise ReactioError(
        f"'{name[:200]}' is neither a file nor a mechanism of the library.{did_you_mean(name[:200], names())}"
    )


def _mechanism(name: str, /, **parameters: float | str) -> Model:
    """A mechanism of the library with its parameters set."""
    file = _file(name)
    if file.suffix == ".yaml":
        from reactio.model.files.read import read_model

        return read_model(file, **parameters)
    module = _module(file)
    choices = getattr(module, "CHOICES", {})
    words = {key: _choice(key, str(parameters.get(key, options[0])), options) for key, options in choices.items()}
    known = {**module.PARAMETERS, **dict.fromkeys(choices, 0.0)}
    given = {key: _value(name, key, value, known) for key, value in parameters.items() if key not in choices}
    numbers = {**module.PARAMETERS, **given}
    try:
        model: Model = module.build(**numbers, **words)
    except (ArithmeticError, ValueError) as error:  # no number at these lengths and angles
        values = ", ".join(f"{key} = {value:g}" for key, value in numbers.items())
        raise ReactioError(f"There is no '{name}' with {values} ({error}); choose other numbers.") from None
    return model


def yaml_text(name: str, /, **parameters: float | str) -> str:
    """The YAML of a mechanism: the file itself with its comments, or what its builder gives."""
    file = _file(name)
    if file.suffix == ".yaml" and not parameters:
        return file.read_text(encoding="utf-8")
    from reactio.model.files.write import to_yaml

    return to_yaml(_mechanism(name, **parameters))


def _choice(key: str, word: str, options: tuple[str, ...]) -> str:
    if word not in options:
        raise ReactioError(f"{key} is '{word}'; it must be {' or '.join(options)}.{did_you_mean(word, options)}")
    return word


def _value(name: str, key: str, value: float | str, known: Mapping[str, float]) -> float:
    if key not in known:
        raise ReactioError(f"'{name}' has no parameter '{key}'.{did_you_mean(key, known)}")
    from reactio.expressions.number import evaluate
    from reactio.expressions.syntax import ExpressionError

    try:
        return evaluate(value, {}) if isinstance(value, str) else float(value)
    except ExpressionError as error:
        raise ReactioError(f"parameter '{key}': {error}") from None


def _file(name: str) -> Path:
    if name not in names():
        raise ReactioError(f"There is no mechanism '{name}' in the library.{did_you_mean(name, names())}")
    stem = name.replace("-", "_")
    return next(f for f in (FOLDER / f"{stem}.yaml", FOLDER / f"{stem}.py") if f.exists())


def _module(file: Path) -> Any:
    return importlib.import_module(f"reactio.library.{file.stem}")


MOST_REPETITIONS = 1_000_000  # of anything a builder repeats; more does not fit into memory


def whole(value: float, name: str, least: int = 1, most: int = MOST_REPETITIONS) -> int:
    """A parameter that must be a whole number."""
    if not math.isfinite(value) or value != int(value) or value < least:
        raise ReactioError(f"{name} is {value:g}; it must be a whole number of at least {least}.")
    if value > most:
        raise ReactioError(f"{name} is {value:g}; at most {most:,} are built.")
    return int(value)
