"""Ranks and matrices B_X as the papers print them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio as ro
from reactio.cli.app import app
from reactio.diagnosis.rank_evidence import column_names, rank_evidence


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
