"""Spring and damper in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from reactio.functions import machine, register
from reactio.functions.program import Code, FieldMeasure, check_finite


@register
@dataclass(frozen=True, slots=True)
class LinearLaw:
    """Linear restoring force: f = −stiffness (s − free) − damping · rate.

    stiffness [N/m or N m/rad], free length or angle [m or rad], damping [N s/m or N m s/rad].
    """

    kind: ClassVar[str] = "linear-law"
    measures: ClassVar[Mapping[str, FieldMeasure]] = {}  # by the coordinate it is a function of
    stiffness: float
    free: float = 0.0
    damping: float = 0.0

    def __post_init__(self) -> None:
        check_finite(self.kind, stiffness=self.stiffness, free=self.free, damping=self.damping)

    def scaled(self, factor: float) -> LinearLaw:
        return LinearLaw(self.stiffness * factor, self.free, self.damping * factor)

    def emit(self, code: Code) -> None:
        code.constant(self.free)
        code.variable("s")
        code.binary(machine.SUB)
        code.scale(self.stiffness)
        code.variable("rate")
        code.scale(-self.damping)
        code.binary(machine.ADD)
