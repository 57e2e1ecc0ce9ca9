"""``reactio check --json``: the answer as one object."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reactio.results.as_data import picked

if TYPE_CHECKING:
    from reactio.reaction_bounds.by_signs import BySigns
    from reactio.system.equations import Equations
    from reactio.uniqueness import FunctionalVerdict, GroupVerdict, Solvability

LARGE_MODEL = 300  # groups above which partners are named on request only: that takes longer than all verdicts


class SumVerdict(NamedTuple):
    """The verdict on a sum, and the axes of its components; a bare matrix has none."""

    name: str
    verdict: FunctionalVerdict
    axes: str = ""
    remark: str = ""


def check_data(
    eqs: Equations | None,
    answer: Solvability,
    sums: list[SumVerdict],
    matrix: Path | None,
    why: str | None,
    signs: BySigns | None = None,
) -> dict[str, Any]:
    """The answer as data; docs/json.md describes it."""
    from reactio.diagnosis.why import MOST_ROWS_WITH_STRESSES

    listed = [_group(g, len(answer)) for g in answer.groups]
    listed += [_functional(total) for total in sums]
    data: dict[str, Any] = {
        "schema": "reactio.check/1",
        "model": eqs.system.model.name if eqs else str(matrix),
        "t": eqs.state.t if eqs else None,
        "axes": eqs.system.axes if eqs else None,
        **picked(answer, "m n rank redundancy mobility confident"),
        "plausible_ranks": sorted({answer.rank, *answer.decision.alternatives}),
        **picked(answer.decision, "sigma_last_kept sigma_first_dropped"),
        **picked(answer, "method headline geometry"),
        "groups": listed,
        "self_stress": _stresses(eqs, answer),
        "notes": list(answer.notes),
    }
    data["causes"] = None
    if signs is not None:
        data["by_signs"] = signs
    if answer.m > MOST_ROWS_WITH_STRESSES or len(answer) > LARGE_MODEL:
        data["notes"].append(
            f"self_stress and causes are given up to {MOST_ROWS_WITH_STRESSES} rows, "
            f"shares_with up to {LARGE_MODEL} groups."
        )
    if eqs is not None and answer.m <= MOST_ROWS_WITH_STRESSES:
        from reactio.diagnosis.cause import RedundancyCauses

        data["causes"] = RedundancyCauses(eqs).of()
    if answer.exact is not None:
        data["exact"] = picked(answer.exact, "rank agrees statement")
    if why is not None:
        data["why"] = explained(eqs, answer, why)
    return data


def evidence_data(answer: Solvability) -> dict[str, Any]:
    """r_X, r_Y, rank(B_X) and B_X of every group, each rank decided on its own."""
    from reactio.diagnosis.rank_evidence import column_names, rank_evidence

    groups = [
        picked(joint, "name r_X r_Y rank_B norm_B=norm B") | {"agree": joint.agrees(answer.rank)}
        for joint in rank_evidence(answer)
    ]
    return {"r": answer.rank, "columns": column_names(answer.matrix.columns, answer.n), "groups": groups}


def _group(group: GroupVerdict, count: int) -> dict[str, Any]:
    return {
        **picked(group, "name kind type size determined verdict r_X=rank r_Y=rank_outside"),
        "rank_B": group.rank - group.determined,
        **picked(group, "multipliers_unique components"),
        "shares_with": group.shares_with if count <= LARGE_MODEL else None,
        "margin": group.margin,
        "alternatives": [{"verdict": verdict, "determined": known} for verdict, known in group.alternatives],
    }


def _functional(total: SumVerdict) -> dict[str, Any]:
    name, judged = total.name, total.verdict
    word = {True: "unique", False: "not unique", None: "ambiguous"}[judged.unique]
    return {
        "name": name,
        "kind": "functional",
        "type": "sum",
        "size": 1,
        "determined": int(judged.unique is True),
        "verdict": word,
        "multipliers_unique": judged.unique is True,
        "components": [{"name": name, "unit": judged.unit, "unique": judged.unique}],
        "value": judged.value,
        "unit": judged.unit,
        "axes": total.axes,
        "shares_with": [],
        "margin": judged.margin,
        "alternatives": [],
    }


def _stresses(eqs: Equations | None, answer: Solvability) -> list[dict[str, Any]] | None:
    from reactio.diagnosis.why import MOST_ROWS_WITH_STRESSES, describe, loop_of

    if answer.m > MOST_ROWS_WITH_STRESSES:
        return None
    return [
        {
            "joints": stress.groups,
            "loop": loop_of(eqs.system.model, stress.groups) if eqs else (),
            "rows": stress.rows,
            "words": describe(eqs, stress) if eqs else "",
        }
        for stress in answer.self_stress
    ]


def explained(eqs: Equations | None, answer: Solvability, name: str) -> dict[str, Any]:
    """Why a joint is or is not unique, in sentences."""
    if eqs is None:
        group = answer[name]
        partners = ", ".join(group.shares_with) or "nothing"
        sentence = f"{name}: {group.known} components are determined; it shares load with {partners}."
        return {"name": name, "verdict": str(group.verdict), "why": [sentence], "remedies": []}
    from reactio.diagnosis.why import explain

    return picked(explain(eqs, answer, name), "name verdict why=sentences remedies")
