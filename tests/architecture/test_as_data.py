"""JSON follows from the fields of results: values of every type, keys under other names, and parts that are absent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from reactio.results.as_data import Result, picked, plain


class Colour(StrEnum):
    RED = "red"


class Place(NamedTuple):
    x: float
    name: str


@dataclass(frozen=True, slots=True)
class Part(Result):
    KEYS = "colour weight=mass where=place.name"

    colour: Colour
    mass: float
    place: Place | None


@dataclass(frozen=True, slots=True)
class Whole(Result):
    SCHEMA = "reactio.whole/1"

    parts: tuple[Part, ...]
    sizes: np.ndarray
    file: Path
    by_name: dict[str, Place]


def test_fields_become_keys_and_numbers_that_are_not_finite_null() -> None:
    part = Part(Colour.RED, np.inf, Place(1.0, "left"))
    whole = Whole((part,), np.array([1.5, np.nan]), Path("a.yaml"), {"here": Place(np.float64(2), "right")})
    assert json.loads(json.dumps(whole.as_data(), allow_nan=False)) == {
        "schema": "reactio.whole/1",
        "parts": [{"colour": "red", "weight": None, "where": "left"}],
        "sizes": [1.5, None],
        "file": "a.yaml",
        "by_name": {"here": {"x": 2.0, "name": "right"}},
    }


def test_of_an_absent_part_everything_is_null() -> None:
    assert Part(Colour.RED, 1.0, None).as_data() == {"colour": "red", "weight": 1.0, "where": None}


def test_types_are_those_of_json() -> None:
    values = plain(
        {"word": Colour.RED, "flag": np.True_, "count": np.int64(3), "number": np.float64(0.5), "none": None}
    )
    assert [type(value) for value in values.values()] == [str, bool, int, float, type(None)]
    assert picked(Part(Colour.RED, 1.0, None), "colour") == {"colour": "red"}


def test_what_has_no_form_in_json_is_an_error() -> None:
    with pytest.raises(TypeError, match="function has no form in JSON"):
        plain({"call": lambda: None})
