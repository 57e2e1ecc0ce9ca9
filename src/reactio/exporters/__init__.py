"""Models as files of other programs: one format in each file of ``formats``; the folder is the registry."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reactio.catalogue.registry import Registry
from reactio.errors import ReactioError, did_you_mean
from reactio.model.files.write import with_relative_shapes
from reactio.model.model import Model, require_model
from reactio.operating_system.files import check_writable, path_of, write_text
from reactio.operating_system.garbage import without_search_for_cycles

MANY_BODIES = 5_000  # above which a message announces that writing takes seconds, about one for ten thousand bodies
log = logging.getLogger("reactio")
EXPORTS: Registry[ExportFormat] = Registry("export format", "reactio.exporters.formats")
register = EXPORTS.register


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: its suffixes, and a function from a model and comments to texts by suffix, the main file first."""

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[Model, Sequence[str]], dict[str, str]]
    doc: str
    check: Callable[[Model], None] = lambda model: None  # refuses models that it cannot hold, whatever their joints are
    left_out: Callable[[Model], Iterable[str]] = lambda model: ()  # what it does not hold, in words


def export(model: Model, path: str | Path, comments: Sequence[str] = ()) -> list[Path]:
    """Write a model for another program, by the suffix of the file: .yaml, .xml or .mjcf, .urdf with its loops.

    Returns the files that were written; each is written whole or not at all.

    >>> import reactio, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = export(reactio.load("four-bar-spatial"), f"{folder}/four-bar.urdf")
    ...     [file.name for file in written]
    ['four-bar.urdf', 'four-bar.yaml']
    """
    require_model(model)
    path = path_of(path)
    comments = (*comments, *left_out(model, path))
    model = with_relative_shapes(model, path.parent)[0]
    if len(model.bodies) > MANY_BODIES:
        log.info(f"{path.name}: {len(model.bodies):,} bodies are being written …")
    with without_search_for_cycles():
        contents = list(texts(model, path, comments).items())
    files = {(path if not k else path.with_suffix(suffix)): text for k, (suffix, text) in enumerate(contents)}
    for target in files:
        check_writable(target, side=target != path)
    for target, text in files.items():
        write_text(target, text, side=target != path)
    return list(files)


def left_out(model: Model, path: Path) -> list[str]:
    """The parts of the model that a file of this name would not hold, in words."""
    outside = with_relative_shapes(model, path.parent)[1]
    shapes = [f"left out: {len(outside)} shapes of bodies whose files lie outside this folder"] if outside else []
    return [*_format_of(path).left_out(model), *shapes]


def texts(model: Model, path: Path, comments: Sequence[str] = ()) -> dict[str, str]:
    """What would be written, by suffix; what the format does not have is an error."""
    return _format_of(path).write(model, comments)


def check_model(model: Model, path: Path) -> None:
    """Refuse a model that the format cannot hold, whatever its joints are."""
    _format_of(path).check(model)


def check_export(path: Path) -> None:
    """Refuse a file name that no format has, and one that cannot be written."""
    _format_of(path)
    check_writable(path)


def _format_of(path: Path) -> ExportFormat:
    entry = next((format_ for format_ in EXPORTS.values() if path.suffix.lower() in format_.suffixes), None)
    if entry is None:
        known = [suffix for format_ in EXPORTS.values() for suffix in format_.suffixes]
        raise ReactioError(f"'{path}': no format is written with this suffix.{did_you_mean(path.suffix, known)}")
    return entry
