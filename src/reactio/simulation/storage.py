"""Runs on disk: NumPy, NetCDF and CSV files that hold the model too, so that they read back whole.

Every file carries a checksum of its contents.  What is read is checked against it, and against the model inside: a
damaged or invented file is refused before its numbers reach the equations.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar
from zipfile import ZipFile, is_zipfile

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.events.watch import Occurrence
from reactio.files import check_file, check_writable, path_of, write_bytes
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.options import IntegrationOptions, checked_options
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.build import build
from reactio.system.types import System

COORDINATES = ("q", "v", "vdot", "lam")  # arrays with a column for each coordinate, velocity or equation
WAY = ("rule", "depends_on_rule", "method", "stabilise", "alpha", "tol")
SCALARS = (*WAY, "until", "position_drift", "velocity_drift", "energy_error", "wall_s", "notes")
RUN_FORMAT = "reactio.run/5"  # 5: checkpoints hold clearances; an energy error that is not known is null
TIME, WORK = "t [s]", "work [J]"  # columns of a table: the first, and the first of those that are read back
SHORT = "Run of Reactio: bodies in world axes, reactions in {axes} axes; the last line lets it be read back."
# Bytes that the arrays of a packed file may unfold to, at least, and as a multiple of the file: a run at rest shrinks a
# thousandfold, and no small file may fill the memory.
MOST_RUN_BYTES, MOST_TIMES = 2**31, 20

T = TypeVar("T")
# Of a file: its arrays, what else it says as JSON, and the bytes of its numbers, which the checksum covers.
Contents = tuple[dict[str, Floats], str, Iterable[bytes]]


def save_run(run: Trajectory, path: str | Path) -> None:
    """Write a run; the suffix chooses the format.

    Ctrl-C meanwhile is raised once the run is written, without columns that take long and only serve people.
    """
    path = Path(path)
    content = _of(path, WRITERS)
    try:
        write_bytes(path, content(run, True))
    except KeyboardInterrupt:
        write_bytes(path, content(run, False))
        raise


def check_out(path: Path) -> None:
    """Refuse a file that cannot hold a run, before the run is made."""
    _of(path, WRITERS)
    check_writable(path)


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
    reader = _of(path, RUN_READERS)
    try:
        check_file(path)
        return _trajectory(*reader(path))
    except OSError as error:
        raise ReactioError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    except ReactioError as error:
        raise ReactioError(f"'{path}' cannot be used as a run: {error}") from None
    except MemoryError:
        raise
    except Exception as error:  # readers of damaged files raise errors of many kinds
        raise _no_run(path, str(error).splitlines()[0] if str(error) else "it is empty or cut off") from None


def _no_run(path: Path, why: str) -> ReactioError:
    return ReactioError(
        f"'{path}' is no run of Reactio: {why.rstrip('.')}. A file that `reactio simulate --out` or `run.save` wrote "
        "is needed."
    )


def _of(path: Path, table: dict[str, Any]) -> Any:
    if path.suffix.lower() not in table:
        raise ReactioError(f"'{path}': a run is kept as {' or '.join(table)}.")
    return table[path.suffix.lower()]


def _about(run: Trajectory, parts: Iterable[bytes]) -> str:
    """Everything but the arrays, as JSON, with the checksum of all."""
    data = {
        "format": RUN_FORMAT,
        "rows": len(run.t),
        "model": to_yaml(run.system.model),
        "status": run.status.name,
        "checkpoint": _plain(run.checkpoint),
        "segments": [_plain(one) for one in run.segments],
        "events": [_plain(one) for one in run.events],
        **{key: getattr(run, key) for key in SCALARS},
    }
    return json.dumps({"sha256": _checksum(data, parts), **data})


def _checksum(data: Mapping[str, Any], parts: Iterable[bytes]) -> str:
    """SHA-256 of what a file says of a run, and of its numbers."""
    found = hashlib.sha256(json.dumps(data, sort_keys=True).encode())
    for part in parts:
        found.update(part)
    return found.hexdigest()


def _numbers(arrays: Mapping[str, Floats]) -> Iterable[bytes]:
    """The arrays as bytes, alike on every machine."""
    return (np.ascontiguousarray(arrays[key], dtype="<f8").tobytes() for key in ROW_FIELDS)


def _arrays(run: Trajectory) -> dict[str, Floats]:
    return {key: getattr(run, key) for key in ROW_FIELDS}


def _plain(item: Checkpoint | Occurrence) -> dict[str, Any]:
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in asdict(item).items()}


def _trajectory(arrays: dict[str, Floats], about: str, parts: Iterable[bytes]) -> Trajectory:
    """The run in a file, after its contents have been checked."""
    try:
        data = json.loads(about)
    except (ValueError, RecursionError):
        raise ValueError("it does not say what was run") from None
    if not isinstance(data, dict) or data.get("format") != RUN_FORMAT:
        raise ValueError(f"its format is not {RUN_FORMAT}")
    needed = ("sha256", "rows", "model", "status", "checkpoint", "segments", "events", *SCALARS)
    if missing := [key for key in needed if key not in data]:
        raise ValueError(f"it lacks '{missing[0]}'")
    if len(arrays["t"]) != data["rows"]:
        raise ValueError(f"it has {len(arrays['t']):,} rows of the {data['rows']:,} that were written: it was cut off")
    if data.pop("sha256") != _checksum(data, parts):
        raise ValueError("its checksum does not fit its contents: it was damaged or changed after it was written")
    system = build(parse_model(data["model"], "run"))
    rows: dict[str, Any] = {key: np.asarray(arrays[key], dtype=float) for key in ROW_FIELDS}
    _check_rows(system, rows)
    sizes = {"q": system.nq, "v": system.n, "v_after": system.n, "vdot": system.n, "lam": system.m}
    return Trajectory(
        system=system,
        status=Status[data["status"]],
        checkpoint=_record(Checkpoint, data["checkpoint"], sizes),
        segments=tuple(_record(Checkpoint, one, sizes) for one in data["segments"]),
        events=tuple(_record(Occurrence, one, sizes, "event") for one in data["events"]),
        **rows,
        **_scalars(data),
    )


def _scalars(data: Mapping[str, Any]) -> dict[str, Any]:
    """The single values of a run, each of the type that its field asks for."""
    given = {key: data[key] for key in SCALARS}
    types = {one.name: str(one.type) for one in fields(Trajectory)}
    read = {key: FIELDS[types[key]](value, key) for key, value in given.items()}
    checked_options(IntegrationOptions(**{key: read[key] for key in ("tol", "method", "rule", "stabilise", "alpha")}))
    return read


def _check_rows(system: System, rows: dict[str, Floats]) -> None:
    """Check that all arrays have one row per time, the columns of the model, and finite numbers."""
    count = rows["t"].size
    widths = {"q": (system.nq,), "v": (system.n,), "vdot": (system.n,), "lam": (system.m,), "work": ()}
    for key, width in widths.items():
        if rows["t"].ndim != 1 or rows[key].shape != (count, *width):
            raise ValueError(f"'{key}' is {rows[key].shape}, where {(count, *width)} belong to its times and its model")
    for key in ROW_FIELDS:  # accelerations and multipliers may be missing beside a singular pose; none is infinite
        wrong = np.isinf(rows[key]) if key in ("vdot", "lam") else ~np.isfinite(rows[key])
        if wrong.any():
            raise ValueError(f"'{key}' holds a value that is not a finite number")
    if (np.diff(rows["t"]) < 0).any():
        raise ValueError("its times do not increase")


def _record(kind: type[T], data: Any, sizes: Mapping[str, int], word: str = "checkpoint") -> T:
    """A checkpoint or an event from JSON: its fields by their types, its arrays as wide as the model asks for."""
    if not isinstance(data, dict) or {*data} != {one.name for one in fields(kind)}:  # type: ignore[arg-type]
        raise ValueError(f"the fields of its {word}s are others")
    read = {one.name: FIELDS[str(one.type)](data[one.name], one.name) for one in fields(kind)}  # type: ignore[arg-type]
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


def _float(value: Any, key: str) -> float:
    number = float(_typed(int, float)(value, key))
    if not math.isfinite(number):
        raise ValueError(f"'{key}' is {number}, which is not a finite number")
    return number


def _tuple(read: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    return lambda value, key: tuple(read(one, key) for one in _typed(list)(value, key))


def _floats(value: Any, key: str) -> Floats:
    found = np.array(_tuple(_typed(int, float))(value, key), dtype=float)
    if key in ("t", "q", "v", "v_after") and not np.isfinite(found).all():
        raise ValueError(f"'{key}' holds a value that is not a finite number")
    return found


# How each type of a field is read from JSON.
FIELDS: dict[str, Callable[[Any, str], Any]] = {
    "float": _float,
    "float | None": lambda value, key: None if value is None else _float(value, key),
    "int": _typed(int),
    "bool": _typed(bool),
    "str": _typed(str),
    "str | None": _typed(str, type(None)),
    "tuple[int, ...]": _tuple(_typed(int)),
    "tuple[str, ...]": _tuple(_typed(str)),
    "Floats": _floats,
}


def _npz(run: Trajectory, readable: bool) -> bytes:
    out = io.BytesIO()
    arrays: dict[str, Any] = {**_arrays(run)}
    about = np.frombuffer(_about(run, _numbers(arrays)).encode(), dtype=np.uint8)
    np.savez_compressed(out, about=about, **arrays)
    return out.getvalue()


def _from_npz(path: Path) -> Contents:
    size = path.stat().st_size
    if not is_zipfile(path):
        raise ValueError("it is no .npz archive" if size else "it is empty")
    with ZipFile(path) as packed:
        unfolded = sum(one.file_size for one in packed.infolist())
    if unfolded > max(MOST_RUN_BYTES, MOST_TIMES * size):
        raise ValueError(f"it unfolds to {unfolded / 2**30:,.0f} GB; at most {MOST_RUN_BYTES / 2**30:,.0f} GB are read")
    with np.load(path, allow_pickle=False) as file:
        if missing := {*ROW_FIELDS, "about"} - {*file}:
            raise ValueError(f"it holds no '{min(missing)}'")
        arrays = {key: file[key] for key in ROW_FIELDS}
        return arrays, file["about"].tobytes().decode(), _numbers(arrays)


def _nc(run: Trajectory, readable: bool) -> bytes:
    """NetCDF 3, which all readers of NetCDF support."""
    from scipy.io import netcdf_file

    out = io.BytesIO()
    file = netcdf_file(out, "w")
    about = np.frombuffer(_about(run, _numbers(_arrays(run))).encode(), dtype=np.int8)
    sizes = {"time": len(run.t), "q": run.q.shape[1], "v": run.v.shape[1], "lam": run.lam.shape[1], "text": len(about)}
    for name, size in sizes.items():
        file.createDimension(name, size)
    for key, second in (("t", None), ("q", "q"), ("v", "v"), ("vdot", "v"), ("lam", "lam"), ("work", None)):
        shape = ("time",) if second is None else ("time", second)
        if second is None or sizes[second]:
            file.createVariable(key, "d", shape)[:] = getattr(run, key)
    file.createVariable("about", "b", ("text",))[:] = about
    file.flush()
    return out.getvalue()


def _from_nc(path: Path) -> Contents:
    from scipy.io import netcdf_file

    with netcdf_file(path, "r", mmap=False) as file:
        if missing := {"t", "work", "about"} - {*file.variables}:
            raise ValueError(f"it holds no '{min(missing)}'")
        found = {key: np.array(file.variables[key][:], dtype=float) for key in ROW_FIELDS if key in file.variables}
        about = np.array(file.variables["about"][:], dtype=np.int8).tobytes().decode()
    empty = np.zeros((len(found["t"]), 0))
    arrays = {key: found.get(key, empty) for key in ROW_FIELDS}
    return arrays, about, _numbers(arrays)


def _csv(run: Trajectory, readable: bool) -> bytes:
    """One short comment, readable columns with their units, the raw coordinates; in the last line what else is needed.

    Bodies are in world axes, reactions in those of its system; an empty place is a component that is not unique.
    """
    columns = {TIME: run.t}
    if readable:  # reactions at every row take long
        columns = {f"{name} [{unit}]": column for name, unit, column in run.named_columns()}
    raw = {WORK: run.work}
    raw |= {f"{key}[{k}]": getattr(run, key)[:, k] for key in COORDINATES for k in range(getattr(run, key).shape[1])}
    table = np.column_stack([*columns.values(), *raw.values()])
    lines = [",".join(_quoted(name) for name in (*columns, *raw))]
    lines += [",".join("" if np.isnan(x) else repr(float(x)) for x in row) for row in table]
    text = ("\n".join(lines) + "\n").encode()
    return f"# {SHORT.format(axes=run.system.axes)}\n".encode() + text + f"# {_about(run, [text])}\n".encode()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if set(name) & set(',"\n') else name


def _from_csv(path: Path) -> Contents:
    import csv

    with path.open(encoding="utf-8") as file:  # line ends of all systems are read as the newline that was written
        lines = file.readlines()
    if len(lines) < 3:
        raise ValueError("it is empty or cut off")
    short, head, *rows, about = lines
    if not short.startswith("# ") or TIME not in (names := next(csv.reader([head]), [])):
        raise ValueError(f"it has no line of names with a column '{TIME}'")
    if not about.startswith("# {") or not about.endswith("\n"):
        raise ValueError(f"it is cut off in line {len(rows) + 3:,}: the last line says what was run")
    body = "".join(rows)
    values = _table(body, len(names))
    if WORK not in names:
        raise ValueError(f"it has no column '{WORK}'")
    found = {"t": values[:, names.index(TIME)], "work": values[:, names.index(WORK)]}
    for key in COORDINATES:
        places = [k for k, name in enumerate(names) if name.startswith(f"{key}[") and name.endswith("]")]
        found[key] = values[:, places]
    return found, about.removeprefix("# "), [head.encode(), body.encode()]


def _table(text: str, width: int) -> Floats:
    """(k, width) numbers; an empty place is no number."""
    if not text:
        return np.zeros((0, width))
    table = np.loadtxt(io.StringIO(text), delimiter=",", ndmin=2, converters=lambda x: float(x or "nan"))
    if table.shape[1] != width:
        raise ValueError(f"a row has {table.shape[1]} numbers under {width} names")
    return table


# From a run and whether columns for people are wanted besides those that are read back; other formats have none.
WRITERS: dict[str, Callable[[Trajectory, bool], bytes]] = {".npz": _npz, ".nc": _nc, ".csv": _csv}
RUN_READERS: dict[str, Callable[[Path], Contents]] = {
    ".npz": _from_npz,
    ".nc": _from_nc,
    ".csv": _from_csv,
}
