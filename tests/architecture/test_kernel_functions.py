"""Every function of mathematics that compiles has the same values where nothing is compiled."""

from __future__ import annotations

import importlib.util
import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from reactio.errors import ReactioError
from reactio.translator import plain_math
from reactio.translator.arithmetic import MATH_FUNCTIONS

NAMES = {math: "math", np: "np"}
ALL = [(module, name) for module, table in MATH_FUNCTIONS.items() for name in table]
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 1e-320, 709.5, 710.5, -710.5, 1e308, -1e308, math.inf, -math.inf, math.nan)
UNKNOWN = sorted(name for name in dir(math) if callable(getattr(math, name)) and name not in MATH_FUNCTIONS[math])


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A module with a kernel for each function."""
    lines = ["import math", "import numpy as np", "from reactio.kernels import kernel"]
    for module, name in ALL:
        given = "x, y"[: 3 * MATH_FUNCTIONS[module][name].arguments - 2]
        lines += ["@kernel", f"def {NAMES[module]}_{name}({given}):", f"    return {NAMES[module]}.{name}({given})"]
    for name in UNKNOWN:
        lines += ["@kernel", f"def unknown_{name}(*x):", f"    return math.{name}(x[0])"]
    file = tmp_path_factory.mktemp("user") / "kernels_of_mathematics.py"
    file.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("module", "name"), ALL, ids=[f"{NAMES[module]}.{name}" for module, name in ALL])
def test_plain_and_compiled_have_the_same_values(user: Any, module: ModuleType, name: str) -> None:
    one, count = getattr(user, f"{NAMES[module]}_{name}"), MATH_FUNCTIONS[module][name].arguments
    rng = np.random.default_rng(7)
    given = [*np.array(np.meshgrid(*[SPECIAL] * count)).reshape(count, -1).T.tolist()]
    given += [*(rng.normal(size=(200, count)) * 10.0 ** rng.integers(-3, 4, size=(200, 1))).tolist()]
    given += rng.uniform(-1.0, 1.0, size=(200, count)).tolist()
    for values in given:
        compiled = one.run_compiled(*values)
        with np.errstate(all="ignore"):
            plain = one.uncompiled(*values)
        assert isinstance(compiled, bool) == isinstance(plain, (bool, np.bool_))
        assert isinstance(compiled, int) == isinstance(plain, (int, np.bool_))
        assert compiled == plain or (math.isnan(compiled) and math.isnan(plain)), (values, compiled, plain)
        assert math.copysign(1.0, compiled) == math.copysign(1.0, plain) or math.isnan(plain), values


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_does_not_compile_runs_plain_as_the_error_says(user: Any, name: str) -> None:
    one = getattr(user, f"unknown_{name}")
    with pytest.raises(ReactioError, match=f"{name} is not known.* REACTIO_KERNELS=plain runs it as it is"):
        one.run_compiled(1.0)
    try:
        expected = getattr(math, name)(1.0)
    except (TypeError, ValueError) as error:  # of two numbers, of whole numbers, of a list, not of 1
        with pytest.raises(type(error)):
            one.uncompiled(1.0)
        return
    assert one.uncompiled(1.0) == expected


def test_constants_are_those_of_math() -> None:
    for name in ("pi", "e", "tau", "inf"):
        assert getattr(plain_math, name) == getattr(math, name)
    assert math.isnan(plain_math.nan)
