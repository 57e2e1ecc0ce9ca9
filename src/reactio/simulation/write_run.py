"""Runs written to disk: NumPy, NetCDF and CSV files that hold the model too, so that they read back whole.

Every file carries a checksum of its contents, against which it is checked when it is read.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import in_units, unit_name
from reactio.errors import ReactioError
from reactio.events.event_functions import Occurrence
from reactio.integrate.checkpoint import Checkpoint
from reactio.integrate.rows import rows_of
from reactio.integrate.state import ROW_FIELDS
from reactio.model.files.write import to_yaml
from reactio.operating_system.files import check_writable, write_bytes
from reactio.simulation.state_history import StateHistory
from reactio.system.types import outside_formulas

COORDINATES = ("q", "v", "vdot", "lam")  # arrays with a column for each coordinate, velocity or equation
OPTION_KEYS = ("rule", "depends_on_rule", "method", "stabilise", "alpha", "formulation", "tol")
SCALARS = (*OPTION_KEYS, "until", "position_drift", "velocity_drift", "energy_error", "wall_s", "notes")
RUN_FORMAT = "reactio.run/7"  # 7: the formulation of the equations of motion
# Columns of a table: the first, and the first of those that are read back.
TIME_COLUMN, WORK_COLUMN = "t [s]", "work [J]"
CSV_HEADING = "Run of Reactio: bodies in world axes, reactions in {axes} axes; what is read back is last, in SI."


def save_run(run: StateHistory, path: str | Path) -> None:
    """Write a run, whole or not at all; the suffix chooses the format."""
    path = Path(path)
    write_bytes(path, format_of(path, WRITERS)(run))


def check_out(path: Path) -> None:
    """Refuse a file that cannot hold a run, before the run is made."""
    format_of(path, WRITERS)
    check_writable(path)


def format_of(path: Path, table: dict[str, Any]) -> Any:
    """The writer or reader for the suffix of a file."""
    if path.suffix.lower() not in table:
        raise ReactioError(f"'{path}': a run is kept as {' or '.join(table)}.")
    return table[path.suffix.lower()]


def _about(run: StateHistory, parts: Iterable[bytes]) -> str:
    """Everything but the arrays, as JSON, with the checksum of all."""
    data = {
        "format": RUN_FORMAT,
        "rows": len(run.t),
        "model": to_yaml(run.system.model),
        "units": asdict(run.system.model.units),  # of its file, in which answers are written
        "outside": outside_formulas(run.system),
        "status": run.status.name,
        "checkpoint": _plain(run.checkpoint),
        "segments": [_plain(record) for record in run.segments],
        "events": [_plain(record) for record in run.events],
        **{key: getattr(run, key) for key in SCALARS},
    }
    return json.dumps({"sha256": checksum(data, parts), **data})


def checksum(data: Mapping[str, Any], parts: Iterable[bytes]) -> str:
    """SHA-256 of the JSON data of a run and of its numbers."""
    digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode())
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def numbers_of(arrays: Mapping[str, Floats]) -> Iterable[bytes]:
    """The arrays as bytes in little-endian order, the same on every machine."""
    return (np.ascontiguousarray(arrays[key], dtype="<f8").tobytes() for key in ROW_FIELDS)


def _plain(item: Checkpoint | Occurrence) -> dict[str, Any]:
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in asdict(item).items()}


def _npz(run: StateHistory) -> bytes:
    """A NumPy archive of the arrays, and everything else as JSON."""
    out = io.BytesIO()
    arrays: dict[str, Any] = {**rows_of(run)}
    about = np.frombuffer(_about(run, numbers_of(arrays)).encode(), dtype=np.uint8)
    np.savez_compressed(out, about=about, **arrays)
    return out.getvalue()


def _nc(run: StateHistory) -> bytes:
    """NetCDF 3, which all readers of NetCDF support."""
    from scipy.io import netcdf_file

    out = io.BytesIO()
    file = netcdf_file(out, "w")
    about = np.frombuffer(_about(run, numbers_of(rows_of(run))).encode(), dtype=np.int8)
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


def _csv(run: StateHistory) -> bytes:
    """A comment, columns for readers with their units, the raw coordinates; everything else as JSON in the last line.

    Bodies are in world axes, reactions in those of the system; an empty field is a component that is not unique.
    """
    columns = {f"{name} [{unit_name(unit)}]": in_units(column, unit) for name, unit, column in run.named_columns()}
    raw = {WORK_COLUMN: run.work}
    raw |= {f"{key}[{k}]": getattr(run, key)[:, k] for key in COORDINATES for k in range(getattr(run, key).shape[1])}
    table = np.column_stack([*columns.values(), *raw.values()])
    lines = [",".join(_quoted(name) for name in (*columns, *raw))]
    lines += [",".join("" if np.isnan(x) else repr(float(x)) for x in row) for row in table]
    text = ("\n".join(lines) + "\n").encode()
    return f"# {CSV_HEADING.format(axes=run.system.axes)}\n".encode() + text + f"# {_about(run, [text])}\n".encode()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if set(name) & set(',"\n') else name


WRITERS: dict[str, Callable[[StateHistory], bytes]] = {".npz": _npz, ".nc": _nc, ".csv": _csv}
