"""Kernels in LLVM's language: numbers, arrays, tuples, loops and branches of Python, translated statement by statement.

A kernel is translated once for each list of kinds of its arguments.  Variables live in memory of the function, from
where LLVM takes them into registers; one that is a whole number here and a fraction there is a fraction everywhere.
What the translator does not know it refuses by name (``Untranslatable``): nothing is guessed.

Numbers follow IEEE 754 as NumPy's do: 1/0 is infinite, √−1 is not a number.  Products and sums contract to one
rounding where the processor can.  Indices below zero count from the end; beyond the end nothing is checked.
"""

from __future__ import annotations

from reactio.kernels.translation.source import Untranslatable
from reactio.kernels.translation.units import unit

__all__ = ["Untranslatable", "unit"]
