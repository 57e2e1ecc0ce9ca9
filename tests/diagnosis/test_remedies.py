"""Releases that are proposed make the reaction unique, tried on the matrix itself, and leave the mobility as it is."""

from __future__ import annotations

import numpy as np
import pytest
from tests.shared_models import SUSPENSION, four_cylinders, library_or_text

import reactio
from reactio.arrays import Floats
from reactio.constraint_matrix import components
from reactio.diagnosis.remedies import ReleaseRemedy, settling
from reactio.uniqueness import Solvability

ASKED = [
    (four_cylinders(), "big1"),
    (SUSPENSION, "LF"),
    ("four-bar-spatial", "A"),
    ("door", "hinge2"),
    ("pendulum-twice", "rod1"),
    ("mobile-robot", "B"),
]


@pytest.mark.parametrize(("source", "name"), ASKED, ids=[name for _, name in ASKED])
def test_what_is_proposed_settles_the_reaction(source: str, name: str) -> None:
    answer = reactio.check(library_or_text(source))
    found = settling(answer, name)
    proposed = [*found.components, *found.joints, *([found.together] if found.together else [])]
    assert proposed
    for release in proposed:
        C, groups = _released(answer, release)
        after = reactio.solvability(C, groups, columns=answer.matrix.columns.units)
        assert after.rank == answer.rank
        assert name not in groups or str(after[name].verdict) == "unique"


def test_the_release_of_a_crank_pin_is_in_its_own_loop() -> None:
    eqs_answer = reactio.check(reactio.parse_model(four_cylinders()))
    assert [str(one) for one in settling(eqs_answer, "big1").components] == ["Mx of big1", "Mx of pin1", "My of bore1"]


def _released(answer: Solvability, release: ReleaseRemedy) -> tuple[Floats, dict[str, list[int]]]:
    """C with the multipliers of each joint confined to those without the released components."""
    dense = answer.matrix.C if isinstance(answer.matrix.C, np.ndarray) else answer.matrix.C.toarray()
    rows: list[Floats] = []
    groups: dict[str, list[int]] = {}
    at = 0
    for group in answer.matrix.rows.groups:
        own = dense[group.start : group.stop]
        table = components(answer.matrix, group)
        freed = [k for k, label in enumerate(table.labels) if (group.name, label) in release.names]
        if freed:
            _, s, Vt = np.linalg.svd(table.P[freed])
            own = Vt[int((s > 1e-9 * s[0]).sum()) :] @ own
        if len(own):
            groups[group.name] = list(range(at, at + len(own)))
        rows.append(own)
        at += len(own)
    return np.vstack(rows), groups
