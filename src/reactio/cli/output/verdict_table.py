"""Verdicts along a run, as a table of counts and as data."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.cli.output.printing import console, escape, table

if TYPE_CHECKING:
    from reactio.diagnosis.check_many import VerdictTable
    from reactio.model.model import Model


def print_verdict_table(model: Model, found: VerdictTable) -> None:
    """The number of states with each verdict, joint by joint, and the stretches of equal rank."""
    out = console()
    span = f"{len(found):,} states, t = {found.times[0]:g} … {found.times[-1]:g} s" if len(found) else "no states"
    out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}  [dim]{span}[/dim]")
    for stretch in rank_stretches(found):
        out.print(
            f"Rank {stretch['rank']} ({stretch['redundancy']} redundant, mobility {stretch['mobility']}) from "
            f"t = {stretch['from']:g} s to {stretch['to']:g} s."
        )
    if doubtful := int((~found.confident).sum()):
        out.print(f"In {doubtful:,} states a rank or a verdict cannot be decided.")
    counts = table(f"States by verdict, {found.axes} axes", "name", *(f">{word}" for word in found.words))
    for name, by_word in found.counts().items():
        counts.add_row(escape(name), *(f"{by_word.get(word, 0):,}" for word in found.words))
    out.print(counts)


def rank_stretches(found: VerdictTable) -> list[dict[str, Any]]:
    """The stretches of states with one rank, one after the other: first and last time [s]."""
    stretches = []
    for rank, states in groupby(range(len(found)), key=lambda k: int(found.rank[k])):
        at = list(states)
        ends = {"from": float(found.times[at[0]]), "to": float(found.times[at[-1]])}
        m, n = found.shape
        stretches.append({"rank": rank, "redundancy": m - rank, "mobility": n - rank, **ends})
    return stretches


def verdict_table_data(model: str, found: VerdictTable) -> dict[str, Any]:
    """The verdicts as data; docs/json.md describes it."""
    return {
        "schema": "reactio.check-along/1",
        "model": model,
        "axes": found.axes,
        "states": len(found),
        "m": found.shape[0],
        "n": found.shape[1],
        "ranks": rank_stretches(found),
        "least_margin": float(np.min(found.margin)) if len(found) else None,
        "undecided": np.flatnonzero(~found.confident).tolist(),
        "full_analysis": int(found.full.sum()),
        "joints": found.counts(),
    }
