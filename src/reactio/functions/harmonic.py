"""A sine in time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from reactio.functions import register
from reactio.functions.machine import ADD, SIN
from reactio.functions.program import Code, FieldMeasure, check_finite


@register
@dataclass(frozen=True, slots=True)
class Harmonic:
    """A harmonic oscillation: f = offset + amplitude sin(2π frequency t + phase).

    frequency [Hz], phase [rad]; amplitude and offset in the unit of f.
    """

    kind: ClassVar[str] = "harmonic"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {
        "amplitude": FieldMeasure.VALUE,
        "frequency": FieldMeasure.FREQUENCY,
        "phase": FieldMeasure.ANGLE,
        "offset": FieldMeasure.VALUE,
    }
    amplitude: float
    frequency: float
    phase: float = 0.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        check_finite(
            self.kind,
            amplitude=self.amplitude,
            frequency=self.frequency,
            phase=self.phase,
            offset=self.offset,
        )

    def scaled(self, factor: float) -> Harmonic:
        return Harmonic(self.amplitude * factor, self.frequency, self.phase, self.offset * factor)

    def emit(self, code: Code) -> None:
        code.variable("t")
        code.scale(math.tau * self.frequency)
        code.constant(self.phase)
        code.binary(ADD)
        code.unary(SIN)
        code.scale(self.amplitude)
        code.constant(self.offset)
        code.binary(ADD)
