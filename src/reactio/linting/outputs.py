"""Findings as text: for people, as JSON, as SARIF 2.1.0, and as annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import reactio
from reactio.linting import LintFinding, rules_by_code
from reactio.linting.review import Reviewed

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(findings: Sequence[LintFinding], unreadable: Sequence[Reviewed]) -> str:
    """One line for each finding, as compilers print them, and a count."""
    lines = [f"{finding.file}:{finding.line or 1}: {finding.code} {finding.message}" for finding in findings]
    lines += [f"{review.file}: cannot be read: {review.error}" for review in unreadable]
    if findings:
        files = len({finding.file for finding in findings})
        count = "1 finding" if len(findings) == 1 else f"{len(findings):,} findings"
        lines.append(f"{count} in {files:,} {'file' if files == 1 else 'files'}.")
    return "\n".join([*lines, "" if lines else "No findings.\n"]) if lines else "No findings.\n"


def as_json(findings: Sequence[LintFinding], unreadable: Sequence[Reviewed]) -> str:
    """One object: the findings, and files that cannot be read."""
    data = {
        "schema": "reactio.lint/1",
        "findings": [finding.as_data() for finding in findings],
        "unreadable": [{"file": review.file, "message": review.error} for review in unreadable],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def as_sarif(findings: Sequence[LintFinding], unreadable: Sequence[Reviewed]) -> str:
    """SARIF 2.1.0, which code hosts and editors show next to the lines."""
    rules = [
        {"id": rule.code, "name": rule.name, "shortDescription": {"text": rule.name.replace("-", " ")},
         "fullDescription": {"text": rule.doc}}
        for rule in rules_by_code().values()
    ]  # fmt: skip
    results = [_result(finding) for finding in findings]
    failed = [
        {"level": "error", "message": {"text": review.error},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(review.file)}}}]}
        for review in unreadable
    ]  # fmt: skip
    run = {
        "tool": {"driver": {"name": "reactio", "version": reactio.__version__, "rules": rules}},
        "results": results,
        "invocations": [{"executionSuccessful": not failed, "toolExecutionNotifications": failed}],
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _result(finding: LintFinding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.file)}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.code,
        "level": "warning",
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }


def _uri(file: str) -> str:
    """A path as a relative or absolute URI."""
    path = Path(file)
    if path.is_absolute():
        return path.as_uri()
    from urllib.parse import quote

    return quote(path.as_posix())


def as_github(findings: Sequence[LintFinding], unreadable: Sequence[Reviewed]) -> str:
    """Workflow commands of GitHub, which annotate the lines of a pull request."""
    lines = [
        f"::warning file={_property(f.file)},line={f.line or 1},title={f.code}::{_message(f.message)}" for f in findings
    ]
    lines += [f"::error file={_property(review.file)}::{_message(review.error)}" for review in unreadable]
    return "".join(f"{line}\n" for line in lines)


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


OUTPUTS: dict[str, Callable[[Sequence[LintFinding], Sequence[Reviewed]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}
