"""Programs of many functions, the registry of kinds, and what an import loads."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import pytest

from reactio.errors import ReactioError
from reactio.functions import FieldMeasure, Function, compile_functions, evaluate, machine, register
from reactio.functions.constant import Constant
from reactio.functions.expression import Expression
from reactio.functions.harmonic import Harmonic
from reactio.functions.program import Code
from reactio.functions.spline import Spline
from reactio.functions.step import Step
from reactio.functions.sum import Sum


def test_many_functions_in_one_program() -> None:
    functions: list[Function] = [
        Expression("s*t + rate**2"),
        Harmonic(1.5, 2.0, 0.4, 0.7),
        Spline((0.0, 0.3, 1.0, 2.0), (1.0, -0.5, 0.2, 0.9)),
        Constant(2.5),
        Sum((Step(0.0, 1.0), Spline((0.0, 1.0), (3.0, 4.0)))),
    ]
    programs = compile_functions(functions)
    assert len(programs) == len(functions)
    indices = np.array([0, 4, 3, 2, 0], dtype=np.int64)
    s, rate = np.linspace(1.0, 2.0, 5), np.linspace(-1.0, 1.0, 5)
    out, stack = np.empty(3), np.empty((programs.depth, 3))
    for i, index in enumerate(indices):
        expected = evaluate(functions[index], 0.5, s[i], rate[i])
        arguments = (
            programs.code,
            programs.data,
            programs.start,
            int(index),
            0.5,
            s[i : i + 1],
            rate[i : i + 1],
        )
        machine.jet(*arguments, stack, out)
        assert tuple(out) == expected


def test_no_functions_at_all() -> None:
    programs = compile_functions(())
    assert (len(programs), programs.code.shape) == (0, (0, 4))


def test_nested_steps_stay_small() -> None:
    text = "t"
    for _ in range(50):
        text = f"step({text}, 0, t, 1, 2)"
    programs = compile_functions([Expression(text)])
    assert len(programs.code) < 50 * 15
    assert programs.depth <= 6


def test_a_kind_from_outside_and_a_taken_name() -> None:
    class Taken:
        kind: ClassVar[str] = "step"
        measures: ClassVar[Mapping[str, FieldMeasure]] = {}

        def scaled(self, factor: float) -> Function:
            return self

        def emit(self, code: Code) -> None:
            code.constant(0.0)

    with pytest.raises(ReactioError, match="function 'step' is already registered"):
        register(Taken)
    assert evaluate(Taken(), 1.0) == (0.0, 0.0, 0.0)


def test_import_loads_neither_llvm_nor_scipy() -> None:
    script = "import sys, json, reactio.functions; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert "numpy" in loaded
    assert not loaded & {"llvmlite", "scipy"}


def test_uncompiled_kernels_give_the_same() -> None:
    script = (
        "import json\nfrom reactio.functions import evaluate\n"
        "from reactio.functions.expression import Expression\n"
        "formula = Expression('sin(t)*s**2 + 7 % t + hypot(t, s)')\n"
        "print(json.dumps([evaluate(formula, 0.3, 2.0, 0.0), evaluate(Expression('1/t'), 0.0)]))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True, text=True, check=True, env={"REACTIO_KERNELS": "plain"},
    )  # fmt: skip
    first = evaluate(Expression("sin(t)*s**2 + 7 % t + hypot(t, s)"), 0.3, 2.0, 0.0)
    found, infinite = json.loads(done.stdout)
    # Compiled and interpreted sine may differ in the last bit.
    assert found == pytest.approx(first, rel=1e-14)
    assert infinite[0] == math.inf
