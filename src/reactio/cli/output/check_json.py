"""``reactio check --json``: the answer as one object."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reactio.reaction_bounds.by_signs import BySigns
    from reactio.system.equations import Equations
    from reactio.uniqueness import FunctionalVerdict, GroupVerdict, Solvability
    from reactio.uniqueness.geometry import Geometry, OtherRank

LARGE_MODEL = 300  # groups above which partners are named on request only: that takes longer than all verdicts


def _number(x: float) -> float | None:
    return x if math.isfinite(x) else None


def check_data(
    eqs: Equations | None,
    answer: Solvability,
    sums: list[tuple[str, FunctionalVerdict]],
    matrix: Path | None,
    why: str | None,
    signs: BySigns | None = None,
) -> dict[str, Any]:
    """The answer as data; docs/json.md describes it."""
    from reactio.diagnosis.why import MOST_ROWS_WITH_STRESSES

    decision = answer.decision
    listed = [_group(g, len(answer)) for g in answer.groups]
    listed += [_functional(name, f) for name, f in sums]
    data: dict[str, Any] = {
        "schema": "reactio.check/1",
        "model": eqs.system.model.name if eqs else str(matrix),
        "t": eqs.state.t if eqs else None,
        "axes": eqs.system.axes if eqs else None,
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
        "geometry": geometry_data(answer.geometry),
        "groups": listed,
        "self_stress": _stresses(eqs, answer),
        "notes": list(answer.notes),
    }
    data["causes"] = None
    if signs is not None:
        data["by_signs"] = _by_signs(signs)
    if answer.m > MOST_ROWS_WITH_STRESSES or len(answer) > LARGE_MODEL:
        data["notes"].append(
            f"self_stress and causes are given up to {MOST_ROWS_WITH_STRESSES} rows, "
            f"shares_with up to {LARGE_MODEL} groups."
        )
    if eqs is not None and answer.m <= MOST_ROWS_WITH_STRESSES:
        from reactio.diagnosis.cause import RedundancyCauses

        found = RedundancyCauses(eqs).of()
        data["causes"] = {"structural": found.structural, "geometric": found.geometric, "pose": found.pose}
    if answer.exact is not None:
        data["exact"] = {"rank": answer.exact.rank, "agrees": answer.exact.agrees, "statement": answer.exact.statement}
    if why is not None:
        data["why"] = explained(eqs, answer, why)
    return data


def evidence_data(answer: Solvability) -> dict[str, Any]:
    """r_X, r_Y, rank(B_X) and B_X of every group, each rank decided on its own."""
    from reactio.diagnosis.rank_evidence import column_names, rank_evidence

    return {
        "r": answer.rank,
        "columns": list(column_names(answer.matrix.columns, answer.n)),
        "groups": [
            {
                "name": one.name,
                "r_X": one.r_X,
                "r_Y": one.r_Y,
                "rank_B": one.rank_B,
                "norm_B": one.norm,
                "agree": one.agrees(answer.rank),
                "B": one.B.tolist(),
            }
            for one in rank_evidence(answer)
        ],
    }


def geometry_data(found: Geometry | None) -> dict[str, Any] | None:
    """Accuracy of the geometry, and the other rank near it; lengths [m], angles [rad]."""
    if found is None:
        return None
    return {
        "accuracy": {"length": found.length, "angle": found.angle, "source": found.source} if found.source else None,
        "as_written": _rank(found.as_written),
        "nearest": _rank(found.nearest),
        "differing": [{"name": n, "verdict": v, "determined": d} for n, v, d in found.differing],
        "words": list(found.words),
    }


def _rank(other: OtherRank | None) -> dict[str, Any] | None:
    if other is None:
        return None
    return {
        "rank": other.rank,
        "redundancy": other.redundancy,
        "mobility": other.mobility,
        "length": other.length,
        "angle": other.angle,
        "joints": list(other.joints),
        "distance": other.distance,
    }


def _by_signs(signs: BySigns) -> dict[str, Any]:
    """Joints that are unique because contacts only push, and the intervals of all; null for an infinite bound."""
    return {
        "unique": list(signs.unique),
        "refused": signs.refused or None,
        "intervals": {
            name: {label: {"low": _number(b.low), "high": _number(b.high)} for label, b in one.items()}
            for name, one in signs.bounds.items()
        },
    }


def _group(group: GroupVerdict, count: int) -> dict[str, Any]:
    return {
        "name": group.name,
        "kind": group.kind,
        "type": group.type,
        "size": group.size,
        "determined": group.determined,
        "verdict": str(group.verdict),
        "r_X": group.rank,
        "r_Y": group.rank_outside,
        "rank_B": group.rank - group.determined,
        "multipliers_unique": group.multipliers_unique,
        "components": [{"name": c.name, "unit": c.unit, "unique": c.unique} for c in group.components],
        "shares_with": list(group.shares_with) if count <= LARGE_MODEL else None,
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
        "multipliers_unique": found.unique is True,
        "components": [{"name": name, "unit": found.unit, "unique": found.unique}],
        "value": found.value,
        "unit": found.unit,
        "shares_with": [],
        "margin": _number(found.margin),
        "alternatives": [],
    }


def _stresses(eqs: Equations | None, answer: Solvability) -> list[dict[str, Any]] | None:
    from reactio.diagnosis.why import MOST_ROWS_WITH_STRESSES, describe, loop_of

    if answer.m > MOST_ROWS_WITH_STRESSES:
        return None

    if eqs is None:
        return [{"joints": list(s.groups), "loop": [], "rows": list(s.rows), "words": ""} for s in answer.self_stress]
    return [
        {
            "joints": list(s.groups),
            "loop": list(loop_of(eqs.system.model, s.groups)),
            "rows": list(s.rows),
            "words": describe(eqs, s),
        }
        for s in answer.self_stress
    ]


def explained(eqs: Equations | None, answer: Solvability, name: str) -> dict[str, Any]:
    """Why a joint is or is not unique, in sentences."""
    if eqs is None:
        group = answer[name]
        partners = ", ".join(group.shares_with) or "nothing"
        sentence = f"{name}: {group.known} components are determined; it shares load with {partners}."
        return {"name": name, "verdict": str(group.verdict), "why": [sentence], "remedies": []}
    from reactio.diagnosis.why import explain

    found = explain(eqs, answer, name)
    return {"name": name, "verdict": found.verdict, "why": list(found.sentences), "remedies": list(found.remedies)}
