"""Cases by their numbers: grids, samples, tables, and what is refused."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reactio.errors import ReactioError
from reactio.sweeps.axes import Axis, Cases, Range, cases_of, grid, parse_axis, read_table, sample, table


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_a_grid_is_the_product_of_its_axes(sizes: list[int]) -> None:
    axes = [Axis(f"a{k}", tuple(float(x) for x in range(size))) for k, size in enumerate(sizes)]
    cases = grid(axes)
    every = [tuple(cases[k].values()) for k in range(cases.count)]
    assert every == list(product(*(axis.values for axis in axes)))
    assert cases_of(cases.as_data()) == cases


def test_axes_have_three_notations() -> None:
    assert parse_axis("span=0.2:0.6:3") == Axis("span", (0.2, 0.4, 0.6))
    assert parse_axis("load=1,10,2*50") == Axis("load", (1.0, 10.0, 100.0))
    assert parse_axis("kind=tall,low") == Axis("kind", ("tall", "low"))
    assert parse_axis("span=0.2:0.6") == Range("span", 0.2, 0.6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("span", "write NAME="),
        ("span=0:1:0", "whole number from 1"),
        ("span=0:1:2.5", "whole number from 1"),
        ("span=0:1:3:lin", "FROM:TO:COUNT:log"),
        ("span=-1:1:3:log", "equal ratios"),
        ("span=1:1", "smaller to a larger"),
        ("span=1,1", "is given twice"),
        ("span=1,,2", "empty"),
        ("span=1,nan", "neither"),
        ("span=a:b:3", "not a number"),
    ],
)
def test_axes_that_mean_nothing_are_refused(text: str, said: str) -> None:
    with pytest.raises(ReactioError, match=said):
        parse_axis(text)


@pytest.mark.parametrize("kind", ["sobol", "latin", "random"])
def test_samples_fill_their_ranges_and_repeat(kind: str) -> None:
    ranges = [Range("a", 1.0, 3.0), Range("b", -2.0, -1.0)]
    cases = sample(ranges, kind, 100, seed=4)
    points = np.array([list(cases[k].values()) for k in range(cases.count)], dtype=float)
    assert points.shape == (100, 2)
    assert (points >= [1.0, -2.0]).all()
    assert (points <= [3.0, -1.0]).all()
    np.testing.assert_allclose(points.mean(axis=0), [2.0, -1.5], atol=0.2)  # 100 random numbers: 0.06 at one sigma
    assert sample(ranges, kind, 100, seed=4) == cases
    assert sample(ranges, kind, 100, seed=5) != cases


def test_samples_and_grids_are_told_apart() -> None:
    with pytest.raises(ReactioError, match="is a range"):
        grid([Range("a", 0.0, 1.0)])
    with pytest.raises(ReactioError, match="ranges"):
        sample([Axis("a", (1.0,))], "sobol", 8)
    with pytest.raises(ReactioError, match="Did you mean 'sobol'"):
        sample([Range("a", 0.0, 1.0)], "sobl", 8)
    with pytest.raises(ReactioError, match="needs parameters to change"):
        grid([])


def test_tables_are_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "cases.csv"
    file.write_text("hinges,mass\n1,10\n2,20\n2,20\n")
    cases = read_table(file)
    assert [cases[k] for k in range(3)] == [
        {"hinges": 1, "mass": 10},
        {"hinges": 2, "mass": 20},
        {"hinges": 2, "mass": 20},
    ]
    wrong = {
        "a\n": "no cases",
        "a,a\n1,2\n": "name of its own",
        "a,b\n1\n": ":2: 1 values for 2",
        "a\n1\n?\n": ":3: ",
    }
    for text, said in wrong.items():
        file.write_text(text)
        with pytest.raises(ReactioError, match=said):
            read_table(file)
    with pytest.raises(ReactioError, match="different lengths"):
        table({"a": [1, 2], "b": [1]})


def test_a_huge_grid_takes_no_memory() -> None:
    axis = tuple(float(x) for x in range(1000))
    cases = Cases(tuple(Axis(name, axis) for name in "abcdefgh"))
    assert cases.count == 10**24
    assert set(cases[cases.count - 1].values()) == {999.0}
