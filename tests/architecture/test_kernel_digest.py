"""What is compiled is what the digest names: the code and the constants that a kernel had when it was first used."""

from __future__ import annotations

import ast
import dis
import importlib
import importlib.util
import itertools
import linecache
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio import kernels
from reactio.errors import ReactioError
from reactio.kernels import Kernel, kernel
from reactio.translator.digest import global_names

Write = Callable[..., Path]
_numbers = itertools.count()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, empty in memory and on disk."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setattr(kernels, "cache_directory", lambda: folder)
    monkeypatch.setattr(kernels, "_made", {})
    return folder


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write a module that is to be imported by a name of its own; all are forgotten at the end."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files change within the second that bytecode is dated by
    known = set(sys.modules)

    def file(text: str, path: Path | None = None) -> Path:
        path = path or tmp_path / f"user_kernels_{next(_numbers)}.py"
        path.write_text(f"from reactio.kernels import kernel\n{text}")
        importlib.invalidate_caches()
        return path

    yield file
    for name in set(sys.modules) - known:
        if not name.startswith("reactio."):  # a class that is imported a second time is another one
            del sys.modules[name]


SCALED = "@kernel\ndef scaled(x):\n    return {} * x\n"


def anew(one: Kernel[..., Any]) -> Kernel[..., Any]:
    """The same function as another process would find it."""
    kernels._made.clear()
    return Kernel(one.function, one.options, one.links)


def test_an_edited_kernel_that_is_loaded_again_is_compiled_anew(cache: Path, write: Write) -> None:
    file = write(SCALED.format(2.0))
    module = importlib.import_module(file.stem)
    assert module.scaled.run_compiled(1.0) == 2.0
    write(SCALED.format(3.0), file)
    module = importlib.reload(module)
    assert module.scaled.run_compiled(1.0) == 3.0
    assert anew(module.scaled).run_compiled(1.0) == 3.0  # from its file
    assert len(list(cache.glob("*.kernel"))) == 2


def test_a_file_that_was_changed_after_its_import_is_refused_and_nothing_is_kept(cache: Path, write: Write) -> None:
    file = write(SCALED.format(2.0))
    module = importlib.import_module(file.stem)
    for other in (SCALED.format(5.0), "def broken(", "@kernel\ndef other(x):\n    return 2.0 * x\n"):
        write(other, file)
        with pytest.raises(ReactioError, match=r"user_kernels_\d+.py:2: scaled: .* changed since .* restart Python"):
            module.scaled.run_compiled(1.0)
    assert not list(cache.glob("*.kernel"))
    write("\n# moved further down\n" + SCALED.format(2.0), file)
    assert module.scaled.run_compiled(1.0) == 2.0


def test_of_two_functions_of_a_name_the_right_one_is_taken(cache: Path, write: Write) -> None:
    file = write(SCALED.format(2.0) + "first = scaled\n" + SCALED.format(3.0))
    module = importlib.import_module(file.stem)
    assert (module.first.run_compiled(1.0), module.scaled.run_compiled(1.0)) == (2.0, 3.0)


@pytest.mark.parametrize("apart", [False, True])
def test_a_cell_of_a_notebook_is_compiled(cache: Path, apart: bool) -> None:
    """Notebooks run the statements of a cell apart, and Python makes other code of a module that is imported there."""
    text, name = "import math\n@kernel\ndef root(x):\n    return math.sqrt(x)\n", "<cell of a notebook>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"kernel": kernel, "__name__": "__main__"}
    tree = ast.parse(text)
    for part in [ast.Module([one], []) for one in tree.body] if apart else [tree]:
        exec(compile(part, name, "exec"), scope)
    try:
        assert scope["root"].run_compiled(16.0) == 4.0
    finally:
        del linecache.cache[name]


USES_A_MODULE = """import {0}
from {0} import Place
@kernel
def of_module(x):
    return {0}.K * x
@kernel
def of_enum(x):
    return Place.TIP * x
"""
CONSTANTS = "from enum import IntEnum\nK = {0}.0\nclass Place(IntEnum):\n    TIP = {0}\n"


def test_values_of_other_modules_and_of_enums_are_part_of_a_kernel(cache: Path, write: Write) -> None:
    constants = write(CONSTANTS.format(2))
    user = write(USES_A_MODULE.format(constants.stem))
    found, digests = [], []
    for value in (2, 3):
        write(CONSTANTS.format(value), constants)
        for name in (constants.stem, user.stem):
            sys.modules.pop(name, None)
        module = importlib.import_module(user.stem)
        found += [module.of_module.run_compiled(1.0), module.of_enum.run_compiled(1)]
        digests += [module.of_module.digest, module.of_enum.digest]
    assert found == [2.0, 2, 3.0, 3]
    assert len(set(digests)) == 4


def test_constants_that_change_later_are_not_mixed_with_those_of_the_digest(cache: Path, write: Write) -> None:
    constants = write("K = 2.0")
    text = f"import numpy as np\nimport {constants.stem} as other\nW = np.array([5.0])\n"
    text += "@kernel\ndef f(x):\n    return other.K * W[0] * x\n"
    module = importlib.import_module(write(text).stem)
    assert module.f.digest  # from here on
    module.other.K = 3.0
    module.W[0] = 7.0
    assert module.f.run_compiled(1.0) == 10.0
    assert anew(module.f).run_compiled(1.0) == 21.0
    module.other.K, module.W[0] = 2.0, 5.0
    assert anew(module.f).run_compiled(1.0) == 10.0


@kernel
def size(x: Any) -> float:
    """A kernel that is called like an attribute which it uses."""
    return 2.0 * x.size  # type: ignore[no-any-return]


def test_attributes_are_not_taken_for_global_names() -> None:
    assert size.run_compiled(np.zeros(3)) == size(np.zeros(3)) == 6.0


@kernel
def descends(n: int) -> int:
    """A kernel that calls itself."""
    return 0 if n == 0 else descends(n - 1)


@pytest.mark.parametrize("call", [descends.run_compiled, lambda n: descends.uncompiled(n)])
def test_a_kernel_that_calls_itself_is_refused_in_words(call: Callable[[int], int]) -> None:
    with pytest.raises(ReactioError, match=r"test_kernel_digest.py:\d+: descends: .* cannot call itself"):
        call(3)


def test_global_names_are_those_that_the_disassembler_finds() -> None:
    """The quick search knows how this version of Python writes them."""
    reactio.equations(reactio.build(reactio.load("four-bar-planar")))
    loaded = [m for name, m in list(sys.modules.items()) if name.startswith("reactio.")]
    codes = {f.__code__ for module in loaded for f in vars(module).values() if isinstance(f, types.FunctionType)}
    codes |= {k.function.__code__ for module in loaded for k in vars(module).values() if isinstance(k, Kernel)}
    assert len(codes) > 500
    many = "\n".join(f"    name_{k}" for k in range(70_000))  # beyond one byte, and beyond two
    scope: dict[str, Any] = {}
    exec(f"def far():\n{many}", scope)
    for code in (*codes, scope["far"].__code__):
        names, left = set(), [code]
        while left:
            one = left.pop()
            names |= {i.argval for i in dis.get_instructions(one) if i.opname == "LOAD_GLOBAL"}
            left += [inner for inner in one.co_consts if isinstance(inner, types.CodeType)]
        assert set(global_names(code)) == names
