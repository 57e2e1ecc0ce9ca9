"""Bounds of the joints of a model: by hand, within capacities, on the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.errors import ReactioError

# The table of the library, by hand: with F1 = s its legs bear s, 171.36 − s, s − 32.5 and 178.86 − s.
LEGS = {"leg1": (1, 0.0), "leg2": (-1, 171.36), "leg3": (1, -32.5), "leg4": (-1, 178.86)}


def test_nothing_limits_a_table_that_is_glued_to_the_floor() -> None:
    found = reactio.bounds(reactio.load("table"))
    assert found["leg1"]["Fz"].low == -np.inf
    assert found["leg1"]["Fz"].high == np.inf
    assert "self-stress" in found["leg1"]["Fz"].why
    assert found.feasible
    assert found.load_factor == np.inf


def test_capacities_limit_every_leg() -> None:
    pytest.importorskip("clarabel")
    found = reactio.bounds(reactio.load("table"), capacity={leg: {"force": 120.0} for leg in LEGS})
    s = {leg: sorted((sign * (end - offset)) for end in (-120.0, 120.0)) for leg, (sign, offset) in LEGS.items()}
    low, high = max(one[0] for one in s.values()), min(one[1] for one in s.values())
    for leg, (sign, offset) in LEGS.items():
        ends = sorted((sign * low + offset, sign * high + offset))
        one = found[leg]["Fz"]
        assert [one.low, one.high] == pytest.approx(ends, rel=1e-7)  # an interior point comes to 1e-8 of an end
    # The largest load shares what legs 1 and 4 bear together: 2 · 120 N of 178.86 N.
    assert found.load_factor == pytest.approx(240 / 178.86, rel=1e-7)
    assert found.critical == ("leg1", "leg4")
    assert found.every_split_safe is False


def test_capacities_that_no_split_keeps() -> None:
    pytest.importorskip("clarabel")
    found = reactio.bounds(reactio.load("table"), capacity={leg: {"force": 80.0} for leg in LEGS})
    assert not found.feasible
    assert found.load_factor == pytest.approx(160 / 178.86, rel=1e-7)
    assert "11.79 % larger" in found.notes[0]


def test_capacity_of_the_model_file_and_its_errors() -> None:
    text = reactio.to_yaml(reactio.load("table"))
    kind = "type: point-on-plane"
    model = reactio.parse_model(text.replace(f"leg1:\n    {kind}", f"leg1:\n    capacity: {{force: 120}}\n    {kind}"))
    if not model.joint("leg1").capacity:
        pytest.fail("the text of the model changed its form")
    assert reactio.parse_model(reactio.to_yaml(model)).joint("leg1").capacity == {"force": 120.0}
    with pytest.raises(ReactioError, match="positive"):
        reactio.bounds(model, capacity={"leg2": {"force": -1.0}})
    with pytest.raises(ReactioError, match="Did you mean"):
        reactio.bounds(model, capacity={"leg9": {"force": 1.0}})


def test_contract_on_the_command_line() -> None:
    done = CliRunner().invoke(app, ["bounds", "double-four-bar", "--json"])
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert {"schema", "model", "t", "bounds", "feasible", "load_factor", "critical"} <= set(data)
    one = data["bounds"]["A"]["Fx"]
    assert {"low", "high", "unique", "limited_by"} <= set(one)
    assert data["load_factor"] is None


def test_unique_components_are_the_reactions() -> None:
    eqs = reactio.equations(reactio.build(reactio.load("mobile-robot")))
    found, known = reactio.bounds(eqs), reactio.reactions(eqs)
    for name in known:
        one = known[name]
        for label, bound in found[name].items():
            if bound.unique and label in ("Fx", "Fy"):
                value = one.force_in_joint["xy".index(label[1])]
                assert bound.low == pytest.approx(value, abs=1e-9)
