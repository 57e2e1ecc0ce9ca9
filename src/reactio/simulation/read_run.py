"""Runs read back from disk.

Contents are checked against the checksum of the file and against the model inside: a damaged or invented file is
refused before its numbers reach the equations.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from zipfile import ZipFile, is_zipfile

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import units_named
from reactio.errors import ReactioError
from reactio.events.event_functions import EventAction, EventKind, Occurrence
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.options import IntegrationOptions, checked_options
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.model.events import CrossingDirection
from reactio.model.files.read import parse_model
from reactio.operating_system.files import check_file, path_of
from reactio.simulation.trajectory import Trajectory
from reactio.simulation.write_run import (
    COORDINATES,
    RUN_FORMAT,
    SCALARS,
    TIME_COLUMN,
    WORK_COLUMN,
    checksum,
    format_of,
    numbers_of,
)
from reactio.system.compile.build import build
from reactio.system.types import System, outside_formulas

RETIRED_FIELDS = frozenset({"compiled"})  # of checkpoints in files of earlier versions, which are passed over
# Largest size of the unpacked arrays of a file: so many bytes, or this multiple of the file where that is more.  Small
# files may unpack to much, since a run at rest is compressed a thousandfold, but must not fill the memory.
MOST_RUN_BYTES, MOST_COMPRESSION = 2**31, 20

T = TypeVar("T")


class RunContents(NamedTuple):
    """The contents of a file."""

    arrays: dict[str, Floats]  # by ROW_FIELDS
    about: str  # everything else, as JSON
    numbers: Iterable[bytes]  # the arrays as the checksum takes them


def load_run(path: str | Path) -> Trajectory:
    """Read a run back from .npz, .nc or .csv.

    >>> import reactio, tempfile
    >>> run = reactio.simulate(reactio.load("pendulum-twice"), until=0.1, output=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run.save(f"{folder}/run.npz")
    ...     load_run(f"{folder}/run.npz").t.tolist()
    [0.0, 0.1]
    """
    path = path_of(path)
    reader = format_of(path, RUN_READERS)
    try:
        check_file(path)
        return _trajectory(reader(path))
    except OSError as error:
        raise ReactioError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    except ReactioError as error:
        raise ReactioError(f"'{path}' cannot be used as a run: {error}") from None
    except MemoryError:
        raise
    except Exception as error:  # readers of damaged files raise errors of many kinds
        raise _no_run(path, str(error).splitlines()[0] if str(error) else "it is empty or cut off") from None


def _no_run(path: Path, why: str) -> ReactioError:
    """The error for a file that is not a run."""
    return ReactioError(
        f"'{path}' is not a run of Reactio: {why.rstrip('.')}. Give a file that `reactio simulate --out` or `run.save` "
        "wrote."
    )


def _trajectory(contents: RunContents) -> Trajectory:
    """The run in a file, after its contents have been checked."""
    arrays = contents.arrays
    try:
        data = json.loads(contents.about)
    except (ValueError, RecursionError):
        raise ValueError("its description is missing") from None
    if not isinstance(data, dict) or data.get("format") != RUN_FORMAT:
        raise ValueError(f"its format is not {RUN_FORMAT}")
    needed = ("sha256", "rows", "model", "outside", "status", "checkpoint", "segments", "events", *SCALARS)
    if missing := [key for key in needed if key not in data]:
        raise ValueError(f"it lacks '{missing[0]}'")
    if len(arrays["t"]) != data["rows"]:
        raise ValueError(f"it has {len(arrays['t']):,} rows of the {data['rows']:,} that were written: it was cut off")
    if data.pop("sha256") != checksum(data, contents.numbers):
        raise ValueError("its checksum does not fit its contents: it was damaged or changed after it was written")
    units = units_named(data.get("units", {}))  # SI in files of earlier versions, which do not state them
    system = build(replace(parse_model(data["model"], "run"), units=units), dropped=True)
    _check_formulas(system, data["outside"])
    rows: dict[str, Any] = {key: np.asarray(arrays[key], dtype=float) for key in ROW_FIELDS}
    _check_rows(system, rows)
    sizes = {"q": system.nq, "v": system.n, "v_after": system.n, "vdot": system.n, "lam": system.m}
    return Trajectory(
        system=system,
        status=Status[data["status"]],
        checkpoint=_record(Checkpoint, data["checkpoint"], sizes),
        segments=tuple(_record(Checkpoint, record, sizes) for record in data["segments"]),
        events=tuple(_record(Occurrence, record, sizes, "event") for record in data["events"]),
        **rows,
        **_scalars(data),
    )


def _scalars(data: Mapping[str, Any]) -> dict[str, Any]:
    """The single values of a run, each converted to the type of its field."""
    given = {key: data[key] for key in SCALARS}
    types = {field.name: str(field.type) for field in fields(Trajectory)}
    read = {key: FIELD_READERS[types[key]](value, key) for key, value in given.items()}
    checked_options(
        IntegrationOptions(**{key: read[key] for key in ("tol", "method", "rule", "stabilise", "alpha", "formulation")})
    )
    return read


def _check_formulas(system: System, made_by: Any) -> None:
    """Refuse a run whose formulas from outside the package have changed since: it would continue differently."""
    now = outside_formulas(system)
    if not isinstance(made_by, dict):
        raise ValueError("its formulas are not named")
    if changed := [name for name in {**now, **made_by} if now.get(name) != made_by.get(name)]:
        raise ReactioError(f"{changed[0]} has other formulas now than when the run was made. Make the run anew.")


def _check_rows(system: System, rows: dict[str, Floats]) -> None:
    """Check that all arrays have one row per time, the columns of the model, and finite numbers."""
    count = rows["t"].size
    widths = {"q": (system.nq,), "v": (system.n,), "vdot": (system.n,), "lam": (system.m,), "work": ()}
    for key, width in widths.items():
        if rows["t"].ndim != 1 or rows[key].shape != (count, *width):
            raise ValueError(f"'{key}' is {rows[key].shape}, where {(count, *width)} belong to its times and its model")
    for key in ROW_FIELDS:  # accelerations and multipliers may be missing near a singular pose; none is infinite
        wrong = np.isinf(rows[key]) if key in ("vdot", "lam") else ~np.isfinite(rows[key])
        if wrong.any():
            raise ValueError(f"'{key}' holds a value that is not a finite number")
    if (np.diff(rows["t"]) < 0).any():
        raise ValueError("its times do not increase")


def _record(kind: type[T], data: Any, sizes: Mapping[str, int], word: str = "checkpoint") -> T:
    """A checkpoint or an event from JSON: its fields by their types, its arrays of the sizes of the model."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if not isinstance(data, dict) or {*data} - RETIRED_FIELDS != names:
        raise ValueError(f"its {word}s have other fields")
    read = {field.name: FIELD_READERS[str(field.type)](data[field.name], field.name) for field in fields(kind)}  # type: ignore[arg-type]
    for key, size in sizes.items():
        if key in read and read[key].shape != (size,):
            raise ValueError(f"'{key}' of its {word}s has the shape {read[key].shape}, not ({size},)")
    return kind(**read)


def _typed(*types: type) -> Callable[[Any, str], Any]:
    """A reader of values of these types."""

    def read(value: Any, key: str) -> Any:
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise ValueError(f"'{key}' is {str(value)[:40]!r}, which cannot be")
        return value

    return read


def _word(words: type[StrEnum]) -> Callable[[Any, str], StrEnum]:
    """A reader of the words of an enumeration."""

    def read(value: Any, key: str) -> StrEnum:
        if value not in tuple(words):
            raise ValueError(f"'{key}' is {str(value)[:40]!r}, which cannot be")
        return words(value)

    return read


def _float(value: Any, key: str) -> float:
    """A finite number."""
    number = float(_typed(int, float)(value, key))
    if not math.isfinite(number):
        raise ValueError(f"'{key}' is {number}, which is not a finite number")
    return number


def _tuple(read: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """A reader of lists, whose entries ``read`` reads."""
    return lambda value, key: tuple(read(entry, key) for entry in _typed(list)(value, key))


def _floats(value: Any, key: str) -> Floats:
    """An array of numbers, finite but for accelerations and multipliers, which may be missing."""
    numbers = np.array(_tuple(_typed(int, float))(value, key), dtype=float)
    if key in ("t", "q", "v", "v_after") and not np.isfinite(numbers).all():
        raise ValueError(f"'{key}' holds a value that is not a finite number")
    return numbers


# How each type of a field is read from JSON.
FIELD_READERS: dict[str, Callable[[Any, str], Any]] = {
    "float": _float,
    "float | None": lambda value, key: None if value is None else _float(value, key),
    "int": _typed(int),
    "bool": _typed(bool),
    "str": _typed(str),
    "str | None": _typed(str, type(None)),
    "tuple[int, ...]": _tuple(_typed(int)),
    "tuple[str, ...]": _tuple(_typed(str)),
    "Floats": _floats,
    **{words.__name__: _word(words) for words in (EventKind, EventAction, CrossingDirection)},
}


def _from_npz(path: Path) -> RunContents:
    """The contents of a NumPy archive."""
    size = path.stat().st_size
    if not is_zipfile(path):
        raise ValueError("it is not a .npz archive" if size else "it is empty")
    with ZipFile(path) as packed:
        unfolded = sum(member.file_size for member in packed.infolist())
    if unfolded > max(MOST_RUN_BYTES, MOST_COMPRESSION * size):
        raise ValueError(f"it unfolds to {unfolded / 2**30:,.0f} GB; at most {MOST_RUN_BYTES / 2**30:,.0f} GB are read")
    with np.load(path, allow_pickle=False) as file:
        if missing := {*ROW_FIELDS, "about"} - {*file}:
            raise ValueError(f"it holds no '{min(missing)}'")
        arrays = {key: file[key] for key in ROW_FIELDS}
        return RunContents(arrays, file["about"].tobytes().decode(), numbers_of(arrays))


def _from_nc(path: Path) -> RunContents:
    """The contents of a NetCDF file."""
    from scipy.io import netcdf_file

    with netcdf_file(path, "r", mmap=False) as file:
        if missing := {"t", "work", "about"} - {*file.variables}:
            raise ValueError(f"it holds no '{min(missing)}'")
        variables = {key: np.array(file.variables[key][:], dtype=float) for key in ROW_FIELDS if key in file.variables}
        about = np.array(file.variables["about"][:], dtype=np.int8).tobytes().decode()
    empty = np.zeros((len(variables["t"]), 0))
    arrays = {key: variables.get(key, empty) for key in ROW_FIELDS}
    return RunContents(arrays, about, numbers_of(arrays))


def _from_csv(path: Path) -> RunContents:
    """The contents of a table: a comment, names, rows, and everything else as JSON in the last line."""
    import csv

    with path.open(encoding="utf-8") as file:  # line ends of all systems are read as the newline that was written
        lines = file.readlines()
    if len(lines) < 3:
        raise ValueError("it is empty or cut off")
    short, head, *rows, about = lines
    if not short.startswith("# ") or TIME_COLUMN not in (names := next(csv.reader([head]), [])):
        raise ValueError(f"it has no line of names with a column '{TIME_COLUMN}'")
    if not about.startswith("# {") or not about.endswith("\n"):
        raise ValueError(f"it is cut off in line {len(rows) + 3:,}: its last line, the description, is missing")
    body = "".join(rows)
    values = _table(body, len(names))
    if WORK_COLUMN not in names:
        raise ValueError(f"it has no column '{WORK_COLUMN}'")
    columns = {"t": values[:, names.index(TIME_COLUMN)], "work": values[:, names.index(WORK_COLUMN)]}
    for key in COORDINATES:
        places = [k for k, name in enumerate(names) if name.startswith(f"{key}[") and name.endswith("]")]
        columns[key] = values[:, places]
    return RunContents(columns, about.removeprefix("# "), [head.encode(), body.encode()])


def _table(text: str, width: int) -> Floats:
    """The table (k, width) of numbers; an empty field is NaN."""
    if not text:
        return np.zeros((0, width))
    table = np.loadtxt(io.StringIO(text), delimiter=",", ndmin=2, converters=lambda x: float(x or "nan"))
    if table.shape[1] != width:
        raise ValueError(f"a row has {table.shape[1]} numbers under {width} names")
    return table


RUN_READERS: dict[str, Callable[[Path], RunContents]] = {
    ".npz": _from_npz,
    ".nc": _from_nc,
    ".csv": _from_csv,
}
