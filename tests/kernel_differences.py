"""Every call of a kernel from Python made twice, plain and compiled, and compared to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from reactio.kernels import Kernel, compiled_throughout


def same_bits(a: Any, b: Any) -> bool:
    """Are two results the same numbers, signs of zeros included?  NaN is NaN, whatever its bits."""
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same_bits, a, b))
    x, y = np.asarray(a), np.asarray(b)
    if x.shape != y.shape or x.dtype.kind != y.dtype.kind:
        return False
    if x.dtype.kind != "f":
        return bool(np.array_equal(x, y))
    return bool(
        np.all((x.astype(float).view(np.int64) == y.astype(float).view(np.int64)) | (np.isnan(x) & np.isnan(y)))
    )


def arrays_in(value: Any) -> list[Any]:
    """All arrays in tuples of tuples."""
    if isinstance(value, tuple):
        return [array for item in value for array in arrays_in(item)]
    return [value] if isinstance(value, np.ndarray) else []


@contextmanager
def compared(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """All kernels called in this block run twice on the same arrays; how often each was called is counted."""
    calls: dict[str, int] = {}

    def call(kernel: Kernel[..., Any], *given: Any, **named: Any) -> Any:
        arrays = [array for array in arrays_in((*given, *named.values())) if array.flags.writeable]
        before = [array.copy() for array in arrays]
        plain = kernel.run_plain(*given, **named)
        expected = [array.copy() for array in arrays]
        for array, content in zip(arrays, before, strict=True):
            array[...] = content
        compiled = kernel.run_compiled(*given, **named)
        calls[kernel.__name__] = calls.get(kernel.__name__, 0) + 1
        assert same_bits(plain, compiled), f"{kernel.__name__} returns {compiled} compiled and {plain} plain"
        for array, content in zip(arrays, expected, strict=True):
            assert same_bits(content, array), f"{kernel.__name__} leaves other numbers compiled than plain"
        return compiled

    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    monkeypatch.setattr(Kernel, "__call__", call)
    with compiled_throughout():
        yield calls
