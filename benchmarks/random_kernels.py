"""Random kernels, plain and compiled: do they agree to the last bit?

    python benchmarks/random_kernels.py --minutes 60 --seed 1

Each kernel is a random function of numbers and arrays in the Python that the translator knows: arithmetic, powers,
functions of mathematics, branches, loops, entries and parts of arrays, calls of kernels made before it.  It is called
with numbers of all sizes, with zeros of both signs, infinities and NaN among them.  Results and all arrays are compared
bit by bit; NaN is NaN, whatever its bits.  A kernel that differs is printed, with its arguments, and the command fails.

Left out is what the page on the translator says to be different: whole numbers of more than 64 bits and their division
by zero, and indices beyond the end of an array.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import random
import struct
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from reactio.kernels import Kernel

SPECIAL = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    3.0,
    1e-320,
    -1e-300,
    1e300,
    709.5,
    -745.5,
    math.inf,
    -math.inf,
    math.nan,
    math.pi,
)
UNARY = ["sqrt", "sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "fabs", "asin", "acos", "atan"]
OF_NUMPY = [
    "sqrt",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "sinh",
    "cosh",
    "tanh",
    "fabs",
    "arcsin",
    "arccos",
    "arctan",
    "sign",
    "floor",
    "rint",
]
FLOATS, INTS = ("x", "y", "u", "v"), ("i", "j", "k")
ARGUMENTS = "x, y, i, j, A, r, n"
RETURNED = "u, v, k, u < v"


class Writer:
    """Random text of one kernel."""

    def __init__(self, rng: random.Random, callees: list[str]) -> None:
        self.rng, self.callees, self.lines, self.loops = rng, callees, list[str](), 0

    def real(self, depth: int) -> str:
        """An expression that is a real number."""
        if depth <= 0 or self.rng.random() < 0.15:
            literal = repr(self.rng.choice([0.0, 1.0, 0.1, 2.5, 1e-8, self.rng.uniform(-5, 5)]))
            row, column = self.index(0), self.index(1)
            entries = [f"A[{row}, {column}]", f"A[{row}][{column}]", f"r[{self.index(2)}]"]
            return self.rng.choice([*FLOATS, *FLOATS, literal, *entries])
        a, b = self.real(depth - 1), self.real(depth - 1)
        forms = [f"({a} {op} {b})" for op in ("+", "-", "*", "/", "+", "-", "*", "%", "//")]
        forms += [f"({a} ** {b})", f"({a} ** {self.rng.choice([2, 3, 0.5, -1, 1.5])})", f"(-{a})", f"abs({a})"]
        forms += [f"max({a}, {b})", f"min({a}, {b}, 0.3)", f"({a} if {self.truth(depth - 1)} else {b})"]
        forms += [f"math.{self.rng.choice(UNARY)}({a})", f"np.{self.rng.choice(OF_NUMPY)}({a})"]
        forms += [f"math.atan2({a}, {b})", f"math.hypot({a}, {b})", f"float({self.whole(depth - 1)})"]
        forms += [f"({self.whole(depth - 1)} * {a})", f"({self.whole(depth - 1)} / {self.rng.choice([3.0, 7.0, 8.0])})"]
        return self.rng.choice(forms)

    def whole(self, depth: int) -> str:
        """An expression that is a whole number, far below 64 bits."""
        if depth <= 0:
            return self.rng.choice([*INTS, "n[0]", "n[-1]", "len(r)", "A.shape[1]", str(self.rng.randint(-9, 9))])
        a, b, c = self.whole(depth - 1), self.whole(depth - 1), self.rng.choice([-7, 3, 5, 64])
        forms = [f"(({a} {op} {b}) % 1009)" for op in "+-*"]
        forms += [f"({a} // {c})", f"({a} % {c})", f"abs({a})", f"max({a}, {b})", f"({a} % 11) ** 3"]
        forms += [f"({function}({self.real(depth - 1)}) % 997)" for function in ("int", "round", "math.floor")]
        return self.rng.choice([*forms, f"({a} if {self.truth(depth - 1)} else {b})"])

    def truth(self, depth: int) -> str:
        """An expression that is true or false."""
        a, b, op = self.real(depth - 1), self.real(depth - 1), self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        forms = [f"{a} {op} {b}", f"{self.whole(depth - 1)} {op} {self.whole(depth - 1)}", f"math.isnan({a})"]
        forms += [
            f"not ({a} < {b})",
            f"(math.isfinite({a}) and {b} > 0.0)",
            f"({a} < {b} or i < j)",
            f"-1.0 < {a} < {b}",
        ]
        return self.rng.choice(forms)

    def index(self, axis: int) -> str:
        """An index of the axes of A (3, 4) and r (5,)."""
        length = (3, 4, 5)[axis]
        return self.rng.choice([str(self.rng.randrange(-length, length)), f"{self.rng.choice(INTS)} % {length}"])

    def block(self, indent: str, depth: int, inside: bool = False) -> None:
        """Some statements."""
        for _ in range(self.rng.randint(1, 3)):
            self.statement(indent, depth, inside)

    def statement(self, indent: str, depth: int, inside: bool) -> None:
        """A statement; loops and branches hold others."""

        def put(text: str) -> None:
            self.lines.append(indent + text)

        kind = self.rng.randrange(12 if depth > 0 else 6)
        if kind < 2:
            put(f"{self.rng.choice('xyuv')} {self.rng.choice(['=', '=', '+=', '-=', '*=', '/='])} {self.real(3)}")
        elif kind == 2:
            put(f"{self.rng.choice('ijk')} = {self.whole(2)} % 1000")
        elif kind == 3:
            target = self.rng.choice([f"A[{self.index(0)}, {self.index(1)}]", f"r[{self.index(2)}]"])
            put(f"{target} {self.rng.choice(['=', '+=', '*='])} {self.real(2)}")
        elif kind == 4:
            put(
                self.rng.choice(
                    [
                        f"A[{self.index(0)}, 1:] = {self.real(2)}",
                        f"u, v = v, {self.real(2)}",
                        f"x, y = A[{self.index(0)}, :2]",
                    ]
                )
            )
        elif kind == 5 and self.callees:
            put(f"u, v, k, _ = {self.rng.choice(self.callees)}({self.real(2)}, v, i, {self.whole(1)} % 1000, A, r, n)")
        elif kind == 5:
            put(f"v = {self.real(3)}")
        elif kind < 9:
            put(f"if {self.truth(2)}:")
            self.block(indent + "    ", depth - 1, inside)
            if self.rng.random() < 0.6:
                put("else:")
                self.block(indent + "    ", depth - 1, inside)
        else:
            self.loop(put, indent, depth)

    def loop(self, put: Any, indent: str, depth: int) -> None:
        """A loop of a few turns."""
        self.loops += 1
        counter = f"c{self.loops}"
        put(self.rng.choice([
            f"for {counter} in range({self.rng.randint(1, 4)}):", f"for {counter} in range(3, -1, -2):",
            f"for u in A[{self.index(0)}]:", f"for {counter} in range(abs(i) % 4):",
        ]))  # fmt: skip
        if self.rng.random() < 0.3:
            self.lines.append(
                f"{indent}    if {self.truth(1)}:\n{indent}        {self.rng.choice(['break', 'continue'])}"
            )
        self.block(indent + "    ", depth - 1, True)

    def text(self, name: str) -> str:
        """A whole kernel."""
        self.lines = ["@kernel", f"def {name}({ARGUMENTS}):", "    u, v, k = 0.5, x, 1"]
        self.block("    ", 2)
        self.block("    ", 2)
        return "\n".join([*self.lines, f"    return {RETURNED}", ""])


def random_module(seed: int, count: int, folder: Path) -> tuple[list[Kernel[..., Any]], str]:
    """Random kernels, and their text."""
    rng = random.Random(seed)
    texts = ["import math", "import numpy as np", "from reactio.kernels import kernel", ""]
    for number in range(count):
        texts.append(Writer(rng, [f"f{k}" for k in range(max(0, number - 2), number)]).text(f"f{number}"))
    file = folder / f"random_kernels_{seed}.py"
    file.write_text("\n".join(texts))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f"f{number}") for number in range(count)], file.read_text()


def arguments(rng: random.Random) -> tuple[Any, ...]:
    """Random arguments of a kernel."""

    def number() -> float:
        usual = rng.gauss(0.0, 1.0) * 10.0 ** rng.randint(-3, 3)
        return rng.choice(SPECIAL) if rng.random() < 0.2 else usual

    A, r = (np.array([number() for _ in range(size)]) for size in (12, 5))
    n = np.array([rng.randint(-50, 50) for _ in range(4)])
    return number(), number(), rng.randint(-20, 20), rng.randint(-20, 20), A.reshape(3, 4), r, n


def bits(value: Any) -> Any:
    """Numbers as their bits; NaN is NaN."""
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    if isinstance(value, np.ndarray):
        return tuple(map(bits, value.ravel().tolist()))
    return "nan" if value != value else struct.pack("d", value) if isinstance(value, float) else value


def difference(kernel: Kernel[..., Any], given: tuple[Any, ...]) -> str:
    """How the two versions differ; empty where they agree."""
    outcomes = []
    for compiled in (False, True):
        copies = tuple(value.copy() if isinstance(value, np.ndarray) else value for value in given)
        result = kernel.run_compiled(*copies) if compiled else kernel.run_plain(*copies)
        outcomes.append((result, *(value for value in copies if isinstance(value, np.ndarray))))
    return "" if bits(outcomes[0]) == bits(outcomes[1]) else f"plain {outcomes[0]}\ncompiled {outcomes[1]}"


def campaign(seed: int, kernels: int, calls: int, folder: Path) -> tuple[int, str]:
    """The number of calls compared, and the first difference with the kernel that has it."""
    rng, compared = random.Random(seed), 0
    functions, text = random_module(seed, kernels, folder)
    for function in functions:
        for _ in range(calls):
            given = arguments(rng)
            if words := difference(function, given):
                return compared, f"{text}\n{function.__name__}{given}\n{words}"
            compared += 1
    return compared, ""


def main() -> int:
    """Random kernels until the time is over or one differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    end, seed, kernels, calls = time.monotonic() + 60 * options.minutes, options.seed, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            compared, words = campaign(seed, 10, 30, Path(folder))
            if words:
                print(f"seed {seed}\n{words}")
                return 1
            seed, kernels, calls = seed + 1, kernels + 10, calls + compared
    print(f"{kernels:,} random kernels, {calls:,} calls: plain and compiled agree to the last bit.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
