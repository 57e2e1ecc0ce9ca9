"""Weights of the user, units of the pseudoinverse, and the free-body diagram that any split must balance."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio as ro
from reactio.cli.app import app
from reactio.errors import ReactioError
from reactio.joint_reactions.free_body import free_body
from reactio.sharing import problem, share

TABLE = """
space: spatial
gravity: [0, 0, -10]
bodies: {top: {mass: 4, inertia: [1, 1, 1], position: [0.2, 0.1, 1]}}
joints:
  a: {type: point-on-plane, a: {body: ground, point: [1, 1, 0]}, b: {body: top, point: [0.8, 0.9, -1]}}
  b: {type: point-on-plane, a: {body: ground, point: [-1, 1, 0]}, b: {body: top, point: [-1.2, 0.9, -1]}}
  c: {type: point-on-plane, a: {body: ground, point: [-1, -1, 0]}, b: {body: top, point: [-1.2, -1.1, -1]}}
  d: {type: point-on-plane, a: {body: ground, point: [1, -1, 0]}, b: {body: top, point: [0.8, -1.1, -1]}}
"""


def test_weights_give_the_weighted_pseudoinverse() -> None:
    """λ = W⁻¹C (CᵀW⁻¹C)⁺ f, computed without the package; stiffness 1/w of springs below a rigid top is the same."""
    eqs = ro.equations(ro.build(ro.parse_model(TABLE)))
    found = ro.reactions(eqs, "weighted:a=4,c.z=0.25")
    C, f = eqs.C.toarray(), found.f
    inverse = np.diag([1 / 4, 1.0, 4.0, 1.0])
    expected = inverse @ C @ np.linalg.pinv(C.T @ inverse @ C, rcond=1e-12) @ f
    # A regular problem of four numbers in double precision.
    assert found.balanced == pytest.approx(expected, abs=1e-10)
    assert ro.reactions(eqs, "weighted:forces=3").balanced == pytest.approx(
        ro.reactions(eqs, "pseudoinverse").balanced, abs=1e-12
    )


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("a", "'a' is not a positive weight"),
        ("a=0", "'a=0' is not a positive weight.*elimination"),
        ("a=-1", "not a positive weight"),
        ("a=inf", "not a positive weight"),
        ("e=2", "There is no row or group 'e'. Known: a, b, c, d"),
        ("a.w=2", "'a' has no row 'w'"),
    ],
)
def test_other_weights_are_refused(weights: str, message: str) -> None:
    eqs = ro.equations(ro.build(ro.parse_model(TABLE)))
    with pytest.raises(ReactioError, match=message):
        ro.reactions(eqs, f"weighted:{weights}")


def test_the_pseudoinverse_in_millimetres_is_that_of_the_matrix_in_millimetres() -> None:
    eqs = ro.equations(ro.build(ro.load("pendulum-two-rods")))
    found = ro.reactions(eqs, "pseudoinverse:mm")
    # Closed form: shares go as squared row lengths, (2 l)² : 1 with l = 1000; the solver loses 1e-10 of the load.
    load = np.linalg.norm(found["rod1"].force + found["rod2"].force)
    assert np.linalg.norm(found["rod2"].force) == pytest.approx(load / (4e6 + 1), abs=1e-9)
    inches = ro.reactions(eqs, "pseudoinverse:in")
    ratio = np.linalg.norm(inches["rod1"].force) / np.linalg.norm(inches["rod2"].force)
    assert ratio == pytest.approx(4 / 0.0254**2, rel=1e-6)


def test_units_on_the_command_line() -> None:
    run = CliRunner()
    done = run.invoke(app, ["reactions", "pendulum-two-rods", "--rule", "pseudoinverse", "--units", "mm", "--json"])
    data = json.loads(done.stdout)
    assert data["rule"] == "pseudoinverse:mm"
    assert data["units"]["moment"] == "N mm"
    assert data["reactions"]["rod2"]["force_in_joint"][0] == pytest.approx(-1.8758e-6, rel=1e-3)
    plain = json.loads(run.invoke(app, ["reactions", "door", "--rule", "inertia", "--json"]).stdout)
    there = json.loads(run.invoke(app, ["reactions", "door", "--rule", "inertia", "--units", "mm", "--json"]).stdout)
    moment = np.array(plain["reactions"]["hinge1"]["moment"], dtype=float)
    assert np.array(there["reactions"]["hinge1"]["moment"], dtype=float) == pytest.approx(1000 * moment)
    wrong = run.invoke(app, ["reactions", "door", "--units", "furlong"])
    assert "--units furlong: 'furlong' is not a unit" in str(wrong.exception)


def test_the_free_body_diagram_balances_whatever_the_split() -> None:
    eqs = ro.equations(ro.build(ro.parse_model(TABLE)))
    opened = free_body(ro.reactions(eqs), "top")
    assert all(np.isnan(one.wrench[2]) for one in opened.reactions)
    assert opened.sum[2] == pytest.approx(40.0)
    for rule in ("inertia", "weighted:a=9"):
        diagram = free_body(ro.reactions(eqs, rule), "top")
        total = np.sum([one.wrench for one in diagram.reactions], axis=0)
        assert total == pytest.approx(diagram.sum, abs=1e-9)  # statics of forces of 40 N in double precision
        assert diagram.residual < 1e-9
    with pytest.raises(ReactioError, match=r"There is no body 'tap'\. Did you mean 'top'"):
        free_body(ro.reactions(eqs), "tap")
    done = CliRunner().invoke(app, ["reactions", "door", "--body", "door", "--json"])
    assert json.loads(done.stdout)["sum_of_reactions"]["force"][2] == pytest.approx(245.25)


def test_share_checks_weights_in_world_axes() -> None:
    """A weight of the world's y, where the rows of the joint turn with its body."""
    eqs = ro.equations(ro.build(ro.load("four-bar-planar")).in_axes("world"))
    lam = share(problem(eqs.constraints, ro.reactions(eqs).f, eqs.M, eqs.solvability), "weighted:B.y=5")
    assert lam == pytest.approx(ro.reactions(eqs).balanced, abs=1e-9)  # nothing is redundant: any weight will do
