"""The formats of a report, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from reactio.errors import ReactioError, did_you_mean
from reactio.operating_system.files import write_bytes
from reactio.reporting.as_json import to_json
from reactio.reporting.data import ReportData
from reactio.reporting.html import to_html
from reactio.reporting.markdown import to_markdown
from reactio.reporting.pdf import to_pdf

REPORT_FORMATS: Mapping[str, Callable[[ReportData], bytes]] = {
    "html": lambda report: to_html(report).encode(),
    "md": lambda report: to_markdown(report).encode(),
    "pdf": to_pdf,
    "json": lambda report: to_json(report).encode(),
}
OTHER_SUFFIXES = {"htm": "html"}


def save_report(report: ReportData, path: str | Path, format: str = "") -> None:
    """Write a report, whole or not at all; the suffix chooses the format when it is not named."""
    write_bytes(path, REPORT_FORMATS[format_of(path, format)](report))


def format_of(path: str | Path, format: str = "") -> str:
    """The name of a format from an option or a suffix.

    >>> format_of("report.HTM")
    'html'
    """
    if not isinstance(path, str | Path):
        raise ReactioError(f"A report is saved under the name of a file, not {type(path).__name__}.")
    suffix = Path(path).suffix.lower().removeprefix(".")
    wanted = format or OTHER_SUFFIXES.get(suffix, suffix)
    if wanted not in REPORT_FORMATS:
        raise ReactioError(
            f"A report is written as {', '.join(REPORT_FORMATS)}, not '{wanted}'.{did_you_mean(wanted, REPORT_FORMATS)}"
        )
    return wanted
