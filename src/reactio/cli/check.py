"""``reactio check``: which reactions can be trusted."""

from __future__ import annotations

import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.cli.common import AsJson, Settings, compile_source, console, escape, plural, prepare, print_json, table
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.solvability import Component, FunctionalVerdict, GroupVerdict, Solvability
    from reactio.system.equations import Equations

FEW = 40  # rows of the table before the rest is only counted
LARGE = 300  # groups beyond which partners are named on request only: naming them all takes longer than judging
WIDE = 600  # rows beyond which causes and self-stresses are left out: they need dense null spaces
COLOURS = {"unique": "green", "partly unique": "yellow", "not unique": "red", "ambiguous": "magenta"}
MARKS = {"unique": "●", "partly unique": "◐", "not unique": "○", "ambiguous": "?"}


class Method(StrEnum):
    """How it is decided; all must agree."""

    nullspace = "nullspace"
    qr = "qr"
    svd = "svd"
    rank = "rank"


def check(
    source: Annotated[str | None, typer.Argument(help="A model file (YAML) or a name from `reactio library`.")] = None,
    settings: Settings = None,
    at: Annotated[float | None, typer.Option(help="Follow the motion to this time first, in seconds.")] = None,
    as_json: AsJson = False,
    exact: Annotated[bool, typer.Option("--exact", help="A second opinion in exact arithmetic.")] = False,
    method: Annotated[Method, typer.Option(help="How to decide; the published tests all agree.")] = Method.nullspace,
    group: Annotated[
        list[str] | None,
        typer.Option("--group", metavar="NAME=A.Fx+B.Fx", help="Judge a sum of components too; may be repeated."),
    ] = None,
    why: Annotated[str | None, typer.Option(metavar="JOINT", help="Say why this joint is (not) unique.")] = None,
    matrix: Annotated[Path | None, typer.Option(help="Judge a bare matrix instead: .npy, .mtx or .csv.")] = None,
    groups: Annotated[Path | None, typer.Option(help="Groups of its rows, YAML: `left: 0-4` (rows from 0).")] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every joint, however many.")] = False,
) -> None:
    """Say for every joint and every component: unique or not, and what it shares load with.

    Examples:

      reactio check mobile-robot

      reactio check door --set hinges=3 --why hinge2

      reactio check four-bar-spatial --group out=A.Fz+B.Fz --json

      reactio check --matrix C.npy --groups groups.yaml
    """
    if (source is None) == (matrix is None):
        raise ReactioError("Give either a SOURCE or --matrix FILE, not both and not neither.")
    if matrix is not None:
        eqs, answer = None, _bare(matrix, groups, method, exact)
    else:
        assert source is not None
        eqs, answer = _modelled(source, settings, at, method, exact)
    sums = [_sum(answer, text) for text in group or ()]
    if as_json:
        print_json(_data(eqs, answer, sums, matrix, why))
        return
    out = console()
    _headline(out, eqs, answer)
    _table(out, answer, sums, everything)
    _notes(out, eqs, answer)
    if why is not None:
        _why(out, eqs, answer, why)


def _modelled(
    source: str, settings: Settings, at: float | None, method: Method, exact: bool
) -> tuple[Equations, Solvability]:
    from reactio.diagnosis.check import state_of
    from reactio.solvability import solvability
    from reactio.system.equations import equations

    system = compile_source(source, settings)
    if not system.m:
        raise ReactioError(f"'{system.model.name}' has no constraints: there is no reaction to judge.")
    eqs = equations(system, state_of(system, at))
    return eqs, solvability(eqs.constraints, method=method.value, exact=exact)


def _bare(matrix: Path, groups: Path | None, method: Method, exact: bool) -> Solvability:
    from reactio.constraint_files import read_groups, read_matrix
    from reactio.solvability import solvability

    C = read_matrix(matrix)
    if C.shape[1] > 400:
        prepare("large")
    return solvability(C, read_groups(groups) if groups else None, method=method.value, exact=exact)


def _sum(answer: Solvability, text: str) -> tuple[str, FunctionalVerdict]:
    name, equals, expression = text.partition("=")
    if not equals or not name.strip() or not expression.strip():
        raise ReactioError(f"--group {text}: write NAME=A.Fx+B.Fx.")
    return name.strip(), answer.functional(expression)


def _number(x: float) -> float | None:
    return x if math.isfinite(x) else None


def _data(
    eqs: Equations | None,
    answer: Solvability,
    sums: list[tuple[str, FunctionalVerdict]],
    matrix: Path | None,
    why: str | None,
) -> dict[str, Any]:
    from reactio.solvability.bulk import all_components

    decision = answer.decision
    parts = all_components(answer) if len(answer) > LARGE else [g.components for g in answer.groups]
    listed = [_group(g, c, len(answer)) for g, c in zip(answer.groups, parts, strict=True)]
    listed += [_functional(name, f) for name, f in sums]
    data: dict[str, Any] = {
        "schema": "reactio.check/1",
        "model": eqs.system.model.name if eqs else str(matrix),
        "t": eqs.state.t if eqs else None,
        "m": answer.m,
        "n": answer.n,
        "rank": answer.rank,
        "redundancy": answer.redundancy,
        "mobility": answer.mobility,
        "confident": answer.confident,
        "plausible_ranks": sorted({answer.rank, *decision.alternatives}),
        "sigma_last_kept": _number(decision.sigma_last_kept),
        "sigma_first_dropped": _number(decision.sigma_first_dropped),
        "method": answer.method,
        "headline": answer.headline,
        "groups": listed,
        "self_stress": _stresses(eqs, answer),
        "notes": list(answer.notes),
    }
    if eqs is not None and answer.redundancy and answer.m <= WIDE:
        from reactio.diagnosis.cause import causes

        found = causes(eqs.system, eqs.state)
        data["causes"] = {"structural": found.structural, "geometric": found.geometric, "pose": found.pose}
    if answer.exact is not None:
        data["exact"] = {"rank": answer.exact.rank, "agrees": answer.exact.agrees, "statement": answer.exact.statement}
    if why is not None:
        data["why"] = _explained(eqs, answer, why)
    return data


def _group(group: GroupVerdict, parts: tuple[Component, ...], count: int) -> dict[str, Any]:
    return {
        "name": group.name,
        "kind": group.kind,
        "type": group.type,
        "size": group.size,
        "determined": group.determined,
        "verdict": str(group.verdict),
        "multipliers_unique": group.multipliers_unique,
        "components": [{"name": c.name, "unit": c.unit, "unique": c.unique} for c in parts],
        "shares_with": list(group.shares_with) if count <= LARGE else None,
        "margin": _number(group.margin),
        "alternatives": [{"verdict": str(v), "determined": d} for v, d in group.alternatives],
    }


def _functional(name: str, found: FunctionalVerdict) -> dict[str, Any]:
    word = {True: "unique", False: "not unique", None: "ambiguous"}[found.unique]
    return {
        "name": name,
        "kind": "functional",
        "type": "sum",
        "size": 1,
        "determined": int(found.unique is True),
        "verdict": word,
        "components": [{"name": name, "unit": "", "unique": found.unique}],
        "shares_with": [],
        "margin": _number(found.margin),
    }


def _stresses(eqs: Equations | None, answer: Solvability) -> list[dict[str, Any]]:
    if not answer.redundancy or answer.m > WIDE:
        return []
    from reactio.diagnosis.why import describe, loop_of

    if eqs is None:
        return [{"joints": list(s.groups), "loop": [], "rows": list(s.rows)} for s in answer.self_stress]
    return [
        {
            "joints": list(s.groups),
            "loop": list(loop_of(eqs.system.model, s.groups)),
            "rows": list(s.rows),
            "words": describe(eqs, s),
        }
        for s in answer.self_stress
    ]


def _explained(eqs: Equations | None, answer: Solvability, name: str) -> dict[str, Any]:
    if eqs is None:
        group = answer[name]
        return {"name": name, "verdict": str(group.verdict), "shares_with": list(group.shares_with)}
    from reactio.diagnosis.why import explain

    found = explain(eqs, answer, name)
    return {"name": name, "verdict": found.verdict, "why": list(found.sentences), "remedies": list(found.remedies)}


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


def _table(out: Console, answer: Solvability, sums: list[tuple[str, FunctionalVerdict]], everything: bool) -> None:
    shown = answer.groups if everything else answer.groups[:FEW]
    made = table("Reactions", "", "name", "type", "verdict", ">known", "unique", "not unique", "shares load with")
    for group in shown:
        made.add_row(*_row(group, len(answer)))
    for name, found in sums:
        word = {True: "unique", False: "not unique", None: "ambiguous"}[found.unique]
        known = f"{int(found.unique is True)} of 1"
        made.add_row(_mark(word), escape(name), "sum", _coloured(word), known, "", "", "")
    out.print(made)
    if len(shown) < len(answer):
        counts: dict[str, int] = {}
        for group in answer.groups:
            counts[str(group.verdict)] = counts.get(str(group.verdict), 0) + 1
        listing = ", ".join(f"{count:,} {word}" for word, count in counts.items())
        out.print(f"  … and {plural(len(answer) - len(shown), 'more')[:-1]} (--all lists them). In all: {listing}.")


def _row(group: GroupVerdict, count: int) -> tuple[str, ...]:
    word = str(group.verdict)
    parts = group.components
    settled = " ".join(c.name for c in parts if c.unique)
    open_ones = " ".join(c.name for c in parts if c.unique is False)
    partners = group.shares_with if count <= LARGE else ()
    listing = ", ".join(partners[:6]) + (f", … ({len(partners)})" if len(partners) > 6 else "")
    known = f"{group.determined} of {group.rank}"
    return _mark(word), escape(group.name), group.type, _coloured(word), known, settled, open_ones, escape(listing)


def _mark(word: str) -> str:
    return f"[{COLOURS[word]}]{MARKS[word]}[/]"


def _coloured(word: str) -> str:
    return f"[{COLOURS[word]}]{word}[/]"


def _notes(out: Console, eqs: Equations | None, answer: Solvability) -> None:
    for note in answer.notes:
        if answer.exact is None or note != answer.exact.statement:
            out.print(f"Note: {escape(note)}")
    if answer.exact is not None:
        out.print(f"Exact arithmetic: {escape(answer.exact.statement)}")
    if eqs is None or not answer.redundancy:
        return
    if answer.m > WIDE:
        out.print("`--why JOINT` explains one of them.")
        return
    from reactio.diagnosis.cause import causes
    from reactio.diagnosis.why import describe

    for stress in answer.self_stress[:6]:
        out.print(f"• {escape(describe(eqs, stress))}")
    if len(answer.self_stress) > 6:
        out.print(f"• … and {len(answer.self_stress) - 6:,} more states of this kind.")
    out.print(f"Redundant: {answer.redundancy}, {causes(eqs.system, eqs.state)}.")
    out.print("`--why JOINT` explains one of them.")


def _why(out: Console, eqs: Equations | None, answer: Solvability, name: str) -> None:
    found = _explained(eqs, answer, name)
    out.print(f"\n[bold]Why {escape(name)}?[/bold]")
    for sentence in found.get("why", [f"It shares load with {', '.join(found.get('shares_with', []))}."]):
        out.print(f"• {escape(sentence)}")
    if found.get("remedies"):
        out.print("[bold]What would settle it[/bold]")
        for remedy in found["remedies"]:
            out.print(f"• {escape(remedy)}")
