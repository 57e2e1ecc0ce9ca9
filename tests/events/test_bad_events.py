"""Events and stops that cannot be: each error names the event and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.errors import ModelError
from reactio.model.files.write import to_yaml
from reactio.model.specs import Event

SLIDER = """
space: spatial
units: {units}
gravity: [0, 0, -9.81]
bodies: {{b: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}}}}
joints: {{P: {{type: prismatic, a: ground, b: b}}}}
{more}
"""


def slider(more: str, units: str = "m") -> reactio.Model:
    return reactio.parse_model(SLIDER.format(more=more, units=units))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("events: {e: {when: P.translaton - 1}}", r"event 'e'.*'P.translaton' is not a known name.*'P.translation'"),
        ("events: {e: {when: Q.translation}}", r"'Q.translation' is not a known name.*'P.translation'"),
        ("events: {e: {when: b.z - height}}", "'height' is not a known name"),
        ("events: {e: {when: 3 - 2}}", "never changes"),
        ("events: {e: {when: b.z ^ 2}}", r"write \*\* for powers"),
        ("events: {e: {when: b.z, direction: up}}", "direction is 'up'; it must be rising or falling or both"),
        ("events: {e: {when: b.z, action: bang}}", "action is 'bang'; it must be record or stop"),
        ("events: {e: {wen: b.z}}", r"has no field 'wen'.*'when'"),
        ("events: {e: {direction: both}}", "needs 'when'"),
        ("stops: {s: {along: P.rotation, lower: 0, restitution: 1}}", "has no coordinate 'rotation'"),
        ("stops: {s: {along: Q, lower: 0, restitution: 1}}", "there is no joint 'Q'"),
        ("stops: {s: {along: P, lower: 2, upper: 1, restitution: 1}}", "lower is not less than upper"),
        ("stops: {s: {along: P, restitution: 1}}", "has no limit"),
        ("stops: {s: {along: P, lower: 0, restitution: 1.5}}", r"restitution is 1.5; it lies between 0 .* and 1"),
        ("stops: {s: {along: P, lower: 0, restitution: -0.1}}", "restitution is -0.1"),
        ("stops: {s: {along: P, lower: 0}}", "either `restitution`"),
        ("stops: {s: {along: P, lower: 0, restitution: 1, action: stop}}", "either `restitution`"),
        ("stops: {s: {along: P, lower: 0, action: record}}", "the only action is stop"),
        ("events: {s: {when: b.z}}\nstops: {s: {along: P, lower: 0, action: stop}}", "'s' is used twice"),
    ],
)
def test_files_that_cannot_be(more: str, message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        slider(more)
    assert "<model>:" in str(caught.value)  # with its line


def test_radians_and_degrees_are_not_added() -> None:
    text = """
space: planar
units: deg
bodies: {b: {mass: 1, inertia: 1}}
joints: {A: {type: revolute, a: ground, b: b}}
events: {e: {when: A.rotation - pi/2}}
"""
    with pytest.raises(ModelError, match="radians"):
        reactio.parse_model(text)
    model = reactio.parse_model(text.replace("pi/2", "90").replace("inertia: 1", "inertia: 1, angular_velocity: 45"))
    run = reactio.simulate(model, until=3.0)
    assert run.events[0].t == pytest.approx(2.0, abs=1e-9)  # 90° at 45°/s, steps of 1e-9


def test_lengths_of_a_file_in_millimetres() -> None:
    model = reactio.parse_model("""
space: planar
units: mm
parameters: {gate: 500}
bodies: {b: {mass: 1, inertia: 1, velocity: [1000, 0]}}
events: {e: {when: b.x - gate}, f: {when: "b.x.rate - 2000*t"}}
stops: {}
""")
    run = reactio.simulate(model, until=1.0)
    # 0.5 m at 1 m/s; the rate of 1000 mm/s meets 2000 t at the same time.
    assert [event.t for event in run.events] == pytest.approx([0.5, 0.5], abs=1e-9)
    back = reactio.parse_model(to_yaml(model), model.name)
    assert back == model


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda now: float("nan"), "event 'mine' is not a number at t = 0 s"),
        (lambda now: 1 / 0, "event 'mine' failed at t = 0 s: ZeroDivisionError"),
        (lambda now: now["P.translatio"], r"event 'mine' failed.*no coordinate 'P.translatio'.*'P.translation'"),
        (lambda now: "far", "event 'mine' failed at t = 0 s: ValueError"),
        (3.0, "neither a text nor a function"),
    ],
)
def test_functions_that_fail(function: Any, message: str) -> None:
    with pytest.raises(reactio.ReactioError, match=message):
        reactio.simulate(slider(""), until=1.0, events=[Event("mine", function)])


def test_functions_do_not_belong_into_models() -> None:
    function: Callable[[Any], float] = lambda now: now.t  # noqa: E731
    with pytest.raises(ModelError, match="give a function to simulate"):
        reactio.Model("m", "planar", events=(Event("f", function),))
    with pytest.raises(reactio.ReactioError, match="given twice"):
        reactio.simulate(slider(""), until=1.0, events=[Event("f", function)] * 2)
    with pytest.raises(reactio.ReactioError, match="direction is 'down'"):
        reactio.simulate(slider(""), until=1.0, events=[Event("f", function, "down")])


def test_a_start_beyond_a_stop() -> None:
    with pytest.raises(reactio.ReactioError, match=r"stop 's': P starts 0.5 beyond its limit"):
        reactio.simulate(slider("stops: {s: {along: P, upper: 0.5, restitution: 1}}"), until=1.0)


def test_a_driven_coordinate_cannot_be_turned_back() -> None:
    more = 'drives: {d: {joint: P, function: "1 + t"}}\nstops: {s: {along: P, upper: 1.5, restitution: 1}}'
    with pytest.raises(reactio.ReactioError, match=r"stop 's' is hit at t = 0\.5 s, but drives or joints hold P"):
        reactio.simulate(slider(more), until=1.0)


@pytest.mark.parametrize("cell", ["nan", "inf", "x"])
def test_a_load_table_without_numbers_is_refused_with_its_place(tmp_path: Path, cell: str) -> None:
    (tmp_path / "load.csv").write_text(f"time,force\n0,1\n1,{cell}\n2,3\n", encoding="utf-8")
    more = "forces: {f: {type: force, at: b, force: [0, 0, {spline: {file: load.csv}}]}}"
    (tmp_path / "m.yaml").write_text(SLIDER.format(more=more, units="m"), encoding="utf-8")
    with pytest.raises(ModelError, match=r"load\.csv:3"):
        reactio.load(str(tmp_path / "m.yaml"))
    with pytest.raises(reactio.ReactioError, match="finite"):
        slider("forces: {f: {type: force, at: b, force: [0, 0, {spline: {table: [[0, 1], [1, nan], [2, 1]]}}]}}")
