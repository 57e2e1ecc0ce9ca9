"""A translator of numerical Python into machine code: numbers, arrays, tuples, loops and branches, by LLVM.

A function is translated once for each list of kinds of its arguments (``units.unit``), and LLVM makes machine code of
the text (``machine_code``).  Variables live in memory of the function, from where LLVM takes them into registers; one
that is a whole number here and a fraction there is a fraction everywhere.  The translator refuses constructs it does
not know by name (``source.Untranslatable``); it never guesses.

Machine code and plain Python (``plain``) agree to the last bit.  Numbers follow IEEE 754 as NumPy's do: 1/0 is
infinite, √−1 is not a number.  Every operation is rounded by itself and in the order in which it is written; functions
without an exact value are those of the C library on both sides.  Indices below zero count from the end; beyond the end
nothing is checked.

This package imports Python, NumPy and llvmlite, and nothing of Reactio.
"""
