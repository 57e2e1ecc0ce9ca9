"""Numbers for scripts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reactio.arrays import Floats


def numbers(values: Floats | Sequence[float]) -> list[float | None]:
    """A vector; nothing in place of a component that is not unique or not known."""
    return [float(x) if math.isfinite(x) else None for x in values]
