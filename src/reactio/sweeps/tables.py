"""The rows of a sweep as tables: CSV always, NetCDF by xarray and Parquet by pyarrow where they are installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.errors import ReactioError, how_to_install
from reactio.operating_system.files import check_writable, write_by, write_text
from reactio.optional_libraries import is_installed, optional_library
from reactio.sweeps.axes import Cases
from reactio.sweeps.results import OutputValue
from reactio.sweeps.task import CaseRow

if TYPE_CHECKING:
    import xarray

COLUMNS = ("case", "status", "reason")  # of every table, next to parameters and results
RESULT_TABLES = ("results.csv", "results.nc", "results.parquet")
MOST_CELLS = 20_000_000  # of a grid that is written as an array: 160 MB for each result


class CaseStatus(StrEnum):
    """How far a case is."""

    DONE = "done"
    FAILED = "failed"  # the reason is in its row
    PENDING = "pending"  # not answered yet


def status_of(row: CaseRow) -> CaseStatus:
    """The status of a row."""
    return CaseStatus.FAILED if row.reason else CaseStatus.DONE


def to_csv(cases: Cases, wants: Sequence[str], rows: Sequence[CaseRow]) -> str:
    """A line for each case that is answered: its number, parameters, results, status and reason."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["case", *cases.names, *wants, "status", "reason"])
    for row in rows:
        inputs = cases[row.number].values()
        writer.writerow([row.number, *map(_text, inputs), *map(_text, row.values), status_of(row), row.reason])
    return out.getvalue()


def _text(value: OutputValue) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def column(values: Sequence[OutputValue]) -> Any:
    """An array of one kind: words, yes and no, whole numbers, or numbers with NaN where there is none."""
    present = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in present):
        return np.array(["" if value is None else str(value) for value in values], dtype=str)
    if present and len(present) == len(values) and all(isinstance(value, bool) for value in present):
        return np.array(values, dtype=bool)
    if present and len(present) == len(values) and all(type(value) is int for value in present):
        return np.array(values, dtype=np.int64 if all(abs(int(value)) < 2**63 for value in present) else float)
    return np.array([np.nan if value is None else float(value) for value in values], dtype=float)


def to_xarray(cases: Cases, wants: Sequence[str], rows: Sequence[CaseRow], about: Mapping[str, str]) -> xarray.Dataset:
    """The results over the axes of a grid, or over the cases of a sample or table."""
    optional_library("xarray", "This needs xarray", "tables")
    import xarray

    if twice := _named_twice(cases, wants):
        raise ReactioError(f"Two columns of the results have the name '{twice}': rename the parameter or the result.")
    if cases.grid:
        places = {row.number: k for k, row in enumerate(rows)}
        order = [places.get(number) for number in range(cases.count)]
        dims, coordinates = cases.names, {axis.name: column(axis.values) for axis in cases.axes}
    else:
        order = list(range(len(rows)))
        dims = ("case",)
        inputs = {axis.name: ("case", column([axis.values[row.number] for row in rows])) for axis in cases.axes}
        coordinates = {"case": [row.number for row in rows], **inputs}
    shape = cases.shape if cases.grid else (len(rows),)

    def over(values: Callable[[CaseRow], OutputValue], absent: OutputValue = None) -> Any:
        cells = column([absent if k is None else values(rows[k]) for k in order])
        return dims, cells.reshape(shape)

    variables = {want: over(partial(_value, i)) for i, want in enumerate(wants)}
    variables |= {"status": over(status_of, CaseStatus.PENDING), "reason": over(_reason, "")}
    return xarray.Dataset(variables, coordinates, dict(about))


def _value(k: int, row: CaseRow) -> OutputValue:
    return row.values[k]


def _reason(row: CaseRow) -> OutputValue:
    return row.reason


def _named_twice(cases: Cases, wants: Sequence[str]) -> str | None:
    """A name that two columns of a table would have."""
    names = [*COLUMNS, *cases.names, *wants]
    return next((name for name in names if names.count(name) > 1), None)


def check_tables(folder: Path) -> None:
    """Refuse a folder whose tables may not be overwritten."""
    for name in RESULT_TABLES:
        check_writable(folder / name)


def write_all(
    folder: Path, cases: Cases, wants: Sequence[str], rows: Sequence[CaseRow], about: Mapping[str, str]
) -> tuple[list[Path], list[str]]:
    """Write all formats whose libraries are installed; returns the files, and notes on the others."""
    written, missing = [folder / RESULT_TABLES[0]], []
    write_text(written[0], to_csv(cases, wants, rows))
    if twice := _named_twice(cases, wants):
        return written, [f"{' and '.join(RESULT_TABLES[1:])} are left out: two columns have the name '{twice}'"]
    if not is_installed("xarray"):
        missing.append(f"results.nc needs xarray: {how_to_install('tables')}")
    elif cases.grid and cases.count > MOST_CELLS:
        missing.append(f"results.nc is left out: a grid of {cases.count:,} cases is too large for an array")
    else:
        _add(folder / "results.nc", lambda path: _netcdf(path, cases, wants, rows, about), written, missing)
    if not is_installed("pyarrow"):
        missing.append(f"results.parquet needs pyarrow: {how_to_install('parquet')}")
    else:
        _add(folder / "results.parquet", lambda path: _parquet(path, cases, wants, rows), written, missing)
    return written, missing


def _add(path: Path, write: Callable[[Path], None], written: list[Path], missing: list[str]) -> None:
    """Write one more format, or note why it cannot hold these values; results.csv holds every one of them."""
    try:
        write(path)
    except (ValueError, TypeError, OverflowError) as error:  # of xarray, scipy and pyarrow
        missing.append(f"{path.name} is left out: the format cannot hold these values ({error})")
        path.unlink(missing_ok=True)  # of rows before these
    else:
        written.append(path)


def _netcdf(path: Path, cases: Cases, wants: Sequence[str], rows: Sequence[CaseRow], about: Mapping[str, str]) -> None:
    content = to_xarray(cases, wants, rows, about)
    write_by(path, lambda file: content.to_netcdf(file, engine="scipy", format="NETCDF3_64BIT"))


def _parquet(path: Path, cases: Cases, wants: Sequence[str], rows: Sequence[CaseRow]) -> None:
    import pyarrow
    from pyarrow import parquet

    inputs = [cases[row.number] for row in rows]
    columns: dict[str, Any] = {"case": [row.number for row in rows]}
    columns |= {name: _of_one_kind([row[name] for row in inputs]) for name in cases.names}
    columns |= {want: _of_one_kind([row.values[k] for row in rows]) for k, want in enumerate(wants)}
    columns |= {"status": [status_of(row) for row in rows], "reason": [row.reason for row in rows]}
    write_by(path, lambda file: parquet.write_table(pyarrow.table(columns), file))


def _of_one_kind(values: Sequence[OutputValue]) -> list[OutputValue]:
    """Values of one kind, as a column of a table needs them."""
    if any(isinstance(value, str) for value in values):
        return [None if value is None else str(value) for value in values]
    if any(type(value) is float for value in values):
        return [None if value is None else float(value) for value in values]
    return list(values)
