"""The ledger of a sweep: what is asked and every row that is answered, in SQLite; what is written there stays.

A row is written once, in a transaction of its own or with its neighbours; a process that is killed loses the cases that
were being worked on and nothing else.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reactio.errors import ReactioError
from reactio.sweeps.task import CaseRow

SWEEP_FORMAT = "reactio.sweep/1"
FILE, LOCK = "ledger.sqlite", "lock.sqlite"
TABLES = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rows (
    number INTEGER PRIMARY KEY, reason TEXT NOT NULL, answers TEXT NOT NULL, seconds REAL NOT NULL
);
"""


class Ledger:
    """What is asked, and what is answered so far; in memory where no folder is given."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._db = sqlite3.connect(":memory:" if folder is None else folder / FILE, timeout=30.0)

    def begin(self, about: Mapping[str, Any]) -> None:
        """Note what is asked, or refuse where something else was."""
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        with self._db:
            self._db.executescript(TABLES)
            known = self.about() if self._asked() else None
            if known is None:
                entries = {"format": SWEEP_FORMAT, **about}
                self._db.executemany(
                    "INSERT INTO about VALUES (?, ?)", [(k, json.dumps(v)) for k, v in entries.items()]
                )
        if known is not None:
            self._refuse_other(known, about)

    def _asked(self) -> bool:
        return bool(self._db.execute("SELECT 1 FROM about LIMIT 1").fetchone())

    def about(self) -> dict[str, Any]:
        """What is asked."""
        found = {key: json.loads(value) for key, value in self._db.execute("SELECT key, value FROM about")}
        if found.get("format") != SWEEP_FORMAT:
            raise ReactioError(
                f"{self.folder} has the format {found.get('format')}; this version reads {SWEEP_FORMAT}."
            )
        return found

    def _refuse_other(self, known: Mapping[str, Any], about: Mapping[str, Any]) -> None:
        """A folder is about one question to one model."""
        words = {
            "model": "another model", "digest": "another version of this model, or other --set",
            "cases": "other cases", "wants": "other results", "question": "another time, rule or number of rows",
            "compiled": "other kernels (REACTIO_KERNELS)",
        }  # fmt: skip
        for key, what in words.items():
            if known.get(key) != json.loads(json.dumps(about.get(key))):
                was = f" ({known[key]}, now {about[key]})" if key in ("model", "wants") else ""
                raise ReactioError(
                    f"{self.folder} holds a sweep of {what}{was}. Give another folder, or remove this one."
                )

    def done(self) -> set[int]:
        """Numbers of cases that are answered."""
        return {number for (number,) in self._db.execute("SELECT number FROM rows")}

    def forget_failed(self) -> int:
        """Remove failed rows, so that they are tried again; how many there were."""
        with self._db:
            return self._db.execute("DELETE FROM rows WHERE reason <> ''").rowcount

    def write(self, rows: Iterable[CaseRow]) -> int:
        """Keep rows; how many were new.  A case that is answered already keeps its answer."""
        entries = [(row.number, row.reason, json.dumps(row.values), row.seconds) for row in rows]
        with self._db:
            before = self._db.total_changes
            self._db.executemany("INSERT OR IGNORE INTO rows VALUES (?, ?, ?, ?)", entries)
            return self._db.total_changes - before

    def counts(self) -> tuple[int, int]:
        """Rows, and those of them that failed."""
        rows, failed = self._db.execute("SELECT COUNT(*), COALESCE(SUM(reason <> ''), 0) FROM rows").fetchone()
        return int(rows), int(failed)

    def rows(self) -> Iterator[CaseRow]:
        """Every row in the order of the numbers."""
        for number, reason, answers, seconds in self._db.execute("SELECT * FROM rows ORDER BY number"):
            yield CaseRow(number, tuple(json.loads(answers)), reason, seconds)

    def close(self) -> None:
        """Nothing more is written."""
        self._db.close()


@contextmanager
def kept(folder: Path | None) -> Iterator[Ledger]:
    """The ledger of a folder, for one process at a time."""
    if folder is None:
        ledger = Ledger(None)
        try:
            yield ledger
        finally:
            ledger.close()
        return
    _ready(folder)
    lock = sqlite3.connect(folder / LOCK, timeout=0.5, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")  # the system gives it back when the process ends, however it does
        except sqlite3.OperationalError:
            raise ReactioError(f"Another sweep is at work in {folder}: wait for it, or give another folder.") from None
        except sqlite3.DatabaseError as error:
            raise ReactioError(f"{folder / LOCK} is no file of a sweep: {error}. Give another folder.") from None
        with _readable(folder):
            ledger = Ledger(folder)
            try:
                yield ledger
            finally:
                ledger.close()
    finally:
        lock.close()


def _ready(folder: Path) -> None:
    """A folder that is empty, new, or holds a sweep."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = not (folder / FILE).exists() and any(file.name != LOCK for file in folder.iterdir())
    except OSError as error:
        raise ReactioError(f"{folder} cannot be used as a folder of results: {error.strerror or error}.") from None
    if foreign:
        raise ReactioError(f"{folder} holds other files and no sweep; give a new or empty folder.")


@contextmanager
def reading(folder: Path) -> Iterator[Ledger]:
    """The ledger of a folder to look at, also while a sweep is at work."""
    if not (folder / FILE).is_file():
        raise ReactioError(f"{folder} holds no sweep: there is no {FILE} in it.")
    with _readable(folder):
        ledger = Ledger(folder)
        try:
            yield ledger
        finally:
            ledger.close()


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise ReactioError(f"{folder / FILE} cannot be used: {error}.") from None
