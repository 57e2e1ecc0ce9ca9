"""Ranks and matrices B_X as the papers print them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio as ro
from reactio.cli.app import app
from reactio.diagnosis.rank_evidence import column_names, rank_evidence
from reactio.model.transform.floating_frames import with_modes
from reactio.model.transform.natural import natural


def test_eq_38_of_the_robot() -> None:
    answer = ro.check(ro.load("mobile-robot"))
    found = {one.name: one for one in rank_evidence(answer)}
    assert (found["B"].r_X, found["B"].r_Y, found["B"].rank_B) == (2, 19, 1)
    assert all(one.agrees(answer.rank) for one in found.values())
    columns = column_names(answer.matrix.columns, answer.n)
    names, Bt = found["B"].printed(columns)
    assert names == ("robot.y", "robot.φ", "wheel1.y")
    # Three printed digits.
    assert Bt[0] == pytest.approx([0.408, 0.082, -0.408], abs=5e-4)
    assert Bt[1] == pytest.approx(0.0, abs=1e-12)
    assert np.abs(found["W3"].printed(columns)[1].ravel()) == pytest.approx([0.408, 0.707], abs=5e-4)
    assert found["W5"].printed(columns)[0] == ()


def test_the_command_prints_and_exports_them() -> None:
    data = json.loads(
        CliRunner().invoke(app, ["check", "sharma-ghosal", "--method", "rank", "--evidence", "--json"]).stdout
    )
    ranks = {one["name"]: (one["r_X"], one["r_Y"], one["rank_B"]) for one in data["groups"]}
    assert ranks["P1"] == (2, 10, 1)
    assert ranks["R1"] == (2, 9, 0)
    measured = {one["name"]: (one["r_X"], one["r_Y"], one["rank_B"]) for one in data["evidence"]["groups"]}
    assert measured == ranks
    text = CliRunner().invoke(app, ["check", "sharma-ghosal", "--evidence"]).output
    assert "the rank test and the null-space test agree" in " ".join(text.split())


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("sharma-ghosal", ["upright.1x", "upright.1y", "upright.2x", "upright.2y", "sled.1x"]),
        ("bennett", ["link1.1x", "link1.1y", "link1.1z", "link1.2x"]),
    ],
)
def test_columns_of_natural_bodies_are_named_by_their_elements(name: str, first: list[str]) -> None:
    answer = ro.check(natural(ro.load(name)))
    assert list(column_names(answer.matrix.columns, answer.n)[: len(first)]) == first


def test_elastic_columns_follow_those_of_the_frame() -> None:
    answer = ro.check(with_modes(ro.load("spatial-parallelogram", links="beam"), {"count": 2, "damping": 0.01}))
    names = column_names(answer.matrix.columns, answer.n)
    of_link = [name.removeprefix("link1.") for name in names if name.startswith("link1.")]
    assert of_link[:8] == ["x", "y", "z", "φx", "φy", "φz", "e1", "e2"]
