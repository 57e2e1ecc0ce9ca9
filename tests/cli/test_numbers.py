"""Numbers in tables as people write them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from reactio.cli.output.numbers import number_text, rounded

Run = Callable[..., subprocess.CompletedProcess[str]]
Call = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (15223.4, "15223"),
        (-123456.0, "-123460"),
        (0.00012345678, "0.00012346"),
        (2.5e6, "2500000"),
        (2.5e7, "2.5e+07"),
        (81.75, "81.75"),
    ],
)
def test_loads_below_ten_million_have_no_power_of_ten(number: float, text: str) -> None:
    assert rounded(number) == text
    assert number_text(number, 0.0) == text


def test_rounding_and_what_is_open_have_signs_of_their_own() -> None:
    assert [number_text(x, 1e-12) for x in (1e-17, float("nan"), float("inf"), -float("inf"))] == ["0", "–", "∞", "−∞"]


def test_a_pose_of_rest_has_no_rounding_in_it(call: Call) -> None:
    code, out, _ = call("equilibrium", "door")
    assert code == 0
    pose = out[out.index("Pose") : out.index("Reactions")]
    assert "orientation w, x, y, z" in pose
    assert "e-" not in pose


def test_the_times_of_an_envelope_have_their_unit(run: Run) -> None:
    done = run("envelope", "slider-crank", "--until", "0.05", "--all")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("at t s") == 2


def test_a_terminal_of_eighty_columns_shows_whom_a_joint_shares_load_with(run: Run) -> None:
    done = run("check", "four-bar-spatial", COLUMNS="80")
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "A, B, D" in done.stdout  # with whom C shares its load
    assert "…" not in done.stdout
