"""``reactio lint``: defects of mechanism files, as a linter reports them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from reactio.cli.process import ExitCode
from reactio.errors import ReactioError

SUFFIXES = (".yaml", ".yml", ".urdf", ".sdf", ".world", ".xml", ".mjcf", ".asmt", ".fcstd", ".adm")


class OutputFormat(StrEnum):
    """How findings are printed."""

    text = "text"
    json = "json"
    sarif = "sarif"
    github = "github"


def lint(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE…", help="Model files, files of other programs, or folders of them."),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE", help="Report only codes with this prefix, R1 or R203; may be repeated."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="CODE", help="Ignore codes with this prefix; may be repeated.")
    ] = None,
    output: Annotated[OutputFormat, typer.Option("--format", help="Output format.")] = OutputFormat.text,
    baseline: Annotated[
        Path | None, typer.Option(help="File of known findings that are not reported again (see --write-baseline).")
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all findings to this baseline file, and exit 0.")
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List all rules and exit.")] = False,
) -> None:
    """Check mechanism files for defects, for review and CI.

    Exit 0: no findings, 1: findings, 2: a file cannot be read. A comment `reactio: ignore[R101]` on a line, or on the
    one above, silences it; `reactio: ignore-file[R101]` the whole file. `[tool.reactio.lint]` in pyproject.toml may
    give `select`, `ignore` and `baseline`.

    Examples:

      reactio lint robot.urdf

      reactio lint models --select R1 --select R2 --format sarif

      reactio lint models --write-baseline known.json
    """
    from reactio.linting import rules_by_code
    from reactio.linting import settings as lint_settings
    from reactio.linting.outputs import OUTPUTS
    from reactio.linting.review import review
    from reactio.operating_system.files import check_writable

    if rules:
        for rule in rules_by_code().values():
            print(f"{rule.code} {rule.name}\n    {rule.doc}")
        return
    if not files:
        raise ReactioError("Give at least one file or folder to lint; --rules lists the rules.")
    if write_baseline is not None:
        check_writable(write_baseline)
    settings = lint_settings.settings_from(select or (), ignore or (), baseline, Path.cwd())
    known = lint_settings.read_baseline(settings.baseline) if settings.baseline and not write_baseline else set()
    reviews = list(review(list(_expanded(files))))
    findings = [finding for review in reviews for finding in review.findings if settings.wanted(finding)]
    unreadable = [review for review in reviews if review.error]
    if write_baseline is not None:
        lint_settings.write_baseline(write_baseline, findings)
        print(f"{len(findings):,} findings written to {write_baseline}.")
        findings = []
    else:
        findings = [finding for finding in findings if finding.identity not in known]
        sys.stdout.write(OUTPUTS[output](findings, unreadable))
    if unreadable:
        raise typer.Exit(ExitCode.WRONG_INPUT)
    if findings:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _expanded(files: list[Path]) -> Iterator[Path]:
    """The files, and those in folders whose name ends like that of a mechanism and whose content is one."""
    for path in files:
        if not path.is_dir():
            yield path
            continue
        for inner in sorted(path.rglob("*")):
            if inner.is_file() and inner.suffix.lower() in SUFFIXES and _is_mechanism(inner):
                yield inner


def _is_mechanism(path: Path) -> bool:
    """Is a file in a folder a mechanism?  YAML and XML files may be anything."""
    from reactio.importers.recognise import is_foreign
    from reactio.operating_system.files import read_text

    if path.suffix.lower() in (".yaml", ".yml"):
        try:
            return "space:" in read_text(path)
        except ReactioError:
            return False
    return is_foreign(path)
