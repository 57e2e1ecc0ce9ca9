"""Verdicts along a run, as a table of counts and as data."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.cli.output.printing import console, escape, table

if TYPE_CHECKING:
    from reactio.diagnosis.check_many import VerdictTable
    from reactio.model.model import Model


def print_verdict_table(model: Model, verdicts: VerdictTable) -> None:
    """The number of states with each verdict, joint by joint, and the stretches of equal rank."""
    out = console()
    span = (
        f"{len(verdicts):,} states, t = {verdicts.times[0]:g} … {verdicts.times[-1]:g} s"
        if len(verdicts)
        else "no states"
    )
    out.print(f"[bold]{escape(model.name)}[/bold]  {escape(model.title)}  [dim]{span}[/dim]")
    for stretch in rank_stretches(verdicts):
        out.print(
            f"Rank {stretch['rank']} ({stretch['redundancy']} redundant, mobility {stretch['mobility']}) from "
            f"t = {stretch['from']:g} s to {stretch['to']:g} s."
        )
    if doubtful := int((~verdicts.confident).sum()):
        out.print(f"In {doubtful:,} states a rank or a verdict cannot be decided.")
    counts = table(f"States by verdict, {verdicts.axes} axes", "name", *(f">{word}" for word in verdicts.words))
    for name, by_word in verdicts.counts().items():
        counts.add_row(escape(name), *(f"{by_word.get(word, 0):,}" for word in verdicts.words))
    out.print(counts)


def rank_stretches(verdicts: VerdictTable) -> list[dict[str, Any]]:
    """The stretches of states with one rank, one after the other: first and last time [s]."""
    stretches = []
    for rank, states in groupby(range(len(verdicts)), key=lambda k: int(verdicts.rank[k])):
        at = list(states)
        ends = {"from": float(verdicts.times[at[0]]), "to": float(verdicts.times[at[-1]])}
        m, n = verdicts.shape
        stretches.append({"rank": rank, "redundancy": m - rank, "mobility": n - rank, **ends})
    return stretches


def verdict_table_data(model: str, verdicts: VerdictTable) -> dict[str, Any]:
    """The verdicts as data; docs/json.md describes it."""
    return {
        "schema": "reactio.check-along/1",
        "model": model,
        "axes": verdicts.axes,
        "states": len(verdicts),
        "m": verdicts.shape[0],
        "n": verdicts.shape[1],
        "ranks": rank_stretches(verdicts),
        "least_margin": float(np.min(verdicts.margin)) if len(verdicts) else None,
        "undecided": np.flatnonzero(~verdicts.confident).tolist(),
        "full_analysis": int(verdicts.full.sum()),
        "joints": verdicts.counts(),
    }
