"""Parameters of a file or of the library, set from outside."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.errors import ReactioError
from reactio.library import load
from reactio.model.files.read import read_model

TEXT = """\
space: planar
parameters: {a: 0.5, b: 2*a, path: 1, source: 2}
bodies: {rod: {position: [a, b]}}
joints: {}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rod.yaml"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize(
    ("given", "position"),
    [
        ({}, (0.5, 1.0)),
        ({"a": 2}, (2.0, 4.0)),
        ({"a": "1/4"}, (0.25, 0.5)),
        ({"a": np.float32(0.5), "b": np.int64(3)}, (0.5, 3.0)),
        ({"b": "a + 1"}, (0.5, 1.5)),
        ({"a": "b/8", "b": 4}, (0.5, 4.0)),
    ],
)
def test_overrides(given: dict[str, Any], position: tuple[float, float], file: Path) -> None:
    assert load(file, **given).body("rod").position == position
    assert load(str(file), **given) == read_model(file, **given)


def test_parameters_may_be_called_like_arguments(file: Path) -> None:
    model = load(file, path=3, source=4)
    assert (model.parameters["path"], model.parameters["source"]) == (3.0, 4.0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"aa": 1}, "Did you mean 'a'"),
        ({"a": math.nan}, "parameter 'a'"),
        ({"a": math.inf}, "parameter 'a'"),
        ({"a": None}, "parameter 'a'"),
        ({"a": [1]}, "parameter 'a'"),
        ({"a": "2*"}, "parameter 'a'"),
        ({"a": "b"}, "circle"),
        ({"a": "__import__('os')"}, "parameter 'a'"),
        ({"a": "1/0"}, "divides by zero"),
    ],
)
def test_overrides_that_cannot_be(given: dict[str, Any], words: str, file: Path) -> None:
    with pytest.raises(ReactioError) as caught:
        load(file, **given)
    assert words in str(caught.value)
    assert f"{file}:2: " in str(caught.value)


def test_the_library_takes_parameters() -> None:
    model = reactio.load("n-four-bar", N=40)
    assert len(model.bodies) == 81
    assert reactio.load("n-four-bar", N="20*2") == model
    assert reactio.load("n-four-bar", N=2, spatial=1).space == "spatial"
    assert reactio.load("mobile-robot", a="1/10").body("robot").position == (2.0, 0.0)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("n-four-bar", {"M": 3}, "no parameter 'M'"),
        ("n-four-bar", {"N": 2.5}, "whole number"),
        ("n-four-bar", {"N": 0}, "at least 1"),
        ("n-four-bar", {"N": "2*"}, "2*"),
        ("n-four-bar", {"theta": math.nan}, "nan"),
        ("mobile-robot", {"aa": 3}, "Did you mean"),
        ("door", {"mass": -1}, "negative"),
        ("bennett", {"b": 7}, "Bennett"),
    ],
)
def test_the_library_refuses(name: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(ReactioError) as caught:
        load(name, **given)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", library.names())
def test_every_entry_says_what_it_is(name: str) -> None:
    entry = library.entry(name)
    model = load(name)
    assert entry.title
    assert entry.cite == model.cite
    assert entry.parameters.keys() == model.parameters.keys()


def test_a_file_goes_before_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "door").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    assert load("door").space == "planar"
