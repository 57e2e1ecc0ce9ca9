"""The database of a sweep (SQLite): the question, and the row of every case that is answered.

A row is written once, in a transaction; a process that is killed loses only the cases that were being computed.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from reactio.catalogue.units import Units, units_named
from reactio.errors import ReactioError
from reactio.sweeps.axes import Cases, cases_of
from reactio.sweeps.task import CaseRow

SWEEP_FORMAT = "reactio.sweep/1"
FILE, LOCK = "sweep.sqlite", "lock.sqlite"
ANSWER_TYPES = (str, bool, int, float, type(None))
CREATE_TABLES = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rows (
    number INTEGER PRIMARY KEY, reason TEXT NOT NULL, answers TEXT NOT NULL, seconds REAL NOT NULL
);
"""


class RowCounts(NamedTuple):
    """The number of rows, and of those among them that failed."""

    rows: int
    failed: int


class SweepQuestion(NamedTuple):
    """The question of a sweep: the model, the version that computed it, the cases and the results."""

    model: str
    version: str
    cases: Cases
    wants: tuple[str, ...]
    question: dict[str, Any]
    units: Units  # of the file, in which results are shown


class SweepDatabase:
    """The question and the answers so far; in memory where no folder is given."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._db = sqlite3.connect(":memory:" if folder is None else folder / FILE, timeout=30.0)

    def begin(self, about: Mapping[str, Any]) -> None:
        """Write the question, or refuse a folder that holds another one."""
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        with self._db:
            self._db.executescript(CREATE_TABLES)
            known = self.about() if self._has_question() else None
            if known is None and self.counts().rows:
                raise ReactioError(
                    f"{self.folder}/{FILE} is damaged: it has rows and no question. Give another folder."
                )
            if known is None:
                entries = {"format": SWEEP_FORMAT, **about}
                self._db.executemany(
                    "INSERT INTO about VALUES (?, ?)", [(k, json.dumps(v)) for k, v in entries.items()]
                )
        if known is not None:
            self._refuse_other(known, about)

    def _has_question(self) -> bool:
        return bool(self._db.execute("SELECT 1 FROM about LIMIT 1").fetchone())

    def about(self) -> dict[str, Any]:
        """The question: model, cases, wants and options."""
        with self._damage():
            entries = self._db.execute("SELECT key, value FROM about")
            question = {
                key: json.loads(value, parse_constant=_not_finite, parse_int=_whole_number) for key, value in entries
            }
        if question.get("format") != SWEEP_FORMAT:
            raise ReactioError(
                f"{self.folder} has the format {question.get('format')}; this version reads {SWEEP_FORMAT}."
            )
        return question

    def question(self) -> SweepQuestion:
        """The question in the types of this program."""
        about = self.about()
        with self._damage():
            cases, wants, model, version = about["cases"], about["wants"], about["model"], about["version"]
            question = dict(about["question"])
            if not all(isinstance(text, str) for text in (*wants, model, version)):
                raise TypeError("names are texts")
            units = units_named(about.get("units", {}))
            return SweepQuestion(model, version, cases_of(cases), tuple(wants), question, units)

    @contextmanager
    def _damage(self) -> Iterator[None]:
        """Content that no sweep has written, as an error that names the file."""
        try:
            yield
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            file = self.folder / FILE if self.folder else FILE
            raise ReactioError(f"{file} is damaged: {type(error).__name__}: {error}. Compute the sweep anew.") from None

    def _refuse_other(self, known: Mapping[str, Any], about: Mapping[str, Any]) -> None:
        """Refuse a question other than that of the folder, with the difference."""
        words = {
            "model": "another model", "digest": "another version of this model, or other --set",
            "cases": "other cases", "wants": "other results", "question": "another time, rule or number of rows",
        }  # fmt: skip
        for key, what in words.items():
            if known.get(key) != json.loads(json.dumps(about.get(key))):
                was = f" ({known.get(key)}, now {about[key]})" if key in ("model", "wants") else ""
                raise ReactioError(
                    f"{self.folder} holds a sweep of {what}{was}. Give another folder, or remove this one."
                )

    def done(self) -> set[int]:
        """The numbers of the cases that are answered."""
        return {number for (number,) in self._db.execute("SELECT number FROM rows")}

    def forget_failed(self) -> int:
        """Remove failed rows, so that they are computed again; their number is returned."""
        with self._db:
            return self._db.execute("DELETE FROM rows WHERE reason <> ''").rowcount

    def write(self, rows: Iterable[CaseRow]) -> int:
        """Write rows, and return how many were new; a case that is answered already keeps its row."""
        entries = [(row.number, row.reason, json.dumps(row.values), row.seconds) for row in rows]
        with self._db:
            before = self._db.total_changes
            self._db.executemany("INSERT OR IGNORE INTO rows VALUES (?, ?, ?, ?)", entries)
            return self._db.total_changes - before

    def counts(self) -> RowCounts:
        """The numbers of rows."""
        rows, failed = self._db.execute("SELECT COUNT(*), COALESCE(SUM(reason <> ''), 0) FROM rows").fetchone()
        return RowCounts(int(rows), int(failed))

    def rows(self, question: SweepQuestion) -> Iterator[CaseRow]:
        """Every row in the order of the numbers."""
        for row in self._db.execute("SELECT number, reason, answers, seconds FROM rows ORDER BY number"):
            with self._damage():
                yield _row(question, *row)

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _not_finite(word: str) -> None:
    raise ValueError(f"{word} is not a finite number")


def _whole_number(digits: str) -> int:
    """An integer; one that no double holds is none that a sweep has written."""
    if abs(number := int(digits)) > sys.float_info.max:
        raise ValueError(f"{digits[:20]}… is larger than every double")
    return number


def _row(question: SweepQuestion, number: int, reason: str, answers: str, seconds: float) -> CaseRow:
    """A row of the database; one that does not answer a case of the question is an error."""
    values = json.loads(answers, parse_int=_whole_number)
    if not (isinstance(values, list) and len(values) == len(question.wants)):
        raise ValueError(f"case {number} does not have {len(question.wants)} results")
    if not all(isinstance(value, ANSWER_TYPES) for value in values):
        raise TypeError(f"a result of case {number} is neither a number nor a word")
    if not (0 <= number < question.cases.count and isinstance(reason, str) and isinstance(seconds, float)):
        raise ValueError(f"the row of case {number} is not one of this sweep")
    return CaseRow(number, tuple(values), reason, seconds)


@contextmanager
def locked(folder: Path | None) -> Iterator[SweepDatabase]:
    """The database of a folder, locked against other processes."""
    if folder is None:
        database = SweepDatabase(None)
        try:
            yield database
        finally:
            database.close()
        return
    _prepare(folder)
    lock = sqlite3.connect(folder / LOCK, timeout=0.5, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")  # the operating system releases it when the process ends in any way
        except sqlite3.OperationalError:
            raise ReactioError(f"Another sweep is running in {folder}: wait for it, or give another folder.") from None
        except sqlite3.DatabaseError as error:
            raise ReactioError(f"{folder / LOCK} is not a file of a sweep: {error}. Give another folder.") from None
        with _database_errors(folder):
            database = SweepDatabase(folder)
            try:
                yield database
            finally:
                database.close()
    finally:
        lock.close()


def _prepare(folder: Path) -> None:
    """Make the folder; refuse one that holds other files and no sweep."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = not (folder / FILE).exists() and any(file.name != LOCK for file in folder.iterdir())
    except OSError as error:
        raise ReactioError(f"{folder} cannot be used as a folder of results: {error.strerror or error}.") from None
    if foreign:
        raise ReactioError(f"{folder} holds other files and no sweep; give a new or empty folder.")


@contextmanager
def read_only(folder: Path) -> Iterator[SweepDatabase]:
    """The database of a folder for reading, also while a sweep writes to it."""
    if not (folder / FILE).is_file():
        raise ReactioError(f"{folder} holds no sweep: there is no {FILE} in it.")
    with _database_errors(folder):
        database = SweepDatabase(folder)
        try:
            yield database
        finally:
            database.close()


@contextmanager
def _database_errors(folder: Path) -> Iterator[None]:
    """Errors of SQLite, and names and texts in its file that are not UTF-8, as errors that name the file."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise ReactioError(f"{folder / FILE} cannot be used: {error}.") from None
