"""Lint settings: selected or ignored codes, and a baseline of known findings."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reactio.errors import ReactioError, did_you_mean
from reactio.linting import LintFinding, rules_by_code
from reactio.linting.review import matches
from reactio.operating_system.files import read_text, write_text

SECTION = "tool.reactio.lint"
KEYS = ("select", "ignore", "baseline")


@dataclass(frozen=True, slots=True)
class LintSettings:
    """Prefixes of codes, and the file of known findings."""

    select: tuple[str, ...] = ("R",)
    ignore: tuple[str, ...] = ()
    baseline: Path | None = None

    def wanted(self, finding: LintFinding) -> bool:
        """Is a finding of this code asked for?"""
        return matches(finding.code, self.select) and not matches(finding.code, self.ignore)


def settings_from(select: Sequence[str], ignore: Sequence[str], baseline: Path | None, folder: Path) -> LintSettings:
    """The settings of the command line, else those of the nearest pyproject.toml at or above a folder."""
    given = _section(folder)
    select = tuple(select) or tuple(given.get("select", ("R",)))
    ignore = tuple(ignore) or tuple(given.get("ignore", ()))
    for prefix in (*select, *ignore):
        if not any(code.startswith(prefix) for code in rules_by_code()):
            raise ReactioError(f"No lint rule begins with '{prefix}'.{did_you_mean(prefix, rules_by_code())}")
    kept = baseline or (Path(given["baseline"]) if "baseline" in given else None)
    return LintSettings(select, ignore, kept)


def _section(folder: Path) -> dict[str, Any]:
    """The section of pyproject.toml; empty where there is none."""
    for parent in (folder.resolve(), *folder.resolve().parents):
        file = parent / "pyproject.toml"
        if file.is_file():
            try:
                data: dict[str, Any] = tomllib.loads(read_text(file))
            except tomllib.TOMLDecodeError as error:
                raise ReactioError(f"{file} is not valid TOML: {error}.") from None
            section: dict[str, Any] = data.get("tool", {}).get("reactio", {}).get("lint", {})
            for key, value in section.items():
                if key not in KEYS:
                    raise ReactioError(f"{file}: [{SECTION}] has no setting '{key}'.{did_you_mean(key, KEYS)}")
                if (key == "baseline") == isinstance(value, list):
                    raise ReactioError(f"{file}: [{SECTION}] {key} must be {_form(key)}.")
            return section
    return {}


def _form(key: str) -> str:
    return "the name of a file" if key == "baseline" else 'a list of codes, ["R1", "R203"]'


def read_baseline(path: Path) -> set[tuple[str, ...]]:
    """The findings that are known already."""
    try:
        data = json.loads(read_text(path))
        return {(row["file"], row["code"], row["joint"], row["message"]) for row in data["findings"]}
    except (ValueError, TypeError, KeyError):
        raise ReactioError(f"{path} is not a baseline of `reactio lint --write-baseline`.") from None


def write_baseline(path: Path, findings: Iterable[LintFinding]) -> None:
    """Write findings as known, so that only new ones are reported from now on."""
    data = {"schema": "reactio.lint-baseline/1", "findings": [finding.as_data() for finding in findings]}
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
