"""Kernels run plain or compiled by the size of the work; what is compiled is kept, said, and no more than needed."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import reactio
from reactio import kernels
from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.kernels import (
    COMPILE_THRESHOLD,
    LOAD_THRESHOLD,
    LOADING_TIME,
    CodeUse,
    Kernel,
    clock,
    expected_work,
    kernel,
    machine_code_use,
    on_compile,
    running,
    without_notice,
)
from reactio.system.evaluate.calls import LoopCall
from reactio.translator import kinds


def test_plain_and_compiled_agree_and_links_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    @kernel
    def inner(x: float) -> float:
        return 2 * x

    outer = Kernel(_apply, links={"formula": inner})
    assert outer(3.0) == outer.plain(3.0) == 7.0
    monkeypatch.setenv("REACTIO_KERNELS", "compiled")
    assert outer(3.0) == 7.0


def _apply(x: float) -> float:
    return formula(x) + 1.0  # type: ignore[name-defined, no-any-return]  # noqa: F821 - linked in


def test_arrays_of_other_numbers_are_refused_in_words() -> None:
    @kernel
    def first(x: Any) -> float:
        return float(x[0])

    assert first.run_compiled(np.array([2.0])) == 2.0
    with pytest.raises(ReactioError, match="An array of float32 cannot be passed"):
        first.run_compiled(np.array([2.0], dtype=np.float32))


def test_the_clock_of_a_run_stands_still_while_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    made, seconds = kernels._machine_code, [0.0]

    def slowly(*given: Any) -> Any:
        seconds[0] += 10.0
        return made(*given)

    @kernel
    def fourth_power(x: float) -> float:
        return x * x * x * x

    monkeypatch.setattr(time, "perf_counter", lambda: seconds[0])
    monkeypatch.setattr(kernels, "_machine_code", slowly)
    monkeypatch.setattr(kernels, "_from_cache", lambda *given: None)
    begun = clock()
    assert fourth_power.run_compiled(3.0) == 81.0
    assert (seconds[0], clock() - begun) == (10.0, 0.0)
    seconds[0] += 1.0
    assert clock() - begun == 1.0


def test_small_work_runs_without_llvm() -> None:
    script = "import sys, reactio; reactio.check(reactio.load('four-bar-planar')); assert 'llvmlite' not in sys.modules"
    free = {k: v for k, v in os.environ.items() if k != "REACTIO_KERNELS"}
    subprocess.run([sys.executable, "-c", script], check=True, env=free)


def test_choice_follows_from_the_size_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    monkeypatch.setattr(kernels, "LLVM_MODULE", "a module that nobody imports")
    monkeypatch.setattr(kernels, "_plain_time", [0.0])
    assert machine_code_use() is CodeUse.PLAIN
    with expected_work(rows=10, evaluations=LOAD_THRESHOLD / 10):
        assert machine_code_use() is CodeUse.PLAIN
    with expected_work(rows=10, evaluations=COMPILE_THRESHOLD / 10):
        assert machine_code_use() is CodeUse.CACHED
        with expected_work(rows=1, apart=True):
            assert machine_code_use() is CodeUse.PLAIN
    with expected_work(rows=10, evaluations=COMPILE_THRESHOLD / 9):
        assert machine_code_use() is CodeUse.COMPILED
        with expected_work(rows=1):
            assert machine_code_use() is CodeUse.COMPILED  # small work within large work
        with expected_work(rows=1, least=CodeUse.CACHED):
            assert machine_code_use() is CodeUse.COMPILED
    kernels._plain_time[0] = 2 * LOADING_TIME  # many small pieces of work
    assert machine_code_use() is CodeUse.CACHED
    kernels._plain_time[0] = 0.0
    monkeypatch.setattr(kernels, "LLVM_MODULE", "sys")  # where LLVM is loaded, it costs nothing to look
    assert machine_code_use() is CodeUse.CACHED
    monkeypatch.setenv("REACTIO_KERNELS", "compiled")
    assert machine_code_use() is CodeUse.COMPILED
    monkeypatch.setenv("REACTIO_KERNELS", "plain")
    assert machine_code_use() is CodeUse.PLAIN


def test_kernels_in_the_cache_are_used_and_others_run_plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    monkeypatch.setattr(kernels, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(kernels, "_made", {})
    plain: list[float] = []

    def watched(one: Kernel[..., float]) -> Kernel[..., float]:
        def run(x: float) -> float:
            plain.append(x)
            return 2.0 * x

        one._uncompiled = run
        return one

    with running(CodeUse.CACHED):
        assert watched(Kernel(_double))(2.0) == 4.0
    assert plain == [2.0]
    with running(CodeUse.COMPILED):
        watched(Kernel(_double))(3.0)
    kernels._made.clear()
    with running(CodeUse.CACHED):
        assert watched(Kernel(_double))(4.0) == 8.0
    assert plain == [2.0]


def test_an_unknown_way_to_run_kernels_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACTIO_KERNELS", "complied")
    with pytest.raises(ReactioError, match=r"REACTIO_KERNELS is 'complied'.* Did you mean 'compiled'?"):
        reactio.check(reactio.load("four-bar-planar"))
    monkeypatch.setenv("REACTIO_KERNELS", "")  # as if it were left out
    assert machine_code_use() is not CodeUse.COMPILED
    command = [sys.executable, "-m", "reactio", "check", "four-bar-planar"]
    env = {**os.environ, "REACTIO_KERNELS": "fast"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.returncode != 0
    assert done.stderr.count("REACTIO_KERNELS is 'fast'") == 1
    assert "Traceback" not in done.stderr


def test_only_what_must_be_compiled_is_announced_with_the_work_that_needs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    monkeypatch.setattr(kernels, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(kernels, "_made", {})
    said: list[str] = []
    on_compile(said.append)
    try:
        for _ in range(2):  # the second time its file is there
            with running(CodeUse.COMPILED, part="motion-planar"), expected_work(rows=1):
                assert Kernel(_double)(2.0) == 4.0
            kernels._made.clear()
        with running(CodeUse.COMPILED, part="large"), without_notice():
            assert Kernel(_triple)(2.0) == 6.0
    finally:
        on_compile(None)
    assert said == ["motion-planar"]


def _double(x: float) -> float:
    return 2.0 * x


def _triple(x: float) -> float:
    return 3.0 * x


def test_a_model_compiles_the_loops_of_its_own_bodies_and_primitives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rigid bodies with revolute joints need no loop over point masses, distances or loads of efforts."""
    monkeypatch.setenv("REACTIO_KERNELS", "compiled")
    system = reactio.build(reactio.load("double-four-bar"))
    reactio.equations(system)
    used = {loop.name: system.plan.loops[loop, :, 0].astype(bool).sum() for loop in LoopCall}
    assert used.pop("EFFORT_LOADS") == used.pop("FRAME_LOADS") == 0
    assert set(used.values()) == {1}


@kernel
def ill(x: float, y: float) -> tuple[float, float, float]:
    """A root and quotients that no real number answers."""
    return math.sqrt(x), 1.0 / math.sqrt(y), math.exp(y + 1000.0)


def test_plain_kernels_have_the_numbers_of_compiled_ones() -> None:
    root, quotient, power = ill(-1.0, 0.0)
    assert math.isnan(root)
    assert quotient == math.inf
    assert power == math.inf


def scaled_by(factor: float, links: dict[str, Kernel[..., Any]] | None = None) -> Kernel[..., float]:
    """A kernel with a constant of its own, the same in all but that."""
    scope = {"FACTOR": factor, "__name__": "user"}
    exec("def scaled(x):\n    return FACTOR * inner(x)", scope)
    return Kernel(scope["scaled"], links=links or {"inner": twice})  # type: ignore[arg-type]


@kernel
def twice(x: float) -> float:
    """2 x."""
    return 2.0 * x


@kernel
def thrice(x: float) -> float:
    """3 x."""
    return 3.0 * x


def test_digest_sees_constants_and_callees_and_nothing_else() -> None:
    assert scaled_by(1.0).digest == scaled_by(1.0).digest
    assert scaled_by(1.0).digest != scaled_by(1.5).digest
    assert scaled_by(1.0).digest != scaled_by(1.0, {"inner": thrice}).digest
    script = "from reactio.integrate.dop853 import run; import reactio; s = reactio.build(reactio.load('door')); "
    script += "print(run.explicit_runner(s).digest)"
    seeds = ({**os.environ, "PYTHONHASHSEED": seed} for seed in "12")
    found = [subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, env=e) for e in seeds]
    assert found[0].stdout == found[1].stdout  # whatever the order of hashes is


def test_a_kernel_of_a_user_is_kept_and_a_changed_one_is_not(tmp_path: Path) -> None:
    script = """
import sys
from reactio.kernels import Kernel, CodeUse, kernel, running
FACTOR = float(sys.argv[1])
@kernel
def user(x):
    return FACTOR * x
with running(CodeUse.COMPILED):
    assert user(2.0) == 2.0 * FACTOR
print("translated" if "reactio.translator.units" in sys.modules else "loaded")
"""
    file = tmp_path / "script.py"
    file.write_text(script)
    free = {k: v for k, v in os.environ.items() if k != "REACTIO_KERNELS"}
    env = {**free, "REACTIO_CACHE": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, str(file), x], check=True, capture_output=True, text=True, env=env)
        for x in ("3", "3", "4")
    ]
    assert [run.stdout.strip() for run in runs] == ["translated", "loaded", "translated"]
    together = [
        subprocess.Popen([sys.executable, str(file), "5"], stdout=subprocess.PIPE, text=True, env=env) for _ in range(3)
    ]
    answers = [one.communicate()[0].strip() for one in together]
    assert sorted(answers) == ["loaded", "loaded", "translated"]  # one compiled it, the others waited


def test_what_a_second_process_compiles_is_what_a_motion_needs(tmp_path: Path) -> None:
    """After the steps alone, a motion compiles the evaluation of its space and nothing else that is large."""
    code = """
import reactio.translator.units as translation
from reactio.integrate.warm import warm
made, unit = [], translation.unit
translation.unit = lambda kernel, *rest: (made.append(kernel.__name__), unit(kernel, *rest))[1]
for part in ("steps", "motion-planar"):
    warm(part)
    print(*made)
    made.clear()
"""
    env = {**os.environ, "REACTIO_CACHE": str(tmp_path)}
    env.pop("REACTIO_KERNELS", None)
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    steps, motion = (set(line.split()) for line in done.stdout.splitlines())
    assert {"_run", "projected", "_project_truncated"} <= steps
    assert not {"_position_terms", "_velocity_terms"} & steps
    assert {"_position_terms", "_velocity_terms"} <= motion
    assert not steps & motion


def test_a_primitive_of_a_user_compiles_its_own_loops_and_nothing_else(tmp_path: Path) -> None:
    """Another process registers a primitive: a model without it loads all it needs, one with it compiles two loops."""
    script = tmp_path / "script.py"
    script.write_text(
        """
import sys
import reactio
import reactio.translator.units as translation
from reactio.kernels import CodeUse, running
from reactio.system.equations import equations
made, unit = [], translation.unit
translation.unit = lambda kernel, *rest: (made.append(kernel.__name__), unit(kernel, *rest))[1]
if sys.argv[1] == "own":
    from reactio.primitives import primitive
    from reactio.primitives.planar_row import PlanarRow
    from reactio.space.algebra import sub2
    @primitive(space="planar", unit="m", label="height", turns="A")
    def abscissa(A, B, k, l, p, memory):
        return sub2(B.r, A.r)[0], (-1.0, 0.0), 0.0, (1.0, 0.0), 0.0, 0.0
    from reactio.joints import Freedom, JointType, Row, register
    register(JointType(name="upright", space="planar", rows=(Row(abscissa()),), doc="x of the world stays.",
                       free=(Freedom("y"), Freedom("rotation"))))
with running(CodeUse.COMPILED):
    equations(reactio.build(reactio.load("double-four-bar")))
    print(len(made))
    if sys.argv[1] == "own":
        made.clear()
        text = "{space: planar, bodies: {b: {mass: 1, inertia: 1, position: [0, 1]}}, joints: {u: {type: upright, "
        text += "a: ground, b: b}}}"
        from reactio.model.files.read import parse_model
        equations(reactio.build(parse_model(text)))
        print(*made)
"""
    )
    free = {k: v for k, v in os.environ.items() if k != "REACTIO_KERNELS"}
    first, second = (
        subprocess.run(
            [sys.executable, str(script), word], check=True, capture_output=True, text=True,
            env={**free, "REACTIO_CACHE": str(tmp_path)},
        ).stdout.split()
        for word in ("none", "own")
    )  # fmt: skip
    assert int(first[0]) > 0
    assert second == ["0", "_measures", "_measure_rates"]


class Inner(NamedTuple):
    """Arrays of two kinds, and a number."""

    x: Floats
    k: Ints
    scale: float


class Outer(NamedTuple):
    """A table with another in it, twice."""

    first: Inner
    y: Floats
    second: Inner


def test_a_table_that_was_passed_stands_in_others_with_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its arrays are described once, whatever holds it."""
    inner = Inner(np.zeros((3, 2)), np.arange(4), 0.5)
    outer = Outer(inner, np.ones(2), inner)
    monkeypatch.setattr(kinds, "_passed", {})
    alone = kinds.PassedTable(outer)
    kinds.passed(inner)
    described: list[object] = []
    words_of = kinds._array_words

    def counted(array: Any, words: list[float]) -> kinds.Array:
        described.append(array)
        return words_of(array, words)

    monkeypatch.setattr(kinds, "_array_words", counted)
    again = kinds.PassedTable(outer)
    assert len(described) == 1
    assert again.kind is alone.kind
    assert again.words.tolist() == alone.words.tolist()
