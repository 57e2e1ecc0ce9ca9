"""A sample of ``benchmarks/random_kernels.py``: random kernels agree to the last bit plain and compiled."""

from __future__ import annotations

import importlib
import random
from pathlib import Path
from typing import Any

import pytest

from reactio.kernels import kernel


@pytest.fixture
def random_kernels(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    return importlib.import_module("random_kernels")


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_random_kernels_agree(random_kernels: Any, tmp_path: Path, seed: int) -> None:
    compared, words = random_kernels.campaign(seed, 10, 15, tmp_path)
    assert not words, words
    assert compared == 150


@kernel
def tells_them_apart(x: float, y: float, i: int, j: int, A: Any, r: Any, n: Any) -> int:
    """A kernel that differs: whole numbers of more than 64 bits."""
    return (j * j + 4) * 4611686018427387904


def test_a_difference_is_reported(random_kernels: Any) -> None:
    assert "compiled" in random_kernels.difference(tells_them_apart, random_kernels.arguments(random.Random(1)))
