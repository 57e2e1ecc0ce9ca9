"""Answers of commands in a few lines of text, for readers that take no JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from reactio.agents.command import Data
from reactio.model.notes import NoteKind

MOST_SUMMARY_LINES = 60  # of one answer: some screens; the JSON has the rest


def of_check(data: Data) -> str:
    """The headline and the verdict of every joint."""
    groups = [
        f"{group['name']}: {group['verdict']}, {group['determined']} of {group['size']}" for group in data["groups"]
    ]
    return _lines([data["headline"], *_warnings(data), *groups])


def of_explanation(data: Data) -> str:
    """Why a joint has its verdict, and what helps."""
    why = data["why"]
    return _lines([f"{why['name']}: {why['verdict']}", *why["why"], *why["remedies"]])


def of_reactions(data: Data) -> str:
    """Force and moment of every joint as far as they are determined, or by the rule that was asked for."""
    by = f"undetermined components by the rule '{data['rule']}'" if data["rule"] else "undetermined components: null"
    rows = [
        f"{name}: {reaction['verdict']}, force {reaction.get('force')}, moment {reaction.get('moment')}"
        for name, reaction in data["reactions"].items()
    ]
    units = data["units"]
    return _lines([f"World axes, {units['force']} and {units['moment']}; {by}.", *_warnings(data), *rows])


def of_bounds(data: Data) -> str:
    """The interval of every component that signs and capacities allow."""
    rows = [
        f"{joint}.{component}: {_interval(bound)}"
        for joint, components in data["bounds"].items()
        for component, bound in components.items()
    ]
    return _lines([*_warnings(data), *rows])


def _interval(bound: Mapping[str, object]) -> str:
    low, high = ("unlimited" if bound[end] is None else f"{bound[end]:.6g}" for end in ("low", "high"))
    return f"{low} … {high} {bound['unit']}"


def of_advice(data: Data) -> str:
    """Proposals to release joints, the least first."""
    proposals = [
        "; ".join(f"{change['joint']}: {change['before']} → {change['after']}" for change in proposal["releases"])
        + f" (redundant afterwards: {proposal['redundancy']}, mobility {proposal['mobility']})"
        for proposal in data["proposals"]
    ]
    return _lines([f"{data['redundancy']} equations are redundant; {data['found']} proposals.", *proposals])


def of_findings(data: Data) -> str:
    """Findings of the linter as file:line: code message."""
    findings = [f"{at['file']}:{at['line'] or 1}: {at['code']} {at['message']}" for at in data["findings"]]
    unreadable = [f"{at['file']}: {at['error']}" for at in data["unreadable"]]
    return _lines([*unreadable, *findings] or ["No findings."])


def of_import(data: Data) -> str:
    """The elements of another program's file that were read, and those that were not."""
    counts = ", ".join(f"{count} {what}" for what, count in data["read"].items())
    notes = [
        f"{kind}: {at['what']}: {at['why']}" for kind in ("unread", "warning", "skipped", "merged") for at in data[kind]
    ]
    return _lines([f"{data['format']}: {counts}", *notes, *(f"written: {path}" for path in data["written"])])


def of_report(data: Data) -> str:
    """The headline of a report and its sentences."""
    return _lines([data["headline"], *data["sentences"]])


def _warnings(data: Data) -> list[str]:
    """The parts of the source that were not read, which the answer therefore leaves out."""
    return [
        f"{note['kind']}: {note['what']}: {note['why']}"
        for note in data.get("source_notes", [])
        if note["kind"] in (NoteKind.UNREAD, NoteKind.WARNING)
    ]


def _lines(lines: Iterable[str]) -> str:
    every = list(lines)
    rest = len(every) - MOST_SUMMARY_LINES
    return "\n".join(
        [*islice(every, MOST_SUMMARY_LINES), *([f"… and {rest} more lines in the JSON."] if rest > 0 else [])]
    )
