"""Runs on disk: NumPy, NetCDF and CSV files that hold the model too, so that they read back whole."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.events.watch import Occurrence
from reactio.files import write_bytes
from reactio.integrate.integrator import Checkpoint
from reactio.integrate.interrupt import held
from reactio.integrate.status import Status
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml
from reactio.simulation.trajectory import Trajectory
from reactio.system.build import build
from reactio.system.types import System

ARRAYS = ("t", "q", "v", "vdot", "lam")
WAY = ("rule", "depends_on_rule", "method", "stabilise", "alpha", "tol")
SCALARS = (*WAY, "until", "position_drift", "velocity_drift", "energy_error", "wall_s", "notes")
FORMAT = "reactio.run/1"


def save_run(run: Trajectory, path: str | Path) -> None:
    """Write a run; the suffix chooses the format."""
    path = Path(path)
    with held():  # Ctrl-C waits for the file
        write_bytes(path, _of(path, WRITERS)(run))


def load_run(path: str | Path) -> Trajectory:
    """Read a run back from .npz, .nc or .csv.

    >>> import reactio, tempfile
    >>> run = reactio.simulate(reactio.load("pendulum-twice"), until=0.1, output=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run.save(f"{folder}/run.npz")
    ...     reactio.load_run(f"{folder}/run.npz").t.tolist()
    [0.0, 0.1]
    """
    path = Path(path)
    reader = _of(path, READERS)
    try:
        arrays, about = reader(path)
        return _trajectory(arrays, about)
    except OSError as error:
        raise ReactioError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    except ReactioError as error:
        raise ReactioError(f"'{path}' holds a run whose model cannot be used: {error}") from None
    except MemoryError:
        raise
    except Exception as error:  # a damaged file fails in as many ways as its readers have
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


def _about(run: Trajectory) -> str:
    """Everything but the arrays, as JSON."""
    return json.dumps(
        {
            "format": FORMAT,
            "rows": len(run.t),
            "model": to_yaml(run.system.model),
            "status": run.status.name,
            "checkpoint": _plain(run.checkpoint),
            "segments": [_plain(one) for one in run.segments],
            "events": [_plain(one) for one in run.events],
            **{key: getattr(run, key) for key in SCALARS},
        }
    )


def _plain(item: Checkpoint | Occurrence) -> dict[str, Any]:
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in asdict(item).items()}


def _trajectory(arrays: dict[str, Floats], about: str) -> Trajectory:
    try:
        data = json.loads(about)
    except ValueError:
        raise ValueError("it does not say what was run") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    needed = ("rows", "model", "status", "checkpoint", "segments", "events", *SCALARS)
    if missing := [key for key in needed if key not in data]:
        raise ValueError(f"it lacks '{missing[0]}'")
    if len(arrays["t"]) != data["rows"]:
        raise ValueError(f"it has {len(arrays['t']):,} rows of the {data['rows']:,} that were written: it was cut off")
    system = build(parse_model(data["model"], "run"))
    scalars = {key: data[key] for key in SCALARS} | {"notes": tuple(data["notes"])}
    rows: dict[str, Any] = {key: np.asarray(arrays[key], dtype=float) for key in ARRAYS}
    _check_rows(system, rows)
    return Trajectory(
        system=system,
        status=Status[data["status"]],
        checkpoint=Checkpoint(**_restored(data["checkpoint"])),
        segments=tuple(Checkpoint(**_restored(one)) for one in data["segments"]),
        events=tuple(Occurrence(**_restored(one)) for one in data["events"]),
        **rows,
        **scalars,
    )


def _check_rows(system: System, rows: dict[str, Floats]) -> None:
    """Has every array as many rows as there are times, as many columns as the model asks for, and numbers in them?"""
    count = rows["t"].size
    for key, width in (("q", system.nq), ("v", system.n), ("vdot", system.n), ("lam", system.m)):
        if rows["t"].ndim != 1 or rows[key].shape != (count, width):
            raise ValueError(f"'{key}' is {rows[key].shape}, where {(count, width)} belong to its times and its model")
    for key in ("t", "q", "v"):
        if not np.isfinite(rows[key]).all():
            raise ValueError(f"'{key}' holds a value that is not a finite number")


def _restored(data: dict[str, Any]) -> dict[str, Any]:
    """The fields of a checkpoint or an event as they were: JSON knows lists only."""
    return {key: _vector(key, value) if isinstance(value, list) else value for key, value in data.items()}


def _vector(key: str, value: list[Any]) -> Any:
    return tuple(value) if key in ("weak", "signs") else np.array(value, dtype=float)


def _npz(run: Trajectory) -> bytes:
    out = io.BytesIO()
    about = np.frombuffer(_about(run).encode(), dtype=np.uint8)
    np.savez_compressed(out, about=about, **{key: getattr(run, key) for key in ARRAYS})
    return out.getvalue()


def _from_npz(path: Path) -> tuple[dict[str, Floats], str]:
    if not is_zipfile(path):
        raise ValueError("it is no .npz archive" if path.stat().st_size else "it is empty")
    with np.load(path, allow_pickle=False) as file:
        if missing := {*ARRAYS, "about"} - {*file}:
            raise ValueError(f"it holds no '{min(missing)}'")
        return {key: file[key] for key in ARRAYS}, file["about"].tobytes().decode()


def _nc(run: Trajectory) -> bytes:
    """NetCDF 3, which every reader knows."""
    from scipy.io import netcdf_file

    out = io.BytesIO()
    file = netcdf_file(out, "w")
    about = np.frombuffer(_about(run).encode(), dtype=np.int8)
    sizes = {"time": len(run.t), "q": run.q.shape[1], "v": run.v.shape[1], "lam": run.lam.shape[1], "text": len(about)}
    for name, size in sizes.items():
        file.createDimension(name, size)
    for key, second in (("t", None), ("q", "q"), ("v", "v"), ("vdot", "v"), ("lam", "lam")):
        shape = ("time",) if second is None else ("time", second)
        if second is None or sizes[second]:
            file.createVariable(key, "d", shape)[:] = getattr(run, key)
    file.createVariable("about", "b", ("text",))[:] = about
    file.flush()
    return out.getvalue()


def _from_nc(path: Path) -> tuple[dict[str, Floats], str]:
    from scipy.io import netcdf_file

    with netcdf_file(path, "r", mmap=False) as file:
        if missing := {"t", "about"} - {*file.variables}:
            raise ValueError(f"it holds no '{min(missing)}'")
        found = {key: np.array(file.variables[key][:], dtype=float) for key in ARRAYS if key in file.variables}
        about = np.array(file.variables["about"][:], dtype=np.int8).tobytes().decode()
    empty = np.zeros((len(found["t"]), 0))
    return {key: found.get(key, empty) for key in ARRAYS}, about


def _csv(run: Trajectory) -> bytes:
    """Readable columns, then the raw coordinates; what else is needed stands in the first comment line."""
    columns = _readable(run)
    raw = {f"{key}[{k}]": getattr(run, key)[:, k] for key in ARRAYS[1:] for k in range(getattr(run, key).shape[1])}
    table = np.column_stack([*columns.values(), *raw.values()])
    lines = [f"# {_about(run)}", ",".join(_quoted(name) for name in (*columns, *raw))]
    lines += [",".join("" if np.isnan(x) else repr(float(x)) for x in row) for row in table]
    return ("\n".join(lines) + "\n").encode()


def _readable(run: Trajectory) -> dict[str, Floats]:
    """The named columns; reactions at every row take long, and Ctrl-C leaves out all but what reads back."""
    with held() as ctrl_c:
        try:
            with ctrl_c.through():
                return run.columns()
        except KeyboardInterrupt:
            ctrl_c.asked = True  # said once the file is written
            return {"t": run.t}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if set(name) & set(',"\n') else name


def _from_csv(path: Path) -> tuple[dict[str, Floats], str]:
    import csv

    with path.open(newline="", encoding="utf-8") as file:
        about = file.readline().removeprefix("# ")
        text = file.read()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if not text.endswith("\n"):
        raise ValueError(f"it is cut off in line {text.count(chr(10)) + 2:,}")
    if not rows or "t" not in rows[0]:
        raise ValueError("it has no line of names with a column 't'")
    names = rows[0]
    values = np.array([[float(x) if x else np.nan for x in row] for row in rows[1:]]).reshape(-1, len(names))
    found = {"t": values[:, names.index("t")]}
    for key in ARRAYS[1:]:
        places = [k for k, name in enumerate(names) if name.startswith(f"{key}[") and name.endswith("]")]
        found[key] = values[:, places]
    return found, about


WRITERS: dict[str, Callable[[Trajectory], bytes]] = {".npz": _npz, ".nc": _nc, ".csv": _csv}
READERS: dict[str, Callable[[Path], tuple[dict[str, Floats], str]]] = {
    ".npz": _from_npz,
    ".nc": _from_nc,
    ".csv": _from_csv,
}
