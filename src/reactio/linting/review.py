"""The review of files: every selected rule on each of them, in processes of their own, remembered by content."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import reactio
from reactio.errors import ReactioError
from reactio.linting import LintFinding, rules_by_code
from reactio.linting.subject import Subject
from reactio.operating_system.files import is_unsaved, write_text
from reactio.operating_system.private_folder import private_folder

IGNORE_LINE = re.compile(r"reactio:\s*ignore(?:\[([^\]]*)\])?")
IGNORE_FILE = re.compile(r"reactio:\s*ignore-file(?:\[([^\]]*)\])?")
FILES_WITHOUT_POOL = 4  # which are reviewed faster here than processes start
log = logging.getLogger("reactio")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The findings in one file, and why it could not be read, where it could not."""

    file: str
    findings: tuple[LintFinding, ...] = ()
    error: str = ""


def review(files: Sequence[Path], workers: int | None = None) -> Iterator[Reviewed]:
    """The findings of all rules in each of the files, in their order; comments in the files silence some of them."""
    workers = workers or os.cpu_count() or 1
    if len(files) <= FILES_WITHOUT_POOL or workers == 1:
        yield from map(reviewed_file, files)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(reviewed_file, files, chunksize=4)


def reviewed_file(path: Path) -> Reviewed:
    """The findings in one file; those of an earlier review where nothing has changed since."""
    logging.getLogger("reactio").setLevel(logging.ERROR)
    remembered = _remembered(path)
    if remembered is not None:
        with suppress(OSError, ValueError, TypeError, KeyError):
            return _from_text(remembered.read_text(encoding="utf-8"))
    review = _reviewed(path)
    if remembered is not None and not review.error:
        with suppress(ReactioError):
            write_text(remembered, _as_text(review))
    return review


def _reviewed(path: Path) -> Reviewed:
    subject, name = Subject(path), str(path)
    findings: list[LintFinding] = []
    unreadable = ""
    for rule in rules_by_code().values():
        try:
            findings += (replace(finding, file=name) for finding in rule.find(subject))
        except ReactioError as error:  # rules that look at the text alone still have their say
            unreadable = str(error)
    return Reviewed(name, tuple(_not_silenced(subject.text, findings)), unreadable)


def _not_silenced(text: str, findings: list[LintFinding]) -> Iterator[LintFinding]:
    """The findings without those that a comment on their line, or the line above, or for the file, ignores."""
    lines = text.splitlines()
    everywhere = [codes for match in IGNORE_FILE.finditer(text) for codes in [_codes(match)]]
    for finding in findings:
        near = lines[max(0, finding.line - 2) : finding.line] if finding.line else []
        ignored = [_codes(match) for line in near if (match := IGNORE_LINE.search(line))]
        if not any(matches(finding.code, codes) for codes in (*everywhere, *ignored)):
            yield finding


def _codes(match: re.Match[str]) -> tuple[str, ...]:
    """The codes that a comment names; every code where it names none."""
    return tuple(code.strip() for code in match[1].split(",")) if match[1] else ("R",)


def matches(code: str, prefixes: Collection[str]) -> bool:
    """Does a code begin with one of the prefixes?  ``R1`` stands for all of R1xx.

    >>> matches("R101", ("R1",)), matches("R203", ("R1", "R202"))
    (True, False)
    """
    return any(code.startswith(prefix) for prefix in prefixes)


def _remembered(path: Path) -> Path | None:
    """The file of an earlier review of the same content, with the same files next to it; None without a place."""
    folder = None if is_unsaved(path) else private_folder("lint")
    try:
        content = path.read_bytes()
        around = sorted(
            (neighbour.name, neighbour.stat().st_size, neighbour.stat().st_mtime_ns)
            for neighbour in path.parent.iterdir()
        )
    except OSError:
        return None
    if folder is None or b"<include" in content:  # an included file may lie anywhere, and change
        return None
    key = hashlib.sha256(repr((reactio.__version__, _rules_digest(), str(path), around)).encode() + content)
    return folder / f"{key.hexdigest()}.json"


def _rules_digest() -> str:
    """A digest of the rules, so that a changed one is asked again."""
    folder = Path(__file__).parent
    texts = (file.read_bytes() for file in sorted(folder.rglob("*.py")))
    return hashlib.sha256(b"".join(texts)).hexdigest()


def _as_text(review: Reviewed) -> str:
    return json.dumps([review.file, [finding.as_data() for finding in review.findings]])


def _from_text(text: str) -> Reviewed:
    data: list[Any] = json.loads(text)
    return Reviewed(str(data[0]), tuple(LintFinding(**finding) for finding in data[1]))
