"""A sweep: results of a model at many values of its parameters, every case computed once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactio.catalogue.units import Units
from reactio.errors import ReactioError, did_you_mean
from reactio.model.model import Model
from reactio.results.as_data import Result, plain
from reactio.results.table import ResultTable, Tabular
from reactio.sharing import rule_of
from reactio.sweeps.axes import Cases, Over, grid, parse_over, read_table, sample, table
from reactio.sweeps.batches import Batches
from reactio.sweeps.case import RUN_INSTANTS, TIME_AXIS, Case, Question
from reactio.sweeps.database import SWEEP_FORMAT, SweepDatabase, locked, read_only
from reactio.sweeps.outputs import Asked, SweepOutput, parse_outputs, resolved
from reactio.sweeps.processes import cores, in_processes, in_this_process
from reactio.sweeps.sources import Source, source_of
from reactio.sweeps.tables import check_tables, column, status_of, to_csv, to_xarray, write_all
from reactio.sweeps.task import CaseRow, SweepTask

if TYPE_CHECKING:
    import xarray

MOST_CASES = 1_000_000  # above which the user has to confirm (--yes): hours of work
PROBES = 8  # intervals of the cases at whose ends models are built, to find out which results there are
EVALUATIONS_PER_CASE_INSTANT = 10  # of the equations for an instant of a motion: stages of steps, projection, reactions
PROGRESS_INTERVAL = 0.2  # [s] between two calls of ``on_progress``


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep is."""

    done: int  # cases that are answered, those of earlier calls included
    failed: int
    total: int
    seconds: float  # since the start of this call
    left: float | None  # estimate [s]; None before the first answer


@dataclass(frozen=True, eq=False)
class Sweep(Result, Tabular):
    """A sweep: its question and its answered cases."""

    SCHEMA = "reactio.sweep/1"
    KEYS = "model=name cases=cases.count complete question grid=cases.grid wants folder written notes"

    name: str
    cases: Cases
    wants: tuple[str, ...]
    rows: tuple[CaseRow, ...]
    question: Mapping[str, Any]
    folder: Path | None = None
    written: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    units: Units = field(default_factory=Units)  # of the file, in which the command shows results

    def __repr__(self) -> str:
        return f"<Sweep of {self.name}: {len(self.rows):,} of {self.cases.count:,} cases, {len(self.failed):,} failed>"

    @property
    def complete(self) -> bool:
        """Is every case answered?"""
        return len(self.rows) == self.cases.count

    @property
    def failed(self) -> tuple[CaseRow, ...]:
        """Rows with a reason."""
        return tuple(row for row in self.rows if row.reason)

    def __getitem__(self, name: str) -> Any:
        """A result, or a parameter, of every row as an array."""
        if name in self.wants:
            k = self.wants.index(name)
            return column([row.values[k] for row in self.rows])
        if name in self.cases.names:
            return column([self.cases[row.number][name] for row in self.rows])
        raise ReactioError(f"There is no result '{name}'.{did_you_mean(name, (*self.wants, *self.cases.names))}")

    def to_csv(self) -> str:
        """The rows as CSV."""
        return to_csv(self.cases, self.wants, self.rows)

    def to_xarray(self) -> xarray.Dataset:
        """Results over the axes of the grid, or over the cases."""
        return to_xarray(self.cases, self.wants, self.rows, {"model": self.name, "format": "reactio.sweep/1"})

    def as_data(self) -> dict[str, Any]:
        """The sweep as data, for JSON."""
        rows = [
            {
                "case": row.number,
                "parameters": self.cases[row.number],
                "results": plain(dict(zip(self.wants, row.values, strict=True))),
                "status": status_of(row),
                "reason": row.reason,
            }
            for row in self.rows
        ]
        axes = {axis.name: len(axis.values) for axis in self.cases.axes}
        return super().as_data() | {"done": len(self.rows), "failed": len(self.failed), "axes": axes, "rows": rows}

    def table(self) -> ResultTable:
        """A row for every case that is answered: parameters, results, status and reason."""
        columns: dict[str, Any] = {"case": [row.number for row in self.rows]}
        columns |= {name: self[name].tolist() for name in (*self.cases.names, *self.wants)}
        columns |= {"status": [status_of(row) for row in self.rows], "reason": [row.reason for row in self.rows]}
        numbers = tuple(name for name in self.wants if self[name].dtype.kind in "fi")
        return ResultTable(f"{self!r}"[1:-1], columns, ("case",), numbers, note=" ".join(self.notes))


def sweep(
    model: Model | str | Path | Callable[..., Model],
    over: Over = (),
    want: Asked | Iterable[Asked] = "redundancy",
    *,
    client: Any = None,
    folder: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    cases: str | Path | Mapping[str, Any] | int | None = None,
    sampling: str | None = None,
    seed: int = 0,
    at: float | None = None,
    until: float | None = None,
    rule: str | None = None,
    rows: int = RUN_INSTANTS,
    processes: int | None = None,
    yes: bool = False,
    again: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
) -> Sweep:
    """Results of a model at many parameters, each computed once, on processes of this machine or on a Dask cluster.

    ``model``: a file, a name of the library, a model loaded from one of them, or a function of the parameters that
    returns a model.  ``over``: parameters with their values, {"span": [0.2, 0.4], "load": [1, 10]}, or texts as on the
    command line, "span=0.2:0.6:41"; the name ``t`` is the time of the verdict.  ``sampling`` takes ``cases`` points
    between two ends of each, as "sobol", "latin" or "random"; else ``cases`` is a table, columns or a CSV file.
    ``want``: names of results, separated by commas, and functions of the model.  ``client`` of a Dask cluster, else
    ``processes`` of this machine (0: this one).  With a ``folder`` every row is kept there at once, and a second call
    continues. Ctrl-C loses only the cases in progress.

    >>> found = sweep("door", {"hinges": [1, 2, 3]}, "redundancy, hinge1.verdict", processes=0)
    >>> found["redundancy"].tolist(), found["hinge1.verdict"].tolist()[0]
    ([0, 5, 10], 'unique')
    """
    source = source_of(model, settings)
    every = _cases(over, cases, sampling, seed)
    _refuse_many(every.count, yes)
    task = _task(source, every, parse_outputs(want), _question(at, until, rule, rows))
    place = None if folder is None else Path(folder)
    with locked(place) as database:
        database.begin(_about(task, every))
        if place is not None:
            check_tables(place)
        if again:
            database.forget_failed()
        try:
            _compute(task, every, database, client, processes, on_progress)
        finally:  # also after Ctrl-C, or where a cluster is lost
            result = _collected(database, place, write=place is not None)
        return result


def load_sweep(folder: str | Path) -> Sweep:
    """The rows that a folder holds, also while a sweep is at work there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = sweep("door", {"hinges": [1, 2]}, "redundancy", processes=0, folder=folder)
    ...     load_sweep(folder)
    <Sweep of door: 2 of 2 cases, 0 failed>
    """
    if not isinstance(folder, str | Path):
        raise ReactioError(f"The folder of a sweep is needed, not {type(folder).__name__}.")
    with read_only(Path(folder)) as database:
        return _collected(database, Path(folder), write=False)


def _cases(over: Over, cases: Any, sampling: str | None, seed: int) -> Cases:
    """A grid, a sample or a table."""
    axes = parse_over(over, sampling is not None)
    if sampling is not None:
        if isinstance(cases, bool) or not isinstance(cases, int):
            raise ReactioError("A sample needs the number of cases (--cases 256).")
        return sample(axes, sampling, cases, seed)
    if isinstance(cases, int):
        raise ReactioError("A number of cases is one of a sample: name its kind (--sample sobol, latin or random).")
    if cases is None:
        return grid(axes)
    if axes:
        raise ReactioError("Cases come from a table or from axes, not from both.")
    return table(cases) if isinstance(cases, Mapping) else read_table(cases)


def _refuse_many(count: int, yes: bool) -> None:
    if count > MOST_CASES and not yes:
        hours = count * 0.005 / 3600
        raise ReactioError(
            f"These are {count:,} cases: at 5 ms each some {hours:,.0f} hours on one core. Confirm with --yes "
            f"(yes=True), or take a sample (--sample sobol --cases 4096)."
        )


def _question(at: float | None, until: float | None, rule: str | None, rows: int) -> Question:
    if rule is not None:
        rule_of(rule)
    if until is not None and not until > 0:
        raise ReactioError(f"until {until:g} s: a motion ends after its start.")
    if rows < 3:
        raise ReactioError(f"{rows} rows: a motion needs at least 3.")
    return Question(at, until, rule, rows)


def _task(source: Source, cases: Cases, outputs: tuple[SweepOutput, ...], question: Question) -> SweepTask:
    """The task, with its parameters and outputs known to exist."""
    known = source.known()
    timed = TIME_AXIS in cases.names and (known is None or TIME_AXIS not in known)
    for name in cases.names:
        if known is not None and name not in known and not (timed and name == TIME_AXIS):
            raise ReactioError(f"'{source.name}' has no parameter '{name}'.{did_you_mean(name, {*known, TIME_AXIS})}")
    if timed and question.at is not None:
        raise ReactioError(f"The time is an axis already ({TIME_AXIS}); leave out --at.")
    outputs, case = resolved(outputs, _probes(SweepTask(source, outputs, question, timed, 0.0), cases))
    each = question.rows * EVALUATIONS_PER_CASE_INSTANT if question.until is not None else 1
    return SweepTask(source, outputs, question, timed, float(case.system.m * cases.count * each))


def _probes(task: SweepTask, cases: Cases) -> Iterator[Case]:
    """Cases spread over all of them whose models can be built; an error with the first reason where none can."""
    numbers = sorted({round(k * (cases.count - 1) / PROBES) for k in range(PROBES + 1)})
    any_built, reason = False, ReactioError("there is none")
    for number in numbers:
        try:
            case = task.case(cases[number] | ({TIME_AXIS: 0.0} if task.timed else {}))
            case.judged  # noqa: B018  # the names of components follow from a pose
        except ReactioError as error:
            reason = reason if number else error
            continue
        any_built = True
        yield case
    if not any_built:
        raise ReactioError(f"None of the cases that were tried can be built. The first of them: {reason}")


def _about(task: SweepTask, cases: Cases) -> dict[str, Any]:
    from reactio import __version__

    return {
        "version": __version__,
        "model": task.source.name,
        "digest": task.source.digest,
        "cases": cases.as_data(),
        "wants": [output.name for output in task.outputs],
        "question": asdict(task.question),
        "units": asdict(task.source.units),
    }


def _compute(
    task: SweepTask,
    cases: Cases,
    database: SweepDatabase,
    client: Any,
    processes: int | None,
    on_progress: Callable[[Progress], object] | None,
) -> None:
    """Compute every case that is not answered yet."""
    done = database.done()
    if len(done) == cases.count:
        return
    if client is not None:
        from reactio.sweeps.cluster import on_cluster, threads

        batches = Batches(cases, done, threads(client), len(task.outputs))
        answers = on_cluster(client, task, batches)
    else:
        count = min(cores() if processes is None else processes, cases.count - len(done))
        batches = Batches(cases, done, max(count, 1), len(task.outputs))
        answers = in_processes(task, batches, count) if count else in_this_process(task, batches)
    with closing(answers) as rows:
        _write_rows(rows, cases.count, database, on_progress)


def _write_rows(
    answers: Iterable[list[CaseRow]],
    total: int,
    database: SweepDatabase,
    on_progress: Callable[[Progress], object] | None,
) -> None:
    """Write rows as they are computed, and report the progress."""
    begun = reported = time.monotonic()
    (before, failed), new = database.counts(), 0
    for rows in answers:
        if rows:
            new += database.write(rows)
            failed += sum(bool(row.reason) for row in rows)
        now = time.monotonic()
        if on_progress is not None and (now - reported > PROGRESS_INTERVAL or before + new == total):
            remaining = (total - before - new) * (now - begun) / new if new else None
            on_progress(Progress(before + new, failed, total, now - begun, remaining))
            reported = now


def _collected(database: SweepDatabase, folder: Path | None, write: bool) -> Sweep:
    """The sweep of a database; ``write``: its tables are written into the folder."""
    model, version, cases, wants, question, units = known = database.question()
    rows = tuple(database.rows(known))
    about_tables = {"model": model, "format": SWEEP_FORMAT, "version": version}
    written: Sequence[Path] = ()
    missing: Sequence[str] = ()
    if write and folder is not None:
        written, missing = write_all(folder, cases, wants, rows, about_tables)
    return Sweep(model, cases, wants, rows, question, folder, tuple(written), tuple(missing), units)
