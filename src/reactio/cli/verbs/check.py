"""``reactio check``: which reactions can be trusted."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.catalogue.open_parts import open_words
from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import in_units, quantity
from reactio.cli.arguments.one_way_parts import touching
from reactio.cli.arguments.options import SOURCE, AsJson, At, CoordinateChoice, InAxes, InCoordinates, ReadTo, Settings
from reactio.cli.arguments.sources import compile_model, read_source
from reactio.cli.arguments.sums import ASK_FOR_JOINT_AXES, named_sum
from reactio.cli.output.basis import print_turning_axes, verdict_mark
from reactio.cli.output.check_json import LARGE_MODEL, SumVerdict, check_data, evidence_data, explained
from reactio.cli.output.printing import TABLE_ROWS, console, escape, print_json, print_rest, remark, table
from reactio.cli.output.rank_evidence import print_evidence
from reactio.cli.process import ExitCode
from reactio.drawing.style import STYLES
from reactio.errors import ReactioError, listed

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.model.model import Model
    from reactio.reaction_bounds.by_signs import BySigns
    from reactio.reaction_bounds.intervals import Bound
    from reactio.system.equations import Equations
    from reactio.system.types import System
    from reactio.uniqueness import GroupVerdict, Solvability

UNIQUE_BY_SIGNS = "unique by signs"
MOST_PARTNERS_LISTED = 6  # joints that share load with one, in a row of the table
# Joints up to which each has a row of its own in a table; names in a row that stands for several, and their letters.
UNFOLDED_ROWS, MOST_NAMES_FOLDED, FOLDED_WIDTH = 20, 3, 48
MOST_STRESS_SENTENCES = 6  # on self-stresses, below the table
MOST_SIGN_INTERVALS = 8  # intervals by signs that are listed below the table


Along = Annotated[
    Path | None, typer.Option(metavar="RUN", help="Judge every state of a run instead (.npz, .nc or .csv).")
]
Rounding = Annotated[
    float | None,
    typer.Option(
        metavar="PART",
        help=(
            "Entries of --matrix below this fraction of their row and column count as zero (default "
            "1e-12; 0 keeps all)."
        ),
    ),
]


class DecisionMethod(StrEnum):
    """The published tests of uniqueness, which must agree."""

    nullspace = "nullspace"
    qr = "qr"
    svd = "svd"
    rank = "rank"


Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Exit with code 1 unless every reaction is certainly unique and all loop closures were read.",
    ),
]


def check(
    source: Annotated[str | None, SOURCE] = None,
    settings: Settings = None,
    at: At = None,
    coordinates: InCoordinates = None,
    tolerance: ReadTo = None,
    axes: InAxes = ReactionAxes.JOINT,
    as_json: AsJson = False,
    exact: Annotated[bool, typer.Option("--exact", help="Verify the answer in exact arithmetic.")] = False,
    method: Annotated[
        DecisionMethod, typer.Option(help="Test to use; the published tests all agree.")
    ] = DecisionMethod.nullspace,
    group: Annotated[
        list[str] | None,
        typer.Option("--group", metavar="NAME=A.Fx+B.Fx", help="Also judge a sum of components; may be repeated."),
    ] = None,
    along: Along = None,
    why: Annotated[
        str | None, typer.Option(metavar="JOINT", help="Explain why this joint is or is not unique.")
    ] = None,
    matrix: Annotated[Path | None, typer.Option(help="Judge a bare matrix instead: .npy, .mtx or .csv.")] = None,
    rounding: Rounding = None,
    groups: Annotated[
        Path | None, typer.Option(help="Groups of rows of --matrix, YAML: `left: 0-4` (rows count from 0).")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List all joints, however many.")] = False,
    evidence: Annotated[
        bool,
        typer.Option("--evidence", help="Print the ranks r_X, r_Y and rank(B_X) of every joint, and its matrix B_X."),
    ] = False,
    strict: Strict = False,
) -> None:
    """Report for every joint and component whether it is unique, and why.

    Examples:

      reactio check mobile-robot

      reactio check door --set hinges=3 --why hinge2

      reactio check mobile-robot --evidence

      reactio check four-bar-spatial --group out=A.Fz+B.Fz --json

      reactio check --matrix C.npy --groups groups.yaml
    """
    _check_options(source, matrix, groups, at, settings, coordinates, tolerance, rounding)
    if along is not None:
        others = (at, coordinates, tolerance, why, matrix, group, exact, evidence, method != DecisionMethod.nullspace)
        _check_along(source, along, settings, axes, as_json, strict, any(others))
        return
    gaps: dict[str, float] = {}  # of open contacts [m]
    if matrix is not None:
        eqs, answer = None, _judged_matrix(matrix, groups, method, exact, rounding)
    else:
        assert source is not None
        model = read_source(source, settings)
        system = touching(model, compile_model(model, coordinates, tolerance, axes=axes))
        eqs, answer = _judged_model(system, at, method, exact)
        from reactio.joint_reactions.open_at_pose import open_contacts

        gaps = open_contacts(model, system)
    if why is not None:
        answer[why]  # so that an unknown name is an error before anything is printed
    sums = [_sum(eqs, answer, text) for text in group or ()]
    signs = _by_signs(eqs, answer)
    answer = _with_notes(answer, sums, signs)
    if as_json:
        print_json({**check_data(eqs, answer, sums, matrix, why, signs), **_on_request(answer, gaps, evidence)})
    else:
        _print(eqs, answer, sums, everything, why, signs)
        _print_on_request(answer, gaps, evidence)
    if strict and not _is_certain(answer, signs, None if matrix is not None else model):
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _check_along(
    source: str | None,
    along: Path,
    settings: Settings,
    axes: ReactionAxes,
    as_json: bool,
    strict: bool,
    others: bool,
) -> None:
    """The verdicts at all states of a run."""
    from reactio.cli.arguments.resumed import saved_run
    from reactio.cli.output.verdict_table import print_verdict_table, verdict_table_data
    from reactio.diagnosis.check_many import check_many
    from reactio.uniqueness import Verdict

    if source is None or others:
        raise ReactioError("--along RUN takes a SOURCE, --set, --axes, --json and --strict, and no other options.")
    run = saved_run(along, source, settings)
    verdicts = check_many(run.system, run, axes=axes)
    if as_json:
        print_json(verdict_table_data(run.system.model.name, verdicts))
    else:
        print_verdict_table(run.system.model, verdicts)
    if strict and not (verdicts.verdict == verdicts.words.index(Verdict.UNIQUE)).all():
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _is_certain(answer: Solvability, signs: BySigns | None, model: Model | None) -> bool:
    """Is every reaction unique, and was all of the file read?"""
    from reactio.model.notes import NoteKind
    from reactio.uniqueness import Verdict

    settled = signs.unique if signs else ()
    unread = model is not None and any(note.kind is NoteKind.UNREAD for note in model.notes)
    return not unread and all(group.verdict is Verdict.UNIQUE or group.name in settled for group in answer)


def _on_request(answer: Solvability, gaps: dict[str, float], evidence: bool) -> dict[str, Any]:
    """Fields that not every answer has."""
    open_data = {"open_contacts": gaps} if gaps else {}
    return {**open_data, "evidence": evidence_data(answer)} if evidence else open_data


def _print_on_request(answer: Solvability, gaps: dict[str, float], evidence: bool) -> None:
    for line in open_words(gaps):
        console().print(escape(line))
    if evidence:
        print_evidence(console(), answer)


def _with_notes(answer: Solvability, sums: list[SumVerdict], signs: BySigns | None) -> Solvability:
    """The verdicts with notes on sums, and without the one that loads may settle more where signs were judged."""
    from reactio.uniqueness.engine import note_on_signs

    settled = note_on_signs(len(answer.unilateral)) if signs is not None else ""
    remarks = (f"{name}: {said}" for name, verdict, _, remark in sums for said in (verdict.note, remark) if said)
    return replace(answer, notes=(*(note for note in answer.notes if note != settled), *remarks))


def _by_signs(eqs: Equations | None, answer: Solvability) -> BySigns | None:
    if eqs is None or not answer.unilateral:
        return None
    from reactio.reaction_bounds.by_signs import by_signs

    return by_signs(eqs, answer)


def _print(
    eqs: Equations | None,
    answer: Solvability,
    sums: list[SumVerdict],
    everything: bool,
    why: str | None,
    signs: BySigns | None,
) -> None:
    out = console()
    _headline(out, eqs, answer)
    _table(out, answer, sums, everything, f", {eqs.system.axes} axes" if eqs else "", signs.unique if signs else ())
    if eqs is not None:
        print_turning_axes(out, eqs.system)
    if signs is not None:
        _print_signs(out, signs)
    _notes(out, eqs, answer)
    if why is not None:
        _why(out, eqs, answer, why)


def _print_signs(out: Console, signs: BySigns) -> None:
    """Reactions that are unique, or bounded, because contacts only push."""
    if signs.refused:
        out.print(f"Under its loads: {escape(signs.refused)}")
        return
    if signs.unique:
        names = escape(", ".join(signs.unique))
        out.print(f"Unique by signs, because some parts only push or only pull under these loads: {names}.")
    undecided = [
        (name, label, b) for name, bounds in signs.bounds.items() for label, b in bounds.items() if not b.unique
    ]
    for name, label, b in undecided[:MOST_SIGN_INTERVALS]:
        out.print(f"Under its loads {escape(name)}.{label} is {_between(b)}.")
    print_rest(out, len(undecided) - MOST_SIGN_INTERVALS, "`reactio bounds` lists them", "more intervals")


def _between(bound: Bound) -> str:
    """An interval in words: ``between 0 and 31.1 N``, ``at most 4.39 N``, ``without bounds``."""
    from reactio.linear.precision import ROUNDOFF

    below, above = math.isfinite(bound.low), math.isfinite(bound.high)
    if below and above:
        zero = ROUNDOFF * max(abs(bound.low), abs(bound.high))
        low, high = (0.0 if abs(end) <= zero else end for end in (bound.low, bound.high))
        return f"between {in_units(low, bound.unit):.6g} and {quantity(high, bound.unit, 6)}"
    if below or above:
        return f"at {'least' if below else 'most'} {quantity(bound.low if below else bound.high, bound.unit, 6)}"
    return "without bounds"


def _check_options(
    source: str | None,
    matrix: Path | None,
    groups: Path | None,
    at: float | None,
    settings: Settings,
    coordinates: CoordinateChoice | None,
    tolerance: str | None,
    rounding: float | None,
) -> None:
    """Refuse options that have no effect together with others."""
    if source is None and matrix is None:
        raise ReactioError("Give a SOURCE, for example `reactio check door`, or a Jacobian, --matrix FILE.")
    if source is not None and matrix is not None:
        raise ReactioError("Give either a SOURCE or --matrix FILE, not both.")
    if matrix is not None and (at is not None or settings or coordinates or tolerance):
        raise ReactioError(
            "--at, --set, --coordinates and --tolerance belong to a model; a bare matrix has none of them."
        )
    if matrix is None and rounding is not None:
        raise ReactioError("--rounding belongs to --matrix; a model knows the rounding of its own entries.")
    if matrix is None and groups is not None:
        raise ReactioError("--groups belongs to --matrix; the joints of a model are its groups.")


def _judged_model(
    system: System, at: float | None, method: DecisionMethod, exact: bool
) -> tuple[Equations, Solvability]:
    from reactio.diagnosis.check import verdicts_at

    if not system.m:
        raise ReactioError(f"'{system.model.name}' has no constraints: there is no reaction to judge.")
    return verdicts_at(system, at, method.value, exact)


def _judged_matrix(
    matrix: Path, groups: Path | None, method: DecisionMethod, exact: bool, rounding: float | None
) -> Solvability:
    from reactio.cli.arguments.constraint_files import read_groups, read_matrix
    from reactio.uniqueness import solvability

    C = read_matrix(matrix)
    given = read_groups(groups) if groups else None
    answer = solvability(C, given, method=method.value, exact=exact, rounding=rounding)
    return replace(answer, notes=(*answer.notes, answer.last_digits)) if answer.last_digits else answer


def _sum(eqs: Equations | None, answer: Solvability, text: str) -> SumVerdict:
    """The verdict on a sum: across joints of a model in world axes."""
    from reactio.joint_reactions.sums import axes_remark, sum_functional, sum_terms

    name, expression = named_sum(text, tuple(answer.index))
    if eqs is None:
        return SumVerdict(name, answer.functional(expression))
    terms, axes = sum_terms(expression, eqs.system, answer.index)
    remark = axes_remark(eqs, expression, answer.index)
    said = f"{remark}. {ASK_FOR_JOINT_AXES}" if remark else ""
    return SumVerdict(name, answer.functional(sum_functional(eqs, answer, terms, axes)), axes, said)


def _headline(out: Console, eqs: Equations | None, answer: Solvability) -> None:
    if eqs is not None:
        model = eqs.system.model
        at = f"  [dim]t = {eqs.state.t:g} s[/dim]" if eqs.state.t else ""
        out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}{at}")
    out.print(f"[bold]{answer.headline}[/bold]")
    d = answer.decision
    kept, dropped = f"{d.sigma_last_kept:.2g}", f"{d.sigma_first_dropped:.2g}"
    evidence = f"σ kept ≥ {kept}" + (f", dropped ≤ {dropped}" if answer.rank < min(answer.m, answer.n) else "")
    out.print(f"C is {answer.m:,} × {answer.n:,}, rank {answer.rank:,}, mobility {answer.mobility:,}; {evidence}.\n")


def _table(
    out: Console,
    answer: Solvability,
    sums: list[SumVerdict],
    everything: bool,
    axes: str,
    by_signs: tuple[str, ...] = (),
) -> None:
    rows = [(group,) for group in answer.groups] if everything else _folded(answer, by_signs)
    shown = rows if everything else rows[:TABLE_ROWS]
    heads = ("", "name", "type", "verdict", ">known", "unique", "not unique", "shares load with")
    grid = table(f"Reactions{axes}", *heads)
    for groups in shown:
        grid.add_row(*_row(groups, len(answer), groups[0].name in by_signs))
    for name, total, sum_axes, _ in sums:
        word = {True: "unique", False: "not unique", None: "ambiguous"}[total.unique]
        known = {True: "1 of 1", False: "0 of 1", None: "0–1 of 1"}[total.unique]
        value = "" if total.value is None else f"= {quantity(total.value, total.unit, 6)}"
        mark, verdict = _marked(word)
        grid.add_row(mark, escape(name), f"sum, {sum_axes} axes" if sum_axes else "sum", verdict, known, value, "", "")
    out.print(grid)
    if len(shown) < len(rows):
        counts: dict[str, int] = {}
        for group in answer.groups:
            counts[str(group.verdict)] = counts.get(str(group.verdict), 0) + 1
        listing = ", ".join(f"{count:,} {word}" for word, count in counts.items())
        print_rest(out, sum(map(len, rows[len(shown) :])), "--all lists them", then=f"In all: {listing}.")


def _folded(answer: Solvability, by_signs: tuple[str, ...]) -> list[tuple[GroupVerdict, ...]]:
    """The groups of each row: where there are many, those that differ in nothing but their names stand in one.

    A large model, whose table is cut anyway, has a row for each: partners of all its groups would take longer than it.
    """
    if len(answer) > LARGE_MODEL:
        return [(group,) for group in answer.groups]
    rows: dict[object, list[GroupVerdict]] = {}
    for group in answer.groups:
        sharing = frozenset((group.name, *group.shares_with)) if group.shares_with else None
        verdicts = tuple((c.name, c.unique) for c in group.components)
        alike = (group.type, group.verdict, group.known, verdicts, sharing, group.name in by_signs)
        rows.setdefault(alike if len(answer) > UNFOLDED_ROWS else group.name, []).append(group)
    return [tuple(groups) for groups in rows.values()]


def _row(groups: tuple[GroupVerdict, ...], count: int, by_signs: bool) -> tuple[str, ...]:
    group = groups[0]
    word = UNIQUE_BY_SIGNS if by_signs else str(group.verdict)
    parts, names = group.components, [member.name for member in groups]
    settled = " ".join(c.name for c in parts if c.unique)
    open_ones = " ".join(c.name for c in parts if c.unique is False)
    partners = [name for name in group.shares_with if name not in names] if count <= LARGE_MODEL else []
    if len(groups) > 1 and group.shares_with:
        partners = ["one another", *partners]
    shares, few = escape(listed(partners, MOST_PARTNERS_LISTED)), listed(names, MOST_NAMES_FOLDED)
    name = few if len(few) <= FOLDED_WIDTH else listed(names, 1)
    mark, verdict = _marked(word)
    return mark, escape(name), group.type, verdict, group.known, settled, open_ones, shares


def _marked(word: str) -> tuple[str, str]:
    """The mark of a verdict, and its word, in the colour of the verdict."""
    style = "unique" if word == UNIQUE_BY_SIGNS else word
    return verdict_mark(style), f"[{STYLES[style].terminal}]{word}[/]"


def _notes(out: Console, eqs: Equations | None, answer: Solvability) -> None:
    for note in answer.notes:
        if answer.exact is None or note != answer.exact.statement:
            out.print(f"Note: {escape(note)}")
    if answer.exact is not None:
        out.print(f"Exact arithmetic: {escape(answer.exact.statement)}")
    if eqs is None or not answer.redundancy:
        return
    from reactio.diagnosis.cause import RedundancyCauses
    from reactio.diagnosis.why import MOST_ROWS_WITH_STRESSES, describe_all

    if answer.m > MOST_ROWS_WITH_STRESSES:
        remark("`--why JOINT` explains one joint.")
        return

    sentences = describe_all(eqs, answer.self_stress)
    for sentence in sentences[:MOST_STRESS_SENTENCES]:
        out.print(f"• {escape(sentence)}")
    if (more := len(sentences) - MOST_STRESS_SENTENCES) > 0:
        out.print(f"• … and {more:,} more sentences of this kind; --why JOINT prints those of one joint.")
    out.print(RedundancyCauses(eqs).of().sentence(answer.redundancy))
    remark("`--why JOINT` explains one joint.")


def _why(out: Console, eqs: Equations | None, answer: Solvability, name: str) -> None:
    explanation = explained(eqs, answer, name)
    out.print(f"\n[bold]Why {escape(name)}?[/bold]")
    for sentence in explanation["why"]:
        out.print(f"• {escape(sentence)}")
    if explanation["remedies"]:
        out.print("[bold]How to determine it[/bold]")
        for remedy in explanation["remedies"]:
            out.print(f"• {escape(remedy)}")
