"""A kind of function from outside the package: in model files, in other units, driving a joint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import pytest

import reactio
from reactio.errors import ModelError, ReactioError
from reactio.functions import FUNCTIONS, FieldMeasure, evaluate, register
from reactio.functions.machine import ADD, EXP, MUL
from reactio.functions.program import Code
from reactio.model.files.read import parse_model
from reactio.model.files.write import to_yaml


@dataclass(frozen=True, slots=True)
class Decay:
    """A value that grows and fades: f = (peak + slope·t) exp(−rate·(t − delay))."""

    kind: ClassVar[str] = "decay"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {
        "peak": FieldMeasure.VALUE,
        "slope": FieldMeasure.SLOPE,
        "rate": FieldMeasure.FREQUENCY,
        "delay": FieldMeasure.TIME,
    }
    peak: float
    slope: float = 0.0
    rate: float = 1.0
    delay: float = 0.0

    def scaled(self, factor: float) -> Decay:
        return Decay(self.peak * factor, self.slope * factor, self.rate, self.delay)

    def emit(self, code: Code) -> None:
        code.variable("t")
        code.scale(self.slope)
        code.constant(self.peak)
        code.binary(ADD)
        code.variable("t")
        code.scale(-self.rate)
        code.constant(self.rate * self.delay)
        code.binary(ADD)
        code.unary(EXP)
        code.binary(MUL)


@dataclass(frozen=True, slots=True)
class Forgetful(Decay):
    """The same, of which nothing says what its numbers measure."""

    kind: ClassVar[str] = "forgetful"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {}


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """The kinds, for one test; they leave no trace."""
    register(Decay)
    register(Forgetful)
    yield
    FUNCTIONS.remove("decay")
    FUNCTIONS.remove("forgetful")
    assert "decay" not in FUNCTIONS


SLIDER = """
space: planar
units: {}
bodies: {{slider: {{mass: 1, inertia: 0, position: [0, 0]}}}}
joints: {{rail: {{type: translational, a: ground, b: slider}}}}
drives: {{motor: {{joint: rail, function: {{{}: {}}}}}}}
"""


def test_its_numbers_have_the_units_of_the_file() -> None:
    """50 mm and 20 mm/s, fading by 3 per second after half a second; or by milliseconds."""
    seconds = parse_model(SLIDER.format("mm", "decay", "{peak: 50, slope: 20, rate: 3, delay: 0.5}"))
    assert seconds.drives[0].function == Decay(0.05, 0.02, 3.0, 0.5)
    units = "{length: mm, time: ms}"
    milli = parse_model(SLIDER.format(units, "decay", "{peak: 50, slope: 0.02, rate: 0.003, delay: 500}"))
    found = milli.drives[0].function
    assert isinstance(found, Decay)
    assert (found.peak, found.slope, found.rate, found.delay) == pytest.approx((0.05, 0.02, 3.0, 0.5), rel=1e-15)
    assert parse_model(to_yaml(seconds), name=seconds.name) == seconds


def test_it_drives_a_joint_with_two_exact_derivatives() -> None:
    """f = (a + b t) e with e = exp(−c (t − d)): f′ = b e − c f, f″ = −c (b e + f′)."""
    value, first, second = evaluate(Decay(0.05, 0.02, 3.0, 0.5), 0.5)
    assert (value, first) == pytest.approx((0.06, 0.02 - 0.18), rel=1e-14)
    assert second == pytest.approx(-3 * (0.02 + 0.02 - 0.18), rel=1e-13)
    run = reactio.simulate(
        parse_model(SLIDER.format("m", "decay", "{peak: 0, slope: 0.2, rate: 3}")), until=0.5, output=2
    )
    assert run.q[-1][0] == pytest.approx(evaluate(Decay(0.0, 0.2, 3.0), 0.5)[0], abs=1e-12)


def test_a_number_of_unknown_dimension_is_refused() -> None:
    with pytest.raises(ModelError, match="forgetful: peak: the kind of function does not say what it measures"):
        parse_model(SLIDER.format("mm", "forgetful", "{peak: 50}"))


def test_a_kind_says_what_its_numbers_measure() -> None:
    with pytest.raises(ReactioError, match="'mute': `measures` must say what each of its fields measures"):
        register(type("Mute", (), {"kind": "mute"}))
